"""Prompts: the files in which a question to a model is worded, rendered. Not the questions, and not who answers.

A vault's own file wins over the shipped one of its name. Values are put in as they are: the templates are text, and what
a transcript says is framed in them as data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import extraction, inquiries, linking, solutions, views
from wikimem.core.consolidation import views as consolidation
from wikimem.core.consolidation.views import Leading, Reflecting, Relating, Replying
from wikimem.core.evaluation import judging
from wikimem.core.evaluation.judging import Judged
from wikimem.core.inquiries import Inquiry
from wikimem.core.questions import COMPILING, PAIRS, Question, Task, Values
from wikimem.core.solutions import Asked, Spot
from wikimem.core.views import View
from wikimem.errors import BadPrompt

if TYPE_CHECKING:
    from jinja2 import Environment

_OURS = re.compile(r"<(/?)(wikimem-|pair\b)", re.IGNORECASE)
SCHEMAS = {
    Task.EXTRACT: extraction.SCHEMA,
    Task.CLAIMS: linking.CLAIMS,
    Task.MENTIONS: linking.MENTIONS,
    Task.SEEK: inquiries.SCHEMA,
    Task.ANSWER: solutions.SCHEMA,
    Task.JUDGE: judging.SCHEMA,
    Task.LEAD: consolidation.LEAD,
    Task.RELATE: consolidation.RELATE,
    Task.REFLECT: consolidation.REFLECT,
    Task.REPLY: consolidation.LEAD,
}


class Prompts:
    """The prompts of a vault.

    Args:
        folders: where they are looked for; the first that has a file wins.
        attributes: the names of the vocabulary that a claim may use.
    """

    def __init__(self, folders: Sequence[Path], attributes: Sequence[str]) -> None:
        self._folders = tuple(folders)
        self._attributes = tuple(attributes)

    def question(self, task: Task, values: Values) -> Question:
        """A question, whose prompt is rendered when it is asked for."""
        together = self._together if task in PAIRS else None
        return Question(task, values, SCHEMAS[task], lambda: self._render(task, SCHEMAS[task], [values]), together)

    def _together(self, questions: Sequence[Question]) -> Question:
        """One question of several about pairs; see `Question.together`."""
        task, every = questions[0].task, [question.values for question in questions]
        schema = linking.together(SCHEMAS[task])
        return Question(task, every[0], schema, lambda: self._render(task, schema, every))

    @cached_property
    def digest(self) -> str:
        """12 hexadecimal digits over the prompts and schemas that claims are made with: what a claims file's stamp says."""
        told = [orjson.dumps(SCHEMAS[task], option=orjson.OPT_SORT_KEYS) + self._source(task).encode() for task in COMPILING]
        return sha256(b"\x00".join([*told, *(name.encode() for name in self._attributes)])).hexdigest()[:12]

    def _source(self, task: Task) -> str:
        name = f"{task.value}.md.j2"
        for folder in self._folders:
            path = folder / name
            if path.is_file():
                try:
                    return path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    raise BadPrompt(name, "it is not UTF-8 text") from None
        raise BadPrompt(name, "it is missing from this installation")

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import FileSystemLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        # A vault's own prompts come with its repository, so they may be anybody's: they render, and run nothing.
        # They are text for a model; escaping would change the words that are to be quoted.
        made = ImmutableSandboxedEnvironment(
            loader=FileSystemLoader(list(self._folders)), undefined=StrictUndefined, keep_trailing_newline=False
        )
        # A reply follows the order in which it is asked for: the reason comes before what it is the reason for.
        made.policies["json.dumps_kwargs"] = {"sort_keys": False, "separators": (",", ":")}
        made.filters |= {"data": _one_line, "attr": _attribute}
        return made

    def _render(self, task: Task, schema: Mapping[str, Any], every: Sequence[Values]) -> str:
        from jinja2 import TemplateError

        name = f"{task.value}.md.j2"
        try:
            template = self._environment.get_template(name)
            return template.render(attributes=self._attributes, schema=schema, **_inputs(every))
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise BadPrompt(name, str(error) or type(error).__name__) from None


def _inputs(every: Sequence[Values]) -> dict[str, Any]:
    first = every[0]
    if isinstance(first, View):
        earlier, transcript = (_data(text) for text in views.texts(first))
        return {"view": first, "earlier": earlier, "transcript": transcript, "key": _key(earlier + transcript)}
    if isinstance(first, Inquiry):
        cards = _data("\n".join(map(inquiries.glimpse, first.cards[: inquiries.CARDS]))) or "(none)"
        seen = [(one.look.words, _data(one.text)) for one in first.seen]
        return {"asked": first, "cards": cards, "seen": seen, "key": _key(repr(first))}
    if isinstance(first, Asked):
        return {"asked": first, "spots": _data("\n\n".join(map(_spot, first.spots))), "key": _key(repr(first))}
    if isinstance(first, Leading | Relating | Reflecting | Replying):
        return {"asked": first, "key": _key(repr(first))}
    if isinstance(first, Judged):
        return {"judged": first, "key": _key(repr(first))}
    return {"pairs": every, "key": _key(repr(every))}


def _spot(spot: Spot) -> str:
    """A piece of evidence as a model reads it: number, place, who and when; then what it says, and what it ended."""
    who = ", ".join(word for word in (spot.speaker, spot.name, spot.said[:16].replace("T", " ")) if word)
    if not spot.stance:
        return f"[{spot.number}] {who or 'written on a page'}\n{spot.text.strip()}"
    stance = ", ".join(word for word in (spot.stance, "ended" if spot.ended else "", spot.holds) if word)
    lines = [f"[{spot.number}] claim ({stance}): {spot.text}", f"proved by {who}: {spot.proof.strip()}" if spot.proof else ""]
    lines += [f"in its place now: {spot.instead[0]}" if spot.instead[0] else ""]
    lines += [f"before: {text}" for text in spot.earlier] + [f"in conflict with: {text}" for text in spot.rivals]
    return "\n".join(line for line in lines if line)


def _key(data: str) -> str:
    """What the tags around data carry: a hash of it, which it cannot hold itself."""
    return sha256(data.encode("utf-8", "replace")).hexdigest()[:12]


def _data(text: str) -> str:
    """A text in which nothing looks like the end of our data, nor like a task of ours."""
    return _OURS.sub(r"<\\\1\2", text)


def _one_line(text: str) -> str:
    return " ".join(_data(text).split())


def _attribute(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("<", "(").replace(">", ")").split())[:200]
