"""What a draft must pass as a whole: neither secret nor sensitive, clear, dated, lasting, and in its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core import intimate, moments, privacy, sensitive, texts
from wikimem.core.claims import TYPES, Stance
from wikimem.core.drafts import Action, Draft, Found, Gate, Rule
from wikimem.core.turns import Form


def _is_public(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    told = (draft.text, draft.mention.name, *(quote.words for quote in draft.quotes))
    if any("[masked:" in text or gate.leaks(text) for text in told):
        return "it holds a secret, or speaks of a masked one"
    return ""


def _is_harmless(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    marked = draft.sensitive or gate.channel or any(gate.sensitive.words(text) for text in _told(draft, gate))
    return sensitive.WAITS if marked else ""


def _told(draft: Draft, gate: Gate) -> Iterator[str]:
    """All that a draft says, with the whole sentences that it quotes from."""
    yield draft.text
    yield draft.mention.name
    for quote in draft.quotes:
        yield quote.words
        places = ((quote.at, quote.words), *((quote.proposal,) if quote.proposal else ()))
        for at, words in places:
            place = gate.session.at(at)
            span = texts.find(words, place[1].words) if place else None
            if place is not None and span is None:
                # It will be refused; the refusal is not to tell what that turn told.
                yield place[1].words
            if place is not None and span is not None:
                yield intimate.around(place[1].words, *span)
                # What stands between such a mark and its end was masked; this one was never closed.
                if sensitive.MARKED in place[1].words[: span[0]].casefold():
                    yield sensitive.MARKED


SILENT: tuple[Rule, ...] = (
    Rule("secret", Action.IGNORE, _is_public),
    Rule("sensitive", Action.REQUIRE_APPROVAL, _is_harmless),
    Rule(privacy.RULE, Action.IGNORE, privacy.refused),
)
"""Asked first, so that no refusal by a later rule holds the words."""


def _is_formed(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    if draft.mention.type not in TYPES:
        return f"{draft.mention.type!r} is no type of subject"
    if not texts.key(draft.mention.name):
        return "it names no subject"
    if len(draft.text) > 500:
        return "a claim is one statement of at most 500 characters"
    return ""


_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`")
_PRONOUN = re.compile(r"(?:it|this|that|these|those|they|he|she|i|you|my|your|his|her|their|the above)\b", re.I)
_LETTERS = re.compile(r"[^\W\d_]")


def _is_clear(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    own = _QUOTED.sub(" ", draft.text)
    if _PRONOUN.match(own.strip()):
        return "it begins with a pronoun; a claim stands alone"
    # Scripts without spaces put a sentence into one word.
    if len(texts.words(draft.text)) < 2 and (draft.text.isascii() or len(_LETTERS.findall(draft.text)) < 4):
        return "it says too little"
    return ""


_UNIT = r"(?:day|week|month|year|night|morning|afternoon|evening|sprint|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_RELATIVE = re.compile(
    rf"\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this|past|coming) {_UNIT}(?! of\b)|\w+ {_UNIT}s? ago)\b(?! ?\[)",
    re.IGNORECASE,
)


def _is_dated(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    relative = _RELATIVE.search(_QUOTED.sub(" ", draft.text))
    if relative is not None:
        return f"{relative[0]!r} means nothing later; give the date"
    for one in found:
        start, end = one.quote.holds.start.moment, one.quote.holds.end.moment
        for moment in (start, end):
            if moment and not moments.is_moment(moment):
                return f"{moment!r} is no date"
        if start and end and gate.zone.floor(end) < gate.zone.floor(start):
            return "it ends before it begins"
    return ""


def _is_lasting(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    if gate.vocabulary.is_volatile(draft.attribute):
        return f"{draft.attribute} is true only for the moment"
    return ""


_LOOKING = re.compile(r"\s*(?:ls|cat|head|tail|find|tree|rg|grep|wc|git (?:status|log|diff|show|ls-files))\b")
_READERS = frozenset({"read", "grep", "glob", "ls", "list", "view", "read_file", "list_directory", "search_files"})


def _is_news_of_repository(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    """What reading a file shows can be read again at any time, and then it is up to date."""
    calls = {heard.turn.call: heard.turn for heard in gate.session.heard if heard.turn.form is Form.CALL}
    for one in found:
        turn = one.heard.turn
        call = calls.get(turn.call, turn)
        looked = call.name.casefold() in _READERS or (call.form is Form.CALL and _command(call.text) is not None)
        if draft.stance is not Stance.EVIDENCE or not looked:
            return ""
    return "the repository shows it at a glance"


def _command(text: str) -> re.Match[str] | None:
    told = re.search(r"\"(?:command|cmd)\": ?\"([^\"]*)", text)
    return _LOOKING.match(told[1] if told else text)


_SCAFFOLD = re.compile(
    r"\b(?:existing version|newly generated|new version:|source [a-z0-9]:|turn \d+:|claim \d+:|as an ai)",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://[^\s<>`]+[^\s<>`.,;:!?)\]}'\"]")


def _is_own_wording(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    label = _SCAFFOLD.search(draft.text)
    return f"{label[0]!r} is a label of a prompt, not of the source" if label else ""


def _links_exist(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    for url in _URL.findall(draft.text):
        if not any(url in one.heard.words for one in found):
            return f"{url} stands in none of the turns it cites"
    return ""


RULES: tuple[Rule, ...] = (
    Rule("form", Action.IGNORE, _is_formed),
    Rule("scaffold", Action.IGNORE, _is_own_wording),
    Rule("link", Action.IGNORE, _links_exist),
    Rule("vague", Action.IGNORE, _is_clear),
    Rule("date", Action.IGNORE, _is_dated),
    Rule("volatile", Action.IGNORE, _is_lasting),
    Rule("derivable", Action.IGNORE, _is_news_of_repository),
    Rule(privacy.RULE, Action.IGNORE, privacy.carded),
)
"""What a draft must pass once its quotes stand, in order."""
