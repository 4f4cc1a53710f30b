"""Law 2, on generated sessions: what was forgotten leaves the wiki as if it had never been captured; and `kill -9`."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dictated import Dictated, as_model, check, git, session, tell, wiki
from test_compile_laws import SLOW, TEXTS, History, an_empty_vault, histories
from wikimem.core.tombstones import FOLDER
from wikimem.errors import CannotForget
from wikimem.faces.api import Vault

EXAMPLES = 5


def pages(vault: Vault) -> dict[str, bytes]:
    """The whole wiki, claims files and judgements included, without the tombstones."""
    return {path: data for path, data in wiki(vault).items() if not f"wiki/{path}".startswith(FOLDER)}


@settings(SLOW, max_examples=EXAMPLES)
@given(histories(), st.randoms(use_true_random=False))
def test_forgotten_is_as_never_captured(history: History, chance: random.Random) -> None:
    gone = sorted(chance.sample(range(len(history.sessions)), chance.randint(1, len(history.sessions) - 1)))
    model = as_model(Dictated(history.judged))
    with an_empty_vault() as vault, an_empty_vault() as other:
        sources = tell(vault, *history.sessions)
        vault.compile(model=model)
        names = [sources[number] for number in gone]
        if chance.random() < 0.5:
            vault.forget(*names, yes=True, model=model)
        else:
            for name in chance.sample(names, len(names)):
                vault.forget(name, yes=True, model=model)
        tell(other, *(each for number, each in enumerate(history.sessions) if number not in gone))
        other.compile(model=model)
        assert pages(vault) == pages(other)
        check(vault)
        # Nothing is left to do, and nothing comes back.
        assert vault.compile(model=model).settled == ""
        vault.ingest([vault.root.parent / "told"])
        vault.compile(model=model)
        assert pages(vault) == pages(other)


@settings(SLOW, max_examples=EXAMPLES)
@given(histories(), st.sampled_from(TEXTS))
def test_no_line_that_held_a_text_is_left_and_the_rest_stays_proved(history: History, text: str) -> None:
    model = as_model(Dictated(history.judged))
    with an_empty_vault() as vault:
        tell(vault, *history.sessions)
        vault.compile(model=model)
        said = {path: path.read_bytes() for path in (vault.root / "sources").rglob("*.jsonl")}
        vault.forget(matching=text, yes=True, model=model)
        for path, data in said.items():
            lines = data.split(b"\n")
            assert path.read_bytes().split(b"\n") == [b"" if text.encode() in line else line for line in lines]
        check(vault)
        vault.recompile(model=model)
        vault.ingest([vault.root.parent / "told"])
        files = [path for path in vault.root.rglob("*") if path.is_file() and ".git" not in path.parts]
        assert [path for path in files if text.encode() in path.read_bytes()] == []
        check(vault)


SCRIPT = """
import os, sys, threading, time
sys.path[:0] = sys.argv[4].split(os.pathsep)
from dictated import Dictated
from wikimem.faces.api import Vault
vault = Vault.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
vault.forget(sys.argv[2], yes=True, model=Dictated())
print("done", flush=True)
"""
CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."
LIMIT = "topic | payment retries | retry-limit | Retries stop after 5 attempts."


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.65, 0.8, 0.9])
def test_killed_at_any_moment_the_next_run_finishes_or_says_how(vault: Vault, share: float) -> None:
    one, two = tell(vault, session("one", "2026-03-02", CRANE), session("two", "2026-03-04", LIMIT))
    vault.compile(model=as_model(Dictated()))
    vault.recall("harbour crane")
    before = wiki(vault)
    start = time.monotonic()
    with an_empty_vault() as other:
        # How long it takes on this machine, now.
        (same,) = tell(other, session("one", "2026-03-02", CRANE))
        other.compile(model=as_model(Dictated()))
        start = time.monotonic()
        other.forget(same, yes=True)
        took = time.monotonic() - start
    places = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    command = [sys.executable, "-c", SCRIPT, str(vault.root), one, "", places]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    time.sleep(took * share)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    again = Vault.open(vault.root)
    note = again.root / ".wikimem/forgetting.json"
    if note.exists():
        assert any(problem.rule == "unfinished-forget" for problem in again.verify().problems)
        assert any("was cut short" in told for told in again.compile(model=as_model(Dictated())).notes)
    try:
        again.forget(one, yes=True, model=as_model(Dictated()))
    except CannotForget as told:
        # Nothing had happened, and it says so.
        assert "cut short before anything was changed" in str(told)
        assert wiki(again) == before
        again.forget(one, yes=True, model=as_model(Dictated()))
    except Exception as error:
        # It was done, but for what lies beside git, which is finished now.
        assert "is no source" in str(error)
    assert not note.exists()
    files = [path for path in again.root.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert [path for path in files if b"forty tonnes" in path.read_bytes()] == []
    assert two in "".join(git(again.root, "ls-files").split())
    check(again)
