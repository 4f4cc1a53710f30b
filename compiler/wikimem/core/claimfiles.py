"""A claims file: what one source yields, as JSON lines: a stamp, the episode, the claims, the refusals. Not the disk.

Writing is canonical: the same content gives the same bytes. Reading loses nothing silently: a line that cannot be used
gives a `Problem`, and the others are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from wikimem.core import edits, moments, texts
from wikimem.core.claims import TYPES, Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance, ordered, unite
from wikimem.core.edits import Edit
from wikimem.core.zones import UTC, Zone
from wikimem.errors import Problem

SCHEMA = 1
REVIEW, POLICY = "review", "policy"
"""Rules of refusals: of what waits for a person, and of what the vault's policy never takes."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a claims file was made from: another prompt, model or schema makes it outdated, other bytes make it void.

    Args:
        source: the source's id.
        sha256: of its stored bytes.
        prompts: hash of the prompts used.
        model: the model's name.
        vocabulary: hash of the vocabulary used.
        schema: version of this format.
        zone: the time zone in which relative dates were resolved; empty for UTC, and where nothing was resolved.
        place: the package that the session's claims were taken to be of, `shop/packages/api`; empty for none.
    """

    source: str
    sha256: str
    prompts: str
    model: str
    vocabulary: str
    schema: int = SCHEMA
    zone: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """What a session was about, as its card tells it."""

    asked: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """A draft that was not taken.

    Args:
        rule: the rule that refused it.
        at: locator of what it quoted; may be empty.
        reason: one clause.
        text: what it said; empty for secrets and what awaits approval.
    """

    rule: str
    at: str
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """The content of a claims file; `edits` of a source of hand edits, each with its line."""

    stamp: Stamp
    claims: tuple[Claim, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    episode: Episode = Episode()
    edits: tuple[tuple[int, Edit], ...] = ()


def write(file: ClaimFile) -> bytes:
    """The file's bytes: stamp, episode if there is one, edits, claims by id, refusals in order; each line ends in `\\n`."""
    lines: list[Mapping[str, object]] = [_stamp(file.stamp)]
    if file.episode != Episode():
        lines.append({"episode": _full({"asked": file.episode.asked, "outcome": file.episode.outcome})})
    lines += [{"line": number, "edit": orjson.loads(edits.write(edit))} for number, edit in file.edits]
    by_id: dict[str, list[Claim]] = {}
    for claim in file.claims:
        by_id.setdefault(claim.id, []).append(claim)
    lines += [_claim(id, unite(same)) for id, same in sorted(by_id.items())]
    lines += [
        {"refused": _full({"rule": one.rule, "at": one.at, "reason": one.reason, "text": one.text})}
        for one in sorted(set(file.refusals))
    ]
    return b"".join(orjson.dumps(line) + b"\n" for line in lines)


def one(claim: Claim) -> bytes:
    """The line of a claim, without its newline."""
    return orjson.dumps(_claim(claim.id, claim))


def read(data: bytes, where: str, zone: Zone = UTC) -> tuple[ClaimFile | None, tuple[Problem, ...]]:
    """The content of a claims file.

    Args:
        data: its bytes.
        where: its path, for problems.
        zone: of the vault: in which the days of the claims are told.

    Returns:
        The content, or None where the stamp cannot be used, and a problem for each line that was left out.
    """
    problems: list[Problem] = []
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    made_from = stamp(lines[0][1]) if lines else None
    if made_from is None:
        return None, (Problem(f"{where}:1", "stamp", "the first line is no stamp of a claims file; compile again"),)
    claims: list[Claim] = []
    refusals: list[Refusal] = []
    made: list[tuple[int, Edit]] = []
    episode = Episode()
    for number, line in lines[1:]:
        try:
            told = orjson.loads(line)
            if "claim" in told:
                claims.append(_read_claim(told, made_from.source, zone))
            elif "refused" in told:
                refusals.append(Refusal(**_strings(told["refused"], ("rule", "at", "reason", "text"))))
            elif "edit" in told:
                made.append((int(told["line"]), edits.read(orjson.dumps(told["edit"]))))
            elif "episode" in told:
                episode = Episode(**_strings(told["episode"], ("asked", "outcome")))
            else:
                raise ValueError("it is neither a claim nor a refusal")
        except (ValueError, KeyError, TypeError, AttributeError) as broken:
            problems.append(Problem(f"{where}:{number}", "claims-line", f"this line was left out: {_clause(broken)}"))
    by_id: dict[str, list[Claim]] = {}
    for claim in claims:
        by_id.setdefault(claim.id, []).append(claim)
    whole = tuple(unite(same) for _, same in sorted(by_id.items()))
    return ClaimFile(made_from, whole, tuple(sorted(set(refusals))), episode, tuple(made)), tuple(problems)


