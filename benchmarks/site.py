"""Figures of the static site: how long, how much memory, how large; MkDocs on the same markdown beside it. Not a test.

python benchmarks/site.py make FOLDER --pages 10000 --sessions 2000      an invented vault of that size
python benchmarks/site.py run FOLDER [--jobs 2] [--mkdocs]                build, build again, build after one session
python benchmarks/site.py search FOLDER [--chromium PATH]                  the search in a browser (needs playwright)
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
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wikimem
from wikimem import memory
from wikimem.core import cards, claimfiles, fold, indexes, pages, splits
from wikimem.core.claimfiles import ClaimFile, Episode, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.screening import screen
from wikimem.faces.api import Vault
from wikimem.vault import open_at

WORDS = tuple(
    word
    for line in (
        "anchor basin cargo delta ember fjord gantry harbor inlet jetty keel lantern mooring needle oar pier quay rudder sluice",
        "tide umbra vessel winch yard zephyr beacon capstan dredge estuary fathom gauge hull ingot joist knot lever mast nacelle",
        "orbit piston quarry rivet socket turbine valve wharf axle bracket coil damper flange gasket hopper impeller lattice",
    )
    for word in line.split()
)
TYPES = ("topic",) * 6 + ("decision", "procedure", "environment", "gotcha", "person", "project")
ATTRIBUTES = ("retry-limit", "timeout", "port", "owner", "", "", "")
DAY = datetime(2024, 1, 8, 9, 0, tzinfo=UTC)
PROJECTS = ("harbour", "foundry", "survey", "ledgerline", "greenhouse")


def name(number: int) -> str:
    """The name of a subject: three words, no two alike."""
    a, b, c = number % len(WORDS), number // len(WORDS) % len(WORDS), number // len(WORDS) ** 2
    return f"{WORDS[a]} {WORDS[(b + a) % len(WORDS)]}{f' {WORDS[c]}' if c else ''}"


def make(folder: Path, number: int, sessions: int) -> None:
    """Make the vault: sources are ingested; claims, pages and cards are written and committed in a hundred steps."""
    wikimem.create(folder)
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as work:
        for at in range(sessions):
            (Path(work) / f"s{at:05}.jsonl").write_bytes(transcript(rng, at))
        Vault.open(folder).ingest([work])
    vault = open_at(folder)
    known = sorted(vault.ledger.all().values(), key=lambda sidecar: sidecar.started)
    wiki, files, step = fold.empty(), {}, max(1, len(known) // 100)
    paths = {sidecar.id: sidecar.path for sidecar in known}
    for start in range(0, len(known), step):
        for at, sidecar in enumerate(known[start : start + step], start):
            session = vault.ledger.read(sidecar.id)
            stamp = Stamp(sidecar.id, sidecar.content, "1", "bench", "1")
            claims = tuple(claims_of(rng, at, session, number, len(known), sidecar.scope))
            files[sidecar.id] = file = ClaimFile(stamp, claims, (), Episode())
            facts = {"title": session.title, "scope": sidecar.scope, "started": sidecar.started}
            card = cards.of(sidecar.id, screen(session.turns), claims, Episode(), facts, sidecar.path)
            put(folder / memory.path(sidecar.id), claimfiles.write(file))
            put(folder / "wiki" / cards.path(sidecar.id), cards.write(card).encode())
        new = fold.again(wiki, files.values(), {})
        for key in fold.touched(wiki, new):
            for path, page in splits.all_pages(new, key, Cold(), paths).items():
                put(folder / "wiki" / path, pages.write(page).encode())
        wiki = new
        for path, text in indexes.all_pages(wiki, Cold()).items():
            put(folder / "wiki" / path, text.encode())
        git(folder, "add", "-A", "wiki")
        git(folder, "commit", "-qm", f"compile: sessions {start} to {start + step - 1}\n\nWiki-Op: compile")
    print(f"{len(wiki.subjects)} subjects, {sum(len(file.claims) for file in files.values())} claims, {len(known)} sources")


def transcript(rng: random.Random, at: int) -> bytes:
    """A session of about sixty turns."""
    out, when = [], DAY + timedelta(hours=at * 9)
    for turn in range(20):
        for role, content in (
            ("user", f"{sentence(rng, 14)} What about `{rng.choice(WORDS)}_{at}`?"),
            (
                "assistant",
                [{"type": "text", "text": f"**{sentence(rng, 6)}**\n\n- {sentence(rng, 20)}\n- `{rng.choice(WORDS)}()`\n"}],
            ),
            (
                "assistant",
                [{"type": "tool_use", "id": f"t{at}-{turn}", "name": "Bash", "input": {"command": f"make {rng.choice(WORDS)}"}}],
            ),
            ("user", [{"type": "tool_result", "tool_use_id": f"t{at}-{turn}", "content": sentence(rng, 90)}]),
        ):
            when += timedelta(seconds=40)
            number = len(out) + 1
            message = {"role": role, "content": content} | ({"id": f"m{at}-{number}"} if role == "assistant" else {})
            out.append(
                {
                    "type": role,
                    "uuid": f"u{at}-{number}",
                    "parentUuid": f"u{at}-{number - 1}" if number > 1 else None,
                    "sessionId": f"s{at}",
                    "timestamp": when.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                    "cwd": f"/home/sam/{PROJECTS[at % len(PROJECTS)]}",
                    "message": message,
                }
            )
    return b"".join(json.dumps(each).encode() + b"\n" for each in out)


def sentence(rng: random.Random, words: int) -> str:
    """So many words."""
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def claims_of(rng, at, session, number, sessions, scope):
    """Twenty claims of a session: of new subjects first, then of known ones, each quoting a turn."""
    fresh = range(number * at // sessions, number * (at + 1) // sessions)
    subjects = [*fresh, *(rng.randrange(max(1, fresh.start or 1)) for _ in range(max(0, 20 - len(fresh))))]
    spoken = [turn for turn in session.turns if turn.speaker.value == "human"]
    for subject in subjects:
        turn = rng.choice(spoken)
        attribute = rng.choice(ATTRIBUTES)
        other = name(rng.randrange(max(1, fresh.stop)))
        text = (
            f"The {attribute.replace('-', ' ')} of {name(subject)} is {rng.randrange(2, 40)}."
            if attribute
            else f"{sentence(rng, 8)[:-1]} depends on {other} since `{rng.choice(WORDS)}` moved."
        )
        holds = Holds(Bound(turn.said[:10], Basis.STATED), Bound()) if attribute else Holds()
        quote = " ".join(turn.text.split()[:10])
        evidence = Evidence(turn.at, turn.identity, quote, "human", "", turn.said, holds, None, session.source)
        mention = Mention(f"project:{PROJECTS[subject % len(PROJECTS)]}", TYPES[subject % len(TYPES)], name(subject))
        yield Claim(
            mention, attribute, Kind.SEMANTIC, rng.choice((Stance.FACT, Stance.FACT, Stance.INFERENCE)), text, (evidence,)
        )


def put(path: Path, data: bytes) -> None:
    """Write a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def git(folder: Path, *args: str) -> None:
    """Run git."""
    subprocess.run(["git", "-c", "gc.auto=0", "-c", "user.name=b", "-c", "user.email=b@b", *args], cwd=folder, check=True)


