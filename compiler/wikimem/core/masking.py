r"""Masking of secrets, before a byte of a transcript is written; it is no entropy guesser and no privacy filter.

A secret becomes `[masked:KIND]`; every other byte stays as it is. Masking twice equals masking once.

Masked: what `credentials.RULES` lists: tokens with a vendor's own prefix, private keys, signed tokens, passwords in URLs,
authorization headers, what a person put between `<private>` and `</private>`, and values in quotes that are assigned to a
name ending in `password`, `secret`, `token`, `api_key` and the like.

Not masked, by design:

* an assignment without quotes (`password: hunter22`), unless the value has a known prefix or the name is an environment
  variable of a well-known service (`STRIPE_SECRET=…`);
* an assigned value under 8 characters, without a digit, or with a blank, a quote or a backslash in it; one that is a
  placeholder, code, a path, a URL, a UUID, a git hash (40 hexadecimal digits), a date or an id;
* tokens that only their shape could give away: a bare AWS secret key, a Discord bot token, a Twilio auth token, a
  Google access token;
* secrets in another encoding (base64, percent encoding) or split over two strings;
* what is private but no credential: names, e-mail addresses, phone numbers, IP addresses;
* the keys of JSON objects, and values under keys that name ids, hashes or signatures (`uuid`, `sessionId`,
  `tool_use_id`, `signature`): citations and the links between records must survive.

A line of JSON is parsed only where `scanning` finds something in its bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from json import loads
from operator import itemgetter

from wikimem.core import scanning
from wikimem.core.credentials import ID_NAME, NO_SECRET_NAME, SECRET_NAME, assigned
from wikimem.core.scanning import Span

_HIDDEN = re.compile(rb"\\u00[2-7]")
"""A printable ASCII character written as an escape: it may be part of a literal."""


def json_line(line: bytes) -> tuple[bytes, dict[str, int]]:
    """Mask the secrets in one line of JSON.

    Args:
        line: one JSON value, without its newline. A line that is no JSON is masked as text, so that nothing leaks.

    Returns:
        The line, equal but for the masked parts of its strings, and how many secrets of each kind: {} if none.
    """
    if next(scanning.spans(line), None) is None and _HIDDEN.search(line) is None:
        return line, {}
    if not _is_json(line):
        return text(line)
    counts: Counter[str] = Counter()
    masks: list[tuple[int, int, bytes]] = []
    for key, start, end in _strings(line):
        raw = line[start:end]
        masked = _in_string(key, raw, counts)
        if masked is not raw:
            masks.append((start, end, masked))
    return (_written(line, masks), dict(counts)) if masks else (line, {})


def text(data: bytes) -> tuple[bytes, dict[str, int]]:
    """Mask the secrets in any text; it keeps its number of newlines.

    Returns:
        The text, and how many secrets of each kind: {} if none.
    """
    counts: Counter[str] = Counter()
    # What is masked ends a word, so that a secret may come to light right behind it.
    while masks := _masks(data, scanning.spans(data), b"\n", counts):
        data = _written(data, masks)
    return data, dict(counts)


def left(data: bytes, json: bool) -> dict[str, int]:
    """What masking would still find.

    Args:
        data: a line, or all lines of a file.
        json: whether each line is JSON.

    Returns:
        How many secrets of each kind; {} for what has been masked.
    """
    if not json:
        return text(data)[1]
    counts: Counter[str] = Counter()
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        counts.update(json_line(data[start:end])[1])
        start = end + 1
    return dict(counts)


def _masks(data: bytes, spans: Iterable[Span], newline: bytes, counts: Counter[str]) -> list[tuple[int, int, bytes]]:
    """What to write instead of which stretch of `data`; overlapping secrets become one, newlines within are kept."""
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            start, last, kind = joined.pop()
            end = max(end, last)
        joined.append((start, end, kind))
    counts.update(kind for _, _, kind in joined)
    return [(s, e, b"[masked:%s]" % kind.encode() + newline * data.count(b"\n", s, e)) for s, e, kind in joined]


def _written(data: bytes, masks: Iterable[tuple[int, int, bytes]]) -> bytes:
    pieces: list[bytes] = []
    done = 0
    for start, end, mask in masks:
        pieces += (data[done:start], mask)
        done = end
    return b"".join((*pieces, data[done:]))


def _is_json(line: bytes) -> bool:
    try:
        # Only validity counts, and numbers of any length are valid.
        loads(line.decode("utf-8").removeprefix("\ufeff"), parse_int=float)
    except (ValueError, RecursionError):
        return False
    return True


_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')
_COLON = re.compile(rb"[ \t\r\n]*:")


def _strings(line: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The string values of valid JSON that may be masked, which are those below no key that names ids.

    Yields:
        The key (empty in an array), and where the string's body starts and ends.
    """
    outer: list[bytes] = []
    key = b""
    for token in _TOKEN.finditer(line):
        first = line[token.start()]
        if first in b"[{":
            outer.append(key)
            key = key if first in b"[" and ID_NAME.search(key) else b""
        elif first in b"]}":
            key = outer.pop()
        elif _COLON.match(line, token.end()):
            key = line[token.start() + 1 : token.end() - 1]
        elif not ID_NAME.search(key):
            yield key, token.start() + 1, token.end() - 1


def _in_string(key: bytes, raw: bytes, counts: Counter[str]) -> bytes:
    """The body of a JSON string with the secrets in its decoded text masked; `raw` itself if it holds none."""
    named = SECRET_NAME.search(key) is not None and not NO_SECRET_NAME.search(key)
    # The scheme of a header means little without the header's name.
    lead = b"authorization: " if key.endswith(b"uthorization") else b""
    if not (named or lead or _HIDDEN.search(raw) or next(scanning.spans(raw), None)):
        return raw
    while True:
        value = loads(b'"%s"' % raw).encode("utf-8", "surrogatepass")
        spans = [(max(s - len(lead), 0), e - len(lead), kind) for s, e, kind in scanning.spans(lead + value)]
        if not spans and named and assigned(value):
            spans = [(0, len(value), "assignment")]
        if not spans:
            return raw
        masks = _masks(value, spans, b"\\n", counts)
        steps = _steps(raw)
        raw = _written(raw, [(_raw_offset(steps, s), _raw_offset(steps, e), mask) for s, e, mask in masks])


_ESCAPE = re.compile(rb"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|.)")


def _steps(raw: bytes) -> list[tuple[int, int]]:
    """Where the text of a JSON string's body (in UTF-8, lone surrogates as three bytes) and `raw` stand after each escape."""
    steps = [(0, 0)]
    text_at = raw_at = 0
    for escape in _ESCAPE.finditer(raw):
        pair, code = escape.groups()
        width = 4 if pair else len(chr(int(code, 16)).encode("utf-8", "surrogatepass")) if code else 1
        text_at += escape.start() - raw_at + width
        raw_at = escape.end()
        steps.append((text_at, raw_at))
    return steps


def _raw_offset(steps: list[tuple[int, int]], offset: int) -> int:
    """Where in the raw string a place of its text stands; never inside an escape."""
    text_at, raw_at = steps[bisect_right(steps, offset, key=itemgetter(0)) - 1]
    return raw_at + offset - text_at
