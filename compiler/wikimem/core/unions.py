"""Unions: what becomes of one file of a vault's own that two clones have with other bytes. Pure, and the same from both sides.

Whoever of two clones joins them comes to the same file, so it is told here without an "ours" and a "theirs".
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from wikimem.core import claimfiles
from wikimem.core.claimfiles import REVIEW

BUILT_IN = "rules"


def sidecar(one: tuple[str, bytes], other: tuple[str, bytes]) -> bytes:
    """The sidecar of a session that two machines captured: the one that was recorded first, else the smaller.

    Args:
        one, other: when it was recorded, and its bytes.
    """
    return min(one, other)[1]


def claims(one: bytes, other: bytes, content: str) -> bytes:
    """The claims file of a source that two machines compiled.

    Where both come from one and people let in different claims that waited, all that either let in. Else the one made from
    the bytes that the source has, of the higher schema, by a model rather than by the built-in rules; between equals the one
    with the smaller hash. The other stays in git's history.

    Args:
        one, other: the files' bytes.
        content: the hash of what the source holds.
    """

    both = _decided(one, other)
    if both is not None:
        return both

    def rank(data: bytes) -> tuple[bool, int, bool, str]:
        stamp = claimfiles.stamp(data.split(b"\n", 1)[0])
        if stamp is None:
            return (True, 0, True, sha256(data).hexdigest())
        return (stamp.sha256 != content, -stamp.schema, stamp.model == BUILT_IN, sha256(data).hexdigest())

    return min(one, other, key=rank)


def _decided(one: bytes, other: bytes) -> bytes | None:
    """The claims file in which all is decided that is in either of two; None if they differ in anything else."""
    mine, theirs = (claimfiles.read(data, "")[0] for data in (one, other))
    if mine is None or theirs is None or (mine.stamp, mine.episode, mine.edits) != (theirs.stamp, theirs.episode, theirs.edits):
        return None
    ids = {claim.id for claim in mine.claims} & {claim.id for claim in theirs.claims}
    for has, lacks in ((mine, theirs), (theirs, mine)):
        places = {refusal.at for refusal in lacks.refusals if refusal.rule == REVIEW}
        if any(claim.id not in ids and claim.evidence[0].at not in places for claim in has.claims):
            return None
    waiting = {one for one in mine.refusals if one.rule == REVIEW} & {one for one in theirs.refusals if one.rule == REVIEW}
    rest = {one for file in (mine, theirs) for one in file.refusals if one.rule != REVIEW}
    return claimfiles.write(replace(mine, claims=(*mine.claims, *theirs.claims), refusals=(*waiting, *rest)))


def lines(base: bytes, one: bytes, other: bytes) -> bytes:
    """A file that is a set of sorted lines: all that either side has, without what either took out."""
    old, left, right = (frozenset(data.split(b"\n")) for data in (base, one, other))
    kept = (left | right) - (old - left) - (old - right) - {b""}
    return b"".join(line + b"\n" for line in sorted(kept))


def side(base: str, one: str, other: str) -> str | None:
    """What a file is, where at most one side changed it: an entry, empty for no file; None where both did."""
    if one == other or other == base:
        return one
    return other if one == base else None
