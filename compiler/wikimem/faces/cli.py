"""The command line: parse, call one verb, print. No rules here.

Exit codes: 0 all is well, 1 something was found or stood in the way, 2 the call was wrong, 3 a compile only waits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

from wikimem import __version__
from wikimem.errors import WikimemError
from wikimem.faces import asking, evaluating, health, installing, removing, reviewing, sharing, using

if TYPE_CHECKING:
    from wikimem.editing import Edited
    from wikimem.faces.api import Vault

_AT = click.option("--at", default="", metavar="DATE", help="Only claims that held then, as far as is known now.")
_KNOWN = click.option("--known", default="", metavar="DATE", help="Only what had been said by then, as it was understood then.")
_BATCH = click.option("--batch", is_flag=True, help="Ask in batches at half the price, and wait for them: minutes to a day.")
_SCOPE = click.option("--scope", default="", metavar="SCOPE", help="Who asks: a strict vault shows nothing of another scope.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")


class _Group(click.Group):
    """Prints errors of ours as one sentence, and lists commands in the order of use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WikimemError as error:
            click.echo(f"wikimem: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            _quiet_exit()
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"wikimem: {where}{error.strerror or error}. Nothing was lost; mend it and run again.", err=True)
            ctx.exit(1)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--vault", "vault", metavar="DIR", help="The vault; else WIKIMEM_VAULT, the nearest above, or the default.")
@click.version_option(__version__, prog_name="wikimem")
@click.pass_context
def main(ctx: click.Context, vault: str | None) -> None:
    """A memory for AI agents: a markdown wiki, compiled from immutable session transcripts and versioned in git."""
    ctx.obj = vault


def _open(ctx: click.Context) -> Vault:
    import wikimem

    return wikimem.open(ctx.obj)


@main.command()
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


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--since", default="", metavar="DATE", help="Only files written on this day or later (2026-08-14).")
@click.option("--project", default="", metavar="SLUG", help="Only sessions of this project.")
@click.option("--limit", default=0, metavar="N", type=click.IntRange(min=0), help="At most N files, newest first.")
@click.option("--format", "format_", default="", metavar="NAME", help="Read as this format instead of recognising it.")
@click.option("--scope", default="", metavar="SCOPE", help="What all of it belongs to, such as project:checkout.")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@_JSON
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

    _day(since)
    with _progress("reading") as progress:
        report = _open(ctx).ingest(
            paths, since=since, project=project, limit=limit, dry_run=dry_run, format=format_, scope=scope, progress=progress
        )
    _print(report.as_json() if as_json else text.ingest(report))
    ctx.exit(1 if report.problems else 0)


@main.command(name="compile")
@click.option("--since", default="", metavar="DATE", help="Only sources that began on this day or later (2026-08-14).")
@click.option("--project", default="", metavar="SLUG", help="Only sources of this project.")
@click.option("--limit", default=0, metavar="N", type=click.IntRange(min=0), help="At most N sources, newest first.")
@click.option("--model", default="", metavar="NAME", help="Ask this model: rules, handoff, claude-code, anthropic/…")
@click.option("--budget", default="", metavar="SUM", help="Spend at most so much in this run: 2.50usd, or 300k tokens.")
@click.option("--jobs", default=0, metavar="N", type=click.IntRange(min=0), help="Ask N questions at once.")
@click.option("--background", is_flag=True, help="Nobody waits for it: the day's limit for such work holds.")
@click.option("--record", default="", metavar="DIR", help="Record every reply, for the model recorded:DIR.")
@click.option("--take-edits", is_flag=True, help="Also take what you changed on pages and did not commit.")
@_BATCH
@click.option("--dry-run", is_flag=True, help="Say what would be compiled and cost; ask no model, write nothing.")
@_JSON
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

    _day(since)
    with _progress("compiling") as progress:
        vault = _open(ctx)
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
            tell=_tell,
        )
    _print(report.as_json() if as_json else text.compiled(report))
    if report.first and not as_json:
        _print("\n" + text.found(vault.report()))
    ctx.exit(report.code)


