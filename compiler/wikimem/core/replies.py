"""Replies as text: how the JSON value is found in what a model wrote, mended where only its form is wrong, and checked.

Pure; trusts no model. What a value means is told by its reader (`extraction`, `linking`); here only its form is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from wikimem.errors import Problem

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"(?:i['’]m|i am) (?:sorry|not able|unable)|i (?:can(?:no|['’])t|won['’]t|must decline|will not) "
    r"|as an ai\b|unable to (?:comply|help)",
    re.IGNORECASE,
)
_SHOWN = 12
"""Problems of one reply that are told; a reply that is wrong everywhere is wrong in few ways."""


class Unreadable(ValueError):
    """A reply holds no value; `rule` is `empty`, `refusal`, `cut` or `no-json`."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """The JSON value in a reply: alone, fenced, or the first whole object in prose; mended (see `mended`).

    Raises:
        Unreadable: there is none.
    """
    bare = _THINKING.sub(" ", text).strip("\ufeff \t\r\n")
    if not bare:
        raise Unreadable("empty", "the reply is empty")
    every = [mended(found, schema) for found in _values(bare)]
    whole = [value for value in every if isinstance(value, Mapping) and value.keys() >= set(schema.get("required", ()))]
    if whole:
        return whole[0]
    if bare.count("{") > bare.count("}"):
        raise Unreadable("cut", "the reply ends in the middle of its JSON object")
    if not every:
        if "{" not in bare and _REFUSAL.search(bare[:400]):
            raise Unreadable("refusal", f"the model refused: “{_short(bare)}”")
        raise Unreadable("no-json", f"the reply holds no JSON object: “{_short(bare)}”")
    return every[0]


def _values(text: str) -> Iterator[Any]:
    """The objects in a text, the likeliest first. A bracket inside a string opens nothing: the decoder knows strings."""
    decoder = json.JSONDecoder(strict=False)
    found: list[tuple[int, Any]] = []
    at, failures = 0, 0
    while (start := _next(text, at)) >= 0 and failures < 200:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            at, failures = start + 1, failures + 1
            continue
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value)):
            found.append((end - start, value))
        at = end
    # An aside such as {"claims": []} in prose is shorter than the reply itself.
    yield from (value for _, value in sorted(found, key=lambda pair: -pair[0]))


def _next(text: str, at: int) -> int:
    places = [place for sign in "{[" if (place := text.find(sign, at)) >= 0]
    return min(places, default=-1)


def mended(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value with what is wrong in form alone put right; what it says stays.

    Lists and objects written as text are read, numbers and truths written as text too; a null where nothing is asked for
    is left out; a word of a closed list in other case is that word; a lone list becomes the one list that is asked for.
    """
    kind = schema.get("type")
    if isinstance(value, str) and kind in ("array", "object"):
        value = _parsed(value, list if kind == "array" else dict)
    if kind == "object":
        value = _wrapped(value, schema)
        if isinstance(value, Mapping):
            return _mended_object(value, schema)
    if kind == "array":
        if isinstance(value, Mapping):
            value = [value]
        if isinstance(value, list):
            return [mended(one, schema.get("items", {})) for one in value]
    if isinstance(value, str):
        return _mended_text(value, schema)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    for choice in schema.get("anyOf", ()):
        if choice.get("type") == "object" and isinstance(value, str | Mapping):
            return mended(value, choice)
    return value


def _mended_object(value: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    known, required = schema.get("properties", {}), schema.get("required", ())
    return {
        name: mended(one, known[name]) if name in known else one
        for name, one in value.items()
        if one is not None or name in required
    }


def _wrapped(value: Any, schema: Mapping[str, Any]) -> Any:
    """A lone list as the object that holds it; and the object out of a needless wrapper."""
    known = schema.get("properties", {})
    lists = [name for name, one in known.items() if one.get("type") == "array"]
    if isinstance(value, list) and len(lists) == 1:
        return {lists[0]: value}
    if isinstance(value, Mapping) and len(value) == 1 and not known.keys() & value.keys():
        (inner,) = value.values()
        if isinstance(inner, Mapping) and known.keys() & inner.keys():
            return inner
    return value


def _mended_text(value: str, schema: Mapping[str, Any]) -> Any:
    kind, choices = schema.get("type"), schema.get("enum", ())
    told = value.strip()
    if choices and value not in choices:
        plain = re.sub(r"[\s_-]+", "-", told).casefold()
        return next((choice for choice in choices if isinstance(choice, str) and choice.casefold() == plain), value)
    if kind == "boolean":
        return {"true": True, "yes": True, "false": False, "no": False}.get(told.casefold(), value)
    if kind in ("integer", "number"):
        try:
            number = float(told)
        except ValueError:
            return value
        return int(number) if kind == "integer" and number.is_integer() else number
    return value


def _parsed(text: str, kind: type) -> Any:
    try:
        read = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    return read if isinstance(read, kind) else text


def problems(value: Any, schema: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Where a value does not fit its schema, worst first: `where` is a path such as `claims/3/kind`."""
    from jsonschema import Draft202012Validator

    found = sorted(Draft202012Validator(schema).iter_errors(value), key=lambda error: (len(error.path), [*map(str, error.path)]))
    return tuple(Problem("/".join(map(str, error.path)) or "the reply", "schema", _said(error)) for error in found[:_SHOWN])


def is_usable(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether only items of a list are wrong: the reader refuses those by themselves, and takes the others."""
    return all(re.match(r"\w+/\d+", problem.where) for problem in problems(value, schema))


def _said(error: Any) -> str:
    allowed = f"; it can be {', '.join(map(repr, error.validator_value))}" if error.validator == "enum" else ""
    told = error.message if error.validator != "enum" else f"{_short(repr(error.instance))} is not allowed"
    return _short(told, 300) + allowed


def _short(text: str, size: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= size else line[: size - 1] + "…"


_LIMITS = ("minimum", "maximum", "minItems", "maxItems", "pattern")


def sent(schema: Any) -> Any:
    """A schema as it is sent: without the limits on numbers and lengths, which some providers refuse. Replies must keep them."""
    if isinstance(schema, Mapping):
        return {name: sent(one) for name, one in schema.items() if name not in _LIMITS}
    return [sent(one) for one in schema] if isinstance(schema, list) else schema


def strict(schema: Any) -> Any:
    """A schema for providers that want every property required: what may be absent may be null instead."""
    schema = sent(schema)
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    known, required = schema.get("properties"), schema.get("required", ())
    told = {name: strict(one) for name, one in schema.items() if name != "properties"}
    if known is None:
        return told
    told["properties"] = {name: strict(one) if name in required else _nullable(strict(one)) for name, one in known.items()}
    told["required"] = list(known)
    return told


def _nullable(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = schema.get("anyOf", [schema])
    return {"anyOf": [*choices, *([] if {"type": "null"} in choices else [{"type": "null"}])]}
