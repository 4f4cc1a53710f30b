"""Scopes: under strict isolation one project's words never reach another, by whatever way it asks; people's are theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dictated import git, session, tell
from reviewing import compiled, settings
from wikimem.brief import brief
from wikimem.core.sensitive import Sensitive
from wikimem.errors import BadCitation, NoPacket, NoPage, WikimemError
from wikimem.faces.api import Vault
from wikimem.faces.mcp.desk import Desk
from wikimem.vault import open_at

SHOP, LAB = "project:shop", "project:lab"
KEY = "topic | api | | The api wants the header X-Lab-Tide."
OURS = "topic | api | | The api wants the header X-Shop-Gull."
BOTH = "person | Ines | | Ines {} the {}. | scope="
WORDS = ("X-Lab-Tide", "lab-only", "Tide quay", "kelp")


@pytest.fixture
def strict(vault: Vault) -> Vault:
    """Two projects with pages of one name, an alias and a person whom both know, in a strict vault."""
    toml = vault.root / "wikimem.toml"
    toml.write_text(toml.read_text().replace('# isolation = "prefer"', 'isolation = "strict"'))
    vault = settings(vault, "\n")
    tell(
        vault,
        session("one", "2026-03-02", OURS, BOTH.format("minds", "till"), cwd="/home/sam/shop"),
        session("two", "2026-03-04", "We call it kelp.", KEY, BOTH.format("feeds", "kelp"), cwd="/home/sam/lab"),
        session("three", "2026-03-05", "topic | Tide quay | | The Tide quay is lab-only.", cwd="/home/sam/lab"),
    )
    compiled(vault)
    page = next(path for path in (vault.root / "wiki/topics").glob("api*.md") if "X-Lab" in path.read_text())
    vault.alias(page.relative_to(vault.root).as_posix(), "tide header")
    return vault


def lab(vault: Vault) -> tuple[str, str]:
    """The page and the source of the lab."""
    page = next(path for path in (vault.root / "wiki/topics").glob("api*.md") if "X-Lab" in path.read_text())
    source = next(each.id for each in vault._opened.ledger.all().values() if each.session == "two")
    return page.relative_to(vault.root).as_posix(), source


def clean(told: object) -> None:
    """None of the lab's words is in it."""
    text = json.dumps(told, default=str)
    assert [word for word in WORDS if word.casefold() in text.casefold()] == []


@pytest.mark.parametrize("asked", ["API header", "X-Lab-Tide", "*", "path:lab*", "tide header", "kelp", "Tide quay", "Ines"])
def test_recall_and_search_find_nothing_of_the_other_project(strict: Vault, asked: str) -> None:
    clean(strict.recall(asked, SHOP).bundle.text)
    clean([hit.passage.text if hasattr(hit, "passage") else str(hit) for hit in strict.search(asked, scope=SHOP).hits])


@pytest.mark.parametrize(
    "name", ["api", "tide header", "tide", "Tide quay", "tide-quay", "topics/tide-quay.md", "wiki/topics/tide-quay"]
)
def test_pages_of_the_other_project_are_neither_shown_nor_named_as_near(strict: Vault, name: str) -> None:
    for ask in (strict.show, strict.timeline, strict.history):
        try:
            clean(ask(name, scope=SHOP).as_json())
        except WikimemError as error:
            clean(str(error).replace(repr(name), ""))


def test_the_same_questions_are_answered_to_the_project_itself(strict: Vault) -> None:
    page, source = lab(strict)
    assert "X-Lab-Tide" in strict.show("tide header", scope=LAB).as_json()["text"]
    assert "X-Lab-Tide" in strict.show(page, scope=LAB).as_json()["text"]
    assert strict.show(f"{source}:L2", scope=LAB)
    assert strict.timeline("tide header", scope=LAB).stretches
    assert "X-Lab-Tide" in strict.recall("Which header does the api want?", LAB).bundle.text


def test_a_citation_of_the_other_project_leads_nowhere_and_its_error_tells_nothing(strict: Vault) -> None:
    page, source = lab(strict)
    for citation in (f"{source}:L2", source, source[-8:]):
        with pytest.raises((BadCitation, NoPage)) as told:
            strict.show(citation, scope=SHOP)
        clean(str(told.value))
    with pytest.raises(NoPage):
        strict.show(page, scope=SHOP)


