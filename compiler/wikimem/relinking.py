"""Relinking: pages that got another path are followed by the links that people wrote to them."""

from __future__ import annotations

from collections.abc import Mapping

from wikimem.core import links, prose
from wikimem.core.fold import Wiki
from wikimem.rendering import Shelf


def moves(old: Wiki, new: Wiki) -> dict[str, str]:
    """Old path to new path, below `wiki/`, of the subjects whose page lies elsewhere now: renamed, or merged into another."""
    home = {mention: key for key, subject in new.subjects.items() for mention in subject.mentions}
    taken = {new.path(key) for key in new.pages}
    found = {}
    for key, subject in old.subjects.items():
        was = old.path(key)
        heirs = {home[mention] for mention in subject.mentions if mention in home}
        if was not in taken and len(heirs) == 1:
            found[was] = new.path(heirs.pop())
    return found


def relink(shelf: Shelf, writes: Mapping[str, bytes], gone: set[str], moved: Mapping[str, str]) -> dict[str, bytes]:
    """The pages whose links have to follow, by vault-relative path; a page that waits for its writer's commit is left.

    Args:
        shelf: the pages as they stand.
        writes: what is written anyway.
        gone: what is deleted.
        moved: see `moves`.
    """
    found = {}
    for path in sorted({*shelf.committed(), *writes} - gone):
        if not path.startswith("wiki/") or not path.endswith(".md") or prose.is_generated(path) or path in shelf.held:
            continue
        data = writes.get(path)
        if data is None:
            data, clean = shelf.read(path)
            if data is None or not clean:
                continue
        text = data.decode("utf-8", "surrogateescape")
        becomes = links.moved(text, path.removeprefix("wiki/"), moved)
        if becomes != text:
            found[path] = becomes.encode("utf-8", "surrogateescape")
    return found
