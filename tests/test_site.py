"""The site of a vault: what each page shows, twice the same bytes, only what changed, nothing of others, nothing that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

import siting
from harmless import Page, wrong
from siting import claim, files, says, session
from wikimem.errors import BadAddress, BadTemplate, NotASite
from wikimem.faces.api import Vault
from wikimem.publishing import gathering

PAYLOADS = (Path(__file__).parent / "cases" / "payloads.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The vault of the story with its site, read only."""
    vault = siting.story(tmp_path_factory.mktemp("story") / "saltmarsh")
    vault.build_site(jobs=1)
    return vault.root


@pytest.fixture
def own(story: Path, tmp_path: Path) -> Vault:
    """A copy of the story to change."""
    shutil.copytree(story, tmp_path / "saltmarsh", symlinks=True)
    shutil.rmtree(tmp_path / "saltmarsh" / "_site")
    for book in (tmp_path / "saltmarsh" / ".wikimem").glob("site-*"):
        book.unlink()
    return Vault.open(tmp_path / "saltmarsh")


def page(root: Path, name: str) -> Page:
    return Page((root / "_site" / name).read_text(encoding="utf-8"))


def html(root: Path) -> Iterator[tuple[str, Page]]:
    for name, data in files(root / "_site").items():
        if name.endswith(".html"):
            yield name, Page(data.decode())


def source(root: Path, title: str) -> str:
    found = next(
        path for path in (root / "wiki/sessions").rglob("*.md") if f"title: {title}\n" in path.read_text(encoding="utf-8")
    )
    return found.stem


# What the pages show


def test_a_claim_shows_stance_dates_proof_and_attribute(story: Path) -> None:
    shown = " ".join(page(story, "topics/gate-controller.html").text.split())
    assert "Omar owns the gate controller. fact since 2026-05-04 owner human 2026-05-04" in shown
    assert "The turnstile firmware probably drops the first message. inference 0.4 assistant 2026-03-02" in shown
    assert "fact until 2026-05-04 owner superseded by Omar owns the gate controller. human 2026-01-12" in shown


def test_a_citation_leads_to_the_very_turn_where_the_words_are_marked(story: Path) -> None:
    here = page(story, "topics/gate-controller.html")
    spoken = source(story, "Ticket gates")
    link = next(href for href in here.links if spoken in href and href.endswith("#L2"))
    name, _, fragment = link.partition("#")
    target = (story / "_site/topics" / name).resolve()
    told = target.read_text(encoding="utf-8")
    assert fragment in Page(told).ids
    assert "The gate controller <mark>gives up after five retries</mark>, that is" in told
    assert "../../../topics/gate-controller.html#c-" in told


def test_a_quote_is_described_for_readers_of_every_kind(story: Path) -> None:
    here = page(story, "topics/gate-controller.html")
    cites = [
        attributes["aria-describedby"] for tag, attributes in here.elements if tag == "a" and "aria-describedby" in attributes
    ]
    assert len(cites) == 7
    tips = {attributes["id"] for tag, attributes in here.elements if attributes.get("role") == "tooltip"}
    assert set(cites) == tips


def test_the_stretches_of_a_claim_are_half_open(story: Path) -> None:
    here = page(story, "topics/gate-controller.html")
    spans = [attributes["data-spans"].split() for tag, attributes in here.elements if "data-spans" in attributes]
    assert ["2026-05-04/"] in spans
    assert ["2026-01-12/2026-05-04"] in spans
    assert ["2026-01-12/2026-03-02"] in spans


def test_the_timeline_draws_a_row_an_attribute(story: Path) -> None:
    here = page(story, "topics/gate-controller.html")
    rows = [at for at, (tag, attributes) in enumerate(here.elements) if tag == "text" and attributes.get("class") == "row"]
    assert len(rows) == 3
    bars = [attributes for tag, attributes in here.elements if tag == "rect"]
    assert sorted(bar["class"] for bar in bars) == ["bar ended", "bar ended", "bar open", "bar open", "bar open"]


