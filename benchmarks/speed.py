"""How fast a large vault answers, is indexed and follows a session. Not a test: it prints figures, for LOG.md.

    python benchmarks/speed.py make FOLDER [--pages 10000] [--claims 50000] [--turns 100000] [--seed 7]
    python benchmarks/speed.py run FOLDER [--only recall]

`make` writes a vault as the product would leave it: sessions of three years and twelve projects are captured by `ingest`;
each holds sentences that claims quote, about subjects of the same project; single attributes get new values over time, so
that claims end. Claims, pages and cards are what the product folds and renders from these claims; only their extraction is
skipped. The talk has a natural vocabulary (`prose.py`). The same seed gives the same vault.

`run` measures: rebuilding the index, recall in one process and in a process of its own, filters beside the plain query, and
how long the index takes to follow one more session. Times are by the clock; the load stands beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wikimem
from prose import Prose
from wikimem import indexing, memory, reflecting
from wikimem.core import cards, claimfiles, fold, indexes, pages, splits
from wikimem.core.claimfiles import ClaimFile, Episode, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.screening import screen
from wikimem.core.sessions import Session
from wikimem.core.vocabulary import SHIPPED
from wikimem.faces.api import Vault
from wikimem.reflecting import Before
from wikimem.vault import open_at

TYPES = ("topic",) * 6 + ("decision", "procedure", "environment", "gotcha", "person", "project")
ATTRIBUTES = ("retry-limit", "timeout", "port", "owner", "", "", "", "")
START = datetime(2023, 9, 4, 8, 0, tzinfo=UTC)
YEARS = 3
UPDATES = 8
RUN = "from wikimem.faces.cli import main; main()"


class World:
    """An invented vault's sessions and subjects.

    Args:
        seed: see `Prose`.
        subjects, claims, turns: how many.
    """

    def __init__(self, seed: int, subjects: int, claims: int, turns: int) -> None:
        self.prose = Prose(seed)
        self.rng = random.Random(seed + 1)
        self.names = self.prose.names(subjects)
        self.sessions = max(1, turns // 50)
        self.each = claims // self.sessions
        self.projects = [words[0] for words in self.prose.topics]

    def project(self, at: int) -> int:
        """The project of a session or subject."""
        return at % len(self.projects)

    def sayings(self, at: int) -> list[tuple[int, str, str]]:
        """What a session says that claims quote: number of the subject, attribute, sentence. New subjects come first."""
        own = [number for number in range(len(self.names)) if self.project(number) == self.project(at)]
        count = max(1, self.sessions // len(self.projects))
        turn = at // len(self.projects)
        first, last = len(own) * turn // count, len(own) * (turn + 1) // count
        chosen = [*own[first:last], *(self.rng.choice(own[: max(last, 1)]) for _ in range(self.each))][: self.each]
        return [self._saying(number, at) for number in chosen]

    def _saying(self, number: int, at: int) -> tuple[int, str, str]:
        attribute, name = self.rng.choice(ATTRIBUTES), self.names[number]
        if attribute:
            return number, attribute, f"The {attribute.replace('-', ' ')} of {name} is {self.rng.randrange(2, 900)}."
        return number, "", f"{name.capitalize()} {' '.join(self.prose.run(self.rng.randrange(5, 14), at))}."

    def transcript(self, at: int, sayings: Sequence[tuple[int, str, str]]) -> bytes:
        """A session of fifty turns in the canonical format: people ask and tell, agents report, commands run."""
        when = START + timedelta(days=365 * YEARS * at / self.sessions, minutes=self.rng.randrange(600))
        head = {"wikimem": 1, "session": f"s{at:06}", "title": " ".join(self.prose.run(5, at)), "started": _stamp(when)}
        out = [head | {"cwd": f"/home/sam/{self.projects[self.project(at)]}"}]
        said = [sentence for _, _, sentence in sayings]
        kinds = ("human", "assistant", "call", "result", "assistant") * 10
        for number, kind in enumerate(kinds):
            when += timedelta(seconds=self.rng.randrange(5, 200))
            told = {"id": f"s{at:06}-{number}", "speaker": kind, "time": _stamp(when)}
            if kind in ("call", "result"):
                told |= {
                    "speaker": "assistant" if kind == "call" else "tool",
                    "form": kind,
                    "name": "Bash",
                    "call": f"c{number // 5}",
                }
            text = self.prose.text(self.prose.length({"human": 18, "assistant": 55, "call": 8, "result": 70}[kind]), at)
            mine = said[number // 5 :: 10] if kind == "human" else []
            out.append(told | {"text": " ".join((text, *mine))})
        return b"".join(json.dumps(each).encode() + b"\n" for each in out)

    def claims(self, session: Session, at: int, sayings: Sequence[tuple[int, str, str]]) -> Iterator[Claim]:
        """The claims of a session, each quoting its sentence."""
        turns = {sentence: turn for turn in session.turns for _, _, sentence in sayings if sentence in turn.text}
        for number, attribute, sentence in sayings:
            turn = turns[sentence]
            holds = Holds(Bound(turn.said[:10], Basis.STATED), Bound()) if attribute else Holds()
            proof = Evidence(turn.at, turn.identity, sentence, "human", "", turn.said, holds, source=session.source)
            scope = f"project:{self.projects[self.project(number)]}"
            mention = Mention(scope, TYPES[number // len(self.projects) % len(TYPES)], self.names[number])
            yield Claim(mention, attribute, Kind.SEMANTIC, Stance.FACT, sentence, (proof,))


def make(folder: Path, world: World) -> None:
    """Write the vault."""
    wikimem.create(folder)
    sayings = [world.sayings(at) for at in range(world.sessions)]
    with tempfile.TemporaryDirectory() as work:
        for at, said in enumerate(sayings):
            (Path(work) / f"s{at:06}.jsonl").write_bytes(world.transcript(at, said))
        Vault.open(folder).ingest([work])
    vault = open_at(folder)
    known = vault.ledger.all()
    for sidecar in known.values():
        session, at = vault.ledger.read(sidecar.id), int(sidecar.session[1:])
        claims = tuple({claim.id: claim for claim in world.claims(session, at, sayings[at])}.values())
        put(folder / memory.path(sidecar.id), claimfiles.write(ClaimFile(_stamped(sidecar), claims, (), Episode())))
        facts = {"title": session.title, "scope": sidecar.scope, "started": sidecar.started}
        card = cards.of(sidecar.id, screen(session.turns), claims, Episode(), facts, sidecar.path)
        put(folder / "wiki" / cards.path(sidecar.id), cards.write(card).encode())
    wiki = memory.load(folder, vault.ledger, SHIPPED).wiki
    paths = {sidecar.id: sidecar.path for sidecar in known.values()}
    for key in wiki.subjects:
        for path, page in splits.all_pages(wiki, key, Cold(), paths).items():
            put(folder / "wiki" / path, pages.write(page).encode())
    for path, text in indexes.all_pages(wiki, Cold()).items():
        put(folder / "wiki" / path, text.encode())
    git = ["git", "-C", str(folder), "-c", "gc.auto=0", "-c", "user.name=b", "-c", "user.email=b@b"]
    subprocess.run([*git, "add", "-A", "wiki"], check=True)
    subprocess.run([*git, "commit", "-qm", "compile: all sessions\n\nWiki-Op: compile"], check=True)
    shutil.rmtree(indexing.folder(folder), ignore_errors=True)


def rebuild(folder: Path) -> None:
    """Index everything anew, in this process."""
    shutil.rmtree(indexing.folder(folder), ignore_errors=True)
    vault = open_at(folder)
    start, used = time.perf_counter(), time.process_time()
    turns = indexing.refresh_turns(folder, vault.ledger)
    middle = time.perf_counter()
    turns.close()
    with indexing.refresh(folder, vault.ledger, SHIPPED) as shelves:
        end, spent = time.perf_counter(), time.process_time() - used
        counts = [index._snapshot.count for index in (shelves.turns, shelves.wiki) if index is not None and index._snapshot]
    every = sum(counts)
    print(
        f"rebuild: {every:,} documents in {end - start:.1f} s, {spent:.1f} s of processor: {every / (end - start):,.0f} a second "
        f"by the clock, {every / spent:,.0f} by one processor"
    )
    print(f"rebuild: {counts[0]:,} turns in {middle - start:.1f} s, {sum(counts[1:]):,} claims and pages in {end - middle:.1f} s")
    print(f"rebuild: {peak():.0f} MB at the peak")


def questions(folder: Path, count: int, seed: int = 11) -> list[str]:
    """What somebody might ask: about a claim, in other words around it, with a name, and of other things."""
    rng = random.Random(seed)
    vault = open_at(folder)
    sources = rng.sample(sorted(vault.ledger.all()), min(count, len(vault.ledger.all())))
    found = []
    for number in range(count):
        session = vault.ledger.read(sources[number % len(sources)])
        words = rng.choice([turn for turn in session.turns if turn.speaker.value == "human"]).text.split()
        at = rng.randrange(max(1, len(words) - 8))
        piece = " ".join(words[at : at + 8])
        found.append(rng.choice(("what did we decide about {}?", "which {}", "why was {} changed in 2025", "{}")).format(piece))
    return found


Times = Sequence[tuple[float, float]]
"""Milliseconds by the clock, and of the processor, one pair a call."""


def timed(asked: Sequence[str], ask: Callable[[str], object]) -> Times:
    """How long each takes."""
    found = []
    for question in asked:
        start, used = time.perf_counter(), time.process_time()
        ask(question)
        found.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
    return found


def told(name: str, times: Times, more: str = "") -> None:
    """Print a line of figures."""
    clock, processor = (sorted(column) for column in zip(*times, strict=True))
    at = int(len(clock) * 0.95)
    print(
        f"{name}: p50 {statistics.median(clock):.1f} ms, p95 {clock[at]:.1f} ms by the clock; "
        f"p50 {statistics.median(processor):.1f} ms, p95 {processor[at]:.1f} ms of processor{more}"
    )


def recall(folder: Path) -> None:
    """Warm, in this process, as an MCP server or a script asks; then with filters, each beside the plain query."""
    asked = questions(folder, 120)
    vault, server = Vault.open(folder), Vault.open(folder, glance=1.0)
    told("recall, the first one", timed(asked[:1], vault.recall))
    timed(asked[:20], vault.recall)
    told("recall, warm", timed(asked, vault.recall))
    timed(asked[:20], server.recall)
    told("recall, warm, a look at the files once a second", timed(asked, server.recall))
    project = next(iter(open_at(folder).ledger.all().values())).scope
    filters: dict[str, Callable[[str], object]] = {
        "scope": lambda question: vault.recall(question, project),
        "at": lambda question: vault.recall(question, at="2025-03"),
        "known": lambda question: vault.recall(question, known="2025-03"),
        "at and known": lambda question: vault.recall(question, at="2025-01", known="2025-03"),
    }
    compared("recall", asked, vault.recall, filters)
    listed: dict[str, Callable[[str], object]] = {
        "speaker": lambda question: vault.search(question, speaker="human"),
        "days": lambda question: vault.search(question, since="2025-01-01", until="2025-06-30"),
        "scope": lambda question: vault.search(question, scope=project),
    }
    compared("search", asked, vault.search, listed)
    print(f"recall: {peak():.0f} MB at the peak")


def compared(name: str, asked: Sequence[str], plain: Callable[[str], object], others: dict[str, Callable[[str], object]]) -> None:
    """Each filter's times, and how many times the plain query's; in turns, so that a busy moment meets both alike."""
    for filter, ask in others.items():
        pairs = [(timed([question], plain)[0], timed([question], ask)[0]) for question in asked[:40]]
        without, with_it = (statistics.median(pair[at][1] for pair in pairs) for at in (0, 1))
        told(f"{name}, {filter}", [pair[1] for pair in pairs], f": {with_it / without:.2f} times the plain one's processor")


def process(folder: Path) -> None:
    """A process of its own for each recall, as an agent with a shell asks; with compiled modules, as installations have them."""
    asked = questions(folder, 20)
    command = [sys.executable, "-c", RUN, "--vault", str(folder), "recall"]
    with tempfile.TemporaryDirectory() as work:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
            "PYTHONPYCACHEPREFIX": work
        }

        def ask(question: str) -> object:
            return subprocess.run([*command, question], check=True, capture_output=True, env=own)

        ask(asked[0])
        used = os.times()
        times = timed(asked, ask)
        now = os.times()
    spent = (now.children_user + now.children_system - used.children_user - used.children_system) / len(asked)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    clock = [wall for wall, _ in times]
    print(
        f"recall, a process each: p50 {statistics.median(clock):.0f} ms by the clock, {spent * 1000:.0f} ms of processor on "
        f"average, {largest:.0f} MB"
    )


def update(folder: Path, world: World) -> None:
    """How long the index takes to follow one more session, and then its claims. The vault is a copy's: it is left changed."""
    vault = open_at(folder)
    indexing.refresh(folder, vault.ledger, SHIPPED).close()
    before = memory.load(folder, vault.ledger, SHIPPED)
    files, wiki, first = dict(before.files), before.wiki, len(vault.ledger.all())
    for number in range(UPDATES):
        at = first + number
        said = world.sayings(at % world.sessions)
        with tempfile.TemporaryDirectory() as work:
            (Path(work) / "one.jsonl").write_bytes(world.transcript(at, said))
            source = indexed(folder, Path(work) / "one.jsonl")
        vault.ledger.forget_cache()
        claims = tuple({claim.id: claim for claim in world.claims(vault.ledger.read(source), at, said)}.values())
        file = ClaimFile(_stamped(vault.ledger.all()[source]), claims, (), Episode())
        known = Before(wiki, reflecting.look(folder, vault.ledger, SHIPPED).claims)
        put(folder / memory.path(source), claimfiles.write(file))
        files[source] = file
        wiki = fold.again(wiki, files.values(), {})
        ((clock, processor),) = timed(
            [""], lambda _, wiki=wiki, known=known: indexing.refresh(folder, vault.ledger, SHIPPED, wiki, known).close()
        )
        print(f"update, claims folded: {clock:.0f} ms by the clock, {processor:.0f} ms of processor for {len(claims)} claims")


