"""OpenAI's batches, and Azure's of the same form: a file of requests goes up through LiteLLM, a file of replies comes down.

A batch carries our name of it, so that one of which only the service knows can be found again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.edges.models import faults
from wikimem.edges.models.batches import Batch, Stage
from wikimem.edges.models.port import Busy, Call, Said
from wikimem.errors import ModelFailed, ModelPaused, TooLong

if TYPE_CHECKING:
    from wikimem.edges.models.litellm import LiteLLM

_ENDS = ("completed", "expired", "cancelled", "failed")
_MARK = "wikimem"
_LISTED = 100


class OpenAIBatches:
    """See `Courier`.

    Args:
        voice: the model, asked one by one.
        provider: `openai` or `azure`.
    """

    def __init__(self, voice: LiteLLM, provider: str) -> None:
        self.service, self.price = provider, voice.half
        self._voice = voice
        self._url = "/v1/chat/completions" if provider == "openai" else "/chat/completions"

    def line(self, key: str, call: Call) -> bytes:
        """See `Courier`."""
        body = {"model": self._voice.name.partition("/")[2], "messages": self._voice.messages(call), **self._voice.shape(call)}
        if self._voice.most:
            body["max_completion_tokens"] = self._voice.most
        return orjson.dumps({"custom_id": key, "method": "POST", "url": self._url, "body": body})

    def send(self, name: str, lines: Sequence[bytes]) -> str:
        """See `Courier`."""
        data = b"".join(line + b"\n" for line in lines)
        file = self._do("create_file", file=(f"{name}.jsonl", data), purpose="batch")
        about = {"endpoint": self._url, "input_file_id": file.id, "completion_window": "24h", "metadata": {_MARK: name}}
        return str(self._do("create_batch", **about).id)

    def find(self, batch: Batch) -> str:
        """See `Courier`."""
        after = None
        while page := self._do("list_batches", limit=_LISTED, after=after).data:
            for one in page:
                if (_get(one, "metadata") or {}).get(_MARK) == batch.name:
                    return str(_get(one, "id"))
            if len(page) < _LISTED:
                break
            after = _get(page[-1], "id")
        return ""

    def look(self, id: str) -> Stage:
        """See `Courier`."""
        found = self._batch(id)
        counts = _get(found, "request_counts")
        done = sum(_get(counts, name) or 0 for name in ("completed", "failed"))
        status = str(_get(found, "status"))
        every = _get(_get(found, "errors"), "data") or ()
        why = "; ".join(faults.one_line(f"{_get(one, 'code')}: {_get(one, 'message')}") for one in every[:3])
        return Stage(done, status if status in _ENDS else "", why)

    def replies(self, id: str) -> Iterator[tuple[str, Said | ModelFailed]]:
        """See `Courier`."""
        found = self._batch(id)
        for name in ("output_file_id", "error_file_id"):
            if file := _get(found, name):
                for line in self._do("file_content", file_id=file).content.split(b"\n"):
                    with suppress(ValueError, KeyError, TypeError, AttributeError):
                        told = json.loads(line)
                        yield str(told["custom_id"]), self._read(told)

    def clear(self, id: str) -> None:
        """See `Courier`."""
        found = self._batch(id)
        for name in ("input_file_id", "output_file_id", "error_file_id"):
            if file := _get(found, name):
                with suppress(Busy, ModelFailed):
                    self._do("file_delete", file_id=file)

    def _read(self, told: dict[str, Any]) -> Said | ModelFailed:
        response, error = told.get("response") or {}, told.get("error")
        body = response.get("body") or {}
        if response.get("status_code") == 200 and "choices" in body:
            return self._voice.halved(self._voice.heard(self._voice.library.ModelResponse(**body)))
        error = error or body.get("error") or {}
        why = faults.one_line(": ".join(str(error[name]) for name in ("code", "message") if error.get(name)) or "it says nothing")
        if "expired" in why:
            return ModelPaused(f"The batch ended before {self.service} came to this: {why}. Run again.")
        if faults.TOO_LONG.search(why):
            return TooLong(self._voice.name, "the question is longer than it reads")
        return ModelFailed(self._voice.name, f"its request failed in the batch: {why}")

    def _batch(self, id: str) -> Any:
        return self._do("retrieve_batch", batch_id=id)

    def _do(self, name: str, **told: Any) -> Any:
        # Tried again by us, who look first whether it was not done after all.
        with faults.told(self._voice.name):
            return getattr(self._voice.library, name)(
                custom_llm_provider=self.service, timeout=self._voice.terms.seconds, max_retries=0, **self._voice.place, **told
            )


def _get(found: Any, name: str) -> Any:
    """A field of what a library gives: an object, or a mapping."""
    return found.get(name) if isinstance(found, dict) else getattr(found, name, None)
