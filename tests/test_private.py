"""Secrets and private remarks: masked before a byte is written; and what waits for approval stands nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import claude, jsonl
from dictated import Dictated, as_model, check, git, session, tell, wiki
from planted import found, plant
from wikimem.core.reports import Report
from wikimem.errors import BadSettings
from wikimem.faces.api import Vault

KEY = "gh" + "p_" + "a1B2c3D4e5F6" * 3
PASSWORD = "h4rb0r-9931-tide"
REMARK = "my knee surgeon is Dr. Alder"


def test_secrets_and_private_blocks_reach_no_file_and_plain_words_stay(vault: Vault, tmp_path: Path) -> None:
    """Case 050: a key, a password in a URL, a token in a tool's result, a private remark; and words that only look so."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f'curl -H "Authorization: Bearer {KEY}" x'}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "token ok"}
    plain = "Set apiKey from import.meta.env.PIER_API_KEY; there is no API key in the build; the password field is required."
    told = jsonl(
        claude(1, "user", f"Use this key: {KEY} and postgres://pier:{PASSWORD}@db.internal/tides"),
        claude(2, "assistant", [call], 1),
        claude(3, "user", [result], 2, toolUseResult={"stdout": f"export GITHUB_TOKEN={KEY}", "stderr": ""}),
        claude(4, "assistant", [{"type": "text", "text": plain}], 3),
        claude(5, "user", f"<private>{REMARK}</private> We always rotate the key on Mondays.", 4),
    )
    file = tmp_path / "one.jsonl"
    file.write_bytes(told)
    report = vault.ingest([file])
    vault.compile()
    vault.recall("when is the key rotated")
    vault.build_site()
    assert found(vault.root, [KEY, PASSWORD, REMARK, "Dr. Alder"]) == {}
    stored = (vault.root / report.added[0].path).read_text()
    assert plain in stored
    assert "[masked:private] We always rotate the key on Mondays." in stored
    assert report.masked["private"] == 1
    assert KEY not in str(report.as_json())
    check(vault)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a <private>one</private> b <private>two</private> c", "a [masked:private] b [masked:private] c"),
        ("a <private>one\\ntwo</private> b", "a [masked:private]\\n b"),
        ("a \\u003cprivate\\u003eone\\u003c/private\\u003e b", "a [masked:private] b"),
        ("a <private>one<\\/private> b", "a [masked:private] b"),
        ("a <Private>1 < 2</PRIVATE> b", "a [masked:private] b"),
        ("the tags <private> and </b> of the docs", "the tags <private> and </b> of the docs"),
        ("no <private>", "no <private>"),
        ("<private>a <private>b</private> c</private> d", "[masked:private] d"),
        ("<private>a <Private>b<private>c</private></private> d</private> e", "[masked:private] e"),
        ("<private>a <private>b</private> c <private>d</private></private> e", "[masked:private] e"),
        ("<private>never ended <private>b</private> c", "[masked:private] c"),
        ("<private>a</private> b</private> c", "[masked:private] b</private> c"),
    ],
)
def test_what_is_between_the_tags_is_masked_however_it_is_written(said: str, kept: str) -> None:
    from wikimem.core import masking

    line = b'{"text":"%s"}' % said.encode()
    masked, _ = masking.json_line(line)
    assert masked == b'{"text":"%s"}' % kept.encode()
    assert masking.json_line(masked) == (masked, {})


def test_a_private_remark_that_never_ends_is_told_and_waits(vault: Vault, tmp_path: Path) -> None:
    """What is claimed behind such a mark is in no file of the wiki, and of the session nothing else is lost."""
    before, after = "We always deploy on Mondays.", "Never call the surgeon before nine."
    report = ingested(vault, tmp_path, f"{before} <private> {after}", "We always rotate the key on Fridays.")
    (problem,) = report.problems
    assert problem.rule == "unclosed-private"
    assert "in L1:" in problem.message
    vault.compile()
    told = b"".join(wiki(vault).values()).decode()
    assert "surgeon" not in told
    assert "Fridays" in told
    assert [one.at for one in vault.review().withheld] == ["L1"]


