"""An OpenAI-compatible server on the loopback interface that plays what it is told: good replies, and every bad one we know of.

The real litellm speaks to it. Its `brain` answers a prompt; the plays of its `script` say what is done to the reply on its
way out, the next one for each call, and nothing is done when they are used up. It counts what it was asked and what it gave.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from edges.models.bureau import Bureau, Dropped

Brain = Callable[[str], Any]


def compact(value: Any) -> str:
    """A value as models write it that are told to leave no spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Play:
    """What is done to one reply.

    Args:
        status: of the HTTP answer.
        headers: of it, besides the usual ones.
        said: makes the text of the reply from the brain's value.
        finish: the reason it gives for having stopped.
        stall: seconds before it answers.
        drop: whether the connection is closed instead.
        refusal: whether the text goes into the field for refusals.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    said: Callable[[Any], str] = compact
    finish: str | None = "stop"
    stall: float = 0.0
    drop: bool = False
    refusal: bool = False


GOOD = Play()


def limited(after: str = "") -> Play:
    """429, with `Retry-After` or without."""
    return Play(429, (("Retry-After", after),) if after else ())


def saying(text: str, finish: str = "stop") -> Play:
    """A reply of these words, whatever was asked."""
    return Play(said=lambda value: text, finish=finish)


class _Quiet(ThreadingHTTPServer):
    """Says nothing of those who hang up."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@dataclass
class Server:
    """The server; a context manager.

    Args:
        brain: answers a prompt with a value.
        script: what happens to the first replies.
        latency: seconds that each reply takes.
        accepts: which ways of asking for JSON it takes: `json_schema`, `json_object`, `tool`, `text`.
        bureau: its batches.
    """

    brain: Brain = lambda prompt: {"claims": []}
    script: Iterable[Play] = ()
    latency: float = 0.0
    accepts: tuple[str, ...] = ("json_schema", "json_object", "tool", "text")
    bureau: Bureau = field(default_factory=Bureau)
    requests: list[dict[str, Any]] = field(default_factory=list)
    given: Counter[str] = field(default_factory=Counter)
    read: int = 0
    wrote: int = 0

    def __enter__(self) -> Server:
        self._plays, self._lock = iter(self.script), threading.Lock()
        self._http = _Quiet(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def base(self) -> str:
        """What `api_base` is set to."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The address without a path, as Anthropic's are given."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def batched(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request of a batch: as it would be alone, but for what is played."""
        prompt = prompt_of(body)
        text = compact(self.brain(prompt))
        read, wrote = tokens(prompt), tokens(text)
        self.count(prompt, read, wrote)
        return _message(body, text, read, wrote) if "system" in body else _completion(body, GOOD, text, read, wrote)

    def play(self, body: dict[str, Any]) -> Play:
        """What happens to the reply to a request."""
        with self._lock:
            self.requests.append(body)
            if way(body) not in self.accepts:
                return Play(400)
            return next(self._plays, GOOD)

    def count(self, prompt: str, read: int, wrote: int) -> None:
        """Note a reply that was given whole."""
        with self._lock:
            self.given[prompt] += 1
            self.read += read
            self.wrote += wrote


def way(body: dict[str, Any]) -> str:
    """How a request asks for JSON."""
    if body.get("tools"):
        return "tool"
    return str((body.get("response_format") or {}).get("type", "text"))


def prompt_of(body: dict[str, Any]) -> str:
    """The text of a request, all messages in order."""
    parts = []
    for message in [*([{"content": body["system"]}] if "system" in body else []), *body["messages"]]:
        content = message["content"]
        parts.append(content if isinstance(content, str) else "".join(part["text"] for part in content))
    return "\n".join(parts)


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            if not self.path.endswith(("/completions", "/messages")):
                self._batches(data)
                return
            body = json.loads(data)
            play = server.play(body)
            time.sleep(server.latency + play.stall)
            if play.drop:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            if play.status != 200:
                told = {"error": {"message": f"played {play.status}", "type": "played", "code": str(play.status)}}
                self._send(play, told)
                return
            prompt = prompt_of(body)
            text = play.said(server.brain(prompt))
            read, wrote = tokens(prompt), tokens(text)
            told = _message(body, text, read, wrote) if "system" in body else _completion(body, play, text, read, wrote)
            if self._send(play, told):
                server.count(prompt, read, wrote)

        def do_GET(self) -> None:
            self._batches(b"")

        def do_DELETE(self) -> None:
            self._batches(b"")

        def _batches(self, data: bytes) -> None:
            kind = self.headers.get("content-type") or ""
            try:
                status, told = server.bureau.handle(self.command, self.path, kind, data, server.batched)
            except Dropped:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self._send(Play(status), told)

        def _send(self, play: Play, told: Any) -> bool:
            data = told if isinstance(told, bytes) else json.dumps(told).encode()
            try:
                self.send_response(play.status)
                for name, value in (*play.headers, ("content-type", "application/json"), ("content-length", str(len(data)))):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                return False
            return True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def _completion(body: dict[str, Any], play: Play, text: str, read: int, wrote: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if play.refusal:
        message = {"role": "assistant", "content": None, "refusal": text}
    elif way(body) == "tool":
        call = {"id": "call_1", "type": "function", "function": {"name": "answer", "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
    usage["prompt_tokens_details"] = {"cached_tokens": 7}  # type: ignore[assignment]
    return {
        "id": "reply",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": play.finish, "message": message}],
        "usage": usage,
    }


def _message(body: dict[str, Any], text: str, read: int, wrote: int) -> dict[str, Any]:
    """A reply of Anthropic's."""
    return {
        "id": "reply",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "tool_use", "id": "t", "name": body["tool_choice"]["name"], "input": json.loads(text)}],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": read - 7, "cache_read_input_tokens": 7, "output_tokens": wrote},
    }


def tokens(text: str) -> int:
    """The tokens of a text, as OpenAI's models count them."""
    # Else it looks for prices in the network.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    return int(litellm.token_counter(model="gpt-4o-mini", text=text))


_LINE = re.compile(r"^\[(?P<at>[^\]]+)\] human(?: \d\d:\d\d)?: remember (?P<subject>[\w ]+): (?P<text>.+)$", re.MULTILINE)
_PAIR = re.compile(r'<pair number="(\d+)"[^>]*>(.*?)</pair>', re.DOTALL)


def remembering(prompt: str) -> Any:
    """A brain: "remember SUBJECT: STATEMENT" of a person becomes a claim, and no two have to do with each other."""
    data = prompt[prompt.index("<wikimem-data") :]
    if 'name="extract"' not in prompt:
        word = "different" if "pair-mentions" in prompt else "unrelated"
        numbers = [int(number) for number, _ in _PAIR.findall(data)]
        if '"judgements"' not in prompt:
            return {"reason": "told apart", "relation": word}
        return {"judgements": [{"pair": number, "reason": "told apart", "relation": word} for number in numbers]}
    read = data.partition("(To read:)")[2] or data
    claims = [
        {
            "reason": "it was asked to be remembered",
            "type": "topic",
            "subject": found["subject"],
            "scope": "project",
            "kind": "semantic",
            "stance": "fact",
            "text": found["text"],
            "quotes": [{"at": found["at"], "words": found["text"], "speaker": "human"}],
        }
        for found in _LINE.finditer(read)
    ]
    return {"episode": {"asked": "to remember", "outcome": "remembered"}, "claims": claims}
