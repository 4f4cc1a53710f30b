"""Ingest, end to end on real files and real git: growth, copies, settling, masking, crashes, reports."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import wikimem
from conftest import NOW, claude, jsonl
from wikimem.core import identity
from wikimem.core.identity import Holder
from wikimem.errors import GitBusy, UsageError
from wikimem.faces import text as told
from wikimem.faces.api import Vault

RUN = [sys.executable, "-c", "from wikimem.faces.cli import main; main()"]


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def git(vault: Vault, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=vault.root, check=True, capture_output=True, text=True).stdout


def commits(vault: Vault) -> int:
    return int(git(vault, "rev-list", "--count", "HEAD"))


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


ONE = claude(1, "user", "Use tabs in the chart files.")
TWO = claude(2, "assistant", text("ok"), 1)
THREE = claude(3, "user", "And a hundred columns.", 2)
FOUR = claude(4, "assistant", text("ok, a hundred"), 3)


def words(vault: Vault) -> list[str]:
    """All turns' texts over all sources, in order of source id."""
    ledger = vault._opened.ledger
    ledger.forget_cache()
    return [turn.text for source in ledger.all() for turn in ledger.read(source).turns]


def test_the_stored_bytes_are_the_file_damage_included(vault: Vault, tmp_path: Path) -> None:
    data = jsonl(ONE) + b"\x00\x00\n" + b'{"type":"pr-link","prNu' + jsonl(TWO) + b'{"type": "assist'
    report = vault.ingest([written(tmp_path / "s.jsonl", data)])
    (source,) = report.added
    assert (vault.root / source.path).read_bytes() == data
    assert report.account.balanced()
    assert [(line, reason.split(":")[0]) for _, line, _, reason in report.account.damage] == [(3, "not JSON"), (4, "not JSON")]
    assert report.commit == git(vault, "rev-parse", "HEAD").strip()
    assert f"Source: {source.id}" in git(vault, "log", "-1", "--format=%B")


def test_ingesting_twice_changes_nothing(vault: Vault, tmp_path: Path) -> None:
    file = written(tmp_path / "s.jsonl", jsonl(ONE, TWO))
    vault.ingest([file])
    before = commits(vault)
    report = vault.ingest([file])
    os.utime(file, (1, 1))
    touched = vault.ingest([file])
    assert (report.added, report.unchanged, touched.added, touched.unchanged) == ([], 1, [], 1)
    assert commits(vault) == before
    assert git(vault, "status", "--porcelain") == ""


@pytest.mark.parametrize("dry_run", [True, False])
def test_files_that_are_copies_of_each_other_are_no_known_ones(vault: Vault, tmp_path: Path, dry_run: bool) -> None:
    for name in ("a", "b"):
        written(tmp_path / f"{name}.jsonl", jsonl(ONE, TWO))
        written(tmp_path / f"{name}.md", b"# A note\n\nMoor at berth 4.\n")
    named = [tmp_path / f"{name}.{kind}" for name in ("a", "b") for kind in ("jsonl", "md")]
    report = vault.ingest(named, dry_run=dry_run)
    assert (len(report.added), report.unchanged, report.copies) == (2, 0, 2)
    assert "The same as another one of these: 2 files." in told.ingest(report)
    again = vault.ingest(named, dry_run=dry_run)
    assert (again.unchanged, again.copies) == ((0, 2) if dry_run else (4, 0))


