"""Commit messages of the wiki: what changed, counted."""

from __future__ import annotations

from wikimem.core import fold, judgements, memory_diff, messages
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement


def claim(text: str, day: int = 1, attribute: str = "", name: str = "API") -> Claim:
    source = f"202601{day:02}-claude-code-00000001"
    evidence = Evidence("L1", f"{day}{text}", text, "human", said=f"2026-01-{day:02}", source=source)
    return Claim(Mention("", "topic", name), attribute, Kind.SEMANTIC, Stance.FACT, text, (evidence,))


def wiki(*claims: Claim, judged: tuple[Judgement, ...] = ()) -> Wiki:
    files = [ClaimFile(Stamp(f"s{number}", "", "", "", ""), (one,)) for number, one in enumerate(claims)]
    return fold.whole(files, judgements.settled(judged))


MANY = tuple(claim(f"Fact number {number} is so.") for number in range(6))


def test_counts_of_each_kind_of_change() -> None:
    old, new = claim("The port is 1.", 2, "port"), claim("The port is 2.", 3, "port")
    late = claim("The port is 0.", 1, "port")
    diff = memory_diff.between(wiki(old, MANY[0]), wiki(old, new, late, MANY[1]))
    assert messages.counts(diff) == (2, 1, 1)
    assert messages.trailer(diff) == "+2 ~1 -1"
    assert messages.trailer(()) == "+0 ~0 -0"


def test_the_subject_names_the_pages_that_changed_most() -> None:
    few = [claim(f"{name} is used.", name=name) for name in ("B", "A", "C", "D")]
    diff = memory_diff.between(wiki(), wiki(*few, claim("C is old.", name="C")))
    assert messages.subject("compile", diff, "nothing") == "compile: C, A, B and 1 more (+5 ~0 -0)"
    assert messages.subject("compile", (), "nothing new") == "compile: nothing new"


def test_the_body_is_cut_where_nobody_would_read_it() -> None:
    many = [claim(f"Fact number {number} is so.") for number in range(100)]
    body = messages.body("about", memory_diff.between(wiki(), wiki(*many))).splitlines()
    assert body[:2] == ["about", ""]
    assert len(body) == 123
    assert body[-1] == "(81 more lines: `wikimem diff` shows all)"
    assert messages.body("about", ()) == "about"
