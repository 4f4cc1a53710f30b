"""Results of consolidation: kept as sorted lines, void with what they rest on, stale with what ended; the same in any order."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.test_fold import file
from core.test_laws import SOURCES, files, histories, marker, nasty
from wikimem.core import cold, fold, indexes, judgements, pages, splits
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.cold import STALE, Cold, Held, Record, Refused, Result, Step
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Relation

RETRIES = Mention("project:harbour", "topic", "tide retries")
CRANE = Mention("project:harbour", "topic", "north crane")


def claim(text: str, source: str, mention: Mention = RETRIES, attribute: str = "", start: str = "", said: str = "") -> Claim:
    holds = Holds(Bound(start, Basis.STATED) if start else Bound())
    when = said or f"{start or '2026-01-02'}T09:00:00Z"
    proof = Evidence("L1", f"{source}-{text}", text, "human", said=when, holds=holds, source=source)
    return Claim(mention, attribute, Kind.SEMANTIC, Stance.FACT, text, (proof,))


THREE = claim("Tide retries stop after 3 attempts.", "a", attribute="retry-limit", start="2026-01-02")
FIVE = claim("Tide retries stop after 5 attempts.", "b", attribute="retry-limit", start="2026-02-02")
QUEUE = claim("The tide queue waits in the east wing.", "a")
LIFTS = claim("The north crane lifts forty tonnes.", "b", CRANE)


def lead(*said: tuple[str, tuple[Claim, ...]], by: str = "clerk", about: Mention = RETRIES) -> Result:
    cited = [one for _, claims in said for one in claims]
    sentences = tuple((text, tuple(one.id for one in claims)) for text, claims in said)
    return Result(Step.LEADS, (about.id,), sentences, cold.rests_on(cited), "basis", by)


def shown(wiki: Wiki) -> dict[str, str]:
    made = {path: page for key in wiki.pages for path, page in splits.all_pages(wiki, key, wiki.cold, {}).items()}
    assert all(pages.parse(pages.write(page)) == page for page in made.values())
    return {path: pages.write(page) for path, page in made.items()} | indexes.all_pages(wiki, wiki.cold)


def test_a_lead_stands_below_the_title_and_cites_its_claims() -> None:
    wiki = fold.whole([file("a", THREE, QUEUE)], {}, results=[lead(("They stop early.", (THREE,)), ("They wait.", (QUEUE,)))])
    text = shown(wiki)["topics/tide-retries.md"]
    assert f"# tide retries\n\nThey stop early.[^{THREE.id}] They wait.[^{QUEUE.id}]\n" in text.replace("Tide", "tide")
    assert "summary: They stop early.\n" in text
    assert "They stop early." in shown(wiki)["topics/index.md"]


def test_a_sentence_whose_claim_ended_is_marked_and_no_summary() -> None:
    told = lead(("They stop after three.", (THREE,)), ("They wait.", (QUEUE,)))
    wiki = fold.whole([file("a", THREE, QUEUE), file("b", FIVE)], {}, results=[told])
    text = shown(wiki)["topics/tide-retries.md"]
    assert f"They stop after three.{STALE}[^{THREE.id}] They wait.[^" in text
    assert "summary: They wait.\n" in text


def test_a_result_is_void_when_one_of_its_claims_is_gone() -> None:
    told = lead(("They stop early and wait.", (THREE, QUEUE)))
    wiki = fold.whole([file("a", THREE)], {}, results=[told])
    assert wiki.cold == Cold()
    assert cold.is_void(told, wiki.subjects, wiki.ground.group)


def test_a_result_is_void_when_a_claim_lost_a_source_that_it_counted() -> None:
    twice = [file("a", claim("It holds.", "a")), file("b", claim("It holds.", "b"))]
    both = fold.whole(twice, {})
    (subject,) = both.subjects.values()
    told = Result(Step.LEADS, (subject.key,), (("In two.", (subject.claims[0].id,)),), cold.rests_on(subject.claims), "", "x")
    assert "In two." in str(shown(fold.rested(both, [told])))
    assert "In two." not in str(shown(fold.again(fold.rested(both, [told]), twice[:1], {})))


def test_a_claim_that_is_shown_as_another_one_is_cited_by_that() -> None:
    first, second = (
        claim("It waits.", "a", said="2026-01-01T09:00:00Z"),
        claim("It is waiting.", "b", said="2026-01-03T09:00:00Z"),
    )
    told = lead(("It waits.", (second,)))
    one = judgements.Judgement(judgements.pair(first.id, second.id), "claims", judgements.Relation.SAME, "x")
    wiki = fold.whole([file("a", first), file("b", second)], {one.pair: one}, results=[told])
    assert wiki.cold.intros[RETRIES.id].sentences == (("It waits.", (first.id,)),)


def test_a_link_leads_only_to_a_page_that_is_there() -> None:
    link = Result(Step.LINKS, (RETRIES.id, CRANE.id), (("it lifts the queue", (LIFTS.id,)),), cold.rests_on([LIFTS]), "", "x")
    wiki = fold.whole([file("a", THREE), file("b", LIFTS)], {}, results=[link])
    assert "(../topics/north-crane.md): it lifts the queue\n" in shown(wiki)["topics/tide-retries.md"]
    left = fold.again(wiki, [file("a", THREE)], {})
    assert "Related" not in shown(left)["topics/tide-retries.md"]
    assert fold.touched(wiki, left) == tuple(sorted((RETRIES.id, CRANE.id)))


def test_of_two_leads_the_one_that_holds_is_shown_whatever_their_order() -> None:
    old, new = lead(("Three.", (THREE,)), by="one"), lead(("Five.", (FIVE,)), by="two")
    every = [file("a", THREE), file("b", FIVE)]
    assert fold.whole(every, {}, results=[old, new]).cold == fold.whole(every, {}, results=[new, old]).cold
    assert fold.whole(every, {}, results=[old, new]).cold.intros[RETRIES.id].sentences[0][0] == "Five."


def test_a_refusal_shows_nothing() -> None:
    told = Refused(Step.LEADS, (RETRIES.id,), "nothing", "there was nothing to propose", "", "x")
    assert fold.whole([file("a", THREE)], {}, results=[told]).cold == Cold()


def test_a_reflection_on_two_pages_stays_when_they_become_one() -> None:
    said = (("The queue waits for the crane.", (QUEUE.id, LIFTS.id)),)
    rests = cold.rests_on([QUEUE, LIFTS])
    told = Result(Step.REFLECTIONS, (RETRIES.id, CRANE.id), said, rests, "", "x", "inference", 50)
    key = judgements.pair(RETRIES.id, CRANE.id)
    same = {key: judgements.Judgement(key, "mentions", Relation.SAME, "x/y")}
    files = [file("a", QUEUE), file("b", LIFTS)]
    two = fold.whole(files, {}, results=[told])
    one = fold.again(two, files, same)
    assert one == fold.whole(files, same, results=[told])
    for wiki in (two, one):
        assert "- The queue waits for the crane. (inference, 0.5) [^" in str(shown(wiki))
        assert not cold.is_void(told, wiki.subjects, wiki.ground.group)
    (note,) = (line for line in "".join(shown(one).values()).splitlines() if "concluded" in line)
    assert f"concluded from [^{min(QUEUE.id, LIFTS.id)}] [^{max(QUEUE.id, LIFTS.id)}]" in note
    assert fold.again(one, files[:1], {}) == fold.whole(files[:1], {}, results=[told])
    assert "waits for the crane" not in str(shown(fold.again(one, files[:1], {})))


def test_what_waits_or_was_refused_of_a_pair_reads_back_and_goes_with_either_of_the_two() -> None:
    pair = " ".join(sorted((THREE.id, QUEUE.id)))
    told = [
        Held(Step.IDENTITIES, (RETRIES.id,), "claims", Relation.SAME, "they say the same", "low", pair, "x/y"),
        Refused(Step.IDENTITIES, (RETRIES.id,), "other-number", "they differ", pair, "x/y"),
    ]
    found, problems = cold.read(cold.write(told), "")
    assert ({*found}, problems) == ({*told}, ())
    whole, less = fold.whole([file("a", THREE, QUEUE)], {}, results=told), fold.whole([file("a", THREE)], {})
    assert whole.cold == Cold()
    for one in told:
        assert cold.pair_of(one) == (min(THREE.id, QUEUE.id), max(THREE.id, QUEUE.id))
        assert not cold.is_void(one, whole.subjects, whole.ground.group)
        assert cold.is_void(one, less.subjects, less.ground.group)
    bad = cold.write(told).replace(b" ", b"_")
    assert cold.read(bad, "")[0] == ()


def test_a_line_that_is_no_result_is_left_out_and_told() -> None:
    good = cold.write([lead(("They wait.", (QUEUE,)))])
    bad = b'{"step":"dreams"}\nnot json\n' + good.replace(b'"claim":', b'"klaim":') + good.replace(b'["', b'["x","', 1)
    found, problems = cold.read(good + bad, "wiki/.claims/cold/aa.jsonl")
    assert cold.write(found) == good
    assert [problem.where.rpartition(":")[2] for problem in problems] == ["2", "3", "4", "5"]


Consolidated = tuple[list[Claim], dict[judgements.Pair, judgements.Judgement], list[Record]]


@st.composite
def consolidated(draw: st.DrawFn) -> Consolidated:
    """A history with results: each sentence holds the marker words of all sources of what it cites."""
    claims, judged = draw(histories())
    wiki = fold.whole(files(claims), judged)
    keys = sorted(wiki.subjects)
    found: list[Record] = []
    for _ in range(draw(st.integers(0, 5))):
        about = [draw(st.sampled_from(keys))]
        step = draw(st.sampled_from([step for step in Step if step is not Step.IDENTITIES]))
        page = None
        if step is Step.LINKS:
            about.append(draw(st.sampled_from(keys)))
        elif step is Step.REFLECTIONS:
            about += draw(st.lists(st.sampled_from([key for key in keys if key not in about] or about), max_size=2, unique=True))
            about = list(dict.fromkeys(about))
        elif step in (Step.PROCEDURES, Step.ANSWERS, Step.MAPS) and draw(st.booleans()):
            about = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True))
            page = Mention("project:harbour", draw(st.sampled_from(["procedure", "synthesis"])), draw(st.sampled_from("pqr")))
        known = [one for key in about for one in wiki.subjects[key].claims]
        said = []
        cited: list[Claim] = []
        most = {Step.LINKS: 1, Step.REFLECTIONS: 2}.get(step, 3)
        for _ in range(draw(st.integers(1, most))):
            of = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique_by=lambda one: one.id))
            words = " ".join(marker(one.source) for claim in of for one in claim.evidence)
            said.append((f"{draw(nasty)} {words}", tuple(one.id for one in of)))
            cited += of
        by = draw(st.sampled_from(["rules", "x/y"]))
        sure = ("inference", 50) if step is Step.REFLECTIONS else ("", 0)
        found.append(Result(step, tuple(about), tuple(said), cold.rests_on(cited), "b", by, *sure, page))
    return claims, judged, found


SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@SLOW
@given(consolidated(), st.randoms(use_true_random=False))
def test_pages_with_results_do_not_depend_on_order_or_runs(made: Consolidated, chance: random.Random) -> None:
    claims, judged, results = made
    first = shown(fold.whole(files(claims), judged, results=results))
    order, shuffled = files(claims), list(results)
    chance.shuffle(order)
    chance.shuffle(shuffled)
    wiki = fold.rested(fold.empty(), shuffled)
    for end in range(1, len(order) + 1):
        before = wiki
        wiki = fold.again(wiki, order[:end], judged)
        touched = fold.touched(before, wiki)
        for key in before.pages.keys() & wiki.pages.keys():
            if key not in touched:
                assert splits.all_pages(before, key, before.cold, {}) == splits.all_pages(wiki, key, wiki.cold, {})
    assert shown(wiki) == first
    assert cold.read(cold.write(shuffled), "")[0] == cold.read(cold.write(results), "")[0]


@SLOW
@given(consolidated(), st.sampled_from(SOURCES))
def test_nothing_of_a_removed_source_is_left_in_a_result(made: Consolidated, source: str) -> None:
    claims, judged, results = made
    left = [file for file in files(claims) if file.stamp.source != source]
    ids = {claim.id for file in left for claim in file.claims} | {one.mention.id for file in left for one in file.claims}
    living = judgements.settled(judgements.living(judged.values(), ids))
    wiki = fold.again(fold.whole(files(claims), judged, results=results), left, living)
    kept = [one for one in results if not cold.is_void(one, wiki.subjects, wiki.ground.group)]
    assert marker(source) not in str(shown(wiki))
    assert marker(source).encode() not in cold.write(kept)
    assert shown(fold.rested(wiki, kept)) == shown(wiki)
