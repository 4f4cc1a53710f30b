"""Changes: what one commit changed on the pages of the wiki, claim by claim, read from the pages before and after it.

Only lines that differ are read, so a long history costs little. A page and its further pages are one page here: a claim
that moved between them did not change.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from wikimem.core import catalogue, footnotes, front, lines
from wikimem.core.lines import ClaimLine
from wikimem.core.sites import addresses

_COUNTS = re.compile(r" \(\+\d+ ~\d+ -\d+\)$")
_NOTE = re.compile(r"\[\^([a-z2-7]{12})\]: ")
_CLAIM = re.compile(r"(?:[-*+]|\d{1,9}[.)]) .*\[\^[a-z2-7]{12}\]\s*")


@dataclass(frozen=True, slots=True)
class Proof:
    """Who said a claim first, where and in which words; all may be empty."""

    source: str = ""
    at: str = ""
    quote: str = ""
    speaker: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one claim.

    Args:
        kind: `gained`, `corrected` (another took its place), `reworded` (says otherwise what was said before), `moved` (is
            about something else now), `ended`, `retracted`, `disputed`, `dated` (its dates or stance are told otherwise) or
            `removed`.
        id, text: of the claim.
        by: id and text of the claim that corrected or retracted it; empty for none.
        proof: of what is new: of `by` where there is one.
    """

    kind: str
    id: str
    text: str
    by: tuple[str, str]
    proof: Proof


@dataclass(frozen=True, slots=True)
class PageChange:
    """What changed on a page; `other` counts lines that are no claims: people's, the head, links, proofs."""

    path: str
    title: str
    changes: tuple[Change, ...]
    other: int


@dataclass(frozen=True, slots=True)
class Brief:
    """A commit of the wiki in brief.

    Args:
        when: when it was made, ISO 8601.
        source: the source that was compiled; empty if it was none, or several.
        paths: of the pages it changed.
        cited: ids of the sources that its claims name.
        gained, corrected, ended: how many claims.
    """

    id: str
    when: str
    subject: str
    source: str
    paths: tuple[str, ...]
    cited: tuple[str, ...]
    gained: int
    corrected: int
    ended: int

    @property
    def told(self) -> str:
        """Its subject without what is shown beside it: the verb, where it compiled, and the counts."""
        bare = _COUNTS.sub("", self.subject).removeprefix("compile: ").strip()
        return bare or self.subject


@dataclass(frozen=True, slots=True)
class Step:
    """A commit of the wiki with what it changed on each page."""

    brief: Brief
    pages: tuple[PageChange, ...]


def step(id: str, when: str, subject: str, source: str, pages: tuple[PageChange, ...]) -> Step:
    """The step of a commit that changed these pages."""
    kinds = [change.kind for page in pages for change in page.changes]
    cited = {change.proof.source for page in pages for change in page.changes} | {source}
    brief = Brief(
        id=id,
        when=when,
        subject=subject,
        source=source,
        paths=tuple(page.path for page in pages),
        cited=tuple(sorted(cited - {""})),
        gained=kinds.count("gained"),
        corrected=sum(kind in ("corrected", "reworded", "moved") for kind in kinds),
        ended=sum(kind in ("ended", "retracted", "removed") for kind in kinds),
    )
    return Step(brief, pages)


def brief_of(told: Mapping[str, Any]) -> Brief:
    """The brief of plain values."""
    return Brief(**{**told, "paths": tuple(told["paths"]), "cited": tuple(told["cited"])})


def pages_of(told: Iterable[Mapping[str, Any]], only: Container[str] | None = None) -> tuple[PageChange, ...]:
    """The pages of plain values; those of some paths alone where `only` names them."""
    return tuple(
        PageChange(page["path"], page["title"], tuple(map(_change_of, page["changes"])), page["other"])
        for page in told
        if only is None or page["path"] in only
    )


def _change_of(told: Mapping[str, Any]) -> Change:
    return Change(told["kind"], told["id"], told["text"], (told["by"][0], told["by"][1]), Proof(**told["proof"]))


def between(files: Iterable[tuple[str, str, str]]) -> tuple[PageChange, ...]:
    """What changed on the pages of some files.

    Args:
        files: path below `wiki/`, text before (empty for none) and after, of each file that changed.
    """
    by_page: dict[str, list[tuple[str, str, str]]] = {}
    for path, before, after in files:
        if catalogue.is_page(path):
            by_page.setdefault(_whole(path), []).append((path, before, after))
    found = [_page(path, sorted(changed)) for path, changed in sorted(_renamed(by_page).items())]
    return tuple(page for page in _moved(found) if page.changes or page.other)


_Files = list[tuple[str, str, str]]


def _renamed(by_page: Mapping[str, _Files]) -> dict[str, _Files]:
    """The files by page, those of a page that is gone with the page that took most of its claims: it is called so now."""
    found = {path: [*files] for path, files in by_page.items()}
    come = {path: _ids(new for _, _, new in files) - _ids(old for _, old, _ in files) for path, files in by_page.items()}
    for path, files in sorted(by_page.items()):
        if any(new for _, _, new in files):
            continue
        had = _ids(old for _, old, _ in files)
        heir = max(sorted(come), key=lambda other: len(had & come[other]))
        if had & come[heir]:
            found[heir] += found.pop(path)
    return found


