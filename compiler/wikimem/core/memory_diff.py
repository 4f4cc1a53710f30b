"""The memory diff: what two states of the wiki say differently, claim by claim, with proof. Not a git diff."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikimem.core import footnotes, rewording
from wikimem.core.claims import Claim
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Lapsed, Retracted, Standing, Superseded


@dataclass(frozen=True, slots=True)
class Gained:
    """A claim that holds now and was not there before."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Ended:
    """A claim that held before and does not now, with nothing in its place.

    Args:
        claim: as it stood.
        why: `ended` at a stated time, `retracted`, `removed` with its source, or `merged` into one that says the same.
        by: the claim that retracted or took it in; None for none.
    """

    claim: Claim
    why: str
    by: Claim | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A claim that was superseded, and the claim in its place."""

    old: Claim
    new: Claim


@dataclass(frozen=True, slots=True)
class Reworded:
    """A claim that another model drew from the same words, and words or files otherwise now."""

    old: Claim
    new: Claim


@dataclass(frozen=True, slots=True)
class Disputed:
    """Claims that are in conflict now and were not before."""

    claim: Claim
    rivals: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Late:
    """A claim that was not there before and has ended already: an old source tells what newer ones have overtaken.

    Args:
        claim: the claim.
        why: `superseded`, `retracted`, or `ended` at a stated time.
        by: the claim that superseded or retracted it; None for none.
    """

    claim: Claim
    why: str
    by: Claim | None


Change = Gained | Ended | Corrected | Reworded | Disputed | Late


@dataclass(frozen=True, slots=True)
class PageDiff:
    """What changed on one page.

    Args:
        path: the page's path below `wiki/`, in the later state where it is there.
        title: likewise.
        changes: corrections first, then what is worded otherwise, what ended, what was gained, what came late, what is
            disputed; each by id.
    """

    path: str
    title: str
    changes: tuple[Change, ...]


def between(before: Wiki, after: Wiki) -> tuple[PageDiff, ...]:
    """What two states say differently, by page path; pages without a change are left out."""
    found = []
    joined = _joined(before, after)
    taken = {subject.key for every in joined.values() for subject in every}
    for key in before.subjects.keys() | after.subjects.keys():
        wiki = after if key in after.subjects else before
        if key in taken and key not in after.subjects:
            continue
        olds = [*([before.subjects[key]] if key in before.subjects and key not in taken else []), *joined.get(key, ())]
        changes = _changes(olds, after.subjects.get(key))
        if changes:
            found.append(PageDiff(wiki.path(key), wiki.subjects[key].title, changes))
    return tuple(sorted(_rewordings(found), key=lambda page: page.path))


def _joined(before: Wiki, after: Wiki) -> dict[str, list[Subject]]:
    """The subjects of before that are part of another one now, by the key of that: their claims did not come, nor go."""
    home = {mention: key for key in after.subjects for mention in after.subjects[key].mentions}
    found: dict[str, list[Subject]] = {}
    for key, subject in sorted(before.subjects.items()):
        heirs = {home[mention] for mention in subject.mentions if mention in home}
        if len(heirs) == 1 and key not in heirs:
            found.setdefault(heirs.pop(), []).append(subject)
    return found


def _rewordings(pages: list[PageDiff]) -> list[PageDiff]:
    """The pages, where what was removed and what was gained from the same words, perhaps on another page, is told as one."""
    every = [change for page in pages for change in page.changes]
    gone = [change.claim for change in every if isinstance(change, Ended) and change.why == "removed"]
    come = [change.claim for change in every if isinstance(change, Gained)]
    home = rewording.matched(gone, come) if gone and come else {}
    if not home:
        return pages
    was, known = {claim.id: claim for claim in gone}, set(home.values())
    found = []
    for page in pages:
        told = [
            Reworded(was[home[change.claim.id]], change.claim)
            for change in page.changes
            if isinstance(change, Gained) and change.claim.id in home
        ]
        rest = [
            change
            for change in page.changes
            if not (isinstance(change, Gained) and change.claim.id in home)
            and not (isinstance(change, Ended) and change.why == "removed" and change.claim.id in known)
        ]
        first = [change for change in rest if isinstance(change, Corrected)]
        changes = (*first, *told, *rest[len(first) :])
        if changes:
            found.append(PageDiff(page.path, page.title, changes))
    return found


def _changes(before: Sequence[Subject], after: Subject | None) -> tuple[Change, ...]:
    if len(before) == 1 and before[0] is after:
        return ()
    old = {id: standing for subject in before for id, standing in _standings(subject).items()}
    new = _standings(after)
    # Of claims that say the same one is shown; the others are in it.
    home = {id: standing for standing in new.values() for id in (standing.claim.id, *standing.same)}
    was = {id: standing for standing in old.values() for id in (standing.claim.id, *standing.same)}
    corrected: list[Change] = []
    ended: list[Change] = []
    for id, standing in sorted(old.items()):
        if standing.current is not None:
            change = _lost(standing, home.get(id), new)
            (corrected if isinstance(change, Corrected) else ended).extend([change] if change else [])
    replacing = {change.new.id for change in corrected if isinstance(change, Corrected)}
    gained: list[Change] = []
    late: list[Change] = []
    disputed: list[Change] = []
    for id, standing in sorted(new.items()):
        known = was.get(id)
        if standing.current is not None and (known is None or known.current is None) and id not in replacing:
            gained.append(Gained(standing.claim))
        if standing.current is None and known is None:
            late.append(_late(standing, new))
        if standing.rivals and (known is None or standing.rivals != known.rivals):
            disputed.append(Disputed(standing.claim, tuple(new[rival].claim for rival in standing.rivals)))
    return (*corrected, *ended, *gained, *late, *disputed)


def _standings(subject: Subject | None) -> dict[str, Standing]:
    return {standing.claim.id: standing for standing in subject.standings} if subject else {}


def _lost(old: Standing, now: Standing | None, new: dict[str, Standing]) -> Change | None:
    """What became of a claim that held; None if it still does."""
    if now is None:
        return Ended(old.claim, "removed", None)
    if now.current is not None:
        return Ended(old.claim, "merged", now.claim) if now.claim.id != old.claim.id else None
    match now.past[-1].ending:
        case Superseded(by):
            return Corrected(old.claim, new[by].claim)
        case Retracted(by):
            return Ended(old.claim, "retracted", new[by].claim)
        case Lapsed() | None:
            return Ended(old.claim, "ended", None)


def _late(standing: Standing, new: dict[str, Standing]) -> Late:
    match standing.past[-1].ending:
        case Superseded(by):
            return Late(standing.claim, "superseded", new[by].claim)
        case Retracted(by):
            return Late(standing.claim, "retracted", new[by].claim)
        case Lapsed() | None:
            return Late(standing.claim, "ended", None)


_BY = {"retracted": "denied by", "merged": "is the same as"}


def write(diff: Iterable[PageDiff]) -> str:
    """The diff for people: a heading a page, a line a change, and under it who said so, in which words."""
    out: list[str] = []
    for page in diff:
        out += [f"{page.title} ({page.path})", *(line for change in page.changes for line in lines(change)), ""]
    return "\n".join(out[:-1]) + "\n" if out else ""


def lines(change: Change) -> list[str]:
    """A change for people: what is said otherwise, and under it who said so, in which words."""
    match change:
        case Gained(claim):
            return [f"  + {claim.text}", _proof(claim)]
        case Ended(claim, why, by):
            proof = [f"    {_BY.get(why, why)}: {by.text}", _proof(by)] if by is not None else []
            return [f"  - {claim.text} [{why}]", *proof]
        case Corrected(old, new):
            return [f"  ~ {old.text}", f"    → {new.text}", _proof(new)]
        case Reworded(old, new):
            filed = [f"    about {new.mention.name}, not {old.mention.name}"] if old.mention.key != new.mention.key else []
            words = [f"  = {old.text} [reworded]", f"    → {new.text}"] if old.text != new.text else []
            same = [] if words else [f"  = {new.text} [{'moved' if filed else 'filed otherwise'}]"]
            return [*words, *same, *filed, _proof(new)]
        case Late(claim, why, by):
            ended = [f"    {why} by: {by.text}"] if by is not None else []
            return [f"  + {claim.text} [{why}]", _proof(claim), *ended]
        case Disputed(claim, rivals):
            others = (line for rival in rivals for line in (f"    conflicts with: {rival.text}", _proof(rival)))
            return [f"  ! {claim.text}", _proof(claim), *others]


def _proof(claim: Claim) -> str:
    first = claim.evidence[0]
    said = f" {first.day}" if first.said else ""
    return f"      {first.speaker}{said} {first.source}:{first.at} “{footnotes.shown_quote(first.quote)}”"


def as_json(diff: Iterable[PageDiff]) -> list[dict[str, object]]:
    """The diff as plain values: per page `path`, `title` and `changes`, each with `change` and its claims."""
    return [{"path": page.path, "title": page.title, "changes": [_plain(change) for change in page.changes]} for page in diff]


def _plain(change: Change) -> dict[str, object]:
    match change:
        case Gained(claim):
            return {"change": "gained", "claim": _told(claim)}
        case Ended(claim, why, by):
            return {"change": "ended", "why": why, "claim": _told(claim), "by": _told(by) if by else None}
        case Corrected(old, new):
            return {"change": "corrected", "claim": _told(old), "by": _told(new)}
        case Reworded(old, new):
            return {"change": "reworded", "claim": _told(old), "by": _told(new)}
        case Late(claim, why, by):
            return {"change": "late", "why": why, "claim": _told(claim), "by": _told(by) if by else None}
        case Disputed(claim, rivals):
            return {"change": "disputed", "claim": _told(claim), "rivals": [_told(rival) for rival in rivals]}


def _told(claim: Claim) -> dict[str, object]:
    first = claim.evidence[0]
    return {
        "id": claim.id,
        "text": claim.text,
        "stance": claim.stance.value,
        "speaker": first.speaker,
        "said": first.said,
        "citation": f"{first.source}:{first.at}",
        "quote": first.quote,
    }
