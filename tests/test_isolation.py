"""Isolation: under strict, 200 words that one project said, everywhere that words can stand, reach another in no way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from conftest import NOW
from dictated import Dictated, as_model, git, joined, records, session, tell
from reviewing import settings
from wikimem import attend, brief, notes
from wikimem.ask import Wish, ask
from wikimem.core.events import Event
from wikimem.errors import WikimemError
from wikimem.faces.api import Vault
from wikimem.faces.mcp.desk import Desk
from wikimem.vault import open_at

SHOP, LAB = "project:shop", "project:lab"
COUNT = 200
SHAPE = re.compile(r"kelp[a-z]{3}q")


def word(number: int) -> str:
    """One of 200 words that stand nowhere else; each is one word to every reader."""
    letters = "abcdefghijklmnopqrst"
    return f"kelp{letters[number // 20 % 20]}{letters[number % 20]}{letters[number * 7 % 20]}q"


WORDS = tuple(word(number) for number in range(COUNT))


class Planting:
    """Hands out the words, each once."""

    def __init__(self) -> None:
        self._left = iter(WORDS)
        self.used: list[str] = []

    def __call__(self) -> str:
        self.used.append(next(self._left))
        return self.used[-1]


def lab_sessions(new: Planting) -> Iterator[bytes]:
    """Sessions of the lab: each place of a session and of a claim that can hold a word holds one."""
    for number in range(20):
        said = [
            f"Good morning, {new()}.",
            f"topic | api | header-{number} | The api wants the header {new()} since March.",
            f"topic | {new()} reef | port | The reef listens on {4000 + number} for {new()}.",
            f"person | Ines | | Ines feeds the {new()}. | scope=",
            f"decision | {new()} plan | decision | We take {new()} for the cache. | kind=procedural",
        ]
        told: list[dict[str, Any]] = records(f"lab-{number}", f"2026-03-{number + 1:02}", *said, cwd="/home/sam/lab")
        failed = records(
            f"lab-{number}x", f"2026-03-{number + 1:02}T11:00", ("tool", f"error: {new()} not found"), cwd="/home/sam/lab"
        )
        yield joined([*told, *({**one, "sessionId": f"lab-{number}"} for one in failed)])


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    import wikimem

    root = tmp_path_factory.mktemp("isolated") / "memory"
    wikimem.create(root)
    toml = root / "wikimem.toml"
    toml.write_text(
        toml.read_text().replace('# isolation = "prefer"', 'isolation = "strict"') + '\n[projects]\n"lab" = ["tools/*"]\n'
    )
    vault = settings(Vault.open(root, clock=lambda: NOW), "\n")
    new = Planting()
    shop = session(
        "shop",
        "2026-03-02",
        "Good morning, gull.",
        "topic | api | header | The api wants the header gullheader.",
        "topic | gull till | port | The till listens on 4999 for gullwords.",
        "person | Ines | | Ines minds the gulltill. | scope=",
        "person | Ines | | Ines feeds the fish. | scope=",
        cwd="/home/sam/shop",
    )
    tell(vault, shop, *lab_sessions(new))
    tell(
        vault,
        session("both", "2026-04-02", "person | Ines | | Ines feeds the fish. | scope=", cwd="/home/sam/lab"),
        session("tool", "2026-04-03", f"topic | api | | The tool api wants {new()}.", cwd="/home/sam/lab/tools/net"),
    )
    vault.compile(model=as_model(Dictated()))
    page = next(path for path in (root / "wiki/topics").glob("api*.md") if "lab\n" in path.read_text())
    relative = page.relative_to(root).as_posix()
    vault.alias(relative, f"{new()} header")
    vault.rename(relative, f"Api {new()}")
    page = next(path for path in (root / "wiki/topics").glob("api*.md") if "\nscope: project:lab\n" in path.read_text())
    page.write_text(page.read_text() + f"\n## Notes\n\nSomebody of the lab wrote {new()} here.\n\n<!-- {new()} -->\n")
    git(root, "commit", "-qam", f"notes on {new()}")
    reef = next((root / "wiki/topics").glob("*reef*.md"))
    reef.write_text(reef.read_text().replace("The reef listens", f"The {new()} reef listens", 1))
    git(root, "commit", "-qam", "by hand")
    vault.compile(model=as_model(Dictated()))
    vault.reject(vault.why("The reef listens", 1, LAB).as_json()["claims"][0]["claim"], f"{new()} says otherwise")
    opened = open_at(root, lambda: NOW)
    notes.note(opened, f"The note of the lab is {new()}.", "", "", "/home/sam/lab", "agent")
    vault.recall(f"What of {new()}?", LAB)
    ask(opened, f"What does the api want of {new()}?", Wish(LAB, save=True))
    while len(new.used) < COUNT:
        tell(
            vault, session(f"more-{len(new.used)}", "2026-05-02", f"We said {new()}.", ("assistant", "Yes."), cwd="/home/sam/lab")
        )
    vault.compile(model=as_model(Dictated()))
    vault.consolidate()
    brief.renew(opened)
    assert sorted(new.used) == sorted(WORDS)
    assert len(set(WORDS)) == COUNT
    return vault


def found(told: object) -> set[str]:
    """The lab's words in whatever was told."""
    return set(SHAPE.findall(json.dumps(told, default=str).casefold()))


