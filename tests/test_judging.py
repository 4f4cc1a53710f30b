"""Judging: who is asked about a pair. What the built-in rules compiled never begins to cost because another model was chosen."""

from __future__ import annotations

from dictated import Dictated, check, git, session, tell, wiki
from wikimem.core import judgements
from wikimem.core.judgements import Judgement
from wikimem.core.questions import Task
from wikimem.faces.api import Vault

WEST = "We decided that payment retries wait in the west queue."
EAST = "We decided that payment retries wait in the east queue of the depot."
LINE = "topic | {} | | {}"


def dictated(vault: Vault, *lines: str, name: str = "rules") -> None:
    """One session a line, compiled by a model of this name that takes them down."""
    day = len(list(vault.root.glob("sources/*/*/*.yaml"))) + 1
    tell(vault, *(session(f"s{day + n}", f"2026-03-{day + n:02}", line) for n, line in enumerate(lines)))
    vault.compile(model=Dictated(name=name))


def kept(vault: Vault) -> list[Judgement]:
    """The judgements on disk."""
    paths = sorted((vault.root / "wiki/.claims/pairs").glob("*.jsonl"))
    return [one for path in paths for one in judgements.read(path.read_bytes(), path.name)[0]]


def asked(model: Dictated) -> list[Task]:
    return [question.task for question in model.asked if question.task is not Task.EXTRACT]


def merged(vault: Vault) -> str:
    """Make the wiki one that somebody else changed as well: the next compile holds everything against everything."""
    page = next(vault.root.glob("wiki/topics/p*.md"))
    page.write_text(page.read_text() + "\n## Notes\n\nMerged.\n")
    git(vault.root, "commit", "-qam", "merge")
    return f"topics/{page.name}"


def test_after_a_switch_to_another_model_a_settle_asks_it_nothing(vault: Vault) -> None:
    dictated(vault, LINE.format("payment retries", WEST), LINE.format("payment retries", EAST))
    dictated(vault, LINE.format("retries of payments", "The depot hears of them."), LINE.format("payment retry", "A bell rings."))
    before = wiki(vault)
    assert kept(vault) == []
    page = merged(vault)
    model = Dictated(name="openai/paid")
    report = vault.compile(model=model)
    assert report.code == 0
    assert model.asked == []
    assert kept(vault) == []
    assert {path for path, data in wiki(vault).items() if before[path] != data} == {page}


def test_a_pair_with_a_side_of_another_model_is_that_model_s_to_judge(vault: Vault) -> None:
    dictated(vault, LINE.format("payment retries", WEST))
    tell(vault, session("new", "2026-04-01", LINE.format("payment retries", EAST), LINE.format("payment retry", "A bell rings.")))
    model = Dictated(name="openai/paid")
    vault.compile(model=model)
    assert asked(model) == [Task.MENTIONS, Task.CLAIMS]
    assert {(one.by, one.relation.value) for one in kept(vault)} == {("openai/paid", "different"), ("openai/paid", "unrelated")}
    check(vault)


def test_what_the_rules_say_of_such_a_pair_is_kept_so_that_nobody_is_asked_again(vault: Vault) -> None:
    dictated(vault, LINE.format("payment retries", WEST), name="openai/paid")
    # Now the rules compile: a session of their own, beside what the other model made.
    dictated(vault, LINE.format("payment retries", EAST))
    assert [one.by for one in kept(vault)] == ["rules"]
    merged(vault)
    model = Dictated(name="openai/paid")
    vault.compile(model=model)
    assert model.asked == []


def test_a_recompile_judges_everything_by_the_new_model(vault: Vault) -> None:
    dictated(vault, LINE.format("payment retries", WEST), LINE.format("payment retries", EAST))
    model = Dictated(name="openai/paid")
    vault.recompile(model=model)
    assert asked(model) == [Task.CLAIMS]
    assert [one.by for one in kept(vault)] == ["openai/paid"]
