"""What the commands share: options, the vault of a call, how a result is printed, how an error is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from wikimem.errors import BadMoment, WikimemError

if TYPE_CHECKING:
    from wikimem.faces.api import Vault

AT = click.option("--at", default="", metavar="DATE", help="Only claims that held then, as far as is known now.")
KNOWN = click.option("--known", default="", metavar="DATE", help="Only what had been said by then, as it was understood then.")
BATCH = click.option("--batch", is_flag=True, help="Ask in batches at half the price, and wait for them: minutes to a day.")


def folder() -> str:
    """The folder that the command is run in; '' if it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


SCOPE = click.option("--scope", default="", metavar="SCOPE", help="Who asks: a strict vault shows nothing of another scope.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")


class Group(click.Group):
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
            quiet_exit()
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"wikimem: {where}{error.strerror or error}. Nothing was lost; mend it and run again.", err=True)
            ctx.exit(1)


def opened(ctx: click.Context) -> Vault:
    """The vault that a call means."""
    import wikimem

    return wikimem.open(ctx.obj)


def tell(told: object) -> None:
    """Print a result: a text as it is, anything else as JSON."""
    import orjson

    try:
        if isinstance(told, str):
            click.echo(told)
        else:
            click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
        sys.stdout.flush()
    except BrokenPipeError:
        quiet_exit()


def quiet_exit() -> NoReturn:
    """The reader of our output has gone (`| head`); that is no error."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def day(value: str, option: str = "--since", last: bool = False) -> str:
    """The day that a date means: the first of a month or year, or the `last`; empty for none.

    Raises:
        BadMoment: it is no date.
    """
    from wikimem.core import moments

    if value and not moments.is_moment(value):
        raise BadMoment(option.lstrip("-"), value)
    return (moments.last(value) if last else moments.floor(value))[:10]


def far(said: str) -> None:
    """Tell a person how far something is; it may take long, so also where nobody looks at a terminal."""
    click.echo(said, err=True)


@contextmanager
def progress(doing: str) -> Iterator[Callable[[str], None]]:
    """A line on a terminal that says what is being worked on; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda path: None
        return
    from rich.console import Console

    with Console(stderr=True).status("looking") as line:
        yield lambda path: line.update(f"{doing} {path}")
