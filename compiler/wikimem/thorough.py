"""Thorough: a recall that looks into the files of the vault before it answers; whatever fails, the quick answer stands.

The quick answer gives the cards to begin with. What is found by looking stands before it, each span with its citation;
both together keep to the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wikimem import extracting, seeking
from wikimem.core import bundles, shelving, telling, texts
from wikimem.core.answers import Answer, Told, Written
from wikimem.core.bundles import GUARD, tokens
from wikimem.core.inquiries import Glimpse, Inquiry, Premise, shown
from wikimem.core.passages import Hit, Passage
from wikimem.core.queries import Within
from wikimem.core.shelving import Limits, Line, Resolved
from wikimem.core.statements import Statement
from wikimem.edges.models import Model
from wikimem.errors import ModelFailed, Problem, ReplyAwaited, WikimemError
from wikimem.recall import Recalled, hits, recall
from wikimem.seeking import Bounds, Tools, Trail
from wikimem.shelved import open_shelf
from wikimem.vault import Vault

_CARDS = 70
"""Lines of the quick answer that looking begins with."""
_WIDE = 400
"""Characters of a span that are shown: its words, and what stands around them."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The answer to a thorough recall.

    Args:
        quick: the quick answer, in what the spans leave of the budget.
        trail: what came of looking; None where it failed.
        spans: those of its spans that fit.
        budget: tokens that were allowed.
        problems: of the quick answer, and why there is nothing else.
    """

    quick: Recalled
    trail: Trail | None
    spans: tuple[Resolved, ...]
    budget: int
    problems: tuple[Problem, ...]

    @property
    def text(self) -> str:
        """What an agent reads; empty if nothing was found. Never more than the budget, by `bundles.tokens`."""
        rest = self.quick.bundle.text
        if self.trail is None or not self.spans:
            return rest
        return _block(self.trail, self.spans) + rest.removeprefix(GUARD + "\n")

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values; the shape is stable."""
        trail = self.trail
        told: dict[str, Any] = {
            "effort": "thorough",
            "premise": trail.premise.value if trail else Premise.UNKNOWN.value,
            "note": trail.note if trail else "",
            "spans": [
                {
                    "path": one.span.path,
                    "first": one.span.first,
                    "last": one.span.last,
                    "cite": one.cite,
                    "speaker": one.line.speaker,
                    "said": one.line.said,
                    "quote": one.words,
                }
                for one in self.spans
            ],
            "looks": list(trail.looks) if trail else [],
            "steps": trail.steps if trail else 0,
            "tokens_in": trail.read if trail else 0,
            "tokens_out": trail.wrote if trail else 0,
        }
        quick = self.quick.as_json()
        return {
            **quick,
            "budget": self.budget,
            "tokens": tokens(self.text),
            **told,
            "problems": [str(one) for one in self.problems],
        }


def recall_thoroughly(
    vault: Vault,
    question: str,
    scope: str = "",
    budget: int = bundles.BUDGET,
    at: str = "",
    known: str = "",
    model: Model | str | None = None,
    bounds: Bounds | None = None,
) -> Sought:
    """Evidence for a question, looked for in the files; whatever fails, the quick answer, and why there is no other.

    Args:
        vault: the vault.
        question, scope, budget, at, known: as for `recall`.
        model: who says where to look, or the name; None for the one that the settings name.
        bounds: how far it is looked.

    Raises:
        BadMoment: `at` or `known` is no moment.
        UnknownModel: there is no model of that name.
    """
    bounds = bounds or Bounds()
    quick = recall(vault, question, scope, budget, at, known)
    extractor = extracting.extractor_of(vault, model)
    try:
        trail = _sought(vault, extractor, question, (scope, at, known), bounds)
    except (WikimemError, OSError) as error:
        problem = Problem("thorough", "quick-instead", f"{_why(error)} This is the quick answer")
        return Sought(quick, None, (), budget, (*quick.problems, problem))
    problems = [Problem("thorough", "span", f"{why}; it was left out") for why in trail.dropped]
    problems += [Problem("thorough", "stopped", trail.stopped)] if trail.stopped else []
    spans = _fitting(trail, budget)
    if not spans:
        problems.append(Problem("thorough", "quick-instead", "looking into the files found nothing. This is the quick answer"))
        return Sought(quick, trail, (), budget, (*quick.problems, *problems))
    # What the block takes is not the quick answer's; its guard line stands once.
    left = budget - tokens(_block(trail, spans)) + tokens(GUARD + "\n")
    rest = recall(vault, question, scope, left, at, known)
    return Sought(rest, trail, spans, budget, (*rest.problems, *problems))


