"""A real browser for the tests of the site; where there is none they are skipped, unless `WIKIMEM_BROWSER=required`.

`WIKIMEM_CHROMIUM` names the browser, else one of the usual names is looked for. `WIKIMEM_SHOTS` names a folder for pictures.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import siting

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def _missing(what: str) -> None:
    if os.environ.get("WIKIMEM_BROWSER") == "required":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed: make test-site installs it")
    path = os.environ.get("WIKIMEM_CHROMIUM") or next((found for name in NAMES if (found := shutil.which(name))), None)
    with sync_playwright() as play:
        path = path or play.chromium.executable_path
        if not Path(path).is_file():
            _missing("no chromium was found: install Debian's, or name one with WIKIMEM_CHROMIUM")
        started = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the story, with a page of a person's own."""
    vault = siting.story(tmp_path_factory.mktemp("browser") / "saltmarsh")
    (vault.root / "wiki/topics/berths.md").write_text(PERSONAL, encoding="utf-8")
    vault.build_site(jobs=1)
    return vault.root / "_site"


PERSONAL = f"""# Berths

{"x" * 400}

| {" | ".join(f"column {at}" for at in range(30))} |
|{"---|" * 30}
| {" | ".join(f"a rather long cell {at}" for at in range(30))} |

```
{"a line of code without an end " * 20}
```
"""


class Watched:
    """A page of the browser whose errors and requests are noted."""

    def __init__(self, page: Any, site: Path) -> None:
        self.page, self.site = page, site
        self.errors: list[str] = []
        self.strays: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith(self.site.as_uri()):
            self.strays.append(url)

    def open(self, name: str, query: str = "") -> Any:
        """Open a page of the site."""
        self.page.goto((self.site / name).as_uri() + query)
        return self.page


@pytest.fixture
def watched(browser: Any, site: Path) -> Iterator[Watched]:
    """A watched page at desktop width; afterwards nothing may have gone wrong or left the folder."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    found = Watched(context.new_page(), site)
    yield found
    context.close()
    assert found.errors == []
    assert found.strays == []
