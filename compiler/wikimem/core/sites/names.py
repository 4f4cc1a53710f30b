"""Names: a claim's text in pieces: plain words, code, addresses, and names of other pages, which lead there. Not HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikimem.core.sites import addresses

_CODE = re.compile(r"(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)")
_BRACKETED = r"\([^\s<>`\\()]*\)"
_URL = re.compile(rf"https?://(?:[^\s<>`\\()]|{_BRACKETED})*(?:[^\s<>`\\().,;:!?\]}}'\"]|{_BRACKETED})")
_SPECIAL = re.compile(rf"(?P<span>{_CODE.pattern})|(?P<url>{_URL.pattern})")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text.

    Args:
        kind: `text`, `code`, `url` or `name`.
        text: what is shown.
        href: where it leads; empty for none.
    """

    kind: str
    text: str
    href: str = ""


class Names:
    """The names that are looked for in the texts of one page.

    Args:
        targets: each name with the link it leads to; of names that differ only in case, the first counts.
    """

    def __init__(self, targets: Iterable[tuple[str, str]]) -> None:
        self._href: Mapping[str, str] = {
            name.casefold(): href for name, href in reversed(list(targets)) if len(name) >= _SHORTEST
        }
        longest = sorted(self._href, key=lambda name: (-len(name), name))
        either = "|".join(re.escape(name) for name in longest)
        self._pattern = re.compile(rf"(?<![\w/.-])(?:{either})(?![\w/-]|\.\w)", re.IGNORECASE) if longest else None

    def pieces(self, text: str) -> tuple[Piece, ...]:
        """The text in pieces; each page is linked once, where it is first named."""
        found: list[Piece] = []
        used: set[str] = set()
        position = 0
        for match in _SPECIAL.finditer(text):
            found += self._plain(text[position : match.start()], used)
            if match["url"]:
                found.append(Piece("url", match["url"], addresses.safe(match["url"])))
            else:
                found.append(self._code(match["code"], used))
            position = match.end()
        found += self._plain(text[position:], used)
        return tuple(found)

    def _code(self, raw: str, used: set[str]) -> Piece:
        code = raw[1:-1] if len(raw) > 2 and raw[0] == raw[-1] == " " and raw.strip() else raw
        href = self._href.get(code.casefold(), "")
        if href in used:
            return Piece("code", code)
        used.add(href)
        return Piece("code", code, href)

    def _plain(self, text: str, used: set[str]) -> list[Piece]:
        found: list[Piece] = []
        position = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            href = self._href.get(match[0].casefold(), "")
            if not href or href in used:
                continue
            used.add(href)
            found += [Piece("text", text[position : match.start()])] if match.start() > position else []
            found.append(Piece("name", match[0], href))
            position = match.end()
        return [*found, Piece("text", text[position:])] if position < len(text) else found
