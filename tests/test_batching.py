"""Compiling with batches: the same wiki at half the price, and what a person sees of it."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import NOW, claude, jsonl
from edges.models.bureau import Bureau, Ending
from edges.models.server import Server, prompt_of, remembering
from wikimem.core.spending import Spent
from wikimem.errors import NoBatches
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Connections that the libraries leave open are met here, where the warnings about them are passed over."""
    yield
    gc.collect()


SAID = [
    *(f"remember payment retries: Retries of payments in zone {n} stop after {n} attempts." for n in range(1, 5)),
    "remember payment retries alarm: Retries of payments are told to the clerk.",
    "remember staging port: The staging port is 9090.",
]


def use(vault: Vault, server: Server, service: str = "openai") -> Vault:
    """The vault, opened again, with a server's model in the settings of this machine."""
    base = server.root if service == "anthropic" else server.base
    lines = ["[compile]", f'model = "{service}/scripted"', f'api_base = "{base}"', "price_in = 1.0", "price_out = 4.0"]
    (vault.root / "wikimem.local.toml").write_text("\n".join([*lines, "seconds = 20", "jobs = 2"]) + "\n")
    return Vault.open(vault.root, clock=lambda: NOW)


@pytest.fixture
def told(vault: Vault, tmp_path: Path) -> Vault:
    """A vault of a session each in which a person says one of `SAID`."""
    return tell(vault, tmp_path, SAID)


def tell(vault: Vault, tmp_path: Path, said: list[str]) -> Vault:
    folder = tmp_path / "told"
    folder.mkdir()
    for day, words in enumerate(said, 1):
        when = f"2026-03-{day:02}T09:00:00.000Z"
        record = claude(1, "user", words, sessionId=f"sess-{day}", timestamp=when, uuid=f"u-{day}")
        (folder / f"{day}.jsonl").write_bytes(jsonl(record))
    vault.ingest(sorted(folder.iterdir()))
    return vault


def wiki(vault: Vault) -> dict[str, bytes]:
    root = vault.root / "wiki"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def copy(vault: Vault, folder: Path) -> Vault:
    subprocess.run(["git", "clone", "-q", vault.root, folder], check=True)
    return Vault.open(folder, clock=lambda: NOW)