def test_a_name_in_a_claim_leads_to_its_page_and_back(story: Path) -> None:
    assert "../people/nadia.html" in page(story, "topics/gate-controller.html").links
    assert "../topics/gate-controller.html" in page(story, "people/nadia.html").links
    assert "Named by" in page(story, "people/nadia.html").text


def test_a_conflict_is_shown_at_both_claims_and_at_home(story: Path) -> None:
    here = page(story, "topics/ferry-tariff.html")
    assert here.text.count("in conflict with") == 2
    assert "nobody has said which one holds" in here.text
    home = page(story, "index.html").text
    assert home.index("In conflict") < home.index("A bicycle costs three crowns.")


def test_home_tells_what_is_new_what_ended_and_what_people_repeat(story: Path) -> None:
    home = page(story, "index.html")
    told = " ".join(home.text.split())
    assert "2× The gate controller is never restarted during boarding." in told
    assert "The gate controller gives up after five retries. → The gate controller gives up after three retries." in told
    assert "saltmarsh 6 · 4" in told
    assert "topics/index.html" in home.links


def test_a_session_folds_calls_and_names_what_came_of_it(story: Path) -> None:
    spoken = page(story, f"sessions/2026/01/{source(story, 'Ticket gates')}.html")
    assert "4 claims came from this session" in spoken.text
    assert [attributes for tag, attributes in spoken.elements if tag == "details"] == [{"class": "yield", "open": ""}, {}, {}]
    assert "grep -n retries gates.toml" in spoken.text
    assert ("table", {}) in spoken.elements


def test_a_page_tells_how_it_changed_with_a_page_for_each_commit(story: Path) -> None:
    here = page(story, "topics/gate-controller.html")
    commits = [href for href in here.links if href.startswith("../changes/") and "index" not in href]
    assert len(commits) == 3
    last = page(story, commits[0].removeprefix("../"))
    told = " ".join(last.text.split())
    assert (
        "corrected The gate controller gives up after five retries. → The gate controller gives up after three retries." in told
    )
    assert "“" not in told  # quotation marks are the style's
    assert "cut the retries of the gate controller to three" in told
    assert f"../sessions/2026/01/{source(story, 'Ticket gates')}.html" in last.links


def test_the_feed_is_atom_and_has_an_entry_a_commit(story: Path) -> None:
    feed = ElementTree.fromstring((story / "_site/feed.xml").read_bytes())
    space = "{http://www.w3.org/2005/Atom}"
    assert feed.tag == f"{space}feed"
    entries = feed.findall(f"{space}entry")
    assert len(entries) == 4
    assert all((story / "_site" / entry.find(f"{space}link").attrib["href"]).is_file() for entry in entries)  # type: ignore[union-attr]
    ids = [entry.findtext(f"{space}id") for entry in entries]
    assert len(set(ids)) == 4


def test_machines_get_markdown_json_and_a_list(story: Path) -> None:
    site = story / "_site"
    told = json.loads((site / "topics/gate-controller.json").read_bytes())
    limit = next(one for one in told["claims"] if one["text"] == "The gate controller gives up after five retries.")
    assert limit["holds"] == [{"from": "2026-01-12", "to": "2026-03-02"}]
    assert (limit["attribute"], limit["why"], limit["ended"]) == ("retry-limit", "superseded", True)
    assert limit["evidence"][0]["citation"] == f"{source(story, 'Ticket gates')}:L2"
    twin = (site / "topics/gate-controller.md").read_text(encoding="utf-8")
    assert f"(../sessions/2026/01/{source(story, 'Ticket gates')}.html#L2)" in twin
    assert "sources/" not in twin
    assert "- [Gate controller](topics/gate-controller.md): The gate controller gives up after three retries." in (
        site / "llms.txt"
    ).read_text(encoding="utf-8")
    full = (site / "llms-full.txt").read_text(encoding="utf-8")
    assert twin in full
    assert full.count("<!-- ") == 6


