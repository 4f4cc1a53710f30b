"""Whatever happens to a file (cut, glued, reordered, changed): no importer raises, and no intact record is lost."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import DAY, item, named, read
from conftest import claude, turns_of
from wikimem.edges import importers
from wikimem.edges.importers import Head, LineFormat

MARK = "sentinel-"


def codex(words: str, n: int) -> dict[str, Any]:
    return item(n, "user" if n % 2 else "assistant", words)


def stream(words: str, n: int) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"id": f"item_{n}", "type": "agent_message", "text": words}}


def pi(words: str, n: int) -> dict[str, Any]:
    message = {"role": "user" if n % 2 else "assistant", "content": [{"type": "text", "text": words}]}
    return {"type": "message", "id": f"e{n}", "parentId": f"e{n - 1}", "timestamp": f"{DAY}T08:00:{n:02}Z", "message": message}


def gemini(words: str, n: int) -> dict[str, Any]:
    return {
        "id": f"g{n}",
        "timestamp": f"{DAY}T08:00:{n:02}Z",
        "type": "user" if n % 2 else "gemini",
        "content": [{"text": words}],
    }


def qwen(words: str, n: int) -> dict[str, Any]:
    return {
        "uuid": f"q{n}",
        "parentUuid": f"q{n - 1}",
        "sessionId": "s",
        "timestamp": f"{DAY}T08:00:{n:02}Z",
        "type": "user" if n % 2 else "assistant",
        "message": {"parts": [{"text": words}]},
    }


def kimi(words: str, n: int) -> dict[str, Any]:
    if n % 2:
        return {
            "type": "turn.prompt",
            "input": [{"type": "text", "text": words}],
            "origin": {"kind": "user"},
            "time": 1_777_881_600_000 + n,
        }
    part = {"type": "content.part", "uuid": f"p{n}", "part": {"type": "text", "text": words}}
    return {"type": "context.append_loop_event", "event": part, "time": 1_777_881_600_000 + n}


def copilot(words: str, n: int) -> dict[str, Any]:
    kind = "user.message" if n % 2 else "assistant.message"
    return {"type": kind, "data": {"content": words}, "id": f"e{n}", "timestamp": f"{DAY}T08:00:{n:02}Z"}


def droid(words: str, n: int) -> dict[str, Any]:
    message = {"role": "user" if n % 2 else "assistant", "content": [{"type": "text", "text": words}]}
    return {"type": "message", "id": f"m{n}", "timestamp": f"{DAY}T08:00:{n:02}Z", "message": message}


def cursor(words: str, n: int) -> dict[str, Any]:
    return {"role": "user" if n % 2 else "assistant", "message": {"content": [{"type": "text", "text": words}]}}


def hermes(words: str, n: int) -> dict[str, Any]:
    return {"role": "user" if n % 2 else "assistant", "content": words, "timestamp": f"{DAY}T08:00:{n:02}Z"}


def anthropic(words: str, n: int) -> dict[str, Any]:
    return claude(n, "user" if n % 2 else "assistant", [{"type": "text", "text": words}], n - 1)


MAKERS = {
    "codex": codex,
    "codex-exec": stream,
    "pi": pi,
    "openclaw": pi,
    "gemini": gemini,
    "qwen": qwen,
    "kimi": kimi,
    "copilot": copilot,
    "droid": droid,
    "cursor": cursor,
    "hermes-lines": hermes,
    "claude-code": anthropic,
}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=8
)


def changed(value: Any, dice: random.Random, other: Any) -> Any:
    """A JSON value with one place of it replaced, removed or doubled."""
    if isinstance(value, dict) and value:
        key = dice.choice(list(value))
        match dice.randrange(4):
            case 0:
                return {name: each for name, each in value.items() if name != key}
            case 1:
                return {**value, key: other}
            case _:
                return {**value, key: changed(value[key], dice, other)}
    if isinstance(value, list) and value:
        place = dice.randrange(len(value))
        return [*value[:place], changed(value[place], dice, other), *value[place:]]
    return other


@pytest.mark.parametrize("format", sorted(MAKERS))
@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 1 << 32), other=VALUES, count=st.integers(1, 8))
def test_no_damage_costs_an_intact_record(format: str, seed: int, other: Any, count: int) -> None:
    dice = random.Random(seed)
    lines: list[bytes] = []
    wanted: set[str] = set()
    for number in range(1, count + 1):
        words = f"{MARK}{number}-{dice.randrange(1 << 30)}."
        record = MAKERS[format](words, number)
        data = json.dumps(record, ensure_ascii=dice.random() < 0.5).encode("utf-8", "replace")
        kind = dice.randrange(7)
        if kind == 0:
            lines.append(data[: dice.randrange(len(data))])
        elif kind == 1:
            lines.append(json.dumps(changed(record, dice, other)).encode("utf-8", "replace"))
        elif kind == 2:
            cut = json.dumps(MAKERS[format]("torn", number)).encode()
            # A cut inside a string or a number; after a bracket or comma nobody can tell a record from a part of one.
            lines.append(cut[: dice.randrange(2, 12)].rstrip(b'{[,: "') + b'"x' + data)
            wanted.add(words)
        elif kind == 3:
            lines += [b"\x00\x00", bytes(dice.randrange(256) for _ in range(dice.randrange(30))).replace(b"\n", b"")]
        else:
            lines.append(data)
            wanted.add(words)
    dice.shuffle(lines)
    heard = "\n".join(turn.text for turn in turns_of(read(format, b"\n".join(lines))))
    assert not {words for words in wanted if words not in heard}


@pytest.mark.parametrize("format", sorted(MAKERS))
@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\ud83d"])
def test_what_other_languages_call_a_line_end_ends_no_record(format: str, separator: str) -> None:
    data = b"".join(
        json.dumps(MAKERS[format](f"one{separator}two {n}", n), ensure_ascii=separator == "\ud83d").encode() + b"\r\n"
        for n in (1, 2)
    )
    heard = [turn.text for turn in turns_of(read(format, data))]
    assert len(heard) == 2 and all("one" in text and f"two {n}" in text for n, text in enumerate(heard, 1))


@pytest.mark.parametrize("format", [format.name for format in importers.FORMATS if isinstance(format, LineFormat)])
@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_make_an_importer_raise(format: str, data: bytes) -> None:
    read(format, data)
    named(format).recognise(Head("x", data, whole=True))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_aider_keeps_each_prompt_whatever_the_answers_between_hold(seed: int) -> None:
    dice = random.Random(seed)
    bits = [
        b"```python\n",
        b"```\n",
        b"> quoted\n",
        b"#### heading\n",
        b"text  \n",
        b"\n",
        b"~~~\n",
        b"# aider chat\n",
        b"> out  \n",
        b"\xff\x00\n",
    ]
    data, wanted = b"# aider chat started at 2026-05-04 08:00:00\n\n", []
    for number in range(4):
        wanted.append(f"Prompt {number} of {seed}.")
        answer = b"".join(dice.choice(bits) for _ in range(dice.randrange(8)))
        data += b"\n#### " + wanted[-1].encode() + b"  \n\n" + answer + b"\n"
    heard = [turn.text for turn in turns_of(read("aider", data)) if turn.speaker.value == "human"]
    assert all(any(words in text for text in heard) for words in wanted)
