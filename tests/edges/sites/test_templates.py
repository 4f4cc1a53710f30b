"""Templates: a vault's own win, run in a sandbox, and a broken one is told in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikimem.edges.sites.templates import Templates
from wikimem.errors import BadTemplate


def templates(tmp_path: Path, own: str) -> Templates:
    for name in ("own", "shipped"):
        (tmp_path / name).mkdir()
    (tmp_path / "shipped" / "page.html.j2").write_text("shipped {{ told }}")
    (tmp_path / "own" / "page.html.j2").write_text(own)
    return Templates([tmp_path / "own", tmp_path / "shipped"])


def test_a_vaults_own_file_wins_and_everything_is_escaped(tmp_path: Path) -> None:
    made = templates(tmp_path, '<p title="{{ told }}">{{ told }}</p>').render("page.html", {"told": '"><script>'})
    assert made == b'<p title="&#34;&gt;&lt;script&gt;">&#34;&gt;&lt;script&gt;</p>'


@pytest.mark.parametrize(
    "own",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ told.__init__.__globals__ }}",
        "{{ nothing }}",
        "{% for %}",
        "{{ 1 // 0 }}",
        "{% include 'gone' %}",
    ],
)
def test_a_template_that_reaches_out_or_is_broken_is_told(tmp_path: Path, own: str) -> None:
    with pytest.raises(BadTemplate, match=r"site/page\.html\.j2"):
        templates(tmp_path, own).render("page.html", {"told": Templates})


def test_static_files_of_the_vault_win_and_links_are_passed_over(tmp_path: Path) -> None:
    made = templates(tmp_path, "x")
    (tmp_path / "shipped" / "style.css").write_text("shipped")
    (tmp_path / "own" / "style.css").write_text("own")
    (tmp_path / "secret.txt").write_text("s")
    (tmp_path / "own" / "leak.txt").symlink_to(tmp_path / "secret.txt")
    assert made.static() == {"style.css": b"own"}
