"""The commands of review and sharing, as somebody types them; the links of requests; the ready workflows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from reviewing import waiting
from syncing import publish
from wikimem import pr
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.faces.reviewing import group

README = Path(__file__).resolve().parents[2] / "README.md"


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize("name", sorted(group.commands))
def test_every_command_of_review_has_help_and_is_in_the_readme(name: str) -> None:
    assert run("review", name, "--help")[0] == 0
    assert f"review {name}" in README.read_text(encoding="utf-8")


def test_a_review_from_list_to_verdict(vault: Vault) -> None:
    waiting(vault)
    place = ("--vault", str(vault.root))
    code, output = run(*place, "review")
    assert (code, output.split()[:2]) == (1, ["1", "high"])
    assert "Payment retries (1 claim): denies what was held for true" in output
    assert "- The queue keeps messages for a week. [retracted]" in output
    code, output = run(*place, "review", "show", "1")
    assert code == 0
    assert "- The queue keeps messages for a week. [retracted]" in output
    assert "    denied by: The queue never kept any messages." in output
    assert "“The queue never kept any messages.”" in output
    (id,) = re.findall(r"(?m)^  \[([a-z2-7]{12})\] denies what was held for true$", output)
    assert run(*place, "review", "show", f"[{id}]") == (code, output)
    assert json.loads(run(*place, "review", "--json")[1])["items"][0]["risk"] == "high"
    assert "1 claim; see `wikimem review`" in run(*place, "status")[1]
    code, output = run(*place, "review", "reject", "7")
    assert (code, "nothing of that name waits" in output) == (2, True)
    code, output = run(*place, "review", "reject", "1", "--reason", "it did")
    assert (code, "rejected: The queue never kept any messages." in output) == (0, True)
    assert run(*place, "review") == (0, "Nothing waits.\n")


def test_pr_tells_what_it_pushed_and_what_is_missing(vault: Vault) -> None:
    waiting(vault)
    code, output = run("--vault", str(vault.root), "pr")
    assert (code, "There is no remote" in output or "there is no remote" in output) == (2, True)
    publish(vault)
    code, output = run("--vault", str(vault.root), "pr")
    assert code == 0
    assert "Pushed memory/project-harbour/2026-07-01 to origin (1 claim)." in output


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (
            "git@github.com:gull/memory.git",
            "https://github.com/gull/memory/compare/main...memory/project-harbour/2026-07-01?expand=1",
        ),
        (
            "https://gitlab.example.org/gulls/sea/memory.git",
            "https://gitlab.example.org/gulls/sea/memory/-/merge_requests/new"
            "?merge_request%5Bsource_branch%5D=memory%2Fproject-harbour%2F2026-07-01&merge_request%5Btarget_branch%5D=main",
        ),
        (
            "ssh://git@bitbucket.org/gull/memory.git",
            "https://bitbucket.org/gull/memory/pull-requests/new?source=memory%2Fproject-harbour%2F2026-07-01&dest=main",
        ),
        ("/srv/git/memory.git", ""),
        ("https://git.example.org/memory.git", ""),
    ],
)
def test_the_address_of_a_request(address: str, link: str) -> None:
    assert pr.link(address, "main", "memory/project-harbour/2026-07-01") == link


def test_share_shows_before_it_does(vault: Vault, tmp_path: Path) -> None:
    waiting(vault)
    assert run("init", "--shared", str(tmp_path / "team"))[0] == 0
    place = ("--vault", str(vault.root), "share", "--project", "harbour", "--to", str(tmp_path / "team"))
    code, output = run(*place)
    assert (code, "Nothing was written; --yes does it." in output) == (0, True)
    assert "+ The harbour gate closes at dusk. (fact)" in output
    code, output = run(*place, "--yes")
    assert (code, "Shared 3 claims" in output) == (0, True)
    code, output = run(*place)
    assert (code, "Nothing is to be shared that is not there already." in output) == (0, True)


@pytest.mark.parametrize(("host", "path"), [("github", ".github/workflows/wikimem.yml"), ("gitlab", ".gitlab-ci.yml")])
def test_a_vault_can_be_made_with_a_ready_workflow(tmp_path: Path, host: str, path: str) -> None:
    assert run("init", "--ci", host, str(tmp_path / "memory"))[0] == 0
    text = (tmp_path / "memory" / path).read_text()
    assert run("ci", host) == (0, text)
    steps = json.dumps(yaml.safe_load(text), default=str)
    for needed in ("wikimem verify --against", "wikimem lint", "wikimem eval own", "wikimem diff"):
        assert needed in steps
    assert '"fetch-depth": 0' in steps or '"GIT_DEPTH": "0"' in steps
