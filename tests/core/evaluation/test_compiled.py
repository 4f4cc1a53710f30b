"""What compiling made of the sources, in figures."""

from __future__ import annotations

from wikimem.core.claimfiles import ClaimFile, Refusal, Stamp
from wikimem.core.claims import Bound, Claim, Evidence, Kind, Mention, Stance
from wikimem.core.evaluation.cases import Case
from wikimem.core.evaluation.compiled import Tally, tally, updates
from wikimem.core.timeline import Interval, Standing, Superseded

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


def standing(text: str, at: str, ended: bool = False) -> Standing:
    ending = Superseded("k7f3q2a6xw4m") if ended else None
    return Standing(claim(text, at), (), (Interval(Bound(), Bound(), "", "", ending),), ())


def update(id: str, *evidence: str, outdated: tuple[str, ...] = ()) -> Case:
    return Case(id, "How often?", evidence=evidence, outdated=outdated)


def test_an_update_is_right_where_the_newer_claim_holds_and_the_older_does_not() -> None:
    case = update("q", "s:L2", "s:L9", outdated=("s:L2",))
    right = [standing("Three.", "L2", ended=True), standing("Four.", "L9")]
    missed = [standing("Three.", "L2"), standing("Four.", "L9")]
    turned = [standing("Three.", "L2"), standing("Four.", "L9", ended=True)]
    assert updates([case], [right]) == (1, 0)
    assert updates([case], [missed]) == (1, 1)
    assert updates([case], [turned]) == (1, 1)
    assert updates([case], [right, missed]) == (1, 1)


def test_what_no_claim_could_show_is_no_update() -> None:
    case = update("q", "s:L2", "s:L9", outdated=("s:L2",))
    assert updates([case], [[standing("Four.", "L9")], [standing("Three.", "L2")]]) == (0, 0)
    assert updates([update("q", "s:L2", "s:L9")], [[standing("Three.", "L2"), standing("Four.", "L9")]]) == (0, 0)
    assert Tally(updates=0).as_json()["wrong_updates"] is None
    assert (Tally(updates=1, wrong=1) + Tally(updates=3)).as_json()["wrong_updates"] == 0.25
