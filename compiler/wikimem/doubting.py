"""Doubting: the claims of a wiki held against a code repository: which are doubtful after what became of it. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikimem import memory
from wikimem.core import doubts
from wikimem.core.doubts import Doubt, Named, Sort
from wikimem.edges.repo.code import Code, open_code
from wikimem.edges.repo.remote import remote_of
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Doubted:
    """What was found.

    Args:
        scope: the scope whose claims were looked at; empty for all.
        looked: how many claims name something of code, or a value.
        doubts: by page.
    """

    scope: str
    looked: int
    doubts: tuple[Doubt, ...]

    @property
    def markdown(self) -> str:
        """As a comment on a code review."""
        return doubts.comment(self.doubts, self.looked)

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        return {
            "scope": self.scope,
            "looked": self.looked,
            "doubts": [
                {"page": one.held.page, "claim": {"id": one.held.claim.id, "text": one.held.claim.text}, "why": list(one.why)}
                for one in self.doubts
            ],
        }


def doubted(vault: Vault, path: Path, since: str = "", scope: str | None = None) -> Doubted:
    """The claims that a code repository makes doubtful.

    Args:
        vault: the vault.
        path: a folder of the repository.
        since: a commit: only what changed since the branch parted from it; '' for all that ever was there and is gone, and
            values that the working tree changes.
        scope: whose claims; None for those of the repository's own project, '' for all.

    Raises:
        UsageError: there is no repository, or no such commit.
        WorldError: git cannot answer.
    """
    code = open_code(path, since)
    whose = vault.settings.packages.scope(remote_of(str(code.top)), str(code.top)) if scope is None else scope
    wiki = memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki
    held = doubts.held(wiki, whose)
    names = {one.claim.id: doubts.named(one.claim.text) for one in held}
    look = _Look(
        code, code.files(), code.gone(), code.lacks(each.text for found in names.values() for each in found if _is_name(each))
    )
    places = tuple(doubts.hunks(code.diff()))
    found = []
    for one in held:
        why = [told for each in names[one.claim.id] for told in look.why(each)]
        if (value := doubts.changed(one, places)) is not None:
            why.append(_value(*value))
        if why:
            found.append(Doubt(one, tuple(dict.fromkeys(why))))
    return Doubted(whose, len(held), tuple(found))


def _is_name(one: Named) -> bool:
    return one.sort is Sort.NAME


@dataclass(slots=True)
class _Look:
    """What is known of the repository."""

    code: Code
    files: frozenset[str]
    gone: Mapping[str, str]
    lacking: frozenset[str]

    def why(self, one: Named) -> Iterator[str]:
        match one.sort:
            case Sort.FILE:
                was = sorted(path for path in self.gone if doubts.is_file(one.text, (path,)))
                if was and not doubts.is_file(one.text, self.files) and not self._is_folder(one.text):
                    yield f"the file `{was[0]}` is gone{_by(self.gone[was[0]])}"
            case Sort.NAME:
                if one.text in self.lacking and (commit := self.code.had(one.text)) is not None:
                    yield f"`{one.text}` stands in no file any more{_by(commit)}"
            case Sort.COMMAND:
                if (commit := self.code.commands(one.tool, one.text)) is not None:
                    yield f"`{one.text}` is no target of {one.tool} any more{_by(commit)}"

    def _is_folder(self, name: str) -> bool:
        return any(f"/{path}".find(f"/{name}/") >= 0 for path in self.files)


def _by(commit: str) -> str:
    return f" (since {commit})" if commit else ""


def _value(value: str, place: doubts.Hunk) -> str:
    now = next((line.strip() for line in place.come), "")
    was = next((line.strip() for line in place.gone if value in line), "")
    return f"`{value}` was changed in `{place.path}`, line {place.line}: `{_code(was)}` is now `{_code(now)}`"


def _code(line: str) -> str:
    """A line of code as a code span holds it."""
    return " ".join(line.replace("`", "'").split())[:120]
