"""What the commands print for a person. Text only: which facts are worth saying is decided by the verbs."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wikimem.core import bundles, projects

if TYPE_CHECKING:
    from wikimem.adopt import Adoption
    from wikimem.core.reports import Report
    from wikimem.core.turns import Turn
    from wikimem.export import Exported
    from wikimem.recall import Listed, Recalled
    from wikimem.show import Passage
    from wikimem.status import Status
    from wikimem.verify import Proof

_LONG = 600
_LISTED = 10
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


def passage(found: Passage) -> str:
    """The turns that a citation cites."""
    sidecar = found.sidecar
    project = projects.slug(sidecar.remote, sidecar.cwd)
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
