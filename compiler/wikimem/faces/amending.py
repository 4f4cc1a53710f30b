"""The commands by which a person edits the wiki: each is a recorded edit that outlives every compile."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from wikimem.faces import options

if TYPE_CHECKING:
    from wikimem.editing import Edited


@click.command()
@click.argument("page")
@click.argument("into")
@options.JSON
@click.pass_context
def merge(ctx: click.Context, page: str, into: str, as_json: bool) -> None:
    """Make one page of two: they are of one thing. INTO gives the title; every recompile keeps it so."""
    _edited(options.opened(ctx).merge(page, into), as_json)


@click.command()
@click.argument("page")
@click.argument("claims", nargs=-1, required=True)
@click.option("--to", "title", required=True, metavar="NAME", help="The name of the other page.")
@options.JSON
@click.pass_context
def split(ctx: click.Context, page: str, claims: tuple[str, ...], title: str, as_json: bool) -> None:
    """Move claims, named by their ids, from a page to one of another name: they are of two things."""
    _edited(options.opened(ctx).split(page, claims, title), as_json)


@click.command()
@click.argument("page")
@click.argument("title")
@options.JSON
@click.pass_context
def rename(ctx: click.Context, page: str, title: str, as_json: bool) -> None:
    """Give a page another title; the old one stays an alias, and links follow."""
    _edited(options.opened(ctx).rename(page, title), as_json)


@click.command()
@click.argument("page")
@click.argument("name")
@click.option("--remove", is_flag=True, help="Take the name away.")
@options.JSON
@click.pass_context
def alias(ctx: click.Context, page: str, name: str, remove: bool, as_json: bool) -> None:
    """Give a page a further name, by which it is found and linked."""
    _edited(options.opened(ctx).alias(page, name, remove), as_json)


@click.command()
@click.argument("winner")
@options.JSON
@click.pass_context
def settle(ctx: click.Context, winner: str, as_json: bool) -> None:
    """End a conflict: the claim of this id holds, those it is in conflict with have ended."""
    _edited(options.opened(ctx).settle(winner), as_json)


@click.command()
@click.argument("claim")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the rejection.")
@options.JSON
@click.pass_context
def reject(ctx: click.Context, claim: str, reason: str, as_json: bool) -> None:
    """Take a claim, named by its id, out of the wiki for ever, however another model words it."""
    _edited(options.opened(ctx).reject(claim, reason), as_json)


@click.command()
@click.argument("claim", required=False, default="")
@click.option("--asked", is_flag=True, help="Lift what stays on cards and answered questions; background runs do it once a day.")
@click.option("--dry-run", is_flag=True, help="With --asked: only tell.")
@options.JSON
@click.pass_context
def keep(ctx: click.Context, claim: str, asked: bool, dry_run: bool, as_json: bool) -> None:
    """Bring back a claim that was rejected, removed or made one with another, or lift one from its card onto a page."""
    if asked is bool(claim) or (dry_run and not asked):
        raise click.UsageError("Name one claim, or give --asked; --dry-run goes with --asked.")
    if not asked:
        _edited(options.opened(ctx).keep(claim), as_json)
        return
    from wikimem import lift

    found = options.opened(ctx).lift(dry_run=dry_run)
    options.tell(found.as_json() if as_json else lift.text(found))
    if found.problems:
        sys.exit(1)


def _edited(found: Edited, as_json: bool) -> None:
    from wikimem.faces import text

    options.tell(found.as_json() if as_json else text.edited(found))
    if found.problems:
        sys.exit(1)
