"""Show: a page of the wiki, or what a citation cites, as a person reads it: each turn at its locator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wikimem import asof, browsing
from wikimem.core import compose, pages
from wikimem.core.cold import Cold
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Turn
from wikimem.core.zones import Zone
from wikimem.errors import BadCitation, UsageError
from wikimem.vault import Vault

_CITATION = re.compile(
    r"(?P<source>[A-Za-z0-9-]+)(?::(?:(?P<member>[^:]+)/)?(?:L(?P<first>\d+)(?:-(?P<block>\d+))?(?:-L?(?P<last>\d+))?)?)?\Z"
)
_LOCATOR = re.compile(r"(?:(?P<member>.+)/)?L(?P<line>\d+)(?:-(?P<block>\d+))?\Z")


@dataclass(frozen=True, slots=True)
class Passage:
    """Turns of one source that a citation cites.

    Args:
        sidecar: of the source.
        title: of its session.
        turns: the cited ones, in order.
        dead: locators of those on rewound branches.
        silent: for a cited line that gave no turn: its number.
        zone: of the vault.
    """

    sidecar: Sidecar
    title: str
    turns: tuple[Turn, ...]
    dead: frozenset[str]
    silent: tuple[int, ...]
    zone: Zone

    def as_json(self) -> dict[str, Any]:
        """The passage as plain values; the shape is stable."""
        return {
            "source": self.sidecar.id,
            "title": self.title,
            "format": self.sidecar.format,
            "session": self.sidecar.session,
            "project": self.sidecar.project,
            "started": self.sidecar.started,
            "ended": self.sidecar.ended,
            "turns": [
                {
                    "at": turn.at,
                    "speaker": turn.speaker.value,
                    "name": turn.name,
                    "form": turn.form.value,
                    "said": turn.said,
                    "mark": turn.mark,
                    "about": turn.about,
                    "error": turn.error,
                    "rewound": turn.at in self.dead,
                    "text": turn.text,
                }
                for turn in self.turns
            ],
            "lines_without_turns": list(self.silent),
        }


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as it lies on disk.

    Args:
        path: vault-relative.
        text: all of it.
    """

    path: str
    text: str

    def as_json(self) -> dict[str, Any]:
        """The page as plain values; the shape is stable."""
        return {"path": self.path, "text": self.text}


def show(vault: Vault, name: str, at: str = "", known: str = "", scope: str = "") -> Passage | Shown:
    """A page, or the passage that a citation cites: `ID`, `ID:L118`, `ID:L118-L125`, `ID:L5-2` or `ID:agent-a1/L3`.

    Args:
        vault: the vault.
        name: a page's slug, path, title or alias; or a citation, whose source id may be shortened while it stays unique.
        at: show the page with what held at this date; '' for as it is. What people wrote around the claims is left out.
        known: show it as it was known by this date; '' for all that is known now.
        scope: who asks: in a strict vault nothing of another scope is shown, nor named; '' for the vault's own person.

    Raises:
        BadCitation: it leads nowhere; the text says why.
        NoPage: it is no citation, and no page has this name.
        UsageError: a date that is none, or no claim of the page was known then.
    """
    asof.check(at, "--at")
    asof.check(known, "--known")
    if _CITATION.match(name.strip()) and (":" in name or vault.ledger.find(name.strip())):
        return passage(vault, name, scope)
    found = browsing.find(vault.root, name, browsing.seen_by(vault, scope))
    path = f"wiki/{found.path}"
    if at or known:
        return Shown(path, _as_of(vault, found.path, at, known))
    return Shown(path, (vault.root / path).read_bytes().decode("utf-8", "replace"))


def _as_of(vault: Vault, path: str, at: str, known: str) -> str:
    wiki, subject = asof.page(vault, path, known)
    if subject is None:
        raise UsageError(f"Nothing of {path} was known by {known}." if known else f"No claim stands behind {path}.")
    shown = asof.at(subject, at) if at else subject
    paths = {source: sidecar.path for source, sidecar in vault.ledger.all().items()}
    return pages.write(compose.assemble(wiki, shown, compose.rows(shown), (), path, Cold(), paths))


def passage(vault: Vault, citation: str, scope: str = "") -> Passage:
    """The passage that a citation cites; `scope` as for `show`.

    Raises:
        BadCitation: it leads nowhere; the text says why.
    """
    match = _CITATION.match(citation.strip())
    if match is None:
        raise BadCitation(citation, "it is no citation")
    found = vault.ledger.find(match["source"])
    if scope and vault.settings.isolation == "strict":
        found = [source for source in found if browsing.is_open(vault.ledger.all()[source], scope)]
    if not found:
        raise BadCitation(citation, f"no source here has the id {match['source']}")
    if len(found) > 1:
        raise BadCitation(citation, f"{len(found)} sources begin so: {', '.join(found[:3])}")
    sidecar = vault.ledger.all()[found[0]]
    try:
        session = vault.ledger.read(found[0])
    except FileNotFoundError as error:
        raise BadCitation(citation, f"its file {error.filename} is gone; run `wikimem verify`") from None
    title = browsing.title(vault.root, sidecar, session)
    if match["first"] is None:
        return Passage(sidecar, title, session.turns, session.dead, (), vault.zone)
    return _range(vault, citation, sidecar, session, match)


def _range(vault: Vault, citation: str, sidecar: Sidecar, session: Session, match: re.Match[str]) -> Passage:
    first = int(match["first"])
    block, last = match["block"], match["last"]
    # `L5-2` is the second block of line 5, `L5-L9` a range; `L118-125` can only be a range.
    if block is not None and last is None and int(block) > first:
        block, last = None, block
    end = int(last) if last else first
    if end < first:
        raise BadCitation(citation, f"line {end} comes before line {first}")
    member = match["member"] or ""
    cited = []
    spoken = set()
    for turn, where, line, number in _placed(session):
        if where == member and first <= line <= end:
            spoken.add(line)
            if block is None or number == int(block):
                cited.append(turn)
    silent = tuple(line for line in range(first, min(end, first + 999) + 1) if line not in spoken)
    if not cited:
        lines = f"line {first}" if end == first else f"lines {first} to {end}"
        raise BadCitation(citation, f"nothing was said at {lines} of {sidecar.id}")
    return Passage(sidecar, browsing.title(vault.root, sidecar, session), tuple(cited), session.dead, silent, vault.zone)


def _placed(session: Session) -> Iterator[tuple[Turn, str, int, int]]:
    for turn in session.turns:
        match = _LOCATOR.match(turn.at)
        if match:
            yield turn, match["member"] or "", int(match["line"]), int(match["block"] or 1)
