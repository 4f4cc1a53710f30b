"""Decisions: what a person chose or approved of what an agent asked or proposed. Evidence is the answer and the proposal.

Answers in question dialogs, plans that were approved, an option taken by its letter or number, and a yes to a question that
names a thing or a value. Choices of what to do next, or whether to commit, are no decisions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core import texts
from wikimem.core.claims import Kind
from wikimem.core.rules import acts, names, sentences
from wikimem.core.rules.names import Name
from wikimem.core.rules.standing import placed, speaker
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.turns import Form, Speaker
from wikimem.core.views import Spoken, View

_PROCESS = re.compile(
    r"(?i)\b(?:proceed|continue|commit|push|go ahead|what (?:next|now)|next step|start (?:with|on)|ready to|should i\b|"
    r"those|should i (?:fix|run|look|check|implement|create|write|add|apply|do|make|go|try|start|also|update)|shall i|"
    r"want me to|would you like me|do you want me|failing test|pre-commit|merge|rerun|review|look(?:s)? (?:good|right|ok)|"
    r"approve|how would you like to)\b"
)
_UNDECIDED = re.compile(
    r"(?i)\b(?:later|explain|not sure|don'?t know|unsure|skip|neither|both\?|what|why|tell me|show me|up to you|you decide|"
    r"whatever)\b"
)
_TITLE = re.compile(r"^\s*#\s*(?:(?:implementation\s+)?plan\s*:\s*)?(?P<title>\S[^\n]*)", re.IGNORECASE)
_OPTION = re.compile(
    r"(?m)^\s*(?:[-*]\s+)?(?:\*\*)?(?:option\s+)?(?P<key>[A-H]|\d{1,2})(?:[).:]|\s[-–—])(?:\*\*)?\s+(?P<says>\S[^\n]{10,})$",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"(?i)^(?:(?:ok|okay|yes|yeah|yup|sure|good|right|let'?s|please|i'?d say|i think|we'?ll)[\s,.]+)*(?:(?:do|go with|"
    r"go for|take|choose|pick|prefer|use|implement|plan out|i (?:choose|pick|prefer|like))\s+)?(?:option\s+)?(?P<key>[a-h]|"
    r"\d{1,2})(?:\s+(?:please|it is|then|is (?:good|fine|better)))?(?:[.,!;:]|\s*$|\s+(?:because|since|but|and)\b)"
)
_YES = re.compile(
    r"(?i)^(?:yes|yep|yup|yeah|sure|ok|okay|agreed|right|correct|exactly|perfect|sounds good|do it|good)\b[^?]{0,60}$"
)
_ASKED = re.compile(r"(?P<question>[^\n.!?]{20,180}\?)\s*$")
_ASKS = re.compile(r"(?P<question>[^\n.!?]{15,180}\?)")
_VALUE = re.compile(r"\d|`")
LONGEST = 190


def found(view: View) -> Iterator[Statement]:
    """What persons decided in a session with an agent."""
    before: Spoken | None = None
    calls: dict[str, Spoken] = {}
    for one in view.spoken:
        if one.turn.form is Form.CALL:
            calls[one.turn.call] = one
        elif one.turn.speaker is Speaker.ASSISTANT and one.turn.form is Form.PROSE:
            before = one
        elif one.is_person:
            if one.turn.mark == "answer":
                yield from _answered(view, one, calls.get(one.turn.call))
            elif one.turn.mark == "approval":
                yield from _approved(view, one)
            elif not one.turn.mark and before is not None and len(one.words) < 400:
                yield from _accepted(view, one, before)
            before = None


def _answered(view: View, one: Spoken, call: Spoken | None) -> Iterator[Statement]:
    question, answer = texts.normal(one.turn.about), one.words.strip()
    if len(question) < 15 or _PROCESS.search(question) or " / " in question or len(answer) > LONGEST:
        return
    # A number alone stands for an option that is not told.
    if (
        re.match(r"#?\d+(?:\s+and|[,;.])\s", answer)
        or len(answer) < 3
        or answer.endswith("?")
        or _UNDECIDED.search(answer)
        or not any(c.isalpha() for c in answer)
    ):
        return
    last = _ASKS.findall(question)
    question = (
        last[-1].strip()
        if len(question) > LONGEST and last and len(last[-1]) > 30 and last[-1].strip()[0].isupper()
        else question
    )
    asked = question if len(question) <= LONGEST else question[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
    text = f"{speaker(view, one)} decided, asked {quoted(asked)}: {quoted(answer)}"
    yield _decision(view, one, _subject(question, answer), text, answer, _proposal(call, answer, asked))


def _proposal(call: Spoken | None, *wanted: str) -> tuple[str, str] | None:
    """Where an agent's call holds what was chosen, else what was asked."""
    if call is None:
        return None
    words = next((words for words in wanted if len(words) > 4 and words in call.turn.text), "")
    return (call.turn.at, words) if words else None


