"""What a test asks of HTML: which tags, attributes and links it really has, by a parser that reads it as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

FOREIGN = frozenset({"script", "iframe", "object", "embed", "base", "form", "style", "template", "portal", "frame", "applet"})


class Page(HTMLParser):
    """The elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(self.words)

    @property
    def ids(self) -> list[str]:
        """All ids, in order."""
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    @property
    def links(self) -> list[str]:
        """Where its links lead."""
        return [attributes["href"] for tag, attributes in self.elements if tag == "a" and "href" in attributes]


def wrong(page: Page, ours: frozenset[str] = frozenset()) -> list[str]:
    """What in a page could run, load or send anything.

    Args:
        page: parsed.
        ours: tags that the page itself may have although nobody else may.
    """
    found = []
    for tag, attributes in page.elements:
        if tag in FOREIGN and tag not in ours:
            found.append(f"<{tag}>")
        for name, value in attributes.items():
            if name.startswith("on") or name in ("style", "srcdoc", "srcset", "formaction", "action", "background", "xlink:href"):
                found.append(f"{tag} {name}={value!r}")
            if name in ("href", "src", "data") and not _is_fine(tag, name, value):
                found.append(f"{tag} {name}={value!r}")
    return found


def _is_fine(tag: str, name: str, value: str) -> bool:
    parts = urlsplit(value.strip())
    plain = "".join(sign for sign in unquote(value) if ord(sign) > 32).casefold()
    if parts.scheme in ("http", "https", "mailto"):
        return tag == "a" and name == "href"
    return not parts.scheme and not plain.startswith(("//", "/\\", "\\", "javascript:", "data:", "vbscript:", "file:"))
