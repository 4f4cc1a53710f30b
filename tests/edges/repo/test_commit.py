"""Commits of our paths alone: what a person has staged or changed is neither committed nor lost."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikimem.edges.repo import Change, GitSettings, Message, Repo, blob_id
from wikimem.errors import GitBusy, GitFailed, HookRefused, NotAVault, SigningTimedOut

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the people in these tests write hooks for a Unix shell")


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_commit_holds_the_files_and_leaves_a_clean_status(person: Any, writer: Any) -> None:
    staged = writer.repo.staging / "session"
    staged.write_bytes(b"one\r\ntwo\n")
    made = writer.commit({"sources/2026/a.jsonl": staged, "wiki/a.md": b"# A\n"})
    assert made == writer.repo.head == person.git("rev-parse", "HEAD").strip()
    assert (person.top / "sources/2026/a.jsonl").read_bytes() == b"one\r\ntwo\n"
    assert writer.repo.blob("sources/2026/a.jsonl") == b"one\r\ntwo\n"
    assert writer.repo.paths("wiki") == {"wiki/a.md": blob_id(b"# A\n")}
    assert person.status() == []
    assert not staged.exists()
    assert names_in(person.top / ".wikimem") == ["staging"]
    assert names_in(person.top / ".wikimem/staging") == []
    assert [name for name in names_in(person.top / ".git") if "wikimem" in name or name.endswith(".lock")] == []
    assert writer.reports == []


def test_the_index_knows_size_and_time_of_our_files(person: Any, writer: Any) -> None:
    """`git diff-files` compares those alone, without reading a file."""
    writer.commit({"wiki/a.md": b"# A\n"})
    assert person.git("diff-files") == ""


def test_the_same_content_again_makes_no_commit(person: Any, writer: Any) -> None:
    made = writer.commit({"wiki/a.md": b"# A\n"})
    assert writer.commit({"wiki/a.md": b"# A\n"}) == ""
    assert writer.repo.head == made
    assert writer.commit({}) == ""
    assert not (person.top / ".wikimem" / "journal").exists()


def test_content_that_the_commit_has_already_replaces_an_edit_that_was_read(person: Any, writer: Any) -> None:
    made = writer.commit({"wiki/a.md": b"# A\n"})
    person.write("wiki/a.md", "# A \n")
    assert writer.commit({"wiki/a.md": b"# A\n"}, expected={"wiki/a.md": blob_id(b"# A \n")}) == ""
    assert (person.top / "wiki/a.md").read_bytes() == b"# A\n"
    assert (writer.repo.head, person.status(), writer.reports) == (made, [], [])


def test_a_deletion_takes_the_file_and_the_folders_it_leaves_empty(person: Any, writer: Any) -> None:
    writer.commit({"sources/2026/08/a.jsonl": b"a\n", "sources/2026/09/b.jsonl": b"b\n"})
    writer.commit({}, deletes=frozenset({"sources/2026/08/a.jsonl"}))
    assert not (person.top / "sources/2026/08").exists()
    assert writer.repo.paths("sources") == {"sources/2026/09/b.jsonl": blob_id(b"b\n")}
    assert person.status() == []


def test_a_file_may_take_the_place_of_a_folder_and_the_other_way_round(person: Any, writer: Any) -> None:
    writer.commit({"wiki/a/history.md": b"h\n", "wiki/b.md": b"b\n"})
    writer.commit({"wiki/a.md": b"a\n"}, deletes=frozenset({"wiki/a/history.md"}))
    assert sorted(writer.repo.paths("wiki")) == ["wiki/a.md", "wiki/b.md"]
    assert person.status() == []


def test_work_of_the_user_stays_bit_for_bit(person: Any, writer: Any) -> None:
    """Case: staged and edited further, dirty, deleted, renamed in the index, untracked."""
    for name in ("a", "b", "gone", "old"):
        person.commits(f"pages/{name}.md", f"base {name}\n")
    person.write("pages/a.md", "staged\n")
    person.git("add", "pages/a.md")
    person.write("pages/a.md", "staged\nand more\n")
    person.write("pages/b.md", "dirty\n")
    (person.top / "pages/gone.md").unlink()
    person.git("mv", "pages/old.md", "pages/new.md")
    person.write("scratch.txt", "scratch")
    before, status = person.index(), person.status()
    made = writer.commit({"pages/c.md": b"ours\n", "pages/d e.md": b"ours\n"})
    after = person.index()
    ours = {"pages/c.md", "pages/d e.md"}
    assert {path: entry for path, entry in after.items() if path not in ours} == before
    assert person.status() == status
    assert (person.top / "pages/a.md").read_text() == "staged\nand more\n"
    assert (person.top / "pages/b.md").read_text() == "dirty\n"
    assert not (person.top / "pages/gone.md").exists()
    assert person.git("show", "--name-only", "--format=", made).split("\n")[:2] == ["pages/c.md", "pages/d e.md"]


def test_a_page_with_edits_that_were_not_read_is_left_out(person: Any, writer: Any) -> None:
    writer.commit({"wiki/a.md": b"a\n", "wiki/b.md": b"b\n", "wiki/c.md": b"c\n"})
    person.write("wiki/a.md", "edited\n")
    person.write("wiki/b.md", "staged\n")
    person.git("add", "wiki/b.md")
    (person.top / "wiki/c.md").unlink()
    before = person.index()
    made = writer.commit({f"wiki/{name}.md": b"ours\n" for name in "abcd"})
    assert person.git("show", "--name-only", "--format=", made).split() == ["wiki/d.md"]
    assert writer.rules() == [("wiki/a.md", "left-out"), ("wiki/b.md", "left-out"), ("wiki/c.md", "left-out")]
    assert (person.top / "wiki/a.md").read_text() == "edited\n"
    assert (person.top / "wiki/b.md").read_text() == "staged\n"
    assert not (person.top / "wiki/c.md").exists()
    assert {path: entry for path, entry in person.index().items() if path != "wiki/d.md"} == before


def test_an_edit_that_was_read_is_replaced(person: Any, writer: Any) -> None:
    writer.commit({"wiki/a.md": b"a\n"})
    person.write("wiki/a.md", "a\nmine\n")
    writer.commit({"wiki/a.md": b"a\nmine\nours\n"}, expected={"wiki/a.md": blob_id(b"a\nmine\n")})
    assert (person.top / "wiki/a.md").read_bytes() == b"a\nmine\nours\n"
    assert (person.status(), writer.reports) == ([], [])


def test_a_file_edited_while_we_commit_is_left_alone(person: Any, writer: Any) -> None:
    """The person saves while the commit-msg hook runs: after the tree was built, before the files are put in place."""
    writer.commit({"wiki/a.md": b"a\n", "wiki/b.md": b"b\n"})
    person.hook("commit-msg", "echo saved > wiki/a.md; echo new > wiki/new.md")
    writer.commit({"wiki/a.md": b"ours\n", "wiki/b.md": b"ours\n", "wiki/new.md": b"ours\n"})
    assert writer.rules() == [("wiki/a.md", "left-alone"), ("wiki/new.md", "left-alone")]
    assert (person.top / "wiki/a.md").read_text() == "saved\n"
    assert (person.top / "wiki/new.md").read_text() == "new\n"
    assert person.status() == [" M wiki/a.md", " M wiki/new.md"]
    assert writer.repo.blob("wiki/a.md") == b"ours\n"


def test_what_is_staged_while_we_commit_is_left_out_of_it(person: Any, writer: Any) -> None:
    writer.commit({"wiki/a.md": b"a\n"})
    person.hook("commit-msg", "unset GIT_INDEX_FILE; echo mine > wiki/a.md; git add wiki/a.md; echo b > wiki/b.md")
    made = writer.commit({"wiki/a.md": b"ours\n", "wiki/c.md": b"ours\n"})
    assert person.git("show", "--name-only", "--format=", made).split() == ["wiki/c.md"]
    assert writer.rules() == [("wiki/a.md", "left-out")]
    assert person.status() == ["M  wiki/a.md", "?? wiki/b.md"]


def test_the_next_commit_of_the_user_does_not_undo_ours(person: Any, writer: Any) -> None:
    person.commits("code.py", "1\n")
    writer.commit({"wiki/a.md": b"a\n", "sources/s.jsonl": b"s\n"})
    person.write("code.py", "2\n")
    person.git("commit", "-qam", "mine")
    assert writer.repo.paths().keys() == {".gitignore", "code.py", "wiki/a.md", "sources/s.jsonl"}
    assert person.git("show", "--name-only", "--format=", "HEAD").split() == ["code.py"]


def test_a_commit_of_the_user_in_the_middle_of_ours_is_built_upon(person: Any, writer: Any) -> None:
    """The commit-msg hook commits something else once, as another terminal might."""
    person.hook(
        "commit-msg",
        "unset GIT_INDEX_FILE; test -e other && exit 0; echo x > other; git add other; git commit -qnm other",
    )
    made = writer.commit({"wiki/a.md": b"a\n"})
    assert person.git("log", "--format=%s").split() == ["pages", "other", "write", ".gitignore"]
    assert made == writer.repo.head
    assert sorted(writer.repo.paths()) == [".gitignore", "other", "wiki/a.md"]
    assert person.status() == []


def test_a_branch_that_always_moves_is_given_up(person: Any, writer: Any) -> None:
    person.hook("commit-msg", "unset GIT_INDEX_FILE; git commit -qn --allow-empty -m again")
    with pytest.raises(GitBusy, match="keeps moving"):
        writer.commit({"wiki/a.md": b"a\n"})
    assert "pages" not in person.git("log", "--format=%s").split()
    assert not (person.top / ".wikimem" / "journal").exists()
    assert not (person.top / "wiki").exists()


def test_the_executable_bit_of_a_file_stays(person: Any, writer: Any) -> None:
    person.write("tool.sh", "echo 1\n").chmod(0o755)
    person.git("add", "tool.sh")
    person.git("commit", "-qm", "tool")
    writer.commit({"tool.sh": b"echo 2\n"})
    assert stat.S_IMODE((person.top / "tool.sh").stat().st_mode) == 0o755
    assert person.index()["tool.sh"].startswith("100755")
    assert person.status() == []


def test_nothing_is_written_through_a_link(person: Any, writer: Any, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("theirs")
    (person.top / "wiki").symlink_to(outside)
    (person.top / "b.md").symlink_to(outside / "a.md")
    assert writer.commit({"wiki/a.md": b"ours", "wiki/new.md": b"ours", "b.md": b"ours"}) == ""
    assert [rule for _, rule in writer.rules()] == ["left-out"] * 3
    assert (outside / "a.md").read_text() == "theirs"
    assert names_in(outside) == ["a.md"]


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", ".git/config", "a/.GIT/x", ".wikimem/x", "", "a//b"])
def test_a_path_that_is_none_is_a_mistake_of_the_caller(writer: Any, path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        writer.commit({path: b"x"})


NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=30).filter(
    lambda name: name.strip(". ") != "" and name.lower() not in {".git", ".wikimem", "git~1"} and len(name.encode()) < 99
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.sets(NAMES, min_size=1, max_size=4))
def test_any_name_goes_in_and_comes_out(person: Any, writer: Any, names: set[str]) -> None:
    before = len(writer.repo.paths("any"))
    fresh = {f"any/{before}-{name}": name.encode() for name in names}
    made = writer.commit(dict(fresh))
    assert made
    for path, content in fresh.items():
        assert writer.repo.blob(path) == content
        assert (person.top / path).read_bytes() == content
    assert person.status() == []


def test_names_with_spaces_umlauts_and_newlines(person: Any, writer: Any) -> None:
    names = ["wiki/two words.md", "wiki/zoë.md", "wiki/new\nline.md", 'wiki/tab\t"quote\\.md', "wiki/*.md", "wiki/-x.md"]
    staged = writer.repo.staging / 'odd\n"name\\'
    staged.write_bytes(b"staged\n")
    writer.commit({**dict.fromkeys(names, b"x\n"), "wiki/staged.md": staged})
    assert sorted(writer.repo.paths("wiki")) == sorted([*names, "wiki/staged.md"])
    assert writer.repo.blob("wiki/staged.md") == b"staged\n"
    writer.commit({"wiki/*.md": b"y\n"})
    assert writer.repo.blob("wiki/two words.md") == b"x\n"
    assert person.status() == []


def test_a_repository_without_a_commit(tmp_path: Path, writer_in: Any) -> None:
    repo = Repo.init(tmp_path / "vault", "trunk")
    assert (repo.head, repo.paths(), repo.blob("x")) == ("", {}, None)
    assert repo.immutable("HEAD") == ([], "there is no commit yet")
    writer = writer_in(tmp_path / "vault", GitSettings())
    made = writer.commit({"wiki/a.md": b"a\n"})
    log = subprocess.run(["git", "log", "--format=%H %D %P"], cwd=tmp_path / "vault", capture_output=True, text=True)
    assert log.stdout.strip() == f"{made} HEAD -> trunk"


def test_nobody_configured_commits_as_wikimem_and_settings_stay(tmp_path: Path, writer_in: Any) -> None:
    Repo.init(tmp_path / "vault")
    before = (tmp_path / "vault/.git/config").read_bytes()
    writer_in(tmp_path / "vault", GitSettings()).commit({"a.md": b"a\n"})
    who = subprocess.run(["git", "log", "--format=%an %ae %cn %ce"], cwd=tmp_path / "vault", capture_output=True, text=True)
    assert who.stdout.strip() == "wikimem wikimem@localhost wikimem wikimem@localhost"
    assert (tmp_path / "vault/.git/config").read_bytes() == before


def test_who_is_configured_commits(person: Any, writer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    person.git("config", "committer.name", "Robot")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "other@example.org")
    writer.commit({"a.md": b"a\n"})
    assert person.git("log", "-1", "--format=%an %ae %cn %ce") == "Nora other@example.org Robot nora@example.org\n"


def test_a_detached_head_is_committed_to_and_reported(person: Any, writer: Any) -> None:
    person.git("checkout", "-q", "--detach")
    main = person.git("rev-parse", "main")
    made = writer.commit({"a.md": b"a\n"})
    assert person.git("rev-parse", "HEAD").strip() == made
    assert person.git("rev-parse", "main") == main
    assert writer.rules() == [(made, "detached-head")]


def test_a_vault_in_a_folder_of_the_repository(person: Any, writer_in: Any) -> None:
    person.commits("code.py", "1\n")
    person.commits("wiki/a.md", "not the vault's\n")
    (person.top / "docs/mem ory").mkdir(parents=True)
    writer = writer_in(person.top / "docs" / "mem ory")
    made = writer.commit({"wiki/a.md": b"a\n"})
    assert person.git("show", "--name-only", "--format=", made) == "docs/mem ory/wiki/a.md\n"
    assert writer.repo.paths() == {"wiki/a.md": blob_id(b"a\n")}
    assert (writer.repo.blob("wiki/a.md"), writer.repo.blob("code.py")) == (b"a\n", None)
    assert [line for line in person.status() if "staging" not in line] == []


def test_settings_that_break_plumbing_do_not_break_us(person: Any, tmp_path: Path, writer_in: Any) -> None:
    for name, value in {
        "core.autocrlf": "true",
        "core.safecrlf": "true",
        "core.quotepath": "true",
        "core.fsmonitor": "true",
        "core.splitIndex": "true",
        "core.bare": "true",
        "core.ignorecase": "true",
        "commit.template": str(tmp_path / "none"),
        "commit.cleanup": "scissors",
        "i18n.commitEncoding": "ISO-8859-1",
        "i18n.logOutputEncoding": "ISO-8859-1",
        "init.defaultBranch": "odd",
        "log.showSignature": "true",
        "log.mailmap": "true",
        "color.ui": "always",
        "diff.noprefix": "true",
        "status.showUntrackedFiles": "no",
    }.items():
        person.git("config", name, value)
    writer = writer_in(person.top)
    made = writer.commit({"sources/mixed.txt": b"line one\r\nline two\n", "wiki/zo\u00eb.md": b"a\n"}, message=Message("zoë"))
    assert writer.repo.blob("sources/mixed.txt") == b"line one\r\nline two\n"
    assert (person.top / "sources/mixed.txt").read_bytes() == b"line one\r\nline two\n"
    raw = subprocess.run(["git", "cat-file", "commit", made], cwd=person.top, capture_output=True, check=True).stdout
    assert raw.endswith("\n\nzoë\n".encode())
    assert b"encoding" not in raw
    assert writer.repo.immutable()[0] == []
    writer.commit({"wiki/zo\u00eb.md": b"b\n"})
    assert writer.reports == []


def test_a_page_that_git_gave_crlf_is_still_what_was_read(person: Any, writer: Any) -> None:
    """Line ends that `core.autocrlf` made on checkout are no edit; another word is."""
    writer.commit({"wiki/a.md": b"a\nb\n"})
    person.write("wiki/a.md", b"a\r\nb\r\n")
    assert writer.commit({"wiki/a.md": b"a\nc\n"})
    assert (person.top / "wiki/a.md").read_bytes() == b"a\nc\n"
    person.write("wiki/a.md", b"a\r\nd\r\n")
    assert writer.commit({"wiki/a.md": b"a\ne\n"}) == ""
    assert writer.rules() == [("wiki/a.md", "left-out")]


def test_a_hook_that_calls_us_does_not_turn_us_to_its_repository(
    person: Any, writer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    Repo.init(other)
    before = names_in(other / ".git")
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_WORK_TREE": str(other),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_PREFIX": "sub/",
        "GIT_NAMESPACE": "space",
    }.items():
        monkeypatch.setenv(name, value)
    seen = tmp_path / "seen"
    person.hook("pre-commit", f'git rev-parse --show-toplevel --git-dir > "{seen}"; git diff --cached --name-only >> "{seen}"')
    made = writer.commit({"wiki/a.md": b"a\n"})
    Repo.init(tmp_path / "third")
    for name in [name for name in os.environ if name.startswith("GIT_") and "CONFIG" not in name]:
        monkeypatch.delenv(name)
    assert person.git("rev-parse", "HEAD").strip() == made
    assert person.status() == []
    assert names_in(other / ".git") == before
    assert (tmp_path / "third/.git/HEAD").exists()
    assert seen.read_text().splitlines() == [str(person.top), str(person.top / ".git"), "wiki/a.md"]


def test_the_user_s_index_is_not_opened_by_a_hook(person: Any, writer: Any) -> None:
    """A hook that stages all it finds stages it in our index, and is refused; the user's stays bit for bit."""
    person.write("dirty.txt", "dirty")
    before = (person.top / ".git/index").read_bytes()
    person.hook("pre-commit", "git add -A; echo noise; echo more noise >&2")
    with pytest.raises(HookRefused, match=r"pre-commit hook changed what was to be committed(.|\n)*noise"):
        writer.commit({"wiki/a.md": b"a\n"})
    assert (person.top / ".git/index").read_bytes() == before
    assert not (person.top / "wiki").exists()
    assert not (person.top / ".wikimem/journal").exists()


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
def test_a_hook_that_refuses_is_obeyed_and_quoted(person: Any, writer: Any, name: str, capfd: Any) -> None:
    head = writer.repo.head
    person.hook(name, "echo refused by policy; echo in detail >&2; exit 1")
    staged = writer.repo.staging / "session"
    staged.write_bytes(b"s\n")
    with pytest.raises(HookRefused, match=rf"{name} hook refused(.|\n)*refused by policy(.|\n)*in detail"):
        writer.commit({"sources/s.jsonl": staged})
    assert writer.repo.head == head
    assert staged.read_bytes() == b"s\n"
    assert capfd.readouterr() == ("", "")


