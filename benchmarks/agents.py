"""What an agent waits for: hooks, start of the server, answers; and whether a server's memory stays flat.

    python benchmarks/agents.py VAULT --question "…" [--runs 10] [--searches 1000]

Times are of whole processes, milliseconds, least and median by the clock, and the least of the processor; a bare interpreter
stands beside them, because the machine may be busy. The vault is copied nowhere: one session is put into its spool and taken
out again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from wikimem.faces import hooks


def timed(command: list[str] | tuple[str, ...], data: bytes, runs: int, **environ: str) -> tuple[float, float, float, int]:
    """Least and median milliseconds of a command by the clock, the least of the processor, and the bytes it printed."""
    found, spent = [], []
    size = 0
    for _ in range(runs):
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, input=data, capture_output=True, check=True, env={**os.environ, **environ})
        found.append((time.perf_counter() - began) * 1000)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append((now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1000)
        size = len(done.stdout)
    return min(found), statistics.median(found), min(spent), size


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("--question", required=True)
    parser.add_argument("--cwd", default="/home/sam/harbour")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--searches", type=int, default=1000)
    told = parser.parse_args()
    vault = str(told.vault.resolve())

    def show(name: str, command: list[str] | tuple[str, ...], event: object, **environ: str) -> None:
        least, median, spent, size = timed(command, json.dumps(event).encode(), told.runs, **environ)
        print(f"{name:28} {least:8.0f} {median:8.0f} ms  {spent:6.0f} of processor  {size:6} bytes")

    with tempfile.TemporaryDirectory() as folder:
        transcript = Path(folder) / "s.jsonl"
        record = {"type": "user", "uuid": "u", "sessionId": "bench", "cwd": told.cwd, "timestamp": "2026-07-01T09:00:00Z"}
        line = json.dumps({**record, "message": {"role": "user", "content": "Paint the hull."}})
        transcript.write_text(f"{line}\n" * 200)
        event = {"session_id": "bench", "cwd": told.cwd, "transcript_path": str(transcript)}
        show("bare interpreter", [sys.executable, "-c", "pass"], {})
        show("switched off", hooks.command("claude-code", "prompt", vault), event, WIKIMEM_DISABLE="1")
        show("no vault", hooks.command("claude-code", "prompt"), {"cwd": folder}, HOME=folder, XDG_DATA_HOME=folder)
        show("prompt of two words", hooks.command("claude-code", "prompt", vault), {**event, "prompt": "go on"})
        for name in ("start", "turn", "compact", "end"):
            show(name, hooks.command("claude-code", name, vault), event)
        for number in range(2):
            asked = {**event, "session_id": f"bench-{os.getpid()}-{number}", "prompt": told.question}
            show("prompt", hooks.command("claude-code", "prompt", vault), asked)
    print(served(vault, told.question, told.searches))


def served(vault: str, question: str, searches: int) -> str:
    """Start of the server, its first answer, and its memory over many."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "wikimem.faces.mcp", vault]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    client = {"name": "bench", "version": "1"}
    ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    greeted = time.perf_counter() - began
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    ask(2, "tools/list", {})
    listed = time.perf_counter() - began
    call = {"name": "memory_search", "arguments": {"question": question}}
    first = time.perf_counter()
    answer = ask(3, "tools/call", call)
    first = time.perf_counter() - first
    memory = [_resident(process.pid)]
    took = []
    for number in range(searches):
        one = time.perf_counter()
        ask(4 + number, "tools/call", call)
        took.append(time.perf_counter() - one)
        if (number + 1) % max(searches // 10, 1) == 0:
            memory.append(_resident(process.pid))
    process.stdin.close()
    closed = time.perf_counter()
    process.wait()
    text = answer["result"]["content"][0]["text"]
    ended = (time.perf_counter() - closed) * 1000
    median = statistics.median(took) * 1000
    lines = [
        f"server: initialize {greeted * 1000:.0f} ms, tools {listed * 1000:.0f} ms, first search {first * 1000:.0f} ms",
        f"then median {median:.0f} ms a search; ended {ended:.0f} ms after its input",
        f"answer: {len(text)} characters; resident MB: {', '.join(f'{one:.0f}' for one in memory)}",
    ]
    return "\n".join(lines)


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


if __name__ == "__main__":
    main()
