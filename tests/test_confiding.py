"""What may be sensitive is nowhere in the wiki, yet it is told that and where it waits, and a person decides for good."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from conftest import claude, jsonl
from dictated import Dictated, as_model, check, git, session, tell, wiki
from reviewing import everywhere
from wikimem.errors import NoItem, UsageError
from wikimem.faces import cli
from wikimem.faces.api import Vault

Reopen = Callable[[Vault], Vault]
THERAPY = "We always deploy with Helm 3, says my therapist."
ILL = "I was diagnosed with epilepsy, so plan breaks at noon."
HELM = "We always deploy with Helm 3."
HEALTH = "person | Sam | | Sam was diagnosed with hay fever in May."
MONEY = "person | Sam | | Sam's salary is 80,000 euros."


def _run(vault: Vault, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.main, ["--vault", str(vault.root), *words])
    return done.exit_code, done.output


def _nowhere(vault: Vault, *words: str) -> None:
    """No word stands in the wiki, in any commit's message, or in the brief."""
    told = b"".join(wiki(vault).values()).decode().casefold() + git(vault.root, "log", "--all", "--format=%B").casefold()
    told += _run(vault, "brief", "--scope", "project:harbour")[1].casefold()
    assert [word for word in words if word.casefold() in told] == []


def _compiled(vault: Vault, *lines: str) -> Vault:
    tell(vault, session("one", "2026-03-02", *lines))
    vault.compile(model=as_model(Dictated()))
    return vault


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (THERAPY, ["therapist"]),
        (ILL, ["epilepsy", "diagnosed", "breaks at noon"]),
        ("I have diabetes, always remember my insulin break at noon.", ["diabetes", "insulin"]),
        ("I never work on Sundays because I am catholic.", ["catholic"]),
        ("Never page me at night, my wife is pregnant.", ["pregnant"]),
        ("Always show my salary of 80,000 euros in gross.", ["80,000"]),
    ],
)
def test_no_word_of_it_is_in_the_wiki_whatever_else_is_said(vault: Vault, said: str, words: list[str]) -> None:
    """Also not in the claims file's episode, and not where the assistant says it again."""
    answer = ("assistant", f"Understood. {said}")
    tell(vault, session("one", "2026-03-02", said, answer, HELM, ("assistant", f"As you said: {said}")))
    vault.compile()
    _nowhere(vault, *words)
    assert HELM in b"".join(wiki(vault).values()).decode()
    check(vault)


def test_a_title_that_the_tool_made_of_it_is_not_told(vault: Vault, tmp_path) -> None:
    file = tmp_path / "one.jsonl"
    title = {"type": "summary", "summary": "Epilepsy break planning", "leafUuid": "u2"}
    file.write_bytes(jsonl(title, claude(1, "user", ILL), claude(2, "assistant", [{"type": "text", "text": "Fine."}], 1)))
    vault.ingest([file])
    vault.compile()
    _nowhere(vault, "epilepsy")


