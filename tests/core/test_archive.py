"""Archive: when nothing of a subject has held, and how the day of the edit decides."""

from __future__ import annotations

import pytest

from wikimem.core import archive, subjects
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.edits import Edit, Named
from wikimem.core.rulings import NONE, Rulings, of
from wikimem.core.subjects import Subject
from wikimem.core.vocabulary import SHIPPED

PIER = Mention("project:harbour", "topic", "pier")


def claim(text: str, said: str, until: str = "", kind: Kind = Kind.SEMANTIC) -> Claim:
    holds = Holds(Bound(), Bound(until, Basis.STATED) if until else Bound())
    proof = Evidence(
        "L1", f"t-{text}", text, "human", said=f"{said}T09:00:00Z", source="20230302-claude-code-00000001", holds=holds
    )
    return Claim(PIER, "", kind, Stance.FACT, text, (proof,))


def subject(*claims: Claim, ruled: Rulings = NONE) -> Subject:
    return subjects.make_subject(PIER.id, [PIER.id], claims, {}, {}, SHIPPED, ruled)


def archived(said: str, day: str) -> Rulings:
    return of([("20260701-edit-00000001", 1, Edit(Named(PIER, "archive", day), "Nora", f"{said}T09:00:00Z"))])


@pytest.mark.parametrize(
    ("claims", "day", "due"),
    [
        ([claim("It is open.", "2023-03-02", "2023-06-01")], "2025-07-01", True),
        ([claim("It is open.", "2023-03-02", "2023-06-01")], "2023-05-01", False),
        ([claim("It is open.", "2023-03-02", "2023-06-01"), claim("It is red.", "2023-03-02")], "2025-07-01", False),
        ([claim("It is open.", "2026-03-02", "2023-06-01")], "2025-07-01", False),
        ([claim("A storm broke it.", "2023-03-02", kind=Kind.EPISODIC)], "2025-07-01", False),
    ],
)
def test_what_is_due(claims: list[Claim], day: str, due: bool) -> None:
    found = subject(*claims)
    assert archive.is_due(found.claims, found.standings, day) is due


def test_an_edit_archives_until_something_is_said_after_it() -> None:
    over = claim("It is open.", "2023-03-02", "2023-06-01")
    ruled = archived("2026-07-01", "2025-07-01")
    assert subject(over).archived == ""
    assert subject(over, ruled=ruled).archived == "2025-07-01"
    late = claim("It was red.", "2023-04-02", "2023-05-01")
    assert subject(over, late, ruled=ruled).archived == "2025-07-01"
    news = claim("It was white.", "2026-07-02", "2023-05-01")
    assert subject(over, news, ruled=ruled).archived == ""
    assert subject(over, ruled=archived("2026-07-01", "-")).archived == ""
