"""Rewriting: history made anew without some blobs and some lines of messages, by git-filter-repo, when a person says so.

It is done in a bare copy beside the repository, so that neither index nor files nor stash are touched, and the references
move in one transaction afterwards: whatever cuts it short, the old history or the new one stands, never half of each. The
tree of the current commit is the same before and after. Nothing is pushed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikimem.edges.repo import commit as protocol
from wikimem.edges.repo import history
from wikimem.edges.repo.plumbing import NO_PROMPT, Plumbing, text
from wikimem.errors import CannotForget, GitFailed

_TOOL = "git_filter_repo"
_KEPT = "refs/wikimem/rewritten/"
_STASH = "refs/stash"
_NOT_OURS = (
    "notes are yours; `git notes remove COMMIT` takes one away",
    "what is stashed is yours; `git stash list` names it, `git stash drop stash@{N}` takes it away",
)
_CALLBACK = """
import json, os, re
told = json.load(open(os.environ["WIKIMEM_FORGOTTEN"]))
head, gap, tail = message.rstrip(b"\\n").rpartition(b"\\n\\n")
if gap and any(b"Source: " + each.encode() in tail for each in told["sources"]):
    operation = re.search(rb"(?m)^Wiki-Op: (.*)$", tail)
    name = operation[1] if operation else b"wikimem"
    if name in (b"compile", b"edit", b"recompile"):
        message = name + b": (forgotten)\\n\\n" + tail + b"\\n"
for each in told["forms"]:
    form = bytes.fromhex(each)
    if form in message:
        message = re.sub(rb"(?m)^.*" + re.escape(form) + rb".*$", b"(forgotten)", message)
for each in told["loose"]:
    form = re.compile(rb"(?im)^.*" + re.escape(bytes.fromhex(each)) + rb".*$")
    message = form.sub(b"(forgotten)", message)
return message
"""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a rewriting did.

    Args:
        head: the current commit now.
        refs: the references that moved.
        dropped: references to what remotes had, which would have kept the old history.
        left: references that keep the old history, each with why.
    """

    head: str
    refs: tuple[str, ...]
    dropped: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unwanted:
    """What history is made anew without.

    Args:
        blobs: ids of blobs: where a commit has one, the file is as it was before, or not there.
        commits: ids of commits whose messages tell of it.
        sources: commits that took one of these sources in lose what their message says.
        forms: bytes; a line of a message that holds one is replaced.
        loose: the same, whatever the case of ASCII letters.
    """

    blobs: frozenset[str]
    commits: frozenset[str]
    sources: tuple[str, ...]
    forms: tuple[bytes, ...]
    loose: tuple[bytes, ...]


def check(git: Plumbing, bundle: Path | None) -> None:
    """Refuse what could not be done, or not be undone, before anything is.

    Raises:
        CannotForget: a sentence says what to do.
    """
    if importlib.util.find_spec(_TOOL) is None:
        raise CannotForget(
            "rewriting history needs git-filter-repo, which is not installed",
            "`pip install 'wikimem[history]'` brings it; without --history everything else is forgotten.",
        )
    if bundle is None:
        raise CannotForget(
            "history is only rewritten after a copy of it was written", "Name a file for it, outside the vault: --bundle FILE."
        )
    if bundle.exists():
        raise CannotForget(f"{bundle} exists already", "Name a file that does not exist with --bundle.")
    if bundle.resolve().is_relative_to(git.place.top) or bundle.resolve().is_relative_to(git.place.common):
        raise CannotForget(f"{bundle} lies in the repository itself", "Name a file outside of it with --bundle.")
    if not bundle.resolve().parent.is_dir():
        raise CannotForget(f"there is no folder {bundle.parent}", "Make it, or name another file with --bundle.")
    if history.is_shallow(git):
        raise CannotForget("this clone is shallow: most of its history is not here", "Run `git fetch --unshallow` first.")
    if git.place.prefix:
        raise CannotForget(
            "the vault shares its branch with other files, whose history would be rewritten too",
            "Do that by hand, with git-filter-repo, if everybody who has a clone agrees.",
        )
    if not protocol.branch_of(git).startswith("ref: "):
        raise CannotForget("the head is detached", "`git switch BRANCH` goes to a branch; then run again.")


