"""Unmaking: what a commit of consolidation made goes out again, and is not proposed anew from the same claims. Or it comes back.

Claims and pages' own lines are not touched: results rest on claims, and nothing rests on them.
"""

from __future__ import annotations

from wikimem import extracting, memory
from wikimem.committing import Writer
from wikimem.core import cold
from wikimem.core.cold import UNDONE, Record, Refused, Result
from wikimem.edges.repo import Repo
from wikimem.editing import Edited
from wikimem.errors import CannotUndo, Problem
from wikimem.vault import Vault

_WHY = "a person took it back"


def unmake(vault: Vault, commit: str) -> Edited:
    """Take back what a commit of consolidation made; where that was done already, bring it back.

    Args:
        vault: the vault.
        commit: its id, in full.

    Raises:
        CannotUndo: nothing of it is there any more.
        WorldError: git stands in the way; nothing is committed.
    """
    problems: list[Problem] = []
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
        gave = {one for one in _records(repo, commit) - _records(repo, f"{commit}^") if isinstance(one, Result)}
        writer = Writer(vault, repo, extracting.extractor_of(vault, "rules"), problems.append)
        writer.catch_up()
        now = {*writer.memory.wiki.ground.results}
        there, gone = gave & now, {_undone(one) for one in gave} & now
        if not there and not gone:
            raise CannotUndo(commit[:12], "what it made is not there any more: later passes put something else in its place")
        back = not there
        left = now - gone | gave if back else now - there | {_undone(one) for one in there}
        number = len(gave) if back else len(there)
        word = "bring back" if back else "take back"
        told = f"{word} {number} result{'' if number == 1 else 's'} of {commit[:10]}"
        records = tuple(sorted(left, key=lambda one: cold.write([one])))
        done = writer.rest(records, min(one.step for one in gave), told)
    return Edited((f"{told[0].upper()}{told[1:]}.",), "", done.id, "+0 ~0 -0", tuple(problems))


def _records(repo: Repo, ref: str) -> set[Record]:
    if not repo.resolve(ref):
        return set()
    paths = repo.paths(memory.COLD, ref)
    blobs = repo.contents(paths.values())
    return {*memory.read_results(((path, blobs[blob]) for path, blob in paths.items()), [])}


def _undone(result: Result) -> Refused:
    return Refused(result.step, result.about, UNDONE, _WHY, result.basis, "person")
