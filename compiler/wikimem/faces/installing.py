"""The commands by which agents and wikimem come together: install, hook, brief. Parse, call one verb, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wikimem.faces import options

if TYPE_CHECKING:
    from wikimem.install import Installation

AGENTS = ("claude-code", "codex", "cursor", "opencode", "agents-md")


@click.command()
@click.argument("agent", type=click.Choice(AGENTS))
@click.option("--project", default=None, metavar="DIR", type=click.Path(), help="For agents-md: the project, else this folder.")
@click.option("--uninstall", is_flag=True, help="Take it out again; files nobody else touched become what they were.")
@click.option("--print", "dry_run", is_flag=True, help="Print what would stand in which file; write nothing.")
@options.JSON
@click.pass_context
def install(ctx: click.Context, agent: str, project: str | None, uninstall: bool, dry_run: bool, as_json: bool) -> None:
    """Give an agent a memory: hooks, the MCP server and a skill in its own settings. Safe to repeat.

    Sessions are then captured and compiled by themselves, and each begins with what is remembered of its project.
    With `wikimem --vault DIR install …` they all use that vault; else each session uses the one that its folder means.
    agents-md writes a block into AGENTS.md or CLAUDE.md of a project, for agents that have no hooks.
    """
    from pathlib import Path

    from wikimem import lookup, vault
    from wikimem.errors import NoVault
    from wikimem.install import install as do

    try:
        opened = vault.open_at(lookup.find(ctx.obj))
    except NoVault:
        opened = None
    folder = Path(project).expanduser() if project else None
    done = do(agent, opened, ctx.obj is not None, folder, uninstall, dry_run)
    if as_json:
        import orjson

        click.echo(orjson.dumps(done.as_json(), option=orjson.OPT_INDENT_2).decode())
    else:
        click.echo(_text(done, opened is None and not uninstall))
    ctx.exit(1 if done.failed else 0)


@click.command()
@click.argument("agent")
@click.argument("event")
@click.pass_context
def hook(ctx: click.Context, agent: str, event: str) -> None:
    """What an agent runs at an event of a session (start, prompt, turn, compact, end), with its JSON on standard input.

    `wikimem install` enters it. Whatever happens, the exit code is 0; what failed stands in .wikimem/hooks.log.
    """
    from wikimem.faces import hooks

    ctx.exit(hooks.main([agent, event, *([ctx.obj] if ctx.obj else [])]))


@click.command()
@click.option("--scope", default="", metavar="SCOPE", help="Of what, such as project:checkout; else of the whole vault.")
@click.option("--budget", default=2000, metavar="TOKENS", type=click.IntRange(min=100), help="At most so many tokens.")
@options.JSON
@click.pass_context
def brief(ctx: click.Context, scope: str, budget: int, as_json: bool) -> None:
    """Print what an agent is told when a session begins: what people told agents, conflicts, changes, pages by type."""
    from wikimem import browsing, lookup, vault
    from wikimem.brief import brief as make

    opened = vault.open_at(lookup.find(ctx.obj))
    made = make(opened, scope, budget)
    if as_json:
        import orjson

        click.echo(orjson.dumps(made.as_json(), option=orjson.OPT_INDENT_2).decode())
    else:
        nothing = "Nothing is remembered yet: `wikimem ingest` and `wikimem compile` come first."
        click.echo(made.text.rstrip("\n") or browsing.unseen(opened, scope) or nothing)


@click.command()
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Serve the memory to an MCP client, on standard input and output; `wikimem install` enters it.

    It needs the extra: pip install 'wikimem[mcp]'.
    """
    from wikimem.faces.mcp import main

    ctx.exit(main([ctx.obj] if ctx.obj else []))


def _text(done: Installation, homeless: bool) -> str:
    if done.shown:
        return "\n".join(f"{path}\n\n{text}" for path, text in done.shown.items()) + "".join(f"\n{note}" for note in done.notes)
    lines = [f"{each.what:10} {each.path}" + (f": {each.why}" if each.why else "") for each in done.files]
    if any(each.what == "left" for each in done.files):
        lines.append("What was left can be entered by hand: `wikimem install --print` shows what.")
    if homeless:
        lines.append("There is no vault yet: `wikimem init DIR` makes one, and until then nothing is remembered.")
    return "\n".join([*lines, *done.notes]) or "Nothing of it was installed."
