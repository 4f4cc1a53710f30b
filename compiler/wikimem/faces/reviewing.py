"""The commands of review: what waits, decisions about it, and its way to the remote. Parse, call one verb, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wikimem.faces import options

if TYPE_CHECKING:
    from wikimem.confiding import Withheld
    from wikimem.review import Decided, Item

_WIDE, _FIRST = 150, 3
_WHAT = click.argument("what", nargs=-1, required=True)


@click.group(name="review", invoke_without_command=True)
@click.option("--fetch", is_flag=True, help="Look first which proposals the remote has.")
@click.option("--remote", default="", metavar="NAME", help="This remote; else origin, or the only one.")
@options.JSON
@click.pass_context
def group(ctx: click.Context, fetch: bool, remote: str, as_json: bool) -> None:
    """List the changes that wait for a person, the riskiest first; decide with approve, reject and edit.

    What waits is on no page. It stands on branches memory/<scope>/<day>, one a day and scope, and the table [review] of
    wikimem.toml says what must wait. What may be sensitive is listed by the place where it was said, as nothing of it is in
    the wiki; `show` reads its words from the source. Exit code 1 if anything waits.
    """
    if ctx.invoked_subcommand is not None:
        return
    found = options.opened(ctx).review(fetch=fetch, remote=remote)
    lines = [_listed(item) for item in found.items]
    lines += ["Kept back, since it may be sensitive:", *map(_told, found.withheld)] if found.withheld else []
    _print(found.as_json() if as_json else "\n".join(lines or ["Nothing waits."]))
    ctx.exit(1 if lines else 0)


@group.command()
@click.argument("what", nargs=-1)
@options.JSON
@click.pass_context
def show(ctx: click.Context, what: tuple[str, ...], as_json: bool) -> None:
    """Show items by number or claim id (all, if none is named): what the page would say otherwise, and the proving words."""
    found = options.opened(ctx).review_show(what)
    every = [*map(_shown, found.items), *map(_told_in_full, found.withheld)]
    _print(found.as_json() if as_json else "\n\n".join(every) or "Nothing waits.")


@group.command()
@_WHAT
@options.JSON
@click.pass_context
def approve(ctx: click.Context, what: tuple[str, ...], as_json: bool) -> None:
    """Let in what waits: numbers as last listed, claim ids, or `all`. One commit.

    What may be sensitive is not among `all`: name its number, its place, or `sensitive` for all of that.
    """
    _decided(ctx, options.opened(ctx).approve(what), as_json)


@group.command()
@_WHAT
@click.option("--reason", default="", metavar="TEXT", help="Why; kept with the verdict.")
@options.JSON
@click.pass_context
def reject(ctx: click.Context, what: tuple[str, ...], reason: str, as_json: bool) -> None:
    """Keep out what waits, for ever: it binds to the quoted words, so no recompile brings it back worded otherwise.

    What may be sensitive is not among `all`: name its number, its place, or `sensitive` for all of that.
    """
    _decided(ctx, options.opened(ctx).disapprove(what, reason), as_json)


@group.command()
@click.argument("what")
@click.argument("text")
@options.JSON
@click.pass_context
def edit(ctx: click.Context, what: str, text: str, as_json: bool) -> None:
    """Let in one claim with the words TEXT instead of its own; they are yours and win over every compile."""
    _decided(ctx, options.opened(ctx).amend(what, text), as_json)


@click.command()
@click.option("--remote", default="", metavar="NAME", help="This remote; else origin, or the only one.")
@options.JSON
@click.pass_context
def pr(ctx: click.Context, remote: str, as_json: bool) -> None:
    """Push what waits for review to the remote, and print where to open a request for it.

    Works with any host, without a key; the address is known for GitHub, GitLab and Bitbucket.
    """
    found = options.opened(ctx).push_proposals(remote)
    lines = [] if found.pushed else ["Nothing waits."]
    for one in found.pushed:
        lines.append(f"Pushed {one.branch} to {found.remote} ({one.claims} {'claim' if one.claims == 1 else 'claims'}).")
        lines.append(
            f"  Open a request: {one.link}" if one.link else "  Open a request for it on your host, or merge it with git."
        )
    lines += [f"Problem: {problem}" for problem in found.problems]
    _print(found.as_json() if as_json else "\n".join(lines))
    ctx.exit(1 if found.problems else 0)


def _listed(item: Item) -> str:
    """An item with the first things that it says."""
    from wikimem.core import memory_diff

    told = [memory_diff.lines(change)[0].strip() for change in item.change.changes] or [claim.text for claim in item.waiting]
    lines = [f"         {line if len(line) <= _WIDE else line[: _WIDE - 1] + '…'}" for line in told[:_FIRST]]
    more = [f"         … and {len(told) - _FIRST} more"] if len(told) > _FIRST else []
    return "\n".join((_head(item), *lines, *more))


def _head(item: Item) -> str:
    number = len(item.ids)
    why = f": {'; '.join(item.reasons)}" if item.reasons else ""
    what = "a pair" if item.pair else f"{number} {'claim' if number == 1 else 'claims'}"
    return f"{item.number:>3}  {item.risk.value:<6}  {item.title} ({what}){why}"


def _shown(item: Item) -> str:
    """An item in full, each change under the ids by which its claims are decided one by one."""
    from wikimem.core import memory_diff, risks

    where = f"{item.page or 'no page'}{f', on {item.branch}' if item.branch else ''}"
    lines = [_head(item), f"     {where}"]
    left = {claim.id: claim for claim in item.waiting}
    for change in item.change.changes:
        ids = [claim.id for claim in risks.named(change) if claim is not None and left.pop(claim.id, None) is not None]
        lines += ["", *(f"  [{id}]{f' {item.why[id]}' if id in item.why else ''}" for id in ids), *memory_diff.lines(change)]
    for id, claim in left.items():
        lines += ["", f"  [{id}] changes nothing that is shown", f"  = {claim.text}"]
    return "\n".join(lines)


def _told(one: Withheld) -> str:
    number = len(one.claims)
    many = f"{number} {'claim' if number == 1 else 'claims'}" if number else "compiled elsewhere or before"
    return f"{one.number:>3}  {one.place}  ({many})"


def _told_in_full(one: Withheld) -> str:
    words = [f"     {line}" for line in one.words.splitlines()] or ["     (the source is not here any more)"]
    return "\n".join([_told(one), *words, *(f"  [^{claim.id}] {claim.text}" for claim in one.claims)])


def _decided(ctx: click.Context, done: Decided, as_json: bool) -> None:
    lines = list(done.done)
    lines.append(f"Commit {done.commit[:10]} ({done.changed})." if done.commit else "Nothing on the pages changed.")
    lines.append(f"Left: {done.left}." if done.left else "Nothing else waits.")
    lines += [f"Problem: {problem}" for problem in done.problems]
    _print(done.as_json() if as_json else "\n".join(lines))
    ctx.exit(1 if done.problems else 0)


def _print(told: object) -> None:
    import orjson

    from wikimem.faces import text

    click.echo(text.plain(told) if isinstance(told, str) else orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
