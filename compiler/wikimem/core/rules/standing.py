"""Standing words: corrections, rules and facts that a person tells an agent, as anchored quotes. Not tasks, not talk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wikimem.core import people, texts
from wikimem.core.claims import Kind, Stance
from wikimem.core.rules import acts, conditions, dates, names, sentences, shell
from wikimem.core.rules.names import Name
from wikimem.core.rules.sentences import LONGEST, Sentence
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.views import Spoken, View

ENOUGH = 3
MARKS = ("", "queued", "rejection", "answer", "argument")
PAIR = 320
"""Characters of two sentences that are quoted together."""

_LEANS = re.compile(
    r"(?i)^(?:(?:and|but|so|no|nope|ok|yeah|well|actually|also|uh+|um+|hm+|for starters)\b[\s,.!…-]*)*(?:it|its|it's|this|"
    r"that|that's|"
    r"these|those|they|they're|he|she|them|both|neither|instead|same|otherwise|then|there|which|the (?:latter|former|same|other|"
    r"rest)|the (?:whole )?(?:point|idea|goal|key|problem)(?= (?:is|was|here|of this|to the))|different(?= (?:than|from))|"
    r"not)\b(?!\s+is\s+an?\s+(?:\w+[\s-]){0,3}(?:repo|repository|project|library|tool|app|cli|package)\b)"
)
_HANGS = re.compile(r"(?i)^(?:including|especially|except|whatever|which|like)\b")
_REFERS = re.compile(
    r"(?i)\b(?:(?:do|show|see|say|put) (?:that|this|it)|(?:drop|remove|keep|use|move|change) (?:it|them)|(?:those|"
    r"these)(?! \w+s\b)|like (?:that|this)|(?:of|for) (?:them|these|those)\b|that (?:one|way|approach|logic)|"
    r"the same (?:reason|thing)|too)\b"
)
_POINTS = re.compile(
    r"(?i)\b(?:this|that)\.?$|\bthe same (?:reason|resolution|thing|fix|problem|issue)\b|\babout that\b|\bpoint of this\b|"
    r"\b(?:want|need|keep|put|move|have) this\b(?! (?:repo|repository|project|package|library|tool|app|cli|codebase)\b)|"
    r"\bhere[.!]?$|"
    r"\b(?:enable|disable|keep|remove|drop|add|put|use|need|want) (?:if|when|unless)\b|\b(?:keep|keeping|use|using|want|need|"
    r"drop|remove|change|move|put|call|on|for|with|of|from|to) (?:that|those|these) (?!matter\b)[a-z]|\b(?:this|that|these|"
    r"those) (?:[a-z]+ ){0,2}(?:blocks?|files?|tables?|lines?|functions?|"
    r"parts?|bits?|outputs?|sections?|comments?|flags?|tests?|things?|changes?|lists?|names?|rows?|fields?|errors?|"
    r"values?|messages?|checks?|dirs?|params?|args?|classes|docs?)\b"
)


def found(view: View) -> Iterator[Statement]:
    """What the persons of an agent session said that stands."""
    wrote: Name | None = None
    named: Name | None = None
    fresh: Name | None = None
    acted = False
    for one in view.spoken:
        if one.is_person:
            if one.turn.mark in MARKS and len(one.words) < 12_000:
                yield from _of_turn(view, one, _Before(wrote or named, fresh, acted))
                named = names.coded(one.words[:1000]) or named
            fresh = None
            continue
        acted = True
        touched = shell.touched(one)
        # A test is written for something else, which is what people speak of.
        if touched is not None and (fresh is None or not _TESTS.search(touched.name)):
            wrote = fresh = touched


def noted(view: View) -> Iterator[Statement]:
    """What a note says that stands: its author is not named, and what nothing else names is about the note's title."""
    title = texts.normal(view.title)
    for one in view.spoken:
        if len(one.words) < 12_000:
            about = Name("topic", title) if 3 <= len(title) <= 60 else None
            yield from _of_turn(view, one, _Before(about, about, True), items=True)