@main.command()
@click.option("--remote", default="", metavar="NAME", help="This remote, instead of the one that the branch follows.")
@click.option("--no-compile", is_flag=True, help="Compile nothing; what is pending stays pending.")
@click.option("--unite", is_flag=True, help="Join also with a history that was replaced or has nothing in common with this one.")
@click.option("--model", default="", metavar="NAME", help="Ask this model: rules, handoff, claude-code, anthropic/…")
@_JSON
@click.pass_context
def sync(ctx: click.Context, remote: str, no_compile: bool, unite: bool, model: str, as_json: bool) -> None:
    """Make this clone and its remote one: fetch, unite sources and claims, render, commit, push. Never by force.

    What is pending is compiled first. Pages never conflict, since they are rendered from the claims of both; where people
    of both sides wrote at one place, both texts stay and are named, and the exit code is 1. It is 3 if sources only wait.
    """
    from wikimem.faces import text

    with _progress("syncing") as progress:
        report = _open(ctx).sync(remote=remote, compile=not no_compile, unite=unite, progress=progress, model=model or None)
    _print(report.as_json() if as_json else text.synced(report))
    ctx.exit(report.code)


@main.command(name="next")
@click.option("--skip", default=0, metavar="N", type=click.IntRange(min=0), help="Pass over N packets: another agent has them.")
@_JSON
@click.pass_context
def next_(ctx: click.Context, skip: int, as_json: bool) -> None:
    """Show the oldest work packet that `compile` with the model handoff put out, and that waits for a reply.

    Exit code 1 if none waits.
    """
    from wikimem.faces import text

    found = _open(ctx).next(skip)
    _print(found.as_json() if as_json else text.waiting(found))
    ctx.exit(0 if found.packet else 1)


@main.command()
@click.argument("packet")
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"))
@_JSON
@click.pass_context
def submit(ctx: click.Context, packet: str, file: TextIO, as_json: bool) -> None:
    """Hand in the reply to a work packet: a file, or - for standard input. `wikimem compile` goes on with it.

    Exit code 1 if it was not taken; what is wrong with it is told.
    """
    from wikimem.faces import text

    done = _open(ctx).submit(packet, file.read())
    _print(done.as_json() if as_json else text.submitted(done))
    ctx.exit(0 if done.taken else 1)


@main.command()
@click.option("--since", default="", metavar="DATE", help="Only files written on this day or later (2026-08-14).")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@_JSON
@click.pass_context
def sweep(ctx: click.Context, since: str, dry_run: bool, as_json: bool) -> None:
    """Capture what is settled and new where the known tools keep their sessions; safe to run every minute.

    Each session goes to the vault that a route of your config names, else to this one; what the config says never to
    take, and sessions that wikimem's own compiler ran, are left out.
    """
    from wikimem.faces import text

    _day(since)
    with _progress("reading") as progress:
        swept = _open(ctx).sweep(since=since, dry_run=dry_run, progress=progress)
    _print(swept.as_json() if as_json else text.swept(swept))
    ctx.exit(1 if swept.failed else 0)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--dry-run", is_flag=True, help="Read and count; write nothing.")
