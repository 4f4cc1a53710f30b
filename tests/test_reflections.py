"""Reflections: what several sessions show stands on its page as concluded, and goes with what it rests on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dictated import Dictated, check, commits, git, session, tell, wiki
from handwork import by_hand, compiled, cut, page, settled, start, swap
from syncing import clone, publish
from test_identifying import killed
from wikimem.consolidate import Done
from wikimem.core.consolidation.views import Reflecting
from wikimem.core.questions import Question, Reply
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

PAGE = "topics/knots.md"
KNOT = "topic | knots | | {} | kind=procedural"
WISHES = (
    "Please tie a double bowline knot on every hawser at the pontoon.",
    "A double bowline on every hawser at the pontoon, please.",
    "Use the double bowline on every hawser at the pontoon.",
)
LOOSE = "Knots come loose on windy nights."
SEEN = "The same knot had to be asked for again and again."


class Thinker(Dictated):
    """A model that concludes one thing of a page, from all of its claims that hold a word.

    Args:
        text: what it concludes.
        word: in the claims that it cites.
        more: other values of its reply.
    """

    def __init__(self, text: str = SEEN, word: str = "bowline", name: str = "thinker", **more: Any) -> None:
        super().__init__(name=name)
        self.text, self.word, self.more = text, word, more

    def ask(self, question: Question) -> Reply:
        if not isinstance(question.values, Reflecting):
            return super().ask(question)
        self.asked.append(question)
        cited = [one.id for one in question.values.lines if self.word in one.text]
        found = {"text": self.text, "claims": cited, "but": "", "against": [], "stance": "inference", "confidence": 0.7}
        if "against" in self.more:
            against = [one.id for one in question.values.lines if self.more["against"] in one.text]
            found |= {"but": "But one of them was loose.", "against": against}
        found |= {key: value for key, value in self.more.items() if key != "against"}
        return Reply({"reflections": [found] if cited else []}, 40, 20)


def passed(vault: Vault, model: Dictated | None = None, anew: bool = False) -> Done:
    """One pass of the step."""
    report = vault.consolidate(model=model, only="reflections", anew=anew)
    assert report.problems == [], report.problems
    (done,) = report.steps
    assert done.reason == ""
    return done


def concluded(vault: Vault, path: str = PAGE) -> list[str]:
    """The lines that were concluded, with what stands in their brackets."""
    text = page(vault, path)
    ids = [line[2:14] for line in text.splitlines() if line.startswith("[^") and " · concluded" in line]
    return [line.removesuffix(f" [^{id}]") for line in text.splitlines() for id in ids if line.endswith(f"[^{id}]")]


def source(vault: Vault, day: str) -> str:
    found = next(line for line in git(vault.root, "ls-files", "wiki/sessions").split() if day in line)
    return found.rpartition("/")[2].removesuffix(".md")


@pytest.fixture
def told(vault: Vault) -> Vault:
    """The same wish in three sessions, in other words each time, and something else."""
    start(vault)
    for number, wish in enumerate(WISHES):
        tell(vault, session(f"wish{number}", f"2026-03-1{number}", KNOT.format(wish), KNOT.format(LOOSE)))
    compiled(vault)
    return vault


def test_a_wish_of_three_sessions_is_concluded_by_rule_once_with_footnotes_to_what_it_rests_on(told: Vault) -> None:
    before, claims = commits(told), page(told, PAGE)
    done = passed(told)
    assert done.taken == 2
    assert len(commits(told)) == len(before) + 1
    assert sorted(concluded(told)) == [
        f"- Asked for in 3 sessions, from 2026-03-10 to 2026-03-12: “{LOOSE}” (inference, 0.6)",
        f"- Asked for in 3 sessions, from 2026-03-10 to 2026-03-12: “{WISHES[2]}” (inference, 0.6)",
    ]
    text = page(told, PAGE)
    part = text.partition("## Inferences")[2]
    assert "Asked for in 3 sessions" in part
    notes = [line for line in text.splitlines() if line.startswith("[^") and "inference · concluded from [^" in line]
    assert len(notes) == 2
    assert any(line.count("2026031") >= 3 for line in notes)
    assert {*claims.splitlines()} - {*text.splitlines()} == set()
    state = wiki(told), commits(told)
    for _ in range(3):
        assert passed(told).commit == ""
    assert (wiki(told), commits(told)) == state
    settled(told)
    check(told)


def test_a_model_concludes_and_is_not_asked_again(told: Vault) -> None:
    thinker = Thinker()
    assert passed(told, thinker).taken == 1
    assert concluded(told) == [f"- {SEEN} (inference, 0.7)"]
    asked = len(thinker.asked)
    assert asked
    assert passed(told, thinker).asked == 0
    assert len(thinker.asked) == asked
    settled(told)


def test_an_opinion_stands_among_the_opinions(told: Vault) -> None:
    passed(told, Thinker(stance="opinion"))
    assert f"## Opinions\n\n- {SEEN} (opinion, 0.7) [^" in page(told, PAGE)


def test_contrary_evidence_lowers_the_confidence_with_a_reason_and_leaves_what_happened(told: Vault) -> None:
    before = page(told, PAGE)
    passed(told, Thinker(against="loose"))
    assert concluded(told) == [f"- {SEEN} But one of them was loose. (inference, 0.5)"]
    assert [line for line in before.splitlines() if line.startswith("- ") and line not in page(told, PAGE).splitlines()] == []


@pytest.mark.parametrize(
    ("rule", "model"),
    [
        ("bad-level", Thinker(stance="fact")),
        ("bad-level", Thinker(confidence=1)),
        ("bad-text", Thinker(text=" ")),
        ("one-source", Thinker(word="Please tie")),
        ("unknown-claim", Thinker(claims=["aaaaaaaaaaaa", "bbbbbbbbbbbb"])),
        ("unproved-number", Thinker(text="It was asked for 77 times.")),
    ],
)
def test_a_malformed_proposal_is_refused_kept_with_its_reason_and_not_asked_again(told: Vault, rule: str, model: Thinker) -> None:
    before = page(told, PAGE)
    done = passed(told, model)
    assert (done.taken, dict(done.refused)) == (0, {rule: 1})
    assert page(told, PAGE) == before
    kept = b"".join(data for path, data in wiki(told).items() if "/cold/" in path)
    assert f'"refused":"{rule}","reason":"'.encode() in kept
    assert passed(told, model).asked == 0


def test_what_the_policy_does_not_let_in_by_itself_is_left_with_the_reason(told: Vault) -> None:
    done = passed(told, Thinker(confidence=0.3))
    assert done.refused == {"policy": 1}
    assert concluded(told) == []
    kept = b"".join(data for path, data in wiki(told).items() if "/cold/" in path)
    assert b"high: it is hardly sure" in kept
    assert SEEN.encode() not in kept


def test_sources_and_claims_files_are_what_they_were(told: Vault) -> None:
    def ground() -> dict[str, bytes]:
        files = [path for top in ("sources", "wiki/.claims/2026") for path in (told.root / top).rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in files}

    before = ground()
    assert len(before) > 10
    passed(told)
    passed(told, Thinker(), anew=True)
    assert ground() == before


def test_a_line_taken_away_by_hand_stays_away_however_it_is_worded_and_its_ground_stays(told: Vault) -> None:
    before = page(told, PAGE)
    passed(told, Thinker())
    report = by_hand(told, cut(SEEN), PAGE)
    assert len(report.edits) == 1
    assert page(told, PAGE) == before
    done = passed(told, Thinker(text="Somebody forgets the knot."), anew=True)
    assert done.refused == {"rejected": 1}
    assert page(told, PAGE) == before
    told.recompile(model=Dictated())
    assert page(told, PAGE) == before
    settled(told)


def test_a_line_reworded_by_hand_becomes_the_persons_and_its_ground_stays(told: Vault) -> None:
    before = page(told, PAGE)
    passed(told, Thinker())
    report = by_hand(told, swap(SEEN, "Agents forget the bowline."), PAGE)
    assert len(report.edits) == 1
    text = page(told, PAGE)
    assert "- Agents forget the bowline. (inference" in text
    assert SEEN not in text
    assert concluded(told) == []
    assert [line for line in before.splitlines() if line.startswith("- ") and line not in text.splitlines()] == []
    passed(told, Thinker(), anew=True)
    assert "Agents forget the bowline." in page(told, PAGE)
    assert SEEN not in page(told, PAGE)
    settled(told)


def test_rejecting_takes_the_conclusion_alone_and_keep_brings_it_back(told: Vault) -> None:
    before = page(told, PAGE)
    passed(told, Thinker())
    (id,) = (line[2:14] for line in page(told, PAGE).splitlines() if " · concluded" in line)
    told.reject(id)
    assert page(told, PAGE) == before
    told.keep(id)
    assert concluded(told) == [f"- {SEEN} (inference, 0.7)"]
    settled(told)


def test_other_edits_of_a_page_with_a_conclusion_are_taken_alone(told: Vault) -> None:
    passed(told, Thinker())
    report = by_hand(told, swap(LOOSE, "Knots come loose in storms."), PAGE)
    assert len(report.edits) == 1
    assert concluded(told) == [f"- {SEEN} (inference, 0.7)"]
    settled(told)


def test_what_was_concluded_goes_when_a_claim_of_it_goes_and_comes_anew_from_what_is_left(told: Vault) -> None:
    passed(told)
    before = concluded(told)
    told.undo(source(told, "20260312"))
    assert concluded(told) == []
    passed(told)
    assert concluded(told) != before
    assert all("in 2 sessions, from 2026-03-10 to 2026-03-11" in line for line in concluded(told))
    settled(told)


def test_forgetting_a_source_leaves_nothing_of_what_was_concluded_from_it(told: Vault) -> None:
    passed(told, Thinker(text="The double bowline is asked for again and again."))
    by_hand(told, swap("The double bowline is asked for again and again.", "Bowlines, says Nora."), PAGE)
    passed(told, Thinker(text="Hawsers come up again.", word="hawser"), anew=True)
    passed(told)
    report = told.forget(source(told, "20260311"), yes=True)
    assert report.problems == []
    left = b"".join(wiki(told).values())
    assert WISHES[1].encode() not in left
    assert b"2026-03-11" not in left
    assert b"asked for again and again" not in left
    assert concluded(told) == []
    everything = b"".join(path.read_bytes() for path in (told.root / "sources").rglob("*") if path.is_file())
    assert b"asked for again and again" not in everything
    assert b"Bowlines, says Nora." in everything
    settled(told)


def test_recall_finds_what_was_concluded_as_an_inference(told: Vault) -> None:
    passed(told, Thinker())
    recalled = told.recall("Which knot is asked for again and again?")
    assert SEEN in str(recalled.as_json())
    (reason,) = (one for one in told.why(SEEN).found if one.text == SEEN)
    assert reason.stance == "inference, 0.7, concluded"
    assert len(reason.proofs) == 3
    assert "(inference, 0.7, concluded)" in CliRunner().invoke(main, ["--vault", str(told.root), "recall", SEEN]).output


def test_in_a_strict_vault_no_scope_learns_of_another(told: Vault) -> None:
    other = "/home/sam/other"
    tell(told, session("away", "2026-03-20", KNOT.format(f"{WISHES[0]} So it was."), cwd=other))
    tell(told, session("far", "2026-03-21", KNOT.format("A single hitch will do for the dinghy."), cwd=other))
    compiled(told)
    path = told.root / "wikimem.toml"
    path.write_text(path.read_text("utf-8").replace('isolation = "prefer"', 'isolation = "strict"'), "utf-8")
    git(told.root, "commit", "-qam", "strict")
    vault = Vault.open(told.root)
    thinker = Thinker(text="It comes up again.")
    passed(vault, thinker)
    for question in thinker.asked:
        assert isinstance(question.values, Reflecting)
        ids = {one.id for one in question.values.every}
        scopes = {line.split('"scope":"')[1].split('"')[0] for line in _claims(vault) if line.split('"claim":"')[1][:12] in ids}
        assert len(scopes) == 1


def _claims(vault: Vault) -> list[str]:
    found = (data.decode() for path, data in wiki(vault).items() if path.startswith(".claims/2"))
    return [line for text in found for line in text.splitlines() if '"claim":' in line]


def test_two_clones_that_concluded_otherwise_come_to_one_wiki(told: Vault) -> None:
    remote = publish(told)
    nora, omar = clone(remote, "nora"), clone(remote, "omar", hour=10)
    passed(nora, Thinker(name="nora"))
    passed(omar, Thinker(text="Nobody ties it.", name="omar"))
    nora.sync()
    omar.sync()
    nora.sync()
    assert wiki(nora) == wiki(omar)
    assert not [path for path in git(nora.root, "ls-files", "sources").split() if "-edit-" in path]
    settled(nora)


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_before_or_after_its_commit_the_next_pass_comes_to_the_same(told: Vault, tmp_path: Path, when: str) -> None:
    shutil.copytree(told.root, tmp_path / "twin")
    twin = Vault.open(tmp_path / "twin")
    passed(twin)
    killed(told, when, "reflections")
    check(told)
    passed(told)
    assert wiki(told) == wiki(twin)
    settled(told)


def test_verify_knows_what_was_concluded_and_misses_it_when_its_ground_is_gone(told: Vault) -> None:
    """What was concluded stands in no claims file, so it is looked for in the wiki; what an earlier proof found is kept."""
    passed(told)
    assert concluded(told)
    assert told.verify().problems == told.verify().problems == told.verify(anew=True).problems == ()
    for path in (told.root / "wiki/.claims/cold").glob("*.jsonl"):
        path.unlink()
    assert {problem.rule for problem in told.verify().problems} == {"unknown-claim"}
    assert told.verify().problems == told.verify(anew=True).problems != ()
