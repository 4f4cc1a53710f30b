"""Retiring: old sources lose their bytes, their claims stay and stay proved, and nothing reads them anew."""

from __future__ import annotations

import pytest

from dictated import Dictated, as_model, check, commits, session, tell, wiki
from wikimem.errors import UsageError
from wikimem.faces import text
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."


@pytest.fixture
def three(vault: Vault) -> list[str]:
    found = tell(
        vault,
        session("old", "2023-03-02", "Good morning, all.", "And more small talk.", LIMIT.format(3), "Fine.", "The end of it."),
        session("new", "2026-03-04", CRANE),
    )
    vault.compile(model=as_model(Dictated()))
    return [*found, *tell(vault, session("waits", "2023-03-05", LIMIT.format(5)))]


def stored(vault: Vault, source: str) -> bytes:
    return next((vault.root / "sources").rglob(f"{source}.jsonl")).read_bytes()


def pages(vault: Vault) -> dict[str, bytes]:
    return {path: data for path, data in wiki(vault).items() if path.endswith(".md")}


def test_without_yes_it_only_tells(vault: Vault, three: list[str]) -> None:
    before = commits(vault), stored(vault, three[0])
    report = vault.retire("2y")
    assert (report.before, list(report.sources), report.quotes) == ("2024-07-01", [three[0]], 1)
    assert report.skipped == {three[2]: "nothing was compiled from it yet"}
    assert (commits(vault), stored(vault, three[0])) == before


def test_the_bytes_go_and_the_claims_stay_proved(vault: Vault, three: list[str]) -> None:
    before = pages(vault)
    report = vault.retire("2y", yes=True)
    assert report.problems == []
    assert stored(vault, three[0]) == b"\n" * 5
    assert b"forty tonnes" in stored(vault, three[1])
    assert pages(vault) == before
    proof = vault.verify()
    assert (proof.problems, proof.quotes, proof.attested) == ((), 2, 1)
    vault.compile(model=as_model(Dictated()))
    vault.recompile(model=as_model(Dictated(edition="2")))
    vault.ingest([vault.root.parent / "told"])
    assert b"Retries stop after 3 attempts." in pages(vault)["topics/payment-retries.md"]
    assert stored(vault, three[0]) == b"\n" * 5
    assert vault.retire("2y", yes=True).sources == {three[2]: len(session("waits", "2023-03-05", LIMIT.format(5))) - 1}
    check(vault)


def test_a_retired_session_is_called_what_it_was_and_counted(vault: Vault, three: list[str]) -> None:
    def called() -> tuple[str, str]:
        proofs = vault.why("Retries stop after 3 attempts.").found[0].proofs
        return vault.show(f"{three[0]}:L3").as_json()["title"], proofs[0].session

    assert called() == ("Good morning, all.", "Good morning, all.")
    assert vault.status().retired == 0
    vault.retire("2y", keep_cited=True, yes=True)
    assert called() == ("Good morning, all.", "Good morning, all.")
    assert vault.status().retired == 1
    assert "Retired: 1 source; what was not kept" in text.status(vault.status())


def test_cited_lines_can_stay_with_their_neighbours(vault: Vault, three: list[str]) -> None:
    before = stored(vault, three[0]).split(b"\n")
    vault.retire("2y", keep_cited=True, yes=True)
    assert stored(vault, three[0]).split(b"\n") == [b"", *before[1:4], b"", b""]
    assert vault.retire("2y", keep_cited=True).sources == {}
    # Later they may go as well.
    vault.retire("2y", yes=True)
    assert stored(vault, three[0]) == b"\n" * 5
    vault.compile(model=as_model(Dictated()))
    check(vault)


def test_a_claim_that_was_never_attested_is_still_found_out(vault: Vault, three: list[str]) -> None:
    vault.retire("2y", yes=True)
    (file,) = (vault.root / "wiki/.claims/2023/03").glob(f"{three[0]}*")
    file.write_bytes(file.read_bytes().replace(b'"quote":"Retries stop after 3', b'"quote":"Retries stop after 4'))
    assert "quote" in {problem.rule for problem in vault.verify().problems}


def test_what_is_retired_can_be_forgotten(vault: Vault, three: list[str]) -> None:
    vault.retire("2y", yes=True)
    vault.forget(matching="3 attempts", yes=True, model=as_model(Dictated()))
    assert b"3 attempts" not in b"".join(wiki(vault).values())
    assert vault.verify().problems == ()


@pytest.mark.parametrize(
    ("age", "before"), [("90d", "2026-04-02"), ("4w", "2026-06-03"), ("18m", "2025-01-01"), ("2y", "2024-07-01")]
)
def test_ages(vault: Vault, age: str, before: str) -> None:
    assert vault.retire(age).before == before


@pytest.mark.parametrize("age", ["", "2", "y", "-2y", "2 years", "9999y"])
def test_an_age_that_is_none_is_refused(vault: Vault, age: str) -> None:
    with pytest.raises(UsageError):
        vault.retire(age)