def test_the_markdown_is_a_bundle_of_the_open_knowledge_format(story: Path) -> None:
    site = story / "_site"
    assert (site / "index.md").read_text(encoding="utf-8").startswith('---\nokf_version: "0.2"\n---\n')
    for name, data in files(site).items():
        if name.endswith(".md") and name.rsplit("/", 1)[-1] not in ("index.md", "log.md"):
            head = data.decode().split("---\n")[1]
            assert re.search(r"^type: \w+$", head, re.MULTILINE), name
    assert re.match(r"# Log\n\n## \d{4}-\d\d-\d\d: ", (site / "log.md").read_text(encoding="utf-8"))


def test_right_to_left_and_dense_scripts_have_pages_and_words(story: Path) -> None:
    assert "售票系统使用支付网关" in page(story, "topics/售票系统.html").text
    arabic = page(story, "topics/العبّارة.html")
    assert {"dir": "auto"} in [attributes for tag, attributes in arabic.elements if tag == "h1"]


# Every page of it


def test_every_link_leads_somewhere_inside_and_every_id_is_one(story: Path) -> None:
    site = story / "_site"
    ids = {name: each.ids for name, each in html(story)}
    broken = []
    for name, each in html(story):
        assert len(set(each.ids)) == len(each.ids), name
        for href in each.links:
            parts = urlsplit(href)
            if parts.scheme:
                continue
            target = os.path.normpath(Path(name).parent / unquote(parts.path)) if parts.path else name
            if not (site / target).is_file() or (
                parts.fragment and unquote(parts.fragment) not in (*ids.get(target, ()), "pages")
            ):
                broken.append((name, href))
    assert broken == []


def test_every_page_has_a_strict_policy_and_one_heading(story: Path) -> None:
    for name, each in html(story):
        policy = next(
            attributes["content"]
            for tag, attributes in each.elements
            if attributes.get("http-equiv") == "Content-Security-Policy"
        )
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert [tag for tag, _ in each.elements].count("h1") == 1, name
        assert all(attributes.get("src", "x") for tag, attributes in each.elements if tag == "script")


def test_nothing_on_any_page_asks_the_world_for_anything(story: Path) -> None:
    for name, each in html(story):
        assert wrong(each, frozenset({"script", "form"})) == [], name
    for name in ("style.css", "site.js", "graph.js"):
        told = (story / "_site/assets" / name).read_text(encoding="utf-8")
        assert not re.search(
            r"https?:|\bfetch\(|XMLHttp|innerHTML|insertAdjacentHTML|document\.write|eval\(|@import|url\(", told
        ), name


# Building again


def test_twice_gives_the_same_bytes_and_writes_nothing(own: Vault) -> None:
    first = own.build_site(jobs=1)
    before = files(own.root / "_site")
    again = own.build_site(jobs=1)
    assert (first.pages, first.sessions, first.commits) == (6, 4, 4)
    assert (again.written, again.removed) == (0, 0)
    assert files(own.root / "_site") == before
    elsewhere = own.build_site(out=own.root / "other", jobs=2)
    assert elsewhere.written == first.written
    assert files(own.root / "other") == before


NEWS = session("Night watch", "2026-06-03", says("The gate controller gives up after nine retries since today, said Omar."))
MORE = {
    "Night watch": (
        claim(
            "gate controller",
            "The gate controller gives up after nine retries.",
            "gives up after nine retries",
            attribute="retry-limit",
        ),
        claim("night watch", "The night watch reports to Omar.", "said Omar"),
    )
}


def test_after_one_session_only_what_changed_is_written_and_it_is_what_a_fresh_build_gives(own: Vault) -> None:
    own.build_site(jobs=1)
    before = files(own.root / "_site")
    vault = siting.more(own, [NEWS], MORE)
    built = vault.build_site(jobs=1)
    after = files(vault.root / "_site")
    vault.build_site(out=vault.root / "fresh", jobs=1)
    assert after == files(vault.root / "fresh")
    changed = {name for name in after if after[name] != before.get(name)} - {".wikimem-site"}
    assert built.written == len(changed)
    assert "topics/gate-controller.html" in changed
    assert not {name for name in changed if "ferry-tariff" in name or "Handover" in name}
    assert before["topics/boarding-hall.html"] == after["topics/boarding-hall.html"]


