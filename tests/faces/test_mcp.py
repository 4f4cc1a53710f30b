"""The MCP server: in memory with the SDK's client, and over stdio as a client runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.types import CallToolResult, TextContent

from dictated import session, tell
from wikimem import background
from wikimem.faces.api import Vault
from wikimem.faces.mcp.server import build
from wikimem.vault import open_at

RULE = "No, we always deploy the ferry service from the blue lane, never from the green one."
TOOLS = {"memory_search", "memory_read", "memory_browse", "memory_history", "memory_note", "memory_propose"}


@pytest.fixture
def told(vault: Vault) -> Vault:
    tell(vault, session("one", "2026-03-02", RULE, ("assistant", "Understood.")))
    vault.compile()
    background.work(open_at(vault.root))
    return vault


def asked(vault: Vault | None, do: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(build(str(vault.root) if vault else None)) as client:
            return await do(client)

    return anyio.run(run)


def call(vault: Vault | None, tool: str, /, **arguments: object) -> CallToolResult:
    result = asked(vault, lambda client: client.call_tool(tool, arguments))
    assert isinstance(result, CallToolResult)
    return result


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def test_tools_say_what_they_are_and_when_to_use_them(told: Vault) -> None:
    tools = asked(told, lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert 100 < len(tool.description) < 2048
        assert tool.output_schema
        assert tool.annotations.read_only_hint is (tool.name not in ("memory_note", "memory_propose"))
    assert len(json.dumps([tool.model_dump(mode="json") for tool in tools])) < 20_000


def test_search_gives_text_and_values(told: Vault) -> None:
    result = call(told, "memory_search", question="From which lane is the ferry service deployed?")
    assert "blue lane" in text(result)
    assert text(result).startswith("<wikimem-memory>")
    assert result.structured_content is not None
    first = result.structured_content["found"][0]
    assert (first["kind"], first["stance"], first["state"]) == ("claim", "fact", "current")
    assert "blue lane" in text(call(told, "memory_read", name=first["cite"]))


def test_nothing_known_is_said(told: Vault) -> None:
    result = call(told, "memory_search", question="Which yeast is best for rye bread with caraway?")
    assert result.structured_content == {"found": [], "cursor": "", "notes": []}
    assert "Nothing is known" in text(result)


def test_a_cursor_goes_through_all_without_repeating(vault: Vault) -> None:
    said = [f"The ferry timetable number {n} hangs at berth {n} of the north quay, beside the ferry office." for n in range(12)]
    tell(vault, session("many", "2026-03-02", *said))
    background.work(open_at(vault.root))
    seen: list[str] = []
    cursor = ""
    for _ in range(12):
        result = call(vault, "memory_search", question="ferry timetable berth quay office", budget=200, cursor=cursor)
        assert result.structured_content is not None
        seen += [one["cite"] for one in result.structured_content["found"]]
        cursor = result.structured_content["cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) > 3


def test_read_browse_and_history(told: Vault) -> None:
    listed = call(told, "memory_browse", path="wiki/topics").structured_content
    assert listed is not None
    page = next(one for one in listed["entries"] if not one.startswith("wiki/topics/index"))
    assert "blue lane" in text(call(told, "memory_read", name=page.split("  ")[0]))
    assert "blue lane" in text(call(told, "memory_browse", pattern="blue l.ne"))
    assert "compile:" in text(call(told, "memory_history", name=page.split("  ")[0]))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "wiki/../wikimem.toml", ".wikimem/seen.json", "nobody", ""])
def test_what_is_not_on_the_shelf_is_a_sentence(told: Vault, name: str) -> None:
    result = call(told, "memory_read", name=name)
    assert result.is_error
    assert "root:" not in text(result)
    assert text(result).endswith(".")


def test_a_note_edits_no_page_and_is_the_assistants(told: Vault) -> None:
    before = {path: path.read_bytes() for path in (told.root / "wiki").rglob("*") if path.is_file()}
    result = call(told, "memory_note", text="The ferry moves to the north quay in July.", agent="claude")
    assert result.structured_content is not None
    assert {path: path.read_bytes() for path in (told.root / "wiki").rglob("*") if path.is_file()} == before
    (note,) = (told.root / ".wikimem" / "notes").glob("*.jsonl")
    assert [json.loads(line).get("speaker") for line in note.read_bytes().splitlines()] == [None, "assistant"]


def test_packets_are_given_and_replies_taken(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", RULE))
    from wikimem import compile as compiling

    compiling.compile(open_at(vault.root), compiling.Wish(model="handoff"))
    packet = call(vault, "memory_propose").structured_content
    assert packet is not None
    assert "blue lane" in packet["prompt"]
    assert json.loads(packet["reply_schema"])["type"] == "object"
    bad = call(vault, "memory_propose", id=packet["id"], reply="{}").structured_content
    assert bad is not None
    assert bad["taken"] is False
    assert bad["problems"]


def test_without_a_vault_each_call_says_so(tmp_path: Path) -> None:
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        result = call(None, "memory_search", question="Which lane?")
    finally:
        os.chdir(here)
    assert result.is_error
    assert "wikimem init" in text(result)


def test_before_there_is_an_index_pages_are_searched(told: Vault) -> None:
    import shutil

    shutil.rmtree(told.root / ".wikimem" / "index")
    result = call(told, "memory_search", question="From which lane is the ferry deployed?")
    assert "blue lane" in text(result)
    assert "the index is being made" in text(result)


def test_resources_and_prompts(told: Vault) -> None:
    async def look(client: Client) -> None:
        (index,) = (await client.read_resource("memory://index")).contents
        assert "topics" in index.text
        prompts = await client.list_prompts()
        assert {prompt.name for prompt in prompts.prompts} == {"recall_first", "compile_memory"}
        resources = await client.list_resources()
        assert {str(one.uri) for one in resources.resources} == {"memory://brief", "memory://index"}

    asked(told, look)


class Server:
    """The server as a client runs it, spoken to by hand in the protocol of 2025."""

    def __init__(self, vault: Vault) -> None:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "wikimem.faces.mcp", str(vault.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()

    def send(self, *messages: object) -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        assert isinstance(told, dict)
        return told

    def greet(self) -> dict[str, Any]:
        client = {"name": "t", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
        told = self.read()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return told

    def call(self, number: int, tool: str, /, **arguments: object) -> dict[str, Any]:
        self.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        return self.read()

    def ended(self) -> int:
        return self.process.wait(timeout=10)


def test_every_line_is_protocol_also_with_a_noisy_hook_and_a_bad_line(told: Vault) -> None:
    hook = told.root / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho noise\n")
    hook.chmod(0o755)
    with Server(told) as server:
        assert server.greet()["result"]["serverInfo"]["name"] == "wikimem"
        server.send(b"this is no json")
        answer = server.call(2, "memory_search", question="From which lane is the ferry service deployed?")
        while answer.get("id") != 2:
            assert answer["jsonrpc"] == "2.0"
            answer = server.read()
        assert "blue lane" in answer["result"]["content"][0]["text"]
        assert server.call(3, "memory_history", name="nobody")["result"]["isError"] is True
        strange = server.call(4, "no_such_tool")
        assert "error" in strange or strange["result"]["isError"]
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.ended() == 0


def test_it_ends_with_its_client(told: Vault) -> None:
    import signal

    # What is started in the background may ignore some, and so does the server that it starts.
    able = (one for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT) if signal.getsignal(one) is not signal.SIG_IGN)
    for end in (None, *able):
        with Server(told) as server:
            server.greet()
            began = time.monotonic()
            if end is None:
                assert server.process.stdin is not None
                server.process.stdin.close()
            else:
                server.process.send_signal(end)
            server.ended()
            assert time.monotonic() - began < 8


def test_with_nothing_on_its_input_it_ends(told: Vault) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "wikimem.faces.mcp", str(told.root)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=env,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_git_that_hangs_holds_up_no_search(told: Vault, tmp_path: Path) -> None:
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\nsleep 300\n")
    git.chmod(0o755)
    os.environ["PATH"] = f"{git.parent}{os.pathsep}{os.environ['PATH']}"
    with Server(told) as server:
        server.greet()
        answer = server.call(2, "memory_search", question="From which lane is the ferry service deployed?")
        assert "blue lane" in answer["result"]["content"][0]["text"]


def test_a_server_finds_at_once_what_another_process_took_in(told: Vault) -> None:
    async def do(client: Client) -> tuple[str, str, str]:
        search = "memory_search", {"question": "Which dock do tugs leave from?"}
        known = text(await client.call_tool("memory_search", {"question": "From which lane is the ferry service deployed?"}))
        before = text(await client.call_tool(*search))
        tell(told, session("two", "2026-03-09", "No, tugs always leave from the ochre dock.", ("assistant", "Understood.")))
        told.compile()
        background.work(open_at(told.root))
        return known, before, text(await client.call_tool(*search))

    known, before, after = asked(told, do)
    assert "blue lane" in known
    assert "ochre dock" not in before
    assert "ochre dock" in after


@pytest.mark.parametrize("gone", ["all", "wikimem.toml", ".git"])
def test_a_vault_that_goes_away_is_missed_and_takes_no_note(told: Vault, gone: str) -> None:
    away = told.root.with_name("away")
    with Server(told) as server:
        server.greet()
        assert not server.call(2, "memory_search", question="blue lane")["result"].get("isError", False)
        (told.root if gone == "all" else told.root / gone).rename(away)
        (told.root).mkdir(exist_ok=True)
        for name, more in (("memory_note", {"text": "Keep the lane."}), ("memory_search", {"question": "blue lane"})):
            answer = server.call(3, name, **more)["result"]
            assert answer["isError"]
            assert "the vault that was there is gone" in answer["content"][0]["text"]
        assert gone != "all" or not list(told.root.iterdir())
