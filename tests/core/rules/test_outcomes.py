"""Commands with their outcome, failures and what ended them, commits and pull requests."""

from __future__ import annotations

import pytest

from scripts import play
from wikimem.core.claims import Stance
from wikimem.core.rules import shell


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("cd app && TZ=UTC npm test -- --watch=false 2>&1 | tail -5", ["TZ=UTC npm test"]),
        ("go build ./... && go test ./pkg/kiln -run TestRamp", ["go build", "go test"]),
        ("python -m pytest -q tests/core", ["python -m pytest"]),
        ("ls -la && cat README.md", []),
        ("pytest --help", []),
        ("echo npm test", []),
        ("./scripts/release.sh 1.4.0", ["./scripts/release.sh"]),
        ("npm testing", []),
    ],
)
def test_a_command_is_kept_by_what_does_not_change(line: str, commands: list[str]) -> None:
    assert [run.command for run in shell.runs(line)] == commands


def test_a_command_that_passed_is_a_procedure_with_its_outcome() -> None:
    played = play("runs: cd kiln && make test 2>&1 -> 12 tests passed")
    (claim,) = played.claims
    assert claim.text == "`make test` runs the tests (seen to pass)."
    assert (claim.mention.type, claim.mention.name, claim.stance) == ("procedure", "make test", Stance.EVIDENCE)
    assert [one.quote for one in claim.evidence] == ["make test", "12 tests passed"]


def test_the_same_command_on_two_days_is_one_claim() -> None:
    one, other = (play(f"{day}:\nruns: make test -> 12 tests passed") for day in ("2026-05-08", "2026-05-09"))
    assert [claim.id for claim in one.claims] == [claim.id for claim in other.claims]


@pytest.mark.parametrize(
    "script",
    [
        "fails: make test -> Exit code 2",
        "runs: make test -> 1 failed, 11 passed",
        "runs: make test -> Command running in background with ID: b1",
        "runs: ls -> kiln.py",
    ],
)
def test_what_failed_or_tells_no_outcome_is_no_procedure(script: str) -> None:
    assert play(script).claims == ()


FIX = """
fails: make test -> Exit code 1
    KeyError: 'cone 12' is not in the table
writes: src/cones.py
runs: make test -> 12 tests passed
"""


def test_a_failure_and_the_change_that_ended_it() -> None:
    texts = play(FIX).texts
    says = "KeyError: 'cone 12' is not in the table"
    assert texts[0] == f"`make test` failed with “{says}”; after a change of `cones.py` it passed."


def test_a_failure_that_lasts_is_no_fix() -> None:
    assert play(FIX.replace("runs: make test -> 12 tests passed", "fails: make test -> Exit code 1")).claims == ()


def test_commits_and_pull_requests_are_events_of_the_project() -> None:
    played = play(
        """
        2026-05-08:
        runs: git commit -qm 'ramps: round up' -> [main 1a2b3c4] ramps: round up
        runs: gh pr create --fill -> https://forge.example/clay/glazeworks/pull/7
        """
    )
    assert played.texts == [
        "Commit `1a2b3c4` on 2026-05-08: “ramps: round up”.",
        "Pull request 7 was opened on 2026-05-08.",
    ]
    assert {claim.mention.name for claim in played.claims} == {"glazeworks"}
    assert {claim.evidence[0].holds.start.moment for claim in played.claims} == {"2026-05-08"}


@pytest.mark.parametrize(
    "script",
    [
        'runs: make lint 2>&1 | grep -E "^src/" -> (no output)',
        "runs: mypy src | grep kiln -> src/kiln.py:3: Incompatible types",
        "runs: mix credo --strict -> 40 files, found 2 code readability issues",
        "runs: goreleaser release --snapshot --clean -> release succeeded",
        "runs: ./scripts/release.sh --dry-run -> would tag 1.4.0",
    ],
)
def test_what_a_filter_or_a_dry_run_hides_is_not_seen_to_pass(script: str) -> None:
    assert play(script).claims == ()


def test_how_a_long_output_went_stands_at_its_end() -> None:
    (claim,) = play(f"runs: make test -> {'compiling kiln ' * 40}\n    12 tests passed").claims
    assert claim.text == "`make test` runs the tests (seen to pass)."
