"""Putting claims and pages into a vault of a test, as a compile leaves them, without compiling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from conftest import claude, jsonl
from wikimem import memory
from wikimem.core import claimfiles, judgements, pages, splits
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.vocabulary import SHIPPED
from wikimem.faces.api import Vault
from wikimem.vault import open_at


@dataclass(frozen=True, slots=True)
class Saying:
    """One claim that a turn of a session proves.

    Args:
        session: the session's name.
        line: the line of the turn.
        about: `topic: tide tables`.
        attribute: a slug; may be empty.
        text: what it says.
        quote: words of the turn.
        start, end: when it holds; empty if unknown.
        scope: of the subject.
        stance, kind: as in `Claim`.
    """

    session: str
    line: int
    about: str
    attribute: str
    text: str
    quote: str
    start: str = ""
    end: str = ""
    scope: str = "project:harbour"
    stance: str = "fact"
    kind: str = "semantic"


def session(name: str, day: str, cwd: str, *words: str) -> bytes:
    """A session in which a person and the assistant speak in turn, a minute apart, from nine o'clock."""
    records = []
    for place, said in enumerate(words, 1):
        role = "user" if place % 2 else "assistant"
        content = said if role == "user" else [{"type": "text", "text": said}]
        more = {
            "uuid": f"{name}-{place}",
            "sessionId": name,
            "cwd": cwd,
            "timestamp": f"{day}T09:{place:02}:00.000Z",
            "parentUuid": f"{name}-{place - 1}" if place > 1 else None,
        }
        records.append({**claude(place, role, content), **more})
    return jsonl(*records)


def claim_of(vault: Vault, said: Saying) -> Claim:
    """The claim, proved by its turn as it was captured."""
    ledger = open_at(vault.root).ledger
    source = next(each.id for each in ledger.all().values() if each.session == said.session)
    turn = next(turn for turn in ledger.read(source).turns if turn.at == f"L{said.line}")
    assert said.quote in turn.text
    holds = Holds(
        Bound(said.start, Basis.STATED) if said.start else Bound(), Bound(said.end, Basis.STATED) if said.end else Bound()
    )
    proof = Evidence(turn.at, turn.identity, said.quote, turn.speaker.value, "", turn.said, holds, source=source)
    type_, name = said.about.split(": ", 1)
    return Claim(Mention(said.scope, type_, name), said.attribute, Kind(said.kind), Stance(said.stance), said.text, (proof,))


def remember(vault: Vault, *sayings: Saying, denies: tuple[tuple[str, str], ...] = ()) -> dict[str, str]:
    """Write the claims files, judgements (pairs of texts of which one denies the other) and pages; ids by text."""
    root = vault.root
    ledger = open_at(root).ledger
    claims = [claim_of(vault, said) for said in sayings]
    ids = {claim.text: claim.id for claim in claims}
    by_source: dict[str, list[Claim]] = {}
    for claim in claims:
        by_source.setdefault(claim.evidence[0].source, []).append(claim)
    for source, told in by_source.items():
        stamp = Stamp(source, ledger.all()[source].content, "", "table", "")
        known = [] if not (root / memory.path(source)).exists() else _claims(root / memory.path(source))
        put(root / memory.path(source), claimfiles.write(ClaimFile(stamp, (*known, *told))))
    judged = [Judgement(pair(ids[one], ids[other]), "claims", Relation.DENIES, "table") for one, other in denies]
    for one in judged:
        put(root / memory.PAIRS / judgements.shelf(one), judgements.write([one]))
    render(vault)
    return ids


def _claims(path: Path) -> list[Claim]:
    file, _ = claimfiles.read(path.read_bytes(), path.name)
    assert file is not None
    return [replace(claim) for claim in file.claims]


def render(vault: Vault) -> None:
    """Write the pages of the claims on disk; what people wrote is not kept."""
    wiki = memory.load(vault.root, open_at(vault.root).ledger, SHIPPED).wiki
    for key in wiki.subjects:
        for path, page in splits.all_pages(wiki, key, Cold(), {}).items():
            put(vault.root / "wiki" / path, pages.write(page).encode())


def put(path: Path, data: bytes) -> None:
    """Write a file, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
