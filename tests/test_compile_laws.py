"""The laws of compiling, on generated sessions: any order, any split into runs, any model."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wikimem
from dictated import Dictated, Judged, commits, git, joined, records, tell, wiki
from wikimem.core.questions import Question, Reply
from wikimem.core.screening import TASK
from wikimem.errors import Problem
from wikimem.faces.api import Vault

NAMES = ("retry queue", "retries queue", "the retry queues", "harbour gate")
LINES = tuple(
    f"{type_} | {name} | {attribute} | {text}"
    for name in NAMES
    for type_, attribute, text in (
        ("topic", "port", "The port is 5432."),
        ("topic", "port", "The port is 6432."),
        ("topic", "retry-limit", "Retries stop after 3 attempts. | from=2026-03-05"),
        ("topic", "retry-limit", "Retries stop after 5 attempts. | until=2026-04-01"),
        ("topic", "", "The queue takes ten messages at once."),
        ("topic", "", "The queue takes ten messages in one batch. | stance=preference"),
        ("topic", "", "The queue probably drops messages. | stance=inference | confidence=0.4"),
        ("procedure", "step", "Drain the queue before a release. | kind=procedural | step=1"),
        ("topic", "event", "The queue was moved to berth 4. | kind=episodic | from=2026-03-01"),
    )
)
RELATIONS = ("same", "replaces", "denies", "contradicts", "a-refines-b", "unrelated")
TEXTS = sorted({line.split("|")[3].strip() for line in LINES})
EXAMPLES = 4
# Without shrinking: each example makes two vaults, and a failing one is small enough to be read.
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.reuse, Phase.generate))


@dataclass(frozen=True)
class History:
    """Sessions, and what is answered about pairs."""

    sessions: tuple[bytes, ...]
    judged: Judged


@st.composite
def histories(draw: st.DrawFn) -> History:
    told: list[list[dict[str, Any]]] = []
    for number in range(draw(st.integers(2, 5))):
        day = draw(st.sampled_from(["2026-03-02", "2026-03-02T09:02", "2026-03-05", "2026-03-09T23:50"]))
        said = draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=4))
        own = records(f"s{number}", day, *said)
        if told and draw(st.booleans()):
            # A fork: the turns of another session up to some point under its own id, then turns of its own.
            copied = draw(st.sampled_from(told))
            own = [*({**turn, "sessionId": f"s{number}"} for turn in copied[: draw(st.integers(1, len(copied)))]), *own]
        told.append(own)
    judged = {}
    for known, relations in ((TEXTS, RELATIONS), (NAMES, ("same", "different"))):
        for _ in range(draw(st.integers(0, 4))):
            one, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
            judged[frozenset({one, other})] = draw(st.sampled_from(relations))
    return History(tuple(joined(each) for each in told), judged)


@contextmanager
def an_empty_vault() -> Iterator[Vault]:
    with tempfile.TemporaryDirectory() as folder:
        yield wikimem.create(Path(folder) / "memory")


@settings(SLOW, max_examples=EXAMPLES)
@given(histories(), st.randoms(use_true_random=False))
def test_any_order_in_any_runs_gives_the_same_wiki(history: History, chance: random.Random) -> None:
    with an_empty_vault() as vault, an_empty_vault() as other:
        tell(vault, *history.sessions)
        report = vault.compile(model=Dictated(history.judged))
        assert [one.reason for one in report.outcomes] == [""] * len(report.outcomes)
        once = wiki(vault)
        order = chance.sample(history.sessions, len(history.sessions))
        cut = chance.randint(0, len(order))
        tell(other, *order[:cut])
        other.compile(model=Dictated(history.judged), jobs=2, limit=chance.randint(1, 3))
        tell(other, *order[cut:])
        other.compile(model=Dictated(history.judged), jobs=2, limit=chance.randint(1, 2))
        other.compile(model=Dictated(history.judged), jobs=2)
        assert wiki(other) == once
        # And again: nothing to do, nothing done; nor does a recompile find anything.
        head = commits(other)
        again = other.compile(model=Dictated(history.judged))
        assert (again.outcomes, again.settled, commits(other)) == ([], "", head)
        found = other.recompile(check=True, model=Dictated(history.judged))
        assert (found.files, found.pages, found.problems) == ((), (), [])
        assert other.verify().problems == ()
        assert git(other.root, "status", "--porcelain") == ""


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
places = st.sampled_from(["L1", "L2", "L3", "L3-2", "L99", "", "agent-a/L1"]) | st.text(max_size=5)
words = st.sampled_from(["Moor at berth 4.", "berth 4", "berth 5", "not", "ok", "", "Never", "\u2028", "memory"]) | st.text(
    max_size=9
)
quotes = st.fixed_dictionaries(
    {"at": places, "words": words},
    optional={
        "speaker": st.sampled_from(["human", "assistant", "tool", "nobody"]) | garbage,
        "from": st.sampled_from(["2026-03-02", "tomorrow", "2026-13-45"]) | garbage,
        "until": garbage,
        "until_basis": garbage,
        "proposal": st.fixed_dictionaries({"at": places, "words": words}) | garbage,
    },
)
hostile = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["topic", "person", "synthesis", "../.."]) | garbage,
        "subject": st.sampled_from(["berth", "../../etc", "index", "CON", "a\x00b", "[^aaaaaaaaaaaa]"]) | st.text(max_size=12),
        "scope": st.sampled_from(["project", "user", "", "agent"]),
        "kind": st.sampled_from(["episodic", "semantic", "procedural", "x"]),
        "stance": st.sampled_from(["fact", "preference", "evidence", "inference", "opinion"]),
        "text": st.sampled_from(
            [
                "Ships moor at berth 4.",
                "Ships moor at berth 4. (since 2026-01-01) [^aaaaaaaaaaaa]",
                "# Facts",
                "<<<<<<< HEAD",
                "=" * 7,
            ]
        )
        | st.text(max_size=40)
        | garbage,
        "quotes": st.lists(quotes | garbage, max_size=3) | garbage,
    },
    optional={
        "attribute": st.sampled_from(["port", "status", "convention", "nonsense"]) | garbage,
        "confidence": garbage,
        "step": garbage,
        "sensitive": garbage,
        "code": garbage,
        "reason": garbage,
    },
)
replies = st.fixed_dictionaries(
    {"claims": st.lists(hostile | garbage, max_size=6) | garbage},
    optional={"episode": garbage | st.fixed_dictionaries({"asked": st.text()})},
)


class Hostile:
    """A model that answers anything."""

    name, edition, reads_prompts = "hostile", "", False

    def __init__(self, answers: list[Any]) -> None:
        self.answers = answers

    def ask(self, question: Question) -> Reply:
        return Reply(self.answers.pop() if self.answers else {"claims": []})


SAID = (
    "Moor at berth 4.",
    ("assistant", "Berth 5 it is, never berth 6."),
    ("tool", "berth 4: ok, memory left: 5 GB"),
    "Not berth 6. Berth 5, ok?",
)


@settings(SLOW, max_examples=3 * EXAMPLES)
@given(st.lists(replies | garbage, min_size=1, max_size=6))
def test_no_model_can_put_a_claim_on_a_page_whose_quote_does_not_stand(answers: list[Any]) -> None:
    with an_empty_vault() as vault:
        tell(vault, *(joined(records(f"s{n}", f"2026-03-0{n}", *SAID)) for n in (1, 2)))
        report = vault.compile(model=Hostile(answers))
        assert all(bool(one.commit) != bool(one.reason) for one in report.outcomes)
        # What stands on a page was found in its turn by `verify`, which asks no model.
        proof = vault.verify()
        assert proof.problems == ()
        files = {path for path in wiki(vault) if path.startswith(".claims/2026/")}
        assert len(files) == sum(not one.reason for one in report.outcomes)
        head = commits(vault)
        vault.compile(model=Hostile([]), limit=0) if not files else None
        vault.compile(model=Hostile([]))
        assert git(vault.root, "status", "--porcelain") == ""
        assert len(commits(vault)) >= len(head)


def problems(vault: Vault) -> set[str]:
    """The rules that `verify` finds broken."""
    found: tuple[Problem, ...] = vault.verify().problems
    return {problem.rule for problem in found}


def test_a_session_of_our_own_compiler_is_no_evidence_to_any_model() -> None:
    with an_empty_vault() as vault:
        tell(vault, joined(records("own", "2026-03-02", f'{TASK} name="extract"> Moor at berth 4.', "Moor at berth 4.")))
        claim = {"type": "topic", "subject": "berth", "scope": "", "kind": "semantic", "stance": "fact", "text": "Ships moor."}
        vault.compile(model=Hostile([{"claims": [claim | {"quotes": [{"at": "L2", "words": "Moor at berth 4."}]}]}]))
        assert vault.status().claims == 0
        assert problems(vault) == set()