@_JSON
@click.pass_context
def adopt(ctx: click.Context, paths: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Take what people wrote down already: CLAUDE.md, AGENTS.md, Cursor rules, MEMORY.md folders, Obsidian, basic-memory, OKF.

    Each bullet and paragraph becomes a statement with its author and date from git, where git knows the file. The files
    are only read. Exit code 1 if one of them could not be taken.
    """
    from wikimem.faces import text

    report = _open(ctx).adopt(paths, dry_run)
    _print(report.as_json() if as_json else text.adopted(report))
    ctx.exit(1 if report.problems else 0)


@main.command()
@click.argument("target", type=click.Choice(["claude-md", "obsidian", "okf"]))
@click.option("--out", default=None, metavar="PATH", type=click.Path(), help="The file, or for obsidian and okf the folder.")
@click.option("--scope", default="", metavar="SCOPE", help="Only what this scope may see (project:checkout).")
@click.option(
    "--budget", default=2000, metavar="N", type=click.IntRange(min=200), help="Tokens of a claude-md, at most (200 or more)."
)
@_JSON
@click.pass_context
def export(ctx: click.Context, target: str, out: str | None, scope: str, budget: int, as_json: bool) -> None:
    """Write what is remembered for another tool: one CLAUDE.md, a folder for Obsidian, or an OKF bundle.

    Without --out a claude-md is printed. Nothing that somebody else wrote is written over.
    """
    from wikimem.faces import text

    made = _open(ctx).export(target, out, scope=scope, budget=budget)
    _print(made.as_json() if as_json else text.exported(made))
    ctx.exit(1 if made.problems else 0)


@main.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--scope", default="", metavar="SCOPE", help="The project that asks (project:checkout); it ranks first.")
@click.option("--budget", default=2000, metavar="N", type=click.IntRange(min=1), help="Tokens of the answer, at most.")
@asking.EFFORT
@asking.MODEL
@_AT
@_KNOWN
@_JSON
@click.pass_context
def recall(
    ctx: click.Context,
    question: tuple[str, ...],
    scope: str,
    budget: int,
    effort: str,
    model: str,
    at: str,
    known: str,
    as_json: bool,
) -> None:
    """Give an agent the evidence for a question: claims with their proof, what was said, by whom, when and where.

    Nothing if nothing fits. Dates may be 2026, 2026-03, 2026-03-24 or 2026-03-24T10:00Z. With --effort thorough the files are
    searched, step by step, as the model says; whatever fails, the quick answer is given.
    """
    from wikimem.faces import text

    if effort == "thorough":
        sought = _open(ctx).recall_thoroughly(" ".join(question), scope, budget, at=at, known=known, model=model or None)
        _print(sought.as_json() if as_json else asking.sought(sought))
        return
    found = _open(ctx).recall(" ".join(question), scope, budget, at=at, known=known, channel="cli")
    _print(found.as_json() if as_json else text.recalled(found))


@main.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--scope", default="", metavar="SCOPE", help="The project that asks (project:checkout); it ranks first.")
@click.option("--from", "since", default="", metavar="DATE", help="Only what was said on this day or later.")
@click.option("--to", "until", default="", metavar="DATE", help="Only what was said on this day or before.")
@click.option(
    "--speaker",
    default="",
    type=click.Choice(["", "human", "assistant", "tool", "harness", "summary"]),
    help="Only this speaker.",
)
@click.option("--limit", default=10, metavar="N", type=click.IntRange(min=1), help="At most N hits.")
@_AT
@_KNOWN
@_JSON
@click.pass_context
def search(
    ctx: click.Context,
    words: tuple[str, ...],
    scope: str,
    since: str,
    until: str,
    speaker: str,
    limit: int,
    at: str,
    known: str,
    as_json: bool,
) -> None:
    """List where some words were said, claimed or written, best first, each with its place."""
    from wikimem.faces import text

    _day(since, "--from")
    _day(until, "--to")
    found = _open(ctx).search(
        " ".join(words), scope=scope, since=since, until=until, speaker=speaker, limit=limit, at=at, known=known
    )
    _print(found.as_json() if as_json else text.listed(found))


@main.command()
@click.argument("name", nargs=-1, required=True)
@click.option("--at", "at", default="", metavar="DATE", help="The page with what held then.")
@click.option("--known", default="", metavar="DATE", help="The page as it was known by then.")
@_SCOPE
@_JSON
@click.pass_context
def show(ctx: click.Context, name: tuple[str, ...], at: str, known: str, scope: str, as_json: bool) -> None:
    """Show a page, by its slug, path, title or alias; or what a citation cites.

    A citation is SOURCE, SOURCE:L118, SOURCE:L118-L125 or SOURCE:agent-a1/L3; the source id may be shortened while it stays
    unique.
    """
    from wikimem.faces import text

    found = _open(ctx).show(" ".join(name), at, known, scope)
    _print(found.as_json() if as_json else text.shown(found))


@main.command()
@click.argument("page", nargs=-1, required=True)
@_AT
@_KNOWN
@_SCOPE
@_JSON
@click.pass_context
def history(ctx: click.Context, page: tuple[str, ...], at: str, known: str, scope: str, as_json: bool) -> None:
    """Show the commits that changed a page, and what each changed on it."""
    from wikimem.faces import text

    found = _open(ctx).history(" ".join(page), at, known, scope)
    _print(found.as_json() if as_json else text.past(found))


@main.command()
@click.argument("statement", nargs=-1, required=True)
@click.option("--limit", default=3, metavar="N", type=click.IntRange(min=1), help="At most N claims.")
@_SCOPE
@_JSON
@click.pass_context
def why(ctx: click.Context, statement: tuple[str, ...], limit: int, scope: str, as_json: bool) -> None:
    """Show what a statement rests on: claim, quoted words, session, commit. The statement is any words, or a claim's id."""
    from wikimem.faces import text

    found = _open(ctx).why(" ".join(statement), limit, scope)
    _print(found.as_json() if as_json else text.reasons(found))
    ctx.exit(0 if found.found else 1)


@main.command()
@click.argument("page")
@click.argument("attribute", default="")
@click.option("--known", default="", metavar="DATE", help="Only what had been said by then.")
@_SCOPE
@_JSON
@click.pass_context
def timeline(ctx: click.Context, page: str, attribute: str, known: str, scope: str, as_json: bool) -> None:
    """Show what held when on a page: values, intervals, what ended them, sources; of one ATTRIBUTE, or of all."""
    from wikimem.faces import text

    found = _open(ctx).timeline(page, attribute, known, scope)
    _print(found.as_json() if as_json else text.course(found))


@main.command()
@click.argument("page")
@click.argument("into")
@_JSON
@click.pass_context
def merge(ctx: click.Context, page: str, into: str, as_json: bool) -> None:
    """Make one page of two: they are of one thing. INTO gives the title; every recompile keeps it so."""
    _edited(_open(ctx).merge(page, into), as_json)


@main.command()
@click.argument("page")
@click.argument("claims", nargs=-1, required=True)
@click.option("--to", "title", required=True, metavar="NAME", help="The name of the other page.")
@_JSON
@click.pass_context
def split(ctx: click.Context, page: str, claims: tuple[str, ...], title: str, as_json: bool) -> None:
    """Move claims, named by their ids, from a page to one of another name: they are of two things."""
    _edited(_open(ctx).split(page, claims, title), as_json)


@main.command()
@click.argument("page")
@click.argument("title")
@_JSON
@click.pass_context
def rename(ctx: click.Context, page: str, title: str, as_json: bool) -> None:
    """Give a page another title; the old one stays an alias, and links follow."""
    _edited(_open(ctx).rename(page, title), as_json)


@main.command()
@click.argument("page")
@click.argument("name")
@click.option("--remove", is_flag=True, help="Take the name away.")
@_JSON
@click.pass_context
def alias(ctx: click.Context, page: str, name: str, remove: bool, as_json: bool) -> None:
    """Give a page a further name, by which it is found and linked."""
    _edited(_open(ctx).alias(page, name, remove), as_json)


@main.command()
@click.argument("winner")
@_JSON
@click.pass_context
def settle(ctx: click.Context, winner: str, as_json: bool) -> None:
    """End a conflict: the claim of this id holds, those it is in conflict with have ended."""
    _edited(_open(ctx).settle(winner), as_json)


@main.command()
@click.argument("claim")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the rejection.")
@_JSON
@click.pass_context
def reject(ctx: click.Context, claim: str, reason: str, as_json: bool) -> None:
    """Take a claim, named by its id, out of the wiki for ever, however another model words it."""
    _edited(_open(ctx).reject(claim, reason), as_json)


@main.command()
@click.argument("claim")
@_JSON
@click.pass_context
def keep(ctx: click.Context, claim: str, as_json: bool) -> None:
    """Bring back a claim that was rejected or removed, named by its id."""
    _edited(_open(ctx).keep(claim), as_json)


def _edited(found: Edited, as_json: bool) -> None:
    from wikimem.faces import text

    _print(found.as_json() if as_json else text.edited(found))
    if found.problems:
        sys.exit(1)


@main.command()
@click.argument("commits", default="HEAD~1..HEAD", metavar="A..B")
@_JSON
@click.pass_context
def diff(ctx: click.Context, commits: str, as_json: bool) -> None:
    """Show what the memory says differently between two commits: claims gained, ended, corrected, each with its quote.

    A..B names two commits; A alone means from A to now; without any, the last commit is shown.
    """
    from wikimem.faces import text

    found = _open(ctx).diff(commits)
    _print(found.as_json() if as_json else text.difference(found))


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; say whether the wiki is what its sources give.")
@click.option("--dry-run", is_flag=True, help="Ask nobody; say what it would cost.")
@click.option("--branch", default="", metavar="NAME", help="Make this branch of it; the current one and all files stay.")
@click.option("--model", default="", metavar="NAME", help="Ask this model instead of the one that the settings name.")
@click.option("--prompts", default=None, metavar="DIR", help="Prompts in this folder win over the vault's and the shipped ones.")
@click.option("--reword", is_flag=True, help="Take the new words also of claims that were there before.")
@click.option("--budget", default="", metavar="LIMIT", help="Stop asking at this: 2.50usd, or 300k tokens.")
@_BATCH
@click.option("--jobs", default=0, metavar="N", type=click.IntRange(min=0), help="Ask N questions at once.")
@_JSON
@click.pass_context
def recompile(ctx: click.Context, /, jobs: int, as_json: bool, **wish: Any) -> None:
    """Extract every source again, by the model and prompts of now; one commit, whose diff is the memory diff.

    Claims that are only worded otherwise keep their words; what people wrote, rejected or judged stays. Exit code 1 if
    --check finds that the wiki is not what its sources give, 3 if sources wait for a budget or a reply.
    """
    from wikimem.faces import text

    wish["model"] = wish["model"] or None
    with _progress("reading") as progress:
        found = _open(ctx).recompile(jobs=jobs, progress=progress, tell=_tell, **wish)
    _print(found.as_json() if as_json else text.recompiled(found))
    ctx.exit(found.code)


@main.command()
@click.option("--project", default="", metavar="SLUG", help="Only this project.")
@_JSON
@click.pass_context
def report(ctx: click.Context, project: str, as_json: bool) -> None:
    """Show what the memory tells at first sight, by project.

    What people keep telling their agents, decisions of the last month, gotchas met more than once, commands that fail most.
    """
    from wikimem.faces import text

    found = _open(ctx).report(project)
    _print(found.as_json() if as_json else text.found(found))


@main.command()
@_JSON
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show what the vault holds, and sessions outside that their tool will delete."""
    from wikimem.faces import text

    found = _open(ctx).status()
    _print(found.as_json() if as_json else text.status(found))
    ctx.exit(1 if found.problems else 0)


@main.command()
@click.option("--against", default="", metavar="COMMIT", help="Also prove that every source of this commit is here.")
@_JSON
@click.pass_context
def verify(ctx: click.Context, against: str, as_json: bool) -> None:
    """Prove that every source is what was captured and that no commit changed or removed one."""
    from wikimem.faces import text

    proof = _open(ctx).verify(against)
    _print(proof.as_json() if as_json else text.proof(proof))
    ctx.exit(1 if proof.problems else 0)


@main.group(cls=_Group)
def site() -> None:
    """Look at the memory: a folder of plain files that works without a server, or one served on this machine.

    `site build` writes it, or what changed of it; `site serve` also shows it and builds again when the vault changes.
    """


_BASE = click.option("--base", default="", metavar="URL", help="The address it will have: for the feed and for machines.")
_OUT = click.option("--out", default=None, metavar="DIR", type=click.Path(), help="The folder; else _site in the vault.")
_ONE_SCOPE = click.option("--scope", default="", metavar="SCOPE", help="Only what belongs to it (project:checkout), or to none.")
_SITE_JOBS = click.option(
    "--jobs", default=0, metavar="N", type=click.IntRange(min=0), help="Draw in N processes; 0 for one a processor."
)


@site.command(name="build")
@_BASE
@_OUT
@_ONE_SCOPE
@_SITE_JOBS
@_JSON
@click.pass_context
def site_build(ctx: click.Context, base: str, out: str | None, scope: str, jobs: int, as_json: bool) -> None:
    """Write the site: only files that changed, and without those that are no more.

    It is plain files: open _site/index.html, or put the folder on any web server, under any path.
    """
    from wikimem.faces import text

    with _progress("") as progress:
        built = _open(ctx).build_site(base, out=out, scope=scope, jobs=jobs, progress=progress)
    _print(built.as_json() if as_json else text.built(built))


@site.command(name="serve")
@click.option(
    "--port", default=8777, metavar="N", type=click.IntRange(min=0, max=65535), help="The port; 0 for any that is free."
)
@_OUT
@_ONE_SCOPE
@_SITE_JOBS
@click.pass_context
def site_serve(ctx: click.Context, port: int, out: str | None, scope: str, jobs: int) -> None:
    """Build the site, show it on this machine alone (127.0.0.1), and build again when the vault changes.

    Ends with Ctrl-C.
    """
    from wikimem.faces import serving

    vault = _open(ctx)
    serving.serve(vault.root, lambda: vault.build_site("", out=out, scope=scope, jobs=jobs), port, click.echo)


main.add_command(evaluating.group)
main.add_command(installing.install)
main.add_command(installing.hook)
main.add_command(installing.brief)
main.add_command(installing.mcp)
main.add_command(asking.ask)
main.add_command(using.feedback)
for command in removing.COMMANDS:
    main.add_command(command)
for command in health.COMMANDS:
    main.add_command(command)
main.add_command(reviewing.group)
main.add_command(reviewing.pr)
main.add_command(sharing.share)
main.add_command(sharing.ci)


def _print(told: object) -> None:
    import orjson

    try:
        if isinstance(told, str):
            click.echo(told)
        else:
            click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
        sys.stdout.flush()
    except BrokenPipeError:
        _quiet_exit()


def _quiet_exit() -> NoReturn:
    """The reader of our output has gone (`| head`); that is no error."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _day(value: str, option: str = "--since") -> None:
    from datetime import date

    if value:
        try:
            date.fromisoformat(value)
        except ValueError:
            raise click.BadParameter(f"{value!r} is no day; write it as 2026-08-14.", param_hint=option) from None


def _tell(said: str) -> None:
    """Tell a person how far something is; it may take long, so also where nobody looks at a terminal."""
    click.echo(said, err=True)


@contextmanager
def _progress(doing: str) -> Iterator[Callable[[str], None]]:
    """A line on a terminal that says what is being worked on; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda path: None
        return
    from rich.console import Console

    with Console(stderr=True).status("looking") as line:
        yield lambda path: line.update(f"{doing} {path}")
