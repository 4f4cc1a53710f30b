"""Likeness: the claims that a statement means, best first."""

from __future__ import annotations

import pytest

from wikimem.core import fold, likeness
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.fold import Wiki


def claim(text: str, quote: str = "", day: int = 1, attribute: str = "") -> Claim:
    evidence = Evidence("L1", text, quote or text, "human", said=f"2026-01-{day:02}", source=f"202601{day:02}-x-00000001")
    return Claim(Mention("", "topic", "payment retries"), attribute, Kind.SEMANTIC, Stance.FACT, text, (evidence,))


OLD, NEW = (
    claim("Retries stop after 3 attempts.", attribute="retry-limit"),
    claim("Retries stop after 5 attempts.", "five it is", 2, "retry-limit"),
)
SLOG = claim("Logging uses slog in all services.", "we log with slog, never zap")
EVERY = [OLD, NEW, SLOG, *(claim(f"Berth {number} is for ferries.") for number in range(9))]


def wiki(*claims: Claim) -> Wiki:
    files = [ClaimFile(Stamp(f"s{number}", "", "", "", ""), (one,)) for number, one in enumerate(claims)]
    return fold.whole(files, {})


def found(statement: str, limit: int = 3) -> list[str]:
    return [standing.claim.text for _, standing in likeness.nearest(wiki(*EVERY), statement, limit)]


@pytest.mark.parametrize("statement", ["we use slog", "logging with slog", "SLOG", "slog services log", "zap"])
def test_words_of_the_claim_or_of_its_quote(statement: str) -> None:
    assert found(statement)[0] == SLOG.text


def test_what_holds_comes_before_what_ended() -> None:
    assert found("retries stop after attempts") == [NEW.text, OLD.text]
    assert found("retries stop after 3 attempts")[0] == OLD.text


def test_an_id_means_its_claim() -> None:
    assert found(OLD.id) == found(f"[^{OLD.id}]") == [OLD.text]


@pytest.mark.parametrize("statement", ["", "the of", "zeppelins", "[^aaaaaaaaaaaa]", "zeppelins that nobody has ever seen retry"])
def test_what_shares_too_little_means_nothing(statement: str) -> None:
    assert found(statement) == []


def test_at_most_as_many_as_asked_and_the_same_each_time() -> None:
    assert len(found("berth ferries", 4)) == 4
    assert found("berth ferries") == found("ferries berth")
    assert likeness.nearest(wiki(), "berth", 3) == ()
