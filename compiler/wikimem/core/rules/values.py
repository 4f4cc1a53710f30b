"""Values: attributes that a person's plain sentence gives, such as the port of a service, and corrections of one.

Only sentences of a few forms are read, and the value and its subject stand in them, or, for a correction, in what the
agent said right before. What a form does not fit gives no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core.rules import acts, conditions, dates, sentences
from wikimem.core.rules.lexicon import words as listed
from wikimem.core.rules.names import Name
from wikimem.core.rules.sentences import Sentence
from wikimem.core.rules.standing import placed
from wikimem.core.rules.statements import Statement, Words
from wikimem.core.turns import Form, Speaker
from wikimem.core.views import Spoken, View

_THING = (
    r"(?:(?P<article>(?i:the|our))\s+)?(?P<subject>`[^`]+`|(?:[A-Za-z][\w/.-]*)(?:\s+(?!is\b|are\b|now\b|runs\b|has\b|"
    r"also\b|must\b|should\b|will\b|can\b|may\b|needs?\b)[A-Za-z][\w/.-]*){0,2}?)"
)
_PERSON = r"(?P<value>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?)"
_TIMES = r"(?P<value>once|twice|(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\s+times)"
_SPAN = (
    r"(?P<value>(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?:seconds?|minutes?|hours?|days?|weeks?|"
    r"months?|years?))"
)
_NOW = r"(?:\s+(?:now|currently))?"
_RUNS = r"(?:runs?|listens?|is|are|sits|lives|moved)(?:\s+now)?\s+(?:on|to)"
_PART = r"(?P<subject>[a-z][\w-]*(?:\s+(?:team|service|module|repo))?)"
_BEGINS = r"(?:^|(?<=[,;:]\s)|(?<=\band\s))(?:(?i:since|from|as of)\s+(?:this\s+)?\w+\s+)?"
# The attribute, the form, and how the value is told; where that is empty, by the clause itself.
_FORMS: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (attribute, re.compile(_BEGINS + form), shown)
    for attribute, form, shown in (
        ("port", rf"{_THING}{_NOW}\s+{_RUNS}\s+port\s+(?P<value>\d{{2,5}})\b", "{subject} runs on port {value}."),
        ("retry-limit", rf"{_THING}\s+(?:retries|retry)\s+(?:only\s+)?{_TIMES}\b", ""),
        ("rotation", rf"{_THING}\s+(?:rotates?|(?:is|are)\s+rotated)\s+every\s+{_SPAN}", ""),
        ("retention", rf"{_THING}\s+(?:is|are)\s+kept\s+for\s+(?:(?P<value>good|ever)\b|{_SPAN.replace('value', 'span')})", ""),
        (
            "release-manager",
            rf"{_PERSON}\s+is{_NOW}\s+(?:the\s+|our\s+)?(?P<role>release\s+manager)\b",
            "{value} is release manager.",
        ),
        ("lead", rf"{_PERSON}\s+(?:also\s+)?leads\s+(?:the\s+)?{_PART}\b", "{value} leads {subject}."),
        ("owner", rf"{_PERSON}\s+(?:owns|maintains)\s+(?:the\s+)?{_PART}\b", "{value} owns {subject}."),
    )
)
_HINTS = ("port", "retr", "rotat", "kept for", "manager", "leads", "owns", "maintains", "not ")
"""One of these stands in whatever a form reads: the cheap question first."""
_GENERIC = frozenset(
    listed(
        "i you we they it he she this that these those there what which who clients client users user customers people "
        "everyone nobody everybody developers somebody someone anyone and but so or if when while because since until unless"
    )
)
_OUT = frozenset({"question", "supposes", "joke", "fiction", "report of others"})
_CORRECTED = re.compile(
    r"\b(?P<new>\d{2,6})(?:\s+now)?,?\s+(?:and\s+)?not\s+(?P<old>\d{2,6})\b|\bnot\s+(?P<old2>\d{2,6}),?\s+(?:but|"
    r"it'?s)\s+(?P<new2>\d{2,6})\b"
)
_ENVIRONMENT = re.compile(r"\b(?P<name>staging|production|prod)\b", re.IGNORECASE)
_PORT = re.compile(r"\bport\s+(?P<value>\d{2,5})\b")


def found(view: View) -> Iterator[Statement]:
    """The values that persons gave."""
    before: Spoken | None = None
    for one in view.spoken:
        if one.turn.speaker is Speaker.ASSISTANT and one.turn.form is Form.PROSE:
            before = one
        if not one.is_person or len(one.words) > 12_000 or not any(word in one.words for word in _HINTS):
            continue
        every = sentences.cut(one.words)
        for number, sentence in enumerate(every):
            if len(sentence.text) > sentences.LONGEST or _why(sentence.text) in _OUT:
                continue
            after = every[number + 1] if number + 1 < len(every) else None
            if not conditions.named(sentence.text):
                yield from _stated(view, one, sentence)
                yield from _corrected(view, one, sentence, after, before)
            yield from _of_environment(view, one, sentence)


def _why(text: str) -> str:
    return "" if acts.IDENTITY.search(text) else acts.objection(text)


def _stated(view: View, one: Spoken, sentence: Sentence) -> Iterator[Statement]:
    if not any(word in sentence.text for word in _HINTS):
        return
    for attribute, pattern, shown in _FORMS:
        for match in pattern.finditer(sentence.text):
            told = match.groupdict()
            subject = (told.get("subject") or "").strip("` ")
            if subject and (subject.split()[0].lower() in _GENERIC or len(subject) > 40):
                continue
            about = Name("topic", subject) if subject else Name("project", "")
            if _ENVIRONMENT.fullmatch(subject):
                about = Name("environment", subject.capitalize())
            elif told.get("role") and not view.scope:
                about = Name("topic", "Release manager")
            articled = told.get("article") or subject[:1].islower()
            named = subject if attribute in ("lead", "owner") else _capital(f"the {subject}" if articled else subject)
            start = match.start("article") if told.get("article") else match.start("subject") if subject else match.start()
            clause = sentence.text[start : match.end()].strip()
            text = shown.format(subject=named, value=match["value"]) if shown else f"{_capital(clause)}."
            yield _value(view, one, sentence.text, placed(about, view), attribute, text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _corrected(view: View, one: Spoken, sentence: Sentence, after: Sentence | None, before: Spoken | None) -> Iterator[Statement]:
    """`it is 6432 now, not 5432`: the attribute and the subject are those of the value that is corrected."""
    match = _CORRECTED.search(sentence.text)
    if match is None or before is None:
        return
    new, old = match["new"] or match["new2"], match["old"] or match["old2"]
    if not any(port["value"] == old for port in _PORT.finditer(before.words)):
        return
    place = _ENVIRONMENT.search(one.words) or _ENVIRONMENT.search(before.words)
    if place is None:
        return
    together = after is not None and after.paragraph == sentence.paragraph and dates.told(after.text, one.turn.clock).since
    words = one.words[sentence.start : after.end] if after is not None and together else one.words[sentence.start : sentence.end]
    name = place["name"].capitalize()
    text = f"{name} runs on port {new}."
    yield _value(view, one, words, placed(Name("environment", name), view), "port", text)


def _of_environment(view: View, one: Spoken, sentence: Sentence) -> Iterator[Statement]:
    """`apply it to staging: host db.example, port 5432`."""
    place, port = _ENVIRONMENT.search(sentence.text), _PORT.search(sentence.text)
    if place is None or port is None or place.start() > port.start() or any(p.search(sentence.text) for _, p, _ in _FORMS[:1]):
        return
    between = sentence.text[place.end() : port.start()]
    # `if they pass, apply it to staging: port 5432`: what stands behind the colon is so whether they pass or not.
    if "local" in between or (":" not in between and conditions.named(sentence.text)):
        return
    name = place["name"].capitalize()
    words = sentence.text if sentence.text in one.words else one.words[sentence.start : sentence.end]
    yield _value(view, one, words, placed(Name("environment", name), view), "port", f"{name} runs on port {port['value']}.")


def _value(view: View, one: Spoken, words: str, about: Name, attribute: str, text: str) -> Statement:
    told = dates.told(words, one.turn.clock)
    return Statement("value", about, text, (Words(one.turn.at, words, told.since, told.until),), attribute=attribute)
