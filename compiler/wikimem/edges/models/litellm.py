"""LiteLLM names (`anthropic/…`, `openai/…`, `ollama/…`): through the real `litellm`, imported when it is first needed.

It takes 2 to 3 seconds to import, and would ask for prices over the network while it does; we tell it not to. Its retries,
caches and budgets are left off: ours know what was paid for. Keys come from the environment, as LiteLLM reads them.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from threading import Lock
from typing import Any

from wikimem.core import replies
from wikimem.core.spending import Spent, Terms
from wikimem.edges.models.port import Busy, Call, Said
from wikimem.errors import ModelFailed, ModelPaused, TooLong

_WROTE = 16_000
"""Tokens that a reply may have at most; where the model's own limit is lower, that one."""


class LiteLLM:
    """A model of any provider that LiteLLM knows.

    Args:
        name: as LiteLLM names it, with its provider.
        terms: where it is served and on what terms.
    """

    def __init__(self, name: str, terms: Terms) -> None:
        self.name = name
        self._terms = terms
        self._lock = Lock()
        self._refused: set[str] = set()

    @cached_property
    def _litellm(self) -> Any:
        # Read while it is imported: without it, importing waits for a list of prices from the network.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        # Without it, importing reads a `.env` of whatever folder we run in: a stranger's file could say where transcripts go.
        os.environ["LITELLM_MODE"] = "PRODUCTION"
        with self._lock:
            # They warn about each other's insides, also later, when they load more of themselves.
            warnings.filterwarnings("ignore", module=r"(?:litellm|pydantic|openai|httpx)\b")
            import litellm
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        return litellm

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        """What LiteLLM knows of the model; {} of one that it does not know."""
        try:
            return dict(self._litellm.get_model_info(self.name))
        except Exception:  # It raises whatever it likes for a model without a price.
            return {}

    @cached_property
    def price(self) -> tuple[float, float] | None:
        """See `Voice`."""
        if self._terms.price is not None:
            return self._terms.price
        read, wrote = (self._facts.get(f"{way}_cost_per_token") for way in ("input", "output"))
        # A server of one's own may ask any price.
        if read is None or wrote is None or self._terms.api_base:
            return None
        return read * 1e6, wrote * 1e6

    def count(self, text: str) -> int:
        """See `Voice`."""
        try:
            return int(self._litellm.token_counter(model=self.name, text=text))
        except Exception:  # A tokenizer that is not there, in as many ways as there are providers: four bytes a token.
            return len(text.encode("utf-8", "replace")) // 4

    def say(self, call: Call) -> Said:
        """See `Voice`: by JSON schema, else as a JSON object, else by a forced tool, else as plain text."""
        refusal = ""
        for way, shape in _WAYS.items():
            if way in self._refused or not self._takes(way):
                continue
            try:
                return self._heard(self._send(call, shape(call)))
            except self._litellm.BadRequestError as error:
                self._fatal(error)
                # The server does not take this way of asking; no tokens were spent. It is not tried again.
                refusal = _one_line(error)
                self._refused.add(way)
        raise ModelFailed(self.name, f"it takes the question in no form ({refusal or 'none is left'})")

    def _takes(self, way: str) -> bool:
        """Whether a way may work: what LiteLLM knows of models that it knows; of others everything is tried."""
        if not self._facts or self._terms.api_base:
            return True
        if way == "json_schema":
            return bool(self._facts.get("supports_response_schema"))
        if way == "tool":
            return bool(self._facts.get("supports_function_calling"))
        return True

    def _send(self, call: Call, more: Mapping[str, Any]) -> Any:
        litellm = self._litellm
        options: dict[str, Any] = {"timeout": self._terms.seconds, "max_retries": 0, "num_retries": 0, "stream": False}
        if self._terms.api_base:
            options["api_base"] = self._terms.api_base
            # A server of one's own often wants no key, but the client wants one.
            options["api_key"] = os.environ.get("OPENAI_API_KEY") or "none" if self.name.startswith("openai/") else None
        most = self._facts.get("max_output_tokens")
        if most:
            options["max_tokens"] = min(int(most), _WROTE)
        try:
            return litellm.completion(model=self.name, messages=self._messages(call), **options, **more)
        except litellm.RateLimitError as error:
            if re.search(r"insufficient_quota|billing|credit|limit reached|hit your", str(error), re.IGNORECASE):
                raise ModelPaused(
                    f"The quota of {self.name} is used up: {_one_line(error)}. See to it and compile again."
                ) from None
            raise Busy(f"it is asked too often: {_one_line(error)}", limited=True, after=_after(error)) from None
        except (litellm.AuthenticationError, litellm.PermissionDeniedError) as error:
            raise self._shut(error) from None
        except litellm.NotFoundError as error:
            raise ModelPaused(
                f"There is no model {self.name} there: {_one_line(error)}. Correct `model` under [compile]."
            ) from None
        except litellm.Timeout as error:
            raise Busy(f"it did not answer within {self._terms.seconds:g} s: {_one_line(error)}") from None
        except (litellm.APIConnectionError, litellm.ServiceUnavailableError, litellm.InternalServerError) as error:
            raise Busy(f"it cannot be reached or failed: {_one_line(error)}", after=_after(error)) from None
        except (litellm.APIError, litellm.APIResponseValidationError) as error:
            status = getattr(error, "status_code", 0)
            if status in (401, 402, 403):
                raise self._shut(error) from None
            if status in (408, 409, 425, 429) or (isinstance(status, int) and status >= 500):
                raise Busy(f"it failed: {_one_line(error)}", limited=status in (429, 529), after=_after(error)) from None
            raise ModelFailed(self.name, _one_line(error)) from None

    def _shut(self, error: Exception) -> ModelPaused:
        return ModelPaused(
            f"{self.name} does not let us in: {_one_line(error)}. Set the provider's key in the environment, such as "
            "ANTHROPIC_API_KEY or OPENAI_API_KEY; wikimem never stores it."
        )

    def _fatal(self, error: Exception) -> None:
        """Raise what no other way of asking would mend."""
        litellm = self._litellm
        if isinstance(error, litellm.ContextWindowExceededError) or _TOO_LONG.search(str(error)):
            raise TooLong(self.name, "the question is longer than it reads") from None
        if isinstance(error, litellm.ContentPolicyViolationError):
            raise ModelFailed(self.name, f"its provider refuses the question by policy: {_one_line(error)}") from None
        if "LLM Provider NOT provided" in str(error):
            raise ModelPaused(f"LiteLLM knows no provider of {self.name!r}. Correct `model` under [compile].") from None

    def _messages(self, call: Call) -> list[dict[str, Any]]:
        constant, rest = call.parts
        found: list[dict[str, Any]] = []
        if constant:
            content: Any = constant
            if "claude" in self.name:
                # Others find the same beginning by themselves.
                content = [{"type": "text", "text": constant, "cache_control": {"type": "ephemeral"}}]
            found.append({"role": "system", "content": content})
        found.append({"role": "user", "content": rest})
        if call.bad:
            found += [{"role": "assistant", "content": call.bad}, {"role": "user", "content": call.repair}]
        return found

    def _heard(self, response: Any) -> Said:
        choice = next(iter(response.choices or ()), None)
        message = getattr(choice, "message", None)
        calls = getattr(message, "tool_calls", None) or ()
        text = getattr(message, "content", None) or ""
        if calls:
            text = getattr(getattr(calls[0], "function", None), "arguments", None) or text
        text = text or getattr(message, "refusal", None) or ""
        finish = {"length": "length", "max_tokens": "length", "content_filter": "filter"}.get(
            getattr(choice, "finish_reason", "") or "", "stop"
        )
        return Said(text if isinstance(text, str) else "", finish, self._cost(response))

    def _cost(self, response: Any) -> Spent:
        usage = getattr(response, "usage", None)
        read, wrote = (getattr(usage, name, 0) or 0 for name in ("prompt_tokens", "completion_tokens"))
        cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", 0) or 0
        price = self.price
        if price is None:
            return Spent(1, read, wrote, cached, 0, 1)
        micros = read * price[0] + wrote * price[1]
        if self._terms.price is None:
            try:
                micros = float(self._litellm.completion_cost(completion_response=response, model=self.name)) * 1e6
            except Exception:  # It knows the price and yet raises for some kinds of reply.
                micros = read * price[0] + wrote * price[1]
        return Spent(1, read, wrote, cached, round(micros), 0)