def measured(command: list[str]) -> tuple[str, str]:
    """How long a command took and what it used, in words, and what it printed.

    The processor's seconds of all its processes are told as well: on a busy machine they say more than the clock.
    """
    start, used = time.perf_counter(), os.times()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = [0]
    watch = threading.Thread(target=lambda: watched(process, peak), daemon=True)
    watch.start()
    out = process.communicate()[0]
    watch.join()
    now = os.times()
    spent = now.children_user + now.children_system - used.children_user - used.children_system
    return f"{time.perf_counter() - start:.2f} s ({spent:.2f} s of processor), {peak[0] / 1e6:.0f} MB", out.strip()


def watched(process: subprocess.Popen[str], peak: list[int]) -> None:
    """Note the largest sum of what the processes use for themselves (shared pages counted in parts)."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(memory_of(each) for each in family(process.pid)))
        time.sleep(0.1)


def family(parent: int) -> list[int]:
    """A process and all that it started."""
    found = [parent]
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            found += [each for child in task.read_text().split() for each in family(int(child))]
        except OSError:
            continue
    return found


def memory_of(process: int) -> int:
    """Bytes: the proportional set size."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in told.splitlines() if line.startswith("Pss:")), 0)


def run(folder: Path, jobs: int, mkdocs: bool) -> None:
    """Build in full, again, and after one session."""
    shutil.rmtree(folder / "_site", ignore_errors=True)
    for each in (folder / ".wikimem").glob("site-*"):
        each.unlink()
    build = [sys.executable, "-m", "wikimem", "--vault", str(folder), "site", "build", "--jobs", str(jobs)]
    build[1:3] = ["-c", "from wikimem.faces.cli import main; main()"]
    for label in ("full", "again"):
        told, out = measured(build)
        print(f"{label}: {told}; {out.splitlines()[0][:110]}")
    one_more(folder)
    told, out = measured(build)
    print(f"after one session: {told}; {out.splitlines()[0][:110]}")
    sizes(folder / "_site")
    if mkdocs:
        beside(folder)


