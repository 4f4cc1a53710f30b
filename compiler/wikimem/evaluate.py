"""Evaluate: how well memory is compiled and recalled, on a benchmark or on a vault's own questions, in figures.

A benchmark's conversations become sources of a temporary vault, a vault for each haystack, are compiled and asked; nothing
of the user's own vault is touched. What is measured is the product: the same capture, compile, index and bundles.
"""

from __future__ import annotations

import platform
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from wikimem import answering, feedback, indexing, meaning, memory, probing
from wikimem import vault as vaults
from wikimem.answering import Answering
from wikimem.compile import Wish as Compiling
from wikimem.compile import compile
from wikimem.consolidate import Wish as Consolidating
from wikimem.consolidate import consolidate
from wikimem.core import lifting, ranking, texts
from wikimem.core.evaluation import comparing, gates, offtopic
from wikimem.core.evaluation import own as questions
from wikimem.core.evaluation.cases import SUBJECT, Case, Sort
from wikimem.core.evaluation.comparing import Change
from wikimem.core.evaluation.compiled import Tally, tally, updates
from wikimem.core.evaluation.gates import Gate
from wikimem.core.evaluation.reports import Evaluation
from wikimem.core.queries import Within
from wikimem.edges import datasets
from wikimem.edges.datasets import Haystack
from wikimem.edges.importers import canonical
from wikimem.edges.importers.format import Conversation
from wikimem.edges.index.searching import CHANNELS
from wikimem.errors import Problem, UsageError
from wikimem.indexing import Shelves
from wikimem.ingest import ingest
from wikimem.init import init
from wikimem.intake import Wish as Ingesting
from wikimem.vault import Vault

QUESTIONS = "eval/questions.jsonl"
"""Where a vault keeps its own questions."""
GATES = "eval/gates.toml"
"""Where it keeps the limits that their figures must keep."""
ABLATIONS = (probing.CLAIMS, probing.MEANING, *CHANNELS)
"""The channels that can be left out."""


class BadQuestions(UsageError):
    """A file of questions or gates cannot be used."""

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        told = "; ".join(str(problem) for problem in problems[:3])
        more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        super().__init__(f"{path} cannot be used: {told}{more}. Nothing was asked; mend it and run again.")


class NoReport(UsageError):
    """A file is no report of an evaluation."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is no report of an evaluation ({why}). Write one with `wikimem eval … --json > FILE`.")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        ablate: channels that recall does without, of `ABLATIONS`.
        compile: whether the sources are compiled; otherwise only turns can be found.
        haystacks: at most so many of the data set; 0 for all.
        offtopic: whether each haystack is asked the hundred off-topic questions too.
        model: who compiles; '' for `rules`.
        answering: who answers each question, and judges; None where only what is found counts.
        dense: the sentence model of recall, a folder or a name; '' for none. A vault's own questions are asked with its own.
        consolidate: whether what was compiled is consolidated too, before it is asked.
    """

    ablate: tuple[str, ...] = ()
    compile: bool = True
    haystacks: int = 0
    offtopic: bool = True
    model: str = ""
    answering: Answering | None = None
    dense: str = ""
    consolidate: bool = False


def evaluate(
    dataset: str, path: Path, wish: Wish | None = None, progress: Callable[[str], None] = lambda doing: None
) -> Evaluation:
    """The figures of a benchmark.

    Args:
        dataset: one of `datasets.READERS`.
        path: its file or folder.
        wish: what else is asked for.
        progress: told what is being done.

    Raises:
        UsageError: there is no such data set or channel, or the path is not that data set.
        WorldError: git or the disk stands in the way.
    """
    wish = wish or Wish()
    _check(wish)
    if dataset not in datasets.READERS:
        raise UsageError(f"{dataset!r} is no data set that can be read. Known are {', '.join(datasets.READERS)}.")
    if not path.exists():
        raise UsageError(f"{path} does not exist. Name the {dataset} file or folder.")
    report = Evaluation(_run(dataset, path, wish))
    read = datasets.READERS[dataset](path)
    with tempfile.TemporaryDirectory(prefix="wikimem-eval-") as place:
        for number, haystack in enumerate(islice(read, wish.haystacks or None), 1):
            _haystack(Path(place) / f"{number:05}", haystack, wish, report, progress)
    if not report.rows:
        raise datasets.BadDataset(path, dataset, "it holds no question")
    return report


