"""The commands that tell how installation and vault fare: parse, call one verb, print. No rules here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wikimem.core.checkups import Checkup
    from wikimem.doctor import Examined
    from wikimem.faces.api import Vault
    from wikimem.log import Entry, Logged

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")


@click.command()
@_JSON
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Look whether this installation can do its work, and say what to do where it cannot. Nothing is changed.

    Python, git and extras; your config and its routes; the vault and how it was found; its repository: branch, operations under
    way, locks, a run that was cut short, line endings, signing, hooks, remotes; the index; agents that have hooks of wikimem,
    and whether what runs them is there still.

    Each line is `ok`, `look` (it works, and you should know) or `broken`. Exit code 1 if anything is broken.
    """
    from wikimem.doctor import examine

    found = examine(ctx.obj)
    _print(found.as_json() if as_json else examined(found))
    ctx.exit(found.code)


@click.command()
@click.option("--limit", default=20, metavar="N", type=click.IntRange(min=0), help="At most N commits; 0 for all.")
@click.option("--scope", default="", metavar="SCOPE", help="Only what was done with sources of this scope (project:checkout).")
@_JSON
@click.pass_context
def log(ctx: click.Context, limit: int, scope: str, as_json: bool) -> None:
    """Show what was done to the vault, newest first: when, what, how many claims came (+), changed (~) and went (-), the risk.

    Read from git's history; what people committed by hand is there with their names. `wikimem diff COMMIT~1..COMMIT` shows one
    of them claim by claim, `wikimem undo COMMIT` takes it back.
    """
    found = _open(ctx).log(limit, scope)
    _print(found.as_json() if as_json else logged(found))


def examined(found: Examined) -> str:
    """What the doctor found, a line each, advice below."""
    width = max(len(each.name) for each in found.checkups)
    return "\n".join(line for each in found.checkups for line in _checkup(each, width))


def _checkup(one: Checkup, width: int) -> list[str]:
    lines = [f"{one.state:<6}  {one.name:<{width}}  {one.told}"]
    return [*lines, f"{'':{width + 10}}-> {one.advice}"] if one.advice else lines


def logged(found: Logged) -> str:
    """The log, a line or two for each commit."""
    lines = [line for entry in found.entries for line in _entry(entry)]
    if found.shallow:
        lines.append("Older commits are missing in this clone; `git fetch --unshallow` brings them.")
    return "\n".join(lines) or "Nothing was done yet."


def _entry(one: Entry) -> list[str]:
    from wikimem.log import BY_HAND

    subject = one.subject.removeprefix(f"{one.op}: ")
    counts = f" ({one.changed})" if one.changed else ""
    by = f" ({one.who})" if one.op == BY_HAND else ""
    when = one.when[:16].replace("T", " ")
    head = f"{when}  {one.commit[:10]}  {one.op:<9} {one.changed or '-':<9} {subject.removesuffix(counts)}{by}"
    risky = [f"risk {one.risk}"] if one.risk and not one.risk.startswith("low") else []
    named = [*one.sources[:2], *([f"{len(one.sources) - 2} more"] if len(one.sources) > 2 else [])]
    below = "; ".join([*risky, *([f"from {', '.join(named)}"] if named else [])])
    return [head, f"{'':30}{below}"] if below else [head]


def _open(ctx: click.Context) -> Vault:
    import wikimem

    return wikimem.open(ctx.obj)


def _print(told: Any) -> None:
    import orjson

    from wikimem.faces import text

    if isinstance(told, str):
        click.echo("\n".join(text.plain(line) for line in told.split("\n")))
    else:
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())


COMMANDS = (doctor, log)
"""In the order of the help."""
