"""WebVTT and SRT transcripts of meetings: timed cues, read into what each person said.

Accounting: one record is what one person said without a pause, from the first line of its first cue to the last line
of its last (and what others said on the same text line); so each cue belongs to the record of its words, not the other
way round, and there are fewer records than cues.
Blocks of `NOTE`, `STYLE` and `REGION`, cues without words and cues that repeat what was just shown are records of
noise; words without a time are damage.

Times in a cue count from the start of the recording, whose clock time no file tells; so a turn has no time of its own,
and the day comes from the name of the file or its folder (`hint`).
"""

from __future__ import annotations

import html
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import note
from wikimem.edges.importers.format import Head, LineFormat

_BOM = b"\xef\xbb\xbf"
_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"\s*(?:{_TIME}\s+)?-->(?:\s+{_TIME})?(?=\s|\Z)(?P<settings>.*)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]*)>")
_TAG = re.compile(r"</?[a-zA-Z0-9.:][^<>]*>|</>")
_LABEL = re.compile(r"[ \t]*(?P<name>[^\W\d_][^:<>\n]{0,59}?)[ \t]*:(?:[ \t]+(?P<said>.*)|[ \t]*\Z)")
_NOT_NAMES = frozenset(("note", "notes", "question", "answer", "example", "warning", "step", "summary", "http", "https"))
_BLOCKS = {"NOTE": "note", "STYLE": "style", "REGION": "region"}
_GENERIC = re.compile(r"(?:transcripts?|captions?|subtitles?|recording|audio|meeting)(?:[-_ ]\w*)?\Z", re.IGNORECASE)
# A pause longer than this, in seconds, begins a new turn.
_PAUSE = 2.0
# A name that recurs is a speaker; how many cues are looked at before the first one is judged.
_AHEAD = 4096


@dataclass(frozen=True, slots=True)
class _Cue:
    """A cue: its first line, its times in seconds where readable, and its words by text line."""

    first: Line
    start: float | None
    end: float | None
    rolling: bool
    words: tuple[tuple[Line, str], ...]


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a WebVTT or SRT file; see `LineFormat.read`. Memory: the longest turn and the names of 4,096 cues."""
    ahead: deque[_Cue | Record] = deque()
    labels = _Labels()
    speech = _Speech(labels)
    for item in _items(lines):
        ahead.append(item)
        if isinstance(item, _Cue):
            labels.learn(item)
        if len(ahead) > _AHEAD:
            yield from speech.take(ahead.popleft())
    while ahead:
        yield from speech.take(ahead.popleft())
    yield from speech.flush()


def _items(lines: Iterable[Line]) -> Iterator[_Cue | Record]:
    block: list[tuple[Line, str]] = []
    for line in lines:
        data = line.data.removeprefix(_BOM) if line.number == 1 else line.data
        text = data.decode("utf-8", "replace").replace("\x00", "\ufffd")
        # A line of spaces ends no cue: captions that roll up use it for an empty row. Before one it is nothing.
        if text and (block or text.strip()):
            block.append((line, text))
        elif block:
            yield from _block(block)
            block = []
    if block:
        yield from _block(block)


def _block(block: list[tuple[Line, str]]) -> Iterator[_Cue | Record]:
    """The cues of a block, or the record of one that holds none."""
    first, head = block[0]
    times = [place for place, (_, text) in enumerate(block) if "-->" in text and _TIMING.match(text)]
    header = first.number == 1 and head.startswith("WEBVTT")
    if not times:
        kind = "header" if header else _BLOCKS.get(head.split(maxsplit=1)[0], "")
        gave = Noise(kind) if kind else Damage("words of a cue without a time")
        yield Record(first.number, first.offset, gave)
        return
    begins = 0
    if header and times[0]:
        yield Record(first.number, first.offset, Noise("header"))
        # A cue that follows the header without a blank line may have an identifier, which looks like a header line.
        begins = times[0]
    for time, following in pairwise((*times, len(block))):
        ends = following
        if following < len(block) and following - 2 > time and not block[following - 2][1].strip():
            # Cues that only a line of spaces divides: the next one begins with its identifier.
            ends -= 1
        timing = _TIMING.match(block[time][1])
        assert timing is not None
        opening, begins = begins, ends
        yield _Cue(
            block[opening][0],
            _seconds(timing.group(1, 2, 3, 4)),
            _seconds(timing.group(5, 6, 7, 8)),
            "position:0%" in timing["settings"],
            tuple(block[time + 1 : ends]),
        )


def _seconds(found: tuple[str | None, ...]) -> float | None:
    hours, minutes, seconds, fraction = found
    if minutes is None or seconds is None:
        return None
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + (int(fraction.ljust(3, "0")) / 1000 if fraction else 0.0)


class _Labels:
    """Which words before a colon are names: those that recur, and in a file that labels its cues also rare ones."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.cues = 0
        self.recurring = 0
        self.labelled = 0

    def learn(self, cue: _Cue) -> None:
        """Count the names that the cue's lines may begin with."""
        self.cues += 1
        for _, text in cue.words:
            name, _ = _label(_TAG.sub("", text))
            if name:
                self.counts[name] += 1
                count = self.counts[name]
                self.recurring += count == 2
                self.labelled += 2 if count == 2 else count > 2

    def split(self, text: str) -> tuple[str, str]:
        """The speaker a line of words names and the words; the speaker is '' if it names none."""
        name, said = _label(text)
        if not name:
            return "", text
        count = self.counts[name]
        labelled = self.labelled > 1 and self.labelled >= 0.3 * self.cues
        if count > 1 and (labelled or self.recurring > 1):
            return name, said
        if labelled and (name[0].isupper() or " " not in name):
            return name, said
        return "", text


