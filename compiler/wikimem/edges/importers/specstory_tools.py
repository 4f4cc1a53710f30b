"""One tool block of a SpecStory history, read into a call, its result, and what a person decided in a dialog.

The block holds a summary, the input, and the output in the last fence; question dialogs end in a line `**Answer:**`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from wikimem.core.turns import Form, Speaker, Turn

_NAME = re.compile(r'data-tool-name="([^"]*)"')
_SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_BOILERPLATE = re.compile(r"\ATool use: \*\*[^*\n]*\*\*[ \t]*")
_FENCE = re.compile(r"^(`{3,})([^`\n]*)\n", re.MULTILINE)
_AFTER_INPUT = re.compile(r"^`{3,}[ \t]*\n\s*^(`{3,})(?:text)?[ \t]*\n", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "shell", "powershell"})
_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|Exit code [1-9]|Error\b|API Error|\[Request interrupted|Command failed\b"
    r"|(?:[^\n]*\n){0,4}(?:Process exited with code|Exit Code:) [1-9])"
)
_REJECTED = "The user doesn't want to "
_REASON = re.compile(r"the user said:\s*(?P<reason>.+?)(?:\n\nNote: The user's next message|\Z)", re.DOTALL)
_APPROVED = re.compile(r"User has approved (?:your plan|exiting plan mode)[^.\n]*\.?")
_PLAN = re.compile(r"^## Approved Plan[^\n]*:\s*", re.MULTILINE)
_ANSWERED = "User has answered your questions:"
_PAIR = re.compile(r'"(?P<question>(?:[^"\\]|\\.)*)"="(?P<answer>(?:[^"\\]|\\.)*)"')
_ANSWER = re.compile(r"^\*\*Answer:\*\*[ \t]*(?P<answer>\S.*)\Z", re.MULTILINE | re.DOTALL)
_QUESTION = re.compile(r"^\*\*(?P<question>(?!Answer:)[^\n]+?)\*\*[^\n*]*$", re.MULTILINE)
_OPTION = re.compile(r"^- \*\*(?P<option>[^\n]+?)\*\*", re.MULTILINE)
# More pieces than this are not tried as answers to several questions.
_MANY = 60

Make = Callable[..., Turn]


def turns(make: Make, line: int, block: str, closed: bool) -> list[Turn]:
    """The turns of a block.

    Args:
        make: makes a turn of a line number, speaker, form, text and the other fields.
        line: number of the line of its opening tag.
        block: its text from the opening tag on.
        closed: whether it has its closing tag; else the opening line is reported as damage, and the call stands one
            line below it.
    """
    opening, _, rest = block.partition("\n")
    named = _NAME.search(opening)
    name = named[1] if named else "?"
    if not rest and not closed:
        return []
    text = without_close(block)
    begins, told = _input_begins(text, len(opening))
    output = _output(text, begins)
    given = text[begins : output[0] if output else len(text)].strip()
    answer = _ANSWER.search(text, begins) if output is None else None
    if answer:
        given = text[begins : answer.start()].strip()
    spoken = "\n".join(part for part in (told, given) if part) or f"Tool use: {name}"
    call = f"L{line}"
    found = [make(line if closed else line + 1, Speaker.ASSISTANT, Form.CALL, spoken, name=name, call=call)]
    if answer:
        at = line + text.count("\n", 0, answer.start())
        found += [
            make(at, Speaker.HUMAN, Form.PROSE, said, call=call, mark="answer", about=question)
            for question, said in answers(given, answer["answer"].strip())
        ]
    if output:
        _, start, end = output
        found += _result(make, line + text.count("\n", 0, start), text[start:end], name, call, given)
    return found


def without_close(block: str) -> str:
    """A block without the tags that close it."""
    bare = block.rstrip()
    for tag in ("</tool-use>", "</think>"):
        if bare.endswith(tag):
            return bare[: -len(tag)].rstrip().removesuffix("</details>").rstrip()
    return bare


def _input_begins(text: str, opening: int) -> tuple[int, str]:
    summary = _SUMMARY.search(text, 0, opening + 20_000)
    if summary is None:
        return opening, ""
    return summary.end(), _BOILERPLATE.sub("", summary[1]).strip()


def _output(text: str, begins: int) -> tuple[int, int, int] | None:
    """Where the fence of the output stands, and where its content begins and ends; None if there is no output."""
    first = _FENCE.search(text, begins)
    if first is None:
        return None
    kind = first[2].strip()
    fence, place, start = first[1], first.start(), first.end()
    if kind not in ("", "text"):
        # The first fence holds the input: of a file the last fence is the output, of a command the first one after it.
        fences = list(_AFTER_INPUT.finditer(text, first.end()))
        if not fences:
            return None
        later = fences[0 if kind in _SHELLS else -1]
        fence, place, start = later[1], later.start(1), later.end()
    end = len(text)
    last = text.rfind("\n", start - 1) + 1
    if last >= start and text[last:].strip() == fence:
        end = last
    return place, start, max(start, end)


def _result(make: Make, line: int, output: str, name: str, call: str, given: str) -> Iterator[Turn]:
    text = output.rstrip()
    tool = {"name": name, "call": call}
    if text.startswith(_REJECTED):
        yield make(line, Speaker.TOOL, Form.RESULT, text, error=True, mark="rejected", **tool)
        if reason := _REASON.search(text):
            at = line + text.count("\n", 0, reason.start("reason"))
            yield make(at, Speaker.HUMAN, Form.PROSE, reason["reason"].strip(), call=call, mark="rejection")
        return
    if not text.strip():
        yield make(line, Speaker.TOOL, Form.RESULT, "(no output)", **tool)
        return
    yield make(line, Speaker.TOOL, Form.RESULT, text, error=_FAILED.match(text) is not None, **tool)
    if approved := _APPROVED.match(text):
        plan = _PLAN.search(text)
        about = text[plan.end() :].strip() if plan else given
        yield make(line, Speaker.HUMAN, Form.PROSE, approved[0], call=call, mark="approval", about=about)
    elif text.startswith(_ANSWERED):
        for pair in _PAIR.finditer(text):
            if pair["answer"].strip():
                about = pair["question"]
                yield make(line, Speaker.HUMAN, Form.PROSE, pair["answer"], call=call, mark="answer", about=about)


def answers(asked: str, answer: str) -> list[tuple[str, str]]:
    """The questions of a dialog, each with its answer.

    Several answers are written as one list with commas, and what a person types holds commas too; so the list is cut
    where most pieces are options of their question. If that leaves a doubt, the answer stands whole, to all questions.
    """
    found = list(_QUESTION.finditer(asked))
    questions = [question["question"] for question in found]
    if len(questions) < 2:
        return [(questions[0] if questions else "", answer)]
    ends = [*(question.start() for question in found[1:]), len(asked)]
    options = [
        {option["option"] for option in _OPTION.finditer(asked, question.end(), end)}
        for question, end in zip(found, ends, strict=True)
    ]
    cut = _cut(answer.split(", "), options)
    if cut is None:
        return [(" / ".join(questions), answer)]
    return list(zip(questions, cut, strict=True))


def _cut(pieces: list[str], options: list[set[str]]) -> list[str] | None:
    """The one way to join pieces into as many answers as there are questions with most of them options, or None."""
    if len(pieces) > _MANY or len(options) > _MANY:
        return None
    # best[n]: for the first n pieces, how many answers are options, in how many ways, and where the last answer begins.
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 1, ())}
    for known in options:
        following: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        for start, (score, ways, cuts) in best.items():
            for end in range(start + 1, len(pieces) + 1):
                reached = score + (", ".join(pieces[start:end]) in known)
                old = following.get(end)
                if old is None or reached > old[0]:
                    following[end] = (reached, ways, (*cuts, start))
                elif reached == old[0]:
                    following[end] = (reached, old[1] + ways, old[2])
        best = following
    if len(pieces) not in best or best[len(pieces)][1] != 1:
        return None
    cuts = (*best[len(pieces)][2], len(pieces))
    return [", ".join(pieces[start:end]).strip() for start, end in pairwise(cuts)]