def own(
    vault: Vault,
    asked: Path | None = None,
    limits: Path | None = None,
    wish: Wish | None = None,
    progress: Callable[[str], None] = lambda doing: None,
) -> Evaluation:
    """The figures of a vault's own questions, held against its gates.

    Args:
        vault: the vault; it is read, and its index brought in step, nothing else.
        asked: the file of questions; None for `QUESTIONS` of the vault.
        limits: the file of gates; None for `GATES` of the vault, which need not be there.
        wish: `ablate` and `offtopic` count.
        progress: told what is being done.

    Raises:
        UsageError: there are no questions, or questions or gates that cannot be used, an unknown metric among them.
    """
    wish = wish or Wish(offtopic=False)
    _check(wish)
    path = asked or vault.root / QUESTIONS
    if not path.is_file():
        raise UsageError(f"There are no questions at {path}. Write one JSON object a line: question, expected, answer, at.")
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise BadQuestions(path, [Problem(str(path), "question", f"it is not UTF-8 ({error.reason})")]) from None
    cases, problems = questions.read(lines, path.name)
    if problems or not cases:
        raise BadQuestions(path, problems or [Problem(path.name, "question", "it holds no question")])
    held = _gates(limits, vault.root / GATES)
    report = Evaluation(_run("own", path, wish))
    report.run["model"] = vault.settings.model
    progress("asking")
    start = time.perf_counter()
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary) as shelves:
        asking = (*cases, *_offtopic()) if wish.offtopic else tuple(cases)
        _ask(shelves, asking, "own", wish, report, vault)
    report.cost.ask = time.perf_counter() - start
    report.problems += _strays(cases, vault)
    report.tally = _tally(vault, cases)
    report.use = feedback.figures(vault)
    every = gates.flat(report.figures(), report.compiled(), report.costs(), report.used())
    report.checked, unknown = gates.check(held, every)
    if unknown:
        raise BadQuestions(limits or vault.root / GATES, unknown)
    return report


def compare(before: Path, after: Path) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """What differs between two reports written with `--json`: figures, and how the runs differ.

    Raises:
        NoReport: one of the files is none.
    """
    first, second = _report(before), _report(after)
    return comparing.changes(first, second), comparing.differing(first, second)


def _report(path: Path) -> Mapping[str, Any]:
    try:
        told = orjson.loads(path.read_bytes())
    except OSError as error:
        raise NoReport(path, error.strerror or "it cannot be read") from None
    except ValueError:
        raise NoReport(path, "it is not JSON") from None
    if not isinstance(told, dict) or not {"run", "figures", "questions"} <= told.keys():
        raise NoReport(path, "it lacks run, figures or questions")
    return told


def _check(wish: Wish) -> None:
    for channel in wish.ablate:
        if channel not in ABLATIONS:
            raise UsageError(f"{channel!r} is no channel. Known are {', '.join(ABLATIONS)}.")


def _run(dataset: str, path: Path, wish: Wish) -> dict[str, Any]:
    constants = {
        name: value for name, value in {**vars(ranking), **vars(lifting)}.items() if name.isupper() and not name.startswith("_")
    }
    return {
        "dataset": dataset,
        "file": path.name,
        "sha256": _digest(path),
        "version": version("wikimem"),
        "python": platform.python_version(),
        "model": (wish.model or "rules") if wish.compile else "",
        "ablate": list(wish.ablate),
        "haystacks": wish.haystacks,
        "offtopic": wish.offtopic,
        "dense": Path(wish.dense).name if wish.dense else "",
        **({"consolidated": True} if wish.consolidate else {}),
        "constants": constants,
        **(wish.answering.run if wish.answering else {}),
    }


def _digest(path: Path) -> str:
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    whole = sha256()
    for file in files:
        whole.update(sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def _offtopic() -> Iterator[Case]:
    for number, question in enumerate(offtopic.QUESTIONS, 1):
        yield Case(f"off-topic-{number}", question, "off-topic", Sort.OFFTOPIC)


def _haystack(place: Path, haystack: Haystack, wish: Wish, report: Evaluation, progress: Callable[[str], None]) -> None:
    """One haystack: captured, compiled, asked."""
    progress(f"capturing {haystack.name}")
    start = time.perf_counter()
    vault = vaults.open_at(init(place / "vault").root)
    vault.settings = replace(vault.settings, dense=_folder(wish.dense))
    _capture(vault, place / "talks", haystack, report)
    report.cost.ingest += time.perf_counter() - start
    start = time.perf_counter()
    if wish.compile:
        progress(f"compiling {haystack.name}")
        done = compile(vault, Compiling(model=wish.model))
        report.cost.spent += done.spent
        report.problems += done.problems
        failed = [one for one in done.outcomes if one.reason]
        report.problems += [Problem(one.source, "held-back", one.reason) for one in failed]
        if wish.consolidate:
            made = consolidate(vault, Consolidating(model=wish.model))
            report.cost.spent += made.spent
            report.problems += made.problems
    report.cost.compile += time.perf_counter() - start
    progress(f"asking {haystack.name}")
    cases = tuple(_placed(haystack, vault, report))
    start = time.perf_counter()
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary) as shelves:
        asking = (*cases, *_offtopic()) if wish.offtopic else tuple(cases)
        _ask(shelves, asking, haystack.name, wish, report, vault)
    report.cost.ask += time.perf_counter() - start
    if wish.compile:
        report.tally = (report.tally or Tally()) + _tally(vault, cases)


