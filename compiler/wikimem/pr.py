"""Pr: proposals go to the remote, each on its branch, with the address at which a request for it is opened. No API, no key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from wikimem import extracting, proposing
from wikimem.committing import Writer
from wikimem.core import routes
from wikimem.errors import Problem, RemoteFailed
from wikimem.vault import Vault

_TRIES = 4


@dataclass(frozen=True, slots=True)
class Pushed:
    """A proposal that the remote has now.

    Args:
        branch: its branch.
        claims: how many claims wait in it.
        link: where a request is opened in a browser; empty where the kind of host is unknown.
    """

    branch: str
    claims: int
    link: str


@dataclass(frozen=True, slots=True)
class Requests:
    """What was pushed.

    Args:
        remote: the remote's name.
        pushed: by branch.
        problems: proposals that could not be brought up to date.
    """

    remote: str
    pushed: tuple[Pushed, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The result as plain values; the shape is stable."""
        return {
            "remote": self.remote,
            "pushed": [{"branch": one.branch, "claims": one.claims, "link": one.link} for one in self.pushed],
            "problems": [str(each) for each in self.problems],
        }


def push(vault: Vault, remote: str = "") -> Requests:
    """Push every proposal, made anew on the current commit and united with what the remote has of it. Never by force.

    Args:
        vault: the vault.
        remote: the remote's name; '' for `origin` or the only one.

    Raises:
        NoRemote: there is none.
        RemoteFailed: it could not be reached, or refused.
        WorldError: git stands in the way.
    """
    problems: list[Problem] = []
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
            proposing.check_whole(repo)
            vault.ledger.forget_cache()
        name, address = repo.remote(remote)
        writer = Writer(vault, repo, extracting.extractor_of(vault), problems.append)
        writer.catch_up()
        for _ in range(_TRIES):
            repo.fetch_proposals(name, proposing.TOP)
            late = proposing.refresh(vault, repo, writer, every=True)
            every = proposing.gather(vault, repo, writer.memory)
            found = [each for each in every if each.number and not each.ahead and repo.proposal(each.name)]
            moved = [each.name for each in found if not repo.push_proposal(name, each.name)]
            if not moved:
                into = repo.branch_name
                made = tuple(Pushed(each.name, each.number, link(address, into, each.name)) for each in found)
                return Requests(name, made, (*problems, *late))
    raise RemoteFailed(name, "Pushing to", "it moved at every try, since others push as well")


def link(address: str, into: str, branch: str) -> str:
    """Where a request to merge a branch is opened; empty where the kind of host is unknown.

    Args:
        address: of the remote, in any style.
        into: the branch to merge into.
        branch: the branch to merge.
    """
    host, _, path = routes.address(address).partition("/")
    if not path or "." not in host:
        return ""
    ours, theirs = quote(branch, safe=""), quote(into, safe="")
    top = f"https://{host}/{quote(path)}"
    if "github" in host:
        return f"{top}/compare/{quote(into)}...{quote(branch)}?expand=1"
    if "gitlab" in host:
        source, target = quote("merge_request[source_branch]"), quote("merge_request[target_branch]")
        return f"{top}/-/merge_requests/new?{source}={ours}&{target}={theirs}"
    return f"{top}/pull-requests/new?source={ours}&dest={theirs}" if "bitbucket" in host else ""
