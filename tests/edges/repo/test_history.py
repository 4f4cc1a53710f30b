"""Reading history: trees, many blobs at once, and the commits that touched some paths."""

from __future__ import annotations

from typing import Any

import pytest

from wikimem.edges.repo import Repo
from wikimem.errors import GitFailed


@pytest.fixture
def repo(person: Any) -> Repo:
    person.commits("a/one.md", "1\n")
    person.commits("a/two.md", b"\x00\xff\nbinary\n\n")
    person.commits("b.md", "")
    return Repo.open(person.top)


def test_names_of_commits(repo: Repo, person: Any) -> None:
    head = person.git("rev-parse", "HEAD").strip()
    assert repo.resolve("HEAD") == repo.resolve("main") == repo.resolve(head) == repo.resolve(head[:8]) == head
    for name in ("", " ", "nothing", "HEAD~90", "-x", "--all", "HEAD:a", "HEAD..HEAD~1", "a b", "\n", f"{'0' * 40}"):
        assert repo.resolve(name) == "", name


def test_trees_are_equal_where_their_content_is(repo: Repo, person: Any) -> None:
    before = repo.tree("a")
    assert before
    assert repo.tree("nothing") == ""
    person.commits("a/one.md", "2\n")
    assert repo.tree("a") != before
    person.commits("a/one.md", "1\n")
    assert repo.tree("a") == before
    assert repo.tree("a", "HEAD~3") == before


def test_many_blobs_at_once_whatever_they_hold(repo: Repo) -> None:
    paths = repo.paths()
    found = repo.contents([*paths.values(), *paths.values()])
    assert {path: found[blob] for path, blob in paths.items()} == {
        ".gitignore": b".wikimem/\n",
        "a/one.md": b"1\n",
        "a/two.md": b"\x00\xff\nbinary\n\n",
        "b.md": b"",
    }
    assert repo.contents([]) == {}
    with pytest.raises(GitFailed, match="missing"):
        repo.contents(["0" * 40])


def test_the_log_of_paths_with_trailers(repo: Repo, person: Any) -> None:
    person.write("a/one.md", "3\n")
    message = "three: ünïcode\x01\n\nBody: not a trailer\n\nSource: one\nSource: two\nNote: a long\n line\n"
    person.git("commit", "-qa", "-F", "-", data=message.encode())
    person.commits("c.md", "c\n")
    last, first = repo.log(["a/one.md"])
    assert (last.subject, first.subject) == ("three: ünïcode\x01", "write a/one.md")
    assert last.trailers == (("Source", "one"), ("Source", "two"), ("Note", "a long line"))
    assert (last.trailer("Source"), last.trailer("Nobody")) == ("one", "")
    assert first.trailers == ()
    assert last.parent == person.git("rev-parse", f"{last.id}~1").strip()
    assert last.when.startswith("20")
    assert [each.id for each in repo.log(["a/one.md"], limit=1)] == [last.id]
    assert [each.subject for each in repo.log(["a", "b.md"])] == [
        "three: ünïcode\x01",
        "write b.md",
        "write a/two.md",
        "write a/one.md",
    ]
    assert repo.log(["nothing"]) == ()


def test_a_path_is_a_path_and_no_pattern_or_option(repo: Repo, person: Any) -> None:
    person.commits("x*.md", "star\n")
    person.commits("xy.md", "y\n")
    assert [each.subject for each in repo.log(["x*.md"])] == ["write x*.md"]
    assert repo.log([":(top)b.md"]) == ()
    assert repo.log(["--all"]) == ()


def test_a_repository_without_a_commit_has_no_log(tmp_path: Any) -> None:
    repo = Repo.init(tmp_path / "new")
    assert (repo.log(["a"]), repo.paths(), repo.resolve("HEAD"), repo.tree("a")) == ((), {}, "", "")
