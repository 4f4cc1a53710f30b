"""Claims and their files: ids that do not depend on the source, canonical bytes, nothing lost in reading."""

from dataclasses import replace

import orjson
import pytest

from wikimem.core import claimfiles, claims
from wikimem.core.claimfiles import ClaimFile, Episode, Refusal, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance

EVIDENCE = Evidence(
    at="L120",
    turn="5c",
    quote="we cap it at three",
    speaker="human",
    said="2026-08-14T10:11:03Z",
    holds=Holds(Bound("2026-08-14", Basis.STATED)),
    source="20260814-claude-code-9f3a1c2b",
)
CLAIM = Claim(
    Mention("project:checkout", "topic", "payment retries"),
    "retry-limit",
    Kind.SEMANTIC,
    Stance.FACT,
    "Retries stop after 3 attempts.",
    (EVIDENCE,),
)
STAMP = Stamp("20260814-claude-code-9f3a1c2b", "ab" * 32, "cd" * 8, "rules", "ef" * 8)
FILE = ClaimFile(STAMP, (CLAIM,), (Refusal("quote", "L7", "it does not stand", "So it is."),), Episode("Cap it.", "Done."))


def test_the_line_is_the_one_the_design_shows() -> None:
    line = claimfiles.write(FILE).split(b"\n")[2]
    assert line == (
        b'{"claim":"' + CLAIM.id.encode() + b'","scope":"project:checkout","subject":["topic","payment retries"],'
        b'"attribute":"retry-limit","kind":"semantic","stance":"fact","text":"Retries stop after 3 attempts.",'
        b'"evidence":[{"at":"L120","turn":"5c","quote":"we cap it at three","speaker":"human",'
        b'"said":"2026-08-14T10:11:03Z","holds":{"from":"2026-08-14","basis":"stated"}}]}'
    )


def test_an_id_is_what_is_said_not_where() -> None:
    assert len(CLAIM.id) == 12
    elsewhere = replace(CLAIM, evidence=(replace(EVIDENCE, source="other", at="L1"),), confidence=40, kind=Kind.EPISODIC)
    assert elsewhere.id == CLAIM.id
    renamed = replace(CLAIM, mention=Mention("project:checkout", "topic", "Payment-Retries"))
    assert renamed.id == CLAIM.id
    for other in (
        replace(CLAIM, stance=Stance.INFERENCE),
        replace(CLAIM, attribute=""),
        replace(CLAIM, text="Retries stop after 4 attempts."),
        replace(CLAIM, mention=Mention("", "topic", "payment retries")),
    ):
        assert other.id != CLAIM.id


def test_a_file_comes_back_whole() -> None:
    full = replace(
        CLAIM,
        confidence=75,
        step=2,
        code=("repo", "abc123", "src/a.py"),
        evidence=(
            replace(
                EVIDENCE,
                name="Mira",
                holds=Holds(Bound("2026", Basis.INFERRED), Bound("2026-09", Basis.STATED)),
                proposal=Proposal("L119", "5b", "B: cap it"),
            ),
        ),
    )
    for file in (FILE, replace(FILE, claims=(full,), refusals=(), episode=Episode())):
        data = claimfiles.write(file)
        assert claimfiles.read(data, "f") == (file, ())


def test_two_statements_of_one_claim_unite() -> None:
    later = replace(CLAIM, evidence=(replace(EVIDENCE, said="2026-09-01T00:00:00Z", source="b"),), confidence=10)
    assert claims.united([CLAIM, later]) == claims.united([later, CLAIM])
    (united,) = claims.united([later, CLAIM]).values()
    assert [one.said[:7] for one in united.evidence] == ["2026-08", "2026-09"]
    assert united.confidence == 0


def test_a_collision_is_an_error() -> None:
    other = replace(CLAIM, text="Something else entirely.")
    object.__setattr__(other, "id", CLAIM.id)
    with pytest.raises(ValueError, match="share the id"):
        claims.united([CLAIM, other])


def mutilated(**changes: object) -> bytes:
    told = orjson.loads(claimfiles.write(FILE).split(b"\n")[2]) | changes
    return orjson.dumps({name: value for name, value in told.items() if value is not None})


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b"{half", "not JSON"),
        (b"[1]", "neither"),
        (b"{}", "neither"),
        (mutilated(claim="aaaaaaaaaaaa"), "is not the id"),
        (mutilated(text="Another text."), "is not the id"),
        (mutilated(text=None), "normal form"),
        (mutilated(text="two\nlines"), "normal form"),
        (mutilated(evidence=[]), "no evidence"),
        (mutilated(evidence=None), "'evidence' is missing"),
        (mutilated(kind="eternal"), "eternal"),
        (mutilated(subject=["sandwich", "x"]), "no type"),
        (mutilated(subject=["topic", 7]), "7 stands where text belongs"),
        (mutilated(evidence=[{"at": "L1", "holds": {"from": "soon"}}]), "'soon' is no date"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_costs_no_other(line: bytes, hint: str) -> None:
    file, problems = claimfiles.read(claimfiles.write(FILE) + line + b"\n", "wiki/.claims/x.jsonl")
    assert file == FILE
    assert [problem.where for problem in problems] == ["wiki/.claims/x.jsonl:5"]
    assert hint in problems[0].message


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"[]\n", b"{half\n", b'{"wikimem":1,"source":7}\n'])
def test_without_a_stamp_there_is_no_file(data: bytes) -> None:
    file, problems = claimfiles.read(data, "f")
    assert file is None
    assert problems[0].rule == "stamp"
