"""What people wrote down for their agents, and the claims it makes: one a statement, in the form of extraction. No model.

Whoever wrote it down has done the extracting already. A statement's subject is the heading it stands under; in a note that
is about one thing, that thing. Both travel in the turn's `about`, before ` :: `; after it stands the line that introduces
the statement, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wikimem.core import claims, texts
from wikimem.core.bullets import COLUMN, cells, plain
from wikimem.core.turns import Speaker
from wikimem.core.views import Spoken, View

FORMAT = "adopted"
"""The format of sources whose turns are statements that people wrote down."""

MARK = "adopted"
"""The mark of turns that were adopted; with `:` and a type of subject where the file tells it."""

_GENERIC = re.compile(
    r"(?:overview|notes?|general|rules?|guidelines?|instructions?|important|misc\w*|introduction|about|readme|memory|context|"
    r"observations?|relations?|details?|summary|key (?:facts|points|learnings)|core|basics|"
    r"(?:claude|agents|gemini)(?:\.md)?)\W*\Z",
    re.IGNORECASE,
)


def subject(headings: tuple[str, ...], title: str, noted: bool) -> str:
    """What a statement is about; empty for the project that its file belongs to.

    Args:
        headings: that it stands under.
        title: of the file.
        noted: whether the file is a note about one thing, and not instructions about many.
    """
    if noted:
        return title
    deeper = [text for text in headings if text != title]
    return next((text for text in reversed(deeper) if not _GENERIC.match(text)), "")


_PLACES = r"environments?|setup|install\w*|configuration|ports?|servers?|staging|production"
_TYPES = (
    ("gotcha", re.compile(r"gotchas?|pitfalls?|caveats?|known issues?|watch out|troubleshoot\w*|warnings?", re.IGNORECASE)),
    ("decision", re.compile(r"decisions?|adrs?|rationale", re.IGNORECASE)),
    ("environment", re.compile(_PLACES, re.IGNORECASE)),
    ("procedure", re.compile(r"procedures?|workflows?|how to .*|process|release\w*|deploy\w*|runbooks?|steps?", re.IGNORECASE)),
)
_DOING = re.compile(
    r"(?:always|never|avoid|use|run|do(?:n't| not)|make sure|ensure|keep|write|add|check|create|start|stop|call|put|follow|"
    r"commit|push|test|build|deploy|install|update|read|ask|when|before|after|if|must|only|set|remove|delete|place|include)\b",
    re.IGNORECASE,
)
_LIKING = re.compile(
    r"\b(?:prefer\w*|I (?:like|want|hate|love|dislike)|favou?rite|please|rather than|instead of)\b|^(?:always|never|avoid)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:it|this|that|these|those|they|he|she|i|you|my|your|his|her|their|we|our|the above)\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:I|me|my|mine)\b")
_OBSERVED = re.compile(r"\[(?P<category>[\w -]{2,30})\][ \t]+(?P<text>.*)\Z", re.DOTALL)
_TAGS = re.compile(r"(?:[ \t]+#[\w/-]+)+(?=[ \t]*(?:\([^()]*\))?[ \t]*\Z)")
_RELATION = re.compile(r"[a-z][\w ]{1,40} \[\[[^\]]+\]\]\s*\Z")
_LONGEST, _QUOTE = 450, 200
_NUMBER = re.compile(r"(\d{1,4})[.)][ \t]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def extract(view: View) -> dict[str, Any]:
    """The reply to extraction for an adopted source: a claim for each statement, in the form of `extraction.SCHEMA`."""
    found = [claim for spoken in view.spoken if spoken.turn.mark.startswith(MARK) for claim in _claims(view, spoken)]
    return {"episode": {"asked": "", "outcome": ""}, "claims": found}


def _claims(view: View, spoken: Spoken) -> list[dict[str, Any]]:
    name, _, parent = spoken.turn.about.partition(" :: ")
    told = spoken.words.strip()
    numbered = _NUMBER.match(told)
    step = min(int(numbered[1]), 999) if numbered else 0
    told = told[numbered.end() :] if numbered else told
    category = ""
    if observed := _OBSERVED.match(told):
        category, told = observed["category"].casefold(), observed["text"]
    bare = _TAGS.sub("", told)
    project = view.scope.removeprefix("project:") if view.scope.startswith("project:") else ""
    about = name or project or view.title or "Notes"
    type = _type(view, spoken, name, category, project)
    words = plain(bare)
    if _RELATION.match(bare.strip()):
        words = f"{about} {words}"
    if COLUMN in parent and told.startswith("|"):
        named = zip(parent.split(COLUMN), cells(told), strict=False)
        words = "; ".join(f"{column}: {cell}" if column else cell for column, cell in named if cell)
    elif parent and not _GENERIC.match(parent):
        words = f"{parent}: {words}"
    pieces = [words] if len(words) <= _LONGEST else list(_packed(words))
    claims_ = []
    for piece in pieces:
        quote = _quote(spoken.words, piece)
        if piece and quote:
            claims_.append(_claim(view, spoken, (type, about), piece[:_LONGEST], quote, category, step))
    return claims_


def _packed(words: str) -> Iterator[str]:
    """A long statement as pieces of whole sentences, each as long as a claim may be."""
    piece = ""
    for sentence in _SENTENCE.split(words):
        if piece and len(piece) + len(sentence) >= _LONGEST:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}".strip()
    if piece:
        yield piece


def _claim(
    view: View, spoken: Spoken, mention: tuple[str, str], words: str, quote: str, category: str, step: int
) -> dict[str, Any]:
    human = spoken.turn.speaker is Speaker.HUMAN
    liking = category in ("preference", "preferences") or _LIKING.search(words) is not None
    doing = _DOING.match(words.split(": ", 1)[-1]) is not None
    # A claim stands alone: what begins with a pronoun, or is hardly a sentence, needs the name of its subject.
    if _PRONOUN.match(words) or len(texts.words(words)) < 3:
        words = f"{mention[1]}: {words}"
    stance = ("preference" if liking else "fact") if human else "inference"
    return {
        "type": mention[0],
        "subject": mention[1],
        "scope": "project" if view.scope else "user" if human and _MINE.search(words) else "",
        "attribute": "",
        "kind": "procedural" if doing or step else "semantic",
        "stance": stance,
        "text": texts.normal(words),
        "quotes": [{"at": spoken.turn.at, "words": quote, "speaker": spoken.turn.speaker.value}],
        "step": step,
    }


def _type(view: View, spoken: Spoken, name: str, category: str, project: str) -> str:
    told = spoken.turn.mark.partition(":")[2]
    if told in claims.TYPES:
        return told
    if category.rstrip("s") in claims.TYPES:
        return category.rstrip("s")
    if not name:
        return "project" if project else "topic"
    return next((type for type, pattern in _TYPES if pattern.fullmatch(name.strip())), "topic")


def _quote(words: str, piece: str) -> str:
    """The words of the turn that prove a piece of it: all of them where they are few, else their beginning."""
    whole = words.strip()
    if len(whole) > _QUOTE:
        first = " ".join(piece.split()[:6])
        place = texts.find(first, whole)
        whole = whole[place[0] :] if place else whole
    if len(whole) <= _QUOTE:
        return whole
    cut = whole[:_QUOTE]
    return cut.rsplit(None, 1)[0] if " " in cut else cut
