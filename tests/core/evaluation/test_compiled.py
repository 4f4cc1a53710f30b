"""What compiling made of the sources, in figures."""

from __future__ import annotations

from wikimem.core.claimfiles import ClaimFile, Refusal, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.evaluation.compiled import Tally, tally

SUBJECT = Mention("", "topic", "Retries")


def claim(text: str, at: str, attribute: str = "") -> Claim:
    return Claim(SUBJECT, attribute, Kind.SEMANTIC, Stance.FACT, text, (Evidence(at, "t", text, "human", source="s"),))


def test_counts_claims_quotes_and_refusals() -> None:
    first = ClaimFile(
        Stamp("s", "", "", "", ""),
        (claim("Three.", "L2"), claim("Four.", "L3"), claim("Three.", "L4", "retry-limit")),
        (Refusal("vague", "L5", "it is vague"),),
    )
    told = tally([first], 10, ["s:L2", "s:L9", "subject:x"], lambda source, at, quote: at != "L3")
    assert told == Tally(10, 3, 2, 1, 3, 1, 1, (("vague", 1),))
    assert told.as_json()["evidence_cited"] == 0.5


def test_tallies_add_up_and_an_empty_one_has_no_shares() -> None:
    one = Tally(10, 3, 2, 1, 3, 1, 1, (("vague", 1),))
    assert one + one == Tally(20, 6, 4, 2, 6, 2, 2, (("vague", 2),))
    assert Tally() + one == one
    assert Tally().as_json()["claims_per_turn"] is None
