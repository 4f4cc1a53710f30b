"""The fold: which claims share a page, what the page is called, and what a change touches."""

from wikimem.core import fold, indexes, judgements, pages, splits
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Pair, Relation, pair


def claim(
    text: str, about: str, source: str, said: str = "2026-01-01", attribute: str = "", scope: str = "project:shop"
) -> Claim:
    evidence = Evidence("L1", f"{source}{text}", text, "human", said=said, source=source)
    return Claim(Mention(scope, "topic", about), attribute, Kind.SEMANTIC, Stance.FACT, text, (evidence,))


def file(source: str, *claims: Claim) -> ClaimFile:
    return ClaimFile(Stamp(source, "", "", "", ""), claims)


def same(*mentions: Claim, relation: Relation = Relation.SAME) -> dict[Pair, Judgement]:
    ids = [one.mention.id for one in mentions]
    keys = [pair(ids[n], ids[n + 1]) for n in range(len(ids) - 1)]
    return judgements.settled(Judgement(key, "mentions", relation, "test") for key in keys)


def shown(wiki: Wiki) -> dict[str, str]:
    return {path: pages.write(page) for key in wiki.subjects for path, page in splits.all_pages(wiki, key, Cold(), {}).items()}


VALKEY = claim("The cache is Valkey.", "cache", "alpha")
TTL = claim("The cache keeps entries for 10 minutes.", "cache", "alpha")
PORT = claim("The cache listens on port 6380.", "cache", "beta")
ONLY = claim("The queue is NATS.", "queue", "alpha")


def test_removing_a_source_leaves_what_others_support_and_no_empty_page() -> None:
    both = fold.whole([file("alpha", VALKEY, TTL, ONLY), file("beta", PORT)], {})
    left = fold.again(both, [file("beta", PORT)], {})
    assert shown(left) == shown(fold.whole([file("beta", PORT)], {}))
    assert set(shown(left)) == {"topics/cache.md"}
    assert "Valkey" not in str(shown(left))
    assert len(fold.touched(both, left)) == 2
    assert "queue" not in str(indexes.all_pages(left, Cold()))


def test_every_claim_of_two_writers_survives_their_union() -> None:
    mine = [file(f"a{n}", claim(f"A adds fact {n}.", "API", f"a{n}")) for n in range(40)]
    theirs = [file(f"b{n}", claim(f"B adds fact {n}.", "API", f"b{n}")) for n in range(40)]
    text = "".join(shown(fold.whole([*mine, *theirs], {})).values())
    assert all(f"{who} adds fact {n}." in text for who in "AB" for n in range(40))
    assert shown(fold.whole([*theirs, *mine], {})) == shown(fold.whole([*mine, *theirs], {}))


def test_names_that_differ_in_case_or_hyphens_are_one_subject() -> None:
    wiki = fold.whole(
        [
            file("a", claim("It is so here.", "Payment-Retries", "a", "2026-02-01")),
            file("b", claim("It is so there.", "payment retries", "b", "2026-01-01")),
        ],
        {},
    )
    (subject,) = wiki.subjects.values()
    assert (subject.title, subject.aliases) == ("Payment retries", ())


def test_one_name_in_two_scopes_is_two_subjects_that_do_not_link() -> None:
    wiki = fold.whole(
        [
            file("a", claim("The cache is big.", "cache", "a"), claim("The cache is slow.", "API", "a")),
            file("b", claim("The cache is small.", "cache", "b", scope="project:lab")),
        ],
        {},
    )
    assert sorted(wiki.slugs.values()) == ["api", "cache-lab", "cache-shop"]
    related = {wiki.slugs[key]: [wiki.slugs[other] for other in near] for key, near in wiki.related.items()}
    assert related == {"api": ["cache-shop"], "cache-shop": [], "cache-lab": []}


def test_the_earliest_name_is_the_title_and_the_others_are_aliases() -> None:
    first, second = (
        claim("So it is.", "retry policy", "a", "2026-03-01"),
        claim("So it was.", "backoff", "b", "2026-01-01"),
    )
    wiki = fold.whole([file("a", first), file("b", second)], same(first, second))
    (subject,) = wiki.subjects.values()
    assert (subject.title, subject.aliases) == ("backoff", ("retry policy",))


def test_two_that_were_judged_different_never_meet_through_a_third() -> None:
    one, two, three = (claim(f"So it is with {n}.", f"name {n}", f"s{n}") for n in (1, 2, 3))
    judged = same(one, two, three)
    apart = Judgement(pair(one.mention.id, three.mention.id), "mentions", Relation.DIFFERENT, "person")
    wiki = fold.whole([file("a", one, two, three)], {**judged, apart.pair: apart})
    groups = [set(subject.mentions) for subject in wiki.subjects.values()]
    assert not any({one.mention.id, three.mention.id} <= group for group in groups)
    assert len(groups) == 2


def test_a_new_subject_touches_the_pages_that_name_it_and_no_others() -> None:
    names = claim("The API talks to the queue.", "API", "a")
    other = claim("The mailer is new.", "mailer", "a")
    before = fold.whole([file("a", names, other)], {})
    after = fold.again(before, [file("a", names, other), file("alpha", ONLY)], {})
    touched = {after.subjects[key].title for key in fold.touched(before, after)}
    assert touched == {"API", "queue"}
    mailer = next(key for key, subject in after.subjects.items() if subject.title == "mailer")
    assert after.subjects[mailer] is before.subjects[mailer]


def test_a_copied_turn_counts_once() -> None:
    original = claim("The cache is Valkey.", "cache", "20260101-a-00000001")
    evidence = original.evidence[0]
    copy = original.with_evidence(
        [Evidence(evidence.at, evidence.turn, evidence.quote, "human", said=evidence.said, source="20260101-a-00000000")]
    )
    files = [file("20260101-a-00000001", original), file("20260101-a-00000000", copy)]
    for owner in ("20260101-a-00000001", "20260101-a-00000000"):
        wiki = fold.whole(files, {}, owners={evidence.turn: owner})
        (subject,) = wiki.subjects.values()
        assert [one.source for one in subject.claims[0].evidence] == [owner]


def test_a_long_page_is_split_and_nothing_is_lost() -> None:
    facts = [claim(f"Fact number {n} about the API is told here at some length.", "API", "s") for n in range(90)]
    ports = [claim(f"Port {n} is used.", "API", "s", f"2025-{n % 12 + 1:02}-{n % 28 + 1:02}", "port") for n in range(60)]
    rules = [claim(f"Rule {n} of the API holds.", "API", "s", attribute="convention") for n in range(30)]
    every = [*facts, *ports, *rules]
    wiki = fold.whole([file("s", *every)], {})
    (key,) = wiki.subjects
    made = splits.all_pages(wiki, key, Cold(), {})
    assert next(iter(made)) == "topics/api.md"
    assert "topics/api/history.md" in made
    for path, page in made.items():
        text = pages.write(page)
        assert splits.tokens(text) <= splits.TOKENS, path
        assert pages.parse(text) == page
        assert {line.id for _, line in page.claims} <= set(page.notes)
    ids = [line.id for page in made.values() for section, line in page.claims]
    assert set(ids) == {one.id for one in every}
    links = {link.target for link in made["topics/api.md"].links}
    assert links == {path.removeprefix("topics/") for path in made if path != "topics/api.md"}
