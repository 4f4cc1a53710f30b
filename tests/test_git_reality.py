"""Verbs that decide about the wiki, in repositories as they really are: done right, or refused before anything is written."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import wikimem
from conftest import NOW
from dictated import Dictated, as_model, git, session, tell
from reviewing import DENIED, LIMIT, NEVER, WEEK, settings
from wikimem.errors import GitBusy, HookRefused, NotAVault, ShallowClone, SigningTimedOut, WikimemError, WorldError
from wikimem.faces.api import Vault

EAST, WEST = "The queue runs in the east.", "The queue runs in the west."
MODEL = {**DENIED, frozenset({EAST, WEST}): "contradicts"}
GONE = "topic | old crane | | The old crane squeaks."
LATE = "topic | tide tables | | Tide tables are printed on Mondays."
SIDE = "topic | side door | | The side door sticks in winter."


def rich(vault: Vault, team: Path | None = None) -> Vault:
    """A vault in which every verb finds something to do: a proposal, a conflict, an old source, a page out of step."""
    vault = settings(vault, "\n")
    tell(
        vault,
        session("old", "2023-01-02", "Good morning.", GONE),
        session("one", "2026-03-02", LIMIT.format(3), WEEK, f"topic | queue | | {EAST}"),
        session("side", "2026-03-03", SIDE),
    )
    vault.compile(model=as_model(Dictated(MODEL)))
    tell(
        vault,
        session("two", "2026-03-09", "Good morning.", NEVER, f"topic | queue | | {WEST}"),
        session("three", "2026-03-10", LATE),
    )
    vault.compile(model=as_model(Dictated(MODEL)))
    assert len(vault.review().items) == 1
    assert len(vault.lint().conflicts) == 1
    behind = vault.root / "wiki/topics/index.md"
    behind.write_text("# Topics\n")
    git(vault.root, "commit", "-qm", "an index by hand", "--", "wiki/topics/index.md")
    if team is not None:
        wikimem.create(team, shared=True)
    return vault


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of such a vault, and of an empty shared one; made once, for copies."""
    top = tmp_path_factory.mktemp("made")
    wikimem.create(top / "memory")
    rich(Vault.open(top / "memory", clock=lambda: NOW), top / "team")
    return top


@pytest.fixture
def vault(made: Path, tmp_path: Path) -> Vault:
    shutil.copytree(made, tmp_path / "made")
    return Vault.open(tmp_path / "made/memory", clock=lambda: NOW)


def source(vault: Vault, name: str) -> str:
    return next(each.id for each in vault._opened.ledger.all().values() if each.session == name)


def conflict(vault: Vault) -> str:
    return vault.lint().conflicts[0].claims[0][0]


VERBS: Mapping[str, Callable[[Vault], object]] = {
    "lint --fix": lambda vault: vault.tidy(),
    "review approve": lambda vault: vault.approve(["1"]),
    "settle": lambda vault: vault.settle(conflict(vault)),
    "rename": lambda vault: vault.rename("tide-tables", "Tables of tides"),
    "undo": lambda vault: vault.undo(source(vault, "three")),
    "retire": lambda vault: vault.retire("2y", yes=True),
    "forget": lambda vault: vault.forget(source(vault, "side"), yes=True),
}
OTHERS: Mapping[str, Callable[[Vault], object]] = {
    "review reject": lambda vault: vault.disapprove(["1"], "no"),
    "review edit": lambda vault: vault.amend("1", "The queue kept nothing."),
    "reject": lambda vault: vault.reject(vault.why("The side door sticks in winter.").as_json()["claims"][0]["claim"]),
    "alias": lambda vault: vault.alias("side-door", "winter door"),
    "consolidate": lambda vault: vault.consolidate(),
    "recompile": lambda vault: vault.recompile(model=as_model(Dictated(MODEL, edition="2", rewords=lambda text: text + " So."))),
}


