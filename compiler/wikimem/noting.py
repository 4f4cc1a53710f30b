"""Noting: a recall leaves a line in the log outside the wiki, also when it gave nothing. It never fails and never waits.

The line goes to `.wikimem/recalls/`. Where nothing can be written, nothing is noted. `[recall] log` says what of the question
is kept: `full` (secrets masked), `hash` (by a key that stays in the vault), or `off`, and nothing is noted at all.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass

from wikimem.core import bundles, recalls
from wikimem.core.bundles import Bundle
from wikimem.core.recalls import LONGEST, Recall
from wikimem.edges import recalls as logs
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Asked:
    """A recall as it was asked; `session` is that of the agent, empty for what its tool tells. The others as for `recall`."""

    question: str
    scope: str = ""
    at: str = ""
    known: str = ""
    channel: str = "python"
    session: str = ""


def note(vault: Vault, asked: Asked, bundle: Bundle, found: tuple[str, ...] = (), tokens: int = -1) -> str:
    """Note a recall and what it gave.

    Args:
        vault: the vault.
        asked: the recall.
        bundle: what it gave.
        found: citations that it gave besides.
        tokens: of all that it gave; -1 for those of the bundle.

    Returns:
        The id of the recall, by which feedback names it; empty if nothing was noted.
    """
    mode = vault.settings.log
    if mode == "off" or not asked.question.strip():
        return ""
    with suppress(OSError):
        ids, beside = recalls.shown(bundle)
        hashed = mode == "hash"
        told = Recall(
            id=f"r{secrets.token_hex(4)}",
            time=vault.now(),
            question="" if hashed else masked(asked.question),
            hash=logs.keyed(vault.root, " ".join(asked.question.casefold().split())) if hashed else "",
            scope=asked.scope,
            at=asked.at,
            known=asked.known,
            ids=tuple(dict.fromkeys((*found, *ids))),
            beside=beside,
            tokens=bundles.tokens(bundle.text) if tokens < 0 else tokens,
            channel=asked.channel,
            session=asked.session or logs.session(),
        )
        logs.append(vault.root, told.time, recalls.write(told))
        return told.id
    return ""


def masked(text: str) -> str:
    """The beginning of a text, its secrets masked."""
    if recalls.is_plain(text):
        return text[:LONGEST]
    from wikimem.core import masking

    # Masked before it is cut: half a secret is none that can be recognised.
    return masking.text(text.encode("utf-8", "replace"))[0].decode("utf-8", "replace")[:LONGEST]
