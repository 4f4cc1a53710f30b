"""Reading page files for the index: what people wrote on them, in pieces, and what is wrong with them. Writes nothing.

The header is read by python-frontmatter with a loader that keeps every scalar the text it is (`NO`, `12:30`, `0123`),
the body by markdown-it-py with its block rules alone. A page that either cannot be read for what it is (bad YAML, an
unsettled merge, bytes that are no text) is told and searched as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler
from markdown_it import MarkdownIt

from wikimem.core import pages, prose, texts
from wikimem.core.pages import Blank, Kept, Lead, Page
from wikimem.core.prose import Block, Prose
from wikimem.errors import Problem

_SAFE: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Texts(_SAFE):  # type: ignore[misc]  # which of two classes is known when it runs
    """YAML whose scalars are all text."""

    yaml_implicit_resolvers: Mapping[str, object] = {}


class _Header(BaseHandler):
    """The frontmatter of a page: only at its very beginning, and scalars stay text."""

    FM_BOUNDARY = re.compile(r"^---[ \t]*$", re.MULTILINE)

    def __init__(self) -> None:
        super().__init__()
        self.body = 0
        """The line, from 0, that the body begins at."""

    def split(self, text: str) -> tuple[str, str]:
        """Header and body; a ValueError, which means that there is no header, if it is never closed."""
        header, content = super().split(text)
        self.body = text.count("\n", 0, len(text) - len(content)) + 1
        return header, content

    def load(self, fm: str) -> dict[str, object]:
        """The header's values."""
        told = yaml.load(fm, Loader=_Texts)
        if told is None or told == "":
            return {}
        if not isinstance(told, dict):
            raise yaml.YAMLError("it is no list of `key: value` lines")
        return told


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page file as it is searched.

    Args:
        path: in the vault, `wiki/topics/payment-retries.md`.
        pieces: what people wrote on it.
        problems: why it was read as plain text; empty usually.
    """

    path: str
    pieces: tuple[Prose, ...]
    problems: tuple[Problem, ...] = ()


def read(path: str, data: bytes) -> Leaf:
    """A page file's prose.

    Args:
        path: in the vault.
        data: its bytes.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    problem = ""
    header = _Header()
    told: Mapping[str, object] = {}
    if prose.is_unsettled(text):
        problem = "git left an unsettled merge in it; settle it (either side will do, the next compile renders it anew)"
    elif _Header.FM_BOUNDARY.match(text):
        try:
            told, _ = frontmatter.parse(text, handler=header)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            problem = f"its header is no YAML ({' '.join(str(error).split())[:160]}); mend the lines between the two `---`"
    if not problem and "\ufffd" in text and _is_no_text(data):
        problem = "it is not UTF-8; save it as that"
    page = pages.parse(text)
    title, aliases, scope = _text(told.get("title")), _texts(told.get("aliases")), _text(told.get("scope"))
    lines, blocks = prose.everything(text) if problem else (_own(page), _blocks(text, header.body))
    found = prose.pieces(path, _title_of(path, page, title), aliases, scope, lines, blocks)
    wrong = (Problem(path, "page", f"{problem}; until then it is searched as plain text"),) if problem else ()
    return Leaf(path, tuple(found), wrong)


def _own(page: Page) -> dict[int, str]:
    """What people wrote on a page, and its lead, by line number from 0; empty lines among them."""
    found: dict[int, str] = {}
    claimed = tuple(claim.text.rstrip(".") for _, claim in page.claims if claim.text)
    for number, line in enumerate(page.lines):
        match line:
            case Kept(text):
                found[number] = text
            case Lead(sentences):
                # What is a claim's own words is found as that claim, with its proof.
                found[number] = " ".join(text for text, _ in sentences if not text.startswith(claimed))
            case Blank():
                found[number] = ""
            case _:
                pass
    return found


def _title_of(path: str, page: Page, told: str) -> str:
    """The title of a page: told in its frontmatter, else its heading, else its file name."""
    return told or page.title or path.rpartition("/")[2].removesuffix(".md").replace("-", " ")


def _text(value: object) -> str:
    return texts.normal(value) if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    found = [_text(one) for one in (value if isinstance(value, list) else (value,))]
    return tuple(one for one in found if one)


def _is_no_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


@lru_cache(1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"linkify": False}).enable("table")
    reader.core.ruler.enableOnly(["normalize", "block"])
    return reader


def _blocks(text: str, begin: int) -> list[Block]:
    """The outermost blocks of a page's body; a heading is one too, and names those that follow."""
    body = "\n".join(text.split("\n")[begin:])
    found: list[Block] = []
    section = ""
    tokens = _reader().parse(body)
    for place, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        if token.type == "heading_open":
            section = " ".join(tokens[place + 1].content.split()) if token.tag != "h1" else ""
        found.append(Block(token.map[0] + begin, token.map[1] + begin, section))
    return found
