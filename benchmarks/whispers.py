"""Whether sharing shows more than its preview did: a marker in each turn, result, path and branch of 60 sessions. Not a test.

    python benchmarks/whispers.py [--sessions 60]

Two thirds of the sessions belong to the project that is shared, the others to another one. Everything is compiled by `rules`,
looked at, shared, recalled from and built as a site. Then each marker is searched in all files of the shared vault and in all
objects of its git: it may be found only if the preview showed it. Printed: markers planted, shown, found, and found unshown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import wikimem
from wikimem.faces.api import Vault

RULES = (
    "no, from now on always run the tests with TZ=UTC, see {}",
    "never push to main on a Friday, remember that, {}",
    "we use pnpm, not npm, in every package. {}",
    "the staging database listens on port {port}, not 5432. {}",
    "please keep answers short from now on {}",
)
TALK = ("Now look at the next file, {}.", "What does this say about {}?", "Fine, go on with {}.", "Hm, {} looks odd to me.")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        _run(Path(place), given.sessions)


def _run(place: Path, sessions: int) -> None:
    own, team = wikimem.create(place / "own"), wikimem.create(place / "team", shared=True)
    markers: list[str] = []
    for number in range(sessions):
        file = place / "told" / f"{number:03}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(_session(number, markers, "harbour" if number % 3 else "quarry"))
    own.ingest([place / "told"])
    own.ingest(sorted((place / "told").iterdir()))
    own.compile()
    seen = json.dumps(own.share(team.root, project="harbour").as_json(), ensure_ascii=False)
    own.share(team.root, project="harbour", yes=True)
    team.recall("Which port does the staging database use?", "project:harbour")
    team.build_site()
    held = _held(team)
    found = [marker for marker in markers if marker.encode() in held]
    unseen = [marker for marker in found if marker not in seen]
    shown = sum(marker in seen for marker in markers)
    print(f"{len(markers)} markers in {sessions} sessions; the preview shows {shown}, {len(markers) - shown} are private")
    print(f"found in the shared vault: {len(found)}, of these private: {len(unseen)} {unseen[:3]}")


def _session(number: int, markers: list[str], project: str) -> bytes:
    """A session of ten exchanges with one rule in it, each turn and each field with a marker of its own."""

    def mark() -> str:
        markers.append(f"whisper{len(markers):05}kelp")
        return markers[-1]

    lines: list[dict[str, Any]] = []
    for turn in range(10):
        rule = turn == number % 8 + 1
        words = RULES[number % len(RULES)] if rule else TALK[turn % len(TALK)]
        said = words.replace("{port}", str(6000 + number)).replace("{}", mark())
        base = {"sessionId": f"s{number}", "cwd": f"/home/{mark()}/{project}", "gitBranch": mark(), "isSidechain": False}
        stamp = f"2026-03-{number % 27 + 1:02}T09:{turn * 5:02}"
        call = {"type": "tool_use", "id": f"c{turn}", "name": "Bash", "input": {"command": f"make check # {mark()}"}}
        think = {"type": "thinking", "thinking": mark()}
        text = {"type": "text", "text": f"Done, {mark()} is in place."}
        result = [{"type": "tool_result", "tool_use_id": f"c{turn}", "content": f"74 passed {mark()}"}]
        for place, (role, content) in enumerate(
            [("user", said), ("assistant", [think, call]), ("user", result), ("assistant", [text])]
        ):
            message: dict[str, Any] = {"role": role, "content": content}
            message |= {"id": f"m{number}-{turn}-{place}"} if role == "assistant" else {}
            more = {"toolUseResult": {"stdout": mark()}} if place == 2 else {}
            uuid = f"u{number}-{turn}-{place}"
            lines.append(
                {**base, "type": role, "uuid": uuid, "timestamp": f"{stamp}:{place:02}.000Z", "message": message, **more}
            )
            lines[-1]["parentUuid"] = lines[-2]["uuid"] if len(lines) > 1 else None
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _held(vault: Vault) -> bytes:
    """All files of a vault, ignored ones too, and all objects of its git as they were stored."""
    files = b"\n".join(path.read_bytes() for path in sorted(vault.root.rglob("*")) if path.is_file())
    command = ["git", "cat-file", "--batch-all-objects", "--batch"]
    return files + subprocess.run(command, cwd=vault.root, capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
