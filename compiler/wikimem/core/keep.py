"""Keeping: people's lines of an old rendering, carried to where they belong in a new one. Not the detection of edits.

A line that a person wrote belongs to the line of ours before it; if that line is gone, to the nearest one before it
that is left. A section of a person's own belongs behind the section of ours it follows, and before the footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from wikimem.core import pages, slugs
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine
from wikimem.core.pages import Blank, Heading, Kept, Key, Lead, Line, Link, Page, Rule, Title

_TOP, _LEAD, _NOTES = "top", "lead", "notes"
_NOTED = "## Notes"
_OURS = re.compile(rf"^link:(?!Related:)|:(?:\.\./)+(?:{'|'.join(slugs.FOLDERS.values())})/[^/]+\.md$")


@dataclass(frozen=True, slots=True)
class _Block:
    """People's lines in one place: the keys of our lines around them, and the empty lines at their edges."""

    anchors: tuple[str, ...]
    follower: str
    before: int
    lines: tuple[Line, ...]
    after: int
    section: bool


def carry(old: Page, new: Page, was: Page | None = None) -> Page:
    """The new rendering with the lines that people wrote on the old page.

    Args:
        old: the page as it stands in the wiki.
        new: what the claims give now; holds no line of a person.
        was: what the claims gave before, if known: a related link on the old page that is not on it is a person's. If it
            is not, one of another form than we write is.
    """
    return carry_all([(old, was)], new)


def carry_all(olds: Iterable[tuple[Page, Page | None]], new: Page) -> Page:
    """The new rendering with the lines that people wrote on several old pages that became one.

    Args:
        olds: each as it stands, with what the claims gave for it before; see `carry`.
        new: what the claims give now; holds no line of a person.
    """
    fresh = list(_keyed(new))
    blocks = _one_of_notes([block for old, was in olds for block in _blocks(old, new, was)])
    if not blocks:
        return new
    known = {key: index for index, (key, _, _) in enumerate(fresh)}
    ends = _section_ends(fresh)
    placed: dict[int, list[_Block]] = {}
    for block in blocks:
        placed.setdefault(_place(block, known, ends, len(fresh)), []).append(block)
    out: list[Line] = []
    for index, (_, line, gap) in enumerate(fresh):
        out.append(line)
        follower = fresh[index + 1][0] if index + 1 < len(fresh) else ""
        out += _gap(placed.get(index, []), fresh[index][0], follower, gap)
    return pages.parse(pages.write(Page(tuple(out))))


def _one_of_notes(blocks: list[_Block]) -> list[_Block]:
    """The blocks with one heading `## Notes` for the notes of all pages."""
    found: list[_Block] = []
    noted = False
    for block in blocks:
        notes = block.section and block.lines[0] == Kept(_NOTED)
        if notes and noted:
            rest = block.lines[1:]
            while rest and isinstance(rest[0], Blank):
                rest = rest[1:]
            block = replace(block, lines=rest, before=1)
        noted |= notes
        found += [block] if block.lines else []
    return found


def _gap(blocks: list[_Block], key: str, follower: str, gap: int) -> list[Line]:
    """What stands between two lines of ours: people's blocks, or as many empty lines as the rendering has."""
    if not blocks:
        return [Blank()] * gap
    out: list[Line] = []
    for number, block in enumerate(blocks):
        before = max(block.before, 1 if out or block.section else 0)
        out += [Blank()] * (before if block.anchors[-1] == key and not out else max(before, 1))
        out += block.lines
        if number + 1 == len(blocks):
            same = block.anchors[-1] == key and block.follower == follower
            # Elsewhere than before, it is set off from what follows as it was from what went before.
            after = block.after if same else gap or min(block.after, block.before)
            out += [Blank()] * (after if follower or same else 0)
    return out


def _blocks(old: Page, new: Page, was: Page | None) -> list[_Block]:
    """People's lines of a page, in order."""
    # Where it is not known what stood there before, the form of a link tells whose it is.
    ours = {*_link_keys(new), *(_link_keys(was) if was else (key for key in _link_keys(old) if _OURS.search(key)))}
    found: list[_Block] = []
    anchors: list[str] = [_TOP]
    run: list[Line] = []
    for key, line in (*_keys(old), ("", None)):
        if line is not None and (not key or (isinstance(line, Link) and key not in ours)):
            run.append(Kept(pages.write_line(line)) if isinstance(line, Link) else line)
            continue
        found += _cut(tuple(anchors), key, run)
        run = []
        anchors.append(key)
    return found


