"""Sync: this clone and the branch of a remote become one: fetch, unite, render, commit, push. Never by force.

Both sides keep all their sources, claims and judgements, and the pages are rendered from the union, so of two clones that
sync in any order both hold what one clone would that had everything. Nothing of the user's files is touched before the
merge is a commit; whatever stands in the way is told, and then everything is as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wikimem import clearing, compile, forget, pr, receipts, settled, uniting, withholding
from wikimem import vault as vaults
from wikimem.compile import Compiled
from wikimem.core import messages
from wikimem.core.needles import Needles
from wikimem.edges.models import Model
from wikimem.errors import CannotSync, Problem, RemoteFailed, WorldError
from wikimem.uniting import United
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Joining, Repo

_WAITS = (0.1, 0.3, 0.6, 1.0, 2.0, 3.0)
"""How long to wait before the next try after somebody else was quicker, in seconds."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        remote: the remote's name; '' for the one that the branch follows.
        compile: whether pending sources are compiled, before and after.
        unite: join also with a remote whose history was replaced or has nothing in common with ours.
        model: the name of the model, instead of the one that the settings name; '' for that.
    """

    remote: str = ""
    compile: bool = True
    unite: bool = False
    model: str = ""


@dataclass(slots=True)
class Synced:
    """The report of a sync.

    Args:
        remote: the branch that this one is one with now, `origin/main`.
        head: the commit that both have.
        fetched: how many commits of the remote came in.
        pushed: how many went out.
        merges: the commits that joined both; empty if none was needed.
        changed: what the wiki says differently after the joins, `+3 ~1 -0`, of each.
        edits: what people had changed on pages of either side and is kept from now on, a sentence each.
        waiting: claims that wait for a person since the joins, because they do with the other side's what neither let in alone.
        conflicts: pages on which both sides had changed the same lines of people; the lines of both are there.
        chosen: files of which both sides had another one, and of which one was chosen; the other is in git's history.
        compiled: the reports of what was compiled before and after.
        problems: pages that were left alone, lines that could not be used.
        notes: what else the user should know.
    """

    remote: str = ""
    head: str = ""
    fetched: int = 0
    pushed: int = 0
    merges: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    waiting: int = 0
    conflicts: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    compiled: list[Compiled] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if something is wrong, 3 if sources only wait, else 0."""
        codes = [each.code for each in self.compiled]
        return 1 if self.problems or self.conflicts or 1 in codes else max(codes, default=0)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "remote": self.remote,
            "head": self.head,
            "fetched": self.fetched,
            "pushed": self.pushed,
            "merges": self.merges,
            "changed": self.changed,
            "edits": self.edits,
            "waiting": self.waiting,
            "conflicts": self.conflicts,
            "chosen": self.chosen,
            "compiled": [each.as_json() for each in self.compiled],
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "notes": self.notes,
        }


def sync(vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda doing: None, model: Model | None = None) -> Synced:
    """Make this clone and the remote's branch one.

    Args:
        vault: the vault.
        wish: what to do.
        progress: told what is being done.
        model: who is asked, instead of the one that the settings name.

    Raises:
        NoRemote: there is no remote, or the branch follows none.
        CannotSync: what the remote has cannot be joined with what is here; everything is as it was.
        InTheWay: files that would have to change are not as the commit has them; everything is as it was.
        RemoteFailed: the remote could not be reached, or refused; what is committed here stays.
        UsageError, WorldError: as for `compile`.
    """
    report = Synced()
    with vault.repository() as repo:
        join = repo.joining(wish.remote)
        report.remote = join.up.name
        with vault.compiling(), vault.writing():
            recovered = repo.recover()
            report.notes += [*recovered.sentences, *map(str, recovered.left)]
            join.check()
        _compile(vault, wish, report, progress, model)
        for pause in (*_WAITS, None):
            progress(f"fetching {join.up.name}")
            theirs = join.fetch()
            _join(vault, repo, join, theirs, wish, report, progress, model)
            # With the settings that came in.
            vault = vaults.open_at(vault.root, vault.clock)
            _compile(vault, wish, report, progress, model)
            head = repo.head
            ahead = join.relation(head, theirs).ahead if theirs else 1
            progress(f"pushing to {join.up.name}")
            if not ahead or join.push(head):
                report.head, report.pushed = head, ahead if theirs else 0
                join.remember(head)
                _show(vault, join.up.remote, report)
                return report
            if pause is not None:
                time.sleep(pause)
    raise RemoteFailed(join.up.name, "Pushing to", "it moved at every try, since others push as well")


