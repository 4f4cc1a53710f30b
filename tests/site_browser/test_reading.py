"""The site in a real browser, from the file system: reading, jumping, searching, the page as of a day, the graph, the look."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

PAGES = (
    "index.html",
    "topics/gate-controller.html",
    "topics/ferry-tariff.html",
    "topics/berths.html",
    "topics/العبّارة.html",
    "topics/index.html",
    "sessions/index.html",
    "changes/index.html",
    "scopes/project-saltmarsh.html",
    "graph.html",
)


def spoken(site: Path, words: str = "five retries") -> str:
    """The file of a session that says something."""
    found = next(path for path in sorted(site.glob("sessions/2026/*/*.html")) if words in path.read_text(encoding="utf-8"))
    return found.relative_to(site).as_posix()


def search(page: Any, words: str) -> list[str]:
    """Type words and wait for what is found."""
    page.fill("#find", words)
    page.wait_for_function("words => document.querySelector('.found').dataset.query === words", arg=words)
    return [each.inner_text() for each in page.locator(".found li b").all()]


def test_a_quote_shows_on_hover_and_on_focus_and_escape_shuts_it(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html")
    cite = page.locator(".claim", has_text="after three retries").first.locator(".cite").first
    quote = cite.locator(".quote")
    assert not quote.is_visible()
    cite.locator("a").hover()
    assert quote.is_visible()
    assert "cut the retries of the gate controller to three" in quote.inner_text()
    page.mouse.move(0, 0)
    assert not quote.is_visible()
    cite.locator("a").focus()
    assert quote.is_visible()
    page.keyboard.press("Escape")
    assert not quote.is_visible()


def test_a_citation_leads_to_the_very_turn_and_back(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html")
    page.locator(".claim", has_text="after three retries").first.locator(".cite a").first.click()
    assert page.url.endswith("#L2")
    turn = page.locator(".turn:target")
    assert turn.locator("mark").inner_text() == "cut the retries of the gate controller to three"
    assert turn.evaluate("turn => turn.getBoundingClientRect().top < innerHeight")
    turn.locator(".proves a").first.click()
    assert page.locator(".claim:target").count() == 1


def test_the_page_as_of_a_day_shows_what_held_then(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html")
    page.fill("#asof", "2026-02-01")
    shown = [each.inner_text() for each in page.locator(".claim:visible .text").all()]
    assert shown == [
        "The gate controller is never restarted during boarding.",
        "Nadia owns the gate controller.",
        "The gate controller gives up after five retries.",
    ]
    assert page.locator("form.asof output").inner_text() == "3 of 6 claims held"
    assert page.locator(".claim.held s").first.evaluate("s => getComputedStyle(s).textDecorationLine") == "none"
    assert "as-of=2026-02-01" in page.url
    line = page.locator("svg line.asof")
    assert float(line.get_attribute("x1")) > 100
    page.fill("#asof", "2026-03-02")
    assert "after three retries" in " ".join(each.inner_text() for each in page.locator(".claim:visible .text").all())
    page.click("form.asof button[type=reset]")
    page.wait_for_function("() => document.querySelector('form.asof output').textContent === ''")
    assert page.locator(".claim:visible").count() == 6
    assert "as-of" not in page.url


def test_a_link_to_a_page_as_of_a_day_opens_it_so(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html", "?as-of=2026-02-01")
    assert page.locator(".claim:visible").count() == 3


def test_a_bar_of_the_timeline_leads_to_its_claim(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html")
    assert page.locator("svg rect.bar").count() == 5
    page.locator("svg a", has_text="Nadia").first.click()
    assert "Nadia owns" in page.locator(".claim:target").inner_text()
    box = page.locator("svg rect.bar.ended").first.bounding_box()
    assert box["width"] > 50


def test_the_search_finds_as_you_type_and_opens_with_the_keyboard(watched: Any) -> None:
    page = watched.open("index.html")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    assert search(page, "gate")[0] == "Gate controller"
    found = search(page, "gat contr")
    assert found[0] == "Gate controller"
    assert set(found[1:]) == {"Nadia", "Gates again", "Ticket gates", "Handover"}
    assert search(page, "bicycle")[0] == "Ferry tariff"
    assert search(page, "bicicle")[0] == "Ferry tariff"
    assert search(page, "العبّارة")[0] == "العبّارة"
    assert search(page, "支付网关")[0] == "售票系统"
    assert search(page, "zzzz") == []
    assert "Nothing found" in page.locator("#find-status").inner_text()
    search(page, "turnstile")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("gate-controller"))


def test_a_search_from_a_page_in_a_folder_leads_right(watched: Any, site: Path) -> None:
    page = watched.open(spoken(site))
    search(page, "boarding hall")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("boarding-hall"))
    assert page.locator("h1").inner_text() == "Boarding hall"


def test_hostile_words_in_the_search_are_words(watched: Any) -> None:
    page = watched.open("index.html")
    search(page, "<img src=x onerror=alert(1)>")
    assert page.locator(".found img").count() == 0


def test_the_graph_shows_neighbourhoods_and_filters_with_a_list_beside_it(watched: Any) -> None:
    page = watched.open("graph.html")
    page.wait_for_selector("canvas:visible")
    assert page.locator(".filters output").inner_text().startswith("2 of 7 pages, 1 link")
    page.locator(".list button").first.click()
    assert page.locator(".list h2").inner_text().startswith("Around ")
    page.fill("input[name=name]", "nadia")
    page.locator("input[name=name]").blur()
    assert page.locator(".list li").first.inner_text().startswith("Nadia")
    page.select_option("select[name=kind]", label="topics")
    page.click("button[type=reset]")
    page.wait_for_function("() => document.querySelector('.list h2').textContent === 'Most linked'")
    painted = page.locator("canvas").evaluate(
        "canvas => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size"
    )
    assert painted > 4


def test_folded_calls_open_and_cited_ones_are_open(watched: Any, site: Path) -> None:
    page = watched.open(spoken(site))
    result = page.locator(".turn.result pre").first
    assert not result.is_visible()
    page.locator(".turn.result summary").first.click()
    assert result.inner_text() == "retries = 5"


def test_a_turn_that_is_jumped_to_is_unfolded(watched: Any, site: Path) -> None:
    page = watched.open(spoken(site), "#L5")
    assert page.locator(".turn.result pre").first.is_visible()


def test_light_and_dark_follow_the_system_and_the_button(browser: Any, site: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto((site / "index.html").as_uri())
        seen[scheme] = page.evaluate(ground)
        page.click(".theme")
        seen[f"{scheme}, switched"] = page.evaluate(ground)
        page.reload()
        assert page.evaluate(ground) == seen[f"{scheme}, switched"]
        context.close()
    assert seen["light"] == seen["dark, switched"] != seen["dark"] == seen["light, switched"]


def test_everything_can_be_read_without_a_script(browser: Any, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "topics/gate-controller.html").as_uri())
    assert page.locator(".claim:visible").count() == 6
    assert not page.locator(".find").is_visible()
    assert not page.locator("form.asof").is_visible()
    page.locator(".claim .cite a").first.hover()
    assert page.locator(".quote").first.is_visible()
    page.locator("nav[aria-label=Site] a", has_text="Graph").click()
    assert page.locator(".list li a").count() == 2
    context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_page_is_wider_than_the_window(watched: Any, name: str, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    page = watched.open(name)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_there_are_quotes_and_no_controls(watched: Any) -> None:
    page = watched.open("topics/gate-controller.html")
    page.emulate_media(media="print")
    assert page.locator(".quote").first.is_visible()
    assert not page.locator(".top").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_serious_finding(browser: Any, site: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed: make test-site installs it")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    # The policy of the pages would keep axe itself from running.
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    found = []
    for name in (*PAGES, spoken(site), *(each.relative_to(site).as_posix() for each in sorted(site.glob("changes/*.html"))[:2])):
        page.goto((site / name).as_uri())
        page.evaluate(script)
        told = page.evaluate(
            "async () => (await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})).violations"
        )
        found += [(name, each["impact"], each["id"], each["nodes"][0]["html"][:120]) for each in told]
    context.close()
    assert [each for each in found if each[1] in ("serious", "critical")] == []


@pytest.mark.skipif("WIKIMEM_SHOTS" not in os.environ, reason="WIKIMEM_SHOTS names no folder for pictures")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_pictures_to_look_at(browser: Any, site: Path, scheme: str, width: int) -> None:
    folder = Path(os.environ["WIKIMEM_SHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    for name in (*PAGES, spoken(site)):
        page.goto((site / name).as_uri())
        page.wait_for_timeout(600 if name == "graph.html" else 50)
        page.screenshot(path=str(folder / f"{name.replace('/', '_').removesuffix('.html')}-{width}-{scheme}.png"), full_page=True)
    context.close()