def indexed(folder: Path, path: Path) -> str:
    """Capture one more session; print how long its indexing took, within the capture. The new source's id."""
    known = set(open_at(folder).ledger.all())
    whole, spent = indexing.refresh_turns, []

    def watched(*args: object) -> object:
        spent.append(time.perf_counter())
        spent.append(time.process_time())
        found = whole(*args)  # type: ignore[arg-type]  # passed on as they come
        spent[:] = [time.perf_counter() - spent[0], time.process_time() - spent[1]]
        return found

    indexing.refresh_turns = watched  # type: ignore[assignment]  # watched, not changed
    ((clock, processor),) = timed([""], lambda _: Vault.open(folder).ingest([path]))
    indexing.refresh_turns = whole
    print(
        f"update, turns: {spent[0] * 1000:.0f} ms by the clock, {spent[1] * 1000:.0f} ms of processor in the index; "
        f"{clock:.0f} and {processor:.0f} ms for the whole capture"
    )
    return next(iter(set(open_at(folder).ledger.all()) - known))


def _stamped(sidecar: object) -> Stamp:
    return Stamp(sidecar.id, sidecar.content, "1", "bench", "1")  # type: ignore[attr-defined]  # a sidecar


def _stamp(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def put(path: Path, data: bytes) -> None:
    """Write a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def peak() -> float:
    """Megabytes that this process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    for name, default in (("pages", 10_000), ("claims", 50_000), ("turns", 100_000), ("seed", 7)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", choices=("rebuild", "recall", "process", "update"))
    asked = parser.parse_args()
    world = World(asked.seed, asked.pages, asked.claims, asked.turns)
    if asked.what == "make":
        make(asked.folder, world)
        return
    if asked.only:
        steps = {"rebuild": rebuild, "recall": recall, "process": process, "update": lambda folder: update(folder, world)}
        steps[asked.only](asked.folder)
        print(f"load {os.getloadavg()[0]:.1f}")
        return
    for step in ("rebuild", "recall", "process", "update"):  # a process each: what one keeps in memory is not the next one's
        sizes = [f"--{name}={getattr(asked, name)}" for name in ("pages", "claims", "turns", "seed")]
        subprocess.run([sys.executable, __file__, "run", str(asked.folder), "--only", step, *sizes], check=True)


if __name__ == "__main__":
    main()
