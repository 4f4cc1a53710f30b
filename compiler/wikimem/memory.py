"""Memory: a vault's claims files and judgements as they lie on disk, folded into the wiki they give. Reads only.

What is loaded is the whole of it, once a run; a compile then goes on from it with `fold.again`, source by source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from wikimem.core import claimfiles, fold, identity, judgements
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.fold import Wiki
from wikimem.core.identity import Holder
from wikimem.core.judgements import Judgement
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges.ledger import Ledger
from wikimem.errors import Problem

CLAIMS = "wiki/.claims"
PAIRS = f"{CLAIMS}/pairs"


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


def load(root: Path, ledger: Ledger, vocabulary: Vocabulary) -> Memory:
    """The memory of the vault in a folder; claims of sources that are gone or have other bytes now are left out."""
    problems: list[Problem] = []
    files = dict(read_files(_claim_texts(root), ledger, problems))
    judged = tuple(read_judgements(_pair_texts(root), problems))
    wiki = fold.whole(files.values(), judgements.settled(judged), vocabulary, owners(files, ledger))
    return Memory(files, judged, wiki, tuple(problems))


def read_files(texts: Iterable[tuple[str, bytes]], ledger: Ledger, problems: list[Problem]) -> Iterator[tuple[str, ClaimFile]]:
    """Source id and content of each claims file that stands for a source as it is now.

    Args:
        texts: path and bytes of each.
        ledger: the vault's sources.
        problems: what cannot be used is added here.
    """
    known = ledger.all()
    for where, data in texts:
        file, bad = claimfiles.read(data, where)
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


def owners(files: Mapping[str, ClaimFile], ledger: Ledger) -> dict[str, str]:
    """Who owns each turn that claims of more than one source rest on; those sources alone are read for it."""
    holding: dict[str, set[str]] = defaultdict(set)
    for source, file in files.items():
        for claim in file.claims:
            for one in claim.evidence:
                if one.turn:
                    holding[one.turn].add(source)
    shared = {source for sources in holding.values() if len(sources) > 1 for source in sources}
    if not shared:
        return {}
    holders = []
    for source in sorted(shared):
        sidecar = ledger.all()[source]
        turns = [(turn.identity, turn.said) for turn in ledger.read(source).turns]
        holders.append(Holder(source, sidecar.session, sidecar.parent, turns))
    found = identity.owners(holders)
    return {turn: found[turn] for turn, sources in holding.items() if len(sources) > 1 and turn in found}


def _claim_texts(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted((root / CLAIMS).glob("[0-9u]*/**/*.jsonl")):
        yield path.relative_to(root).as_posix(), path.read_bytes()


def _pair_texts(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted((root / PAIRS).glob("*.jsonl")):
        yield path.relative_to(root).as_posix(), path.read_bytes()
