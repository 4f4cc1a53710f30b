"""The commands below `wikimem site`."""

from __future__ import annotations

import click

from wikimem.faces import options


@click.group(cls=options.Group)
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
@options.JSON
@click.pass_context
def site_build(ctx: click.Context, base: str, out: str | None, scope: str, jobs: int, as_json: bool) -> None:
    """Write the site: only files that changed, and without those that are no more.

    It is plain files: open _site/index.html, or put the folder on any web server, under any path.
    """
    from wikimem.faces import text

    with options.progress("") as progress:
        built = options.opened(ctx).build_site(base, out=out, scope=scope, jobs=jobs, progress=progress)
    options.tell(built.as_json() if as_json else text.built(built))


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

    vault = options.opened(ctx)
    serving.serve(vault.root, lambda: vault.build_site("", out=out, scope=scope, jobs=jobs), port, click.echo)
