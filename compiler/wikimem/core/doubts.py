"""Doubts: claims about code that what became of the code makes doubtful: a file, a name or a command gone, a value changed.

Pure: which things a claim names, and whether a change speaks against them. A thing that was never in the repository is no
reason for doubt, for claims name much that lies elsewhere. Nothing is closed by a doubt; a person looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from wikimem.core import pairs, scopes, texts
from wikimem.core.claims import Claim, Kind
from wikimem.core.fold import Wiki


class Sort(StrEnum):
    """What is named."""

    FILE = "file"
    NAME = "name"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Named:
    """A thing in code that a claim names.

    Args:
        sort: of it.
        text: a path, an identifier, or the target of a build tool.
        tool: the tool of a command, `make` or `npm`; empty for others.
    """

    sort: Sort
    text: str
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A claim that holds, with its page.

    Args:
        page: vault-relative.
        claim: the claim.
    """

    page: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class Hunk:
    """One changed place of a diff.

    Args:
        path: of the file, as it is now; as it was where it is gone.
        line: where it begins, in the file as it was.
        gone: the lines taken out.
        come: the lines put in.
    """

    path: str
    line: int
    gone: tuple[str, ...]
    come: tuple[str, ...]


_SPAN = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"(?<![\w/.:@-])(?:\./)?((?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9}|(?:[\w@.-]+/)+[\w@.-]+)(?![\w/])")
_ENDINGS = frozenset(
    texts.words(
        """c cc cfg conf cpp cs css csv go h hpp html ini java js json jsx kt lock md mjs php proto py pyi rb rs scss sh sql
        svelte swift toml ts tsx txt vue xml yaml yml"""
    )
)
"""What a name without a folder must end in to be that of a file: `queue.push` is none."""

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*(?:\(\))?")
_SHAPED = re.compile(r"_|[a-z][A-Z]|\(\)$|\.|::")
_COMMAND = re.compile(r"(make|just|(?:npm|pnpm|yarn)(?: run)?) ([A-Za-z][\w:.-]*)")
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_WORDS = 1


def held(wiki: Wiki, scope: str) -> tuple[Held, ...]:
    """The claims that hold and may be about the code of a scope: its own and its packages'; all for ''. By page and id."""
    found = [
        Held(f"wiki/{wiki.path(key)}", standing.claim)
        for key, subject in wiki.subjects.items()
        if not scope or scopes.holds(scope, subject.scope)
        for standing in subject.standings
        if standing.current is not None and standing.claim.kind is not Kind.EPISODIC
    ]
    return tuple(sorted(found, key=lambda one: (one.page, one.claim.id)))


def named(text: str) -> tuple[Named, ...]:
    """What a claim's text names of code: paths anywhere, identifiers and commands in code spans; each once, in order."""
    found: dict[Named, None] = {}
    for span in _SPAN.findall(text):
        words = span.strip()
        if match := _COMMAND.fullmatch(words):
            tool = match[1].partition(" ")[0]
            found[Named(Sort.COMMAND, match[2], "make" if tool in ("make", "just") else "npm")] = None
        elif _PATH.fullmatch(words) and ("/" in words or words.rpartition(".")[2] in _ENDINGS):
            found[Named(Sort.FILE, words.removeprefix("./"))] = None
        elif _IDENTIFIER.fullmatch(words) and _SHAPED.search(words):
            found[Named(Sort.NAME, re.split(r"\.|::", words.removesuffix("()"))[-1])] = None
    for match in _PATH.finditer(_SPAN.sub(" ", text)):
        if match[1].rpartition(".")[2] in _ENDINGS:
            found[Named(Sort.FILE, match[1])] = None
    return tuple(found)


def hunks(diff: str) -> Iterator[Hunk]:
    """The changed places of a unified diff without context lines, as `git diff -U0` prints it."""
    was = path = ""
    line = 0
    gone: list[str] = []
    come: list[str] = []
    # Only within a hunk is a line that begins with `--- ` or `+++ ` one of the file's.
    for text in [*diff.split("\n"), "diff "]:
        if text.startswith(("diff ", "@@ ")):
            if gone or come:
                yield Hunk(path if path != "/dev/null" else was, line, tuple(gone), tuple(come))
            gone, come = [], []
            match = _HUNK.match(text)
            line = int(match[1]) if match else 0
        elif line == 0 and not gone and not come and text.startswith("--- "):
            was = text[4:].removeprefix("a/").rstrip("\t")
        elif line == 0 and not gone and not come and text.startswith("+++ "):
            path = text[4:].removeprefix("b/").rstrip("\t")
        elif text.startswith("-"):
            gone.append(text[1:])
        elif text.startswith("+"):
            come.append(text[1:])


def changed(one: Held, places: Iterable[Hunk]) -> tuple[str, Hunk] | None:
    """The value of a claim that a change takes away, and where: a line with it went, one with the same words and without it came.

    Args:
        one: the claim.
        places: the changed places.
    """
    values = {value for value in pairs.values(one.claim.text) if value.isdigit() and len(value) > 1}
    if not values:
        return None
    about = pairs.content(f"{one.claim.mention.name} {one.claim.attribute} {one.claim.text}")
    for place in places:
        for value in sorted(values):
            has = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
            old = [line for line in place.gone if has.search(line)]
            if not old or any(has.search(line) for line in place.come):
                continue
            words = about & frozenset().union(*(_words(line) for line in (*old, place.path))) - {value}
            kept = [line for line in place.come if len(words & (_words(line) | _words(place.path))) >= _WORDS]
            if words and kept:
                return value, place
    return None


def _words(line: str) -> frozenset[str]:
    """The words of a line of code, with those that identifiers are made of."""
    return pairs.content(re.sub(r"([a-z])([A-Z])", r"\1 \2", line).replace("_", " "))


def is_file(name: str, files: Iterable[str]) -> bool:
    """Whether one of some paths is what a claim names: the same, or it ends in it."""
    return any(path == name or path.endswith(f"/{name}") for path in files)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a claim is doubtful.

    Args:
        held: the claim.
        why: sentences, each with a place in the repository.
    """

    held: Held
    why: tuple[str, ...]


def comment(found: Iterable[Doubt], looked: int) -> str:
    """The doubts as markdown for a code review; says so where there are none.

    Args:
        found: by page.
        looked: how many claims were looked at.
    """
    doubts = list(found)
    if not doubts:
        return f"Memory: none of {looked} claims is made doubtful by this code.\n"
    by_page: Mapping[str, list[Doubt]] = {one.held.page: [] for one in doubts}
    for one in doubts:
        by_page[one.held.page].append(one)
    lines = [f"### Memory: {len(doubts)} of {looked} claims {'is' if len(doubts) == 1 else 'are'} doubtful after this change", ""]
    for page, group in by_page.items():
        lines.append(f"**{page}**")
        lines.append("")
        for one in group:
            lines.append(f"- [ ] {_harmless(one.held.claim.text)} (`{one.held.claim.id}`)")
            lines += [f"  - {why}" for why in one.why]
        lines.append("")
    lines.append("If a claim is no longer so, say it in a session, or edit the page; `wikimem reject ID` takes it out for good.")
    return "\n".join(lines) + "\n"


def _harmless(text: str) -> str:
    """A claim's text without what a hosting site would act on, or show as markup; code spans stay."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_\[\]<>#@!|~&])", r"\\\1", part) for part in parts)
