"""Edits: what people did to the wiki by hand, as closed operations that are kept as sources of their own. Not how found.

A hand edit is evidence like a session: a line of JSON a operation, said by a person, immutable, compiled each time anew.
So it survives every recompile. What an operation is about is named twice: by the id of the claim, and by its footings
(source, locator, quoted words), since another model words a claim otherwise, but finds it in the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from wikimem.core import moments, scopes, texts
from wikimem.core.claims import TYPES, Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.turns import Turn

Footing = tuple[str, str, str]
"""Source, locator and quoted words."""


@dataclass(frozen=True, slots=True)
class Target:
    """The claim that an edit is about.

    Args:
        claim: its id.
        mention: whom or what it is about.
        text: what it says.
        footings: what it stands on.
        beside: what other claims say that stand on the same words: these stay, however another model words them.
        concluded: whether nobody said it, but consolidation concluded it from claims that stand on these words: these stay.
    """

    claim: str
    mention: Mention
    text: str
    footings: tuple[Footing, ...]
    beside: tuple[str, ...] = ()
    concluded: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """What a person wrote: the fields as in `Claim`."""

    mention: Mention
    attribute: str
    kind: Kind
    stance: Stance
    text: str
    holds: Holds
    step: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """A claim was reworded, dated anew, or given another stance."""

    target: Target
    statement: Statement


@dataclass(frozen=True, slots=True)
class Added:
    """A line was added to a section of claims."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Deleted:
    """A claim was removed from its page; `page` if the whole page was."""

    target: Target
    page: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A claim is to stay, or to come back, whatever was said of it before."""

    target: Target


@dataclass(frozen=True, slots=True)
class Lifted:
    """A claim that stayed on its session's card was asked for: it is to stand on a page, unless somebody removed or rejected it.

    No person's word: whoever made the edit counted recalls.
    """

    target: Target


@dataclass(frozen=True, slots=True)
class Named:
    """A key of a page's head was set: `title`, `type` or `summary`; or the `lead` below it, `-` for none; or a name was added
    or removed: `alias`, `unalias`; or its page was archived: `archive`, with the day since which nothing held, `-` to end it."""

    mention: Mention
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Merged:
    """Two names are of one thing."""

    one: Mention
    other: Mention


@dataclass(frozen=True, slots=True)
class Split:
    """Two names are not of one thing; some claims of the one are about the other."""

    one: Mention
    other: Mention
    claims: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Parted:
    """Two statements that were taken for one say two things."""

    one: Target
    other: Target


@dataclass(frozen=True, slots=True)
class Settled:
    """Of two claims in conflict the winner holds, and took the loser's place."""

    winner: Target
    loser: Target


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim is wrong, or nothing to remember; `reason` may be empty."""

    target: Target
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """The edits of another source count no more: somebody reverted what they gave."""

    source: str


@dataclass(frozen=True, slots=True)
class Approved:
    """A sensitive claim is let in: named by its id and by where it was said, without a word of it."""

    claim: str
    source: str
    at: str


@dataclass(frozen=True, slots=True)
class Barred:
    """A sensitive claim is kept out for ever; named as in `Approved`."""

    claim: str
    source: str
    at: str


Operation = (
    Changed | Added | Deleted | Kept | Lifted | Named | Merged | Split | Parted | Settled | Rejected | Undone | Approved | Barred
)

KEYS = ("title", "type", "summary", "lead", "alias", "unalias", "archive")

_OPS: Mapping[str, type[Operation]] = {
    "change": Changed,
    "add": Added,
    "delete": Deleted,
    "keep": Kept,
    "lift": Lifted,
    "key": Named,
    "merge": Merged,
    "split": Split,
    "part": Parted,
    "settle": Settled,
    "reject": Rejected,
    "undo": Undone,
    "approve": Approved,
    "bar": Barred,
}
_NAMES = {kind: name for name, kind in _OPS.items()}


@dataclass(frozen=True, slots=True)
class Edit:
    """One operation, and who made it.

    Args:
        operation: what was done.
        by: the person's name; empty if unknown.
        said: when, as `Turn.said`.
        page: the path below `wiki/` that it was done on; empty for a command.
        nth: its place among edits said in one second; the later one counts.
    """

    operation: Operation
    by: str
    said: str
    page: str = ""
    nth: int = 0

    @property
    def name(self) -> str:
        """The operation's name in the file."""
        return _NAMES[type(self.operation)]


