"""Outcomes of commands: which lasting commands ran and passed, and which failure a change of a file ended. Observed, not told.

A claim names the command without what varies and without the day, so that the same command in ten sessions is one claim
with ten assertions. Runs in the background, whose result tells no outcome, runs of
which a filter shows only some lines, dry runs, and commands asked for help are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wikimem.core.actions import Deed
from wikimem.core.claims import Kind, Stance
from wikimem.core.rules import shell
from wikimem.core.rules.names import Name
from wikimem.core.rules.shell import Run
from wikimem.core.rules.standing import placed
from wikimem.core.rules.statements import Statement, Words, coded, quoted
from wikimem.core.turns import Form
from wikimem.core.views import Spoken, View


@dataclass(frozen=True, slots=True)
class Ran:
    """A lasting command that ran.

    Args:
        run: the command.
        call: the turn that called it.
        result: the turn that tells how it went.
        number: of the result among the view's turns.
        passed: whether it passed; None if the result does not tell.
    """

    run: Run
    call: Spoken
    result: Spoken
    number: int
    passed: bool | None


_FAILED = re.compile(
    r"(?m)\b[1-9]\d*\s+(?:tests?\s+)?(?:fail(?:ed|ures?|ing)|errors?)\b|^\s*(?:--- )?FAIL\b|\bFAILED\b|exit (?:code|"
    r"status) [1-9]|(?:exited with code|Exit code:?) [1-9]|\berror(?:\[\w+\])?: |^\s*✗|^\s*✖|\bcommand not found\b|^\*\* \(|"
    r"\bTraceback \(|npm ERR!|\bpanic: |^E   |\bERROR\b|[1-9]\d* issues?[.:]|\bfatal: |\bTotal errors: [1-9]"
)
_TOLD_NOTHING = re.compile(
    r"(?i)running in (?:the )?background|written to: |moved to the background|timed? ?out|interrupted|doesn't want to|"
    r"found [1-9]\d* (?:[\w-]+ )*(?:suggestions?|opportunities|issues?|warnings?)\b"
)
_PASSED = re.compile(
    r"(?m)^.*(?:\b\d+ (?:tests?|passed|passing|examples|specs)\b.*|\b0 failures\b.*|\b0 issues\b.*|\bno issues\b.*|"
    r"\ball checks passed\b.*|\btests? pass(?:ed)?\b.*|^ok\s+\S+.*|^PASS\b.*)$",
    re.IGNORECASE,
)
_QUIET = frozenset({"(no output)", ""})
_FILTERED = re.compile(r"\|\s*(?:e?grep|rg|awk|sed|wc|jq|cut)\b")
"""What shows only some lines of an output: silence after it, or a short output, tells nothing."""


END = 240
"""Characters at the end of an output that tell how it went; a shorter output tells of a failure if there was one."""


def ran(view: View) -> tuple[Ran, ...]:
    """The lasting commands of a session that have a result, in order of their results."""
    calls: dict[str, tuple[Spoken, tuple[Run, ...]]] = {}
    found: list[Ran] = []
    for number, one in enumerate(view.spoken):
        if one.action is not None and one.action.deed is Deed.RUN and one.turn.call:
            runs = shell.runs(one.action.target)
            if runs:
                calls[one.turn.call] = (one, runs)
        elif one.turn.form is Form.RESULT and one.turn.call in calls:
            call, runs = calls.pop(one.turn.call)
            passed = _passed(one, _FILTERED.search(call.turn.text) is not None)
            # Of several commands in one line only the last is told by the outcome, unless all of them passed.
            told = runs if passed else runs[-1:]
            found += [Ran(run, call, one, number, passed) for run in told]
    return tuple(found)


def _passed(result: Spoken, filtered: bool) -> bool | None:
    # What is shown of a long output is its head; how it went stands at its end.
    cut = len(result.turn.text) > len(result.words.strip()) + 8
    told = f"{result.words}\n{result.turn.text[-END:]}" if cut else result.words
    if _TOLD_NOTHING.search(told):
        return None
    if result.turn.error or _FAILED.search(told):
        return False
    # Output that is cut says nothing of its end unless it says so.
    whole = not filtered and not cut and len(result.words) < END
    return True if whole or _PASSED.search(told) else None


def procedures(view: View, every: tuple[Ran, ...]) -> Iterator[Statement]:
    """Each lasting command that passed in the session, once, with the last outcome that its output tells."""
    best: dict[str, Ran] = {}
    for one in every:
        if one.passed and (one.run.command not in best or _PASSED.search(one.result.words)):
            best[one.run.command] = one
    for command, one in best.items():
        words = _in_call(command, one.call)
        if not words:
            continue
        quotes = [Words(one.call.turn.at, words)]
        outcome = _PASSED.search(one.result.words)
        if outcome is not None and len(outcome[0].strip()) <= 120:
            quotes.append(Words(one.result.turn.at, outcome[0].strip()))
        yield Statement(
            "command",
            placed(Name("procedure", _title(command), code=True), view),
            f"{coded(command)} {one.run.does} (seen to pass).",
            tuple(quotes),
            Kind.PROCEDURAL,
            Stance.EVIDENCE,
            "command",
        )


_SETTING = re.compile(r"^(?:[A-Z][A-Z0-9_]*=\S*\s+)+")


def _title(command: str) -> str:
    """The page of a command: without the environment it is given, which may change."""
    return _SETTING.sub("", command)


def _in_call(command: str, call: Spoken) -> str:
    """The command as it stands in the call; empty if it is written there in another way."""
    return command if command in call.turn.text else ""


_ERROR = re.compile(
    r"(?m)^.*?(?P<error>(?:\b[A-Z]\w*(?:Error|Exception)|\*\* \((?:[A-Z]\w*\.?)+\)|\bpanic|\berror\[\w+\])(?::|"
    r"\))? [^\n]{8,160}?)\s*$"
)
_LAST = re.compile(r"(?P<error>[^\n]{12,160}?)\s*\Z")
_TELLS_LAST = frozenset({shell.RELEASES, shell.MIGRATES})
"""What fails with a message of its own at the end of its output."""
FIXES = 2
"""Fixes told of one session at most."""


def fixes(view: View, every: tuple[Ran, ...]) -> Iterator[Statement]:
    """Failures of a command that named an error, and that were gone after one or two files had been changed."""
    told = 0
    for place, failed in enumerate(every):
        if failed.passed is not False or told >= FIXES:
            continue
        error = _ERROR.search(failed.result.words)
        if error is None and failed.run.does in _TELLS_LAST and failed.result.turn.error:
            error = _LAST.search(failed.result.words)
        after = next(
            (one for one in every[place + 1 :] if one.run.command == failed.run.command and one.passed is not None), None
        )
        if error is None or after is None or not after.passed:
            continue
        changed = list(dict.fromkeys(name for one in view.spoken[failed.number : after.number] if (name := shell.touched(one))))
        if not 1 <= len(changed) <= 2:
            continue
        told += 1
        words = " ".join(error["error"].split())
        command = _title(failed.run.command)
        label = words.split(":")[0].split(")")[0].strip("*( ")
        yield Statement(
            "fix",
            placed(Name("gotcha", f"{label} in {command}" if label != command else f"Failure of {command}"), view),
            f"{coded(failed.run.command)} failed with {quoted(words)}; after a change of "
            f"{' and '.join(name.label for name in changed)} it passed.",
            (Words(failed.result.turn.at, error["error"], failed.result.turn.clock[:10]),),
            Kind.EPISODIC,
            Stance.EVIDENCE,
            "fix",
        )


_COMMIT = re.compile(r"(?m)^\[(?P<branch>[\w./-]+)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,12})\] (?P<title>\S[^\n]{3,120})$")
_PULL = re.compile(r"https?://[\w.-]+/[\w./-]+/(?:pull|pulls|merge_requests)/(?P<number>\d+)\b")
_CREATES_PULL = re.compile(r"\b(?:gh pr create|glab mr create|hub pull-request)\b")
_MERGES_PULL = re.compile(r"\b(?:gh pr merge|glab mr merge)\s+(?P<number>\d+)")
_TAGS = re.compile(r"\bgit tag (?:-\S+ )*(?P<tag>v?\d+\.\d+[\w.-]*)|\bgh release create (?P<release>v?\d+\.\d+[\w.-]*)")
COMMITS = 4
"""Commits told of one session at most, the last ones."""


def events(view: View) -> Iterator[Statement]:
    """Commits, pull requests and releases, as the tools' output tells them."""
    commits: list[Statement] = []
    calls = {one.turn.call: one for one in view.spoken if one.action is not None and one.action.deed is Deed.RUN}
    for one in view.spoken:
        if one.turn.form is not Form.RESULT or one.turn.error or one.turn.call not in calls:
            continue
        line = calls[one.turn.call].turn.text
        day = one.turn.clock[:10]
        if "git" in line and "commit" in line:
            for made in _COMMIT.finditer(one.words):
                text = f"Commit {coded(made['hash'])}{_on(day)}: {quoted(made['title'])}."
                commits.append(_event(view, one, made[0], text, "commit"))
        pull = _PULL.search(one.words)
        if pull is not None and _CREATES_PULL.search(line):
            yield _event(view, one, pull[0], f"Pull request {pull['number']} was opened{_on(day)}.", "pull request")
        merged = _MERGES_PULL.search(line)
        if merged is not None:
            call = calls[one.turn.call]
            yield _event(view, call, merged[0], f"Pull request {merged['number']} was merged{_on(day)}.", "pull request")
        tag = _TAGS.search(line)
        if tag is not None:
            version = tag["tag"] or tag["release"]
            yield _event(view, calls[one.turn.call], tag[0], f"Version {version} was tagged{_on(day)}.", "release")
    yield from commits[-COMMITS:]


def _on(day: str) -> str:
    return f" on {day}" if day else ""


def _event(view: View, one: Spoken, words: str, text: str, rule: str) -> Statement:
    day = one.turn.clock[:10]
    about = placed(Name("project", ""), view)
    return Statement(rule, about, text, (Words(one.turn.at, words, day),), Kind.EPISODIC, Stance.EVIDENCE, "event")