def _compile(vault: Vault, wish: Wish, report: Synced, progress: Callable[[str], None], model: Model | None) -> None:
    """Compile what is pending, and mend pages that are not what their claims give."""
    if not wish.compile:
        return
    made = compile.compile(vault, compile.Wish(model=wish.model), progress, model)
    if made.outcomes or made.settled or made.edits or made.problems:
        report.compiled.append(made)


def _join(
    vault: Vault,
    repo: Repo,
    join: Joining,
    theirs: str,
    wish: Wish,
    report: Synced,
    progress: Callable[[str], None],
    model: Model | None,
) -> None:
    """Take in what the remote has, if it has anything new.

    Raises:
        as `sync`.
    """
    for _ in _WAITS:
        ours = repo.head
        if not theirs:
            return
        _must_hold(join, theirs, wish)
        _must_be_without(join, ours, theirs, wish)
        if join.precedes(theirs, ours):
            return
        relation = join.relation(ours, theirs)
        if not relation.base and not wish.unite:
            raise _unrelated(join, ours, theirs)
        progress(f"joining with {join.up.name}")
        with vault.compiling(), join.folder() as folder:
            vault.ledger.forget_cache()
            join.check()
            if relation.base == ours:
                with vault.writing():
                    done = join.land(ours, theirs, join.entries(theirs), {}, folder, None, report.problems.append)
            else:
                commits = (relation.base, ours, theirs)
                united = uniting.Uniter(vault, repo, join, commits, folder, model or wish.model or None).unite()
                done = _commit(vault, repo, join, united, commits, folder, report)
            if done:
                _enforce(vault, repo, join, (ours, theirs), report, model)
        vault.ledger.forget_cache()
        if done:
            report.fetched += relation.behind
            return
    raise CannotSync("the branch here keeps moving", "Run again in a moment.")


def _commit(
    vault: Vault, repo: Repo, join: Joining, united: United, commits: tuple[str, str, str], folder: Any, report: Synced
) -> str:
    """Commit what was united, and tell of it; empty if the branch has moved meanwhile."""
    from wikimem.edges.repo import Message

    _, ours, theirs = commits
    changed = messages.trailer(united.diff)
    told = (("Wiki-Op", "sync"), ("Claims", changed), ("Risk", united.risk))
    about = f"Joined {ours[:12]} with {join.up.name} at {theirs[:12]}: all sources, claims and judgements of both."
    lines = [about, *(f"Both sides wrote at one place of {path}; both are there." for path in united.conflicts)]
    lines += [f"Taken from the pages: {words}" for words in united.edits]
    waiting = sum(len(each.claims) for each in united.waiting.values())
    if waiting:
        lines.append(
            f"{waiting} claim{' waits' if waiting == 1 else 's wait'} for review: together both sides do what neither let in."
        )
    subject = messages.subject("sync", united.diff, f"joined with {join.up.name}")
    said = Message(subject, messages.body("\n".join(lines), united.diff), told)
    for each in united.waiting.values():
        withholding.lay_aside(vault, each, each.claims, united.judged, add=True)
    with vault.writing():
        done = join.land(ours, theirs, united.wanted, united.made, folder, said, report.problems.append)
    if not done:
        return ""
    settled.remember(vaults.open_at(vault.root, vault.clock), repo.tree("wiki") if united.settled else "")
    report.merges.append(done)
    report.changed.append(changed)
    report.edits += united.edits
    report.waiting += waiting
    report.conflicts += united.conflicts
    report.chosen += united.chosen
    report.problems += [problem for problem in united.problems if problem not in report.problems]
    report.notes += united.notes
    return done


def _show(vault: Vault, remote: str, report: Synced) -> None:
    """Let the remote have the proposals of what waits since the joins: it stood on somebody's page, and is on none now."""
    if not report.waiting:
        return
    try:
        done = pr.push(vault, remote)
    except WorldError as error:
        report.notes.append(f"What waits since the join is only here yet ({error}); `wikimem pr` lets {remote} have it.")
        return
    report.problems += done.problems
    report.notes += [f"{one.branch}: {one.claims} to review" + (f", {one.link}" if one.link else "") for one in done.pushed]


