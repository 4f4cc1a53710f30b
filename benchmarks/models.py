"""What compiling with a paid model costs and how fast it is, by the scripted server of the tests. Not a test of any model's wit.

    python benchmarks/models.py tokens FOLDER     a folder of transcripts: tokens of each session, and what was expected
    python benchmarks/models.py chat LOCOMO.json  a chat of 6,000 tokens each, made of the beginning of each conversation
    python benchmarks/models.py jobs N LATENCY    N sessions at this latency, with one job and with eight
    python benchmarks/models.py flat [PAGES…]     what one more session costs in a wiki of so many pages (10, 1000, 10000)
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
from wikimem import memory
from wikimem import vault as vaults
from wikimem.committing import Writer
from wikimem.core import claimfiles
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.edges.ledger import Ledger
from wikimem.extracting import extractor_of
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


def measure_tokens(paths: list[Path]) -> None:
    """Tokens of each session."""
    with tempfile.TemporaryDirectory() as place, Server(noting) as server:
        vault = wikimem.create(Path(place) / "memory")
        vault.ingest(paths)
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


def chats(conversations: str, folder: Path, size: int = 6_000) -> None:
    """A chat of so many tokens of each conversation: its first turns, whoever began speaking to the other."""
    folder.mkdir()
    for name, turns in ((sample["sample_id"], sample["conversation"]) for sample in json.loads(Path(conversations).read_text())):
        lines: list[str] = [json.dumps({"wikimem": 1, "session": name, "title": "", "started": "", "cwd": ""})]
        said = [turn for n in range(1, 99) for turn in turns.get(f"session_{n}", ())]
        whole = 0
        for number, turn in enumerate(said):
            whole += tokens(turn["text"])
            if whole > size:
                break
            speaker = "human" if turn["speaker"] == said[0]["speaker"] else "assistant"
            about = {"id": f"t{number}", "speaker": speaker, "name": turn["speaker"], "time": "", "text": turn["text"]}
            lines.append(json.dumps(about))
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def measure_chats(conversations: str) -> None:
    """Tokens of chats."""
    with tempfile.TemporaryDirectory() as place:
        chats(conversations, Path(place) / "chats")
        measure_tokens(sorted((Path(place) / "chats").iterdir()))


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


_SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "ai", "or", "en")]


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.choice((2, 2, 3))))


def _sentence(chance: random.Random, words: list[str]) -> str:
    told = " ".join(chance.choices(words, k=9))
    return f"{told.capitalize()} since the crane was moved."


_WORDS = sorted({_word(random.Random(number)) for number in range(3000)})


def _names(number: int) -> list[str]:
    """So many names of subjects, the same beginning whatever the number."""
    chance = random.Random(7)
    found: dict[str, None] = {}
    while len(found) < number:
        found[f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}"] = None
    return list(found)


def _sentence(chance: random.Random) -> str:
    return f"{' '.join(chance.choices(_WORDS, k=9)).capitalize()} since the crane was moved."


def grown(place: Path, pages: int) -> Vault:
    """A vault with a wiki of so many pages, three claims each, as the built-in rules would have compiled it."""
    told = place / "told"
    told.mkdir()
    about = {_sentence(random.Random(f"{name}{n}")): name for name in _names(pages) for n in range(3)}
    said = list(about)
    for number, at in enumerate(range(0, len(said), 30)):
        record = json.loads(session(number))
        record["message"]["content"] = "\n".join(said[at : at + 30])
        (told / f"{number}.jsonl").write_text(json.dumps(record) + "\n")
    vault = wikimem.create(place / "memory")
    vault.ingest(sorted(told.iterdir()))
    ledger = Ledger(vault.root)
    for source, sidecar in ledger.all().items():
        (turn,) = ledger.read(source).turns
        claims = []
        for text in turn.text.split("\n"):
            proof = Evidence(turn.at, turn.identity, text, "human", said=turn.said, source=source)
            mention = Mention(sidecar.scope, "topic", about[text])
            claims.append(Claim(mention, "", Kind.SEMANTIC, Stance.FACT, text, (proof,)))
        path = vault.root / memory.path(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(claimfiles.write(ClaimFile(Stamp(source, sidecar.content, "1", "rules", ""), tuple(claims))))
    for command in (["add", "-A"], ["commit", "-qm", "grown"]):
        subprocess.run(["git", "-c", "user.name=b", "-c", "user.email=b@example.org", *command], cwd=vault.root, check=True)
    opened = vaults.open_at(vault.root)
    with opened.compiling(), opened.repository() as repo:
        # Not by a compile, which would look for who took each claim off its page.
        Writer(opened, repo, extractor_of(opened), print).settle()
    return vault


def measure_flat(sizes: list[int]) -> None:
    """Tokens of one more session, half of it about pages that are there, in wikis of several sizes."""
    first: tuple[int, int] | None = None
    for pages in sizes:
        with tempfile.TemporaryDirectory() as place, Server(remembering) as server:
            began = time.perf_counter()
            vault = grown(Path(place), pages)
            made = time.perf_counter() - began
            told = [*_names(10), *_names(20_000)[-10:]]
            lines = []
            for number, name in enumerate(told):
                record = json.loads(session(100_000)) | {"uuid": f"new-{number}", "sessionId": "new"}
                chance = random.Random(number)
                talk = " ".join(_sentence(chance) for _ in range(10))
                record["message"]["content"] = f"remember {name}: {_sentence(chance)}\n{talk}"
                lines.append(json.dumps(record))
            (Path(place) / "new.jsonl").write_text("\n".join(lines) + "\n")
            vault.ingest([Path(place) / "new.jsonl"])
            began = time.perf_counter()
            report = use(vault, server).compile()
            seconds = time.perf_counter() - began
            known = len(list(vault.root.glob("wiki/topics/*.md"))) - 1
            spent = report.spent
            first = first or (spent.read, spent.wrote)
            more = [f"{now / then - 1:+.1%}" for now, then in zip((spent.read, spent.wrote), first, strict=True)]
            figures = f"{spent.calls} calls, {spent.read} tokens in ({more[0]}), {spent.wrote} out ({more[1]})"
            print(
                f"{known} pages, {report.outcomes[0].claims} claims: {figures}; {seconds:.1f} s, made in {made:.0f} s", flush=True
            )


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
            measure_tokens([Path(folder)])
        case ["chat", conversations]:
            measure_chats(conversations)
        case ["jobs", number, latency]:
            measure_jobs(int(number), float(latency))
        case ["flat", *sizes]:
            measure_flat([int(size) for size in sizes] or [10, 1_000, 10_000])
        case ["interrupts", number]:
            measure_interrupts(int(number))
        case _:
            sys.exit(__doc__)
