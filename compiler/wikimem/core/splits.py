"""Splitting: a subject whose page would be too long, as several pages. Not the lines themselves.

Ended claims go first, to `<slug>/history.md`; then one attribute after the other, the largest first; then sections.
What is split depends on the claims alone, so people's own lines never move a claim to another file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from wikimem.core import compose, lines, pages, vocabulary
from wikimem.core.cold import Cold
from wikimem.core.compose import Row
from wikimem.core.fold import Wiki
from wikimem.core.pages import Link, Page
from wikimem.core.subjects import Subject

TOKENS = 4000
"""Tokens of a page at most."""


def tokens(text: str) -> int:
    """How many tokens a model would count, estimated on the safe side: one for four bytes of UTF-8."""
    return -(-len(text.encode()) // 4)


def all_pages(wiki: Wiki, key: str, cold: Cold, paths: Mapping[str, str]) -> dict[str, Page]:
    """The pages of a subject by path below `wiki/`: its own first, then its parts. Arguments as `compose.page`."""
    subject = wiki.page(key)
    whole = compose.page(wiki, key, cold, paths)
    if tokens(pages.write(whole)) <= TOKENS:
        return {wiki.path(key): whole}
    stay = compose.rows(subject)
    moved: list[tuple[str, str, tuple[Row, ...]]] = []
    for section, name, part in _candidates(stay):
        if moved and tokens(pages.write(_main(wiki, subject, stay, moved, cold, paths))) <= TOKENS:
            break
        stay = tuple(row for row in stay if row not in part)
        moved += [(section, f"{name}{number}", chunk) for number, chunk in _chunks(part)]
    found = {wiki.path(key): _main(wiki, subject, stay, moved, cold, paths)}
    for _, name, part in moved:
        path = _part_path(wiki, key, name)
        found[path] = compose.assemble(wiki, subject, part, (), path, cold, paths)
    return found


def _candidates(rows: Sequence[Row]) -> list[tuple[str, str, tuple[Row, ...]]]:
    """What can be moved, in the order in which it is: the section its link stands in, a name, the rows."""
    history = tuple(row for row in rows if row.section == "History")
    found = [("History", "history", history)] if history else []
    rest = [row for row in rows if row.section != "History"]
    by_attribute: dict[tuple[str, str], list[Row]] = {}
    for row in rest:
        if row.attribute and row.section != "Steps":
            by_attribute.setdefault((row.attribute, row.section), []).append(row)
    groups = sorted(by_attribute.items(), key=lambda item: (-_size(item[1]), item[0]))
    # A handful of lines in a file of its own helps nobody.
    large = [(attribute, section, group) for (attribute, section), group in groups if len(group) >= 4]
    found += [(section, f"{vocabulary.slug(attribute)}-{section.lower()}", tuple(group)) for attribute, section, group in large]
    taken = {id(row) for _, _, group in large for row in group}
    for section in pages.SECTIONS:
        left = tuple(row for row in rest if row.section == section and id(row) not in taken)
        if left:
            found.append((section, section.lower(), left))
    return found


def _size(rows: Sequence[Row]) -> int:
    return sum(len(lines.write(row.line)) for row in rows)


def _chunks(rows: Sequence[Row]) -> list[tuple[str, tuple[Row, ...]]]:
    """The rows in pieces that fit a page, each with what its name ends in: nothing, `-2`, `-3`."""
    # Half for the lines, half for their footnotes and the head.
    chunks: list[list[Row]] = [[]]
    size = 0
    for row in rows:
        size += tokens(lines.write(row.line)) + 120
        if chunks[-1] and size > TOKENS * 3 // 4:
            chunks.append([])
            size = tokens(lines.write(row.line)) + 120
        chunks[-1].append(row)
    return [(f"-{number}" if number > 1 else "", tuple(chunk)) for number, chunk in enumerate(chunks, 1)]


def _part_path(wiki: Wiki, key: str, name: str) -> str:
    return re.sub(r"\.md$", f"/{name}.md", wiki.path(key))


def _main(
    wiki: Wiki,
    subject: Subject,
    stay: Sequence[Row],
    moved: Sequence[tuple[str, str, tuple[Row, ...]]],
    cold: Cold,
    paths: Mapping[str, str],
) -> Page:
    slug = wiki.slugs[subject.key]
    links = [(section, Link(f"{subject.title}: {name.replace('-', ' ')}", f"{slug}/{name}.md")) for section, name, _ in moved]
    return compose.assemble(wiki, subject, stay, links, wiki.path(subject.key), cold, paths)
