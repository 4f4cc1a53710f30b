"""Attend: what happens at the events of an agent's session: it is told what is remembered, and what it says is kept.

Somebody waits at each of them, so nothing here asks a model, runs git or brings an index up: what is there is used, and
what is due is left to `background`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from wikimem.core import events, screening, tombstones
from wikimem.core.events import Event
from wikimem.lookup import user_routes
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.core.entries import AnyEntry
    from wikimem.core.sources import Sidecar

HITS = 5
"""Answers that a prompt is given at most."""

_BUDGET = 700
_REMEMBERED = 400


def start(vault: Vault, event: Event) -> str:
    """What a session is told when it begins, or after its context was cleared or compacted; may be empty."""
    from wikimem import brief

    _forget_shown(vault, event)
    return enclosed(brief.nearest(vault, scope(vault, event.cwd)).text)


def prompt(vault: Vault, event: Event) -> str:
    """What a prompt brings to mind: at most five answers, each page and turn once a session; empty if nothing is near.

    Args:
        vault: the vault.
        event: with the prompt.
    """
    asked = events.asked(event)
    if not asked:
        return ""
    from wikimem import noting, recall
    from wikimem.core.bundles import Bundle
    from wikimem.edges import spool

    own = scope(vault, event.cwd)
    found = recall.recall(vault, asked, own, _BUDGET, patience=0, channel="", folder=event.cwd)
    shown = _shown(vault, event)
    known = spool.joined(vault.root, vault.ledger).all()
    kept: list[AnyEntry] = []
    for entry in found.bundle.entries:
        key = _key(entry)
        if len(kept) < HITS and key not in shown and not _is_aside(entry) and not _is_own(entry, event.session, known):
            shown[key] = None
            kept.append(entry)
    bundle = Bundle(tuple(kept), _BUDGET)
    noting.note(vault, noting.Asked(asked, own, channel="hook", session=event.session), bundle)
    if not kept:
        return ""
    _remember_shown(vault, event, shown)
    return enclosed(bundle.text)


def keep(vault: Vault, event: Event, ended: bool = False) -> Sidecar | None:
    """Copy to the spool what the session has gained; None if its agent keeps it in no file of lines.

    Args:
        vault: the vault.
        event: with the transcript.
        ended: whether nothing more will come.

    Raises:
        OSError: it cannot be read or written.
    """
    from wikimem.edges import spool
    from wikimem.edges.spool import Told

    if not event.transcript:
        return None
    path = Path(event.transcript).expanduser()
    known = spool.find(vault.root, path)
    remote = known.remote if known is not None else _remote(event.cwd)
    told = Told(path, event.agent, event.session, event.cwd, remote, vault.now(), ended)
    if not (vault.root / tombstones.FOLDER).is_dir():
        return spool.keep(vault.root, told)
    from wikimem import bans

    return spool.keep(vault.root, told, bans.cleaner(vault.root))


def is_forbidden(event: Event) -> bool:
    """Whether the user's config says that no memory is to know of this session.

    Raises:
        BadSettings: the config cannot be used.
    """
    routes = user_routes()
    return bool(routes.never) and routes.forbids(event.cwd, _remote(event.cwd))


def may_keep(vault: Vault, event: Event) -> bool:
    """Whether what a session says is for this vault: no route sends it elsewhere; a vault that others see needs a route, and one
    that is shared takes no sessions at all.

    Raises:
        BadSettings: the user's config cannot be used.
    """
    if vault.settings.kind == "shared":
        return False
    routes = user_routes()
    told = routes.vault(event.cwd, _remote(event.cwd)) if routes.to else ""
    if told:
        return Path(told).resolve() == vault.root
    from wikimem.edges.sharing import has_remote

    return not any(Path(route.vault).resolve() == vault.root for route in routes.to) and not has_remote(vault.root)


def enclosed(text: str) -> str:
    """Memory as it is put into a prompt: between tags by which it is known again in the transcript; empty for nothing."""
    if not text:
        return ""
    tag = screening.BLOCK
    inside = text.replace(f"<{tag}", f"‹{tag}").replace(f"</{tag}", f"‹/{tag}")
    return f"<{tag}>\n{inside.rstrip()}\n</{tag}>"


def scope(vault: Vault, cwd: str) -> str:
    """The scope of a session in a folder; what is known of the folder from earlier sessions spares asking git."""
    if not cwd:
        return ""
    for sidecar in vault.ledger.held_in(cwd):
        if "scope" not in sidecar.hint:
            return sidecar.scope
    return vault.settings.packages.scope(_remote(cwd), cwd)


def _remote(cwd: str) -> str:
    if not cwd or not Path(cwd).is_dir():
        return ""
    from wikimem.edges.repo.remote import remote_of

    return remote_of(cwd)


def _key(entry: AnyEntry) -> str:
    from wikimem.core import entries
    from wikimem.core.entries import Entry

    return entry.passage.cite if isinstance(entry, Entry) else entries.group(entry)


def _is_aside(entry: AnyEntry) -> bool:
    """Whether nobody should be told of it unasked: what only stands beside an answer, and calls of tools with their results."""
    from wikimem.core.entries import Entry
    from wikimem.core.turns import Form

    return isinstance(entry, Entry) and (entry.context or entry.passage.form is not Form.PROSE)


def _is_own(entry: AnyEntry, session: str, known: Mapping[str, Sidecar]) -> bool:
    """Whether all of it was said in this very session, which knows it."""
    from wikimem.core.entries import ClaimEntry, Entry

    if isinstance(entry, Entry):
        sources = {entry.passage.source}
    elif isinstance(entry, ClaimEntry):
        sources = {one.source for one in entry.statement.claim.evidence}
    else:
        return False
    return bool(session) and all(source in known and known[source].session == session for source in sources)


def _place(vault: Vault, event: Event) -> Path:
    name = sha256(f"{event.agent}\n{event.session or event.transcript}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return vault.work / "shown" / f"{name}.json"


def _shown(vault: Vault, event: Event) -> dict[str, None]:
    """What this session was shown, in the order in which it was."""
    with suppress(OSError, ValueError):
        told = orjson.loads(_place(vault, event).read_bytes())
        if isinstance(told, list):
            return {str(key): None for key in told}
    return {}


def _remember_shown(vault: Vault, event: Event, shown: Mapping[str, None]) -> None:
    place = _place(vault, event)
    place.parent.mkdir(exist_ok=True)
    temporary = place.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps(list(shown)[-_REMEMBERED:]))
    temporary.replace(place)


def _forget_shown(vault: Vault, event: Event) -> None:
    """A context that was cleared or compacted has lost what it was shown."""
    _place(vault, event).unlink(missing_ok=True)
