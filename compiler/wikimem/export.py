"""Export: what is remembered, written where other tools read it: a CLAUDE.md, a folder for Obsidian, an OKF bundle.

Nothing that somebody else wrote is written over: a file must be new or ours, a folder new, empty or made by an export.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from wikimem import memory
from wikimem.core import exports
from wikimem.edges import upstream
from wikimem.errors import Problem, UsageError
from wikimem.vault import Vault

TARGETS = ("claude-md", "obsidian", "okf")
LISTING = ".wikimem-export.json"
BUDGET = 2000


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export made.

    Args:
        target: one of `TARGETS`.
        out: the file or folder; empty if the text is only returned.
        text: of a `claude-md`; empty for the others.
        files: how many were made.
        claims: of a `claude-md`: how many it holds.
        left: of a `claude-md`: how many did not fit into the budget.
        problems: claims that could not be used.
    """

    target: str
    out: str
    text: str
    files: int
    claims: int
    left: int
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "target": self.target,
            "out": self.out,
            "text": self.text,
            "files": self.files,
            "claims": self.claims,
            "left_out": self.left,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def export(vault: Vault, target: str, out: Path | None = None, scope: str = "", budget: int = BUDGET) -> Exported:
    """Write what is remembered for another tool.

    Args:
        vault: the vault; it is only read.
        target: `claude-md`, `obsidian` or `okf`.
        out: the file, or for the last two the folder; None returns the text of a `claude-md`.
        scope: only what this scope may see; empty for all of a vault that is not strict.
        budget: tokens of a `claude-md`.

    Raises:
        UsageError: there is no such target, nothing to export, or something of somebody else's where it would go.
    """
    if target not in TARGETS:
        raise UsageError(f"{target!r} cannot be exported to. Targets: {', '.join(TARGETS)}.")
    if out is None and target != "claude-md":
        raise UsageError(f"An export to {target} is a folder of files; name one with --out.")
    found = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    scopes = {source: sidecar.scope for source, sidecar in vault.ledger.all().items()}
    wiki = exports.scoped(found.wiki, scope, vault.settings.isolation == "strict", scopes)
    if not wiki.subjects:
        seen = f" that {scope} may see" if scope else ""
        raise UsageError(f"The wiki has no claims{seen} yet; compile what was ingested first.")
    if target == "claude-md":
        digest = exports.claude_md(wiki, budget)
        if out is not None:
            _write_file(out, digest.text)
        shown = upstream.shown(out) if out is not None else ""
        return Exported(target, shown, digest.text, 1, digest.claims, digest.left, found.problems)
    assert out is not None
    files = exports.obsidian(wiki) if target == "obsidian" else exports.okf(wiki)
    _write_folder(out, files)
    return Exported(target, upstream.shown(out), "", len(files), 0, 0, found.problems)


def _write_file(out: Path, text: str) -> None:
    if out.is_dir():
        raise UsageError(f"{upstream.shown(out)} is a folder; name the file to write, such as CLAUDE.memory.md in it.")
    if out.is_symlink() or (out.exists() and exports.MADE.encode() not in out.read_bytes()[:4096]):
        raise UsageError(
            f"{upstream.shown(out)} was not made by an export and is left as it is. "
            "Name another file, such as CLAUDE.memory.md, and import it with a line `@CLAUDE.memory.md`."
        )
    if not out.parent.is_dir():
        raise UsageError(f"{upstream.shown(out.parent)} is no folder; make it first, or name another place.")
    _replace(out, text)


def _write_folder(out: Path, files: dict[str, str]) -> None:
    if out.exists() and not out.is_dir():
        raise UsageError(f"{upstream.shown(out)} is a file; name a folder.")
    listing = out / LISTING
    if out.is_dir() and any(out.iterdir()) and not listing.is_file():
        raise UsageError(f"{upstream.shown(out)} holds files that no export made; name a new or an empty folder.")
    out.mkdir(parents=True, exist_ok=True)
    before = _listed(listing)
    # Listed before they are written: what an interrupted export leaves is known as ours the next time.
    _replace(listing, orjson.dumps(sorted(before | files.keys()), option=orjson.OPT_INDENT_2).decode() + "\n")
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if out.resolve() not in path.parent.resolve().parents and path.parent.resolve() != out.resolve():
            raise UsageError(f"{upstream.shown(path.parent)} leads out of {upstream.shown(out)}; remove that link first.")
        _replace(path, text)
    for name in sorted(before - files.keys()):
        path = out / name
        if path.is_file() and not path.is_symlink():
            path.unlink()
    _replace(listing, orjson.dumps(sorted(files), option=orjson.OPT_INDENT_2).decode() + "\n")


def _listed(listing: Path) -> set[str]:
    """The files that an earlier export made; only names that stay in its folder."""
    try:
        told = orjson.loads(listing.read_bytes())
    except (OSError, ValueError):
        return set()
    names = {name for name in told if isinstance(name, str) and name.endswith(".md")} if isinstance(told, list) else set()
    return {name for name in names if not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts}


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(path)
