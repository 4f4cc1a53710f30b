"""Scanning: where the secrets of the table stand in a text, in one pass. It changes nothing; `masking` does.

One compiled pattern looks for every literal at its rarest byte, and then, at once, for what must follow it. It tolerates
JSON escapes, so it runs on raw lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from wikimem.core.credentials import RULES, Rule

Span = tuple[int, int, str]
"""Start, end (byte offsets) and kind of a secret."""

# The bytes to look for first, best first: rare in transcripts, and few different ones so that the rules share them.
_ANCHORS = b"@JKzBASwxvk_gc"


def _anchor(literal: bytes) -> int:
    """Where in a literal the byte stands that is looked for first."""
    return min(range(len(literal)), key=lambda i: _ANCHORS.find(literal[i]) % 256)


@cache
def _gate() -> tuple[re.Pattern[bytes], tuple[tuple[Rule, int, bool], ...]]:
    """One pattern for all rules.

    Returns:
        The pattern, and for each of its groups the rule, the anchor's place in the literal, and whether the group is
        the secret (else it is the rest of the secret).
    """
    branches: dict[bytes, list[bytes]] = {}
    entries: dict[bytes, list[tuple[Rule, int, bool]]] = {}
    for rule in RULES:
        grouped = re.compile(rule.then).groups == 1
        then = rule.then if grouped else b"(" + rule.then + b")"
        for literal in rule.literals.split():
            at = _anchor(literal)
            head = re.escape(literal[at : at + 1])
            if literal.endswith(b"_") and at == len(literal) - 1:
                # Else only one look back for each rule would tell this underscore from others.
                head += b"(?=[A-Za-z0-9]{12})"
            branches.setdefault(head, []).append(_after_anchor(literal, at, rule.edge) + then)
            entries.setdefault(head, []).append((rule, at, grouped))
    # The heads are tried in turn wherever one of the anchors stands, so the commonest byte comes first.
    heads = sorted(branches, key=lambda head: _ANCHORS.find(head[:1]), reverse=True)
    whole = b"|".join(head + b"(?:" + b"|".join(branches[head]) + b")" for head in heads)
    return re.compile(whole), tuple(entry for head in heads for entry in entries[head])


def _after_anchor(literal: bytes, at: int, edge: bytes) -> bytes:
    """The rest of a literal after its anchor, and a look back at what must or must not stand before."""
    whole = re.escape(literal)
    pattern = re.escape(literal[at + 1 :])
    if at:
        pattern += b"(?<=%s)" % whole
    if edge:
        # In text within text the letter before may belong to an escape: `\nghp_…`, `\u00e9ghp_…`.
        ways = (edge, whole, whole, whole)
        pattern += rb"(?:(?<!%s%s)|(?<=\\[bfnrt]%s)|(?<=\\u[0-9a-fA-F]{4}%s))" % ways
    return pattern


def spans(data: bytes) -> Iterator[Span]:
    """The secrets in a text or in a raw line; they may overlap."""
    gate, entries = _gate()
    position = 0
    while (found := gate.search(data, position)) is not None:
        group = found.lastindex or 0
        rule, at, grouped = entries[group - 1]
        literal = found.start() - at
        span = _judged(rule, data, literal, found.start(group) if grouped else literal, found.end(group))
        if span is not None:
            yield span
        position = found.start() + 1 if span is None else found.end()


def _judged(rule: Rule, data: bytes, literal: int, start: int, end: int) -> Span | None:
    """What a match of the gate is, given what stands before its literal and what the secret itself looks like."""
    window = data[max(0, literal - 256) : literal]
    if rule.unless and _ending(rule.unless).search(window):
        return None
    if rule.before:
        before = _ending(rule.before).search(window)
        if before is None:
            return None
        if before.re.groups:
            start, end = literal - len(window) + before.start(1), literal
    if rule.real is not None and not rule.real(data[start:end]):
        return None
    return start, end, rule.kind


@cache
def _ending(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern + rb"\Z")