def target(claim: Claim, others: Iterable[Claim] = ()) -> Target:
    """What an edit of a claim is about.

    Args:
        claim: the claim.
        others: claims of the same sources.
    """
    footings = tuple(one.footing for one in claim.evidence)
    places = {footing[:2] for footing in footings}
    near = (other for other in others if other.id != claim.id and any(one.footing[:2] in places for one in other.evidence))
    beside = tuple(sorted({other.text for other in near} - {claim.text}))
    return Target(claim.id, claim.mention, claim.text, footings, () if claim.rests else beside, bool(claim.rests))


def words(edit: Edit, titles: Mapping[str, str] | None = None) -> str:
    """What the person said by it: their own words where they wrote a statement, else a sentence that tells the operation.

    Args:
        edit: it.
        titles: what the pages of mentions are called today, by the mentions' ids.
    """
    called = titles or {}

    def title(mention: Mention) -> str:
        return called.get(mention.id, mention.name)

    match edit.operation:
        case Changed(_, statement) | Added(statement):
            return statement.text
        case Deleted(about, page):
            return f"Removed{' with its page' if page else ''}: “{about.text}”"
        case Kept(about):
            return f"Kept: “{about.text}”"
        case Lifted(about):
            return f"Asked for: “{about.text}”"
        case Named(mention, "lead", "-"):
            return f"Lead of {title(mention)} taken away."
        case Named(mention, "archive", "-"):
            return f"{title(mention)} taken out of the archive."
        case Named(mention, "archive", day):
            return f"{title(mention)} archived: nothing of it has held since {day}."
        case Named(mention, key, value):
            return f"{key.capitalize()} of {title(mention)}: {value}"
        case Merged(one, other):
            return f"{title(one)} and {title(other)} are one."
        case Split(one, other, _):
            return f"{title(one)} and {title(other)} are two."
        case Parted(first, second):
            return f"“{first.text}” and “{second.text}” say two things."
        case Settled(winner, loser):
            return f"“{winner.text}” holds, not “{loser.text}”"
        case Rejected(about, reason):
            return f"Rejected: “{about.text}”{f' ({reason})' if reason else ''}"
        case Undone(source):
            return f"Undone: {given(source)}"
        case Approved(_, source, at):
            return f"Let in: something sensitive of {source}:{at}"
        case Barred(_, source, at):
            return f"Kept out: something sensitive of {source}:{at}"


def given(source: str) -> str:
    """What a source gave, in words, by its id."""
    return f"the edits of {source}" if "-edit-" in source else f"what {source} gave"


SEVERAL = "several"
"""The scope of edits of pages that no one scope may see all of."""


def scope(made: Iterable[Edit], whose: Mapping[str, str]) -> str:
    """The scope that may see all that some edits tell; '' where they tell of no scope's.

    Args:
        made: the edits.
        whose: the scope of each source's session, by source id.
    """
    found: set[str] = set()
    for edit in made:
        targets, mentions = _about(edit.operation)
        found.update(one.scope for one in (*mentions, *(target.mention for target in targets)))
        found.update(whose.get(footing[0], "") for target in targets for footing in target.footings)
    own = found - {""}
    return (scopes.deepest(own) or SEVERAL) if own else ""