def test_status_compile_and_review_tell_that_and_where_it_waits(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", THERAPY))
    report = vault.compile()
    (outcome,) = report.outcomes
    assert outcome.withheld == 1
    assert vault.status().withheld == 1
    assert vault.status().as_json()["wiki"]["withheld"] == 1
    assert "what was said in 1 place" in _run(vault, "status")[1]
    code, told = _run(vault, "review")
    assert code == 1
    (one,) = vault.review().withheld
    assert one.place in told
    assert "therapist" not in told
    assert (one.words, [claim.text for claim in one.claims]) == (THERAPY, [f"A note on deployment: “{THERAPY}”"])
    assert THERAPY in _run(vault, "review", "show", "1")[1]


@pytest.mark.parametrize("name", ["1", "sensitive", "place", "claim"])
def test_approved_it_is_a_claim_and_stays_one(vault: Vault, name: str) -> None:
    _compiled(vault, HEALTH, "The ferry leaves at nine.")
    (one,) = vault.review().withheld
    done = vault.approve([{"place": one.place, "claim": one.claims[0].id}.get(name, name)])
    assert (done.changed, done.left) == ("+1 ~0 -0", 0)
    page = (vault.root / "wiki/people/sam.md").read_text()
    assert "Sam was diagnosed with hay fever in May." in page
    assert vault.status().withheld == 0
    assert "sensitive" not in b"".join(data for path, data in wiki(vault).items() if ".claims/2026/03" in path).decode()
    before = wiki(vault)
    vault.recompile(model=as_model(Dictated()))
    assert wiki(vault) == before
    assert vault.review().withheld == ()
    check(vault)


def test_rejected_it_never_comes_back_also_in_other_words(vault: Vault) -> None:
    _compiled(vault, HEALTH, "topic | gate | | The gate opens at nine.")
    done = vault.disapprove(["1"])
    assert (done.left, vault.review().withheld, vault.status().withheld) == (0, (), 0)
    _nowhere(vault, "hay fever", "diagnosed")
    assert "hay fever" not in b"".join(path.read_bytes() for path in (vault.root / "sources").rglob("*edit*")).decode()
    vault.recompile(model=as_model(Dictated(edition="2", rewords=lambda text: text.replace("was", "has been"))))
    _nowhere(vault, "hay fever", "diagnosed")
    assert vault.review().withheld == ()
    check(vault)


def test_said_in_two_sessions_it_is_decided_about_in_each(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", HEALTH), session("two", "2026-03-09", HEALTH))
    vault.compile(model=as_model(Dictated()))
    first, second = (one.place.partition(":")[0] for one in vault.review().withheld)
    vault.approve(["1"])
    vault.recompile(model=as_model(Dictated()))
    (left,) = vault.review().withheld
    assert left.place.startswith(second)
    assert len(left.claims) == 1
    vault.disapprove(["1"])
    for _ in range(2):
        page = (vault.root / "wiki/people/sam.md").read_text()
        assert first in page
        assert second not in page
        assert vault.review().withheld == ()
        vault.recompile(model=as_model(Dictated()))
    check(vault)


def test_rejected_in_one_session_it_can_be_let_in_by_another(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", HEALTH), session("two", "2026-03-09", HEALTH))
    vault.compile(model=as_model(Dictated()))
    first, second = (one.place.partition(":")[0] for one in vault.review().withheld)
    vault.disapprove(["1"])
    assert vault.approve(["2"]).changed == "+1 ~0 -0"
    page = (vault.root / "wiki/people/sam.md").read_text()
    assert second in page
    assert first not in page
    check(vault)


def test_of_two_in_one_place_each_is_decided_by_itself(vault: Vault) -> None:
    _compiled(vault, f"{HEALTH}\n{MONEY}")
    (one,) = vault.review().withheld
    money = next(claim.id for claim in one.claims if "salary" in claim.text)
    vault.approve([money])
    assert [[claim.text for claim in each.claims] for each in vault.review().withheld] == [
        ["Sam was diagnosed with hay fever in May."]
    ]
    vault.disapprove(["sensitive"])
    vault.recompile(model=as_model(Dictated()))
    page = (vault.root / "wiki/people/sam.md").read_text()
    assert "80,000" in page
    _nowhere(vault, "hay fever")
    assert vault.review().withheld == ()
    check(vault)


def test_with_a_persons_own_words_it_stands_in_these_alone(vault: Vault) -> None:
    _compiled(vault, HEALTH)
    vault.amend("1", "Sam needs the windows shut in May.")
    assert "Sam needs the windows shut in May." in (vault.root / "wiki/people/sam.md").read_text()
    _nowhere(vault, "hay fever")
    assert vault.review().withheld == ()
    check(vault)


def test_all_means_nothing_sensitive_and_what_does_not_wait_is_named(vault: Vault) -> None:
    _compiled(vault, HEALTH)
    with pytest.raises(NoItem):
        vault.approve(["all"])
    with pytest.raises(NoItem):
        vault.approve(["7"])
    vault.approve(["sensitive"])
    with pytest.raises(NoItem):
        vault.approve(["sensitive"])


def test_where_the_claims_are_not_on_this_machine_it_can_be_rejected_or_found_again(vault: Vault) -> None:
    _compiled(vault, HEALTH)
    for path in (vault.root / ".wikimem/withheld").iterdir():
        path.unlink()
    (one,) = vault.review().withheld
    assert (one.claims, one.words) == ((), HEALTH)
    with pytest.raises(UsageError, match="recompile"):
        vault.amend("1", "Sam needs the windows shut.")
    assert "recompile" in vault.approve(["1"]).done[0]
    vault.recompile(model=as_model(Dictated()))
    assert "hay fever" in (vault.root / "wiki/people/sam.md").read_text()
    check(vault)


def test_a_decision_that_is_undone_is_asked_again(vault: Vault) -> None:
    _compiled(vault, HEALTH)
    vault.disapprove(["1"])
    (source,) = (path.stem for path in (vault.root / "sources").rglob("*edit*.jsonl"))
    vault.undo(source)
    vault.recompile(model=as_model(Dictated()))
    (one,) = vault.review().withheld
    assert [claim.text for claim in one.claims] == ["Sam was diagnosed with hay fever in May."]


def test_forgetting_the_session_takes_what_waits_and_what_was_decided_along(vault: Vault) -> None:
    _compiled(vault, HEALTH, MONEY)
    vault.disapprove(["1"])
    (source,) = {one.source for one in vault.review().withheld}
    vault.forget(source, yes=True)
    assert vault.review().withheld == ()
    assert [path for path in everywhere(vault, "hay fever") if not path.startswith(".git")] == []
    assert not (vault.root / ".wikimem/withheld" / f"{source}.jsonl").exists()
    check(vault)
