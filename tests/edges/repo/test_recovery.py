"""`kill -9` at any moment: nothing is lost, nothing is half there, nothing blocks the next run."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import GitSettings, Repo, blob_id
from wikimem.errors import GitBusy

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these processes are forked and killed as on Unix")

AFTER_THE_BRANCH_MOVED = '[ "$1" = committed ] && kill -9 $(cat "$PWD/.wikimem/pid"); exit 0'
WHILE_THE_BRANCH_MOVES = '[ "$1" = prepared ] && kill -9 $(cat "$PWD/.wikimem/pid"); exit 0'
GIT_AND_ALL = '[ "$1" = prepared ] && kill -9 $(cat "$PWD/.wikimem/pid") && kill -9 0'
BEFORE_THE_COMMIT = 'kill -9 $(cat "$PWD/.wikimem/pid")'


def in_a_process(work: Callable[[], None]) -> int:
    """Run something in a process of its own, which ends with it; its id."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(1)
    return child


def dies(writer: Any, person: Any, writes: dict[str, Path | bytes], deletes: frozenset[str] = frozenset()) -> None:
    """Commit in a process that a hook kills on the way."""

    def work() -> None:
        person.write(".wikimem/pid", str(os.getpid()))
        writer.commit(writes, deletes)

    child = in_a_process(work)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    (person.top / ".wikimem/pid").unlink()


def until(true: Callable[[], bool]) -> None:
    """Wait for a git that outlived us."""
    for _ in range(500):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


def no_traces(person: Any) -> bool:
    private = {file.name for file in (person.top / ".wikimem").iterdir()}
    git = [file.name for file in (person.top / ".git").rglob("*") if "wikimem" in file.name or file.suffix == ".lock"]
    return private <= {"staging"} and not list((person.top / ".wikimem/staging").iterdir()) and git == []


def test_a_clean_start_has_nothing_to_say(person: Any, writer: Any) -> None:
    writer.commit({"wiki/a.md": b"a\n"})
    assert writer.repo.recover().sentences == ()


def test_a_commit_that_was_being_made_is_discarded(person: Any, writer: Any) -> None:
    head = writer.repo.head
    staged = writer.repo.staging / "session"
    staged.write_bytes(b"s\n")
    person.hook("pre-commit", BEFORE_THE_COMMIT)
    dies(writer, person, {"sources/s.jsonl": staged, "wiki/a.md": b"a\n"})
    assert (person.top / ".wikimem/journal").exists()
    done = writer.repo.recover()
    assert "Discarded a commit" in done.sentences[0]
    assert "2 staged files" in done.sentences[1]
    assert (writer.repo.head, person.status(), no_traces(person)) == (head, [], True)


@pytest.mark.parametrize("moment", [AFTER_THE_BRANCH_MOVED, WHILE_THE_BRANCH_MOVES, GIT_AND_ALL])
def test_a_commit_that_exists_is_finished(person: Any, writer: Any, moment: str) -> None:
    writer.commit({"wiki/old.md": b"old\n", "wiki/a.md": b"a\n"})
    person.write("mine.txt", "mine")
    person.git("add", "mine.txt")
    staged = writer.repo.staging / "session"
    staged.write_bytes(b"s\n")
    hook = person.hook("reference-transaction", moment)
    dies(writer, person, {"sources/s.jsonl": staged, "wiki/a.md": b"b\n"}, frozenset({"wiki/old.md"}))
    hook.unlink()
    assert not (person.top / "sources").exists()
    assert (person.top / ".git/index.lock").exists()
    done = writer.repo.recover()
    assert done.finished == writer.repo.head
    assert done.left == ()
    assert writer.repo.paths("wiki") == {"wiki/a.md": blob_id(b"b\n")}
    assert (person.top / "sources/s.jsonl").read_bytes() == b"s\n"
    assert not (person.top / "wiki/old.md").exists()
    assert person.status() == ["A  mine.txt"]
    assert no_traces(person)
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert writer.repo.recover().sentences == ()
    assert writer.commit({"wiki/a.md": b"c\n"})