@dataclass(frozen=True, slots=True)
class _Before:
    """What came before a turn.

    Args:
        last: what was written or named last; None if nothing was.
        fresh: what was written since a person last spoke; None if nothing was.
        acted: whether the agent did or said anything.
    """

    last: Name | None
    fresh: Name | None
    acted: bool


def _of_turn(view: View, one: Spoken, before: _Before, items: bool = False) -> Iterator[Statement]:
    acted = before.acted
    every = tuple(_without_question(sentence, one.words) for sentence in sentences.cut(one.words))
    used = -1
    for number, sentence in enumerate(every):
        if number <= used or (sentence.item and not items):
            continue
        complained = number > 0 and _COMPLAINS.search(every[number - 1].text) is not None
        if not _stands(sentence, acted, one.turn.mark, complained, _leads_to_task(every, number)):
            continue
        first = final = number
        leans = _LEANS.match(sentence.text) is not None
        if leans or _refers(sentence.text):
            if number - 1 > used and _may_lead(every[number - 1] if number else None, sentence):
                first = number - 1
            elif not (leans and number == 0 and acted and acts.OBJECTS.match(sentence.text)):
                # Only a correction may lean on what the agent just did.
                continue
        elif number + 1 < len(every) and _may_follow(sentence, every[number + 1]):
            final = number + 1
        words = one.words[every[first].start : every[final].end]
        opens = _OPENS.match(words)
        words = words[opens.end() :] if opens is not None else words
        leans = leans and (first == number or len(every[first].text.split()) <= 3)
        # A sentence that begins with `it` is about what was worked on, not about a name further on.
        named = (before.last if leans else None) or names.of_clause(words)
        if named is None and (before.last is None or (before.fresh is None and _SUPPOSED.match(words))):
            continue
        label = named or before.fresh or (Name("project", "") if view.scope else before.last)
        if label is None or len(words) > PAIR:
            continue
        used = final
        # What only the last action names would make a page of one line: it goes to the project's, where there is one.
        yield _statement(view, one, words, label, named or (Name("project", "") if view.scope else label))


def _refers(text: str) -> bool:
    """Whether a sentence points at something that it does not name before."""
    if _POINTS.search(text):
        return True
    found = _REFERS.search(text)
    return found is not None and names.of_clause(text[: found.start()]) is None


_BROKEN = re.compile(r"(?i)^(?:(?:but|and|yes|yeah|no)[\s,]+)*(?:needs?|wants?|should|must|is|are|has|have|can)\b|^\w+ [-–—] ")
"""A sentence whose subject stands in the one before, or a heading with its gloss."""
_SHOW = re.compile(r"(?i)^(?:notice|note|look|see|take a look|check out)\b")
"""What points at something that only those see who talk."""
_OPENS = re.compile(r"(?i)^(?:(?:ok(?:ay)?|so(?! that\b)|and|but|also|hm+|uh+|um+|oh|ah|hey|yeah|well|dude)\b[\s,.!…-]*)+")
_MAKES = re.compile(r"(?i)^(?:please )?(?:add|make|create|write|build|implement) (?:an?|the|some|new)\b")
"""A task: what follows says how to do it."""
_SUPPOSED = re.compile(r"(?i)^(?:if|when|once|unless) (?:the|it|that|this)\b")
_TESTS = re.compile(r"(?i)(?:^|[_.-])(?:tests?|spec)(?:[_.-]|$)")
_COMPLAINS = re.compile(r"(?i)^you (?:are|were|keep|have|did|put)\b.*\bagain\b")


def _leads_to_task(every: tuple[Sentence, ...], number: int) -> bool:
    """Whether a sentence only tells why the task is given that follows it."""
    after = every[number + 1] if number + 1 < len(every) else None
    return after is not None and after.paragraph == every[number].paragraph and acts.objection(after.text) == "task"


