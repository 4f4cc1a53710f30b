"""Recompile with models that are paid, or that wait for somebody: the price is said first, what is paid is kept, packets hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import NOW
from dictated import commits, git, session, tell, wiki
from edges.models.server import Server, prompt_of, remembering
from wikimem.core.spending import Spent
from wikimem.errors import NoPacket, UsageError
from wikimem.faces.api import Vault

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
SAID = [f"remember gate {letter}: The gate {letter} of the harbour is opened by crew {letter}." for letter in "abcd"]
SHIPPED = Path(__file__).parent.parent / "prompts"


def served(vault: Vault, server: Server) -> Vault:
    """The vault, opened again; this machine knows a server and prices."""
    lines = ["[compile]", f'api_base = "{server.base}"', "price_in = 1.0", "price_out = 4.0", "seconds = 20"]
    (vault.root / "wikimem.local.toml").write_text("\n".join(lines) + "\n")
    return Vault.open(vault.root, clock=lambda: NOW)


@pytest.fixture
def compiled(vault: Vault) -> Vault:
    """Four sessions, compiled by the built-in rules."""
    tell(vault, *(session(f"s{day}", f"2026-03-0{day}", said) for day, said in enumerate(SAID, 1)))
    vault.compile()
    return vault


def test_the_price_is_said_before_anybody_is_asked(compiled: Vault) -> None:
    before = commits(compiled)
    with Server(remembering) as server:
        opened = served(compiled, server)
        expected = opened.recompile(dry_run=True, model="openai/scripted", branch="better")
        assert server.requests == []
        report = opened.recompile(model="openai/scripted", branch="better")
    assert expected.expected is not None
    told = sum(expected.expected.values(), Spent())
    assert told.calls == 4
    assert abs(told.read - report.spent.read) <= 0.2 * report.spent.read
    assert report.spent.micros == server.read + 4 * server.wrote
    assert commits(compiled) == before
    assert compiled.recompile(dry_run=True).expected == {}


def test_a_branch_that_a_budget_stops_is_not_made_and_what_was_paid_is_kept(compiled: Vault) -> None:
    with Server(remembering) as server:
        opened = served(compiled, server)
        report = opened.recompile(model="openai/scripted", branch="better", budget="6k tokens")
        assert (report.code, report.branch, report.commit) == (3, "", "")
        assert 0 < report.spent.tokens <= 6000
        assert 0 < len(report.waiting) < 4
        assert git(compiled.root, "branch", "--list", "better") == ""
        again = opened.recompile(model="openai/scripted", branch="better")
        assert (again.code, again.branch) == (0, "better")
        assert all(count == 1 for count in server.given.values())


def test_prompts_of_a_folder_win_and_the_vault_has_none_of_them(compiled: Vault, tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.mkdir()
    (own / "extract.md.j2").write_text((SHIPPED / "extract.md.j2").read_text() + "\nBe brief.\n")
    with Server(remembering) as server:
        opened = served(compiled, server)
        opened.recompile(model="openai/scripted", branch="brief", prompts=own)
        assert all(prompt_of(body).endswith("Be brief.") for body in server.requests)
        assert opened.compile(model="openai/scripted").outcomes == []
    assert not (compiled.root / "prompts").exists()
    with pytest.raises(UsageError, match="there is no folder"):
        opened.recompile(prompts=tmp_path / "none")


def test_a_recompile_by_handoff_waits_for_its_packets_and_goes_on(compiled: Vault) -> None:
    before = wiki(compiled)
    first = compiled.recompile(model="handoff", branch="better")
    assert (first.code, len(first.waiting), first.sources) == (3, 4, 0)
    while (packet := compiled.next().packet) is not None:
        assert compiled.submit(packet.id, json.dumps(remembering(packet.prompt))).taken
    # A compile has no use for them, and leaves them alone.
    assert compiled.compile(model="handoff").outcomes == []
    assert compiled.next().answered == 4
    report = compiled.recompile(model="handoff", branch="better")
    while report.code == 3:
        packet = compiled.next().packet
        assert packet is not None
        assert compiled.submit(packet.id, json.dumps(remembering(packet.prompt))).taken
        report = compiled.recompile(model="handoff", branch="better")
    assert (report.code, report.branch, report.sources) == (0, "better", 4)
    assert wiki(compiled) == before
    assert (compiled.next().waiting, compiled.next().answered) == (0, 0)
    with pytest.raises(NoPacket):
        compiled.submit("0123456789ab", "{}")
