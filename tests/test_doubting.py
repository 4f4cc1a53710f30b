"""Doubting: a claim about code is doubtful when what it names was there and is gone, or its value was changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dictated import Dictated, git, session, tell
from wikimem.core import doubts
from wikimem.core.doubts import Named, Sort
from wikimem.errors import UsageError
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

LINE = "topic | {} | {} | {}"
FILES = {
    "src/moor.py": "def berth_of(ship):\n    return ship.berth\n\n\nTIDE_PORT = 4110\n",
    "src/cast_off.py": "def cast_off():\n    pass\n",
    "Makefile": "demo:\n\techo demo\n\ntest: demo\n\techo test\n",
    "package.json": '{"scripts": {"build": "x"}}\n',
}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A repository `harbour` with a commit."""
    top = tmp_path / "harbour"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    for path, words in FILES.items():
        (top / path).parent.mkdir(exist_ok=True)
        (top / path).write_text(words)
    commit(top, "begin")
    return top


def commit(top: Path, said: str) -> str:
    git(top, "add", "-A")
    git(top, "commit", "-q", "--no-verify", "-m", said)
    return git(top, "rev-parse", "--short", "HEAD").strip()


def claims(vault: Vault, *texts: str) -> Vault:
    """A memory that holds some statements about the project."""
    tell(vault, session("one", "2026-03-02", *(LINE.format(f"matter {chr(97 + at)}", "", each) for at, each in enumerate(texts))))
    vault.compile(model=Dictated())
    return vault


def why(vault: Vault, code: Path, since: str = "") -> list[str]:
    return [reason for one in vault.doubted(code, since).doubts for reason in one.why]


def test_a_file_that_is_gone_is_told_with_the_commit_that_took_it(vault: Vault, code: Path) -> None:
    claims(vault, "Ships leave by `src/cast_off.py`.", "Berths are found in `src/moor.py`.", "Names are in `/etc/hosts`.")
    assert why(vault, code) == []
    (code / "src" / "cast_off.py").unlink()
    assert why(vault, code) == ["the file `src/cast_off.py` is gone"]
    taken = commit(code, "no more")
    assert why(vault, code) == [f"the file `src/cast_off.py` is gone (since {taken})"]


def test_a_file_that_only_moved_to_another_folder_is_still_that_file(vault: Vault, code: Path) -> None:
    claims(vault, "Ships leave by cast_off.py.")
    (code / "lib").mkdir()
    (code / "src" / "cast_off.py").rename(code / "lib" / "cast_off.py")
    commit(code, "move")
    assert why(vault, code) == []


def test_a_name_that_stands_nowhere_any_more_is_told_and_one_that_never_did_is_not(vault: Vault, code: Path) -> None:
    claims(vault, "The berth comes from `berth_of()`.", "The sister project has `quay_of()`.")
    (code / "src" / "moor.py").write_text("def place(ship):\n    return ship.place\n\n\nTIDE_PORT = 4110\n")
    taken = commit(code, "rename")
    assert why(vault, code) == [f"`berth_of` stands in no file any more (since {taken})"]


def test_a_command_that_is_no_target_any_more_is_told(vault: Vault, code: Path) -> None:
    claims(
        vault,
        "Show it with `make demo`.",
        "Check it with `make test`.",
        "Build it with `npm run build`.",
        "First run `npm install`.",
    )
    (code / "Makefile").write_text("test:\n\techo test\n")
    (code / "package.json").write_text('{"scripts": {}}\n')
    taken = commit(code, "fewer")
    assert why(vault, code) == [
        f"`demo` is no target of make any more (since {taken})",
        f"`build` is no target of npm any more (since {taken})",
    ]


def test_a_value_that_a_change_replaces_is_told_with_both_lines(vault: Vault, code: Path) -> None:
    claims(vault, "The tide port is 4110.", "The museum has 4110 visitors.")
    (code / "src" / "moor.py").write_text(FILES["src/moor.py"].replace("4110", "4220"))
    (found,) = vault.doubted(code).doubts
    assert found.held.claim.text == "The tide port is 4110."
    assert found.why == ("`4110` was changed in `src/moor.py`, line 5: `TIDE_PORT = 4110` is now `TIDE_PORT = 4220`",)


