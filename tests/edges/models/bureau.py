"""Batches on the loopback interface, as OpenAI and Anthropic offer them: files, batches, and every way in which they end.

Part of `server.Server`. A batch is paid for when it is made; what it gives is told by its `Ending`, the next one for each batch,
and all goes well when they are used up.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes the reply to the body of a request."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How one batch ends.

    Args:
        status: what its provider says in the end, in OpenAI's words.
        done: how many requests it comes to, the first ones; all if None.
        wrong: what becomes of some requests, by number from 0: `error`, `long`, `malformed` or `missing`.
        looks: how often it is looked at before it has ended.
        lost: whether the answer to its making is lost on its way.
        refused: the status with which its making is refused; 0 for not.
    """

    status: str = "completed"
    done: int | None = None
    wrong: Mapping[int, str] = field(default_factory=dict)
    looks: int = 1
    lost: bool = False
    refused: int = 0


WELL = Ending()


@dataclass
class Batch:
    """A batch that was made."""

    id: str
    requests: list[dict[str, Any]]
    metadata: dict[str, str]
    ending: Ending
    created: str
    looked: int = 0
    replies: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def has_ended(self) -> bool:
        return self.looked >= self.ending.looks

    @property
    def came_to(self) -> list[dict[str, Any]]:
        return self.requests[: self.ending.done]


class Dropped(Exception):
    """The connection is to be closed without an answer."""


