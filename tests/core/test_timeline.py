"""The timeline: event time decides, whatever the order of capture; what nobody ordered is a conflict."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from wikimem.core import pairs, timeline
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance, united
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.timeline import Lapsed, Retracted, Standing, Superseded
from wikimem.core.vocabulary import SHIPPED


def claim(
    text: str,
    said: str = "",
    start: str = "",
    end: str = "",
    attribute: str = "port",
    stance: Stance = Stance.FACT,
    kind: Kind = Kind.SEMANTIC,
    source: str = "s",
) -> Claim:
    speaker = {Stance.FACT: "human", Stance.EVIDENCE: "tool"}.get(stance, "assistant")
    holds = Holds(
        Bound(start, Basis.STATED) if start else Bound(),
        Bound(end, Basis.STATED) if end else Bound(),
    )
    evidence = Evidence("L1", f"{said}{text}", text, speaker, said=said, holds=holds, source=source)
    return Claim(Mention("", "topic", "API"), attribute, kind, stance, text, (evidence,))


def fold(claims: Sequence[Claim], *judged: tuple[str, str, Relation]) -> dict[str, Standing]:
    """The standings by text; judgements name claims by text."""
    known = {one.text: one.id for one in claims}
    judgements = {
        pair(known[one], known[other]): Judgement(pair(known[one], known[other]), "claims", relation, "test")
        for one, other, relation in judged
    }
    every = tuple(united(claims).values())
    standings = timeline.fold(every, pairs.relations(every, judgements, SHIPPED))
    return {standing.claim.text: standing for standing in standings}


def settled(said: str, winner: Claim, *claims: Claim) -> dict[str, Standing]:
    """The standings by text of claims that contradict each other, where a person said that one of them holds."""
    every = tuple(united((winner, *claims)).values())
    relations = {pair(winner.id, one.id): Relation.CONTRADICTS for one in every if one.id != winner.id}
    ruled = {one.id: (winner.id, said) for one in every if one.id != winner.id}
    return {standing.claim.text: standing for standing in timeline.fold(every, relations, ruled)}


def spans(standing: Standing) -> list[tuple[str, str]]:
    return [(interval.start.moment, interval.end.moment) for interval in standing.intervals]


def test_old_history_found_late_ends_nothing_whatever_the_order() -> None:
    history = [
        claim("Capistrano deploys.", "2023-04-01T09:01:00Z", attribute="deploy-method"),
        claim("Ansible deploys.", "2024-06-01T09:01:00Z", attribute="deploy-method"),
        claim("Argo CD deploys.", "2025-09-01T09:01:00Z", attribute="deploy-method"),
    ]
    results = [fold(order) for order in permutations(history)]
    assert all(result == results[0] for result in results)
    told = results[0]
    # Nobody said since when; that each ended when the next was said is inferred.
    assert spans(told["Capistrano deploys."]) == [("", "2024-06-01")]
    assert told["Capistrano deploys."].intervals[0].end.basis is Basis.INFERRED
    assert spans(told["Argo CD deploys."]) == [("", "")]
    assert held(told, "2023-12-31") == ["Capistrano deploys."]
    assert held(told, "2024-06-01") == ["Ansible deploys."]
    assert held(told, "2026") == ["Argo CD deploys."]
    assert held(told, "2023-03") == []


def held(told: dict[str, Standing], moment: str) -> list[str]:
    return [standing.claim.text for standing in timeline.at(told.values(), moment)]


def test_a_planned_change_waits_for_its_day() -> None:
    told = fold(
        [
            claim("Sam releases.", "2026-01-10T09:00:00Z", attribute="release-manager"),
            claim("Priya releases.", "2026-02-20T09:00:00Z", "2026-03-01", attribute="release-manager"),
        ]
    )
    assert held(told, "2026-02-25") == ["Sam releases."]
    assert held(told, "2026-03-05") == ["Priya releases."]


def test_a_value_that_comes_back_has_two_intervals() -> None:
    told = fold(
        [
            claim("Port 1.", "2026-01-01T08:00:00Z", "2026-01-01"),
            claim("Port 2.", "2026-02-01T08:00:00Z", "2026-02-01"),
            claim("Port 1.", "2026-03-01T08:00:00Z", "2026-03-01", source="other"),
        ]
    )
    assert spans(told["Port 1."]) == [("2026-01-01", "2026-02-01"), ("2026-03-01", "")]
    assert told["Port 1."].current is not None
    assert spans(told["Port 2."]) == [("2026-02-01", "2026-03-01")]
    assert held(told, "2026-02-10") == ["Port 2."]


def test_two_values_on_one_day_are_ordered_by_the_time_they_were_said() -> None:
    told = fold(
        [
            claim("Port 2.", "2026-01-05T15:00:00Z", "2026-01-05"),
            claim("Port 1.", "2026-01-05T09:00:00Z", "2026-01-05"),
        ]
    )
    assert told["Port 1."].past[0].ending == Superseded(told["Port 2."].claim.id)
    assert not told["Port 2."].rivals
    assert held(told, "2026-01-05T12:00Z") == ["Port 1."]
    assert held(told, "2026-01-05") == ["Port 2."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("2026-01-05T09:00:00Z", ""), ("2026-01-05T09:00:00Z", "")),
        (("", ""), ("2026-01-05T09:00:00Z", "")),
        (("", ""), ("", "")),
        (("", "2026-01"), ("", "2026-01")),
    ],
)
def test_values_that_nobody_ordered_are_in_conflict(first: tuple[str, str], second: tuple[str, str]) -> None:
    told = fold([claim("Port 1.", *first), claim("Port 2.", *second)])
    one, other = told["Port 1."], told["Port 2."]
    assert one.rivals == (other.claim.id,)
    assert other.rivals == (one.claim.id,)
    assert one.current
    assert other.current


def test_an_inference_ends_no_fact_but_a_fact_ends_an_inference() -> None:
    fact, guess = claim("Port 1.", "2026-01-01"), claim("Port 2.", "2026-02-01", stance=Stance.INFERENCE)
    told = fold([fact, guess])
    assert told["Port 1."].current
    assert told["Port 1."].rivals == (guess.id,)
    later = claim("Port 3.", "2026-03-01")
    told = fold([fact, guess, later])
    assert told["Port 2."].past[0].ending == Superseded(later.id)
    assert not told["Port 3."].rivals


def test_what_never_was_is_retracted_and_ends_nothing() -> None:
    told = fold(
        [
            claim("Port 1.", "2026-01-01"),
            claim("Port 2.", "2026-02-01"),
            claim("Port 2 was never used.", "2026-03-01", attribute=""),
        ],
        ("Port 2.", "Port 2 was never used.", Relation.DENIES),
    )
    denial = told["Port 2 was never used."].claim.id
    assert told["Port 2."].past[0].ending == Retracted(denial)
    assert told["Port 1."].past == ()
    assert held(told, "2026-02-15") == ["Port 1."]


def test_the_last_word_decides_a_denial() -> None:
    told = fold(
        [claim("Redis is used.", "2026-05-01", attribute=""), claim("Redis is not used.", "2026-03-01", attribute="")],
        ("Redis is used.", "Redis is not used.", Relation.DENIES),
    )
    assert isinstance(told["Redis is not used."].past[0].ending, Retracted)
    assert told["Redis is used."].current


def test_only_a_firm_claim_denies_a_firm_one() -> None:
    told = fold(
        [
            claim("Redis is used.", "2026-01-01", attribute=""),
            claim("Redis is not used.", "2026-03-01", attribute="", stance=Stance.INFERENCE),
        ],
        ("Redis is used.", "Redis is not used.", Relation.DENIES),
    )
    assert told["Redis is used."].current
    assert told["Redis is used."].rivals


def test_a_stated_end_ends_by_itself_and_may_be_prolonged() -> None:
    debug = claim("Debug is on.", "2026-01-05", "2026-01-05", "2026-02-01", attribute="")
    news = claim("Something else is so.", "2026-03-01", attribute="")
    told = fold([debug, news])
    assert told["Debug is on."].past[0].ending == Lapsed()
    longer = claim("Debug is on.", "2026-01-20", "2026-01-20", "2026-06-01", attribute="", source="other")
    told = fold([debug, longer, news])
    assert told["Debug is on."].current
    assert held(told, "2026-02-15") == ["Debug is on.", "Something else is so."][:1]


def test_an_end_before_a_rival_begins_is_no_conflict() -> None:
    told = fold(
        [
            claim("Port 1.", "2026-01-05", "2026-01-05", "2026-02-01"),
            claim("Port 2.", "2026-01-06", "2026-03-01"),
        ]
    )
    assert not told["Port 1."].rivals
    assert held(told, "2026-02-15") == []


def test_events_do_not_end_and_end_no_event() -> None:
    told = fold(
        [
            claim("Moved to port 1.", "2026-01-05", "2026-01-04", kind=Kind.EPISODIC),
            claim("Moved to port 2.", "2026-02-05", "2026-02-04", kind=Kind.EPISODIC),
        ]
    )
    assert [standing.past for standing in told.values()] == [(), ()]
    assert held(told, "2026-01-04") == ["Moved to port 1."]


def test_the_same_said_twice_is_one_standing_with_the_firm_text() -> None:
    told = fold(
        [
            claim("The port could be 1.", "2026-01-01", stance=Stance.INFERENCE),
            claim("Port 1.", "2026-02-01"),
            claim("It listens on 1.", "2026-03-01"),
        ],
        ("The port could be 1.", "Port 1.", Relation.SAME),
        ("Port 1.", "It listens on 1.", Relation.SAME),
    )
    assert list(told) == ["Port 1."]
    assert len(told["Port 1."].claim.evidence) == 3
    assert len(told["Port 1."].same) == 2


def test_what_was_known_then() -> None:
    every = (claim("Port 1.", "2026-01-01"), claim("Port 2.", "2026-02-01"), claim("Port 3.", source="late"))
    assert [one.text for one in timeline.known(every, "2026-01-31", {"late": "2026-03-01"})] == ["Port 1."]
    assert len(timeline.known(every, "2026-03", {"late": "2026-03-01"})) == 3
    # Without any time it is hidden from no date.
    assert [one.text for one in timeline.known(every, "2025", {})] == ["Port 3."]


SETTLED = "2025-05-05T10:00:00Z"


@pytest.mark.parametrize("winner", [("", ""), ("2025-01-01", ""), ("", "2025-09-01")])
@pytest.mark.parametrize("loser", [("", ""), ("2025-01-01", ""), ("", "2025-01-01"), ("2025-01-01", "2024-12-01")])
def test_what_a_person_settled_has_ended_then_whatever_is_known_of_its_time(
    winner: tuple[str, str], loser: tuple[str, str]
) -> None:
    told = settled(SETTLED, claim("Port 1.", *winner), claim("Port 2.", *loser))
    assert (told["Port 1."].rivals, told["Port 2."].rivals) == ((), ())
    assert told["Port 1."].current is not None
    (interval,) = told["Port 2."].intervals
    assert interval.ending == Superseded(told["Port 1."].claim.id)
    assert (interval.end.moment, interval.end.basis) == ("2025-05-05", Basis.INFERRED)


@pytest.mark.parametrize("loser", [("2025-01-01", "2025-09-01"), ("", "2025-09-01")])
def test_what_a_person_settled_before_it_came_to_hold_never_was(loser: tuple[str, str]) -> None:
    told = settled(SETTLED, claim("Port 1."), claim("Port 2.", *loser))
    assert told["Port 2."].intervals[0].ending == Retracted(told["Port 1."].claim.id)
    assert told["Port 1."].rivals == ()


def test_an_event_that_a_person_settled_did_not_happen() -> None:
    told = settled(
        SETTLED,
        claim("Release on Monday.", "2025-05-02", kind=Kind.EPISODIC),
        claim("Release on Tuesday.", "2025-05-03", kind=Kind.EPISODIC),
    )
    assert told["Release on Tuesday."].intervals[0].ending == Retracted(told["Release on Monday."].claim.id)


def test_what_is_said_again_after_it_was_settled_holds_again() -> None:
    again = [claim("Port 2.", "2025-01-01"), claim("Port 2.", "2025-06-06", source="t")]
    told = settled(SETTLED, claim("Port 1."), *again)
    assert [spans(told["Port 2."])[0], told["Port 2."].current is not None] == [("", "2025-05-05"), True]
