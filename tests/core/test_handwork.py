"""Handwork: what a page says otherwise than it would be rendered, told by content alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikimem.core import compose, fold, handwork, pages
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.edits import Added, Changed, Deleted, Named
from wikimem.core.fold import Wiki
from wikimem.core.handwork import Difference
from wikimem.core.zones import UTC, Zone
from wikimem.edges import zones

SOURCE = "20260302-claude-code-0000000a"
PATH = "topics/mill.md"
MILL = Mention("project:harbour", "topic", "mill")


def claim(text: str, at: str, start: str = "", kind: Kind = Kind.SEMANTIC, zone: Zone = UTC) -> Claim:
    holds = Holds(Bound(start, Basis.STATED) if start else Bound())
    proof = Evidence(at, f"t{at}", text, "human", said="2026-03-02T23:30:00Z", holds=holds, source=SOURCE, zone=zone)
    return Claim(MILL, "", kind, Stance.FACT, text, (proof,))


RED = claim("The mill is red.", "L1", "2026-01-20T23:15:00Z")
OLD = claim("The mill is very old.", "L2")


def wiki(zone: Zone = UTC) -> Wiki:
    told = (claim("The mill is red.", "L1", "2026-01-20T23:15:00Z", zone=zone), claim("The mill is very old.", "L2", zone=zone))
    return fold.whole([ClaimFile(Stamp(SOURCE, "", "", "", ""), told)], {})


def rendered(found: Wiki) -> str:
    (key,) = found.subjects
    return pages.write(compose.page(found, key, Cold(), {}))


def differences(change: Callable[[str], str], zone: Zone = UTC) -> tuple[Difference, ...]:
    """What a changed page says otherwise than the wiki of a zone."""
    found = wiki(zone)
    (key,) = found.subjects
    ours = compose.page(found, key, Cold(), {})
    there = pages.parse(change(rendered(wiki())))
    raw = {one.id: one for one in found.subjects[key].claims}
    return handwork.differences(found.subjects[key], [(PATH, ours)], [(PATH, there)], raw, raw)


def test_a_page_as_it_was_rendered_says_nothing_else() -> None:
    assert differences(lambda text: text) == ()
    assert differences(lambda text: text.replace("\n", "\r\n")) == ()
    assert differences(lambda text: text + "\n## Notes\n\n- The mill is mine.\n") == ()


def test_a_removed_line_may_be_an_older_rendering() -> None:
    (found,) = differences(
        lambda text: "".join(line for line in text.splitlines(True) if not line.startswith("- The mill is very"))
    )
    assert isinstance(found.operation, Deleted)
    assert (found.operation.target.claim, found.certain, found.path) == (OLD.id, False, PATH)


def test_other_words_behind_a_known_claim_can_only_be_a_person_s() -> None:
    (found,) = differences(lambda text: text.replace("- The mill is very old.", "- The mill is ancient."))
    assert isinstance(found.operation, Changed)
    assert (found.operation.statement.text, found.operation.target.claim, found.certain) == ("The mill is ancient.", OLD.id, True)


def test_a_line_without_a_claim_is_a_new_one() -> None:
    (found,) = differences(lambda text: text.replace("## Facts\n\n", "## Facts\n\n- The mill turns. (since 2026-02)\n"))
    assert isinstance(found.operation, Added)
    statement = found.operation.statement
    assert (statement.text, statement.holds.start.moment, statement.stance, found.certain) == (
        "The mill turns.",
        "2026-02",
        Stance.FACT,
        True,
    )


@pytest.mark.parametrize("hidden", ["```\n- The mill turns.\n```\n", "<!--\n- The mill turns.\n-->\n", "The mill turns.\n"])
def test_code_comments_and_prose_state_nothing(hidden: str) -> None:
    assert differences(lambda text: text.replace("## Facts\n\n", f"## Facts\n\n{hidden}\n")) == ()


def test_a_date_that_nobody_told_is_a_person_s() -> None:
    (found,) = differences(lambda text: text.replace("(since 2026-01-20T23:15Z)", "(since 2026-01-19)"))
    assert isinstance(found.operation, Changed)
    assert (found.operation.statement.holds.start.moment, found.certain) == ("2026-01-19", True)


def test_the_head_is_a_person_s_to_change() -> None:
    (found,) = differences(lambda text: text.replace("title: mill", "title: The old mill").replace("# mill", "# The old mill"))
    assert found.operation == Named(MILL, "title", "The old mill")
    (found,) = differences(lambda text: text.replace("aliases: []", "aliases: [windmill]"))
    assert found.operation == Named(MILL, "alias", "windmill")


def test_a_page_of_another_time_zone_was_edited_by_nobody() -> None:
    berlin = zones.named("Europe/Berlin")
    assert berlin is not None
    assert "2026-01-21T00:15+01:00" in rendered(wiki(berlin)) and "2026-01-20T23:15Z" in rendered(wiki())
    assert differences(lambda text: text, berlin) == ()
    (found,) = differences(lambda text: text.replace("(since 2026-01-20T23:15Z)", "(since 2026-01-20T22:15Z)"), berlin)
    assert found.certain


def test_what_a_page_that_a_person_made_is_about() -> None:
    page = pages.parse("---\ntype: person\n---\n\n# Ines\n\n## Facts\n\n- Ines owns the mill.\n")
    assert handwork.of_page("people/ines.md", page) == Mention("", "person", "Ines")
    assert handwork.of_page("elsewhere/ines.md", pages.parse("# Ines\n")) is None
    mention = Mention("", "person", "Ines")
    (found,) = handwork.new_page(handwork.nobody(mention), "people/ines.md", page)
    assert isinstance(found.operation, Added) and found.operation.statement.mention == mention
    assert "owns" not in pages.write(handwork.without(page, {"Ines owns the mill."}))
    assert handwork.without(page, {"Something else."}) is page
