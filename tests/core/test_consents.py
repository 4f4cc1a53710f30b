"""Consents: who decides about one claim decides about no other, and what was kept out comes in under no other words."""

from __future__ import annotations

import pytest

from wikimem.core import consents
from wikimem.core.claimfiles import ClaimFile, Refusal, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.edits import Approved, Barred, Edit, Operation
from wikimem.core.sensitive import BARRED, RULE, WAITS

SOURCE = "20260302-claude-code-0df697d1"


def claim(text: str, at: str = "L1") -> Claim:
    evidence = Evidence(at, f"turn {at}", text, "human", "", "2026-03-02T09:00:00Z", source=SOURCE)
    return Claim(Mention("", "person", "Sam"), "", Kind.SEMANTIC, Stance.FACT, text, (evidence,))


ILL, RICH, AGAIN = claim("Sam has asthma."), claim("Sam earns 80,000 euros."), claim("Asthma is what Sam has.")
FILE = ClaimFile(Stamp(SOURCE, "x", "1", "rules", "y"), refusals=(Refusal(RULE, "L1", WAITS),))


def decided(*operations: Operation) -> consents.Consents:
    return consents.decided(Edit(each, "Ada", "2026-03-03T09:00:00Z") for each in operations)


@pytest.mark.parametrize(
    ("operations", "let_in", "waits", "reason"),
    [
        ((), [], [ILL, RICH], WAITS),
        ((Approved(RICH.id, SOURCE, "L1"),), [RICH], [ILL], WAITS),
        ((Barred(ILL.id, SOURCE, "L1"),), [], [RICH], WAITS),
        ((Barred(ILL.id, SOURCE, "L1"), Approved(RICH.id, SOURCE, "L1")), [RICH], [], BARRED),
        ((Approved("", SOURCE, "L1"),), [ILL, RICH], [], ""),
        ((Barred("", SOURCE, "L1"),), [], [], BARRED),
        ((Barred("", SOURCE, "L2"),), [], [ILL, RICH], WAITS),
        ((Approved(ILL.id, SOURCE, "L1"), Barred(ILL.id, SOURCE, "L1"), Barred("", SOURCE, "L1")), [], [], BARRED),
    ],
)
def test_what_a_file_holds_after_decisions(
    operations: tuple[Operation, ...], let_in: list[Claim], waits: list[Claim], reason: str
) -> None:
    file, left = consents.settle(FILE, (ILL, RICH), decided(*operations))
    assert {one.id for one in file.claims} == {one.id for one in let_in}
    assert {one.id for one in left} == {one.id for one in waits}
    assert [one.reason for one in file.refusals] == ([reason] if reason else [])


def test_other_words_of_a_place_where_something_was_kept_out_are_asked_about_again() -> None:
    told = decided(Barred(ILL.id, SOURCE, "L1"), Approved(RICH.id, SOURCE, "L1"), Approved("", SOURCE, "L1"))
    assert consents.settle(FILE, (AGAIN, RICH), told)[1] == (AGAIN,)
