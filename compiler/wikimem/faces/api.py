"""The Python face: a vault with the verbs as methods. The command line calls nothing else.

Each method is documented where the verb is; verbs are imported when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import vault as vaults

if TYPE_CHECKING:
    from wikimem.adopt import Adoption
    from wikimem.archive import Archived
    from wikimem.ask import Answered
    from wikimem.compile import Compiled
    from wikimem.consolidate import Consolidated
    from wikimem.core.evaluation.reports import Evaluation
    from wikimem.core.evaluation.use import Use
    from wikimem.core.reports import Report
    from wikimem.diff import Difference
    from wikimem.doubting import Doubted
    from wikimem.edges.models import Model
    from wikimem.editing import Edited
    from wikimem.export import Exported
    from wikimem.feedback import Judged, Recent
    from wikimem.handoff import Submitted, Waiting
    from wikimem.history import Past
    from wikimem.lift import Raised
    from wikimem.lint import Linted
    from wikimem.log import Logged
    from wikimem.pr import Requests
    from wikimem.recall import Listed, Recalled
    from wikimem.receipts import Forgotten
    from wikimem.recompile import Recompiled
    from wikimem.report import Found
    from wikimem.retire import Retired
    from wikimem.review import Decided, Review
    from wikimem.share import Sharing
    from wikimem.show import Passage, Shown
    from wikimem.site import Built
    from wikimem.status import Status
    from wikimem.sweep import Swept
    from wikimem.sync import Synced
    from wikimem.thorough import Sought
    from wikimem.tidy import Tidied
    from wikimem.timeline import Course
    from wikimem.verify import Proof
    from wikimem.why import Reasons


class Vault:
    """An open vault; `root` is its folder."""

    def __init__(self, opened: vaults.Vault) -> None:
        self._opened = opened
        self.root = opened.root

    @classmethod
    def open(
        cls, path: str | os.PathLike[str] | None = None, clock: Callable[[], datetime] | None = None, glance: float = 0.0
    ) -> Vault:
        """Open the vault in a folder, or the one that the current folder means.

        Args:
            path: the folder.
            clock: gives the time of recording.
            glance: seconds for which a process that goes on asking need not look again whether pages were edited.
        """
        root = vaults.find(os.fspath(path) if path is not None else None)
        return cls(vaults.open_at(root, clock, glance) if clock else vaults.open_at(root, glance=glance))

    @classmethod
    def init(cls, path: str | os.PathLike[str], here: bool = False, shared: bool = False) -> Vault:
        """Make a vault; see `wikimem.init`."""
        from wikimem.init import init

        return cls(vaults.open_at(init(Path(path).expanduser(), here, shared).root))

    def ingest(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        since: str = "",
        project: str = "",
        limit: int = 0,
        dry_run: bool = False,
        format: str = "",
        scope: str = "",
        progress: Callable[[str], None] = lambda path: None,
    ) -> Report:
        """Capture transcripts; see `wikimem.ingest`."""
        from wikimem.ingest import ingest
        from wikimem.intake import Wish

        named = tuple(Path(path).expanduser() for path in paths)
        return ingest(self._opened, Wish(named, since, project, limit, dry_run, format, scope), progress)

    def adopt(self, paths: Iterable[str | os.PathLike[str]], dry_run: bool = False) -> Adoption:
        """Take what people wrote down for their agents; see `wikimem.adopt`."""
        from wikimem.adopt import adopt

        return adopt(self._opened, tuple(Path(path).expanduser() for path in paths), dry_run)

    def export(self, target: str, out: str | os.PathLike[str] | None = None, *, scope: str = "", budget: int = 2000) -> Exported:
        """Write what is remembered for another tool; see `wikimem.export`."""
        from wikimem.export import export

        return export(self._opened, target, Path(out).expanduser() if out is not None else None, scope, budget)

    def sweep(self, *, since: str = "", dry_run: bool = False, progress: Callable[[str], None] = lambda path: None) -> Swept:
        """Take what the known tools have kept since the last time; see `wikimem.sweep`."""
        from wikimem.sweep import sweep

        return sweep(self._opened, since=since, dry_run=dry_run, progress=progress)

    def compile(
        self,
        *,
        since: str = "",
        project: str = "",
        limit: int = 0,
        jobs: int = 0,
        dry_run: bool = False,
        progress: Callable[[str], None] = lambda source: None,
        model: Model | str | None = None,
        budget: str = "",
        background: bool = False,
        record: str = "",
        take_edits: bool = False,
        batch: bool = False,
        tell: Callable[[str], None] = lambda said: None,
    ) -> Compiled:
        """Compile what is pending; see `wikimem.compile`. `model`, or its name, is asked instead of that of the settings."""
        from wikimem.compile import Wish, compile

        name = model if isinstance(model, str) else ""
        wish = Wish(since, project, limit, jobs, dry_run, name, budget, background, record, take_edits, batch)
        return compile(self._opened, wish, progress, None if isinstance(model, str) else model, tell)

    def consolidate(
        self,
        *,
        only: str = "",
        model: Model | str | None = None,
        budget: str = "",
        background: bool = False,
        anew: bool = False,
        dry_run: bool = False,
        progress: Callable[[str], None] = lambda step: None,
    ) -> Consolidated:
        """Make leads, links and profiles of what the wiki holds; see `wikimem.consolidate`. `model` as for `compile`."""
        from wikimem.consolidate import Wish, consolidate

        name = model if isinstance(model, str) else ""
        wish = Wish(only, name, budget, background, dry_run, anew)
        return consolidate(self._opened, wish, progress, None if isinstance(model, str) else model)

    def next(self, skip: int = 0) -> Waiting:
        """The oldest work packet that waits for a reply; see `wikimem.handoff`."""
        from wikimem.handoff import next_packet

        return next_packet(self._opened, skip)

    def submit(self, packet: str, text: str) -> Submitted:
        """Hand in the reply to a work packet; see `wikimem.handoff`."""
        from wikimem.handoff import submit

        return submit(self._opened, packet, text)

    def recompile(
        self,
        *,
        check: bool = False,
        dry_run: bool = False,
        branch: str = "",
        jobs: int = 0,
        progress: Callable[[str], None] = lambda source: None,
        model: Model | str | None = None,
        prompts: str | os.PathLike[str] | None = None,
        reword: bool = False,
        budget: str = "",
        batch: bool = False,
        tell: Callable[[str], None] = lambda said: None,
    ) -> Recompiled:
        """Extract every source again; see `wikimem.recompile`. `model`, or its name, is asked instead of that of the settings."""
        from wikimem.recompile import Wish, recompile

        name = model if isinstance(model, str) else ""
        own = Path(prompts).expanduser() if prompts is not None else None
        wish = Wish(check, dry_run, branch, name, own, reword, budget, jobs, batch)
        return recompile(self._opened, wish, progress, None if isinstance(model, str) else model, tell)

    def sync(
        self,
        *,
        remote: str = "",
        compile: bool = True,
        unite: bool = False,
        progress: Callable[[str], None] = lambda doing: None,
        model: Model | str | None = None,
    ) -> Synced:
        """Make this clone and a remote's branch one; see `wikimem.sync`."""
        from wikimem.sync import Wish, sync

        name = model if isinstance(model, str) else ""
        return sync(self._opened, Wish(remote, compile, unite, name), progress, None if isinstance(model, str) else model)

    def diff(self, commits: str = "HEAD~1..HEAD") -> Difference:
        """What the memory says differently between two commits; see `wikimem.diff`."""
        from wikimem.diff import diff

        return diff(self._opened, commits)

    def history(self, page: str, at: str = "", known: str = "", scope: str = "") -> Past:
        """The commits of a page and what each changed; see `wikimem.history`."""
        from wikimem.history import history

        return history(self._opened, page, at=at, known=known, scope=scope)

    def why(self, statement: str, limit: int = 3, scope: str = "") -> Reasons:
        """What a statement of the wiki rests on; see `wikimem.why`."""
        from wikimem.why import why

        return why(self._opened, statement, limit, scope)

    def merge(self, page: str, into: str) -> Edited:
        """Make one page of two; see `wikimem.editing`."""
        from wikimem import editing

        return editing.merge(self._opened, page, into)

    def split(self, page: str, claims: Iterable[str], title: str) -> Edited:
        """Move claims to a page of another name; see `wikimem.editing`."""
        from wikimem import editing

        return editing.split(self._opened, page, tuple(claims), title)

    def rename(self, page: str, title: str) -> Edited:
        """Give a page another title; see `wikimem.editing`."""
        from wikimem import editing

        return editing.rename(self._opened, page, title)

    def alias(self, page: str, name: str, remove: bool = False) -> Edited:
        """Give a page a further name, or take one away; see `wikimem.editing`."""
        from wikimem import editing

        return editing.alias(self._opened, page, name, remove)

    def settle(self, winner: str) -> Edited:
        """End a conflict; see `wikimem.editing`."""
        from wikimem import editing

        return editing.settle(self._opened, winner)

    def reject(self, claim: str, reason: str = "") -> Edited:
        """Take a claim out of the wiki for ever; see `wikimem.editing`."""
        from wikimem import editing

        return editing.reject(self._opened, claim, reason)

    def keep(self, claim: str) -> Edited:
        """Bring back a claim that was taken out; see `wikimem.editing`."""
        from wikimem import editing

        return editing.keep(self._opened, claim)

    def lift(self, *, dry_run: bool = False) -> Raised:
        """Put claims that stay on their card and were asked for onto a page; see `wikimem.lift`."""
        from wikimem.lift import lift

        return lift(self._opened, dry_run)

    def forget(
        self,
        *names: str,
        matching: str = "",
        yes: bool = False,
        history: bool = False,
        bundle: str | os.PathLike[str] | None = None,
        receipt: str | os.PathLike[str] | None = None,
        progress: Callable[[str], None] = lambda doing: None,
        model: Model | None = None,
    ) -> Forgotten:
        """Take something out of everything, or tell where it stands; see `wikimem.forget`."""
        from wikimem.forget import Wish, forget

        copy, paper = (Path(path).expanduser() if path is not None else None for path in (bundle, receipt))
        return forget(self._opened, Wish(names, matching, yes, history, copy, paper), progress, model)

    def retire(
        self,
        older_than: str,
        *,
        keep_cited: bool = False,
        yes: bool = False,
        progress: Callable[[str], None] = lambda source: None,
    ) -> Retired:
        """Take the raw bytes of old sources out, and keep their claims; see `wikimem.retire`."""
        from wikimem.retire import Wish, retire

        return retire(self._opened, Wish(older_than, keep_cited, yes), progress)

    def archive(self, older_than: str, *, yes: bool = False) -> Archived:
        """List pages of which nothing has held for long in the archive; see `wikimem.archive`."""
        from wikimem import archive

        return archive.put(self._opened, older_than, yes)

    @property
    def retention(self) -> tuple[str, str]:
        """The ages that the settings give: of sources to be retired, and of pages to be archived."""
        return self._opened.settings.retention

    def undo(self, name: str) -> Edited:
        """Take out what a commit, a source or a claim brought in, or bring back what was undone; see `wikimem.undo`."""
        from wikimem.undo import undo

        return undo(self._opened, name)

    def timeline(self, page: str, attribute: str = "", known: str = "", scope: str = "") -> Course:
        """What held when; see `wikimem.timeline`."""
        from wikimem.timeline import timeline

        return timeline(self._opened, page, attribute, known, scope)

    def log(self, limit: int = 20, scope: str = "") -> Logged:
        """What was done to the vault, newest first; see `wikimem.log`."""
        from wikimem.log import log

        return log(self._opened, limit, scope)

    def lint(self) -> Linted:
        """What a person should look at; see `wikimem.lint`."""
        from wikimem.lint import lint

        return lint(self._opened)

    def tidy(self) -> Tidied:
        """Mend what is safe and mechanical, in one commit; see `wikimem.tidy`."""
        from wikimem.tidy import tidy

        return tidy(self._opened)

    def doubted(self, path: str | os.PathLike[str], since: str = "", scope: str | None = None) -> Doubted:
        """The claims that a code repository makes doubtful; see `wikimem.doubting`."""
        from wikimem.doubting import doubted

        return doubted(self._opened, Path(path).expanduser(), since, scope)

    def show(self, name: str, at: str = "", known: str = "", scope: str = "") -> Passage | Shown:
        """What a citation cites, or a page; see `wikimem.show`."""
        from wikimem.show import show

        return show(self._opened, name, at, known, scope)

    def recall(
        self,
        question: str,
        scope: str = "",
        budget: int = 2000,
        *,
        at: str = "",
        known: str = "",
        channel: str = "python",
        session: str = "",
        folder: str = "",
    ) -> Recalled:
        """Evidence for a question; see `wikimem.recall`."""
        from wikimem.recall import recall

        return recall(self._opened, question, scope, budget, at, known, channel=channel, session=session, folder=folder)

    def recall_thoroughly(
        self,
        question: str,
        scope: str = "",
        budget: int = 2000,
        *,
        at: str = "",
        known: str = "",
        model: Model | str | None = None,
    ) -> Sought:
        """Evidence for a question, looked for in the files; see `wikimem.thorough`."""
        from wikimem.thorough import recall_thoroughly

        return recall_thoroughly(self._opened, question, scope, budget, at, known, model)

    def ask(
        self,
        question: str,
        *,
        scope: str = "",
        at: str = "",
        known: str = "",
        model: Model | str | None = None,
        effort: str = "quick",
        save: bool = False,
    ) -> Answered:
        """The answer to a question, each statement cited; see `wikimem.ask`."""
        from wikimem.ask import Wish, ask

        return ask(self._opened, question, Wish(scope, at, known, model, effort, save))

    def search(
        self,
        words: str,
        *,
        scope: str = "",
        since: str = "",
        until: str = "",
        speaker: str = "",
        limit: int = 10,
        at: str = "",
        known: str = "",
    ) -> Listed:
        """Turns, claims and pieces of pages that hold some words; see `wikimem.recall`."""
        from wikimem.core.turns import Speaker
        from wikimem.recall import search

        return search(self._opened, words, scope, since, until, Speaker(speaker) if speaker else None, limit, at, known)

    def feedback(
        self,
        recall: str = "",
        *,
        used: Iterable[str] | None = None,
        misled: Iterable[str] = (),
        stale: Iterable[str] = (),
        missing: Iterable[str] = (),
        good: bool | None = None,
        scope: str = "",
        session: str = "",
    ) -> Judged:
        """Say what became of a recall; see `wikimem.feedback`. With nothing said, it is only shown."""
        from wikimem.feedback import Asker, Verdict, feedback

        said = Verdict(None if used is None else tuple(used), tuple(misled), tuple(stale), tuple(missing), good)
        return feedback(self._opened, recall, said, Asker(scope, session) if session else Asker(scope))

    def recalls(self, limit: int = 10, scope: str = "") -> Recent:
        """The last recalls with what was said of them; see `wikimem.feedback`."""
        from wikimem.feedback import recent

        return recent(self._opened, limit, scope)

    def use(self, *, since: str = "", scope: str = "") -> Use:
        """The figures of use; see `wikimem.feedback`."""
        from wikimem.feedback import figures

        return figures(self._opened, since, scope)

    def evaluate_own(
        self,
        questions: str | os.PathLike[str] | None = None,
        gates: str | os.PathLike[str] | None = None,
        *,
        ablate: Iterable[str] = (),
        offtopic: bool = False,
        answers: str = "",
        judge: str = "",
        jobs: int = 1,
        progress: Callable[[str], None] = lambda doing: None,
    ) -> Evaluation:
        """Ask the vault's own questions; see `wikimem.evaluate`. Benchmarks need no vault: `evaluate.evaluate`."""
        from wikimem import answering
        from wikimem.evaluate import Wish, own

        asked = Path(questions).expanduser() if questions is not None else None
        limits = Path(gates).expanduser() if gates is not None else None
        who = answering.named(answers, judge, self._opened, jobs=jobs) if answers else None
        return own(self._opened, asked, limits, Wish(tuple(ablate), offtopic=offtopic, answering=who), progress)

    def unseen(self, scope: str = "") -> str:
        """Why nothing of a strict vault's projects is seen without a scope; see `wikimem.browsing.unseen`."""
        from wikimem.browsing import unseen

        return unseen(self._opened, scope)

    def review(self, *, fetch: bool = False, remote: str = "") -> Review:
        """What waits for a person; see `wikimem.review`."""
        from wikimem.review import pending

        return pending(self._opened, fetch, remote)

    def review_show(self, named: Iterable[str] = ()) -> Review:
        """Some of what waits, in full; see `wikimem.review`."""
        from wikimem.review import show

        return show(self._opened, list(named))

    def approve(self, named: Iterable[str]) -> Decided:
        """Let in what waits; see `wikimem.review`."""
        from wikimem.review import approve

        return approve(self._opened, list(named))

    def disapprove(self, named: Iterable[str], reason: str = "") -> Decided:
        """Keep out what waits, for ever; see `wikimem.review.reject`."""
        from wikimem.review import reject

        return reject(self._opened, list(named), reason)

    def amend(self, named: str, text: str) -> Decided:
        """Let in a claim that waits, with other words; see `wikimem.review.edit`."""
        from wikimem.review import edit

        return edit(self._opened, named, text)

    def share(self, to: str | os.PathLike[str], sources: Iterable[str] = (), *, project: str = "", yes: bool = False) -> Sharing:
        """Share with another vault, or look at what would be; see `wikimem.share`."""
        from wikimem.share import share

        return share(self._opened, Path(to), list(sources), project, yes)

    def push_proposals(self, remote: str = "") -> Requests:
        """Push what waits to the remote; see `wikimem.pr`."""
        from wikimem.pr import push

        return push(self._opened, remote)

    def report(self, project: str = "") -> Found:
        """What the memory tells at first sight; see `wikimem.report`."""
        from wikimem.report import report

        return report(self._opened, project)

    def status(self) -> Status:
        """What the vault holds; see `wikimem.status`."""
        from wikimem.status import status

        return status(self._opened)

    def verify(self, against: str = "", *, anew: bool = False) -> Proof:
        """Prove that nothing was changed or lost; see `wikimem.verify`."""
        from wikimem.verify import verify

        return verify(self._opened, against, anew)

    def build_site(
        self,
        base: str = "",
        *,
        out: str | os.PathLike[str] | None = None,
        scope: str = "",
        jobs: int = 1,
        progress: Callable[[str], None] = lambda doing: None,
    ) -> Built:
        """Build the static site; see `wikimem.site`. More than one job starts processes, which import the calling script."""
        from wikimem.site import Wish, build

        folder = Path(out).expanduser() if out is not None else None
        return build(self._opened, Wish(base, folder, scope, jobs), progress)
