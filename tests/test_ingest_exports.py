"""Exports on their way into a vault: a conversation a source, a later export adds what is new, hostile names harm nothing."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from wikimem import ingest, intake, vault
from wikimem.core.reports import Report
from wikimem.core.turns import Speaker
from wikimem.init import init

HOSTILE = [
    "CON",
    "nul",
    "com1.notes",
    "release.",
    ".hidden",
    "-rf",
    "../../outside",
    "/etc/passwd",
    'a/b:c*d?e"f<g>h|i',
    "C:\\x",
    "x" * 400,
    "長" * 200,
    " ",
    "",
    "tab\tand\nnewline",
    "\ud83d",
    "nul\x00byte",
]


@pytest.fixture
def opened(tmp_path: Path) -> vault.Vault:
    return vault.open_at(init(tmp_path / "memory", False).root)


def take(opened: vault.Vault, *paths: Path, format: str = "") -> Report:
    return ingest.ingest(opened, intake.Wish(paths, format=format))


def message(number: int, sender: str, text: str, **more: Any) -> dict[str, Any]:
    return {"uuid": f"m{number}", "sender": sender, "text": text, "created_at": f"2026-01-05T10:{number % 60:02}:00Z", **more}


def talk(number: int) -> dict[str, Any]:
    said = [message(2 * number, "human", f"Book train {number}."), message(2 * number + 1, "assistant", "Booked.")]
    return {"uuid": f"c{number}", "name": f"Trip {number}", "chat_messages": said}


def chat(*texts: str, title: str = "Kitchen", own: str = "c-1") -> dict[str, Any]:
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    above = "root"
    for number, text in enumerate(texts):
        said = {"id": f"n{number}", "author": {"role": "user"}, "create_time": 1_772_000_000 + number}
        content = {"content_type": "text", "parts": [text]}
        mapping[f"n{number}"] = {"id": f"n{number}", "parent": above, "children": [], "message": {**said, "content": content}}
        above = f"n{number}"
    return {"title": title, "create_time": 1_772_000_000, "current_node": above, "conversation_id": own, "mapping": mapping}


def test_an_export_of_many_conversations_is_as_many_sources_and_a_later_one_adds_what_is_new(
    opened: vault.Vault, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([talk(number) for number in range(60)]))
    report = take(opened, path)
    assert (len(report.added), report.problems) == (60, [])
    assert report.account.balanced()
    path.write_text(json.dumps([talk(number) for number in range(63)], indent=1))
    later = take(opened, path)
    assert (len(later.added), later.unchanged, later.problems) == (3, 60, [])
    again = take(opened, path)
    assert (len(again.added), again.commit) == (0, "")


def test_the_same_export_packed_adds_nothing(opened: vault.Vault, tmp_path: Path) -> None:
    plain = tmp_path / "conversations.json"
    plain.write_text(json.dumps([chat("Suggest a worktop.", "Oak it is.")]))
    assert len(take(opened, plain).added) == 1
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-000.json", plain.read_bytes())
        archive.writestr("chat.html", "<html>")
    assert len(take(opened, tmp_path / "export.zip").added) == 0


def test_unknown_blocks_never_stop_a_file_and_are_counted(opened: vault.Vault, tmp_path: Path) -> None:
    blocks = [{"type": "hologram", "data": "?"}, {"type": "token_budget"}, {"type": "text", "text": "Docs are due on 18 March."}]
    told = [talk(1), {"name": "No id, no dates", "chat_messages": [{"sender": "human", "text": "Plain old text field."}]}]
    told[0]["chat_messages"].append(message(9, "assistant", "", content=blocks))
    path = tmp_path / "claude.json"
    path.write_text(json.dumps(told))
    report = take(opened, path)
    assert report.account.unknown == {"block:hologram": 1}
    assert not report.problems
    turns = [turn for source in report.added for turn in opened.ledger.read(source.id).turns]
    assert {turn.text for turn in turns} >= {"Docs are due on 18 March.", "Plain old text field."}
    undated = next(source for source in report.added if source.id.startswith("undated-"))
    assert undated.session


def test_a_reply_that_was_made_again_is_kept_and_is_no_evidence(opened: vault.Vault, tmp_path: Path) -> None:
    told = chat("Suggest a worktop.")
    for key, text in (("granite", "Granite."), ("oak", "Oak.")):
        said = {"id": key, "author": {"role": "assistant"}, "content": {"content_type": "text", "parts": [text]}}
        told["mapping"][key] = {"id": key, "parent": "n0", "children": [], "message": said}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{**told, "current_node": "oak"}]))
    (source,) = take(opened, path).added
    session = opened.ledger.read(source.id)
    assert [turn.text for turn in session.turns] == ["Suggest a worktop.", "Granite.", "Oak."]
    assert [turn.text for turn in session.turns if turn.at in session.dead] == ["Granite."]


def test_hostile_names_harm_nothing_and_lose_nothing(opened: vault.Vault, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../../conversations.json", json.dumps([chat("Up.", title=HOSTILE[0], own="../up")]))
        for number, name in enumerate(HOSTILE):
            told = [chat(f"Words {number}.", title=name, own=name)]
            archive.writestr(f"conversations-{number:03}.json", json.dumps(told))
    before = {each for each in tmp_path.rglob("*") if opened.root not in each.parents}
    report = take(opened, path)
    assert len(report.added) == len(HOSTILE) + 1
    assert {each for each in tmp_path.rglob("*") if opened.root not in each.parents} == before
    for source in report.added:
        assert len(source.path.encode()) < 120 and ".." not in source.path
    words = {turn.text for source in report.added for turn in opened.ledger.read(source.id).turns}
    assert words == {"Up.", *(f"Words {number}." for number in range(len(HOSTILE)))}


def test_times_are_utc_or_say_that_their_zone_is_unknown(opened: vault.Vault, tmp_path: Path) -> None:
    posts = [
        {"id": 1, "type": "message", "date": "2026-01-21T23:10:00", "date_unixtime": "1769055000", "from": "Ada", "text": "A"},
        {"id": 2, "type": "message", "date": "2026-01-21T23:11:00", "from": "Ada", "text": "B"},
    ]
    group = {"id": 7, "type": "private_group", "messages": posts}
    files = {"telegram.json": json.dumps(group), "chat.txt": "21/01/2026, 23:12 - Ada: C\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    report = take(opened, *(tmp_path / name for name in files))
    said = {turn.text: turn.said for source in report.added for turn in opened.ledger.read(source.id).turns}
    assert said == {"A": "2026-01-22T04:10:00Z", "B": "2026-01-21T23:11:00", "C": "2026-01-21T23:12:00"}


def test_a_described_format_reads_a_file_it_is_named_for(opened: vault.Vault, tmp_path: Path) -> None:
    described = tmp_path / "desk.toml"
    described.write_text(
        "[format.desk]\ntext = 'body'\nspeaker = 'kind'\nhuman = ['guest']\nassistant = ['bot']\nsession = 'room'\n"
    )
    path = tmp_path / "log.jsonl"
    path.write_text('{"kind":"guest","body":"Is there rye?","room":1}\n{"kind":"bot","body":"Yes.","room":1}\n')
    (source,) = take(opened, path, format=str(described)).added
    assert source.format == "desk"
    described.unlink()
    turns = opened.ledger.read(source.id).turns
    assert [(turn.speaker, turn.text) for turn in turns] == [(Speaker.HUMAN, "Is there rye?"), (Speaker.ASSISTANT, "Yes.")]


def test_what_is_not_to_be_guessed_is_a_problem_and_nothing_is_kept(opened: vault.Vault, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("03/04/26, 10:00 - Ada: Rye.\n")
    report = take(opened, path)
    assert (len(report.added), [problem.rule for problem in report.problems]) == (0, ["damaged-conversation"])
    other = tmp_path / "again.txt"
    other.write_bytes(path.read_bytes())
    (source,) = take(opened, other, format="whatsapp-dmy").added
    assert source.id.startswith("20260403-")
