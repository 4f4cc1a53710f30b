"""The registry of transcript formats: recognised by content, read record by record.

Adding a format takes one module with a `FORMAT` and one line in `FORMATS`. The order is the order of asking: the formats
that give themselves away first, plain notes last.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikimem.edges.importers import (
    aider,
    answer,
    canonical,
    chatgpt,
    claude_ai,
    claude_code,
    claude_web,
    codex,
    codex_exec,
    copilot,
    cursor,
    cursor_database,
    droid,
    edit,
    excerpt,
    gemini,
    hermes,
    kimi,
    langsmith,
    mapping,
    minutes,
    note,
    openai_messages,
    opencode,
    otel,
    pi,
    qwen,
    slack,
    specstory,
    telegram,
    webvtt,
    whatsapp,
    zoom_chat,
)
from wikimem.edges.importers.format import Container, Conversation, Format, Head, LineFormat

__all__ = [
    "CANONICAL",
    "EDITION",
    "FORMATS",
    "Container",
    "Conversation",
    "Format",
    "Head",
    "LineFormat",
    "is_utc",
    "named",
    "recognise",
]

CANONICAL = canonical.FORMAT

EDITION = 3
"""Raised whenever a format is recognised or read differently, so that files once left out are looked at again."""

FORMATS: tuple[Format, ...] = (
    canonical.FORMAT,
    edit.FORMAT,
    answer.FORMAT,
    excerpt.FORMAT,
    codex.FORMAT,
    codex_exec.FORMAT,
    qwen.FORMAT,
    droid.FORMAT,
    claude_code.FORMAT,
    claude_web.FORMAT,
    copilot.FORMAT,
    pi.OPENCLAW,
    pi.FORMAT,
    gemini.FORMAT,
    gemini.DOCUMENT,
    kimi.FORMAT,
    cursor.FORMAT,
    cursor.EXPORT,
    cursor_database.FORMAT,
    opencode.FORMAT,
    hermes.LINES,
    hermes.FORMAT,
    chatgpt.FORMAT,
    claude_ai.FORMAT,
    otel.FORMAT,
    langsmith.FORMAT,
    slack.FORMAT,
    telegram.FORMAT,
    whatsapp.FORMAT,
    whatsapp.SIGNAL,
    whatsapp.DAY_FIRST,
    whatsapp.MONTH_FIRST,
    openai_messages.LINES,
    openai_messages.DOCUMENT,
    specstory.FORMAT,
    aider.FORMAT,
    webvtt.FORMAT,
    zoom_chat.FORMAT,
    minutes.FORMAT,
    note.FORMAT,
)

_IN_UTC = frozenset(
    format.name
    for format in FORMATS
    if not format.name.startswith(("wikimem", "aider", "hermes", "openai-", "whatsapp", "signal", "telegram", "note"))
)


def is_utc(name: str) -> bool:
    """Whether a time that stands without a zone in files of this format is UTC, as most programs log it.

    In a chat's export, in what aider and Hermes write, in messages of unknown origin and in our own canonical lines it is the
    time of a clock on somebody's wall, and so, for want of anything better, of the vault's zone.
    """
    return name in _IN_UTC


def recognise(head: Head, more: Iterable[Format] = ()) -> Format | None:
    """The first format that knows this file by its beginning, or None; `more`, described in settings, are asked first."""
    return next((format for format in (*more, *FORMATS) if format.recognise(head)), None)


def named(name: str, more: Iterable[Format] = ()) -> Format | None:
    """The format of that name, or the one that a TOML file of that name describes, or None.

    Args:
        name: of a format, or a path that ends in `.toml`.
        more: formats that the vault's settings describe.

    Raises:
        BadSettings: the file describes no format.
    """
    if name.endswith(".toml"):
        return mapping.load(Path(name).expanduser())
    return next((format for format in (*FORMATS, *more) if format.name == name), None)
