"""The command `wikimem ask`, and how answers and thorough recalls are printed. No rules here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wikimem.ask import Answered
    from wikimem.core.solutions import Cited
    from wikimem.thorough import Sought


EFFORT = click.option(
    "--effort", default="quick", type=click.Choice(["quick", "thorough"]), help="Also look into the files, step by step."
)
MODEL = click.option("--model", default="", metavar="NAME", help="Who is asked; else the model that the settings name.")


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--scope", default="", metavar="SCOPE", help="The project that asks (project:checkout).")
@click.option("--at", default="", metavar="DATE", help="What held then, as far as is known now.")
@click.option("--known", default="", metavar="DATE", help="What was known by then.")
@MODEL
@EFFORT
@click.option("--save", is_flag=True, help="File the answer: a source, and an inference on a page of its own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")
@click.pass_context
def ask(
    ctx: click.Context,
    question: tuple[str, ...],
    scope: str,
    at: str,
    known: str,
    model: str,
    effort: str,
    save: bool,
    as_json: bool,
) -> None:
    """Answer a question from memory, each statement cited; or say that it is not in memory, or that memory says otherwise.

    The built-in model quotes and never words an answer itself; any other may. Every citation is checked by code. Exit code 1
    if it is not in memory, 3 if a reply of the model `handoff` is awaited.
    """
    import orjson

    import wikimem

    vault = wikimem.open(ctx.obj)
    found = vault.ask(" ".join(question), scope=scope, at=at, known=known, model=model or None, effort=effort, save=save)
    told = orjson.dumps(found.as_json(), option=orjson.OPT_INDENT_2).decode() if as_json else answered(found, vault.unseen(scope))
    click.echo(told)
    ctx.exit(found.code)


def answered(found: Answered, unseen: str = "") -> str:
    """An answer as a person reads it; where there is none, why the vault tells nothing to whoever asks, if that is so."""
    from wikimem.core.solutions import Verdict

    told = found.solution
    if found.waiting:
        lines = [f"Packet {found.waiting} waits for a reply: see `wikimem next`; then ask again."]
    elif told.verdict is Verdict.ABSENT:
        lines = [f"Not in memory. {unseen}".rstrip()]
    elif told.verdict is Verdict.OTHERWISE:
        lines = [f"The memory says otherwise: {told.text}"]
    else:
        lines = [told.text]
    lines += ["", *(_cited(number, one) for number, one in enumerate(told.citations, 1))] if told.citations else []
    for one in found.earlier:
        stale = f", stale: {'; '.join(one.stale)}" if one.stale else ""
        lines += ["", f"Filed on {one.answer.day} ({one.source}{stale}): {one.answer.text}"]
    if found.kept:
        lines += ["", f"Filed as {found.kept.source}{f', on {found.kept.page}' if found.kept.page else ''}."]
    return _printable([*lines, *(["", *(f"Problem: {each}" for each in found.problems)] if found.problems else [])])


def _cited(number: int, one: Cited) -> str:
    spot = one.spot
    who = ", ".join(word for word in (spot.stance, spot.name or spot.speaker, spot.said[:10]) if word)
    return f"[{number}] {spot.cite}{f' ({who})' if who else ''}: “{' '.join(one.words.split())}”"


def sought(found: Sought) -> str:
    """A thorough recall as an agent reads it."""
    told = found.text.rstrip("\n") or "Nothing relevant was said."
    note = [f"Note: {found.trail.note}"] if found.trail and found.trail.note else []
    return _printable([told, *note, *(f"Problem: {each}" for each in found.problems)])


def _printable(lines: Iterable[str]) -> str:
    from wikimem.faces import text

    return text.printed(lines)
