"""The shelf of a real vault: what it gives, in which order, within which limits, and what it never opens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conftest import jsonl
from remembering import Saying, put, remember, session
from wikimem.core.shelving import Limits, Span
from wikimem.edges.shelf import Shelf
from wikimem.errors import NotOnShelf
from wikimem.faces.api import Vault
from wikimem.shelved import open_shelf
from wikimem.vault import open_at

SAID = (
    Saying("jan", 1, "topic: tide tables", "port", "The tide tables are served from port 8090.", "port 8090"),
    Saying(
        "dock", 1, "topic: cranes", "", "Cranes are inspected by Ines.", "inspected every Monday by Ines", scope="project:dock"
    ),
)
PAGE = "wiki/topics/tide-tables.md"


@pytest.fixture
def harbour(vault: Vault, tmp_path: Path) -> Vault:
    """Sessions of two projects with a page each; a session that reads the memory back, and one that was taken back."""
    logs = tmp_path / "logs"
    told = {
        "jan": (
            "2026-01-10",
            "/home/sam/harbour",
            "Serve the tide tables from port 8090, please.",
            'Done, "port" 8090.',
            "Berth 4?",
        ),
        "jun": ("2026-06-02", "/home/sam/harbour", "Berth 4 stays free; the tide pump leaks.", "Noted."),
        "dock": ("2026-02-02", "/home/sam/dock", "Cranes are inspected every Monday by Ines.", "Noted: tide of cranes."),
    }
    for name, (day, cwd, *words) in told.items():
        put(logs / f"{name}.jsonl", session(name, day, cwd, *words))
    vault.ingest([logs])
    remember(vault, *SAID)
    return vault


def shelf(vault: Vault, scope: str = "", until: str = "", limits: Limits | None = None) -> Shelf:
    return open_shelf(open_at(vault.root), scope, until, limits)


def strict(vault: Vault) -> Vault:
    (vault.root / "wikimem.local.toml").write_text('[vault]\nisolation = "strict"\n')
    return vault


def path_of(vault: Vault, name: str) -> str:
    return next(each.path for each in open_at(vault.root).ledger.all().values() if each.session == name)


def everything(found: Shelf, folder: str = "") -> list[str]:
    paths: list[str] = []
    for entry in found.list(folder).entries:
        paths += everything(found, entry.path) if entry.path.endswith("/") else [entry.path]
    return paths


def test_only_wiki_and_sources_stand_on_it(harbour: Vault) -> None:
    found = shelf(harbour)
    assert [entry.path for entry in found.list().entries] == ["wiki/", "sources/"]
    assert all(path.startswith(("wiki/", "sources/")) for path in everything(found))
    assert not any("/." in path for path in everything(found))


def test_a_source_is_listed_with_its_format_day_and_scope(harbour: Vault) -> None:
    path = path_of(harbour, "dock")
    noted = {entry.path: entry.note for entry in shelf(harbour).list(path.rpartition("/")[0]).entries}
    assert noted[path] == "claude-code, 2026-02-02, project:dock"


def test_a_list_goes_on_where_it_stopped_and_gives_each_entry_once(harbour: Vault) -> None:
    whole = [entry.path for entry in shelf(harbour).list("wiki/topics").entries]
    one = shelf(harbour, limits=Limits(entries=1))
    got: list[str] = []
    after = ""
    while True:
        part = one.list("wiki/topics", after)
        got += [entry.path for entry in part.entries]
        after = part.next
        if not after:
            break
    assert got == whole
    assert len(whole) == 2


def test_turns_are_found_as_they_were_said_and_not_as_json_writes_them(harbour: Vault) -> None:
    found = shelf(harbour).grep('"port" 8090', "sources")
    assert [(match.path, match.line.at, match.line.speaker) for match in found.matches] == [
        (path_of(harbour, "jan"), "L2", "assistant")
    ]


def test_pages_come_before_sources_and_newer_sources_before_older_ones(harbour: Vault) -> None:
    paths = list(dict.fromkeys(match.path for match in shelf(harbour).grep("tide").matches))
    assert paths == [PAGE, path_of(harbour, "jun"), path_of(harbour, "dock"), path_of(harbour, "jan")]


@pytest.mark.parametrize("limits", [Limits(entries=1), Limits(characters=30)])
def test_a_grep_goes_on_where_it_stopped_and_gives_each_match_once(harbour: Vault, limits: Limits) -> None:
    whole = shelf(harbour).grep("tide|berth")
    assert len(whole.matches) > 4
    assert whole.next == ""
    some = shelf(harbour, limits=limits)
    got: list[tuple[str, str]] = []
    after = ""
    while True:
        part = some.grep("tide|berth", after=after)
        got += [(match.path, match.line.at) for match in part.matches]
        after = part.next
        if not after:
            break
    assert got == [(match.path, match.line.at) for match in whole.matches]


def test_a_grep_that_runs_out_of_time_says_so_and_goes_on_until_all_is_searched(harbour: Vault) -> None:
    ticks = iter(range(10_000))
    opened = open_at(harbour.root)
    slow = Shelf(opened.root, opened.ledger, limits=Limits(seconds=0.5), clock=lambda: float(next(ticks)))
    part = slow.grep("leaks")
    assert "were up" in part.stopped
    rounds, got = 0, list(part.matches)
    while part.next:
        part = slow.grep("leaks", after=part.next)
        got += part.matches
        rounds += 1
    assert rounds > 2
    assert [match.line.at for match in got] == ["L1"]


def test_a_pattern_that_takes_for_ever_is_stopped_with_a_sentence(harbour: Vault, tmp_path: Path) -> None:
    put(harbour.root / "wiki" / "topics" / "long.md", b"x" * 40 + b"y " + b"ab" * 5000 + b"!\n")
    found = shelf(harbour).grep(r"^(?:(?:x|xx)+)+z|((?:a|b|ab)*)*!!$", "wiki/topics/long.md")
    assert found.matches == ()


@pytest.mark.parametrize("pattern", ["zz (8090", "zz[", "*zz", "(?P<zz"])
def test_what_is_no_expression_is_looked_for_as_text(harbour: Vault, pattern: str) -> None:
    put(harbour.root / "wiki" / "topics" / "odd.md", f"see {pattern} here\n".encode())
    assert [match.path for match in shelf(harbour).grep(pattern, "wiki").matches] == ["wiki/topics/odd.md"]


@pytest.mark.parametrize("pattern", ["", "   ", "x" * 301])
def test_an_empty_or_endless_pattern_is_refused(harbour: Vault, pattern: str) -> None:
    with pytest.raises(NotOnShelf, match="characters"):
        shelf(harbour).grep(pattern)


def test_a_page_is_read_line_by_line_and_a_source_turn_by_turn(harbour: Vault) -> None:
    found = shelf(harbour)
    text = (harbour.root / PAGE).read_text()
    assert [line.text for line in found.read(PAGE).lines] == text.removesuffix("\n").split("\n")
    turns = found.read(path_of(harbour, "jan"), first=2).lines
    assert [(line.at, line.speaker, line.said[:10]) for line in turns] == [
        ("L2", "assistant", "2026-01-10"),
        ("L3", "human", "2026-01-10"),
    ]


def test_reading_goes_on_at_the_line_that_was_left_out(harbour: Vault) -> None:
    few = shelf(harbour, limits=Limits(entries=2))
    part = few.read(path_of(harbour, "jan"))
    assert [line.at for line in part.lines] == ["L1", "L2"]
    assert [line.at for line in few.read(part.path, part.next).lines] == ["L3"]


def test_a_long_turn_is_cut_and_the_rest_of_the_room_stays(harbour: Vault, tmp_path: Path) -> None:
    put(tmp_path / "long.jsonl", session("long", "2026-03-01", "/home/sam/harbour", "pump " * 9000, "Short."))
    harbour.ingest([tmp_path / "long.jsonl"])
    sheet = shelf(harbour).read(path_of(harbour, "long"))
    assert sheet.lines[0].text.endswith("…")
    assert len(sheet.lines[0].text) < 5000
    assert sheet.lines[1].text == "Short."


def test_the_history_of_a_page_tells_what_came_and_went(harbour: Vault) -> None:
    opened = open_at(harbour.root)
    with opened.repository() as repo:
        from wikimem.edges.repo import Change, Message

        for text in (b"# Pump\n\n- It leaks.\n", b"# Pump\n\n- It is mended.\n"):
            change = Change({"wiki/topics/pump.md": text})
            repo.commit(change, Message("pump: told", "", ()), report=lambda problem: None)
    story = shelf(harbour).history("wiki/topics/pump.md")
    assert [(version.gained, version.lost) for version in story.versions] == [
        (("- It is mended.",), ("- It leaks.",)),
        (("# Pump", "- It leaks."), ()),
    ]
    assert story.versions[0].subject == "pump: told"
    first = shelf(harbour, limits=Limits(entries=1)).history("wiki/topics/pump.md")
    rest = shelf(harbour).history("wiki/topics/pump.md", after=first.next)
    assert [version.gained for version in rest.versions] == [("# Pump", "- It leaks.")]
    with pytest.raises(NotOnShelf, match="no commit"):
        shelf(harbour).history("wiki/topics/pump.md", after="HEAD")


ATTACKS = (
    "../keys.txt",
    "/etc/passwd",
    "wiki/../../keys.txt",
    "..\\keys.txt",
    "%2e%2e/keys.txt",
    "C:\\keys.txt",
    ".git/config",
    "wiki/.claims",
    ".wikimem/ledger.json",
    "wikimem.toml",
    "wiki/topics/tide-tables.md\x00.txt",
    "wiki/topics/tide-tables.md:x",
)


@pytest.mark.parametrize("path", ATTACKS)
def test_a_path_that_leaves_the_shelf_is_refused_by_every_call_and_nothing_is_read(harbour: Vault, path: str) -> None:
    (harbour.root.parent / "keys.txt").write_text("hidden words")
    found = shelf(harbour)
    for call in (found.list, found.read, found.history, lambda each: found.grep("hidden|root|bare|tide", each)):
        with pytest.raises(NotOnShelf, match="cannot be read") as refused:
            call(path)
        assert "hidden words" not in str(refused.value)
    assert isinstance(found.resolve(Span(path, 1, 9, "hidden words")), str)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes are made differently there")
def test_links_and_pipes_are_neither_listed_nor_followed(harbour: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keys.md").write_text("hidden words\n")
    topics = harbour.root / "wiki" / "topics"
    (topics / "file.md").symlink_to(outside / "keys.md")
    (topics / "folder").symlink_to(outside)
    (topics / "inside.md").symlink_to(topics / "tide-tables.md")
    (harbour.root / "sources" / "elsewhere").symlink_to(harbour.root / ".git")
    os.mkfifo(topics / "pipe.md")
    found = shelf(harbour)
    names = everything(found)
    assert not any("file.md" in name or "folder" in name or "pipe" in name or "inside" in name for name in names)
    assert found.grep("hidden words").matches == ()
    for path in ("wiki/topics/file.md", "wiki/topics/folder/keys.md", "wiki/topics/pipe.md", "sources/elsewhere/config"):
        with pytest.raises(NotOnShelf):
            found.read(path)
        with pytest.raises(NotOnShelf):
            found.grep("hidden|bare", path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links are made differently there")
def test_a_source_that_was_replaced_by_a_link_is_not_followed(harbour: Vault, tmp_path: Path) -> None:
    path = path_of(harbour, "jan")
    other = tmp_path / "other.jsonl"
    other.write_bytes(session("jan", "2026-01-10", "/home/sam/harbour", "hidden words", "Noted."))
    (harbour.root / path).unlink()
    (harbour.root / path).symlink_to(other)
    found = shelf(harbour)
    with pytest.raises(NotOnShelf):
        found.read(path)
    assert found.grep("hidden words").matches == ()


def test_under_strict_isolation_nothing_of_another_scope_is_there(harbour: Vault) -> None:
    strict(harbour)
    own, other, none = (shelf(harbour, scope) for scope in ("project:harbour", "project:dock", ""))
    theirs = path_of(harbour, "dock")
    assert {match.path for match in own.grep("cranes|ines").matches} == set()
    assert {match.path for match in other.grep("cranes|ines").matches} == {"wiki/topics/cranes.md", theirs}
    assert none.grep("cranes|tide|berth").matches == ()
    listed = everything(own)
    assert PAGE in listed
    assert not any("crane" in path or path.startswith(theirs.removesuffix(".jsonl")) for path in listed)
    assert everything(none) == []


def test_under_strict_isolation_what_is_hidden_and_what_is_missing_are_told_alike(harbour: Vault) -> None:
    strict(harbour)
    found = shelf(harbour, "project:harbour")
    told = set()
    for path in ("wiki/topics/cranes.md", "wiki/topics/nothing.md", path_of(harbour, "dock")):
        for call in (found.read, found.history):
            with pytest.raises(NotOnShelf) as refused:
                call(path)
            told.add(str(refused.value).replace(path, "PATH"))
    assert len(told) == 1


def test_under_strict_isolation_a_page_that_cites_another_scope_is_hidden(harbour: Vault) -> None:
    strict(harbour)
    theirs = Path(path_of(harbour, "dock")).stem
    page = harbour.root / PAGE
    page.write_text(
        page.read_text()
        + f"\n[^aaaaaaaaaaaa]: fact · human · said 2026-02-02 · [L1](../../sources/2026/02/{theirs}.jsonl#L1) “x”\n"
    )
    assert shelf(harbour, "project:harbour").grep("8090", "wiki").matches == ()


def test_under_a_date_only_what_had_been_said_by_then_is_there(harbour: Vault) -> None:
    then = shelf(harbour, until="2026-01-31T23:59:59")
    assert {match.path for match in then.grep("tide|berth|cranes").matches} == {path_of(harbour, "jan")}
    assert then.list().entries == tuple(entry for entry in shelf(harbour).list().entries if entry.path == "sources/")


def test_a_span_stands_where_its_words_do(harbour: Vault) -> None:
    path = path_of(harbour, "jan")
    found = shelf(harbour)
    good = found.resolve(Span(path, 1, 2, "from port 8090"))
    assert not isinstance(good, str)
    assert (good.cite, good.words) == (f"{Path(path).stem}:L1", "from port 8090")
    page = found.resolve(Span(PAGE, 1, 99, "served from port 8090"))
    assert not isinstance(page, str)
    assert page.cite.startswith(f"{PAGE}:L")
    for bad in (
        Span(path, 3, 3, "from port 8090"),
        Span(path, 1, 2, "from port 9999"),
        Span(path, 70, 80, "port"),
        Span(path, 1, 1, ""),
    ):
        assert isinstance(found.resolve(bad), str)


def test_what_was_read_from_this_memory_is_neither_found_nor_evidence(harbour: Vault, tmp_path: Path) -> None:
    asked = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "wikimem recall 'berth seven'"}}
    gave = {"type": "tool_result", "tool_use_id": "t1", "content": "Berth seven is haunted."}
    records = [
        {"role": "user", "content": "Look it up, please."},
        {"role": "assistant", "content": [asked]},
        {"role": "user", "content": [gave]},
    ]
    lines = [
        {
            "type": each["role"],
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "own",
            "timestamp": f"2026-05-01T09:0{number}:00.000Z",
            "cwd": "/home/sam/harbour",
            "message": {**each, "id": f"m{number}"},
        }
        for number, each in enumerate(records)
    ]
    put(tmp_path / "own.jsonl", jsonl(*lines))
    harbour.ingest([tmp_path / "own.jsonl"])
    found = shelf(harbour)
    assert found.grep("haunted").matches == ()
    assert isinstance(found.resolve(Span(path_of(harbour, "own"), 1, 9, "Berth seven is haunted.")), str)
    assert [line.mark for line in found.read(path_of(harbour, "own")).lines] == ["", "memory", "memory"]


def test_reading_writes_nothing(harbour: Vault) -> None:
    open_at(harbour.root).ledger.all()

    def state() -> dict[str, tuple[int, int]]:
        return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in harbour.root.rglob("*") if p.is_file()}

    before = state()
    found = shelf(harbour)
    everything(found)
    found.grep("tide")
    found.read(PAGE)
    assert state() == before


@pytest.mark.parametrize("pattern", [r"8090\, please", "8090, PLEASE|nobody", r"port 80\d\d, p"])
def test_looking_at_the_stored_bytes_first_hides_nothing(harbour: Vault, pattern: str) -> None:
    assert [match.path for match in shelf(harbour).grep(pattern, "sources").matches] == [path_of(harbour, "jan")]
