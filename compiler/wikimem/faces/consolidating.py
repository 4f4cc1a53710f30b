"""The command `wikimem consolidate`: parse, call one verb, print."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wikimem.consolidate import Consolidated


@click.command()
@click.option(
    "--only",
    default="",
    metavar="STEP",
    help="Only this step: identities, leads, procedures, links, profiles, reflections, themes, answers, maps; or housekeeping, "
    "the last two.",
)
@click.option("--model", default="", metavar="NAME", help="Who proposes; else the model that the settings name.")
@click.option("--budget", default="", metavar="SUM", help="What this run may spend at most: 2.50usd, or 300k (tokens).")
@click.option("--background", is_flag=True, help="Nobody waits for it: the day's limit for such work holds.")
@click.option("--anew", is_flag=True, help="Ask also where nothing changed since it was asked last.")
@click.option("--dry-run", is_flag=True, help="Say how many pages would be looked at, and what that would cost.")
@click.option(
    "--print-schedule",
    default=None,
    type=click.Choice(["cron", "systemd", "workflow"]),
    help="Print what runs it every night, ready to be put in its place.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")
@click.pass_context
def consolidate(
    ctx: click.Context,
    only: str,
    model: str,
    budget: str,
    background: bool,
    anew: bool,
    dry_run: bool,
    print_schedule: str | None,
    as_json: bool,
) -> None:
    """Make leads, runbooks, links, conclusions, maps and answers of what many sessions told; nothing a page says is taken away.

    Two names of one thing become one page, near-duplicates one line with the evidence of both. Each step is one commit, and
    rests on claims: what they no longer say is marked, or goes with them. A second pass over a wiki that has not changed asks
    nobody and commits nothing. Exit code 3 if a step waits for a budget, a quota or a reply.
    """
    import orjson

    import wikimem

    vault = wikimem.open(ctx.obj)
    if print_schedule is not None:
        from wikimem.core import schedules

        click.echo(schedules.of(print_schedule, str(vault.root)), nl=False)
        return
    done = vault.consolidate(
        only=only,
        model=model or None,
        budget=budget,
        background=background,
        anew=anew,
        dry_run=dry_run,
        progress=lambda step: click.echo(f"{step} …", err=True) if not as_json and sys.stderr.isatty() else None,
    )
    click.echo(orjson.dumps(done.as_json(), option=orjson.OPT_INDENT_2).decode() if as_json else _text(done))
    ctx.exit(done.code)


def _text(done: Consolidated) -> str:
    from wikimem.faces import text

    lines = []
    for one in done.steps:
        what = "pair" if one.step == "identities" else "page"
        pages = f"{one.asked} {what}{'' if one.asked == 1 else 's'}"
        if done.dry_run:
            lines.append(f"{one.step}: {pages} to look at")
            continue
        refused = ", ".join(f"{rule} {number}" for rule, number in sorted(one.refused.items()))
        told = [f"{pages} looked at", f"{one.taken} taken", *([f"refused: {refused}"] if refused else [])]
        told += [f"{one.held} wait for `wikimem review`"] if one.held else []
        told += [f"commit {one.commit[:10]}"] if one.commit else []
        told += [f"{'waits' if one.paused else 'failed'}: {one.reason}"] if one.reason else []
        lines.append(f"{one.step}: {'; '.join(told)}")
    if done.spent.read or done.spent.wrote:
        word = "Expected" if done.dry_run else "Spent"
        lines.append(f"{word}: {text.spent(done.spent)}.")
    lines += [f"{problem}" for problem in done.problems]
    return "\n".join([*lines, *done.notes])
