"""Archives: hostile ones are refused with a reason, and nothing is ever written to disk."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import mangled
from wikimem.edges.importers import archives
from wikimem.edges.importers.format import Head


def packed(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def contents(path: Path) -> dict[str, bytes | str]:
    found: dict[str, bytes | str] = {}
    with archives.opened(path) as archive:
        assert archive is not None
        for name, stream in archives.members(archive, lambda name: True):
            found[name] = stream if isinstance(stream, str) else stream.read()
    return found


def head(path: Path) -> Head:
    data = path.read_bytes()[: 1 << 16]
    return Head(path.name, data, len(data) == path.stat().st_size)


def test_members_are_read_and_names_lead_nowhere(tmp_path: Path) -> None:
    members = {"../../escape.json": b"[1]", "/etc/passwd": b"[2]", "C:\\x.json": b"[3]", "a/..\\b.json": b"[4]"}
    path = packed(tmp_path / "export.zip", members)
    assert sorted(value for value in contents(path).values() if isinstance(value, bytes)) == [b"[1]", b"[2]", b"[3]", b"[4]"]
    assert sorted(tmp_path.rglob("*")) == [path]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", {"conversations.json": b" " * (20 << 20), "small.json": b"[]"})
    found = contents(path)
    assert found["small.json"] == b"[]"
    assert str(found["conversations.json"]).startswith(f"it packs {20 << 20} bytes into ")


def test_a_member_that_is_damaged_gives_its_reason_after_what_was_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "export.zip", {"a.json": b"[1,2,3]" * 50, "b.json": b"[]"}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(data)
    found = contents(path)
    assert found["b.json"] == b"[]"
    assert str(found["a.json"]).startswith("it cannot be unpacked to its end: Bad CRC-32")


def test_what_is_no_archive_is_none(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(b"PK\x03\x04 and so on")
    with archives.opened(path) as archive:
        assert archive is None


def test_the_beginning_shows_names_and_their_content(tmp_path: Path) -> None:
    path = packed(tmp_path / "export.zip", {"users.json": b"[]", "conversations.json": b'[{"chat_messages":[]}]'})
    assert archives.is_zip(head(path))
    assert archives.names(head(path)) == {"users.json": b"[]", "conversations.json": b'[{"chat_messages":[]}]'}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_archives_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    path = packed(tmp_path / "export.zip", {"a.json": b"[1]" * 9, "b.json": b"[2]"})
    path.write_bytes(data.draw(mangled(path.read_bytes())))
    archives.names(head(path))
    with archives.opened(path) as archive:
        for _, stream in archives.members(archive, lambda name: True) if archive else ():
            assert isinstance(stream if isinstance(stream, str) else stream.read(), str | bytes)
