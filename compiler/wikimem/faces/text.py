"""What the commands print for a person. Text only: which facts are worth saying is decided by the verbs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from wikimem.core import bundles, telling
from wikimem.core.answers import Answer, Told, Written
from wikimem.core.passages import Hit
from wikimem.core.spending import NOTHING, Spent, money

if TYPE_CHECKING:
    from wikimem.adopt import Adoption
    from wikimem.compile import Compiled
    from wikimem.core.findings import Telling
    from wikimem.core.memory_diff import PageDiff
    from wikimem.core.reports import Report
    from wikimem.core.turns import Turn
    from wikimem.diff import Difference
    from wikimem.editing import Edited
    from wikimem.export import Exported
    from wikimem.handoff import Submitted, Waiting
    from wikimem.history import Past
    from wikimem.lint import Linted
    from wikimem.recall import Listed, Recalled
    from wikimem.recompile import Recompiled
    from wikimem.report import Found
    from wikimem.show import Passage, Shown
    from wikimem.site import Built
    from wikimem.status import Status
    from wikimem.sweep import Swept
    from wikimem.sync import Synced
    from wikimem.timeline import Course
    from wikimem.verify import Proof
    from wikimem.why import Reasons

_LONG = 600
_LISTED = 10
_MANY = 20
_QUOTE = 160
# A transcript must not be able to steer the terminal it is shown on.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def ingest(report: Report) -> str:
    """The report of an ingest."""
    verb = "Would add" if report.dry_run else "Added"
    number = len(report.added)
    lines = [f"{verb} {_count(number, 'source')} from {_count(report.files, 'file')} ({_size(report.bytes)})."]
    if report.commit:
        lines[0] += f" Commit {report.commit[:10]}."
    if number:
        lines += [f"  {name}: {count}" for name, count in report.projects().most_common(_LISTED)]
        account = report.account
        lines += [
            f"Records: {account.records} = {account.turned} with turns + {sum(account.noise.values())} noise"
            f" + {account.damaged} damaged.",
            f"Turns: {account.turns} ({_counts(account.speakers)}).",
        ]
        if account.noise:
            lines.append(f"Noise: {_counts(account.noise)}.")
        lines += [f"  damaged: {where}, line {line}, byte {byte}: {why}" for where, line, byte, why in account.damage]
        lines += [
            f"  unknown record type {kind!r}: {count}, first at {account.strange.get(kind, '?')}"
            for kind, count in account.unknown.most_common(_LISTED)
        ]
    if report.masked:
        lines.append(f"Masked: {_counts(report.masked)}.")
    if report.unchanged:
        lines.append(f"Unchanged: {_count(report.unchanged, 'file')}.")
    if report.copies:
        lines.append(f"The same as another one of these: {_count(report.copies, 'file')}.")
    if report.open:
        lines.append(f"Still open: {_count(len(report.open), 'session')}; taken when quiet, or when named themselves.")
    if report.filtered:
        lines.append(f"Passed over by --since, --project or --limit: {report.filtered}.")
    for why, count in Counter(report.left_out.values()).most_common():
        names = [path for path, reason in report.left_out.items() if reason == why]
        lines.append(f"Left out: {_count(count, 'file')} ({why}), such as {names[0]}.")
    if report.expiring:
        lines.append(
            f"Claude Code deletes sessions after {report.kept_days} days: {_count(len(report.expiring), 'file')} of these"
            " within a week or overdue. What is captured here stays."
        )
    lines += report.notes
    lines += [f"Problem: {problem}" for problem in report.problems]
    return "\n".join(_plain(line) for line in lines)


def swept(found: Swept) -> str:
    """The report of a sweep: where it looked, and what each vault took."""
    told = [f"Looked in {_count(len(found.looked), 'place')} where tools keep sessions."]
    for root, report in found.reports.items():
        told += [_plain(f"{root}:"), *(f"  {line}" for line in ingest(report).split("\n"))]
    told += [_plain(f"{root}: another wikimem is writing to it; the next sweep serves it.") for root in found.busy]
    return "\n".join((*told, *(_plain(f"Problem: {problem}") for problem in found.problems)))


def adopted(report: Adoption) -> str:
    """The report of an adoption."""
    fresh = [each for each in report.taken if each.fresh]
    verb = "Would adopt" if report.dry_run else "Adopted"
    number = sum(each.statements for each in fresh)
    lines = [f"{verb} {_count(number, 'statement')} from {_count(len(fresh), 'file')}."]
    if report.commit:
        lines[0] += f" Commit {report.commit[:10]}."
    for each in fresh:
        passed = f"; passed over: {_counts(Counter(each.noise))}" if each.noise else ""
        lines.append(f"  {each.where} ({each.kind}): {each.statements}, {each.dated} of them dated{passed}")
    if len(fresh) < len(report.taken):
        lines.append(f"Unchanged: {_count(len(report.taken) - len(fresh), 'file')}.")
    if report.masked:
        lines.append(f"Masked: {_counts(report.masked)}.")
    lines += report.notes
    lines += [f"Problem: {problem}" for problem in report.problems]
    return "\n".join(_plain(line) for line in lines)


def exported(made: Exported) -> str:
    """What an export made: the text itself where it was not written to a file."""
    if not made.out:
        return _plain(made.text.rstrip("\n"))
    what = f"{_count(made.claims, 'claim')}" if made.target == "claude-md" else _count(made.files, "file")
    lines = [f"Wrote {what} to {made.out}."]
    if made.left:
        lines.append(f"Left out: {_count(made.left, 'claim')} that the budget has no room for.")
    lines += [f"Problem: {problem}" for problem in made.problems]
    return "\n".join(_plain(line) for line in lines)


def compiled(report: Compiled) -> str:
    """The report of a compile."""
    number = len(report.pending)
    if report.dry_run:
        lines = [f"Would compile {_count(number, 'source')} with the model {report.model}."]
        for sidecar in report.pending[:_MANY]:
            expected = report.expected.get(sidecar.id)
            lines.append(f"  {sidecar.id}  {_size(sidecar.raw.bytes)}" + (f"  {spent(expected)}" if expected else ""))
        lines += [f"  and {number - _MANY} more"] if number > _MANY else []
        if report.expected:
            whole = sum(report.expected.values(), NOTHING)
            lines.append(f"About {spent(whole)}, and what judging pairs of claims takes: usually less than a tenth of that.")
        lines += [f"Problem: {problem}" for problem in report.problems]
        return "\n".join(_plain(line) for line in lines)
    done = [one for one in report.outcomes if not one.reason]
    lines = [
        f"Compiled {_count(len(done), 'source')} with the model {report.model}: {_count(sum(o.claims for o in done), 'claim')}."
    ]
    if report.settled:
        lines.insert(0, f"Pages that were not what their claims give were written anew. Commit {report.settled[:10]}.")
    if not report.outcomes and not report.settled:
        lines = ["Nothing to compile."]
    lines += _uncommitted(report.uncommitted)
    if report.edits:
        lines.append(f"Taken from the pages: {_count(len(report.edits), 'hand edit')}.")
        lines += [f"  {words}" for words in report.edits[:_MANY]]
    lines += [f"  {one.commit[:10]}  {one.source}  {_count(one.claims, 'claim')} ({one.changed})" for one in done[:_MANY]]
    lines += [f"  and {len(done) - _MANY} more; `git log` shows all"] if len(done) > _MANY else []
    if number := sum(one.waiting for one in report.outcomes):
        lines.append(f"Waiting for you to look at: {_count(number, 'claim')}; see `wikimem review`.")
    if number := sum(one.withheld for one in report.outcomes):
        lines.append(f"Kept back, since it may be sensitive: {_count(number, 'claim')}; `wikimem review` shows where.")
    if report.filtered:
        lines.append(f"Passed over by --since, --project or --limit: {_count(report.filtered, 'source')}.")
    lines += [f"Held back: {one.source}: {one.reason}" for one in report.outcomes if one.reason and not one.paused]
    waits = [one for one in report.outcomes if one.paused]
    lines += [f"Waiting: {one.source}: {one.reason}" for one in waits[:_LISTED]]
    lines += [f"  and {len(waits) - _LISTED} more"] if len(waits) > _LISTED else []
    if report.spent.calls:
        lines.append(f"Spent: {spent(report.spent)}.")
    lines += report.notes
    lines += [f"Problem: {problem}" for problem in report.problems]
    return "\n".join(_plain(line) for line in lines)


def _uncommitted(pages: Sequence[str]) -> list[str]:
    if not pages:
        return []
    more = f" and {len(pages) - _LISTED} more" if len(pages) > _LISTED else ""
    told = f"Changed by hand and not committed: {', '.join(pages[:_LISTED])}{more}"
    return [f"{told}. Commit them, or `wikimem compile --take-edits`; until then nothing of that counts."]


def synced(report: Synced) -> str:
    """The report of a sync."""
    lines = []
    for number, made in enumerate(report.compiled):
        if number and report.merges:
            lines.append("After joining:")
        lines += compiled(made).splitlines()
    if report.fetched or report.pushed:
        moved = f"{_count(report.fetched, 'commit')} came in, {_count(report.pushed, 'commit')} went out"
        lines.append(f"One with {report.remote} at {report.head[:10]}: {moved}.")
    else:
        lines.append(f"Already one with {report.remote} at {report.head[:10]}.")
    for commit, changed in zip(report.merges, report.changed, strict=True):
        lines.append(f"Joined both sides in commit {commit[:10]}: claims {changed}.")
    if report.waiting:
        noun = f"{_count(report.waiting, 'claim')} {'waits' if report.waiting == 1 else 'wait'}"
        lines.append(f"{noun} for `wikimem review`: together both sides do what neither let in.")
    if report.edits:
        lines.append(f"Taken from the pages: {_count(len(report.edits), 'hand edit')}.")
        lines += [f"  {words}" for words in report.edits[:_MANY]]
    lines += [f"Both sides wrote at one place of {path}; both are there, look which is to stay." for path in report.conflicts]
    if report.chosen:
        lines.append(f"Of {_count(len(report.chosen), 'file')} that both sides had, one was chosen; git has the other:")
        lines += [f"  {path}" for path in report.chosen[:_MANY]]
    lines += report.notes
    lines += [f"Problem: {problem}" for problem in report.problems]
    return "\n".join(_plain(line) for line in lines)


def waiting(found: Waiting) -> str:
    """The packet that waits, for whoever reads it in a terminal."""
    told = f"{_count(found.waiting, 'packet')} waiting, {found.answered} answered and not compiled yet."
    if found.packet is None:
        return f"No packet to answer: {told} `wikimem compile --model handoff` puts out what is to be asked."
    packet = found.packet
    lines = [f"Packet {packet.id} ({packet.task}{', ' + packet.about if packet.about else ''}); {told}"]
    lines += [f"Answer with: wikimem submit {packet.id} FILE", "", *packet.prompt.split("\n")]
    return "\n".join(_plain(line) for line in lines)


def submitted(done: Submitted) -> str:
    """What became of a reply."""
    lines = [f"Taken: the reply to packet {done.packet}." if done.taken else f"Not taken: the reply to packet {done.packet}."]
    lines += [f"  {problem.where}: {problem.message} [{problem.rule}]" for problem in done.problems]
    lines += [f"  will be refused: {one.text or one.at}: {one.reason} [{one.rule}]" for one in done.refused]
    if done.refused:
        lines.append("Correct or drop these and submit the whole reply again, or leave it so.")
    if done.taken:
        left = f"{_count(done.waiting, 'packet')} still waiting; `wikimem next`" if done.waiting else "`wikimem compile` goes on"
        lines.append(f"Next: {left}.")
    return "\n".join(_plain(line) for line in lines)


def spent(spent: Spent) -> str:
    """What calls to a model cost, as a person reads it."""
    cached = f" ({spent.cached:,} of them cheaper, from the provider's cache)" if spent.cached else ""
    told = f"{_count(spent.calls, 'call')}, {spent.read:,} tokens in{cached}, {spent.wrote:,} out"
    price = f", {money(spent.micros)}" if spent.micros else ""
    return told + price + (", price unknown" if spent.unpriced else "")


def recompiled(found: Recompiled) -> str:
    """What a recompile found or did."""
    if found.expected is not None:
        whole = sum(found.expected.values(), NOTHING)
        lines = [f"Would extract all sources anew with the model {found.model}."]
        lines += [f"  {source}  {spent(one)}" for source, one in list(found.expected.items())[:_MANY]]
        lines += [f"  and {len(found.expected) - _MANY} more"] if len(found.expected) > _MANY else []
        lines.append(f"About {spent(whole)}, and what judging all pairs of claims takes." if whole.calls else "It costs nothing.")
        lines += [f"Problem: {problem}" for problem in found.problems]
        return "\n".join(_plain(line) for line in lines)
    lines = [f"Extracted {_count(found.sources, 'source')} with the model {found.model}."]
    if found.excerpts:
        lines.append(f"Left as they came: the claims of {_count(found.excerpts, 'excerpt')}, whose whole is not here.")
    if found.edits:
        lines.append(f"Taken from the pages: {_count(len(found.edits), 'hand edit')}.")
    if found.found[1]:
        lines.append(f"Of {_count(found.found[1], 'claim')} {found.found[0]} were found again, {found.reworded} in other words.")
    if found.check:
        told = f"{_count(len(found.files), 'file')} of the wiki would change ({found.counts})"
        lines.append(told + ":" if found.files else "The wiki is what its sources give.")
        lines += [f"  {path}" for path in found.files[:_MANY]]
        lines += [f"  and {len(found.files) - _MANY} more"] if len(found.files) > _MANY else []
    elif found.commit:
        where = f" on the branch {found.branch}" if found.branch else ""
        lines.append(f"Commit {found.commit[:10]}{where} ({found.counts}).")
    else:
        lines.append("Nothing was committed: some of it still waits." if found.waiting else "Nothing changed.")
    if found.pages:
        lines += ["", *_differences(found.pages)]
    if found.branch:
        lines += ["", f"To see it again: wikimem diff HEAD..{found.branch}. To take it: git merge {found.branch}"]
    lines += [f"Failed: {source}: {reason}" for source, reason in found.failed.items()]
    lines += [f"Waiting: {source}: {reason}" for source, reason in list(found.waiting.items())[:_LISTED]]
    lines += [f"  and {len(found.waiting) - _LISTED} more"] if len(found.waiting) > _LISTED else []
    if found.spent.calls:
        lines.append(f"Spent: {spent(found.spent)}.")
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def difference(found: Difference) -> str:
    """What the memory says differently between two commits."""
    lines = [f"{found.before[:10]}..{found.after[:10]} ({found.counts})", "", *_differences(found.pages)]
    if not found.pages:
        lines = [f"{found.before[:10]}..{found.after[:10]}: the memory says the same."]
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def _clock(when: str) -> str:
    """A time to the minute, with its zone."""
    return f"{when[:16].replace('T', ' ')} {when[19:].replace('Z', 'UTC')}".rstrip()


def past(found: Past) -> str:
    """The history of a page."""
    lines = [f"{found.title} ({found.path})"]
    for step in found.steps:
        lines += ["", f"{_clock(step.when)}  {step.commit[:10]}  {step.subject}"]
        lines += [f"    from {step.source}"] if step.source else []
        lines += [f"  + {line}" for line in step.gained]
        lines += [f"  ~ {line}" for line in step.ended]
        lines += [f"  - {line}" for line in step.lost]
        if not (step.gained or step.ended or step.lost):
            lines.append(f"    no claim; {_count(step.other, 'other line')}")
    return "\n".join(_plain(line) for line in lines)


def reasons(found: Reasons, unseen: str = "") -> str:
    """What a statement rests on; where nothing is known of it, why the vault tells nothing to whoever asks, if that is so."""
    if not found.found:
        told = unseen or f"The wiki says nothing like {found.statement!r}. `wikimem search` looks in the sources as well."
        return "\n".join(map(_plain, [told, *(f"Problem: {each}" for each in found.problems)]))
    lines: list[str] = []
    for one in found.found:
        lines += [one.text, f"  {one.stance}, {one.state}", f"  page   {one.page}  [^{one.claim}]"]
        for proof in one.proofs:
            who = f"{proof.speaker} ({proof.name})" if proof.name else proof.speaker
            lines.append(f"  quote  “{' '.join(proof.quote.split())}”")
            lines.append("         " + ", ".join(part for part in (who, proof.told, proof.cite) if part))
            lines += [f"         accepting “{' '.join(proof.accepting.split())}”"] if proof.accepting else []
            lines += [f"         in the session “{proof.session}”"] if proof.session else []
            lines += [f"         taken in by commit {proof.commit[:10]} of {proof.when[:10]}"] if proof.commit else []
        lines.append("")
    return "\n".join(_plain(line) for line in lines[:-1])


def found(report: Found) -> str:
    """What the memory tells at first sight."""
    lines: list[str] = []
    for project in report.projects:
        name = project.scope.removeprefix("project:") or "Of no project"
        span = f", {project.first} to {project.last}" if project.first else ""
        lines += [f"{name}: {_count(project.sessions, 'session')}{span}", ""]
        lines += _tellings("What people keep telling their agents", project.tellings)
        decided = f"Decisions of the month to {project.until}" if project.until else "Decisions"
        lines += _tellings(decided, project.decisions, counted=False)
        lines += _tellings("Met more than once", project.troubles)
        if project.failing:
            lines.append("Commands that fail most")
            lines += [
                f"  {one.failed} of {_count(one.runs, 'run')}, last {one.last or 'on an unknown day'}: {one.command}"
                for one in project.failing
            ]
            lines.append("")
    if not lines:
        return "Nothing stands out yet: nothing was said, decided, met or failed more than once."
    return "\n".join(_plain(line) for line in lines[:-1])


def _tellings(heading: str, tellings: Iterable[Telling], counted: bool = True) -> list[str]:
    told = list(tellings)
    lines = [heading] if told else []
    for one in told:
        often = f", {_count(one.times, 'time')} in {_count(one.sessions, 'session')}" if counted else ""
        lines.append(f"  {one.title}{often}  (wiki/{one.page})")
        for quote in one.quotes:
            words = quote.words if len(quote.words) <= _QUOTE else f"{quote.words[: _QUOTE - 1].rstrip()}…"
            words = words.replace("“", "‘").replace("”", "’")
            who = f"{quote.who}, " if quote.who else ""
            lines.append(f"    {who}{quote.day or 'no date'}: “{words}”  {quote.cite}")
    return [*lines, ""] if told else []


def course(found: Course) -> str:
    """What held when."""
    lines = [f"{found.title} ({found.page})"]
    heading = None
    for one in found.stretches:
        if one.attribute != heading:
            heading = one.attribute
            lines += ["", heading or "(no attribute)"]
        start, end = one.start or "?", one.end or ("" if one.ending else "now")
        inferred = f" ({one.basis})" if one.start and one.basis != "stated" else ""
        lines.append(f"  {start}{inferred} to {end or '?'}: {one.text}")
        lines += [f"      {one.ending}"] if one.ending else []
        lines.append(f"      [^{one.claim}] {' '.join(one.cites[:4])}{' …' if len(one.cites) > 4 else ''}")
    return "\n".join(_plain(line) for line in lines)


def linted(found: Linted) -> str:
    """What a person should look at."""
    lines: list[str] = []
    for one in found.conflicts:
        lines += [f"Conflict on {one.page}; `wikimem settle ID` ends it:", *(f"  {id}  {words}" for id, words in one.claims)]
    for old in found.stale:
        lines += [
            f"Warning: {old.value} was superseded, and stands on {old.page} still:",
            f"  {old.claim[0]}  {old.claim[1]}",
            f"  {old.ended[0]}  {old.ended[1]} (ended, on {old.ended_page}; now: {old.now[1]})",
        ]
    lines += [f"Problem: {problem}" for problem in found.problems]
    lines += [f"Hint: {hint}" for hint in found.hints]
    return "\n".join(_plain(line) for line in lines) or "Nothing to look at."


def edited(found: Edited) -> str:
    """What a hand edit by command did."""
    lines = [*found.words, *([f"Kept in {found.source}; every recompile keeps it."] if found.source else [])]
    lines.append(f"Commit {found.commit[:10]} ({found.changed})." if found.commit else "No page changed.")
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def shown(found: Passage | Shown) -> str:
    """A page, or what a citation cites."""
    from wikimem.show import Shown

    if not isinstance(found, Shown):
        return passage(found)
    return "\n".join(_plain(line) for line in found.text.rstrip("\n").split("\n"))


def passage(found: Passage) -> str:
    """The turns that a citation cites."""
    sidecar = found.sidecar
    project = sidecar.project
    about = [
        sidecar.format,
        *([f"project {project}"] if project else []),
        *([found.zone.told(sidecar.started)] if sidecar.started else []),
    ]
    lines = [f"{sidecar.id}  {found.title}".rstrip(), f"({', '.join(about)})", ""]
    whole = len(found.turns) > 1 and not found.silent
    for turn in found.turns:
        lines += [_heading(turn, found), _body(turn, cut=whole), ""]
    return "\n".join(_plain(line) for line in lines).rstrip("\n")


def _heading(turn: Turn, found: Passage) -> str:
    parts = [turn.at, turn.speaker.value]
    if turn.name:
        parts.append(f"({turn.name})")
    if turn.form.value != "prose":
        parts.append(turn.form.value)
    if turn.mark:
        parts.append(f"[{turn.mark}]")
    if turn.error:
        parts.append("[error]")
    if turn.at in found.dead:
        parts.append("[rewound: not part of the history]")
    if turn.said:
        parts.append(found.zone.told(turn.said))
    return "  ".join(parts)


def _body(turn: Turn, cut: bool) -> str:
    text = turn.text
    if cut and turn.form.value != "prose" and len(text) > _LONG:
        text = f"{text[:400]}\n… ({len(text) - 600} characters; cite {turn.at} alone for all) …\n{text[-200:]}"
    told = "\n".join(f"    {line}" for line in text.split("\n"))
    return f"    (asked: {turn.about.splitlines()[0][:200]})\n{told}" if turn.about else told


def recalled(found: Recalled, unseen: str = "") -> str:
    """A bundle of evidence, as an agent reads it; where it is empty, why that may be."""
    nothing = [] if found.narrow else [unseen or "Nothing relevant was said."]
    shown = [found.bundle.text.rstrip("\n")] if found.bundle.entries else nothing
    return "\n".join(_plain(line) for line in (*shown, *(f"Problem: {each}" for each in found.problems)))


def listed(found: Listed, unseen: str = "") -> str:
    """Hits, best first: of turns place, time, speaker and the words around what matched; of claims what became of them."""
    lines = []
    for hit in found.hits:
        lines += _hit(hit)
    if not lines:
        lines.append(unseen or "Nothing was found.")
    lines += [f"Problem: {each}" for each in found.problems]
    return "\n".join(_plain(line) for line in lines)


def _hit(hit: Answer) -> list[str]:
    match hit:
        case Told():
            told = hit.first
            about = [told.id, "claim", telling.state(told), telling.ground(told), telling.dates(told), told.page, told.cite]
            text = ". ".join(part for part in (told.claim.text.rstrip("."), telling.ending(told)) if part)
            return ["  ".join(part for part in about if part), f"    {' '.join(text.split())}"]
        case Written(prose, _, spots):
            return [
                "  ".join(part for part in (prose.cite, "page", prose.title, prose.section) if part),
                "    " + " ".join(bundles.excerpt(prose.text, spots, 240).split()),
            ]
        case Hit(said, _, spots):
            who = f"{said.speaker.value} ({said.name})" if said.name else said.speaker.value
            return [
                "  ".join(part for part in (said.cite, said.told or said.said, who) if part),
                "    " + " ".join(bundles.excerpt(said.text, spots, 240).split()),
            ]


def status(found: Status) -> str:
    """The state of a vault."""
    span = f", {found.first} to {found.last}" if found.first else ""
    lines = [
        f"{found.root} ({found.kind})",
        f"{_count(found.sources, 'source')}, {_size(found.bytes)}{span}.",
    ]
    if found.retired:
        lines.append(f"Retired: {_count(found.retired, 'source')}; what was not kept of their bytes is not here any more.")
    if found.zone != "UTC":
        lines.append(f"Days are told in the time zone {found.zone}.")
    if found.sources:
        lines += [f"By format: {_counts(found.formats)}.", f"By project: {_counts(found.projects)}."]
    if found.claims or found.pages:
        lines.append(f"Wiki: {_count(found.claims, 'claim')} on {_count(found.pages, 'page')}, compiled by {found.model}.")
    if found.pending:
        lines.append(f"To compile: {_count(found.pending, 'source')}; `wikimem compile` takes them.")
    lines += [f"  held back: {source}: {reason}" for source, reason in found.held.items()]
    if found.review:
        lines.append(f"Waiting for you to look at: {_count(found.review, 'claim')}; see `wikimem review`.")
    lines += _uncommitted(found.uncommitted)
    if found.withheld:
        told = f"Kept back, since it may be sensitive: what was said in {_count(found.withheld, 'place')}"
        lines.append(f"{told}; `wikimem review` shows where.")
    if found.outdated:
        lines.append(
            f"Outdated: {_count(found.outdated, 'source')} compiled by another model, prompt, vocabulary, time zone or [projects]"
            "; `wikimem recompile` does them again."
        )
    if found.elsewhere:
        lines.append(
            f"  Of {found.elsewhere} of them, `yesterday` and the like were dated in another time zone than {found.zone}."
        )
    if found.misplaced:
        lines.append(f"  {found.misplaced} of them told of another package than [projects] in wikimem.toml says now.")
    if found.uncaptured:
        default = " (its default; set cleanupPeriodDays to keep them longer)" if found.kept_by_default else ""
        lines.append(
            f"Claude Code: {_count(found.uncaptured, 'session file')} not captured, the oldest {found.oldest_days} days"
            f" old; it deletes them after {found.kept_days} days{default}."
        )
    if found.unfinished:
        lines.append("An interrupted run left work that the next `wikimem ingest` finishes.")
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def proof(found: Proof) -> str:
    """The result of a verification."""
    lines = [f"Checked {_count(found.sources, 'source')} ({_size(found.bytes)})."]
    if not found.problems:
        lines.append(f"All are what was captured, and sources/ has only grown {found.since}.")
    if found.quotes > found.attested:
        lines.append(f"Words of {_count(found.quotes - found.attested, 'quote')} stand in their turns.")
    if found.attested:
        were = "was" if found.attested == 1 else "were"
        lines.append(f"{_count(found.attested, 'quote')} {were} attested by hash before their sources were retired.")
    if found.files or found.pages:
        kept = f"{_count(found.files, 'claims file')} and {_count(found.pages, 'page')}"
        lines.append(f"Of {kept} the bytes are those that an earlier verify found right; --anew looks at them again.")
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def _differences(pages: Iterable[PageDiff]) -> list[str]:
    from wikimem.core import memory_diff

    return memory_diff.write(pages).splitlines()


def printed(lines: Iterable[str]) -> str:
    """Lines as one text, without what would move a terminal's cursor or change its colours."""
    return "\n".join(map(plain, lines))


def plain(text: str) -> str:
    """A text without what could steer the terminal it is shown on."""
    return _CONTROL.sub("\ufffd", text)


_plain = plain


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counter.most_common())


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def built(site: Built) -> str:
    """What was built."""
    shown = f"{_count(site.pages, 'page')}, {_count(site.sessions, 'session')}, {_count(site.commits, 'commit')}"
    if not site.written and not site.removed:
        return f"Nothing changed: {shown} in {site.out}"
    removed = f", removed {site.removed}" if site.removed else ""
    return f"Built {shown}: wrote {_count(site.written, 'file')}{removed}. Open {site.out}/index.html"
