"""Ranking: numbers in, order out. Passages 0 to 9 are one source, 10 to 19 another."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import lifting, ranking
from wikimem.core.ranking import Posting, rank


def beside(number: int, far: int) -> list[int]:
    around = range(number - far, number + far + 1)
    return [other for other in around if other != number and 0 <= other < 20 and other // 10 == number // 10]


def alike(number: int) -> float:
    return 1.0


def order(postings: Sequence[Posting], **more: object) -> list[int]:
    return [one.number for one in rank(postings, 20, beside, alike, **more)]  # type: ignore[arg-type]


def test_rare_words_count_more() -> None:
    common = Posting(dict.fromkeys(range(10, 20), 1.0))
    rare = Posting({3: 1.0})
    assert order([common, rare])[0] == 3


def test_a_word_spreads_to_its_neighbours_and_not_into_another_source() -> None:
    assert order([Posting({9: 1.0})]) == [9, 8, 7]


def test_what_has_the_word_takes_nothing_from_neighbours() -> None:
    ranks = rank([Posting({4: 1.0, 5: 1.0})], 20, beside, alike)
    assert {one.number: one.score for one in ranks}[4] == {one.number: one.score for one in ranks}[5]
    alone = rank([Posting({4: 1.0, 15: 1.0})], 20, beside, alike)
    assert {one.number: one.score for one in alone}[4] == {one.number: one.score for one in ranks}[4]


def test_a_passage_between_two_words_beats_either_alone() -> None:
    assert order([Posting({2: 1.0}), Posting({4: 1.0, 14: 1.0})])[0] in (2, 3, 4)
    assert 14 not in order([Posting({2: 1.0}), Posting({4: 1.0, 14: 1.0})])[:3]


def test_without_spread_only_words_count() -> None:
    assert order([Posting({9: 1.0})], spread=()) == [9]


def test_gain_multiplies() -> None:
    ranks = rank([Posting({3: 1.0, 15: 1.0})], 20, beside, lambda number: 2.0 if number == 15 else 1.0)
    assert ranks[0].number == 15


def test_too_little_of_the_question_is_nothing() -> None:
    unknown = Posting({})
    assert order([Posting({3: 1.0}), unknown, unknown], least=0.3) == []
    assert order([Posting({3: 1.0}), unknown, unknown])[0] == 3
    assert order([Posting({3: 1.0}), Posting({5: 1.0}), unknown], least=0.3)[0] in (3, 4, 5)


def test_who_speaks_here_makes_a_question_likelier_to_be_answered() -> None:
    unknown = Posting({})
    assert order([Posting({3: 1.0}), unknown, unknown], least=0.3) == []
    assert order([Posting({3: 1.0}), unknown, Posting({}, known=True)]) != []


def test_only_what_is_allowed_answers_and_the_floor_asks_there() -> None:
    postings = [Posting({3: 2.0, 15: 1.0})]
    assert order(postings, allowed=frozenset({14, 15})) == [15, 14]
    assert order(postings, allowed=frozenset({11})) == []


def test_a_crowd_does_not_push_out_what_is_allowed() -> None:
    many = Posting(dict.fromkeys(range(0, 4000, 2), 2.0) | {4001: 0.1})
    ranks = rank([many], 5000, lambda number, far: [], alike, allowed=frozenset({4001}))
    assert [one.number for one in ranks] == [4001]


def test_no_question_has_no_answer() -> None:
    assert rank([], 20, beside, alike) == []
    assert rank([Posting({})], 0, beside, alike) == []


numbers = st.dictionaries(st.integers(0, 19), st.floats(0.1, 3), max_size=12)


@given(st.lists(st.builds(Posting, numbers, st.booleans(), st.booleans()), max_size=5))
def test_the_order_of_the_words_makes_no_difference(postings: list[Posting]) -> None:
    forth, back = (
        {one.number: round(one.score, 9) for one in rank(given, 20, beside, alike)} for given in (postings, postings[::-1])
    )
    assert forth == back


@given(st.lists(st.builds(Posting, numbers), min_size=1, max_size=5))
def test_scores_fall_and_are_above_nothing(postings: list[Posting]) -> None:
    scores = [one.score for one in rank(postings, 20, beside, alike)]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


@given(st.floats(1, 100), st.integers(1, 1000), st.floats(1, 1000))
def test_saturation_stays_below_its_bound(often: float, size: int, mean: float) -> None:
    assert 0 < ranking.saturation(often, size, mean) < ranking.K1 + 1
    more, once = ranking.saturation(often + 1, size, mean), ranking.saturation(often, size, mean)
    assert more > once if often < ranking.OFTEN else more == once


def test_the_more_words_there_are_the_more_must_be_covered() -> None:
    shares = [ranking.floor(words) for words in (0, 100, 20_000, 200_000, 10**9)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == ranking.FLOORS
    assert shares[2] < shares[3]


def test_words_far_apart_in_a_long_passage_answer_less_than_words_side_by_side() -> None:
    postings = [Posting({3: 1.0, 15: 1.0}), Posting({3: 1.0, 15: 1.0})]
    spots = {3: [(0, 0), (900, 1)], 15: [(500, 0), (504, 1)]}
    ranks = rank(postings, 20, beside, alike, size=lambda number: 1000, spots=lambda number: spots.get(number, []))
    assert ranks[0].number == 15
    covered = {one.number: one.covered for one in ranks}
    assert covered[3] < covered[15] == 1.0
    whole = rank(postings, 20, beside, alike, size=lambda number: 1000)
    assert {one.number: one.covered for one in whole}[3] == 1.0


def test_a_short_passage_is_not_looked_into() -> None:
    def spots(number: int) -> list[tuple[int, int]]:
        raise AssertionError(number)

    assert rank([Posting({3: 1.0})], 20, beside, alike, size=lambda number: 20, spots=spots)[0].number == 3


def test_what_stands_beside_a_long_passage_is_far_from_most_of_it() -> None:
    short = {one.number: one.score for one in rank([Posting({3: 1.0})], 20, beside, alike)}
    long = {one.number: one.score for one in rank([Posting({3: 1.0})], 20, beside, alike, size=lambda number: 800)}
    assert long[4] < short[4] / 5
    assert long[3] == short[3]


def test_a_passage_of_the_session_that_answers_best_comes_before_its_like() -> None:
    postings = [Posting({2: 1.0, 4: 1.0, 14: 1.0}), Posting({2: 1.0})]
    with_sessions = [one.number for one in rank(postings, 20, beside, alike, spread=(), session=lambda number: number // 10)]
    assert with_sessions == [2, 4, 14]
    far = [Posting({2: 1.0}), Posting({15: 0.9, 6: 0.85})]
    assert [one.number for one in rank(far, 20, beside, alike, spread=())] == [2, 15, 6]
    assert [one.number for one in rank(far, 20, beside, alike, spread=(), session=lambda number: number // 10)] == [2, 6, 15]


def test_what_is_near_in_meaning_is_lifted_with_what_stands_beside_it() -> None:
    plain = rank([Posting({3: 1.0})], 20, beside, alike)
    ranks = rank([Posting({3: 1.0})], 20, beside, alike, meant={15: 1.0, 8: 0.1})
    scores = {one.number: one.score for one in ranks}
    assert ranks[0] == plain[0]
    assert scores[15] > scores[14] > scores[13] > 0
    assert scores[15] == lifting.MEANT * plain[0].score
    assert {one.number for one in ranks} == {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17}


def test_meaning_alone_answers_nothing_and_nothing_that_may_not() -> None:
    assert rank([Posting({})], 20, beside, alike, meant={15: 1.0}) == []
    assert [one.number for one in rank([Posting({3: 1.0})], 20, beside, alike, frozenset({3}), meant={15: 1.0})] == [3]


def test_a_crowd_does_not_push_out_what_is_to_be_looked_at() -> None:
    crowd = dict.fromkeys(range(400), 1.0)
    postings = [Posting(crowd), Posting({**crowd, 900: 1.0})]

    def gain(number: int) -> float:
        return 9.0 if number == 900 else 1.0

    def order(more: tuple[int, ...]) -> int:
        return ranking.rank(postings, 1000, lambda number, far: (), gain, more=more)[0].number

    assert order(()) < 400
    assert order((900,)) == 900
