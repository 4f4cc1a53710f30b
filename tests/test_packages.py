"""Packages: parts of a repository that settings name have a scope of their own, and see the whole project's; not each other's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wikimem
from dictated import Dictated, check, git, session, tell, wiki
from reviewing import compiled, settings
from wikimem import attend, brief
from wikimem.core.events import Event
from wikimem.errors import BadCitation, BadSettings, NoPage
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.vault import open_at

PROJECTS = '\n[projects]\n"acme/shop" = ["packages/*"]\n'
SHOP, API, WEB = "project:shop", "project:shop/packages/api", "project:shop/packages/web"
LAB = "project:lab"
CACHE = "topic | cache | ttl | The cache of the {} keeps entries for {} minutes."


def sessions() -> tuple[bytes, ...]:
    """One of the whole project, two of packages, one of another project; all of a cache."""
    return (
        session(
            "top", "2026-03-02", CACHE.format("shop", 3), "topic | flags | | Kittiwake flags are for all.", cwd="/home/sam/shop"
        ),
        session(
            "api",
            "2026-03-03",
            CACHE.format("api", 5),
            "topic | tern | | The tern limit is 80.",
            cwd="/home/sam/shop/packages/api",
        ),
        session("web", "2026-03-04", CACHE.format("web", 7), cwd="/home/sam/shop/packages/web/src"),
        session("lab", "2026-03-05", CACHE.format("lab", 9), cwd="/home/sam/lab"),
    )


def strictly(vault: Vault, told: str = PROJECTS) -> Vault:
    toml = vault.root / "wikimem.toml"
    toml.write_text(toml.read_text().replace('# isolation = "prefer"', 'isolation = "strict"'))
    return settings(vault, told)


@pytest.fixture
def shop(vault: Vault) -> Vault:
    vault = settings(vault, PROJECTS)
    tell(vault, *sessions())
    compiled(vault)
    return vault


@pytest.fixture
def strict(vault: Vault) -> Vault:
    vault = strictly(vault)
    tell(vault, *sessions())
    compiled(vault)
    return vault


def test_pages_of_one_subject_in_two_packages_are_two_and_each_says_which(shop: Vault) -> None:
    found = {path.name: path.read_text() for path in (shop.root / "wiki/topics").glob("cache*.md")}
    assert sorted(found) == ["cache-lab.md", "cache-shop-packages-api.md", "cache-shop-packages-web.md", "cache-shop.md"]
    assert f"\nscope: {API}\n" in found["cache-shop-packages-api.md"]
    assert "5 minutes" in found["cache-shop-packages-api.md"]
    assert "7 minutes" not in found["cache-shop-packages-api.md"]
    assert shop.status().projects == {"shop": 1, "shop/packages/api": 1, "shop/packages/web": 1, "lab": 1}
    check(shop)


def test_recall_in_a_package_ranks_it_first_then_the_project_then_others(shop: Vault) -> None:
    told = shop.recall("How many minutes does the cache keep entries?", API).bundle.text
    places = [told.index(f"{minutes} minutes") for minutes in (5, 3, 9)]
    assert places == sorted(places)
    assert "7 minutes" in told
    told = shop.recall("How many minutes does the cache keep entries?", SHOP).bundle.text
    assert told.index("3 minutes") < min(told.index(f"{minutes} minutes") for minutes in (5, 7, 9))


@pytest.mark.parametrize(
    ("scope", "seen", "hidden"), [(API, (5, 3), (7, 9)), (WEB, (7, 3), (5, 9)), (SHOP, (3,), (5, 7, 9)), (LAB, (9,), (3, 5, 7))]
)
def test_a_strict_vault_shows_a_package_itself_and_the_whole_project(
    strict: Vault, tmp_path: Path, scope: str, seen: tuple[int, ...], hidden: tuple[int, ...]
) -> None:
    strict.build_site(out=tmp_path / "site", scope=scope)
    strict.export("okf", tmp_path / "okf", scope=scope)
    told = {
        "recall": strict.recall("How many minutes does the cache keep entries?", scope).bundle.text,
        "search": str(strict.search("minutes cache", scope=scope).as_json()),
        "why": str(strict.why("The cache keeps entries for minutes.", 9, scope=scope).as_json()),
        "brief": brief.brief(open_at(strict.root), scope).text,
        "site": "".join(each.read_text("utf-8", "replace") for each in (tmp_path / "site").rglob("*") if each.is_file()),
        "okf": "".join(each.read_text() for each in (tmp_path / "okf").rglob("*.md")),
        "thorough": strict.recall_thoroughly("How many minutes does the cache keep entries?", scope).text,
    }
    for name, found in told.items():
        assert [minutes for minutes in seen if f"{minutes} minutes" not in found] == [], name
        assert [minutes for minutes in hidden if f"{minutes} minutes" in found] == [], name


def test_pages_and_passages_of_the_project_open_in_a_package_and_not_the_other_way(strict: Vault) -> None:
    source = {each.session: each.id for each in strict._opened.ledger.all().values()}
    assert "Kittiwake" in str(strict.show("flags", scope=API).as_json())
    assert strict.timeline("flags", scope=API).stretches
    assert strict.show(f"{source['top']}:L1", scope=API)
    for scope in (SHOP, WEB, LAB, f"{API}/..", f"{WEB}/../api"):
        with pytest.raises(NoPage):
            strict.show("tern", scope=scope)
        with pytest.raises(BadCitation):
            strict.show(f"{source['api']}:L1", scope=scope)


def test_a_session_is_told_what_its_package_knows_and_a_new_package_what_the_project_does(strict: Vault) -> None:
    opened = open_at(strict.root)
    brief.renew(opened)

    def start(cwd: str) -> str:
        return attend.start(opened, Event("claude-code", "new", cwd, "", ""))

    assert "5 minutes" in start("/home/sam/shop/packages/api")
    assert "Kittiwake" in start("/home/sam/shop/packages/api")
    assert "7 minutes" not in start("/home/sam/shop/packages/api")
    fresh = start("/home/sam/shop/packages/fresh")
    assert "Kittiwake" in fresh
    assert "5 minutes" not in fresh
    asked = Event("claude-code", "new", "/home/sam/shop/packages/web", "", "How many minutes does the cache keep entries?")
    prompted = attend.prompt(opened, asked)
    assert "7 minutes" in prompted
    assert "5 minutes" not in prompted


def test_pages_link_upwards_only(vault: Vault) -> None:
    vault = settings(vault, PROJECTS)
    tell(
        vault,
        session("top", "2026-03-02", "topic | gull queue | | The gull queue holds jobs.", cwd="/home/sam/shop"),
        session(
            "api", "2026-03-03", "topic | tern mail | | Tern mail goes by the gull queue.", cwd="/home/sam/shop/packages/api"
        ),
        session("more", "2026-03-04", "topic | gull queue | | The gull queue carries tern mail.", cwd="/home/sam/shop"),
    )
    compiled(vault)
    assert "gull-queue.md" in (vault.root / "wiki/topics/tern-mail.md").read_text()
    assert "tern-mail.md" not in (vault.root / "wiki/topics/gull-queue.md").read_text()


def test_settings_that_come_later_move_cards_at_once_and_claims_by_a_recompile(vault: Vault, tmp_path: Path) -> None:
    tell(vault, *sessions())
    compiled(vault)
    vault = settings(vault, PROJECTS)
    report = vault.compile(model=Dictated())
    assert any("recompile" in note for note in report.notes)
    card = next((vault.root / "wiki/sessions").rglob("*03*-claude-code-*.md"))
    assert sum(API in path.read_text() for path in (vault.root / "wiki/sessions").rglob("*.md")) == 1, card
    found = vault.status()
    assert found.misplaced == 2
    assert "another package than [projects]" in text.status(found)
    vault.recompile(model=Dictated())
    assert vault.status().misplaced == 0
    assert sorted(path.name for path in (vault.root / "wiki/topics").glob("cache*.md")) == [
        "cache-lab.md",
        "cache-shop-packages-api.md",
        "cache-shop-packages-web.md",
        "cache-shop.md",
    ]
    check(vault)
    moved, there = wiki(vault), dict(vault._opened.ledger.all())
    wikimem.create(tmp_path / "other")
    other = settings(Vault.open(tmp_path / "other", clock=vault._opened.clock), PROJECTS)
    tell(other, *sessions())
    compiled(other)
    assert other._opened.ledger.all().keys() == there.keys()
    assert wiki(other) == moved


def test_a_project_holds_its_packages_where_one_is_named(vault: Vault) -> None:
    vault = settings(vault, PROJECTS)
    tell(vault, *sessions())
    assert len(vault.compile(project="shop/packages/api", model=Dictated()).outcomes) == 1
    assert len(vault.compile(project="shop", model=Dictated()).outcomes) == 2


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ('[projects]\n"acme/shop" = "packages/*"\n', "must be a list of folders"),
        ('[projects]\n"acme/shop" = ["/packages"]\n', "no such pattern"),
        ('[projects]\n"" = ["packages"]\n', "names no repository"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_in_a_sentence(vault: Vault, told: str, why: str) -> None:
    file = vault.root / "wikimem.toml"
    file.write_text(file.read_text() + told)
    with pytest.raises(BadSettings, match=why):
        Vault.open(vault.root)


def test_packages_are_the_same_for_everybody(vault: Vault) -> None:
    (vault.root / "wikimem.local.toml").write_text(PROJECTS)
    with pytest.raises(BadSettings, match=r"only stand in wikimem\.toml"):
        Vault.open(vault.root)


def test_a_channel_that_is_sensitive_is_so_in_its_packages(vault: Vault) -> None:
    vault = settings(vault, PROJECTS)
    toml = vault.root / "wikimem.toml"
    toml.write_text(toml.read_text().replace('# channels = ["format:slack", "title:*1:1*"]', 'channels = ["project:shop"]'))
    vault = settings(vault, "\n")
    tell(vault, *sessions())
    vault.compile(model=Dictated())
    assert [path.name for path in (vault.root / "wiki/topics").glob("*.md") if path.name != "index.md"] == ["cache.md"]


def test_instructions_that_stand_in_a_package_are_of_it(vault: Vault, tmp_path: Path) -> None:
    vault = settings(vault, PROJECTS)
    code = tmp_path / "shop"
    (code / "packages/api").mkdir(parents=True)
    (code / "docs").mkdir()
    git(code, "init", "-q", "-b", "main")
    for place, words in (("", "Gulls first."), ("packages/api", "Terns first."), ("docs", "Skuas first.")):
        (code / place / "CLAUDE.md").write_text(f"# Rules\n\n- {words}\n")
    git(code, "add", ".")
    git(code, "commit", "-qm", "rules")
    vault.adopt([code])
    assert sorted(one.scope for one in vault._opened.ledger.all().values()) == [SHOP, SHOP, API]


def test_the_site_has_a_list_of_each_package_and_no_link_leads_nowhere(shop: Vault, tmp_path: Path) -> None:
    out = tmp_path / "site"
    shop.build_site(out=out)
    assert (out / "scopes/project-shop--packages--api.html").is_file()
    for page in out.rglob("*.html"):
        for link in re.findall(r'href="([^"#?]+)', page.read_text()):
            if not re.match(r"[a-z]+:", link):
                assert (page.parent / link).resolve().exists(), (page, link)
