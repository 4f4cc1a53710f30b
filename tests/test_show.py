"""Show: citations lead to the words they cite, or say why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import claude, jsonl
from dictated import Dictated, session, tell
from wikimem.errors import BadCitation, ManyPages, NoPage
from wikimem.faces import text
from wikimem.faces.api import Vault

ANSWER = [{"type": "text", "text": "Berth 4 it is."}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]


@pytest.fixture
def source(vault: Vault, tmp_path: Path) -> str:
    records = [
        claude(1, "user", "Moor at berth 4.\x1b[31m"),
        {"type": "progress", "uuid": "p", "data": {"type": "hook_progress"}},
        claude(2, "assistant", ANSWER, 1),
        claude(3, "user", "Not 4, berth 5.", 1),
    ]
    (tmp_path / "s.jsonl").write_bytes(jsonl(*records))
    (added,) = vault.ingest([tmp_path / "s.jsonl"]).added
    return added.id


@pytest.mark.parametrize(
    ("cited", "places"),
    [
        ("", ["L1", "L3", "L3-2", "L4"]),
        (":L1", ["L1"]),
        (":L3", ["L3", "L3-2"]),
        (":L3-2", ["L3-2"]),
        (":L1-L3", ["L1", "L3", "L3-2"]),
        (":L1-4", ["L1", "L3", "L3-2", "L4"]),
    ],
)
def test_citations(vault: Vault, source: str, cited: str, places: list[str]) -> None:
    assert [turn.at for turn in vault.show(source + cited).turns] == places


def test_an_id_may_be_shortened_while_it_is_unique(vault: Vault, source: str) -> None:
    assert vault.show(f"{source.rsplit('-', 1)[1]}:L4").sidecar.id == source


@pytest.mark.parametrize(
    ("cited", "why"),
    [
        ("20990101-claude-code-00000000:L1", "no source here"),
        ("{source}:L2", "nothing was said at line 2"),
        ("{source}:L900", "nothing was said"),
        ("{source}:L3-L1", "comes before"),
        ("{source}:../x/L1", "nothing was said"),
    ],
)
def test_a_citation_that_leads_nowhere_says_why(vault: Vault, source: str, cited: str, why: str) -> None:
    with pytest.raises(BadCitation, match=why):
        vault.show(cited.format(source=source))


def test_a_person_sees_speakers_times_and_what_was_rewound(vault: Vault, source: str) -> None:
    shown = text.passage(vault.show(source))
    assert "L4  human  2026-03-02T09:03:00Z" in shown
    assert "\x1b" not in shown
    assert "[rewound" not in shown.split("L4")[1]


@pytest.fixture
def pages(vault: Vault) -> Vault:
    """Pages: one in two projects, one with another name, one of a person's own."""
    deep = "topic | berth 4 | | Berth 4 is {} metres deep."
    tell(
        vault,
        session("one", "2026-03-02", deep.format("nine"), "person | Ines Duarte | role | Ines Duarte is the harbour master."),
        session("two", "2026-03-04", deep.format("ten"), cwd="/home/sam/quay"),
        session("three", "2026-03-06", "person | Ines | role | Ines is the master of the harbour."),
    )
    vault.compile(model=Dictated({frozenset({"Ines", "Ines Duarte"}): "same"}))
    (vault.root / "wiki/topics/how-we-moor.md").write_text("---\ntitle: How we moor\n---\nSlowly.\x1b[31m\n")
    return vault


def test_a_page_is_shown_by_any_of_its_names(pages: Vault) -> None:
    for name, path in [
        ("ines-duarte", "people/ines-duarte.md"),
        ("Ines Duarte", "people/ines-duarte.md"),
        ("INES", "people/ines-duarte.md"),
        ("people/ines-duarte", "people/ines-duarte.md"),
        ("wiki/people/ines-duarte.md", "people/ines-duarte.md"),
        (" ines-duarte ", "people/ines-duarte.md"),
        ("berth-4-quay", "topics/berth-4-quay.md"),
        ("How we moor", "topics/how-we-moor.md"),
    ]:
        shown = pages.show(name)
        assert shown.path == f"wiki/{path}"
        assert shown.text == (pages.root / shown.path).read_text()
        assert "\x1b" not in text.shown(shown)


def test_a_name_of_none_or_of_several_is_a_sentence(pages: Vault) -> None:
    for name, told in [
        ("Berth 4", "is what 2 pages are called: topics/berth-4-harbour, topics/berth-4-quay."),
        ("berth-44", "Did you mean berth-4-"),
        ("duarte", "Did you mean ines-duarte?"),
        ("zeppelin", "`wikimem search WORDS` finds"),
        ("", "is no page of this wiki"),
        ("   ", "is no page of this wiki"),
        ("../../etc/passwd", "is no page of this wiki"),
        ("people/../../wikimem.toml", "is no page of this wiki"),
        ("index", "is no page of this wiki"),
        ("topics/index", "is no page of this wiki"),
        (".", "is no page of this wiki"),
        ("a\x00b", "is no page of this wiki"),
        ("x" * 5000, "is no page of this wiki"),
    ]:
        with pytest.raises(NoPage) as caught:
            pages.show(name)
        assert told in str(caught.value)
        assert len(str(caught.value)) < 6000


def test_a_name_of_several_pages_names_them(vault: Vault) -> None:
    tell(
        vault,
        session("one", "2026-03-02", "topic | payment retries | | Retries stop."),
        session("two", "2026-03-03", "topic | payment retries | | Retries go on.", cwd="/home/sam/quay"),
        session("three", "2026-03-04", "decision | payment retries | | Retries it is."),
    )
    vault.compile(model=Dictated())
    with pytest.raises(ManyPages, match="'Payment retries' is what 3 pages are called: ") as caught:
        vault.show("Payment retries")
    assert "decisions/payment-retries" in str(caught.value)
