"""A model that takes down what people dictate, and sessions in which they do: any claim goes through the whole pipeline.

A line of a turn is a claim: `topic | payment retries | retry-limit | Retries stop after 3 attempts.`, and after that as
many `name=value` as it needs: stance, kind, scope, from, until, step, confidence, sensitive, words (other than the text),
at (another turn), accepts (`L2: words of a proposal`). What is not of this form is speech.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from wikimem.core.claims import TYPES, Claim, Mention
from wikimem.core.questions import Question, Reply
from wikimem.core.views import View
from wikimem.edges.models import Model
from wikimem.errors import ModelFailed
from wikimem.faces.api import Vault

Judged = Mapping[frozenset[str], str]
"""What is answered about two texts of claims, or two names: a relation."""


class Dictated:
    """The model.

    Args:
        judged: what it says of pairs; of others that they have nothing to do with each other.
        fails: it fails about each session that holds one of these words.
        rewords: what it does to each text.
        edition: as `Model.edition`.
    """

    reads_prompts = False

    def __init__(
        self,
        judged: Judged | None = None,
        fails: Iterable[str] = (),
        rewords: Callable[[str], str] = lambda text: text,
        edition: str = "1",
        name: str = "dictated",
    ) -> None:
        self.judged, self.fails, self.rewords = dict(judged or {}), tuple(fails), rewords
        self.edition, self.name = edition, name
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        match question.values:
            case View():
                return Reply(self._extract(question.values), 100, 10)
            case (Claim() as one, Claim() as other):
                return Reply({"reason": "as told", "relation": self._relation(one.text, other.text, "unrelated")}, 7, 3)
            case (Mention() as one, Mention() as other):
                return Reply({"reason": "as told", "relation": self._relation(one.name, other.name, "different")}, 5, 2)
        raise AssertionError(question.task)

    def _relation(self, one: str, other: str, otherwise: str) -> str:
        return self.judged.get(frozenset({one, other}), otherwise)

    def _extract(self, view: View) -> dict[str, Any]:
        claims = []
        for spoken in view.spoken:
            if any(word in spoken.words for word in self.fails):
                raise ModelFailed(self.name, "it was told to fail here")
            for line in spoken.words.splitlines():
                claims += [claim for claim in [self._claim(line, spoken.turn.at)] if claim]
        return {"episode": {"asked": "", "outcome": ""}, "claims": claims}

    def _claim(self, line: str, at: str) -> dict[str, Any] | None:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) < 4 or parts[0] not in TYPES:
            return None
        more = dict(part.split("=", 1) for part in parts[4:])
        quote: dict[str, Any] = {"at": more.get("at", at), "words": more.get("words", parts[3])}
        quote |= {name: more[name] for name in ("from", "until", "speaker") if name in more}
        if "accepts" in more:
            where, _, words = more["accepts"].partition(": ")
            quote["proposal"] = {"at": where, "words": words}
        claim: dict[str, Any] = {
            "type": parts[0],
            "subject": parts[1],
            "scope": more.get("scope", "project"),
            "attribute": parts[2],
            "kind": more.get("kind", "semantic"),
            "stance": more.get("stance", "fact"),
            "text": self.rewords(parts[3]),
            "quotes": [quote],
        }
        claim |= {"step": int(more["step"])} if "step" in more else {}
        claim |= {"confidence": float(more["confidence"])} if "confidence" in more else {}
        return claim | ({"sensitive": True} if "sensitive" in more else {})


class Scripted:
    """A model that answers each question with the next value of a list, whatever it is; the last one for ever."""

    name, edition, reads_prompts = "scripted", "", False

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)

    def ask(self, question: Question) -> Reply:
        return Reply(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])


def records(name: str, started: str, *said: str | tuple[str, str], cwd: str = "/home/sam/harbour") -> list[dict[str, Any]]:
    """A session of Claude Code: a turn a minute; a text is a person's, `("assistant", text)` or `("tool", text)` others'.

    Args:
        name: the session's id, and what the ids of its turns begin with.
        started: day or minute of the first turn, `2026-03-02` or `2026-03-02T09:00`.
    """
    day, _, clock = started.partition("T")
    hour, minute = (int(part) for part in (clock or "09:00").split(":"))
    found: list[dict[str, Any]] = []
    for number, turn in enumerate(said, 1):
        who, text = turn if isinstance(turn, tuple) else ("user", turn)
        at = hour * 60 + minute + number - 1
        record: dict[str, Any] = {
            "type": "user" if who == "tool" else who,
            "uuid": f"{name}-{number:03}",
            "parentUuid": f"{name}-{number - 1:03}" if number > 1 else None,
            "sessionId": name,
            "timestamp": f"{day}T{at // 60 % 24:02}:{at % 60:02}:00.000Z",
            "cwd": cwd,
        }
        if who == "tool":
            call, result = f"call-{number}", [{"type": "tool_result", "tool_use_id": f"call-{number}", "content": text}]
            use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make check"}}
            asking = record | {"type": "assistant", "uuid": f"{name}-{number:03}a"}
            asking["message"] = {"role": "assistant", "content": [use], "id": f"{name}-m{number}"}
            record |= {"parentUuid": f"{name}-{number:03}a", "message": {"role": "user", "content": result}}
            found.append(asking)
        elif who == "assistant":
            content = [{"type": "text", "text": text}]
            record["message"] = {"role": "assistant", "content": content, "id": f"{name}-m{number}"}
        else:
            record["message"] = {"role": "user", "content": text}
        found.append(record)
    return found


def session(name: str, started: str, *said: str | tuple[str, str], cwd: str = "/home/sam/harbour") -> bytes:
    """The bytes of a session; see `records`."""
    return joined(records(name, started, *said, cwd=cwd))


def joined(every: Iterable[object]) -> bytes:
    """Records as a JSONL file."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in every)


def tell(vault: Vault, *sessions: bytes) -> list[str]:
    """Capture sessions, one file each; the source ids, in this order."""
    folder = vault.root.parent / "told"
    folder.mkdir(exist_ok=True)
    found = []
    for data in sessions:
        file = folder / f"{len(list(folder.iterdir())):04}.jsonl"
        file.write_bytes(data)
        found += [sidecar.id for sidecar in vault.ingest([file]).added]
    return found


def wiki(vault: Vault) -> dict[str, bytes]:
    """Everything under `wiki/` on disk, by path below it."""
    top = vault.root / "wiki"
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def git(root: Path, *args: str, fails: bool = False, data: bytes = b"") -> str:
    """Run git as a person would; what it printed."""
    command = ["git", "-c", "user.name=Nora", "-c", "user.email=nora@example.org", *args]
    done = subprocess.run(command, cwd=root, capture_output=True, input=data)
    assert fails or done.returncode == 0, done.stderr
    return done.stdout.decode("utf-8", "replace")


def commits(vault: Vault) -> list[str]:
    """The ids of all commits, newest first."""
    return git(vault.root, "log", "--format=%H").split()


def check(vault: Vault) -> None:
    """The wiki is clean in git, and `verify` finds nothing."""
    assert git(vault.root, "status", "--porcelain") == ""
    assert not vault.verify().problems, vault.verify().problems


def as_model(model: Dictated | Scripted) -> Model:
    """The same, as what a type checker holds against the port."""
    return model
