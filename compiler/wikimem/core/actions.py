"""Actions: what a tool call did, told by the tool's name and arguments: a file written, a command run. Not its outcome.

Tools are known by the names that coding agents give them. A transcript that tells a call in a sentence, not by its
arguments, gives an action only where a path or a command stands by itself, alone or below the sentence.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from wikimem.core.turns import Form, Turn


class Deed(StrEnum):
    """What a call does to the world."""

    WRITE = "write"
    RUN = "run"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Action:
    """What a call did.

    Args:
        deed: wrote a file, ran a command, or read something.
        target: the file's path or the whole command; never empty.
    """

    deed: Deed
    target: str


_WRITERS = frozenset(
    (
        "write",
        "edit",
        "multiedit",
        "notebookedit",
        "write_file",
        "replace",
        "apply_patch",
        "create_file",
        "edit_file",
        "search_replace",
        "str_replace",
        "str_replace_editor",
        "insert_edit_into_file",
        "write_to_file",
    )
)
_RUNNERS = frozenset(
    (
        "bash",
        "shell",
        "run_shell_command",
        "exec_command",
        "run_terminal_cmd",
        "run_terminal_command",
        "run_in_terminal",
        "execute",
        "terminal",
        "execute_command",
        "local_shell",
    )
)
_READERS = frozenset(
    ("read", "grep", "glob", "ls", "list", "view", "read_file", "list_directory", "list_dir", "search_files", "cat")
)
_PATHS = ("file_path", "path", "filename", "notebook_path", "target_file", "filePath")
_COMMANDS = ("command", "cmd")


def of(turn: Turn) -> Action | None:
    """What a call did; None for anything but a call of a known tool whose target can be told."""
    if turn.form is not Form.CALL:
        return None
    tool = turn.name.casefold()
    if tool in _RUNNERS:
        command = _argument(turn.text, _COMMANDS)
        return Action(Deed.RUN, command) if command else None
    if tool in _WRITERS or tool in _READERS:
        path = _argument(turn.text, _PATHS)
        deed = Deed.WRITE if tool in _WRITERS else Deed.READ
        return Action(deed, path) if path and " " not in path else None
    return None


# A sentence on what a command is for, then the command by itself, as histories in markdown have it.
_TOLD = re.compile(r"\n\n`(?P<value>[^`\n]+)`\s*\Z")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (?P<path>\S.*)$", re.MULTILINE)


def _argument(text: str, names: tuple[str, ...]) -> str:
    """The value of an argument in the text of a call; the text itself if it is no JSON and one line."""
    try:
        told = json.loads(text)
    except ValueError:
        patched = _PATCHED.search(text)
        if patched is not None:
            return patched["path"].strip()
        below = _TOLD.search(text)
        if below is not None:
            return below["value"].strip()
        return text.strip("`") if "\n" not in text and "{" not in text else ""
    if not isinstance(told, dict):
        return ""
    value = next((told[name] for name in names if name in told), "")
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        # Some tools take a command as its words; a shell's own words are not the command.
        return str(value[-1]) if value[:1] in (["bash"], ["sh"], ["zsh"]) else " ".join(value)
    return value if isinstance(value, str) else ""
