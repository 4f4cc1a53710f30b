"""The vendored libraries are the files that their list names, with their licences beside them."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[3] / "site/vendor"


def test_every_library_is_the_file_that_the_list_names() -> None:
    told = dict(
        re.findall(r"^\| (\S+\.js) \|.*\| ([0-9a-f]{64}) \|$", (VENDOR / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}
    assert found == told
    assert len(found) == 5
    for name in ("minisearch.LICENSE.txt", "d3.LICENSE.txt"):
        assert "Permission" in (VENDOR / name).read_text(encoding="utf-8")