def _by_schema(call: Call) -> Mapping[str, Any]:
    form = {"name": call.task.value, "schema": replies.sent(call.schema), "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _by_object(call: Call) -> Mapping[str, Any]:
    return {"response_format": {"type": "json_object"}}


def _by_tool(call: Call) -> Mapping[str, Any]:
    function = {"name": "answer", "description": "Gives the answer.", "parameters": replies.sent(call.schema)}
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": "answer"}},
    }


_WAYS: Mapping[str, Callable[[Call], Mapping[str, Any]]] = {
    "json_schema": _by_schema,
    "json_object": _by_object,
    "tool": _by_tool,
    "text": lambda call: {},
}
"""Ways to ask for JSON, the surest first. The prompt itself holds the schema, so each of them may do."""

_TOO_LONG = re.compile(r"context.{0,10}(?:length|window)|maximum.{0,20}tokens|too long|too many tokens", re.IGNORECASE)


def _after(error: Exception) -> float | None:
    """Seconds that a server asks to wait: `Retry-After` in seconds or as a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(error, "litellm_response_headers", None) or {}
    told = headers.get("retry-after-ms")
    if told is not None:
        return _number(told, 1000)
    told = headers.get("retry-after")
    return None if told is None else _number(told, 1) if re.fullmatch(r"\d+(?:\.\d+)?", told) else _until(told)


def _number(told: str, unit: int) -> float | None:
    try:
        return max(0.0, float(told) / unit)
    except ValueError:
        return None


def _until(told: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


_KEY = re.compile(r"\b(?:sk|key|pk)[-_][\w*-]{6,}", re.IGNORECASE)


def _one_line(error: Exception) -> str:
    """What a library says, without a key that it may quote."""
    line = _KEY.sub("[key]", " ".join(str(error).split()))
    line = re.sub(r"^(?:litellm\.)?\w+(?:Error|Exception|Timeout): ", "", line)
    return line if len(line) <= 240 else line[:239] + "…"
