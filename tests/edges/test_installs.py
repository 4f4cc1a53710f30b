"""Installs: other programs' files are changed, and are byte for byte what they were after that is taken out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikimem.core.configs import Append, Put
from wikimem.edges.installs import Block, Installed, Json, Part, Whole

BEFORE = b'{"b":1,   "a" : [ ]}'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state" / "agent.json"


def parts(folder: Path, run: str = "ours") -> list[Part]:
    return [
        Json(folder / "settings.json", (Append(("hooks", "Stop"), {"run": run}, "ours"),)),
        Json(folder / "main.json", (Put(("servers", "wikimem"), 1),)),
        Block(folder / "config.toml", "[x]\ny = 1", "#"),
        Whole(folder / "deep" / "er" / "SKILL.md", "look\n"),
    ]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_everything_is_as_before_after_uninstalling(tmp_path: Path, place: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.json").write_bytes(BEFORE)
    (folder / "config.toml").write_bytes(b"a = 1")
    before = files(folder)
    Installed(place).put(parts(folder))
    assert [each.what for each in Installed(place).put(parts(folder))] == ["unchanged"] * 4
    Installed(place).take(parts(folder))
    assert files(folder) == before
    assert not (folder / "deep").exists()
    assert not place.exists()


def test_what_others_changed_since_stays_and_only_ours_goes(tmp_path: Path, place: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_bytes(BEFORE)
    Installed(place).put(parts(tmp_path))
    told = json.loads(settings.read_bytes()) | {"theirs": True}
    told["hooks"]["Stop"].append({"run": "theirs"})
    settings.write_text(json.dumps(told))
    (tmp_path / "deep/er/SKILL.md").write_text("changed\n")
    done = {each.path.name: each.what for each in Installed(place).take(parts(tmp_path))}
    assert json.loads(settings.read_bytes()) == {"b": 1, "a": [], "theirs": True, "hooks": {"Stop": [{"run": "theirs"}]}}
    assert done["SKILL.md"] == "left"
    assert (tmp_path / "deep/er/SKILL.md").read_text() == "changed\n"


def test_a_new_version_takes_the_place_of_an_old_one(tmp_path: Path, place: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_bytes(BEFORE)
    Installed(place).put(parts(tmp_path, "ours, old"))
    told = json.loads(settings.read_bytes()) | {"theirs": True}
    settings.write_text(json.dumps(told))
    Installed(place).put(parts(tmp_path, "ours, new"))
    assert json.loads(settings.read_bytes())["hooks"] == {"Stop": [{"run": "ours, new"}]}
    Installed(place).take(parts(tmp_path, "ours, new"))
    assert json.loads(settings.read_bytes()) == {"b": 1, "a": [], "theirs": True}


def test_a_file_that_is_no_plain_json_is_left_and_the_others_are_written(tmp_path: Path, place: Path) -> None:
    (tmp_path / "settings.json").write_text('// mine\n{"a": 1}')
    done = Installed(place).put(parts(tmp_path))
    assert [each.what for each in done] == ["left", "made", "made", "made"]
    assert "plain JSON" in done[0].why
    assert (tmp_path / "settings.json").read_text() == '// mine\n{"a": 1}'


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path, place: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_bytes(BEFORE)
    real.chmod(0o600)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    Installed(place).put(parts(tmp_path)[:1])
    assert link.is_symlink()
    assert b"ours" in real.read_bytes()
    assert real.stat().st_mode & 0o777 == 0o600
    assert place.stat().st_mode & 0o077 == 0
