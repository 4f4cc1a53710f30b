"""Reports: the one lasting thing that an agent said of a cause, as its inference. Never more than one of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core import closing
from wikimem.core.claims import Kind, Stance
from wikimem.core.rules import acts, names, sentences
from wikimem.core.rules.standing import placed
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.turns import Form, Speaker
from wikimem.core.views import View

CONFIDENCE = 0.5
_CAUSE = re.compile(
    r"(?i)\b(?:(?:the )?(?:root cause|real (?:cause|problem|issue)) (?:is|was)|(?:the (?:cause|reason|culprit|bug) (?:is|"
    r"was)))\b"
)
_TELLS = re.compile(r"(?i)\b(?:(?:cause|reason|culprit|bug) (?:of|for|behind|why)|which|where|because)\b|`.+`.+`.+`")
"""Says what was caused, or how; else nobody knows what it tells of."""
_WEAK = re.compile(r"(?i)\b(?:let me|i'll|i will|i need|might|may|maybe|probably|possibly|could|should|if)\b")
SHORT, LONG = 40, 220


def found(view: View) -> Iterator[Statement]:
    """The last cause that the agent told, if it names what it is about."""
    for one in reversed(view.spoken):
        if one.turn.speaker is not Speaker.ASSISTANT or one.turn.form is not Form.PROSE or len(one.words) > 20_000:
            continue
        if not any(word in one.words for word in ("cause", "reason", "culprit")):
            continue
        for sentence in sentences.cut(one.words):
            about = names.coded(sentence.text)
            if not SHORT <= len(sentence.text) <= LONG or _CAUSE.search(sentence.text) is None or about is None:
                continue
            if (
                _TELLS.search(sentence.text) is None
                or _WEAK.search(sentence.text)
                or acts.asks(sentence.text)
                or sentence.text.endswith(":")
            ):
                continue
            words = one.words[sentence.start : sentence.end]
            about = placed(about, view)
            text = f"An agent on {about.label}: {quoted(words)}"
            quote = (Words(one.turn.at, words),)
            yield Statement("report", about, text, quote, Kind.SEMANTIC, Stance.INFERENCE, "reason", CONFIDENCE)
            return


def asked(view: View) -> str:
    """What was asked for: the first words of a person that say something, cut short; else the first."""
    return _cut(closing.asked(one.words for one in view.spoken if one.is_person and one.turn.mark != "approval"), 200)


def outcome(view: View) -> str:
    """How it ended: the beginning of the agent's last words that announce no next step; empty where there are none."""
    last = closing.ended([(one.turn, one.words) for one in view.spoken])
    return _cut(last[1], 240) if last else ""


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1].rsplit(" ", 1)[0] + "…"
