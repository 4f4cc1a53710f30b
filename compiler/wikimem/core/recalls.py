"""Recalls: what was asked of a memory, what it gave, and what came of it, as lines of a log. Values; no file is touched.

A line is one JSON object: a recall (`{"recall": "r3f9a1c2b", …}`) or feedback to one (`{"feedback": "r3f9a1c2b", …}`). What is
no such line is counted and passed over: a process that was killed while it wrote must not cost the rest of the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikimem.core.bundles import Bundle
from wikimem.core.entries import ClaimEntry, Entry

LONGEST = 2000
"""Characters kept of a question, and of what somebody says is missing."""

_SUSPECT = re.compile(r"(?i)\S{16}|[<@=]|--|passw|secret|token|key|credential|auth|bearer|private")
"""What every known form of a secret has one of: a long word, a sign of markup, an address or an assignment, or its name."""


@dataclass(frozen=True, slots=True)
class Recall:
    """One recall.

    Args:
        id: `r` and eight hexadecimal digits.
        time: when, as `Turn.said`.
        question: as it was asked, secrets masked; empty where only a hash is kept.
        hash: of the question, by a key that stays in the vault; empty where the question is kept.
        scope, at, known: as for `recall`.
        ids: of the answers that were given, in the order shown: a claim's id, else a citation. Empty: nothing was given.
        beside: citations of what was shown beside them.
        tokens: of the rendered text, by the estimate of bundles.
        channel: who asked: `cli`, `python`, or the name of a face.
        session: the session of the agent that asked; empty if unknown.
    """

    id: str
    time: str
    question: str
    hash: str
    scope: str
    at: str
    known: str
    ids: tuple[str, ...]
    beside: tuple[str, ...]
    tokens: int
    channel: str
    session: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody says of a recall.

    Args:
        recall: its id.
        time: when, as `Turn.said`.
        used: ids of answers that were of use; None if nobody said which, () if none was.
        misled: of those that were wrong, or taken for something that they do not say.
        stale: of those that held once and do not any more.
        missing: what should have been there, in words.
        good: whether it did its work as a whole; None if nobody said.
        session: of the agent that says so; empty if unknown, or if it is a person.
    """

    recall: str
    time: str
    used: tuple[str, ...] | None = None
    misled: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    good: bool | None = None
    session: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was read: recalls and feedback, oldest first, and how many lines were neither."""

    recalls: tuple[Recall, ...]
    feedback: tuple[Feedback, ...]
    broken: int

    def of(self, recall: str) -> Feedback | None:
        """All that was said of a recall as one: of an answer the last word counts, what is missing adds up."""
        said = [one for one in self.feedback if one.recall == recall]
        return united(said) if said else None


def united(said: Sequence[Feedback]) -> Feedback:
    """Several words about one recall as one; at least one, oldest first."""
    verdicts: dict[str, str] = {}
    named = False
    good: bool | None = None
    missing: dict[str, None] = {}
    for one in said:
        if one.used is not None:
            named = True
        for verdict, ids in (("used", one.used or ()), ("misled", one.misled), ("stale", one.stale)):
            verdicts |= dict.fromkeys(ids, verdict)
        missing |= dict.fromkeys(one.missing)
        good = good if one.good is None else one.good

    told = {name: tuple(id for id, verdict in verdicts.items() if verdict == name) for name in ("used", "misled", "stale")}
    last = said[-1]
    used = told["used"] if named else None
    return Feedback(last.recall, last.time, used, told["misled"], told["stale"], tuple(missing), good, last.session)


def shown(bundle: Bundle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids of a bundle's answers in the order shown, and the citations of what stands beside them; each once."""
    ids: dict[str, None] = {}
    beside: dict[str, None] = {}
    for entry in bundle.entries:
        if isinstance(entry, Entry):
            (beside if entry.context else ids)[entry.passage.cite] = None
        elif isinstance(entry, ClaimEntry):
            ids[entry.statement.id] = None
            beside |= dict.fromkeys(one.id for one in (*entry.before, *entry.also))
        else:
            ids[entry.prose.cite] = None
    return tuple(ids), tuple(cite for cite in beside if cite not in ids)


def is_plain(text: str) -> bool:
    """Whether a text is so plain that it holds no secret of any known form: short words, and none that names one.

    It spares most questions the patterns of `masking`, which take longer to make ready than a whole recall takes.
    """
    return _SUSPECT.search(text) is None


def write(told: Recall | Feedback) -> bytes:
    """A line of the log, between two line ends: whatever a killed process left before it spoils nothing of it."""
    if isinstance(told, Recall):
        values: dict[str, Any] = {
            "recall": told.id,
            "time": told.time,
            **({"question": told.question} if told.question or not told.hash else {"hash": told.hash}),
            **{name: getattr(told, name) for name in ("scope", "at", "known", "session") if getattr(told, name)},
            "ids": list(told.ids),
            **({"beside": list(told.beside)} if told.beside else {}),
            "tokens": told.tokens,
            "injected": bool(told.ids),
            "channel": told.channel,
        }
    else:
        values = {
            "feedback": told.recall,
            "time": told.time,
            **({} if told.used is None else {"used": list(told.used)}),
            **{name: list(getattr(told, name)) for name in ("misled", "stale", "missing") if getattr(told, name)},
            **({} if told.good is None else {"good": told.good}),
            **({"session": told.session} if told.session else {}),
        }
    return b"\n" + json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def read(lines: Iterable[bytes]) -> Log:
    """The log of some lines; empty ones are passed over, broken ones counted."""
    recalls: list[Recall] = []
    feedback: list[Feedback] = []
    broken = 0
    for line in lines:
        if not line.strip():
            continue
        try:
            told = _told(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError):
            broken += 1
            continue
        if isinstance(told, Recall):
            recalls.append(told)
        else:
            feedback.append(told)
    recalls.sort(key=lambda one: one.time)
    feedback.sort(key=lambda one: one.time)
    return Log(tuple(recalls), tuple(feedback), broken)


def _told(told: object) -> Recall | Feedback:
    if not isinstance(told, dict):
        raise TypeError("no object")
    if "recall" in told:
        return Recall(
            id=_text(told, "recall", True),
            time=_text(told, "time", True),
            question=_text(told, "question"),
            hash=_text(told, "hash"),
            scope=_text(told, "scope"),
            at=_text(told, "at"),
            known=_text(told, "known"),
            ids=_ids(told, "ids"),
            beside=_ids(told, "beside"),
            tokens=int(told["tokens"]),
            channel=_text(told, "channel"),
            session=_text(told, "session"),
        )
    good = told.get("good")
    return Feedback(
        _text(told, "feedback", True),
        _text(told, "time", True),
        _ids(told, "used") if "used" in told else None,
        _ids(told, "misled"),
        _ids(told, "stale"),
        _ids(told, "missing"),
        good if isinstance(good, bool) else None,
        _text(told, "session"),
    )


def _text(told: Mapping[str, Any], name: str, needed: bool = False) -> str:
    value = told[name] if needed else told.get(name, "")
    if not isinstance(value, str) or (needed and not value):
        raise TypeError(name)
    return value


def _ids(told: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = told.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError(name)
    return tuple(value)
