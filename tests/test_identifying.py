"""Identifying: near-duplicates and two names of one thing become one, by risk, revocably, and nobody is asked twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dictated import Dictated, check, commits, git, session, tell, wiki
from handwork import EAST, LINE, MOVED, PAGE, THREE, compiled, page, settled, shown, start
from wikimem import settled as noted
from wikimem.consolidate import Done
from wikimem.core.cold import Step
from wikimem.errors import ModelFailed, UsageError
from wikimem.faces.api import Vault
from wikimem.vault import open_at

EASTERN = "In the east wing the queue waits."
FRIDAY = "The queue waits in the east wing, but not on Fridays."
NAMES = frozenset({"payment retries", "retry payments"})
SAME = {frozenset({EAST, EASTERN}): "same"}


def passed(vault: Vault, model: Dictated | None = None, anew: bool = False) -> Done:
    """One pass of the step."""
    report = vault.consolidate(model=model, only="identities", anew=anew)
    assert report.problems == [], report.problems
    (done,) = report.steps
    return done


def policy(vault: Vault, told: str) -> Vault:
    """The vault with other settings of review."""
    path = vault.root / "wikimem.toml"
    path.write_text(f"{path.read_text('utf-8')}\n[review]\n{told}\n", "utf-8")
    git(vault.root, "commit", "-qam", "settings")
    return Vault.open(vault.root)


def pairs(vault: Vault) -> str:
    return "".join(data.decode() for path, data in wiki(vault).items() if path.startswith(".claims/pairs/"))


@pytest.fixture
def told(vault: Vault) -> Vault:
    """A page on which two lines say one thing, a third one with an exception, and a page of another name of the same."""
    start(vault)
    tell(
        vault,
        session("three", "2026-03-06", LINE.format("", EASTERN), LINE.format("", FRIDAY)),
        session("four", "2026-03-07", "topic | retry payments | | A gull sits on the retries."),
    )
    compiled(vault)
    # As if nobody had been able to judge when it was compiled.
    forgotten(vault)
    return Vault.open(vault.root)


def forgotten(vault: Vault) -> None:
    """What was judged is gone, and nobody noticed: otherwise all would be judged anew before anything else."""
    git(vault.root, "rm", "-rq", "--ignore-unmatch", "wiki/.claims/pairs")
    git(vault.root, "commit", "-q", "--allow-empty", "-m", "no pairs")
    opened = open_at(vault.root)
    with opened.repository() as repo:
        noted.remember(opened, repo.tree("wiki"))


def test_a_deferred_pair_gets_judged_and_the_earliest_said_is_shown_with_the_evidence_of_both(told: Vault) -> None:
    before = commits(told)
    done = passed(told, Dictated(SAME))
    assert done.taken == 1
    assert len(commits(told)) == len(before) + 1
    lines = shown(told)
    assert any(EAST in line for line in lines)
    assert not any(EASTERN in line for line in lines)
    (note,) = (
        line for line in page(told).splitlines() if line.startswith("[^") and "“The queue waits in the east wing.”" in line
    )
    assert "20260306" in note
    assert note.startswith("[^")
    assert "fact · human" in note
    assert any(FRIDAY in line for line in lines)
    assert "as told" in pairs(told)
    settled(told)
    check(told)


def test_a_second_pass_asks_nobody_and_commits_nothing(told: Vault) -> None:
    model = Dictated(SAME)
    passed(told, model)
    state, asked = (wiki(told), commits(told)), len(model.asked)
    assert asked
    for _ in range(3):
        again = passed(told, model)
        assert (again.asked, again.commit) == (0, "")
    assert ((wiki(told), commits(told)), len(model.asked)) == (state, asked)


def test_what_was_judged_to_be_two_is_kept_and_asked_about_again_only_anew(told: Vault) -> None:
    model = Dictated()
    first = passed(told, model)
    assert first.asked > 0
    assert first.taken == 0
    assert '"unrelated"' in pairs(told)
    assert '"different"' in pairs(told)
    assert passed(told, model).asked == 0
    assert passed(told, Dictated(SAME), anew=True).taken == 1
    assert not any(EASTERN in line for line in shown(told))
    settled(told)


def test_an_exception_is_not_merged_away_whatever_a_model_says_and_the_refusal_is_kept_without_words(told: Vault) -> None:
    model = Dictated({frozenset({EAST, FRIDAY}): "same", frozenset({EASTERN, FRIDAY}): "same"})
    done = passed(told, model)
    assert (done.taken, sum(done.refused.values())) == (0, 2)
    assert {*done.refused} <= {"other-date", "lost-exception"}
    assert any(FRIDAY in line for line in shown(told))
    kept = "".join(data.decode() for path, data in wiki(told).items() if path.startswith(".claims/cold/"))
    assert '"refused":"other-date"' in kept
    assert "Friday" not in kept
    assert passed(told, model).asked == 0


def test_two_names_of_one_thing_become_one_page_and_links_of_people_follow(told: Vault) -> None:
    note = told.root / "wiki" / PAGE
    note.write_text(note.read_text("utf-8") + "\nSee [the gull](retry-payments.md).\n", "utf-8")
    git(told.root, "commit", "-qam", "a note")
    done = passed(told, Dictated({NAMES: "same"}))
    assert done.taken == 1
    assert not (told.root / "wiki/topics/retry-payments.md").exists()
    text = page(told)
    assert "A gull sits on the retries." in text
    assert "aliases: [retry payments]" in text
    assert "See [the gull](payment-retries.md)." in text
    assert "Claims: +0 ~0 -0" in git(told.root, "log", "-1", "--format=%B")
    settled(told)


def test_undoing_the_commit_parts_what_it_made_one_for_ever(told: Vault) -> None:
    before = shown(told)
    done = passed(told, Dictated({**SAME, NAMES: "same"}))
    assert done.taken == 2
    told.undo(done.commit)
    assert shown(told) == before
    assert (told.root / "wiki/topics/retry-payments.md").exists()
    assert passed(told, Dictated({**SAME, NAMES: "same"}), anew=True).taken == 0
    told.recompile(model=Dictated({**SAME, NAMES: "same"}, rewords=lambda text: text.replace("waits", "stands")))
    assert (told.root / "wiki/topics/retry-payments.md").exists()
    assert any(EASTERN in line for line in shown(told))
    settled(told)
    git(told.root, "rev-parse", "HEAD")
    (verdict,) = (line.rpartition("/")[2].removesuffix(".yaml") for line in edits(told))
    told.undo(verdict)
    assert not any(EASTERN in line for line in shown(told))


def edits(vault: Vault) -> list[str]:
    found = git(vault.root, "ls-files", "sources").split()
    return [line for line in found if "-edit-" in line and line.endswith(".yaml")]


def test_keep_brings_back_a_line_that_was_made_one_with_another(told: Vault) -> None:
    passed(told, Dictated(SAME))
    (id,) = (line.split('"claim":"')[1][:12] for line in claims(told) if EASTERN in line)
    told.keep(id)
    assert any(EASTERN in line for line in shown(told))
    assert any(EAST in line for line in shown(told))
    assert passed(told, Dictated(SAME), anew=True).taken == 0
    settled(told)


def claims(vault: Vault) -> list[str]:
    found = (data.decode() for path, data in wiki(vault).items() if path.startswith(".claims/2"))
    return [line for text in found for line in text.splitlines() if '"claim":' in line]


def test_what_the_settings_send_to_review_waits_and_is_approved(told: Vault) -> None:
    vault = policy(told, 'low = "review"')
    model = Dictated({**SAME, NAMES: "same"})
    before = shown(vault)
    done = passed(vault, model)
    assert (done.taken, done.held) == (0, 2)
    assert shown(vault) == before
    assert passed(vault, model).asked == 0
    items = vault.review().items
    assert [item.pair != "" for item in items] == [True, True]
    assert "as told" in items[0].reasons
    vault.approve(["all"])
    assert vault.review().items == ()
    assert not any(EASTERN in line for line in shown(vault))
    assert not (vault.root / "wiki/topics/retry-payments.md").exists()
    assert passed(vault, model).asked == 0
    settled(vault)


def test_a_rejected_pair_stays_two_and_outlives_a_recompile(told: Vault) -> None:
    vault = policy(told, 'low = "review"')
    model = Dictated({**SAME, NAMES: "same"})
    before = shown(vault)
    passed(vault, model)
    with pytest.raises(UsageError, match="a pair"):
        vault.amend("1", "Otherwise.")
    vault.disapprove(["1", "2"])
    assert vault.review().items == ()
    assert shown(vault) == before
    assert passed(vault, model, anew=True).taken == 0
    vault.recompile(model=Dictated({**SAME, NAMES: "same"}, name="other"))
    assert shown(vault) == before
    settled(vault)


def test_what_the_settings_refuse_is_refused(told: Vault) -> None:
    vault = policy(told, 'low = "refuse"')
    done = passed(vault, Dictated(SAME))
    assert (done.taken, done.held, done.refused) == (0, 0, {"policy": 1})
    assert any(EASTERN in line for line in shown(vault))


def test_pages_that_people_named_both_wait_though_others_do_not(told: Vault) -> None:
    told.rename(PAGE, "Repeated payments")
    told.rename("topics/retry-payments.md", "Gulls")
    done = passed(told, Dictated({NAMES: "same", **SAME}))
    assert (done.taken, done.held) == (1, 1)
    (item,) = told.review().items
    assert item.risk.value == "high"


def test_forgetting_a_source_leaves_nothing_of_what_it_was_made_one_with(told: Vault) -> None:
    vault = policy(told, '[review.topic]\nlow = "review"')
    passed(vault, Dictated({**SAME, NAMES: "same"}))
    vault.approve(["1"])
    source = next(line for line in git(vault.root, "ls-files", "wiki/sessions").split() if "20260306" in line)
    vault.forget(source.rpartition("/")[2].removesuffix(".md"), yes=True)
    left = b"".join(wiki(vault).values())
    assert EASTERN.encode() not in left
    assert b"2026-03-06" not in left
    known = {line.split('"claim":"')[1][:12] for line in claims(vault)}
    for line in pairs(vault).splitlines():
        if '"of":"claims"' in line:
            assert all(id in known for id in line.split('"pair":["')[1][:27].split('","'))
    assert vault.review().items == () or EASTERN not in str(vault.review().as_json())
    settled(vault)


def test_in_a_strict_vault_nothing_without_a_scope_is_asked_about_and_no_two_scopes_meet(told: Vault) -> None:
    tell(told, session("five", "2026-03-08", LINE.format("", EASTERN), cwd="/home/sam/other"))
    compiled(told)
    forgotten(told)
    path = told.root / "wikimem.toml"
    path.write_text(path.read_text("utf-8").replace('isolation = "prefer"', 'isolation = "strict"'), "utf-8")
    git(told.root, "commit", "-qam", "strict")
    vault = Vault.open(told.root)
    model = Dictated(SAME)
    passed(vault, model)
    for question in model.asked:
        assert isinstance(question.values, tuple)
        one, other = question.values
        scopes = {getattr(each, "scope", "") or each.mention.scope for each in (one, other)}
        assert len(scopes) == 1
        assert "" not in scopes


class Broken(Dictated):
    """A model that cannot judge."""

    def ask(self, question: object) -> object:  # type: ignore[override]
        raise ModelFailed(self.name, "it was told to fail")


def test_a_judge_that_fails_loses_nothing_and_the_next_pass_goes_on(told: Vault) -> None:
    report = told.consolidate(model=Broken(), only="identities")
    assert "told to fail" in report.steps[0].reason
    assert report.code == 1
    assert passed(told, Dictated(SAME)).taken == 1


def test_the_built_in_rules_make_one_what_differs_in_form_only(vault: Vault) -> None:
    start(vault)
    tell(vault, session("three", "2026-03-06", LINE.format("", "The queues wait in the east wing.")))
    compiled(vault)
    forgotten(vault)
    done = passed(vault)
    assert done.taken == 1
    assert [line for line in shown(vault) if "east wing" in line] == [f"- {EAST}"]
    assert '"by":"rules"' in pairs(vault)
    assert passed(vault).commit == ""
    assert {THREE in line or EAST in line or MOVED in line for line in shown(vault)} == {True}
    settled(vault)


def test_a_dry_run_says_how_many_pairs_there_are_and_asks_nobody(told: Vault) -> None:
    model, before = Dictated(SAME), commits(told)
    report = told.consolidate(model=model, only="identities", dry_run=True)
    assert report.steps[0].asked > 0
    assert (model.asked, commits(told)) == ([], before)


KILLED = """
import os, signal, sys
from wikimem.faces.api import Vault
from wikimem.edges.repo import Repo
done = Repo.commit
def commit(self, *args, **kwargs):
    if sys.argv[2] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    done(self, *args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
Repo.commit = commit
Vault.open(sys.argv[1]).consolidate(only=sys.argv[3])
"""


def killed(vault: Vault, when: str, step: str) -> None:
    """Run a step and kill it just before or just after its commit."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", KILLED, str(vault.root), when, step], env=env, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_before_or_after_its_commit_the_wiki_is_valid_and_the_next_pass_comes_to_the_same(
    vault: Vault, tmp_path: Path, when: str
) -> None:
    start(vault)
    tell(vault, session("three", "2026-03-06", LINE.format("", "The queues wait in the east wing.")))
    compiled(vault)
    forgotten(vault)
    shutil.copytree(vault.root, tmp_path / "twin")
    twin = Vault.open(tmp_path / "twin")
    assert passed(twin).taken == 1
    killed(vault, when, Step.IDENTITIES)
    check(vault)
    passed(vault)
    assert wiki(vault) == wiki(twin)
    settled(vault)
