"""The write gate: which drafts of claims may be stored, by an ordered tuple of rules. No model, no judgement of truth.

Each quote of a draft is held against the session first (`quoting`); then the draft as a whole is (`wording`). What does
not pass is refused by the name of a rule, and the refusal is kept; those for secrets and for what awaits a person's
approval hold no word of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wikimem.core import claims as claim_values
from wikimem.core import texts, zones
from wikimem.core.claimfiles import Refusal
from wikimem.core.claims import Claim, Evidence, Holds, Mention, Proposal
from wikimem.core.drafts import Action, Draft, Found, Gate, Quote, Rule
from wikimem.core.quoting import QUOTE_RULES
from wikimem.core.screening import screen
from wikimem.core.sensitive import NOTHING, UNFIT
from wikimem.core.turns import Speaker, Turn
from wikimem.core.wording import RULES, SILENT
from wikimem.core.zones import Zone

__all__ = ["QUOTE_RULES", "RULES", "SILENT", "Action", "Draft", "Gate", "Quote", "Rule", "admit", "screen"]


def admit(drafts: Iterable[Draft], gate: Gate) -> tuple[tuple[Claim, ...], tuple[Refusal, ...]]:
    """The claims that may be stored, by id, and a refusal for each draft or quote that may not.

    A draft of several quotes loses those that do not stand, and is refused when none is left.
    """
    claims: list[Claim] = []
    refused: list[Refusal] = []
    for draft in drafts:
        draft = replace(draft, text=texts.normal(draft.text), mention=_normal(draft.mention))
        silent = _objection(SILENT, draft, (), gate)
        if silent is not None:
            at = draft.quotes[0].at if draft.quotes else ""
            waits = silent[0].action is Action.REQUIRE_APPROVAL
            refused.append(Refusal(silent[0].name, at, UNFIT if waits and not withheld([draft], gate) else silent[1]))
            continue
        standing: list[Found] = []
        for quote in draft.quotes:
            found, rule, reason = _weigh(quote, draft, gate)
            if found is not None and not rule:
                standing.append(found)
            else:
                refused.append(Refusal(rule, quote.at, reason, draft.text))
        if not standing:
            if not draft.quotes:
                refused.append(Refusal("quote", "", "no quote was given", draft.text))
            continue
        objection = _objection(RULES, draft, tuple(standing), gate)
        if objection is not None:
            hidden = objection[0].action is Action.REQUIRE_APPROVAL
            text = "" if hidden else draft.text
            refused.append(Refusal(objection[0].name, standing[0].quote.at, objection[1], text))
        else:
            claims.append(_claim(draft, standing, gate))
    return tuple(claim_values.united(claims).values()), tuple(sorted(set(refused)))


def withheld(drafts: Iterable[Draft], gate: Gate) -> tuple[Claim, ...]:
    """The claims, by id, that only a person's approval is missing for: each is refused without its words by `admit`."""
    open_ = replace(gate, sensitive=NOTHING, channel=False)
    waiting = (draft for draft in drafts if _waits(draft, gate))
    return admit((replace(draft, sensitive=False) for draft in waiting), open_)[0]


def _waits(draft: Draft, gate: Gate) -> bool:
    objection = _objection(SILENT, draft, (), gate)
    return objection is not None and objection[0].action is Action.REQUIRE_APPROVAL


def _normal(mention: Mention) -> Mention:
    return Mention(mention.scope, mention.type, texts.normal(mention.name))


def _objection(rules: Iterable[Rule], draft: Draft, found: tuple[Found, ...], gate: Gate) -> tuple[Rule, str] | None:
    return next(((rule, reason) for rule in rules if (reason := rule.check(draft, found, gate))), None)


def _claim(draft: Draft, standing: Iterable[Found], gate: Gate) -> Claim:
    known = gate.vocabulary.find(draft.attribute)
    claim = Claim(
        mention=draft.mention,
        # A word that is no attribute is a proposal for the vocabulary; until it is one, the claim has none.
        attribute=known.name if known else "",
        kind=draft.kind,
        stance=draft.stance,
        text=draft.text,
        evidence=(),
        confidence=draft.confidence,
        step=draft.step,
        code=draft.code,
    )
    return claim.with_evidence(_evidence(found, gate) for found in standing)


def _evidence(found: Found, gate: Gate) -> Evidence:
    turn, quote = found.heard.turn, found.quote
    assert found.span is not None
    proposal = None
    if quote.proposal is not None:
        place = gate.session.at(quote.proposal[0])
        assert place is not None
        span = texts.find(quote.proposal[1], place[1].words)
        assert span is not None
        proposal = Proposal(place[1].turn.at, place[1].turn.identity, place[1].words[slice(*span)])
    return Evidence(
        at=turn.at,
        turn=turn.identity,
        quote=found.heard.words[slice(*found.span)],
        speaker=turn.speaker.value,
        name=turn.name if turn.speaker is Speaker.HUMAN else "",
        said=turn.said,
        holds=_settled(quote.holds, turn, gate.zone),
        proposal=proposal,
        zone=gate.zone,
    )


def _settled(holds: Holds, turn: Turn, zone: Zone) -> Holds:
    """The interval with times that whoever spoke read off a clock put into UTC."""
    ends = (replace(bound, moment=zones.absolute(bound.moment, turn, zone)) for bound in (holds.start, holds.end))
    return Holds(*ends)


def _weigh(quote: Quote, draft: Draft, gate: Gate) -> tuple[Found | None, str, str]:
    """The quote's place, or the rule that refuses it and why."""
    place = gate.session.at(quote.at)
    if place is None:
        return None, "turn", f"there is no turn {quote.at!r} in this source"
    number, heard = place
    found = Found(quote, number, heard, texts.find(quote.words, heard.words))
    for name, check in QUOTE_RULES:
        reason = check(draft, found, gate)
        if reason:
            return found, name, reason
    return found, "", ""