def test_status_counts_no_session_that_was_captured_from_another_place(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    written(tmp_path / "claude/projects/harbour/s.jsonl", jsonl(ONE, TWO))
    copy = written(tmp_path / "s.jsonl", jsonl(ONE, TWO))
    assert vault.status().uncaptured == 1
    vault.ingest([copy])
    assert vault.status().uncaptured == 0
    written(tmp_path / "claude/projects/harbour/s.jsonl", jsonl(ONE, TWO, ONE))
    assert vault.status().uncaptured == 1


def test_a_second_run_opens_no_file(vault: Vault, tmp_path: Path) -> None:
    file = written(tmp_path / "logs" / "s.jsonl", jsonl(ONE, TWO))
    vault.ingest([tmp_path / "logs"])
    stat = file.stat()
    # Other bytes of the same size and time: only a run that does not open the file can overlook them.
    file.write_bytes(b"x" * stat.st_size)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert vault.ingest([tmp_path / "logs"]).unchanged == 1


def test_a_resumed_session_adds_its_tail(vault: Vault, tmp_path: Path, reopen: Callable[[Vault], Vault]) -> None:
    file = written(tmp_path / "grow.jsonl", jsonl(ONE, TWO))
    (first,) = vault.ingest([file]).added
    file.write_bytes(jsonl(ONE, TWO, THREE, FOUR))
    (second,) = reopen(vault).ingest([file]).added
    assert second.continues == first.id
    assert (vault.root / second.path).read_bytes() == jsonl(THREE, FOUR)
    assert (vault.root / first.path).read_bytes() == jsonl(ONE, TWO)
    file.write_bytes(jsonl(ONE, TWO, THREE, FOUR, claude(5, "user", "Last.", 4)))
    (third,) = vault.ingest([file]).added
    assert third.continues == second.id
    assert sorted(words(vault)) == sorted(
        ["Use tabs in the chart files.", "ok", "And a hundred columns.", "ok, a hundred", "Last."]
    )


def test_a_rewritten_session_is_a_new_source(vault: Vault, tmp_path: Path) -> None:
    file = written(tmp_path / "grow.jsonl", jsonl(ONE, TWO, THREE))
    vault.ingest([file])
    file.write_bytes(jsonl(claude(1, "user", "Use spaces in the chart files."), TWO, THREE, FOUR))
    (new,) = vault.ingest([file]).added
    assert new.continues == ""


def test_a_tail_begins_at_a_full_record(vault: Vault, tmp_path: Path) -> None:
    whole = jsonl(ONE, TWO, THREE)
    file = written(tmp_path / "grow.jsonl", whole[:-30])
    (first,) = vault.ingest([file]).added
    file.write_bytes(whole)
    (second,) = vault.ingest([file]).added
    assert (vault.root / second.path).read_bytes() == jsonl(THREE)
    assert first.raw.bytes == len(whole) - 30


def test_a_tail_after_a_masked_secret_is_found_by_the_unmasked_prefix(vault: Vault, tmp_path: Path) -> None:
    secret = claude(1, "user", "The database is postgres://pier:h4rb0r-9931@db.example:5432/tides")
    file = written(tmp_path / "grow.jsonl", jsonl(secret, TWO))
    (first,) = vault.ingest([file]).added
    assert first.masked == {"url-password": 1}
    assert b"h4rb0r-9931" not in b"".join(p.read_bytes() for p in vault.root.rglob("*") if p.is_file())
    file.write_bytes(jsonl(secret, TWO, THREE))
    (second,) = vault.ingest([file]).added
    assert (second.continues, (vault.root / second.path).read_bytes()) == (first.id, jsonl(THREE))


def test_what_upstream_deletes_or_cuts_stays(vault: Vault, tmp_path: Path) -> None:
    first = written(tmp_path / "logs" / "s1.jsonl", jsonl(ONE, TWO))
    other = [{**each, "sessionId": "sess-2", "uuid": f"v-{n}"} for n, each in enumerate((ONE, TWO, THREE))]
    second = written(tmp_path / "logs" / "s2.jsonl", jsonl(*other))
    vault.ingest([tmp_path / "logs"])
    before, stored = commits(vault), words(vault)
    first.unlink()
    second.write_bytes(jsonl(other[0]))
    os.utime(second, (1, 1))
    report = vault.ingest([tmp_path / "logs"])
    assert (report.added, commits(vault), words(vault)) == ([], before, stored)
    assert vault.verify().problems == ()


@pytest.mark.parametrize("order", [["parent", "fork"], ["fork", "parent"]])
def test_a_fork_copies_count_once_in_either_order(vault: Vault, tmp_path: Path, order: list[str]) -> None:
    def copied(record: dict[str, object], forked: bool) -> dict[str, object]:
        more = {"forkedFrom": {"sessionId": "parent", "messageUuid": record["uuid"]}} if forked else {}
        return {**record, "sessionId": "fork" if forked else "parent", **more}

    files = {
        "parent": jsonl(copied(ONE, False), copied(TWO, False)),
        "fork": jsonl(copied(ONE, True), copied(TWO, True), copied(ONE, True), {**THREE, "sessionId": "fork"}),
    }
    for name in order:
        vault.ingest([written(tmp_path / f"{name}.jsonl", files[name])])
    ledger = vault._opened.ledger
    holders = []
    for source, sidecar in ledger.all().items():
        turns = [(turn.identity, turn.said) for turn in ledger.read(source).turns]
        holders.append(Holder(source, sidecar.session, sidecar.parent, turns))
    (parent,) = [holder for holder in holders if holder.session == "parent"]
    owned = identity.owners(holders)
    assert set(owned.values()) == {parent.source}
    assert {identity for identity, _ in parent.turns} == owned.keys()


def test_sub_agents_and_spilled_results_belong_to_their_session(vault: Vault, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "harbour"
    written(folder / "abc.jsonl", jsonl(ONE, TWO))
    agent = {**claude(9, "user", "Explore the charts", isSidechain=True, agentId="a1")}
    written(folder / "abc" / "subagents" / "agent-a1.jsonl", jsonl(agent))
    written(folder / "abc" / "tool-results" / "t1.txt", b'token = "abcd1234efgh5678"\n')
    (source,) = vault.ingest([tmp_path / "projects"]).added
    assert [member.name for member in source.members] == ["agent-a1.jsonl", "tool-results/t1.txt"]
    session = vault._opened.ledger.read(source.id)
    assert [(turn.at, turn.speaker.value) for turn in session.turns] == [
        ("L1", "human"),
        ("L2", "assistant"),
        ("agent-a1/L1", "assistant"),
    ]
    assert "abcd1234" not in (vault.root / source.folder / source.id / "tool-results" / "t1.txt").read_text()
    written(folder / "abc" / "subagents" / "agent-b2.jsonl", jsonl({**agent, "uuid": "u-b2", "agentId": "b2"}))
    (late,) = vault.ingest([tmp_path / "projects"]).added
    assert late.continues == source.id
    assert [member.name for member in late.members] == ["agent-b2.jsonl"]
    assert vault.verify().problems == ()


def test_a_session_that_may_go_on_is_left_until_it_is_quiet(vault: Vault, tmp_path: Path) -> None:
    moment = NOW.strftime("%Y-%m-%dT%H:%M:00Z")
    file = written(tmp_path / "logs" / "live.jsonl", jsonl({**ONE, "timestamp": moment}))
    report = vault.ingest([tmp_path / "logs"])
    assert (report.added, report.open) == ([], [str(file)])
    assert len(vault.ingest([file]).added) == 1


def test_a_folder_of_transcripts_gives_no_notes_but_a_named_file_does(vault: Vault, tmp_path: Path) -> None:
    note = written(tmp_path / "logs" / "README.md", b"# Harbour\n\nWe moor at berth 4.\n")
    report = vault.ingest([tmp_path / "logs"])
    assert (report.added, list(report.left_out)) == ([], [str(note)])
    (source,) = vault.ingest([note]).added
    assert source.format == "note"


def test_a_file_without_a_single_turn_is_kept_and_shouted_about(vault: Vault, tmp_path: Path) -> None:
    file = written(tmp_path / "odd.jsonl", jsonl({"type": "progress", "uuid": "p", "sessionId": "x", "data": {"type": "y"}}))
    report = vault.ingest([file])
    assert [problem.rule for problem in report.problems] == ["no-turns"]
    assert len(report.added) == 1


def test_filters(vault: Vault, tmp_path: Path) -> None:
    for number, cwd in enumerate(("/home/sam/harbour", "/home/sam/dock", "/home/sam/dock")):
        record = {**ONE, "sessionId": f"s{number}", "uuid": f"w{number}", "cwd": cwd}
        os.utime(written(tmp_path / "logs" / f"{number}.jsonl", jsonl(record)), (1_700_000_000 + number, 1_700_000_000 + number))
    logs = [tmp_path / "logs"]
    assert len(vault.ingest(logs, since="2026-01-01").added) == 0
    dry = vault.ingest(logs, project="dock", dry_run=True)
    assert (len(dry.added), dry.commit, commits(vault)) == (2, "", 1)
    assert [each.session for each in vault.ingest(logs, limit=1).added] == ["s2"]
    assert len(vault.ingest(logs, project="dock").added) == 1
    assert len(vault.ingest(logs).added) == 1


def test_a_large_session_is_kept_in_parts_and_streamed(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        file.write(jsonl(claude(1, "user", "The canary word is TAMARIND.")))
        file.write(jsonl(claude(2, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "x" * 5_000_000}], 1)))
        number = 3
        while file.tell() < 40_000_000:
            file.write(
                jsonl({**claude(1, "user", "step please " + "y" * 900), "uuid": f"n{number}", "parentUuid": f"n{number - 1}"})
            )
            number += 1
        file.write(jsonl({**claude(1, "user", "The closing word is QUINCE."), "uuid": "last"}))
    script = (
        "import re, sys; from wikimem.faces.api import Vault; r = Vault.open(sys.argv[1]).ingest([sys.argv[2]]);"
        "status = open('/proc/self/status').read() if sys.platform == 'linux' else 'VmHWM: 0 kB';"
        "print(r.account.records, re.search(r'VmHWM:\\s*(\\d+)', status)[1])"
    )
    out = subprocess.run(
        [sys.executable, "-c", script, str(vault.root), str(path)], check=True, capture_output=True, text=True
    ).stdout
    records, peak = map(int, out.split())
    assert records == number
    # Kilobytes; a 40 MB file with a 5 MB record. Only Linux tells the peak of the process itself.
    assert peak / 1024 < 150
    ledger = vault._opened.ledger
    ledger.forget_cache()
    (source,) = ledger.all().values()
    assert [member.line > 1 for member in source.members] == [True]
    session = ledger.read(source.id)
    assert session.turns[0].text.endswith("TAMARIND.")
    assert (session.turns[-1].at, session.turns[-1].text) == (f"L{number}", "The closing word is QUINCE.")
    assert vault.show(f"{source.id}:L{number}").turns[0].text.endswith("QUINCE.")


def test_wrong_calls_say_what_to_do(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        vault.ingest([tmp_path / "nowhere"])
    with pytest.raises(UsageError, match=r"Known formats: .*claude-code"):
        vault.ingest([tmp_path], format="klingon")


def test_staged_and_dirty_work_is_neither_committed_nor_lost(vault: Vault, tmp_path: Path) -> None:
    written(vault.root / "mine.md", b"staged\n")
    git(vault, "add", "mine.md")
    written(vault.root / "mine.md", b"staged\nand more\n")
    written(vault.root / "scratch.txt", b"untracked\n")
    before = git(vault, "ls-files", "-s", "mine.md")
    vault.ingest([written(tmp_path / "s.jsonl", jsonl(ONE, TWO))])
    assert git(vault, "ls-files", "-s", "mine.md") == before
    assert (vault.root / "mine.md").read_bytes() == b"staged\nand more\n"
    assert "mine.md" not in git(vault, "show", "--stat", "HEAD")
    assert git(vault, "status", "--porcelain").splitlines() == ["AM mine.md", "?? scratch.txt"]
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qam", "mine"], cwd=vault.root, check=True
    )
    assert vault.verify().problems == ()


def test_in_the_middle_of_a_merge_nothing_is_taken(vault: Vault, tmp_path: Path) -> None:
    (vault.root / ".git" / "MERGE_HEAD").write_text(git(vault, "rev-parse", "HEAD"))
    before = commits(vault)
    with pytest.raises(GitBusy, match="merge"):
        vault.ingest([written(tmp_path / "s.jsonl", jsonl(ONE))])
    assert (commits(vault), (vault.root / "sources").exists()) == (before, False)


def test_autocrlf_does_not_touch_evidence(vault: Vault, tmp_path: Path) -> None:
    git(vault, "config", "core.autocrlf", "true")
    data = jsonl(ONE).replace(b"\n", b"\r\n") + jsonl(TWO)
    (source,) = vault.ingest([written(tmp_path / "s.jsonl", data)]).added
    (vault.root / source.path).unlink()
    git(vault, "checkout", "-q", "--", ".")
    assert (vault.root / source.path).read_bytes() == data
    assert vault.verify().problems == ()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_any_moment_nothing_is_lost(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for number in range(12):
        records = [
            {**claude(n, "user", f"Turn {n} of {number}."), "uuid": f"{number}-{n}", "sessionId": f"s{number}"}
            for n in range(1, 40)
        ]
        written(logs / f"{number}.jsonl", jsonl(*records))
    rng = random.Random(7)
    for attempt in range(6):
        root = tmp_path / f"memory{attempt}"
        wikimem.create(root)
        process = subprocess.Popen(
            [*RUN, "--vault", str(root), "ingest", str(logs)], stdout=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(rng.uniform(0.1, 0.7))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        vault = Vault.open(root, clock=lambda: NOW)
        vault.ingest([logs])
        assert vault.verify().problems == ()
        assert len(vault.status().formats) == 1
        assert vault.status().sources == 12
        assert git(vault, "status", "--porcelain") == ""


def test_two_at_once_wait_for_each_other(vault: Vault, tmp_path: Path) -> None:
    files = []
    for number in range(2):
        record = {**ONE, "uuid": f"x{number}", "sessionId": f"s{number}"}
        files.append(written(tmp_path / f"{number}.jsonl", jsonl(record)))
    both = [
        subprocess.Popen([*RUN, "--vault", str(vault.root), "ingest", "--json", str(file)], stdout=subprocess.PIPE)
        for file in files
    ]
    told = [json.loads(process.communicate()[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert all(len(each["added"]) == 1 for each in told)
    assert vault.verify().problems == ()
    assert vault.status().sources == 2


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_hostile_names_and_values_cost_nothing(vault: Vault, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "loop").symlink_to(logs)
    (logs / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(logs / "pipe")
    odd = {"type": "user", "uuid": 5, "sessionId": ["x"], "timestamp": 17, "cwd": {}, "parentUuid": {}}
    data = jsonl(
        {**ONE, "sessionId": "../../x", "cwd": "../../../etc"},
        {**odd, "message": {"role": "user", "content": [1, None, {"type": 5}, {"type": "tool_result", "content": {"a": 1}}]}},
        {**TWO, "timestamp": "9999-99-99T00:00:00Z"},
    )
    deep = (
        b'{"type":"assistant","uuid":"d","message":{"content":[{"type":"tool_use","input":'
        + b"[" * 9000
        + b"]" * 9000
        + b"}]}}\n"
    )
    lone = b'{"type":"user","uuid":"e","message":{"content":"lone \\ud800 surrogate"}}\n'
    Path(os.fsdecode(os.fsencode(logs) + b"/we\nird \xff.jsonl")).write_bytes(data + deep + lone)
    report = vault.ingest([logs])
    assert [source.folder.split("/")[0] for source in report.added] == ["sources"]
    assert report.account.balanced()
    json.dumps(report.as_json()).encode()
    assert "lone \ufffd surrogate" in words(vault)
    assert vault.verify().problems == ()
    assert vault.ingest([logs]).unchanged == 1
    with pytest.raises(UsageError, match="neither a file nor a folder"):
        vault.ingest([logs / "pipe"])


def test_a_named_file_that_nothing_recognises_is_a_problem(vault: Vault, tmp_path: Path) -> None:
    report = vault.ingest([written(tmp_path / "x.jsonl", b"\x89PNG" + bytes(range(256)))])
    assert [problem.rule for problem in report.problems] == ["unrecognised"]
    assert commits(vault) == 1


def test_a_stale_lock_is_removed_and_said_and_is_no_problem(vault: Vault, tmp_path: Path) -> None:
    lock = written(vault.root / ".git" / "index.lock", b"")
    os.utime(lock, (1, 1))
    report = vault.ingest([written(tmp_path / "s.jsonl", jsonl(ONE))])
    assert report.problems == []
    assert any("index.lock" in note for note in report.notes)
    assert len(report.added) == 1


def test_the_scope_that_a_person_names_is_kept(vault: Vault, tmp_path: Path) -> None:
    path = written(tmp_path / "talk.jsonl", jsonl(claude(1, "user", "The kiln is booked on Fridays.")))
    (added,) = vault.ingest([path], scope="project:glazeworks").added
    assert (added.scope, added.project) == ("project:glazeworks", "glazeworks")
    with pytest.raises(UsageError, match="no scope"):
        vault.ingest([path], scope="Glaze works")


def test_a_session_that_lies_elsewhere_too_counts_as_captured(vault: Vault, tmp_path: Path) -> None:
    told = jsonl(claude(1, "user", "Paint the hull."))
    here = Path(os.environ["HOME"]) / ".claude" / "projects" / "x" / "one.jsonl"
    here.parent.mkdir(parents=True)
    here.write_bytes(told)
    assert vault.status().uncaptured == 1
    (tmp_path / "copy.jsonl").write_bytes(told)
    vault.ingest([tmp_path / "copy.jsonl"])
    assert vault.status().uncaptured == 0
    here.write_bytes(told + jsonl(claude(2, "user", "And the keel.", 1)))
    assert vault.status().uncaptured == 1