def _about(operation: Operation) -> tuple[tuple[Target, ...], tuple[Mention, ...]]:
    """The claims and the subjects that an operation tells of."""
    match operation:
        case Changed(about, statement):
            return (about,), (statement.mention,)
        case Added(statement):
            return (), (statement.mention,)
        case Deleted(about) | Kept(about) | Lifted(about) | Rejected(about):
            return (about,), ()
        case Named(mention):
            return (), (mention,)
        case Merged(one, other):
            return (), (one, other)
        case Split(one, other, claims):
            return claims, (one, other)
        case Settled(first, second) | Parted(first, second):
            return (first, second), ()
        case Undone() | Approved() | Barred():
            return (), ()


def write(edit: Edit) -> bytes:
    """The edit's line, ending in `\\n`."""
    told: dict[str, Any] = {"wikimem-edit": edit.name, "by": edit.by, "said": edit.said, "page": edit.page}
    told |= {"nth": edit.nth} if edit.nth else {}
    match edit.operation:
        case Changed(about, statement):
            told |= {"target": _target(about), "statement": _statement(statement)}
        case Added(statement):
            told |= {"statement": _statement(statement)}
        case Deleted(about, page):
            told |= {"target": _target(about)} | ({"whole": True} if page else {})
        case Kept(about) | Lifted(about):
            told |= {"target": _target(about)}
        case Named(mention, key, value):
            told |= {"mention": _mention(mention), "key": key, "value": value}
        case Merged(one, other):
            told |= {"one": _mention(one), "other": _mention(other)}
        case Split(one, other, claims):
            told |= {"one": _mention(one), "other": _mention(other), "claims": [_target(each) for each in claims]}
        case Parted(first, second):
            told |= {"one": _target(first), "other": _target(second)}
        case Settled(winner, loser):
            told |= {"winner": _target(winner), "loser": _target(loser)}
        case Rejected(about, reason):
            told |= {"target": _target(about), "reason": reason}
        case Undone(source):
            told |= {"source": source}
        case Approved(claim, source, at) | Barred(claim, source, at):
            told |= {"claim": claim, "source": source, "at": at}
    return orjson.dumps({name: value for name, value in told.items() if value != ""}) + b"\n"


def _mention(mention: Mention) -> list[str]:
    return [mention.scope, mention.type, mention.name]


def _target(about: Target) -> dict[str, Any]:
    told: dict[str, Any] = {
        "claim": about.claim,
        "about": _mention(about.mention),
        "text": about.text,
        "footings": [list(footing) for footing in about.footings],
    }
    told |= {"concluded": True} if about.concluded else {}
    return told | ({"beside": list(about.beside)} if about.beside else {})


def _statement(told: Statement) -> dict[str, Any]:
    start, end = told.holds.start.moment, told.holds.end.moment
    full = {
        "about": _mention(told.mention),
        "attribute": told.attribute,
        "kind": told.kind.value,
        "stance": told.stance.value,
        "text": told.text,
        "from": start,
        "until": end,
        "step": told.step,
    }
    return {name: value for name, value in full.items() if value}


def read(line: bytes) -> Edit:
    """The edit of a line.

    Raises:
        ValueError: it is none; the text is one clause.
    """
    try:
        told = orjson.loads(line)
        return Edit(_operation(told), _text(told, "by"), _text(told, "said"), _text(told, "page"), int(told.get("nth", 0)))
    except (KeyError, TypeError, AttributeError, orjson.JSONDecodeError) as broken:
        raise ValueError(f"it is no edit of this version ({type(broken).__name__})") from None


