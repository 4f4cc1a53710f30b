"""Confiding: the sensitive claims that wait for a person, with their words, on this machine alone; and what they decide.

A claims file tells only where something waits. The claims lie in the vault's own ignored folder, the words around them in the
source. A decision is kept as a hand edit without any of the words, so it goes to other machines and outlives recompiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from wikimem.core import claimfiles, consents
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim
from wikimem.core.edits import Added, Approved, Barred, Edit, Operation, Statement
from wikimem.core.sensitive import RULE, WAITS
from wikimem.memory import Memory
from wikimem.vault import Vault

ALL = "sensitive"
"""The name that means all of it."""
_FOLDER = "withheld"


@dataclass(frozen=True, slots=True)
class Withheld:
    """What one turn said that may be sensitive.

    Args:
        number: its place in the list of a review.
        source: the source.
        at: the turn's locator.
        claims: what is claimed there; none where that was compiled on another machine.
        words: of the turn; empty where the source is not here any more.
        whole: whether `claims` are all that waits there.
    """

    number: int
    source: str
    at: str
    claims: tuple[Claim, ...]
    words: str
    whole: bool = True

    @property
    def place(self) -> str:
        """Where it was said, as `wikimem show` takes it."""
        return f"{self.source}:{self.at}"

    def as_json(self) -> dict[str, Any]:
        """It as plain values; the shape is stable."""
        claims = [{"id": claim.id, "text": claim.text} for claim in self.claims]
        return {"number": self.number, "place": self.place, "claims": claims, "words": self.words}


def lay_aside(vault: Vault, stamp: Stamp, claims: Iterable[Claim]) -> None:
    """Keep the sensitive claims of a source until a person decides; none of before stay."""
    path = vault.work / _FOLDER / f"{stamp.source}.jsonl"
    waiting = tuple(claims)
    if not waiting:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    temporary.write_bytes(claimfiles.write(ClaimFile(stamp, waiting)))
    temporary.replace(path)


def waiting(vault: Vault, remembered: Memory, first: int = 1) -> tuple[Withheld, ...]:
    """All that waits, by place, numbered from `first`."""
    told = consents.of(remembered.files, remembered.wiki.ground.ruled.undone)
    found = []
    for source, file in sorted(remembered.files.items()):
        places = sorted({one.at for one in file.refusals if one.rule == RULE and one.reason == WAITS}, key=_order)
        if not places:
            continue
        aside = [claim for claim in _laid_aside(vault, source) if told.of(claim, source) is None]
        words = _words(vault, source)
        for at in places:
            claims = tuple(claim for claim in aside if claim.evidence[0].at == at)
            if claims or (source, at) not in told.places:
                found.append(Withheld(0, source, at, claims, words.get(at, "")))
    return tuple(replace(one, number=number) for number, one in enumerate(found, first))


def _order(at: str) -> tuple[int, str]:
    return int(digits) if (digits := at[1:].partition("-")[0]).isdigit() else 0, at


def _laid_aside(vault: Vault, source: str) -> tuple[Claim, ...]:
    path = vault.root / ".wikimem" / _FOLDER / f"{source}.jsonl"
    try:
        file, _ = claimfiles.read(path.read_bytes(), path.name, vault.zone)
    except OSError:
        return ()
    return file.claims if file is not None else ()


def _words(vault: Vault, source: str) -> Mapping[str, str]:
    """What was said in a source, by locator; nothing where its bytes are gone."""
    with suppress(OSError):
        return {turn.at: turn.text for turn in vault.ledger.read(source).turns}
    return {}


def chosen(
    held: Iterable[Withheld], named: Sequence[str], listed: Mapping[str, Sequence[str]]
) -> dict[str, tuple[Withheld, ...]]:
    """What each name means that means something sensitive: a place, a claim's id, a number as last listed, or `sensitive`.

    Where a claim is named, the others of its place are left out.
    """
    held = tuple(held)
    found: dict[str, tuple[Withheld, ...]] = {}
    for name in named:
        wanted = name.strip().strip("[^]")
        places = {wanted, *listed.get(wanted, ())}
        told = tuple(one for one in held if wanted == ALL or one.place in places)
        told = told or tuple(
            replace(one, claims=kept, whole=kept == one.claims)
            for one in held
            if (kept := tuple(claim for claim in one.claims if claim.id == wanted))
        )
        if told:
            found[name] = told
    return found


def approve(one: Withheld) -> tuple[Operation, ...]:
    """The edits that let in what was said in a place."""
    return tuple(Approved(id, one.source, one.at) for id in _ids(one))


def bar(one: Withheld) -> tuple[Operation, ...]:
    """The edits that keep out what was said in a place."""
    return tuple(Barred(id, one.source, one.at) for id in _ids(one))


def reworded(text: str) -> Callable[[Withheld], tuple[Operation, ...]]:
    """The edits that let in a person's own words instead of what was said in a place."""

    def ruling(one: Withheld) -> tuple[Operation, ...]:
        claim = one.claims[0]
        told = Statement(claim.mention, claim.attribute, claim.kind, claim.stance, text, claim.evidence[0].holds, claim.step)
        return (*bar(one), Added(told))

    return ruling


def _ids(one: Withheld) -> tuple[str, ...]:
    """The ids of its claims, and none for the place as a whole."""
    return (*(claim.id for claim in one.claims), *([""] if one.whole else []))


def files(
    vault: Vault, base: Mapping[str, ClaimFile], decided: Iterable[Withheld], remembered: Memory, made: Iterable[Edit]
) -> tuple[dict[str, ClaimFile], dict[Stamp, tuple[Claim, ...]]]:
    """The claims files of some sources as decisions leave them, and what waits on of each source.

    Args:
        vault: the vault.
        base: claims files that others are decided about as well, by source.
        decided: what was decided about.
        remembered: what is known.
        made: the decisions, as edits.
    """
    every = [edit for _, file in sorted(remembered.files.items()) for _, edit in file.edits]
    told = consents.decided([*every, *made])
    found, left = dict(base), {}
    for source in sorted({one.source for one in decided}):
        file = found.get(source, remembered.files[source])
        found[source], left[file.stamp] = consents.settle(file, _laid_aside(vault, source), told)
    return found, left
