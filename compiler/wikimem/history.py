"""History: the commits that changed a page, and what each changed on it, claim by claim. Read from git, newest first.

What it said under another name counts, and what came to it from another page (see `lineage`).
With a date, only what they changed of the claims that held then, or had been said by then; others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wikimem import asof, browsing, lineage
from wikimem.core import lines, pages
from wikimem.core.lines import ClaimLine
from wikimem.lineage import Forebear
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo


@dataclass(frozen=True, slots=True)
class Step:
    """One commit, seen from one page.

    Args:
        commit: its id.
        when: when it was made, ISO 8601.
        subject: its first line.
        source: the source that was compiled; empty if it was none, or several.
        gained: lines of claims that the page shows since.
        ended: lines of claims that moved to History, or whose ending changed.
        lost: lines of claims that the page shows no more.
        other: how many other lines changed: people's, the head, links, proofs.
    """

    commit: str
    when: str
    subject: str
    source: str
    gained: tuple[str, ...]
    ended: tuple[str, ...]
    lost: tuple[str, ...]
    other: int


@dataclass(frozen=True, slots=True)
class Past:
    """The history of a page.

    Args:
        path: vault-relative.
        title: as it is now.
        steps: newest first.
    """

    path: str
    title: str
    steps: tuple[Step, ...]

    def as_json(self) -> dict[str, Any]:
        """The history as plain values; the shape is stable."""
        return {
            "path": self.path,
            "title": self.title,
            "steps": [
                {
                    "commit": step.commit,
                    "when": step.when,
                    "subject": step.subject,
                    "source": step.source,
                    "gained": list(step.gained),
                    "ended": list(step.ended),
                    "lost": list(step.lost),
                    "other": step.other,
                }
                for step in self.steps
            ],
        }


def history(vault: Vault, name: str, limit: int = 0, at: str = "", known: str = "", scope: str = "") -> Past:
    """The history of a page, its parts included.

    Args:
        vault: the vault.
        name: a slug, path, title or alias.
        limit: at most so many commits; 0 for all. With a date, so many are looked at.
        at: only claims that held at this date; '' for all.
        known: only claims that had been said by this date, as they were understood then; '' for all.
        scope: who asks, as for `show`.

    Raises:
        NoPage: there is no such page.
        UsageError: a date that is none.
    """
    asof.check(at, "--at")
    asof.check(known, "--known")
    found = browsing.find(vault.root, name, browsing.seen_by(vault, scope))
    path = f"wiki/{found.path}"
    title = pages.parse((vault.root / path).read_bytes().decode("utf-8", "replace")).title
    with vault.repository() as repo:
        shown = browsing.shown_to(vault, scope)
        # Who may see one page may not see every page that its claims came from.
        forebears = lineage.of(repo, path) if shown is None else lineage.alone(repo, path)
        commits = _commits(repo, forebears, limit if shown is None else 0)
        states = _states(repo, commits, forebears, shown)
    moved = {commit.id for one in forebears for commit in one.commits if one.claims is not None}
    whole = {commit.id for one in forebears for commit in one.commits if one.claims is None}
    if at or known:
        chosen = _chosen(vault, found.path, at, known)
        states = {ref: None if state is None else _only(state, chosen) for ref, state in states.items()}
    steps = [] if shown is not None else [_step(one, states.get(one.parent) or {}, states[one.id] or {}) for one in commits]
    if shown is not None:
        steps = list(_seen(commits, states))[: limit or None]
    # A page that only some claims came from has a history of its own besides.
    aside = moved - whole
    steps = [one for one in steps if one.gained or one.ended or one.lost or not (at or known or one.commit in aside)]
    return Past(path, title, tuple(replace(step, when=vault.zone.told(step.when)) for step in steps))


def _seen(commits: tuple[Commit, ...], states: Mapping[str, _State | None]) -> Iterator[Step]:
    """The commits after which a scope may see the page, newest first, each against the last one before after which it might."""
    before: _State = {}
    steps = []
    for commit in reversed(commits):
        after = states[commit.id]
        if after is not None and after != before:
            # The subject may tell of another page.
            steps.append(replace(_step(commit, before, after), subject=""))
            before = after
    return reversed(steps)


def _chosen(vault: Vault, path: str, at: str, known: str) -> frozenset[str]:
    """The claims of a page that held, and had been said, at some dates; whatever id they have on it."""
    _, subject = asof.page(vault, path, known)
    if subject is None:
        return frozenset()
    shown = asof.at(subject, at) if at else subject
    return frozenset(id for standing in shown.standings for id in (standing.claim.id, *standing.same))


def _only(state: _State, chosen: frozenset[str]) -> _State:
    return {(ended, id): line for (ended, id), line in state.items() if line and id in chosen}


_State = dict[tuple[bool, str], str]
"""The lines of a page by whether they are ended and what they are known by."""


def _commits(repo: Repo, forebears: tuple[Forebear, ...], limit: int) -> tuple[Commit, ...]:
    """The commits that count of a page and of those before it, newest first."""
    if len(forebears) == 1:
        return forebears[0].commits[: limit or None]
    counting = {commit.id for one in forebears for commit in one.commits}
    every = repo.log({file: None for one in forebears for file in one.files})
    return tuple(commit for commit in every if commit.id in counting)[: limit or None]


def _states(
    repo: Repo, commits: tuple[Commit, ...], forebears: tuple[Forebear, ...], shown: browsing.May | None
) -> dict[str, _State | None]:
    """What the page (with its parts, and those it came from) said after each of some commits, and before them.

    None where it may not be shown.
    """
    refs = dict.fromkeys(ref for commit in commits for ref in (commit.id, commit.parent) if ref)
    held = [
        (ref, one, [blob for file in one.files for blob in repo.paths(file, ref).values()])
        for ref in refs
        for one in forebears
        if one.until is None or ref in one.until
    ]
    texts = repo.contents(blob for _, _, blobs in held for blob in blobs)
    hidden = {blob for blob, data in texts.items() if shown is not None and not shown(data.decode("utf-8", "replace"))}
    states: dict[str, _State | None] = {ref: {} for ref in refs}
    for ref, one, blobs in held:
        known = states[ref]
        if known is None or not hidden.isdisjoint(blobs):
            states[ref] = None
            continue
        state = _state([texts[blob] for blob in blobs])
        if one.claims is not None:
            state = {(ended, one.claims[id]): line for (ended, id), line in state.items() if line and id in one.claims}
        states[ref] = known | state
    return states


def _state(texts: list[bytes]) -> _State:
    found: _State = {}
    for text in texts:
        for line in pages.parse(text.decode("utf-8", "replace")).lines:
            if isinstance(line, ClaimLine):
                found[(line.struck, line.id)] = _shown(line)
            elif told := pages.write_line(line):
                found[(False, told)] = ""
    return found


def _shown(line: ClaimLine) -> str:
    """A claim's line as it is read, without its list mark and its reference."""
    tail = lines.write_tail(line.tail)
    return f"{f'~~{line.text}~~' if line.struck else line.text}{f' ({tail})' if tail else ''}"


def _step(commit: Commit, before: _State, after: _State) -> Step:
    new = [(key, line) for key, line in after.items() if line and before.get(key) != line]
    gained = tuple(line for (ended, id), line in new if not ended)
    ended = tuple(line for (ended, id), line in new if ended)
    claims = {id for (_, id), line in after.items() if line}
    lost = tuple(line for (_, id), line in before.items() if line and id not in claims)
    other = sum(not line for key, line in after.items() if key not in before)
    other += sum(not line for key, line in before.items() if key not in after)
    sources = [value for name, value in commit.trailers if name == "Source"]
    source = sources[0] if len(sources) == 1 else ""
    return Step(commit.id, commit.when, commit.subject, source, gained, ended, lost, other)
