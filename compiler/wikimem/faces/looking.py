"""The commands that look and change nothing: recall, search, show, what changed, what stands out, what is proved."""

from __future__ import annotations

import click

from wikimem.faces import asking, options


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--scope", default="", metavar="SCOPE", help="The project that asks (project:checkout); it ranks first.")
@click.option("--budget", default=2000, metavar="N", type=click.IntRange(min=1), help="Tokens of the answer, at most.")
@asking.EFFORT
@asking.MODEL
@options.AT
@options.KNOWN
@options.JSON
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
        sought = options.opened(ctx).recall_thoroughly(" ".join(question), scope, budget, at=at, known=known, model=model or None)
        options.tell(sought.as_json() if as_json else asking.sought(sought))
        return
    vault, folder = options.opened(ctx), options.folder()
    found = vault.recall(" ".join(question), scope, budget, at=at, known=known, channel="cli", folder=folder)
    options.tell(found.as_json() if as_json else text.recalled(found, vault.unseen(scope)))


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--scope", default="", metavar="SCOPE", help="The project that asks (project:checkout); it ranks first.")
@click.option("--from", "since", default="", metavar="DATE", help="Only what was said on this day or later.")
@click.option("--to", "until", default="", metavar="DATE", help="Only what was said on this day or before.")
@click.option(
    "--speaker",
    default=None,
    type=click.Choice(["human", "assistant", "tool", "harness", "summary"]),
    help="Only this speaker.",
)
@click.option("--limit", default=10, metavar="N", type=click.IntRange(min=1), help="At most N hits.")
@options.AT
@options.KNOWN
@options.JSON
@click.pass_context
def search(
    ctx: click.Context,
    words: tuple[str, ...],
    scope: str,
    since: str,
    until: str,
    speaker: str | None,
    limit: int,
    at: str,
    known: str,
    as_json: bool,
) -> None:
    """List where some words were said, claimed or written, best first, each with its place."""
    from wikimem.faces import text

    since, until = options.day(since, "--from"), options.day(until, "--to", last=True)
    vault = options.opened(ctx)
    found = vault.search(
        " ".join(words), scope=scope, since=since, until=until, speaker=speaker or "", limit=limit, at=at, known=known
    )
    options.tell(found.as_json() if as_json else text.listed(found, vault.unseen(scope)))


@click.command()
@click.argument("name", nargs=-1, required=True)
@click.option("--at", "at", default="", metavar="DATE", help="The page with what held then.")
@click.option("--known", default="", metavar="DATE", help="The page as it was known by then.")
@options.SCOPE
@options.JSON
@click.pass_context
def show(ctx: click.Context, name: tuple[str, ...], at: str, known: str, scope: str, as_json: bool) -> None:
    """Show a page, by its slug, path, title or alias; or what a citation cites.

    A citation is SOURCE, SOURCE:L118, SOURCE:L118-L125 or SOURCE:agent-a1/L3; the source id may be shortened while it stays
    unique.
    """
    from wikimem.faces import text

    found = options.opened(ctx).show(" ".join(name), at, known, scope)
    options.tell(found.as_json() if as_json else text.shown(found))


@click.command()
@click.argument("page", nargs=-1, required=True)
@options.AT
@options.KNOWN
@options.SCOPE
@options.JSON
@click.pass_context
def history(ctx: click.Context, page: tuple[str, ...], at: str, known: str, scope: str, as_json: bool) -> None:
    """Show the commits that changed a page, and what each changed on it."""
    from wikimem.faces import text

    found = options.opened(ctx).history(" ".join(page), at, known, scope)
    options.tell(found.as_json() if as_json else text.past(found))


@click.command()
@click.argument("statement", nargs=-1, required=True)
@click.option("--limit", default=3, metavar="N", type=click.IntRange(min=1), help="At most N claims.")
@options.SCOPE
@options.JSON
@click.pass_context
def why(ctx: click.Context, statement: tuple[str, ...], limit: int, scope: str, as_json: bool) -> None:
    """Show what a statement rests on: claim, quoted words, session, commit. The statement is any words, or a claim's id."""
    from wikimem.faces import text

    vault = options.opened(ctx)
    found = vault.why(" ".join(statement), limit, scope)
    options.tell(found.as_json() if as_json else text.reasons(found, vault.unseen(scope)))
    ctx.exit(0 if found.found else 1)


