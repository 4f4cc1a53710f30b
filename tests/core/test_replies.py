"""Replies as text: the value is found in whatever stands around it, mended in form alone, and held against its schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import linking, replies
from wikimem.core.extraction import SCHEMA
from wikimem.core.replies import Unreadable

LIST = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "object"}}, "note": {"type": "string"}},
    "required": ["claims"],
}
CLAIM = {
    "type": "topic",
    "subject": "desktop app",
    "scope": "project",
    "kind": "semantic",
    "stance": "fact",
    "text": "The desktop app uses SQLite, not Postgres.",
    "quotes": [{"at": "L1", "words": "We chose SQLite for the desktop app, not Postgres."}],
}
GOOD = {"claims": [CLAIM]}


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "\ufeff{}\n",
        "```json\n{}\n```",
        "```\n{}\n```\nThat is all.",
        "Sure! Here is the JSON you asked for:\n\n{}\n\nLet me know if you need more {{details}}.",
        '<think>The user said {{"claims": []}} maybe?</think>\n{}',
        "I cannot use Postgres in the note, so here it is: {}",
        "[1] As asked: {}",
        '{}\n{{"note": "and one more thing"}}',
    ],
)
def test_the_value_is_found_in_what_stands_around_it(text: str) -> None:
    told = text.replace("{}", "\x00").replace("{{", "{").replace("}}", "}").replace("\x00", json.dumps(GOOD))
    assert replies.value_of(told, SCHEMA) == GOOD


def test_backticks_and_brackets_inside_a_text_end_nothing() -> None:
    value = {"claims": [{**CLAIM, "text": 'Run ```make``` and `}` first: it prints {"claims": []}.'}]}
    assert replies.value_of(f"```json\n{json.dumps(value)}\n```", SCHEMA) == value


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>what a session</think>", "empty"),
        ("I'm not able to process this conversation.", "refusal"),
        ("I’m sorry, but I can’t help with that.", "refusal"),
        ("Great choice! I have now migrated the schema. Shall I write the tests next?", "no-json"),
        ("We chose SQLite since we cannot use Postgres.", "no-json"),
        ('{"claims": [{"text": "The desktop app uses SQLite.", "quotes": []}, {"text": "The sync int', "cut"),
        ('```json\n{"claims": [{"text": "The desktop app', "cut"),
        ("---\ntype: decision\n---\n# Storage\n\nThe desktop app uses SQLite. The server", "no-json"),
        ("[1, 2, 3]", "no-json"),
    ],
)
def test_what_holds_no_value_is_told_by_rule(text: str, rule: str) -> None:
    with pytest.raises(Unreadable) as raised:
        replies.value_of(text, SCHEMA)
    assert raised.value.rule == rule


@pytest.mark.parametrize(
    "wrong",
    [
        {"claims": json.dumps([CLAIM])},
        {"claims": [json.dumps(CLAIM)]},
        {"claims": [{**CLAIM, "quotes": json.dumps(CLAIM["quotes"])}]},
        {"claims": [{**CLAIM, "quotes": CLAIM["quotes"][0]}]},
        {"claims": [{**CLAIM, "stance": "FACT", "scope": " Project "}]},
        {"claims": [{**CLAIM, "attribute": None, "step": None, "reason": None}]},
        {"reply": GOOD},
        [CLAIM],
    ],
)
def test_what_is_wrong_in_form_alone_is_put_right(wrong: object) -> None:
    assert replies.mended(wrong, SCHEMA) == GOOD


def test_numbers_and_truths_in_quotes_are_read() -> None:
    told = {**CLAIM, "confidence": "0.4", "step": "2", "sensitive": "False"}
    found = replies.mended({"claims": [told]}, SCHEMA)["claims"][0]
    assert (found["confidence"], found["step"], found["sensitive"]) == (0.4, 2, False)
    assert replies.problems({"claims": [found]}, SCHEMA) == ()


@pytest.mark.parametrize("wrong", ["vibe", "facts", "", "fact or opinion"])
def test_a_word_that_is_none_of_a_closed_list_stays_wrong(wrong: str) -> None:
    value = replies.mended({"claims": [{**CLAIM, "stance": wrong}]}, SCHEMA)
    (problem,) = replies.problems(value, SCHEMA)
    assert (problem.where, problem.rule) == ("claims/0/stance", "schema")
    assert "'evidence'" in problem.message


def test_problems_of_items_alone_leave_the_rest_usable() -> None:
    assert replies.is_usable({"claims": [CLAIM, {"type": "vibe"}, "x"]}, SCHEMA)
    assert not replies.is_usable({"claims": "none"}, SCHEMA)
    assert not replies.is_usable({"claims": [], "more": 1}, SCHEMA)
    assert not replies.is_usable({}, SCHEMA)


def test_many_problems_are_told_in_few_lines() -> None:
    found = replies.problems({"claims": [{}] * 500}, SCHEMA)
    assert 1 <= len(found) <= 20
    assert all(len(str(problem)) < 600 for problem in found)


def _objects(schema: Any) -> list[Any]:
    if isinstance(schema, dict):
        return [*([schema] if "properties" in schema else []), *(one for each in schema.values() for one in _objects(each))]
    return [one for each in schema for one in _objects(each)] if isinstance(schema, list) else []


@pytest.mark.parametrize("schema", [SCHEMA, linking.CLAIMS, linking.together(linking.CLAIMS)])
def test_a_strict_schema_wants_everything_and_takes_null_for_nothing(schema: Any) -> None:
    strict = replies.strict(schema)
    assert all(set(one["required"]) == set(one["properties"]) for one in _objects(strict))
    assert not {"minimum", "maximum", "minItems", "pattern"} & set(json.dumps(strict).replace('"', " ").split())


def test_a_reply_to_a_strict_schema_is_one_to_ours() -> None:
    full = {**CLAIM, **dict.fromkeys(("reason", "attribute", "confidence", "step", "sensitive"))}
    empty = dict.fromkeys(("speaker", "from", "from_basis", "until", "until_basis", "proposal"))
    full["quotes"] = [{**CLAIM["quotes"][0], **empty}]  # type: ignore[index, dict-item]
    told = {"episode": None, "claims": [full]}
    assert replies.problems(told, replies.strict(SCHEMA)) == ()
    assert replies.value_of(json.dumps(told), SCHEMA) == GOOD


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda deep: st.lists(deep) | st.dictionaries(st.text(), deep)
)


@given(JSON)
def test_mending_twice_is_mending_once_and_never_fails(value: object) -> None:
    once = replies.mended(value, SCHEMA)
    assert replies.mended(once, SCHEMA) == once
    replies.problems(once, SCHEMA)


@given(st.text())
def test_any_text_is_a_value_or_unreadable(text: str) -> None:
    try:
        replies.problems(replies.value_of(text, SCHEMA), SCHEMA)
    except Unreadable as wrong:
        assert wrong.rule in ("empty", "refusal", "cut", "no-json")


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), min_size=1), max_size=4), st.text("abc .,!`\n"))
def test_a_value_is_found_between_any_words(claims: list[dict[str, str]], words: str) -> None:
    value = {"claims": claims, "note": words}
    assert replies.value_of(f"{words}{json.dumps(value)}{words}", LIST) == value