def ids(files: Iterable[ClaimFile]) -> frozenset[str]:
    """The ids of all claims in some files, and of what they are about."""
    return frozenset(id for file in files for claim in file.claims for id in (claim.id, claim.mention.id))


def _clause(broken: Exception) -> str:
    if isinstance(broken, orjson.JSONDecodeError):
        return "it is not JSON"
    return f"{broken} is missing" if isinstance(broken, KeyError) else str(broken)


def _stamp(stamp: Stamp) -> dict[str, object]:
    told: dict[str, object] = {
        "wikimem": stamp.schema,
        "source": stamp.source,
        "sha256": stamp.sha256,
        "prompts": stamp.prompts,
        "model": stamp.model,
        "vocabulary": stamp.vocabulary,
    }
    return told | {name: value for name in ("zone", "place") if (value := getattr(stamp, name))}


def stamp(line: bytes) -> Stamp | None:
    """The stamp in the first line of a claims file; None if it is none."""
    try:
        told = orjson.loads(line)
        words = _strings(told, ("source", "sha256", "prompts", "model", "vocabulary", "zone", "place"))
        return Stamp(**words, schema=int(told["wikimem"])) if words["source"] else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _full(told: Mapping[str, object]) -> dict[str, object]:
    """Without what is empty: absent and empty mean the same."""
    return {name: value for name, value in told.items() if value}


def _claim(id: str, claim: Claim) -> dict[str, object]:
    told: dict[str, object] = {
        "claim": id,
        "scope": claim.mention.scope,
        "subject": [claim.mention.type, claim.mention.name],
        "attribute": claim.attribute,
        "kind": claim.kind.value,
        "stance": claim.stance.value,
        "text": claim.text,
        "confidence": claim.confidence / 100,
        "step": claim.step,
        "code": list(claim.code),
        "evidence": [_evidence(one) for one in claim.evidence],
    }
    return _full(told)


def _evidence(one: Evidence) -> dict[str, object]:
    holds: dict[str, object] = {}
    if one.holds.start.moment:
        holds |= {"from": one.holds.start.moment, "basis": one.holds.start.basis.value}
    if one.holds.end.moment:
        holds |= {"until": one.holds.end.moment, "until_basis": one.holds.end.basis.value}
    told: dict[str, object] = {
        "at": one.at,
        "turn": one.turn,
        "quote": one.quote,
        "speaker": one.speaker,
        "name": one.name,
        "said": one.said,
        "holds": holds,
    }
    if one.proposal is not None:
        told["proposal"] = {"at": one.proposal.at, "turn": one.proposal.turn, "quote": one.proposal.quote}
    return _full(told)


def _read_claim(told: Mapping[str, Any], source: str, zone: Zone) -> Claim:
    type_, name = told["subject"]
    if type_ not in TYPES:
        raise ValueError(f"{type_!r} is no type of subject")
    words = _strings(told, ("scope", "attribute", "text"))
    if words["text"] != texts.normal(words["text"]) or not words["text"]:
        raise ValueError("its text is not in normal form")
    evidence = [_read_evidence(one, source, zone) for one in told["evidence"]]
    if not evidence:
        raise ValueError("it has no evidence")
    claim = Claim(
        mention=Mention(words["scope"], type_, _string(name)),
        attribute=words["attribute"],
        kind=Kind(told["kind"]),
        stance=Stance(told["stance"]),
        text=words["text"],
        evidence=ordered(evidence),
        confidence=round(float(told.get("confidence", 0)) * 100),
        step=int(told.get("step", 0)),
        code=tuple(_string(part) for part in told.get("code", ())),
    )
    if claim.id != told["claim"]:
        raise ValueError(f"its id {told['claim']!r} is not the id of what it says ({claim.id})")
    return claim


def _read_evidence(told: Mapping[str, Any], source: str, zone: Zone) -> Evidence:
    holds = told.get("holds", {})
    start = _bound(holds, "from", "basis")
    end = _bound(holds, "until", "until_basis")
    proposal = told.get("proposal")
    accepted = Proposal(**_strings(proposal, ("at", "turn", "quote"))) if proposal else None
    at, turn, quote, speaker, name, said = _strings(told, ("at", "turn", "quote", "speaker", "name", "said")).values()
    return Evidence(at, turn, quote, speaker, name, said, Holds(start, end), accepted, source, zone)


def _bound(holds: Mapping[str, Any], moment: str, basis: str) -> Bound:
    text = _string(holds.get(moment, ""))
    if not text:
        return Bound()
    if not moments.is_moment(text):
        raise ValueError(f"{text!r} is no date")
    return Bound(text, Basis(holds.get(basis, Basis.STATED.value)))


def _strings(told: Mapping[str, Any], names: Iterable[str]) -> dict[str, str]:
    return {name: _string(told.get(name, "")) for name in names}


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} stands where text belongs")
    return value
