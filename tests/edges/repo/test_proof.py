"""The proof that sources only grow: every way to lose one in git is found, and only `forget` is excused."""

from __future__ import annotations

import os
import subprocess
from typing import Any

import pytest

from wikimem.core import tombstones
from wikimem.core.tombstones import Tombstone
from wikimem.edges.repo import Message, Repo
from wikimem.errors import Problem

A = "sources/2026/08/20260814-claude-code-9f3a1c2b.jsonl"
A_SIDE = "sources/2026/08/20260814-claude-code-9f3a1c2b.yaml"
B = "sources/2026/08/20260815-codex-00ff00ff.jsonl"
B_PART = "sources/2026/08/20260815-codex-00ff00ff/part-2.jsonl"


@pytest.fixture
def grown(person: Any, writer: Any) -> Any:
    writer.commit({A: b"a\n", A_SIDE: b"id: a\n"})
    writer.commit({B: b"b\n", B_PART: b"b2\n", "wiki/a.md": b"a\n"})
    return writer


def wheres(writer: Any, **more: Any) -> list[str]:
    problems, _ = writer.repo.immutable(**more)
    assert all(problem.rule == "append-only" for problem in problems)
    return sorted(problem.where for problem in problems)


def test_a_history_that_only_adds_is_proved_since_its_root(person: Any, grown: Any) -> None:
    grown.commit({"wiki/a.md": b"changed\n"})
    grown.commit({}, deletes=frozenset({"wiki/a.md"}))
    root = person.git("rev-list", "--max-parents=0", "HEAD").strip()
    assert grown.repo.immutable() == ([], f"since commit {root[:12]} (the root)")


def test_a_change_a_deletion_a_rename_and_a_link_are_found(person: Any, grown: Any) -> None:
    changed = person.commits(A, "other\n")
    assert grown.repo.immutable()[0] == [
        Problem(A, "append-only", f"commit {changed[:12]} changes it; a source may only be added")
    ]
    person.git("mv", B, "sources/elsewhere.jsonl")
    person.git("commit", "-qm", "tidy up")
    (person.top / A_SIDE).unlink()
    (person.top / A_SIDE).symlink_to("x")
    person.git("commit", "-qam", "link")
    assert wheres(grown) == sorted([A, A_SIDE, B])


def test_a_change_that_was_changed_back_is_found(person: Any, grown: Any) -> None:
    person.commits(A, "other\n")
    person.commits(A, "a\n")
    assert len(grown.repo.immutable()[0]) == 2


def test_another_mode_is_no_change(person: Any, grown: Any) -> None:
    (person.top / A).chmod(0o755)
    person.git("commit", "-qam", "mode")
    assert wheres(grown) == []


def test_a_name_that_is_no_text_is_named(person: Any, grown: Any) -> None:
    odd = "sources/tab\tand\nline \u00e9 \x01:x.md"
    person.commits(odd, "1\n")
    person.commits(odd, "2\n")
    assert wheres(grown) == [odd]


ONE, TWO = "20260814-claude-code-9f3a1c2b", "20260815-codex-00ff00ff"
FORGET = (("Wiki-Op", "forget"), ("Source", ONE), ("Source", TWO))


def stone(*sources: str, emptied: tuple[str, ...] = ()) -> dict[str, bytes]:
    """A tombstone as a file of the vault."""
    made = Tombstone("00ff", "2026-08-16T09:00:00Z", sources=sources, emptied=emptied)
    return {tombstones.path(made): tombstones.write(made)}


def test_a_forget_may_delete_what_it_and_its_tombstone_name(grown: Any) -> None:
    grown.commit(stone(ONE, TWO), frozenset({A, A_SIDE, B, B_PART}), message=Message("forget two", trailers=FORGET))
    assert wheres(grown) == []


@pytest.mark.parametrize(
    ("trailers", "body", "named"),
    [
        (FORGET[:2], "", (ONE, TWO)),
        (FORGET[1:], "", (ONE, TWO)),
        ((("Wiki-Op", "compile"), *FORGET[1:]), "", (ONE, TWO)),
        ((("Wiki-Op", "retire"), *FORGET[1:]), "", (ONE, TWO)),
        ((), f"Wiki-Op: forget\nSource: {ONE}\nSource: {TWO}", (ONE, TWO)),
        ((*FORGET[:2], ("Source", "20260815-codex-00ff00f")), "", (ONE, TWO)),
        ((*FORGET[:2], ("Source", "")), "", (ONE, TWO)),
        (FORGET, "", (ONE,)),
        (FORGET, "", ()),
    ],
)
def test_a_forget_may_delete_nothing_else(
    grown: Any, trailers: tuple[tuple[str, str], ...], body: str, named: tuple[str, ...]
) -> None:
    grown.commit(stone(*named), frozenset({A, B}), message=Message("forget", body, trailers))
    assert B in wheres(grown)


def test_a_tombstone_alone_excuses_nothing(person: Any, grown: Any) -> None:
    """Somebody deletes a source by hand, and puts a tombstone there afterwards."""
    person.git("rm", "-q", A, A_SIDE)
    person.git("commit", "-qm", "tidy up")
    grown.commit(stone(ONE))
    assert wheres(grown) == [A, A_SIDE]