def test_files_that_are_written_again_as_they_were_change_nothing_and_are_not_parsed(own: Vault) -> None:
    """A checkout of another branch and back gives every file another time."""
    own.build_site(jobs=1)
    before = files(own.root / "_site")
    for path in (own.root / "wiki").rglob("*.*"):
        path.write_bytes(path.read_bytes()) if path.is_file() else None
    again = own.build_site(jobs=1)
    assert (again.written, again.removed) == (0, 0)
    assert files(own.root / "_site") == before
    path = own.root / "wiki/topics/ferry-tariff.md"
    digest = blake2b(path.read_bytes(), digest_size=12).hexdigest()
    assert gathering.look((own.root, "topics/ferry-tariff.md", digest)) == (
        "topics/ferry-tariff.md",
        {"digest": digest, "kind": "page"},
        None,
    )
    path.write_text(path.read_text().replace("tariff", "charge"))
    own.build_site(jobs=1)
    own.build_site(out=own.root / "fresh", jobs=1)
    assert files(own.root / "_site") == files(own.root / "fresh") != before


def test_a_page_that_is_no_more_disappears_with_its_twins_and_from_the_search(own: Vault) -> None:
    own.build_site(jobs=1)
    (own.root / "wiki/topics/ferry-tariff.md").unlink()
    built = own.build_site(jobs=1)
    assert built.removed >= 3
    left = files(own.root / "_site")
    assert not [name for name in left if name.startswith("topics/ferry-tariff")]
    assert not [name for name, data in left.items() if name.startswith("data/") and b"ferry-tariff" in data]
    own.build_site(out=own.root / "fresh", jobs=1)
    assert left == files(own.root / "fresh")


def test_what_a_person_writes_shows_at_once(own: Vault) -> None:
    own.build_site(jobs=1)
    path = own.root / "wiki/topics/ferry-tariff.md"
    told = path.read_text(encoding="utf-8")
    path.write_text(
        f"{told}\n## Notes\n\nAsk **the harbour office**, see [the gates](gate-controller.md) or [a](javascript:alert(1)).\n",
        encoding="utf-8",
    )
    own.build_site(jobs=1)
    shown = page(own.root, "topics/ferry-tariff.html")
    assert "the harbour office" in shown.text
    assert ("strong", {}) in shown.elements
    assert wrong(shown, frozenset({"script", "form"})) == []


def test_a_page_that_people_made_alone_is_shown(own: Vault) -> None:
    (own.root / "wiki/topics/berths.md").write_text(
        "# Berths\n\nBerth 4 is ours.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8"
    )
    own.build_site(jobs=1)
    shown = page(own.root, "topics/berths.html")
    assert "Berth 4 is ours." in shown.text
    assert (own.root / "_site/topics/berths.md").read_text(encoding="utf-8").startswith("---\ntype: topic\n---\n")


def test_a_page_that_only_leads_to_others_shows_them_where_it_is_read(own: Vault) -> None:
    made = {path.stem for path in (own.root / "wiki" / "syntheses").glob("*.md")}
    own.consolidate(only="maps")
    (name, *_) = sorted({path.stem for path in (own.root / "wiki" / "syntheses").glob("*.md")} - made - {"index"})
    own.build_site()
    text = (own.root / "_site" / "syntheses" / f"{name}.html").read_text()
    main, _, aside = text.partition('<aside class="around">')
    assert "<h2>Related</h2>" in main
    assert "<h2>Related</h2>" not in aside


def test_a_site_can_be_lost_and_its_book_too(own: Vault) -> None:
    own.build_site(jobs=1)
    before = files(own.root / "_site")
    (own.root / "_site/topics/ferry-tariff.html").write_text("broken")
    (own.root / "_site/assets/style.css").unlink()
    own.build_site(jobs=1)
    assert files(own.root / "_site") == before
    for book in (own.root / ".wikimem").glob("site-*"):
        book.unlink()
    own.build_site(jobs=1)
    assert files(own.root / "_site") == before
    shutil.rmtree(own.root / "_site")
    own.build_site(jobs=1)
    assert files(own.root / "_site") == before


