"""Recompile: what another model makes of the same sources, in one commit that is reviewed; what people wrote and judged stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, check, commits, git, session, tell, wiki
from wikimem.core import judgements
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.memory_diff import Reworded
from wikimem.faces.api import Vault

EAST = "Payment retries wait in the east queue."
WEST = "Payment retries wait in the west queue."
LINE = "topic | payment retries | | {}"
PAGE = "topics/payment-retries.md"
LIKE = {frozenset({EAST, WEST}): "contradicts"}


@pytest.fixture
def compiled(vault: Vault) -> Vault:
    """Two sources about one page, whose claims contradict each other."""
    tell(vault, session("one", "2026-03-02", LINE.format(EAST)), session("two", "2026-03-04", LINE.format(WEST)))
    vault.compile(model=Dictated(LIKE))
    assert b"conflicts with" in wiki(vault)[PAGE]
    return vault


def test_after_a_compile_a_check_finds_nothing_and_writes_nothing(compiled: Vault) -> None:
    before, head = wiki(compiled), commits(compiled)
    report = compiled.recompile(check=True, model=Dictated(LIKE))
    assert (report.sources, report.files, report.pages, report.commit) == (2, (), (), "")
    assert (report.failed, report.problems) == ({}, [])
    assert (wiki(compiled), commits(compiled)) == (before, head)


def test_a_recompile_by_the_same_model_makes_no_commit(compiled: Vault) -> None:
    head = commits(compiled)
    report = compiled.recompile(model=Dictated(LIKE))
    assert (report.commit, report.pages, commits(compiled)) == ("", (), head)


def test_a_check_tells_what_another_model_would_say(compiled: Vault) -> None:
    before, head = wiki(compiled), commits(compiled)
    model = Dictated(rewords=lambda text: text.replace("wait in", "rest in"), edition="2")
    report = compiled.recompile(check=True, model=model, reword=True)
    assert report.counts == "+0 ~2 -0"
    (page,) = report.pages
    assert {type(change) for change in page.changes} == {Reworded}
    assert {path for path in report.files if "/.claims/2026/" in path} == {
        f"wiki/.claims/2026/03/{sidecar}.jsonl" for sidecar in (path.stem for path in compiled.root.glob("sources/*/*/*.yaml"))
    }
    assert f"wiki/{PAGE}" in report.files
    # The judgement of the pair goes with its claims.
    assert [path for path in report.files if "/pairs/" in path]
    assert (wiki(compiled), commits(compiled)) == (before, head)


def test_a_recompile_is_one_commit_and_does_what_the_check_said(compiled: Vault) -> None:
    model = Dictated(rewords=lambda text: text.replace("wait in", "rest in"), edition="2")
    told = compiled.recompile(check=True, model=model, reword=True)
    head = commits(compiled)
    report = compiled.recompile(model=model, reword=True)
    assert commits(compiled)[1:] == head
    assert report.pages == told.pages
    changed = git(compiled.root, "show", "--format=", "--name-only", "HEAD").split()
    assert sorted(changed) == list(told.files)
    trailers = git(compiled.root, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert trailers[0] == "Wiki-Op: recompile"
    assert [line for line in trailers if line.startswith(("Prompts", "Claims"))] == ["Prompts: 2", "Claims: +0 ~2 -0"]
    assert compiled.recompile(check=True, model=model).files == ()
    check(compiled)


def test_people_s_prose_survives_a_recompile(compiled: Vault) -> None:
    page = compiled.root / "wiki" / PAGE
    page.write_text(page.read_text().replace("## Facts\n", "## Facts\n\nMeasured in May.\n") + "\n## Notes\n\nAsk Ines.\n")
    git(compiled.root, "commit", "-qam", "notes")
    compiled.recompile(model=Dictated(rewords=lambda text: text.replace("wait in", "rest in"), edition="2"), reword=True)
    told = page.read_text()
    assert "Measured in May.\n" in told
    assert "Ask Ines.\n" in told
    assert "rest in the east queue" in told
    check(compiled)


def test_judgements_of_the_old_model_go_and_those_of_people_stay(compiled: Vault) -> None:
    (path,) = (compiled.root / "wiki/.claims/pairs").glob("*.jsonl")
    judged, _ = judgements.read(path.read_bytes(), "pairs")
    assert [one.relation for one in judged] == [Relation.CONTRADICTS]
    compiled.recompile(model=Dictated(edition="2"))
    told, _ = judgements.read(path.read_bytes(), "pairs")
    assert [one.relation for one in told] == [Relation.UNRELATED]
    assert b"conflicts with" not in wiki(compiled)[PAGE]
    by_hand = Judgement(told[0].pair, "claims", Relation.SAME, "person", "told by Ines")
    path.write_bytes(judgements.write([*told, by_hand]))
    git(compiled.root, "commit", "-qam", "the same")
    compiled.compile(model=Dictated())
    assert wiki(compiled)[PAGE].count(b"\n- Payment retries") == 1
    compiled.recompile(model=Dictated(LIKE, edition="3"))
    assert by_hand in judgements.read(path.read_bytes(), "pairs")[0]
    assert wiki(compiled)[PAGE].count(b"\n- Payment retries") == 1
    check(compiled)


def test_a_source_that_fails_keeps_what_it_gave(compiled: Vault) -> None:
    before = wiki(compiled)
    model = Dictated(LIKE, fails=["west"], rewords=lambda text: text.replace("wait in", "rest in"))
    report = compiled.recompile(model=model, reword=True)
    assert (
        list(report.failed.values())
        == [
            "The model dictated gave no usable answer: it was told to fail here. "
            "The source stays pending; compile again to ask again."
        ]
        * 1
    )
    found = wiki(compiled)
    assert b"rest in the east queue" in found[PAGE]
    assert b"wait in the west queue" in found[PAGE]
    (kept,) = (path for path in found if path.startswith(".claims/2026") and found[path] == before[path])
    assert kept.endswith(f"{next(iter(report.failed))}.jsonl")


def test_a_recompile_takes_pending_sources_as_well(compiled: Vault) -> None:
    tell(compiled, session("three", "2026-03-06", LINE.format("Payment retries are counted by the quay office.")))
    assert compiled.status().pending == 1
    report = compiled.recompile(model=Dictated(LIKE))
    assert (report.sources, report.counts, compiled.status().pending) == (3, "+1 ~0 -0", 0)
    check(compiled)


def test_what_another_model_would_do_is_told_as_outdated(compiled: Vault) -> None:
    # The settings name `rules`: all was compiled by somebody else.
    assert compiled.status().outdated == 2
    compiled.recompile()
    assert compiled.status().outdated == 0
    check(compiled)


def test_a_pair_is_judged_again_though_nobody_asked_for_it_before(vault: Vault) -> None:
    """A judgement on disk about claims that no source yields any more is not kept by a recompile."""
    tell(vault, session("one", "2026-03-02", LINE.format(EAST)))
    vault.compile(model=Dictated())
    orphan = Judgement(pair("a" * 12, "b" * 12), "claims", Relation.SAME, "dictated")
    folder = vault.root / "wiki/.claims/pairs"
    folder.mkdir()
    (folder / "aa.jsonl").write_bytes(judgements.write([orphan]))
    git(vault.root, "add", "-A")
    git(vault.root, "commit", "-qm", "an orphan")
    vault.compile(model=Dictated())
    report = vault.recompile(model=Dictated())
    assert report.commit
    assert not (folder / "aa.jsonl").exists()
    assert vault.recompile(check=True, model=Dictated()).files == ()


def test_an_empty_vault_has_nothing_to_recompile(vault: Vault, tmp_path: Path) -> None:
    head = commits(vault)
    assert vault.recompile(model=Dictated()).as_json()["sources"] == 0
    assert vault.recompile(check=True, model=Dictated()).files == ()
    assert commits(vault) == head


def test_whoever_says_what_they_are_called_is_named_by_the_next_recompile(vault: Vault) -> None:
    tell(
        vault,
        session(
            "one", "2026-03-02", "never run the worker against staging, those are real addresses.", ("assistant", "Understood.")
        ),
    )
    vault.compile()
    assert any(b"The user on" in data for data in wiki(vault).values())
    marker = vault.root / "wikimem.toml"
    marker.write_text(marker.read_text().replace('# me = "Mira"', 'me = "Mira"'))
    opened = Vault.open(vault.root)
    report = opened.recompile()
    assert report.counts == "+0 ~1 -0"
    assert not any(b"The user" in data for path, data in wiki(opened).items() if path.endswith(".md"))
    assert any(b"Mira on Staging" in data for data in wiki(opened).values())
    assert opened.recompile().commit == ""
