"""The commands that tell how installation and vault fare: parse, call one verb, print. No rules here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wikimem.core.checkups import Checkup
    from wikimem.doctor import Examined
    from wikimem.faces.api import Vault
    from wikimem.log import Entry, Logged
    from wikimem.tidy import Tidied

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON of a stable shape instead of text.")


@click.command()
@_JSON
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Look whether this installation can do its work, and say what to do where it cannot. Nothing is changed.

    Python, git and extras; your config and its routes; the vault and how it was found; its repository: branch, operations under
    way, locks, a run that was cut short, line endings, signing, hooks, remotes; the index; agents that have hooks of wikimem,
    and whether what runs them is there still.

    Each line is `ok`, `look` (it works, and you should know) or `broken`. Exit code 1 if anything is broken.
    """
    from wikimem.doctor import examine

    found = examine(ctx.obj)
    _print(found.as_json() if as_json else examined(found))
    ctx.exit(found.code)


@click.command()
@click.option("--limit", default=20, metavar="N", type=click.IntRange(min=0), help="At most N commits; 0 for all.")
@click.option("--scope", default="", metavar="SCOPE", help="Only what was done with sources of this scope (project:checkout).")
@_JSON
@click.pass_context
def log(ctx: click.Context, limit: int, scope: str, as_json: bool) -> None:
    """Show what was done to the vault, newest first: when, what, how many claims came (+), changed (~) and went (-), the risk.

    Read from git's history; what people committed by hand is there with their names. `wikimem diff COMMIT~1..COMMIT` shows one
    of them claim by claim, `wikimem undo COMMIT` takes it back.
    """
    found = _open(ctx).log(limit, scope)
    _print(found.as_json() if as_json else logged(found))


@click.command()
@click.option("--fix", is_flag=True, help="Mend what is safe: pages rendered again, links after a rename, the index; one commit.")
@click.option("--code", default=None, metavar="PATH", type=click.Path(), help="Instead: claims that this code makes doubtful.")
@click.option("--since", default="", metavar="COMMIT", help="With --code: only what changed since, as in a code review.")
@click.option("--scope", default=None, metavar="SCOPE", help="With --code: whose claims; else those of the repository's project.")
@_JSON
@click.pass_context
def lint(ctx: click.Context, fix: bool, code: str | None, since: str, scope: str | None, as_json: bool) -> None:
    """List what a person should look at: conflicts that `settle` ends, claims with a value that was superseded, broken pages,
    links to nowhere; and hints: near-duplicates, orphans, pages too long, unknown attributes, an index that is behind.

    --code PATH holds the claims against a code repository: files, names and commands that are gone, values that changed, with the
    reason, in markdown for a comment on a code review (`--since origin/main`).

    Exit code 1 if there is anything but hints.
    """
    from wikimem.faces import text

    if code is None and (since or scope is not None):
        raise click.UsageError("--since and --scope go with --code.")
    if code is not None and fix:
        raise click.UsageError("--fix mends the wiki, and --code only looks at code; give one of them.")
    vault = _open(ctx)
    if code is not None:
        doubted = vault.doubted(code, since, scope)
        _print(doubted.as_json() if as_json else doubted.markdown.rstrip("\n"))
        ctx.exit(1 if doubted.doubts else 0)
    if fix:
        done = vault.tidy()
        _print(done.as_json() if as_json else tidied(done))
        ctx.exit(0 if done.found.is_clean and not done.left else 1)
    found = vault.lint()
    _print(found.as_json() if as_json else text.linted(found))
    ctx.exit(0 if found.is_clean else 1)


def tidied(done: Tidied) -> str:
    """What `lint --fix` mended, and what is left."""
    from wikimem.faces import text

    lines = [f"Commit {done.commit[:10]}; `git show {done.commit[:10]}` shows it."] if done.commit else ["No page had to change."]
    lines += [f"Links that lead somewhere again: {done.links}."] if done.links else []
    lines += ["The index is in step again."] if done.indexed else []
    lines += [f"Left alone: {problem}" for problem in done.left]
    return "\n".join([*lines, text.linted(done.found)])


def examined(found: Examined) -> str:
    """What the doctor found, a line each, advice below."""
    width = max(len(each.name) for each in found.checkups)
    return "\n".join(line for each in found.checkups for line in _checkup(each, width))


def _checkup(one: Checkup, width: int) -> list[str]:
    lines = [f"{one.state:<6}  {one.name:<{width}}  {one.told}"]
    return [*lines, f"{'':{width + 10}}-> {one.advice}"] if one.advice else lines


def logged(found: Logged) -> str:
    """The log, a line or two for each commit."""
    lines = [line for entry in found.entries for line in _entry(entry)]
    if found.shallow:
        lines.append("Older commits are missing in this clone; `git fetch --unshallow` brings them.")
    return "\n".join(lines) or "Nothing was done yet."


def _entry(one: Entry) -> list[str]:
    from wikimem.log import BY_HAND

    subject = one.subject.removeprefix(f"{one.op}: ")
    counts = f" ({one.changed})" if one.changed else ""
    by = f" ({one.who})" if one.op == BY_HAND else ""
    when = one.when[:16].replace("T", " ")
    head = f"{when}  {one.commit[:10]}  {one.op:<11} {one.changed or '-':<9} {subject.removesuffix(counts)}{by}"
    risky = [f"risk {one.risk}"] if one.risk and not one.risk.startswith("low") else []
    named = [*one.sources[:2], *([f"{len(one.sources) - 2} more"] if len(one.sources) > 2 else [])]
    below = "; ".join([*risky, *([f"from {', '.join(named)}"] if named else [])])
    return [head, f"{'':30}{below}"] if below else [head]


def _open(ctx: click.Context) -> Vault:
    import wikimem

    return wikimem.open(ctx.obj)


def _print(told: Any) -> None:
    import orjson

    from wikimem.faces import text

    if isinstance(told, str):
        click.echo("\n".join(text.plain(line) for line in told.split("\n")))
    else:
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())


COMMANDS = (lint, log, doctor)
"""In the order of the help."""
