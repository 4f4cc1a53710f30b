"""Commit messages: subject, body and trailers as git's own parser reads them back, and harmless on hosting sites.

Subjects and bodies quote what people and models said. On a hosting site a `@name` in them would notify somebody, a
`#12` or a link would close an issue, and a line such as `Wiki-Op: forget` would pass for a trailer of ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MENTION = re.compile(r"(?<![A-Za-z0-9])@(?=[\w\[-])")
_NUMBER = re.compile(r"#(?=\w)|[!&](?=\d)")
_SHORT = re.compile(r"(?i)\b(GH)-(?=\d)")
_LINK = re.compile(r"(?i)/(issues|pull|merge_requests|work_items)/(?=\w)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_TRAILER_LIKE = re.compile(r"^(?=[A-Za-z0-9-]+\s*:|\(cherry picked from commit )")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")


@dataclass(frozen=True, slots=True)
class Message:
    """What a commit says.

    Args:
        subject: one line; longer text is folded into one.
        body: paragraphs; may be empty.
        trailers: names and values, in order; a name may come more than once.
    """

    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()


def render(message: Message) -> str:
    """The text of a message, ending in a newline.

    Raises:
        ValueError: a trailer's name is none (a mistake of the caller's, never of data).
    """
    parts = [defuse(_line(message.subject)) or "wikimem"]
    body = [_TRAILER_LIKE.sub("  ", defuse(_CONTROL.sub(" ", line)).rstrip()) for line in message.body.splitlines()]
    if any(body):
        parts.append("\n".join(body).strip("\n"))
    for key, _ in message.trailers:
        if not _KEY.match(key):
            raise ValueError(f"{key!r} is no name of a trailer")
    if message.trailers:
        parts.append("\n".join(f"{key}: {_line(value)}".rstrip() for key, value in message.trailers))
    return _writable("\n\n".join(parts)) + "\n"


def defuse(text: str) -> str:
    """Text in which hosting sites find no mention, no issue and no link to one: a space is put into each."""
    text = _MENTION.sub("@ ", text)
    text = _NUMBER.sub(lambda found: f"{found[0]} ", text)
    text = _SHORT.sub(r"\1 ", text)
    return _LINK.sub(r"/\1/ ", text)


def _line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
