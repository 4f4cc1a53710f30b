"""The user's own coding agent as a model: `claude-code` and `codex`, run without a window, without tools, without a trace.

For a person's own machine: it uses what they are logged in to. Each call costs about 3,400 tokens more than its prompt, so
one call reads a whole session where it fits. No session file is left behind, and prompts begin with `<wikimem-task`, by which
our own capture knows such a session should one be left all the same.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import replies
from wikimem.core.spending import MICROS, Spent
from wikimem.edges.models.port import Busy, Call, Said
from wikimem.errors import ModelFailed, ModelPaused, TooLong

OVERHEAD = 3_400
"""Tokens that an agent adds to each call."""

_LOGIN = re.compile(r"log ?in|not logged|unauthori[sz]ed|invalid api key|authentication|\b401\b", re.IGNORECASE)
_QUOTA = re.compile(r"usage limit|limit reached|hit your|out of credits|quota|resets? at", re.IGNORECASE)
_BUSY = re.compile(r"overloaded|rate.?limit|\b(?:429|500|502|503|529)\b|timed? ?out|connection", re.IGNORECASE)
_LONG = re.compile(r"prompt is too long|context.{0,10}(?:length|window)|too many tokens", re.IGNORECASE)
_OPTION = re.compile(r"unknown option|unexpected argument|unrecognized", re.IGNORECASE)


class Agent:
    """An agent on this machine that answers one prompt and ends.

    Args:
        name: `claude-code` or `codex`, with `:MODEL` for another than its default.
        seconds: how long one call may take.
        price: dollars for a million tokens read and written, if the user told.
    """

    def __init__(self, name: str, seconds: float, price: tuple[float, float] | None = None) -> None:
        self.name, self._seconds, self.price = name, seconds, price
        self._kind, _, self._model = name.partition(":")
        self._program = "claude" if self._kind == "claude-code" else "codex"

    def count(self, text: str) -> int:
        """See `Voice`."""
        return OVERHEAD + round(len(text) / 3.7)

    def say(self, call: Call) -> Said:
        """See `Voice`."""
        program = shutil.which(self._program)
        if program is None:
            raise ModelPaused(
                f"The model {self.name} needs the program `{self._program}`, which is not on the PATH. Install it, or set "
                "another `model` under [compile]."
            )
        # An empty folder: nothing of the user's projects is read, and nothing is left in them.
        with tempfile.TemporaryDirectory(prefix="wikimem-") as folder:
            if self._kind == "claude-code":
                return self._claude(program, Path(folder), call)
            return self._codex(program, Path(folder), call)

    def _claude(self, program: str, folder: Path, call: Call) -> Said:
        schema = orjson.dumps(replies.sent(call.schema)).decode()
        arguments = [program, "-p", "--output-format", "json", "--json-schema", schema, "--safe-mode", "--tools", ""]
        arguments += ["--strict-mcp-config", "--no-session-persistence", *(["--model", self._model] if self._model else [])]
        output = self._run(arguments, folder, call.text)
        try:
            told = orjson.loads(output)
        except ValueError:
            raise ModelFailed(self.name, f"`{self._program}` did not answer in JSON: {_short(output)}") from None
        if isinstance(told, list):
            told = next((one for one in reversed(told) if isinstance(one, dict) and one.get("type") == "result"), {})
        if told.get("is_error"):
            self._wrong(str(told.get("result") or told.get("subtype") or "no reason given"))
        value, usage = told.get("structured_output"), told.get("usage") or {}
        text = str(told.get("result") or "") if value is None else orjson.dumps(value).decode()
        cached = _count(usage, "cache_read_input_tokens")
        read = _count(usage, "input_tokens") + _count(usage, "cache_creation_input_tokens") + cached
        cost = told.get("total_cost_usd")
        micros = round(cost * MICROS) if isinstance(cost, int | float) else 0
        spent = Spent(1, read, _count(usage, "output_tokens"), cached, micros, int(cost is None))
        return Said(text, "length" if told.get("stop_reason") == "max_tokens" else "stop", spent)

    def _codex(self, program: str, folder: Path, call: Call) -> Said:
        schema, last = folder / "schema.json", folder / "reply.json"
        schema.write_bytes(orjson.dumps(replies.strict(call.schema)))
        arguments = [program, "exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--json"]
        arguments += ["--output-schema", str(schema), "--output-last-message", str(last)]
        arguments += [*(["--model", self._model] if self._model else []), "-"]
        output = self._run(arguments, folder, call.text)
        events = [event for event in map(_event, output.splitlines()) if event]
        failed = next((event for event in events if event.get("type") in ("turn.failed", "error")), None)
        text = last.read_text(encoding="utf-8", errors="replace") if last.is_file() else ""
        if failed is not None and not text:
            error = failed.get("error")
            self._wrong(str(error.get("message") if isinstance(error, dict) else failed.get("message") or error))
        usage: dict[str, Any] = next((event["usage"] for event in reversed(events) if isinstance(event.get("usage"), dict)), {})
        read, wrote = _count(usage, "input_tokens"), _count(usage, "output_tokens")
        micros = round(read * self.price[0] + wrote * self.price[1]) if self.price else 0
        return Said(text, "stop", Spent(1, read, wrote, _count(usage, "cached_input_tokens"), micros, int(not self.price)))

    def _run(self, arguments: Sequence[str], folder: Path, prompt: str) -> str:
        # The hooks of the user's agent must not capture what our compiler asks it.
        environ = {**os.environ, "WIKIMEM_DISABLE": "1"}
        environ.pop("CLAUDECODE", None)
        data = prompt.encode("utf-8", "replace")
        try:
            done = subprocess.run(arguments, cwd=folder, env=environ, input=data, capture_output=True, timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise Busy(f"`{self._program}` did not answer within {self._seconds:g} s") from None
        except OSError as error:
            raise ModelPaused(f"`{self._program}` cannot be run: {error.strerror or error}.") from None
        output = done.stdout.decode("utf-8", "replace")
        if done.returncode and not output.strip():
            self._wrong(done.stderr.decode("utf-8", "replace") or f"it ended with code {done.returncode}")
        return output

    def _wrong(self, said: str) -> None:
        """Raise what an agent's own words mean."""
        told = _short(said)
        if _OPTION.search(said):
            raise ModelPaused(
                f"`{self._program}` on this machine is too old for {self.name}: {told}. Update it and compile again."
            )
        if _QUOTA.search(said):
            raise ModelPaused(f"`{self._program}` has no room left: {told}. Compile again when it has.")
        if _LOGIN.search(said):
            how = "run `claude` and then /login" if self._program == "claude" else "run `codex login`"
            raise ModelPaused(f"`{self._program}` is not logged in: {told}. To log in, {how}; then compile again.")
        if _LONG.search(said):
            raise TooLong(self.name, "the question is longer than it reads")
        if _BUSY.search(said):
            raise Busy(told, limited=bool(re.search(r"rate.?limit|overloaded|429|529", said, re.IGNORECASE)))
        raise ModelFailed(self.name, told)


def _event(line: str) -> Mapping[str, Any] | None:
    try:
        told = orjson.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) else 0


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= 240 else line[:239] + "…"
