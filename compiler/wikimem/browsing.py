"""Browsing: the pages of a vault as they lie on disk, found by name and read. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wikimem.core import catalogue, pages, slugs
from wikimem.core.catalogue import Entry
from wikimem.errors import NoPage

_HEAD = 4096


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


def find(root: Path, name: str) -> Entry:
    """The page of a name.

    Raises:
        NoPage: there is none of that name, or more than one; the text names what is near.
    """
    by_slug = _by_slug(root, name)
    if by_slug is not None:
        return by_slug
    found, near = catalogue.find(name, entries(root))
    if len(found) == 1:
        return found[0]
    raise NoPage(name, tuple(entry.path.removesuffix(".md") for entry in found) or near)


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
