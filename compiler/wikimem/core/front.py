"""The frontmatter of a page: scalars and flat lists of text, written by us in order. Not a YAML parser.

What YAML would read as something else than this text (`NO`, `12:30`, `0123`, `a: b`) is quoted, in a form that YAML 1.1
and 1.2 read alike. Reading knows the forms that people write such values in, and says None for any other.
"""

from __future__ import annotations

import json
import re

KEYS = ("title", "type", "aliases", "scope", "status", "summary", "valid_from", "valid_until")
LISTS = frozenset({"aliases"})
_BARE = frozenset({"scope", "valid_from", "valid_until"})
_DATES = frozenset({"valid_from", "valid_until"})
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?)?)?")
_COERCED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
_PLAIN = re.compile(r"[^\W\d_](?:[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff])*")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w-]*):(?:[ \t]+(?P<value>.*?))?[ \t]*")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"")

Value = str | tuple[str, ...]


def write(key: str, value: Value) -> str:
    """One line, `key: value`, without a newline."""
    if isinstance(value, tuple):
        return f"{key}: [{', '.join(_scalar(item, flow=True) for item in value)}]"
    if not value and key in _BARE:
        return f"{key}:"
    if key in _DATES and _DATE.fullmatch(value):
        return f"{key}: {value}"
    return f"{key}: {_scalar(value)}"


def _scalar(text: str, flow: bool = False) -> str:
    # A reader strips what stands around a plain value, white space of every kind.
    if text == text.strip() and _is_plain(text) and not (flow and re.search(r"[,\[\]{}:\"'#?]", text)):
        return text
    # JSON's form is YAML's too, but for the characters that YAML 1.1 takes for line ends or forbids.
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and text.casefold() not in _COERCED
        and ": " not in text
        and " #" not in text
        and not text.endswith((":", " "))
    )


def read(line: str) -> tuple[str, Value | None] | None:
    """Key and value of a line; None for a line that is no `key: value`; value None where its form is not known."""
    match = _KEY.fullmatch(line)
    if match is None:
        return None
    key, raw = match["key"], match["value"] or ""
    if raw.startswith("["):
        return key, _flow(raw)
    value = _read_scalar(raw)
    return key, ((value,) if key in LISTS and value else () if key in LISTS else value) if value is not None else None


def _read_scalar(raw: str) -> str | None:
    if raw[:1] in ("'", '"'):
        quoted = _QUOTED.match(raw)
        if quoted is None or not _is_comment(raw[quoted.end() :]):
            return None
        return _unquote(quoted[0])
    if raw[:1] in ("{", "[", "|", ">", "&", "*", "!", "%", "@", "`"):
        return None
    plain = re.split(r"(?:^|\s+)#", raw, maxsplit=1)[0].rstrip()
    return plain if ": " not in plain and not plain.endswith(":") else None


def _unquote(quoted: str) -> str | None:
    if quoted[0] == "'":
        return quoted[1:-1].replace("''", "'")
    try:
        value = json.loads(quoted)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _is_comment(rest: str) -> bool:
    return not rest.strip() or (rest[0].isspace() and rest.lstrip().startswith("#"))


def _flow(raw: str) -> tuple[str, ...] | None:
    """The items of `[a, "b", 'c']`."""
    items: list[str] = []
    position = 1
    while True:
        position += len(raw) - position - len(raw[position:].lstrip())
        quoted = _QUOTED.match(raw, position)
        if quoted is not None:
            item, position = _unquote(quoted[0]), quoted.end()
        else:
            plain = re.compile(r"[^,\[\]{}\"'#]*").match(raw, position)
            assert plain is not None
            item, position = plain[0].strip(), plain.end()
        if item is None:
            return None
        rest = raw[position:].lstrip()
        if item or quoted is not None:
            items.append(item)
        if rest[:1] == ",":
            position = len(raw) - len(rest) + 1
        else:
            return tuple(items) if rest[:1] == "]" and _is_comment(rest[1:]) else None
