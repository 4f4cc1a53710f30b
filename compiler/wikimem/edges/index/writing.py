"""Commits to an index folder: documents added and removed, segments merged. The caller holds the lock."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from wikimem.edges.index import schema
from wikimem.edges.index.batch import Unit
from wikimem.edges.index.engine import TOC, FileIndex, SegmentReader
from wikimem.edges.index.reading import NAME

SEGMENTS = 12
"""So many segments are too many, since each costs every query a little: the smallest ones are merged."""


def create(folder: Path) -> None:
    """An empty index in a new folder."""
    folder.mkdir(parents=True)
    files = schema.Files(folder)
    FileIndex.create(files, schema.SCHEMA, NAME)
    files.release()


def generation(folder: Path) -> int:
    """The number of the last commit to an index."""
    files = schema.Files(folder)
    try:
        return int(TOC._latest_generation(files, NAME))
    finally:
        files.release()


def commit(folder: Path, added: Collection[Unit], removed: Collection[str]) -> None:
    """One commit: units (sources, subjects, pages) go, then others come; one that comes replaces itself.

    Args:
        folder: the index.
        added: what comes; each unit at most once.
        removed: names of units. What they held is not only hidden: the segments that held it are written anew without it.
    """
    shutil.rmtree(folder / f"{NAME}.tmp", ignore_errors=True)  # left by a writer that was killed
    files = schema.Files(folder)
    try:
        _write(FileIndex(files, schema.SCHEMA, NAME), added, removed)
    finally:
        files.release()


def _write(index: Any, added: Collection[Unit], removed: Collection[str]) -> None:
    writer = index.writer(compound=False, codec=schema.Codec())
    writer.pool = schema.Pool(writer.temp_storage(), writer.newsegment)
    try:
        _delete(writer, {*removed, *(unit.source for unit in added)})
        for unit in added:
            for document in schema.documents(unit):
                writer.add_document(**document)
    except BaseException:
        writer.cancel()
        raise
    writer.commit(mergetype=_purge if removed else _settle)


def _delete(writer: Any, sources: Collection[str]) -> None:
    """Mark the documents of sources as gone, wherever earlier commits put them."""
    base = 0
    for segment in list(writer.segments):
        reader = SegmentReader(writer.storage, writer.schema, segment)
        try:
            for source in sources:
                if ("source", source) in reader:
                    for number in list(reader.postings("source", source).all_ids()):
                        writer.delete_document(base + number)
        finally:
            reader.close()
        base += segment.doc_count_all()


def _settle(writer: Any, segments: list[Any]) -> list[Any]:
    """Merge the small ones, so that their number stays low and each document is written anew only now and then.

    A segment joins smaller ones only if it is not larger than they are together: else one session more would write half of
    the index anew, every few sessions.
    """
    living = [segment for segment in segments if segment.deleted_count() < segment.doc_count_all()]
    if len(living) < SEGMENTS:
        return living
    by_size = sorted(living, key=lambda one: int(one.doc_count_all()))
    merged, total = 0, 0
    for one in by_size:
        if merged > len(living) - SEGMENTS + 1 and one.doc_count_all() > total:
            break
        merged, total = merged + 1, total + int(one.doc_count_all())
    return _merge(writer, living, by_size[:merged])


def _purge(writer: Any, segments: list[Any]) -> list[Any]:
    """Write anew every segment that holds something deleted."""
    living = [segment for segment in segments if segment.deleted_count() < segment.doc_count_all()]
    return _merge(writer, living, [segment for segment in living if segment.deleted_count()])


def _merge(writer: Any, segments: list[Any], merged: list[Any]) -> list[Any]:
    for segment in merged:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        try:
            writer.add_reader(reader)
        finally:
            reader.close()
    return [segment for segment in segments if segment not in merged]
