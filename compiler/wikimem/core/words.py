"""Words: what a text is searched by. Not a parser of queries: `*`, `-x` and `NOT` are text like any other.

The same function cuts what is indexed and what is asked, so whatever stands in a turn can be asked for as it stands
there: `C++`, `.env`, `--dry-run`, `src/app/main.py`, `retryLimit`, `retry_limit`, full-width `ＡＰＩ`, `東京都`.
Stemming comes from outside (`Stem`), because core knows no library.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator

Stem = Callable[[str], str]

LONGEST = 64
"""Characters kept of one word: longer runs (hashes, encoded images) are told apart by their beginning."""

_STOP = """
    a about after all also am an and any are arent as at be because been before being between both but by can cant
    could couldnt did didnt do does doesnt doing dont down during each few for from further had hadnt has hasnt have
    havent having he her here hers him his how i if in into is isnt it its itself just let may me might more most must
    my no nor not now of off on once only or other our ours out over own please same shall she should shouldnt so some
    such tell than that the their theirs them then there these they this those through to too under until up us very
    was wasnt we were werent what when where which while who whom whose why will with wont would wouldnt you your yours
"""
STOP = frozenset(_STOP.split())
"""Words that a question is asked with. They are indexed, and left out of a question that has others."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Scripts written without spaces (and Hangul, whose endings hide its words): cut into pairs of characters."""

_CHUNK = re.compile(r"[^\s\"“”„«»(){}\[\]<>,;!?*`|=~^%&$…。、，；：！？「」『』（）]+")
_LATIN = "[a-zA-Z\u0130\u0131\u017f\u212a]"
"""What `[a-z]` means where case is no matter. Asked for so, the ranges above would be gone through sign by sign."""
_LETTER = rf"[^\W{_UNSPACED}]"
_WORD = re.compile(
    rf"""
      (?P<pairs>[{_UNSPACED}]+)
    | (?P<plus>{_LATIN}\w*(?:\+\+\d*|\#)(?!\w))
    | (?P<word>(?:(?<!\w)(?:--?|\.|\#|@))?{_LETTER}+(?:(?:'|[-._/:\\@]+){_LETTER}+)*)
    | (?P<sign>[\u2190-\u2bff\U0001f000-\U0001faff])
    """,
    re.VERBOSE,
)
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z][a-z])")
_PLACE = re.compile(r"(?::\d+)+\Z")
_ACCENTS = re.compile("[\u0300-\u036f]+")


def fold(text: str) -> str:
    """The text without the differences that nobody types: width, case, accents, ligatures, curly apostrophes."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()))
    return unicodedata.normalize("NFKC", bare)


def chunks(text: str) -> list[str]:
    """The runs between spaces, quotes and brackets, as they stand: each can be cut into words on its own."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return _CHUNK.findall(text)


def of_chunk(chunk: str) -> list[str]:
    """The folded words of one chunk: of an identifier or path the whole, its last step and its parts."""
    found: list[str] = []
    for match in _WORD.finditer(chunk):
        run = match[0]
        if match["pairs"]:
            found += fold(run)
            found += (run[i : i + 2] for i in range(len(run) - 1))
        elif match["word"]:
            found += _identifier(run)
        else:
            found.append(fold(run)[:LONGEST])
    return found


def split(text: str) -> list[str]:
    """All words of a text in order, folded and unstemmed."""
    return [word for chunk in chunks(text) for word in of_chunk(chunk)]


def places(text: str, wanted: Collection[str], root: Callable[[str], Collection[str]]) -> list[int]:
    """Offsets in `text` of the chunks that hold a wanted word.

    Args:
        text: as it stands, not folded.
        wanted: the words looked for, in the form that `root` gives.
        root: the words of one chunk, in that form.
    """
    found = []
    for match in _CHUNK.finditer(text):
        chunk = match[0] if match[0].isascii() else unicodedata.normalize("NFKC", match[0]).replace("’", "'")
        if any(word in wanted for word in root(chunk)):
            found.append(match.start())
    return found


def _identifier(run: str) -> Iterator[str]:
    """A word or identifier: itself, then what it is made of where that differs."""
    whole = fold(run)
    if whole.endswith("'s"):
        whole = whole[:-2]
    whole = whole.replace("'", "")
    yield whole[:LONGEST]
    if whole.isalpha() and run[1:].islower():
        return
    parts = [fold(part) for step in _HUMP.split(run.replace("'", "")) for part in _PARTS.findall(step)]
    if parts == [whole] or not parts:
        return
    last = _PLACE.sub("", whole).replace("\\", "/").rpartition("/")[2]
    if last and last != whole and last not in parts:
        yield last[:LONGEST]
    if len(parts) > 2 and whole.isalnum() and not whole.isalpha():
        return  # a hash: its letters and digits mean nothing apart
    yield from (part[:LONGEST] for part in parts if part != whole)