def _label(text: str) -> tuple[str, str]:
    found = _LABEL.match(text)
    if found is None:
        return "", ""
    name = found["name"]
    if len(name.split()) > 6 or name.lower() in _NOT_NAMES or any(mark in name for mark in '?!;"…“”'):
        return "", ""
    return name, found["said"] or ""


class _Speech:
    """Joins cues into what one person said."""

    def __init__(self, labels: _Labels) -> None:
        self.labels = labels
        self.first: Line | None = None
        self.at = 0
        self.line = 0
        self.name = ""
        self.said: list[str] = []
        self.turns: list[Turn] = []
        self.end: float | None = None
        self.shown: list[str] = []

    def take(self, item: _Cue | Record) -> Iterator[Record]:
        """Take a cue, or a record that is none; the records it completes."""
        if isinstance(item, Record):
            yield item
            return
        told = [(line, plain, voice) for line, text in item.words for plain, voice in _voices(text)]
        near = self.end is not None and item.start is not None and abs(item.start - self.end) < 0.1
        rolling = item.rolling or (near and len(told) > 1)
        fresh = told[_repeated(self.shown, [plain for _, plain, _ in told]) if rolling else 0 :]
        self.shown = [plain for _, plain, _ in told if plain] or self.shown
        spoken = False
        current = ""
        for line, plain, voice in fresh:
            name, words = (voice, plain) if voice else self.labels.split(plain)
            if not words.strip() and not name:
                continue
            if not name and spoken:
                name = current
            yield from self._say(item, line, name, words.strip(), spoken)
            spoken = True
            current = name
        if told:
            self.end = item.end
        if not spoken:
            yield Record(item.first.number, item.first.offset, Noise("repeated cue" if told else "empty cue"))

    def _say(self, cue: _Cue, line: Line, name: str, words: str, within: bool) -> Iterator[Record]:
        near = within or (self.end is not None and cue.start is not None and -_PAUSE <= cue.start - self.end <= _PAUSE)
        if self.first is None or name != self.name or not near:
            if within and line.number == self.line:
                # Two voices on one text line: the line belongs to one record, which gives both.
                self._close()
            else:
                yield from self.flush()
                self.first = line if within else cue.first
            self.at = line.number
            self.name = name
        self.line = line.number
        if words:
            self.said.append(words)

    def _close(self) -> None:
        if self.said:
            before = sum(turn.at.split("-")[0] == f"L{self.at}" for turn in self.turns)
            at = f"L{self.at}-{before + 1}" if before else f"L{self.at}"
            self.turns.append(Turn(at, Speaker.HUMAN, Form.PROSE, " ".join(self.said), name=self.name))
        self.said = []

    def flush(self) -> Iterator[Record]:
        """The record of what is being said, if anything is."""
        self._close()
        if self.first is not None:
            yield Record(self.first.number, self.first.offset, tuple(self.turns) or Noise("empty cue"))
        self.first, self.turns, self.end = None, [], None


def _voices(text: str) -> Iterator[tuple[str, str]]:
    """The stretches of a text line, without tags, each with the name of its voice span ('' outside any)."""
    pieces = _VOICE.split(text) if "<v" in text else [text]
    for place in range(0, len(pieces), 2):
        plain = pieces[place]
        if "<" in plain:
            plain = _TAG.sub("", plain)
        if "&" in plain:
            plain = html.unescape(plain)
        name = html.unescape(pieces[place - 1]).strip() if place else ""
        plain = " ".join(plain.split())
        if plain or name:
            yield plain, name


def _repeated(shown: list[str], told: list[str]) -> int:
    """How many of a cue's first lines only repeat what the cue before showed, as captions that roll up do."""
    for count in range(min(len(shown), len(told)), 0, -1):
        if shown[-count:] == told[:count]:
            return count
    return 0


def _hint(path: Path) -> Mapping[str, str]:
    names = [path.name, path.parent.name, path.parent.parent.name]
    day = next((day for name in names if (day := note.date_of(name))), "")
    stem = path.name.split(".", 1)[0]
    session = path.parent.name if _GENERIC.match(stem) else stem
    return {name: told for name, told in (("date", day), ("session", session)) if told}


def _recognise(head: Head) -> bool:
    start = head.data.removeprefix(_BOM).lstrip(b"\r\n")
    first = start.split(b"\n", 1)[0].strip()
    if first == b"WEBVTT" or first.startswith((b"WEBVTT ", b"WEBVTT\t")):
        return True
    for line in start.split(b"\n", 3)[:3]:
        if b"-->" in line and re.match(rb"\s*[\d:]+[.,]\d+\s+-->\s+[\d:]+[.,]\d+", line):
            return True
    return False


FORMAT = LineFormat("webvtt", _recognise, read, ".vtt", json=False, hint=_hint)
