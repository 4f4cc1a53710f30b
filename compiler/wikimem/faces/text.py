"""What the commands print for a person. Text only: which facts are worth saying is decided by the verbs."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wikimem.core import bundles, memory_diff

if TYPE_CHECKING:
    from wikimem.compile import Compiled
    from wikimem.core.reports import Report
    from wikimem.core.turns import Turn
    from wikimem.diff import Difference
    from wikimem.history import Past
    from wikimem.recall import Listed, Recalled
    from wikimem.recompile import Recompiled
    from wikimem.show import Passage, Shown
    from wikimem.site import Built
    from wikimem.status import Status
    from wikimem.verify import Proof
    from wikimem.why import Reasons

_LONG = 600
_LISTED = 10
_MANY = 20
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


def compiled(report: Compiled) -> str:
    """The report of a compile."""
    number = len(report.pending)
    if report.dry_run:
        lines = [f"Would compile {_count(number, 'source')} with the model {report.model}."]
        lines += [f"  {sidecar.id}  {_size(sidecar.raw.bytes)}" for sidecar in report.pending[:_MANY]]
        lines += [f"  and {number - _MANY} more"] if number > _MANY else []
        return "\n".join(lines)
    done = [one for one in report.outcomes if not one.reason]
    lines = [
        f"Compiled {_count(len(done), 'source')} with the model {report.model}: {_count(sum(o.claims for o in done), 'claim')}."
    ]
    if report.settled:
        lines.insert(0, f"Pages that were not what their claims give were written anew. Commit {report.settled[:10]}.")
    if not report.outcomes and not report.settled:
        lines = ["Nothing to compile."]
    lines += [f"  {one.commit[:10]}  {one.source}  {_count(one.claims, 'claim')} ({one.changed})" for one in done[:_MANY]]
    lines += [f"  and {len(done) - _MANY} more; `git log` shows all"] if len(done) > _MANY else []
    if report.filtered:
        lines.append(f"Passed over by --since, --project or --limit: {_count(report.filtered, 'source')}.")
    lines += [f"Held back: {one.source}: {one.reason}" for one in report.outcomes if one.reason]
    lines += report.notes
    lines += [f"Problem: {problem}" for problem in report.problems]
    return "\n".join(_plain(line) for line in lines)


def recompiled(found: Recompiled) -> str:
    """What a recompile found or did."""
    lines = [f"Extracted {_count(found.sources, 'source')} with the model {found.model}."]
    if found.check:
        told = f"{_count(len(found.files), 'file')} of the wiki would change ({found.counts})"
        lines.append(told + ":" if found.files else "The wiki is what its sources give.")
        lines += [f"  {path}" for path in found.files[:_MANY]]
        lines += [f"  and {len(found.files) - _MANY} more"] if len(found.files) > _MANY else []
    else:
        lines.append(f"Commit {found.commit[:10]} ({found.counts})." if found.commit else "Nothing changed.")
    if found.pages:
        lines += ["", *memory_diff.write(found.pages).splitlines()]
    lines += [f"Failed: {source}: {reason}" for source, reason in found.failed.items()]
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def difference(found: Difference) -> str:
    """What the memory says differently between two commits."""
    lines = [f"{found.before[:10]}..{found.after[:10]} ({found.counts})", "", *memory_diff.write(found.pages).splitlines()]
    if not found.pages:
        lines = [f"{found.before[:10]}..{found.after[:10]}: the memory says the same."]
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def past(found: Past) -> str:
    """The history of a page."""
    lines = [f"{found.title} ({found.path})"]
    for step in found.steps:
        lines += ["", f"{step.when[:16].replace('T', ' ')}  {step.commit[:10]}  {step.subject}"]
        lines += [f"    from {step.source}"] if step.source else []
        lines += [f"  + {line}" for line in step.gained]
        lines += [f"  ~ {line}" for line in step.ended]
        lines += [f"  - {line}" for line in step.lost]
        if not (step.gained or step.ended or step.lost):
            lines.append(f"    no claim; {_count(step.other, 'other line')}")
    return "\n".join(_plain(line) for line in lines)


def reasons(found: Reasons) -> str:
    """What a statement rests on."""
    if not found.found:
        return _plain(f"The wiki says nothing like {found.statement!r}. `wikimem search` looks in the sources as well.")
    lines: list[str] = []
    for one in found.found:
        lines += [one.text, f"  {one.stance}, {one.state}", f"  page   {one.page}  [^{one.claim}]"]
        for proof in one.proofs:
            who = f"{proof.speaker} ({proof.name})" if proof.name else proof.speaker
            lines.append(f"  quote  “{' '.join(proof.quote.split())}”")
            lines.append("         " + ", ".join(part for part in (who, proof.said, proof.cite) if part))
            lines += [f"         accepting “{' '.join(proof.accepting.split())}”"] if proof.accepting else []
            lines += [f"         in the session “{proof.session}”"] if proof.session else []
            lines += [f"         taken in by commit {proof.commit[:10]} of {proof.when[:10]}"] if proof.commit else []
        lines.append("")
    return "\n".join(_plain(line) for line in lines[:-1])


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
    about = [sidecar.format, *([f"project {project}"] if project else []), *([sidecar.started] if sidecar.started else [])]
    lines = [f"{sidecar.id}  {found.title}".rstrip(), f"({', '.join(about)})", ""]
    whole = len(found.turns) > 1 and not found.silent
    for turn in found.turns:
        lines += [_heading(turn, turn.at in found.dead), _body(turn, cut=whole), ""]
    return "\n".join(_plain(line) for line in lines).rstrip("\n")


def _heading(turn: Turn, rewound: bool) -> str:
    parts = [turn.at, turn.speaker.value]
    if turn.name:
        parts.append(f"({turn.name})")
    if turn.form.value != "prose":
        parts.append(turn.form.value)
    if turn.mark:
        parts.append(f"[{turn.mark}]")
    if turn.error:
        parts.append("[error]")
    if rewound:
        parts.append("[rewound: not part of the history]")
    if turn.said:
        parts.append(turn.said)
    return "  ".join(parts)


def _body(turn: Turn, cut: bool) -> str:
    text = turn.text
    if cut and turn.form.value != "prose" and len(text) > _LONG:
        text = f"{text[:400]}\n… ({len(text) - 600} characters; cite {turn.at} alone for all) …\n{text[-200:]}"
    told = "\n".join(f"    {line}" for line in text.split("\n"))
    return f"    (asked: {turn.about.splitlines()[0][:200]})\n{told}" if turn.about else told


def recalled(found: Recalled) -> str:
    """A bundle of evidence, as an agent reads it."""
    lines = [found.bundle.text.rstrip("\n") or "Nothing relevant was said.", *(f"Problem: {each}" for each in found.problems)]
    return "\n".join(_plain(line) for line in lines)


def listed(found: Listed) -> str:
    """Hits, best first: place, time, speaker and the words around what matched."""
    lines = []
    for hit in found.hits:
        said = hit.passage
        who = f"{said.speaker.value} ({said.name})" if said.name else said.speaker.value
        lines.append("  ".join(part for part in (said.cite, said.said, who) if part))
        lines.append("    " + " ".join(bundles.excerpt(said.text, hit.spots, 240).split()))
    if not lines:
        lines.append("Nothing was found.")
    lines += [f"Problem: {each}" for each in found.problems]
    return "\n".join(_plain(line) for line in lines)


def status(found: Status) -> str:
    """The state of a vault."""
    span = f", {found.first} to {found.last}" if found.first else ""
    lines = [
        f"{found.root} ({found.kind})",
        f"{_count(found.sources, 'source')}, {_size(found.bytes)}{span}.",
    ]
    if found.sources:
        lines += [f"By format: {_counts(found.formats)}.", f"By project: {_counts(found.projects)}."]
    if found.claims or found.pages:
        lines.append(f"Wiki: {_count(found.claims, 'claim')} on {_count(found.pages, 'page')}, compiled by {found.model}.")
    if found.pending:
        lines.append(f"To compile: {_count(found.pending, 'source')}; `wikimem compile` takes them.")
    lines += [f"  held back: {source}: {reason}" for source, reason in found.held.items()]
    if found.outdated:
        lines.append(
            f"Outdated: {_count(found.outdated, 'source')} compiled by another model, prompt or vocabulary;"
            " `wikimem recompile` does them again."
        )
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
    if found.quotes:
        lines.append(f"Words of {_count(found.quotes, 'quote')} stand in their turns.")
    lines += [f"Problem: {problem}" for problem in found.problems]
    return "\n".join(_plain(line) for line in lines)


def _plain(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)


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
