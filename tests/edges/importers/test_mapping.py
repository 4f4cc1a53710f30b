"""Formats that a few lines of TOML describe."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import document, json_values, mangled
from wikimem.core.turns import Form, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import mapping
from wikimem.edges.importers.format import Container, Conversation, Head
from wikimem.errors import BadSettings

TOML = """\
[format.helpdesk]
match = ["ticket", "body"]
text = ["body", "parts.0.text"]
speaker = "author.kind"
time = "created"
id = "message_id"
session = "ticket"
name = "author.name"
title = "subject"
cwd = "folder"
human = ["customer", "agent"]
assistant = ["bot"]
tool = "lookup"
harness = ["system"]
skip = ["typing"]
"""


def record(ticket: object, kind: str, body: object, number: int, **more: Any) -> dict[str, Any]:
    told = {"ticket": ticket, "author": {"kind": kind, "name": "Ada"}, "body": body, "created": 1_786_700_000 + number}
    return {**told, "message_id": f"m{number}", **more}


RECORDS: list[Any] = [
    record("T1", "Customer", "Is there rye?", 1, subject="Bread", folder="/srv/bakery"),
    record("T2", "customer", "And spelt?", 2),
    record("T1", "typing", "", 3),
    record("T1", "bot", "Yes.", 4, parts=[{"text": "Four loaves."}]),
    record("T1", "lookup", {"loaves": 4}, 5),
    record("T1", "narrator", "Once.", 6),
    record("T1", "agent", "", 7),
    "no object",
]


def helpdesk() -> Container:
    (found,) = mapping.formats(tomllib.loads(TOML)["format"], "wikimem.toml")
    return found


def lines(values: list[Any]) -> bytes:
    return b"".join(document(value) + b"\n" for value in values)


def read(path: Path, data: bytes, format: Container | None = None) -> list[Conversation | str]:
    path.write_bytes(data)
    return list((format or helpdesk()).conversations(path))


@pytest.mark.parametrize("data", [lines(RECORDS), document(RECORDS, 1)])
def test_sessions_turns_and_noise(tmp_path: Path, data: bytes) -> None:
    one, other = read(tmp_path / "x.jsonl", data)
    assert isinstance(one, Conversation) and isinstance(other, Conversation)
    assert [(turn.speaker, turn.form, turn.text, turn.identity, turn.name) for turn in one.turns] == [
        (Speaker.HUMAN, Form.PROSE, "Is there rye?", "m1", "Ada"),
        (Speaker.ASSISTANT, Form.PROSE, "Yes.\nFour loaves.", "m4", "Ada"),
        (Speaker.TOOL, Form.RESULT, '{"loaves":4}', "m5", "Ada"),
    ]
    assert (one.session, one.title, one.cwd, one.started) == ("T1", "Bread", "/srv/bakery", "2026-08-14T09:33:21Z")
    assert [turn.text for turn in other.turns] == ["And spelt?"]
    assert one.noise == {"typing": 1, "record without words": 1, "speaker:narrator": 1, "record that is no object": 1}
    assert one.unknown == {"speaker:narrator": 1, "record that is no object": 1}


def test_text_alone_is_enough(tmp_path: Path) -> None:
    (format,) = mapping.formats({"log": {"text": "msg"}}, "x.toml")
    (found,) = read(tmp_path / "x.jsonl", lines([{"msg": "Rye."}, {"msg": 7}]), format)
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.text, turn.said) for turn in found.turns] == [
        (Speaker.HUMAN, "Rye.", ""),
        (Speaker.HUMAN, "7", ""),
    ]
    assert not format.recognise(Head("x.jsonl", lines([{"msg": "Rye."}]), True))


def test_a_file_is_recognised_by_its_keys() -> None:
    head = Head("x.jsonl", lines(RECORDS), True)
    assert importers.recognise(head, (helpdesk(),)) is not None
    assert importers.recognise(head) is None
    assert importers.recognise(Head("x.json", document(RECORDS, 1)[:300], False), (helpdesk(),)) is not None
    assert importers.recognise(Head("x.jsonl", lines([{"ticket": 1}]), True), (helpdesk(),)) is None


def test_a_file_names_its_format(tmp_path: Path) -> None:
    path = tmp_path / "helpdesk.toml"
    path.write_text(TOML)
    found = importers.named(str(path))
    assert found is not None and found.name == "helpdesk"
    assert importers.named("helpdesk") is None
    assert importers.named("helpdesk", (helpdesk(),)) is not None


@pytest.mark.parametrize(
    ("toml", "why"),
    [
        ("[format.x]\n", "needs text"),
        ("[format.x]\ntext = 1\n", "must be a text or a list of texts"),
        ("[format.x]\ntext = 'a'\ntime = 3\n", "must be a place such as author.name"),
        ("[format.x]\ntext = 'a'\nspeker = 'b'\n", "speker is no setting"),
        ("[format.x]\ntext = 'a'\nhuman = ['u']\n", "add speaker"),
        ("[format.x]\ntext = 'a'\nspeaker = 's'\nhuman = ['u']\ntool = ['U']\n", "cannot be two speakers"),
        ("[format.X]\ntext = 'a'\n", "is no name"),
        ("[format]\nx = 3\n", "is no table"),
        ("[format.x]\ntext = 'a'\n[format.y]\ntext = 'b'\n", "must describe one format"),
        ("text = 'a'\n", "must describe one format"),
        ("[format.x\n", "is not valid TOML"),
    ],
)
def test_a_bad_description_is_said_to_be_one(tmp_path: Path, toml: str, why: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(toml)
    with pytest.raises(BadSettings, match=why):
        mapping.load(path)
    with pytest.raises(BadSettings, match="cannot be read"):
        mapping.load(tmp_path / "gone.toml")


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(BadSettings, match="is the name of a format that wikimem has"):
        mapping.formats({"note": {"text": "a"}}, "wikimem.toml", frozenset({"note"}))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(json_values(), max_size=4), st.data())
def test_any_json_is_accounted_for_and_mangled_files_never_raise(tmp_path: Path, values: list[Any], data: st.DataObject) -> None:
    raw = lines([*RECORDS[:2], *values])
    found = read(tmp_path / "x.jsonl", raw)
    assert {each.session for each in found if isinstance(each, Conversation)} >= {"T1", "T2"}
    assert all(isinstance(each, str) or each.turns for each in read(tmp_path / "x.jsonl", data.draw(mangled(raw))))
