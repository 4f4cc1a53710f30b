"""The command line: parse, call one verb, print. No rules here. The commands that bring things in stand here.

Exit codes: 0 all is well, 1 something was found or stood in the way, 2 the call was wrong, 3 a compile only waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

import click

from wikimem import __version__
from wikimem.faces import (
    amending,
    asking,
    consolidating,
    evaluating,
    health,
    installing,
    looking,
    options,
    removing,
    reviewing,
    sharing,
    siting,
    using,
)

if TYPE_CHECKING:
    from wikimem.sweep import Swept


@click.group(cls=options.Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--vault", "vault", metavar="DIR", help="The vault; else WIKIMEM_VAULT, the nearest above, or the default.")
@click.version_option(__version__, prog_name="wikimem")
@click.pass_context
def main(ctx: click.Context, vault: str | None) -> None:
    """A memory for AI agents: a markdown wiki, compiled from immutable session transcripts and versioned in git."""
    ctx.obj = vault


@click.command()
@click.argument("path", type=click.Path())
@click.option("--here", is_flag=True, help="Inside a code repository: commit there instead of on a branch of its own.")
@click.option("--shared", is_flag=True, help="For several people: it receives only what `wikimem share` sends.")
@click.option("--ci", default="", type=click.Choice(["", "github", "gitlab"]), help="With a ready workflow for this host.")
def init(path: str, here: bool, shared: bool, ci: str) -> None:
    """Make a vault: a folder with a git repository of its own.

    Inside a code repository the vault becomes a linked worktree on its own branch `wikimem`; nothing else is touched.
    """
    from pathlib import Path

    from wikimem.init import init as make

    made = make(Path(path).expanduser(), here, shared, ci)
    then = f"wikimem share --project NAME --to {made.root}" if shared else f"cd {made.root} && wikimem ingest ~/.claude/projects"
    click.echo(f"Made a vault in {made.root}. Next: {then}")
    for note in made.notes:
        click.echo(note)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--since", default="", metavar="DATE", help="Only files written on this day or later (2026-08-14).")
@click.option("--project", default="", metavar="SLUG", help="Only sessions of this project.")
@click.option("--limit", default=0, metavar="N", type=click.IntRange(min=0), help="At most N files, newest first.")
@click.option("--format", "format_", default="", metavar="NAME", help="Read as this format instead of recognising it.")
@click.option("--scope", default="", metavar="SCOPE", help="What all of it belongs to, such as project:checkout.")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@options.JSON
@click.pass_context
def ingest(
    ctx: click.Context,
    paths: tuple[str, ...],
    since: str,
    project: str,
    limit: int,
    format_: str,
    scope: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Capture transcripts: files, or folders of them; formats are recognised by content.

    Secrets are masked before a byte is written. What was captured before is not captured again; a session that went on
    adds its new part. Exit code 1 if a file could not be read or gave no turn.
    """
    from wikimem.faces import text

    since = options.day(since)
    with options.progress("reading") as progress:
        report = options.opened(ctx).ingest(
            paths, since=since, project=project, limit=limit, dry_run=dry_run, format=format_, scope=scope, progress=progress
        )
    options.tell(report.as_json() if as_json else text.ingest(report))
    ctx.exit(1 if report.problems else 0)


