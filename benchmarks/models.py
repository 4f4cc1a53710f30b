"""What compiling with a paid model costs and how fast it is, by the scripted server of the tests. Not a test of any model's wit.

    python benchmarks/models.py tokens FOLDER     a folder of transcripts: tokens of each session, and what was expected
    python benchmarks/models.py jobs N LATENCY    N sessions at this latency, with one job and with eight
    python benchmarks/models.py interrupts N      interrupted so often at random moments: replies that were given twice

The server answers extraction with up to twenty claims of usual length, each quoting a line of it, and judges every pair.
"""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import wikimem
from wikimem.faces.api import Vault

sys.path[:0] = [str(Path(__file__).parent.parent / "tests")]

from edges.models.server import Server, prompt_of, remembering, tokens  # noqa: E402 - the tests' folder is no package

_SAID = re.compile(r"^\[(?P<at>[^\]]+)\] (?P<who>human|assistant)[^:\n]*(?:\([^\n]*\))?: (?P<words>[^\n]{30,})$", re.MULTILINE)


def noting(prompt: str) -> Any:
    """Claims of usual length, each quoting a line of the session; no two have to do with each other."""
    if 'name="extract"' not in prompt:
        return remembering(prompt)
    data = prompt[prompt.index("<wikimem-data") :].partition("(To read:)")
    found = list(_SAID.finditer(data[2] or data[0]))
    # A claim for every 500 tokens, as the prompt asks for: few of a short session, seldom more than twenty of a long one.
    number = max(1, min(20, len(data[2] or data[0]) // 2000))
    step = max(1, len(found) // number)
    claims = [
        {
            "reason": "it will come up when this is worked on again",
            "type": "topic",
            "subject": " ".join(re.findall(r"[A-Za-z]{4,}", one["words"])[:2]).lower() or "the session",
            "scope": "project",
            "kind": "semantic",
            "stance": "fact" if one["who"] == "human" else "inference",
            "text": one["words"][:110].strip().rstrip(".") + ".",
            "quotes": [{"at": one["at"], "words": one["words"][:90], "speaker": one["who"]}],
        }
        for one in found[::step][:number]
    ]
    return {"episode": {"asked": "what was asked of the assistant", "outcome": "what came of it in the end"}, "claims": claims}


def use(vault: Vault, server: Server) -> Vault:
    """The vault with the server's model."""
    lines = ["[compile]", 'model = "openai/scripted"', f'api_base = "{server.base}"', "price_in = 3.0", "price_out = 15.0"]
    (vault.root / "wikimem.local.toml").write_text("\n".join(lines) + "\n")
    return Vault.open(vault.root)


def measure_tokens(folder: str) -> None:
    """Tokens of each session."""
    with tempfile.TemporaryDirectory() as place, Server(noting) as server:
        vault = wikimem.create(Path(place) / "memory")
        vault.ingest([folder])
        opened = use(vault, server)
        expected = opened.compile(dry_run=True)
        began = time.perf_counter()
        report = opened.compile()
        seconds = time.perf_counter() - began
        for sidecar in expected.pending:
            told = expected.expected[sidecar.id]
            log = subprocess.run(
                [
                    "git",
                    "log",
                    "-1",
                    "--format=%(trailers:key=Tokens,valueonly)%(trailers:key=Claims,valueonly)",
                    f"--grep={sidecar.id}",
                ],
                cwd=vault.root,
                capture_output=True,
                text=True,
                check=True,
            ).stdout.split("\n")
            what = f"{sidecar.id}  {sidecar.raw.bytes / 1e6:.2f} MB"
            print(f"{what}  expected {told.read} in, {told.wrote} out; took {log[0]}  {log[1]}")
        extracts = [prompt_of(body) for body in server.requests if 'name="extract"' in prompt_of(body)]
        read = sum(map(tokens, extracts))
        whole = sum(one.read for one in expected.expected.values())
        print(f"extraction: {len(extracts)} calls, {read} tokens in, expected {whole} ({whole / read - 1:+.1%})")
        print(f"pairs: {len(server.requests) - len(extracts)} calls, {server.read - read} tokens in")
        print(f"all: {report.spent}  {seconds:.1f} s")


def session(number: int) -> bytes:
    """A session of one exchange."""
    words = f"remember subject {number}: The statement number {number} of the harbour holds since the crane was moved."
    record = {
        "type": "user",
        "uuid": f"u-{number}",
        "parentUuid": None,
        "sessionId": f"sess-{number}",
        "cwd": "/home/sam/harbour",
        "timestamp": f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T09:00:00.000Z",
        "message": {"role": "user", "content": words},
    }
    return json.dumps(record).encode() + b"\n"


def many(place: str, number: int) -> Vault:
    """A vault of so many sessions."""
    told = Path(place) / "told"
    told.mkdir()
    for each in range(number):
        (told / f"{each}.jsonl").write_bytes(session(each))
    vault = wikimem.create(Path(place) / "memory")
    vault.ingest(sorted(told.iterdir()))
    return vault


def measure_jobs(number: int, latency: float) -> None:
    """How much faster eight jobs are than one."""
    took, trees = [], []
    for jobs in (8, 1):
        with tempfile.TemporaryDirectory() as place, Server(remembering, latency=latency) as server:
            opened = use(many(place, number), server)
            began = time.perf_counter()
            report = opened.compile(jobs=jobs)
            took.append(time.perf_counter() - began)
            command = ["git", "rev-parse", "HEAD:wiki"]
            trees.append(subprocess.run(command, cwd=opened.root, capture_output=True, check=True).stdout)
            done = sum(not one.reason for one in report.outcomes)
            print(f"{jobs} jobs: {done} of {number} sessions, {len(server.requests)} calls, {took[-1]:.1f} s", flush=True)
    print(f"{took[1] / took[0]:.1f} times faster; the same bytes: {trees[0] == trees[1]}")


RUN = "import sys, wikimem; wikimem.open(sys.argv[1]).compile(jobs=4)"


def measure_interrupts(number: int) -> None:
    """How many replies were given twice."""
    for kill in (signal.SIGINT, signal.SIGKILL):
        with tempfile.TemporaryDirectory() as place, Server(remembering, latency=0.3) as server:
            vault = use(many(place, 12 * number), server)
            for _ in range(number):
                run = subprocess.Popen([sys.executable, "-W", "ignore", "-c", RUN, str(vault.root)], stderr=subprocess.DEVNULL)
                before = len(server.requests)
                while run.poll() is None and len(server.requests) == before:
                    time.sleep(0.01)
                time.sleep(random.random())
                run.send_signal(kill)
                run.wait()
            vault.compile(jobs=8)
            twice = sum(count - 1 for count in server.given.values())
            print(
                f"{kill.name}: {sum(server.given.values())} replies, {twice} twice; pending {vault.status().pending}", flush=True
            )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["tokens", folder]:
            measure_tokens(folder)
        case ["jobs", number, latency]:
            measure_jobs(int(number), float(latency))
        case ["interrupts", number]:
            measure_interrupts(int(number))
        case _:
            sys.exit(__doc__)