def test_the_next_commit_finishes_the_one_before(person: Any, writer: Any) -> None:
    hook = person.hook("reference-transaction", AFTER_THE_BRANCH_MOVED)
    dies(writer, person, {"wiki/a.md": b"a\n"})
    hook.unlink()
    staged = writer.repo.staging / "session"
    staged.write_bytes(b"s\n")
    writer.commit({"sources/s.jsonl": staged})
    assert {rule for _, rule in writer.rules()} == {"recovered"}
    assert sorted(writer.repo.paths()) == [".gitignore", "sources/s.jsonl", "wiki/a.md"]
    assert person.status() == []


def test_content_comes_from_the_commit_where_the_staged_file_is_gone(person: Any, writer: Any) -> None:
    hook = person.hook("reference-transaction", AFTER_THE_BRANCH_MOVED)
    dies(writer, person, {"wiki/a.md": b"a\n", "wiki/b.md": b"b\n"})
    hook.unlink()
    for number, file in enumerate(sorted((person.top / ".wikimem/staging").iterdir())):
        file.unlink() if number == 0 else file.write_bytes(b"half")
    writer.repo.recover()
    assert [(person.top / f"wiki/{name}.md").read_bytes() for name in "ab"] == [b"a\n", b"b\n"]
    assert (person.status(), no_traces(person)) == ([], True)


def test_what_a_person_did_after_the_crash_stays(person: Any, writer: Any) -> None:
    writer.commit({f"wiki/{name}.md": b"old\n" for name in "abcd"})
    hook = person.hook("reference-transaction", AFTER_THE_BRANCH_MOVED)
    dies(writer, person, {f"wiki/{name}.md": b"new\n" for name in "abcd"})
    hook.unlink()
    (person.top / ".git/index.lock").unlink()
    person.write("wiki/a.md", "edited\n")
    person.write("wiki/b.md", "staged\n")
    person.git("add", "wiki/b.md")
    person.commits("wiki/c.md", "committed\n")
    done = writer.repo.recover()
    assert [(problem.where, problem.rule) for problem in done.left] == [
        ("wiki/c.md", "changed-since"),
        ("wiki/b.md", "left-staged"),
        ("wiki/a.md", "left-alone"),
        ("wiki/b.md", "left-alone"),
    ]
    texts = {name: (person.top / f"wiki/{name}.md").read_text() for name in "abcd"}
    assert texts == {"a": "edited\n", "b": "staged\n", "c": "committed\n", "d": "new\n"}
    assert person.status() == [" M wiki/a.md", "M  wiki/b.md"]


def test_a_commit_of_another_branch_is_dropped(person: Any, writer: Any) -> None:
    hook = person.hook("reference-transaction", AFTER_THE_BRANCH_MOVED)
    dies(writer, person, {"wiki/a.md": b"a\n"})
    hook.unlink()
    (person.top / ".git/index.lock").unlink()
    person.git("reset", "-q", "--hard", "HEAD~")
    person.commits("other", "x")
    done = writer.repo.recover()
    assert "the branch has gone elsewhere" in done.sentences[0]
    assert (person.status(), no_traces(person)) == ([], True)


def test_a_commit_is_not_finished_on_a_branch_that_it_was_not_made_for(person: Any, writer: Any) -> None:
    """Killed with git before the branch moved; then the person begins another branch at the same commit."""
    hook = person.hook("reference-transaction", GIT_AND_ALL)
    dies(writer, person, {"wiki/a.md": b"a\n"})
    hook.unlink()
    for lock in (person.top / ".git").rglob("*.lock"):
        lock.unlink()
    person.git("checkout", "-q", "-b", "feature")
    head = writer.repo.head
    assert "the branch has gone elsewhere" in writer.repo.recover().sentences[0]
    assert (writer.repo.head, person.status(), no_traces(person)) == (head, [], True)


def test_an_index_that_cannot_be_refreshed_is_told_and_finished_later(person: Any, writer: Any) -> None:
    """Something takes the refreshed copy away just as the branch moves."""
    hook = person.hook("reference-transaction", '[ "$1" = committed ] && rm -f .git/wikimem-*.index; exit 0')
    # git rebuilds an index that is gone when it notes the files' times, so the folder must not take a new one.
    hook.write_text(
        hook.read_text().replace(
            "rm -f .git/wikimem-*.index", "for f in .git/wikimem-*.index; do rm $f; mkdir $f; touch $f/x; done"
        )
    )
    made = writer.commit({"wiki/a.md": b"a\n"})
    hook.unlink()
    assert made == writer.repo.head
    assert [rule for _, rule in writer.rules()] == ["index-behind", "unfinished"]
    assert (person.top / ".wikimem/journal").exists()
    assert not (person.top / ".git/index.lock").exists()
    assert writer.repo.recover().finished == made
    assert person.status() == []


