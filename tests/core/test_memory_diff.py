"""The memory diff: what was gained, corrected, ended and disputed, with proof; nothing where nothing changed."""

from dataclasses import replace

from wikimem.core import fold, judgements, memory_diff
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation, pair


def claim(text: str, said: str, attribute: str = "") -> Claim:
    source = f"{said.replace('-', '')}-claude-code-00000001"
    evidence = Evidence("L1", said + text, f"they said {text}", "human", said=said, source=source)
    return Claim(Mention("", "topic", "API"), attribute, Kind.SEMANTIC, Stance.FACT, text, (evidence,))


def wiki(*claims: Claim, judged: tuple[Judgement, ...] = ()) -> Wiki:
    sources = {one.evidence[0].source for one in claims}
    files = [
        ClaimFile(Stamp(source, "", "", "", ""), tuple(one for one in claims if one.evidence[0].source == source))
        for source in sources
    ]
    return fold.whole(files, judgements.settled(judged))


OLD = claim("The port is 1.", "2026-01-01", "port")
NEW = claim("The port is 2.", "2026-02-01", "port")
USED = claim("Redis is used.", "2026-01-02")
NEVER = claim("Redis was never used.", "2026-02-02")
DENIAL = Judgement(pair(USED.id, NEVER.id), "claims", Relation.DENIES, "test")


def kinds(before: Wiki, after: Wiki) -> list[tuple[str, str]]:
    found = []
    for page in memory_diff.as_json(memory_diff.between(before, after)):
        changes = page["changes"]
        assert isinstance(changes, list)
        found += [(str(change["change"]), str(change["claim"]["text"])) for change in changes]
    return found


def test_gained_corrected_and_retracted() -> None:
    before = wiki(OLD, USED)
    after = wiki(OLD, USED, NEW, NEVER, judged=(DENIAL,))
    assert kinds(before, after) == [
        ("corrected", "The port is 1."),
        ("ended", "Redis is used."),
        ("gained", "Redis was never used."),
    ]
    assert memory_diff.write(memory_diff.between(before, after)) == (
        "API (topics/api.md)\n"
        "  ~ The port is 1.\n"
        "    → The port is 2.\n"
        "      human 2026-02-01 20260201-claude-code-00000001:L1 “they said The port is 2.”\n"
        "  - Redis is used. [retracted]\n"
        "    denied by: Redis was never used.\n"
        "      human 2026-02-02 20260202-claude-code-00000001:L1 “they said Redis was never used.”\n"
        "  + Redis was never used.\n"
        "      human 2026-02-02 20260202-claude-code-00000001:L1 “they said Redis was never used.”\n"
    )


def test_a_removed_source_and_a_merge_of_two_texts() -> None:
    assert kinds(wiki(OLD, USED), wiki(OLD)) == [("ended", "Redis is used.")]
    again = claim("Redis is in use.", "2026-03-01")
    same = Judgement(pair(USED.id, again.id), "claims", Relation.SAME, "test")
    assert kinds(wiki(USED, again), wiki(USED, again, judged=(same,))) == [("ended", "Redis is in use.")]
    assert kinds(wiki(USED), wiki()) == [("ended", "Redis is used.")]


def test_a_dispute_is_shown_on_both_sides() -> None:
    rival = claim("The port is 3.", "2026-01-01", "port")
    assert ("disputed", "The port is 1.") in kinds(wiki(OLD), wiki(OLD, rival))
    assert ("disputed", "The port is 3.") in kinds(wiki(OLD), wiki(OLD, rival))


def test_nothing_changed() -> None:
    assert memory_diff.between(wiki(OLD, USED), wiki(USED, OLD)) == ()
    assert memory_diff.write(()) == ""


def test_what_newer_sources_have_overtaken_is_told_when_it_comes_late() -> None:
    assert kinds(wiki(NEW), wiki(OLD, NEW)) == [("late", "The port is 1.")]
    assert memory_diff.write(memory_diff.between(wiki(NEW, NEVER), wiki(OLD, NEW, USED, NEVER, judged=(DENIAL,)))) == (
        "API (topics/api.md)\n"
        "  + Redis is used. [retracted]\n"
        "      human 2026-01-02 20260102-claude-code-00000001:L1 “they said Redis is used.”\n"
        "    retracted by: Redis was never used.\n"
        "  + The port is 1. [superseded]\n"
        "      human 2026-01-01 20260101-claude-code-00000001:L1 “they said The port is 1.”\n"
        "    superseded by: The port is 2.\n"
    )


def test_two_pages_that_become_one_say_nothing_otherwise() -> None:
    other = Mention("", "topic", "the API")
    moved = [replace(each, mention=other) for each in (USED, claim("It rests.", "2026-03-01"))]
    same = Judgement(pair(OLD.mention.id, other.id), "mentions", Relation.SAME, "test")
    assert kinds(wiki(OLD, moved[0]), wiki(OLD, moved[0], judged=(same,))) == []
    assert kinds(wiki(OLD, moved[0]), wiki(OLD, *moved, judged=(same,))) == [("gained", "It rests.")]
