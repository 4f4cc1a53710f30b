"""The commands that take something out: parse, call one verb, print. No rules here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from wikimem.faces import options

if TYPE_CHECKING:
    pass


@click.command()
@click.argument("names", nargs=-1, metavar="[SOURCE|PAGE|CLAIM]…")
@click.option("--matching", default="", metavar="TEXT", help="Every line that holds this text, whatever the case of its letters.")
@click.option("--yes", is_flag=True, help="Do it. Without this, nothing is changed.")
@click.option("--history", is_flag=True, help="Also make git's history anew without it; needs --bundle and git-filter-repo.")
@click.option("--bundle", default=None, metavar="FILE", type=click.Path(), help="Where a copy of the old history goes first.")
@click.option("--receipt", default=None, metavar="FILE", type=click.Path(), help="Also write the receipt to this file.")
@options.JSON
@click.pass_context
def forget(
    ctx: click.Context,
    names: tuple[str, ...],
    matching: str,
    yes: bool,
    history: bool,
    bundle: str | None,
    receipt: str | None,
    as_json: bool,
) -> None:
    """Take a session, a page, a claim or a text out of everything that wikimem writes, so that it does not come back.

    Without --yes it only tells where it stands, place by place. A source goes as a whole. Of a page and of a claim the lines
    of sources go that prove it; of a text the lines that hold it; all other lines keep their numbers. One commit does it, and
    a tombstone of keyed hashes keeps it out of every clone. With no name at all, it finishes what was cut short.

    Exit code 1 if something still holds it, or if nothing does.
    """
    from wikimem import receipts

    vault = options.opened(ctx)
    progress = _progress()
    report = vault.forget(*names, matching=matching, yes=yes, history=history, bundle=bundle, receipt=receipt, progress=progress)
    _print(report.as_json() if as_json else receipts.text(report))
    ctx.exit(report.code)


@click.command()
@click.argument("name", metavar="COMMIT|SOURCE|CLAIM")
@options.JSON
@click.pass_context
def undo(ctx: click.Context, name: str, as_json: bool) -> None:
    """Take out of the wiki what a commit, a source or a claim brought in; again, to bring it back.

    It is a commit and a verdict: no compile and no recompile brings it back. A commit that made one of two is taken back by
    parting them. Sources and history keep it; `wikimem forget` takes it out of those.
    """
    from wikimem.faces import text

    done = options.opened(ctx).undo(name)
    _print(done.as_json() if as_json else text.edited(done))


@click.command()
@click.option("--older-than", default="", metavar="AGE", help="How long ago a session must have ended: 90d, 26w, 18m, 2y.")
@click.option("--keep-cited", is_flag=True, help="Keep the lines that claims cite, and the lines next to them.")
@click.option("--pages", default="", metavar="AGE", help="Archive pages of which nothing has held for so long.")
@click.option("--yes", is_flag=True, help="Do it. Without this, nothing is changed.")
@options.JSON
@click.pass_context
def retire(ctx: click.Context, older_than: str, keep_cited: bool, pages: str, yes: bool, as_json: bool) -> None:
    """Take the raw bytes of old sessions out of the vault, and keep what was learned from them; archive ended pages.

    All claims stay, with their quotes; a hash of each, taken when it still stood in its source, proves it from then on. Lines
    keep their numbers. Sources that were not compiled yet stay as they are. Git's history keeps the bytes.

    An archived page stays where it is and is listed in wiki/archive/index.md instead of its folder's index, until something new
    is said of it. Pages that people wrote on keep their place. With neither option, the ages of [retention] in the settings hold.
    """
    from wikimem import archive
    from wikimem import retire as verb

    vault = options.opened(ctx)
    if not older_than and not pages:
        older_than, pages = vault.retention
    if not older_than and not pages:
        raise click.UsageError("Give --older-than AGE, --pages AGE, or set [retention] in wikimem.toml.")
    told, lines = {}, ""
    if older_than:
        report = vault.retire(older_than, keep_cited=keep_cited, yes=yes, progress=_progress())
        told, lines = report.as_json(), verb.text(report)
    if pages:
        found = vault.archive(pages, yes=yes)
        told, lines = {**told, "archived": found.as_json()}, lines + archive.text(found)
    _print(told if as_json else lines)


def _progress() -> Callable[[str], None]:
    """Tells a person what is being done, where a person is looking."""
    import sys

    if not sys.stderr.isatty():
        return lambda doing: None
    return lambda doing: click.echo(f"{doing} …", err=True)


def _print(told: Any) -> None:
    import orjson

    click.echo(told.rstrip("\n") if isinstance(told, str) else orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())


COMMANDS = (undo, forget, retire)
"""In the order of the help."""
