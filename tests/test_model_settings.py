"""Settings of models: budgets and places of one machine, read once and refused with a sentence."""

from __future__ import annotations

import pytest

from wikimem.core.spending import Limit
from wikimem.errors import BadSettings, UnknownModel
from wikimem.faces.api import Vault
from wikimem.vault import open_at


def write(vault: Vault, text: str) -> None:
    (vault.root / "wikimem.local.toml").write_text(f"[compile]\n{text}\n")


def test_terms_are_read_from_the_settings(vault: Vault) -> None:
    write(
        vault,
        'model = "anthropic/claude-sonnet-4-5"\nbudget = "2.50usd"\ndaily = "300k"\njobs = 8\nwindow = 30000\n'
        'api_base = "http://127.0.0.1:1/v1"\nseconds = 90\nper_minute = 30\nprice_in = 3.0\nprice_out = 15',
    )
    settings = open_at(vault.root).settings
    terms = settings.terms
    assert (settings.model, settings.jobs, settings.window) == ("anthropic/claude-sonnet-4-5", 8, 30_000)
    assert (terms.budget, terms.daily) == (Limit(micros=2_500_000), Limit(tokens=300_000))
    assert (terms.api_base, terms.seconds, terms.per_minute, terms.price) == ("http://127.0.0.1:1/v1", 90.0, 30.0, (3.0, 15.0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('budget = "5"', r"compile\.budget: '5' is no budget; write money as 2\.50usd"),
        ("budget = 5", "must be text in quotes"),
        ('jobs = "8"', "must be a number"),
        ("per_minute = -1", "0 or more"),
        ('key = "sk-1"', "compile.key is no setting; known are api_base, budget"),
    ],
)
def test_what_cannot_be_used_is_refused(vault: Vault, text: str, said: str) -> None:
    write(vault, text)
    with pytest.raises(BadSettings, match=said):
        open_at(vault.root)


def test_what_is_committed_cannot_say_where_transcripts_are_sent(vault: Vault) -> None:
    committed = vault.root / "wikimem.toml"
    committed.write_text('[compile]\napi_base = "https://attacker.example/v1"\n')
    with pytest.raises(BadSettings, match=r"of one machine; it can only stand in wikimem\.local\.toml"):
        open_at(vault.root)


@pytest.mark.parametrize("name", ["rule", "claude", "gpt-4o", "/etc/passwd", "recorded:", "handoff:x"])
def test_a_model_that_there_is_none_of_is_named_with_those_there_are(vault: Vault, name: str) -> None:
    with pytest.raises(UnknownModel, match="known are rules, claude-code, codex, handoff, recorded:DIR and any LiteLLM name"):
        vault.compile(model=name)
