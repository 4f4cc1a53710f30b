"""The line grammar of a page: how claim text, tail and id become one markdown line, and come back. Not the page.

Claim text is plain text with backtick spans and bare URLs. It is escaped only where a parser would see markup, so that
grep over the pages works; a backtick span is written as it stands, a URL goes into `<>`. The tail tells intervals,
stance and rivals in a few fixed phrases. Everything that is written here is read back to the same value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ID = r"[a-z2-7]{12}"
_CODE = r"(?<!`)(?P<ticks>`+)(?!`)(?:.+?)(?<!`)(?P=ticks)(?!`)"
_BRACKETED = r"\([^\s<>`\\()]*\)"
# A bracket that closes inside belongs to the address; the last sign of a sentence does not.
_URL = rf"https?://(?:[^\s<>`\\()]|{_BRACKETED})*(?:[^\s<>`\\().,;:!?\]}}'\"]|{_BRACKETED})"
_SPECIAL = re.compile(rf"(?P<code>{_CODE})|(?P<url>{_URL})")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
_START = re.compile(r"(?P<number>\d{1,9})[.)](?=\s|$)|[-+#>=|~*]|:(?=-|\s)")
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_ANGLE = re.compile(r"<(https?://[^\s<>`]+)>")
_TICKS = re.compile(r"`+")
_SPAN = re.compile(r"(?P<ticks>`+)(?!`)(?:.+?)(?<!`)(?P=ticks)(?!`)")
CITE = re.compile(rf"\[\^({ID})\]")
_MARKS = re.compile(r"[~`\[\]\\*<&$%=#!_]")
"""What may be markup in plain text; nearly all texts have little of it, so nothing else is looked at."""
_STOPS = re.compile(r"[\[\\`<]")
"""What may be more than itself in raw text."""


def escape(text: str, start: bool = True) -> str:
    """Normal text as markdown that shows exactly this text.

    Args:
        text: in normal form (`texts.normal`).
        start: whether it begins a block, where a number or a sign could begin a list or a heading.
    """
    pieces = _pieces(text)
    out: list[str] = []
    for index, (kind, piece) in enumerate(pieces):
        if kind == "plain":
            before = pieces[index - 1][1][-1] if index else ""
            after = _first(pieces[index + 1]) if index + 1 < len(pieces) else ""
            out.append(_plain(piece, before, after))
        else:
            out.append(piece if kind == "code" else f"<{piece}>")
    raw = "".join(out)
    begins = _START.match(raw) if start else None
    if begins is not None:
        number = begins["number"] or ""
        raw = f"{number}\\{raw[len(number) :]}"
    false_tail = _FALSE_TAIL.search(raw) if ")" in raw else None
    if false_tail is not None:
        raw = f"{raw[: false_tail.start()]}\\{raw[false_tail.start() :]}"
    return raw


def label(text: str) -> str:
    """Normal text as the text of a link: without code spans and autolinks, which could end the link or undo it."""
    return _plain(text, "", "")


def unescape(raw: str) -> str:
    """The text that `escape` made this of."""
    return scan(raw, 0)[0]


def scan(raw: str, position: int) -> tuple[str, int]:
    """Text from a position up to a citation (`[^id]`) that is neither escaped nor in code, or to the end.

    Returns:
        The text, and where it ended.
    """
    out: list[str] = []
    while position < len(raw):
        stop = _STOPS.search(raw, position)
        if stop is None:
            out.append(raw[position:])
            return "".join(out), len(raw)
        out.append(raw[position : stop.start()])
        position = stop.start()
        character = raw[position]
        if character == "[" and CITE.match(raw, position):
            break
        if character == "\\" and raw[position + 1 : position + 2] in _PUNCTUATION and position + 1 < len(raw):
            out.append(raw[position + 1])
            position += 2
            continue
        found = _whole(raw, position, character)
        out.append(found[0])
        position = found[1]
    return "".join(out), position


def _whole(raw: str, position: int, character: str) -> tuple[str, int]:
    """One character, code span or URL of raw text, as text."""
    if character == "`":
        match = _SPAN.match(raw, position) or _TICKS.match(raw, position)
        assert match is not None
        return match[0], match.end()
    if character == "<":
        url = _ANGLE.match(raw, position)
        if url is not None:
            return url[1], url.end()
    return character, position + 1


def _pieces(text: str) -> list[tuple[str, str]]:
    if "`" not in text and "://" not in text:
        return [("plain", text)] if text else []
    found: list[tuple[str, str]] = []
    position = 0
    for match in _SPECIAL.finditer(text):
        if match.start() > position:
            found.append(("plain", text[position : match.start()]))
        found.append(("code" if match["code"] else "url", match[0]))
        position = match.end()
    if position < len(text):
        found.append(("plain", text[position:]))
    return found


def _first(piece: tuple[str, str]) -> str:
    return "<" if piece[0] == "url" else piece[1][0]


def _plain(text: str, before: str, after: str) -> str:
    def marked(found: re.Match[str]) -> str:
        character, index = found[0], found.start()
        left = text[index - 1] if index else before
        right = text[index + 1] if index + 1 < len(text) else after
        if character == "_":
            is_marked = not _inside_word(text, index, before, after)
        else:
            is_marked = _is_markup(character, left, right, text, index)
        return f"\\{character}" if is_marked else character

    return _MARKS.sub(marked, text)


def _is_markup(character: str, left: str, right: str, text: str, index: int) -> bool:
    """Whether some markdown parser in use would read the character as more than itself."""
    match character:
        case "~" | "`" | "[" | "]":
            return True
        case "\\":
            return not right or not (right.isalnum() or right.isspace())
        case "*":
            return not (left in ("", " ") and right == " ")
        case "<":
            return right.isalpha() or right in ("/", "!", "?")
        case "&":
            return _ENTITY.match(text, index) is not None
        case "$":
            return bool(right) and not right.isspace()
        case "%" | "=":
            return character in (left, right)
        case "#":
            return left in ("", " ", "(") and bool(right) and not (right.isspace() or right.isdigit())
        case "!":
            return right == "["
    return False


def _inside_word(text: str, index: int, before: str, after: str) -> bool:
    """Whether a run of underscores stands between letters or digits, where it is never emphasis."""
    first = last = index
    while first >= 0 and text[first] == "_":
        first -= 1
    while last < len(text) and text[last] == "_":
        last += 1
    left = text[first] if first >= 0 else before
    right = text[last] if last < len(text) else after
    return left.isalnum() and right.isalnum()


@dataclass(frozen=True, slots=True)
class Part:
    """One interval as a tail shows it.

    Args:
        start: shown moment; empty if unknown.
        end: shown moment; empty if unknown or open.
        on: the interval is the moment of an event: `on 2026-08-14`.
        why: how it ended: `superseded` or `retracted`; empty if it ended by itself or is open.
        by: the id of the claim that ended it; empty as `why`.
    """

    start: str = ""
    end: str = ""
    on: bool = False
    why: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Tail:
    """What stands in brackets after a claim's text.

    Args:
        parts: its intervals, in order.
        stance: where the section does not tell it; empty usually.
        confidence: in hundredths; 0 if not told.
        rivals: ids of claims it is in conflict with.
    """

    parts: tuple[Part, ...] = ()
    stance: str = ""
    confidence: int = 0
    rivals: tuple[str, ...] = ()


_MOMENT = r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?)?)?"
_WHEN = rf"(?:since {_MOMENT}|until {_MOMENT}|on {_MOMENT}|{_MOMENT} to {_MOMENT})"
_ENDED = rf"(?:superseded|retracted) by \[\^{ID}\]"
_ITEM = rf"(?:{_WHEN}|evidence|fact|preference|inference|opinion|(?:0\.\d\d?|1\.0)|{_ENDED}|conflicts with \[\^{ID}\])"
_TAIL = rf"{_ITEM}(?:[,;] {_ITEM})*"
_FALSE_TAIL = re.compile(rf"\((?={_TAIL}\)$)")
_LINE = re.compile(rf"(?P<raw>.*?)(?: \((?P<tail>{_TAIL})\))? \[\^(?P<id>{ID})\]")


def write_tail(tail: Tail) -> str:
    """The tail without its brackets; empty if there is nothing to tell."""
    groups = [[item for item in (_when(part), _ending(part)) if item] for part in tail.parts]
    groups = [group for group in groups if group] or [[]]
    groups[0][_told(groups[0]) : _told(groups[0])] = _ground(tail)
    groups[-1] += [f"conflicts with [^{rival}]" for rival in tail.rivals]
    return "; ".join(", ".join(group) for group in groups if group)


def _told(group: list[str]) -> int:
    """How many items of a group tell when: the stance stands after them."""
    return 1 if group and not group[0].startswith(("superseded", "retracted")) else 0


def _when(part: Part) -> str:
    if part.on:
        return f"on {part.start}"
    if part.start and part.end:
        return f"{part.start} to {part.end}"
    if part.start:
        return f"since {part.start}"
    return f"until {part.end}" if part.end else ""


def _ending(part: Part) -> str:
    return f"{part.why} by [^{part.by}]" if part.why else ""


def _ground(tail: Tail) -> list[str]:
    confidence = f"{tail.confidence / 100:g}" if tail.confidence < 100 else "1.0"
    return [item for item in (tail.stance, confidence if tail.confidence else "") if item]


def read_tail(raw: str) -> Tail:
    """The tail that these words tell (without brackets)."""
    parts: list[Part] = []
    stance, confidence = "", 0
    rivals: list[str] = []
    for group in raw.split("; ") if raw else ():
        told: dict[str, str] = {}
        for item in group.split(", "):
            head, _, rest = item.partition(" ")
            if head in ("superseded", "retracted"):
                told |= {"why": head, "by": rest[5:-1]}
            elif head == "conflicts":
                rivals.append(rest[7:-1])
            elif head in ("since", "until", "on"):
                told |= {"end" if head == "until" else "start": rest} | ({"on": "yes"} if head == "on" else {})
            elif rest.startswith("to "):
                told |= {"start": head, "end": rest[3:]}
            elif head[0].isdigit():
                confidence = round(float(head) * 100)
            else:
                stance = head
        if told:
            named = {name: told.get(name, "") for name in ("start", "end", "why", "by")}
            parts.append(Part(**named, on="on" in told))
    return Tail(tuple(parts), stance, confidence, tuple(rivals))


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A claim as one line of a page.

    Args:
        id: the claim's id.
        text: in normal form.
        tail: see `Tail`.
        struck: whether it is struck through (it ended, or never was).
        number: its number in a list of steps; 0 for a bullet.
        raw: the line as a person left it, where it says the same in another way; empty usually.
    """

    id: str
    text: str
    tail: Tail = Tail()
    struck: bool = False
    number: int = 0
    raw: str = ""


def write(line: ClaimLine) -> str:
    """The line, without a newline."""
    if line.raw:
        return line.raw
    marker = f"{line.number}." if line.number else "-"
    body = escape(line.text)
    tail = write_tail(line.tail)
    return f"{marker} {f'~~{body}~~' if line.struck else body}{f' ({tail})' if tail else ''} [^{line.id}]"


_MARKER = re.compile(r"(?:[-*+]|(?P<number>\d{1,9})[.)]) +")


def read(raw: str) -> ClaimLine | None:
    """The claim that a line shows; None for any other line."""
    marker = _MARKER.match(raw)
    match = _LINE.fullmatch(raw.rstrip(), marker.end()) if marker else None
    if marker is None or match is None:
        return None
    body = match["raw"]
    struck = len(body) > 4 and body.startswith("~~") and body.endswith("~~")
    text = unescape(body[2:-2] if struck else body)
    line = ClaimLine(match["id"], text, read_tail(match["tail"] or ""), struck, int(marker["number"] or 0))
    if write(line) == raw:
        return line
    return ClaimLine(line.id, line.text, line.tail, line.struck, line.number, raw)
