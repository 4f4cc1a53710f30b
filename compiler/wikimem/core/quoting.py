"""What a quote must pass: it stands in its turn, which is evidence, and its speaker may say so. Not the draft."""

from __future__ import annotations

import re
from collections.abc import Callable

from wikimem.core import texts
from wikimem.core.claims import Stance
from wikimem.core.drafts import Draft, Found, Gate
from wikimem.core.turns import Form, Speaker


def _is_evidence(draft: Draft, found: Found, gate: Gate) -> str:
    return "" if found.heard.words.strip() else f"the turn is no evidence ({found.heard.rule or 'it is empty'})"


def _stands(draft: Draft, found: Found, gate: Gate) -> str:
    return "" if found.span is not None else "the quoted words do not stand in that turn in one piece"


_NEGATION = re.compile(r"\b(?:not|never|no|none|without|cannot|\w+n't|\w+n’t|neither|nor)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?;:,\n]|\b(?:but|and|because|so)\b", re.IGNORECASE)
_REACH = 3


def _keeps_negation(draft: Draft, found: Found, gate: Gate) -> str:
    """A quote that begins right after a negation says the opposite of its sentence."""
    assert found.span is not None
    before = _CLAUSE.split(found.heard.words[: found.span[0]])[-1]
    near = " ".join(before.split()[-_REACH:])
    if _NEGATION.search(near) and not _NEGATION.search(draft.text):
        return "the quote leaves out the negation before it"
    return ""


_SPEAKERS = {
    Stance.FACT: {Speaker.HUMAN},
    Stance.PREFERENCE: {Speaker.HUMAN},
    Stance.EVIDENCE: {Speaker.TOOL},
    Stance.INFERENCE: {Speaker.HUMAN, Speaker.ASSISTANT, Speaker.TOOL},
    Stance.OPINION: {Speaker.HUMAN, Speaker.ASSISTANT},
}


def _fits_speaker(draft: Draft, found: Found, gate: Gate) -> str:
    turn = found.heard.turn
    if found.quote.speaker and found.quote.speaker != turn.speaker.value:
        return f"the draft says {found.quote.speaker} said it, but it was {turn.speaker.value}"
    # A command that was run was observed, though the assistant wrote it.
    observed = draft.stance is Stance.EVIDENCE and turn.form is Form.CALL
    if turn.speaker not in _SPEAKERS[draft.stance] and not observed:
        return f"{turn.speaker.value} words do not make a claim of stance {draft.stance.value}"
    return ""


_POLITE = re.compile(
    r"(?:(?:oh|ah|wow|well|ok|that'?s|that is|how|very|really|so)\b[\s,]*)*"
    r"(?:interesting|fascinating|i see|thanks|thank you|nice|cool|noted|"
    r"h+m+|wow|maybe|perhaps|good to know|we(?:'ll| will) see|let me think(?: about (?:it|that))?)[\s.,!…]*",
    re.IGNORECASE,
)


def _accepts(draft: Draft, found: Found, gate: Gate) -> str:
    """An acceptance names a proposal that stands, was made by the assistant, and was made before."""
    if found.quote.proposal is None:
        return ""
    at, words = found.quote.proposal
    place = gate.session.at(at)
    if place is None or texts.find(words, place[1].words) is None:
        return "the proposal it accepts does not stand in that turn"
    if place[0] >= found.number or place[1].turn.speaker is not Speaker.ASSISTANT:
        return "what it accepts was not proposed by the assistant before"
    if _POLITE.fullmatch(found.quote.words.strip().replace("’", "'")):
        return "polite words take up nothing"
    return "" if found.heard.turn.speaker is Speaker.HUMAN else "only a person accepts"


def _is_news(draft: Draft, found: Found, gate: Gate) -> str:
    """What an assistant repeats of a memory it was given in this session proves nothing."""
    if found.heard.turn.speaker is not Speaker.ASSISTANT:
        return ""
    said = set(texts.words(found.quote.words))
    for number, text in gate.session.recalled:
        known = said & set(texts.words(text))
        if number < found.number and len(said) >= 3 and len(known) >= 0.8 * len(said):
            return "the assistant repeats what it was told from memory in this session"
    return ""


QUOTE_RULES: tuple[tuple[str, Callable[[Draft, Found, Gate], str]], ...] = (
    ("evidence", _is_evidence),
    ("quote", _stands),
    ("negation", _keeps_negation),
    ("speaker", _fits_speaker),
    ("acceptance", _accepts),
    ("recalled", _is_news),
)
"""What a quote must pass, in order."""
