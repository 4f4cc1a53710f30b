"""Removing: the pages, cards and judgements of a vault from which something goes, and the one commit that does it.

Everything is computed as values first; a page that cannot be written, because somebody is at work on it, stops it all, since
it would keep what is to go. The commit's message says how much went, never what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wikimem import memory, relinking, rendering, settled
from wikimem.core import cards, catalogue, claimfiles, cold, fold, judgements, pages, prose
from wikimem.core.fold import Wiki
from wikimem.core.pages import Kept, Page
from wikimem.edges.models import Paid
from wikimem.errors import CannotForget, ModelFailed, Problem
from wikimem.extracting import Extractor
from wikimem.forgetting import Plan
from wikimem.judging import Linker
from wikimem.memory import Memory, Ownership
from wikimem.rendering import Rendered, Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_NAMED = 5


@dataclass(slots=True)
class Removal:
    """What a removal writes and deletes, by path in the vault.

    Args:
        memory: what the vault remembers afterwards.
        writes: new content, of sources as well.
        deletes: files that go.
        expected: what stands at these paths now; see `Change`.
        settled: whether every pair of what is left was judged.
        pairs: how many judgements go.
        cold: how many results of consolidation go.
        peoples: pages that only people's lines are left on, and other pages that lose lines of people.
    """

    memory: Memory
    writes: dict[str, bytes] = field(default_factory=dict)
    deletes: set[str] = field(default_factory=set)
    expected: dict[str, str | None] = field(default_factory=dict)
    settled: bool = True
    pairs: int = 0
    cold: int = 0
    peoples: list[str] = field(default_factory=list)


def removal(vault: Vault, repo: Repo, remembered: Memory, plan: Plan, extractor: Extractor) -> Removal:
    """What the wiki and the sources become.

    Args:
        vault: the vault.
        repo: its repository.
        remembered: what it remembers now.
        plan: what goes.
        extractor: who judges pairs that are held against each other for the first time; nobody who is paid for it.

    Raises:
        CannotForget: a page is at work, broken or edited.
        OSError: a source cannot be read.
    """
    shelf = Shelf(vault.root, repo)
    after, settled = _folded(remembered, plan, extractor)
    after = replace(after, wiki=_rested(after.wiki, plan.choice.words.casefold()))
    old, new = remembered.wiki, after.wiki
    paths = {source: sidecar.path for source, sidecar in plan.ledger.all().items()}
    rendered = rendering.changed(shelf, old, new, fold.touched(old, new), paths)
    out = Removal(after, {path: data for path, data in plan.writes.items() if isinstance(data, bytes)}, settled=settled)
    _stripped(shelf, rendered, out)
    _must_be_free(rendered.left)
    out.writes |= rendered.writes
    if moved := relinking.moves(old, new):
        out.writes |= relinking.relink(shelf, out.writes, rendered.deletes, moved)
    for source, made in plan.made.items():
        out.writes[memory.path(source)] = claimfiles.write(made.file)
        out.writes[f"wiki/{cards.path(source)}"] = made.card.encode("utf-8", "replace")
    out.deletes |= rendered.deletes | {path for path in plan.deletes if path.startswith("sources/") or path in shelf.committed()}
    out.deletes |= {path for source in plan.choice.whole if (path := f"wiki/{cards.path(source)}") in shelf.committed()}
    _judgements(remembered, after, out)
    _cold(remembered.wiki, new, out)
    if plan.choice.words:
        _prose(shelf, plan.choice.words.casefold(), out)
    wiki = {path for path in (*out.writes, *out.deletes) if path.startswith("wiki/")}
    out.expected = {path: shelf.expected(path) for path in wiki}
    return out


def _folded(remembered: Memory, plan: Plan, extractor: Extractor) -> tuple[Memory, bool]:
    """What is remembered afterwards, and whether all of its pairs are judged. Only subjects that lose something are looked at."""
    owners = Ownership(plan.ledger).of(plan.files)
    old, vocabulary = remembered.wiki, extractor.vocabulary
    if not isinstance(extractor.model, Paid):
        linker = Linker(extractor.model, extractor.prompts, vocabulary, old, extractor.jobs)
        with suppress(ModelFailed):
            return linker.link(Memory(remembered.files, plan.judged, old, ()), plan.files, owners).memory, True
    wiki = fold.again(old, plan.files.values(), judgements.settled(plan.judged), vocabulary, owners)
    return Memory(plan.files, plan.judged, wiki, ()), False


def _stripped(shelf: Shelf, rendered: Rendered, out: Removal) -> None:
    """Pages that no claim stands behind any more, but that people wrote on: their lines stay, and nothing else."""
    for problem in [each for each in rendered.left if each.rule == "people"]:
        rendered.left.remove(problem)
        data, _ = shelf.read(problem.where)
        page = pages.parse((data or b"").decode("utf-8", "surrogateescape"))
        kept = tuple(line for line in page.lines if isinstance(line, Kept | pages.Blank))
        out.writes[problem.where] = _text(Page(_squeezed(kept)))
        out.peoples.append(problem.where)


def _squeezed(lines: Iterable[pages.Line]) -> tuple[pages.Line, ...]:
    """Lines without empty ones at the beginning, and never two of them in a row."""
    found: list[pages.Line] = []
    for line in lines:
        if not isinstance(line, pages.Blank) or (found and not isinstance(found[-1], pages.Blank)):
            found.append(line)
    return tuple(found)


def _text(page: Page) -> bytes:
    return pages.write(page).encode("utf-8", "surrogateescape")


def _must_be_free(left: list[Problem]) -> None:
    if left:
        told = "; ".join(f"{each.where}: {each.message}" for each in left[:_NAMED])
        more = f"; and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        raise CannotForget(f"pages that would keep it cannot be written ({told}{more})", "Mend these, and run again.")


def _judgements(remembered: Memory, after: Memory, out: Removal) -> None:
    changed = {judgements.shelf(one) for one in {*remembered.judged} ^ {*after.judged}}
    for shelf in sorted(changed):
        data = judgements.write(one for one in after.judged if judgements.shelf(one) == shelf)
        if data:
            out.writes[f"{memory.PAIRS}/{shelf}"] = data
        else:
            out.deletes.add(f"{memory.PAIRS}/{shelf}")
    out.pairs = len({*remembered.judged} - {*after.judged})


def _rested(wiki: Wiki, words: str) -> Wiki:
    """The wiki without the results of consolidation that hold words which are to go: a question at the head of a page, too."""
    kept = tuple(record for record in wiki.ground.results if not words or not _holds(record, words))
    return wiki if len(kept) == len(wiki.ground.results) else fold.rested(wiki, kept)


def _holds(record: cold.Record, words: str) -> bool:
    if not isinstance(record, cold.Result):
        return False
    told = (record.page.name if record.page else "", *(text for text, _ in record.said))
    return any(words in text.casefold() for text in told)


def _cold(old: Wiki, new: Wiki, out: Removal) -> None:
    """Results of consolidation that rest on a claim that is gone, or on a source of it, are void, so they go with it."""
    gone = {record for record in old.ground.results if cold.is_void(record, new.subjects, new.ground.group)}
    gone |= {*old.ground.results} - {*new.ground.results}
    out.cold += len(gone)
    for shelf in sorted({cold.shelf(record) for record in gone}):
        data = cold.write(one for one in old.ground.results if one not in gone and cold.shelf(one) == shelf)
        if data:
            out.writes[f"{memory.COLD}/{shelf}"] = data
        else:
            out.deletes.add(f"{memory.COLD}/{shelf}")


def _prose(shelf: Shelf, words: str, out: Removal) -> None:
    """Lines of people that hold the text: a person asked for it to go, wherever it stands."""
    for path in sorted({*shelf.committed(), *out.writes} - out.deletes):
        if not path.startswith("wiki/") or not path.endswith(".md"):
            continue
        data = out.writes.get(path)
        if data is None:
            data, clean = shelf.read(path)
            if data is None or not clean:
                continue
        text = data.decode("utf-8", "surrogateescape")
        if words not in text.casefold():
            continue
        name = path.removeprefix("wiki/")
        if catalogue.is_page(name):
            page = pages.parse(text)
            kept = tuple(line for line in page.lines if not (isinstance(line, Kept) and words in line.text.casefold()))
            found = _text(replace(page, lines=kept))
        elif prose.is_generated(path):
            continue
        else:
            lines = text.splitlines(keepends=True)
            found = "".join(line for line in lines if words not in line.casefold()).encode("utf-8", "surrogateescape")
        if found != data:
            out.writes[path] = found
            out.peoples.append(path)


def commit(
    vault: Vault,
    repo: Repo,
    made: Removal,
    op: str,
    subject: str,
    body: str,
    named: Iterable[str],
    report: Callable[[Problem], None],
) -> str:
    """Make the one commit of a removal.

    Args:
        vault: the vault.
        repo: its repository; the caller holds the lock of `vault.compiling`.
        made: what to write and delete.
        op: `forget` or `retire`.
        subject, body: of the message; without a word of what goes.
        named: ids of the sources that change or go.
        report: told what else the user should know.

    Returns:
        The commit's id; empty if nothing changed.

    Raises:
        CannotForget: something was left out of the commit, since somebody changed it meanwhile.
        WorldError: git stands in the way; nothing is committed.
    """
    from wikimem.edges.repo import Change, Message

    told: list[Problem] = []
    trailers = (("Wiki-Op", op), *(("Source", source) for source in sorted(named)))
    writes: Mapping[str, bytes] = made.writes
    change = Change(dict(writes), frozenset(made.deletes), made.expected)
    with vault.writing():
        done = repo.commit(change, Message(subject, body, trailers), report=told.append)
    vault.ledger.forget_cache()
    settled.remember(vault, repo.tree("wiki") if made.settled else "")
    left = [each for each in told if each.rule in ("left-out", "left-alone")]
    for each in told:
        report(each)
    if left:
        raise CannotForget(f"{left[0].where} was changed while it was at work and still holds it", "Run the same command again.")
    return done


def gone(before: Wiki, after: Wiki) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pages, below `wiki/`, that go, and those that lose something."""
    old = {before.path(key): key for key in before.pages}
    new = {after.path(key): key for key in after.pages}
    lost = [path for path, key in old.items() if path in new and before.page(key) != after.page(new[path])]
    return tuple(sorted(old.keys() - new.keys())), tuple(sorted(lost))
