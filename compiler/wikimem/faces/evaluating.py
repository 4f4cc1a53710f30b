"""The commands below `wikimem eval`: parse, call one verb, print. No figure is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wikimem.core.evaluation.comparing import Change
    from wikimem.core.evaluation.reports import Evaluation

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON: all figures, all questions, all to repeat the run.")
_ABLATE = click.option(
    "--ablate",
    multiple=True,
    metavar="CHANNEL",
    help="Do without a channel of recall: claims, neighbours, speakers, dates, floor. Can be given several times.",
)
_ANSWERS = click.option(
    "--answers", default="", metavar="NAME", help="Also let this model answer each question, from 2,000 tokens of evidence."
)
_JUDGE = click.option("--judge", default="", metavar="NAME", help="Who judges the answers; else the model that gives them.")
_JOBS = click.option("--jobs", default=1, metavar="N", type=click.IntRange(min=1), help="Answer N questions at once.")
_MARKED = (
    ("questions", "asked"),
    ("accuracy", "right"),
    ("f1", "f1"),
    ("lost", "lost"),
    ("abstained", "abst"),
    ("abstention_judged", "judged"),
    ("citations", "cited"),
    ("citations_dropped", "drop"),
)
_SETS = {
    "locomo": "LoCoMo: long chats of two people; evidence by turn.",
    "longmemeval": "LongMemEval: official rows, oracle rows, or haystacks with several questions.",
    "beam": "BEAM: a folder of conversations with probing questions.",
    "personamem": "PersonaMem: questions_….csv, with shared_contexts_….jsonl beside it.",
}
_SHOWN = (
    ("questions", "asked"),
    ("recall@5", "r@5"),
    ("recall@10", "r@10"),
    ("recall@20", "r@20"),
    ("full_recall@10", "full"),
    ("any@5", "any@5"),
    ("mrr", "mrr"),
    ("session_recall@5", "s@5"),
    ("session_full_recall@10", "s full"),
    ("coverage@500", "c500"),
    ("coverage@1000", "c1000"),
    ("coverage@2000", "c2000"),
    ("precision", "prec"),
    ("contradiction_coverage", "contra"),
    ("offtopic_silent", "off"),
    ("absent_silent", "absent"),
    ("answerable_silent", "lost"),
)


@click.group(name="eval")
def group() -> None:
    """Measure recall: on a benchmark, in a temporary vault, or on this vault's own questions.

    Columns: r@k share of the evidence among the first k answers, full all of it among ten, any@5 any of it among five, mrr,
    s the same of sessions, c share of the evidence in a context of so many tokens, prec share of that context that is
    evidence, contra contradicting evidence all seen, off and absent questions rightly answered with nothing, lost
    answerable ones that got nothing. A dash: nothing was counted.

    With --answers: right by the benchmark's own judge or option, f1 overlap of words, lost answerable questions that got no
    answer, abst others that rightly got none, judged the same by the judge, cited and drop citations that stand and that do not.
    """


def _benchmark(name: str, told: str) -> None:
    @group.command(name=name, help=f"{told}\n\nConversations become dated sessions of a temporary vault, are compiled and asked.")
    @click.argument("path", type=click.Path())
    @_ABLATE
    @click.option("--turns", is_flag=True, help="Do not compile: only turns can be found.")
    @click.option("--dense", default="", metavar="MODEL", help="A sentence model for recall: a folder or a name.")
    @click.option("--consolidate", is_flag=True, help="Consolidate what was compiled, before it is asked.")
    @click.option("--haystacks", default=0, metavar="N", type=click.IntRange(min=0), help="Only the first N conversations.")
    @click.option("--no-offtopic", is_flag=True, help="Leave out the hundred off-topic questions.")
    @click.option("--model", default="", metavar="NAME", help="Who compiles; else the built-in rules.")
    @_ANSWERS
    @_JUDGE
    @_JOBS
    @_JSON
    @click.pass_context
    def command(
        ctx: click.Context,
        path: str,
        ablate: tuple[str, ...],
        turns: bool,
        consolidate: bool,
        haystacks: int,
        no_offtopic: bool,
        model: str,
        dense: str,
        answers: str,
        judge: str,
        jobs: int,
        as_json: bool,
    ) -> None:
        from pathlib import Path

        from wikimem import answering
        from wikimem.evaluate import Wish, evaluate

        who = answering.named(answers, judge, answering.near(ctx.obj), jobs=jobs) if answers else None
        wish = Wish(ablate, not turns, haystacks, not no_offtopic, model, who, dense, consolidate and not turns)
        with _progress() as progress:
            report = evaluate(name, Path(path).expanduser(), wish, progress)
        _print(report.as_json() if as_json else _text(report))
        ctx.exit(report.code)


for _name, _told in _SETS.items():
    _benchmark(_name, _told)


@group.command()
@click.option("--questions", default=None, metavar="FILE", help="Else eval/questions.jsonl of the vault.")
@click.option("--gates", default=None, metavar="FILE", help="Else eval/gates.toml of the vault, if it is there.")
@click.option("--offtopic", is_flag=True, help="Ask the hundred off-topic questions too.")
@_ABLATE
@_ANSWERS
@_JUDGE
@_JOBS
@_JSON
@click.pass_context
def own(
    ctx: click.Context,
    questions: str | None,
    gates: str | None,
    offtopic: bool,
    ablate: tuple[str, ...],
    answers: str,
    judge: str,
    jobs: int,
    as_json: bool,
) -> None:
    """Ask this vault's own questions, and hold the figures against its gates.

    A question is a line of JSON: question, expected (places `source:L120`, or subjects), answer, at. A gate is a table
    [[gate]] with metric, limit, kind (floor or ceiling) and action (fail or warn). Exit code 1 if a gate fails, 3 if replies of
    the model `handoff` are awaited.
    """
    import wikimem

    with _progress() as progress:
        report = wikimem.open(ctx.obj).evaluate_own(
            questions, gates, ablate=ablate, offtopic=offtopic, answers=answers, judge=judge, jobs=jobs, progress=progress
        )
    _print(report.as_json() if as_json else _text(report))
    ctx.exit(report.code)


@group.command()
@click.argument("before", type=click.Path())
@click.argument("after", type=click.Path())
@_JSON
def compare(before: str, after: str, as_json: bool) -> None:
    """Compare two reports of one data set, figure by figure, with the number of questions that became better or worse."""
    from dataclasses import asdict
    from pathlib import Path

    from wikimem.evaluate import compare as compare_files

    changes, differing = compare_files(Path(before).expanduser(), Path(after).expanduser())
    if as_json:
        _print({"changes": [asdict(one) for one in changes], "runs": list(differing)})
    else:
        _print(_changes(changes, differing))


def _text(report: Evaluation) -> str:
    lines = _table(report.figures(), _SHOWN)
    if compiled := report.compiled():
        lines += ["", "compile: " + ", ".join(f"{key} {_number(value)}" for key, value in compiled.items() if key != "refused")]
        if compiled["refused"]:
            lines.append("refused: " + ", ".join(f"{rule} {count}" for rule, count in compiled["refused"].items()))
    lines += ["", "cost: " + ", ".join(f"{key} {_number(value)}" for key, value in report.costs().items())]
    if marked := report.answers():
        lines += ["", *_table(marked["figures"], _MARKED)]
        lines += ["", "answers: " + ", ".join(f"{key} {_number(value)}" for key, value in marked["cost"].items())]
        failed = [f"{one['id']}: {one['problem']}" for one in marked["questions"] if one["problem"] and not one["waiting"]]
        lines += [f"{len(failed)} without an answer or judgement, such as {failed[0]}"] if failed else []
        if report.waiting:
            lines.append(f"{report.waiting} packets wait for a reply: see `wikimem next`; then run this again.")
    if used := report.used():
        lines += ["", "use: " + ", ".join(f"{key} {_number(value)}" for key, value in used.items())]
    lines += [_gate(one.as_json()) for one in report.checked]
    if report.problems:
        lines += ["", *map(str, report.problems[:20])]
        lines += [f"and {len(report.problems) - 20} more"] if len(report.problems) > 20 else []
    return "\n".join(lines)


def _table(told: Mapping[str, Mapping[str, float | None]], shown: Sequence[tuple[str, str]]) -> list[str]:
    names = [(key, head) for key, head in shown if any(values[key] is not None for values in told.values())]
    width = max(len("category"), *map(len, told))
    lines = [f"{'category':{width}}  " + "  ".join(f"{head:>6}" for _, head in names)]
    return [
        *lines,
        *(f"{name:{width}}  " + "  ".join(_cell(key, values[key]) for key, _ in names) for name, values in told.items()),
    ]


def _cell(key: str, value: float | None) -> str:
    return f"{'-':>6}" if value is None else f"{value:6.0f}" if key == "questions" else f"{value:6.3f}"


def _number(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _gate(told: dict[str, Any]) -> str:
    verdict = "kept" if told["kept"] else "FAILED" if told["action"] == "fail" else "not kept"
    return f"gate {told['metric']}: {_number(told['value'])}, {told['kind']} {_number(told['limit'])}: {verdict}"


def _changes(changes: tuple[Change, ...], differing: tuple[str, ...]) -> str:
    lines = [f"The runs differ in {one}" for one in differing]
    if not changes:
        return "\n".join([*lines, "No figure differs."])
    for one in changes:
        chance = "" if one.chance is None else f", by chance {one.chance:.2f}"
        split = f" (better {one.better}, worse {one.worse}{chance})" if one.better or one.worse else ""
        lines.append(f"{one.category}/{one.metric}: {_number(one.before)} -> {_number(one.after)}{split}")
    return "\n".join(lines)


def _print(told: object) -> None:
    import orjson

    click.echo(told if isinstance(told, str) else orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    import sys

    if not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as line:
        yield line.update
