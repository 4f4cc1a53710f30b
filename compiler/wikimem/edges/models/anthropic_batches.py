"""Anthropic's message batches, by its own library, which the extra `wikimem[anthropic]` installs.

They carry no name of ours. But each request is named by what its reply is filed under, so a batch of which only the service
knows can be recognised: by when it was made and how many requests it has, and once it ended by their names.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import replies
from wikimem.core.spending import Spent
from wikimem.edges.models import faults
from wikimem.edges.models.batches import Batch, Stage
from wikimem.edges.models.port import Busy, Call, Said
from wikimem.errors import ModelFailed, ModelPaused, NoBatches, TooLong

if TYPE_CHECKING:
    from wikimem.edges.models.litellm import LiteLLM

_WROTE = 8_192
"""Tokens that a reply may have, where nobody knows the model's own limit; a limit must be given."""

_SLACK = timedelta(hours=2)
"""By how much clocks may differ."""


class AnthropicBatches:
    """See `Courier`.

    Args:
        voice: the model, asked one by one.

    Raises:
        NoBatches: the library is not installed.
    """

    service = "anthropic"

    def __init__(self, voice: LiteLLM) -> None:
        self.price = voice.half
        self._voice = voice
        try:
            self._library: Any = importlib.import_module("anthropic")
        except ModuleNotFoundError:
            raise NoBatches(voice.name, "Anthropic's library is not installed (pip install 'wikimem[anthropic]')") from None

    @contextmanager
    def _batches(self) -> Iterator[Any]:
        """Their interface; its connections do not last as long as a batch may."""
        terms = self._voice.terms
        place = {"base_url": terms.api_base} if terms.api_base else {}
        # Tried again by us, who look first whether it was not done after all.
        with (
            faults.told(self._voice.name),
            self._library.Anthropic(max_retries=0, timeout=terms.seconds, **place) as client,
        ):
            yield client.messages.batches

    def line(self, key: str, call: Call) -> bytes:
        """See `Courier`: the answer is asked for as the input of a tool, which every model of theirs takes."""
        constant, rest = call.halves
        tool = {"name": "answer", "description": "Gives the answer.", "input_schema": replies.sent(call.schema)}
        params = {
            "model": self._voice.name.partition("/")[2],
            "max_tokens": self._voice.most or _WROTE,
            "messages": [{"role": "user", "content": rest}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": "answer"},
            **({"system": constant} if constant else {}),
        }
        return orjson.dumps({"custom_id": key, "params": params})

    def send(self, name: str, lines: Sequence[bytes]) -> str:
        """See `Courier`."""
        with self._batches() as batches:
            return str(batches.create(requests=[orjson.loads(line) for line in lines]).id)

    def find(self, batch: Batch) -> str:
        """See `Courier`."""
        sent = datetime.fromisoformat(batch.sent) - _SLACK
        keys = {request.key for request in batch.requests}
        with self._batches() as batches:
            for one in batches.list(limit=100):
                if one.created_at < sent:
                    break
                counts = one.request_counts.model_dump().values()
                if sum(each for each in counts if isinstance(each, int)) == len(keys) and (
                    one.processing_status != "ended" or any(key in keys for key, _ in self.replies(one.id))
                ):
                    return str(one.id)
        return ""

    def look(self, id: str) -> Stage:
        """See `Courier`."""
        with self._batches() as batches:
            found = batches.retrieve(id)
        counts = found.request_counts
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        return Stage(done, "completed" if found.processing_status == "ended" else "")

    def replies(self, id: str) -> Iterator[tuple[str, Said | ModelFailed]]:
        """See `Courier`."""
        # As text: their own reader ends at the first line that cannot be read.
        with self._batches() as batches, batches.with_streaming_response.results(id) as response:
            lines = [line for line in response.iter_lines() if line.strip()]
        for line in lines:
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                told = json.loads(line)
                yield str(told["custom_id"]), self._read(told["result"])

    def clear(self, id: str) -> None:
        """See `Courier`."""
        with suppress(Busy, ModelFailed), self._batches() as batches:
            batches.delete(id)

    def _read(self, result: Mapping[str, Any]) -> Said | ModelFailed:
        kind = result["type"]
        if kind == "succeeded":
            return self._said(result["message"])
        if kind in ("expired", "canceled"):
            how = "expired" if kind == "expired" else "was cancelled"
            return ModelPaused(f"The batch {how} before {self.service} came to this. Run again.")
        error = result.get("error") or {}
        why = faults.one_line((error.get("error") or error).get("message") or "it says nothing")
        if faults.TOO_LONG.search(why):
            return TooLong(self._voice.name, "the question is longer than it reads")
        return ModelFailed(self._voice.name, f"its request failed in the batch: {why}")

    def _said(self, message: Mapping[str, Any]) -> Said:
        blocks = message["content"]
        text = "".join(str(block["text"]) for block in blocks if block["type"] == "text")
        asked = [block["input"] for block in blocks if block["type"] == "tool_use"]
        finish = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "filter"}
        usage = message["usage"]
        made, cached = (usage.get(f"cache_{way}_input_tokens") or 0 for way in ("creation", "read"))
        price = self.price
        spent = Spent(1, usage["input_tokens"] + made + cached, usage["output_tokens"], cached, 0, 0 if price else 1)
        said = Said(json.dumps(asked[0]) if asked else text, finish.get(message["stop_reason"], "stop"), spent)
        return self._voice.halved(said)
