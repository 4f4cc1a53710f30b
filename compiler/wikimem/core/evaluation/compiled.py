"""What compiling made of a vault's sources, in figures. It reads claims; it compiles nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from wikimem.core import texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.evaluation.cases import SUBJECT, Case, is_met
from wikimem.core.timeline import Standing


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one vault; tallies of several add up.

    Args:
        turns: of all its sources.
        claims: that they yield.
        evidence: places that its questions expect.
        cited: those of them that a claim cites.
        quotes: of all claims.
        unsupported: those of them that do not stand in the turn they cite.
        duplicates: claims of one subject that say what another one of it says.
        refused: drafts by the rule that refused them.
        updates: questions whose older and newer evidence both prove claims of one subject.
        wrong: those of them where the older claim still holds, or the newer one does not.
    """

    turns: int = 0
    claims: int = 0
    evidence: int = 0
    cited: int = 0
    quotes: int = 0
    unsupported: int = 0
    duplicates: int = 0
    refused: tuple[tuple[str, int], ...] = ()
    updates: int = 0
    wrong: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.turns + other.turns,
            self.claims + other.claims,
            self.evidence + other.evidence,
            self.cited + other.cited,
            self.quotes + other.quotes,
            self.unsupported + other.unsupported,
            self.duplicates + other.duplicates,
            tuple(sorted((Counter(dict(self.refused)) + Counter(dict(other.refused))).items())),
            self.updates + other.updates,
            self.wrong + other.wrong,
        )

    def as_json(self) -> dict[str, object]:
        """Counts and shares; a share is None where there is nothing to have a share of."""
        return {
            "turns": self.turns,
            "claims": self.claims,
            "claims_per_turn": _share(self.claims, self.turns),
            "evidence_cited": _share(self.cited, self.evidence),
            "unsupported": _share(self.unsupported, self.quotes),
            "duplicates": _share(self.duplicates, self.claims),
            "updates": self.updates,
            "wrong_updates": _share(self.wrong, self.updates),
            "refused": dict(self.refused),
        }


def tally(files: Iterable[ClaimFile], turns: int, expected: Iterable[str], stands: Callable[[str, str, str], bool]) -> Tally:
    """The counts of one vault.

    Args:
        files: its claims files.
        turns: how many turns its sources have.
        expected: the places that its questions expect.
        stands: whether a quote stands in a turn, by source, locator and quote.
    """
    claims = quotes = unsupported = duplicates = 0
    cited: set[str] = set()
    refused: Counter[str] = Counter()
    said: dict[tuple[str, str, str, str], str] = {}
    for file in files:
        refused.update(one.rule for one in file.refusals)
        for claim in file.claims:
            claims += 1
            key = (claim.mention.scope, claim.mention.type, texts.key(claim.mention.name), texts.key(claim.text))
            # The same claim in two sources is one with two proofs, so only another claim of the same words is a copy.
            duplicates += said.setdefault(key, claim.id) != claim.id
            for one in claim.evidence:
                source = one.source or file.stamp.source
                quotes += 1
                unsupported += not stands(source, one.at, one.quote)
                cited.add(f"{source}:{one.at}")
    wanted = {one for one in expected if not one.startswith(SUBJECT)}
    keys = frozenset(cited)
    return Tally(
        turns,
        claims,
        len(wanted),
        sum(is_met(one, keys) for one in wanted),
        quotes,
        unsupported,
        duplicates,
        tuple(sorted(refused.items())),
    )


def updates(cases: Iterable[Case], subjects: Iterable[Iterable[Standing]]) -> tuple[int, int]:
    """How many questions tell of an update that claims could show, and how many of these updates are wrong.

    Args:
        cases: the questions; those with evidence that is out of date count.
        subjects: the standings of each subject.
    """
    told = [[(_places(one), one.current is not None) for one in standings] for standings in subjects]
    count = wrong = 0
    for case in cases:
        newer = [place for place in case.evidence if place not in case.outdated]
        verdicts = [_is_right(standings, case.outdated, newer) for standings in told] if case.outdated and newer else []
        known = [verdict for verdict in verdicts if verdict is not None]
        count += bool(known)
        wrong += bool(known) and not all(known)
    return count, wrong


def _is_right(standings: Iterable[tuple[frozenset[str], bool]], older: Iterable[str], newer: Iterable[str]) -> bool | None:
    """Whether the claims that newer evidence proves hold, and those of older evidence do not; None without both."""
    old: list[bool] = []
    new: list[bool] = []
    for places, current in standings:
        if any(is_met(place, places) for place in newer):
            new.append(current)
        elif any(is_met(place, places) for place in older):
            old.append(current)
    return all(new) and not any(old) if old and new else None


def _places(standing: Standing) -> frozenset[str]:
    return frozenset(f"{one.source}:{one.at}" for one in standing.claim.evidence)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