def test_a_hook_sees_our_files_and_message_and_nothing_to_type_on(person: Any, writer: Any, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    person.hook("pre-commit", f'git diff --cached --name-only > "{seen}"; cat >> "{seen}"; pwd >> "{seen}"')
    person.hook("commit-msg", f'cat "$1" >> "{seen}"')
    writer.commit({"wiki/a.md": b"a\n"}, message=Message("add a", "why", (("Wiki-Op", "compile"),)))
    assert seen.read_text() == f"wiki/a.md\n{person.top}\nadd a\n\nwhy\n\nWiki-Op: compile\n"


def test_a_hook_that_rewrites_the_message_is_refused(person: Any, writer: Any) -> None:
    person.hook("commit-msg", 'echo "Change-Id: 1" >> "$1"')
    with pytest.raises(HookRefused, match="commit-msg hook changed the message"):
        writer.commit({"wiki/a.md": b"a\n"})


def test_hooks_are_found_where_the_settings_have_them(person: Any, writer: Any) -> None:
    person.write("hooks of mine/pre-commit", "#!/bin/sh\necho from elsewhere; exit 1\n").chmod(0o755)
    person.git("config", "core.hooksPath", "hooks of mine")
    with pytest.raises(HookRefused, match="from elsewhere"):
        writer.commit({"wiki/a.md": b"a\n"})


def test_a_hook_that_hangs_is_ended_with_all_it_started(person: Any, writer_in: Any) -> None:
    person.hook("pre-commit", "echo thinking; sleep 600 & sleep 600")
    with pytest.raises(HookRefused, match=r"did not end within 0.5 s(.|\n)*thinking"):
        writer_in(person.top, GitSettings(hook_seconds=0.5)).commit({"wiki/a.md": b"a\n"})


def test_a_file_that_is_no_program_is_no_hook(person: Any, writer: Any) -> None:
    person.hook("pre-commit", "exit 1").chmod(0o644)
    assert writer.commit({"wiki/a.md": b"a\n"})


def _signer(person: Any, tmp_path: Path, script: str) -> None:
    program = tmp_path / "signer"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    person.git("config", "commit.gpgsign", "true")
    person.git("config", "gpg.program", str(program))


def test_signing_that_hangs_names_the_setting_and_commits_nothing(person: Any, tmp_path: Path, writer_in: Any) -> None:
    _signer(person, tmp_path, "sleep 600")
    writer = writer_in(person.top, GitSettings(signing_seconds=0.5))
    head = writer.repo.head
    with pytest.raises(SigningTimedOut, match='sign = "never"'):
        writer.commit({"wiki/a.md": b"a\n"})
    assert writer.repo.head == head
    assert person.status() == []
    never = writer_in(person.top, GitSettings(sign="never"))
    assert "gpgsig" not in person.git("cat-file", "commit", never.commit({"wiki/a.md": b"a\n"}))


def test_signing_is_done_where_it_is_configured(person: Any, tmp_path: Path, writer: Any) -> None:
    _signer(person, tmp_path, 'cat > /dev/null; echo "[GNUPG:] SIG_CREATED x" >&2; echo "-----BEGIN PGP SIGNATURE-----"')
    assert "gpgsig -----BEGIN" in person.git("cat-file", "commit", writer.commit({"wiki/a.md": b"a\n"}))


def test_a_signer_that_fails_is_quoted(person: Any, tmp_path: Path, writer: Any) -> None:
    _signer(person, tmp_path, "echo no such key >&2; exit 2")
    with pytest.raises(GitFailed, match=r"failed to sign|no such key"):
        writer.commit({"wiki/a.md": b"a\n"})


def test_a_folder_without_repository_is_no_vault_and_git_without_repository_is_clear(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(NotAVault, match="in no git repository"):
        Repo.open(tmp_path / "plain")


def test_a_ref_that_is_not_there_is_said_by_git(writer: Any) -> None:
    with pytest.raises(GitFailed, match="nowhere"):
        writer.repo.paths("wiki", "nowhere")


def test_a_repository_with_long_ids(tmp_path: Path, writer_in: Any) -> None:
    top = tmp_path / "long"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(top)], check=True)
    writer = writer_in(top)
    assert len(writer.commit({"wiki/a.md": b"a\n", "wiki/b.md": b"b\n"})) == 64
    writer.commit({"wiki/a.md": b"c\n"}, deletes=frozenset({"wiki/b.md"}))
    assert writer.repo.paths() == {"wiki/a.md": blob_id(b"c\n", "sha256")}
    assert writer.reports == []


def test_expected_takes_the_hash_of_the_bytes_too(person: Any, writer: Any) -> None:
    person.write("wiki/a.md", "theirs\n")
    writer.commit({"wiki/a.md": b"ours\n"}, expected={"wiki/a.md": hashlib.sha256(b"theirs\n").hexdigest()})
    assert (person.top / "wiki/a.md").read_bytes() == b"ours\n"


def test_a_change_is_a_value() -> None:
    assert Change({"a": b"x"}) == Change({"a": b"x"}, frozenset(), {})
