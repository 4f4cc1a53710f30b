"""Memory: a vault's claims files and judgements as they lie on disk, folded into the wiki they give. Reads only.

What is loaded is the whole of it, once a run; a compile then goes on from it with `fold.again`, source by source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.core import claimfiles, cold, fold, identity, judgements, sensitive
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.cold import Record
from wikimem.core.fold import Wiki
from wikimem.core.identity import Holder
from wikimem.core.judgements import Judgement
from wikimem.core.sources import Sidecar
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges.ledger import Ledger
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

CLAIMS = "wiki/.claims"
PAIRS = f"{CLAIMS}/pairs"
COLD = f"{CLAIMS}/cold"


@dataclass(frozen=True, slots=True)
class Memory:
    """What the vault remembers.

    Args:
        files: the claims file of each source that has one, by source id.
        judged: all judgements, as they lie on disk.
        wiki: folded from them.
        problems: lines and files that could not be used.
    """

    files: Mapping[str, ClaimFile]
    judged: tuple[Judgement, ...]
    wiki: Wiki
    problems: tuple[Problem, ...]


def path(source: str) -> str:
    """The vault-relative path of a source's claims file."""
    day = source.split("-", 1)[0]
    folder = f"{day[:4]}/{day[4:6]}" if day.isdigit() else "undated"
    return f"{CLAIMS}/{folder}/{source}.jsonl"


def load(root: Path, ledger: Ledger, vocabulary: Vocabulary, owners: Ownership | None = None) -> Memory:
    """The memory of the vault in a folder; claims of sources that are gone or have other bytes now are left out.

    Args:
        root: the vault's folder.
        ledger: its sources.
        vocabulary: its attributes.
        owners: who owns shared turns, if the caller goes on with it.
    """
    problems: list[Problem] = []
    files = dict(read_files(claim_texts(root), ledger, problems))
    judged = tuple(read_judgements(pair_texts(root), problems))
    rest = tuple(read_results(cold_texts(root), problems))
    owned = (owners or Ownership(ledger)).of(files)
    wiki = fold.whole(files.values(), judgements.settled(judged), vocabulary, owned, rest)
    return Memory(files, judged, wiki, tuple(problems))


def at(repo: Repo, ref: str, vocabulary: Vocabulary, ledger: Ledger) -> Memory:
    """The memory as a commit has it, sources that were forgotten since included.

    Raises:
        GitFailed: the repository cannot be read.
    """
    blobs = {path: blob for path, blob in repo.paths(CLAIMS, ref).items() if path.endswith(".jsonl")}
    texts = repo.contents(blobs.values())
    problems: list[Problem] = []
    judged = tuple(
        read_judgements(((path, texts[blob]) for path, blob in blobs.items() if path.startswith(f"{PAIRS}/")), problems)
    )
    files: dict[str, ClaimFile] = {}
    for path, blob in blobs.items():
        if path.startswith((f"{PAIRS}/", f"{COLD}/")):
            continue
        file, bad = claimfiles.read(texts[blob], path, ledger.zone)
        problems += bad
        if file is not None:
            files[file.stamp.source] = file
    kept = ((path, texts[blob]) for path, blob in blobs.items() if path.startswith(f"{COLD}/"))
    rest = tuple(read_results(kept, problems))
    wiki = fold.whole(files.values(), judgements.settled(judged), vocabulary, Ownership(ledger).of(files), rest)
    return Memory(files, judged, wiki, tuple(problems))


def stamps(root: Path) -> dict[str, Stamp]:
    """The stamp of each claims file, by source id: what was compiled from what. Reads the first line of each."""
    found: dict[str, Stamp] = {}
    for path in _claim_files(root):
        with path.open("rb") as file:
            stamp = claimfiles.stamp(file.readline())
        if stamp is not None:
            found[stamp.source] = stamp
    return found


def count(root: Path) -> int:
    """How many claims the claims files hold, one that several sources yield once for each."""
    return sum(path.read_bytes().count(b'\n{"claim":') for path in _claim_files(root))


def waiting(root: Path) -> int:
    """How many claims stand in no claims file because they wait for a person, by the refusals that are left for them."""
    return sum(path.read_bytes().count(b'\n{"refused":{"rule":"review",') for path in _claim_files(root))


def withheld(root: Path) -> int:
    """In how many places something was said that waits for a person, since it may be sensitive."""
    told = f'"reason":"{sensitive.WAITS}"'.encode()
    every = (line for path in _claim_files(root) for line in path.read_bytes().split(b"\n"))
    return sum(line.startswith(b'{"refused":{"rule":"sensitive",') and told in line for line in every)


