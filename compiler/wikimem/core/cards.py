"""Session cards: what one session was, on at most 40 lines. Not a summary by a model, and no page that holds claims.

A card is made from the session and its claims alone, so it never changes when other sources come.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikimem.core import actions, closing, footnotes, front, lines, texts, worth
from wikimem.core.actions import Deed
from wikimem.core.claimfiles import Episode, Refusal
from wikimem.core.claims import Claim
from wikimem.core.screening import Screened
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.zones import UTC, Zone

LINES = 40
_FILES, _COMMANDS, _CLAIMS = 6, 6, 12
_WIDTH, _TITLE = 160, 80


@dataclass(frozen=True, slots=True)
class Card:
    """What a card tells.

    Args:
        source: the source's id.
        path: the source's path in the vault.
        title: what the session is called.
        scope: its scope; empty for none.
        started: as `Turn.said`; empty if unknown.
        asked: what was asked first.
        outcome: what came of it; may be empty.
        files: those that were written, in order.
        commands: those that were run, each with whether it failed.
        claims: those it yields, by id.
        zone: in which its times are told.
        others: what was said of people who took no part and stands on no page, as the settings want it.
    """

    source: str
    path: str
    title: str
    scope: str
    started: str
    asked: str
    outcome: str
    files: tuple[str, ...]
    commands: tuple[tuple[str, bool], ...]
    claims: tuple[Claim, ...]
    zone: Zone = UTC
    others: tuple[Refusal, ...] = ()


def path(source: str) -> str:
    """Where a card lies, below `wiki/`: `sessions/2026/08/<source-id>.md`."""
    day = source.split("-", 1)[0]
    return f"sessions/{day[:4]}/{day[4:6]}/{source}.md" if day.isdigit() else f"sessions/undated/{source}.md"


def of(
    source: str,
    session: Screened,
    claims: Iterable[Claim],
    episode: Episode,
    facts: Mapping[str, str],
    place: str,
    zone: Zone = UTC,
) -> Card:
    """The card of a session.

    Args:
        source: the source's id.
        session: screened.
        claims: those the source yields.
        episode: what extraction says it was about; where empty, the first words a person typed, and the last of the
            assistant.
        facts: any of `named` (the title that its tool gave it), `scope`, `started`.
        place: the source's path in the vault.
        zone: of the vault.
    """
    spoken = [heard for heard in session.heard if heard.words.strip() and heard.turn.form is Form.PROSE]
    asked = next((heard for heard in spoken if heard.turn.speaker is Speaker.HUMAN), None)
    last = closing.ended([(heard.turn, heard.words) for heard in spoken])
    begun = asked.turn.clock if asked else zone.clock(facts.get("started", ""))
    ended = last[0].clock if last else begun
    first = episode.asked or (asked.words if asked else "")
    # A rewound or memory-reading step is no part of what the session did.
    live = [heard.turn for heard in session.heard if not heard.rule]
    return Card(
        source=source,
        path=place,
        # The first words typed may be a greeting or a number; what was asked tells more.
        title=_dated(_line(facts.get("named", "") or first, _TITLE), begun) or source,
        scope=facts.get("scope", ""),
        started=facts.get("started", ""),
        asked=_dated(_line(first), begun),
        outcome=_dated(_line(episode.outcome or (last[1] if last else "")), ended),
        files=tuple(dict.fromkeys(_files(live))),
        # What was only looked at says least of a session.
        commands=tuple(sorted(dict.fromkeys(_commands(live)), key=lambda run: _LOOKS.match(run[0]) is not None)),
        claims=tuple(sorted(claims, key=lambda claim: claim.id)),
        zone=zone,
    )


_OWNING = re.compile(r" (\[[^\]]*\])(['’]s)\b")


def _dated(words: str, said: str) -> str:
    """Words with the date beside each `yesterday` and `next week`; cut before, so that no date is cut off its word."""
    # All the rules come with it, and most who import this make no card.
    from wikimem.core.rules import dates

    return _OWNING.sub(r"\2 \1", dates.told(words, said).shown)


def is_of(text: bytes, scope: str, started: str, zone: Zone) -> bool:
    """Whether a card was made for a scope and in a time zone, as far as its beginning tells.

    Args:
        text: the card.
        scope: of its session; empty for none.
        started: when its session began, as `Turn.said`; empty if unknown.
        zone: the zone.
    """
    wanted = [front.write("scope", scope), *([front.write("started", zone.shown(started))] if started else [])]
    return {line.encode() for line in wanted} <= set(text.split(b"\n", 8))


def write(card: Card) -> str:
    """The card's text: at most 40 lines, each ending in a newline."""
    where = path(card.source)
    out = ["---", front.write("title", card.title), "type: session", front.write("scope", card.scope)]
    out += [front.write("started", card.zone.shown(card.started)), front.write("source", card.source), "---", ""]
    out += [f"# {lines.escape(card.title, start=False)}", ""]
    out += [f"**Asked:** {lines.escape(card.asked, start=False)}"] if card.asked else []
    out += [""] if card.asked and card.outcome else []
    out += [f"**Outcome:** {lines.escape(card.outcome, start=False)}"] if card.outcome else []
    out += _list("Files", [_code(name) for name in card.files], _FILES)
    out += _list("Commands", [f"{_code(run)}{': failed' if failed else ''}" for run, failed in card.commands], _COMMANDS)
    left = LINES - len(out) - 4
    out += _list("Claims", [_claim(claim, card.path, where) for claim in card.claims], min(_CLAIMS, left))
    left = LINES - len(out) - 4
    out += _list("Said of others", [_other(one, card.path, where) for one in card.others], min(_CLAIMS, left))
    return "".join(f"{line}\n" for line in out[:LINES])


