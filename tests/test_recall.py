"""Recall and search over a real vault: found at once, in step with the sources, and nothing when nothing fits."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import claude, jsonl
from wikimem.core import bundles
from wikimem.core.bundles import GUARD
from wikimem.faces import text
from wikimem.faces.api import Vault


def session(number: int, cwd: str, *words: str) -> bytes:
    records = []
    for place, said in enumerate(words, 1):
        role = "user" if place % 2 else "assistant"
        content = said if role == "user" else [{"type": "text", "text": said}]
        more = {"uuid": f"s{number}-{place}", "sessionId": f"s{number}", "cwd": cwd}
        records.append({**claude(place, role, content), **more, "parentUuid": f"s{number}-{place - 1}" if place > 1 else None})
    return jsonl(*records)


@pytest.fixture
def filled(vault: Vault, tmp_path: Path) -> Vault:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "1.jsonl").write_bytes(
        session(1, "/home/sam/harbour", "The tide tables are served from port 8090.", "Noted.", "Berth 4 stays free.", "ok")
    )
    (logs / "2.jsonl").write_bytes(session(2, "/home/sam/dock", "Cranes are inspected every Monday by Ines.", "Noted."))
    vault.ingest([logs])
    return vault


def cites(vault: Vault, question: str, scope: str = "") -> list[str]:
    bundle = vault.recall(question, scope).bundle
    return [entry.passage.text for entry in bundle.entries if not entry.context]


def test_what_was_said_is_found_with_a_citation_that_show_opens(filled: Vault) -> None:
    found = filled.recall("Which port serves the tide tables?")
    assert found.bundle.text.startswith(GUARD)
    best = next(entry for entry in found.bundle.entries if entry.rank == 1)
    assert best.passage.text == "The tide tables are served from port 8090."
    assert filled.show(best.passage.cite).turns[0].text == best.passage.text
    assert found.problems == ()


def test_nothing_relevant_gives_nothing(filled: Vault) -> None:
    found = filled.recall("Who won the chess tournament in Lisbon?")
    assert (found.bundle.entries, found.bundle.text) == ((), "")
    assert text.recalled(found) == "Nothing relevant was said."


def test_the_budget_holds_for_the_rendered_text(filled: Vault) -> None:
    for budget in (1, 40, 80, 200):
        assert bundles.tokens(filled.recall("tide tables port berth", budget=budget).bundle.text) <= budget


def test_a_list_for_a_person_can_be_narrowed(filled: Vault) -> None:
    assert len(filled.search("cranes").hits) == 1
    assert filled.search("cranes", speaker="assistant").hits == ()
    assert filled.search("cranes", since="2026-04-01").hits == ()
    assert len(filled.search("cranes", since="2026-03-01", until="2026-03-31").hits) == 1


def test_strict_isolation_never_shows_another_project(filled: Vault, reopen: Callable[[Vault], Vault]) -> None:
    assert cites(filled, "inspected cranes Monday", "project:harbour")
    (filled.root / "wikimem.local.toml").write_text('[vault]\nisolation = "strict"\n')
    strict = reopen(filled)
    assert cites(strict, "inspected cranes Monday", "project:harbour") == []
    assert cites(strict, "inspected cranes Monday", "project:dock")
    assert cites(strict, "inspected cranes Monday") == []


def test_the_index_follows_the_sources_and_survives_its_loss(filled: Vault, reopen: Callable[[Vault], Vault]) -> None:
    shutil.rmtree(filled.root / ".wikimem" / "index")
    assert cites(reopen(filled), "tide tables port")
    (filled.root / ".wikimem" / "index" / "current").write_bytes(b"\x00 rubbish")
    assert cites(reopen(filled), "tide tables port")
    source = filled.show(filled.search("cranes").hits[0].passage.cite).sidecar
    for path in source.paths():
        (filled.root / path).unlink()
    again = reopen(filled)
    assert again.search("cranes").hits == ()
    assert cites(again, "tide tables port")


def test_rewound_turns_and_copies_are_not_found_twice(vault: Vault, tmp_path: Path) -> None:
    rewound = [
        claude(1, "user", "Where do bookings go?"),
        claude(2, "assistant", [{"type": "text", "text": "Files or a table."}], 1),
        claude(3, "user", "Put bookings into zeppelin files.", 2),
        claude(4, "user", "Put bookings into a zeppelin table.", 2),
    ]
    (tmp_path / "a.jsonl").write_bytes(jsonl(*rewound))
    (tmp_path / "b.jsonl").write_bytes(
        jsonl(*({**each, "sessionId": "fork", "forkedFrom": {"sessionId": "sess-1"}} for each in rewound))
    )
    vault.ingest([tmp_path / "b.jsonl"])
    vault.ingest([tmp_path / "a.jsonl"])
    hits = vault.search("zeppelin").hits
    assert [hit.passage.text for hit in hits] == ["Put bookings into a zeppelin table."]


@pytest.mark.parametrize(
    "query", ["", "*", "(", '"', "a AND", "NOT port", "-port", "[x TO", "C++", "???", "的", "🎉", "x" * 9000]
)
def test_any_characters_are_words_and_never_match_everything(filled: Vault, query: str) -> None:
    assert len(filled.search(query).hits) <= 1
    filled.recall(query)


def test_recall_imports_no_git_and_no_model(filled: Vault) -> None:
    script = (
        "import sys; from wikimem.faces.api import Vault; Vault.open(sys.argv[1]).recall('tide tables');"
        "print(sorted({name.split('.')[0] for name in sys.modules}));"
        "print(sorted(name for name in sys.modules if name.startswith('wikimem.')))"
    )
    filled.recall("tide tables")  # the index stands
    out = subprocess.run([sys.executable, "-c", script, str(filled.root)], check=True, capture_output=True, text=True).stdout
    assert "'whoosh'" in out
    for name in ("'git'", "'yaml'", "'litellm'", "'rich'", "'wikimem.edges.importers'", "'wikimem.core.masking'"):
        assert name not in out


def test_a_text_without_words_is_looked_for_to_the_letter_and_says_so(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session(1, "/home/sam/harbour", "Use the operator <=> for berths.", "ok"))
    vault.ingest([tmp_path / "s.jsonl"])
    found = vault.search("<=>")
    assert [hit.passage.text for hit in found.hits] == ["Use the operator <=> for berths."]
    assert [problem.rule for problem in found.problems] == ["literal"]
    assert [problem.rule for problem in vault.search("***").problems] == ["no-words"]
    assert vault.search("<=>", until="2026-01-01").hits == ()
