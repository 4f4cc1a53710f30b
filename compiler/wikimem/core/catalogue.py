"""The catalogue: which page a name means, by slug, path, title or alias. Reads no file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from wikimem.core import slugs, texts

_NEAR = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A page, as it can be named.

    Args:
        path: below `wiki/`.
        title: its title.
        aliases: its other names.
    """

    path: str
    title: str
    aliases: tuple[str, ...]


def find(name: str, entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The pages that a name means, and for none the slugs of pages with a similar name.

    Args:
        name: a slug, a path with or without `wiki/` and `.md`, a title or an alias.
        entries: all pages.
    """
    wanted = name.strip().removeprefix("./").removeprefix("wiki/").removesuffix(".md")
    every = tuple(entries)
    exact = tuple(entry for entry in every if entry.path.removesuffix(".md") == wanted)
    if exact:
        return exact, ()
    key = texts.key(wanted)
    found = tuple(entry for entry in every if key in _names(entry)) if key else ()
    if found:
        return found, ()
    names: Mapping[str, str] = {each: _slug(entry) for entry in every for each in _names(entry)}
    near = [names[each] for each in get_close_matches(key, names, _NEAR)]
    # What holds all the words of the name is near as well, however long it is.
    words = set(texts.words(wanted))
    near += [slug for each, slug in names.items() if words and words <= set(texts.words(each))]
    return (), tuple(dict.fromkeys(near))[:_NEAR]


def _names(entry: Entry) -> set[str]:
    return {texts.key(one) for one in (_slug(entry), entry.title, *entry.aliases)}


def _slug(entry: Entry) -> str:
    return entry.path.rsplit("/", 1)[-1].removesuffix(".md")


def is_page(path: str) -> bool:
    """Whether a path below `wiki/` is that of a page: in a folder of pages, and no index."""
    parts = path.split("/")
    inside = len(parts) > 1 and parts[0] in slugs.FOLDERS.values() and path.endswith(".md")
    return inside and parts[-1] != "index.md" and parts[1] != "index"