def tried(ask: Callable[[], Any], asked: str = "") -> object:
    """What a way of asking tells, its errors too; what was asked is not an answer."""
    try:
        told = ask()
    except WikimemError as error:
        told = str(error)
    as_json = getattr(told, "as_json", None)
    text = json.dumps(as_json() if as_json else told, default=str, ensure_ascii=False)
    return text.casefold().replace(asked.casefold(), "") if asked else text


def ways(vault: Vault, scope: str) -> Mapping[str, Callable[[str], object]]:
    """Every way in which somebody of a scope may ask for a word."""
    opened = open_at(vault.root, lambda: NOW)
    desk = Desk(opened, scope, "/home/sam/shop" if scope == SHOP else "/home/sam/lab", ())
    return {
        "recall": lambda asked: vault.recall(asked, scope).bundle.text,
        "recall at": lambda asked: vault.recall(asked, scope, at="2026-06-01").bundle.text,
        "recall known": lambda asked: vault.recall(asked, scope, known="2026-06-01").as_json()["entries"],
        "thorough": lambda asked: vault.recall_thoroughly(asked, scope).text,
        "search": lambda asked: vault.search(asked, scope=scope).as_json()["hits"],
        "why": lambda asked: vault.why(asked, 5, scope).as_json()["claims"],
        "show": lambda asked: vault.show(asked, scope=scope),
        "show at": lambda asked: vault.show(asked, at="2026-06-01", scope=scope),
        "timeline": lambda asked: vault.timeline(asked, scope=scope),
        "history": lambda asked: vault.history(asked, scope=scope),
        "ask": lambda asked: ask(opened, asked, Wish(scope)).as_json()["answer"],
        "mcp search": lambda asked: desk.search(asked, "", "", "", 4000, "")[0],
        "mcp read": lambda asked: desk.read(asked, "", 4000)[0],
        "mcp history": lambda asked: desk.history(asked, "")[0],
        "mcp grep": lambda asked: desk.browse("", asked, "")[0],
        "hook prompt": lambda asked: attend.prompt(
            opened, Event("claude-code", asked[::-1], desk.cwd, "", f"Tell me about {asked} please.")
        ),
    }


NAMES = ("api", "ines", "topics", "*", "path:lab*", "reef", "header", "gull", "api-lab", "wiki/topics/api.md", "lab", "tools")


def test_the_lab_itself_finds_its_words(planted: Vault) -> None:
    """Else the tests below could not fail."""
    asking = ways(planted, LAB)
    for name in ("recall", "search", "mcp search", "mcp grep", "why", "thorough"):
        hit = sum(one in str(tried(lambda way=asking[name], one=one: way(one))).casefold() for one in WORDS[:30])
        assert hit >= 20, name


WAYS = (
    *("recall", "recall at", "recall known", "thorough", "search", "why", "show", "show at", "timeline", "history", "ask"),
    *("mcp search", "mcp read", "mcp history", "mcp grep", "hook prompt"),
)


@pytest.mark.parametrize("way", WAYS)
def test_no_way_of_asking_tells_another_project_a_word(planted: Vault, way: str) -> None:
    asking = ways(planted, SHOP)[way]
    slow = way in ("thorough", "ask")
    for asked in (*NAMES, *(WORDS[::20] if slow else WORDS[::3])):
        assert found(tried(lambda asked=asked: asking(asked), asked)) - {asked} == set(), (way, asked)


