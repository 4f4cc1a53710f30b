"""Checks of a page as it stands: what a person or a merge broke, with the line and what to do. Repairs nothing.

A page with a problem of `BROKEN` is left alone until somebody mends it; the others of the wiki go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wikimem.core import front, lines, moments, pages
from wikimem.core.claims import TYPES
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine
from wikimem.core.pages import Kept, Page
from wikimem.errors import Problem

BROKEN = frozenset({"merge-marker", "frontmatter"})
"""Rules whose problems make a page unfit to be written again."""

_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7}) .*|={7}")
_MARKS = frozenset("<>|=")
_NAMED = re.compile(r"\[\^([a-z2-7]{12})\]")
_DEFINED = re.compile(r"^ {0,3}\[\^([a-z2-7]{12})\]:")
_DATES = ("valid_from", "valid_until")


def of_text(text: str, where: str, page: Page | None = None) -> tuple[Problem, ...]:
    """The problems of a page.

    Args:
        text: the whole page.
        where: its path, for the problems.
        page: the same, if the caller has parsed it.
    """
    raw = pages.split(text)
    page = page or pages.parse(text)
    return (*_markers(raw, where), *_frontmatter(raw, where), *_proof(page, raw, where))


def _markers(raw: list[str], where: str) -> Iterator[Problem]:
    found = [number for number, line in enumerate(raw, 1) if line[:1] in _MARKS and _MARKER.fullmatch(line)]
    # A line of `=` alone may be a heading; a marker never comes alone.
    if len(found) > 1:
        message = "a merge conflict was left here; take either side and remove the marker lines"
        yield Problem(f"{where}:{found[0]}", "merge-marker", message)


def _frontmatter(raw: list[str], where: str) -> Iterator[Problem]:
    if raw[0] != "---":
        return
    end = pages.front_end(raw)
    if not end:
        yield Problem(f"{where}:1", "frontmatter", "it is never closed; put a line `---` after the last key")
        return
    for number, line in enumerate(raw[1:end], 2):
        found = front.read(line)
        key, value = found or ("", None)
        told = line.split(":", 1)[1].strip() if found else ""
        if key in _DATES:
            if told and not (isinstance(value, str) and (not value or moments.is_moment(value))):
                message = f"{key}: {told!r} is no date; write one like 2026-08-14, or leave it empty"
                yield Problem(f"{where}:{number}", "date", message)
        elif message := _unreadable(line, key, value, told):
            yield Problem(f"{where}:{number}", "frontmatter", message)
        elif key == "type" and isinstance(value, str) and value not in (*TYPES, "session"):
            yield Problem(f"{where}:{number}", "type", f"{value!r} is no type of page; known are {', '.join(TYPES)}")


def _unreadable(line: str, key: str, value: front.Value | None, told: str) -> str:
    """What is wrong with a line of frontmatter as YAML, as far as one line can tell."""
    if line.startswith("\t"):
        return "a tab begins this line; YAML allows only spaces there"
    if not line.strip() or line[0] in " #-":
        return ""
    if not key:
        return "this line is no `key: value`"
    if value is None and ": " in told and told[0] not in "[{|>&*!'\"":
        return f"{key}: the value holds a colon and a space; put it in double quotes"
    return f"{key}: the value cannot be read; put it in double quotes" if value is None and key in front.KEYS else ""


def _proof(page: Page, raw: list[str], where: str) -> Iterator[Problem]:
    notes = page.notes
    own = {label for line in page.lines if isinstance(line, Kept) for label in _DEFINED.findall(line.text)}
    seen: set[tuple[str, str]] = set()
    for number, (section, line) in enumerate(page.placed(), 1):
        if isinstance(line, ClaimLine):
            if line.id not in notes:
                yield Problem(f"{where}:{number}", "footnote", f"the claim {line.id} has no footnote on this page")
            if (section, line.id) in seen:
                yield Problem(f"{where}:{number}", "twice", f"the claim {line.id} stands twice in {section}")
            seen.add((section, line.id))
        elif not isinstance(line, Footnote):
            for id in sorted({*_NAMED.findall(pages.write_line(line))} - notes.keys() - own):
                yield Problem(f"{where}:{number}", "footnote", f"this line rests on {id}, which has no footnote on this page")
    cited = set(_cited(page, raw))
    for note in notes.values():
        if note.id not in cited:
            yield Problem(where, "footnote", f"the footnote {note.id} proves no claim of this page")


def _cited(page: Page, raw: list[str]) -> Iterator[str]:
    # A page read from a text has its lines, one for one; only the emptiness after the last newline is none.
    for line, text in zip(page.lines, raw, strict=False):
        if isinstance(line, Footnote):
            yield from line.rests
        elif "[^" in text:
            yield from lines.CITE.findall(text)


def lost(before: Page, after: Page, allowed: Iterable[str]) -> tuple[str, ...]:
    """The ids of claims that a page loses without an operation that says so, sorted.

    Args:
        before: the page as it was rendered.
        after: the page as it is to be.
        allowed: ids that some operation removes or moves.
    """
    kept = {line.id for _, line in after.claims} | set(allowed)
    return tuple(sorted({line.id for _, line in before.claims} - kept))
