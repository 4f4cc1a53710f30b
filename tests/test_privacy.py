"""What is said of people who take no part in a talk: kept, on a card alone, or nowhere, as the settings want it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, check, git, session, tell, wiki
from wikimem.errors import BadSettings
from wikimem.faces.api import Vault

OK = ("assistant", "ok")
MINE = "I moved to Ghent in March 2025."
BROTHER = "My brother Joris moved to Lima in March 2024."
CAPTAIN = "Ilka is the release captain."
LEADS = "Bram leads firing."
TALK = (MINE, OK, BROTHER, OK, CAPTAIN, OK, LEADS, OK)
NAMES = ("Joris", "Ilka", "Bram", "Lima")


def settled(vault: Vault, mode: str, me: str = "") -> Vault:
    """The vault with other settings, committed."""
    settings = vault.root / "wikimem.toml"
    text = settings.read_text()
    assert 'third_persons = "keep"' in text
    text = text.replace('# me = "Mira"', f'me = "{me}"') if me else text
    settings.write_text(text.replace('third_persons = "keep"', f'third_persons = "{mode}"'))
    git(vault.root, "commit", "-qam", "settings", "--allow-empty")
    return Vault.open(vault.root)


def told(vault: Vault, mode: str, *said: str | tuple[str, str], me: str = "") -> Vault:
    """The vault with that setting, after a talk that the built-in rules compiled."""
    opened = settled(vault, mode, me)
    tell(opened, session("one", "2025-05-16T10:00", *(said or TALK)))
    opened.compile()
    check(opened)
    return opened


def files(vault: Vault) -> tuple[dict[str, str], str, str]:
    """Pages by path, the card, and the claims file."""
    found = {path: data.decode() for path, data in wiki(vault).items()}
    (card,) = (text for path, text in found.items() if path.startswith("sessions/2"))
    (claims,) = (text for path, text in found.items() if path.startswith(".claims/2"))
    kept = {path: text for path, text in found.items() if not path.startswith(("sessions/", ".claims/"))}
    return {path: text for path, text in kept.items() if Path(path).name != "index.md"}, card, claims


def test_by_default_what_is_said_of_others_is_kept(vault: Vault) -> None:
    pages, card, _ = files(told(vault, "keep"))
    assert sorted(pages) == ["people/ilka.md", "people/joris.md", "people/user.md", "topics/firing.md"]
    assert "Said of others" not in card


def test_on_the_card_alone(vault: Vault) -> None:
    pages, card, claims = files(told(vault, "card"))
    assert list(pages) == ["people/user.md"]
    assert not any(name in text for text in pages.values() for name in NAMES)
    assert MINE in pages["people/user.md"]
    _, _, others = card.partition("## Said of others")
    assert all(words in others for words in (BROTHER.split()[2], CAPTAIN, LEADS))
    assert claims.count('"rule":"third-person"') == 3


def test_nowhere_in_the_wiki(vault: Vault) -> None:
    opened = told(vault, "refuse")
    everything = b"".join(wiki(opened).values()).decode()
    assert not any(name in everything for name in NAMES)
    pages, card, claims = files(opened)
    assert MINE in pages["people/user.md"]
    assert "Said of others" not in card
    assert claims.count('"rule":"third-person"') == 3


def test_nor_in_what_the_session_was_about(vault: Vault) -> None:
    everything = b"".join(wiki(told(vault, "refuse", BROTHER, OK, MINE, OK)).values()).decode()
    assert not any(name in everything for name in NAMES)
    assert MINE in everything


def test_who_takes_part_is_no_third_person(vault: Vault) -> None:
    pages, _, claims = files(told(vault, "refuse", MINE, OK, "Ilka is the release captain since May 2025.", OK, me="Ilka"))
    assert list(pages) == ["people/ilka.md"]
    assert "third-person" not in claims


def test_a_model_s_claims_pass_the_same_gate(vault: Vault) -> None:
    lines = (
        "person | Berta | fear | Berta is afraid of flying.",
        "topic | kiln | owner | The kiln belongs to Wout.",
        "person | User | diet | The user eats no nuts. | scope=user",
        "topic | kiln | port | The kiln runs on port 7070.",
    )
    opened = settled(vault, "card")
    tell(opened, session("one", "2025-05-16", *lines))
    opened.compile(model=Dictated())
    check(opened)
    pages, card, _ = files(opened)
    assert sorted(pages) == ["people/user.md", "topics/kiln.md"]
    assert not any(name in text for text in pages.values() for name in ("Berta", "Wout"))
    assert "Berta" in card.partition("## Said of others")[2]


def test_a_recompile_applies_the_setting_to_what_was_there(vault: Vault) -> None:
    tell(vault, session("one", "2025-05-16T10:00", *TALK))
    vault.compile()
    opened = settled(vault, "refuse")
    opened.recompile()
    check(opened)
    assert list(files(opened)[0]) == ["people/user.md"]


def test_an_unknown_choice_is_refused_with_the_known_ones(vault: Vault) -> None:
    with pytest.raises(BadSettings, match="keep or card or refuse"):
        settled(vault, "hide")
