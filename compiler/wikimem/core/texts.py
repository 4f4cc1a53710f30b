"""Claim text: one line, brought to one form, and compared after folding what no reader tells apart. Not markdown.

`normal` is the form that is stored and hashed. `fold` is for comparing a quote with its source; it keeps, for each
character of the folded text, where it came from, so that what is stored is always the source's own words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Joiners (U+200C, U+200D) stay: Persian words and composed emoji are other texts without them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´＇‹›", "'") | dict.fromkeys("“”„‟″«»＂", '"') | dict.fromkeys("‐‑‒–—―−﹣－", "-"))
_SPACES = re.compile(r"\s+")
_JOINTS = str.maketrans(dict.fromkeys("_-‐‑", " "))
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)


def normal(text: str) -> str:
    """The text as one NFC line without control, bidi or zero-width characters, spaces folded. Idempotent."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    bare = _INVISIBLE.sub("", _SURROGATE.sub("\ufffd", text))
    return " ".join(unicodedata.normalize("NFC", bare).split())


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, case folded."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'")))


def key(name: str) -> str:
    """What makes two names one: case, spaces, hyphens and underscores do not."""
    folded = unicodedata.normalize("NFKC", normal(name)).casefold()
    return " ".join(folded.translate(_JOINTS).split())


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and for each of its characters the place in the original where it begins and ends."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def splits(self, at: int) -> bool:
        """Whether a cut before a character would cut one sign of the original: `¼` folds to three. Spaces may be cut off."""
        if not 0 < at < len(self.text) or self.starts[at - 1] != self.starts[at]:
            return False
        return " " not in self.text[at - 1 : at + 1]


def fold(text: str) -> Folded:
    """The text with space, quotation marks, dashes and Unicode forms folded; case is kept, words are never changed."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        piece = text[start:end]
        if piece.isspace():
            folded = " "
        elif piece.isascii():
            folded = piece.translate(_QUOTES)
        else:
            bare = _INVISIBLE.sub("", piece).translate(_QUOTES)
            folded = unicodedata.normalize("NFKC", bare).translate(_QUOTES)
            folded = " " if folded.isspace() else folded
        for sign in folded:
            # Some signs fold to a space and a mark, and a mark may follow a space.
            character = " " if sign.isspace() else sign
            if character == " " and out and out[-1] == " ":
                ends[-1] = end
                continue
            out.append(character)
            starts.append(start)
            ends.append(end)
    return Folded("".join(out), tuple(starts), tuple(ends))


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text after folding: the span `(start, end)` of the original, or None.

    A quote stands only at word boundaries and in one piece: what was left out in its middle makes it another text.
    """
    wanted = " ".join(fold(quote).text.split())
    if not wanted:
        return None
    folded = fold(text)
    # Runs of spaces were folded while the places were kept, so that a plain search finds the span.
    position = folded.text.find(wanted)
    while position >= 0:
        end = position + len(wanted)
        if _whole(folded.text, position, end) and not (folded.splits(position) or folded.splits(end)):
            return folded.starts[position], folded.ends[end - 1]
        position = folded.text.find(wanted, position + 1)
    return None


def stands(quote: str, text: str) -> bool:
    """Whether `find` finds a quote in a text, without saying where: what is plainly there, or plainly ASCII, is not folded."""
    if quote.isascii() and text.isascii():
        wanted = " ".join(quote.translate(_QUOTES).split())
        return bool(wanted) and _holds(_SPACES.sub(" ", text.translate(_QUOTES)), wanted)
    bare = quote.strip()
    place = text.find(bare) if bare[:1].isascii() else -1
    around = text[max(place - 1, 0) : place] + text[place + len(bare) : place + len(bare) + 1]
    if bare and place >= 0 and around.isascii() and not any(sign.isalnum() for sign in around):
        return True
    return find(quote, text) is not None


def _holds(text: str, wanted: str) -> bool:
    position = text.find(wanted)
    while position >= 0:
        if _whole(text, position, position + len(wanted)):
            return True
        position = text.find(wanted, position + 1)
    return False


def _whole(text: str, start: int, end: int) -> bool:
    before = start > 0 and _joined(text[start - 1], text[start])
    after = end < len(text) and _joined(text[end - 1], text[end])
    return not before and not after


def _joined(left: str, right: str) -> bool:
    """Whether a cut between two characters would cut a word; scripts without spaces may be cut anywhere."""
    return left.isalnum() and right.isalnum() and not (_unspaced(left) or _unspaced(right))


def _unspaced(character: str) -> bool:
    return "\u0e00" <= character <= "\u0eff" or "\u2e80" <= character <= "\u9fff" or character >= "\U00020000"


def _clusters(text: str) -> list[tuple[int, int]]:
    """Characters with the combining marks that follow them, so that NFD and NFC fold alike."""
    if text.isascii():
        return [(index, index + 1) for index in range(len(text))]
    found: list[tuple[int, int]] = []
    for index, character in enumerate(text):
        if found and unicodedata.combining(character) and found[-1][1] == index:
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return found
