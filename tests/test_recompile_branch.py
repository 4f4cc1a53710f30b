"""Recompile on a branch, by a model that words everything otherwise: what people ruled holds, what was there keeps its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dictated import Dictated, check, commits, git, session, tell, wiki
from wikimem import taking
from wikimem.core import claimfiles, edits
from wikimem.core.claims import Claim
from wikimem.core.edits import Edit, Rejected
from wikimem.core.memory_diff import Gained, Reworded
from wikimem.errors import UsageError
from wikimem.faces.api import Vault

SAID = (
    ("Payment retries stop after three attempts.", "A payment is retried at most 3 times."),
    ("Refunds above 200 euros need a second signature.", "Two people sign refunds over 200 euros."),
    ("The ferry to Ormsay sails on Mondays and Thursdays.", "Mondays and Thursdays are sailing days of the Ormsay ferry."),
    ("We never deploy on a Friday afternoon.", "Deploys do not happen on Friday afternoons."),
    ("Ines owns the rollback script.", "The rollback script belongs to Ines."),
    ("Staging listens on port 9090.", "Port 9090 is where staging listens."),
    ("Log lines are written in UTC.", "UTC is the time zone of all log lines."),
    ("The lock file is deleted by hand after a crash.", "After crashes somebody has to delete the lock file by hand."),
    ("Customer names must not appear in logs.", "Logs must not hold names of customers."),
    ("Releases are tagged with the date and a letter.", "Each release tag consists of a date and one letter."),
    ("The nightly import takes about forty minutes.", "Importing at night lasts roughly forty minutes."),
    ("Reviews are done in pairs.", "Pairs of people do the reviews."),
    ("The archive is kept on the blue server.", "The blue server keeps the archive."),
    ("Tests run against a copy of the data of May.", "A copy of data from May serves the tests."),
    ("The price list is generated from a spreadsheet.", "A spreadsheet is what the price list is generated from."),
    ("Maps are drawn with the south at the top.", "South is at the top of drawn maps."),
    ("Invoices go out on the second working day.", "On the second working day of a month invoices are sent."),
    ("The tide table is read from the harbour office.", "Harbour office data feeds the tide table."),
    ("Backups are encrypted with the old key.", "The old key encrypts backups."),
    ("Jonas wants short commit messages.", "Short messages for commits are what Jonas wants."),
    ("The crane stops when the wind passes 60 knots.", "Wind above 60 knots stops the crane."),
    ("Ticket numbers begin at 4000.", "4000 is the first ticket number."),
    ("The gateway drops requests without a trace header.", "Requests that come without a trace header are dropped."),
    ("Feature flags are removed after two releases.", "Two releases later, feature flags get removed."),
    ("The intern may merge documentation alone.", "Merging documentation is something the intern may do alone."),
    ("Passwords are rotated in March and September.", "March and September are the months of password rotation."),
    ("The map tiles come from a mirror in Bergen.", "A Bergen mirror serves the map tiles."),
    ("Errors of the printer are shown in red.", "Printer errors show up red."),
    ("Contracts are stored as scanned pages.", "Scanned pages are how contracts are stored."),
    ("The demo account is reset every night.", "Every night the demo account gets a reset."),
)
AGAIN = dict(SAID)


class Paraphrasing(Dictated):
    """Another model: words each statement otherwise, files every third elsewhere, and cuts its quotes otherwise."""

    def _claim(self, line: str, at: str) -> dict[str, Any] | None:
        claim = super()._claim(line, at)
        if claim is None:
            return None
        number = [text for text, _ in SAID].index(claim["text"])
        words = claim["text"].split()
        claim["text"] = AGAIN[claim["text"]]
        claim["quotes"][0]["words"] = " ".join(words[number % 2 : len(words) - (number % 3 == 1)])
        return claim | ({"subject": f"all about {claim['subject']}"} if number % 3 == 0 else {})


def another() -> Paraphrasing:
    return Paraphrasing(name="other/model", edition="2")


@pytest.fixture
def compiled(vault: Vault) -> Vault:
    """Three sessions of ten statements, three or four a turn, about five subjects."""
    lines = [f"topic | subject {number % 5} | | {text}" for number, (text, _) in enumerate(SAID)]
    turns = ["\n".join(lines[at : at + 3]) for at in range(0, 30, 3)]
    tell(vault, *(session(f"s{n}", f"2026-03-0{n + 1}", *turns[n::3]) for n in range(3)))
    vault.compile(model=Dictated())
    return vault


def claims(vault: Vault, ref: str = "HEAD") -> dict[str, Claim]:
    """The claims that sources yield in a commit, by id."""
    found: dict[str, Claim] = {}
    for path in git(vault.root, "ls-tree", "-r", "--name-only", ref, "wiki/.claims/2026").split():
        file, problems = claimfiles.read(git(vault.root, "show", f"{ref}:{path}").encode(), path)
        assert file is not None
        assert not problems
        found |= {claim.id: claim for claim in file.claims}
    return found


def shown(vault: Vault, ref: str) -> str:
    """All pages of a commit."""
    paths = [path for path in git(vault.root, "ls-tree", "-r", "--name-only", ref, "wiki").split() if "/.claims" not in path]
    return "".join(git(vault.root, "show", f"{ref}:{path}") for path in paths if "/sessions/" not in path)


def page_of(vault: Vault, text: str) -> Path:
    """The page that shows a statement."""
    (found,) = (path for path in vault.root.glob("wiki/topics/*.md") if f"- {text}" in path.read_text())
    return found


def test_of_claims_that_are_all_worded_otherwise_nearly_all_are_found_again(compiled: Vault) -> None:
    before = claims(compiled)
    assert len(before) == len(SAID)
    report = compiled.recompile(model=another(), branch="better")
    again, whole = report.found
    assert whole == len(SAID)
    assert again >= 0.95 * whole
    assert report.reworded == again
    kept = before.keys() & claims(compiled, "better").keys()
    assert len(kept) == again
    assert report.counts == f"+{whole - again} ~0 -{whole - again}"


def test_the_user_s_branch_index_and_files_stay(compiled: Vault) -> None:
    (compiled.root / "wiki/topics/subject-1.md").write_text("typing\n")
    (compiled.root / "mine.txt").write_text("mine\n")
    git(compiled.root, "add", "mine.txt")
    before = (git(compiled.root, "status", "--porcelain=v2", "--branch"), commits(compiled), wiki(compiled))
    report = compiled.recompile(model=another(), branch="try/better")
    assert (git(compiled.root, "status", "--porcelain=v2", "--branch"), commits(compiled), wiki(compiled)) == before
    assert report.problems == []
    assert git(compiled.root, "log", "--format=%s", f"{before[1][0]}..try/better").count("\n") == 1
    assert git(compiled.root, "rev-parse", "try/better").strip() == report.commit
    assert git(compiled.root, "worktree", "list").count("\n") == 1
    assert not (compiled.root / ".wikimem/aside").exists()


def test_the_branch_is_taken_by_a_merge_and_is_what_its_sources_give(compiled: Vault) -> None:
    compiled.recompile(model=another(), branch="better")
    git(compiled.root, "merge", "-q", "better")
    assert compiled.recompile(check=True, model=another()).files == ()
    compiled.compile(model=another())
    check(compiled)


def test_with_reword_the_diff_tells_new_words_from_new_claims(compiled: Vault) -> None:
    extra = "topic | subject 9 | | The lamp is lit at dusk."
    tell(compiled, session("s9", "2026-03-09", extra))
    every = {**AGAIN, "The lamp is lit at dusk.": "At dusk somebody lights the lamp."}
    model = Dictated(name="other/model", edition="2", rewords=every.__getitem__)
    report = compiled.recompile(model=model, branch="better", reword=True)
    changes = [change for page in report.pages for change in page.changes]
    # Who names another number says something else.
    other = SAID[1]
    assert {c.claim.text for c in changes if isinstance(c, Gained)} == {"At dusk somebody lights the lamp.", other[1]}
    assert {(c.old.text, c.new.text) for c in changes if isinstance(c, Reworded)} == set(SAID) - {other}
    assert report.counts == f"+2 ~{len(SAID) - 1} -1"
    assert compiled.diff("HEAD..better").pages == report.pages
    assert f"  = {SAID[0][0]} [reworded]\n    → {SAID[0][1]}" in git(compiled.root, "log", "-1", "--format=%B", "better")


@pytest.mark.parametrize("reword", [False, True])
def test_what_people_removed_changed_or_rejected_does_not_come_back(compiled: Vault, reword: bool) -> None:
    removed, changed, rejected = SAID[1], SAID[4], SAID[20]
    mine = "Ines and Tom own the rollback script."
    page = page_of(compiled, removed[0])
    page.write_text("".join(line for line in page.read_text().splitlines(True) if removed[0] not in line))
    page = page_of(compiled, changed[0])
    page.write_text(page.read_text().replace(f"- {changed[0]}", f"- {mine}"))
    git(compiled.root, "commit", "-qam", "by hand")
    opened = compiled._opened
    target = edits.target(next(claim for claim in claims(compiled).values() if claim.text == rejected[0]))
    with opened.repository() as repo:
        taking.keep(opened, repo, (Edit(Rejected(target, "wrong"), "Nora", "2026-03-10T09:00:00Z"),), lambda problem: None)
    report = compiled.recompile(model=another(), branch="better", reword=reword)
    assert len(report.edits) == 2
    assert report.problems == []
    told = shown(compiled, "better")
    assert not [text for pair in (removed, changed, rejected) for text in pair if f"- {text}" in told]
    assert f"- {mine}" in told
    assert [f"- {text}" in told for text in SAID[0]] == [not reword, reword]
    git(compiled.root, "merge", "-q", "better")
    compiled.compile(model=another())
    again = compiled.recompile(model=Dictated(name="third", edition="3"), reword=reword)
    assert again.problems == []
    told = shown(compiled, "HEAD")
    assert not [text for pair in (removed, changed, rejected) for text in pair if f"- {text}" in told]
    check(compiled)


def test_a_branch_that_exists_or_cannot_be_is_refused_before_anybody_is_asked(compiled: Vault) -> None:
    git(compiled.root, "branch", "taken")
    for name, why in (("taken", "There is a branch taken already"), ("two words", "no name of a branch"), ("-x", "no name")):
        model = another()
        with pytest.raises(UsageError, match=why):
            compiled.recompile(model=model, branch=name)
        assert model.asked == []


def test_a_working_tree_that_a_crash_left_is_in_nobody_s_way(compiled: Vault) -> None:
    left = compiled.root / ".wikimem/aside"
    git(compiled.root, "worktree", "add", "-q", "--detach", str(left))
    (left / "wiki/index.md").write_text("half\n")
    assert compiled.recompile(model=another(), branch="one").branch == "one"
    git(compiled.root, "worktree", "add", "-q", "--detach", str(left))
    for path in sorted(left.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    left.rmdir()
    assert compiled.recompile(model=another(), branch="two").branch == "two"
    assert git(compiled.root, "rev-parse", "one^{tree}") == git(compiled.root, "rev-parse", "two^{tree}")


def test_a_source_that_fails_keeps_on_the_branch_what_it_gave(compiled: Vault) -> None:
    model = Paraphrasing(name="other/model", edition="2", fails=["Ticket numbers"])
    report = compiled.recompile(model=model, branch="better")
    assert len(report.failed) == 1
    assert report.code == 1
    assert SAID[21][0] in shown(compiled, "better")


def test_nothing_changed_makes_no_branch(compiled: Vault) -> None:
    report = compiled.recompile(model=Dictated(), branch="same")
    assert (report.branch, report.commit, report.found) == ("", "", (30, 30))
    assert git(compiled.root, "branch", "--list", "same") == ""
