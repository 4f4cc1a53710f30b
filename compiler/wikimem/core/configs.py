"""Config files of other programs: what is added to them, and how it is taken out again. Pure; text in, text out.

JSON is read, changed and written with the indentation it had; a block in any other text stands between two marker lines.
What others wrote keeps its order. Taking out what was added gives back the values that were there before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Put:
    """Set a value.

    Args:
        keys: the path to it, from the top.
        value: plain values.
    """

    keys: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Append:
    """Append a value to a list.

    Args:
        keys: the path to the list.
        value: plain values.
        mark: words by which such a value is known, also one that was added by another version; empty if only this is.
    """

    keys: tuple[str, ...]
    value: Any
    mark: str = ""

    def is_in(self, value: Any) -> bool:
        """Whether a value is this one, or was this one once."""
        return bool(value == self.value or (self.mark and self.mark in json.dumps(value)))


Change = Put | Append


class NotJson(ValueError):
    """The text is no JSON object of ours to change; the message is one clause."""


def added(text: str, changes: Iterable[Change]) -> str:
    """A JSON text with changes made; one that has them already is given back as it is.

    Args:
        text: the file's; empty if there is none.
        changes: what is added.

    Raises:
        NotJson: it is no JSON object, or what is to be a list or an object in it is something else.
    """
    told = _read(text)
    before = json.dumps(told)
    for change in changes:
        place = _within(told, change.keys[:-1])
        last = change.keys[-1]
        if isinstance(change, Put):
            place[last] = change.value
            continue
        found = place.setdefault(last, [])
        if not isinstance(found, list):
            raise NotJson(f"{'.'.join(change.keys)} is no list")
        if change.value not in found:
            found.append(change.value)
    return text if json.dumps(told) == before and text else _written(told, text)


def removed(text: str, changes: Sequence[Change], kept: str = "") -> str:
    """A JSON text without what changes added.

    Args:
        text: the file's.
        changes: what was added.
        kept: the text before they were made; if nothing else differs from it, it is given back byte for byte.

    Raises:
        NotJson: as for `added`.
    """
    told = _read(text)
    original = _read(kept)
    for change in changes:
        _take(told, change, original)
    if kept and told == original:
        return kept
    return _written(told, text) if told else ""


def _take(told: dict[str, Any], change: Change, original: Mapping[str, Any]) -> None:
    path: list[dict[str, Any]] = [told]
    for key in change.keys[:-1]:
        inner = path[-1].get(key)
        if not isinstance(inner, dict):
            return
        path.append(inner)
    last = change.keys[-1]
    holder = path[-1]
    if isinstance(change, Put):
        before = _at(original, change.keys)
        if before is not None:
            holder[last] = before
        else:
            holder.pop(last, None)
    elif isinstance(holder.get(last), list):
        holder[last] = [one for one in holder[last] if not change.is_in(one)]
        if not holder[last] and _at(original, change.keys) is None:
            del holder[last]
    # Objects that were made for it go with it.
    for depth in range(len(path) - 1, 0, -1):
        keys = change.keys[:depth]
        if not path[depth] and _at(original, keys) is None:
            del path[depth - 1][keys[-1]]


def _at(told: Mapping[str, Any], keys: Sequence[str]) -> Any:
    found: Any = told
    for key in keys:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def _within(told: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    place = told
    for number, key in enumerate(keys):
        inner = place.setdefault(key, {})
        if not isinstance(inner, dict):
            raise NotJson(f"{'.'.join(keys[: number + 1])} is no object")
        place = inner
    return place


def _read(text: str) -> dict[str, Any]:
    bare = text.removeprefix("\ufeff")
    if not bare.strip():
        return {}
    try:
        told = json.loads(bare)
    except ValueError as error:
        raise NotJson(f"it is no plain JSON ({error})") from None
    if not isinstance(told, dict):
        raise NotJson("it is no JSON object")
    return told


def _written(told: Mapping[str, Any], like: str) -> str:
    """The values as text, with the indentation, line ends and byte-order mark of another."""
    found = _INDENT.search(like)
    out = json.dumps(told, indent=found[1] if found else 2, ensure_ascii=False)
    if like.endswith("\n") or not like.strip():
        out += "\n"
    if "\r\n" in like:
        out = out.replace("\n", "\r\n")
    return "\ufeff" + out if like.startswith("\ufeff") else out


def begin(comment: str) -> str:
    """The line before a block; `comment` is what a comment begins with, `#` or `<!--`."""
    return _marked(comment, "wikimem: begin, made by `wikimem install`; `wikimem install --uninstall` removes it")


def end(comment: str) -> str:
    """The line after a block."""
    return _marked(comment, "wikimem: end")


def _marked(comment: str, words: str) -> str:
    return f"{comment} {words} -->" if comment == "<!--" else f"{comment} {words}"


def with_block(text: str, block: str, comment: str) -> str:
    """A text with a block at its end, or in the place of the one that it has.

    Args:
        text: the file's; empty if there is none.
        block: whole lines.
        comment: as for `begin`.
    """
    line = "\r\n" if "\r\n" in text else "\n"
    body = line.join((begin(comment), *block.rstrip("\n").split("\n"), end(comment))) + line
    found = _block(text, comment)
    if found is not None:
        return text[: found[0]] + body + text[found[1] :]
    # Two line ends before the block at most, and they are the block's: what stood there ends as it did.
    lead = "" if not text else line if text.endswith(("\n", "\r")) else line + line
    return text + lead + body


def without_block(text: str, comment: str) -> str:
    """A text without its block, and without the empty line that was set before it."""
    found = _block(text, comment)
    if found is None:
        return text
    before, after = text[: found[0]], text[found[1] :]
    for lead in ("\r\n\r\n", "\n\n"):
        if not after and before.endswith(lead):
            # The text ended in a line end, or in none: only its own bytes can tell, so the caller keeps those.
            return before[: -len(lead) // 2]
    return before + after


def _block(text: str, comment: str) -> tuple[int, int] | None:
    first = text.find(begin(comment))
    if first < 0:
        return None
    last = text.find(end(comment), first)
    if last < 0:
        return None
    stop = text.find("\n", last)
    return first, len(text) if stop < 0 else stop + 1
