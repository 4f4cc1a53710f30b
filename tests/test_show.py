"""Show: citations lead to the words they cite, or say why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import claude, jsonl
from wikimem.errors import BadCitation
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
        ("../../etc/passwd", "is no citation"),
        ("{source}:../x/L1", "nothing was said"),
        ("", "is no citation"),
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
