"""WhatsApp's and Signal's text exports: headers of many phones, one decision on day and month for a whole file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import mangled
from wikimem.core.turns import Speaker
from wikimem.edges import importers
from wikimem.edges.importers import whatsapp
from wikimem.edges.importers.format import Conversation, Head


def read(path: Path, text: str, order: str = "") -> list[Conversation | str]:
    path.write_bytes(text.encode())
    return list(whatsapp.whatsapp(path, order))


def one(tmp_path: Path, text: str) -> Conversation:
    (found,) = read(tmp_path / "chat.txt", text)
    assert isinstance(found, Conversation)
    return found


def recognised(data: bytes, name: str = "_chat.txt") -> str:
    format = importers.recognise(Head(name, data[: 1 << 16], len(data) <= 1 << 16))
    return format.name if format else ""


@pytest.mark.parametrize(
    "line",
    [
        "[14/08/2026, 21:05:00] Ada: Rye.",
        "[8/14/26, 9:05:00\u202fPM] Ada: Rye.",
        "\u200e[14.08.26, 21:05:00] Ada: Rye.",
        "14/08/2026, 21:05 - Ada: Rye.",
        "8/14/26, 9:05 PM - Ada: Rye.",
        "14/8/2026, 9:05 p.\u00a0m. - Ada: Rye.",
        "14.08.26, 21:05 - Ada: Rye.",
        "2026-08-14, 21:05 - Ada: Rye.",
        "2026/8/14 下午9:05 - Ada: Rye.",
        "2026. 8. 14. 오후 9:05 - Ada: Rye.",
        "14-08-2026 21:05 - Ada: Rye.",
        "[14/08/2026 21.05.00] ~ Ada: Rye.",
    ],
)
def test_a_header_of_any_phone(tmp_path: Path, line: str) -> None:
    (turn,) = one(tmp_path, line + "\r\nAnd spelt.\r\n").turns
    assert (turn.speaker, turn.name, turn.text, turn.said) == (Speaker.HUMAN, "Ada", "Rye.\nAnd spelt.", "2026-08-14T21:05:00")
    assert recognised(line.encode()) == "whatsapp"


def lines(*dates: str) -> str:
    return "\n".join(f"{date}, 10:{number:02} - Ada: number {number}" for number, date in enumerate(dates))


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (("03/04/26", "04/04/26", "13/04/26"), ["2026-04-03", "2026-04-04", "2026-04-13"]),
        (("03/04/26", "04/04/26", "04/13/26"), ["2026-03-04", "2026-04-04", "2026-04-13"]),
        # No number above 12, but in only one of the orders do the dates not go back.
        (("11/04/26", "12/04/26", "01/05/26"), ["2026-04-11", "2026-04-12", "2026-05-01"]),
        (("04/11/26", "04/12/26", "05/01/26"), ["2026-04-11", "2026-04-12", "2026-05-01"]),
        (("05/05/26", "06/06/26"), ["2026-05-05", "2026-06-06"]),
    ],
)
def test_day_and_month_are_decided_over_the_whole_file(tmp_path: Path, dates: tuple[str, ...], days: list[str]) -> None:
    assert [turn.said[:10] for turn in one(tmp_path, lines(*dates)).turns] == days


def test_what_cannot_be_decided_is_asked_and_not_guessed(tmp_path: Path) -> None:
    (reason,) = read(tmp_path / "chat.txt", lines("03/04/26", "05/06/26"))
    assert isinstance(reason, str)
    assert "--format whatsapp-dmy or --format whatsapp-mdy" in reason
    for order, day in (("dmy", "2026-04-03"), ("mdy", "2026-03-04")):
        (found,) = read(tmp_path / "chat.txt", lines("03/04/26", "05/06/26"), order)
        assert isinstance(found, Conversation)
        assert found.turns[0].said == f"{day}T10:00:00"
        assert importers.named(f"whatsapp-{order}") is not None


def test_records_are_turns_and_noise(tmp_path: Path) -> None:
    text = (
        "[14/08/26, 09:12:00] Ada: \u200eMessages and calls are end-to-end encrypted.\n"
        "[14/08/26, 09:12:01] Ada: Rye?\n"
        "\u200e[14/08/26, 09:12:02] Bo: \u200eimage omitted\n"
        "[14/08/26, 09:12:03] Bo: <Media omitted>\n"
        "[14/08/26, 09:12:04] Bo: This message was deleted.\n"
        "[14/08/26, 09:12:05] Bo: Yes: two. <This message was edited>\n"
        "[14/08/26, 09:12:06] Ada created group \u201cBread: all of it\u201d\n"
        "[14/08/26, 09:12:07] Bo: list.pdf (file attached)\nFor Friday.\n"
        "[14/08/26, 09:12:08] Bo: \n"
    )
    found = one(tmp_path, text)
    assert [(turn.name, turn.text) for turn in found.turns] == [
        ("Ada", "Rye?"),
        ("Bo", "Yes: two."),
        ("Bo", "[file: list.pdf]\nFor Friday."),
    ]
    assert found.noise == {"system message": 2, "media without words": 2, "deleted message": 1, "empty message": 1}


def test_the_same_chat_exported_again_has_the_same_turns_first(tmp_path: Path) -> None:
    short = lines("13/04/26", "13/04/26", "14/04/26")
    before = one(tmp_path, short)
    after = one(tmp_path, f"{short}\n15/04/26, 11:00 - Bo: more")
    assert before.session == after.session
    assert after.turns[: len(before.turns)] == before.turns
    assert len({turn.identity for turn in after.turns}) == 4


def test_an_archive_and_its_name(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat - Bakery.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_chat.txt", "[14/08/26, 09:12:00] Ada: Rye.\n")
        archive.writestr("0001-PHOTO.jpg", b"\xff\xd8")
    (found,) = whatsapp.FORMAT.conversations(path)
    assert isinstance(found, Conversation)
    assert (found.session, found.title) == ("Bakery", "Bakery")
    assert recognised(path.read_bytes(), path.name) == "whatsapp"


def test_signal(tmp_path: Path) -> None:
    text = "[2026-08-14, 12:23] Ada: Rye.\n[2026-08-14, 12:24] Bo: And\nspelt.\n"
    assert [(turn.name, turn.text, turn.said) for turn in one(tmp_path, text).turns] == [
        ("Ada", "Rye.", "2026-08-14T12:23:00"),
        ("Bo", "And\nspelt.", "2026-08-14T12:24:00"),
    ]
    assert recognised(text.encode(), "export.txt") == "signal"


def test_a_note_that_holds_a_date_is_no_chat() -> None:
    assert recognised(b"14/08/2026 the bakery opens\n", "note.txt") == "note"
    assert recognised(b"# 14.08.2026, 10:00 - Meeting\n", "note.md") == "note"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_chats_never_raise_and_keep_every_whole_message(tmp_path: Path, data: st.DataObject) -> None:
    whole = "".join(f"[{day}/08/26, 09:12:{day}] Ada: number {day} é\n" for day in range(14, 20)).encode()
    broken = data.draw(mangled(whole))
    path = tmp_path / "chat.txt"
    path.write_bytes(broken)
    recognised(broken)
    kept = {line.decode("utf-8", "replace") for line in broken.split(b"\n")} & {
        line for line in whole.decode().split("\n") if line
    }
    told = [turn.text for each in whatsapp.whatsapp(path, "dmy") if isinstance(each, Conversation) for turn in each.turns]
    for line in kept:
        words = line.split("Ada: ")[1]
        assert any(words in text for text in told)
