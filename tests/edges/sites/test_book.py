"""The book between builds: kept, dropped, and given up when it is damaged or of another edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikimem.edges.sites.book import Book


def test_what_is_kept_is_there_at_the_next_build(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with Book.open(path, "1") as book:
        book.keep("files", {"a": {"n": 1}, "b": b'{"n": 2}'})
        book.drop("files", ["a"])
    with Book.open(path, "1") as book:
        assert book.all("files") == {"b": b'{"n": 2}'}
        assert book.some("files", ["a", "b"]) == {"b": {"n": 2}}


def test_another_edition_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with Book.open(path, "1") as book:
        book.keep("files", {"a": 1})
    with Book.open(path, "2") as book:
        assert book.all("files") == {}


def test_a_damaged_book_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    path.write_bytes(b"this is no database, whatever its name says" * 100)
    with Book.open(path, "1") as book:
        book.keep("files", {"a": 1})
    with Book.open(path, "1") as book:
        assert book.all("files") == {"a": b"1"}


def test_a_build_that_fails_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with pytest.raises(RuntimeError), Book.open(path, "1") as book:
        book.keep("files", {"a": 1})
        raise RuntimeError
    with Book.open(path, "1") as book:
        assert book.all("files") == {}
