"""Statements: what a rule found in a session, as values, and the reply that holds them. Not claims: the gate decides.

A statement quotes; it does not paraphrase. Its text is either the person's own clause in quotation marks after the
speaker and the subject, or words that a tool's outcome gives without guessing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wikimem.core import texts
from wikimem.core.claims import Kind, Stance
from wikimem.core.rules.names import Name


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a statement rests on.

    Args:
        at: the locator of their turn.
        words: as they stand there.
        since: when what they say came to hold or happened, as a moment; empty if they do not tell.
        until: when it ended; empty if they do not tell.
        proposal: locator and words of what they accept; None usually.
    """

    at: str
    words: str
    since: str = ""
    until: str = ""
    proposal: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing found; the fields as in a claim of the reply.

    Args:
        rule: the name of the rule that found it.
        about: the subject.
        text: one line that stands alone.
        words: at least one.
    """

    rule: str
    about: Name
    text: str
    words: tuple[Words, ...]
    kind: Kind = Kind.SEMANTIC
    stance: Stance = Stance.FACT
    attribute: str = ""
    confidence: float = 0


def reply(found: Iterable[Statement], asked: str, outcome: str) -> dict[str, Any]:
    """A reply to the task `extract` (`extraction.SCHEMA`) that holds the statements, each once."""
    claims = [_claim(statement) for statement in dict.fromkeys(found)]
    return {"episode": {"asked": asked, "outcome": outcome}, "claims": claims}


def _claim(statement: Statement) -> Mapping[str, Any]:
    told = {
        "reason": statement.rule,
        "type": statement.about.type,
        "subject": statement.about.name,
        "scope": statement.about.scope,
        "attribute": statement.attribute,
        "kind": statement.kind.value,
        "stance": statement.stance.value,
        "text": texts.normal(statement.text),
        "quotes": [_quote(words) for words in statement.words],
    }
    return {**told, "confidence": statement.confidence} if statement.confidence else told


def _quote(words: Words) -> Mapping[str, Any]:
    told: dict[str, Any] = {"at": words.at, "words": words.words}
    for name, moment in (("from", words.since), ("until", words.until)):
        if moment:
            told |= {name: moment, f"{name}_basis": "stated"}
    if words.proposal is not None:
        told["proposal"] = {"at": words.proposal[0], "words": words.proposal[1]}
    return told


def quoted(words: str) -> str:
    """Somebody's words in quotation marks, on one line; marks inside them become single ones, so that they nest."""
    return "“" + texts.normal(words).replace("“", "‘").replace("”", "’") + "”"


def coded(name: str) -> str:
    """A name as a code span; a name that holds a backtick stays plain."""
    return name if "`" in name or not name else f"`{name}`"
