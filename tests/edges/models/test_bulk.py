"""Bulk: batches, through the real libraries of OpenAI and Anthropic, and whatever can become of them on their way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from edges.models.asked import Ask, view_of
from edges.models.bureau import WELL, Bureau, Ending
from edges.models.server import Server, prompt_of, remembering
from wikimem.core.claims import Mention
from wikimem.core.questions import Question, Task
from wikimem.core.spending import NO_LIMIT, Limit, Terms
from wikimem.edges import models
from wikimem.edges.models.asking import TOGETHER, Asker
from wikimem.edges.models.batches import Batch, Batches, Courier, Stage
from wikimem.edges.models.bulk import Bulk
from wikimem.edges.models.litellm import LiteLLM
from wikimem.edges.models.port import Call, Model, Said
from wikimem.edges.prompts import Prompts
from wikimem.errors import BatchAwaited, ModelFailed, ModelPaused, TooLong, WorldError

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.usefixtures("met_here"),
]

NAMES = {"openai": "openai/scripted", "azure": "azure/scripted", "anthropic": "anthropic/scripted"}
Make = Callable[..., tuple[Asker, Bulk]]


@pytest.fixture(params=["openai", "anthropic"])
def service(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who carries the batches."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    return str(request.param)


@pytest.fixture
def make(asker: Ask, tmp_path: Path) -> Make:
    """Makes an asker and its bulk; all of a test share till and folder, as runs of one vault do."""

    def made(server: Server, service: str = "openai", budget: Limit = NO_LIMIT, **more: Any) -> tuple[Asker, Bulk]:
        base = server.base if service == "openai" else server.root
        terms = Terms(api_base=base, seconds=5, price=(2.0, 8.0))
        # As another process would, it is told what is out.
        told = models.named(NAMES[service], tmp_path, terms, lambda: "2026-07-01T09:00:00Z")
        assert isinstance(told, Asker)
        model = asker(told.voice, budget)
        model.withheld |= told.withheld
        assert isinstance(model.voice, LiteLLM)
        carried: Callable[[Courier], Courier] = more.pop("carried", lambda courier: courier)
        return model, Bulk(model, carried(model.voice.courier()), tmp_path / "batches", sleep=lambda seconds: None, **more)

    return made


@pytest.fixture
def questions(prompts: Prompts) -> list[Question]:
    """Three sessions, asked about."""
    return [
        prompts.question(Task.EXTRACT, view_of(f"remember zone {n}: Zone {n} is locked at night.", source=f"session-{n}"))
        for n in range(3)
    ]


def asking(questions: Sequence[Question]) -> Callable[[Model], None]:
    """Asks each, whatever becomes of the others, as a compile does."""

    def ask(model: Model) -> None:
        for question in questions:
            with suppress(ModelFailed):
                model.ask(question)

    return ask


def fetch(bulk: Bulk, questions: Sequence[Question]) -> list[str]:
    said: list[str] = []
    bulk.fetch(asking(questions), said.append)
    return said


def outcome(model: Asker, question: Question) -> str:
    """The first claim's text, or the kind of the error."""
    try:
        return str(model.ask(question).content["claims"][0]["text"])
    except ModelFailed as error:
        return type(error).__name__


ALL = [f"Zone {n} is locked at night." for n in range(3)]


def test_what_a_batch_answered_is_kept_at_half_the_price(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering) as server:
        model, bulk = make(server, service)
        said = fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert server.requests == []
        assert (server.bureau.asked, len(server.bureau.batches)) == (3, 1)
    assert (model.spent.calls, model.spent.read, model.spent.wrote, model.spent.cached) == (3, server.read, server.wrote, 21)
    assert abs(model.spent.micros - (server.read + 4 * server.wrote)) <= 3
    assert said == [
        f"Sent 3 requests as batch batch_1 to {service}; this can be interrupted and gone on with.",
        "Batch batch_1 completed: 3 of 3 replies.",
    ]


