"""LiteLLM names (`anthropic/…`, `openai/…`, `ollama/…`): through the real `litellm`, imported when it is first needed.

It takes 2 to 3 seconds to import, and would ask for prices over the network while it does; we tell it not to. Its retries,
caches and budgets are left off: ours know what was paid for. Keys come from the environment, as LiteLLM reads them.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from wikimem.core import replies
from wikimem.core.spending import Spent, Terms
from wikimem.edges.models import faults
from wikimem.edges.models.port import Busy, Call, Said
from wikimem.errors import ModelFailed, ModelPaused, NoBatches, TooLong

if TYPE_CHECKING:
    from wikimem.edges.models.batches import Courier

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
        self.terms = terms
        self._lock = Lock()
        self._refused: set[str] = set()

    @cached_property
    def library(self) -> Any:
        """LiteLLM itself."""
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
    def facts(self) -> Mapping[str, Any]:
        """What LiteLLM knows of the model; {} of one that it does not know."""
        try:
            return dict(self.library.get_model_info(self.name))
        except Exception:  # It raises whatever it likes for a model without a price.
            return {}

    @cached_property
    def price(self) -> tuple[float, float] | None:
        """See `Voice`."""
        if self.terms.price is not None:
            return self.terms.price
        read, wrote = (self.facts.get(f"{way}_cost_per_token") for way in ("input", "output"))
        # A server of one's own may ask any price.
        if read is None or wrote is None or self.terms.api_base:
            return None
        return read * 1e6, wrote * 1e6

    def count(self, text: str) -> int:
        """See `Voice`."""
        try:
            return int(self.library.token_counter(model=self.name, text=text))
        except Exception:  # A tokenizer that is not there, in as many ways as there are providers: four bytes a token.
            return len(text.encode("utf-8", "replace")) // 4

    def say(self, call: Call) -> Said:
        """See `Voice`: by JSON schema, else as a JSON object, else by a forced tool, else as plain text."""
        refusal = ""
        for way in self._ways():
            try:
                return self.heard(self._send(call, _WAYS[way](call)))
            except self.library.BadRequestError as error:
                self._fatal(error)
                # The server does not take this way of asking; no tokens were spent. It is not tried again.
                refusal = faults.one_line(error)
                self._refused.add(way)
        raise ModelFailed(self.name, f"it takes the question in no form ({refusal or 'none is left'})")

    def shape(self, call: Call) -> Mapping[str, Any]:
        """What asks for JSON in the surest way that the model takes, as far as is known."""
        return next((_WAYS[way](call) for way in self._ways()), {})

    @property
    def most(self) -> int | None:
        """Tokens that a reply may have at most; None where the model's own limit is not known."""
        told = self.facts.get("max_output_tokens")
        return min(int(told), _WROTE) if told else None

    def courier(self) -> Courier:
        """Whoever carries many calls of the model at half the price.

        Raises:
            NoBatches: its provider does not offer that, or not through what is installed.
        """
        provider = self.name.partition("/")[0]
        if provider in ("openai", "azure"):
            from wikimem.edges.models.openai_batches import OpenAIBatches

            return OpenAIBatches(self, provider)
        if provider == "anthropic":
            from wikimem.edges.models.anthropic_batches import AnthropicBatches

            return AnthropicBatches(self)
        raise NoBatches(self.name)

    @property
    def place(self) -> Mapping[str, Any]:
        """Where it is served and with which key, if not at its provider's address."""
        if not self.terms.api_base:
            return {}
        # A server of one's own often wants no key, but the client wants one.
        key = os.environ.get("OPENAI_API_KEY") or "none" if self.name.startswith("openai/") else None
        return {"api_base": self.terms.api_base, "api_key": key}

    @cached_property
    def half(self) -> tuple[float, float] | None:
        """Dollars for a million tokens read and written in a batch: half of `price`, unless LiteLLM knows better."""
        if self.price is None:
            return None
        if self.terms.price is None:
            read, wrote = (self.facts.get(f"{way}_cost_per_token_batches") for way in ("input", "output"))
            if read and wrote:
                return read * 1e6, wrote * 1e6
        return self.price[0] / 2, self.price[1] / 2

    def halved(self, said: Said) -> Said:
        """A reply at the price of a batch; what a provider had in its cache may have cost less."""
        spent, price = said.spent, self.half
        micros = round(spent.read * price[0] + spent.wrote * price[1]) if price else 0
        return replace(said, spent=replace(spent, micros=micros))

    def _ways(self) -> Iterator[str]:
        return (way for way in _WAYS if way not in self._refused and self._takes(way))

    def _takes(self, way: str) -> bool:
        """Whether a way may work: what LiteLLM knows of models that it knows; of others everything is tried."""
        if not self.facts or self.terms.api_base:
            return True
        if way == "json_schema":
            return bool(self.facts.get("supports_response_schema"))
        if way == "tool":
            return bool(self.facts.get("supports_function_calling"))
        return True

    def _send(self, call: Call, more: Mapping[str, Any]) -> Any:
        litellm = self.library
        options: dict[str, Any] = {"timeout": self.terms.seconds, "max_retries": 0, "num_retries": 0, "stream": False}
        options |= self.place
        if self.most:
            options["max_tokens"] = self.most
        try:
            return litellm.completion(model=self.name, messages=self.messages(call), **options, **more)
        except litellm.RateLimitError as error:
            if faults.QUOTA.search(str(error)):
                raise faults.quota(self.name, error) from None
            raise Busy(f"it is asked too often: {faults.one_line(error)}", limited=True, after=faults.after(error)) from None
        except (litellm.AuthenticationError, litellm.PermissionDeniedError) as error:
            raise faults.shut(self.name, error) from None
        except litellm.NotFoundError as error:
            raise ModelPaused(
                f"There is no model {self.name} there: {faults.one_line(error)}. Correct `model` under [compile]."
            ) from None
        except litellm.Timeout as error:
            raise Busy(f"it did not answer within {self.terms.seconds:g} s: {faults.one_line(error)}") from None
        except (litellm.APIConnectionError, litellm.ServiceUnavailableError, litellm.InternalServerError) as error:
            raise Busy(f"it cannot be reached or failed: {faults.one_line(error)}", after=faults.after(error)) from None
        except (litellm.APIError, litellm.APIResponseValidationError) as error:
            status = getattr(error, "status_code", 0)
            if status in (401, 402, 403):
                raise faults.shut(self.name, error) from None
            if status in (408, 409, 425, 429) or (isinstance(status, int) and status >= 500):
                raise Busy(
                    f"it failed: {faults.one_line(error)}", limited=status in (429, 529), after=faults.after(error)
                ) from None
            raise ModelFailed(self.name, faults.one_line(error)) from None

    def _fatal(self, error: Exception) -> None:
        """Raise what no other way of asking would mend."""
        litellm = self.library
        if isinstance(error, litellm.ContextWindowExceededError) or faults.TOO_LONG.search(str(error)):
            raise TooLong(self.name, "the question is longer than it reads") from None
        if isinstance(error, litellm.ContentPolicyViolationError):
            raise ModelFailed(self.name, f"its provider refuses the question by policy: {faults.one_line(error)}") from None
        if "LLM Provider NOT provided" in str(error):
            raise ModelPaused(f"LiteLLM knows no provider of {self.name!r}. Correct `model` under [compile].") from None

    def messages(self, call: Call) -> list[dict[str, Any]]:
        """A call as messages: the constant part first, so that providers cache it."""
        constant, rest = call.halves
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

    def heard(self, response: Any) -> Said:
        """What a response says, and what it cost."""
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
        if self.terms.price is None:
            try:
                micros = float(self.library.completion_cost(completion_response=response, model=self.name)) * 1e6
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