def _list(heading: str, items: list[str], most: int) -> list[str]:
    """A list under a heading, the rest of it as one line; nothing for no items."""
    if not items or most < 1:
        return []
    shown = items if len(items) <= most else [*items[: most - 1], f"and {len(items) - most + 1} more"]
    return ["", f"## {heading}", "", *(f"- {item}" for item in shown)]


def _claim(claim: Claim, place: str, page: str) -> str:
    at = claim.evidence[0].at
    link = f"[{lines.label(at)}]({footnotes.link(place, at, page)})"
    # What may have no page can still be asked for by its id.
    kept = f" `{claim.id}`" if worth.is_slight(claim) else ""
    return f"{lines.escape(_line(claim.text))} ({claim.stance.value}) {link}{kept}"


def _other(one: Refusal, place: str, page: str) -> str:
    link = f" [{lines.label(one.at)}]({footnotes.link(place, one.at, page)})" if one.at else ""
    return f"{lines.escape(_line(one.text))}{link}"


def _line(text: str, width: int = _WIDTH) -> str:
    line = texts.normal(text)
    if len(line) <= width:
        return line
    cut = line[: width - 1]
    # A word is left whole, unless it is longer than half of the line.
    whole = cut.rsplit(" ", 1)[0]
    return f"{(whole if len(whole) * 2 > width else cut).rstrip()}…"


def _code(text: str) -> str:
    """Text as a code span, whatever backticks it holds."""
    line = _line(text, 100)
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{padding}{line}{padding}{ticks}"


_LOOKS = re.compile(
    r"\s*(?:cd|ls|cat|head|tail|find|tree|rg|grep|wc|pwd|echo|which|sed -n|git (?:status|log|diff|show))\b(?!.*&&)"
)


def _commands(turns: list[Turn]) -> Iterable[tuple[str, bool]]:
    failed = {turn.call for turn in turns if turn.form is Form.RESULT and turn.error}
    for turn in turns:
        action = actions.of(turn)
        if action is not None and action.deed is Deed.RUN:
            yield action.target, turn.call in failed


def _files(turns: Iterable[Turn]) -> Iterable[str]:
    return (action.target for turn in turns if (action := actions.of(turn)) is not None and action.deed is Deed.WRITE)