def test_since_a_commit_only_what_changed_after_it_is_told(vault: Vault, code: Path) -> None:
    claims(vault, "Ships leave by `src/cast_off.py`.", "The berth comes from `berth_of()`.", "The tide port is 4110.")
    (code / "src" / "cast_off.py").unlink()
    base = commit(code, "no more")
    git(code, "checkout", "-q", "-b", "work")
    (code / "src" / "moor.py").write_text("TIDE_PORT = 4220\n")
    commit(code, "less")
    found = why(vault, code, base)
    assert found[0] == "`berth_of` stands in no file any more"
    assert found[1].startswith("`4110` was changed in `src/moor.py`")
    assert len(found) == 2


def test_only_claims_of_the_repository_s_project_count_unless_another_scope_is_named(vault: Vault, code: Path) -> None:
    line = LINE.format("ships", "", "Ships leave by `src/cast_off.py`.")
    tell(vault, session("one", "2026-03-02", line, cwd="/home/sam/foundry"))
    vault.compile(model=Dictated())
    (code / "src" / "cast_off.py").unlink()
    commit(code, "no more")
    assert vault.doubted(code).doubts == ()
    assert len(vault.doubted(code, scope="project:foundry").doubts) == 1
    assert len(vault.doubted(code, scope="").doubts) == 1


def test_the_command_prints_a_comment_for_a_review(vault: Vault, code: Path) -> None:
    claims(vault, "Ships leave by `src/cast_off.py`, says @ines.")
    args = ["--vault", str(vault.root), "lint", "--code", str(code)]
    fine = CliRunner().invoke(main, args)
    assert (fine.exit_code, fine.output) == (0, "Memory: none of 1 claims is made doubtful by this code.\n")
    (code / "src" / "cast_off.py").unlink()
    commit(code, "no more")
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 1
    assert done.output.startswith("### Memory: 1 of 1 claims is doubtful after this change\n")
    assert "- [ ] Ships leave by `src/cast_off.py`, says \\@ines." in done.output
    told = json.loads(CliRunner().invoke(main, [*args, "--json"]).output)
    assert set(told) == {"scope", "looked", "doubts"}


def test_a_folder_without_repository_and_a_commit_that_is_none_are_refused(vault: Vault, code: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in no git repository"):
        vault.doubted(tmp_path)
    with pytest.raises(UsageError, match="there is no commit nonsense"):
        vault.doubted(code, "nonsense")


def test_nothing_is_written_to_the_code(vault: Vault, code: Path) -> None:
    claims(vault, "Ships leave by `src/cast_off.py` and `berth_of()`.")
    before = {str(path): path.stat().st_mtime_ns for path in code.rglob("*")}
    vault.doubted(code, "HEAD")
    assert {str(path): path.stat().st_mtime_ns for path in code.rglob("*")} == before


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("See `src/a.py` and docs/b.md.", [Named(Sort.FILE, "src/a.py"), Named(Sort.FILE, "docs/b.md")]),
        (
            "Call `retry_limit()`, `Queue.push` or `maxRetries`.",
            [Named(Sort.NAME, n) for n in ("retry_limit", "push", "maxRetries")],
        ),
        ("Run `make test`, then `pnpm run build`.", [Named(Sort.COMMAND, "test", "make"), Named(Sort.COMMAND, "build", "npm")]),
        ("The queue `jobs` and the word always.", []),
        ("It costs 3.50 and lies at https://example.org/a.html.", []),
    ],
)
def test_what_a_claim_names(words: str, found: list[Named]) -> None:
    assert list(doubts.named(words)) == found


def test_a_diff_is_read_hunk_by_hunk() -> None:
    diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3 +3 @@ def f\n-a = 1\n+a = 2\n@@ -9,2 +9,0 @@\n--- old\n-b\n"
    first, second = doubts.hunks(diff)
    assert (first.path, first.line, first.gone, first.come) == ("x", 3, ("a = 1",), ("a = 2",))
    assert (second.line, second.gone, second.come) == (9, ("-- old", "b"), ())
    gone = "diff --git a/y b/y\ndeleted file mode 100644\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n"
    (only,) = doubts.hunks(gone)
    assert only.path == "y"
