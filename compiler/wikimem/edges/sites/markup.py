"""Markup: markdown of people and agents as HTML that can do no harm. Not the templates, which escape all else.

Two walls: the parser is told that there is no HTML and what may be linked, and its output is sanitised again. Images are
shown as their words: a picture somewhere else would be a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from markupsafe import Markup

from wikimem.core.sites import addresses

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAGS = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "code",
        "del",
        "div",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "div": {"class", "tabindex"}, "th": {"align"}, "td": {"align"}}
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKDOWN = frozenset("`*_#[]|>~<&\\!-+1234567890\n")
_LONGEST = 60_000
"""Characters beyond which a text is shown as it is: no parser should be asked to read a file."""

Follow = Callable[[str], str]
"""Where a relative link leads from the page; empty for nowhere."""


def nowhere(href: str) -> str:
    """Follows no relative link: those of a transcript lead to files of another machine."""
    return ""


def html(text: str, follow: Follow = nowhere) -> Markup:
    """Markdown as sanitised HTML; its headings begin below those of the page.

    Args:
        text: any text of anybody.
        follow: where relative links lead.
    """
    if len(text) > _LONGEST:
        return plain(text)
    parser = _parser()
    env: dict[str, object] = {}
    tokens = parser.parse(text.replace(_OPEN, "").replace(_CLOSE, ""), env)
    return _clean(_render(parser, tokens, env, follow))


def speech(stretches: Iterable[tuple[str, bool]]) -> Markup:
    """An agent's markdown with marked words; a mark that would cross other markup is left out.

    Args:
        stretches: pieces of the text in order, and whether each is marked.
    """
    told = list(stretches)
    whole = "".join(text for text, _ in told)
    if len(whole) > _LONGEST or _MARKDOWN.isdisjoint(whole):
        return (
            Markup('<p class="said">')
            + Markup("").join(_mark(text) if marked else text for text, marked in told)
            + Markup("</p>")
        )
    bare = [(text.replace(_OPEN, "").replace(_CLOSE, ""), marked) for text, marked in told]
    parser = _parser()
    env: dict[str, object] = {}
    tokens = parser.parse("".join(f"{_OPEN}{text}{_CLOSE}" if marked else text for text, marked in bare), env)
    cleaned = str(_clean(_render(parser, tokens, env, nowhere)))
    return Markup(_marks(cleaned))


def plain(text: str) -> Markup:
    """Text as it is, with its line breaks."""
    return Markup('<p class="said">{}</p>').format(text)


def _mark(text: str) -> Markup:
    return Markup("<mark>{}</mark>").format(text)


def _marks(cleaned: str) -> str:
    """Put marks where their signs stand, if they enclose nothing but text."""
    out: list[str] = []
    for number, piece in enumerate(cleaned.split(_OPEN)):
        inside, found, rest = piece.partition(_CLOSE)
        if number and found and "<" not in inside:
            out += ["<mark>", inside, "</mark>", rest]
        else:
            out.append(piece.replace(_CLOSE, ""))
    return "".join(out).replace(_CLOSE, "")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 30})
    return parser.enable(["table", "strikethrough"])


def _render(parser: MarkdownIt, tokens: list[Token], env: dict[str, object], follow: Follow) -> str:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        for child in token.children or ():
            if child.type == "link_open":
                _relink(child, follow)
            elif child.type == "image":
                _unpicture(child)
        _align(token)
    rendered: str = parser.renderer.render(tokens, parser.options, env)
    return rendered.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _relink(token: Token, follow: Follow) -> None:
    href = str(token.attrGet("href") or "")
    found = addresses.safe(href) or (follow(href) if addresses.is_relative(href) else "")
    token.attrs = {"href": found} if found else {}


def _unpicture(token: Token) -> None:
    token.type, token.tag = "text", ""
    token.content = f"[image: {token.content}]" if token.content else "[image]"


def _align(token: Token) -> None:
    if token.type in ("th_open", "td_open"):
        style = str(token.attrGet("style") or "")
        token.attrs = {"align": style.removeprefix("text-align:")} if style.startswith("text-align:") else {}


def _clean(rendered: str) -> Markup:
    import nh3

    return Markup(
        nh3.clean(
            rendered,
            tags=set(_TAGS),
            attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer nofollow",
        )
    )


def text_only(text: str) -> str:
    """Text for a place where even a template's escaping does not reach."""
    return escape(text, quote=True)