def bundle(git: Plumbing, file: Path) -> None:
    """Write all of the repository's history to a file, from which `git clone FILE` brings it back.

    Raises:
        GitFailed: git said no.
    """
    git.run("bundle", "create", "--quiet", str(file.resolve()), "--all", seconds=git.seconds * 20)


def rewrite(git: Plumbing, unwanted: Unwanted, folder: Path) -> Rewritten:
    """Make history anew and move the references to it.

    Args:
        git: the repository; the caller holds the vault's locks.
        unwanted: what history is made anew without.
        folder: an empty folder for the copy, which is deleted.

    Raises:
        CannotForget, GitFailed, OSError: nothing has moved.
    """
    head = protocol.head_of(git)
    current = protocol.branch_of(git).removeprefix("ref: ")
    elsewhere = _checked_out(git) - {current}
    holding = [name for name in _names(git, "refs/heads/", "refs/tags/") if name == current or _has(git, name, unwanted)]
    left = [f"{name}: it is checked out in another working tree" for name in holding if name in elsewhere]
    wanted = [name for name in holding if name not in elsewhere]
    copy = folder / "copy.git"
    try:
        _filtered(git, copy, wanted, unwanted, folder)
        moves = _moves(git, copy, wanted, head, current)
    finally:
        shutil.rmtree(copy, ignore_errors=True)
    dropped = [name for name in _names(git, "refs/remotes/", "refs/wikimem/") if _has(git, name, unwanted)]
    dropped = _without_pointers(git, dropped)
    _update(git, moves, dropped)
    left += [f"{name}: {_NOT_OURS[name == _STASH]}" for name in _names(git, "refs/notes/", _STASH) if _has(git, name, unwanted)]
    for name in ("ORIG_HEAD", "FETCH_HEAD"):
        (git.place.git / name).unlink(missing_ok=True)
    moved = tuple(name for name in moves)
    git.ask("reflog", "expire", "--expire=now", "--expire-unreachable=now", "HEAD", *moved)
    _forget_logs(git, unwanted)
    git.run("gc", "--prune=now", "--quiet", seconds=git.seconds * 20)
    return Rewritten(protocol.head_of(git), moved, tuple(dropped), tuple(left))


def _filtered(git: Plumbing, copy: Path, wanted: Sequence[str], unwanted: Unwanted, folder: Path) -> None:
    """A bare copy of some references, with its history made anew."""
    format = ["--object-format=sha256"] if git.algorithm == "sha256" else []
    _git(folder, "init", "--quiet", "--bare", *format, str(copy))
    _git(copy, "fetch", "--quiet", "--no-tags", str(git.place.common), *(f"+{name}:{name}" for name in wanted))
    ids, told = folder / "blobs", folder / "told.json"
    ids.write_text("".join(f"{blob}\n" for blob in sorted(unwanted.blobs)), "ascii")
    forms = {"forms": [form.hex() for form in unwanted.forms], "loose": [form.hex() for form in unwanted.loose]}
    told.write_text(json.dumps({"sources": list(unwanted.sources), **forms}), "ascii")
    command = [sys.executable, "-m", _TOOL, "--force", "--quiet", "--strip-blobs-with-ids", str(ids)]
    command += ["--message-callback", _CALLBACK, "--prune-degenerate", "never", "--replace-refs", "delete-no-add"]
    done = subprocess.run(command, cwd=copy, env={**_env(), "WIKIMEM_FORGOTTEN": str(told)}, capture_output=True, check=False)
    if done.returncode != 0:
        raise GitFailed("filter-repo", done.stderr.decode("utf-8", "replace"))