def test_a_vaults_own_style_and_template_win(own: Vault) -> None:
    (own.root / "site").mkdir()
    (own.root / "site/style.css").write_text("body { color: navy }")
    (own.root / "site/sessions.html.j2").write_text("{% extends 'base.html.j2' %}{% block main %}<h1>Log book</h1>{% endblock %}")
    own.build_site(jobs=1)
    assert (own.root / "_site/assets/style.css").read_text() == "body { color: navy }"
    assert "Log book" in page(own.root, "sessions/index.html").text
    assert "Gate controller" in page(own.root, "topics/gate-controller.html").text
    (own.root / "site/sessions.html.j2").write_text("{{ ''.__class__.__mro__[1].__subclasses__() }}")
    with pytest.raises(BadTemplate, match=r"sessions\.html\.j2"):
        own.build_site(jobs=1)


# Addresses and folders


def test_the_base_is_used_where_an_address_must_be_whole(own: Vault) -> None:
    own.build_site("https://example.org/memory", jobs=1)
    assert "](https://example.org/memory/topics/gate-controller.md)" in (own.root / "_site/llms.txt").read_text(encoding="utf-8")
    assert b'href="https://example.org/memory/feed.xml"' in (own.root / "_site/feed.xml").read_bytes()
    assert b"example.org" not in (own.root / "_site/topics/gate-controller.html").read_bytes()


@pytest.mark.parametrize(
    "told", ["javascript:alert(1)", "example.org", "https://", "ftp://example.org/", "https://example.org/?q"]
)
def test_what_is_no_address_is_told(own: Vault, told: str) -> None:
    with pytest.raises(BadAddress, match="is no address of a site"):
        own.build_site(told)


