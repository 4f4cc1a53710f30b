"""Rendering: what people wrote on pages stays; what is not ours to write is left alone and named, and the others go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, check, git, session, tell, wiki
from wikimem.compile import Compiled
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
GATE = "topic | harbour gate | | The harbour gate closes at {}."
PAGE = "topics/payment-retries.md"


@pytest.fixture
def page(vault: Vault) -> Path:
    """The page of payment retries, with one claim on it, beside the page of the harbour gate."""
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), GATE.format("dusk")))
    vault.compile(model=Dictated())
    return vault.root / "wiki" / PAGE


def commit(vault: Vault, what: str = "by hand") -> None:
    git(vault.root, "add", "-A", "wiki")
    git(vault.root, "commit", "-qm", what)


def later(
    vault: Vault, name: str = "two", limit: int = 5, hour: str = "ten", judged: dict[frozenset[str], str] | None = None
) -> Compiled:
    """One more session about both pages, compiled."""
    tell(vault, session(name, "2026-03-08", LIMIT.format(limit), GATE.format(hour)))
    return vault.compile(model=Dictated(judged))


def named(report: Compiled) -> list[tuple[str, str]]:
    return [(problem.where.partition(":")[0], problem.rule) for problem in report.problems]


NOTE = "\n## Notes\n\nAsk Ines before you raise this.\n"


def test_a_page_with_uncommitted_edits_is_left_alone_until_they_are_committed(vault: Vault, page: Path) -> None:
    before = page.read_text()
    edited = before.replace("## Facts\n", "## Facts\n\nSee the runbook as well.\n") + NOTE
    page.write_text(edited)
    report = later(vault)
    assert named(report) == [(f"wiki/{PAGE}", "uncommitted")]
    assert page.read_text() == edited
    assert "closes at ten" in wiki(vault)["topics/harbour-gate.md"].decode()
    assert git(vault.root, "show", f"HEAD:wiki/{PAGE}") == before
    # Told again as long as it is so, also when nothing else is to be done.
    assert named(vault.compile(model=Dictated())) == [(f"wiki/{PAGE}", "uncommitted")]
    commit(vault)
    report = vault.compile(model=Dictated())
    assert (report.problems, bool(report.settled)) == ([], True)
    told = page.read_text()
    assert "See the runbook as well.\n" in told
    assert "Ask Ines before you raise this.\n" in told
    assert "- Retries stop after 5 attempts. [^" in told
    assert "~~Retries stop after 3 attempts.~~" in told
    check(vault)


def test_staged_work_is_neither_committed_nor_unstaged(vault: Vault, page: Path) -> None:
    page.write_text(page.read_text() + NOTE)
    mine = vault.root / "mine.txt"
    mine.write_text("staged\n")
    git(vault.root, "add", "mine.txt", f"wiki/{PAGE}")
    mine.write_text("staged, then edited\n")
    later(vault)
    assert git(vault.root, "status", "--porcelain").splitlines() == ["AM mine.txt", f"M  wiki/{PAGE}"]
    assert git(vault.root, "show", ":mine.txt") == "staged\n"
    assert "mine.txt" not in git(vault.root, "log", "--format=", "--name-only")
    assert "Ask Ines" not in git(vault.root, "show", f"HEAD:wiki/{PAGE}")


def test_what_is_staged_alone_stays_when_the_file_on_disk_is_as_committed(vault: Vault, page: Path) -> None:
    before = page.read_text()
    page.write_text(before + NOTE)
    git(vault.root, "add", f"wiki/{PAGE}")
    page.write_text(before)
    report = later(vault)
    assert [where for where, _ in named(report)] == [f"wiki/{PAGE}"]
    assert git(vault.root, "show", f":wiki/{PAGE}") == before + NOTE
    assert git(vault.root, "show", f"HEAD:wiki/{PAGE}") == before
    git(vault.root, "restore", "--staged", f"wiki/{PAGE}")
    vault.compile(model=Dictated())
    assert "Retries stop after 5 attempts." in page.read_text()
    check(vault)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_claim_reworded_by_hand_stays_as_it_was_written(vault: Vault, page: Path, when: str) -> None:
    if when == "after":
        later(vault, limit=3)
    page.write_text(page.read_text().replace("- Retries stop after 3", "- Retries end after 3") + NOTE)
    commit(vault)
    tell(vault, session("three", "2026-03-08", GATE.format("noon")))
    report = vault.compile(model=Dictated())
    assert (report.problems, report.edits) == ([], ("Retries end after 3 attempts.",))
    assert "closes at noon" in wiki(vault)["topics/harbour-gate.md"].decode()
    for _ in range(2):
        told = page.read_text()
        assert "- Retries end after 3 attempts. [^" in told
        assert "Retries stop after 3" not in told.partition("\n[^")[0]
        assert "Ask Ines" in told
        check(vault)
        vault.recompile(model=Dictated())


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("## Facts", "<<<<<<< HEAD\n## Facts\n=======\n## Fact\n>>>>>>> theirs", "merge-marker"),
        ("title: Payment retries", "title: Payment: retries", "frontmatter"),
        ("type: topic", "\ttype: topic", "frontmatter"),
        ("valid_until:\n---", "valid_until:\n", "frontmatter"),
    ],
)
def test_a_broken_page_is_left_alone_and_the_others_go_on(vault: Vault, page: Path, old: str, new: str, rule: str) -> None:
    whole = page.read_text()
    broken = whole.replace(old, new, 1) + NOTE
    assert broken != whole + NOTE
    page.write_text(broken)
    commit(vault)
    report = later(vault)
    assert named(report) == [(f"wiki/{PAGE}", rule)]
    assert [one.reason for one in report.outcomes] == [""]
    assert page.read_text() == broken
    assert "closes at ten" in wiki(vault)["topics/harbour-gate.md"].decode()
    assert rule in {problem.rule for problem in vault.verify().problems}
    page.write_text(whole + NOTE)
    commit(vault)
    assert vault.compile(model=Dictated()).problems == []
    assert "Retries stop after 5 attempts." in page.read_text()
    assert "Ask Ines" in page.read_text()
    check(vault)


def test_a_page_of_a_person_s_own_stays(vault: Vault, page: Path) -> None:
    own = page.with_name("how-we-moor.md")
    own.write_text("---\ntitle: How we moor\n---\n\n# How we moor\n\nSlowly.\n")
    commit(vault)
    later(vault)
    unsaved = page.with_name("draft.md")
    unsaved.write_text("# A draft\n")
    later(vault, "three", 7)
    assert own.read_text().endswith("Slowly.\n")
    assert unsaved.read_text() == "# A draft\n"
    assert git(vault.root, "status", "--porcelain").split() == ["??", "wiki/topics/draft.md"]
    # An index lists what sources say; the page is found by its name all the same.
    assert vault.show("How we moor").path == "wiki/topics/how-we-moor.md"


@pytest.mark.parametrize("saved", [True, False])
def test_a_page_of_a_person_s_own_is_not_overwritten_by_a_subject_of_its_name(vault: Vault, page: Path, saved: bool) -> None:
    own = page.with_name("berth-4.md")
    own.write_text("# Berth 4\n\nThe deep one.\n")
    if saved:
        commit(vault)
    tell(vault, session("two", "2026-03-04", "topic | berth 4 | | Berth 4 is nine metres deep."))
    report = vault.compile(model=Dictated())
    told = own.read_text()
    assert "The deep one.\n" in told
    assert ("nine metres" in told) == saved
    assert named(report) == ([] if saved else [("wiki/topics/berth-4.md", "uncommitted")])


def test_notes_follow_a_page_whose_subject_gets_another_slug(vault: Vault, page: Path) -> None:
    page.write_text(page.read_text() + NOTE)
    commit(vault)
    # The same title in another scope: both pages get their scope added.
    tell(vault, session("two", "2026-03-04", LIMIT.format(9), cwd="/home/sam/quay"))
    report = vault.compile(model=Dictated())
    found = wiki(vault)
    assert PAGE not in found
    assert "Ask Ines" in found["topics/payment-retries-harbour.md"].decode()
    assert "Ask Ines" not in found["topics/payment-retries-quay.md"].decode()
    assert report.problems == []
    check(vault)


def test_notes_follow_a_page_that_is_merged_into_another(vault: Vault, page: Path) -> None:
    judged = {frozenset({"payment retries", "payment retry"}): "same"}
    tell(vault, session("b", "2026-03-04", "topic | payment retry | | The payment retry waits ten seconds."))
    vault.compile(model=Dictated())
    other = page.with_name("payment-retry.md")
    other.write_text(other.read_text() + "\n## Notes\n\nMeasured by Ines.\n")
    page.write_text(page.read_text() + NOTE)
    commit(vault)
    report = vault.recompile(model=Dictated(judged))
    assert report.commit
    told = page.read_text()
    assert "Ask Ines" in told
    assert "waits ten seconds" in told
    assert told.count("## Notes") == 1
    assert "Measured by Ines." in told
    assert not other.exists()
    check(vault)


def test_pages_that_change_places_keep_each_its_own_notes(vault: Vault, page: Path) -> None:
    """`payment retries` of one project has the plain name until another project has it too, and gets it back."""
    tell(vault, session("two", "2026-03-04", LIMIT.format(9), cwd="/home/sam/quay"))
    vault.compile(model=Dictated())
    for where, note in (("harbour", "Asked at the harbour."), ("quay", "Asked at the quay.")):
        each = page.with_name(f"payment-retries-{where}.md")
        each.write_text(f"{each.read_text()}\n## Notes\n\n{note}\n")
    commit(vault)
    # The claims of the harbour are worded away, so that only the quay has the name.
    report = vault.recompile(model=Dictated(rewords=lambda text: "" if "after 3" in text else text))
    found = wiki(vault)
    assert "Asked at the quay." in found[PAGE].decode()
    assert "Asked at the harbour." not in found[PAGE].decode()
    assert "payment-retries-quay.md" not in found
    assert "Asked at the harbour." in found["topics/payment-retries-harbour.md"].decode()
    assert [problem.where for problem in report.problems] == ["wiki/topics/payment-retries-harbour.md"] * len(report.problems)
    vault.recompile(model=Dictated())
    found = wiki(vault)
    assert "Asked at the quay." in found["topics/payment-retries-quay.md"].decode()
    assert "Asked at the harbour." in found["topics/payment-retries-harbour.md"].decode()
    assert PAGE not in found


def test_a_page_that_is_left_alone_keeps_others_from_taking_its_place(vault: Vault, page: Path) -> None:
    edited = page.read_text() + NOTE
    page.write_text(edited)
    tell(vault, session("two", "2026-03-04", LIMIT.format(9), cwd="/home/sam/quay"))
    report = vault.compile(model=Dictated())
    assert named(report) == [(f"wiki/{PAGE}", "uncommitted")]
    assert page.read_text() == edited
    assert "after 9" in wiki(vault)["topics/payment-retries-quay.md"].decode()
    # Somebody else gets the plain name: that page waits for its place, in this compile and in the next.
    tell(vault, session("three", "2026-03-06", "topic | payment retries | | Ines counts the retries by hand. | scope="))
    for _ in range(2):
        assert set(named(vault.compile(model=Dictated()))) == {(f"wiki/{PAGE}", "uncommitted")}
        assert page.read_text() == edited
    commit(vault)
    assert vault.compile(model=Dictated()).problems == []
    found = wiki(vault)
    assert "Ines counts" in found[PAGE].decode()
    assert "Ask Ines" not in found[PAGE].decode()
    assert "Ask Ines" in found["topics/payment-retries-harbour.md"].decode()
    check(vault)


def test_a_page_waits_for_a_place_that_another_cannot_leave(vault: Vault, page: Path) -> None:
    page.write_text(page.read_text() + NOTE)
    commit(vault)
    # The harbour's page is to be `payment-retries-harbour`, where somebody is writing; nobody else gets its place then.
    target = page.with_name("payment-retries-harbour.md")
    target.write_text("# A draft\n")
    tell(vault, session("two", "2026-03-04", LIMIT.format(9), cwd="/home/sam/quay"))
    report = vault.compile(model=Dictated())
    assert named(report) == [("wiki/topics/payment-retries-harbour.md", "uncommitted")]
    # Somebody else gets the plain name meanwhile.
    tell(vault, session("three", "2026-03-06", "topic | payment retries | | Ines counts the retries by hand. | scope="))
    assert (f"wiki/{PAGE}", "waits") in named(vault.compile(model=Dictated()))
    assert (target.read_text(), "Ask Ines" in page.read_text()) == ("# A draft\n", True)
    target.unlink()
    assert vault.compile(model=Dictated()).problems == []
    assert "Ask Ines" in target.read_text()
    assert "Ines counts" in page.read_text()
    assert "Ask Ines" not in page.read_text()
    check(vault)


def test_a_link_that_a_person_added_stays_and_one_of_ours_goes_when_nothing_names_it(vault: Vault, page: Path) -> None:
    tell(vault, session("two", "2026-03-04", "topic | payment retries | | Payment retries wait at the harbour gate."))
    vault.compile(model=Dictated())
    ours = "- [Harbour gate](../topics/harbour-gate.md)\n"
    assert ours in page.read_text()
    own = ["- [How we moor](how-we-moor.md): ask there first.", "- [The plan](https://example.org/plan)"]
    page.with_name("how-we-moor.md").write_text("# How we moor\n")
    page.write_text(page.read_text().replace(ours, ours + "".join(f"{each}\n" for each in own)))
    commit(vault)
    later(vault)
    told = page.read_text()
    assert ours in told
    assert all(each in told for each in own)
    vault.recompile(model=Dictated(rewords=lambda text: text.replace("harbour gate", "mole")), reword=True)
    told = page.read_text()
    assert ours not in told
    assert all(each in told for each in own)


def test_notes_on_a_page_whose_claims_are_gone_stay_and_are_named(vault: Vault, page: Path) -> None:
    gate = page.with_name("harbour-gate.md")
    page.write_text(page.read_text() + NOTE)
    commit(vault)
    report = vault.recompile(model=Dictated(rewords=lambda text: ""))
    assert report.commit
    assert "Ask Ines" in page.read_text()
    assert not gate.exists()
    assert (f"wiki/{PAGE}", "people") in [(problem.where, problem.rule) for problem in report.problems]
    assert "Ask Ines" in page.read_text()
    again = vault.compile(model=Dictated())
    assert "Ask Ines" in page.read_text()
    assert named(again) == [(f"wiki/{PAGE}", "people")]


def test_a_page_deleted_by_hand_and_not_committed_is_left_alone(vault: Vault, page: Path) -> None:
    page.unlink()
    report = later(vault)
    assert named(report) == [(f"wiki/{PAGE}", "uncommitted")]
    assert not page.exists()
    assert git(vault.root, "status", "--porcelain").split() == ["D", f"wiki/{PAGE}"]
    git(vault.root, "checkout", "-q", "--", f"wiki/{PAGE}")
    vault.compile(model=Dictated())
    assert "Retries stop after 5 attempts." in page.read_text()
    check(vault)


def test_a_page_deleted_by_hand_and_committed_stays_away(vault: Vault, page: Path) -> None:
    page.unlink()
    commit(vault)
    report = vault.compile(model=Dictated())
    assert (report.problems, len(report.edits)) == ([], 1)
    vault.recompile(model=Dictated())
    assert not page.exists()
    check(vault)


def test_an_index_that_a_person_began_is_not_deleted_or_overwritten_unsaved(vault: Vault, page: Path) -> None:
    mine = {folder: vault.root / "wiki" / folder / "index.md" for folder in ("people", "decisions")}
    for path in mine.values():
        path.parent.mkdir()
        path.write_text("mine\n")
    tell(vault, session("two", "2026-03-04", "decision | one queue | decision | One queue serves all berths."))
    report = vault.compile(model=Dictated())
    assert [path.read_text() for path in mine.values()] == ["mine\n", "mine\n"]
    assert [where for where, _ in named(report)] == ["wiki/decisions/index.md"]


def test_a_page_saved_with_carriage_returns_or_a_mark_is_read_all_the_same(vault: Vault, page: Path) -> None:
    page.write_bytes(b"\xef\xbb\xbf" + (page.read_text() + NOTE).replace("\n", "\r\n").encode())
    commit(vault)
    later(vault)
    assert "Ask Ines" in page.read_text()
    assert "Retries stop after 5 attempts." in page.read_text()
    assert git(vault.root, "status", "--porcelain") == ""


@pytest.mark.parametrize("line", ["Ines knows why.", "<!-- hidden -->", "> Quoted by hand", "| a | b |", "- [ ] ask Ines"])
def test_a_line_of_a_person_between_ours_stays_where_it_was(vault: Vault, page: Path, line: str) -> None:
    text = page.read_text()
    claim = next(each for each in text.splitlines() if each.startswith("- Retries stop after 3"))
    page.write_text(text.replace(claim, f"{claim}\n{line}"))
    commit(vault)
    tell(vault, session("two", "2026-03-08", "topic | payment retries | | Payment retries are logged by the quay office."))
    vault.compile(model=Dictated())
    told = page.read_text().splitlines()
    assert told[told.index(claim) + 1] == line
    assert any("quay office" in each for each in told)
    check(vault)
