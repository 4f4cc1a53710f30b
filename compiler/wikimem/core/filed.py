"""Filed answers: an answer from memory that somebody kept, as a source, with all it rests on. It proves nothing by itself.

One line of JSON. Read back it is one turn of an assistant, and from it one claim of stance `inference` on a page of its own:
what was concluded once from what memory held then. Whether that still holds is asked of the claims it rests on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikimem.core import texts
from wikimem.core.claims import Kind, Stance
from wikimem.core.turns import Speaker
from wikimem.core.views import View

FORMAT = "answer"
"""The format of such sources."""
KEY = "wikimem-answer"
"""What their line begins with."""
MARK = "answer-from-memory"
"""The mark of their turns."""

_LONGEST, _QUOTE, _TITLE = 480, 200, 100


@dataclass(frozen=True, slots=True)
class Rest:
    """Something that an answer rests on.

    Args:
        cite: its citation.
        quote: the words.
        claim: the claim's id; empty for a turn or a page.
        state: what the claim was then: `current`, `ended`, `retracted` or `conflict`; empty without one.
    """

    cite: str
    quote: str
    claim: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Filed:
    """A filed answer.

    Args:
        question: as it was asked.
        text: the answer.
        verdict: `answered` or `otherwise`.
        asked: when, `2026-08-14T10:11:03Z`.
        day: the day of that where it was asked.
        by: the model that answered.
        scope: who asked; may be empty.
        moments: the dates it was asked as of, in words; may be empty.
        rests: what it rests on, at least one.
    """

    question: str
    text: str
    verdict: str
    asked: str
    day: str
    by: str
    scope: str
    moments: str
    rests: tuple[Rest, ...]

    @property
    def words(self) -> str:
        """What its turn says."""
        as_of = f", {self.moments}" if self.moments else ""
        said = "the memory said otherwise" if self.verdict == "otherwise" else "the memory gave"
        return f"Asked “{self.question}” on {self.day}{as_of}, {said}: {self.text}"


def write(filed: Filed) -> bytes:
    """The line of a filed answer, with its newline."""
    told = {
        KEY: 1,
        "question": filed.question,
        "answer": filed.text,
        "verdict": filed.verdict,
        "asked": filed.asked,
        "day": filed.day,
        "by": filed.by,
        "scope": filed.scope,
        "moments": filed.moments,
        "rests": [{"cite": one.cite, "quote": one.quote, "claim": one.claim, "state": one.state} for one in filed.rests],
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def read(line: bytes) -> Filed:
    """The filed answer of a line.

    Raises:
        ValueError: it is none; the text is one clause.
    """
    try:
        told = json.loads(line)
    except ValueError:
        raise ValueError("not JSON") from None
    if not isinstance(told, dict) or told.get(KEY) != 1:
        raise ValueError("not a filed answer of this version")
    rests = told.get("rests")
    if not isinstance(rests, list) or not rests or not all(isinstance(one, dict) for one in rests):
        raise ValueError("it rests on nothing")
    held = tuple(Rest(*(_text(one, name) for name in ("cite", "quote", "claim", "state"))) for one in rests)
    question, answer, verdict, asked = (_text(told, name) for name in ("question", "answer", "verdict", "asked"))
    day, by, scope, moments = (_text(told, name) for name in ("day", "by", "scope", "moments"))
    return Filed(question, answer, verdict, asked, day, by, scope, moments, held)


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def subject(question: str) -> str:
    """The name of the page of a question."""
    told = texts.normal(question).rstrip("?!. ")
    return told if len(told) <= _TITLE else told[:_TITLE].rsplit(None, 1)[0]


def extract(view: View) -> dict[str, Any]:
    """The reply to extraction for a filed answer: its one claim, in the form of `extraction.SCHEMA`."""
    found = []
    episode = {"asked": "", "outcome": ""}
    for spoken in view.spoken:
        if spoken.turn.mark != MARK:
            continue
        words = texts.normal(spoken.words)
        text = words if len(words) <= _LONGEST else words[:_LONGEST].rsplit(None, 1)[0] + " …"
        quote = words if len(words) <= _QUOTE else words[:_QUOTE].rsplit(None, 1)[0]
        episode = {"asked": spoken.turn.about, "outcome": words.partition(": ")[2][:_QUOTE]}
        found.append(
            {
                "type": "synthesis",
                "subject": subject(spoken.turn.about),
                "scope": "project" if view.scope else "",
                "attribute": "",
                "kind": Kind.SEMANTIC.value,
                "stance": Stance.INFERENCE.value,
                "text": text,
                "quotes": [{"at": spoken.turn.at, "words": quote, "speaker": Speaker.ASSISTANT.value}],
            }
        )
    return {"episode": episode, "claims": found}


def changed(rest: Rest, now: str | None) -> str:
    """What became of something that an answer rests on; empty if it is as it was.

    Args:
        rest: it.
        now: the state of its claim; None if nothing claims it any more.
    """
    if not rest.claim or now == rest.state:
        return ""
    if now is None:
        return f"{rest.claim} is not claimed any more"
    told = {"ended": "has ended", "retracted": "turned out never to have been so", "conflict": "is in conflict with another"}
    return f"{rest.claim} {told.get(now, 'holds again')}"
