"""The desk: what the server does for each tool, in plain Python, one vault, no protocol. Each answer has a size it keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wikimem.core import bundles, shelving
from wikimem.core.entries import AnyEntry, ClaimEntry, Entry
from wikimem.core.turns import Speaker
from wikimem.edges import spool
from wikimem.edges.shelf import Shelf
from wikimem.errors import UsageError
from wikimem.faces.mcp.results import Answers, Changes, Evidence, Lines, Noted, Packet, Places
from wikimem.vault import Vault

TOKENS, MOST = 2000, 8000
"""Tokens of an answer, unless the client says otherwise; and the most it can ask for."""

_PROMPT = 24_000
_COMMITS = 20


class Desk:
    """One vault, and who asks.

    Args:
        vault: it.
        scope: of the folder that the client runs in; empty if unknown.
        cwd: that folder.
        worker: the command that does what is due in the background.
    """

    def __init__(self, vault: Vault, scope: str, cwd: str, worker: tuple[str, ...]) -> None:
        self.vault, self.scope, self.cwd, self.worker = vault, scope, cwd, worker

    def search(self, question: str, scope: str, at: str, known: str, budget: int, cursor: str) -> tuple[str, Answers]:
        """Evidence for a question, as a text to read and as values."""
        from wikimem import recall

        self.vault.ledger.look()
        size = max(200, min(budget or TOKENS, MOST))
        skip = _number(cursor)
        asked = scope or self.scope
        found = recall.recall(self.vault, question, asked, MOST, at, known, patience=0, channel="mcp", folder=self.cwd)
        notes = [str(problem) for problem in found.problems]
        if any(problem.rule == "no-index" for problem in found.problems):
            return self._grepped(question, asked)
        every = [entry for entry in found.bundle.entries if not (isinstance(entry, Entry) and entry.context)]
        shown, text = _fitting(every[skip:], size)
        after = skip + len(shown)
        more = str(after) if after < len(every) else ""
        return text, Answers(found=[_evidence(entry) for entry in shown], cursor=more, notes=notes)

    def _grepped(self, question: str, scope: str) -> tuple[str, Answers]:
        """An answer before there is an index: lines that hold the longest words of the question."""
        from wikimem import background
        from wikimem.core import texts

        background.due(self.vault.root, self.worker)
        words = sorted({word for word in texts.words(question) if len(word) > 3}, key=lambda word: (-len(word), word))[:4]
        note = "the index is being made; this is a plain search of the pages, and may miss much"
        if not words:
            return note, Answers(found=[], notes=[note])
        shelf = self._shelf(scope, shelving.Limits(entries=10, characters=6000, seconds=3.0))
        matches = shelf.grep("|".join(words), "wiki").matches if (self.vault.root / "wiki").is_dir() else ()
        found = [Evidence(kind="page", text=match.line.text, cite=f"{match.path}:{match.line.at}") for match in matches]
        return "\n".join([note, *(f"{one.cite}  {one.text}" for one in found)]), Answers(found=found, notes=[note])

    def read(self, name: str, cursor: str, budget: int) -> tuple[str, Lines]:
        """A page by path, slug, title or alias; or turns of a session by citation."""
        self.vault.ledger.forget_cache()
        path, first, last = self._named(name)
        limits = shelving.Limits(entries=400, characters=3 * max(200, min(budget or TOKENS, MOST)))
        sheet = self._shelf(self.scope, limits).read(path, _number(cursor) or first, last)
        lines = [_line(line) for line in sheet.lines]
        more = str(sheet.next) if sheet.next else ""
        return "\n".join([f"# {path}", *lines]), Lines(path=path, lines=lines, cursor=more)

    def browse(self, path: str, pattern: str, cursor: str) -> tuple[str, Places]:
        """What a folder holds; or, with a pattern, the lines below it that match."""
        self.vault.ledger.forget_cache()
        shelf = self._shelf(self.scope, shelving.Limits(entries=60, characters=6000, seconds=5.0))
        if pattern:
            found = shelf.grep(pattern, path, cursor)
            entries = [f"{match.path}:{match.line.at}  {match.line.text}" for match in found.matches]
            notes = [f"stopped: {found.stopped}"] if found.stopped else []
            return "\n".join([*entries, *notes]) or "No line matches.", Places(entries=entries, cursor=found.next, notes=notes)
        listed = shelf.list(path, cursor)
        entries = [f"{entry.path}  {entry.note}".rstrip() for entry in listed.entries]
        return "\n".join(entries) or "It is empty.", Places(entries=entries, cursor=listed.next)

    def history(self, name: str, cursor: str) -> tuple[str, Changes]:
        """What commits did to a page."""
        from wikimem.history import history

        path, _, _ = self._named(name)
        skip = _number(cursor)
        past = history(self.vault, path.removeprefix("wiki/"), skip + _COMMITS + 1, scope=self._asker)
        if self.vault.settings.isolation == "strict":
            # Asked so that what this scope may not see is refused.
            self._shelf(self.scope, shelving.Limits()).read(path, 1, 1)
        changes = []
        for step in past.steps[skip : skip + _COMMITS]:
            told = [f"{step.when[:10]} {step.commit[:10]} {step.subject}"]
            told += [f"  + {line}" for line in step.gained[:5]] + [f"  ended: {line}" for line in step.ended[:5]]
            told += [f"  - {line}" for line in step.lost[:5]]
            changes.append("\n".join(told))
        more = str(skip + _COMMITS) if len(past.steps) > skip + _COMMITS else ""
        return "\n".join([f"# {past.path}", *changes]), Changes(path=past.path, changes=changes, cursor=more)

    def note(self, text: str, quote: str, who: str, by: str) -> tuple[str, Noted]:
        """Keep a note."""
        from wikimem import background, notes

        made = notes.note(self.vault, text, quote, who, self.cwd, by)
        background.due(self.vault.root, self.worker)
        told = f"Noted as {made.source}. It is found within seconds, and compiled with the next sessions."
        return told, Noted(source=made.source, taken=told)

    def propose(self, packet: str, reply: str, cursor: str) -> tuple[str, Packet]:
        """The next work packet, a further part of one, or the reply to one."""
        from wikimem import handoff

        if packet and reply:
            done = handoff.submit(self.vault, packet, reply, self._asker)
            problems = [problem.message for problem in done.problems]
            problems += [f"will be refused: {refusal.rule} at {refusal.at}: {refusal.reason}" for refusal in done.refused]
            told = "Taken." if done.taken else "Not taken."
            value = Packet(id=packet, taken=done.taken, problems=problems, waiting=done.waiting)
            return "\n".join([told, *problems]), value
        waits = handoff.next_packet(self.vault, asker=self._asker)
        if waits.packet is None:
            return "No packet waits.", Packet()
        if packet and waits.packet.id != packet:
            raise UsageError(f"The packet {packet} does not wait any more; {waits.packet.id} does.")
        told_packet: dict[str, Any] = waits.packet.as_json()
        prompt = str(told_packet["prompt"])
        begin = _number(cursor)
        part = prompt[begin : begin + _PROMPT]
        more = str(begin + _PROMPT) if len(prompt) > begin + _PROMPT else ""
        import json

        schema = json.dumps(told_packet["schema"]) if not begin else ""
        value = Packet(
            id=waits.packet.id,
            task=str(told_packet["task"]),
            prompt=part,
            reply_schema=schema,
            cursor=more,
            waiting=waits.waiting,
        )
        return f"Packet {waits.packet.id}, {waits.waiting} wait.\n\n{part}", value

    def brief(self) -> str:
        """What is told when a session begins."""
        from wikimem import brief

        return brief.nearest(self.vault, self.scope).text or "Nothing is remembered yet."

    def page(self, path: str) -> str:
        """A page whole, for a resource."""
        limits = shelving.Limits(entries=10_000, characters=4 * MOST)
        sheet = self._shelf(self.scope, limits).read(path)
        return "\n".join(line.text for line in sheet.lines)

    def _shelf(self, scope: str, limits: shelving.Limits) -> Shelf:
        ledger = spool.joined(self.vault.root, self.vault.ledger)
        return Shelf(self.vault.root, ledger, scope=scope, strict=self.vault.settings.isolation == "strict", limits=limits)

    @property
    def _asker(self) -> str:
        """Who asks where nothing may be shown to nobody in particular: the scope, or one that nothing belongs to."""
        return self.scope or "nobody"

    def _named(self, name: str) -> tuple[str, int, int]:
        """Path, first and last line of what a name or citation means.

        Raises:
            UsageError: it leads nowhere.
        """
        from wikimem import browsing

        told = name.strip()
        source, _, place = told.partition(":")
        known = spool.joined(self.vault.root, self.vault.ledger).all()
        if source in known:
            first, last = _range(place)
            return known[source].path, first, last
        if told.startswith(shelving.TOPS):
            path, _, place = told.partition(":")
            first, last = _range(place)
            return path, first, last
        return f"wiki/{browsing.find(self.vault.root, told, browsing.seen_by(self.vault, self._asker)).path}", 1, 0


def _fitting(entries: list[AnyEntry], size: int) -> tuple[list[AnyEntry], str]:
    """As many entries as fit in so many tokens, one at least, and their text."""
    count = len(entries)
    while count > 1:
        text = bundles.Bundle(tuple(entries[:count]), MOST).text
        used = bundles.tokens(text)
        if used <= size:
            return entries[:count], text
        count = max(1, min(count - 1, int(count * size / used)))
    return entries[:count], bundles.Bundle(tuple(entries[:count]), MOST).text or "Nothing is known about it."


def _evidence(entry: AnyEntry) -> Evidence:
    from wikimem.core import telling

    if isinstance(entry, Entry):
        passage = entry.passage
        who = passage.name if passage.speaker is Speaker.HUMAN and passage.name else passage.speaker.value
        return Evidence(
            kind="turn",
            text=entry.text,
            cite=passage.cite,
            said=passage.said,
            speaker=who,
            scope=passage.scope,
            unmerged=entry.branch,
        )
    if isinstance(entry, ClaimEntry):
        statement = entry.statement
        first = statement.first
        return Evidence(
            kind="claim",
            text=statement.claim.text,
            cite=f"{first.source}:{first.at}",
            said=first.said,
            speaker=first.name or str(first.speaker),
            stance=telling.ground(statement),
            state=telling.state(statement),
            dates=telling.dates(statement),
            scope=statement.about.scope,
            unmerged=entry.branch,
        )
    return Evidence(kind="page", text=entry.text, cite=f"{entry.prose.path}:L{entry.prose.line}")


def _line(line: shelving.Line) -> str:
    head = " ".join(part for part in (line.at, line.said, line.speaker, f"({line.mark})" if line.mark else "") if part)
    return f"{head}  {line.text}" if line.speaker else f"{line.at}  {line.text}"


def _range(place: str) -> tuple[int, int]:
    import re

    match = re.fullmatch(r"(?:.*/)?L?(\d+)(?:-\d+)?(?:-L(\d+))?", place)
    if match is None:
        return 1, 0
    first = int(match[1])
    return (first, int(match[2])) if match[2] else (max(1, first - 2), first + 2)


def _number(cursor: str) -> int:
    if cursor and not cursor.isdigit():
        raise UsageError(f"{cursor!r} is no cursor; give back the one that the last answer had.")
    return int(cursor or 0)


def here() -> str:
    """The folder that the client runs the server in."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""
