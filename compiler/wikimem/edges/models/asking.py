"""Asking: what stands between a question and whoever turns text into text. Cache, budget, retries, one repair, recording.

The order for one question: a reply that is kept already; else room in the purse; else the call, at the service's pace; the
reply is filed before anything is made of it, so that an interrupted run pays for nothing twice. A reply that cannot be used
is told what is wrong with it, once; then it is refused, kept apart, and the question is free to be asked another time.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from wikimem.core import replies
from wikimem.core.questions import COMPILING, PAIRS, Question, Reply, Task
from wikimem.core.spending import NOTHING, Spent
from wikimem.core.views import View
from wikimem.edges.models import till as tills
from wikimem.edges.models.pace import Pace
from wikimem.edges.models.port import Call, Said, Voice
from wikimem.edges.models.purse import Purse
from wikimem.edges.models.till import Till
from wikimem.errors import ModelFailed, ModelPaused, Problem, ReplyAwaited, TooLong, WikimemError

_log = logging.getLogger("wikimem.models")

TOGETHER = 20
"""Pairs that are judged in one call."""

_PAIR_TOKENS = 70
_STEP_TOKENS = 300
_BAD_SHOWN = 60_000
"""Characters of a reply that are given back to be repaired."""


class Asker:
    """A model made of a voice.

    Args:
        voice: who is asked.
        till: where replies and spending are kept.
        purse: what may be spent.
        pace: how fast.
        now: the time, `2026-08-14T10:11:03Z`.
        background: whether this is background work.
        record: a folder in which each reply is recorded; None for none.
        withheld: what is not asked now, by what its reply would be filed under, and why; it may grow and shrink.
    """

    edition = ""
    reads_prompts = True

    def __init__(
        self,
        voice: Voice,
        till: Till,
        purse: Purse,
        pace: Pace,
        now: Callable[[], str],
        background: bool = False,
        record: Path | None = None,
        withheld: dict[str, ModelFailed] | None = None,
    ) -> None:
        self.name = voice.name
        self.voice, self.till, self.purse, self.pace = voice, till, purse, pace
        self.now, self.background, self._record = now, background, record
        self.withheld = withheld if withheld is not None else {}
        self._asking: dict[str, Lock] = defaultdict(Lock)
        self._lock = Lock()
        self._checked = False
        self._stopped: ModelPaused | None = None

    @property
    def spent(self) -> Spent:
        """See `Paid`."""
        return self.purse.spent

    def ask(self, question: Question) -> Reply:
        """See `Model`."""
        value, spent = self._answer(_call(question))
        reply = Reply(value, spent.read, spent.wrote)
        self._keep(question, reply)
        return reply

    def estimate(self, questions: Sequence[Question]) -> Spent:
        """See `Paid`."""
        calls = (_call(question) for question in questions)
        new = (call for call in calls if self.till.find(tills.key(call, self.name)) is None)
        return sum((self.expected(call) for call in new), NOTHING)

    def ask_many(self, questions: Sequence[Question], jobs: int) -> list[Reply | Exception]:
        """See `Paid`: what can be asked together is, in the order given; the rest one by one, in parallel."""
        found: dict[int, Reply | Exception] = {}
        alone: list[list[int]] = []
        groups: dict[Task, list[int]] = defaultdict(list)
        for number, question in enumerate(questions):
            if question.together is None:
                alone.append([number])
                continue
            key = tills.key(_call(question), self.name)
            if self.till.find(key) is not None:
                found[number] = _tried(self.ask, question)
            elif key in self.withheld:
                found[number] = self.withheld[key]
            else:
                groups[question.task].append(number)
        chunks = [group[at : at + TOGETHER] for group in groups.values() for at in range(0, len(group), TOGETHER)]
        work = [*alone, *chunks]
        if work:
            with ThreadPoolExecutor(max(1, min(jobs, len(work)))) as pool:
                every = pool.map(lambda numbers: self._together([questions[number] for number in numbers]), work)
                for numbers, made in zip(work, every, strict=True):
                    found.update(zip(numbers, made, strict=True))
        return [found[number] for number in range(len(questions))]

    def _together(self, questions: Sequence[Question]) -> list[Reply | Exception]:
        """Replies to questions of one task, in one call where that works; what it leaves out is asked alone."""
        if len(questions) == 1 or questions[0].together is None:
            return [_tried(self.ask, question) for question in questions]
        keys = tuple(tills.key(_call(question), self.name) for question in questions)
        try:
            value, spent = self._answer(replace(_call(questions[0].together(questions)), parts=keys))
        except TooLong:
            half = len(questions) // 2
            return [*self._together(questions[:half]), *self._together(questions[half:])]
        except ReplyAwaited as waits:
            # Whoever asks for one of them alone need not put out another packet.
            self.withheld |= dict.fromkeys(keys, waits)
            return [waits] * len(questions)
        except WikimemError as error:
            return [error] * len(questions)
        # Of what is wrong in a reply, nothing is sure: not even that a number is one.
        told = {one["pair"]: one for one in value["judgements"] if isinstance(one, dict) and isinstance(one.get("pair"), int)}
        found: list[Reply | Exception] = []
        for number, question in enumerate(questions, 1):
            content = {name: each for name, each in told.get(number, {}).items() if name != "pair"}
            if replies.problems(content, question.schema):
                found.append(_tried(self.ask, question))
                continue
            read, wrote = (share(each, number, len(questions)) for each in (spent.read, spent.wrote))
            self.till.file(keys[number - 1], self.name, question.task.value, orjson.dumps(content).decode(), read, wrote)
            reply = Reply(content, read, wrote)
            self._keep(question, reply)
            found.append(reply)
        return found

    def _answer(self, call: Call) -> tuple[Any, Spent]:
        """The value that fits the schema, or of which only items of a list do not; and what it cost.

        Raises:
            ModelFailed: there is none, after one repair.
        """
        said = self._said(call)
        value, wrong = self._read(said, call)
        if not wrong:
            return value, said.spent
        repair = replace(call, parts=(), bad=said.text[:_BAD_SHOWN] or "(empty)", wrong=_lines(wrong))
        _log.info("%s: asking once more about %s: %s", self.name, call.about or call.task.value, repair.wrong)
        again = self._said(repair)
        better, still = self._read(again, repair)
        spent = said.spent + again.spent
        if not still:
            return better, spent
        for each in (better, value):
            if each is not None and replies.is_usable(each, call.schema):
                return each, spent
        keys = [tills.key(one, self.name) for one in (call, repair)]
        self.till.refuse(keys, call, self.name, _lines(still), again.text, self.now())
        raise ModelFailed(self.name, f"{'; '.join(map(str, still[:3]))} (asked once more to put it right)")

    def _read(self, said: Said, call: Call) -> tuple[Any, tuple[Problem, ...]]:
        """The value of a reply and what is wrong with it; None where there is none."""
        where = call.about or "the reply"
        if said.finish == "length":
            # What was cut may read well and be incomplete: it is asked in smaller pieces.
            raise TooLong(self.name, "its reply was cut at the limit of what it writes")
        if said.finish == "filter":
            return None, (Problem(where, "filtered", "the provider's content filter held the reply back"),)
        try:
            value = replies.value_of(said.text, call.schema)
        except replies.Unreadable as error:
            return None, (Problem(where, error.rule, str(error)),)
        return value, replies.problems(value, call.schema)

    def _said(self, call: Call) -> Said:
        """The reply of the voice, kept or new."""
        key = tills.key(call, self.name)
        with self._lock:
            lock = self._asking[key]
        with lock:
            kept = self.till.find(key)
            if kept is not None:
                return kept
            if key in self.withheld:
                raise self.withheld[key]
            with self._lock:
                if not self._checked:
                    self.purse.check(self.name, self.voice.price)
                    self._checked = True
            if self._stopped is not None:
                # Whoever let nobody in a moment ago is not asked again for each source.
                raise self._stopped
            with self.purse.reserve(self.expected(call)) as cost:
                said = self._heard(call)
                cost.append(said.spent)
                self.till.pay(key, call, self.name, said, self.now(), self.background)
            return said

    def _heard(self, call: Call) -> Said:
        try:
            return self.pace.run(self.name, lambda: self.voice.say(call))
        except ReplyAwaited:
            raise
        except ModelPaused as pause:
            self._stopped = pause
            raise

    def expected(self, call: Call) -> Spent:
        """About what a call will cost."""
        read = self.voice.count(call.text)
        wrote = self.till.usual(self.name, call.task.value, read) or usual(call)
        price = self.voice.price
        micros = round(read * price[0] + wrote * price[1]) if price else 0
        return Spent(1, read, wrote, 0, micros, 0 if price else 1)

    def _keep(self, question: Question, reply: Reply) -> None:
        if self._record is not None:
            from wikimem.edges.models.recorded import record

            record(self._record, question, reply)


def usual(call: Call) -> int:
    """How many tokens a reply has, where there were none to learn from."""
    if call.task not in COMPILING:
        return _STEP_TOKENS
    if call.task in PAIRS:
        return _PAIR_TOKENS * max(1, call.prompt.count("<pair "))
    # A claim with its quote is about 90 tokens; long sessions have fewer a page.
    return round(min(1800, 120 + 0.17 * len(call.halves[1]) / 4))


def _call(question: Question) -> Call:
    about = question.values.source if isinstance(question.values, View) else ""
    return Call(question.task, question.prompt(), question.schema, about)


def share(whole: int, number: int, parts: int) -> int:
    """A part of a sum, so that all parts give the sum."""
    return whole * number // parts - whole * (number - 1) // parts


def _lines(problems: Sequence[Problem]) -> str:
    return "\n".join(f"- {problem.where}: {problem.message}" for problem in problems)


def _tried(ask: Callable[[Question], Reply], question: Question) -> Reply | Exception:
    try:
        return ask(question)
    except WikimemError as error:
        return error
