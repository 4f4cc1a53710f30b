"""Rewording: the same statement drawn again from the same words is found, another statement never taken for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import rewording
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance

QUOTE = "retries stop after three attempts and nobody is told"


def claim(text: str, quote: str = QUOTE, at: str = "L4", source: str = "s", name: str = "payment retries") -> Claim:
    proof = Evidence(at, "t", quote, "human", source=source)
    return Claim(Mention("", "topic", name), "", Kind.SEMANTIC, Stance.FACT, text, (proof,))


def pairs(old: list[Claim], new: list[Claim]) -> set[tuple[str, str]]:
    found = rewording.matched(old, new)
    before, after = {one.id: one.text for one in old}, {one.id: one.text for one in new}
    return {(before[was], after[now]) for now, was in found.items()}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Retries stop after three attempts.", "After 3 attempts retries stop.", True),
        ("Retries stop after three attempts.", "Retries stop after five attempts.", False),
        ("Retries stop after three attempts.", "Retries stop after some attempts.", False),
        ("Retries are announced.", "Retries are not announced.", False),
        ("Nobody is told of retries.", "No one hears, nobody at all, of retries.", True),
        ("Retries stop at last.", "The harbour is full.", False),
    ],
)
def test_numbers_and_negations_part_what_stands_on_the_same_words(one: str, other: str, same: bool) -> None:
    assert bool(pairs([claim(one)], [claim(other)])) is same
    assert bool(pairs([claim(other)], [claim(one)])) is same


def test_other_turns_sources_and_words_are_other_claims() -> None:
    old, text = [claim("Retries stop after three attempts.")], "Retries cease after three attempts."
    assert pairs(old, [claim(text)])
    for other in (claim(text, at="L5"), claim(text, source="z"), claim(text, quote="something else entirely was said")):
        assert not pairs(old, [other])


def test_each_claim_is_paired_once_with_the_one_most_like_it() -> None:
    old = [claim("Retries stop after three attempts."), claim("Nobody is told that retries stop.")]
    new = [claim("Retries do stop, and nobody is told that."), claim("After three attempts retries stop.")]
    assert pairs(old, new) == {(old[0].text, new[1].text), (old[1].text, new[0].text)}
    assert len(pairs(old[:1], new)) == 1


def test_a_claim_that_people_ruled_on_is_found_though_a_number_is_left_out() -> None:
    old, new = [claim("Retries stop after three attempts.")], [claim("Retries stop after a few attempts.")]
    assert not rewording.matched(old, new)
    assert rewording.matched(old, new, frozenset({old[0].id})) == {new[0].id: old[0].id}


_WORDS = st.lists(
    st.sampled_from(["retries", "stop", "after", "three", "attempts", "nobody", "told", "4"]), min_size=2, max_size=6
)
_CLAIMS = st.lists(
    st.builds(lambda words, at: claim(" ".join(words), at=at), _WORDS, st.sampled_from(["L4", "L5"])),
    max_size=6,
    unique_by=lambda one: one.id,
)


@given(_CLAIMS, _CLAIMS)
def test_law_the_order_of_claims_does_not_matter_and_nothing_is_paired_twice(old: list[Claim], new: list[Claim]) -> None:
    found = rewording.matched(old, new)
    assert rewording.matched(old[::-1], new[::-1]) == found
    assert len(set(found.values())) == len(found)
    assert {one.id for one in old} & {one.id for one in new} == {now for now, was in found.items() if now == was}


def test_a_claim_keeps_its_words_but_not_their_dates() -> None:
    def file(text: str) -> ClaimFile:
        return ClaimFile(Stamp("s", "", "", "", ""), (claim(text),))

    def amended(before: str, now: str) -> str:
        return rewording.amended({"s": file(before)}, frozenset(), False)(file(now)).claims[0].text

    old = "Retries stop since yesterday [2026-01-20]."
    assert amended(old, "Since yesterday [2026-01-20] retries stop.") == old
    assert amended(old, "Since yesterday [2026-01-21] retries stop.") == "Since yesterday [2026-01-21] retries stop."