_NOT = (
    r"(?!(?:should|is|are|do|does|would|also|be|go|show|run|live|use|have|support|include|start|stay|it|we|you|i|to|for|in|"
    r"of|from|with|on|at)\b)"
)
_NOUNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:what|which)\s+(?!kind|type)(?P<noun>{_NOT}[\w-]+(?:\s+{_NOT}[\w-]+){{0,3}})\s+(?:should|is|are|do|does|would|"
        rf"to|for|in|of)\b",
        rf"^(?:when|where|how|why|should|do|does|can|must)\s+(?:(?:should|do|does|is|are)\s+)?(?:the|a|an|"
        rf"our)\s+(?P<noun>{_NOT}[\w-]+)",
        rf"\b(?:the|our)\s+(?P<noun>{_NOT}[\w-]+(?:\s+{_NOT}[\w-]+){{0,2}})\W*$",
    )
)


def _subject(question: str, answer: str) -> Name:
    """What a decision is about: what is written as code, else the noun that is asked for, else the question cut short."""
    coded = names.coded(question)
    if coded is not None:
        return coded
    noun = next((match["noun"] for pattern in _NOUNS if (match := pattern.search(question))), "")
    title = noun or " ".join(question.rstrip("?").split()[:7]).strip(",.;:(–-")
    return Name("decision", title[:1].upper() + title[1:] if len(title) > 3 else "Decisions")


def _approved(view: View, one: Spoken) -> Iterator[Statement]:
    title = _TITLE.match(one.turn.about)
    if title is None:
        return
    name = texts.normal(title["title"]).replace("`", "").strip(" .")[:120]
    day = one.turn.clock[:10]
    text = f"{speaker(view, one)} approved the plan {quoted(name)}."
    words = (Words(one.turn.at, texts.normal(one.words)[:LONGEST], day),)
    yield Statement("approval", placed(Name("project", ""), view), text, words, Kind.EPISODIC, attribute="decision")


def _accepted(view: View, one: Spoken, before: Spoken) -> Iterator[Statement]:
    answer = one.words.strip()
    chosen = _CHOSEN.match(answer)
    if chosen is not None:
        options = {option["key"].upper(): option for option in _OPTION.finditer(before.words)}
        option = options.get(chosen["key"].upper())
        if option is not None and len(options) >= 2 and not _ONCE.match(option["says"].strip("* ")):
            yield from _took(view, one, before, _short(option[0].strip()), answer)
        return
    last = before.words.rstrip().rpartition("\n\n")[2]
    opened = next((match for match in reversed(list(_ASKS.finditer(last))) if _OPEN.match(match["question"].strip())), None)
    if opened is not None and not _PROCESS.search(opened["question"]):
        yield from _told(view, one, before, opened["question"].strip(" -*"))
        return
    asked = _ASKED.search(before.words.rstrip())
    if asked is not None and _YES.match(answer) and not acts.asks(answer):
        question = asked["question"].strip(" -*")
        if _VALUE.search(question) and not _IDLE.search(question) and names.of_clause(question) is not None:
            yield from _took(view, one, before, question, answer)


_OPEN = re.compile(r"(?i)^(?:and |so )?(?:how (?:long|many|much|often)|where|which|when|what) .*\bshould\b")


def _told(view: View, one: Spoken, before: Spoken, question: str) -> Iterator[Statement]:
    """The first sentence of an answer to an open question on what should be."""
    first = next(iter(sentences.cut(one.words)), None)
    if (
        first is None
        or acts.asks(first.text)
        or acts.OBJECTS.match(first.text)
        or _UNDECIDED.search(first.text)
        or len(first.text.split()) < 3
    ):
        return
    words = one.words[first.start : first.end]
    if len(words) <= LONGEST and question in before.words:
        text = f"{speaker(view, one)} decided, asked {quoted(question)}: {quoted(words)}"
        yield _decision(view, one, _subject(question, words), text, words, (before.turn.at, question))


_ONCE = re.compile(r"(?i)^(?:delete|remove|fix|add|update|rename|run|skip|re-?run|revert|check|investigate|look)\b")
_IDLE = re.compile(
    r"(?i)\b(?:commit|push|proceed|continue|go ahead|run|next|start|implement|fix|tests?|pull request|merge|look|check|"
    r"ready|review|print|try|make sense|sound|ok|right|correct|questions?|would you like me|do you want me)\b"
)


def _short(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    end = max(text.rfind(mark, 30, LONGEST) for mark in (". ", "; ", ", ", " - ", " — "))
    return text[: end + 1].rstrip(" ,;-—") if end > 0 else text[:LONGEST].rsplit(" ", 1)[0]


def _took(view: View, one: Spoken, before: Spoken, proposal: str, answer: str) -> Iterator[Statement]:
    about = names.of_clause(proposal) or names.of_clause(answer)
    if about is None or proposal not in before.words or len(answer) > LONGEST:
        return
    text = f"{speaker(view, one)} accepted the agent's proposal {quoted(proposal)}: {quoted(answer)}"
    yield _decision(view, one, about, text, answer, (before.turn.at, proposal))


def _decision(view: View, one: Spoken, about: Name, text: str, words: str, proposal: tuple[str, str] | None) -> Statement:
    quote = Words(one.turn.at, words, proposal=proposal)
    return Statement("decision", placed(about, view), text, (quote,), Kind.SEMANTIC, attribute="decision")
