"""The proof that sources were only ever added, taken from the history itself. No ledger of its own that could lie.

A commit may delete a source if it is an audited forget: its trailers say `Wiki-Op: forget` and name the source in `Source:`,
and a tombstone in its tree names it as well. Likewise it may empty lines of one, and change nothing else in it; so may a
`Wiki-Op: retire` whose sidecar says that the source was retired. A merge is compared with each of its parents, so that one
which drops a side's source is found; it may carry on what a `forget` deleted, and of two sides it keeps one side's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from wikimem.core import emptying, sources, tombstones
from wikimem.core.tombstones import Tombstones
from wikimem.edges.repo import history
from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import Problem

_COMMIT, _FIELD, _VALUE = "\x01", "\x02", "\x03"
_TRAILERS = "%(trailers:key=Wiki-Op,valueonly,separator=%x03)%x02%(trailers:key=Source,valueonly,separator=%x03)"
_FORMAT = f"--format=%x01%H%x02%P%x02{_TRAILERS}"
_DEEDS = {"D": "deletes it", "M": "changes it", "T": "makes another kind of file of it"}
RULE = "append-only"
_OPERATIONS = ("forget", "retire")


@dataclass(frozen=True, slots=True)
class _Event:
    """One change of one file under `sources/` by one commit, other than adding it.

    Args:
        commit: its id.
        parents: of the commit.
        operation: `forget`, `retire`, or empty.
        named: the sources that the commit names, where it says one of these.
        deed: `D`, `M` or `T`.
        path: of the file.
        before, after: its blobs; all zeros for no file.
    """

    commit: str
    parents: tuple[str, ...]
    operation: str
    named: frozenset[str]
    deed: str
    path: str
    before: str
    after: str

    @property
    def merge(self) -> bool:
        return len(self.parents) > 1

    @property
    def source(self) -> str:
        """The source among those named that the file is of; empty for none."""
        return next((each for each in self.named if names(frozenset({each}), self.path)), "")


class _Audit:
    """Tells the changes that an audited removal made from all others."""

    def __init__(self, git: Plumbing) -> None:
        self._git = git
        self.stones = cache(lambda commit: stones(git, commit))

    def allows(self, event: _Event) -> bool:
        source = event.source
        if not source:
            return False
        if event.operation == "forget":
            known = self.stones(event.commit)
            if event.deed == "D":
                return source in known.sources
            return event.deed == "M" and source in known.emptied and self._only_empties(event, source)
        return event.deed == "M" and self._retired(event.commit, source) and self._only_empties(event, source)

    def _only_empties(self, event: _Event, source: str) -> bool:
        before, after = (self._git.run("cat-file", "blob", blob).out for blob in (event.before, event.after))
        if not event.path.endswith(f"/{source}.yaml"):
            return emptying.is_emptied(before, after)
        old, new = _sidecar(before), _sidecar(after)
        return old is not None and new is not None and emptying.is_restamped(old, new)

    def _retired(self, commit: str, source: str) -> bool:
        path = f"{self._git.place.prefix}{sources.folder(source)}/{source}.yaml"
        answer = self._git.ask("cat-file", "blob", f"{commit}:{path}")
        found = _sidecar(answer.out) if answer.status == 0 else None
        return found is not None and bool(found.retired)


def _sidecar(data: bytes) -> sources.Sidecar | None:
    import yaml

    try:
        return sources.from_mapping(yaml.safe_load(data))
    except (yaml.YAMLError, ValueError):
        return None


def stones(git: Plumbing, ref: str) -> Tombstones:
    """The tombstones that a commit has; none for no commit.

    Raises:
        GitFailed: git said no.
    """
    if not ref:
        return Tombstones()
    where = f"{git.place.prefix}{tombstones.FOLDER}/"
    out = text(git.run("ls-tree", "-r", "-z", "--full-tree", ref, "--", where.rstrip("/")).out)
    blobs = [line.partition("\t")[0].split(" ")[2] for line in out.split("\0") if line]
    return tombstones.of(history.contents(git, blobs).values())


def violations(git: Plumbing, ref: str) -> tuple[list[Problem], Tombstones]:
    """What a history did to sources that it should not have.

    Args:
        ref: where the history ends.

    Returns:
        The problems, newest commit first, and what was forgotten by its end.

    Raises:
        GitFailed: git said no.
    """
    events = list(_events(git, ref))
    audit = _Audit(git)
    last = audit.stones(ref)
    audited = {event: audit.allows(event) for event in events}
    forgotten = last.sources | {event.source for event, is_fine in audited.items() if is_fine and event.deed == "D"}
    problems = {
        Problem(event.path, RULE, f"commit {event.commit[:12]} {_DEEDS[event.deed]}; a source may only be added"): None
        for event, is_fine in audited.items()
        if not is_fine
        and not (event.merge and event.deed == "D" and names(forgotten, event.path))
        and not (event.merge and event.deed == "M" and _takes_a_side(git, event))
    }
    return list(problems), last


def _takes_a_side(git: Plumbing, event: _Event) -> bool:
    """Whether a merge has a file as one of its parents has it."""
    names = (f"{parent}:{git.place.prefix}{event.path}" for parent in event.parents)
    return any(git.ask("rev-parse", "--verify", "-q", name).line == event.after for name in names)


def missing(before: Mapping[str, str], now: Mapping[str, str], forgotten: Tombstones, ref: str) -> list[Problem]:
    """What another state has under `sources/` that the current one has not, or has otherwise.

    Args:
        before, now: path to blob id, as `Repo.paths` gives them.
        forgotten: what was forgotten by now.
        ref: what the other state is called.
    """
    problems = []
    for path, blob in sorted(before.items()):
        if path not in now and not names(forgotten.sources, path):
            problems.append(Problem(path, RULE, f"{ref} has it, this history does not"))
        elif path in now and now[path] != blob and not names(forgotten.emptied, path):
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
    commit, parents, operation, ids = "", "", "", frozenset[str]()
    for token in tokens:
        if token.startswith(_COMMIT):
            commit, parents, operations, named = token[1:].split(_FIELD)
            words = {word.strip() for word in operations.split(_VALUE)}
            operation = next((each for each in _OPERATIONS if each in words), "")
            ids = frozenset(word.strip() for word in named.split(_VALUE) if word.strip()) if operation else frozenset()
        elif token.lstrip("\n").startswith(":"):
            _, _, blob, fresh, deed = token.lstrip("\n").split(" ")
            path = next(tokens).removeprefix(prefix)
            # The same blob with another mode: the evidence stands.
            if blob != fresh:
                yield _Event(commit, tuple(parents.split()), operation, ids, deed[:1], path, blob, fresh)