def state(root: Path) -> dict[str, str | bytes]:
    """All that must not change: references, the index, and every file but git's own and what is ignored."""
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not {".git", ".wikimem"} & set(path.relative_to(root).parts)
    }
    told = {"refs": git(root, "for-each-ref"), "head": git(root, "rev-parse", "HEAD"), "index": git(root, "ls-files", "-s")}
    return {**files, **told, "where": git(root, "symbolic-ref", "HEAD", fails=True)}


def refused(vault: Vault, error: type[WikimemError] | tuple[type[WikimemError], ...], told: str) -> None:
    """Every verb is refused, in words that say why, and nothing is otherwise than it was."""
    before = state(vault.root)
    for name, verb in {**VERBS, **OTHERS}.items():
        with pytest.raises(error) as found:
            verb(vault)
        assert told in str(found.value), name
        assert "Traceback" not in str(found.value)
        after = state(vault.root)
        assert {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)} == set(), name


def done(vault: Vault, branch: str | None = "main") -> None:
    """Every verb does what it should, one after the other, on the branch that is checked out."""
    for name, verb in VERBS.items():
        before = git(vault.root, "rev-parse", "HEAD")
        verb(vault)
        assert git(vault.root, "rev-parse", "HEAD") != before, name
        where = git(vault.root, "symbolic-ref", "--short", "HEAD", fails=True).strip()
        assert where == (branch or ""), name
    assert not vault.lint().conflicts
    assert vault.verify().problems == ()
    text = "".join(path.read_text() for path in (vault.root / "wiki").rglob("*.md"))
    assert "side door" not in text
    assert not list((vault.root / "wiki/topics").glob("tide-tables*")) or "Tables of tides" in text
    assert "never kept any messages" in text


def other(vault: Vault) -> None:
    """A branch that changes a page otherwise than the current one does."""
    page = vault.root / "wiki/topics/side-door.md"
    git(vault.root, "checkout", "-q", "-b", "theirs")
    page.write_text(page.read_text() + "\n## Notes\n\nTheirs.\n")
    git(vault.root, "commit", "-qam", "theirs")
    git(vault.root, "checkout", "-q", "main")
    page.write_text(page.read_text() + "\n## Notes\n\nOurs.\n")
    git(vault.root, "commit", "-qam", "ours")


@pytest.mark.parametrize(
    ("begin", "name", "end"),
    [
        (("merge", "theirs"), "a merge", "git merge --abort"),
        (("rebase", "theirs"), "a rebase", "git rebase --abort"),
        (("cherry-pick", "theirs"), "a cherry-pick", "git cherry-pick --abort"),
        (("revert", "--no-commit", "HEAD~1"), "a revert", "git revert --abort"),
        (("bisect", "start"), "a bisect", "git bisect reset"),
    ],
)
def test_while_git_is_in_the_middle_of_something_nothing_is_written(
    vault: Vault, begin: tuple[str, ...], name: str, end: str
) -> None:
    other(vault)
    git(vault.root, *begin, fails=True)
    refused(vault, GitBusy, name)
    git(vault.root, *end.split()[1:])
    VERBS["review approve"](vault)


def test_a_share_and_a_push_are_refused_there_too(vault: Vault) -> None:
    team = Vault.open(vault.root.parent / "team", clock=lambda: NOW)
    git(team.root, "checkout", "-q", "-b", "theirs")
    for branch in ("theirs", "main"):
        git(team.root, "checkout", "-q", branch)
        (team.root / "notes.txt").write_text(branch)
        git(team.root, "add", "notes.txt")
        git(team.root, "commit", "-qm", branch)
    git(team.root, "merge", "theirs", fails=True)
    before = state(team.root)
    with pytest.raises(GitBusy, match="a merge"):
        vault.share(team.root, [source(vault, "three")], yes=True)
    assert state(team.root) == before
    git(vault.root.parent, "init", "-q", "--bare", "remote.git")
    git(vault.root, "remote", "add", "origin", str(vault.root.parent / "remote.git"))
    other(vault)
    git(vault.root, "merge", "theirs", fails=True)
    with pytest.raises(GitBusy, match="a merge"):
        vault.push_proposals()
    assert git(vault.root.parent / "remote.git", "for-each-ref") == ""