@dataclass
class Bureau:
    """What batches there are.

    Args:
        endings: how the batches end, in the order in which they are made.
        files: what was uploaded, or is given, by id.
        batches: by id.
        latency: seconds that each answer takes.
        faults: what the first calls are answered with.
        handled: how many calls there were.
    """

    endings: Iterable[Ending] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Batch] = field(default_factory=dict)
    latency: float = 0.0
    faults: Iterable[int] = ()
    handled: int = 0

    def __post_init__(self) -> None:
        self._endings, self._faults = iter(self.endings), iter(self.faults)
        self._lock, self._uploads = threading.Lock(), 0

    @property
    def asked(self) -> int:
        """How many requests all batches have together."""
        return sum(len(batch.requests) for batch in self.batches.values())

    def handle(self, method: str, path: str, kind: str, data: bytes, answer: Answer) -> tuple[int, bytes]:
        """The status and the body of the answer.

        Raises:
            Dropped: there is none.
        """
        time.sleep(self.latency)
        with self._lock:
            self.handled += 1
            if fault := next(self._faults, 0):
                return fault, _error("played")
            path = path.partition("?")[0].removeprefix("/openai/").removeprefix("/v1/")
            if path.startswith("messages/batches"):
                return self._anthropic(method, path.removeprefix("messages/batches").strip("/"), data, answer)
            if path.startswith("files"):
                return self._file(method, path.split("/")[1:], kind, data)
            return self._openai(method, path.removeprefix("batches").strip("/"), data, answer)

    def _file(self, method: str, names: list[str], kind: str, data: bytes) -> tuple[int, bytes]:
        if method == "DELETE":
            self.files.pop(names[0], None)
            return 200, _json({"id": names[0], "object": "file", "deleted": True})
        if method == "GET":
            return (200, self.files[names[0]]) if names[0] in self.files else (404, _error("no such file"))
        boundary = b"--" + kind.partition("boundary=")[2].encode()
        part = next(part for part in data.split(boundary) if b'name="file"' in part)
        self._uploads += 1
        name = f"file-{self._uploads}"
        self.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        about = {
            "bytes": len(self.files[name]),
            "created_at": 1,
            "filename": "x.jsonl",
            "purpose": "batch",
            "status": "processed",
        }
        return 200, _json({"id": name, "object": "file", **about})

    def _make(self, requests: list[dict[str, Any]], metadata: dict[str, str], answer: Answer) -> Batch:
        ending = next(self._endings, WELL)
        if ending.refused:
            raise PermissionError(ending.refused)
        batch = Batch(f"batch_{len(self.batches) + 1}", requests, metadata, ending, "2026-07-01T09:00:00Z")
        self.batches[batch.id] = batch
        for number, request in enumerate(batch.came_to):
            if ending.status != "failed" and ending.wrong.get(number) not in ("error", "long"):
                batch.replies[request["custom_id"]] = answer(request.get("body") or request.get("params") or {})
        if ending.lost:
            raise Dropped
        return batch

    def _openai(self, method: str, id: str, data: bytes, answer: Answer) -> tuple[int, bytes]:
        if method == "POST":
            told = json.loads(data)
            lines = self.files[told["input_file_id"]].splitlines()
            try:
                batch = self._make([json.loads(line) for line in lines], told.get("metadata") or {}, answer)
            except PermissionError as refused:
                return int(str(refused)), _error("the batch is refused")
            return 200, _json(self._told(batch, told["input_file_id"]))
        if not id:
            told = {"object": "list", "data": [self._told(batch, "") for batch in self.batches.values()], "has_more": False}
            return 200, _json(told)
        if id not in self.batches:
            return 404, _error("no such batch")
        self.batches[id].looked += 1
        return 200, _json(self._told(self.batches[id], "file-1"))

    def _told(self, batch: Batch, file: str) -> dict[str, Any]:
        status = batch.ending.status if batch.has_ended else "in_progress"
        counts = {"total": len(batch.requests), "completed": len(batch.replies) if batch.has_ended else 0, "failed": 0}
        told: dict[str, Any] = {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": file,
            "completion_window": "24h",
            "created_at": 1,
            "status": status,
            "metadata": batch.metadata,
            "request_counts": counts,
        }
        if batch.has_ended and status == "failed":
            told["errors"] = {"object": "list", "data": [{"code": "token_limit_exceeded", "message": "Enqueued token limit."}]}
        elif batch.has_ended:
            self.files[f"{batch.id}-out"], self.files[f"{batch.id}-err"] = self._lines(batch)
            told |= {"output_file_id": f"{batch.id}-out", "error_file_id": f"{batch.id}-err"}
        return told

    def _lines(self, batch: Batch) -> tuple[bytes, bytes]:
        good, bad = [], []
        # In no order, as the real ones.
        for number, request in reversed([*enumerate(batch.requests)]):
            name, wrong = request["custom_id"], batch.ending.wrong.get(number, "")
            told: dict[str, Any] = {"id": f"r-{name}", "custom_id": name, "response": None, "error": None}
            if number >= len(batch.came_to):
                bad.append(told | {"error": {"code": "batch_expired", "message": "This request could not be executed in time."}})
            elif wrong in ("error", "long"):
                code = "context_length_exceeded" if wrong == "long" else "server_error"
                body = {"error": {"message": f"played {code}", "code": code}}
                bad.append(told | {"response": {"status_code": 400 if wrong == "long" else 500, "body": body}})
            elif wrong != "missing":
                good.append(told | {"response": {"status_code": 200, "body": batch.replies[name]}})
                good[-1] = "{" if wrong == "malformed" else good[-1]
        return tuple(  # type: ignore[return-value]  # two of them
            b"".join((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n" for line in every)
            for every in (good, bad)
        )

    def _anthropic(self, method: str, id: str, data: bytes, answer: Answer) -> tuple[int, bytes]:
        if method == "POST":
            try:
                return 200, _json(self._message_batch(self._make(json.loads(data)["requests"], {}, answer)))
            except PermissionError as refused:
                return int(str(refused)), _error("the batch is refused")
        if not id:
            every = [self._message_batch(batch) for batch in reversed(self.batches.values())]
            return 200, _json({"data": every, "has_more": False, "first_id": None, "last_id": None})
        id, _, results = id.partition("/")
        if id not in self.batches:
            return 404, _error("no such batch")
        if method == "DELETE":
            return 200, _json({"id": id, "type": "message_batch_deleted"})
        if results:
            return 200, self._results(self.batches[id])
        self.batches[id].looked += 1
        return 200, _json(self._message_batch(self.batches[id]))

    def _message_batch(self, batch: Batch) -> dict[str, Any]:
        ended = batch.has_ended
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(batch.requests)
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": batch.created,
            "expires_at": "2026-07-02T09:00:00Z",
            "ended_at": batch.created if ended else None,
            "cancel_initiated_at": None,
            "archived_at": None,
            "results_url": f"/v1/messages/batches/{batch.id}/results" if ended else None,
        }

    def _results(self, batch: Batch) -> bytes:
        lines = []
        for number, request in reversed([*enumerate(batch.requests)]):
            name, wrong = request["custom_id"], batch.ending.wrong.get(number, "")
            if number >= len(batch.came_to):
                result: dict[str, Any] = {"type": "canceled" if batch.ending.status == "cancelled" else "expired"}
            elif wrong in ("error", "long"):
                message = "prompt is too long: 300000 tokens > 200000 maximum" if wrong == "long" else "played error"
                error = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
                result = {"type": "errored", "error": error}
            elif wrong == "missing":
                continue
            else:
                result = {"type": "succeeded", "message": batch.replies[name]}
            lines.append("{" if wrong == "malformed" else json.dumps({"custom_id": name, "result": result}))
        return "".join(f"{line}\n" for line in lines).encode()


def _json(told: Any) -> bytes:
    return json.dumps(told).encode()


def _error(message: str) -> bytes:
    return _json({"type": "error", "error": {"type": "played", "message": message}})
