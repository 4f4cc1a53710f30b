"""Use: what recalls gave and what became of it, in figures, from log, feedback and transcripts. None where nothing counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wikimem.core import injections
from wikimem.core.claims import Claim
from wikimem.core.evaluation import figures
from wikimem.core.reactions import Correction, Reactions
from wikimem.core.recalls import Feedback, Log, Recall
from wikimem.core.turns import Speaker


@dataclass(frozen=True, slots=True)
class Shaped:
    """A claim that looks like an order to an agent.

    Args:
        claim: its id.
        text: what it says.
        kind: the rule, of `injections.RULES`.
        stance: of the claim.
        speaker: who said it.
        cite: where.
    """

    claim: str
    text: str
    kind: str
    stance: str
    speaker: str
    cite: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of a recall, and the source it stands in."""

    source: str
    correction: Correction


@dataclass(frozen=True, slots=True)
class Use:
    """The figures of use.

    Args:
        log: recalls and feedback that are counted.
        sessions: how many sessions hold a recall that told something.
        corrected: corrections by people, by session.
        claims: how many claims were looked at.
        shaped: those of them that look like an order to an agent.
    """

    log: Log
    sessions: int
    corrected: tuple[Corrected, ...]
    claims: int
    shaped: tuple[Shaped, ...]

    def metrics(self) -> dict[str, float | None]:
        """All figures by name; shares lie between 0 and 1."""
        recalls = self.log.recalls
        judged = [(recall, said) for recall in recalls if (said := self.log.of(recall.id)) is not None]
        given = [(recall, said) for recall, said in judged if recall.ids]
        silent = [said for recall, said in judged if not recall.ids]
        named = [(recall, said) for recall, said in given if said.used is not None]
        rated = [said for _, said in judged if said.good is not None]
        return {
            "recalls": float(len(recalls)),
            "no_inject": _share([not recall.ids for recall in recalls]),
            "context_tokens": figures.mean(float(recall.tokens) for recall in recalls if recall.ids),
            "judged": float(len(judged)),
            "evidence_precision": _precision(named),
            "misled": _share([bool(said.misled) for _, said in given]),
            "stale": _share([bool(said.stale) for _, said in given]),
            "missing": _share([bool(said.missing) for _, said in judged]),
            "silent_missing": _share([bool(said.missing) for said in silent]),
            "good": _share([bool(said.good) for said in rated]),
            "sessions": float(self.sessions),
            "correction_rate": len({one.source for one in self.corrected}) / self.sessions if self.sessions else None,
            "injection_shaped": float(len(self.shaped)) if self.claims else None,
            "injection_shaped_share": len(self.shaped) / self.claims if self.claims else None,
        }

    def as_json(self) -> dict[str, Any]:
        """Figures, corrections and claims that look like orders; the shape is stable."""
        return {
            "figures": self.metrics(),
            "broken_lines": self.log.broken,
            "corrected": [
                {
                    "cite": f"{one.source}:{one.correction.at}",
                    "words": one.correction.words,
                    "recalled": f"{one.source}:{one.correction.recalled_at}",
                }
                for one in self.corrected
            ],
            "injection_shaped": [
                {
                    "claim": one.claim,
                    "kind": one.kind,
                    "stance": one.stance,
                    "speaker": one.speaker,
                    "cite": one.cite,
                    "text": one.text,
                }
                for one in self.shaped
            ],
        }


def of(log: Log, reactions: Iterable[tuple[str, Reactions]], claims: Iterable[Claim]) -> Use:
    """The figures of a memory's use.

    Args:
        log: the recalls that count, and feedback.
        reactions: of each session that may hold recalls, by source.
        claims: of the wiki; a claim of several sources once.
    """
    sessions = 0
    corrected: list[Corrected] = []
    for source, found in reactions:
        sessions += found.recalls > 0
        corrected += (Corrected(source, one) for one in found.corrections)
    every = {claim.id: claim for claim in claims}
    shaped = [told for id in sorted(every) if (told := _shaped(every[id])) is not None]
    return Use(log, sessions, tuple(corrected), len(every), tuple(shaped))


def _precision(named: Sequence[tuple[Recall, Feedback]]) -> float | None:
    """The share of the answers given that were of use, over the recalls of which somebody said which were."""
    given = sum(len(recall.ids) for recall, _ in named)
    used = sum(len(set(recall.ids).intersection(said.used or ())) for recall, said in named)
    return used / given if given else None


def _shaped(claim: Claim) -> Shaped | None:
    person = all(one.speaker == Speaker.HUMAN.value for one in claim.evidence)
    texts = (claim.text, claim.mention.name, *(one.quote for one in claim.evidence))
    kind = next((found for text in texts if (found := injections.kind(text, person))), "")
    if not kind:
        return None
    first = claim.evidence[0]
    return Shaped(claim.id, claim.text, kind, claim.stance.value, first.speaker, f"{first.source}:{first.at}")


def _share(holds: Sequence[bool]) -> float | None:
    return sum(holds) / len(holds) if holds else None
