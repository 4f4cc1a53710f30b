"""Syncing among hostile circumstances: what it refuses, races, kills, hooks, and where a vault may be."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from conftest import NOW
from dictated import Dictated, check, git, joined, records, session, tell, wiki
from syncing import GATE, LIMIT, PAGE, QUEUE, clone, publish, state, writes
from wikimem.errors import CannotSync, GitBusy, HookRefused, InTheWay, NoRemote, RemoteFailed
from wikimem.faces.api import Vault


@pytest.fixture
def remote(vault: Vault) -> Path:
    """A remote whose wiki has one page."""
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), QUEUE.format("east")))
    vault.compile(model=Dictated())
    return publish(vault)


@pytest.fixture
def two(remote: Path) -> tuple[Vault, Vault]:
    """Two clones, each with a claim that the other has not; the second has pushed."""
    mine, theirs = clone(remote, "mine"), clone(remote, "theirs")
    for each, told in ((mine, LIMIT.format(5)), (theirs, QUEUE.format("west"))):
        tell(each, session(each.root.name, "2026-03-04", told))
        each.compile(model=Dictated())
    git(theirs.root, "push", "-q")
    return mine, theirs


def refused(vault: Vault, error: type[Exception], says: str, **wish: object) -> None:
    """Syncing is refused, and everything is as it was."""
    before = state(vault)
    with pytest.raises(error) as caught:
        vault.sync(model=Dictated(), **wish)  # type: ignore[arg-type]
    assert says in str(caught.value)
    assert state(vault) == before


def test_without_a_remote_or_an_upstream_it_says_how_to_get_one(vault: Vault, remote: Path) -> None:
    refused(vault, NoRemote, "there is no remote 'backup'. Known are origin.", remote="backup")
    git(vault.root, "switch", "-qc", "other")
    refused(vault, NoRemote, "the branch other follows no branch of a remote. `git push -u origin other` makes it follow one")
    assert vault.sync(remote="origin").head == git(remote, "rev-parse", "other").strip()
    git(vault.root, "remote", "remove", "origin")
    refused(vault, NoRemote, "git remote add origin URL")
    git(vault.root, "switch", "-q", "--detach")
    refused(vault, CannotSync, "the head is detached")


def test_what_is_staged_or_changed_is_never_touched(two: tuple[Vault, Vault]) -> None:
    mine, _ = two
    page = mine.root / PAGE
    text = page.read_text()
    page.write_text(text + "half a sent")
    # Also the compile before leaves it alone.
    refused(mine, InTheWay, f"{PAGE}: the file on disk is not what was read")
    git(mine.root, "add", PAGE)
    refused(mine, CannotSync, f"changes to {PAGE} are staged")
    git(mine.root, "reset", "-q", "--hard")
    (mine.root / "untracked.txt").write_text("mine")
    assert mine.sync(model=Dictated()).problems == []
    assert (mine.root / "untracked.txt").read_text() == "mine"
    git(mine.root, "merge", "--no-commit", "--no-ff", "-q", "HEAD~1", fails=True)
    (mine.root / ".git/MERGE_HEAD").write_text(git(mine.root, "rev-parse", "HEAD~1"))
    refused(mine, GitBusy, "a merge is in progress")


def test_the_remote_cannot_be_reached(two: tuple[Vault, Vault]) -> None:
    mine, _ = two
    git(mine.root, "remote", "set-url", "origin", "https://nora:secret@127.0.0.1:1/memory.git")
    refused(mine, RemoteFailed, "Asking origin failed")
    with pytest.raises(RemoteFailed) as caught:
        mine.sync(model=Dictated())
    assert "secret" not in str(caught.value)


def test_a_remote_that_refuses_is_quoted_and_what_was_joined_stays(remote: Path, two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    hook = remote / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho not on Fridays >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(RemoteFailed, match="not on Fridays"):
        mine.sync(model=Dictated())
    check(mine)
    hook.unlink()
    assert mine.sync(model=Dictated()).merges == []
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)


def test_local_hooks_have_their_say(two: tuple[Vault, Vault]) -> None:
    mine, _ = two
    hooks = mine.root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\necho no pages on Fridays\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    refused(mine, HookRefused, "no pages on Fridays")
    (hooks / "pre-commit").unlink()
    (hooks / "pre-push").write_text("#!/bin/sh\necho nothing leaves >&2\nexit 1\n")
    (hooks / "pre-push").chmod(0o755)
    with pytest.raises(RemoteFailed, match="nothing leaves"):
        mine.sync(model=Dictated())
    check(mine)


def test_a_history_that_was_replaced_is_told_and_not_followed(remote: Path, two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    mine.sync(model=Dictated())
    git(theirs.root, "push", "-q", "--force", "origin", "HEAD~2:main")
    refused(mine, CannotSync, "the history of origin/main was replaced: it was at ")
    with pytest.raises(CannotSync, match=r"without 2 sources and 2 pages it had\. If both belong together"):
        mine.sync(model=Dictated())
    # Squashed, with all its sources and pages, it is followed.
    tree = git(mine.root, "rev-parse", "HEAD^{tree}").strip()
    squashed = git(mine.root, "commit-tree", tree, "-p", "HEAD~3", "-m", "squashed").strip()
    git(mine.root, "push", "-q", "--force", "origin", f"{squashed}:main")
    assert mine.sync(model=Dictated()).problems == []
    check(mine)


def test_a_vault_of_its_own_is_only_united_if_somebody_says_so(remote: Path, tmp_path: Path) -> None:
    import wikimem

    wikimem.create(tmp_path / "alone")
    alone = Vault.open(tmp_path / "alone", clock=lambda: NOW)
    for key, value in (("user.name", "Lea"), ("user.email", "lea@example.org")):
        git(alone.root, "config", key, value)
    # Two vaults that are made in one second begin with one and the same commit.
    git(alone.root, "commit", "-q", "--amend", "-m", "alone")
    tell(alone, session("two", "2026-03-04", LIMIT.format(5)))
    alone.compile(model=Dictated())
    git(alone.root, "remote", "add", "origin", str(remote))
    says = "have no common history; only here are 1 source and 1 page, only there 1 source and 1 page."
    refused(alone, CannotSync, says, remote="origin")
    assert len(alone.sync(model=Dictated(), remote="origin", unite=True).merges) == 1
    single = clone(remote, "single")
    assert wiki(single) == wiki(alone)
    assert alone.recompile(check=True, model=Dictated()).files == ()
    check(alone)


def test_files_that_are_not_the_wiki_s_are_git_s_to_merge(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    for each, line in ((mine, "mine"), (theirs, "theirs")):
        (each.root / f"{line}.sh").write_text("#!/bin/sh\n")
        (each.root / f"{line}.sh").chmod(0o755)
        git(each.root, "add", f"{line}.sh")
        git(each.root, "commit", "-qm", line)
    git(theirs.root, "push", "-q")
    mine.sync(model=Dictated())
    assert os.access(mine.root / "theirs.sh", os.X_OK)
    theirs.sync(model=Dictated())
    assert os.access(theirs.root / "mine.sh", os.X_OK)
    for each, line in ((mine, "mine"), (theirs, "theirs")):
        (each.root / "README.md").write_text(f"{line}\n")
        git(each.root, "add", "README.md")
        git(each.root, "commit", "-qm", line)
    theirs.sync(model=Dictated())
    refused(mine, CannotSync, "both sides changed README.md, and git finds no merge of it")
    git(mine.root, "merge", "-q", "origin/main", fails=True)
    conflicts = git(mine.root, "diff", "--name-only", "--diff-filter=U").split()
    git(mine.root, "checkout", "-q", "--theirs", "--", *conflicts)
    git(mine.root, "add", *conflicts)
    git(mine.root, "commit", "-q", "--no-edit")
    assert mine.sync(model=Dictated()).problems == []
    check(mine)


def test_a_link_in_the_repository_is_left_to_git(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    (theirs.root / "link").symlink_to("wikimem.toml")
    git(theirs.root, "add", "link")
    git(theirs.root, "commit", "-qm", "a link")
    git(theirs.root, "push", "-q")
    refused(mine, CannotSync, "link is a link or another repository, which only git itself puts in place")


def test_settings_of_both_sides_are_used_together(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    settings = theirs.root / "wikimem.toml"
    settings.write_text(settings.read_text() + "\n[vocabulary.tide]\nsingle = true\n")
    git(theirs.root, "commit", "-qam", "a word more")
    theirs = Vault.open(theirs.root, clock=lambda: NOW)
    tell(theirs, session("tide", "2026-03-08", *(f"topic | quay | tide | The tide comes at {n}." for n in (4, 5))))
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    check(mine)


def test_of_two_sidecars_and_of_two_claims_files_both_sides_choose_the_same(remote: Path) -> None:
    early, late = clone(remote, "early", 9), clone(remote, "late", 17)
    said = session("two", "2026-03-04", LIMIT.format(5))
    for each, rewords in ((early, str.upper), (late, str.lower)):
        tell(each, said)
        each.compile(model=Dictated(rewords=rewords))
    late.sync(model=Dictated())
    report = early.sync(model=Dictated())
    assert {Path(path).suffix for path in report.chosen} == {".yaml", ".jsonl"}
    late.sync(model=Dictated())
    assert wiki(early) == wiki(late)
    (sidecar,) = early.root.glob("sources/2026/03/20260304*.yaml")
    assert "recorded: '2026-07-01T09:00:00Z'" in sidecar.read_text()
    for each in (early, late):
        check(each)


def test_a_source_that_was_changed_is_refused_by_its_name(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    (source,) = mine.root.glob("sources/2026/03/20260302*.jsonl")
    for each in two:
        (each.root / source.relative_to(mine.root)).write_bytes(source.read_bytes() + each.root.name.encode() + b"\n")
        git(each.root, "commit", "-qam", "changed")
    git(theirs.root, "push", "-q")
    refused(mine, CannotSync, f"{source.relative_to(mine.root)} holds other bytes on each side", compile=False)


def test_a_source_forgotten_on_one_side_does_not_come_back(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    name = next(path.stem for path in theirs.root.glob("sources/2026/03/20260302*.yaml"))
    theirs.forget(name, yes=True)
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    assert not [path for path in git(mine.root, "ls-files").split() if name in path]
    assert "east queue" not in (mine.root / PAGE).read_text()
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    check(mine)


def test_the_copies_beside_git_go_on_the_other_side_as_well(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    name = next(path.stem for path in theirs.root.glob("sources/2026/03/20260302*.yaml"))
    mine.recall("which queue do retries wait in")
    mine.build_site()
    theirs.forget(name, yes=True)
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    files = (path for path in mine.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    left = {path.relative_to(mine.root).as_posix() for path in files if b"east queue" in path.read_bytes()}
    assert left == set()


def test_copies_of_forgotten_turns_that_another_clone_captured_are_taken_out(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    told = records("fork", "2026-03-09", QUEUE.format("north"), "The ferry leaves at nine.")
    (one,) = tell(mine, joined(told))
    mine.compile(model=Dictated())
    # The other clone has the same turns in a session that this one does not know.
    tell(theirs, joined([*({**each, "sessionId": "copy"} for each in told), *records("copy", "2026-03-10", GATE.format("dawn"))]))
    theirs.compile(model=Dictated())
    mine.forget(one, yes=True, model=Dictated())
    mine.sync(model=Dictated())
    report = theirs.sync(model=Dictated())
    assert "Taken out again" in " ".join(report.notes)
    mine.sync(model=Dictated())
    for each in two:
        assert "north queue" not in "".join(path.read_text() for path in (each.root / "sources").rglob("*.jsonl"))
        assert b"north queue" not in b"".join(wiki(each).values())
        assert "closes at dawn" in (each.root / "wiki/topics/harbour-gate.md").read_text()
        check(each)
    assert wiki(mine) == wiki(theirs)


def test_lines_taken_out_on_one_side_stay_out(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    mine.forget(matching="east queue", yes=True, model=Dictated())
    theirs.sync(model=Dictated())
    tell(theirs, session("more", "2026-03-11", GATE.format("noon")))
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    for each in two:
        assert "east queue" not in "".join(path.read_text() for path in (each.root / "sources").rglob("*.jsonl"))
        assert b"east queue" not in b"".join(wiki(each).values())
        check(each)
    assert wiki(mine) == wiki(theirs)


def test_other_lines_taken_out_on_each_side_are_refused_until_both_took_out_both(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    (source,) = tell(mine, session("both", "2026-03-12", GATE.format("noon"), GATE.format("midnight")))
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    mine.forget(matching="closes at noon", yes=True, model=Dictated())
    theirs.forget(matching="closes at midnight", yes=True, model=Dictated())
    mine.sync(model=Dictated())
    refused(theirs, CannotSync, f"lines of {source} were taken out on both sides", compile=False)
    mine.forget(matching="closes at midnight", yes=True, model=Dictated())
    theirs.forget(matching="closes at noon", yes=True, model=Dictated())
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    check(theirs)


def test_a_model_that_cannot_judge_stops_no_sync(two: tuple[Vault, Vault]) -> None:
    from wikimem.core.questions import Question, Reply
    from wikimem.errors import ModelFailed

    class Tired(Dictated):
        def ask(self, question: Question) -> Reply:
            raise ModelFailed("tired", "it sleeps")

    mine, theirs = two
    tell(mine, session("south", "2026-03-05", QUEUE.format("south")))
    mine.compile(model=Dictated())
    report = mine.sync(model=Tired(), compile=False)
    assert "were not held against each other yet" in report.notes[0]
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    mine.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    check(mine)


def test_a_vault_in_a_folder_and_one_in_a_linked_worktree(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    (code / "main.py").write_text("one = 1\n\n\n\ntwo = 2\n")
    git(code, "add", ".")
    git(code, "commit", "-qm", "code")
    inside = Vault.init(code / "notes/memory", here=True)
    linked = Vault.init(code / "linked")
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(remote))
    git(code, "remote", "add", "origin", str(remote))
    git(code, "push", "-q", "-u", "origin", "main")
    git(linked.root, "push", "-q", "-u", "origin", "wikimem")
    git(tmp_path, "clone", "-q", str(remote), "other")
    git(tmp_path, "clone", "-q", "-b", "wikimem", str(remote), "other-linked")
    places = (inside.root, tmp_path / "other/notes/memory", "main.py"), (linked.root, tmp_path / "other-linked", "")
    for one, other, add in places:
        pair = [Vault.open(path, clock=lambda: NOW) for path in (one, other)]
        for number, each in enumerate(pair):
            git(each.root, "config", "user.name", "Nora")
            git(each.root, "config", "user.email", "nora@example.org")
            said = LIMIT.format(number + 3), GATE.format(f"hour {number}")
            tell(each, session(f"{add}{number}", f"2026-03-0{number + 2}", *said))
            if add:
                file = each.root / "../../main.py"
                file.write_text(file.read_text().replace("one = 1" if number else "two = 2", f"three = {number}"))
                git(each.root, "commit", "-qm", "code", "--", "../../main.py")
        for each in (*pair, pair[0]):
            assert each.sync(model=Dictated()).problems == []
        assert wiki(pair[0]) == wiki(pair[1])
        for each in pair:
            assert git(each.root, "status", "--porcelain", "-uno") == ""
            assert not each.verify().problems
    assert (code / "main.py").read_text() == "three = 1\n\n\n\nthree = 0\n"


def test_three_clones_that_push_at_once_all_end_with_everything(remote: Path) -> None:
    three = [clone(remote, name) for name in ("one", "two", "three")]
    single = clone(remote, "single")
    told = [session(f"s{n}", f"2026-03-0{n + 3}", LIMIT.format(n + 5), QUEUE.format(f"number {n}")) for n in range(3)]
    failed: list[BaseException] = []

    def work(vault: Vault) -> None:
        try:
            vault.sync(model=Dictated())
        except BaseException as error:
            failed.append(error)

    for each, said in zip(three, told, strict=True):
        tell(each, said)
        each.compile(model=Dictated())
    threads = [threading.Thread(target=work, args=(each,)) for each in three]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    for each in three:
        each.sync(model=Dictated())
    tell(single, *told)
    single.compile(model=Dictated())
    assert all(wiki(each) == wiki(single) for each in three)
    for each in three:
        check(each)


SCRIPT = """
import os, sys
open(sys.argv[1] + "/.wikimem/pid", "w").write(str(os.getpid()))
from dictated import Dictated
from wikimem.faces.api import Vault
Vault.open(sys.argv[1]).sync(model=Dictated())
"""
KILLS = 5


def test_a_kill_at_any_moment_loses_nothing(remote: Path, two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    writes(mine, "Ask Ines.")
    writes(theirs, "Ask Tom.")
    git(theirs.root, "push", "-q")
    paths = [str(Path(__file__).parent), *(path for path in sys.path if path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-c", SCRIPT, str(mine.root)]
    chance = random.Random(7)
    whole, kills = 3.0, 0
    for number in range(KILLS):
        tell(theirs, session(f"k{number}", f"2026-03-1{number}", GATE.format(f"hour {number}")))
        theirs.sync(model=Dictated())
        started = time.monotonic()
        process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0.3, whole))
        process.kill()
        process.communicate()
        kills += process.returncode != 0
        whole = min(whole, time.monotonic() - started + 0.5)
        assert [str(problem) for problem in mine.verify().problems] == []
    assert kills
    done = subprocess.run(command, env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    text = (mine.root / PAGE).read_text()
    assert [text.count(words) for words in ("Ask Ines.", "Ask Tom.")] == [1, 1]
    assert state(mine)[1:] == ("", "")
    check(mine)


@pytest.mark.skipif(os.name == "nt", reason="the hook kills as on Unix")
@pytest.mark.parametrize("moment", ["prepared", "committed"])
@pytest.mark.parametrize("ahead", [True, False])
def test_a_kill_as_the_branch_moves_is_finished_by_the_next_run(two: tuple[Vault, Vault], moment: str, ahead: bool) -> None:
    mine, theirs = two
    if not ahead:
        git(mine.root, "reset", "-q", "--hard", "HEAD~2")
        # As a clone that never had them, which misses nothing.
        (mine.root / ".wikimem/seen.json").unlink(missing_ok=True)
    hook = mine.root / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    dies = 'kill -9 $(cat "$PWD/.wikimem/pid")'
    hook.write_text(f'#!/bin/sh\n[ "$1" = {moment} ] && grep -q refs/heads/main && {dies}\nexit 0\n')
    hook.chmod(0o755)
    paths = [str(Path(__file__).parent), *(path for path in sys.path if path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(mine.root)], env=env, capture_output=True)
    assert done.returncode == -9
    hook.unlink()
    assert (mine.root / ".wikimem/journal").exists()
    report = mine.sync(model=Dictated())
    assert any(note.startswith("Finished commit") for note in report.notes)
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    assert state(mine)[1:] == ("", "")
    check(mine)
