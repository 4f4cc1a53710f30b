"""Footnotes: the line that says who said a claim, when, where and in which words. Not the claim itself.

A footnote shows its first evidence with the quote, what it accepted if it accepts a proposal, and links to the rest.
Curly quotation marks enclose the quote, so inside it they are straight: the only change to the source's words, besides
folded spaces and a cut at 200 characters that ends in `…`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wikimem.core import lines, texts

QUOTE = 200
"""Characters of a quote that a page shows at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """A link to a turn.

    Args:
        at: the turn's locator.
        target: where the link leads, relative to the page.
        quote: the words shown after it; empty for none.
    """

    at: str
    target: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Footnote:
    """What a claim stands on.

    Args:
        id: the claim's id.
        stance: its stance.
        speaker: who said it: `human`, `assistant` or `tool`.
        name: the person's name; empty usually.
        said: the day it was first said; empty if unknown.
        place: where, with the quote.
        accepting: the proposal that these words accept; None usually.
        also: the other turns that say so, without quotes.
        concluded: whether nobody said it: it was concluded from claims; then there is no speaker and no day.
        rests: ids of these claims, as far as the same page shows them.
        raw: the line as a person left it, where it says the same in another way; empty usually.
    """

    id: str
    stance: str
    speaker: str
    name: str
    said: str
    place: Place
    accepting: Place | None = None
    also: tuple[Place, ...] = ()
    raw: str = ""
    concluded: bool = False
    rests: tuple[str, ...] = ()


def shown_quote(quote: str) -> str:
    """A source's words as a footnote shows them."""
    line = re.sub("[“”]", '"', texts.normal(quote))
    if len(line) <= QUOTE:
        return line
    cut = line[: QUOTE - 1]
    # Not inside a word, unless the text has no spaces to cut at.
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[QUOTE // 2 :] else cut}…"


def shown_name(name: str) -> str:
    """A person's name as a footnote shows it."""
    return texts.normal(name.replace("·", "-"))


def link(path: str, at: str, page: str) -> str:
    """The target of a link from a page to a turn.

    Args:
        path: the source's path in the vault, `sources/2026/08/….jsonl`.
        at: the turn's locator.
        page: the page's path below `wiki/`, such as `topics/payment-retries.md`.
    """
    up = "../" * (page.count("/") + 1)
    block = re.fullmatch(r"(L\d+)(?:-\d+)?", at)
    return f"{up}{url(path)}#{block[1] if block else url(at)}"


def url(text: str) -> str:
    """A path as the target of a markdown link."""
    return re.sub(r"[^\w./:~-]", _percent, text, flags=re.ASCII)


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def write(note: Footnote) -> str:
    """The footnote's line, without a newline."""
    if note.raw:
        return note.raw
    speaker = f"{note.speaker} ({lines.label(note.name)})" if note.name else note.speaker
    if note.concluded:
        speaker = f"concluded from {' '.join(f'[^{id}]' for id in note.rests)}" if note.rests else "concluded"
    fields = [note.stance, speaker]
    fields += [f"said {note.said}"] if note.said else []
    fields.append(_place(note.place))
    fields += [f"accepting {_place(note.accepting)}"] if note.accepting else []
    fields += [f"also {_place(place)}" for place in note.also]
    return f"[^{note.id}]: {' · '.join(fields)}"


def _place(place: Place) -> str:
    quote = f" “{lines.escape(place.quote, start=False)}”" if place.quote else ""
    return f"[{lines.label(place.at)}]({place.target}){quote}"


_AT = r"\[((?:[^\[\]\\]|\\.)*)\]\(([^()\s]*)\)"
_LINE = re.compile(
    rf"\[\^(?P<id>{lines.ID})\]: (?P<stance>[a-z]+) · (?:(?P<speaker>human|assistant|tool)(?: \((?P<name>[^·]*)\))?"
    rf"|(?P<concluded>concluded)(?: from (?P<rests>\[\^{lines.ID}\](?: \[\^{lines.ID}\])*))?)"
    rf"(?: · said (?P<said>[\d-]+))? · {_AT}(?: “([^”]*)”)?(?: · accepting {_AT}(?: “([^”]*)”)?)?"
    rf"(?P<also>(?: · also {_AT})*)"
)
_ALSO = re.compile(rf" · also {_AT}")


def read(raw: str) -> Footnote | None:
    """The footnote that a line holds; None for any other line, also for a footnote of a person's own."""
    match = _LINE.fullmatch(raw.rstrip())
    if match is None:
        return None
    at, target, quote, accepted_at, accepted_target, accepted_quote = match.groups()[7:13]
    note = Footnote(
        id=match["id"],
        stance=match["stance"],
        speaker=match["speaker"] or "",
        name=lines.unescape(match["name"] or ""),
        said=match["said"] or "",
        place=_read_place(at, target, quote),
        accepting=_read_place(accepted_at, accepted_target, accepted_quote) if accepted_target is not None else None,
        also=tuple(_read_place(found[1], found[2], "") for found in _ALSO.finditer(match["also"])),
        concluded=match["concluded"] is not None,
        rests=tuple(lines.CITE.findall(match["rests"] or "")),
    )
    return note if write(note) == raw else replace(note, raw=raw)


def _read_place(at: str, target: str, quote: str | None) -> Place:
    return Place(lines.unescape(at), target, lines.unescape(quote or ""))