def _cut(anchors: tuple[str, ...], follower: str, run: list[Line]) -> list[_Block]:
    """The blocks of a run of lines: what belongs to the line before it, and the sections that begin in it."""
    # In the frontmatter, what begins with `#` is a comment.
    within = anchors[-1] == "rule:1" or anchors[-1].startswith("key:")
    hidden = pages.verbatim([pages.write_line(line) for line in run])
    begins = next((n for n, line in enumerate(run) if _begins_section(line) and not within and n not in hidden), len(run))
    found = []
    for lines, section in ((run[:begins], False), (run[begins:], True)):
        if not any(isinstance(line, Kept) for line in lines):
            continue
        first = next(index for index, line in enumerate(lines) if isinstance(line, Kept))
        last = max(index for index, line in enumerate(lines) if isinstance(line, Kept))
        before = first if not section else begins - len(_rstrip(run[:begins]))
        found.append(_Block(anchors, follower, before, tuple(lines[first : last + 1]), len(lines) - last - 1, section))
    return found


def _rstrip(run: list[Line]) -> list[Line]:
    while run and isinstance(run[-1], Blank):
        run = run[:-1]
    return run


def _begins_section(line: Line) -> bool:
    return isinstance(line, Kept) and line.text.startswith(("# ", "## "))


def _place(block: _Block, known: dict[str, int], ends: dict[str, int], size: int) -> int:
    """The index of the fresh line that a block follows."""
    if block.section:
        if isinstance(block.lines[0], Kept) and block.lines[0].text == _NOTED:
            return ends[_NOTES]
        sections = [key.split(":")[1] for key in block.anchors if key.startswith("head:")]
        after = [name for name in sections if name in ends]
        if block.anchors[-1].startswith("note:"):
            return size - 1
        return ends[after[-1]] if after else ends[_LEAD]
    for key in reversed(block.anchors):
        if key in known:
            return known[key]
    return ends[_LEAD]


def _section_ends(fresh: list[tuple[str, Line, int]]) -> dict[str, int]:
    """The index of the last line of each section of ours; under `lead` of what comes before the first, under `notes`
    of what comes before the footnotes."""
    ends: dict[str, int] = {}
    section = _LEAD
    for index, (_, line, _) in enumerate(fresh):
        if isinstance(line, Footnote):
            break
        section = line.section if isinstance(line, Heading) else section
        ends[section] = ends[_NOTES] = index
    return ends


def _keyed(page: Page) -> list[tuple[str, Line, int]]:
    """Our lines with their keys, and how many empty lines follow each."""
    found: list[tuple[str, Line, int]] = []
    for key, line in _keys(page):
        if key:
            found.append((key, line, 0))
        elif isinstance(line, Blank) and found:
            found[-1] = (*found[-1][:2], found[-1][2] + 1)
    return found


def _keys(page: Page) -> list[tuple[str, Line]]:
    """Each line with what makes it the same line in another rendering; empty for an empty line or a person's."""
    found: list[tuple[str, Line]] = []
    rules = 0
    for section, line in page.placed():
        rules += isinstance(line, Rule)
        found.append((_key(section, line, rules), line))
    return found


def _key(section: str, line: Line, rules: int) -> str:
    match line:
        case Rule():
            return f"rule:{rules}"
        case Key(key, _, _):
            return f"key:{key}"
        case Title():
            return "title"
        case Lead():
            return _LEAD
        case Heading(name):
            return f"head:{name}"
        case ClaimLine():
            return f"claim:{section}:{line.id}"
        case Link(_, target, _):
            return f"link:{section}:{target}"
        case Footnote():
            return f"note:{line.id}"
        case Blank() | Kept():
            return ""


def _link_keys(page: Page) -> list[str]:
    return [key for key, line in _keys(page) if isinstance(line, Link)]
