"""The wheel works by itself: built, installed in an empty environment without the checkout, and run there."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from conftest import claude, jsonl

TOP = Path(__file__).resolve().parent.parent


def test_the_wheel_runs_without_the_checkout(tmp_path: Path) -> None:
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    out = subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=TOP, check=True, capture_output=True, text=True)
    wheel = tmp_path / out.stdout.splitlines()[-1]
    venv.create(tmp_path / "env", with_pip=False)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    python = tmp_path / "env" / folder / ("python.exe" if sys.platform == "win32" else "python")
    # What the package depends on is taken from this environment, so that the test needs no network.
    import click

    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "-q", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    (site,) = (tmp_path / "env").rglob("site-packages")
    (site / "dependencies.pth").write_text(str(Path(click.__file__).parent.parent))
    (tmp_path / "s.jsonl").write_bytes(jsonl(claude(1, "user", "Moor at berth 4.")))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*args: str) -> str:
        command = [str(python), "-c", "import wikimem; from wikimem.faces.cli import main; main()", *args]
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = subprocess.run(
        [str(python), "-c", "import wikimem; print(wikimem.__file__)"], env=clean, cwd=tmp_path, capture_output=True, text=True
    )
    assert str(site) in where.stdout
    assert "ingest" in run("--help")
    assert "fetch-depth" in run("ci", "github")
    run("init", "memory")
    assert "Added 1 source" in run("--vault", "memory", "ingest", "s.jsonl")
    assert "1 source" in run("--vault", "memory", "status")
    assert "has only grown" in run("--vault", "memory", "verify")
    assert (tmp_path / "env" / folder / ("wikimem.exe" if sys.platform == "win32" else "wikimem")).exists()
