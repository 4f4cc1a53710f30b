"""Statements: kept as plain values and brought back the same; folded again as they were known; veiled for other scopes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import fold, statements, telling
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance
from wikimem.core.statements import Statement
from wikimem.core.vocabulary import SHIPPED

words = st.sampled_from(["The port is 1.", "The port is 2.", "the port is 1.", "Zoë's `x` → y", "NO"])
days = st.sampled_from(["", "2026-01-01", "2026-02-01T10:00:00Z", "2026-03-01", "2026-03"])
bounds = st.builds(lambda day: Bound(day, Basis.STATED) if day else Bound(), days)
proofs = st.builds(
    Evidence,
    at=st.sampled_from(["L1", "L2-1", "msg_7"]),
    turn=st.sampled_from(["", "t1", "t2"]),
    quote=words,
    speaker=st.sampled_from(["human", "assistant"]),
    name=st.sampled_from(["", "Ines"]),
    said=st.sampled_from(["", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", "2026-03-05"]),
    holds=st.builds(Holds, bounds, bounds),
    proposal=st.none() | st.builds(Proposal, words, words, words),
    source=st.sampled_from(["s1", "s2", "s3"]),
)
claims = st.builds(
    lambda attribute, kind, stance, text, proof, step: Claim(
        Mention("project:a", "topic", "port"), attribute, kind, stance, text, (proof,), step=step, code=("r", "c", "p")[:step]
    ),
    st.sampled_from(["", "port"]),
    st.sampled_from(list(Kind)),
    st.sampled_from(list(Stance)),
    words,
    proofs,
    st.integers(0, 3),
)
SCOPES = {"s1": "project:a", "s2": "project:a", "s3": "project:b"}


def told(*made: Claim) -> tuple[list[Statement], statements.Relations]:
    by_source = {one.evidence[0].source: [] for one in made}
    for one in made:
        by_source[one.evidence[0].source].append(one)
    files = []
    for source, found in by_source.items():
        unique = {one.id: one for one in found}
        files.append(ClaimFile(Stamp(source, "", "", "", ""), tuple(unique.values())))
    wiki = fold.whole(files, {})
    ((key, subject),) = wiki.subjects.items()
    return statements.of(subject, f"wiki/{wiki.path(key)}", SHIPPED, SCOPES)


def claim(text: str, said: str, source: str = "s1", attribute: str = "port", stance: Stance = Stance.FACT) -> Claim:
    proof = Evidence("L1", said + text, text, "human", said=said, source=source)
    return Claim(Mention("project:a", "topic", "port"), attribute, Kind.SEMANTIC, stance, text, (proof,))


@given(st.lists(claims, min_size=1, max_size=6))
def test_what_is_packed_comes_back(made: list[Claim]) -> None:
    found, relations = told(*made)
    for one in found:
        assert statements.unpack(statements.pack(one)) == one
        telling.full(one)
        assert telling.state(one) in ("current", "conflict", "ended", "retracted")
    assert statements.unpack_relations(statements.pack_relations(relations)) == relations


@given(st.lists(claims, min_size=1, max_size=6), days.filter(bool))
def test_known_is_what_a_fold_of_the_earlier_words_gives(made: list[Claim], moment: str) -> None:
    found, relations = told(*made)
    recorded = {"s1": "2026-01-15", "s2": "2026-02-15", "s3": "2026-04-01"}
    then = statements.known(found, relations, moment, recorded, SCOPES)
    assert {one.id for one in then} <= {member.id for one in found for member in one.members}
    for one in then:
        for proof in one.claim.evidence:
            assert not proof.said or proof.said[:7] <= moment[:7]
    assert statements.known(found, relations, "9999", recorded, SCOPES) == found


def test_an_ended_claim_names_what_ended_it_and_a_stranger_does_not_see_it() -> None:
    found, _ = told(claim("The port is 1.", "2026-01-01"), claim("The port is 2.", "2026-02-01", "s3"))
    old = next(one for one in found if not one.current)
    assert telling.ending(old) == "superseded by: The port is 2."
    assert telling.dates(old) == "until 2026-02-01"
    assert telling.ending(statements.veiled(old, "project:a")) == "superseded"
    assert [one.scope for one in sorted(found, key=lambda one: one.claim.text)] == ["project:a", "project:b"]


def test_the_key_changes_with_anything_that_is_shown() -> None:
    one, two = claim("The port is 1.", "2026-01-01"), claim("The port is 2.", "2026-02-01")
    keys = {statements.key(*told(*made)) for made in ((one,), (two,), (one, two))}
    assert len(keys) == 3
    assert statements.key(*told(one, two)) == statements.key(*told(two, one))
