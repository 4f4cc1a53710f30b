"""The built folder: ours alone is written and removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikimem.edges.sites.folder import MARKER, Folder
from wikimem.errors import NotASite


def test_equal_bytes_are_not_written_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    assert folder.write("a/b.html", b"one")
    before = folder.stamps()["a/b.html"]
    assert not folder.write("a/b.html", b"one")
    assert folder.stamps()["a/b.html"] == before
    assert folder.write("a/b.html", b"two")
    assert folder.read("a/b.html") == b"two"


def test_what_is_not_wanted_any_more_goes_and_what_others_put_there_stays(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    for name in ("a/old.html", "b/new.html"):
        folder.write(name, b"x")
    assert folder.sweep(["a/old.html", "b/new.html"]) == 0
    (tmp_path / "out" / "CNAME").write_text("memory.example.org")
    again = Folder(tmp_path / "out")
    again.write("b/new.html", b"x")
    assert again.sweep(["b/new.html"]) == 1
    assert sorted(again.stamps()) == [MARKER, "CNAME", "b/new.html"]
    assert not (tmp_path / "out" / "a").exists()


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    with pytest.raises(NotASite, match="thesis"):
        Folder(tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "mine"


def test_links_are_never_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    with pytest.raises(NotASite, match="link"):
        Folder(tmp_path / "linked")
    folder = Folder(tmp_path / "out")
    (tmp_path / "out" / "topics").symlink_to(tmp_path / "real")
    with pytest.raises(NotASite, match="link"):
        folder.write("topics/a.html", b"x")
    (tmp_path / "secret").write_text("s")
    (tmp_path / "out" / "x.html").symlink_to(tmp_path / "secret")
    assert folder.read("x.html") is None
    folder.write("x.html", b"ours")
    assert (tmp_path / "secret").read_text() == "s"


def test_a_forged_marker_removes_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("p")
    Folder(tmp_path / "out")
    marker = tmp_path / "out" / MARKER
    marker.write_bytes(marker.read_bytes() + b"../precious\n/etc/hostname\na//b\n")
    Folder(tmp_path / "out").sweep([])
    assert (tmp_path / "precious").read_text() == "p"


def test_half_written_files_of_a_killed_build_are_swept_up(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    folder.write("a.html", b"x")
    (tmp_path / "out" / ".a.html.4711.tmp").write_bytes(b"hal")
    folder.sweep(["a.html"], folder.stamps())
    assert sorted(folder.stamps()) == [MARKER, "a.html"]
