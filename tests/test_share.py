"""Sharing is an act: others see what was shown before, the turns that prove it, and nothing else; all laws hold there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import wikimem
from conftest import NOW
from dictated import check, git, joined, records, session, tell, wiki
from handwork import by_hand, swap
from reviewing import LIMIT, NEW, WEEK, branches, compiled, settings
from syncing import clone, publish
from wikimem.errors import UsageError
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

GATE = "topic | harbour gate | | The harbour gate closes at dusk."
TIDE = "topic | tide tables | | Tide tables are printed on Mondays."
OTHER = "/home/sam/quarry"


@pytest.fixture
def shared(tmp_path: Path) -> Vault:
    """An empty shared vault."""
    wikimem.create(tmp_path / "team", shared=True)
    return Vault.open(tmp_path / "team", clock=lambda: NOW)


def held(root: Path) -> bytes:
    """Everything that a vault holds: its files, those that are ignored, and all objects of its git."""
    files = b"\n".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=root, capture_output=True, check=True
    ).stdout
    return files + objects


def said(number: int) -> str:
    """A marker that nobody else is to see."""
    return f"whisper-{number:04}-kelp"


def test_without_yes_nothing_is_written_and_all_that_would_be_seen_is_told(vault: Vault, shared: Vault) -> None:
    (source,) = tell(
        vault, session("one", "2026-03-02", said(1), ("assistant", "Shall we?"), GATE, ("assistant", "Noted."), said(2))
    )
    compiled(vault)
    before = held(shared.root)
    told = vault.share(shared.root, [source])
    assert held(shared.root).count(b"dusk") == before.count(b"dusk") == 0
    assert not told.done
    (one,) = told.sources
    assert [turn.text for turn in one.turns] == ["Shall we?", GATE, "Noted."]
    assert [claim.text for claim in one.claims] == ["The harbour gate closes at dusk."]


def test_an_excerpt_holds_the_cited_turn_and_its_neighbours_on_their_lines(vault: Vault, shared: Vault) -> None:
    turns = [said(1), ("assistant", "Shall we?"), GATE, ("assistant", "Noted."), said(2)]
    (source,) = tell(vault, session("one", "2026-03-02", *turns))
    compiled(vault)
    done = vault.share(shared.root, [source], yes=True)
    assert (done.done, done.problems, done.waiting) == (True, [], 0)
    (path,) = (shared.root / "sources").rglob("*.jsonl")
    lines = path.read_text().split("\n")
    assert [bool(line) for line in lines] == [False, True, True, True, False]
    mine, theirs = (each._opened.ledger for each in (vault, shared))
    theirs.forget_cache()
    (sidecar,) = theirs.all().values()
    assert (sidecar.id, sidecar.raw, sidecar.cwd) == (source, mine.all()[source].raw, "")
    assert sidecar.hint["whole"] == mine.all()[source].content
    whole = {turn.at: turn.identity for turn in mine.read(source).turns}
    seen = theirs.read(source).turns
    assert [(turn.at, turn.identity) for turn in seen] == [(at, whole[at]) for at in ("L2", "L3", "L4")]
    assert "closes at dusk. [^" in (shared.root / "wiki/topics/harbour-gate.md").read_text()
    check(shared)


def test_private_words_are_in_no_file_and_no_git_object_of_the_shared_vault(vault: Vault, shared: Vault) -> None:
    numbers = iter(range(1, 100))
    markers: list[str] = []

    def whisper() -> str:
        markers.append(said(next(numbers)))
        return f"By the way: {markers[-1]}, and nobody else needs to know."

    far = [whisper(), ("assistant", whisper()), ("tool", whisper())]
    cited = [("assistant", "Shall we?"), GATE, ("assistant", "Noted.")]
    told = records("one", "2026-03-02", *far, *cited, *far[::-1], "And:", LIMIT.format(3), ("assistant", "Good."), whisper())
    for record in told:
        record["toolUseResult"] = {"stdout": whisper()} if record["type"] == "user" else None
        record["cwd"] = "/home/sam/harbour"
        record["gitBranch"] = markers[-1]
    unshared = [
        session("two", "2026-03-03", TIDE, whisper()),
        session("three", "2026-03-03", f"topic | harbour gate | | The code of the gate is {markers[0]}.", cwd=OTHER),
        session("four", "2026-03-04", f"person | Nora | | Nora is called {markers[1]} at home. | scope=none"),
    ]
    one, *_ = tell(vault, joined(told), *unshared)
    compiled(vault)
    done = vault.share(shared.root, [one], yes=True)
    assert {claim.text for each in done.sources for claim in each.claims} == {
        "The harbour gate closes at dusk.",
        "Retries stop after 3 attempts.",
    }
    shared.recall("when does the harbour gate close?")
    shared.build_site()
    found = held(shared.root)
    assert len(markers) > 10
    assert [marker for marker in markers if marker.encode() in found] == []
    assert b"/home/sam" not in found
    assert b"closes at dusk" in found


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        (["topic | harbour gate | | The gate has a code. | words=AKIAIOSFODNN7EXAMPLF is the code"], ""),
        ([f"{NEW} | scope=user"], "about another project, or none"),
        ([f"{NEW}\nMy key is AKIAZ7QXW4LM2PRT6VBN."], "its words are masked in part"),
        ([f"{NEW}\n{TIDE} | sensitive=yes"], "beside something that was refused or waits"),
    ],
)
def test_what_is_not_for_others_stays(vault: Vault, shared: Vault, turns: list[str], why: str) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", *turns))
    compiled(vault)
    told = vault.share(shared.root, [source])
    assert told.sources == []
    assert list(told.nothing[source]) == ([why] if why else [])


def test_what_waits_or_was_rejected_stays(vault: Vault, shared: Vault) -> None:
    vault = settings(vault, '\n[review.topic]\nlow = "review"\n')
    (source,) = tell(vault, session("one", "2026-03-02", LIMIT.format(3), "Well.", WEEK, "Well.", NEW))
    compiled(vault)
    items = {item.title: item for item in vault.review().items}
    vault.approve(items["Payment retries"].ids)
    vault.reject(next(claim.id for claim in vault.share(shared.root, [source]).sources[0].claims if "week" in claim.text))
    (one,) = vault.share(shared.root, [source], yes=True).sources
    assert [claim.text for claim in one.claims] == ["Retries stop after 3 attempts."]
    found = held(shared.root)
    assert b"a week" not in found
    assert b"dusk" not in found


def test_what_something_unshared_ended_is_not_passed_for_what_holds(vault: Vault, shared: Vault) -> None:
    old, new = tell(vault, session("one", "2026-03-02", LIMIT.format(3)), session("two", "2026-03-04", LIMIT.format(5)))
    compiled(vault)
    told = vault.share(shared.root, [old])
    assert told.nothing == {old: {"ended by something that is not shared": 1}}
    both = vault.share(shared.root, [old, new], yes=True)
    assert len(both.sources) == 2
    page = (shared.root / "wiki/topics/payment-retries.md").read_text()
    assert "- Retries stop after 5 attempts." in page
    assert "~~Retries stop after 3 attempts.~~" in page


def test_what_replaces_something_waits_there_for_a_review(vault: Vault, shared: Vault) -> None:
    old, new = tell(vault, session("one", "2026-03-02", LIMIT.format(3)), session("two", "2026-03-04", LIMIT.format(5)))
    compiled(vault)
    first = vault.share(shared.root, [old, new], yes=True)
    assert first.waiting == 0
    (late,) = tell(vault, session("four", "2026-03-08", LIMIT.format(9)))
    compiled(vault)
    done = vault.share(shared.root, [late], yes=True)
    assert done.waiting == 1
    page = shared.root / "wiki/topics/payment-retries.md"
    assert "9 attempts" not in page.read_text()
    assert branches(shared.root) == ["memory/project-harbour/2026-07-01"]
    assert vault.share(shared.root, [late], yes=True).sources == []
    shared.approve(["all"])
    assert "- Retries stop after 9 attempts." in page.read_text()
    check(shared)


def test_people_are_called_by_role_unless_they_are_to_be_named(vault: Vault, shared: Vault, tmp_path: Path) -> None:
    chat = b"".join(
        (line + "\n").encode()
        for line in (
            '{"wikimem":1,"session":"chat","title":"Gate","started":"2026-03-02T09:00:00Z","cwd":"/home/sam/harbour"}',
            '{"id":"m1","speaker":"human","name":"Ada Quill","time":"2026-03-02T09:00:00Z","text":'
            '"topic | harbour gate | | Ada Quill closes the gate at dusk. | words=at dusk"}',
            '{"id":"m2","speaker":"human","name":"Ben Oar","time":"2026-03-02T09:01:00Z","text":"Fine."}',
        )
    )
    (source,) = tell(vault, chat)
    compiled(vault)
    (one,) = vault.share(shared.root, [source]).sources
    assert [claim.text for claim in one.claims] == ["A person closes the gate at dusk."]
    assert [turn.name for turn in one.turns] == ["", ""]
    named = settings(vault, '\n[share]\nnames = ["Ada Quill"]\n')
    (one,) = named.share(shared.root, [source]).sources
    assert [claim.text for claim in one.claims] == ["Ada Quill closes the gate at dusk."]
    assert [turn.name for turn in one.turns] == ["Ada Quill", ""]


def test_sharing_again_sends_only_what_is_new_and_changes_no_source(vault: Vault, shared: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", GATE, "Well.", "Well.", "Well.", TIDE))
    compiled(vault)
    vault = settings(vault, "\n[share]\nnames = []\n")
    gate = next(claim.id for claim in vault.share(shared.root, [source]).sources[0].claims if "gate" in claim.text)
    vault.reject(gate)
    vault.share(shared.root, [source], yes=True)
    vault.keep(gate)
    again = vault.share(shared.root, [source], yes=True)
    (one,) = again.sources
    assert [claim.text for claim in one.claims] == ["The harbour gate closes at dusk."]
    assert one.there != source
    assert one.there.startswith(source)
    assert vault.share(shared.root, [source], yes=True).sources == []
    assert len(list((shared.root / "sources").rglob("*.jsonl"))) == 2
    check(shared)


def test_a_hand_edit_of_the_project_is_shared_as_what_a_person_said(vault: Vault, shared: Vault) -> None:
    tell(vault, session("one", "2026-03-02", LIMIT.format(3)), session("two", "2026-03-02", f"{TIDE}", cwd=OTHER))
    compiled(vault)
    by_hand(vault, swap("Retries stop after 3 attempts.", "Retries stop after 4 attempts."))
    by_hand(vault, swap("on Mondays", "on Tuesdays"), "topics/tide-tables.md")
    vault.share(shared.root, project="harbour", yes=True)
    page = (shared.root / "wiki/topics/payment-retries.md").read_text()
    assert "- Retries stop after 4 attempts." in page
    assert "3 attempts" not in page
    found = held(shared.root)
    assert b"Tuesdays" not in found
    assert b"Nora" not in found
    check(shared)


def test_the_laws_hold_on_excerpts(vault: Vault, shared: Vault) -> None:
    sources = tell(
        vault,
        session("one", "2026-03-02", "Hello.", LIMIT.format(3), "Well.", WEEK),
        session("two", "2026-03-04", "Hello.", LIMIT.format(5), NEW),
    )
    compiled(vault)
    vault.share(shared.root, sources, yes=True)
    before, head = wiki(shared), git(shared.root, "rev-parse", "HEAD")
    (shared.root / ".wikimem/wiki.json").unlink()
    assert shared.compile().outcomes == []
    assert shared.recompile(check=True).files == ()
    report = shared.recompile()
    assert (report.excerpts, report.sources, report.failed) == (2, 0, {})
    assert (wiki(shared), git(shared.root, "rev-parse", "HEAD")) == (before, head)
    check(shared)
    remote = publish(shared)
    other = clone(remote, "mira")
    assert other.sync().problems == []
    assert wiki(other) == before
    check(other)


def test_an_excerpt_whose_claims_are_lost_says_that_it_is_to_be_shared_again(vault: Vault, shared: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", "Hello.", GATE))
    compiled(vault)
    vault.share(shared.root, [source], yes=True)
    git(shared.root, "rm", "-q", "-r", "wiki/.claims")
    git(shared.root, "commit", "-qm", "lost")
    (outcome,) = shared.compile().outcomes
    assert "is an excerpt" in outcome.reason
    vault.share(shared.root, [source], yes=True)
    assert "closes at dusk. [^" in (shared.root / "wiki/topics/harbour-gate.md").read_text()
    check(shared)


def test_a_shared_vault_takes_no_sessions(shared: Vault, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session("one", "2026-03-02", GATE))
    with pytest.raises(UsageError, match="wikimem share"):
        shared.ingest([tmp_path / "s.jsonl"])
    (tmp_path / "CLAUDE.md").write_text("- Use tabs.\n")
    with pytest.raises(UsageError, match="wikimem share"):
        shared.adopt([tmp_path / "CLAUDE.md"])


def test_only_a_shared_vault_is_shared_with(vault: Vault, tmp_path: Path) -> None:
    tell(vault, session("one", "2026-03-02", GATE))
    other = wikimem.create(tmp_path / "private")
    with pytest.raises(UsageError, match=re.escape("private vault")):
        vault.share(other.root, project="harbour")
    with pytest.raises(UsageError, match="not shared with itself"):
        vault.share(vault.root, project="harbour")


def test_a_strict_shared_vault_is_the_default(shared: Vault) -> None:
    assert (shared._opened.settings.kind, shared._opened.settings.isolation) == ("shared", "strict")


def test_no_path_tells_the_name_of_a_home_folder(vault: Vault, shared: Vault) -> None:
    line = "topic | gate file | | The gate file is /home/mira/code/gate.toml."
    before, after = ("assistant", "It is /Users/mira/x."), ("assistant", "Or in /mnt/c/Users/mira/y.")
    (source,) = tell(vault, session("one", "2026-03-02", before, line, after))
    compiled(vault)
    done = vault.share(shared.root, [source], yes=True)
    assert done.problems == []
    assert b"mira" not in held(shared.root)
    assert "The gate file is ~/code/gate.toml." in b"".join(wiki(shared).values()).decode()
    check(shared)


def test_whoever_names_no_scope_is_told_which_there_are(vault: Vault, shared: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", GATE))
    compiled(vault)
    vault.share(shared.root, [source], yes=True)
    asked = "when does the harbour gate close"
    for words in (["recall", asked], ["search", "gate"], ["brief"], ["ask", asked], ["why", "the gate closes at dusk"]):
        done = CliRunner().invoke(main, ["--vault", str(shared.root), *words])
        assert "--scope: project:harbour" in done.output
        own = CliRunner().invoke(main, ["--vault", str(shared.root), *words, "--scope", "project:harbour"])
        assert "dusk" in own.output
    assert shared.unseen("project:harbour") == vault.unseen() == ""