def test_azures_batches_go_the_same_way(make: Make, questions: list[Question], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_API_KEY", "none")
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    with Server(remembering, bureau=Bureau([Ending("expired", done=2, lost=True)])) as server:
        model, bulk = make(server, "azure")
        fetch(bulk, questions)
        assert sorted(outcome(model, question) for question in questions) == ["ModelPaused", *ALL[:2]]
        (batch,) = server.bureau.batches.values()
    assert {request["url"] for request in batch.requests} == {"/chat/completions"}


def test_what_went_up_does_not_stay_there(make: Make, questions: list[Question]) -> None:
    with Server(remembering) as server:
        fetch(make(server)[1], questions)
        assert server.bureau.files == {}


def test_a_request_of_a_batch_says_what_one_alone_says(make: Make, questions: list[Question]) -> None:
    with Server(remembering) as server:
        model, bulk = make(server)
        fetch(bulk, questions[:1])
        model.ask(questions[1])
        (batch,) = server.bureau.batches.values()
        alone = server.requests[0]
    inside = batch.requests[0]["body"]
    assert inside.keys() <= alone.keys()
    assert {**inside, "messages": []} == {**{name: alone[name] for name in inside}, "messages": []}
    assert inside["messages"][0] == alone["messages"][0]


def test_a_batch_is_waited_for_and_told_of(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering, bureau=Bureau([Ending(looks=3)])) as server:
        model, bulk = make(server, service)
        said = fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert server.bureau.batches["batch_1"].looked >= 3
    assert said[1] == "Batch batch_1: 0 of 3 done."


ENDS: dict[str, tuple[Ending, list[str], str]] = {
    "expired": (Ending("expired", done=1), ["", "ModelPaused", "ModelPaused"], "expired"),
    "cancelled": (Ending("cancelled", done=2), ["", "", "ModelPaused"], "cancel|expired"),
    "a failure": (Ending(wrong={1: "error"}), ["", "ModelFailed", ""], "its request failed in the batch: .*played"),
    "a line that is none": (Ending(wrong={1: "malformed"}), ["", "ModelFailed", ""], "without a reply to it that can be read"),
    "nothing at all": (Ending(wrong={1: "missing"}), ["", "ModelFailed", ""], "without a reply to it that can be read"),
    "too long": (Ending(wrong={1: "long"}), ["", "TooLong", ""], "longer than it reads"),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_a_batch_did_not_answer_is_withheld_with_its_reason(
    make: Make, questions: list[Question], service: str, end: str
) -> None:
    ending, outcomes, reason = ENDS[end]
    with Server(remembering, bureau=Bureau([ending])) as server:
        model, bulk = make(server, service)
        fetch(bulk, questions)
        order = [request["custom_id"] for request in server.bureau.batches["batch_1"].requests]
        assert [outcome(model, question) for question in questions] == [
            kind or text for kind, text in zip(outcomes, ALL, strict=True)
        ]
        with pytest.raises(ModelFailed, match=reason):
            model.ask(questions[outcomes.index(next(filter(None, outcomes)))])
        assert server.requests == []
        # Another run asks for what is left, and for nothing else.
        model, bulk = make(server, service)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        again = [request["custom_id"] for request in server.bureau.batches["batch_2"].requests]
    assert again == [key for key, kind in zip(order, outcomes, strict=True) if kind]
    # Of a reply that was given and cannot be read, nothing can be kept.
    assert server.given.total() == (4 if {"malformed", "missing"} & {*ending.wrong.values()} else 3)


def test_a_batch_that_its_service_does_not_take_is_no_answer(make: Make, questions: list[Question]) -> None:
    with Server(remembering, bureau=Bureau([Ending("failed")])) as server:
        model, bulk = make(server)
        fetch(bulk, questions)
        with pytest.raises(ModelFailed, match=r"token_limit_exceeded.*--limit N"):
            model.ask(questions[0])
        assert (server.given.total(), len(server.bureau.batches)) == (0, 1)


@pytest.mark.parametrize(("status", "kind"), [(400, ModelFailed), (401, ModelPaused), (404, ModelPaused)])
def test_a_batch_that_is_refused_at_once_leaves_nothing_behind(
    make: Make, questions: list[Question], service: str, status: int, kind: type[Exception], tmp_path: Path
) -> None:
    with Server(remembering, bureau=Bureau([Ending(refused=status)])) as server:
        model, bulk = make(server, service)
        fetch(bulk, questions)
        with pytest.raises(kind):
            model.ask(questions[0])
    assert list((tmp_path / "batches").glob("*.json")) == []


def test_a_batch_that_nobody_knows_any_more_is_not_asked_anew_unbidden(
    make: Make, questions: list[Question], service: str, tmp_path: Path
) -> None:
    with Server(remembering, bureau=Bureau([Ending(looks=9)])) as server:
        _, bulk = make(server, service, carried=lambda courier: Breaking(courier, 1, "look"))
        with pytest.raises(Killed):
            fetch(bulk, questions)
        server.bureau.batches.clear()
        _, bulk = make(server, service)
        said: list[str] = []
        with pytest.raises(ModelPaused, match="no such thing"):
            bulk.fetch(asking(questions), said.append)
        (path,) = (tmp_path / "batches").glob("*.json")
        assert said == [f"To give up batch batch_1 and ask anew, delete {path}."]
        path.unlink()
        fetch(make(server, service)[1], questions)
        assert len(server.bureau.batches) == 1


class Killed(BaseException):
    """What a test ends a run with."""


class Breaking:
    """A courier at whose side a run ends, before or after the given call of a method.

    Args:
        courier: who is asked.
        number: before which call, from 1; negative for after.
        name: of which method; '' for any.
        error: what ends the run.
    """

    def __init__(self, courier: Courier, number: int, name: str = "", error: type[BaseException] = Killed) -> None:
        self.service, self.price = courier.service, courier.price
        self._courier, self._number, self._name, self._error, self.calls = courier, number, name, error, 0

    def _do(self, name: str, call: Callable[[], Any]) -> Any:
        counts = self._name in ("", name)
        self.calls += counts
        if counts and self.calls == self._number:
            raise self._error
        done = call()
        if counts and self.calls == -self._number:
            raise self._error
        return done

    def line(self, key: str, call: Call) -> bytes:
        return self._courier.line(key, call)

    def send(self, name: str, lines: Sequence[bytes]) -> str:
        return str(self._do("send", lambda: self._courier.send(name, lines)))

    def find(self, batch: Batch) -> str:
        return str(self._do("find", lambda: self._courier.find(batch)))

    def look(self, id: str) -> Stage:
        found = self._do("look", lambda: self._courier.look(id))
        assert isinstance(found, Stage)
        return found

    def replies(self, id: str) -> Iterator[tuple[str, Said | ModelFailed]]:
        return iter(self._do("replies", lambda: list(self._courier.replies(id))))

    def clear(self, id: str) -> None:
        self._do("clear", lambda: self._courier.clear(id))


def test_killed_at_any_call_nothing_is_paid_for_twice(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering, bureau=Bureau([Ending(looks=2)] * 99)) as server:
        kills = 0
        for number in [each for n in range(1, 9) for each in (n, -n)]:
            asked = [*questions]
            _, bulk = make(server, service, carried=lambda courier, number=number: Breaking(courier, number))
            try:
                fetch(bulk, asked)
            except Killed:
                kills += 1
        model, bulk = make(server, service)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert (server.given.total(), max(server.given.values()), server.requests) == (3, 1, [])
    assert kills >= 2


@pytest.mark.parametrize("number", [1, -1])
@pytest.mark.parametrize("method", ["send", "look", "replies", "clear"])
def test_killed_in_each_stage_the_next_run_goes_on_from_there(
    make: Make, questions: list[Question], service: str, method: str, number: int, tmp_path: Path
) -> None:
    with Server(remembering) as server:
        _, bulk = make(server, service, carried=lambda courier: Breaking(courier, number, method))
        with pytest.raises(Killed):
            fetch(bulk, questions)
        model, bulk = make(server, service)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert (server.given.total(), max(server.given.values()), server.requests) == (3, 1, [])
        assert (server.bureau.asked, list((tmp_path / "batches").glob("*.json"))) == (3, [])
        spent = model.till.spent()
    assert (spent.calls, spent.read, spent.wrote) == (3, server.read, server.wrote)


@pytest.mark.parametrize("method", ["send", "look", "replies"])
def test_interrupted_it_says_how_to_go_on(make: Make, questions: list[Question], service: str, method: str) -> None:
    with Server(remembering) as server:
        _, bulk = make(server, service, carried=lambda courier: Breaking(courier, 1, method, KeyboardInterrupt))
        with pytest.raises(BatchAwaited, match=r"at work on\. Run again with --batch to take the replies") as told:
            fetch(bulk, questions)
        assert told.value.exit_code == 3
        fetch(make(server, service)[1], questions)
        assert server.bureau.asked == 3


def test_a_batch_whose_making_was_not_answered_is_found_again(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering, bureau=Bureau([Ending(lost=True)])) as server:
        model, bulk = make(server, service)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert (len(server.bureau.batches), max(server.given.values())) == (1, 1)


def test_a_batch_of_others_is_not_taken_for_ours(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering) as server:
        make(server, service)[1].fetch(asking(questions[:2]), lambda said: None)
        _, bulk = make(server, service, carried=lambda courier: Breaking(courier, 1, "send"))
        with pytest.raises(Killed):
            fetch(bulk, questions[2:])
        model, bulk = make(server, service)
        fetch(bulk, questions[2:])
        assert outcome(model, questions[2]) == ALL[2]
        assert [len(batch.requests) for batch in server.bureau.batches.values()] == [2, 1]


def test_what_is_in_a_batch_is_not_asked_alone_meanwhile(make: Make, prompts: Prompts, questions: list[Question]) -> None:
    with Server(remembering, bureau=Bureau([WELL, WELL])) as server:
        _, bulk = make(server, carried=lambda courier: Breaking(courier, 1, "look"))
        with pytest.raises(Killed):
            fetch(bulk, questions)
        model, _ = make(server)
        with pytest.raises(BatchAwaited, match="batch_1, which openai is at work on"):
            model.ask(questions[0])
        _, bulk = make(server, carried=lambda courier: Breaking(courier, -1, "send"))
        with pytest.raises(Killed):
            bulk.fetch(lambda model: judged(model, pairs(prompts, 5)), lambda said: None)
        model, _ = make(server)
        assert [type(reply).__name__ for reply in model.ask_many(pairs(prompts, 7)[2:], 1)][:3] == ["BatchAwaited"] * 3
        assert [prompt_of(body).count("<pair number=") for body in server.requests] == [2]


def pairs(prompts: Prompts, number: int) -> list[Question]:
    names = [(Mention("", "topic", f"parser {n}"), Mention("", "topic", f"parser no {n}")) for n in range(number)]
    return [prompts.question(Task.MENTIONS, pair) for pair in names]


def judged(model: Model, questions: Sequence[Question]) -> None:
    assert isinstance(model, Asker)
    model.ask_many(questions, 2)


def test_pairs_go_together_and_each_reply_is_kept_by_itself(make: Make, prompts: Prompts, service: str) -> None:
    with Server(remembering) as server:
        model, bulk = make(server, service)
        every = pairs(prompts, TOGETHER + 5)
        bulk.fetch(lambda model: judged(model, every), lambda said: None)
        assert [len(batch.requests) for batch in server.bureau.batches.values()] == [2]
        for some in (every[3:9], every[::2], every):
            found = model.ask_many(some, 1)
            assert {reply.content["relation"] for reply in found if not isinstance(reply, Exception)} == {"different"}
        assert server.requests == []
        assert sum(reply.read for reply in model.ask_many(every, 1) if not isinstance(reply, Exception)) == server.read


def test_a_reply_to_be_put_right_is_asked_for_once_more_alone(make: Make, questions: list[Question]) -> None:
    def first_badly(prompt: str) -> Any:
        return remembering(prompt) if "Zone 1" not in prompt or "cannot be used" in prompt else {"facts": []}

    with Server(first_badly) as server:
        model, bulk = make(server)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert ([len(body["messages"]) for body in server.requests], server.bureau.asked) == ([4], 3)


def test_a_budget_is_kept_before_anything_goes_up(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering) as server:
        model, bulk = make(server, service, Limit(tokens=100))
        fetch(bulk, questions)
        with pytest.raises(ModelPaused, match="budget of 100 tokens"):
            model.ask(questions[0])
        assert (server.bureau.batches, server.bureau.files, server.requests) == ({}, {}, [])


def test_what_a_budget_has_room_for_goes_up_at_half_the_price(make: Make, questions: list[Question]) -> None:
    with Server(remembering) as server:
        whole = make(server)[1].estimate(questions)
        alone = make(server)[0].estimate(questions)
        assert abs(2 * whole.micros - alone.micros) <= 3
        model, bulk = make(server, budget=Limit(micros=whole.micros * 3 // 4))
        fetch(bulk, questions)
        assert sorted(outcome(model, question) for question in questions) == ["ModelPaused", *ALL[:2]]
        assert model.spent.micros <= whole.micros * 3 // 4


def test_a_batch_that_is_paid_for_is_taken_whatever_the_budget(make: Make, questions: list[Question]) -> None:
    with Server(remembering) as server:
        _, bulk = make(server, carried=lambda courier: Breaking(courier, 1, "look"))
        with pytest.raises(Killed):
            fetch(bulk, questions)
        model, bulk = make(server, budget=Limit(tokens=1))
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert model.spent.calls == 3


def test_many_requests_are_several_batches(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering) as server:
        model, bulk = make(server, service, most=2)
        fetch(bulk, questions)
        assert [outcome(model, question) for question in questions] == ALL
        assert [len(batch.requests) for batch in server.bureau.batches.values()] == [2, 1]


def test_a_file_of_a_batch_that_cannot_be_read_is_not_passed_over(make: Make, tmp_path: Path) -> None:
    (tmp_path / "batches").mkdir()
    (tmp_path / "batches" / "x.json").write_text(json.dumps({"name": "x"}))
    with Server(remembering) as server, pytest.raises(WorldError, match=r"x\.json cannot be used.*delete it to ask anew"):
        make(server)


def test_the_batches_of_another_model_are_left_alone(tmp_path: Path) -> None:
    batches = Batches(tmp_path)
    batches.put(Batch("a", "openai/one", "openai", "batch_1", "2026-07-01T09:00:00Z", ()))
    assert batches.every("openai/other") == ()
    assert [batch.id for batch in batches.every("openai/one")] == ["batch_1"]


def test_a_question_that_is_too_long_is_told_so(make: Make, questions: list[Question], service: str) -> None:
    with Server(remembering, bureau=Bureau([Ending(wrong={0: "long"})])) as server:
        model, bulk = make(server, service)
        fetch(bulk, questions)
        with pytest.raises(TooLong):
            model.ask(questions[0])