def _sought(vault: Vault, extractor: extracting.Extractor, question: str, asked: tuple[str, str, str], bounds: Bounds) -> Trail:
    scope, at, known = asked
    paths = {source: sidecar.path for source, sidecar in vault.ledger.all().items()}

    def search(words: str) -> tuple[Glimpse, ...]:
        return tuple(_glimpses(hits(vault, words, scope, at, known, _CARDS), paths))[:_CARDS]

    until = Within(at=at, known=known).timed
    shelf = open_shelf(vault, scope, until, Limits(entries=40, characters=8_000))
    told = "; ".join(word for word in (f"as it was {at}" if at else "", f"as it was known {known}" if known else "") if word)
    inquiry = Inquiry(question, told, search(question), left=bounds.steps)
    tools = Tools(shelf, search, extractor.model.ask, extractor.prompts, extractor.model.name)
    return seeking.seek(inquiry, tools, bounds)


def _glimpses(answers: Iterable[Answer], paths: Mapping[str, str]) -> Iterator[Glimpse]:
    """What a search found as lines that were seen: of a claim the words that prove it, then the turn where that says more."""
    for answer in answers:
        match answer:
            case Hit(passage):
                yield _turn(passage, paths)
            case Written(prose):
                yield Glimpse(prose.path, Line(f"L{prose.line}", prose.text))
            case Told():
                for statement in (*answer.statements, *answer.before, *answer.also):
                    yield _claim(statement, paths)
                if answer.turn is not None:
                    yield _turn(answer.turn.passage, paths)


def _turn(passage: Passage, paths: Mapping[str, str]) -> Glimpse:
    member = passage.at.rpartition("/")[0]
    path = paths.get(passage.source, passage.source)
    path = f"{path.rpartition('.')[0]}/{member}.jsonl" if member else path
    return Glimpse(path, Line(passage.at, passage.text, _who(passage.speaker.value, passage.name), passage.said))


def _claim(statement: Statement, paths: Mapping[str, str]) -> Glimpse:
    first = statement.first
    about = ", ".join(word for word in (telling.ground(statement), telling.dates(statement), telling.ending(statement)) if word)
    line = Line(first.at, first.quote, _who(first.speaker, first.name), first.said)
    return Glimpse(paths.get(first.source, first.source), line, f"{statement.claim.text} ({about})")


def _who(speaker: str, name: str) -> str:
    return f"{speaker} {name}".rstrip() if speaker == "human" else speaker


def _fitting(trail: Trail, budget: int) -> tuple[Resolved, ...]:
    """The spans that fit into the budget, as they come."""
    found: list[Resolved] = []
    room = budget - tokens(_block(trail, ()))
    sources: set[str] = set()
    for one in trail.spans:
        cost = tokens(_entry(one)) + (0 if _source(one) in sources else tokens(_heading(one)))
        if cost <= room:
            found.append(one)
            sources.add(_source(one))
            room -= cost
    return tuple(found)


def _block(trail: Trail, spans: tuple[Resolved, ...]) -> str:
    """The spans as an agent reads them, those of one file together: thin, a line each, so that many fit.

    What stands in files is quoted on the line of its place, so that no text can pass for a heading or a citation.
    """
    parts = [f"{GUARD}\n"]
    if trail.premise is Premise.FALSE:
        parts.append("\nWhat the question takes for granted is not so, by these words:\n")
    groups: dict[str, list[Resolved]] = {}
    for one in spans:
        groups.setdefault(_source(one), []).append(one)
    for held in groups.values():
        parts.append(_heading(held[0]))
        parts += map(_entry, sorted(held, key=lambda one: shelving.number(one.line.at)))
    return "".join(parts)


def _source(one: Resolved) -> str:
    return one.cite.rpartition(":")[0]


def _heading(one: Resolved) -> str:
    return f"\n## {_source(one)}{f', {one.line.said[:10]}' if one.line.said else ''}\n\n"


def _entry(one: Resolved) -> str:
    who = one.line.speaker.removeprefix("human ") if one.line.speaker != "human" else "human"
    return f"[{one.line.at}]{f' {who}' if who else ''}: “{texts.normal(shown(one.line, one.words, _WIDE))}”\n"


def _why(error: Exception) -> str:
    match error:
        case ReplyAwaited():
            return f"packet {error.packet} waits for a reply; answer it (`wikimem next`) and ask again."
        case ModelFailed():
            return f"the model gave no usable reply: {error.why.rstrip('.')}."
        case OSError():
            return f"{error.filename or 'a file'} cannot be read: {error.strerror or error}."
    return f"{error}"
