"""Chats and meetings: what people say of themselves, of others and of plans, as anchored quotes. Not talk for its own sake.

Every sentence is weighed by marks of content (`marks`). Of each turn the best sentence is kept, and of a session the best
turns, at most four of ten. What answers a question of the other one is quoted with the question. What is told of a
relative, a friend or somebody by name is filed under them, not under who speaks. What is left out is not lost: turns are
searched as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wikimem.core import people
from wikimem.core.claims import Kind
from wikimem.core.rules import acts, conditions, dates, marks, sentences
from wikimem.core.rules import asked as questions
from wikimem.core.rules.marks import ENOUGH, weigh
from wikimem.core.rules.names import Name
from wikimem.core.rules.sentences import Sentence
from wikimem.core.rules.standing import placed, speaker
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.turns import Form
from wikimem.core.views import Spoken, View

SHARE = 0.4
"""Statements a turn at most, over a session: one that is full of news is not cut to the measure of small talk."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence that is worth keeping.

    Args:
        weight: how much it holds.
        number: of the sentence in its turn.
        one: its turn.
        words: the quote; may hold the sentence before or after as well.
        carries: the sentence itself.
        asked: the question of somebody else that it answers, where it cannot be understood without.
    """

    weight: int
    number: int
    one: Spoken
    words: str
    carries: str
    asked: str = ""


_LEANS = re.compile(
    r"^(?:(?:and|but|so|yeah|yes|yep|also|well|oh|wow|thanks|plus)\b[\s,.!]*)*(?:it|its|it's|this|that|that's|these|those|"
    r"they|they're|he|she|he's|she's|them|there|his|her|their|then|in that case|otherwise)\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"(?:\w+[\s,–-]+)?(?:I|I'm|I've|I'll|I'd|[Ww]e|[Ww]e're|[Ww]e've|[Mm]y|[Oo]ur)\b")
"""A sentence about whoever speaks, whatever else it names."""


def is_one(view: View) -> bool:
    """Whether nothing but speech was exchanged: no tool was called."""
    return not any(one.turn.form is not Form.PROSE for one in view.spoken)


def found(view: View) -> Iterator[Statement]:
    """The statements of a chat or meeting that hold most, in order."""
    persons = [one for one in view.spoken if one.is_person]
    best: list[_Found] = []
    before: Spoken | None = None
    for one in view.spoken:
        if one.is_person and len(one.words) < 20_000 and (item := _best(one, before)) is not None:
            best.append(item)
        before = one
    room = max(2, int(SHARE * len(persons)))
    kept = sorted(best, key=lambda item: (-item.weight, item.number))[:room]
    order = {one.turn.at: place for place, one in enumerate(persons)}
    for item in sorted(kept, key=lambda item: order[item.one.turn.at]):
        yield _statement(view, item)


def _best(one: Spoken, before: Spoken | None) -> _Found | None:
    every = sentences.cut(one.words.split("\n[picture:")[0])
    best: _Found | None = None
    asked = _asked(one, before)
    for number, sentence in enumerate(every):
        weight = weigh(sentence.text, one.turn.clock)
        answers = questions.answers(asked, number, every)
        weight += questions.bonus(asked) * answers
        if weight < ENOUGH or (best is not None and weight <= best.weight):
            continue
        start = _start(one, every, number)
        if start is None and not answers:
            continue
        question = asked if answers and (start is None or questions.leans(sentence.text)) else ""
        start = sentence.start + _greeting(one.words[sentence.start : sentence.end]) if start is None or question else start
        end = sentence.end
        after = every[number + 1] if number + 1 < len(every) else None
        if after is not None and after.end - start < 220 and sentence.end - start < 90 and _goes_on(sentence, after, one):
            end = after.end
        best = _Found(weight, number, one, one.words[start:end], sentence.text, question)
    return best


def _asked(one: Spoken, before: Spoken | None) -> str:
    """The question of somebody else to which a turn may be the answer; empty if there is none."""
    if before is None or not before.is_person or before.turn.name == one.turn.name:
        return ""
    return questions.question(before.words)


def _goes_on(sentence: Sentence, after: Sentence, one: Spoken) -> bool:
    """Whether the next sentence says more of the same: something worth saying, and not of another person."""
    return weigh(after.text, one.turn.clock) >= 1 and people.of(after.text) in (None, people.of(sentence.text))


def _start(one: Spoken, every: tuple[Sentence, ...], number: int) -> int | None:
    """Where a quote begins: at its sentence, at the one before if it leans on that; None if nothing tells what it leans on."""
    sentence = every[number]
    if not _LEANS.match(sentence.text):
        return sentence.start + _greeting(one.words[sentence.start : sentence.end])
    before = every[number - 1] if number else None
    if before is None or sentence.end - before.start > 260 or _LEANS.match(before.text) or acts.asks(before.text):
        return None
    return before.start


def _greeting(words: str) -> int:
    """The length of a greeting or an interjection that only opens a sentence."""
    opens = marks.GREETS.match(words)
    if opens is None or not (words[opens.end() : opens.end() + 1].isupper() or opens[0].rstrip().endswith((",", "!", "."))):
        return 0
    return opens.end()


def _statement(view: View, item: _Found) -> Statement:
    one = item.one
    told = dates.told(item.words, one.turn.clock)
    spans = dates.found(item.words, one.turn.clock)
    since, until = told.since, told.until
    happened = marks.DID.search(item.words) is not None
    how = f", asked {quoted(dates.told(item.asked, one.turn.clock).shown)}" if item.asked else ""
    if not since and happened and len(spans) == 1 and not spans[0].role and spans[0].moment:
        since, until = spans[0].moment, spans[0].until
    if conditions.planned(item.carries):
        # What may never come to pass has no date, and is told with its condition.
        since, until, happened = "", "", False
        how = f", on a condition{how}"
    about = _about(view, item)
    label = f" on {about.label}" if about.type != "person" else ""
    return Statement(
        "chat",
        placed(about, view),
        f"{speaker(view, one)}{label}{how}: {quoted(told.shown)}",
        (Words(one.turn.at, item.words, since, until),),
        Kind.EPISODIC if happened and since else Kind.SEMANTIC,
    )


def _about(view: View, item: _Found) -> Name:
    """Whom or what a quote tells of: somebody else, a term that it names, else who speaks."""
    who = item.one.turn.name or view.me
    for text in (item.carries, item.words):
        told = people.of(text)
        if told is not None and people.is_known(told) and not (told.name and told.name == who):
            return Name("person", people.whose(told, who), "" if who or told.name else "user")
    term = marks.term(item.words)
    if term and not marks.DID.search(item.words) and not _MINE.match(acts.bare(item.carries)):
        return Name("topic", term)
    return Name("person", who, "") if who else Name("person", "User", "user")
