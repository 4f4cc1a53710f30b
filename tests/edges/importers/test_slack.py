"""Slack's export: channels by month, replies under their threads, names from the export, bots are no people."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Speaker
from wikimem.edges import importers
from wikimem.edges.importers import slack
from wikimem.edges.importers.format import Conversation, Head

START = 1_786_700_000  # 2026-08-14T09:33:20Z
USERS = [
    {"id": "U1", "name": "ada", "profile": {"real_name": "Ada"}},
    {"id": "U2", "name": "bo", "real_name": "Bo"},
    {"id": "U3", "name": "oven", "is_bot": True},
]
CHANNELS = [{"id": "C1", "name": "bread"}]


def post(second: int, text: str, user: str = "U1", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"{START + second}.000100", **more}


def export(path: Path, days: dict[str, list[dict[str, Any]]], **lists: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, listed in {"users": USERS, "channels": CHANNELS, **lists}.items():
            archive.writestr(f"{name}.json", document(listed))
        for day, posts in days.items():
            archive.writestr(f"{day}.json", document(posts, 1))
    return path


def read(path: Path) -> list[Conversation]:
    found = list(slack.conversations(path))
    assert all(isinstance(each, Conversation) for each in found), found
    return [each for each in found if isinstance(each, Conversation)]


def test_replies_stand_under_what_they_answer_whatever_their_day(tmp_path: Path) -> None:
    thread = f"{START}.000100"
    days = {
        "bread/2026-08-14": [post(0, "Rye?", thread_ts=thread), post(50, "Lunch.")],
        "bread/2026-09-02": [
            post(1_700_000, "Yes.", "U2", thread_ts=thread, subtype="thread_broadcast"),
            post(1_700_000, "Yes.", "U2", thread_ts=thread),
            post(1_700_100, "New month."),
        ],
    }
    august, september = read(export(tmp_path / "export.zip", days))
    assert [(turn.name, turn.text, turn.said) for turn in august.turns] == [
        ("Ada", "Rye?", "2026-08-14T09:33:20Z"),
        ("Bo", "Yes.", "2026-09-03T01:46:40Z"),
        ("Ada", "Lunch.", "2026-08-14T09:34:10Z"),
    ]
    assert (august.session, august.title) == ("slack-C1-2026-08", "#bread, 2026-08")
    assert [turn.text for turn in september.turns] == ["New month."]
    assert september.session == "slack-C1-2026-09"
    assert august.noise["repeated"] + september.noise.get("repeated", 0) == 1


def test_text_is_read_without_its_escapes(tmp_path: Path) -> None:
    text = "<@U2> see <#C1|bread> &amp; <https://example.org/rye|the list> <!here> <@U9> 1 &lt; 2 <https://example.org>"
    (found,) = read(export(tmp_path / "export.zip", {"bread/2026-08-14": [post(0, text)]}))
    shown = "@Bo see #bread & the list (https://example.org/rye) @here @U9 1 < 2 https://example.org"
    assert [turn.text for turn in found.turns] == [shown]


def test_bots_joins_files_and_what_nobody_knows(tmp_path: Path) -> None:
    posts = [
        post(0, "<@U1> has joined the channel", subtype="channel_join"),
        {"type": "message", "subtype": "bot_message", "bot_id": "B1", "username": "Oven", "text": "Hot.", "ts": f"{START + 1}.0"},
        post(2, "Beep.", "U3"),
        post(3, "", files=[{"name": "list.pdf"}]),
        post(4, "", attachments=[{"fallback": "A card."}]),
        post(5, "Odd.", subtype="hologram"),
        post(6, ""),
        {"type": "weather", "ts": f"{START + 7}.0"},
    ]
    (found,) = read(export(tmp_path / "export.zip", {"bread/2026-08-14": posts}))
    assert [(turn.speaker, turn.name, turn.text) for turn in found.turns] == [
        (Speaker.HARNESS, "Oven", "Hot."),
        (Speaker.HARNESS, "oven", "Beep."),
        (Speaker.HUMAN, "Ada", "[file: list.pdf]"),
        (Speaker.HUMAN, "Ada", "A card."),
        (Speaker.HUMAN, "Ada", "Odd."),
    ]
    assert found.noise == {"channel_join": 1, "message without words": 1, "type:weather": 1}
    assert found.unknown == {"subtype:hologram": 1, "type:weather": 1}


def test_direct_messages_are_named_by_their_people(tmp_path: Path) -> None:
    days = {"D1/2026-08-14": [post(0, "Psst.")]}
    (found,) = read(export(tmp_path / "export.zip", days, dms=[{"id": "D1", "members": ["U1", "U2"]}]))
    assert found.title == "Ada, Bo, 2026-08"


def test_an_export_made_later_begins_with_the_same_turns(tmp_path: Path) -> None:
    first = {"bread/2026-08-14": [post(0, "Rye?")]}
    (before,) = read(export(tmp_path / "one.zip", first))
    (after,) = read(export(tmp_path / "two.zip", {**first, "bread/2026-08-15": [post(86_400, "Spelt?")]}))
    assert after.session == before.session
    assert after.turns[: len(before.turns)] == before.turns


def test_a_day_file_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bread").mkdir()
    (tmp_path / "users.json").write_bytes(document(USERS))
    path = tmp_path / "bread" / "2026-08-14.json"
    path.write_bytes(document([post(0, "Rye?")], 1))
    (found,) = read(path)
    assert (found.title, found.turns[0].name) == ("#bread, 2026-08", "Ada")
    format = importers.recognise(Head(path.name, path.read_bytes(), True))
    assert format is not None and format.name == "slack"


def test_a_torn_day_costs_only_what_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "2026-08-14.json"
    whole = document([post(number, f"number {number}") for number in range(4)])
    path.write_bytes(whole.replace(b'"number 1"', b'"numb', 1))
    reason, found = slack.conversations(path)
    assert isinstance(reason, str)
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == ["number 0", "number 2", "number 3"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_and_altered_exports_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    posts = data.draw(altered([post(0, "<@U2> Rye?", thread_ts=f"{START}.1"), post(1, "Yes.", files=[{"name": "x"}])]))
    users = data.draw(altered(USERS))
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("users.json", document(users))
        archive.writestr("channels.json", document(data.draw(altered(CHANNELS))))
        archive.writestr("bread/2026-08-14.json", data.draw(st.one_of(st.just(document(posts)), mangled(document(posts)))))
    for raw in (path.read_bytes(), data.draw(mangled(path.read_bytes()))):
        path.write_bytes(raw)
        assert all(isinstance(each, str) or each.turns for each in slack.conversations(path))
        importers.recognise(Head("export.zip", raw, True))
