"""Layout: entries of a bundle as an agent reads them. It chooses nothing and leaves nothing out.

Whatever came from a transcript or a page is data: it is quoted line by line, or stands between quotation marks on one
line, so that no text can pass for a heading, a citation or the guard line. A heading tells once what its entries share:
of a session the minute of the best one, and the project. Sources are cited by the hash of their id, which `show` takes.
"""

from __future__ import annotations

import re

from wikimem.core import telling, unmerged
from wikimem.core.claims import Stance
from wikimem.core.entries import AnyEntry, ClaimEntry, Entry, ProseEntry
from wikimem.core.passages import Passage
from wikimem.core.sources import ID
from wikimem.core.statements import Statement
from wikimem.core.turns import Speaker

_MINUTE = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(.*)")
_STATES = {"ended": "Ended: ", "retracted": "Retracted: ", "conflict": "", "current": ""}


def minute(passage: Passage) -> str:
    """When a turn was said, in the zone of the vault, to the minute: `2026-08-14 10:11Z`."""
    return _MINUTE.sub(r"\1 \2\3", passage.told or passage.said)


def cite(source: str, at: str) -> str:
    """A citation that names the source by its hash."""
    known = ID.match(source)
    return f"{known['hash'] if known else source}:{at}"


def heading(entry: AnyEntry) -> str:
    """The heading of an entry's group."""
    match entry:
        case Entry(passage, head=head) | ClaimEntry(turn=Passage() as passage, head=head):
            title, scope = head or "undated", passage.scope
        case ClaimEntry():
            about = entry.statement.about
            title, scope = entry.statement.page or about.title, about.scope
        case ProseEntry():
            title, scope = entry.prose.path, entry.prose.scope
    return f"\n## {_line(title)}" + (f" ({_line(scope)})" if scope else "") + "\n"


def rendered(entry: AnyEntry) -> str:
    """An entry as an agent reads it."""
    match entry:
        case Entry(passage, text, _, _, context, head):
            return f"{_turn(passage, head)}{_apart(entry.branch)}{', context' if context else ''}\n{_quoted(text)}\n"
        case ClaimEntry(turn=Passage() as passage, head=head):
            note = _tail(entry.statement) if telling.dates(entry.statement) or not _plain(entry.statement) else ""
            return f"{_turn(passage, head)}{_apart(entry.branch)}{f' ({note})' if note else ''}\n{_quoted(entry.text)}\n"
        case ClaimEntry():
            return _claim(entry)
        case ProseEntry(prose, text):
            section = f", {_line(prose.section)}" if prose.section else ""
            return f"[{prose.cite}] written on the page{section}\n{_quoted(text)}\n"


def _turn(passage: Passage, head: str) -> str:
    when = minute(passage)
    then = "" if when == head else f"{when.removeprefix(head[:10]).strip() or 'undated'}, "
    what = "" if passage.form.value == "prose" else f", {passage.form.value}"
    return f"[{cite(passage.source, passage.at)}] {then}{_speaker(passage.speaker.value, passage.name)}{what}"


def _apart(branch: str) -> str:
    return f", {unmerged.mark(branch)}" if branch else ""


def _plain(told: Statement) -> bool:
    """Whether its stance is what everybody takes for granted of what a person said."""
    return told.claim.stance is Stance.FACT and not told.claim.confidence


def _claim(entry: ClaimEntry) -> str:
    told = entry.statement
    first = told.first
    lines = [f"- {_STATES[telling.state(told)]}{_line(told.claim.text)} ({_tail(told)}{_apart(entry.branch)})"]
    lines += [f"  In conflict, not settled, with: {_line(rival.claim.text)}" for rival in entry.rivals]
    lines += [f"  Before: {_line(one.claim.text)} ({_tail(one, brief=True)}) [{_first(one)}]" for one in entry.before]
    lines += [_also(one, told) for one in entry.also]
    more = [cite(one.source, one.at) for one in told.claim.evidence[1:4]]
    also = f", also {' '.join(f'[{one}]' for one in more)}" if more else ""
    proof = f"  [{_first(told)}] {first.zone.told(first.said)[:10] or 'undated'}, {_speaker(first.speaker, first.name)}{also}"
    if f"“{_line(entry.text)}”" in _line(told.claim.text):
        # A claim that says its words in quotation marks says them once.
        lines.append(proof)
    elif entry.proof == first.quote.strip():
        lines.append(f"{proof}: “{_line(entry.text)}”")
    else:
        lines += [proof, _quoted(entry.text)]
    return "\n".join(lines) + "\n"


def _also(one: Statement, told: Statement) -> str:
    if one.about.key != told.about.key:
        return f"  The same: {_line(one.page or one.about.title)}, {_line(one.about.scope) or 'no scope'} [{_first(one)}]"
    return f"  Also: {_line(one.claim.text)} ({_tail(one)})"


def _first(told: Statement) -> str:
    return cite(told.first.source, told.first.at)


def _tail(told: Statement, brief: bool = False) -> str:
    """Stance, dates, and what became of it; briefly, without saying again what took its place."""
    ending = telling.ending(told)
    if brief:
        ending = "retracted" if telling.state(told) == "retracted" else ""
    return ", ".join(_line(part) for part in (telling.ground(told), telling.dates(told), ending) if part)


def _speaker(speaker: str, name: str) -> str:
    """Who spoke. Of an assistant the name is its model's, which costs much and tells little."""
    if speaker == Speaker.ASSISTANT.value:
        return speaker
    return speaker + (f" {_line(name)}" if name else "")


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines()) or "> "


def _line(text: str) -> str:
    return " ".join(text.split())