def ingested(vault: Vault, folder: Path, *said: str) -> Report:
    file = folder / "one.jsonl"
    file.write_bytes(jsonl(*(claude(number, "user", words, number - 1 or None) for number, words in enumerate(said, 1))))
    return vault.ingest([file])


def test_a_private_block_over_many_lines_of_a_note_is_masked_and_the_lines_keep_their_numbers(
    vault: Vault, tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text(f"# Week\n\n<private>\n{REMARK}\nand more\n</private>\n\nThe ferry leaves at nine.\n")
    (added,) = vault.ingest([note]).added
    stored = (vault.root / added.path).read_text()
    assert stored == "# Week\n\n[masked:private]\n\n\n\n\nThe ferry leaves at nine.\n"


def test_no_secret_of_any_format_is_kept_anywhere(vault: Vault, tmp_path: Path) -> None:
    """The same with 200 secrets: `benchmarks/planting.py`."""
    (tmp_path / "files").mkdir()
    files, planted = plant(tmp_path / "files", 62)
    assert len(files) >= 30
    for format, file in files.items():
        report = vault.ingest([file], format=format)
        assert report.added, format
    vault.compile()
    vault.recall("when does the ferry gate open")
    vault.build_site()
    assert found(vault.root, [one.core for one in planted]) == {}
    # They would have been found: what is said around them is there.
    assert found(vault.root, ["gate at"])
    check(vault)


HEALTH = "person | Sam | | Sam was diagnosed with hay fever in May."
OWN = "topic | falcon | | Project Falcon opens in June."
TALK = "topic | crane | | The crane lifts forty tonnes."


@pytest.mark.parametrize(
    ("settings", "line", "words"),
    [
        ("", HEALTH, "hay fever"),
        ("", "topic | crane | | The crane is for Mira alone. | sensitive=yes", "Mira alone"),
        ('[sensitive]\npatterns = ["project\\\\s+falcon"]\n', OWN, "opens in June"),
        ('[sensitive]\nchannels = ["project:harbour"]\n', TALK, "forty tonnes"),
        ('[sensitive]\nchannels = ["cwd:/home/sam/*"]\n', TALK, "forty tonnes"),
    ],
)
def test_what_waits_for_approval_stands_nowhere(vault: Vault, settings: str, line: str, words: str) -> None:
    marker = vault.root / "wikimem.toml"
    text = marker.read_text()
    head = text.partition("[sensitive]")[0]
    marker.write_text(head + settings)
    vault = Vault.open(vault.root)
    tell(vault, session("one", "2026-03-02", line, "The ferry leaves at nine."))
    vault.compile(model=as_model(Dictated()))
    (file,) = vault.root.glob("wiki/.claims/2026/03/*.jsonl")
    assert '"rule":"sensitive"' in file.read_text()
    assert words.encode() not in b"".join(wiki(vault).values())
    assert words not in git(vault.root, "log", "--format=%B")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('patterns = ["("]', "no regular expression"),
        ('patterns = "x"', "must be a list"),
        ('channels = ["slack"]', "begins with none of"),
        ("models = []", "no setting"),
    ],
)
def test_rules_that_cannot_be_used_are_named(vault: Vault, settings: str, told: str) -> None:
    marker = vault.root / "wikimem.toml"
    marker.write_text(f"[sensitive]\n{settings}\n")
    with pytest.raises(BadSettings, match=told):
        Vault.open(vault.root)


def test_other_rules_make_what_was_compiled_outdated(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", TALK))
    vault.compile()
    assert vault.status().outdated == 0
    marker = vault.root / "wikimem.toml"
    marker.write_text(marker.read_text().partition("[sensitive]")[0] + '[sensitive]\npatterns = ["crane"]\n')
    assert Vault.open(vault.root).status().outdated == 1