def test_a_folder_with_other_things_in_it_is_left_alone(own: Vault, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.txt").write_text("mine")
    with pytest.raises(NotASite, match="thesis"):
        own.build_site(out=tmp_path / "thesis")


def test_an_empty_vault_has_a_site(vault: Vault) -> None:
    built = vault.build_site(jobs=1)
    assert (built.pages, built.sessions, built.commits) == (0, 0, 0)
    assert "Nothing is compiled yet" in page(vault.root, "index.html").text


# What belongs to others

HARBOUR = session(
    "Harbour talk", "2026-02-01", says("The beacon lamp is called Wolfram inside the harbour."), cwd="/home/sam/harbour"
)
QUARRY = session(
    "Quarry talk",
    "2026-02-02",
    says("Wolfram is the blasting plan of the quarry, and Zirkon is its backup."),
    cwd="/home/sam/quarry",
)
SCOPED = {
    "Harbour talk": (claim("wolfram lamp", "The beacon lamp is called Wolfram.", "called Wolfram"),),
    "Quarry talk": (
        claim("zirkon plan", "Zirkon is the backup of the wolfram lamp plan.", "Zirkon is its backup"),
        claim("wolfram plan", "Wolfram is the blasting plan.", "Wolfram is the blasting plan"),
    ),
}


def test_the_site_of_one_scope_holds_no_word_of_another(tmp_path: Path) -> None:
    vault = siting.make(tmp_path / "both", [HARBOUR, QUARRY], SCOPED)
    vault.build_site(scope="project:harbour", jobs=1)
    words = b"\n".join(
        data + name.encode() for name, data in files(vault.root / "_site").items() if not name.startswith("assets/")
    )
    assert b"Wolfram" in words
    for word in (b"uarry", b"irkon", b"lasting"):
        assert word not in words
    vault.build_site(jobs=1)
    assert (vault.root / "_site/topics/zirkon-plan.html").is_file()


def test_under_strict_isolation_no_page_names_a_page_of_another_scope(tmp_path: Path) -> None:
    settings = '[vault]\nkind = "private"\nisolation = "strict"\n'
    vault = siting.make(tmp_path / "both", [HARBOUR, QUARRY], SCOPED, settings=settings)
    lamp = vault.root / "wiki/topics/wolfram-lamp.md"
    lamp.write_text(
        lamp.read_text(encoding="utf-8") + "\n## Related\n\n- [Zirkon plan](../topics/zirkon-plan.md)\n", encoding="utf-8"
    )
    vault.build_site(jobs=1)
    for name in ("wolfram-lamp.html", "wolfram-lamp.json"):
        assert "irkon" not in (vault.root / "_site/topics" / name).read_text(encoding="utf-8")
    assert "wolfram-lamp" not in (vault.root / "_site/topics/zirkon-plan.html").read_text(encoding="utf-8")


def test_links_in_the_vault_lead_nowhere(own: Vault, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nthe word is halyard\n")
    (own.root / "wiki/topics/leak.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/more.md").write_text("# More\n\nhalyard\n")
    (own.root / "wiki/gotchas").symlink_to(tmp_path / "folder")
    own.build_site(jobs=1)
    assert not [name for name, data in files(own.root / "_site").items() if b"halyard" in data]


# Hostile transcripts


def test_no_payload_runs_from_any_field_that_can_reach_the_site(tmp_path: Path) -> None:
    bare = [payload for payload in PAYLOADS if payload.strip()]
    turns = []
    for at, payload in enumerate(bare):
        kinds = ({"name": payload}, {"about": payload, "mark": "answer"}, {})
        turns.append(says(f"Mind this, the log says {payload} and more.", **kinds[at % 3]))
        turns.append(says(f"**Seen** {payload}\n\n{payload}", "assistant", name=payload if at % 2 else ""))
        if at % 5 == 0:
            turns.append(says(json.dumps({"command": payload}), "tool", name=payload, form="call", call=f"c{at}"))
            turns.append(says(payload, "tool", name=payload, form="result", call=f"c{at}", error=True))
    hostile = session("hostile", "2026-04-01", *turns, title=bare[0], cwd=f"/home/x/{bare[0]}")
    told = [
        claim(
            f"Thing {at} {payload}"[:70],
            f"The log of thing {at} says {payload} there."[:300],
            f"the log says {payload} and",
            attribute="convention",
        )
        for at, payload in enumerate(bare)
        if "[masked" not in payload
    ]
    vault = siting.make(tmp_path / "<b>hostile", [hostile], {" ".join(bare[0].split()): told})
    target = next(iter(sorted((vault.root / "wiki/topics").glob("thing*.md"))))
    extra = "\n\n".join(bare)
    target.write_text(f"{target.read_text(encoding='utf-8')}\n## {bare[0]}\n\n{extra}\n", encoding="utf-8")
    for at, payload in enumerate(bare[:20]):
        keys = ("title", "type", "scope", "status", "summary")
        head = "".join(f"{key}: {json.dumps(payload)}\n" for key in keys) + f"aliases: [{json.dumps(payload)}]\n"
        (vault.root / f"wiki/topics/forged-{at}.md").write_text(f"---\n{head}---\n\n# x\n\n{payload}\n", encoding="utf-8")
    with_git(vault.root, bare[0])
    built = vault.build_site(jobs=1)
    assert built.pages > 100
    for name, each in html(vault.root):
        assert wrong(each, frozenset({"script", "form"})) == [], name
        scripts = [attributes for tag, attributes in each.elements if tag == "script"]
        assert all(re.fullmatch(r"(?:\.\./)*assets/[\w.-]+\.js", attributes["src"]) for attributes in scripts)
        assert not [tag for tag, _ in each.elements if tag in ("img", "image", "video", "audio", "math", "isindex")], name
    ElementTree.fromstring((vault.root / "_site/feed.xml").read_bytes())
    spoken = next(each for name, each in html(vault.root) if name.startswith("sessions/2026"))
    assert "<script>alert(1)</script>" in spoken.text


def with_git(root: Path, message: str) -> None:
    """Commit everything under a hostile subject."""
    import subprocess

    for args in (["add", "-A", "wiki"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", message]):
        subprocess.run(["git", *args], cwd=root, check=True)


def test_the_words_of_data_files_are_data(story: Path) -> None:
    for name, data in files(story / "_site").items():
        if name.startswith("data/"):
            assert re.fullmatch(rb"wikimem\.take\(.*\)\n", data), name
            json.loads(b"[" + data[len(b"wikimem.take(") : -2] + b"]")