def _stands(sentence: Sentence, acted: bool, mark: str, complained: bool, leads: bool) -> bool:
    if len(sentence.text) > LONGEST or len(acts.bare(sentence.text).split()) < 4 or acts.objection(sentence.text):
        return False
    if _BROKEN.match(sentence.text):
        return False
    weight = acts.weight(sentence.text, acted) + (mark == "rejection") + 5 * complained
    person = people.of(acts.bare(sentence.text))
    # Who does what in a team is worth knowing, however plainly it is said.
    weight += 2 * (person is not None and person.name != "" and not person.is_mine)
    if weight < ENOUGH and acted and not leads and acts.STATES.search(sentence.text):
        weight += 2 * names.begins(acts.bare(sentence.text))
    return weight >= ENOUGH


def _without_question(sentence: Sentence, words: str) -> Sentence:
    stated = acts.statement_before(sentence.text)
    if not stated:
        return sentence
    # The sentence is on one line, its words may not be: the cut is looked for again.
    place = words.find(stated[-12:], sentence.start, sentence.end)
    return replace(sentence, text=stated, end=place + len(stated[-12:])) if place >= 0 else sentence


def _may_lead(before: Sentence | None, sentence: Sentence) -> bool:
    """Whether the sentence before tells what this one leans on."""
    if before is None or before.item != sentence.item or before.paragraph != sentence.paragraph or _LEANS.match(before.text):
        return False
    if _HANGS.match(before.text) or _BROKEN.match(before.text):
        return False
    if _SHOW.match(acts.bare(before.text)) or _MAKES.match(acts.bare(before.text)):
        return False
    why = acts.objection(before.text)
    return why in ("", "few words", "of this moment") or (why == "task" and len(before.text) < 120)


def _may_follow(sentence: Sentence, after: Sentence) -> bool:
    """Whether the next sentence gives the reason or the rest of this one."""
    if (
        after.item != sentence.item
        or after.paragraph != sentence.paragraph
        or after.end - sentence.start > LONGEST
        or acts.objection(after.text)
    ):
        return False
    if acts.OBJECTS.match(sentence.text) and acts.STATES.search(after.text):
        return True
    return bool(_LEANS.match(after.text) or acts.REASON.search(after.text) or acts.weight(after.text, True) >= ENOUGH)


def _statement(view: View, one: Spoken, words: str, label: Name, about: Name) -> Statement:
    """A person's own words, as an anchored quote with its dates resolved; the label says what they are about."""
    told = dates.told(words, one.turn.clock)
    person = people.of(acts.bare(words))
    if person is not None and people.is_known(person) and not about.code:
        who = one.turn.name or view.me
        about = label = Name("person", people.whose(person, who), "" if who or person.name else "user")
    preference = about.scope == "user" and about.type != "person"
    planned = conditions.planned(words)
    on = "" if label.type == "person" else f" on {placed(label, view).label}"
    return Statement(
        "standing",
        placed(about, view),
        f"{speaker(view, one)}{on}{', on a condition' if planned else ''}: {quoted(told.shown)}",
        # What may never come to pass has no date.
        (Words(one.turn.at, words) if planned else Words(one.turn.at, words, told.since, told.until),),
        Kind.PROCEDURAL if acts.NORM.search(words) or acts.GENERAL.search(words) else Kind.SEMANTIC,
        Stance.PREFERENCE if preference else Stance.FACT,
        "preference" if preference else "",
    )


def speaker(view: View, one: Spoken) -> str:
    """Who speaks, as a text names them."""
    if one.turn.name or view.me:
        return one.turn.name or view.me
    return "The user" if any(not other.is_person for other in view.spoken) else "A note"


def placed(about: Name, view: View) -> Name:
    """The subject in this session: the project by its own name, and no scope where the session has none."""
    project = view.scope.partition(":")[2]
    if about.type == "project" and not about.name:
        return Name("project", project, "project") if project else Name("topic", "The repository", "", within="the repository")
    return replace(about, scope="") if about.scope == "project" and not project else about
