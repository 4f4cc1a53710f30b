"""Faults: what a provider's library raises, told as what is to be done: wait (`Busy`), see to it, or give up.

The libraries of OpenAI and Anthropic, and LiteLLM over both, raise errors with a `status_code` and a `response`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from wikimem.edges.models.port import Busy
from wikimem.errors import ModelFailed, ModelPaused

TOO_LONG = re.compile(r"context.{0,10}(?:length|window)|maximum.{0,20}tokens|too long|too many tokens", re.IGNORECASE)
"""What providers say of a question that is longer than a model reads."""

QUOTA = re.compile(r"insufficient_quota|billing|credit|limit reached|hit your", re.IGNORECASE)
"""What they say where no waiting helps."""

_KEY = re.compile(r"\b(?:sk|key|pk)[-_][\w*-]{6,}", re.IGNORECASE)


@contextmanager
def told(name: str) -> Iterator[None]:
    """Raise what a library raises inside as ours.

    Raises:
        Busy: it may work later; what was asked for may have been done all the same.
        ModelPaused: a person must see to it.
        ModelFailed: it will not work, and nothing was done.
    """
    try:
        yield
    except (Busy, ModelFailed):
        raise
    except Exception as error:  # As many kinds as there are libraries; all with a status, if there was an answer.
        status = getattr(error, "status_code", None)
        if status == 429 and QUOTA.search(str(error)):
            raise quota(name, error) from None
        if status in (401, 402, 403) or "api_key" in str(error):
            raise shut(name, error) from None
        if status == 404:
            raise ModelPaused(
                f"The provider of {name} says that it has no such thing: {one_line(error)}. See whether it offers batches, and "
                "whether key and address are those that the batch was sent with."
            ) from None
        if status is None or status in (408, 409, 425, 429) or status >= 500:
            raise Busy(f"it failed: {one_line(error)}", limited=status in (429, 529), after=after(error)) from None
        raise ModelFailed(name, one_line(error)) from None


def shut(name: str, error: Exception) -> ModelPaused:
    """There is no key, or a wrong one."""
    return ModelPaused(
        f"{name} does not let us in: {one_line(error)}. Set the provider's key in the environment, such as "
        "ANTHROPIC_API_KEY or OPENAI_API_KEY; wikimem never stores it."
    )


def quota(name: str, error: Exception) -> ModelPaused:
    """There is no more to be had for now."""
    return ModelPaused(f"The quota of {name} is used up: {one_line(error)}. See to it and compile again.")


def after(error: Exception) -> float | None:
    """Seconds that a server asks to wait: `Retry-After` in seconds or as a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(error, "litellm_response_headers", None) or {}
    told = headers.get("retry-after-ms")
    if told is not None:
        return _number(told, 1000)
    told = headers.get("retry-after")
    return None if told is None else _number(told, 1) if re.fullmatch(r"\d+(?:\.\d+)?", told) else _until(told)


def one_line(error: object) -> str:
    """What a library says, without a key that it may quote."""
    line = _KEY.sub("[key]", " ".join(str(error).split()))
    line = re.sub(r"^(?:litellm\.)?\w+(?:Error|Exception|Timeout): ", "", line)
    return line if len(line) <= 240 else line[:239] + "…"


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