@pytest.mark.parametrize("service", ["openai", "anthropic"])
def test_batches_give_the_same_bytes_at_half_the_price(
    told: Vault, tmp_path: Path, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    other = copy(told, tmp_path / "other")
    with Server(remembering) as alone, Server(remembering) as server:
        one = use(other, alone, service).compile()
        said: list[str] = []
        report = use(told, server, service).compile(batch=True, tell=said.append)
        assert server.requests == []
        assert max(server.given.values()) == 1
        names = [kind for kind in ("extract", "pair-mentions", "pair-claims") if any(f'name="{kind}"' in p for p in server.given)]
        assert len(server.bureau.batches) == 2
    assert wiki(told) == wiki(other)
    assert names == ["extract", "pair-mentions", "pair-claims"]
    assert (report.code, [outcome.reason for outcome in report.outcomes]) == (0, [""] * 6)
    assert report.spent.read == server.read
    assert abs(2 * report.spent.micros - (server.read + 4 * server.wrote)) <= 2 * server.given.total()
    assert one.spent.micros > 1.9 * report.spent.micros * (alone.read / server.read)
    assert len(said) == 4


def test_a_dry_run_tells_half_the_price_and_asks_nobody(told: Vault) -> None:
    with Server(remembering) as server:
        opened = use(told, server)
        whole = sum(opened.compile(dry_run=True).expected.values(), Spent())
        half = sum(opened.compile(dry_run=True, batch=True).expected.values(), Spent())
        again = sum((opened.recompile(dry_run=True, batch=True).expected or {}).values(), Spent())
        assert (server.requests, server.bureau.batches, server.bureau.files) == ([], {}, {})
        opened.compile(batch=True)
        extracts = [prompt for prompt in server.given if 'name="extract"' in prompt]
    assert (half.calls, half.read, half.wrote) == (whole.calls, whole.read, whole.wrote) == (6, whole.read, whole.wrote)
    assert abs(2 * half.micros - whole.micros) <= 12
    assert again == half
    assert len(extracts) == 6
    assert opened.compile(dry_run=True, batch=True).expected == {}


@pytest.mark.parametrize("model", ["rules", "handoff", "claude-code", "codex", "recorded:replies", "ollama/llama3", "groq/x"])
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_model_without_batches_is_named(told: Vault, model: str, dry_run: bool) -> None:
    for verb in (told.compile, told.recompile):
        with pytest.raises(NoBatches, match=rf"no half-price batches for the model {model.split(':')[0]}: .*leave --batch away"):
            verb(model=model, batch=True, dry_run=dry_run)  # type: ignore[operator]  # two methods of one form


def test_without_anthropics_library_it_is_said_what_to_install(told: Vault) -> None:
    code = """
import sys
sys.modules["anthropic"] = None
from wikimem.faces.cli import main
main(["--vault", sys.argv[1], "compile", "--batch", "--model", "anthropic/scripted"])
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, told.root], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'wikimem[anthropic]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_request_that_fails_holds_its_source_back_and_the_rest_goes_on(told: Vault) -> None:
    with Server(remembering, bureau=Bureau([Ending(wrong={1: "error"})])) as server:
        opened = use(told, server)
        report = opened.compile(batch=True)
        held = [outcome for outcome in report.outcomes if outcome.reason]
        assert (report.code, len(held), opened.status().pending) == (1, 1, 1)
        assert "its request failed in the batch: server_error: played server_error" in held[0].reason
        assert server.requests == []
        assert opened.compile(batch=True).code == 0
        assert max(server.given.values()) == 1


def test_what_a_batch_did_not_come_to_is_told_by_name_and_asked_next_time(told: Vault, tmp_path: Path) -> None:
    other = copy(told, tmp_path / "other")
    with Server(remembering, bureau=Bureau([Ending("expired", done=2)])) as server, Server(remembering) as whole:
        opened = use(told, server)
        report = opened.compile(batch=True)
        waits = {outcome.source: outcome.reason for outcome in report.outcomes if outcome.paused}
        assert (report.code, len(waits), opened.status().pending) == (3, 4, 4)
        assert all("expired" in reason for reason in waits.values())
        assert opened.compile(batch=True).code == 0
        assert max(server.given.values()) == 1
        use(other, whole).compile()
    pages = [name for name in wiki(other) if not name.startswith(".claims")]
    assert {name: wiki(told)[name] for name in pages} == {name: wiki(other)[name] for name in pages}


def test_a_budget_that_does_not_reach_sends_nothing(told: Vault) -> None:
    with Server(remembering) as server:
        report = use(told, server).compile(batch=True, budget="100 tokens")
        assert (report.code, len(report.outcomes)) == (3, 6)
        assert all("budget of 100 tokens" in outcome.reason for outcome in report.outcomes)
        assert (server.bureau.files, server.bureau.batches, server.requests) == ({}, {}, [])


def test_a_long_session_goes_up_in_its_windows(vault: Vault, tmp_path: Path) -> None:
    said = [f"remember subject {n}: The statement number {n} holds.\n" + "And so on it went. " * 30 for n in range(30)]
    records = [claude(n, "user", words) for n, words in enumerate(said, 1)]
    (tmp_path / "long.jsonl").write_bytes(jsonl(*records))
    vault.ingest([tmp_path / "long.jsonl"])
    with Server(remembering) as server:
        opened = use(vault, server)
        with (vault.root / "wikimem.local.toml").open("a") as settings:
            settings.write("window = 2000\n")
        report = Vault.open(opened.root, clock=lambda: NOW).compile(batch=True)
        assert report.outcomes[0].claims == 30
        assert len(server.bureau.batches["batch_1"].requests) > 3
        assert server.requests == []


def test_a_recompile_on_a_branch_is_asked_in_batches(told: Vault, tmp_path: Path) -> None:
    told.compile()
    before = wiki(told)
    other = copy(told, tmp_path / "other")
    with Server(remembering) as server, Server(remembering) as alone:
        report = use(told, server).recompile(batch=True, branch="better")
        use(other, alone).recompile(branch="better")
        assert server.requests == []
        assert max(server.given.values()) == 1
    assert (report.code, report.branch, report.sources) == (0, "better", 6)
    assert wiki(told) == before
    trees = [
        subprocess.run(["git", "rev-parse", "better:wiki"], cwd=each.root, capture_output=True, check=True).stdout
        for each in (told, other)
    ]
    assert trees[0] == trees[1]


def test_the_command_tells_how_far_it_is_and_what_it_cost(told: Vault) -> None:
    with Server(remembering) as server:
        use(told, server)
        done = CliRunner().invoke(main, ["--vault", str(told.root), "compile", "--batch"])
    assert done.exit_code == 0, done.output
    assert "Sent 6 requests as batch batch_1 to openai; this can be interrupted and gone on with." in done.stderr
    assert "Batch batch_1 completed: 6 of 6 replies." in done.stderr
    assert "Compiled 6 sources with the model openai/scripted: 6 claims." in done.stdout
    assert "Sent" not in done.stdout


def test_interrupted_it_waits_for_the_next_run_and_without_batch_nothing_is_asked(told: Vault) -> None:
    with Server(remembering, bureau=Bureau([Ending(looks=10**9)])) as server:
        opened = use(told, server)
        run = running(told, lambda: bool(server.bureau.batches) and server.bureau.batches["batch_1"].looked > 0)
        run.send_signal(signal.SIGINT)
        _, error = run.communicate()
        assert run.returncode == 3
        assert "Stopped waiting for the batch batch_1, which openai is at work on. Run again with --batch" in error
        assert "Traceback" not in error
        report = opened.compile()
        assert (report.code, server.requests) == (3, [])
        assert all("Run again with --batch" in outcome.reason for outcome in report.outcomes)
        server.bureau.batches["batch_1"].looked = 10**9
        assert opened.compile(batch=True).code == 0
        assert (len(server.bureau.batches["batch_1"].requests), max(server.given.values())) == (6, 1)


@pytest.mark.parametrize("again", [False, True], ids=["compile", "recompile"])
def test_what_is_captured_meanwhile_waits_for_the_next_batch(told: Vault, tmp_path: Path, again: bool) -> None:
    late = tmp_path / "late.jsonl"
    late.write_bytes(jsonl(claude(1, "user", "remember late tide: The late tide is high.", sessionId="late", uuid="late")))
    with Server(remembering) as server:
        opened = use(told, server)
        report = (opened.recompile if again else opened.compile)(
            batch=True, tell=lambda said: late.exists() and (told.ingest([late]), late.unlink())
        )
        assert (report.code, opened.status().pending, server.requests) == (0, 1, [])
        assert opened.compile(batch=True).code == 0
        assert (opened.status().pending, server.requests, max(server.given.values())) == (0, [], 1)


def test_two_runs_do_not_wait_for_the_same_batches(told: Vault) -> None:
    with Server(remembering, bureau=Bureau([Ending(looks=10**9)])) as server:
        use(told, server)
        run = running(told, lambda: bool(server.bureau.batches))
        done = CliRunner().invoke(main, ["--vault", str(told.root), "compile", "--batch"])
        run.send_signal(signal.SIGINT)
        run.communicate()
        assert (done.exit_code, len(server.bureau.batches)) == (1, 1)
        assert "Another wikimem waits for batches" in done.stderr


def running(vault: Vault, until: Callable[[], bool]) -> subprocess.Popen[str]:
    """A run with batches, far enough."""
    # Started in the background of a shell, this process may ignore interrupts, and its children inherit that.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    start += "from wikimem.faces.cli import main; main()"
    command = [sys.executable, "-W", "ignore", "-c", start, "--vault", str(vault.root), "compile", "--batch"]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ})
    while run.poll() is None and not until():
        time.sleep(0.01)
    return run


def test_killed_at_random_moments_nothing_is_paid_for_twice(told: Vault) -> None:
    chance = random.Random(11)
    with Server(remembering, bureau=Bureau([Ending(looks=2)] * 9, latency=0.05)) as server:
        use(told, server)
        for number in range(3):
            before = server.bureau.handled
            run = running(told, lambda before=before: server.bureau.handled > before)  # type: ignore[misc]  # bound now
            time.sleep(chance.random() * 0.8)
            run.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
            run.communicate()
        report = use(told, server).compile(batch=True)
        assert report.code == 0
        assert told.status().pending == 0
        assert (max(server.given.values()), server.requests) == (1, [])
        assert list((told.root / ".wikimem" / "batches").glob("*.json")) == []


def test_a_repair_is_asked_at_the_usual_price(told: Vault) -> None:
    def first_badly(prompt: str) -> object:
        bad = 'name="extract"' in prompt and "9090" in prompt and "cannot be used" not in prompt
        return {"facts": []} if bad else remembering(prompt)

    with Server(first_badly) as server:
        report = use(told, server).compile(batch=True)
        assert report.code == 0
        assert ["cannot be used" in prompt_of(body) for body in server.requests] == [True]


def test_a_service_that_fails_for_a_while_is_asked_again(told: Vault) -> None:
    with Server(remembering, bureau=Bureau(faults=[500, 503])) as server:
        report = use(told, server).compile(batch=True)
        assert (report.code, len(server.bureau.batches["batch_1"].requests)) == (0, 6)
        assert max(server.given.values()) == 1


def test_it_says_so_where_a_server_has_no_batches(told: Vault) -> None:
    with Server(remembering, bureau=Bureau(faults=[404] * 99)) as server:
        report = use(told, server).compile(batch=True)
        assert (report.code, server.requests) == (3, [])
        assert all("has no such thing" in outcome.reason for outcome in report.outcomes)
        assert json.dumps(report.as_json())
        assert use(told, server).compile().code == 0
