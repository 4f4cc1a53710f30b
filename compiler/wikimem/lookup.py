"""Lookup: which vault a call means, and what the user's own config says of it. It reads no vault, and imports little.

A hook of an agent asks this first, and mostly the answer is that there is nothing to do.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.errors import BadSettings, NotAVault, NoVault

if TYPE_CHECKING:
    from wikimem.core.routes import Routes

MARKER = "wikimem.toml"
"""The file by which a folder is a vault."""
_BRANCH = "ref: refs/heads/wikimem"


def find(named: str | None = None, start: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the vault that a call means: named, else `WIKIMEM_VAULT`, else the nearest above (or the one that is a
    linked worktree of the repository there), else that of a route in the user's config, else the default.

    Raises:
        NotAVault: the named one is none.
        NoVault: there is none anywhere.
    """
    return found(named, start, environ)[0]


def found(named: str | None = None, start: Path | None = None, environ: Mapping[str, str] = os.environ) -> tuple[Path, str]:
    """The folder that `find` gives, and how it was found, as a clause."""
    told = named or environ.get("WIKIMEM_VAULT", "")
    if told:
        path = Path(told).expanduser()
        if not (path / MARKER).is_file():
            bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
            raise NotAVault(told, "it is a bare repository; clone it, and name the clone") if bare else NotAVault(told)
        return path, "it was named by --vault" if named else "WIKIMEM_VAULT names it"
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / MARKER).is_file():
            return folder, "it is the nearest upwards from here"
        if (beside := _worktree(folder)) is not None:
            return beside, f"it is a linked worktree of the repository in {folder}"
    routed = _routed(here)
    if routed is not None:
        return routed, f"a route in {user_config()} names it for this folder"
    default = default_place()
    if (default / MARKER).is_file():
        return default, "it is the default vault"
    if told := user_routes().default:
        raise NotAVault(told)
    raise NoVault(str(here))


def _worktree(folder: Path) -> Path | None:
    """The vault that `init` made inside a code repository, where a folder is the top of that repository."""
    mark = folder / ".git"
    with suppress(OSError, UnicodeDecodeError):
        git = Path(os.path.normpath(folder / mark.read_text()[8:].strip())) if mark.is_file() else mark
        pointer = git / "commondir"
        common = Path(os.path.normpath(git / pointer.read_text().strip())) if pointer.is_file() else git
        for linked in sorted((common / "worktrees").glob("*/gitdir")):
            root = Path(linked.read_text().strip()).parent
            if (root / MARKER).is_file() and linked.with_name("HEAD").read_text().strip() == _BRANCH:
                return root
    return None


def _routed(here: Path) -> Path | None:
    """The vault that the user's config names for this folder, if it does."""
    routes = user_routes()
    if not routes.to:
        return None
    from wikimem.edges.repo import remote_of

    remote = remote_of(str(here))
    told = "" if routes.forbids(str(here), remote) else routes.vault(str(here), remote)
    if told and not (Path(told) / MARKER).is_file():
        raise NotAVault(told)
    return Path(told) if told else None


def user_config() -> Path:
    """The user's own config, for all vaults of this machine; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("wikimem", appauthor=False) / "config.toml"


def user_routes() -> Routes:
    """Which sessions go to which vault, and which to none, as the user's config has it.

    Raises:
        BadSettings: it cannot be used.
    """
    from wikimem.core.routes import Route, Routes

    path = user_config()
    if not path.exists():
        return Routes()
    import tomllib

    try:
        told = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(str(path), f"it is not valid TOML ({error})") from None
    if strange := told.keys() - {"default", "never", "routes"}:
        raise BadSettings(str(path), f"{min(strange)} is no setting; known are default, never, routes")
    routes = told.get("routes", [])
    if not isinstance(routes, list) or not all(isinstance(one, dict) and one.keys() == {"match", "vault"} for one in routes):
        raise BadSettings(str(path), "each of [[routes]] needs match and vault, and nothing else")
    return Routes(
        _patterns(path, "never", told.get("never", [])),
        tuple(Route(_patterns(path, "match", one["match"]), _expanded(path, one["vault"])) for one in routes),
        _expanded(path, told["default"]) if "default" in told else "",
    )


def _patterns(path: Path, name: str, told: object) -> tuple[str, ...]:
    found = [told] if isinstance(told, str) else told
    if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
        raise BadSettings(str(path), f"{name} is {told!r}; it must be a pattern or a list of patterns")
    return tuple(_expanded(path, one) for one in found)


def _expanded(path: Path, told: object) -> str:
    if not isinstance(told, str) or not told:
        raise BadSettings(str(path), f"{told!r} is no path or pattern")
    return str(Path(told).expanduser()) if told.startswith("~") else told


def default_place() -> Path:
    """Where the user's default vault is, whether it exists or not: as their config says, else the one that agents were given a
    memory from first, else a place of its own."""
    if told := user_routes().default:
        return Path(told)
    with suppress(OSError, UnicodeDecodeError):
        chosen = Path(_chosen().read_text(encoding="utf-8").strip())
        if (chosen / MARKER).is_file():
            return chosen
    return _chosen().with_name("vault")


def choose_default(root: Path) -> bool:
    """Make a vault the default one, where there is none yet and no route of the user's config leads to it.

    Returns:
        Whether it is now, and was not before.
    """
    routes = user_routes()
    if (default_place() / MARKER).is_file() or any(Path(route.vault).resolve() == root for route in routes.to):
        return False
    _chosen().parent.mkdir(parents=True, exist_ok=True)
    temporary = _chosen().with_name("default.tmp")
    temporary.write_text(f"{root}\n", encoding="utf-8")
    temporary.replace(_chosen())
    return True


def _chosen() -> Path:
    from platformdirs import user_data_path

    return user_data_path("wikimem", appauthor=False) / "default"
