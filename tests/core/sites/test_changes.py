"""What a commit changed, read from the pages before and after it."""

from __future__ import annotations

import orjson

from wikimem.core.sites import changes
from wikimem.core.sites.changes import Change, Proof

HEAD = "---\ntitle: Gates\ntype: topic\n---\n\n# Gates\n\n## Facts\n\n"
A, B, C = "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"


def note(id: str, words: str) -> str:
    return f"[^{id}]: fact · human · said 2026-03-02 · [L2](../../sources/2026/03/20260302-wikimem-af9661dd.jsonl#L2) “{words}”\n"


BEFORE = f"{HEAD}- Retries stop after five. [^{A}]\n\n{note(A, 'after five')}"
AFTER = (
    f"{HEAD}- Retries stop after three. [^{B}]\n\n## History\n\n"
    f"- ~~Retries stop after five.~~ (until 2026-03-02, superseded by [^{B}]) [^{A}]\n\n"
    f"{note(A, 'after five')}{note(B, 'after three')}"
)
PROOF = Proof("20260302-wikimem-af9661dd", "L2", "after three", "human", "2026-03-02")


def told(before: str, after: str, path: str = "topics/gates.md") -> list[Change]:
    return [change for page in changes.between([(path, before, after)]) for change in page.changes]


def test_a_claim_that_another_replaced_is_one_correction() -> None:
    assert told(BEFORE, AFTER) == [Change("corrected", A, "Retries stop after five.", (B, "Retries stop after three."), PROOF)]


def test_a_new_page_gains_and_a_deleted_one_loses() -> None:
    (gained,) = told("", BEFORE)
    assert (gained.kind, gained.text, gained.proof.quote) == ("gained", "Retries stop after five.", "after five")
    (lost,) = told(BEFORE, "")
    assert (lost.kind, lost.id) == ("removed", A)
    assert changes.between([("topics/gates.md", BEFORE, "")])[0].title == "Gates"


def test_a_stated_end_a_retraction_a_conflict_and_another_date() -> None:
    assert (
        told(
            BEFORE,
            BEFORE.replace(f"- Retries stop after five. [^{A}]", f"- ~~Retries stop after five.~~ (until 2026-04-01) [^{A}]"),
        )[0].kind
        == "ended"
    )
    retracted = AFTER.replace("until 2026-03-02, superseded", "retracted")
    assert told(BEFORE, retracted)[0].kind == "retracted"
    disputed = BEFORE.replace(f"five. [^{A}]", f"five. (conflicts with [^{C}]) [^{A}]")
    assert told(BEFORE, disputed)[0].kind == "disputed"
    assert told(BEFORE, BEFORE.replace(f"five. [^{A}]", f"five. (since 2026-01-01) [^{A}]"))[0].kind == "dated"


def test_a_claim_that_moved_to_a_further_page_did_not_change() -> None:
    line = f"- Retries stop after five. [^{A}]\n"
    moved = changes.between(
        [
            ("topics/gates.md", HEAD + line, HEAD + "- [Gates: facts](gates/facts.md)\n"),
            ("topics/gates/facts.md", "", HEAD + line),
        ]
    )
    assert [(page.path, page.changes, page.other) for page in moved] == [("topics/gates.md", (), 1)]


def test_a_page_that_is_called_otherwise_changed_no_claim() -> None:
    ended = f"\n## History\n\n- ~~Retries stop after nine.~~ (until 2026-03-02) [^{C}]\n"
    line = f"- Retries stop after two. [^{B}]\n"
    after = BEFORE.replace("s\n\n- R", f"s\n\n{line}- R") + ended
    (page,) = changes.between([("topics/gates.md", BEFORE + ended, ""), ("topics/gates-quay.md", "", after)])
    assert (page.path, [(change.kind, change.id) for change in page.changes]) == ("topics/gates-quay.md", [("gained", B)])


def test_a_claim_that_moved_to_another_page_is_neither_new_nor_removed() -> None:
    mine, other = f"- Retries stop after five. [^{A}]\n", f"- Doors open at nine. [^{B}]\n"
    moved = [("topics/gates.md", HEAD + mine + other, HEAD + other), ("topics/quay.md", HEAD, HEAD + mine)]
    assert [change for page in changes.between(moved) for change in page.changes] == []
    (_, _, renamed) = moved[1]
    apart = changes.between([moved[0], ("topics/quay.md", HEAD, renamed.replace(A, C))])
    assert [(change.kind, change.id) for page in apart for change in page.changes] == [("moved", C)]
    step = changes.step("1", "2026-03-02", "split", "", apart)
    assert (step.brief.gained, step.brief.corrected, step.brief.ended) == (0, 1, 0)


def test_a_claim_that_is_worded_otherwise_is_told_once() -> None:
    anew = BEFORE.replace("Retries stop", "Attempts stop").replace(A, B)
    (change,) = told(BEFORE, anew)
    assert (change.kind, change.id, change.text) == ("reworded", B, "Attempts stop after five.")


def test_lines_of_people_are_counted() -> None:
    (page,) = changes.between([("topics/gates.md", BEFORE, BEFORE + "\n## Notes\n\nAsk Omar.\n")])
    assert (page.changes, page.other) == ((), 2)


def test_a_subject_is_told_without_the_verb_and_the_counts() -> None:
    step = changes.step(
        "c" * 40,
        "2026-03-02T10:00:00Z",
        "compile: Gates, Tariff (+2 ~1 -0)",
        "s",
        changes.between([("topics/gates.md", BEFORE, AFTER)]),
    )
    assert step.brief.told == "Gates, Tariff"
    assert (step.brief.gained, step.brief.corrected, step.brief.ended) == (0, 1, 0)
    assert step.brief.cited == ("20260302-wikimem-af9661dd", "s")
    brief, pages = (orjson.loads(orjson.dumps(each)) for each in (step.brief, step.pages))
    assert (changes.brief_of(brief), changes.pages_of(pages)) == (step.brief, step.pages)
