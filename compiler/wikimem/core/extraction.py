"""Extraction's replies: their JSON schema, and how a reply becomes drafts of claims. Pure; trusts no model.

A claim that does not fit the schema is refused by rule `schema`, with what is wrong; the others of the reply are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikimem.core import moments, slugs, texts
from wikimem.core.claimfiles import Episode, Refusal
from wikimem.core.claims import TYPES, Basis, Bound, Holds, Kind, Mention, Stance
from wikimem.core.drafts import Draft, Quote

_TEXT = {"type": "string"}
_MOMENT = {"type": "string", "pattern": r"^(\d{4}(-\d\d(-\d\d([T ].+)?)?)?)?$"}
_PROPOSAL = {
    "type": "object",
    "properties": {"at": _TEXT, "words": _TEXT},
    "required": ["at", "words"],
    "additionalProperties": False,
}
_QUOTE = {
    "type": "object",
    "properties": {
        "at": _TEXT,
        "words": _TEXT,
        "speaker": {"type": "string", "enum": ["human", "assistant", "tool"]},
        "from": _MOMENT,
        "from_basis": {"type": "string", "enum": [basis.value for basis in Basis]},
        "until": _MOMENT,
        "until_basis": {"type": "string", "enum": [basis.value for basis in Basis]},
        "proposal": {"anyOf": [_PROPOSAL, {"type": "null"}]},
    },
    "required": ["at", "words"],
    "additionalProperties": False,
}
_SCOPES = ("project", "user", "all", "")
_CLAIM = {
    "type": "object",
    "properties": {
        "reason": _TEXT,
        "type": {"type": "string", "enum": list(TYPES)},
        "subject": _TEXT,
        "scope": {"type": "string", "enum": list(_SCOPES)},
        "attribute": _TEXT,
        "kind": {"type": "string", "enum": [kind.value for kind in Kind]},
        "stance": {"type": "string", "enum": [stance.value for stance in Stance]},
        "text": _TEXT,
        "quotes": {"type": "array", "items": _QUOTE, "minItems": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "step": {"type": "integer", "minimum": 0},
        "sensitive": {"type": "boolean"},
    },
    "required": ["type", "subject", "stance", "text", "quotes"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "episode": {
            "type": "object",
            "properties": {"asked": _TEXT, "outcome": _TEXT},
            "required": [],
            "additionalProperties": False,
        },
        "claims": {"type": "array", "items": _CLAIM},
    },
    "required": ["claims"],
    "additionalProperties": False,
}
"""What a reply must look like. Absent fields of a claim mean empty, 0 or false; as `scope` `project`, as `kind` `semantic`.

`scope` is `project` for what is so in the session's project, `user` for what is so of its person everywhere, and `all`, or empty,
for what belongs to neither. `at` is a locator of the view, `words` the exact words there; `from` and `until` are dates or
times as `moments` reads them.
"""


def read(content: Any, scope: str, me: str) -> tuple[tuple[Draft, ...], Episode, tuple[Refusal, ...]]:
    """The drafts of a reply.

    Args:
        content: the JSON value.
        scope: of the session; empty for none.
        me: what the person who types is called; may be empty.

    Returns:
        The drafts in order, the episode, and a refusal for each claim that does not fit the schema.

    Raises:
        ValueError: the reply as a whole is not of this form; the text is one clause.
    """
    if not isinstance(content, Mapping) or not isinstance(content.get("claims"), list):
        raise ValueError('the reply is no object with a list "claims"')
    told = content.get("episode")
    asked, outcome = (_plain(told, name) for name in ("asked", "outcome"))
    episode = Episode(asked, outcome)
    drafts: list[Draft] = []
    refused: list[Refusal] = []
    for number, claim in enumerate(content["claims"], 1):
        try:
            drafts.append(_draft(claim, scope, me))
        except ValueError as wrong:
            refused.append(Refusal("schema", "", f"claim {number}: {wrong}", _plain(claim, "text")))
    return tuple(drafts), episode, tuple(refused)


def _plain(told: Any, name: str) -> str:
    """A text of a reply in normal form; empty where there is none."""
    value = told.get(name) if isinstance(told, Mapping) else None
    return texts.normal(value) if isinstance(value, str) else ""


def _draft(claim: Any, scope: str, me: str) -> Draft:
    if not isinstance(claim, Mapping):
        raise ValueError("it is no object")
    told_scope = _choice(claim, "scope", _SCOPES, "project")
    whose = {"project": scope, "user": f"user:{slugs.slug(me or 'user', 'person', 'user')}"}.get(told_scope, "")
    quotes = claim.get("quotes")
    if not isinstance(quotes, list) or not quotes:
        raise ValueError("quotes is no list of quotes")
    confidence = claim.get("confidence", 0)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise ValueError("confidence is no number from 0 to 1")
    step = claim.get("step", 0)
    if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step < 1000:
        raise ValueError("step is no whole number, 0 or more")
    sensitive = claim.get("sensitive", False)
    if not isinstance(sensitive, bool):
        raise ValueError("sensitive is neither true nor false")
    return Draft(
        mention=Mention(whose, _choice(claim, "type", TYPES), _string(claim, "subject")),
        attribute=_string(claim, "attribute", ""),
        kind=Kind(_choice(claim, "kind", [kind.value for kind in Kind], Kind.SEMANTIC.value)),
        stance=Stance(_choice(claim, "stance", [stance.value for stance in Stance])),
        text=_string(claim, "text"),
        quotes=tuple(_quote(one) for one in quotes),
        confidence=round(confidence * 100),
        step=step,
        sensitive=sensitive,
    )


def _quote(quote: Any) -> Quote:
    if not isinstance(quote, Mapping):
        raise ValueError("a quote is no object")
    proposal = quote.get("proposal")
    if proposal is not None and not isinstance(proposal, Mapping):
        raise ValueError("a proposal is no object")
    return Quote(
        at=_string(quote, "at"),
        words=_string(quote, "words"),
        speaker=_string(quote, "speaker", ""),
        holds=Holds(_bound(quote, "from"), _bound(quote, "until")),
        proposal=(_string(proposal, "at"), _string(proposal, "words")) if proposal else None,
    )


def _bound(quote: Mapping[str, Any], name: str) -> Bound:
    moment = _string(quote, name, "")
    if not moment:
        return Bound()
    if not moments.is_moment(moment):
        raise ValueError(f"{name} is {moment!r}, which is no date")
    told = _choice(quote, f"{name}_basis", [basis.value for basis in Basis], Basis.STATED.value)
    return Bound(moment, Basis(told))


def _choice(told: Mapping[str, Any], name: str, choices: Any, default: str | None = None) -> str:
    value = _string(told, name, default)
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it can be {', '.join(choices)}")
    return value


def _string(told: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = told.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name} is missing" if value is None else f"{name} is no text")
    return value
