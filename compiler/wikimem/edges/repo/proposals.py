"""Branches that propose something: commits beside the current branch, which no working tree and no index of the user's sees.

A proposal's first parent is the commit it was built on, the others are what it was before: so it only ever moves forward,
here and at a remote, and what it proposes is its difference from what the current branch has of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from wikimem.edges.repo import commit as protocol
from wikimem.edges.repo import exchange, identity, index, message, scratch
from wikimem.edges.repo.message import Message
from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.edges.repo.remote import without_secrets
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import GitFailed, NoRemote, RemoteFailed, SigningTimedOut

HEADS, REMOTES = "refs/heads/", "refs/remotes/"
_PATIENCE = 5


def tips(git: Plumbing, under: str) -> dict[str, list[str]]:
    """The commits of all branches below a folder of names, here and as last fetched from any remote; ours first.

    Args:
        under: `memory/`.
    """
    out = text(git.run("for-each-ref", "--format=%(objectname) %(refname)", HEADS + under, REMOTES).out)
    found: dict[str, list[str]] = {}
    for line in sorted(out.splitlines(), key=lambda line: (not line.partition(" ")[2].startswith(HEADS), line)):
        tip, _, ref = line.partition(" ")
        name = ref.removeprefix(HEADS) if ref.startswith(HEADS) else ref.removeprefix(REMOTES).partition("/")[2]
        if name.startswith(under) and tip not in found.setdefault(name, []):
            found[name].append(tip)
    return {name: found[name] for name in sorted(found) if found[name]}


def local(git: Plumbing, name: str) -> str:
    """The commit of a branch here; empty if there is none."""
    answer = git.ask("rev-parse", "--verify", "-q", HEADS + name)
    return answer.line if answer.status == 0 else ""


def base(git: Plumbing, one: str, other: str) -> str:
    """The nearest commit that two have in their history; empty if there is none."""
    answer = git.ask("merge-base", one, other)
    return answer.line if answer.status == 0 else ""


def built_on(git: Plumbing, tip: str, head: str) -> str:
    """The commit that a proposal is to be held against: the one it was built on; of a commit of others, what it has in common
    with another one. Empty if there is none."""
    shape = "--format=%P%x00%(trailers:key=Wiki-Op,valueonly)"
    parents, _, told = git.run("log", "-1", shape, tip).line.partition("\0")
    return parents.split()[0] if parents and told.strip() == "propose" else base(git, head, tip)


def put(
    git: Plumbing,
    settings: GitSettings,
    name: str,
    parents: Sequence[str],
    writes: Mapping[str, bytes],
    deletes: Sequence[str],
    said: Message,
) -> str:
    """Make a commit and let a branch be at it; the current branch, the index and all files stay as they are.

    Args:
        name: the branch, which is made if there is none.
        parents: the first is what the change is made to.
        writes: path in the vault to content.
        deletes: paths in the vault.

    Returns:
        The commit; the branch's own where its tree would be the same.

    Raises:
        GitFailed, SigningTimedOut, OSError: nothing was done.
    """
    own = scratch.fresh(git.place)
    try:
        staged = protocol.stage(writes, own)
        blobs = protocol.blobs(git, staged)
        entries = {git.place.full(path): f"{index.NEW_FILE} {blob}" for path, blob in blobs.items()}
        entries |= {git.place.full(path): "" for path in deletes}
        tree = index.build(git, own.index, parents[0], entries)
        before = local(git, name)
        stands = before and git.run("rev-parse", "--verify", "-q", f"{before}^{{tree}}").line == tree
        if stands and all(git.ask("merge-base", "--is-ancestor", parent, before).status == 0 for parent in parents):
            return before
        made = _commit(git, settings, tree, parents, said)
        git.run("update-ref", "-m", "wikimem propose", HEADS + name, made, before or git.nothing)
        return made
    finally:
        own.clear()


def drop(git: Plumbing, name: str) -> None:
    """Remove a branch here; its commits stay until git collects them."""
    before = local(git, name)
    if before:
        git.ask("update-ref", "-d", HEADS + name, before)


def fetch(git: Plumbing, remote: str, under: str) -> None:
    """Fetch the branches below a folder of names to where git shows what a remote has.

    Raises:
        RemoteFailed: it cannot be reached.
    """
    refspec = f"+{HEADS}{under}*:{REMOTES}{remote}/{under}*"
    options = ("--no-tags", "--no-write-fetch-head", "--prune")
    answer = git.ask("fetch", "-q", *options, "--", remote, refspec, seconds=git.seconds * _PATIENCE)
    if answer.status != 0:
        raise RemoteFailed(remote, "Fetching", exchange.said(answer))


def push(git: Plumbing, remote: str, name: str) -> bool:
    """Push a branch, if that is a step forward there; false if the remote has moved.

    Raises:
        RemoteFailed: it cannot be reached, or refused.
    """
    made = local(git, name)
    command = ("push", "--porcelain", "--recurse-submodules=no", "--", remote, f"{made}:{HEADS}{name}")
    answer = git.hook(*command, env={}, seconds=git.seconds * _PATIENCE, config=("push.followTags=false",))
    if answer.status == 0:
        git.ask("update-ref", f"{REMOTES}{remote}/{name}", made)
        return True
    if any(exchange.moved(line) for line in text(answer.out).splitlines() if line.startswith("!")):
        return False
    raise RemoteFailed(f"{remote}/{name}", "Pushing to", exchange.said(answer))


def remote(git: Plumbing, named: str = "") -> tuple[str, str]:
    """A remote's name and its address, without user and password: the named one, else `origin`, else the only one.

    Raises:
        NoRemote: there is none such.
    """
    names = text(git.ask("remote").out).split()
    chosen = named or ("origin" if "origin" in names else names[0] if len(names) == 1 else "")
    if not chosen or chosen not in names:
        why = f"there is no remote {named!r}" if named else "there is no remote" if not names else "no remote is called origin"
        raise NoRemote(why, "`git remote add origin ADDRESS` names one; with several, say which by --remote NAME.")
    with suppress(GitFailed):
        return chosen, without_secrets(git.run("remote", "get-url", "--push", chosen).line)
    return chosen, ""


def _commit(git: Plumbing, settings: GitSettings, tree: str, parents: Sequence[str], said: Message) -> str:
    config = identity.settings_of(git)
    signed = settings.sign == "auto" and identity.on(config.get("commit.gpgsign", "false"))
    seconds = settings.signing_seconds if signed else settings.seconds
    given = [word for parent in dict.fromkeys(parents) for word in ("-p", parent)]
    data = message.render(said).encode()
    sign = ("-S",) if signed else ()
    env = identity.variables(config)
    answer = git.ask("commit-tree", tree, *given, *sign, "-F", "-", data=data, env=env, seconds=seconds)
    if answer.status is None and signed:
        raise SigningTimedOut(seconds)
    if answer.status != 0:
        raise GitFailed("commit-tree", answer.err or "it did not answer")
    return answer.line