def _ids(texts: Iterable[str]) -> set[str]:
    return {raw.rstrip()[-13:-1] for text in texts for raw in text.split("\n") if _CLAIM.fullmatch(raw)}


def _moved(pages: Iterable[PageChange]) -> list[PageChange]:
    """The pages, where a claim that left one and came to another did not change, and one that says the same is told once."""
    told = list(pages)
    every = [change for page in told for change in page.changes]
    gone = {change.id: change for change in every if change.kind == "removed"}
    come = {change.id: change for change in every if change.kind == "gained"}
    kinds: dict[str, str] = dict.fromkeys(gone.keys() & come.keys(), "")
    for id, change in come.items():
        same = next((old for old in gone.values() if old.id not in kinds and id not in kinds and _is_same(old, change)), None)
        if same is not None:
            kinds |= {same.id: "", id: "moved" if same.text == change.text else "reworded"}
    return [replace(page, changes=tuple(_retold(page.changes, kinds))) for page in told]


def _is_same(old: Change, new: Change) -> bool:
    proved = bool(old.proof.at) and (old.proof.source, old.proof.at) == (new.proof.source, new.proof.at)
    return old.text == new.text or (proved and old.proof.quote == new.proof.quote)


def _retold(changes: Iterable[Change], kinds: Mapping[str, str]) -> Iterator[Change]:
    for change in changes:
        if change.kind not in ("removed", "gained") or change.id not in kinds:
            yield change
        elif kinds[change.id]:
            yield replace(change, kind=kinds[change.id])


def _whole(path: str) -> str:
    parts = path.split("/")
    return f"{parts[0]}/{parts[1]}.md" if len(parts) > 2 else path


def _page(path: str, files: Iterable[tuple[str, str, str]]) -> PageChange:
    before: set[str] = set()
    after: set[str] = set()
    texts = list(files)
    for _, old, new in texts:
        before |= set(old.split("\n"))
        after |= set(new.split("\n"))
    notes = {note[1]: raw for raw in (*before, *after) if (note := _NOTE.match(raw))}
    notes |= {note[1]: raw for raw in after if (note := _NOTE.match(raw))}
    gone, come = before - after, after - before
    was, now = _claims(gone), _claims(come)
    held = {line.id for line in was.values() if not line.struck}
    stays = {id for raw in before & after if _CLAIM.fullmatch(raw) for id in [raw.rstrip()[-13:-1]]}
    told: list[Change] = []
    for (id, struck), line in sorted(now.items()):
        if struck:
            told.append(_ended(line, after, before, notes))
        elif line.tail.rivals and not ((id, False) in was and was[id, False].tail.rivals == line.tail.rivals):
            told.append(Change("disputed", id, line.text, ("", ""), _proof(notes.get(id))))
        else:
            told.append(Change("dated" if id in held else "gained", id, line.text, ("", ""), _proof(notes.get(id))))
    corrected = {change.by[0] for change in told if change.kind == "corrected"}
    told = [change for change in told if not (change.kind == "gained" and change.id in corrected)]
    shown = {id for id, _ in now} | stays
    lost = {id: line for (id, _), line in was.items() if id not in shown}
    told += [Change("removed", id, line.text, ("", ""), _proof(notes.get(id))) for id, line in sorted(lost.items())]
    order = ("corrected", "retracted", "ended", "removed", "gained", "disputed", "dated")
    told.sort(key=lambda change: (order.index(change.kind), change.id))
    other = sum(bool(raw.strip()) and not _CLAIM.fullmatch(raw) for raw in gone ^ come)
    return PageChange(path, _title(path, texts), tuple(told), other)


def _claims(raws: Iterable[str]) -> dict[tuple[str, bool], ClaimLine]:
    found = (lines.read(raw) for raw in raws if _CLAIM.fullmatch(raw))
    return {(line.id, line.struck): line for line in found if line is not None}


def _text(id: str, *texts: set[str]) -> str:
    """What a claim says, in the first of some texts that holds it."""
    for raws in texts:
        for raw in sorted(raw for raw in raws if raw.rstrip().endswith(f"[^{id}]") and _CLAIM.fullmatch(raw)):
            line = lines.read(raw)
            if line is not None:
                return line.text
    return ""


def _ended(line: ClaimLine, after: set[str], before: set[str], notes: Mapping[str, str]) -> Change:
    last = line.tail.parts[-1] if line.tail.parts else None
    by = (last.by, _text(last.by, after, before)) if last and last.by else ("", "")
    kind = {"superseded": "corrected", "retracted": "retracted"}.get(last.why if last else "", "ended")
    return Change(kind, line.id, line.text, by, _proof(notes.get(by[0] or line.id)))


def _proof(raw: str | None) -> Proof:
    note = footnotes.read(raw) if raw else None
    cited = addresses.cited(note.place.target) if note else None
    if note is None or cited is None:
        return Proof()
    return Proof(cited[0], note.place.at, note.place.quote, note.name or note.speaker, note.said)


def _title(path: str, files: Iterable[tuple[str, str, str]]) -> str:
    """The title that the page itself says, after the commit where it is still there."""
    told = {name: (after or before) for name, before, after in files}
    for raw in told.get(path, "").split("\n", 12)[:12]:
        found = front.read(raw)
        if found is not None and found[0] == "title" and isinstance(found[1], str) and found[1]:
            return found[1]
    return path.rsplit("/", 1)[-1].removesuffix(".md")
