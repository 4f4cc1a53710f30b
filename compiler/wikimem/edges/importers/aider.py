"""aider's chat history (`.aider.chat.history.md`): one file a folder, all its runs one after the other.

`#### ` begins each line that a person entered, `> ` what aider printed, all else is the model's answer. Only a run has
a time, in the zone of the machine. Answers hold code, and code holds such lines too: inside a fence only those count
that aider itself wrote, which end in two spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wikimem.core.turns import Form, Line, Noise, Record, Speaker
from wikimem.edges.importers import wrappers
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Place, Taken

_RUN = re.compile(rb"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*\Z")
_HEAD = re.compile(rb"^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)\Z")
_COMMAND = re.compile(r"/(?P<name>[a-z][a-z-]*)(?:\s+(?P<arguments>.+))?\Z", re.DOTALL)
# Commands whose argument is said to the model.
_SAID = frozenset({"ask", "code", "architect", "help", "context", "ok"})
_SHELL = frozenset({"run", "test", "git"})
# What aider enters itself when a linter or a test fails.
_ENTERED = ("# Fix any errors below, if possible.", "I ran this command:", "Fix any errors", "# Question: ")
_ANSWERS = frozenset({"y", "n", "yes", "no", "a", "all", "s", "skip", "d"})


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a history: a block of lines of one kind each; see `LineFormat.read`. Memory: the longest block."""
    reader = _Reader()
    for line in lines:
        yield from reader.take(line)
    yield from reader.flush()


class _Reader:
    def __init__(self) -> None:
        self.kind = ""
        self.block: list[tuple[Line, str]] = []
        self.said = ""
        self.session = ""
        self.fence = ""
        self.blank = True
        self.argument = ""

    def take(self, line: Line) -> Iterator[Record]:
        run = _RUN.match(line.data) if line.data.startswith(b"# aider chat") else None
        if run is not None:
            yield from self.flush()
            self.fence, self.blank = "", True
            self.said = f"{run[1].decode()}T{run[2].decode()}"
            facts = {"time": self.said}
            if not self.session:
                # The file has no id; its first run names it, which stays the same as the file grows.
                self.session = facts["session"] = self.said
            yield Record(line.number, line.offset, Noise("run"), facts=facts)
            return
        text = line.data.decode("utf-8", "replace")
        kind = self._kind(text)
        bare = not text.strip()
        # Each line of a prompt has its mark, so that a bare line ends it and the next one begins another.
        again = kind == "prompt" == self.kind and self.blank
        if again or (kind != self.kind and not (bare and kind == "answer")):
            yield from self.flush()
            self.kind = kind
        if self.block or not bare:
            self.block.append((line, text))
        if self.kind == "answer" and not bare:
            self._fenced(text)
        self.blank = bare

    def _kind(self, text: str) -> str:
        """Whose line this is."""
        if not text.startswith(("####", "> ")):
            return "answer"
        own = text.endswith("  ")
        if text.startswith("####") and (len(text.rstrip()) == 4 or text[4] == " "):
            if not self.fence or (own and (self.blank or self.kind == "prompt")):
                self.fence = ""
                return "prompt"
        elif text[0] == ">" and (not self.fence or (own and (self.blank or self.kind == "output"))):
            return "output"
        return "answer"

    def _fenced(self, text: str) -> None:
        match = _FENCE.match(text) if "```" in text or "~~~" in text else None
        if match is None:
            return
        if not self.fence:
            self.fence = match["marks"]
        elif match["marks"].startswith(self.fence) and not match["info"].strip():
            self.fence = ""

    def flush(self) -> Iterator[Record]:
        """The record of the block that ends here; blank lines between blocks belong to the block before them."""
        block, kind = self.block, self.kind
        self.block, self.kind = [], ""
        if not block:
            return
        first = block[0][0]
        facts = {"time": self.said} if self.said else {}
        yield Record(
            first.number, first.offset, self._gave(Place(first, self.said), kind, [text for _, text in block]), facts=facts
        )

    def _gave(self, place: Place, kind: str, texts: list[str]) -> Taken:
        if kind == "prompt":
            text = "\n".join(text.removeprefix("####").removeprefix(" ").rstrip() for text in texts).strip()
            earlier, self.argument = self.argument, ""
            if earlier and text.startswith(earlier) and (text == earlier or "# Question:" in text):
                # What was said with a command is entered again by aider, perhaps with pages of its manual.
                return Noise("argument of a command, repeated")
            command = _COMMAND.match(text)
            self.argument = (command["arguments"] or "").strip() if command and command["name"] in _SAID else ""
            return _prompt(place, text)
        if kind == "output":
            text = "\n".join(text.removeprefix("> ").rstrip() for text in texts).strip()
            return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark="output"),) if text else Noise("output:blank")
        text = "\n".join(text.rstrip() for text in texts).strip()
        if not self.said:
            # Before the first run there is only what another program put at the head of the file.
            return Noise("before the first run")
        return (place.turn(Speaker.ASSISTANT, Form.PROSE, text),) if text else Noise("answer:blank")


def _prompt(place: Place, text: str) -> Taken:
    if not text:
        return Noise("prompt:blank")
    if text.startswith(_ENTERED):
        return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark="prompt"),)
    if text.lower() in _ANSWERS:
        return Noise("answer to a question of aider")
    if text.startswith("!") and len(text) > 1:
        return (place.turn(Speaker.HUMAN, Form.CALL, text[1:].strip(), mark="shell"),)
    command = _COMMAND.match(text)
    if command is None:
        return tuple(place.pieces(wrappers.pieces(text))) or Noise("prompt:blank")
    name, arguments = command["name"], (command["arguments"] or "").strip()
    if name in _SHELL and arguments:
        return (place.turn(Speaker.HUMAN, Form.CALL, f"git {arguments}" if name == "git" else arguments, mark="shell"),)
    turns = [place.turn(Speaker.HARNESS, Form.PROSE, f"/{name}" if name in _SAID else text, mark="command")]
    if name in _SAID and arguments:
        turns.append(place.turn(Speaker.HUMAN, Form.PROSE, arguments, mark="argument"))
    return tuple(turns)


def _recognise(head: Head) -> bool:
    return _HEAD.search(head.data) is not None and not head.data.lstrip().startswith((b"{", b"["))


def _hint(path: Path) -> Mapping[str, str]:
    # aider keeps its history in the folder it is run in, under this name.
    return {"cwd": str(path.parent.resolve())} if path.name == ".aider.chat.history.md" else {}


FORMAT = LineFormat("aider", _recognise, read, ".md", json=False, hint=_hint)