@click.command()
@click.argument("page")
@click.argument("attribute", default="")
@click.option("--known", default="", metavar="DATE", help="Only what had been said by then.")
@options.SCOPE
@options.JSON
@click.pass_context
def timeline(ctx: click.Context, page: str, attribute: str, known: str, scope: str, as_json: bool) -> None:
    """Show what held when on a page: values, intervals, what ended them, sources; of one ATTRIBUTE, or of all."""
    from wikimem.faces import text

    found = options.opened(ctx).timeline(page, attribute, known, scope)
    options.tell(found.as_json() if as_json else text.course(found))


@click.command()
@click.argument("commits", default="HEAD~1..HEAD", metavar="A..B")
@options.JSON
@click.pass_context
def diff(ctx: click.Context, commits: str, as_json: bool) -> None:
    """Show what the memory says differently between two commits: claims gained, ended, corrected, each with its quote.

    A..B names two commits; A alone means from A to now; without any, the last commit is shown.
    """
    from wikimem.faces import text

    found = options.opened(ctx).diff(commits)
    options.tell(found.as_json() if as_json else text.difference(found))


@click.command()
@click.option("--project", default="", metavar="SLUG", help="Only this project.")
@options.JSON
@click.pass_context
def report(ctx: click.Context, project: str, as_json: bool) -> None:
    """Show what the memory tells at first sight, by project.

    What people keep telling their agents, decisions of its last month, gotchas met more than once, commands that fail most.
    """
    from wikimem.faces import text

    found = options.opened(ctx).report(project)
    options.tell(found.as_json() if as_json else text.found(found))


@click.command()
@options.JSON
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show what the vault holds, and sessions outside that their tool will delete."""
    from wikimem.faces import text

    found = options.opened(ctx).status()
    options.tell(found.as_json() if as_json else text.status(found))
    ctx.exit(1 if found.problems else 0)


@click.command()
@click.option("--against", default="", metavar="COMMIT", help="Also prove that every source of this commit is here.")
@click.option("--anew", is_flag=True, help="Take nothing from an earlier verify: look at every claims file and page again.")
@options.JSON
@click.pass_context
def verify(ctx: click.Context, against: str, anew: bool, as_json: bool) -> None:
    """Prove that every source is what was captured and that no commit changed or removed one.

    All bytes are hashed each time. Claims files and pages whose bytes an earlier verify found right are counted apart.
    """
    from wikimem.faces import text

    proof = options.opened(ctx).verify(against, anew=anew)
    options.tell(proof.as_json() if as_json else text.proof(proof))
    ctx.exit(1 if proof.problems else 0)


@click.command()
@click.argument("target", type=click.Choice(["claude-md", "obsidian", "okf"]))
@click.option("--out", default=None, metavar="PATH", type=click.Path(), help="The file, or for obsidian and okf the folder.")
@click.option("--scope", default="", metavar="SCOPE", help="Only what this scope may see (project:checkout).")
@click.option(
    "--budget", default=2000, metavar="N", type=click.IntRange(min=200), help="Tokens of a claude-md, at most (200 or more)."
)
@options.JSON
@click.pass_context
def export(ctx: click.Context, target: str, out: str | None, scope: str, budget: int, as_json: bool) -> None:
    """Write what is remembered for another tool: one CLAUDE.md, a folder for Obsidian, or an OKF bundle.

    Without --out a claude-md is printed. Nothing that somebody else wrote is written over.
    """
    from wikimem.faces import text

    made = options.opened(ctx).export(target, out, scope=scope, budget=budget)
    options.tell(made.as_json() if as_json else text.exported(made))
    ctx.exit(1 if made.problems else 0)