def _moves(git: Plumbing, copy: Path, wanted: Sequence[str], head: str, current: str) -> dict[str, tuple[str, str]]:
    """The references that are to move, from which commit to which; their objects are here afterwards."""
    git.run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", str(copy), f"+refs/*:{_KEPT}*", seconds=git.seconds * 20)
    moves = {}
    for name in wanted:
        old = git.run("rev-parse", "--verify", "-q", name).line
        new = git.ask("rev-parse", "--verify", "-q", f"{_KEPT}{name.removeprefix('refs/')}")
        if new.status == 0 and new.line != old:
            moves[name] = (old, new.line)
    if current in moves:
        trees = {git.run("rev-parse", f"{each}^{{tree}}").line for each in (head, moves[current][1])}
        if len(trees) != 1:
            _drop(git, _names(git, _KEPT))
            raise GitFailed("filter-repo", "the rewritten history does not end where the old one does")
    return moves


def _update(git: Plumbing, moves: dict[str, tuple[str, str]], dropped: Iterable[str]) -> None:
    """Move all references at once, and drop those to the old history."""
    lines = [f"update {name} {new} {old}\n" for name, (old, new) in moves.items()]
    lines += [f"delete {name}\n" for name in (*dropped, *_names(git, _KEPT)) if name not in moves]
    if lines:
        git.run("update-ref", "--stdin", data="".join(dict.fromkeys(lines)).encode())


def _without_pointers(git: Plumbing, dropped: Sequence[str]) -> list[str]:
    """References without those that only point to another; such that point to one about to go are taken away at once."""
    kept = []
    for name in dropped:
        target = git.ask("symbolic-ref", "-q", name)
        if target.status != 0:
            kept.append(name)
        elif target.line in dropped:
            git.ask("symbolic-ref", "--delete", name)
    return kept


def _drop(git: Plumbing, names: Iterable[str]) -> None:
    told = "".join(f"delete {name}\n" for name in names)
    if told:
        git.ask("update-ref", "--stdin", data=told.encode())


def _names(git: Plumbing, *under: str) -> list[str]:
    return text(git.run("for-each-ref", "--format=%(refname)", *(each.rstrip("/") for each in under)).out).split()


def _has(git: Plumbing, name: str, unwanted: Unwanted) -> bool:
    """Whether a reference has something unwanted in its history."""
    return _reach(git, [name], unwanted)


def _reach(git: Plumbing, names: Sequence[str], unwanted: Unwanted) -> bool:
    out = git.run(
        "rev-list",
        "--objects",
        "--no-object-names",
        "--stdin",
        data="".join(f"{name}\n" for name in names).encode(),
        seconds=git.seconds * 5,
    ).out
    found = set(text(out).split())
    return not found.isdisjoint(unwanted.blobs) or not found.isdisjoint(unwanted.commits)


def _forget_logs(git: Plumbing, unwanted: Unwanted) -> None:
    """Empty the logs of other references that lead to something unwanted, those of other working trees among them."""
    out = text(git.ask("log", "-g", "--all", "--format=%H %gD", "--date=raw").out)
    logged: dict[str, set[str]] = {}
    for line in out.splitlines():
        commit, _, name = line.partition(" ")
        logged.setdefault(name.partition("@{")[0], set()).add(commit)
    for name, commits in logged.items():
        if name and name != "refs/stash" and _reach(git, sorted(commits), unwanted):
            git.ask("reflog", "expire", "--expire=now", "--expire-unreachable=now", name)


def _checked_out(git: Plumbing) -> set[str]:
    told = text(git.run("worktree", "list", "--porcelain").out).splitlines()
    return {line.removeprefix("branch ") for line in told if line.startswith("branch ")}


def _git(folder: Path, *args: str) -> None:
    done = subprocess.run(["git", *args], cwd=folder, env=_env(), capture_output=True, check=False)
    if done.returncode != 0:
        raise GitFailed(args[0], done.stderr.decode("utf-8", "replace"))


def _env() -> dict[str, str]:
    """Without what a calling hook named: the copy is a repository of its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or "CONFIG" in name} | NO_PROMPT
