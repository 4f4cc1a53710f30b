"""The commands that let others see something: `share`, and the ready workflow of a repository. Parse, call one verb, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wikimem.share import Sharing, Visible

_INDENT = " " * 6


@click.command()
@click.argument("sources", nargs=-1)
@click.option("--project", default="", metavar="SLUG", help="All sessions of this project, or of those named.")
@click.option("--to", required=True, metavar="VAULT", type=click.Path(), help="The shared vault's folder.")
@click.option("--yes", is_flag=True, help="Do it; without, only look at exactly what would become visible.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")
@click.pass_context
def share(ctx: click.Context, sources: tuple[str, ...], project: str, to: str, yes: bool, as_json: bool) -> None:
    """Send claims to a shared vault, with the turns that they cite and the ones right beside them; nothing else.

    Shows exactly what becomes visible, and does it with --yes. What is refused, masked, rejected, waiting or of another
    project stays; people are called by role unless [share] names them. There, risky claims wait for a review.
    """
    import orjson

    import wikimem
    from wikimem.faces import text

    done = wikimem.open(ctx.obj).share(to, sources, project=project, yes=yes)
    told = orjson.dumps(done.as_json(), option=orjson.OPT_INDENT_2).decode() if as_json else text.plain(_told(done))
    click.echo(told)
    ctx.exit(1 if done.problems else 0)


@click.command()
@click.argument("host", type=click.Choice(["github", "gitlab"]))
def ci(host: str) -> None:
    """Print the ready workflow for a vault's repository: verify, lint, eval own, and the memory diff of a request.

    For GitHub it belongs in .github/workflows/wikimem.yml, for GitLab in .gitlab-ci.yml; `init --ci` puts it there.
    """
    from wikimem.init import workflow

    click.echo(workflow(host), nl=False)


def _told(done: Sharing) -> str:
    lines = [line for one in done.sources for line in _visible(one)]
    for source, left in done.nothing.items():
        lines.append(f"Nothing of {source}{_left(left)}.")
    claims = sum(len(one.claims) for one in done.sources)
    turns = sum(len(one.turns) for one in done.sources)
    sums = f"{claims} claims, {turns} turns and {done.pairs} judgements of {len(done.sources)} sources"
    if done.done:
        lines.append(f"Shared {sums} with {done.to}." + (f" Commit {done.commit[:10]}." if done.commit else ""))
        lines += [f"There {done.waiting} claims wait: wikimem --vault {done.to} review"] if done.waiting else []
    elif done.sources:
        lines.append(f"Would share {sums} with {done.to}. Nothing was written; --yes does it.")
    else:
        lines.append("Nothing is to be shared that is not there already.")
    lines += [f"Problem: {problem}" for problem in done.problems]
    return "\n".join(lines)


def _visible(one: Visible) -> list[str]:
    """All that anybody will see of a source."""
    lines = [f"{one.source}{f' ({one.scope})' if one.scope else ''}, visible as {one.there}:"]
    for turn in one.turns:
        who = f"{turn.speaker.value}{f' ({turn.name})' if turn.name else ''}"
        first, *rest = turn.text.splitlines() or [""]
        lines += [f"  {turn.at:<6} {who} {turn.said}: {first}", *(f"{_INDENT}{line}" for line in rest)]
    lines += [f"  + {claim.text} ({claim.stance.value})" for claim in one.claims]
    return [*lines, *([f"  stays here{_left(one.left)}"] if one.left else [])]


def _left(left: object) -> str:
    told = dict(left) if isinstance(left, dict) else {}
    return ": " + "; ".join(f"{number} {why}" for why, number in sorted(told.items())) if told else ""