def _enforce(vault: Vault, repo: Repo, join: Joining, commits: tuple[str, str], report: Synced, model: Model | None) -> None:
    """What one side forgot does not come back by what only the other side had, nor stay beside git."""
    mine, other = (join.tombstones(each) for each in commits)
    if mine == other:
        return
    vault.ledger.forget_cache()
    new = {source for stone in other.every if stone not in mine.every for source in (*stone.sources, *stone.emptied)}
    if new:
        clearing.clear(vault, Needles(), frozenset(new), other.sources)
    here, there = ({path for path in join.entries(each) if path.startswith("sources/")} for each in commits)
    fresh = {path.rpartition("/")[2].removesuffix(".yaml") for path in here ^ there if path.endswith(".yaml")}
    done = forget.enforce(vault, repo, fresh, model)
    if done is not None:
        report.notes.append(f"Taken out again, since it was forgotten on one side: {receipts.amount(done)}.")


def _must_be_without(join: Joining, ours: str, theirs: str, wish: Wish) -> None:
    """Refuse a remote that still has the history which was made anew here: joining it would bring all of that back.

    Raises:
        CannotSync: it has.
    """
    again = next((each for each in join.tombstones(ours).commits if join.precedes(each, theirs)), "")
    if again and not wish.unite and not join.precedes(again, ours):
        up = join.up
        why = f"{up.name} still has commit {again[:12]}, and with it what was forgotten here, out of all history"
        advice = (
            f"Once everybody who has a clone knows, `git push --force-with-lease={up.there}:{theirs[:12]} {up.remote} "
            f"HEAD:{up.there}` replaces it; wikimem never does. `wikimem sync --unite` takes that history in again."
        )
        raise CannotSync(why, advice)


def _must_hold(join: Joining, theirs: str, wish: Wish) -> None:
    """Refuse a remote whose history was replaced by one that has less: to push ours would bring back what may be gone for a
    reason, and to follow it would lose what is here.

    Raises:
        CannotSync: it is one.
    """
    last = join.last()
    if wish.unite or not last or join.precedes(last, theirs):
        return
    forgotten = join.tombstones(theirs).sources
    gone = frozenset(path for path in _held(join, last) - _held(join, theirs) if not any(each in path for each in forgotten))
    if not gone:
        return
    counts = f"{_count(gone, 'sources/', 'source')} and {_count(gone, 'wiki/', 'page')}"
    why = f"the history of {join.up.name} was replaced: it was at {last[:12]}, and is at {theirs[:12]} without {counts} it had"
    raise CannotSync(why, _ways(join))


def _unrelated(join: Joining, ours: str, theirs: str) -> WorldError:
    """What to say of a remote that has nothing in common with ours."""
    if join.shallow:
        why = f"this clone is shallow, and its history does not reach back to where {join.up.name} left it"
        return CannotSync(why, f"`git fetch --unshallow {join.up.remote}` gets the rest; then run again.")
    here, there = _held(join, ours), _held(join, theirs)
    told = [f"{_count(each, 'sources/', 'source')} and {_count(each, 'wiki/', 'page')}" for each in (here - there, there - here)]
    why = (
        f"{join.up.name} ({theirs[:12]}) and {join.up.branch} ({ours[:12]}) have no common history; only here are {told[0]}, "
        f"only there {told[1]}"
    )
    return CannotSync(why, _ways(join))


def _ways(join: Joining) -> str:
    up = join.up
    return (
        f"If both belong together, `wikimem sync --unite` keeps everything of both. If {up.name} is wrong, look at it with "
        f"`git log {up.name}` and mend it with git; nothing is ever pushed by force."
    )


def _held(join: Joining, commit: str) -> frozenset[str]:
    """The sources and pages of a commit: the paths of sidecars and of pages."""
    paths = join.entries(commit)
    return frozenset(
        path
        for path in paths
        if (path.startswith("sources/") and path.endswith(".yaml"))
        or (path.startswith("wiki/") and path.endswith(".md") and not path.endswith("index.md"))
    )


def _count(paths: frozenset[str], under: str, noun: str) -> str:
    number = sum(path.startswith(under) for path in paths)
    return f"{number} {noun}{'' if number == 1 else 's'}"
