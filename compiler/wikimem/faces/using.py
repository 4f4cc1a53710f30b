"""The command `wikimem feedback`: parse, call one verb, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wikimem.core import texts

if TYPE_CHECKING:
    from wikimem.core.evaluation.use import Use
    from wikimem.feedback import Judged, Recent

_TOLD = {
    "recalls": "recalls logged",
    "no_inject": "of them gave nothing",
    "context_tokens": "tokens of those that gave something, on average",
    "judged": "recalls that somebody judged",
    "evidence_precision": "of the answers were of use, in recalls of which somebody said which",
    "misled": "of the judged ones that gave something misled",
    "stale": "of the judged ones that gave something gave what has ended",
    "missing": "of the judged ones lacked something",
    "silent_missing": "of the judged ones that gave nothing lacked something",
    "good": "of those rated as a whole were good",
    "sessions": "captured sessions in which a recall told something",
    "correction_rate": "of them in which a person corrected it",
    "injection_shaped": "claims that look like an order to an agent",
    "injection_shaped_share": "of all claims",
}
_COUNTS = frozenset({"recalls", "context_tokens", "judged", "sessions", "injection_shaped"})


def _list(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Several answers may stand in one value: `--used 1,3`."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


@click.command()
@click.argument("recall", default="")
@click.option("--used", multiple=True, callback=_list, metavar="ANSWER", help="It was of use; `none` if nothing was.")
@click.option("--misled", multiple=True, callback=_list, metavar="ANSWER", help="It was wrong, or led astray.")
@click.option("--stale", multiple=True, callback=_list, metavar="ANSWER", help="It held once and does not any more.")
@click.option("--missing", multiple=True, metavar="TEXT", help="What should have been there.")
@click.option("--good/--bad", default=None, help="Whether the recall did its work as a whole.")
@click.option("--list", "listed", default=None, metavar="N", type=click.IntRange(min=1), help="List the last N recalls.")
@click.option("--figures", is_flag=True, help="Print the figures of use instead.")
@click.option("--since", default="", metavar="DATE", help="With --figures: only what was recalled on this day or later.")
@click.option("--scope", default="", metavar="SCOPE", help="In a strict vault: whose recalls are seen (project:checkout).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")
@click.pass_context
def feedback(
    ctx: click.Context,
    recall: str,
    used: tuple[str, ...],
    misled: tuple[str, ...],
    stale: tuple[str, ...],
    missing: tuple[str, ...],
    good: bool | None,
    listed: int | None,
    figures: bool,
    since: str,
    scope: str,
    as_json: bool,
) -> None:
    """Say what became of a recall: which answers were of use, misled or were out of date, and what was missing.

    RECALL is its id; without one, the last recall is meant. ANSWER is a number as listed, the id of a claim, or a citation;
    several may be given, also with commas. With no option the recall is shown with its answers by number. It goes to the log
    beside the wiki and changes no page; `wikimem reject` and `wikimem settle` do.
    """
    import wikimem

    vault = wikimem.open(ctx.obj)
    if figures:
        use = vault.use(since=since, scope=scope)
        _print(use.as_json() if as_json else _figures(use))
    elif listed:
        recent = vault.recalls(listed, scope=scope)
        _print(recent.as_json() if as_json else _recent(recent))
    else:
        judged = vault.feedback(recall, used=used or None, misled=misled, stale=stale, missing=missing, good=good, scope=scope)
        _print(judged.as_json() if as_json else _judged(judged))


def _judged(found: Judged) -> str:
    recall, said = found.recall, found.said
    lines = [_head(found)]
    for number, id in enumerate(recall.ids, 1):
        marks = [] if said is None else [name for name in ("used", "misled", "stale") if id in (getattr(said, name) or ())]
        lines.append(f"{number:4}  {id}" + (f"  {', '.join(marks)}" if marks else ""))
    if not recall.ids:
        lines.append("It gave nothing.")
    if said is not None:
        beside = [
            f"{name}: {id}" for name in ("used", "misled", "stale") for id in getattr(said, name) or () if id in recall.beside
        ]
        lines += beside
        lines += ["used: none"] if said.used == () else []
        lines += [f"missing: {_line(one)}" for one in said.missing]
        lines += [] if said.good is None else ["good" if said.good else "bad"]
    return "\n".join(lines)


def _recent(found: Recent) -> str:
    return "\n".join(map(_head, found.judged)) or "No recall is logged here."


def _head(found: Judged) -> str:
    recall = found.recall
    asked = _line(recall.question) or (f"(hash {recall.hash})" if recall.hash else "")
    gave = f"{len(recall.ids)} answers" if recall.ids else "nothing"
    about = [recall.id, recall.time.replace("T", " "), recall.scope, recall.channel, gave, "judged" if found.said else "", asked]
    return "  ".join(part for part in about if part)


def _figures(use: Use) -> str:
    lines = []
    for name, value in use.metrics().items():
        number = "-" if value is None else f"{value:.0f}" if name in _COUNTS else f"{value * 100:.1f} %"
        lines.append(f"{number:>8}  {_TOLD[name]} ({name})")
    lines += [f"corrected: {one.source}:{one.correction.at}  {_line(one.correction.words)}" for one in use.corrected]
    lines += [
        f"looks like an order ({one.kind}): {one.claim}  {one.stance}, {one.speaker}, {one.cite}  {_line(one.text)}"
        for one in use.shaped
    ]
    if use.log.broken:
        lines.append(f"{use.log.broken} lines of the log cannot be read; they are passed over")
    return "\n".join(lines)


def _line(text: str) -> str:
    """One line of at most 200 characters, without any that would move a terminal's cursor."""
    return texts.normal(text)[:200]


def _print(told: object) -> None:
    import orjson

    click.echo(told if isinstance(told, str) else orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
