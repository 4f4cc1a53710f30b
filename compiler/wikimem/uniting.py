"""Uniting: the tree that two clones give together: sources, claims files, judgements, pages. Computed, not committed.

The union of what both sides hold is folded and rendered as if one machine had held it all, so it makes no difference which
side unites. What people changed on the pages of either side is taken first, as a source of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from wikimem import extracting, memory, reconciling, rendering, taking
from wikimem import vault as vaults
from wikimem.core import cards, claimfiles, cold, edits, fold, judgements, memory_diff, risks, sources, tombstones, unions
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.edits import Edit
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import PageDiff
from wikimem.core.tombstones import Tombstones
from wikimem.edges import ledger as ledgers
from wikimem.edges.ledger import Ledger
from wikimem.edges.models import Model
from wikimem.errors import CannotSync, ModelFailed, Problem
from wikimem.judging import Linked, Linker
from wikimem.looking import Looking
from wikimem.memory import Memory, Ownership
from wikimem.reconciling import Sides
from wikimem.vault import LOCAL, MARKER, Vault
from wikimem.weaving import Loom, Standing

if TYPE_CHECKING:
    from wikimem.edges.repo import Joining, Repo

_SOURCES, _WIKI, _CLAIMS, _CARDS = "sources/", "wiki/", f"{memory.CLAIMS}/", "wiki/sessions/"
_SETS = (f"{memory.PAIRS}/", f"{memory.COLD}/")
_NAMED = 3

Entries = Mapping[str, str]
"""Path in the vault to `100644 <blob>`."""


@dataclass(slots=True)
class United:
    """What two sides give together.

    Args:
        wanted: the entries of the tree, by path; those of `made` need not be in it.
        made: contents that are new, by path.
        diff: what the wiki says differently from ours.
        risk: how much harm that can do, and why.
        edits: what people changed by hand on either side and no source held yet, a sentence each.
        conflicts: pages on which both sides had changed the same lines of people; the lines of both are there.
        chosen: files of which both sides had another one, and of which one was chosen; the other is in git's history.
        waiting: claims that wait for a person, since the union does with them what neither side let in: by source, a claims file
            of them alone.
        judged: judgements about them.
        settled: whether every page is what the claims give.
        problems: pages that were left alone, lines that could not be used.
        notes: what else the user should know.
    """

    wanted: dict[str, str] = field(default_factory=dict)
    made: dict[str, bytes] = field(default_factory=dict)
    diff: tuple[PageDiff, ...] = ()
    risk: str = "low"
    edits: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    chosen: list[str] = field(default_factory=list)
    waiting: dict[str, ClaimFile] = field(default_factory=dict)
    judged: tuple[Judgement, ...] = ()
    settled: bool = True
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Uniter:
    """Unites two commits of a vault.

    Args:
        vault: the vault.
        repo: its repository.
        join: the same, and the remote's branch.
        commits: base, ours and theirs; the base may be empty.
        folder: where files are staged.
        model: who judges pairs, or the name; None for the one that the settings name.
    """

    def __init__(
        self, vault: Vault, repo: Repo, join: Joining, commits: tuple[str, str, str], folder: Path, model: Model | str | None
    ) -> None:
        self._vault, self._repo, self._join, self._model = vault, repo, join, model
        self._base_id, self._ours_id, self._theirs_id = commits
        self._base, self._ours, self._theirs = (join.entries(each) for each in commits)
        self._folder, self._staged = folder, folder / "vault"
        self._held: dict[str, bytes] = {}
        self._gone: frozenset[str] = frozenset()
        self._sides: dict[str, Entries | None] = {}
        self._kept: dict[str, Problem] = {}
        self.out = United()

    def unite(self) -> United:
        """Compute it all.

        Raises:
            CannotSync: files of the user's, or sources, cannot be joined.
            BadSettings: the settings of both sides together cannot be used.
            SecretLeft: a hand edit holds a secret.
            UsageError: the settings name no usable model.
            GitFailed, OSError: git or the disk failed.
        """
        self._others()
        self._read(path for path in {*self._base, *self._ours, *self._theirs} if path.startswith(_WIKI))
        known = self._sources()
        vault = self._opened(known)
        claims = self._claims(known)
        before, theirs = (self._at(vault, known, commit) for commit in (self._ours_id, self._theirs_id))
        files = dict(memory.read_files(claims.items(), known, self.out.problems))
        files |= self._edits(vault, known, before, theirs)
        self._fold(vault, known, files, before, theirs)
        return self.out

    def _others(self) -> None:
        """The user's other files, as git merges them."""
        merged, conflicts = self._join.merged(self._ours_id, self._theirs_id)
        theirs = sorted(path for path in conflicts if not path.startswith((_SOURCES, _WIKI)))
        if theirs:
            more = f" and {len(theirs) - _NAMED} more" if len(theirs) > _NAMED else ""
            names = ", ".join(theirs[:_NAMED])
            advice = f"Merge with git (`git merge {self._join.up.name}`), settle these, of pages take either side, and run again."
            raise CannotSync(f"both sides changed {names}{more}, and git finds no merge of it", advice)
        self.out.wanted |= {path: entry for path, entry in merged.items() if not path.startswith((_SOURCES, _WIKI))}

    def _read(self, paths: Iterable[str]) -> None:
        wanted = {side[path].split(" ")[1] for path in paths for side in (self._base, self._ours, self._theirs) if path in side}
        self._held |= self._join.contents(wanted - self._held.keys())

    def _bytes(self, side: Entries, path: str) -> bytes:
        return self._held[side[path].split(" ")[1]] if path in side else b""

    def _sources(self) -> Ledger:
        """The sources of both; those of theirs are staged where they can be read."""
        ours, theirs = ({path for path in side if path.startswith(_SOURCES)} for side in (self._ours, self._theirs))
        mine, other = self._join.tombstones(self._ours_id), self._join.tombstones(self._theirs_id)
        self._gone = frozenset(_source(path) for path in ours ^ theirs) & (mine.sources | other.sources)
        fresh = {_source(path) for path in theirs - ours} - self._gone
        differing = {_source(path) for path in ours & theirs if self._ours[path] != self._theirs[path]}
        self._sides = {source: self._side(source, mine, other) for source in differing}
        for path in sorted(ours | theirs):
            source = _source(path)
            if source in self._gone:
                continue
            one, two = self._ours.get(path), self._theirs.get(path)
            side = self._sides.get(source)
            if side is not None:
                if side is self._theirs:
                    fresh.add(source)
                if path in side:
                    self.out.wanted[path] = side[path]
            elif one and two and one != two:
                chosen = self._sidecar(path)
                fresh |= {source} if chosen == two else set()
                self.out.wanted[path] = chosen
                self.out.chosen.append(path)
            else:
                self.out.wanted[path] = one or two or ""
        self._join.stage({self._staged / path: self._theirs[path].split(" ")[1] for path in theirs if _source(path) in fresh})
        return ledgers.Joined(self._vault.ledger, Ledger(self._staged, packages=self._vault.ledger.packages), self._gone)

    def _side(self, source: str, mine: Tombstones, other: Tombstones) -> Entries | None:
        """The side whose files of a source count, where one of them lost lines for a reason that the other does not know."""
        ours, theirs = (
            source in Tombstones(tuple(stone for stone in one.every if stone not in two.every)).emptied
            for one, two in ((mine, other), (other, mine))
        )
        if not ours and not theirs:
            ours, theirs = (self._is_retired(side, source) for side in (self._ours, self._theirs))
        if ours and theirs:
            why = f"lines of {source} were taken out on both sides, and not the same ones"
            raise CannotSync(why, "Give the `wikimem forget` of each side on the other as well, and run again.")
        return self._ours if ours else self._theirs if theirs else None

    def _is_retired(self, side: Entries, source: str) -> bool:
        path = f"{sources.folder(source)}/{source}.yaml"
        self._read([path])
        return b"\nretired: " in self._bytes(side, path)

    def _sidecar(self, path: str) -> str:
        """Which of two sidecars stays."""
        parts = path.split("/")
        if not path.endswith(".yaml") or sources.ID.match(parts[-2]):
            why = f"{path} holds other bytes on each side, and a source never changes"
            advice = (
                f"`git diff HEAD {self._join.up.name} -- {path}` shows how; restore the side that was changed, and run again."
            )
            raise CannotSync(why, advice)
        self._read([path])
        told = [(_recorded(self._bytes(side, path)), self._bytes(side, path)) for side in (self._ours, self._theirs)]
        chosen = unions.sidecar(*told)
        return self._ours[path] if chosen == told[0][1] else self._theirs[path]

    def _opened(self, known: Ledger) -> Vault:
        """The vault as it will be: with the sources and the settings of both."""
        settings = self._vault.settings
        if self.out.wanted.get(MARKER, "") != self._ours.get(MARKER, ""):
            if MARKER not in self.out.wanted:
                raise CannotSync(f"the merge has no {MARKER}", "Put it back on the side that lost it, and run again.")
            self._join.stage({self._staged / MARKER: self.out.wanted[MARKER].split(" ")[1]})
            own = self._vault.root / LOCAL
            if own.exists():
                (self._staged / LOCAL).write_bytes(own.read_bytes())
            settings = vaults.open_at(self._staged).settings
        opened = Vault(self._vault.root, settings, self._vault.clock)
        known.zone, known.packages = settings.zone, settings.packages
        known.forget_cache()
        opened.ledger = known
        return opened

    def _claims(self, known: Ledger) -> dict[str, bytes]:
        """The claims files of both, and into the tree with them and the judgements."""
        found: dict[str, bytes] = {}
        for path in sorted({path for path in {*self._ours, *self._theirs} if path.startswith(_CLAIMS)}):
            sides = [side.get(path, "") for side in (self._base, self._ours, self._theirs)]
            if path.startswith(_SETS):
                lines = unions.lines(*(self._bytes(side, path) for side in (self._base, self._ours, self._theirs)))
                if lines:
                    self.out.made[path] = lines
                continue
            source = _source(path)
            if source in self._gone:
                continue
            chosen = unions.side(*sides)
            if path.startswith(f"{tombstones.FOLDER}/"):
                stone = sides[1] or sides[2] if chosen is None else chosen
                self.out.wanted |= {path: stone} if stone else {}
            elif chosen is None:
                found |= self._better(path, sides[1], sides[2], known)
            elif chosen:
                self.out.wanted[path] = chosen
                found[path] = self._held[chosen.split(" ")[1]]
        return found

    def _better(self, path: str, one: str, two: str, known: Ledger) -> dict[str, bytes]:
        """The claims file of a source for which both sides have another one; nothing if neither has any more."""
        sidecar = known.all().get(_source(path))
        told = {entry: self._held[entry.split(" ")[1]] for entry in (one, two) if entry}
        if not told:
            return {}
        chosen = next(iter(told.values()))
        if len(told) == 2:
            chosen = unions.claims(told[one], told[two], sidecar.content if sidecar else "")
        entry = next((entry for entry, data in told.items() if data == chosen), "")
        if entry:
            self.out.wanted[path] = entry
            self.out.chosen += [path] if len(told) == 2 else []
        else:
            # What people let in on either side is in neither file alone.
            self.out.made[path] = chosen
        return {path: chosen}

    def _at(self, vault: Vault, known: Ledger, commit: str) -> Memory:
        return memory.at(self._repo, commit, vault.settings.vocabulary, known)

    def _edits(self, vault: Vault, known: Ledger, before: Memory, theirs: Memory) -> dict[str, ClaimFile]:
        """What people changed on the pages of either side, as sources with their claims files."""
        made: dict[str, ClaimFile] = {}
        told: list[Edit] = []
        for ref, side, remembered in ((self._ours_id, self._ours, before), (self._theirs_id, self._theirs, theirs)):
            looking = Looking(vault, self._repo, remembered.wiki, False, Standing(self._pages(side)), ref)
            found = taking.numbered(looking.edits(), remembered.wiki)
            self._kept |= looking.held
            new = tuple(edit for edit in found if edit not in told)
            if not new:
                continue
            told += new
            sidecar, data = taking.source_of(new, known.all(), vault.now())
            if sidecar.id not in known.all():
                for path, content in zip(sidecar.paths(), (ledgers.render(sidecar), data), strict=True):
                    self.out.made[path] = content
                    file = self._staged / path
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(content)
                known.forget_cache()
            extracted = extracting.extractor_of(vault, "rules").extract(known, sidecar.id)
            made[sidecar.id] = extracted.file
            self.out.made[memory.path(sidecar.id)] = claimfiles.write(extracted.file)
        self.out.edits = tuple(edits.words(edit) for edit in told)
        return made

    def _pages(self, side: Entries) -> dict[str, bytes]:
        left = (path for path in side if path.startswith(_WIKI) and not path.startswith((_CLAIMS, _CARDS)))
        return {path: self._bytes(side, path) for path in left}

    def _fold(self, vault: Vault, known: Ledger, files: dict[str, ClaimFile], before: Memory, theirs: Memory) -> None:
        """Judgements, pages and cards."""
        texts = [(path, data) for path, data in self.out.made.items() if path.startswith(f"{memory.PAIRS}/")]
        judged = self._judged(tuple(memory.read_judgements(texts, self.out.problems)), files)
        extractor = extracting.extractor_of(vault, self._model)
        ownership = Ownership(known)
        kept = [(path, data) for path, data in self.out.made.items() if path.startswith(f"{memory.COLD}/")]
        results = tuple(memory.read_results(kept, self.out.problems))

        def folded(told: Mapping[str, ClaimFile]) -> Wiki:
            return fold.whole(told.values(), judgements.settled(judged), extractor.vocabulary, ownership.of(told), results)

        def link(told: Mapping[str, ClaimFile]) -> Linked:
            wiki = folded(told)
            linker = Linker(extractor.model, extractor.prompts, extractor.vocabulary, wiki, extractor.jobs)
            return linker.link(Memory(told, judged, wiki, ()), told, ownership.of(told), everything=True)

        begun = Sides(lambda: self._at(vault, known, self._base_id).wiki if self._base_id else fold.empty(), (before, theirs))
        try:
            sifted = reconciling.sift(vault.settings.policy, begun, files, link, lambda one: known.all()[one].recorded)
        except ModelFailed as error:
            wiki = folded(files)
            self.out.settled = False
            self.out.notes.append(
                f"Claims of both sides were not held against each other yet ({error}); `wikimem compile` does it."
            )
        else:
            linked, files, self.out.waiting, self.out.judged = sifted.linked, sifted.files, sifted.waiting, sifted.judged
            self.out.made |= {memory.path(source): claimfiles.write(files[source]) for source in sifted.waiting}
            wiki = linked.memory.wiki
            shelves = {judgements.shelf(one) for one in linked.added}
            for shelf in shelves:
                every = [one for one in linked.memory.judged if judgements.shelf(one) == shelf]
                self.out.made[f"{memory.PAIRS}/{shelf}"] = judgements.write(every)
        self._cold(wiki)
        self._render(wiki, {source: sidecar.path for source, sidecar in known.all().items()})
        self._cards(known, files)
        self.out.diff = memory_diff.between(before.wiki, wiki)
        self.out.risk = risks.trailer(risks.weigh(self.out.diff, before.wiki, wiki, frozenset()))

    def _judged(self, judged: tuple[Judgement, ...], files: Mapping[str, ClaimFile]) -> tuple[Judgement, ...]:
        """The judgements without those about what was forgotten; the shelves of others are written anew."""
        taken = {*self._gone, *(source for source, side in self._sides.items() if side is not None)}
        paths = {memory.path(source) for source in taken}
        had = [claimfiles.read(self._bytes(side, path), path)[0] for path in paths for side in (self._ours, self._theirs)]
        gone = claimfiles.ids(file for file in had if file is not None) - claimfiles.ids(files.values())
        kept = judgements.without(judged, gone)
        for shelf in {judgements.shelf(one) for one in {*judged} - {*kept}}:
            data = judgements.write(one for one in kept if judgements.shelf(one) == shelf)
            if data:
                self.out.made[f"{memory.PAIRS}/{shelf}"] = data
            else:
                del self.out.made[f"{memory.PAIRS}/{shelf}"]
        return kept

    def _cold(self, wiki: fold.Wiki) -> None:
        """What consolidation left on either side, without what rests on what is gone."""
        every = wiki.ground.results
        gone = {record for record in every if cold.is_void(record, wiki.subjects, wiki.ground.group)}
        for shelf in sorted({cold.shelf(record) for record in gone}):
            data = cold.write(one for one in every if one not in gone and cold.shelf(one) == shelf)
            if data:
                self.out.made[f"{memory.COLD}/{shelf}"] = data
            else:
                del self.out.made[f"{memory.COLD}/{shelf}"]

    def _render(self, wiki: fold.Wiki, paths: Mapping[str, str]) -> None:
        loom = Loom(wiki, paths, lambda base, one, other: self._join.texts(self._folder, base, one, other))
        shelf = loom.shelf(*(self._pages(side) for side in (self._base, self._ours, self._theirs)))
        shelf.held |= self._kept
        rendered = rendering.whole(shelf, wiki, paths)
        shelf.landed(rendered.writes, rendered.deletes)
        self.out.made |= shelf.texts()
        self.out.conflicts = tuple(loom.conflicts)
        self.out.notes += loom.notes
        self.out.problems += rendered.left
        self.out.settled &= not rendered.left

    def _cards(self, known: Ledger, files: Mapping[str, ClaimFile]) -> None:
        """The card of each source: as it is where at most one side has changed it, else made anew."""
        made = {f"wiki/{cards.path(source)}": source for source in files}
        # The settings of one side may name another time zone, or other packages, for which its cards were made.
        alike = self._ours.get(MARKER) == self._theirs.get(MARKER)
        if not alike:
            self._read(path for path in made if path in self._ours or path in self._theirs)
        for path in {path for path in {*self._ours, *self._theirs} if path.startswith(_CARDS)} | made.keys():
            sides = [side.get(path, "") for side in (self._base, self._ours, self._theirs)]
            chosen = "" if made.get(path) in self.out.waiting else unions.side(*sides)
            if path in made and (not chosen or not (alike or self._fits(path, chosen, known, made[path]))):
                hush = self._vault.settings.sensitive
                self.out.made[path] = extracting.carded(known, files[made[path]], hush).encode("utf-8", "replace")
            elif chosen != "" and _source(path) not in self._gone:
                self.out.wanted[path] = chosen or sides[1] or sides[2]

    def _fits(self, path: str, chosen: str, known: Ledger, source: str) -> bool:
        """Whether a card was made in the time zone, and for the package, that the settings of the vault will name."""
        side = self._ours if self._ours.get(path) == chosen else self._theirs
        sidecar = known.all()[source]
        return cards.is_of(self._bytes(side, path), sidecar.scope, sidecar.started, known.zone)


def _source(path: str) -> str:
    """The id of the source that a file belongs to; empty for none."""
    stems = (part.partition(".")[0] for part in path.split("/")[1:])
    return next((stem for stem in stems if sources.ID.match(stem)), "")


def _recorded(data: bytes) -> str:
    try:
        told = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError):
        return "~"
    return str(told.get("recorded", "~")) if isinstance(told, dict) else "~"
