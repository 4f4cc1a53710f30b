"""Recorded replies: a folder of JSON files, each named by the hash of what was asked. Asks nobody.

A file holds `{"reply": …, "read": tokens, "wrote": tokens}`. Another prompt, schema or input has another name, so a
recording can never answer a question that it was not made for.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import orjson

from wikimem.core.questions import Question, Reply
from wikimem.errors import ModelFailed


class Recorded:
    """Replies from a folder."""

    edition = ""
    reads_prompts = True

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).expanduser()
        self.name = "recorded"

    def ask(self, question: Question) -> Reply:
        """The recorded reply.

        Raises:
            ModelFailed: nothing, or nothing readable, was recorded for this question.
        """
        path = self.folder / f"{key(question)}.json"
        try:
            told = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            raise ModelFailed(self.name, f"no reply is recorded for this question ({path.name} in {self.folder})") from None
        except (OSError, ValueError) as error:
            raise ModelFailed(self.name, f"{path} cannot be read: {error}") from None
        if not isinstance(told, dict) or "reply" not in told:
            raise ModelFailed(self.name, f'{path} holds no "reply"')
        read, wrote = (told.get(name) for name in ("read", "wrote"))
        return Reply(told["reply"], read if isinstance(read, int) else 0, wrote if isinstance(wrote, int) else 0)


def key(question: Question) -> str:
    """What a question's reply is filed under: 32 hexadecimal digits over task, schema and prompt."""
    schema = orjson.dumps(question.schema, option=orjson.OPT_SORT_KEYS)
    told = b"\x00".join((question.task.value.encode(), schema, question.prompt().encode("utf-8", "replace")))
    return sha256(told).hexdigest()[:32]


def record(folder: Path, question: Question, reply: Reply) -> Path:
    """Keep a reply, so that `Recorded` answers the question with it; the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key(question)}.json"
    told = {"reply": reply.content, "read": reply.read, "wrote": reply.wrote}
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")
    temporary.replace(path)
    return path