def one_more(folder: Path) -> None:
    """Capture and compile one more session, as the product does; a page of an older session changes as well."""
    with tempfile.TemporaryDirectory() as work:
        stamp = time.time_ns()
        lines = [json.loads(line) for line in transcript(random.Random(stamp), 9_000 + stamp % 1000).splitlines()]
        lines[0]["message"]["content"] = f"no, always run `make {name(5).split()[0]}` before you push, run {stamp}."
        path = Path(work) / "one.jsonl"
        path.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        Vault.open(folder).ingest([path])
    vault = open_at(folder)
    sidecar = max(vault.ledger.all().values(), key=lambda each: each.recorded)
    session = vault.ledger.read(sidecar.id)
    rng = random.Random(time.time_ns())
    claims = tuple(claims_of(rng, 2000, session, 10_000, 2_000, sidecar.scope))[:20]
    before = memory.load(folder, vault.ledger, fold.empty().vocabulary)
    file = ClaimFile(Stamp(sidecar.id, sidecar.content, "1", "bench", "1"), claims)
    put(folder / memory.path(sidecar.id), claimfiles.write(file))
    after = fold.again(before.wiki, [*before.files.values(), file], {})
    paths = {each.id: each.path for each in vault.ledger.all().values()}
    for key in fold.touched(before.wiki, after):
        for path, page in splits.all_pages(after, key, Cold(), paths).items():
            put(folder / "wiki" / path, pages.write(page).encode())
    git(folder, "add", "-A", "wiki")
    git(folder, "commit", "-qm", f"compile: one more session\n\nSource: {sidecar.id}")


def sizes(site: Path) -> None:
    """How large the files are."""
    found = [(path.stat().st_size, path) for path in site.rglob("*.html")]
    paged = sorted(
        size
        for size, path in found
        if path.parent.name in ("topics", "decisions", "people", "gotchas", "projects") and not path.name.startswith("index")
    )
    data = [path.stat().st_size for path in (site / "data").iterdir()]
    spoken = statistics.median(size for size, path in found if "sessions" in path.parts)
    every = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"home {(site / 'index.html').stat().st_size / 1e3:.0f} kB; session, median: {spoken / 1e3:.0f} kB")
    print(f"pages: median {statistics.median(paged) / 1e3:.1f}, largest {paged[-1] / 1e3:.1f} kB")
    print(f"index {sum(data) / 1e6:.1f} MB in {len(data)} files, the largest {max(data) / 1e3:.0f} kB; all {every / 1e6:.0f} MB")


def beside(folder: Path) -> None:
    """MkDocs on the same markdown: the wiki's pages and cards, with its built-in theme and search."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(folder / "wiki", Path(work) / "docs", ignore=shutil.ignore_patterns(".claims"))
        (Path(work) / "mkdocs.yml").write_text(
            "site_name: beside\nuse_directory_urls: false\nvalidation: {links: {not_found: ignore}}\n"
        )
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", f"{work}/mkdocs.yml", "-d", f"{work}/site"]
        print(f"mkdocs, pages and cards alone: {measured(command)[0]}")


def search(folder: Path, chromium: str) -> None:
    """From the last key to the first result, in a browser, from the file system; the first search loads everything."""
    from playwright.sync_api import sync_playwright

    queries = ("anchor", "harbor lantern", "retry limit of keel", "zeph", "turbine valve wharf", "qu", "gaskte")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        cold, warm = [], []
        for query in queries:
            page = browser.new_page()
            page.goto((folder / "_site" / "index.html").as_uri())
            cold.append(typed(page, query))
            warm += [typed(page, other) for other in queries]
            page.close()
        browser.close()
    print(f"first result, cold: {', '.join(f'{each:.0f}' for each in cold)} ms")
    print(f"first result, warm: median {statistics.median(warm):.0f}, at most {max(warm):.0f} ms")


def typed(page, query: str) -> float:
    """Milliseconds until the results of a query are there."""
    return page.evaluate(
        """async (query) => {
            const input = document.getElementById("find"), found = document.querySelector(".found");
            input.value = ""; input.dispatchEvent(new Event("input")); input.focus();
            const start = performance.now();
            input.value = query; input.dispatchEvent(new Event("input"));
            while (found.dataset.query !== query) await new Promise((done) => setTimeout(done, 1));
            return performance.now() - start;
        }""",
        query,
    )


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "run", "search"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=2_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mkdocs", action="store_true")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "")
    asked = parser.parse_args()
    if asked.what == "make":
        make(asked.folder, asked.pages, asked.sessions)
    elif asked.what == "run":
        run(asked.folder, asked.jobs, asked.mkdocs)
    else:
        search(asked.folder, asked.chromium)
    print(f"own peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
