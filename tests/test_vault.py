"""Vaults: made, found in the documented order, and settings that say what is wrong with them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import wikimem
from wikimem import vault as vaults
from wikimem.errors import BadSettings, NotAVault, NoVault, UsageError
from wikimem.faces.api import Vault
from wikimem.init import init


def test_a_new_vault_is_a_clean_repository_of_its_own(vault: Vault) -> None:
    status = subprocess.run(["git", "status", "--porcelain"], cwd=vault.root, capture_output=True, text=True, check=True)
    assert status.stdout == ""
    assert "sources/** -text" in (vault.root / ".gitattributes").read_text()
    assert vault.status().sources == 0
    assert vault.verify().problems == ()


def test_a_folder_in_use_is_not_taken(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="already"):
        wikimem.create(vault.root)
    (tmp_path / "used" / "wiki").mkdir(parents=True)
    with pytest.raises(UsageError, match="wiki"):
        wikimem.create(tmp_path / "used")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        wikimem.create(tmp_path / "file")


def code_repository(path: Path) -> Path:
    path.mkdir()
    (path / "main.py").write_text("print()\n")
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "code"]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", *command], cwd=path, check=True)
    return path


def out(path: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=path, capture_output=True, text=True, check=True).stdout.strip()


def test_inside_a_code_repository_the_vault_has_its_own_branch(tmp_path: Path) -> None:
    code = code_repository(tmp_path / "code")
    before = out(code, "rev-parse", "HEAD")
    init(code / "memory")
    assert (out(code, "rev-parse", "HEAD"), out(code, "status", "--porcelain")) == (before, "")
    assert out(code / "memory", "symbolic-ref", "--short", "HEAD") == "wikimem"
    assert Vault.open(code / "memory").verify().problems == ()


def test_a_second_vault_in_one_repository_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    code = code_repository(tmp_path / "code")
    init(code / "memory")
    with pytest.raises(UsageError, match="has a vault already, in"):
        init(code / "other")
    assert not (code / "other").exists()
    shutil.rmtree(code / "memory")
    out(code, "worktree", "prune")
    init(code / "other")
    assert out(code / "other", "symbolic-ref", "--short", "HEAD") == "wikimem"


def test_a_vault_holds_no_other(vault: Vault) -> None:
    with pytest.raises(UsageError, match="a vault holds no other"):
        init(vault.root / "deep" / "sub")
    assert not (vault.root / "deep").exists()


def test_with_here_the_vault_commits_to_the_repository_it_is_in(tmp_path: Path) -> None:
    code = code_repository(tmp_path / "code")
    init(code / "memory", here=True)
    assert out(code, "ls-files", "memory").splitlines() == ["memory/.gitattributes", "memory/.gitignore", "memory/wikimem.toml"]


def test_the_order_of_looking(vault: Vault, tmp_path: Path) -> None:
    other = wikimem.create(tmp_path / "other").root
    below = vault.root / "sources" / "2026"
    below.mkdir(parents=True)
    assert vaults.find(None, below, {}) == vault.root
    assert vaults.find(None, below, {"WIKIMEM_VAULT": str(other)}) == other
    assert vaults.find(str(vault.root), below, {"WIKIMEM_VAULT": str(other)}) == vault.root
    with pytest.raises(NotAVault):
        vaults.find(str(tmp_path), below, {})
    with pytest.raises(NoVault, match="wikimem init"):
        vaults.find(None, tmp_path, {})
    default = vaults.default_place()
    wikimem.create(default)
    assert vaults.find(None, tmp_path, {}) == default


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[vault\n", "valid TOML"),
        ('[vault]\nkind = "secret"\n', "private or shared"),
        ('[vault]\ncolour = "red"\n', "vault.colour is no setting"),
        ('[paint]\ncolour = "red"\n', "is no section"),
        ("[git]\nsign_seconds = -1\n", "must be a number"),
    ],
)
def test_bad_settings_name_the_file_and_the_key(vault: Vault, text: str, why: str) -> None:
    (vault.root / "wikimem.local.toml").write_text(text)
    with pytest.raises(BadSettings, match=why):
        Vault.open(vault.root)


def test_local_settings_win(vault: Vault) -> None:
    (vault.root / "wikimem.local.toml").write_text('[git]\nsign = "never"\n[vault]\nkind = "shared"\n')
    settings = vaults.open_at(vault.root).settings
    assert (settings.sign, settings.kind) == ("never", "shared")


def test_formats_that_settings_describe(tmp_path: Path) -> None:
    root = init(tmp_path / "memory", False).root
    with (root / "wikimem.toml").open("a") as file:
        file.write('\n[format.desk]\ntext = "body"\n')
    assert [format.name for format in vaults.open_at(root).settings.formats] == ["desk"]
    with (root / "wikimem.toml").open("a") as file:
        file.write('\n[format.note]\ntext = "body"\n')
    with pytest.raises(BadSettings, match="is the name of a format that wikimem has"):
        vaults.open_at(root)


def test_what_is_fetched_and_run_is_named_on_this_machine_alone(vault: Vault) -> None:
    (vault.root / "wikimem.toml").write_text('[recall]\ndense = "somebody/model"\n')
    with pytest.raises(BadSettings, match=r"recall\.dense is of one machine; it can only stand in wikimem\.local\.toml"):
        vaults.open_at(vault.root)
    (vault.root / "wikimem.toml").write_text("")
    (vault.root / "wikimem.local.toml").write_text('[recall]\ndense = "somebody/model"\n')
    assert vaults.open_at(vault.root).settings.dense == "somebody/model"
