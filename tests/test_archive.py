"""Archiving: pages of which nothing has held for long are listed apart, lead where they led, and come back with news."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dictated import Dictated, as_model, check, commits, git, session, tell, wiki
from handwork import anew
from reviewing import settings
from syncing import clone, publish
from wikimem import memory
from wikimem.core import fold
from wikimem.errors import BadSettings, UsageError
from wikimem.faces.api import Vault

PIER = "topic | old pier | | The old pier is open to boats. | from=2022-01-01 | until=2023-06-01"
CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes near the old pier."
RECENT = "topic | ferry shed | | The ferry shed is rented out. | from=2022-01-01 | until=2026-05-01"
PAGE = "topics/old-pier.md"
ARCHIVE = "wiki/archive/index.md"


@pytest.fixture
def told(vault: Vault) -> Vault:
    tell(vault, session("one", "2023-03-02", PIER), session("two", "2026-03-04", CRANE, RECENT))
    vault.compile(model=as_model(Dictated()))
    return vault


def listed(vault: Vault, path: str) -> list[str]:
    """The pages that an index links to."""
    file = vault.root / path
    return [line.partition("](")[2].partition(")")[0] for line in file.read_text().splitlines() if line.startswith("- [")]


def test_without_yes_it_only_tells(told: Vault) -> None:
    before = commits(told)
    report = told.archive("1y")
    assert (report.pages, report.before, report.skipped) == ((PAGE,), "2025-07-01", {})
    assert commits(told) == before
    assert not (told.root / ARCHIVE).exists()


def test_the_page_stays_and_is_listed_apart(told: Vault) -> None:
    page = (told.root / "wiki" / PAGE).read_text()
    report = told.archive("1y", yes=True)
    assert report.problems == ()
    assert listed(told, ARCHIVE) == ["../topics/old-pier.md"]
    assert listed(told, "wiki/topics/index.md") == ["ferry-shed.md", "harbour-crane.md"]
    assert "archive/index.md" in listed(told, "wiki/index.md")
    assert (told.root / "wiki" / PAGE).read_text() == page.replace("status: current", "status: ended")
    assert "(../topics/old-pier.md)" in (told.root / "wiki/topics/harbour-crane.md").read_text()
    assert told.lint().problems == ()
    assert told.verify().problems == ()
    check(told)
    assert told.archive("1y", yes=True).pages == ()
    before = wiki(told)
    assert told.compile(model=as_model(Dictated())).outcomes == []
    anew(told, Dictated(edition="2"))
    assert listed(told, ARCHIVE) == ["../topics/old-pier.md"]
    assert before.keys() == wiki(told).keys()


def test_it_is_found_by_what_held_then(told: Vault) -> None:
    told.archive("1y", yes=True)
    assert "The old pier is open to boats." in told.recall("Is the old pier open to boats?", at="2023-01").bundle.text
    assert "(ended)" in (told.root / ARCHIVE).read_text()


def test_news_bring_it_back(told: Vault) -> None:
    told.archive("1y", yes=True)
    tell(told, session("three", "2026-07-02", "topic | old pier | | The old pier is being rebuilt."))
    told.compile(model=as_model(Dictated()))
    assert not (told.root / ARCHIVE).exists()
    assert "old-pier.md" in listed(told, "wiki/topics/index.md")
    check(told)


def test_an_old_session_found_late_does_not_bring_it_back(told: Vault) -> None:
    told.archive("1y", yes=True)
    late = "topic | old pier | | The old pier is painted white. | from=2022-01-01 | until=2022-06-01"
    tell(told, session("late", "2022-03-02", late))
    told.compile(model=as_model(Dictated()))
    assert listed(told, ARCHIVE) == ["../topics/old-pier.md"]
    assert "painted white" in (told.root / "wiki" / PAGE).read_text()


def test_undo_brings_it_back_for_good(told: Vault) -> None:
    before = wiki(told)
    report = told.archive("1y", yes=True)
    told.undo(report.source)
    after = {path: data for path, data in wiki(told).items() if not path.startswith(".claims") and "-edit-" not in path}
    assert after == {path: data for path, data in before.items() if not path.startswith(".claims")}
    assert told.archive("1y", yes=True).pages == ()
    told.undo(report.source)
    assert listed(told, ARCHIVE) == ["../topics/old-pier.md"]


def test_what_people_wrote_on_or_are_writing_on_keeps_its_place(told: Vault) -> None:
    file = told.root / "wiki" / PAGE
    page = file.read_text()
    file.write_text(page + "\nAsk Ines before it is torn down.\n")
    assert told.archive("1y", yes=True).skipped == {PAGE: "it was changed and not committed"}
    git(told.root, "commit", "-qam", "a note")
    told.compile(model=as_model(Dictated()))
    report = told.archive("1y", yes=True)
    assert (report.pages, report.skipped) == ((), {PAGE: "people wrote on it"})
    assert "Ask Ines" in file.read_text()


def test_a_page_that_is_recent_or_current_is_not_due(told: Vault) -> None:
    assert told.archive("4w").pages == ("topics/ferry-shed.md", PAGE)
    assert told.archive("3m").pages == (PAGE,)
    assert told.archive("4y").pages == ()


def test_a_page_with_what_still_holds_or_happened_lately_is_not_due(told: Vault) -> None:
    event = "topic | old pier | | A storm broke the old pier. | kind=episodic | from=2026-05-03"
    tell(told, session("four", "2023-03-04", event, "topic | ferry shed | | The ferry shed has a tin roof."))
    told.compile(model=as_model(Dictated()))
    assert told.archive("4w").pages == (PAGE,)
    assert told.archive("1y").pages == ()


def test_clones_agree(told: Vault) -> None:
    remote: Path = publish(told)
    other = clone(remote, "other")
    told.archive("1y", yes=True)
    tell(other, session("three", "2026-03-06", "topic | buoy | | The buoy is red."))
    other.compile(model=as_model(Dictated()))
    for each in (told, other, told):
        assert each.sync(model=as_model(Dictated())).problems == []
    assert wiki(told) == wiki(other)
    assert listed(other, ARCHIVE) == ["../topics/old-pier.md"]


def test_forgetting_the_session_takes_the_edit_along(told: Vault) -> None:
    told.archive("1y", yes=True)
    (source,) = (each.id for each in told._opened.ledger.all().values() if each.started.startswith("2023"))
    report = told.forget(source, yes=True, model=as_model(Dictated()))
    assert report.code == 0
    assert not (told.root / ARCHIVE).exists()
    assert b"pier is open" not in b"".join(path.read_bytes() for path in told.root.rglob("*.jsonl"))
    check(told)


def test_the_ages_of_the_settings(told: Vault) -> None:
    assert settings(told, '\n[retention]\nsources = "2y"\npages = "18m"\n').retention == ("2y", "18m")
    with pytest.raises(BadSettings, match=r"retention\.claims"):
        settings(told, 'claims = "2y"\n').archive("1y")


def test_what_is_no_age_is_refused(told: Vault) -> None:
    with pytest.raises(UsageError, match="is no age"):
        told.archive("long")


def test_the_fold_is_the_same_in_any_order_of_sources_and_edits(told: Vault) -> None:
    told.archive("1y", yes=True)
    vocabulary = told._opened.settings.vocabulary
    files = [*memory.load(told.root, told._opened.ledger, vocabulary).files.values()]
    whole = fold.whole(files, {}, vocabulary)
    assert [subject.title for subject in whole.subjects.values() if subject.archived] == ["Old pier"]
    for order in itertools.permutations(files):
        wiki_ = fold.empty(vocabulary)
        for end in range(1, len(order) + 1):
            before, wiki_ = wiki_, fold.again(wiki_, order[:end], {}, vocabulary)
            moved = {key for key in wiki_.subjects if wiki_.subjects[key] != before.subjects.get(key)}
            # What is rendered anew, page by page, is all that reads otherwise.
            assert moved <= {*fold.touched(before, wiki_)}
        assert wiki_ == whole
