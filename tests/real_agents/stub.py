"""A model on loopback, for the streaming APIs of Anthropic and OpenAI: says what a test wants, keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Say = Callable[[dict[str, Any]], str]


class Stub:
    """What was asked, and where to ask."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.url = ""

    @property
    def texts(self) -> list[str]:
        """All of each question, as one text."""
        return [json.dumps(one) for one in self.asked]


@contextmanager
def stub(say: Say) -> Iterator[Stub]:
    """A stub that listens until the block ends."""
    told = Stub(say)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            return

        def do_GET(self) -> None:
            self._send(200, b"{}", "application/json")

        def do_HEAD(self) -> None:
            self._send(200, b"", "application/json")

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
            path = self.path.split("?")[0]
            told.paths.append(path)
            body = json.loads(data or b"{}")
            if path.endswith("/count_tokens"):
                self._send(200, b'{"input_tokens": 100}', "application/json")
            elif path.endswith("/messages"):
                told.asked.append(body)
                self._answer(body, _anthropic)
            elif path.endswith("/responses"):
                told.asked.append(body)
                self._answer(body, _openai)
            else:
                self._send(200, b"{}", "application/json")

        def _answer(
            self, body: dict[str, Any], spoken: Callable[[str, str], tuple[dict[str, Any], list[dict[str, Any]]]]
        ) -> None:
            whole, events = spoken(told.say(body), str(body.get("model", "stub")))
            if not body.get("stream"):
                self._send(200, json.dumps(whole).encode(), "application/json")
                return
            out = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            self._send(200, out.encode(), "text/event-stream")

        def _send(self, code: int, data: bytes, kind: str) -> None:
            self.send_response(code)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _anthropic(text: str, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    usage = {"input_tokens": 10, "output_tokens": 10}
    message = {"id": "msg_stub", "type": "message", "role": "assistant", "model": model, "stop_sequence": None}
    whole = {**message, "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
    ]
    return whole, events


def _openai(text: str, model: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 20,
    }
    item = {
        "type": "message",
        "id": "msg_stub",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }
    whole = {"id": "resp_stub", "object": "response", "status": "completed", "model": model, "output": [item], "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return whole, events
