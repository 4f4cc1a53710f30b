"""Inspecting: each page file read once for what `lint` wants to know of it, and kept for as long as the file stays as it is.

.wikimem/lint.json    by page: size and time of the file it was read from, and what was found; and what the wiki gave, under a
                      key of all that it was folded from

The file is a cache: whatever is wrong with it, everything is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from wikimem import browsing
from wikimem.core import checks, links, pages, splits
from wikimem.errors import Problem
from wikimem.vault import Vault

_VERSION = 2
"""Raised whenever something else is found on the same page, or in the same wiki."""

_TOLD = ("title:", "summary:")
_NAME = "lint.json"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was found on one page.

    Args:
        title: its title.
        aliases: its other names.
        claims: how many lines of claims it has.
        tokens: how long it is, as `splits.tokens`.
        problems: what a person or a merge broke on it.
        links: line, target as written, what it leads to, and whether it is a wikilink, of each link.
    """

    title: str
    aliases: tuple[str, ...]
    claims: int
    tokens: int
    problems: tuple[Problem, ...]
    links: tuple[tuple[int, str, str, bool], ...]


def read(text: str, where: str) -> Sheet:
    """What is to be found on a page.

    Args:
        text: the page.
        where: its vault-relative path.
    """
    page = pages.parse(text)
    aliases = page.front.get("aliases", ())
    # Our own keys tell what was said, not where to go.
    raw = text.split("\n")
    told = {number for number, line in enumerate(raw[: pages.front_end(raw)]) if line.startswith(_TOLD)}
    found = (link for link in links.find(text, where) if link.line not in told)
    return Sheet(
        page.title,
        tuple(aliases) if isinstance(aliases, tuple) else (),
        sum(1 for _ in page.claims),
        splits.tokens(text),
        checks.of_text(text, where, page),
        tuple((link.line, link.target, link.path, link.wiki) for link in found),
    )


class Kept:
    """What was found before, by page and for the whole wiki.

    Args:
        vault: the vault.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._told = _load(vault)

    def sheets(self) -> dict[str, Sheet]:
        """What is on each page, by vault-relative path; only files that changed are read."""
        old: Mapping[str, Any] = self._told.get("pages", {})
        fresh: dict[str, Any] = {}
        found = {}
        for name in browsing.paths(self._vault.root):
            path = self._vault.root / "wiki" / name
            where = f"wiki/{name}"
            try:
                stat = path.stat()
                stamp = [stat.st_size, stat.st_mtime_ns]
                known = old.get(where)
                if known is not None and known["stamp"] == stamp:
                    sheet, entry = _sheet(known["sheet"]), known
                else:
                    sheet = read(path.read_bytes().decode("utf-8", "replace"), where)
                    entry = {"stamp": stamp, "sheet": _told(sheet)}
            except FileNotFoundError:
                continue  # somebody deleted it just now
            found[where], fresh[where] = sheet, entry
        self._told["pages"] = fresh
        return found

    def of_wiki(self, key: str) -> Any:
        """What was kept for the wiki of this key; None if nothing was."""
        told = self._told.get("wiki", {})
        return told.get("found") if told.get("key") == key else None

    def keep(self, key: str, found: Any) -> None:
        """Keep what was found in the wiki of a key, in place of what was kept before."""
        self._told["wiki"] = {"key": key, "found": found}

    def save(self) -> None:
        """Write it down; a vault that cannot be written to is read again the next time."""
        path = self._vault.root / ".wikimem" / _NAME
        with suppress(OSError):
            temporary = self._vault.work / f"{_NAME}.tmp"
            temporary.write_bytes(orjson.dumps({**self._told, "version": _VERSION}))
            temporary.replace(path)


def _load(vault: Vault) -> dict[str, Any]:
    try:
        told = orjson.loads((vault.root / ".wikimem" / _NAME).read_bytes())
        return dict(told) if told["version"] == _VERSION else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _told(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "aliases": sheet.aliases,
        "claims": sheet.claims,
        "tokens": sheet.tokens,
        "problems": [{"where": one.where, "rule": one.rule, "message": one.message} for one in sheet.problems],
        "links": sheet.links,
    }


def _sheet(told: Mapping[str, Any]) -> Sheet:
    return Sheet(
        told["title"],
        tuple(told["aliases"]),
        told["claims"],
        told["tokens"],
        tuple(Problem(**one) for one in told["problems"]),
        tuple((line, target, path, wiki) for line, target, path, wiki in told["links"]),
    )
