"""Sentences: the words of a turn cut into sentences by their places, without code, logs and pasted lines. Not their sense.

A sentence is a span of the turn's words, so that whatever is quoted stands in its source. Libraries that cut sentences
return texts without places and know no file names, flags or logs, of which people's words to agents are full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 240
"""Characters of a sentence that may be quoted; a longer one is seldom one thought, and often no speech."""

PASTED = 1500
"""Characters of a paragraph from which it is taken as pasted."""

LOGGED = 6
"""Lines that are no speech from which a turn is taken to hold a pasted log."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a turn.

    Args:
        text: its words, on one line.
        start: where it begins in the words of its turn.
        end: where it ends there.
        paragraph: number of its paragraph, from 0.
        item: whether it is an item of a list.
    """

    text: str
    start: int
    end: int
    paragraph: int
    item: bool = False


_FENCE = re.compile(r"^[ \t>]*(?:```|~~~).*?(?:^[ \t>]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][\w-]*(?: [^<>\n]*)?>")
_NOT_SPEECH = re.compile(
    r"""
      ^\s{4,}\S | ^\t
    | ^\s*(?:at\s+\S+\(|File\s"|Traceback|panic:|fatal:|error:|warning:|\$\s|>>>|%\s|~?/\S+\s*$)
    | ^\s*[\[(]?\d{1,4}[-/:]\d\d[-/:]\d\d
    | ^\s*[{}()\[\];+|<>=#*_~^-]{1,3}\s*$
    | ^\s*(?:[+-]{3}|@@|diff\s|index\s[0-9a-f])
    | ^\s*["'{\[].*[,{}\[\]]\s*$
    | ^\s*\|.*\|\s*$
    | ^\s*(?:import|from|func|def|class|const|var|let|return|package|type|if\s\()\s.*[{(;:=]\s*$
    | ^\s*\#{1,6}\s
    | ^\s*(?:[-*]\s+)?[\u2190-\u2bff\U0001f000-\U0001faff]
    | ^\s*\S+:\d+(?::\d+)?:\s
    | \blevel=|\bmsg=|\btime=\d
    """,
    re.VERBOSE,
)
_BULLET = re.compile(r"^\s*(?:[-*•‣]|\(?\d{1,3}[.)])\s+")
_ENDS = re.compile(r"[.!?…]+[\"'”’)\]*]*(?=\s|$)|\n|[。！？]")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|mr|mrs|ms|dr|st|fig|min|max|resp|incl|esp)|\b[A-Za-z]|:\s*\(?\d{1,3})\.$", re.I
)
# What a person pastes after such a lead is somebody else's words.
_LEAD = re.compile(
    r"(?i)^\s*(?:(?:ok|and|also|now|yes|yup|please|let'?s)[,. ]+)*(?:(?:look at|tell me about|investigate|consider|do|fix|"
    r"handle|addr?ess)\b[^.!?\n]{0,40}:|addr?ess\b|[^.!?\n]{0,30}(?:review )?comments?\b[^.!?\n]{0,30}:|"
    r"observations?\b[^\n]*:|(?:got|here'?s|here is|this is)\b[^.!?\n]{0,60}:|\(?\d{1,3}[.)]\s+\S)"
)
_OWN = re.compile(r"(?i)\b(?:we|we're|we've|we'll|our|us|i|i'm|i'd|let'?s)\b")


def cut(words: str) -> tuple[Sentence, ...]:
    """The sentences of a turn's words, in order.

    Code fences, tables, logs, listings and headings are left out, and so are paragraphs that are too long to be typed,
    and those pasted below a lead such as `address this:`, unless they speak of `we` or `I`.
    """
    found: list[Sentence] = []
    number = 0
    pasted = False
    speech = _blanked(words)
    # Below a log that was pasted, more of it may look like speech.
    logged = (
        sum(
            1
            for before, after in zip(words.split("\n"), speech.split("\n"), strict=False)
            if before.strip() and not after.strip()
        )
        >= LOGGED
    )
    for start, end in _paragraphs(speech):
        paragraph = speech[start:end]
        lead = _LEAD.match(paragraph)
        if len(paragraph) > PASTED or ((pasted or (logged and found)) and not _OWN.search(paragraph)):
            continue
        if lead is not None:
            pasted = True
            continue
        found += _sentences(speech, start, end, number)
        number += 1
    return tuple(found)


def _blanked(words: str) -> str:
    """The words with everything that is no speech turned into spaces, so that places stay."""
    if "```" in words or "~~~" in words:
        words = _FENCE.sub(lambda match: _spaces(match[0]), words)
    if "<" in words:
        words = _TAG.sub(lambda match: _spaces(match[0]), words)
    lines = words.split("\n")
    return "\n".join(" " * len(line) if _NOT_SPEECH.search(line) else line for line in lines)


def _spaces(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


_GAP = re.compile(r"\n[ \t]*\n\s*")


def _paragraphs(words: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _GAP.finditer(words):
        if words[start : gap.start()].strip():
            yield start, gap.start()
        start = gap.end()
    if words[start:].strip():
        yield start, len(words)


def _sentences(words: str, start: int, end: int, paragraph: int) -> Iterator[Sentence]:
    begin = start
    item = False
    for match in _ENDS.finditer(words, start, end):
        stop = match.end() if match[0] != "\n" else match.start()
        if not _is_end(words, begin, match, end):
            continue
        item = item or _BULLET.match(words[begin:stop]) is not None
        yield from _one(words, begin, stop, paragraph, item)
        begin = match.end()
        # What follows on the line of an item belongs to it.
        item = item and match[0] != "\n" and not words[begin:end].startswith("\n")
    yield from _one(words, begin, end, paragraph, item)


def _is_end(words: str, begin: int, match: re.Match[str], end: int) -> bool:
    if match[0] == "\n":
        following = words[match.end() : match.end() + 60].lstrip(" \t")
        before = words[begin : match.start()].rstrip()
        # A line that goes on in the next one was wrapped, not ended.
        wrapped = following[:1].islower() and before[-1:].isalnum()
        return not wrapped or _BULLET.match(following) is not None
    if match[0].startswith((".", "…")):
        if _ABBREVIATED.search(words, begin, match.end()):
            return False
        following = words[match.end() : match.end() + 8].lstrip()
        # Three dots go on; so does what follows in small letters after a dot that ends no sentence.
        if match[0].startswith(("..", "…")):
            return following[:1].isupper() or not following or len(words[begin : match.start()].split()) >= 4
    return True


def _one(words: str, start: int, end: int, paragraph: int, item: bool) -> Iterator[Sentence]:
    piece = words[start:end]
    bullet = _BULLET.match(piece)
    if bullet is not None:
        start += bullet.end()
    while start < end and words[start].isspace():
        start += 1
    while end > start and words[end - 1].isspace():
        end -= 1
    # Typed and typographic apostrophes are one to the patterns; what is quoted keeps its own.
    text = " ".join(words[start:end].split()).replace("’", "'")
    if len(text) >= 3 and any(character.isalpha() for character in text):
        yield Sentence(text, start, end, paragraph, item or bullet is not None)
