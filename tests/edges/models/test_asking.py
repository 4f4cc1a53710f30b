"""Asking: what stands between a question and a voice: the cache, the purse, one repair, and pairs that are asked together."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any

import pytest

from edges.models.asked import Ask, view_of
from wikimem.core.claims import Mention
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.spending import Limit, Spent
from wikimem.edges.models.asking import TOGETHER
from wikimem.edges.models.pace import ATTEMPTS, Pace
from wikimem.edges.models.port import Busy, Call, Paid, Said
from wikimem.edges.models.recorded import Recorded
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed, ModelPaused, TooLong, WorldError

NONE = json.dumps({"claims": []})


class Voice:
    """A voice that says what it is told; ten tokens a call."""

    price = (1.0, 1.0)

    def __init__(self, says: Callable[[Call], str] = lambda call: NONE, name: str = "voice", finish: str = "stop") -> None:
        self.name, self.says, self.finish = name, says, finish
        self.heard: list[Call] = []
        self._lock = Lock()

    def say(self, call: Call) -> Said:
        with self._lock:
            self.heard.append(call)
        return Said(self.says(call), self.finish, Spent(1, 8, 2, 0, 10))

    def count(self, text: str) -> int:
        return 8


def judging(call: Call) -> str:
    """Judges every pair to be different; one pair alone likewise."""
    number = call.prompt.count("<pair number=")
    one = {"reason": "told apart", "relation": "different"}
    return json.dumps({"judgements": [{"pair": n, **one} for n in range(1, number + 1)]} if "judgements" in call.prompt else one)


def pairs(prompts: Prompts, number: int) -> list[Question]:
    """Questions about so many pairs of names."""
    names = [(Mention("", "topic", f"parser {n}"), Mention("", "topic", f"parser no {n}")) for n in range(number)]
    return [prompts.question(Task.MENTIONS, pair) for pair in names]


def test_a_question_is_paid_for_once(asker: Ask, question: Question) -> None:
    voice = Voice()
    first = asker(voice).ask(question)
    again = asker(voice)
    assert again.ask(question) == first
    assert (len(voice.heard), again.spent) == (1, Spent())
    assert isinstance(again, Paid)


def test_another_model_or_prompt_is_another_question(asker: Ask, question: Question, prompts: Prompts) -> None:
    one, other = Voice(), Voice(name="other")
    asker(one).ask(question)
    asker(other).ask(question)
    asker(one).ask(prompts.question(Task.EXTRACT, view_of("something else")))
    assert (len(one.heard), len(other.heard)) == (2, 1)


def test_the_same_question_at_the_same_time_is_asked_once(asker: Ask, question: Question) -> None:
    def slowly(call: Call) -> str:
        sleep(0.05)
        return NONE

    voice = Voice(slowly)
    model = asker(voice)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: model.ask(question).content, range(8)))
    assert found == [{"claims": []}] * 8
    assert len(voice.heard) == 1


def test_a_repair_is_told_what_was_said_and_what_is_wrong(asker: Ask, question: Question) -> None:
    voice = Voice(lambda call: NONE if call.bad else '{"claims": 3}')
    reply = asker(voice).ask(question)
    assert (reply.content, reply.read) == ({"claims": []}, 16)
    first, second = voice.heard
    assert (first.bad, second.bad) == ("", '{"claims": 3}')
    assert "claims: 3 is not of type 'array'" in second.wrong
    assert second.text.startswith(first.prompt) and second.wrong in second.text


def test_an_interrupted_repair_does_not_pay_for_the_first_reply_again(asker: Ask, question: Question) -> None:
    def breaking(call: Call) -> str:
        if call.bad:
            raise WorldError("the power went")
        return "no"

    voice = Voice(breaking)
    with pytest.raises(WorldError, match="power"):
        asker(voice).ask(question)
    voice.says = lambda call: NONE if call.bad else "no"
    asker(voice).ask(question)
    assert [bool(call.bad) for call in voice.heard] == [False, True, True]


def test_a_failed_question_can_be_asked_again(asker: Ask, question: Question) -> None:
    voice = Voice(lambda call: "no")
    model = asker(voice)
    for _ in range(2):
        with pytest.raises(ModelFailed, match="no-json"):
            model.ask(question)
    assert len(voice.heard) == 4


def test_a_budget_is_held_against_what_is_on_its_way(asker: Ask, prompts: Prompts) -> None:
    def slowly(call: Call) -> str:
        sleep(0.02)
        return NONE

    voice = Voice(slowly)
    first = prompts.question(Task.EXTRACT, view_of("word"))
    cost = asker(voice).estimate([first])
    model = asker(voice, Limit(tokens=cost.tokens * 3))
    asked = [prompts.question(Task.EXTRACT, view_of(f"word {n}")) for n in range(40)]

    def one(question: Question) -> bool:
        try:
            model.ask(question)
        except ModelPaused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(one, asked))
    assert 0 < sum(done) < 40
    assert model.spent.tokens <= cost.tokens * 3
    assert len(voice.heard) == sum(done)


def test_pairs_are_asked_together_and_answered_each(asker: Ask, prompts: Prompts) -> None:
    voice, number = Voice(judging), TOGETHER + 5
    model = asker(voice)
    found = model.ask_many(pairs(prompts, number), jobs=2)
    assert len(voice.heard) == 2
    assert [reply.content for reply in found if isinstance(reply, Reply)] == [
        {"reason": "told apart", "relation": "different"}
    ] * number
    assert sum(reply.read for reply in found if isinstance(reply, Reply)) == 16
    again = asker(voice)
    again.ask_many(pairs(prompts, number)[3:7], jobs=1)
    again.ask(pairs(prompts, number)[0])
    assert len(voice.heard) == 2


def test_a_pair_that_a_reply_leaves_out_is_asked_alone(asker: Ask, prompts: Prompts) -> None:
    def lazily(call: Call) -> str:
        told = json.loads(judging(call))
        if "judgements" in told:
            told["judgements"] = told["judgements"][:1]
        return json.dumps(told)

    voice = Voice(lazily)
    found = asker(voice).ask_many(pairs(prompts, 3), jobs=1)
    assert all(isinstance(reply, Reply) for reply in found)
    assert [call.prompt.count("<pair number=") for call in voice.heard] == [3, 1, 1]


def test_a_number_that_is_none_spoils_one_pair_alone(asker: Ask, prompts: Prompts) -> None:
    def wrong(call: Call) -> str:
        told = json.loads(judging(call))
        if "judgements" in told:
            told["judgements"][1]["pair"] = ["2"]
        return json.dumps(told)

    voice = Voice(wrong)
    found = asker(voice).ask_many(pairs(prompts, 3), jobs=1)
    assert all(isinstance(reply, Reply) for reply in found)
    assert [call.prompt.count("<pair number=") for call in voice.heard] == [3, 3, 1]


def test_too_many_pairs_for_one_reply_are_asked_in_halves(asker: Ask, prompts: Prompts) -> None:
    class Short(Voice):
        def say(self, call: Call) -> Said:
            said = super().say(call)
            return Said(said.text, "length" if call.prompt.count("<pair number=") > 3 else "stop", said.spent)

    voice = Short(judging)
    found = asker(voice).ask_many(pairs(prompts, 6), jobs=1)
    assert all(isinstance(reply, Reply) for reply in found)
    assert [call.prompt.count("<pair number=") for call in voice.heard] == [6, 3, 3]


def test_one_that_fails_does_not_take_the_others_with_it(asker: Ask, prompts: Prompts) -> None:
    voice = Voice(lambda call: "no" if "word 1" in call.prompt else NONE)
    asked = [prompts.question(Task.EXTRACT, view_of(f"word {n}")) for n in range(3)]
    found = asker(voice).ask_many(asked, jobs=3)
    assert [type(reply) for reply in found] == [Reply, ModelFailed, Reply]


def test_a_cut_reply_is_too_long_and_not_paid_for_again(asker: Ask, question: Question) -> None:
    voice = Voice(finish="length")
    for _ in range(2):
        with pytest.raises(TooLong):
            asker(voice).ask(question)
    assert len(voice.heard) == 1


def test_every_reply_is_recorded_where_that_is_wished(asker: Ask, prompts: Prompts, question: Question, tmp_path: Path) -> None:
    model = asker(Voice(lambda call: judging(call) if "pair" in call.task else NONE), record=tmp_path / "recording")
    model.ask(question)
    several = pairs(prompts, 3)
    model.ask_many(several, jobs=1)
    recorded = Recorded(tmp_path / "recording")
    assert recorded.ask(question).content == {"claims": []}
    assert [recorded.ask(one).content["relation"] for one in several] == ["different"] * 3


class Sleeper:
    """A clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, []  # type: ignore[var-annotated]

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_calls_begin_no_faster_than_allowed() -> None:
    sleeper = Sleeper()
    pace = Pace(30, sleeper.sleep, lambda: sleeper.now)
    begun: list[float] = []
    for _ in range(4):
        pace.run("voice", lambda: begun.append(sleeper.now))
    assert begun == [0.0, 2.0, 4.0, 6.0]


def test_a_wait_for_one_is_a_wait_for_all() -> None:
    sleeper = Sleeper()
    pace = Pace(0, sleeper.sleep, lambda: sleeper.now)
    tried: list[Any] = []

    def first() -> str:
        tried.append(sleeper.now)
        if len(tried) == 1:
            raise Busy("slow down", limited=True, after=9.0)
        return "done"

    assert pace.run("voice", first) == "done"
    assert tried[1] >= 9.0


@pytest.mark.parametrize(("limited", "error"), [(False, ModelFailed), (True, ModelPaused)])
def test_waiting_has_an_end(limited: bool, error: type[Exception]) -> None:
    sleeper = Sleeper()
    tried: list[int] = []

    def never() -> None:
        tried.append(1)
        raise Busy("not now", limited=limited)

    with pytest.raises(error, match="not now"):
        Pace(0, sleeper.sleep, lambda: sleeper.now).run("voice", never)
    assert len(tried) == ATTEMPTS if not limited else sum(sleeper.slept) < 2000
