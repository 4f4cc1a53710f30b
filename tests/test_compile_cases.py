"""Known ways in which memories went wrong, each from a transcript to the page: what must not happen here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest

import wikimem
from conftest import claude, jsonl
from dictated import Dictated, check, git, joined, records, session, tell, wiki
from wikimem.faces.api import Vault


def pages(vault: Vault) -> dict[str, str]:
    """The pages of subjects, by path below `wiki/`."""
    found = {path: data.decode() for path, data in wiki(vault).items() if path.endswith(".md")}
    return {path: text for path, text in found.items() if not path.startswith("sessions/") and Path(path).name != "index.md"}


TITLES = (
    "Übung",
    "übung",
    "!!!",
    "???",
    "🚢",
    "CON",
    "index",
    "history",
    "C++",
    "C#",
    "C",
    "a/b",
    "a b",
    "../../etc/passwd",
    "x" * 300,
    "x" * 301,
)


def test_titles_that_give_one_slug_get_a_page_each_in_any_order(vault: Vault, tmp_path: Path) -> None:
    line = "topic | {} | | Statement number {} is about this very thing."
    lines = [line.format(title, n) for n, title in enumerate(TITLES)]
    told = [session(f"s{n}", "2026-03-02", *lines[n::3]) for n in range(3)]
    other = wikimem.create(tmp_path / "other" / "memory")
    tell(vault, *told)
    tell(other, *reversed(told))
    vault.compile(model=Dictated())
    for limit in (1, 1, 0):
        other.compile(model=Dictated(), limit=limit)
    assert wiki(vault) == wiki(other)
    made = pages(vault)
    # `Übung` and `übung` are one name; all the others are things of their own.
    assert len(made) == len({path.casefold() for path in made}) == len(TITLES) - 1
    assert all(sum(f"number {n} is" in text for text in made.values()) == 1 for n in range(len(TITLES)) if n != 1)
    check(vault)


VALUES = (
    "Deploys: why we moved",
    "ON",
    "12:30",
    "0123",
    "Ticket #42 x",
    "- a",
    "a: b",
    "'quoted\"",
    "{{date}}",
    "[x]",
    "~",
    "1e3",
    "yes",
    "@at",
    "%a",
    "key: >",
)


def test_titles_that_yaml_reads_as_something_else_come_back_as_they_were(vault: Vault) -> None:
    import frontmatter

    lines = [f"topic | {title} | | Statement number {n} is about one thing." for n, title in enumerate(VALUES)]
    tell(vault, session("one", "2026-03-02", *lines))
    vault.compile(model=Dictated())
    found = {frontmatter.loads(text)["title"] for text in pages(vault).values()}
    assert found == set(VALUES)
    check(vault)


def test_quotes_that_do_not_stand_give_no_claim(vault: Vault) -> None:
    said = "We will not move the queue to the east quay. The pilot boards at dawn, and the tug waits at the mole until noon."
    lines = (
        "topic | queue | | The queue moves to the east quay. | at=L1 | words=move the queue to the east quay",
        "topic | pilot | | The pilot boards at noon. | at=L1 | words=The pilot boards at noon",
        "topic | pilot | | The pilot boards at the mole. | at=L1 | words=The pilot boards ... at the mole",
        "topic | pilot | | The pilot boards by tug. | at=L2 | words=the pilot boards by tug",
        "topic | pilot | | The pilot boards at dawn. | at=L1 | words=the  pilot “boards” at dawn",
        "topic | pilot | | See https://example.org/pilots for the pilot. | at=L1 | words=The pilot boards at dawn",
        "topic | pilot | | Existing version: the pilot boards at dawn. | at=L1 | words=The pilot boards at dawn",
    )
    (source,) = tell(vault, session("one", "2026-03-02", said, ("assistant", "So the pilot boards by tug."), "\n".join(lines)))
    vault.compile(model=Dictated())
    file = (vault.root / "wiki/.claims/2026/03" / f"{source}.jsonl").read_text().splitlines()
    refused = sorted(told["refused"]["rule"] for told in map(json.loads, file) if "refused" in told)
    assert refused == ["link", "negation", "quote", "quote", "quote", "scaffold", "speaker"]
    assert not pages(vault)
    check(vault)


def test_the_stored_quote_is_the_source_s_not_the_model_s(vault: Vault) -> None:
    line = "topic | pilot | | The pilot boards at dawn. | at=L1 | words=the pilot boards"
    (source,) = tell(vault, session("one", "2026-03-02", "the pilot\nboards at dawn", line))
    vault.compile(model=Dictated())
    (claim,) = (vault.root / "wiki/.claims/2026/03" / f"{source}.jsonl").read_text().splitlines()[1:2]
    assert json.loads(claim)["evidence"][0]["quote"] == "the pilot\nboards"
    check(vault)


LEADS = (
    "person | Ines Duarte | leads | Ines Duarte leads the pilot team.",
    "person | Ines Duarte | leads | Ines Duarte also leads the tug team.",
    "person | Ines Duarte | hobby | Ines Duarte sails on Sundays.",
    "topic | gateway | port | The gateway listens on port 8080.",
    "topic | metrics | port | The metrics endpoint listens on port 9090.",
)


def test_facts_that_do_not_exclude_each_other_all_stay(vault: Vault) -> None:
    tell(vault, *(session(f"s{n}", f"2026-03-{n + 2:02}", line) for n, line in enumerate(LEADS)))
    vault.compile(model=Dictated())
    told = "".join(pages(vault).values())
    assert "~~" not in told
    assert "conflicts with" not in told
    assert all(line.split("| ")[-1] in told for line in LEADS)
    assert "Risk: review" not in git(vault.root, "log", "--format=%B")


DEPLOYS = (
    session("a", "2025-09-02", "topic | deploys | deploy-method | Deploys go out with Argo CD. | from=2025-09-01"),
    session("b", "2024-06-02", "topic | deploys | deploy-method | Deploys go out with Ansible. | from=2024-06-01"),
    session("c", "2023-04-02", "topic | deploys | deploy-method | Deploys go out with Capistrano. | from=2023-04-01"),
)


def test_old_history_found_late_changes_nothing_that_holds(vault: Vault, tmp_path: Path) -> None:
    expected: dict[str, bytes] = {}
    for number, order in enumerate(permutations(DEPLOYS)):
        one_by_one = wikimem.create(tmp_path / f"v{number}" / "memory")
        for data in order:
            tell(one_by_one, data)
            one_by_one.compile(model=Dictated())
        assert one_by_one.recompile(check=True, model=Dictated()).files == ()
        expected = expected or wiki(one_by_one)
        assert wiki(one_by_one) == expected
    page = expected["topics/deploys.md"].decode()
    assert "- Deploys go out with Argo CD. (since 2025-09-01) [^" in page
    assert "- ~~Deploys go out with Ansible.~~ (2024-06-01 to 2025-09-01, superseded by [^" in page
    assert "- ~~Deploys go out with Capistrano.~~ (2023-04-01 to 2024-06-01, superseded by [^" in page
    assert "valid_from: 2023-04-01\nvalid_until:\n" in page


ROTATION = "topic | signing key | rotation | The signing key is rotated every {} days."


def recalled(how: str, text: str) -> list[dict[str, object]]:
    """A tool of ours that returned something, as records 2 and 3."""
    use = {"type": "tool_use", "id": "c1", "name": how, "input": {"command": "wikimem recall 'signing key'"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": text}
    return [claude(2, "assistant", [use], 1), claude(3, "user", [result], 2)]


@pytest.mark.parametrize("how", ["mcp__wikimem__recall", "Bash"])
def test_what_was_recalled_is_no_new_proof(vault: Vault, how: str) -> None:
    tell(vault, session("loop-1", "2026-02-20", ROTATION.format(90)))
    vault.compile(model=Dictated())
    before = pages(vault)["topics/signing-key.md"]
    told = ROTATION.format(90)
    loop = [
        claude(1, "user", "When is the signing key rotated?"),
        *recalled(how, f"{told}"),
        claude(4, "assistant", [{"type": "text", "text": f"{told} | stance=inference"}], 3),
        claude(5, "user", "topic | signing key | event | The signing key was rotated. | kind=episodic | from=2026-03-02", 4),
    ]
    tell(vault, jsonl(*loop))
    vault.compile(model=Dictated())
    after = pages(vault)["topics/signing-key.md"]
    line = next(each for each in before.splitlines() if each.startswith("- The signing key is rotated every 90"))
    note = next(each for each in before.splitlines() if each.startswith("[^"))
    assert line in after
    assert note in after
    assert "(inference" not in after
    assert "- The signing key was rotated. (on 2026-03-02) [^" in after
    correction = [*recalled(how, told), claude(4, "user", ROTATION.format(60), 3, timestamp="2026-03-05T09:00:00.000Z")]
    tell(vault, jsonl(claude(1, "user", "And now?", sessionId="loop-3"), *correction))
    vault.compile(model=Dictated())
    assert "- The signing key is rotated every 60 days. [^" in pages(vault)["topics/signing-key.md"]
    assert vault.recompile(check=True, model=Dictated()).files == ()
    check(vault)


def test_what_no_importer_has_heard_of_stops_nothing(vault: Vault) -> None:
    line = "topic | docs | deadline | The docs are due on 18 March 2026."
    content = [{"type": "hologram", "data": {"x": 1}}, {"type": "text", "text": line}]
    odd: Sequence[object] = [
        {"type": "brand-new", "uuid": "n", "sessionId": "sess-1", "novelty": [1, 2]},
        claude(1, "user", content, surprise={"a": 1}),
        {"type": "custom-title", "customTitle": "The docs", "sessionId": "sess-1"},
        {"no": "type"},
        *records("odd", "2026-03-02T10:00", "Thanks.")[:1],
    ]
    tell(vault, joined(odd) + b"{broken\n\n")
    assert [one.reason for one in vault.compile(model=Dictated()).outcomes] == [""]
    assert "The docs are due on 18 March 2026." in pages(vault)["topics/docs.md"]
    check(vault)
