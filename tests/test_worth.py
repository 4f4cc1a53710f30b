"""What one session and no person tells stays on its card, until another session, a person or a request lifts it onto a page."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from dictated import Dictated, check, git, session, tell, wiki
from handwork import anew
from reviewing import compiled
from wikimem.core import fold, vocabulary, worth
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.errors import NoClaim
from wikimem.faces.api import Vault

GUESS = "topic | tide pump | | The tide pump probably leaks at the seal. | stance=inference | confidence=0.6"
LIKE = "topic | tide pump | | The tide pump probably leaks at its seal. | stance=inference | confidence=0.6"
SURE = "topic | tide pump | | The tide pump was painted red."
PAGE = "wiki/topics/tide-pump.md"
SPARING = vocabulary.Vocabulary(vocabulary.SHIPPED.attributes, sparing=True)


def guessed(name: str, day: str, line: str = GUESS) -> bytes:
    """A session in which the agent guesses something, and a person says something else."""
    return session(name, day, SURE, ("assistant", line))


def test_a_single_inference_stays_on_its_card(vault: Vault) -> None:
    (source,) = tell(vault, guessed("one", "2026-03-02"))
    compiled(vault)
    assert "probably leaks" not in (vault.root / PAGE).read_text()
    card = next((vault.root / "wiki/sessions").rglob(f"{source}.md")).read_text()
    assert "The tide pump probably leaks at the seal. (inference)" in card
    check(vault)


def test_a_second_session_lifts_it_in_other_words(vault: Vault) -> None:
    tell(vault, guessed("one", "2026-03-02"), guessed("two", "2026-03-05", LIKE))
    compiled(vault)
    page = (vault.root / PAGE).read_text()
    assert "probably leaks at the seal" in page
    assert "probably leaks at its seal" in page
    check(vault)


def test_a_person_who_says_it_lifts_it(vault: Vault) -> None:
    tell(vault, guessed("one", "2026-03-02"))
    tell(vault, session("two", "2026-03-05", "topic | tide pump | | The tide pump probably leaks at the seal."))
    compiled(vault)
    assert "- The tide pump probably leaks at the seal. [^" in (vault.root / PAGE).read_text()


def test_whoever_asks_for_it_gets_it_on_the_page_and_keeps_it(vault: Vault) -> None:
    (source,) = tell(vault, guessed("one", "2026-03-02"))
    compiled(vault)
    card = next((vault.root / "wiki/sessions").rglob(f"{source}.md")).read_text()
    id = card.partition("(inference)")[2].split("`")[1]
    vault.keep(id)
    assert "probably leaks" in (vault.root / PAGE).read_text()
    anew(vault, Dictated(edition="2", rewords=lambda text: text.replace("leaks at", "drips from")))
    assert "probably leaks" in (vault.root / PAGE).read_text()
    check(vault)
    with pytest.raises(NoClaim):
        vault.keep("k7f3q2a6xw4m")


def test_a_copy_of_the_session_confirms_nothing(vault: Vault) -> None:
    told = guessed("one", "2026-03-02")
    tell(vault, told, told + session("more", "2026-03-03", "And so on."))
    compiled(vault)
    assert "probably leaks" not in (vault.root / PAGE).read_text()


def test_a_vault_that_begins_to_spare_takes_the_lines_away_and_nobody_for_their_author(vault: Vault) -> None:
    toml = vault.root / "wikimem.toml"
    spare = toml.read_text()
    toml.write_text(spare.replace('slight = "card"', 'slight = "page"'))
    git(vault.root, "commit", "-qam", "settings")
    lavish = Vault.open(vault.root, clock=vault._opened.clock)
    tell(lavish, guessed("one", "2026-03-02"))
    compiled(lavish)
    assert "probably leaks" in (vault.root / PAGE).read_text()
    toml.write_text(spare)
    git(vault.root, "commit", "-qam", "settings")
    again = Vault.open(vault.root, clock=vault._opened.clock)
    assert compiled(again).edits == ()
    assert "probably leaks" not in (vault.root / PAGE).read_text()
    check(again)


def test_a_subject_of_which_nothing_else_is_known_has_no_page_and_gets_it_with_the_second_session(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", "Hello.", ("assistant", GUESS)))
    compiled(vault)
    assert not (vault.root / PAGE).exists()
    tell(vault, session("two", "2026-03-04", "Hello.", ("assistant", GUESS)))
    compiled(vault)
    assert (vault.root / PAGE).exists()
    check(vault)


@pytest.mark.parametrize(
    ("text", "kind", "stance", "attribute", "speaker", "slight"),
    [
        ("`git status` shows what changed (seen to pass).", Kind.PROCEDURAL, Stance.EVIDENCE, "command", "tool", True),
        ("`cd api && make` builds the service (seen to pass).", Kind.PROCEDURAL, Stance.EVIDENCE, "command", "tool", False),
        ("`make check` runs the tests (seen to pass).", Kind.PROCEDURAL, Stance.EVIDENCE, "command", "tool", False),
        ("Commit `91c3ae8`: “pumps”.", Kind.EPISODIC, Stance.EVIDENCE, "event", "tool", True),
        ("`make` failed; after a change of `x` it passed.", Kind.EPISODIC, Stance.EVIDENCE, "fix", "tool", False),
        ("We met on the pier.", Kind.EPISODIC, Stance.FACT, "event", "human", False),
        ("The pump is ugly.", Kind.SEMANTIC, Stance.OPINION, "", "assistant", True),
        ("The pump is ugly.", Kind.SEMANTIC, Stance.OPINION, "", "human", False),
    ],
)
def test_what_is_slight(text: str, kind: Kind, stance: Stance, attribute: str, speaker: str, slight: bool) -> None:
    proof = Evidence("L1", "t1", text, speaker, source="20260302-x-0000aaaa")
    claim = Claim(Mention("project:harbour", "topic", "pump"), attribute, kind, stance, text, (proof,))
    assert worth.is_slight(claim) is slight


_TEXTS = ("The pump leaks at the seal.", "The pump leaks at its seal.", "The pier is long.", "`ls` lists files (seen to pass).")


@st.composite
def _files(draw: st.DrawFn) -> list[ClaimFile]:
    found = []
    for number in range(draw(st.integers(1, 5))):
        source = f"2026030{number + 1}-x-0000aaa{number}"
        claims = {}
        for place in range(draw(st.integers(0, 4))):
            text = draw(st.sampled_from(_TEXTS))
            stance = draw(st.sampled_from([Stance.INFERENCE, Stance.EVIDENCE, Stance.FACT]))
            speaker = "human" if stance is Stance.FACT else "assistant"
            turn = draw(st.sampled_from(["shared-1", "shared-2", f"own-{number}-{place}"]))
            proof = Evidence(f"L{place + 1}", turn, text, speaker, said=f"2026-03-0{number + 1}T09:00:00Z", source=source)
            claim = Claim(Mention("", "topic", "pump"), "", Kind.PROCEDURAL, stance, text, (proof,))
            claims[claim.id] = claim
        found.append(ClaimFile(Stamp(source, "", "", "", ""), tuple(claims[id] for id in sorted(claims))))
    return found


@hypothesis(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_files(), st.randoms())
def test_the_same_claims_stay_on_cards_in_any_order_and_in_any_number_of_runs(files: list[ClaimFile], chance: object) -> None:
    whole = fold.whole(files, {}, SPARING)
    for order in itertools.islice(itertools.permutations(files), 6):
        wiki_ = fold.empty(SPARING)
        for end in range(1, len(order) + 1):
            wiki_ = fold.again(wiki_, order[:end], {}, SPARING)
        assert wiki_ == whole
        assert wiki_.ground.alone == whole.ground.alone


def test_without_the_setting_everything_has_a_page() -> None:
    proof = Evidence("L1", "t1", "It leaks.", "assistant", source="20260302-x-0000aaaa")
    claim = Claim(Mention("", "topic", "pump"), "", Kind.SEMANTIC, Stance.INFERENCE, "It leaks.", (proof,))
    file = ClaimFile(Stamp("20260302-x-0000aaaa", "", "", "", ""), (claim,))
    assert len(fold.whole([file], {}).subjects) == 1
    assert fold.whole([file], {}, SPARING).subjects == {}


def test_what_stays_on_a_card_is_in_the_claims_file(vault: Vault) -> None:
    tell(vault, guessed("one", "2026-03-02"))
    compiled(vault)
    assert any(b"probably leaks" in data for path, data in wiki(vault).items() if path.startswith(".claims/2026"))


def test_a_filed_answer_stands_on_its_page_and_confirms_no_guess() -> None:
    def said(source: str, at: str) -> Claim:
        proof = Evidence(at, f"turn-{source}", "words", "assistant", said="2026-03-02", source=source)
        return Claim(Mention("", "topic", "tide pump"), "", Kind.SEMANTIC, Stance.INFERENCE, "The tide pump leaks.", (proof,))

    guess, answer = said("20260302-claude-code-00000001", "L1"), said("20260305-answer-00000002", "L1")
    assert worth.is_slight(guess)
    assert not worth.is_slight(answer)
    files = {one.evidence[0].source: ClaimFile(Stamp(one.evidence[0].source, "", "", "", ""), (one,)) for one in (guess, answer)}
    assert worth.on_cards(files, {guess.evidence[0].source: (guess,)}) == {guess.evidence[0].source: frozenset({guess.id})}
