"""Needles: short pieces of what was forgotten, by which a search of bytes finds copies of it. Pure; searches nothing itself.

A piece is looked for in every form in which wikimem writes text: as it is, as JSON writes it (with and without escapes for
letters), as HTML does, and as a page escapes it. What other sources say as well is no needle, since it stays.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from wikimem.core import lines, texts
from wikimem.core.claims import Claim
from wikimem.core.turns import Form, Turn

MOST = 64
"""Pieces at most: enough to meet every kind of copy, few enough to look for in a large repository."""

_SHORT, _LONG = 16, 32
_NAME = 6
_IDS = 60


@dataclass(frozen=True)
class Needles:
    """What is looked for.

    Args:
        texts: the pieces.
        ids: ids of claims that nothing yields any more: they give away pages that cite them, whatever the words.
        words: what a person named, looked for whatever the case of its letters; '' for nothing.
    """

    texts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    words: str = ""

    @cached_property
    def exact(self) -> tuple[bytes, ...]:
        """The bytes that are looked for as they are."""
        every = (form for text in self.texts for form in forms(text))
        return tuple(dict.fromkeys((*every, *(id.encode() for id in self.ids))))

    @cached_property
    def loose(self) -> tuple[bytes, ...]:
        """The bytes that are looked for whatever the case of letters, case-folded."""
        return tuple(form.decode().casefold().encode() for form in forms(self.words)) if self.words else ()

    def stand_in(self, data: bytes) -> bool:
        """Whether one of them stands in some bytes."""
        if any(form in data for form in self.exact):
            return True
        if not self.loose:
            return False
        plain = data.isascii() or all(form.isascii() for form in self.loose)
        lower = data.lower() if plain else data.decode("utf-8", "replace").casefold().encode("utf-8", "replace")
        return any(form in lower for form in self.loose)

    def without(self, pieces: Iterable[str]) -> Needles:
        """The needles without some pieces."""
        gone = frozenset(pieces)
        return Needles(tuple(text for text in self.texts if text not in gone), self.ids, self.words)

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.texts) + len(self.ids) + bool(self.words)


def forms(text: str) -> Iterator[bytes]:
    """The bytes of a piece of text, in every form that wikimem writes."""
    told = [text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], html.escape(text)]
    told.append(lines.escape(texts.normal(text), start=False))
    yield from dict.fromkeys(each.encode("utf-8", "replace") for each in told)


def of(turns: Iterable[Turn], claims: Sequence[Claim], names: Iterable[str], words: str = "") -> Needles:
    """What is worth looking for: what claims say and quote, then what was said, evenly over the session.

    Args:
        turns: those that go.
        claims: those that nothing yields any more.
        names: of subjects that go.
        words: what a person named.
    """
    first: dict[str, None] = {}
    for claim in claims:
        for told in (claim.text, *(one.quote for one in claim.evidence)):
            first |= dict.fromkeys(_pieces(told)[:2])
    first |= dict.fromkeys(name for name in names if len(name) >= _NAME)
    spoken: dict[str, None] = {}
    turns = tuple(turns)
    for form in (Form.PROSE, Form.RESULT, Form.CALL, Form.THINKING):
        spoken |= dict.fromkeys(piece for turn in turns if turn.form is form for piece in _pieces(turn.text)[:4])
    rest = [piece for piece in spoken if piece not in first]
    room = max(MOST - len(first), MOST // 3)
    chosen = [*list(first)[: MOST - min(room, len(rest))], *rest[:: max(1, len(rest) // room)][:room]]
    return Needles(tuple(chosen), tuple(claim.id for claim in claims)[:_IDS], words)


def _pieces(text: str) -> list[str]:
    """The beginning and the end of each line, long enough to stand nowhere by chance, short enough to be in a part of it."""
    found: dict[str, None] = {}
    for line in re.split(r"[\r\n\t]+", text):
        whole = line.strip()
        found |= dict.fromkeys(piece for each in (whole[:_LONG], whole[-_LONG:]) if len(piece := each.strip()) >= _SHORT)
    return list(found)
