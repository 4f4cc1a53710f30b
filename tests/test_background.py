"""Background: settled sessions become few commits, lost ones are rescued, notes become sources, and nothing is done twice."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from conftest import NOW
from dictated import git, joined, records
from wikimem import attend, background, indexing, notes
from wikimem.core.events import Event
from wikimem.edges import spool
from wikimem.errors import UsageError
from wikimem.faces.api import Vault
from wikimem.vault import Vault as Opened
from wikimem.vault import open_at

CWD = "/home/sam/harbour"


def at(vault: Vault, hours: float = 0.0) -> Opened:
    return open_at(vault.root, lambda: NOW + timedelta(hours=hours))


def transcript(name: str, *said: str | tuple[str, str]) -> Path:
    path = Path(os.environ["HOME"]) / ".claude" / "projects" / "-home-sam-harbour" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(joined(records(name, "2026-07-01T08:00", *said, cwd=CWD)))
    return path


def heard(opened: Opened, name: str, path: Path, ended: bool = False) -> None:
    attend.keep(opened, Event("claude-code", name, CWD, str(path)), ended)


def subjects(vault: Vault) -> list[str]:
    return git(vault.root, "log", "--format=%s", "--reverse").splitlines()[1:]


def test_six_sessions_of_nine_turns_make_at_most_eight_commits(vault: Vault) -> None:
    for number in range(6):
        said: list[str | tuple[str, str]] = []
        for turn in range(9):
            said += [f"No, we always moor boat {number} at berth {turn}.", ("assistant", f"Moored at {turn}.")]
            path = transcript(f"s-{number}", *said)
            heard(at(vault, number), f"s-{number}", path)
        heard(at(vault, number), f"s-{number}", path, ended=True)
        background.work(at(vault, number))
    assert len(subjects(vault)) <= 8
    taken = [each.session for each in open_at(vault.root).ledger.all().values()]
    waiting = [each.session for each in spool.every(vault.root)]
    assert sorted(taken + waiting) == [f"s-{number}" for number in range(6)]
    # The next day takes what is left.
    background.work(at(vault, 24))
    assert len(open_at(vault.root).ledger.all()) == 6
    assert list(spool.every(vault.root)) == []


def test_what_waits_for_the_next_capture_is_found_meanwhile(vault: Vault) -> None:
    for number, words in enumerate(("Paint the hull red.", "The keeper wants amber lamps on the mole.")):
        heard(at(vault), f"s-{number}", transcript(f"s-{number}", words), ended=True)
        background.work(at(vault))
    assert len(open_at(vault.root).ledger.all()) == 1
    found = at(vault)
    assert "amber lamps" in attend.prompt(found, Event("codex", "x", CWD, prompt="Which lamps does the keeper want on the mole?"))
    background.work(at(vault, 5))
    assert len(open_at(vault.root).ledger.all()) == 2


def test_a_session_that_goes_on_is_left(vault: Vault) -> None:
    path = transcript("live", "Paint the hull red.")
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    records_now = joined(records("live", "2026-07-01T08:59", "Paint the hull red.", cwd=CWD))
    path.write_bytes(records_now)
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    heard(at(vault), "live", path)
    done = background.work(at(vault))
    assert done.captured == ()
    assert done.waiting == 1


def test_a_session_whose_file_is_gone_is_rescued(vault: Vault) -> None:
    path = transcript("gone", "The chain locker is never locked.")
    heard(at(vault), "gone", path)
    path.unlink()
    done = background.work(at(vault))
    assert len(done.captured) == 1
    assert [each.session for each in open_at(vault.root).ledger.all().values()] == ["gone"]
    assert list(spool.every(vault.root)) == []
    assert vault.verify().problems == ()


def test_a_second_run_does_nothing(vault: Vault) -> None:
    heard(at(vault), "s", transcript("s", "No, we always moor at berth 4."), ended=True)
    background.work(at(vault))
    before = git(vault.root, "rev-parse", "HEAD")
    assert background.work(at(vault, 30)) == background.Done((), (), 0, ())
    assert git(vault.root, "rev-parse", "HEAD") == before


def test_one_process_at_a_time(vault: Vault) -> None:
    from filelock import FileLock

    (vault.root / ".wikimem").mkdir(exist_ok=True)
    heard(at(vault), "s", transcript("s", "Moor at berth 4."), ended=True)
    with FileLock(vault.root / ".wikimem" / "background.lock"):
        assert background.work(at(vault)).captured == ()
        assert background.due(vault.root, ("false",)) is False


def test_a_note_is_found_at_once_and_becomes_a_source(vault: Vault) -> None:
    made = notes.note(
        at(vault), "The ferry moves to the north quay in July.", "we move the ferry to the north quay in July", "Mira", CWD
    )
    assert made.turns == 2
    with indexing.refresh(vault.root, at(vault).ledger):
        pass
    asked = Event("codex", "x", CWD, prompt="Where does the ferry move in July?")
    assert "north quay" in attend.prompt(at(vault), asked)
    background.work(at(vault))
    (sidecar,) = open_at(vault.root).ledger.all().values()
    turns = open_at(vault.root).ledger.read(sidecar.id).turns
    assert [(turn.speaker.value, turn.name) for turn in turns] == [("human", "Mira"), ("assistant", "")]
    assert sidecar.scope == "project:harbour"
    assert list(notes.folder(at(vault)).glob("*")) == []


@pytest.mark.parametrize("text", ["", "  ", "x" * 30_000])
def test_a_note_of_nothing_or_too_much_is_refused(vault: Vault, text: str) -> None:
    with pytest.raises(UsageError):
        notes.note(at(vault), text)


def test_a_note_without_a_persons_words_is_the_assistants(vault: Vault) -> None:
    notes.note(at(vault), "We always moor at berth 4.", cwd=CWD)
    background.work(at(vault))
    for path in (vault.root / "wiki").rglob("*.md"):
        assert "· human ·" not in path.read_text("utf-8")