def pending(root: Path, ledger: Ledger) -> tuple[Sidecar, ...]:
    """The sources without a claims file for their bytes, newest first."""
    made = stamps(root)
    missing = [each for each in ledger.all().values() if each.id not in made or made[each.id].sha256 != each.content]
    return tuple(sorted(missing, key=lambda each: (each.started, each.id), reverse=True))


def read_files(texts: Iterable[tuple[str, bytes]], ledger: Ledger, problems: list[Problem]) -> Iterator[tuple[str, ClaimFile]]:
    """Source id and content of each claims file that stands for a source as it is now.

    Args:
        texts: path and bytes of each.
        ledger: the vault's sources.
        problems: what cannot be used is added here.
    """
    known = ledger.all()
    for where, data in texts:
        file, bad = claimfiles.read(data, where, ledger.zone)
        problems += bad
        if file is None:
            continue
        sidecar = known.get(file.stamp.source)
        if sidecar is None:
            problems.append(Problem(where, "orphan", f"there is no source {file.stamp.source}; these claims are not used"))
        elif sidecar.content == file.stamp.sha256:
            yield file.stamp.source, file


def read_judgements(texts: Iterable[tuple[str, bytes]], problems: list[Problem]) -> Iterator[Judgement]:
    """The judgements in files; what cannot be used is added to the problems."""
    for where, data in texts:
        found, bad = judgements.read(data, where)
        problems += bad
        yield from found


def read_results(texts: Iterable[tuple[str, bytes]], problems: list[Problem]) -> Iterator[Record]:
    """What consolidation left in files; what cannot be used is added to the problems."""
    for where, data in texts:
        found, bad = cold.read(data, where)
        problems += bad
        yield from found


class Ownership:
    """Who owns each turn that claims of more than one source rest on. Only such sources are read for it, each once.

    Args:
        ledger: the vault's sources.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._files: dict[str, ClaimFile] = {}
        self._holding: dict[str, set[str]] = defaultdict(set)
        self._shared: set[str] = set()
        self._holders: dict[str, Holder] = {}
        self._owners: dict[str, str] = {}

    def of(self, files: Mapping[str, ClaimFile]) -> Mapping[str, str]:
        """The owners for some claims files: identity to source id. What is unchanged since the last call costs nothing."""
        changed = {source for source in self._files.keys() | files.keys() if self._files.get(source) is not files.get(source)}
        stale = False
        for source in changed:
            old, new = _turns(self._files.get(source)), _turns(files.get(source))
            for turn in old - new:
                stale |= len(self._holding[turn]) > 1
                self._holding[turn].discard(source)
            for turn in new - old:
                self._holding[turn].add(source)
                stale |= len(self._holding[turn]) > 1
        self._files = dict(files)
        if stale:
            self._owners = self._decide()
        return self._owners

    def _decide(self) -> dict[str, str]:
        shared = {turn: sources for turn, sources in self._holding.items() if len(sources) > 1}
        needed = sorted({source for sources in shared.values() for source in sources})
        for source in needed:
            # A source that is gone owns nothing.
            if source not in self._holders and source in self._ledger.all():
                sidecar = self._ledger.all()[source]
                turns = [(turn.identity, turn.said) for turn in self._ledger.read(source).turns]
                self._holders[source] = Holder(source, sidecar.session, sidecar.parent, turns)
        found = identity.owners([self._holders[source] for source in needed if source in self._holders])
        return {turn: found[turn] for turn in shared if turn in found}


def _turns(file: ClaimFile | None) -> set[str]:
    return {one.turn for claim in file.claims for one in claim.evidence if one.turn} if file else set()


def claim_texts(root: Path) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each claims file."""
    for path in _claim_files(root):
        yield path.relative_to(root).as_posix(), path.read_bytes()


def _claim_files(root: Path) -> Iterator[Path]:
    for folder in sorted((root / CLAIMS).glob("[0-9u]*")):
        yield from sorted(folder.rglob("*.jsonl"))


def pair_texts(root: Path) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file of judgements."""
    for path in sorted((root / PAIRS).glob("*.jsonl")):
        yield path.relative_to(root).as_posix(), path.read_bytes()


def cold_texts(root: Path) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file of what consolidation left."""
    for path in sorted((root / COLD).glob("*.jsonl")):
        yield path.relative_to(root).as_posix(), path.read_bytes()
