"""Models: whoever answers the compiler's questions. One port, one module a model, loaded when it is named.

rules        built in: no key, no network, the same answer every time
recorded     replies from a folder, by what was asked
litellm      any provider that LiteLLM knows
agents       `claude-code` and `codex`: the user's own agent, without a window
handoff      work packets for an agent or a person to answer
asking       cache, budget, retries and repair, around the last three
bulk         many questions at once, at half the price
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.core.spending import Terms
from wikimem.edges.models.port import Model, Paid
from wikimem.errors import BatchAwaited, ModelFailed, NoBatches, UnknownModel

if TYPE_CHECKING:
    from wikimem.edges.models.bulk import Bulk
    from wikimem.edges.models.port import Voice

__all__ = ["Model", "Paid", "in_bulk", "named"]

_BATCHES = "batches"


def named(name: str, work: Path, terms: Terms, now: Callable[[], str], prompts: Callable[[], str] = lambda: "") -> Model:
    """The model of a name in the settings.

    Args:
        name: `rules`, `recorded:<dir>`, `claude-code`, `codex`, `handoff`, or a LiteLLM name with its provider.
        work: the vault's ignored folder; replies are kept in it.
        terms: on what terms it is asked.
        now: tells the time, `2026-08-14T10:11:03Z`.
        prompts: tells the digest of the prompts, for packets that may become stale.

    Raises:
        UnknownModel: there is none of that name.
    """
    kind, _, rest = name.partition(":")
    if name == "rules":
        from wikimem.edges.models.rules import Rules

        return Rules()
    if kind == "recorded" and rest:
        from wikimem.edges.models.recorded import Recorded

        return Recorded(rest)
    from wikimem.edges.models.asking import Asker
    from wikimem.edges.models.batches import Batches
    from wikimem.edges.models.pace import Pace
    from wikimem.edges.models.purse import Purse
    from wikimem.edges.models.till import Till

    voice = _voice(name, work, terms, now, prompts)
    till = Till(work / "replies")
    purse = Purse(till, terms.budget, terms.daily, now()[:10], terms.background)
    record = Path(terms.record).expanduser() if terms.record else None
    withheld: dict[str, ModelFailed] = {}
    for batch in Batches(work / _BATCHES).every(name):
        # What is asked already is not asked a second time, by whichever way.
        waits = BatchAwaited(batch.id or batch.name, batch.service)
        withheld |= {key: waits for request in batch.requests for key in request.keys}
    return Asker(voice, till, purse, Pace(terms.per_minute), now, terms.background, record, withheld)


def in_bulk(model: Model, work: Path) -> Bulk:
    """Asks what a model would be asked in batches, at half the price.

    Args:
        model: as `named` gave it.
        work: the vault's ignored folder; what is known of batches is kept in it.

    Raises:
        NoBatches: there are none for this model.
    """
    from wikimem.edges.models.asking import Asker
    from wikimem.edges.models.bulk import Bulk
    from wikimem.edges.models.litellm import LiteLLM

    if not isinstance(model, Asker) or not isinstance(model.voice, LiteLLM):
        raise NoBatches(model.name, "it is not asked over a provider's interface")
    return Bulk(model, model.voice.courier(), work / _BATCHES)


def _voice(name: str, work: Path, terms: Terms, now: Callable[[], str], prompts: Callable[[], str]) -> Voice:
    if "/" in name.strip("/") and not name.startswith("/"):
        from wikimem.edges.models.litellm import LiteLLM

        return LiteLLM(name, terms)
    kind = name.partition(":")[0]
    if kind in ("claude-code", "codex"):
        from wikimem.edges.models.agents import Agent

        return Agent(name, terms.seconds, terms.price)
    if name == "handoff":
        from wikimem.edges.models.handoff import Handoff, Outbox

        return Handoff(Outbox(work / "outbox"), now, prompts, terms.again)
    raise UnknownModel(name)
