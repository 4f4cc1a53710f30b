"""The past: what was forgotten already, but not out of git's history, as a note by which history is made anew. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import memory
from wikimem.core import cards, claimfiles, needles, sources, tombstones
from wikimem.core.claims import Claim
from wikimem.core.needles import Needles
from wikimem.core.tombstones import Tombstone
from wikimem.core.turns import Turn
from wikimem.edges.ledger import Ledger
from wikimem.receipts import Note
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_COMMITS = 20


def named(repo: Repo, names: Sequence[str]) -> tuple[str, ...]:
    """The ids of sources that were forgotten already, if all of some names mean such sources; else none."""
    gone = repo.tombstones().sources
    found = []
    for name in names:
        same = [source for source in gone if source == name or (len(name) >= 8 and source.startswith(name))]
        if len(same) != 1:
            return ()
        found += same
    return tuple(found)


def note(vault: Vault, repo: Repo, names: Sequence[str], words: str, folder: Path) -> Note:
    """What is needed to take sources that are gone, or a text, out of history.

    Args:
        vault: the vault.
        repo: its repository.
        names: ids of sources that were forgotten.
        words: a text; '' for none.
        folder: an empty folder in the staging area.

    Raises:
        GitFailed, OSError: the sources cannot be read from history.
    """
    turns: list[Turn] = []
    claims: list[Claim] = []
    paths: list[str] = []
    for source in names:
        sidecar = f"{sources.folder(source)}/{source}.yaml"
        last = next(iter(repo.log([sidecar], limit=1)), None)
        if last is None or not last.parent:
            continue
        stem = sidecar.removesuffix(".yaml")
        held = {
            path: blob for path, blob in repo.paths("sources", last.parent).items() if path.startswith((f"{stem}.", f"{stem}/"))
        }
        _stage(repo, held, folder)
        told = repo.blob(memory.path(source), last.parent)
        file = claimfiles.read(told, source)[0] if told else None
        claims += file.claims if file is not None else ()
        paths += [*held, memory.path(source), f"wiki/{cards.path(source)}"]
    staged = Ledger(folder, vault.ledger.zone, vault.ledger.packages)
    for source in staged.all():
        turns += staged.read(source).turns
    sought = _sought(vault, needles.of(turns, claims, (), words))
    known = repo.tombstones()
    commits = repo.residue(paths).commits if paths else ()
    stone = Tombstone(known.salt or "00", vault.now(), tuple(names), commits=commits[:_COMMITS])
    told_of = tombstones.write(stone).decode()
    return Note(tombstones.path(stone), told_of, tuple(names), tuple(names), tuple(paths), sought, True, 0)


def _stage(repo: Repo, held: dict[str, str], folder: Path) -> None:
    content = repo.contents(held.values())
    for path, blob in held.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content[blob])


def _sought(vault: Vault, wanted: Needles) -> Needles:
    """The needles that nothing of the vault's folder holds: what stands there is not to go from history."""
    forms = {text: tuple(needles.forms(text)) for text in wanted.texts}
    said: set[str] = set()
    for top in ("sources", "wiki"):
        for path in (vault.root / top).rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                said |= {text for text, each in forms.items() if text not in said and any(form in data for form in each)}
    return wanted.without(said)
