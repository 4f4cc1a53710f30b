"""The proof that sources were only ever added, taken from the history itself. No ledger of its own that could lie.

A commit may delete sources if its trailers say `Wiki-Op: forget` and name them in `Source:`. A merge is compared with
each of its parents, so that one which drops a side's source is found; it may carry on what a `forget` deleted, and of two
sides that captured one session by themselves it keeps one side's sidecar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import Problem

_COMMIT, _FIELD, _VALUE = "\x01", "\x02", "\x03"
_TRAILERS = "%(trailers:key=Wiki-Op,valueonly,separator=%x03)%x02%(trailers:key=Source,valueonly,separator=%x03)"
_FORMAT = f"--format=%x01%H%x02%P%x02{_TRAILERS}"
_DEEDS = {"D": "deletes it", "M": "changes it", "T": "makes another kind of file of it"}
RULE = "append-only"


@dataclass(frozen=True, slots=True)
class _Event:
    """One change of one file under `sources/` by one commit, other than adding it."""

    commit: str
    parents: tuple[str, ...]
    forgets: frozenset[str]
    deed: str
    path: str
    blob: str

    @property
    def merge(self) -> bool:
        return len(self.parents) > 1

    def allowed(self) -> bool:
        return self.deed == "D" and names(self.forgets, self.path)


def violations(git: Plumbing, ref: str) -> tuple[list[Problem], frozenset[str]]:
    """What a history did to sources that it should not have.

    Args:
        ref: where the history ends.

    Returns:
        The problems, newest commit first, and the ids of the sources that were forgotten.

    Raises:
        GitFailed: git said no.
    """
    events = list(_events(git, ref))
    forgotten = frozenset(each for event in events if event.deed == "D" for each in event.forgets)
    problems = {
        Problem(event.path, RULE, f"commit {event.commit[:12]} {_DEEDS[event.deed]}; a source may only be added"): None
        for event in events
        if not event.allowed()
        and not (event.merge and event.deed == "D" and names(forgotten, event.path))
        and not (event.merge and event.deed == "M" and _takes_a_side(git, event))
    }
    return list(problems), forgotten


def _takes_a_side(git: Plumbing, event: _Event) -> bool:
    """Whether a merge has a file as one of its parents has it."""
    names = (f"{parent}:{git.place.prefix}{event.path}" for parent in event.parents)
    return any(git.ask("rev-parse", "--verify", "-q", name).line == event.blob for name in names)


def missing(before: Mapping[str, str], now: Mapping[str, str], forgotten: frozenset[str], ref: str) -> list[Problem]:
    """What another state has under `sources/` that the current one has not, or has otherwise.

    Args:
        before, now: path to blob id, as `Repo.paths` gives them.
        forgotten: ids of sources that may be missing.
        ref: what the other state is called.
    """
    problems = []
    for path, blob in sorted(before.items()):
        if path not in now and not names(forgotten, path):
            problems.append(Problem(path, RULE, f"{ref} has it, this history does not"))
        elif path in now and now[path] != blob:
            problems.append(Problem(path, RULE, f"it is not what {ref} has"))
    return problems


def since(git: Plumbing, ref: str) -> str:
    """From which commits on the history is there to be looked at, as a clause.

    Raises:
        GitFailed: git said no.
    """
    roots = git.run("rev-list", "--max-parents=0", ref).line.split()
    shallow = git.place.common / "shallow"
    cut = set(shallow.read_text("ascii").split()) if shallow.exists() else set()
    told = [f"{root[:12]} ({'where this shallow clone was cut' if root in cut else 'the root'})" for root in roots]
    return "since commit " + " and ".join(told)


def names(ids: frozenset[str], path: str) -> bool:
    """Whether a path under `sources/` is of one of these sources: a part of it is the id, or begins with it."""
    return any(
        part.startswith(each) and not part[len(each) : len(each) + 1].isalnum() for each in ids for part in path.split("/")
    )


def _events(git: Plumbing, ref: str) -> Iterator[_Event]:
    prefix = git.place.prefix
    options = ("-m", "--full-history", "--no-renames", "--diff-filter=MDT", "-z", "--raw", "--no-abbrev", "--no-color")
    steady = ("--no-show-signature", "--no-ext-diff", "--no-notes", "--no-mailmap")
    seconds = git.seconds * 5
    out = git.run("log", *options, *steady, _FORMAT, ref, "--", f"{prefix}sources", seconds=seconds).out
    tokens = iter(text(out).split("\0"))
    commit, parents, operations, ids = "", "", "", frozenset[str]()
    for token in tokens:
        if token.startswith(_COMMIT):
            commit, parents, operations, named = token[1:].split(_FIELD)
            forget = any(word.strip() == "forget" for word in operations.split(_VALUE))
            ids = frozenset(word.strip() for word in named.split(_VALUE) if word.strip()) if forget else frozenset()
        elif token.lstrip("\n").startswith(":"):
            _, _, blob, fresh, deed = token.lstrip("\n").split(" ")
            path = next(tokens).removeprefix(prefix)
            # The same blob with another mode: the evidence stands.
            if blob != fresh:
                yield _Event(commit, tuple(parents.split()), ids, deed[:1], path, fresh)
