"""Replies about pairs: their JSON schemas, and how a reply becomes a judgement. Pure; trusts no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikimem.core import texts
from wikimem.core.judgements import Judgement, Pair, Relation

_MENTIONS = (Relation.SAME, Relation.DIFFERENT)
_CLAIMS = tuple(relation for relation in Relation if relation is not Relation.DIFFERENT)


def _schema(relations: tuple[Relation, ...]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "relation": {"type": "string", "enum": [relation.value for relation in relations]},
        },
        "required": ["reason", "relation"],
        "additionalProperties": False,
    }


CLAIMS, MENTIONS = _schema(_CLAIMS), _schema(_MENTIONS)
"""What a reply about two claims, and about two mentions, must look like. `a` is the first of the pair."""


def together(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reply about several pairs must look like: `judgements`, each with the number of its `pair`, from 1."""
    one = {**schema, "properties": {"pair": {"type": "integer", "minimum": 1}, **schema["properties"]}}
    one["required"] = ["pair", *schema["required"]]
    return {
        "type": "object",
        "properties": {"judgements": {"type": "array", "items": one}},
        "required": ["judgements"],
        "additionalProperties": False,
    }


def read(content: Any, pair: Pair, of: str, by: str) -> Judgement:
    """The judgement of a reply.

    Args:
        content: the JSON value.
        pair: the two ids in canonical order, as they were asked about.
        of: `claims` or `mentions`.
        by: the model's name.

    Raises:
        ValueError: the reply is not of the form; the text is one clause.
    """
    if not isinstance(content, Mapping):
        raise ValueError("the reply is no object")
    relation, reason = content.get("relation"), content.get("reason", "")
    allowed = _CLAIMS if of == "claims" else _MENTIONS
    if relation not in [one.value for one in allowed]:
        raise ValueError(f"relation is {relation!r}; it can be {', '.join(one.value for one in allowed)}")
    if not isinstance(reason, str):
        raise ValueError("reason is no text")
    return Judgement(pair, of, Relation(relation), by, texts.normal(reason)[:300])
