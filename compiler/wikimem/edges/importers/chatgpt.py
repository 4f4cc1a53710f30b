"""ChatGPT's data export: the zip, or one of its `conversations*.json`; each conversation is a tree of messages.

The thread that counts is the one from `current_node` upwards. Replies that were made again and questions that were put
otherwise stand on branches that were left: kept as such, evidence for nothing. Settings that a person wrote about
themselves (`user_editable_context`) come with every conversation and are kept once, as a conversation of their own.

Conversations that their owner marked as not to be remembered are counted and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import archives, canonical, chatgpt_messages, chats, jsonl
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_MEMBER = re.compile(r"(?:\A|/)conversations[^/]*\.json\Z")
_OTHERS = re.compile(r"(?:\A|/)(?:chat\.html|message_feedback\.json|dalle-generations/|file[-_]\w+)")
_SIGN = re.compile(rb'"mapping"\s*:\s*\{')
_NODES = re.compile(rb'"(?:current_node|author|parent|children|conversation_id|create_time)"\s*:')


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of an export; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str | Tally]:
    profiles: dict[str, Turn] = {}
    counts: dict[str, int] = {}
    for name, value in chats.parts(path, lambda member: _MEMBER.search(member) is not None, _is_conversation):
        number = counts[name] = counts.get(name, 0) + 1
        if isinstance(value, Torn):
            nodes = dict(_rescued(value))
            yield chats.told(name, number, chats.reason(value, len(nodes)))
            if nodes:
                yield _conversation({"mapping": nodes}, profiles)
        elif not _is_conversation(value):
            yield chats.told(name, number, "no conversation: it has no messages")
        elif value.get("is_do_not_remember") is True:
            yield _forgotten()
        else:
            yield _conversation(value, profiles)
    for key, turn in profiles.items():
        yield Conversation(f"profile-{key}", "Custom instructions", turn.said, (turn,))


def _forgotten() -> Tally:
    tally = Tally()
    tally.add("conversation marked as not to be remembered")
    return tally


def _is_conversation(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def _rescued(torn: Torn) -> Iterator[tuple[str, dict[str, Any]]]:
    """The whole nodes of a torn conversation, by id: alone, or in a mapping that is whole."""
    for place, piece in enumerate(torn.pieces):
        for key, node in (("", piece), *piece.items()):
            if _is_node(node):
                yield jsonl.text(node.get("id")) or jsonl.text(key) or f"torn-{place}", node


def _is_node(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    message = value.get("message")
    return isinstance(message, dict) and isinstance(message.get("author"), dict)


@dataclass(slots=True)
class _Thread:
    """The nodes of a conversation in the order in which they are told, and those on branches that were left."""

    order: list[str] = field(default_factory=list)
    left: set[str] = field(default_factory=set)


def _conversation(value: Mapping[str, Any], profiles: dict[str, Turn]) -> Conversation:
    nodes = {jsonl.text(key): node for key, node in value["mapping"].items() if isinstance(node, dict)}
    started, ended = chats.moment(value.get("create_time")), chats.moment(value.get("update_time"))
    model = jsonl.text(value.get("default_model_slug"))
    tally = Tally()
    tally.add("node that is none", False, len(value["mapping"]) - len(nodes))
    thread = _thread(nodes, value.get("current_node"))
    turns: list[Turn] = []
    for key in thread.order:
        message = nodes[key].get("message")
        found = chatgpt_messages.turns(message, key, model, tally)
        for turn in [turn for turn in found if turn.mark == chatgpt_messages.PROFILE]:
            _remember(profiles, turn, started)
            tally.add("profile")
        found = [turn for turn in found if turn.mark != chatgpt_messages.PROFILE]
        turns += [replace(turn, mark=canonical.LEFT) for turn in found] if key in thread.left else found
    told = chats.dated(turns, started, ended)
    own = jsonl.text(value.get("conversation_id")) or jsonl.text(value.get("id"))
    session = own or chats.session(started, told)
    title = jsonl.text(value.get("title"))
    return Conversation(session, title, started, told, +tally.noise, unknown=+tally.unknown)


def _remember(profiles: dict[str, Turn], turn: Turn, started: str) -> None:
    """Keep a person's settings once, with the day on which they are first met."""
    key = blake2b(turn.text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    day = (turn.said or started)[:10]
    known = profiles.get(key)
    if known is None or (day and (not known.said or day < known.said)):
        profiles[key] = Turn("", Speaker.HUMAN, Form.PROSE, turn.text, said=day, identity=f"profile-{key}")


def _thread(nodes: Mapping[str, dict[str, Any]], current: object) -> _Thread:
    parents = _parents(nodes)
    children: dict[str, list[str]] = {}
    for key, parent in parents.items():
        if parent:
            children.setdefault(parent, []).append(key)
    leaf = current if isinstance(current, str) and current in nodes else _newest(nodes, children)
    path: list[str] = []
    above = leaf
    seen: set[str] = set()
    while above and above not in seen:
        seen.add(above)
        path.append(above)
        above = parents.get(above, "")
    path.reverse()
    thread = _Thread()
    for key in path:
        thread.order.append(key)
        for child in children.get(key, ()):
            # What was left stands where it was left, before what took its place.
            if child not in seen:
                _below(child, children, seen, thread)
    # Nodes that hang on nothing we know are a thread of their own, told first; nobody left them.
    loose = [key for key in nodes if key not in seen]
    thread.order[:0] = loose
    return thread


def _parents(nodes: Mapping[str, dict[str, Any]]) -> dict[str, str]:
    """The parent of each node; where a node names none, the node that lists it among its children."""
    listed: dict[str, str] = {}
    for key, node in nodes.items():
        told = node.get("children")
        for child in told if isinstance(told, list) else ():
            if isinstance(child, str):
                listed.setdefault(child, key)
    found = {}
    for key, node in nodes.items():
        own = node.get("parent")
        parent = own if isinstance(own, str) and own in nodes else listed.get(key, "")
        found[key] = parent if parent != key else ""
    return found


def _newest(nodes: Mapping[str, dict[str, Any]], children: Mapping[str, list[str]]) -> str:
    """The leaf with the latest message; of several without a time the last one."""
    best, newest = "", ""
    for key, node in nodes.items():
        if key in children:
            continue
        message = node.get("message")
        said = chats.moment(message.get("create_time")) if isinstance(message, dict) else ""
        if not best or said >= newest:
            best, newest = key, said
    return best or next(iter(nodes), "")


def _below(start: str, children: Mapping[str, list[str]], seen: set[str], thread: _Thread) -> None:
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        thread.order.append(key)
        thread.left.add(key)
        waiting += reversed(children.get(key, ()))


def _recognise(head: Head) -> bool:
    if archives.is_zip(head):
        names = archives.names(head)
        packed = [body for name, body in names.items() if _MEMBER.search(name)]
        if any(packed):
            return any(_is_export(body) for body in packed)
        return any(_OTHERS.search(name) for name in names)
    return _is_export(head.data)


def _is_export(data: bytes) -> bool:
    start = data.removeprefix(jsonl.BOM).lstrip()
    return start.startswith((b"[", b"{")) and _SIGN.search(start) is not None and _NODES.search(start) is not None


FORMAT = Container("chatgpt", _recognise, conversations)