@pytest.mark.parametrize(
    ("becomes", "emptied", "excused"),
    [
        (b"one\n\nthree\n", (ONE,), True),
        (b"\n\n\n", (ONE,), True),
        (b"one\n\nthree\n", (), False),
        (b"one\nthree\n", (ONE,), False),
        (b"one\nTwo\nthree\n", (ONE,), False),
        (b"one\n\nthree\nfour\n", (ONE,), False),
    ],
)
def test_a_forget_may_empty_lines_and_nothing_else(
    person: Any, writer: Any, becomes: bytes, emptied: tuple[str, ...], excused: bool
) -> None:
    writer.commit({A: b"one\ntwo\nthree\n"})
    writer.commit({A: becomes, **stone(emptied=emptied)}, message=Message("forget", trailers=FORGET))
    assert wheres(writer) == ([] if excused else [A])


def sidecar(**more: Any) -> bytes:
    from wikimem.core.sources import Raw, Sidecar
    from wikimem.edges import ledger

    told: dict[str, Any] = {"id": ONE, "format": "claude-code", "suffix": ".jsonl", "sha256": "aa", "raw": Raw(9, "bb")}
    return ledger.render(Sidecar(**{**told, "recorded": "2026-08-15T09:00:00Z", **more}))


@pytest.mark.parametrize(
    ("operation", "more", "excused"),
    [
        ("forget", {"sha256": "cc"}, True),
        ("forget", {"sha256": "cc", "cwd": "/elsewhere"}, False),
        ("retire", {"sha256": "cc", "retired": "aa"}, True),
        ("retire", {"sha256": "cc"}, False),
        ("retire", {"sha256": "cc", "retired": "aa", "started": "2026-01-01"}, False),
    ],
)
def test_a_sidecar_may_tell_of_the_emptied_lines_and_of_nothing_else(
    person: Any, writer: Any, operation: str, more: dict[str, Any], excused: bool
) -> None:
    writer.commit({A_SIDE: sidecar()})
    trailers = (("Wiki-Op", operation), ("Source", ONE))
    writer.commit({A_SIDE: sidecar(**more), **stone(emptied=(ONE,))}, message=Message("less", trailers=trailers))
    assert wheres(writer) == ([] if excused else [A_SIDE])


@pytest.fixture
def forked(person: Any, grown: Any) -> Any:
    """Branch `other` has a source that `main` has not, and the other way round."""
    person.git("checkout", "-q", "-b", "other")
    person.commits("sources/other.jsonl", "o\n")
    person.git("checkout", "-q", "main")
    person.commits("sources/main.jsonl", "m\n")
    return grown


def test_a_merge_of_two_that_added_is_no_change(person: Any, forked: Any) -> None:
    person.git("merge", "-q", "-m", "merge", "other")
    assert wheres(forked) == []


def test_a_merge_that_drops_a_side_is_found(person: Any, forked: Any) -> None:
    person.git("merge", "-q", "-s", "ours", "-m", "ours is best", "other")
    assert wheres(forked) == ["sources/other.jsonl"]


def test_a_merge_that_changes_a_source_in_passing_is_found(person: Any, forked: Any) -> None:
    person.git("merge", "-q", "--no-commit", "other")
    person.write(A, "evil\n")
    person.git("add", A)
    person.git("commit", "-qm", "merge")
    assert wheres(forked) == [A]


def test_a_merge_with_a_branch_that_forgot_is_no_change(person: Any, forked: Any) -> None:
    forked.commit(stone(ONE), frozenset({A, A_SIDE}), message=Message("forget", trailers=FORGET[:2]))
    person.git("merge", "-q", "-m", "merge", "other")
    assert not (person.top / A).exists()
    assert wheres(forked) == []


def test_a_shallow_clone_says_since_when(person: Any, grown: Any, tmp_path: Any) -> None:
    subprocess.run(["git", "clone", "-q", "--depth=1", person.top.as_uri(), str(tmp_path / "shallow")], check=True)
    problems, since = Repo.open(tmp_path / "shallow").immutable()
    assert (problems, since) == ([], f"since commit {grown.repo.head[:12]} (where this shallow clone was cut)")


def test_another_state_must_be_contained(person: Any, forked: Any) -> None:
    assert wheres(forked, against="other") == ["sources/other.jsonl"]
    assert forked.repo.immutable(against="other")[0][0].message == "other has it, this history does not"
    person.git("checkout", "-q", "-b", "third", "other~")
    person.commits("sources/other.jsonl", "not the same\n")
    assert wheres(forked, against="other") == ["sources/other.jsonl"]
    person.git("checkout", "-q", "main")
    person.git("merge", "-q", "-m", "merge", "other")
    assert wheres(forked, against="other") == []
    forked.commit(stone(ONE), frozenset({A, A_SIDE}), message=Message("forget", trailers=FORGET[:2]))
    assert wheres(forked, against="other") == []


def test_only_the_vault_s_own_sources_count(person: Any, writer_in: Any) -> None:
    person.commits("sources/code.c", "1\n")
    person.commits("sources/code.c", "2\n")
    (person.top / "memory").mkdir()
    writer = writer_in(person.top / "memory")
    writer.commit({"sources/a.jsonl": b"a\n"})
    assert wheres(writer) == []
    person.commits("memory/sources/a.jsonl", "b\n")
    assert wheres(writer) == ["sources/a.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="the person uses a Unix shell")
def test_a_replaced_commit_shows_the_true_one(person: Any, grown: Any) -> None:
    """`git replace` shows another history than the one that is stored and fetched."""
    bad = person.commits(A, "other\n")
    good = person.git("commit-tree", "HEAD~^{tree}", "-p", "HEAD~", "-m", "nothing happened").strip()
    person.git("replace", bad, good)
    assert wheres(grown) == [A]
