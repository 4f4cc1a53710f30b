"""What Codex puts into messages of role `user`, and the words a person typed between it.

Instructions, environment, skills and notices stand in tags or under fixed headings; an editor puts its context before a
person's request. Words that are none of these are taken apart as every agent's are (`wrappers`).
"""

from __future__ import annotations

import re

from wikimem.core.turns import Speaker
from wikimem.edges.importers import wrappers
from wikimem.edges.importers.wrappers import Piece

_TAGS = frozenset(
    [
        "INSTRUCTIONS",
        "apps_instructions",
        "collaboration_mode",
        "environment_context",
        "goal",
        "goal_context",
        "hook_prompt",
        "instructions",
        "model",
        "model_switch",
        "permissions instructions",
        "personality",
        "personality_spec",
        "realtime",
        "skill",
        "skills",
        "subagent_notification",
        "turn_aborted",
        "user_action",
        "user_instructions",
        "user_shell_command",
    ]
)
_LEAD = re.compile(
    r"\s*(?P<agents># AGENTS\.md instructions[^\n]*\s*)?"
    r"<(?P<tag>[A-Za-z]+(?:[_ -][a-z_]+)*)(?:\s[^<>]*)?>(?P<body>.*?)(?P<end></(?P=tag)>|\Z)",
    re.DOTALL,
)
_AGENTS = re.compile(r"\s*# AGENTS\.md instructions")
_IMAGE = re.compile(r"</?image\b[^<>]*>|\[Image #\d+\]")
_REQUEST = re.compile(r"^#{1,3} My request for [^\n:]{1,40}:[ \t]*$", re.MULTILINE)
_HANDED = ("Another language model started to solve this problem and produced a summary",)
_NOTICES = ("Warning: The maximum number of", "Warning: apply_patch was requested", "The following is the Codex agent history")
_COMMAND = re.compile(r"<command>\s*(?P<command>.*?)\s*</command>", re.DOTALL)
_RESULT = re.compile(r"<result>\s*(?P<result>.*?)\s*(?:</result>|\Z)", re.DOTALL)


def pieces(text: str) -> list[Piece]:
    """The stretches of a text of role `user`, in order; blank ones are left out."""
    rest = (_IMAGE.sub("", text) if "<" in text or "[Image" in text else text).strip()
    found: list[Piece] = []
    while rest:
        match = _LEAD.match(rest) if rest.startswith(("<", "# AGENTS")) else None
        if match is None or not (match["agents"] or match["tag"] in _TAGS or ("_" in match["tag"] and match["end"])):
            # A person may begin with a tag too; new ones of the harness are closed and have such names.
            break
        found += _wrapped(match["tag"], rest[: match.end()].strip(), match["body"])
        rest = rest[match.end() :].strip()
    if not rest:
        return found
    if _AGENTS.match(rest):
        return [*found, Piece(Speaker.HARNESS, rest, "instructions")]
    if rest.startswith(_HANDED):
        return [*found, Piece(Speaker.SUMMARY, rest)]
    if rest.startswith(_NOTICES):
        return [*found, Piece(Speaker.HARNESS, rest, "notice")]
    # An editor's context may hold such a heading too; the person's words come last.
    requests = list(_REQUEST.finditer(rest)) if rest.startswith("#") else []
    if requests:
        found.append(Piece(Speaker.HARNESS, rest[: requests[-1].start()].strip(), "editor"))
        rest = rest[requests[-1].end() :]
    return [piece for piece in (*found, *wrappers.pieces(rest)) if piece.text]


def _wrapped(tag: str, whole: str, body: str) -> list[Piece]:
    if tag == "user_shell_command":
        command, result = _COMMAND.search(body), _RESULT.search(body)
        ran = [Piece(Speaker.HUMAN, command["command"], "shell")] if command and command["command"] else []
        return [*ran, Piece(Speaker.TOOL, result["result"], "shell")] if result and result["result"] else ran
    return [Piece(Speaker.HARNESS, whole, "instructions" if "nstructions" in tag or "INSTR" in tag else tag.replace(" ", "-"))]