def hook(vault: Vault, name: str, script: str) -> None:
    file = vault.root / f".git/hooks/{name}"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("name", "script", "told"),
    [
        ("pre-commit", "echo refused by policy; exit 1", "refused by policy"),
        ("commit-msg", "echo no such subject >&2; exit 1", "no such subject"),
        (
            "pre-commit",
            "blob=$(echo other | git hash-object -w --stdin); git update-index --cacheinfo 100644,$blob,wiki/index.md",
            "changed what was to be committed",
        ),
        ("commit-msg", 'echo "Ticket: 7" >> "$1"', "message"),
    ],
)
def test_a_hook_that_refuses_or_rewrites_is_obeyed_before_anything_is_written(
    vault: Vault, name: str, script: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    hook(vault, name, script)
    refused(vault, HookRefused, told)
    assert "refused by policy" not in capfd.readouterr().out


def test_a_signer_that_fails_or_hangs_is_named_and_nothing_is_written(vault: Vault) -> None:
    program = vault.root.parent / "slow-gpg"
    program.write_text("#!/bin/sh\nsleep 600\n")
    program.chmod(0o755)
    git(vault.root, "config", "commit.gpgsign", "true")
    git(vault.root, "config", "gpg.program", str(program))
    (vault.root / "wikimem.local.toml").write_text("[git]\nsign_seconds = 0.3\n")
    refused(Vault.open(vault.root, clock=lambda: NOW), SigningTimedOut, "sign")
    program.write_text("#!/bin/sh\necho no key for you >&2\nexit 2\n")
    refused(Vault.open(vault.root, clock=lambda: NOW), WorldError, "gpg failed to sign")
    (vault.root / "wikimem.local.toml").write_text('[git]\nsign = "never"\n')
    done(Vault.open(vault.root, clock=lambda: NOW))


def test_a_hook_that_agrees_runs_on_each_commit(vault: Vault) -> None:
    hook(vault, "pre-commit", f"echo ran >> {vault.root.parent}/ran")
    done(vault)
    assert len((vault.root.parent / "ran").read_text().split()) >= len(VERBS)


def test_work_that_is_staged_or_not_stays_bit_for_bit(vault: Vault) -> None:
    """Case 055, with its own state of a repository, and the pages as the wiki calls them."""
    root = vault.root
    for name in ("a", "b", "gone"):
        (root / f"{name}.md").write_text("base\n")
    git(root, "add", "a.md", "b.md", "gone.md")
    git(root, "commit", "-qm", "init")
    (root / "a.md").write_text("base\nstaged\n")
    git(root, "add", "a.md")
    (root / "a.md").write_text("base\nstaged\nmore\n")
    (root / "b.md").write_text("base\ndirty\n")
    (root / "gone.md").unlink()
    (root / "scratch.txt").write_text("scratch\n")
    (root / ".obsidian").mkdir()
    (root / ".obsidian/workspace.json").write_text("{}\n")

    def theirs() -> list[str]:
        told = [git(root, "diff", "--cached", "--", "*.md", ":!wiki"), git(root, "diff", "--", "a.md", "b.md", "gone.md")]
        return [*told, git(root, "status", "--porcelain", "--", ":!wiki", ":!sources")]

    before = theirs()
    for name, verb in VERBS.items():
        verb(vault)
        assert theirs() == before, name
        own = git(root, "show", "--name-only", "--format=", "HEAD").split()
        assert [path for path in own if not path.startswith(("wiki/", "sources/"))] == [], name


def test_a_page_with_unsaved_words_is_left_alone_or_the_verb_is_refused(vault: Vault) -> None:
    page = vault.root / "wiki/topics/payment-retries.md"
    page.write_text(page.read_text() + "\n## Notes\n\nHalf a thought.\n")
    words = page.read_bytes()
    for name, verb in VERBS.items():
        try:
            verb(vault)
        except WikimemError as error:
            assert str(error), name
        assert page.read_bytes() == words, name
    assert "Half a thought" not in git(vault.root, "log", "-p", "--all")


def test_a_detached_head_is_committed_to(vault: Vault) -> None:
    git(vault.root, "checkout", "-q", "--detach")
    main = git(vault.root, "rev-parse", "main")
    done(vault, branch=None)
    assert git(vault.root, "rev-parse", "main") == main


def test_a_linked_worktree_of_the_vault_is_a_vault_like_any(vault: Vault) -> None:
    tree = vault.root.parent / "tree"
    git(vault.root, "worktree", "add", "-q", "-b", "side", str(tree))
    main = git(vault.root, "rev-parse", "main")
    done(Vault.open(tree, clock=lambda: NOW), "side")
    assert git(vault.root, "rev-parse", "main") == main
    assert git(vault.root, "status", "--porcelain") == ""


@pytest.mark.parametrize("here", [False, True])
def test_beside_somebodys_code_only_the_branch_of_the_vault_moves(tmp_path: Path, here: bool) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    (code / "main.py").write_text("print('tide')\n")
    git(code, "add", "main.py")
    git(code, "commit", "-qm", "code")
    wikimem.create(code / "memory", here=here)
    vault = rich(Vault.open(code / "memory", clock=lambda: NOW))
    before = git(code, "rev-parse", "main")
    (code / "main.py").write_text("print('ebb')\n")
    git(code, "add", "main.py")
    (code / "main.py").write_text("print('ebb and flow')\n")
    done(vault, "main" if here else "wikimem")
    assert (git(code, "rev-parse", "main") == before) is not here
    assert git(code, "diff", "--cached", "--name-only", "--", "main.py").strip() == "main.py"
    assert (code / "main.py").read_text() == "print('ebb and flow')\n"
    assert git(code, "show", "main:main.py") == "print('tide')\n"


def test_a_vault_that_is_a_submodule_commits_into_itself_alone(vault: Vault) -> None:
    code = vault.root.parent / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    git(code, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "-b", "main", str(vault.root), "memory")
    git(code, "commit", "-qm", "memory")
    before = git(code, "rev-parse", "HEAD"), git(code, "ls-files", "-s")
    inner = Vault.open(code / "memory", clock=lambda: NOW)
    git(inner.root, "fetch", "-q", "origin", "refs/heads/memory/*:refs/heads/memory/*")
    done(inner)
    assert (git(code, "rev-parse", "HEAD"), git(code, "ls-files", "-s")) == before


@pytest.mark.parametrize("how", ["true", "input"])
def test_line_endings_that_git_is_told_to_change_change_nothing_of_ours(vault: Vault, how: str) -> None:
    git(vault.root, "config", "core.autocrlf", how)
    git(vault.root, "config", "core.safecrlf", "false")
    shutil.rmtree(vault.root / "wiki")
    shutil.rmtree(vault.root / "sources")
    git(vault.root, "checkout", "-q", "--", ".")
    done(Vault.open(vault.root, clock=lambda: NOW))
    assert git(vault.root, "status", "--porcelain") == ""
    for path in (vault.root / "sources").rglob("*.jsonl"):
        assert b"\r\n" not in path.read_bytes()


def clone(vault: Vault, *args: str) -> Vault:
    target = vault.root.parent / "clone"
    git(vault.root.parent, "clone", "-q", *args, vault.root.as_uri(), str(target))
    git(
        target,
        "fetch",
        "-q",
        *(arg for arg in args if arg.startswith("--depth")),
        "origin",
        "refs/heads/memory/*:refs/heads/memory/*",
    )
    return Vault.open(target, clock=lambda: NOW)


def test_a_shallow_clone_decides_like_a_whole_one_and_says_what_it_cannot_see(vault: Vault) -> None:
    shallow = clone(vault, "--depth=1", "--no-single-branch")
    hidden = git(vault.root, "rev-parse", "HEAD~1").strip()
    before = state(shallow.root)
    with pytest.raises(WikimemError, match=hidden[:7]):
        shallow.undo(hidden)
    for verb in (shallow.review, VERBS["review approve"], OTHERS["review reject"], shallow.push_proposals):
        with pytest.raises(ShallowClone, match="git fetch --unshallow"):
            verb() if verb in (shallow.review, shallow.push_proposals) else verb(shallow)
    assert state(shallow.root) == before
    for name in (each for each in VERBS if each != "review approve"):
        VERBS[name](shallow)
    assert shallow.verify().problems == ()
    # What it could not read is still there, and can be decided once the rest is.
    git(shallow.root, "fetch", "-q", "--unshallow")
    assert len(shallow.review().items) == 1
    VERBS["review approve"](shallow)
    assert "never kept any messages" in (shallow.root / "wiki/topics/payment-retries.md").read_text()


def test_a_bare_clone_is_no_place_for_any_of_it(vault: Vault) -> None:
    git(vault.root.parent, "clone", "-q", "--bare", str(vault.root), "bare.git")
    with pytest.raises(NotAVault):
        Vault.open(vault.root.parent / "bare.git")


def test_after_the_remote_was_replaced_a_push_is_refused_and_nothing_is_lost(vault: Vault) -> None:
    """Case 078: the remote's history was replaced by one with less; we neither reset nor force."""
    remote = vault.root.parent / "remote.git"
    git(vault.root.parent, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(vault.root, "remote", "add", "origin", str(remote))
    git(vault.root, "push", "-q", "-u", "origin", "main")
    vault.push_proposals()
    less = vault.root.parent / "less"
    less.mkdir()
    git(less, "init", "-q", "-b", "main")
    (less / "pages").mkdir()
    (less / "pages/1.md").write_text("fact 1\n")
    git(less, "add", ".")
    git(less, "commit", "-qm", "backfill")
    git(less, "push", "-q", "--force", str(remote), "main")
    theirs = git(remote, "rev-parse", "main")
    vault.tidy()
    before = state(vault.root)
    with pytest.raises(WorldError) as found:
        vault.sync()
    assert {key for key in before if not key.startswith("refs") and state(vault.root)[key] != before[key]} == set()
    assert str(found.value)
    vault.rename("tide-tables", "Tables of tides")
    assert git(remote, "rev-parse", "main") == theirs
    assert len(list((vault.root / "sources").rglob("*claude-code*.jsonl"))) == 5


def test_a_lock_that_somebody_left_long_ago_is_removed_and_told(vault: Vault) -> None:
    """Case 054, with its own state: `.git/index.lock` of two hours ago, and no git at work."""
    lock = vault.root / ".git/index.lock"
    for name, verb in VERBS.items():
        lock.touch()
        subprocess.run(["touch", "-d", "2 hours ago", str(lock)], check=True)
        before = git(vault.root, "rev-parse", "HEAD")
        verb(vault)
        assert not lock.exists(), name
        assert git(vault.root, "rev-parse", "HEAD") != before, name


def test_a_lock_that_somebody_holds_is_waited_for_and_then_nothing_is_half_done(vault: Vault) -> None:
    """Case 054: a fresh lock is not ours to remove; the next run does what this one could not."""
    lock = vault.root / ".git/index.lock"
    lock.touch()
    before = state(vault.root)
    with pytest.raises(GitBusy, match="index"):
        vault.rename("tide-tables", "Tables of tides")
    assert state(vault.root) == before
    lock.unlink()
    done(vault)
