"""Which project a session belongs to: a slug of the repository it was held in, and where it has several packages, which of them.

The remote names it where there is one, so that clones and worktrees are one project; else the folder does. Which folders of
a repository are packages only the vault's settings say (`Packages`): a session's folder is held against them as a text, for
the repository may look otherwise tomorrow, or be on another machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from wikimem.core import routes

_REMOTE = re.compile(r"(?:^|[/:])(?P<name>[^/:]+?)(?:\.git)?/*$")
_SLASH = re.compile(r"[/\\]+")


@lru_cache(4096)  # thousands of sources are of few projects, and a recall asks for the scope of each
def slug(remote: str, cwd: str) -> str:
    """The project's slug; '' when neither a remote nor a folder is known.

    Args:
        remote: the URL of the repository's remote; may be empty.
        cwd: the folder of the session, of any operating system; may be empty.
    """
    match = _REMOTE.search(remote.strip())
    name = match["name"] if match else ""
    if not name:
        name = re.split(r"[/\\]", cwd.strip().rstrip("/\\"))[-1]
    return _slug(name)


def _slug(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[^\w]+", "-", folded).strip("-_")[:80]


def scope(remote: str, cwd: str) -> str:
    """`project:<slug>`, or '' when no project is known."""
    found = slug(remote, cwd)
    return f"project:{found}" if found else ""


def is_scope(text: str) -> bool:
    """Whether a text names a scope: `project:`, `user:` or `agent:` and a slug; of a project also `/` and further ones."""
    kind, _, path = text.partition(":")
    names = path.split("/")
    return (
        kind in ("project", "user", "agent")
        and all(names)
        and names == [_slug(name) for name in names]
        and (kind == "project" or len(names) == 1)
    )


@dataclass(frozen=True, slots=True)
class Packages:
    """The repositories of which settings say what their packages are.

    Args:
        patterns: by the name of a repository, `shop`, `acme/shop` or `github.com/acme/shop`: folders below its top,
            `packages/*`; a `*` stands for anything within one folder's name.
    """

    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def scope(self, remote: str, cwd: str) -> str:
        """As `scope` of the module; of a folder within a package `project:<slug>/<path of the package>`."""
        path = self.path(remote, cwd)
        return f"project:{path}" if path else scope(remote, cwd)

    def path(self, remote: str, cwd: str) -> str:
        """`shop/packages/api` for a folder within a package; else ''. Arguments as for `slug`."""
        return _path(self, remote, cwd) if self.patterns else ""


NONE = Packages()


def packages(told: Mapping[str, object]) -> tuple[Packages, str]:
    """The packages that a table of the settings names, and what is wrong with it, as a clause; empty if nothing is."""
    found = []
    for name, patterns in told.items():
        if not name.strip("/ ") or not _slug(name.rstrip("/").rpartition("/")[2]):
            return NONE, f'projects: {name!r} names no repository; write it as its remote does, such as "acme/shop"'
        if not isinstance(patterns, list) or not patterns or not all(isinstance(each, str) for each in patterns):
            return NONE, f'projects.{name} is {patterns!r}; it must be a list of folders, such as ["packages/*"]'
        for each in patterns:
            parts = each.rstrip("/").split("/")
            if not each or any(part in ("", ".", "..", "**") for part in parts) or "\\" in each:
                why = "a folder below the repository's top, with / between names and * for any name"
                return NONE, f"projects.{name}: {each!r} is no such pattern; write {why}"
        found.append((name.strip("/ ").removesuffix(".git").casefold(), tuple(each.rstrip("/") for each in patterns)))
    # The repository that is named most exactly counts, whatever the order of the lines.
    return Packages(tuple(sorted(found, key=lambda one: (-one[0].count("/"), one[0])))), ""


@lru_cache(4096)
def _path(all_of: Packages, remote: str, cwd: str) -> str:
    names = [name for name in _SLASH.split(cwd.strip()) if name]
    address = routes.address(remote).removesuffix(".git").casefold()
    for name, patterns in all_of.patterns:
        own = name.rpartition("/")[2]
        if address and address != name and not address.endswith(f"/{name}"):
            continue
        package = _below(names, own, patterns, bool(address))
        if package:
            return "/".join([_slug(own), *package])
    return ""


def _below(names: Sequence[str], own: str, patterns: Sequence[str], sure: bool) -> list[str]:
    """The folders of the package, as slugs; empty if a folder is in none.

    Args:
        names: the folders of the path.
        own: what the repository's folder is called as a rule.
        patterns: of the packages' folders.
        sure: whether the folder is known to be in the repository, whose folder may then be called otherwise.
    """
    tops = [place + 1 for place, name in enumerate(names) if name.casefold() == own]
    found = next((one for top in tops if (one := _longest(names[top:], patterns))), [])
    if not found and sure:
        # A worktree of another name: what is looked for must begin with a name that says where it is.
        plain = [each for each in patterns if "*" not in each.partition("/")[0]]
        found = next((one for top in reversed(range(len(names))) if (one := _longest(names[top:], plain))), [])
    slugs = [_slug(name) for name in found]
    return slugs if all(slugs) else []


def _longest(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The first of the folders that a pattern matches, as many as the longest one does."""
    return max((list(told) for told in _matches(names, patterns)), key=len, default=[])


def _matches(names: Sequence[str], patterns: Sequence[str]) -> Iterator[Sequence[str]]:
    for pattern in patterns:
        parts = pattern.split("/")
        told = names[: len(parts)]
        if len(told) == len(parts) and all(map(_is, told, parts)):
            yield told


def _is(name: str, part: str) -> bool:
    return fnmatchcase(name, part) and (not name.startswith(".") or part.startswith("."))
