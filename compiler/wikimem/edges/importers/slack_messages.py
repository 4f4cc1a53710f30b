"""One message of Slack's export, read into a turn: who posted it, and its text without Slack's escapes. Not its channel."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import chats, jsonl
from wikimem.edges.importers.chats import Tally

_ESCAPED = re.compile(r"<(?P<sign>[@#!]?)(?P<to>[^<>|\n]+)(?:\|(?P<label>[^<>\n]*))?>")
_ROOM = re.compile(
    r"(?:channel|group|mpim)_(?:join|leave|topic|purpose|name|archive|unarchive|convert_to_private|posting_permissions|"
    r"convert_to_public|canvas_updated)\Z|(?:bot_add|bot_remove|pinned_item|unpinned_item|reminder_add|huddle_thread|"
    r"sh_room_created|joiner_notification(?:_for_inviter)?|tombstone|reply_broadcast|message_deleted|message_replied)\Z"
)
_BOTS = frozenset(("bot_message", "slackbot_response", "assistant_app_thread"))
_SPOKEN = frozenset(("", "me_message", "thread_broadcast", "file_share", "file_comment", "message_changed"))


@dataclass(slots=True)
class People:
    """Who stands behind an id."""

    names: dict[str, str] = field(default_factory=dict)
    bots: set[str] = field(default_factory=lambda: {"USLACKBOT"})

    def learn(self, user: Mapping[str, Any]) -> None:
        """Take in one entry of `users.json`."""
        own = jsonl.text(user.get("id"))
        if name := _called(user):
            self.names[own] = name
        if user.get("is_bot") is True:
            self.bots.add(own)

    def name(self, own: str) -> str:
        """The name of a user; the id itself where the export does not tell."""
        return self.names.get(own, own)


def is_message(value: object) -> bool:
    """Whether an object is such a message."""
    return isinstance(value, dict) and isinstance(value.get("ts"), str) and value.get("type", "message") == "message"


def turn(message: Mapping[str, Any], channel: str, people: People, tally: Tally) -> Turn | None:
    """The turn of a message; None, counted, for one that says nothing."""
    kind, subtype = jsonl.text(message.get("type")) or "message", jsonl.text(message.get("subtype"))
    if kind != "message":
        tally.add(f"type:{kind}", known=False)
        return None
    if _ROOM.match(subtype):
        tally.add(subtype)
        return None
    if subtype not in _SPOKEN and subtype not in _BOTS:
        tally.unknown[f"subtype:{subtype}"] += 1
    text = _words(message, people)
    if not text:
        tally.add("message without words" if subtype in _SPOKEN or subtype in _BOTS else f"subtype:{subtype}")
        return None
    user = jsonl.text(message.get("user"))
    profile = message.get("user_profile")
    name = people.names.get(user) or (_called(profile) if isinstance(profile, dict) else "") or user
    bot = subtype in _BOTS or user in people.bots or (bool(message.get("bot_id")) and not user) or "bot_profile" in message
    if bot:
        told = message.get("bot_profile")
        shown = jsonl.text(told.get("name")) if isinstance(told, dict) else ""
        name = jsonl.text(message.get("username")) or shown or name or jsonl.text(message.get("bot_id"))
    stamp = jsonl.text(message.get("ts"))
    return Turn(
        "",
        Speaker.HARNESS if bot else Speaker.HUMAN,
        Form.PROSE,
        text,
        name=name,
        said=chats.moment(stamp),
        identity=f"slack-{channel}-{stamp}" if stamp else "",
    )


def _called(user: Mapping[str, Any]) -> str:
    told = user.get("profile")
    profile = told if isinstance(told, dict) else {}
    for source, key in ((profile, "real_name"), (user, "real_name"), (profile, "display_name"), (user, "name")):
        if name := " ".join(jsonl.text(source.get(key)).split()):
            return name
    return ""


def _words(message: Mapping[str, Any], people: People) -> str:
    texts = [jsonl.text(message.get("text"))]
    if not texts[0].strip():
        cards = _dicts(message.get("attachments"))
        texts += [jsonl.text(each.get("text")) or jsonl.text(each.get("fallback")) for each in cards]
    shown = [plain(text, people) for text in texts]
    files = (jsonl.text(each.get("name")) or jsonl.text(each.get("title")) for each in _dicts(message.get("files")))
    shown += [f"[file: {' '.join(name.split())}]" for name in files if name.strip()]
    return "\n".join(text for text in shown if text.strip()).strip()


def plain(text: str, people: People) -> str:
    """Text without Slack's escapes: people and channels by name, links as they read."""

    def read(found: re.Match[str]) -> str:
        to, label = found["to"], found["label"] or ""
        match found["sign"]:
            case "@":
                return f"@{people.names.get(to) or label or to}"
            case "#":
                return f"#{label or to}"
            case "!":
                return f"@{label.removeprefix('@') or to.split('^')[0]}"
        return f"{label} ({to})" if label and label not in to else to

    return html.unescape(_ESCAPED.sub(read, text))


def _dicts(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