def test_why_tells_nothing_of_the_other_project(strict: Vault) -> None:
    clean(strict.why("The api wants the header X-Lab-Tide.", scope=SHOP).as_json()["claims"])


def test_cards_indexes_and_the_site_of_a_project_hold_nothing_of_the_other(strict: Vault, tmp_path: Path) -> None:
    for path in (strict.root / "wiki").rglob("*.md"):
        text = path.read_text()
        if "\nscope: project:shop\n" in text:
            clean(text)
    strict.build_site(out=tmp_path / "site", scope=SHOP)
    every = "\n".join(path.read_text("utf-8", "replace") for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert "X-Shop-Gull" in every
    clean(every)


@pytest.mark.parametrize("target", ["claude-md", "obsidian", "okf"])
def test_an_export_for_a_project_holds_nothing_of_the_other(strict: Vault, tmp_path: Path, target: str) -> None:
    made = strict.export(target, tmp_path / "out", scope=SHOP)
    every = [path.read_text() for path in tmp_path.glob("out*/**/*") if path.is_file()]
    every += [path.read_text() for path in [tmp_path / "out"] if path.is_file()]
    assert "X-Shop-Gull" in "".join(every)
    clean(every)
    clean(made.as_json())


def test_nothing_that_a_project_writes_changes_whose_it_is(strict: Vault) -> None:
    before = strict.recall("Which header does the api want?", SHOP).bundle.text
    strict.recall("Which header does the api want?", LAB)
    assert strict.recall("Which header does the api want?", SHOP).bundle.text == before


def test_a_scope_that_is_a_path_to_another_is_none(strict: Vault) -> None:
    clean(strict.recall("header", "project:shop/../lab").bundle.text)


def test_agents_and_users_have_scopes_of_their_own(vault: Vault, tmp_path: Path) -> None:
    toml = vault.root / "wikimem.toml"
    toml.write_text(toml.read_text().replace('# isolation = "prefer"', 'isolation = "strict"'))
    vault = settings(vault, "\n")
    for scope, words in (("agent:gull", "The gull sorts mail by weight."), ("user:nora", "Nora wants short answers.")):
        file = tmp_path / f"{scope[:5]}.jsonl"
        file.write_bytes(session(scope[:5], "2026-03-02", f"topic | habits | | {words}"))
        vault.ingest([file], scope=scope)
    compiled(vault)
    assert "by weight" in vault.recall("How does the gull sort mail?", "agent:gull").bundle.text
    assert "by weight" not in vault.recall("How does the gull sort mail?", "user:nora").bundle.text
    assert "short answers" in vault.recall("What answers does Nora want?", "user:nora").bundle.text
    assert "short answers" not in vault.recall("What answers does Nora want?", "agent:gull").bundle.text


def hand(vault: Vault, path: str, old: str, new: str) -> str:
    """Edit a page by hand, and take the edit in; the source that it became."""
    page = vault.root / path
    page.write_text(page.read_text().replace(old, new))
    git(vault.root, "commit", "-qam", "by hand")
    compiled(vault)
    return max(each.id for each in vault._opened.ledger.all().values() if each.format == "edit")


def test_what_people_edit_belongs_to_the_project_of_the_page(strict: Vault) -> None:
    page, _ = lab(strict)
    edit = hand(strict, page, "wants the header X-Lab-Tide.", "wants the header X-Lab-Tide and kelp.")
    assert strict._opened.ledger.all()[edit].scope == LAB
    assert "X-Lab-Tide and kelp" in strict.recall("Which header does the api want?", LAB).bundle.text
    assert "X-Lab-Tide and kelp" in strict.show(page, scope=LAB).as_json()["text"]
    assert strict.show(f"{edit}:L1", scope=LAB)
    clean(strict.recall("Which header does the api want?", SHOP).bundle.text)
    for name in (edit, f"{edit}:L1"):
        with pytest.raises(BadCitation) as told:
            strict.show(name, scope=SHOP)
        clean(str(told.value))


def test_edits_of_pages_of_several_projects_are_shown_to_none_of_them(strict: Vault, tmp_path: Path) -> None:
    page, _ = lab(strict)
    ours = next(path for path in (strict.root / "wiki/topics").glob("api*.md") if "X-Shop" in path.read_text())
    ours.write_text(ours.read_text().replace("X-Shop-Gull.", "X-Shop-Gull, always."))
    edit = hand(strict, page, "X-Lab-Tide.", "X-Lab-Tide, always.")
    for scope in (SHOP, LAB):
        with pytest.raises(BadCitation):
            strict.show(f"{edit}:L1", scope=scope)
    clean(strict.recall("Which header does the api want?", SHOP).bundle.text)
    strict.build_site(out=tmp_path / "site", scope=SHOP)
    clean([path.read_text("utf-8", "replace") for path in (tmp_path / "site").rglob("*.html")])


def test_what_a_page_once_told_of_another_project_is_not_in_its_history(strict: Vault) -> None:
    _, source = lab(strict)
    with pytest.raises(NoPage):
        strict.history("ines", scope=SHOP)
    strict.undo(source)
    told = strict.history("ines", scope=SHOP).as_json()
    assert "minds the till" in json.dumps(told)
    clean(told)
    assert "kelp" in json.dumps(strict.history("ines").as_json())


def test_a_sensitive_channel_holds_for_the_packages_of_its_project() -> None:
    told = Sensitive(channels=("project:payroll",))
    assert told.channel({"project": "payroll/packages/tax"})
    assert not told.channel({"project": "payrolls"})
    assert not told.channel({"project": "shop/payroll"})


@pytest.mark.parametrize("isolation", ["prefer", "strict"])
def test_people_and_agents_are_found_first_by_themselves(vault: Vault, tmp_path: Path, isolation: str) -> None:
    toml = vault.root / "wikimem.toml"
    toml.write_text(toml.read_text().replace('# isolation = "prefer"', f'isolation = "{isolation}"'))
    vault = settings(vault, "\n")
    for scope, size in (("agent:gull", "three"), ("user:nora", "five"), (SHOP, "seven")):
        file = tmp_path / f"{size}.jsonl"
        file.write_bytes(session(size, "2026-03-02", f"topic | answers | | Answers have {size} lines at most."))
        assert vault.ingest([file], scope=scope).added[0].scope == scope
    compiled(vault)
    for scope, size, others in (("agent:gull", "three", ("five", "seven")), ("user:nora", "five", ("three", "seven"))):
        told = vault.recall("How many lines do answers have at most?", scope).bundle.text
        assert f"{size} lines" in told
        for other in others:
            assert (f"{other} lines" in told) is (isolation == "prefer")
            assert isolation == "strict" or told.index(f"{size} lines") < told.index(f"{other} lines")
        pages = [path for path in (vault.root / "wiki/topics").glob("answers*.md") if f"\nscope: {scope}\n" in path.read_text()]
        assert len(pages) == 1
        assert f"{size} lines" in brief(open_at(vault.root), scope).text
        assert f"{size} lines" in str(vault.search("lines answers", scope=scope).as_json())


def test_an_index_that_names_every_project_is_shown_to_nobody_in_particular(strict: Vault) -> None:
    desk = Desk(open_at(strict.root), "", "", ())
    clean(desk.browse("", "header|Tide|kelp", "")[0])
    for ask in (desk.page, lambda name: desk.read(name, "", 2000), lambda name: desk.history(name, "")):
        try:
            clean(ask("wiki/topics/index.md"))
        except WikimemError as error:
            clean(str(error))


def test_work_packets_of_another_project_are_neither_given_nor_answered(strict: Vault) -> None:
    tell(
        strict,
        session("five", "2026-03-07", "We call it kelp.", cwd="/home/sam/lab"),
        session("six", "2026-03-08", "We call it gull.", cwd="/home/sam/shop"),
    )
    strict.compile(model="handoff")
    opened = open_at(strict.root)
    ours, theirs = (Desk(opened, scope, cwd, ()) for scope, cwd in ((SHOP, "/home/sam/shop"), (LAB, "/home/sam/lab")))
    told, packet = ours.propose("", "", "")
    clean(told)
    assert "gull" in told
    kept, other = theirs.propose("", "", "")
    assert "kelp" in kept
    assert packet.id != other.id
    with pytest.raises(NoPacket):
        ours.propose(other.id, "{}", "")
    clean(Desk(opened, "", "", ()).propose("", "", "")[0])