def _folder(model: str) -> str:
    """A model that is a folder here, by its whole path: the vault lies elsewhere."""
    return str(Path(model).resolve()) if model and Path(model).is_dir() else model


def _capture(vault: Vault, folder: Path, haystack: Haystack, report: Evaluation) -> None:
    folder.mkdir(parents=True)
    for number, talk in enumerate(haystack.talks, 1):
        told = Conversation(talk.session, "", talk.started, talk.turns)
        (folder / f"{number:05}.jsonl").write_bytes(b"".join(canonical.write(told)))
    # Named one by one: a file that somebody names counts as settled.
    taken = ingest(vault, Ingesting(tuple(sorted(folder.iterdir()))))
    report.problems += taken.problems
    vault.ledger.forget_cache()


def _placed(haystack: Haystack, vault: Vault, report: Evaluation) -> Iterator[Case]:
    """The questions, with the places of the sources instead of those of the data set."""
    place: dict[str, str] = {}
    source_of: dict[str, str] = {}
    for source, sidecar in vault.ledger.all().items():
        source_of[sidecar.session] = source
        for turn in vault.ledger.read(source).turns:
            place[f"{sidecar.session}:{turn.identity}"] = f"{source}:{turn.at}"
    for case in haystack.cases:
        lost = [one for one in case.evidence if one not in place] + [one for one in case.sessions if one not in source_of]
        report.problems += [Problem(f"{haystack.name}, {case.id}", "evidence", f"{one} is not in the data set") for one in lost]
        yield replace(
            case,
            evidence=tuple(place[one] for one in case.evidence if one in place),
            outdated=tuple(place[one] for one in case.outdated if one in place),
            sessions=tuple(source_of[one] for one in case.sessions if one in source_of),
        )


def _ask(shelves: Shelves, cases: Sequence[Case], name: str, wish: Wish, report: Evaluation, vault: Vault) -> None:
    strict = vault.settings.isolation == "strict"
    held = vault.ledger.all().values()
    captured = {one.id: (one.recorded, one.scope) for one in held}
    channel, problems = meaning.opened(vault)
    report.problems += problems
    for case in cases:
        within = Within(strict=strict, at=case.at, captured=captured if case.at else {}, zone=vault.zone)
        report.rows += probing.ask(shelves, [case], name, wish.ablate, within, channel)
    if wish.answering is not None:
        within = Within(strict=strict, captured=captured, zone=vault.zone)
        dataset = report.run["dataset"]
        report.marks += answering.answer(shelves, cases, dataset, name, wish.answering, within, channel)
        report.cost.answers = wish.answering.spent


def _tally(vault: Vault, cases: Iterable[Case]) -> Tally:
    held = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    said: dict[str, dict[str, str]] = {}
    for source in vault.ledger.all():
        said[source] = {turn.at: turn.text for turn in vault.ledger.read(source).turns}

    def stands(source: str, at: str, quote: str) -> bool:
        text = said.get(source, {}).get(at)
        return text is not None and texts.find(quote, text) is not None

    turns = sum(map(len, said.values()))
    asked = [case for case in cases if case.sort is Sort.ANSWERABLE]
    told = tally(held.files.values(), turns, (one for case in asked for one in case.evidence), stands)
    count, wrong = updates(asked, (subject.standings for subject in held.wiki.subjects.values()))
    return replace(told, updates=count, wrong=wrong)


def _strays(cases: Iterable[Case], vault: Vault) -> Iterator[Problem]:
    """A problem for each expected place that is not in the vault: its question can never be answered."""
    held = vault.ledger.all()
    for case in cases:
        for source in case.sessions:
            if source not in held:
                yield Problem(case.id, "expected", f"the source {source} is not in this vault")
        for one in case.evidence:
            source, _, at = one.partition(":")
            if one.startswith(SUBJECT) or source not in held:
                continue
            if not any(turn.at == at or turn.at.startswith(f"{at}-") for turn in vault.ledger.read(source).turns):
                yield Problem(case.id, "expected", f"there is no turn at {one}")


def _gates(named: Path | None, usual: Path) -> tuple[Gate, ...]:
    path = named or usual
    if named is None and not usual.is_file():
        return ()
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadQuestions(path, [Problem(str(path), "gate", error.strerror or "it cannot be read")]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadQuestions(path, [Problem(str(path), "gate", f"it is not valid TOML ({error})")]) from None
    held, problems = gates.read(told, path.name)
    if problems:
        raise BadQuestions(path, problems)
    return held
