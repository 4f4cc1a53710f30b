"""Addresses: where each thing lies in the built site, and how one file links to another. All are relative: no server."""

from __future__ import annotations

import re

from wikimem.core.cards import path as card_path
from wikimem.core.claims import digest

_LOOSE = re.compile(r"[^A-Za-z0-9/._~-]")
_SAFE_AT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_WEB = re.compile(r"(?:https?://[^\s/?#]|mailto:)[^\s<>\"'`\\]*", re.IGNORECASE)
_SCHEME = re.compile(r"[^/?#]*:")
_SOURCE = re.compile(r"(?:^|/)sources/(?:\d{4}/\d\d|undated)/(?P<source>[A-Za-z0-9-]+)(?:\.\w+)?(?:#(?P<at>.*))?")


def page(path: str) -> str:
    """The file of a page: `topics/payment-retries.md` gives `topics/payment-retries.html`."""
    return path.removesuffix(".md") + ".html"


def session(source: str, part: int = 1) -> str:
    """The file of a part of a session, from 1."""
    stem = card_path(source).removesuffix(".md")
    return f"{stem}.html" if part == 1 else f"{stem}.{part}.html"


def change(commit: str) -> str:
    """The file of a commit."""
    return f"changes/{commit[:12]}.html"


def lettered(path: str, label: str) -> str:
    """The file of a further sheet of a list: `topics/index.html` and `B 2` give `topics/index.b-2.html`."""
    named = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign == "-") else f"u{ord(sign):x}" for sign in label.replace(" ", "-")
    )
    return f"{path.removesuffix('.html')}.{named.lower()}.html"


def scope(name: str) -> str:
    """The file that lists what belongs to a scope."""
    kind, _, slug = name.partition(":")
    # No slug holds two hyphens side by side.
    return f"scopes/{kind}-{slug.replace('/', '--')}.html"


def turn(at: str) -> str:
    """The fragment of a turn: its locator, where that is a plain one."""
    return at if _SAFE_AT.fullmatch(at) else f"t-{digest(at)}"


def claim(id: str) -> str:
    """The fragment of a claim."""
    return f"c-{id}"


def link(target: str, here: str, fragment: str = "") -> str:
    """The relative link from one file of the site to another, percent-encoded."""
    to, of = target.split("/"), here.split("/")
    shared = 0
    while shared < min(len(to), len(of)) - 1 and to[shared] == of[shared]:
        shared += 1
    way = "../" * (len(of) - 1 - shared) + "/".join(to[shared:])
    return _coded(way) + (f"#{_coded(fragment)}" if fragment else "")


def _coded(text: str) -> str:
    return _LOOSE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), text)


def safe(href: str) -> str:
    """An address that a text names, if it is one of the web or of mail; else empty: no other scheme is ever linked."""
    return href if _WEB.fullmatch(href) else ""


def is_relative(href: str) -> bool:
    """Whether an address has neither a scheme nor a host, however it is written."""
    return not href.startswith(("/", "\\")) and not _SCHEME.match(href) and not any(ord(sign) < 33 for sign in href)


def cited(href: str) -> tuple[str, str] | None:
    """Source and locator of a link from a page of the wiki into `sources/`; None for any other link."""
    match = _SOURCE.search(href)
    return (match["source"], match["at"] or "") if match else None
