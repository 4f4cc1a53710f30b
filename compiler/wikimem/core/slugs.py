"""Slugs: the file names of pages, unique over the wiki, valid on every file system. Not titles, which stay as they are.

A slug depends on the names of all subjects together and on nothing else: every machine gives every page one file.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from wikimem.core.claims import digest

LONGEST = 80
"""Bytes of UTF-8 in a slug at most."""

FOLDERS = {
    "person": "people",
    "project": "projects",
    "topic": "topics",
    "decision": "decisions",
    "procedure": "procedures",
    "environment": "environments",
    "gotcha": "gotchas",
    "synthesis": "syntheses",
}
"""The folder below `wiki/` of each type of subject."""

_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
RESERVED = _DEVICES | {"index", "readme", "log", "history", "notes", "sessions", *FOLDERS.values()}
_SIGNS = ((re.compile(r"(?<=\w)\+\+(?!\w)"), "-plus-plus"), (re.compile(r"(?<=\w)#(?!\w)"), "-sharp"))


@dataclass(frozen=True, slots=True)
class Named:
    """What a slug is made of.

    Args:
        key: the subject's identity.
        title: its title.
        type: its type.
        scope: its scope; empty for none.
    """

    key: str
    title: str
    type: str
    scope: str


@lru_cache(maxsize=1 << 16)
def slug(title: str, type: str, key: str) -> str:
    """The slug of a title by itself: lower-case words of any script and hyphens, at most 80 bytes.

    Args:
        title: any text.
        type: prefixed where the title gives a reserved name, and used where it gives none.
        key: the subject's identity, from which a cut or empty title gets something of its own.
    """
    made = _words(title)
    if not made:
        return f"{_words(type) or 'page'}-{digest(key)[:6]}"
    if made in RESERVED:
        made = f"{_words(type) or 'page'}-{made}"
    return _fit(made, key)


def assign(subjects: Iterable[Named]) -> dict[str, str]:
    """A slug for each subject, by key, no two alike even where case does not count.

    Subjects whose titles give one slug get their scope added; those still alike get a hash. The order plays no part.
    """
    found = sorted(subjects, key=lambda named: named.key)
    plain = {named.key: slug(named.title, named.type, named.key) for named in found}
    shared = _shared(plain)
    for named in found:
        if named.key in shared and named.scope:
            plain[named.key] = _fit(f"{plain[named.key]}-{_words(named.scope.partition(':')[2])}".strip("-"), named.key)
    digits = 6
    while shared := _shared(plain):
        # Whoever looks like another gets a hash; a longer one in the unlikely case that even these are alike.
        for key in shared:
            plain[key] = f"{_cut(plain[key], LONGEST - digits - 1)}-{digest(key)[:digits]}"
        digits += 1
    return plain


def beside(taken: Mapping[str, str], more: Iterable[Named]) -> dict[str, str]:
    """The slugs that are taken, and for each page more one that is none of them: who comes later gives way.

    Args:
        taken: by key, as `assign` gave them.
        more: further pages.
    """
    found = dict(taken)
    names = {made.casefold() for made in taken.values()}
    for key, made in assign(more).items():
        found[key] = made if made.casefold() not in names else f"{_cut(made, LONGEST - 9)}-{digest(key)[:8]}"
    return found


def relative(target: str, page: str) -> str:
    """The link from one page to another, both as paths below `wiki/`; it names the folder also where both share it."""
    return "../" * page.count("/") + target


def _shared(slugs: Mapping[str, str]) -> set[str]:
    alike: dict[str, list[str]] = defaultdict(list)
    for key, made in slugs.items():
        alike[made if made.isascii() else unicodedata.normalize("NFC", made.casefold())].append(key)
    return {key for keys in alike.values() if len(keys) > 1 for key in keys}


def _words(text: str) -> str:
    named = text
    for sign, word in _SIGNS:
        named = sign.sub(word, named)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", named).casefold())
    kept = "".join(character if _stays(character) else "-" for character in folded)
    return unicodedata.normalize("NFC", re.sub("-+", "-", kept).strip("-").lstrip("".join(_loose(kept))))


def _stays(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")


def _loose(text: str) -> set[str]:
    """Combining marks: they may not begin a name."""
    return {character for character in text if unicodedata.category(character) in ("Mn", "Mc")} | {"-"}


def _fit(made: str, key: str) -> str:
    if len(made.encode()) <= LONGEST:
        return made
    return f"{_cut(made, LONGEST - 7)}-{digest(key)[:6]}"


def _cut(made: str, size: int) -> str:
    """The beginning of a slug, at most so many bytes, not inside a character or between it and its marks."""
    while len(made.encode()) > size:
        made = made[:-1]
        while made and unicodedata.combining(made[-1]) and len(made.encode()) > size:
            made = made[:-1]
    return made.strip("-")
