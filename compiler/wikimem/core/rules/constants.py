"""Constants: the value that a person wants in code, once an agent wrote some: a port, a timeout, a path. Not the code itself.

What a value is of must be told: a file in the sentence, else the one that the agent changed since the person last spoke,
else the only one of which it spoke right before.
`The read timeout` and `the connect timeout` are two things, so a noun with a word before it is a subject of its own.
A bare number (`use 7171 instead`) counts only where the agent said right before which value it put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core.claims import Kind
from wikimem.core.rules import acts, conditions, dates, names, sentences, shell
from wikimem.core.rules.names import Name
from wikimem.core.rules.sentences import LONGEST, Sentence
from wikimem.core.rules.standing import placed
from wikimem.core.rules.statements import Statement, Words
from wikimem.core.turns import Form, Speaker
from wikimem.core.views import Spoken, View

_NOUNS = {
    "port": "port",
    "timeout": "timeout",
    "ttl": "ttl",
    "retry limit": "retry-limit",
    "max retries": "retry-limit",
    "rate limit": "rate-limit",
    "retention": "retention",
}
_NOUN = rf"(?P<noun>{'|'.join(sorted(_NOUNS, key=len, reverse=True))})"
_UNIT = r"(?:\s?(?:ms|s|sec|seconds?|minutes?|min|hours?|h|days?|weeks?|times|per (?:second|minute|hour|day)))?"
_NUMBER = rf"(?P<value>`?\d[\d_.]*{_UNIT}`?)(?![\w.]*[A-Za-z_/])"
_FIRST = r"(?:(?P<first>[a-z][a-z-]+)\s+)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:the|our|its|a)\s+{_FIRST}{_NOUN}\b(?:[^.;,:]|\.(?=\w)){{0,40}}?\s(?:is|should be|must be|has to be|"
        rf"needs to be|to|be)\s+"
        rf"(?:now\s+|always\s+)?{_NUMBER}",
        rf"\b(?:use|uses|using|keep|listens? on|set|make it|put it on|move it to)\s+(?:the\s+)?"
        rf"{_NOUN}\s+(?:to\s+)?{_NUMBER}",
        rf"\b(?:use|keep|set|make it)\s+{_NUMBER}\s+(?:for|as)\s+(?:the|our|its)\s+{_FIRST}{_NOUN}\b",
    )
)
_PATH = re.compile(
    r"\b(?:the|our|all)?\s*(?P<thing>(?:[a-z][a-z-]+\s+)?(?:logs?|log files?|config(?:uration)?(?: files?)?|data|"
    r"database(?: file)?|"
    r"cache|uploads?|backups?|reports?|exports?|fixtures?|snapshots?|secrets|templates?|output))\s+(?:lives?|goes|go|is|"
    r"are|belongs?|"
    r"stays?|should (?:be|go|live|stay)|must (?:be|go|live|stay)|(?:is|are) (?:kept|stored|written|"
    r"read))\s+(?:now\s+)?(?:in|into|at|to|"
    r"under|from)\s+`?(?P<value>(?:~|\.{1,2})?/?[\w.-]+(?:/[\w.-]+)+/?|/[\w.-]+)`?(?![\w/])",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"^(?:(?:no|nope|ok|and|but|please|actually|then|well|hm+)[\s,.!]+)*(?:use|make (?:it|that)|set (?:it|that) to|change (?:it|"
    r"that) to|(?:it|that) (?:should|must|has to|needs to) be|put it on|take)\s+(?P<value>\d{2,6})(?:\s+(?:instead|now|please))?"
    r"(?:[.,;!]|\s+(?:because|since|as|instead|not)\b|$)",
    re.IGNORECASE,
)
_PUT = re.compile(rf"\b{_NOUN}\s+(?:is\s+|to\s+|of\s+|=\s*)?(?:now\s+)?`?(?P<value>\d{{2,6}})\b", re.IGNORECASE)
_ORDERS = re.compile(r"(?i)\b(?:should|must|has to|needs to|use|set|make|put|change|move|keep)\b")
_PLAIN = frozenset({"", "default", "new", "current", "same", "only", "right", "correct", "actual", "real"})
_OUT = frozenset({"question", "supposes", "joke", "fiction", "report of others"})


def found(view: View) -> Iterator[Statement]:
    """The values that persons gave for code that was being written."""
    wrote: Name | None = None
    before: Spoken | None = None
    for one in view.spoken:
        if not one.is_person:
            wrote = shell.touched(one) or wrote
            if one.turn.speaker is Speaker.ASSISTANT and one.turn.form is Form.PROSE:
                before = one
            continue
        if len(one.words) < 12_000:
            for sentence in sentences.cut(one.words):
                if (
                    len(sentence.text) <= LONGEST
                    and acts.objection(sentence.text) not in _OUT
                    and not conditions.named(sentence.text)
                ):
                    yield from _of(view, one, sentence, wrote, before)
        wrote = before = None


def _of(view: View, one: Spoken, sentence: Sentence, wrote: Name | None, before: Spoken | None) -> Iterator[Statement]:
    text = sentence.text
    file = _file(text) or wrote or _only_file(before)
    for form in _FORMS:
        match = form.search(text)
        if match is not None and file is not None:
            noun, value = match["noun"].lower(), match["value"].strip("`. ")
            first = (match.groupdict().get("first") or "").lower()
            about = file if first in _PLAIN else Name("topic", f"{first} {noun}")
            yield _constant(view, one, sentence, about, noun, value)
            return
    path = _PATH.search(text)
    if path is not None and wrote is not None:
        yield _statement(view, one, sentence, Name("topic", path["thing"].lower()), "path", f"`{path['value']}`")
        return
    instead = _INSTEAD.search(acts.bare(text))
    if instead is None or before is None or file is None:
        return
    put = {(match["noun"].lower(), match["value"]) for match in _PUT.finditer(before.words)}
    # Where the agent told of several values nobody knows which one is meant.
    if len(put) == 1 and (told := next(iter(put)))[1] != instead["value"]:
        yield _constant(view, one, sentence, file, told[0], instead["value"])


def _file(text: str) -> Name | None:
    found = names.coded(text)
    return found if found is not None and "." in found.name else None


def _only_file(before: Spoken | None) -> Name | None:
    """The file that the agent spoke of right before, if it spoke of one alone."""
    found = names.files(before.words[:4000]) if before is not None else frozenset()
    return next(iter(found)) if len(found) == 1 else None


def _constant(view: View, one: Spoken, sentence: Sentence, about: Name, noun: str, value: str) -> Statement:
    return _statement(view, one, sentence, about, _NOUNS[noun], value, noun)


def _statement(view: View, one: Spoken, sentence: Sentence, about: Name, attribute: str, value: str, noun: str = "") -> Statement:
    """The value as a sentence of its own; what was ordered is told as what should be."""
    words = one.words[sentence.start : sentence.end]
    told = dates.told(words, one.turn.clock)
    verb = "should be" if _ORDERS.search(sentence.text) else "is"
    what = f"The {noun} of {about.label}" if about.code else f"The {about.name}" if noun else f"The place of the {about.name}"
    quote = (Words(one.turn.at, words, told.since, told.until),)
    return Statement("value", placed(about, view), f"{what} {verb} {value}.", quote, Kind.SEMANTIC, attribute=attribute)
