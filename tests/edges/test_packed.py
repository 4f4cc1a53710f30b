"""Compressed transcripts: told by their first bytes, unpacked in a stream, and a clear sentence when they are damaged."""

from __future__ import annotations

import gzip
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from agents import item
from conftest import jsonl
from wikimem.edges import packed
from wikimem.faces.api import Vault

DATA = jsonl(*(item(n, "user", f"Reading {n} of the gauge.") for n in range(50)))


def zstandard(data: bytes) -> bytes:
    name = "compression.zstd" if find_spec("compression") else "backports.zstd"
    compressed: bytes = import_module(name).compress(data)
    return compressed


@pytest.mark.parametrize("codec", [gzip.compress, zstandard])
def test_what_was_packed_comes_back_also_in_several_frames(tmp_path: Path, codec: type[bytes]) -> None:
    path, target = tmp_path / "rollout.jsonl.x", tmp_path / "plain"
    path.write_bytes(codec(DATA[:700]) + codec(DATA[700:]))
    assert packed.is_packed(path.read_bytes()[: packed.HEAD])
    assert packed.unpack(path, target) == len(DATA)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("codec", [gzip.compress, zstandard])
def test_a_packed_file_that_is_cut_or_damaged_says_so(tmp_path: Path, codec: type[bytes]) -> None:
    whole = codec(DATA)
    for broken in (whole[:-9], whole[:40] + b"\xff" * 20 + whole[60:]):
        (tmp_path / "broken").write_bytes(broken)
        with pytest.raises(OSError, match="compressed"):
            packed.unpack(tmp_path / "broken", tmp_path / "plain")


def test_a_rollout_that_its_tool_packed_later_is_the_same_source(vault: Vault, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    plain = folder / "rollout-2026-05-04T08-00-00-019df21f-e800-7000-8000-000000000002.jsonl"
    plain.write_bytes(DATA)
    (first,) = vault.ingest([folder]).added
    assert first.session == "019df21f-e800-7000-8000-000000000002"
    plain.with_name(plain.name + ".zst").write_bytes(zstandard(DATA))
    plain.unlink()
    report = vault.ingest([folder])
    assert (report.added, report.unchanged, report.problems) == ([], 1, [])


def test_a_packed_rollout_is_kept_as_its_lines(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(zstandard(DATA))
    (kept,) = vault.ingest([path]).added
    assert kept.format == "codex"
    assert (vault.root / kept.path).read_bytes() == DATA
    broken = tmp_path / "broken.jsonl.zst"
    broken.write_bytes(zstandard(DATA)[:-9])
    (problem,) = vault.ingest([broken]).problems
    assert str(broken) in problem.where and "compressed" in problem.message