def _operation(told: Mapping[str, Any]) -> Operation:
    kind = _OPS[told["wikimem-edit"]]
    if kind is Changed:
        return Changed(_read_target(told["target"]), _read_statement(told["statement"]))
    if kind is Added:
        return Added(_read_statement(told["statement"]))
    if kind is Deleted:
        return Deleted(_read_target(told["target"]), told.get("whole", False) is True)
    if kind is Kept:
        return Kept(_read_target(told["target"]))
    if kind is Lifted:
        return Lifted(_read_target(told["target"]))
    if kind is Named:
        key, value = _text(told, "key"), texts.normal(_text(told, "value"))
        if key not in KEYS or (key == "type" and value not in TYPES) or not value:
            raise ValueError(f"{key!r} cannot be {value!r}")
        return Named(_read_mention(told["mention"]), key, value)
    if kind is Merged:
        return Merged(_read_mention(told["one"]), _read_mention(told["other"]))
    if kind is Split:
        claims = tuple(_read_target(each) for each in told["claims"])
        return Split(_read_mention(told["one"]), _read_mention(told["other"]), claims)
    if kind is Parted:
        return Parted(_read_target(told["one"]), _read_target(told["other"]))
    if kind is Settled:
        return Settled(_read_target(told["winner"]), _read_target(told["loser"]))
    if kind is Undone:
        return Undone(_text(told, "source"))
    if kind is Approved or kind is Barred:
        return kind(_text(told, "claim"), _text(told, "source"), _text(told, "at"))
    return Rejected(_read_target(told["target"]), _text(told, "reason"))


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def _read_mention(told: Any) -> Mention:
    scope, type_, name = told
    if type_ not in TYPES or not all(isinstance(part, str) for part in (scope, name)) or not texts.key(name):
        raise ValueError("it names no subject")
    return Mention(scope, type_, texts.normal(name))


def _read_target(told: Mapping[str, Any]) -> Target:
    footings = tuple((str(source), str(at), str(quote)) for source, at, quote in told["footings"])
    beside = tuple(str(text) for text in told.get("beside", ()))
    concluded = told.get("concluded") is True
    return Target(_text(told, "claim"), _read_mention(told["about"]), _text(told, "text"), footings, beside, concluded)


def _read_statement(told: Mapping[str, Any]) -> Statement:
    text = texts.normal(_text(told, "text"))
    if not text:
        raise ValueError("it says nothing")
    return Statement(
        mention=_read_mention(told["about"]),
        attribute=_text(told, "attribute"),
        kind=Kind(told["kind"]),
        stance=Stance(told["stance"]),
        text=text,
        holds=Holds(_read_bound(told, "from"), _read_bound(told, "until")),
        step=int(told.get("step", 0)),
    )


def _read_bound(told: Mapping[str, Any], name: str) -> Bound:
    moment = _text(told, name)
    if moment and not moments.is_moment(moment):
        raise ValueError(f"{name} is no date")
    return Bound(moment, Basis.STATED) if moment else Bound()


def stated(statement: Statement) -> str:
    """The id of the claim that a statement makes."""
    return Claim(statement.mention, statement.attribute, statement.kind, statement.stance, statement.text, ()).id


def about(operation: Operation) -> tuple[str, ...]:
    """The ids of what an operation is about: of claims, and of names with the key that was set."""
    match operation:
        case Changed(changed, statement):
            return (changed.claim, stated(statement))
        case Added(statement):
            return (stated(statement),)
        case Deleted(one, _) | Kept(one) | Lifted(one) | Rejected(one, _):
            return (one.claim,)
        case Settled(first, second) | Parted(first, second):
            return (first.claim, second.claim)
        case Named(mention, key, value):
            return (f"{mention.id} {key.removeprefix('un')} {texts.key(value) if 'alias' in key else ''}",)
        case Merged(one, other) | Split(one, other, _):
            return (one.id, other.id)
        case Undone(source):
            return (source,)
        case Approved(claim, _, _) | Barred(claim, _, _):
            return (claim,)


def claims(made: Iterable[tuple[int, Edit]], turns: Mapping[str, Turn]) -> tuple[Claim, ...]:
    """The claims that edits state, each proved by the person's own line.

    Args:
        made: the edits of a source, each with its line.
        turns: the source's turns by locator.
    """
    found = []
    for number, edit in made:
        if not isinstance(edit.operation, Changed | Added):
            continue
        told, turn = edit.operation.statement, turns.get(f"L{number}")
        if turn is None:
            continue
        evidence = Evidence(turn.at, turn.identity, told.text, "human", edit.by, edit.said, told.holds)
        found.append(Claim(told.mention, told.attribute, told.kind, told.stance, told.text, (evidence,), step=told.step))
    return tuple(found)
