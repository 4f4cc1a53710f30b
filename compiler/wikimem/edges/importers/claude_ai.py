"""Claude.ai's data export: the zip, or its `conversations.json`, `projects.json` or `memories.json`; lists of JSON objects.

Messages form a tree where they name their parents; the branch with the newest leaf is the one that counts, since the
export does not tell. What was attached (`extracted_content`, documents of a project) is a document and nobody's speech;
what Claude keeps as its memory is its own summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import archives, canonical, chats, claude_ai_blocks, jsonl
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_MEMBER = re.compile(r"(?:\A|/)(?:conversations[^/]*|projects/?[^/]*|memories)\.json\Z")
_SIGN = re.compile(rb'"chat_messages"\s*:\s*\[')
_PROJECT = re.compile(rb'\A\[?\s*\{\s*"uuid"\s*:.*?"prompt_template"\s*:', re.DOTALL)
_MEMORY = re.compile(rb'\A\s*\[?\s*\{\s*"(?:conversations_memory|project_memories)"\s*:')


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of an export; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str | Tally]:
    counts: dict[str, int] = {}
    for name, value in chats.parts(path, lambda member: _MEMBER.search(member) is not None, _is_item):
        number = counts[name] = counts.get(name, 0) + 1
        if isinstance(value, Torn):
            messages = [piece for piece in value.pieces if claude_ai_blocks.is_message(piece)]
            yield chats.told(name, number, chats.reason(value, len(messages)))
            if messages:
                yield _conversation({"chat_messages": messages})
        elif not isinstance(value, dict):
            yield chats.told(name, number, "no conversation: no JSON object")
        elif isinstance(value.get("chat_messages"), list):
            yield _conversation(value)
        elif "prompt_template" in value or "docs" in value:
            yield _project(value)
        elif "conversations_memory" in value or "project_memories" in value:
            yield from _memories(value)
        else:
            yield chats.told(name, number, "no conversation: it has no messages")


def _is_item(value: object) -> bool:
    return isinstance(value, dict) and ("chat_messages" in value or "prompt_template" in value or "conversations_memory" in value)


def _conversation(value: Mapping[str, Any]) -> Conversation:
    tally = Tally()
    messages = [each for each in value["chat_messages"] if isinstance(each, dict)]
    tally.add("message that is none", False, len(value["chat_messages"]) - len(messages))
    started, ended = chats.moment(value.get("created_at")), chats.moment(value.get("updated_at"))
    left = _left(messages)
    turns: list[Turn] = []
    for place, message in enumerate(messages):
        found = claude_ai_blocks.turns(message, tally)
        turns += [replace(turn, mark=canonical.LEFT) for turn in found] if place in left else found
    told = chats.dated(turns, started, ended)
    session = jsonl.text(value.get("uuid")) or chats.session(started, told)
    title = jsonl.text(value.get("name"))
    return Conversation(session, title, started, told, +tally.noise, unknown=+tally.unknown)


def _left(messages: Sequence[Mapping[str, Any]]) -> set[int]:
    """The places of the messages on branches that were left: those that fork off the way from the root to the newest leaf."""
    places = {jsonl.text(message.get("uuid")): place for place, message in enumerate(messages) if message.get("uuid")}
    parents = {}
    for place, message in enumerate(messages):
        above = places.get(jsonl.text(message.get("parent_message_uuid")), -1)
        parents[place] = above if above != place else -1
    if all(above < 0 for above in parents.values()):
        return set()
    inner = set(parents.values())
    leaves = [place for place in parents if place not in inner]
    newest = max(leaves, key=lambda place: (chats.moment(messages[place].get("created_at")), place), default=-1)
    path: set[int] = set()
    while newest >= 0 and newest not in path:
        path.add(newest)
        newest = parents[newest]
    roots = _forked_roots(messages, parents, path)
    return {place for place in parents if place not in path and _leaves_path(place, parents, path, roots)}


def _forked_roots(messages: Sequence[Mapping[str, Any]], parents: Mapping[int, int], path: set[int]) -> set[int]:
    """First messages that were put otherwise: they name the same missing parent as the first one of the path."""
    named = {jsonl.text(messages[place].get("parent_message_uuid")) for place in path if parents[place] < 0} - {""}
    return {
        place
        for place, above in parents.items()
        if above < 0 and place not in path and jsonl.text(messages[place].get("parent_message_uuid")) in named
    }


def _leaves_path(place: int, parents: Mapping[int, int], path: set[int], roots: set[int]) -> bool:
    seen: set[int] = set()
    while place >= 0 and place not in seen:
        if place in path or place in roots:
            return True
        seen.add(place)
        place = parents[place]
    return False


def _project(value: Mapping[str, Any]) -> Conversation:
    """A project: what a person wrote about it, and its documents."""
    tally = Tally()
    own = jsonl.text(value.get("uuid"))
    said = chats.moment(value.get("created_at"))
    # The example project comes with every account, written by nobody who has one.
    if value.get("is_starter_project") is True:
        tally.add("starter project")
        return Conversation(own, "", said, (), tally.noise)
    turns = [
        Turn("", Speaker.HUMAN, Form.PROSE, text, said=said, identity=f"{own}-{key}" if own else "")
        for key in ("description", "prompt_template")
        if (text := jsonl.text(value.get(key)).strip())
    ]
    docs = value.get("docs")
    for doc in docs if isinstance(docs, list) else ():
        turn = claude_ai_blocks.document(doc, said, jsonl.text(doc.get("uuid"))) if isinstance(doc, dict) else None
        if turn is None:
            tally.add("empty document")
        else:
            turns.append(turn)
    name = jsonl.text(value.get("name"))
    return Conversation(own or chats.session(said, turns), name, said, tuple(turns), +tally.noise)


def _memories(value: Mapping[str, Any]) -> Iterator[Conversation]:
    """What Claude remembers of its conversations, as the summaries that they are."""
    whose = jsonl.text(value.get("account_uuid"))[:12]
    kept = {"": value.get("conversations_memory")}
    projects = value.get("project_memories")
    kept |= {jsonl.text(key): text for key, text in (projects.items() if isinstance(projects, dict) else ())}
    turns = [
        Turn("", Speaker.SUMMARY, Form.PROSE, jsonl.text(text).strip(), identity=f"memory-{key}")
        for key, text in kept.items()
        if isinstance(text, str) and text.strip()
    ]
    yield Conversation(f"memory-{whose}", "Claude's memory", "", tuple(turns))


def _recognise(head: Head) -> bool:
    if archives.is_zip(head):
        names = archives.names(head)
        return any(_MEMBER.search(name) and _is_export(body) for name, body in names.items())
    return _is_export(head.data)


def _is_export(data: bytes) -> bool:
    start = data.removeprefix(jsonl.BOM).lstrip()
    if not start.startswith((b"[", b"{")):
        return False
    return any(sign.search(start) for sign in (_SIGN, _PROJECT, _MEMORY))


FORMAT = Container("claude-ai", _recognise, conversations)
