"""The laws of hand edits, on generated histories: nobody edited, nothing is taken; what was edited is there, whatever follows."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import NOW
from dictated import Dictated, git, tell, wiki
from handwork import run
from test_compile_laws import LINES, RELATIONS, SLOW, TEXTS, History, an_empty_vault, histories
from wikimem import memory, taking
from wikimem.errors import Problem
from wikimem.faces.api import Vault
from wikimem.vault import open_at

EXAMPLES = 5


def takes(vault: Vault) -> taking.Taken:
    """What a look at the pages finds, before anything is rendered."""
    problems: list[Problem] = []
    opened = open_at(vault.root)
    with opened.repository() as repo:
        found = memory.load(opened.root, opened.ledger, opened.settings.vocabulary)
        return taking.take(opened, repo, found, problems.append)


def other(text: str) -> str:
    """Another wording, fewer words of one, and one that two texts share."""
    return {TEXTS[0]: TEXTS[1], TEXTS[2]: f"As said, {TEXTS[2]}"}.get(text, text)


def models(history: History, chance: random.Random) -> Dictated:
    """One of several models: they word, merge and order things differently, and some yield fewer claims."""
    judged = {pair: chance.choice(RELATIONS) if relation in RELATIONS else relation for pair, relation in history.judged.items()}
    return chance.choice(
        [
            Dictated(history.judged),
            Dictated(judged, edition="2"),
            Dictated(history.judged, rewords=other, edition="3"),
            Dictated({}, edition="4"),
        ]
    )


def merge(here: Vault, there: Vault, chance: random.Random) -> None:
    """Bring what another clone has; a conflict is settled by taking either side, as one side deleted or changed a page."""
    side = chance.choice(["ours", "theirs"])
    run(here.root, "fetch", "-q", str(there.root), "HEAD")
    run(here.root, "merge", "-q", f"-X{side}", "--no-edit", "FETCH_HEAD", fails=True)
    if git(here.root, "status", "--porcelain"):
        for path in git(here.root, "diff", "--name-only", "--diff-filter=U", "-z").split("\0")[:-1]:
            run(here.root, "checkout", f"--{side}", "--", path, fails=True)
        git(here.root, "add", "-A")
        run(here.root, "commit", "-qm", "either side")


@settings(SLOW, max_examples=EXAMPLES)
@given(histories(), st.randoms(use_true_random=False))
def test_where_nobody_edited_nothing_is_taken(history: History, chance: random.Random) -> None:
    with an_empty_vault() as here:
        there = here.root.parent / "there"
        tell(here, history.sessions[0])
        here.compile(model=models(history, chance))
        run(here.root.parent, "clone", "-q", str(here.root), str(there))
        clones = [here, Vault.open(there, clock=lambda: NOW)]
        for data in history.sessions[1:]:
            clone = chance.choice(clones)
            tell(clone, data)
            for _ in range(chance.randint(1, 2)):
                step = chance.choice(["compile", "recompile", "merge", "rerender"])
                if step == "merge":
                    one, other_one = chance.sample(clones, 2)
                    merge(one, other_one, chance)
                    clone = one
                if step == "recompile":
                    clone.recompile(model=models(history, chance))
                if step == "rerender":
                    (clone.root / ".wikimem/wiki.json").unlink(missing_ok=True)
                assert takes(clone).edits == ()
                assert clone.compile(model=models(history, chance)).edits == ()
        for one, other_one in (clones, clones[::-1]):
            merge(one, other_one, chance)
            assert takes(one).edits == ()
            assert one.compile(model=Dictated(history.judged)).edits == ()
        assert wiki(clones[0]) == wiki(clones[1])


@settings(SLOW, max_examples=EXAMPLES)
@given(histories(), st.randoms(use_true_random=False))
def test_what_was_edited_is_there_whatever_follows(history: History, chance: random.Random) -> None:
    with an_empty_vault() as vault:
        tell(vault, history.sessions[0])
        vault.compile(model=Dictated(history.judged))
        gone, written = edited(vault.root, chance)
        run(vault.root, "commit", "-qam", "by hand")
        for data in history.sessions[1:]:
            tell(vault, data)
            vault.compile(model=Dictated(history.judged))
            if chance.random() < 0.5:
                vault.recompile(model=Dictated(history.judged, edition="2"))
            assert takes(vault).edits == ()
        said = "\n".join(path.read_text() for path in (vault.root / "wiki").glob("[!s.]*/*.md"))
        assert f"[^{gone}]:" not in said
        assert written in said
        assert git(vault.root, "status", "--porcelain") == ""


def is_current(line: str) -> bool:
    """Whether a line shows a claim that holds and that nothing disputes."""
    return line.startswith("- ") and "[^" in line and "conflicts" not in line and "~~" not in line


def edited(root: Path, chance: random.Random) -> tuple[str, str]:
    """Remove one claim from a page, and write another line; the id of the one, the words of the other."""
    paths = [path for path in sorted((root / "wiki").glob("[!s.]*/*.md")) if path.name != "index.md"]
    shown = [(path, line) for path in paths for line in path.read_text().splitlines() if is_current(line)]
    path, line = chance.choice(shown)
    mine = f"What {chance.randint(1, 9)} people know."
    path.write_text(path.read_text().replace(f"{line}\n", f"- {mine}\n"))
    return line[-13:-1], mine


def test_the_lines_of_the_laws_are_lines_that_a_model_takes() -> None:
    assert all(len(line.split("|")) >= 4 for line in LINES)
