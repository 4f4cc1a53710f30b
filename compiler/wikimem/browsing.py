"""Browsing: the pages of a vault as they lie on disk, found by name and read. Changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from wikimem.core import cards, catalogue, pages, scopes, slugs
from wikimem.core.catalogue import Entry
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.errors import ManyPages, NoPage
from wikimem.vault import Vault

_HEAD = 4096
_LISTED = 8
_CITED = re.compile(r"\b(?:\d{8}|undated)-[a-z0-9-]+-[0-9a-f]{8,64}\b")

May = Callable[[str], bool]
"""Whether a page, by its path below `wiki/`, may be seen by whoever asks."""


def paths(root: Path) -> Iterator[str]:
    """The paths below `wiki/` of all pages, parts of long ones included."""
    for folder in slugs.FOLDERS.values():
        for path in sorted((root / "wiki" / folder).rglob("*.md")):
            name = path.relative_to(root / "wiki").as_posix()
            if catalogue.is_page(name):
                yield name


def entries(root: Path) -> Iterator[Entry]:
    """All pages; of each only the head is read."""
    for name in paths(root):
        with (root / "wiki" / name).open("rb") as file:
            head = file.read(_HEAD)
        page = pages.parse(head.decode("utf-8", "replace"))
        aliases = page.front.get("aliases", ())
        yield Entry(name, page.title, aliases if isinstance(aliases, tuple) else ())


def seen_by(vault: Vault, scope: str) -> May | None:
    """What a scope may see in a strict vault: its own pages, and those of none, that its sessions alone prove; None for all.

    Args:
        vault: the vault.
        scope: the scope that asks; '' for the person whose vault it is.
    """
    shown = shown_to(vault, scope)
    if shown is None:
        return None
    return lambda path: shown((vault.root / "wiki" / path).read_bytes().decode("utf-8", "replace"))


def shown_to(vault: Vault, scope: str) -> May | None:
    """The same of the text of a page, also an earlier one, in the place of its path."""
    if not scope or vault.settings.isolation != "strict":
        return None
    whose = {source: sidecar.scope for source, sidecar in vault.ledger.all().items()}
    seen = ("", *scopes.lineage(scope))

    def may(text: str) -> bool:
        own = pages.parse(text).front.get("scope", "")
        return own in seen and all(whose.get(source) in seen for source in _CITED.findall(text))

    return may


def is_open(sidecar: Sidecar, scope: str) -> bool:
    """Whether a scope may open a session in a strict vault: its own, those of what it is a part of, and those of no scope.

    An edit of no scope may tell what was said in any.
    """
    return scopes.sees(scope, sidecar.scope) or (sidecar.scope == "" and sidecar.format != "edit")


def title(root: Path, sidecar: Sidecar, session: Session) -> str:
    """What a session is called: of one that was retired as its card says, since what it was called by may be gone."""
    card = root / "wiki" / cards.path(sidecar.id)
    if not sidecar.retired or not card.is_file():
        return session.title
    with card.open("rb") as file:
        return pages.parse(file.read(_HEAD).decode("utf-8", "replace")).title or session.title


def unseen(vault: Vault, scope: str) -> str:
    """Why whoever asks without a scope sees nothing of a strict vault's projects, and what to name; empty if they do."""
    if scope or vault.settings.isolation != "strict":
        return ""
    every = sorted({sidecar.scope for sidecar in vault.ledger.all().values()} - {""})
    if not every:
        return ""
    more = f" and {len(every) - _LISTED} more" if len(every) > _LISTED else ""
    told = "This vault keeps its scopes apart (isolation strict): name the one that asks with --scope"
    return f"{told}: {', '.join(every[:_LISTED])}{more}."


def find(root: Path, name: str, may: May | None = None) -> Entry:
    """The page of a name.

    Args:
        root: the vault's folder.
        name: a slug, a path, a title or an alias.
        may: which pages are to be found, and named as near; None for all.

    Raises:
        NoPage: there is none of that name; the text names what is near.
        ManyPages: there is more than one; the text names them.
    """
    by_slug = _by_slug(root, name)
    if by_slug is not None and (may is None or may(by_slug.path)):
        return by_slug
    found, near = catalogue.find(name, (each for each in entries(root) if may is None or may(each.path)))
    if len(found) == 1:
        return found[0]
    if found:
        raise ManyPages(name, tuple(entry.path.removesuffix(".md") for entry in found))
    raise NoPage(name, near)


def _by_slug(root: Path, name: str) -> Entry | None:
    """The page whose file has this very name; found without reading the others."""
    wanted = name.strip().removeprefix("./").removeprefix("wiki/").removesuffix(".md")
    parts = wanted.split("/")
    if not wanted or any(part in ("", ".", "..") for part in parts):
        return None
    folders = [""] if parts[0] in slugs.FOLDERS.values() else [f"{folder}/" for folder in slugs.FOLDERS.values()]
    found = [path for folder in folders if _is_file(root / "wiki" / (path := f"{folder}{wanted}.md"))]
    if len(found) != 1 or not catalogue.is_page(found[0]):
        return None
    return Entry(found[0], "", ())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # No file system takes such a name, so no page has it.
        return False
