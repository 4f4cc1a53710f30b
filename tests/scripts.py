"""Scripts: small invented transcripts written as plays, read into what the rules are given. Not a format of the product.

A line is `WHO: words`, and goes on in lines that are indented. WHO is `human`, `agent`, `writes` (a file), `runs` or
`fails` (a command, then ` -> ` and its output), `rejects`, `answers` or `approves` (what was decided on, then ` -> ` and
the words), a day such as `2026-05-08` for all that follows, or the name of a person in a chat.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wikimem.core import extraction, gate, rules, views, vocabulary
from wikimem.core.claimfiles import Refusal
from wikimem.core.claims import Claim
from wikimem.core.screening import Screened
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.views import View

SCOPE = "project:glazeworks"
_LINE = re.compile(r"^(?P<who>[\w-]+(?: [A-Z][\w]+)?):(?: (?P<words>.*))?$")


@dataclass(frozen=True, slots=True)
class Played:
    """A script, what the rules answered, and what the gate made of it."""

    view: View
    screened: Screened
    reply: Mapping[str, Any]
    claims: tuple[Claim, ...]
    refused: tuple[Refusal, ...]

    @property
    def texts(self) -> list[str]:
        """The claims' texts, sorted."""
        return sorted(claim.text for claim in self.claims)


def play(script: str, scope: str = SCOPE, me: str = "", title: str = "") -> Played:
    """The claims of a script."""
    return judge(tuple(turns(script)), scope, me, title)


def judge(said: tuple[Turn, ...], scope: str = SCOPE, me: str = "", title: str = "") -> Played:
    """The claims of some turns."""
    screened = gate.screen(said)
    view = views.of("20260508-script-0badcafe", screened, {"scope": scope, "title": title}, me)
    reply = rules.extract(view)
    drafts, _, malformed = extraction.read(reply, scope, me)
    claims, refused = gate.admit(drafts, gate.Gate(screened, vocabulary.SHIPPED))
    return Played(view, screened, reply, claims, (*malformed, *refused))


def turns(script: str) -> Iterator[Turn]:
    """The turns of a script."""
    day, number = "2026-05-08", 0
    lines: list[tuple[str, str]] = []
    for line in textwrap.dedent(script).strip().split("\n"):
        match = _LINE.match(line.strip()) if not line.startswith("    ") else None
        if match is not None:
            lines.append((match["who"], match["words"] or ""))
        else:
            who, words = lines[-1]
            lines[-1] = (who, f"{words}\n{line.strip()}".strip("\n"))
    for who, words in lines:
        if re.fullmatch(r"\d{4}-\d\d-\d\d|nobody-knows", who):
            day = "" if who == "nobody-knows" else who
            continue
        number += 1
        said = f"{day}T09:{number % 60:02}:00Z" if day else ""
        yield from _turns(f"L{number}", who, words, said)


_MARKS = {"rejects": "rejection", "answers": "answer", "approves": "approval"}


def _turns(at: str, who: str, words: str, said: str) -> Iterator[Turn]:
    def turn(place: str, speaker: Speaker, form: Form, text: str, **more: Any) -> Turn:
        return Turn(place, speaker, form, text, said=said, identity=f"id-{place}", **more)

    first, _, second = words.partition(" -> ")
    if who == "human":
        yield turn(at, Speaker.HUMAN, Form.PROSE, words)
    elif who == "agent":
        yield turn(at, Speaker.ASSISTANT, Form.PROSE, words)
    elif who == "writes":
        yield turn(at, Speaker.ASSISTANT, Form.CALL, json.dumps({"file_path": words, "content": ""}), name="Write", call=at)
        yield turn(f"{at}-2", Speaker.TOOL, Form.RESULT, "File created.", name="Write", call=at)
    elif who in ("runs", "fails"):
        yield turn(at, Speaker.ASSISTANT, Form.CALL, json.dumps({"command": first}), name="Bash", call=at)
        yield turn(f"{at}-2", Speaker.TOOL, Form.RESULT, second, name="Bash", call=at, error=who == "fails")
    elif who in _MARKS:
        asked = {"questions": [{"question": first}]}
        yield turn(at, Speaker.ASSISTANT, Form.CALL, json.dumps(asked), name="AskUserQuestion", call=at)
        yield turn(f"{at}-2", Speaker.HUMAN, Form.PROSE, second, call=at, mark=_MARKS[who], about=first)
    else:
        yield turn(at, Speaker.HUMAN, Form.PROSE, words, name=who)
