"""A vault whose pages people edit: sessions about one subject, and what a person does to its page in an editor and in git."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dictated import Dictated, git, session, tell, wiki
from wikimem.compile import Compiled
from wikimem.faces.api import Vault

PAGE = "topics/payment-retries.md"
THREE = "Retries stop after 3 attempts."
EAST = "The queue waits in the east wing."
MOVED = "The queue was moved to berth 4."
LINE = "topic | payment retries | {} | {}"

Edited = Callable[[str], str]
_CLOCK = itertools.count(1)


def start(vault: Vault) -> Vault:
    """Two sessions about one subject, compiled."""
    tell(
        vault,
        session("one", "2026-03-02", LINE.format("retry-limit", THREE), LINE.format("", EAST)),
        session("two", "2026-03-04", LINE.format("event", MOVED) + " | kind=episodic | from=2026-03-01"),
    )
    compiled(vault)
    return vault


def compiled(vault: Vault, model: Dictated | None = None, take_edits: bool = False) -> Compiled:
    """Compile, and see that nothing went wrong."""
    report = vault.compile(model=model or Dictated(), take_edits=take_edits)
    assert report.problems == [], report.problems
    assert [one.reason for one in report.outcomes] == [""] * len(report.outcomes)
    return report


def page(vault: Vault, path: str = PAGE) -> str:
    """A page on disk."""
    return (vault.root / "wiki" / path).read_text("utf-8")


def shown(vault: Vault, path: str = PAGE) -> list[str]:
    """The list items of a page, without what cites."""
    return [re.sub(r" ?\[\^\w+\]", "", line) for line in page(vault, path).splitlines() if re.match(r"- |\d+\. ", line)]


def edit(vault: Vault, done: Edited, path: str = PAGE) -> None:
    """What a person does to a page in an editor."""
    before = page(vault, path)
    after = done(before)
    assert after != before
    (vault.root / "wiki" / path).write_bytes(after.encode())


def swap(old: str, new: str) -> Edited:
    """An edit that puts one text in place of another: in the first list item that holds it, else where it first stands."""

    def done(text: str) -> str:
        assert old in text, text
        item = re.search(rf"^(?:- |\d+\. ).*?{re.escape(old)}", text, re.MULTILINE)
        place = item.end() - len(old) if item and "\n" not in old else text.index(old)
        return text[:place] + new + text[place + len(old) :]

    return done


def cut(words: str) -> Edited:
    """An edit that takes out the list item that holds some words."""

    def done(text: str) -> str:
        lines = text.splitlines(keepends=True)
        kept = [line for line in lines if not (words in line and re.match(r"- |\d+\. ", line))]
        assert len(kept) < len(lines), text
        return "".join(kept)

    return done


def add(item: str, section: str = "Facts") -> Edited:
    """An edit that adds a line at the top of a section."""
    return swap(f"## {section}\n\n", f"## {section}\n\n{item}\n")


def save(vault: Vault, about: str = "by hand") -> None:
    """What a person does with git after an edit: each commit a minute after the one before."""
    moment = (datetime(2026, 6, 1, 8, 0, tzinfo=UTC) + timedelta(minutes=next(_CLOCK))).isoformat()
    git(vault.root, "add", "-A", "wiki")
    run(vault.root, "commit", "-qm", about, moment=moment)


def run(root: Path, *args: str, moment: str = "", fails: bool = False) -> str:
    """Run git as Nora, at a moment."""
    import os

    env = dict(os.environ) | ({"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment} if moment else {})
    command = ["git", "-c", "user.name=Nora", "-c", "user.email=nora@example.org", *args]
    done = subprocess.run(command, cwd=root, capture_output=True, env=env)
    assert fails or done.returncode == 0, done.stderr
    return done.stdout.decode()


def by_hand(vault: Vault, done: Edited, path: str = PAGE) -> Compiled:
    """Edit a page, commit it, compile."""
    edit(vault, done, path)
    save(vault)
    return compiled(vault)


def settled(vault: Vault) -> None:
    """Nothing is left to do: clean in git, verified, and compiling again takes and changes nothing."""
    before, head = wiki(vault), git(vault.root, "rev-parse", "HEAD")
    assert git(vault.root, "status", "--porcelain") == ""
    assert not vault.verify().problems, vault.verify().problems
    (vault.root / ".wikimem/wiki.json").unlink(missing_ok=True)
    report = compiled(vault)
    assert report.edits == ()
    assert (wiki(vault), git(vault.root, "rev-parse", "HEAD")) == (before, head)


def anew(vault: Vault, model: Dictated | None = None) -> None:
    """Recompile all by a model."""
    report = vault.recompile(model=model or Dictated(edition="2"))
    assert (report.problems, report.failed) == ([], {})