def test_a_file_that_cannot_be_put_in_place_is_told_and_finished_later(person: Any, writer: Any) -> None:
    """The staged file vanishes just as the branch moves."""
    hook = person.hook("reference-transaction", '[ "$1" = committed ] && rm -f .wikimem/staging/*; exit 0')
    made = writer.commit({"wiki/a.md": b"a\n"})
    hook.unlink()
    assert [rule for _, rule in writer.rules()] == ["not-in-place", "unfinished"]
    assert writer.repo.recover().finished == made
    assert ((person.top / "wiki/a.md").read_bytes(), person.status()) == (b"a\n", [])


def test_nothing_is_finished_in_the_middle_of_a_merge(person: Any, writer: Any) -> None:
    hook = person.hook("reference-transaction", AFTER_THE_BRANCH_MOVED)
    dies(writer, person, {"wiki/a.md": b"a\n"})
    hook.unlink()
    person.write(".git/MERGE_HEAD", writer.repo.head + "\n")
    with pytest.raises(GitBusy, match="merge"):
        writer.repo.recover()
    (person.top / ".git/MERGE_HEAD").unlink()
    assert writer.repo.recover().finished == writer.repo.head


def test_a_damaged_journal_is_put_aside(person: Any, writer: Any) -> None:
    person.write(".wikimem/journal", '{"version": 1, "head": ')
    assert "Put the journal aside" in writer.repo.recover().sentences[0]
    assert (person.top / ".wikimem/journal.damaged").exists()
    assert writer.repo.recover().sentences == ()


def test_the_lock_of_a_person_is_not_ours_to_remove(person: Any, writer: Any) -> None:
    lock = person.write(".git/index.lock", b"DIRC")
    writer.repo.recover()
    assert lock.exists()


def test_killed_at_any_moment(person: Any, tmp_path: Path) -> None:
    """Twenty times, at a random moment of a run that commits without pause."""
    chance = random.Random(7)
    settings = GitSettings(lock_waits=(0.05,) * 20)
    person.write("mine.txt", "mine")
    person.git("add", "mine.txt")
    number = 0
    for each_time in range(20):
        said = tmp_path / "said"
        said.write_text("")

        def work(start: int = number, said: Path = said) -> None:
            repo = Repo.open(person.top, settings)
            repo.recover()
            for each in range(start, start + 1000):
                staged = repo.staging / f"s{each}"
                staged.write_bytes(content(each))
                commit_of(repo, each, staged)
                with said.open("a") as opened:
                    opened.write(f"{each}\n")

        child = in_a_process(work)
        if each_time % 2:
            until(lambda: bool((tmp_path / "said").read_text()))
        time.sleep(chance.uniform(0.02, 0.3))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        repo = Repo.open(person.top, settings)
        repo.recover()
        told = [int(line) for line in said.read_text().split()]
        held = repo.paths("sources")
        assert all(name_of(each) in held for each in told)
        for path, blob in held.items():
            data = (person.top / path).read_bytes()
            assert data == content(int(path.removesuffix(".jsonl").rpartition("/")[2]))
            assert blob == blob_id(data)
        assert person.status() == ["A  mine.txt"]
        number = 1 + max((int(path.removesuffix(".jsonl").rpartition("/")[2]) for path in held), default=-1)
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert repo.immutable()[0] == []
    assert number >= 10


def name_of(number: int) -> str:
    return f"sources/2026/{number}.jsonl"


def content(number: int) -> bytes:
    return f"session {number}\r\n".encode() * 5000


def commit_of(repo: Repo, number: int, staged: Path) -> None:
    from wikimem.edges.repo import Change, Message

    change = Change({name_of(number): staged, "wiki/index.md": f"{number}\n".encode()})
    assert repo.commit(change, Message(f"add {number}"), report=lambda problem: None)
