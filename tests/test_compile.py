"""Compile: one commit a source, newest first; what fails waits with its reason; nothing to do means nothing done."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dictated import Dictated, Scripted, check, commits, git, session, tell, wiki
from wikimem.edges.models.recorded import Recorded, record
from wikimem.errors import GitBusy
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
CHECKOUT = "project | checkout service | language | The checkout service is written in Go."


@pytest.fixture
def three(vault: Vault) -> list[str]:
    """Three sessions, oldest first, the middle one of another project."""
    return tell(
        vault,
        session("one", "2026-03-02", LIMIT.format(3), ("assistant", "Noted.")),
        session("two", "2026-03-04", CHECKOUT, cwd="/home/sam/quay"),
        session("three", "2026-03-06", LIMIT.format(5)),
    )


def test_one_commit_a_source_newest_first(vault: Vault, three: list[str]) -> None:
    before = len(commits(vault))
    report = vault.compile(model=Dictated())
    assert [one.source for one in report.outcomes] == [*reversed(three)]
    assert [one.commit for one in reversed(report.outcomes)] == commits(vault)[: len(three)]
    assert len(commits(vault)) == before + len(three)
    assert [one.claims for one in report.outcomes] == [1, 1, 1]
    check(vault)


def test_a_commit_says_what_it_changed_in_a_form_that_git_reads(vault: Vault, three: list[str]) -> None:
    vault.compile(model=Dictated())
    message = git(vault.root, "log", "-1", "--format=%B", f"--grep={three[2]}")
    subject, empty, *body = message.splitlines()
    assert subject == "compile: Payment retries (+1 ~0 -0)"
    assert empty == ""
    assert body[0] == f"{three[2]} (2026-03-06, claude-code, project harbour)"
    assert "  + Retries stop after 5 attempts." in body
    assert f"      human 2026-03-06 {three[2]}:L1 “Retries stop after 5 attempts.”" in body
    trailers = git(vault.root, "interpret-trailers", "--parse", data=message.encode()).splitlines()
    assert trailers == [
        "Wiki-Op: compile",
        f"Source: {three[2]}",
        "Model: dictated",
        "Prompts: 1",
        "Tokens: 100 in, 10 out",
        "Claims: +1 ~0 -0",
        "Risk: low",
    ]


def test_a_commit_of_an_older_source_says_what_it_adds_to_history(vault: Vault, three: list[str]) -> None:
    vault.compile(model=Dictated())
    message = git(vault.root, "log", "-1", "--format=%B", f"--grep={three[0]}")
    assert message.splitlines()[0] == "compile: Payment retries (+1 ~0 -0)"
    assert "Retries stop after 3 attempts." in message
    assert "superseded" in message


def test_a_page_tells_claims_in_order_of_time(vault: Vault, three: list[str]) -> None:
    vault.compile(model=Dictated())
    page = wiki(vault)["topics/payment-retries.md"].decode()
    assert "\n- Retries stop after 5 attempts. [^" in page
    assert "\n- ~~Retries stop after 3 attempts.~~ (until 2026-03-06, superseded by [^" in page


def test_nothing_to_do_is_no_commit_and_no_write(vault: Vault, three: list[str]) -> None:
    vault.compile(model=Dictated())
    head, shown = commits(vault), stamps(vault)
    model = Dictated()
    report = vault.compile(model=model)
    assert (report.outcomes, report.settled, report.problems) == ([], "", [])
    assert (commits(vault), stamps(vault), model.asked) == (head, shown, [])


def test_an_empty_vault_has_nothing_to_compile(vault: Vault) -> None:
    head = commits(vault)
    report = vault.compile(model=Dictated())
    assert (report.outcomes, report.settled, commits(vault)) == ([], "", head)
    assert git(vault.root, "status", "--porcelain") == ""


def stamps(vault: Vault) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (vault.root / "wiki").rglob("*")}


@pytest.mark.parametrize(
    ("wish", "taken", "left"),
    [
        ({"since": "2026-03-04"}, [2, 1], 1),
        ({"project": "quay"}, [1], 2),
        ({"limit": 1}, [2], 2),
        ({"limit": 1, "project": "harbour"}, [2], 2),
        ({"since": "2026-04-01"}, [], 3),
        ({"project": "elsewhere"}, [], 3),
    ],
)
def test_a_wish_takes_some_and_the_next_compile_the_others(
    vault: Vault, three: list[str], wish: dict[str, object], taken: list[int], left: int
) -> None:
    report = vault.compile(model=Dictated(), **wish)  # type: ignore[arg-type]
    assert [three.index(one.source) for one in report.outcomes] == taken
    assert report.filtered == left
    assert vault.status().pending == left
    assert len(vault.compile(model=Dictated()).outcomes) == left
    assert vault.status().pending == 0


def test_a_dry_run_asks_nobody_and_writes_nothing(vault: Vault, three: list[str]) -> None:
    before, head, model = stamps(vault), commits(vault), Dictated()
    report = vault.compile(dry_run=True, model=model)
    assert [sidecar.id for sidecar in report.pending] == [*reversed(three)]
    assert (report.outcomes, model.asked, stamps(vault), commits(vault)) == ([], [], before, head)


def test_several_jobs_give_the_same_bytes(
    vault: Vault, three: list[str], tmp_path: Path, reopen: Callable[[Vault], Vault]
) -> None:
    git(tmp_path, "clone", "-q", str(vault.root), str(tmp_path / "other"))
    other = Vault.open(tmp_path / "other")
    vault.compile(model=Dictated())
    assert [one.source for one in other.compile(model=Dictated(), jobs=2).outcomes] == [*reversed(three)]
    assert wiki(other) == wiki(vault)


def test_a_failed_source_waits_with_its_reason_and_the_others_go_on(vault: Vault, three: list[str]) -> None:
    report = vault.compile(model=Dictated(fails=["checkout service"]))
    reasons = [one.reason for one in report.outcomes]
    assert (reasons[0], reasons[2]) == ("", "")
    assert "it was told to fail here" in reasons[1]
    assert "topics/payment-retries.md" in wiki(vault)
    assert vault.status().pending == 1
    assert vault.status().held == {three[1]: reasons[1]}
    assert [one.reason for one in vault.compile(model=Dictated()).outcomes] == [""]
    assert (vault.status().pending, vault.status().held) == (0, {})
    check(vault)


@pytest.mark.parametrize("reply", [None, [], "claims", {"claims": {}}, {"claim": []}, 3.5, {"claims": None}])
def test_a_reply_that_is_none_keeps_the_source_pending(vault: Vault, three: list[str], reply: object) -> None:
    head = commits(vault)
    report = vault.compile(model=Scripted(reply), limit=1)
    assert "no object with a list" in report.outcomes[0].reason
    assert commits(vault) == head
    assert vault.status().held == {three[2]: report.outcomes[0].reason}
    assert vault.status().pending == 3


@pytest.mark.parametrize("reply", [{"relation": "bigger", "reason": ""}, {}, [], {"relation": ["same"]}, {"relation": {}}])
def test_a_judgement_that_is_none_keeps_the_source_pending(vault: Vault, reply: object) -> None:
    queue = "topic | queue | | The queue {} messages in one batch."
    newer = tell(vault, session("b", "2026-03-08", queue.format("takes ten")))[0]
    vault.compile(model=Dictated())
    older = tell(vault, session("a", "2026-03-02", queue.format("takes at most ten")))[0]

    class Undecided(Dictated):
        def ask(self, question):  # type: ignore[no-untyped-def]
            told = super().ask(question)
            return told if "claims" in told.content else type(told)(reply)

    (outcome,) = vault.compile(model=Undecided()).outcomes
    assert "about a pair of claims" in outcome.reason
    assert vault.status().held == {older: outcome.reason}
    assert f"sessions/2026/03/{older}.md" not in wiki(vault)
    assert f"sessions/2026/03/{newer}.md" in wiki(vault)
    assert vault.compile(model=Dictated()).outcomes[0].commit
    check(vault)


def test_what_is_volatile_is_refused_and_kept_as_a_refusal(vault: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", "topic | pump house | status | The pump house is being painted."))
    report = vault.compile(model=Dictated())
    assert (report.outcomes[0].claims, report.outcomes[0].refused) == (0, 1)
    assert refusals(vault, source) == [
        {
            "rule": "volatile",
            "at": "L1",
            "reason": "status is true only for the moment",
            "text": "The pump house is being painted.",
        }
    ]
    assert not any(path.startswith("topics/") for path in wiki(vault))


def refusals(vault: Vault, source: str) -> list[dict[str, str]]:
    lines = (vault.root / "wiki/.claims/2026/03" / f"{source}.jsonl").read_text().splitlines()
    return [told["refused"] for told in map(json.loads, lines) if "refused" in told]


@pytest.mark.parametrize(
    ("line", "rule", "words"),
    [
        ("topic | vault door | | The door code is [masked:password] for all.", "secret", "door code"),
        ("person | Ines | | Ines was diagnosed with asthma as a child.", "sensitive", "asthma"),
        ("person | Ines | | Ines keeps bees on the roof. | sensitive=yes", "sensitive", "bees"),
    ],
)
def test_refusals_for_secrets_and_approval_hold_no_word(vault: Vault, line: str, rule: str, words: str) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", "Good morning.", line))
    vault.compile(model=Dictated())
    (refusal,) = refusals(vault, source)
    assert refusal["rule"] == rule
    assert "text" not in refusal
    assert words not in json.dumps(refusal)
    assert words not in git(vault.root, "log", "-1", "--format=%B", "--", "wiki")
    pages = {path: text for path, text in wiki(vault).items() if not path.startswith("sessions/")}
    assert not [path for path, text in pages.items() if words.encode() in text]


def test_a_claim_that_fits_no_schema_is_refused_and_the_others_are_used(vault: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", LIMIT.format(3)))
    good = {"type": "topic", "subject": "retries", "scope": "project", "kind": "semantic", "stance": "fact"}
    good |= {"text": "Retries stop after 3 attempts.", "quotes": [{"at": "L1", "words": "Retries stop after 3 attempts."}]}
    report = vault.compile(model=Scripted({"claims": [good, good | {"stance": "gospel"}, 7]}))
    assert (report.outcomes[0].claims, report.outcomes[0].refused) == (1, 2)
    assert {told["rule"] for told in refusals(vault, source)} == {"schema"}


def test_a_session_without_evidence_is_compiled_without_asking(vault: Vault) -> None:
    source = tell(vault, session("one", "2026-03-02", "<wikimem-task name='extract'> What matters?", ("assistant", "{}")))[0]
    model = Dictated()
    (outcome,) = vault.compile(model=model).outcomes
    assert (model.asked, outcome.claims, bool(outcome.commit)) == ([], 0, True)
    assert f"sessions/2026/03/{source}.md" in wiki(vault)
    assert vault.status().pending == 0
    check(vault)


def test_a_card_has_at_most_forty_lines(vault: Vault) -> None:
    many = [f"topic | part {n} | | Part {n} is kept on shelf number {n}." for n in range(40)]
    calls = [("tool", f"made {n}") for n in range(20)]
    (source,) = tell(vault, session("one", "2026-03-02", *many, *calls))
    vault.compile(model=Dictated())
    card = wiki(vault)[f"sessions/2026/03/{source}.md"].decode()
    assert len(card.splitlines()) <= 40
    assert "and 29 more" in card
    assert vault.compile(model=Dictated()).outcomes == []


def test_replies_recorded_for_one_question_answer_no_other(vault: Vault, three: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    dictated = Dictated()

    class Recording(Dictated):
        def ask(self, question):  # type: ignore[no-untyped-def]
            reply = dictated.ask(question)
            record(folder, question, reply)
            return reply

    git(tmp_path, "clone", "-q", str(vault.root), str(tmp_path / "other"))
    vault.compile(model=Recording())
    (tmp_path / "other" / "wikimem.local.toml").write_text(f'[compile]\nmodel = "recorded:{folder}"\n')
    other = Vault.open(tmp_path / "other")
    assert [one.reason for one in other.compile().outcomes] == ["", "", ""]
    pages = {path: text for path, text in wiki(other).items() if not path.startswith(".claims/")}
    assert pages == {path: text for path, text in wiki(vault).items() if not path.startswith(".claims/")}
    tell(other, session("four", "2026-03-09", LIMIT.format(7)))
    (outcome,) = other.compile(model=Recorded(folder)).outcomes
    assert "no reply is recorded for this question" in outcome.reason


def test_a_merge_in_progress_is_refused_and_nothing_is_lost(vault: Vault, three: list[str]) -> None:
    git(vault.root, "switch", "-qc", "side")
    (vault.root / "README").write_text("side\n")
    git(vault.root, "add", "README")
    git(vault.root, "commit", "-qm", "side")
    git(vault.root, "switch", "-q", "-")
    git(vault.root, "merge", "-q", "--no-ff", "--no-commit", "side")
    with pytest.raises(GitBusy):
        vault.compile(model=Dictated())
    git(vault.root, "commit", "-qm", "merged")
    assert len(vault.compile(model=Dictated()).outcomes) == 3
    check(vault)
