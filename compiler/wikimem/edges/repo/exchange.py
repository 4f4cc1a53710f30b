"""Exchange with a remote: what the branch follows, fetching from it, pushing to it. Never by force, never with a prompt.

What is fetched is kept by a reference of our own, so that the next run knows what the remote had when both were one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wikimem.edges.repo import commit
from wikimem.edges.repo.plumbing import Answer, Plumbing, text
from wikimem.edges.repo.remote import without_secrets
from wikimem.errors import CannotSync, NoRemote, RemoteFailed

_PATIENCE = 5
_SAID_AT_MOST = 2000
_HEADS = "refs/heads/"
_ADDRESS = re.compile(r"\w+://[^\s'\"]+")
_QUIET = ("gc.auto=0", "maintenance.auto=false", "fetch.writeCommitGraph=false", "push.followTags=false")


@dataclass(frozen=True, slots=True)
class Upstream:
    """What a branch is synchronised with.

    Args:
        branch: the branch here, `main`.
        remote: the remote's name.
        there: the branch at the remote, `main`.
    """

    branch: str
    remote: str
    there: str

    @property
    def name(self) -> str:
        """What people call it: `origin/main`."""
        return f"{self.remote}/{self.there}"

    @property
    def tracking(self) -> str:
        """The reference under which git itself shows what the remote has."""
        return f"refs/remotes/{self.name}"

    @property
    def synced(self) -> str:
        """The reference that keeps what it was when both were one."""
        return f"refs/wikimem/synced/{self.remote}/{self.there}"

    @property
    def fetched(self) -> str:
        """The reference that keeps what was fetched last, so that git does not collect it."""
        return f"refs/wikimem/fetched/{self.remote}/{self.there}"


def upstream(git: Plumbing, named: str = "") -> Upstream:
    """What the current branch follows.

    Args:
        named: a remote's name, instead of the one that the branch follows; '' for that.

    Raises:
        CannotSync: the head is detached, or there is no commit yet.
        NoRemote: there is no remote, not the named one, or the branch follows none.
    """
    told = commit.branch_of(git)
    if not told.startswith(f"ref: {_HEADS}"):
        raise CannotSync("the head is detached", "`git switch BRANCH` goes to a branch; then run again.")
    branch = told.removeprefix(f"ref: {_HEADS}")
    if not commit.head_of(git):
        raise CannotSync(f"{branch} has no commit yet", "Commit something first, such as `wikimem ingest` does.")
    remotes = text(git.run("remote").out).split()
    if not remotes:
        raise NoRemote(
            "this repository has no remote", f"`git remote add origin URL && git push -u origin {branch}` gives it one."
        )
    if named:
        if named not in remotes:
            raise NoRemote(f"there is no remote {named!r}", f"Known are {', '.join(remotes)}.")
        follows = _setting(git, f"branch.{branch}.remote") == named
        there = _setting(git, f"branch.{branch}.merge").removeprefix(_HEADS) if follows else ""
        return Upstream(branch, named, there or branch)
    remote, there = _setting(git, f"branch.{branch}.remote"), _setting(git, f"branch.{branch}.merge")
    if remote not in remotes or not there.startswith(_HEADS):
        advice = f"`git push -u {remotes[0]} {branch}` makes it follow one, or name one with `--remote {remotes[0]}`."
        raise NoRemote(f"the branch {branch} follows no branch of a remote", advice)
    return Upstream(branch, remote, there.removeprefix(_HEADS))


def fetch(git: Plumbing, up: Upstream) -> str:
    """Fetch the remote's branch.

    Returns:
        The id of its newest commit; empty if the remote has no such branch.

    Raises:
        RemoteFailed: it cannot be reached.
    """
    listed = git.ask(
        "ls-remote", "--heads", "--", up.remote, f"{_HEADS}{up.there}", seconds=git.seconds * _PATIENCE, config=_QUIET
    )
    if listed.status != 0:
        raise RemoteFailed(up.remote, "Asking", said(listed))
    if not any(line.endswith(f"\t{_HEADS}{up.there}") for line in text(listed.out).splitlines()):
        return ""
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--refmap=", "--no-write-fetch-head")
    refspec = f"+{_HEADS}{up.there}:{up.fetched}"
    answer = git.ask("fetch", *options, "--", up.remote, refspec, seconds=git.seconds * _PATIENCE, config=_QUIET)
    if answer.status != 0:
        raise RemoteFailed(up.name, "Fetching", said(answer))
    found = git.run("rev-parse", "--verify", "-q", up.fetched).line
    known = last(git, up)
    if known:
        # What git saw last is about to change, and by it is known whether the remote's history was replaced.
        git.run("update-ref", up.synced, known)
    git.ask("update-ref", up.tracking, found)
    return found


def push(git: Plumbing, up: Upstream, made: str) -> bool:
    """Push a commit to the remote's branch, if that is a step forward; the user's pre-push hook has its say.

    Returns:
        Whether the remote has it now; false if it was not taken because the remote has moved, or is being moved.

    Raises:
        RemoteFailed: it cannot be reached, or somebody's hook or rule refused.
    """
    command = ("push", "--porcelain", "--recurse-submodules=no", "--", up.remote, f"{made}:{_HEADS}{up.there}")
    answer = git.hook(*command, env={}, seconds=git.seconds * _PATIENCE, config=_QUIET)
    if answer.status == 0:
        return True
    refused = [line for line in text(answer.out).splitlines() if line.startswith("!")]
    if any(moved(line) for line in refused):
        return False
    raise RemoteFailed(up.name, "Pushing to", " ".join(line.partition("\t")[2] for line in refused) + " " + said(answer))


def last(git: Plumbing, up: Upstream) -> str:
    """The commit at which both were one when last synchronised; where that is unknown, what git saw there last; or empty."""
    for name in (up.synced, up.tracking):
        answer = git.ask("rev-parse", "--verify", "-q", name)
        if answer.status == 0:
            return answer.line
    return ""


def remember(git: Plumbing, up: Upstream, made: str) -> None:
    """Keep the commit at which both are one.

    Raises:
        GitFailed: git said no.
    """
    git.run("update-ref", up.synced, made)
    git.ask("update-ref", up.tracking, made)


def said(answer: Answer) -> str:
    """What git said, without user and password of an address."""
    if answer.status is None:
        return "it did not answer in time"
    told = _ADDRESS.sub(lambda found: without_secrets(found[0]), answer.err)
    return told[-_SAID_AT_MOST:]


def moved(line: str) -> bool:
    """Whether a refusal means that somebody else was quicker."""
    quicker = ("fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref", "incorrect old value", "stale info")
    return any(word in line for word in quicker)


def _setting(git: Plumbing, name: str) -> str:
    answer = git.ask("config", "--get", name)
    return answer.line if answer.status == 0 else ""