@click.command(name="compile")
@click.option("--since", default="", metavar="DATE", help="Only sources that began on this day or later (2026-08-14).")
@click.option("--project", default="", metavar="SLUG", help="Only sources of this project.")
@click.option("--limit", default=0, metavar="N", type=click.IntRange(min=0), help="At most N sources, newest first.")
@click.option("--model", default="", metavar="NAME", help="Ask this model: rules, handoff, claude-code, anthropic/…")
@click.option("--budget", default="", metavar="SUM", help="Spend at most so much in this run: 2.50usd, or 300k tokens.")
@click.option("--jobs", default=0, metavar="N", type=click.IntRange(min=0), help="Ask N questions at once.")
@click.option("--background", is_flag=True, help="Nobody waits for it: the day's limit for such work holds.")
@click.option("--record", default="", metavar="DIR", help="Record every reply, for the model recorded:DIR.")
@click.option("--take-edits", is_flag=True, help="Also take what you changed on pages and did not commit.")
@options.BATCH
@click.option("--dry-run", is_flag=True, help="Say what would be compiled and cost; ask no model, write nothing.")
@options.JSON
@click.pass_context
def compile_(
    ctx: click.Context,
    since: str,
    project: str,
    limit: int,
    model: str,
    budget: str,
    jobs: int,
    background: bool,
    record: str,
    take_edits: bool,
    batch: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Compile pending sources into the wiki: one reviewable commit a source, newest first.

    What people changed on pages and committed is taken first, and kept by every later compile.
    A source that fails stays pending with its reason, and the others go on; then the exit code is 1. It is 3 if sources only
    wait: for a budget, a quota, or the reply to a work packet. What was answered is kept and never paid for twice.
    With --batch you may interrupt it at any time; the same command takes up the batches that are at work.
    """
    from wikimem.faces import text

    since = options.day(since)
    with options.progress("compiling") as progress:
        vault = options.opened(ctx)
        report = vault.compile(
            since=since,
            project=project,
            limit=limit,
            jobs=jobs,
            dry_run=dry_run,
            progress=progress,
            model=model or None,
            budget=budget,
            background=background,
            record=record,
            take_edits=take_edits,
            batch=batch,
            tell=options.far,
        )
    options.tell(report.as_json() if as_json else text.compiled(report))
    if report.first and not as_json and any(not one.reason for one in report.outcomes):
        options.tell("\n" + text.found(vault.report()))
    ctx.exit(report.code)


@click.command()
@click.option("--remote", default="", metavar="NAME", help="This remote, instead of the one that the branch follows.")
@click.option("--no-compile", is_flag=True, help="Compile nothing; what is pending stays pending.")
@click.option("--unite", is_flag=True, help="Join also with a history that was replaced or has nothing in common with this one.")
@click.option("--model", default="", metavar="NAME", help="Ask this model: rules, handoff, claude-code, anthropic/…")
@options.JSON
@click.pass_context
def sync(ctx: click.Context, remote: str, no_compile: bool, unite: bool, model: str, as_json: bool) -> None:
    """Make this clone and its remote one: fetch, unite sources and claims, render, commit, push. Never by force.

    What is pending is compiled first. Pages never conflict, since they are rendered from the claims of both; where people
    of both sides wrote at one place, both texts stay and are named, and the exit code is 1. It is 3 if sources only wait.
    """
    from wikimem.faces import text

    with options.progress("syncing") as progress:
        report = options.opened(ctx).sync(
            remote=remote, compile=not no_compile, unite=unite, progress=progress, model=model or None
        )
    options.tell(report.as_json() if as_json else text.synced(report))
    ctx.exit(report.code)


@click.command(name="next")
@click.option("--skip", default=0, metavar="N", type=click.IntRange(min=0), help="Pass over N packets: another agent has them.")
@options.JSON
@click.pass_context
def next_(ctx: click.Context, skip: int, as_json: bool) -> None:
    """Show the oldest work packet that `compile` with the model handoff put out, and that waits for a reply.

    Exit code 1 if none waits.
    """
    from wikimem.faces import text

    found = options.opened(ctx).next(skip)
    options.tell(found.as_json() if as_json else text.waiting(found))
    ctx.exit(0 if found.packet else 1)


@click.command()
@click.argument("packet")
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"))
@options.JSON
@click.pass_context
def submit(ctx: click.Context, packet: str, file: TextIO, as_json: bool) -> None:
    """Hand in the reply to a work packet: a file, or - for standard input. `wikimem compile` goes on with it.

    Exit code 1 if it was not taken; what is wrong with it is told.
    """
    from wikimem.faces import text

    done = options.opened(ctx).submit(packet, file.read())
    options.tell(done.as_json() if as_json else text.submitted(done))
    ctx.exit(0 if done.taken else 1)


@click.command()
@click.option("--since", default="", metavar="DATE", help="Only files written on this day or later (2026-08-14).")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@options.JSON
@click.pass_context
def sweep(ctx: click.Context, since: str, dry_run: bool, as_json: bool) -> None:
    """Capture what is settled and new where the known tools keep their sessions; safe to run every minute.

    Each session goes to the vault that a route of your config names, else to this one (or, where the folder means none, to
    none); what the config says never to
    take, and sessions that wikimem's own compiler ran, are left out.
    """
    from wikimem.faces import text

    since = options.day(since)
    with options.progress("reading") as progress:
        swept = _swept(ctx, since, dry_run, progress)
    options.tell(swept.as_json() if as_json else text.swept(swept))
    ctx.exit(1 if swept.failed else 0)


def _swept(ctx: click.Context, since: str, dry_run: bool, progress: Callable[[str], None]) -> Swept:
    """A sweep; from a folder that means no vault, of those that routes lead to."""
    from wikimem.errors import NoVault
    from wikimem.lookup import user_routes
    from wikimem.sweep import sweep as do

    try:
        return options.opened(ctx).sweep(since=since, dry_run=dry_run, progress=progress)
    except NoVault:
        if not user_routes().to:
            raise
    return do(None, since=since, dry_run=dry_run, progress=progress)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--dry-run", is_flag=True, help="Read and count; write nothing.")
@options.JSON
@click.pass_context
def adopt(ctx: click.Context, paths: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Take what people wrote down already: CLAUDE.md, AGENTS.md, Cursor rules, MEMORY.md folders, Obsidian, basic-memory, OKF.

    Each bullet and paragraph becomes a statement with its author and date from git, where git knows the file. The files
    are only read. Exit code 1 if one of them could not be taken.
    """
    from wikimem.faces import text

    report = options.opened(ctx).adopt(paths, dry_run)
    options.tell(report.as_json() if as_json else text.adopted(report))
    ctx.exit(1 if report.problems else 0)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say whether the wiki is what its sources give.")
@click.option("--dry-run", is_flag=True, help="Ask nobody; say what it would cost.")
@click.option("--branch", default="", metavar="NAME", help="Make this branch of it; the current one and all files stay.")
@click.option("--model", default="", metavar="NAME", help="Ask this model instead of the one that the settings name.")
@click.option("--prompts", default=None, metavar="DIR", help="Prompts in this folder win over the vault's and the shipped ones.")
@click.option("--reword", is_flag=True, help="Take the new words also of claims that were there before.")
@click.option("--budget", default="", metavar="LIMIT", help="Stop asking at this: 2.50usd, or 300k tokens.")
@options.BATCH
@click.option("--jobs", default=0, metavar="N", type=click.IntRange(min=0), help="Ask N questions at once.")
@options.JSON
@click.pass_context
def recompile(ctx: click.Context, /, jobs: int, as_json: bool, **wish: Any) -> None:
    """Extract every source again, by the model and prompts of now; one commit, whose diff is the memory diff.

    Claims that are only worded otherwise keep their words; what people wrote, rejected or judged stays. Exit code 1 if
    --check finds that the wiki is not what its sources give, 3 if sources wait for a budget or a reply.
    """
    from wikimem.faces import text

    wish["model"] = wish["model"] or None
    with options.progress("reading") as progress:
        found = options.opened(ctx).recompile(jobs=jobs, progress=progress, tell=options.far, **wish)
    options.tell(found.as_json() if as_json else text.recompiled(found))
    ctx.exit(found.code)


for command in (
    init,
    ingest,
    compile_,
    sync,
    next_,
    submit,
    sweep,
    adopt,
    looking.export,
    looking.recall,
    looking.search,
    looking.show,
    looking.history,
    looking.why,
    looking.timeline,
    amending.merge,
    amending.split,
    amending.rename,
    amending.alias,
    amending.settle,
    amending.reject,
    amending.keep,
    looking.diff,
    recompile,
    looking.report,
    looking.status,
    looking.verify,
    siting.site,
    evaluating.group,
    installing.install,
    installing.hook,
    installing.brief,
    installing.mcp,
    asking.ask,
    consolidating.consolidate,
    using.feedback,
    *removing.COMMANDS,
    *health.COMMANDS,
    reviewing.group,
    reviewing.pr,
    sharing.share,
    sharing.ci,
):
    main.add_command(command)
