"""Committing: claims files and judgements become pages and one commit. Holds the memory between one commit and the next.

Gather, decide, then write: everything a commit holds is computed as values first. Before each one it is looked whether
somebody else committed to the wiki meanwhile; then all is read again, and every page is held against what it should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikimem import confiding, extracting, memory, reconciling, relinking, rendering, settled, withholding
from wikimem.core import (
    cards,
    catalogue,
    checks,
    claimfiles,
    cold,
    consents,
    fold,
    judgements,
    memory_diff,
    messages,
    pages,
    risks,
)
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.cold import Record
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import PageDiff
from wikimem.core.policies import Finding
from wikimem.errors import ModelFailed, PagesBroken, Problem
from wikimem.extracting import Extracted, Extractor
from wikimem.judging import Linked, Linker
from wikimem.memory import Memory, Ownership
from wikimem.reconciling import Reconciled
from wikimem.rendering import Rendered, Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_LEFT = frozenset({"left-out", "left-alone", "not-in-place"})


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit of the wiki.

    Args:
        id: of the commit; empty if nothing changed.
        diff: what the wiki says differently.
        pages: how many pages and cards were written or deleted.
        waiting: how many claims were kept back for a person to look at.
        withheld: how many were, since they may be sensitive.
    """

    id: str
    diff: tuple[PageDiff, ...]
    pages: int
    waiting: int = 0
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What taking in some claims files would write.

    Args:
        made: what comes in, without what waits.
        linked: the memory with it.
        rendered: the pages, with all other files that are to be written.
        diff: what the wiki would say differently.
        findings: the risks of that.
        waiting: the claims that wait for a person, by source.
        judged: judgements that were made on the way, about what waits as well.
    """

    made: tuple[Extracted, ...]
    linked: Linked
    rendered: Rendered
    diff: tuple[PageDiff, ...]
    findings: tuple[Finding, ...]
    waiting: Mapping[str, tuple[Claim, ...]]
    judged: tuple[Judgement, ...] = ()


class Writer:
    """Writes the wiki of one vault; whoever makes one holds the lock of `vault.compiling`.

    Args:
        vault: the vault.
        repo: its repository.
        extractor: who links; also tells what cards are made from.
        report: told what was left alone.
    """

    def __init__(self, vault: Vault, repo: Repo, extractor: Extractor, report: Callable[[Problem], None]) -> None:
        self._vault, self._repo, self._extractor = vault, repo, extractor
        self._report = report
        self._left = False
        self._load()

    @property
    def memory(self) -> Memory:
        """What the vault remembers, after the last commit."""
        return self._memory

    def _load(self) -> None:
        ledger = self._vault.ledger
        self._owners = Ownership(ledger)
        self._memory = memory.load(self._vault.root, ledger, self._extractor.vocabulary, self._owners)
        for problem in self._memory.problems:
            self._tell(problem)
        self._shelf = Shelf(self._vault.root, self._repo)
        self._tree = self._repo.tree("wiki")
        self.relearn()
        self._paths = {source: sidecar.path for source, sidecar in ledger.all().items()}

    def relearn(self) -> None:
        """Know no other names than those in the memory: what was only tried, the linker is to see as new when it comes in."""
        model, prompts, vocabulary = self._extractor.model, self._extractor.prompts, self._extractor.vocabulary
        self._linker = Linker(model, prompts, vocabulary, self._memory.wiki, self._extractor.jobs)

    def trust(self, paths: Iterable[str]) -> None:
        """Write over pages that are in no commit yet: a person said that what stands on them may be committed."""
        self._shelf.trust(paths)

    def hold(self, pages: Mapping[str, Problem]) -> None:
        """Leave pages alone, each for a reason that is reported."""
        self._shelf.held |= pages

    def settle(self, moved: Mapping[str, str] = MappingProxyType({})) -> Committed:
        """Hold everything against what it should be, and mend it in one commit: after a merge, a hand edit, an upgrade.

        Args:
            moved: where people's links are to lead, by the old path, both below `wiki/`.

        Raises:
            ModelFailed: pairs that others left to be judged could not be.
            WorldError: git stands in the way.
        """
        found = self._reconciled()
        linked = found.linked
        rendered = rendering.whole(self._shelf, linked.memory.wiki, self._paths)
        shelves = {judgements.shelf(one) for one in linked.memory.judged}
        writes = {**rendered.writes, **self._pairs(linked.memory.judged, shelves), **self._cards(linked.memory)}
        for source, waiting in found.waiting.items():
            file = found.files[source]
            withholding.lay_aside(self._vault, waiting, waiting.claims, found.judged, add=True)
            writes[memory.path(source)] = claimfiles.write(file)
            card = extracting.carded(self._vault.ledger, file, self._extractor.sensitive)
            writes[f"wiki/{cards.path(source)}"] = card.encode("utf-8", "replace")
        if moved:
            writes |= relinking.relink(self._shelf, writes, rendered.deletes, moved)
        writes = {path: data for path, data in writes.items() if self._shelf.read(path)[0] != data}
        diff = memory_diff.between(self._memory.wiki, linked.memory.wiki)
        number = len(writes) + len(rendered.deletes)
        about = f"Every page was held against its claims; {number} of the wiki's files were not what they give."
        subject = messages.subject("rerender", diff, f"{number} file{'s' if number != 1 else ''} of the wiki")
        findings = risks.weigh(diff, self._memory.wiki, linked.memory.wiki, frozenset())
        return self._commit("rerender", linked, rendered, writes, diff, subject, about, (), findings)

    def _reconciled(self) -> Reconciled:
        """The memory with all pairs judged, without what waits for a person since it was judged only now."""

        def link(files: Mapping[str, ClaimFile]) -> Linked:
            return self._linker.link(self._memory, files, self._owners.of(files), everything=True)

        def recorded(source: str) -> str:
            return self._vault.ledger.all()[source].recorded

        found = reconciling.settle(self._vault.settings.policy, self._memory, link(self._memory.files), link, recorded)
        if found.waiting:
            self.relearn()
        return found

    def write(
        self,
        made: Sequence[Extracted],
        op: str,
        about: str,
        anew: bool = False,
        sift: bool = True,
        more: Iterable[Judgement] = (),
    ) -> Committed:
        """Take claims files of some sources into the wiki, in one commit.

        Args:
            made: what was extracted, one a source.
            op: `compile`, `recompile` or `review`.
            about: the first line of the commit's body.
            anew: judge all pairs again; only what people judged stays.
            sift: keep back what the vault's policy does not let in by itself.
            more: judgements that were made before, beside this branch.

        Raises:
            ModelFailed: a pair could not be judged.
            PagesBroken: the pages would lose a claim; nothing is committed.
            WorldError: git stands in the way; nothing is committed.
        """
        self.catch_up()
        plan = self.plan(made, anew, sift, more)
        for each in plan.made:
            if waiting := plan.waiting.get(each.file.stamp.source):
                withholding.lay_aside(self._vault, each.file, waiting, plan.judged)
            if each.withheld is not None:
                confiding.lay_aside(self._vault, each.file.stamp, each.withheld)
        named = [each.file.stamp.source for each in plan.made]
        file = plan.made[0].file
        told = "nothing new" if file.claims else "hand edits" if file.edits else "no claims"
        otherwise = f"{told} from {named[0]}" if len(named) == 1 else f"{len(named)} sources, the same claims"
        otherwise = about.removesuffix(".") if op == "review" else otherwise
        trailers = (
            *(("Source", source) for source in named[:100]),
            ("Model", self._extractor.model.name),
            ("Prompts", file.stamp.prompts),
            *_tokens(sum(each.read for each in made) + plan.linked.read, sum(each.wrote for each in made) + plan.linked.wrote),
        )
        subject = messages.subject(op, plan.diff, otherwise)
        writes, findings = plan.rendered.writes, plan.findings
        done = self._commit(op, plan.linked, plan.rendered, writes, plan.diff, subject, about, trailers, findings)
        if plan.waiting:
            self.relearn()
        withheld = sum(len(each.withheld or ()) for each in plan.made)
        return replace(done, waiting=sum(map(len, plan.waiting.values())), withheld=withheld)

    def rest(
        self, records: Sequence[Record], step: str, about: str, judged: Sequence[Judgement] = (), anew: bool = False
    ) -> Committed:
        """Take what a step of consolidation gave into the wiki, in one commit.

        Args:
            records: all that consolidation left, of every step.
            step: whose commit it is.
            about: what it did, for the subject.
            judged: judgements of pairs that it made.
            anew: whether these stand instead of others about the same pairs, other than people's.

        Raises:
            ModelFailed: pairs that are held against each other since could not be judged; nothing is committed.
            PagesBroken: the pages would lose a claim; nothing is committed.
            WorldError: git stands in the way; nothing is committed.
        """
        old, before = self._memory.wiki, self._memory.wiki.ground.results
        linked = Linked(self._memory, (), 0, 0)
        if judged:
            pairs = {one.pair for one in judged} if anew else set()
            kept = tuple(one for one in self._memory.judged if one.pair not in pairs or one.by == "person")
            base = replace(self._memory, judged=tuple(dict.fromkeys((*kept, *judged))))
            linked = self._linker.link(base, base.files, self._owners.of(base.files))
        new = fold.rested(linked.memory.wiki, records)
        keys = fold.touched(old, new)
        rendered = rendering.changed(self._shelf, old, new, keys, self._paths)
        if lost := _lost(old, new, keys, rendered):
            raise PagesBroken("; ".join(lost))
        writes = dict(rendered.writes)
        if moved := relinking.moves(old, new):
            writes |= relinking.relink(self._shelf, writes, rendered.deletes, moved)
        shelves = self._pairs(
            linked.memory.judged, {judgements.shelf(one) for one in {*self._memory.judged} ^ {*linked.memory.judged}}
        )
        writes |= {path: data for path, data in shelves.items() if data}
        rendered.deletes.update(path for path, data in shelves.items() if not data)
        for shelf in sorted({cold.shelf(one) for one in {*before} ^ {*records}}):
            data = cold.write(one for one in records if cold.shelf(one) == shelf)
            path = f"{memory.COLD}/{shelf}"
            if data:
                writes[path] = data
            elif self._shelf.read(path)[0] is not None:
                rendered.deletes.add(path)
        linked = replace(linked, memory=replace(linked.memory, wiki=new))
        diff = memory_diff.between(old, new)
        told = (("Step", step), ("Model", self._extractor.model.name), *_tokens(linked.read, linked.wrote))
        findings = risks.weigh(diff, old, new, frozenset())
        return self._commit("consolidate", linked, rendered, writes, diff, f"consolidate: {about}", about, told, findings)

    def weighed(self, judged: Sequence[Judgement] = (), records: Sequence[Record] = ()) -> tuple[Finding, ...]:
        """The risks of what some judgements, and some results of consolidation, would change. Nothing is written."""
        old, files = self._memory.wiki, self._memory.files
        new = old
        if judged:
            every = judgements.settled((*self._memory.judged, *judged))
            new = fold.again(old, files.values(), every, self._extractor.vocabulary, self._owners.of(files))
        new = fold.rested(new, (*old.ground.results, *records)) if records else new
        return risks.weigh(memory_diff.between(old, new), old, new, frozenset(), self._vault.settings.policy.many)

    def catch_up(self) -> None:
        """Read all again, and mend the pages, if somebody else committed to the wiki meanwhile."""
        if self._repo.tree("wiki") != self._tree:
            self._vault.ledger.forget_cache()
            self._load()
            self.settle()

    def plan(self, made: Sequence[Extracted], anew: bool = False, sift: bool = True, more: Iterable[Judgement] = ()) -> Plan:
        """What `write` would write. Nothing is written.

        Raises:
            ModelFailed, PagesBroken: see `write`.
        """
        old = self._memory.wiki
        made = self._consented(made)
        files = {each.file.stamp.source: each.file for each in made}
        waiting: Mapping[str, tuple[Claim, ...]] = {}
        judged: tuple[Judgement, ...] = ()
        if sift:
            policy = self._vault.settings.policy
            found = withholding.sift(policy, old, self._memory.files, files, lambda every: self.link(every, anew, more))
            linked, diff, findings = found.linked, found.diff, found.findings
            waiting, judged = found.waiting, found.judged
            made = [self._without(each, found.files[each.file.stamp.source]) for each in made]
        else:
            linked = self.link({**self._memory.files, **files}, anew, more)
            diff = memory_diff.between(old, linked.memory.wiki)
            findings = risks.weigh(diff, old, linked.memory.wiki, frozenset())
        new = linked.memory.wiki
        keys = fold.touched(old, new)
        rendered = rendering.changed(self._shelf, old, new, keys, self._paths)
        lost = _lost(old, new, keys, rendered)
        if lost:
            raise PagesBroken("; ".join(lost))
        writes = rendered.writes
        if moved := relinking.moves(old, new):
            writes |= relinking.relink(self._shelf, writes, rendered.deletes, moved)
        for each in made:
            source = each.file.stamp.source
            writes[memory.path(source)] = claimfiles.write(each.file)
            writes[f"wiki/{cards.path(source)}"] = each.card.encode("utf-8", "replace")
        changed = {judgements.shelf(one) for one in {*self._memory.judged} ^ {*linked.memory.judged}}
        shelves = self._pairs(linked.memory.judged, changed)
        writes |= {path: data for path, data in shelves.items() if data}
        rendered.deletes.update(path for path, data in shelves.items() if not data)
        return Plan(tuple(made), linked, rendered, diff, findings, waiting, judged)

    def _consented(self, made: Iterable[Extracted]) -> list[Extracted]:
        """What was extracted, with the sensitive claims that a person has let in."""
        told = consents.of(self._memory.files, self._memory.wiki.ground.ruled.undone)
        found = []
        for each in made:
            file, left = consents.settle(each.file, each.withheld or (), told)
            found.append(replace(self._without(each, file), withheld=left) if each.withheld is not None else each)
        return found

    def _without(self, made: Extracted, file: ClaimFile) -> Extracted:
        """What was extracted, where some of it waits; the card does not tell of that either."""
        if file is made.file:
            return made
        return replace(made, file=file, card=extracting.carded(self._vault.ledger, file, self._extractor.sensitive))

    def foresee(self, made: Sequence[Extracted]) -> None:
        """Ask at once what taking in these sources one by one will ask; a model that keeps its replies has them then.

        What cannot be answered is left to whoever takes in its source.
        """
        files = {**self._memory.files, **{each.file.stamp.source: each.file for each in made}}
        with suppress(ModelFailed):
            self._linker.apart().link(self._memory, files, self._owners.of(files))

    def compare(self, made: Sequence[Extracted]) -> tuple[tuple[PageDiff, ...], tuple[str, ...]]:
        """What `write` would change with `anew`: what the wiki would say differently, and the files that differ, sorted."""
        made = self._consented(made)
        files = {each.file.stamp.source: each.file for each in made}
        linked = self.link({**self._memory.files, **files}, anew=True)
        rendered = rendering.whole(self._shelf, linked.memory.wiki, self._paths)
        shelves = {judgements.shelf(one) for one in {*self._memory.judged, *linked.memory.judged}}
        wanted = {**rendered.writes, **self._pairs(linked.memory.judged, shelves)}
        for each in made:
            wanted[memory.path(each.file.stamp.source)] = claimfiles.write(each.file)
            wanted[f"wiki/{cards.path(each.file.stamp.source)}"] = each.card.encode("utf-8", "replace")
        differing = {path for path, data in wanted.items() if (self._shelf.read(path)[0] or b"") != data}
        left = {problem.where.partition(":")[0] for problem in rendered.left}
        diff = memory_diff.between(self._memory.wiki, linked.memory.wiki)
        return diff, tuple(sorted(differing | rendered.deletes | left))

    def link(self, files: Mapping[str, ClaimFile], anew: bool = False, more: Iterable[Judgement] = ()) -> Linked:
        """What the memory would be with these claims files; see `write`. Nothing is committed.

        Raises:
            ModelFailed: a pair could not be judged.
        """
        base = self._memory
        if anew:
            kept = tuple(one for one in base.judged if one.by == "person")
            base = Memory(base.files, kept, base.wiki, base.problems)
        if more:
            base = Memory(base.files, tuple(dict.fromkeys((*base.judged, *more))), base.wiki, base.problems)
        return self._linker.link(base, files, self._owners.of(files), everything=anew)

    def _commit(
        self,
        op: str,
        linked: Linked,
        rendered: Rendered,
        writes: Mapping[str, bytes],
        diff: tuple[PageDiff, ...],
        subject: str,
        about: str,
        trailers: Iterable[tuple[str, str]],
        findings: Sequence[Finding] = (),
    ) -> Committed:
        from wikimem.edges.repo import Change, Message

        for problem in rendered.left:
            self._tell(problem)
        commit = ""
        if writes or rendered.deletes:
            told = (
                ("Wiki-Op", op),
                *trailers,
                ("Claims", messages.trailer(diff)),
                ("Risk", risks.trailer(findings)),
            )
            expected = {path: self._shelf.expected(path) for path in (*writes, *rendered.deletes)}
            change = Change(dict(writes), frozenset(rendered.deletes), expected)
            with self._vault.writing():
                commit = self._repo.commit(change, Message(subject, messages.body(about, diff), told), report=self._tell)
            self._shelf.landed(writes, rendered.deletes)
        self._memory = linked.memory
        self._tree = self._repo.tree("wiki")
        settled.remember(self._vault, "" if self._left or rendered.left else self._tree)
        return Committed(commit, diff, sum(".claims" not in path for path in (*writes, *rendered.deletes)))

    def _tell(self, problem: Problem) -> None:
        self._left |= problem.rule in _LEFT
        self._report(problem)

    def _pairs(self, judged: Iterable[Judgement], shelves: set[str]) -> dict[str, bytes]:
        found: dict[str, list[Judgement]] = {shelf: [] for shelf in shelves}
        for one in judged:
            if (shelf := judgements.shelf(one)) in found:
                found[shelf].append(one)
        return {f"{memory.PAIRS}/{shelf}": judgements.write(told) for shelf, told in sorted(found.items())}

    def _cards(self, remembered: Memory) -> dict[str, bytes]:
        """The cards that are missing; all of them where cards are made otherwise now."""
        found = {}
        state = settled.state(self._vault)
        every = state.get("edition") not in (None, rendering.EDITION)
        for source, file in remembered.files.items():
            path, sidecar = f"wiki/{cards.path(source)}", self._vault.ledger.all()[source]
            there = path in self._shelf.committed()
            # Of a retired source there is nothing left that a card could be made from.
            made = self._shelf.read(path)[0] or b""
            stale = every or not cards.is_of(made, sidecar.scope, sidecar.started, self._vault.zone)
            if not there or (stale and not sidecar.retired):
                card = extracting.carded(self._vault.ledger, file, self._extractor.sensitive)
                found[path] = card.encode("utf-8", "replace")
        return found


def _tokens(read: int, wrote: int) -> tuple[tuple[str, str], ...]:
    return (("Tokens", f"{read} in, {wrote} out"),) if read or wrote else ()


def _lost(old: Wiki, new: Wiki, keys: Iterable[str], rendered: Rendered) -> tuple[str, ...]:
    """What is wrong with a rendering: a claim that is still yielded and stands on no page any more, two pages in one file."""
    paths = [new.path(key) for key in new.pages]
    found = [] if len({path.casefold() for path in paths}) == len(paths) else ["two pages would share one file"]
    shown = {standing.claim.id for key in keys if key in new.subjects for standing in new.subjects[key].standings}
    merged = {id for key in keys if key in new.subjects for one in new.subjects[key].standings for id in one.same}
    yielded = {claim.id for key in keys if key in new.subjects for claim in new.subjects[key].claims}
    for key in keys:
        if key in old.subjects:
            before = {standing.claim.id for standing in old.subjects[key].standings}
            found += [f"the claim {id} would vanish" for id in sorted((before & yielded) - shown - merged)]
    for path, data in rendered.writes.items():
        if not catalogue.is_page(path.removeprefix("wiki/")):
            continue
        page = pages.parse(data.decode("utf-8", "surrogateescape"))
        wrong = [
            problem for problem in checks.of_text(data.decode("utf-8", "surrogateescape"), path) if problem.rule == "footnote"
        ]
        found += [str(problem) for problem in wrong]
        if pages.write(page).encode("utf-8", "surrogateescape") != data:
            found.append(f"{path} does not read back as it is written")
    return tuple(found)
