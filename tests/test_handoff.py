"""Handoff: packets wait, are answered by whoever comes, survive restarts, and grow stale by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import claude, jsonl
from edges.models.server import remembering
from wikimem.errors import NoPacket
from wikimem.faces.api import Vault

Reopen = Callable[[Vault], Vault]


def tell(vault: Vault, tmp_path: Path, *said: str) -> list[str]:
    """A session each in which a person says this."""
    for day, words in enumerate(said, 1):
        record = claude(day, "user", words, sessionId=f"sess-{day}", timestamp=f"2026-03-{day:02}T09:00:00.000Z")
        (tmp_path / f"{day}.jsonl").write_bytes(jsonl(record))
    vault.ingest(sorted(tmp_path.glob("*.jsonl")))
    return sorted(path.stem for path in (vault.root / "sources").rglob("*.yaml"))


def answer(vault: Vault) -> int:
    """Answer every packet that waits; how many there were."""
    number = 0
    while (found := vault.next()).packet is not None:
        done = vault.submit(found.packet.id, json.dumps(remembering(found.packet.prompt)))
        assert (done.taken, done.problems, done.refused) == (True, (), ())
        number += 1
    return number


SAID = [f"remember payment retries: Retries of payments in zone {n} stop after {n} attempts." for n in (3, 5)]


def test_a_wiki_is_compiled_by_answering_packets(vault: Vault, tmp_path: Path, reopen: Reopen) -> None:
    sources = tell(vault, tmp_path, *SAID)
    first = vault.compile(model="handoff")
    assert [one.source for one in first.outcomes] == [*reversed(sources)]
    assert all(one.paused and "wikimem submit" in one.reason for one in first.outcomes)
    assert first.code == 3
    assert (vault.status().pending, set(vault.status().held)) == (2, set(sources))
    assert answer(reopen(vault)) == 2
    second = reopen(vault).compile(model="handoff")
    assert [one.claims for one in second.outcomes if not one.reason] == [1]
    assert answer(vault) == 1
    third = vault.compile(model="handoff")
    assert ([one.reason for one in third.outcomes], third.code) == ([""], 0)
    assert vault.status().pending == 0
    assert (vault.next().packet, vault.next().waiting, vault.next().answered) == (None, 0, 0)


def test_several_packets_are_out_at_once_and_answered_in_any_order(vault: Vault, tmp_path: Path) -> None:
    tell(vault, tmp_path, *SAID, "remember ports: The port of staging is 9090.")
    vault.compile(model="handoff")
    taken = [vault.next(skip).packet for skip in range(3)]
    assert len({packet.id for packet in taken if packet}) == 3
    assert vault.next(3).packet is None
    for packet in reversed(taken):
        assert packet is not None
        vault.submit(packet.id, json.dumps(remembering(packet.prompt)))
    assert (vault.next().waiting, vault.next().answered) == (0, 3)
    vault.compile(model="handoff")
    assert vault.status().pending <= 2


def test_pairs_that_come_to_be_asked_with_others_leave_no_packet_behind(vault: Vault, tmp_path: Path) -> None:
    tell(vault, tmp_path, *SAID, "remember payment retries: Retries of payments in zone 7 stop after 7 attempts.")
    vault.compile(model="handoff")
    for _ in range(2):
        packet = vault.next().packet
        assert packet is not None
        vault.submit(packet.id, json.dumps(remembering(packet.prompt)))
    vault.compile(model="handoff")
    found = [vault.next(0).packet, vault.next(1).packet]
    (left,) = [packet for packet in found if packet and packet.task == "extract"]
    vault.submit(left.id, json.dumps(remembering(left.prompt)))
    vault.compile(model="handoff")
    assert answer(vault) == 1
    assert vault.compile(model="handoff").code == 0
    assert (vault.status().pending, vault.next().waiting) == (0, 0)


def test_compiling_again_puts_nothing_out_twice(vault: Vault, tmp_path: Path, reopen: Reopen) -> None:
    tell(vault, tmp_path, SAID[0])
    vault.compile(model="handoff")
    before = vault.next()
    reopen(vault).compile(model="handoff")
    assert reopen(vault).next() == before


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty"),
        ("I will do it later.", "no-json"),
        ('{"claims": "none"}', "schema"),
        ('{"claims": [{"type": "vibe"}]}', "schema"),
        ('{"claims": [{"type": "topic", "subject": "x", ', "cut"),
    ],
)
def test_a_reply_of_wrong_form_is_not_taken_and_told_why(vault: Vault, tmp_path: Path, text: str, rule: str) -> None:
    tell(vault, tmp_path, SAID[0])
    vault.compile(model="handoff")
    packet = vault.next().packet
    assert packet is not None
    done = vault.submit(packet.id, text)
    assert not done.taken
    assert {problem.rule for problem in done.problems} == {rule}
    assert vault.next().packet == packet


def test_what_the_gate_will_refuse_is_told_and_can_be_mended(vault: Vault, tmp_path: Path) -> None:
    tell(vault, tmp_path, SAID[0])
    vault.compile(model="handoff")
    packet = vault.next().packet
    assert packet is not None
    good: dict[str, Any] = remembering(packet.prompt)
    bad = json.loads(json.dumps(good))
    bad["claims"][0]["quotes"][0]["words"] = "Retries never stop."
    done = vault.submit(packet.id, json.dumps(bad))
    assert (done.taken, [refusal.rule for refusal in done.refused]) == (True, ["quote"])
    assert vault.submit(packet.id, f"```json\n{json.dumps(good)}\n```").refused == ()
    assert vault.compile(model="handoff").outcomes[0].claims == 1


def test_a_packet_of_other_prompts_is_stale(vault: Vault, tmp_path: Path) -> None:
    tell(vault, tmp_path, SAID[0])
    vault.compile(model="handoff")
    old = vault.next().packet
    assert old is not None
    (vault.root / "prompts").mkdir()
    shipped = Path(__file__).parent.parent / "prompts" / "extract.md.j2"
    (vault.root / "prompts" / "extract.md.j2").write_text(shipped.read_text() + "\nBe brief.\n")
    with pytest.raises(NoPacket, match=f"{old.id}.*stale.*prompts"):
        vault.submit(old.id, json.dumps(remembering(old.prompt)))
    vault.compile(model="handoff")
    new = vault.next().packet
    assert new is not None
    assert new.id != old.id


def test_a_packet_of_a_compiled_source_is_stale(vault: Vault, tmp_path: Path) -> None:
    (source,) = tell(vault, tmp_path, SAID[0])
    vault.compile(model="handoff")
    packet = vault.next().packet
    assert packet is not None
    vault.compile(model="rules")
    with pytest.raises(NoPacket, match=f"stale.*{source} is compiled"):
        vault.submit(packet.id, json.dumps(remembering(packet.prompt)))


@pytest.mark.parametrize("name", ["", "abc", "../wikimem", "x" * 300])
def test_a_packet_that_never_was_is_refused_by_name(vault: Vault, name: str) -> None:
    with pytest.raises(NoPacket, match="no packet of that name"):
        vault.submit(name, "{}")


def test_the_skill_names_the_commands_that_exist() -> None:
    from wikimem import assets
    from wikimem.faces.cli import main

    text = assets.read("skills", "memory-compile/SKILL.md")
    assert text.startswith("---\nname: memory-compile\ndescription: ")
    for command in ("compile", "next", "submit", "diff", "status"):
        assert f"wikimem {command}" in text
        assert command in main.commands