def test_no_file_of_the_other_project_opens_by_its_name(planted: Vault) -> None:
    asking = ways(planted, SHOP)
    known = planted._opened.ledger.all()
    theirs = [each.id for each in known.values() if each.scope != SHOP]
    files = [path.relative_to(planted.root / "wiki").as_posix() for path in (planted.root / "wiki").rglob("*.md")]
    names = [*theirs, *(f"{one}:L1" for one in theirs), *(one[-8:] for one in theirs), *files, *(f"wiki/{one}" for one in files)]
    names += [one.path for one in known.values()]
    for way, step in (("show", 3), ("mcp read", 3), ("timeline", 17), ("history", 17), ("mcp history", 17)):
        for name in names[::step]:
            assert found(tried(lambda way=way, name=name: asking[way](name), name)) - found(name) == set(), (way, name)


def test_lists_and_feeds_of_a_project_hold_no_word_of_another(planted: Vault, tmp_path: Path) -> None:
    opened = open_at(planted.root, lambda: NOW)
    desk = Desk(opened, SHOP, "/home/sam/shop", ())
    planted.build_site(out=tmp_path / "site", scope=SHOP, base="https://memory.example/")
    told: dict[str, object] = {
        "brief": brief.brief(opened, SHOP).text,
        "stored brief": attend.start(opened, Event("claude-code", "s", "/home/sam/shop", "", "")),
        "mcp brief": desk.brief(),
        "log": planted.log(0, SHOP).as_json(),
        "recalls": [{**one.as_json(), "question": ""} for one in planted.recalls(50, SHOP).judged],
        "use": planted.use(scope=SHOP).as_json(),
        "mcp list": [
            tried(lambda place=place: desk.browse(place, "", "")[0])
            for place in ("", "wiki", "wiki/topics", "wiki/sessions", "sources")
        ],
        "mcp index": [
            tried(lambda name=name: desk.page(name)) for name in ("wiki/index.md", "wiki/topics/index.md", "wiki/people/ines.md")
        ],
        "doubts": planted.doubted(planted.root, scope=SHOP).as_json(),
    }
    for target in ("claude-md", "obsidian", "okf"):
        planted.export(target, tmp_path / target, scope=SHOP)
        files = [tmp_path / target] if (tmp_path / target).is_file() else [*(tmp_path / target).rglob("*")]
        told[target] = [[path.name, path.read_text()] for path in files if path.is_file()]
    site = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in (tmp_path / "site").rglob("*")
        if path.is_file()
    }
    assert (
        any("llms" in name for name in site)
        and any("graph" in name for name in site)
        and any("feed" in name or name.endswith("atom.xml") for name in site)
    )
    told |= {f"site {name}": [name, text] for name, text in site.items()}
    assert {name: sorted(words)[:3] for name, one in told.items() if (words := found(one))} == {}
    assert "gulltill" in str(told) or "gullwords" in str(told)


def test_pages_and_cards_of_a_project_name_nothing_of_another(planted: Vault) -> None:
    for path in (planted.root / "wiki").rglob("*.md"):
        text = path.read_text()
        if f"\nscope: {SHOP}\n" in text:
            assert found(text) == set(), path


def test_a_package_tells_its_project_nothing(planted: Vault) -> None:
    asking = ways(planted, LAB)
    (mine,) = {
        one
        for one in WORDS
        if f"tool api wants {one}" in "".join(path.read_text() for path in (planted.root / "wiki/topics").glob("*.md"))
    }
    for way in ("recall", "search", "why", "mcp search", "mcp grep", "show", "thorough"):
        assert mine not in str(tried(lambda way=way: asking[way](mine), mine)), way
    inside = ways(planted, f"{LAB}/tools/net")
    assert mine in str(tried(lambda: inside["recall"](mine)))


def test_nothing_is_kept_between_calls_of_one_server(planted: Vault) -> None:
    """Case 052: a scope that one call names is not that of the next."""
    opened = open_at(planted.root, lambda: NOW)
    desk = Desk(opened, SHOP, "/home/sam/shop", ())
    assert WORDS[1] in desk.search(WORDS[1], LAB, "", "", 2000, "")[0]
    assert found(desk.search(WORDS[1], "", "", "", 2000, "")[0]) == set()
