"""How much a team has to review: 12 people, 72 sessions of one day, shared into one vault. Not a test.

    python benchmarks/teamday.py FOLDER [--people 12] [--sessions 72] [--keep FOLDER]

The newest sessions below FOLDER are the day, dealt out to the people, each with a vault of their own; what is older is what the
team knew before, shared and let in. Everything is compiled by `rules`. Printed: what the day's sessions claim, what of it is
committed by itself, and how many items `wikimem review` then lists, by risk. Sessions that do not tell their project belong to
the folder that they lie in. `--keep` leaves the vaults in a folder, so that what waits can be reviewed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import wikimem
from wikimem.faces.api import Vault

BEFORE, DAY = datetime(2026, 7, 1, 9, 0, tzinfo=UTC), datetime(2026, 7, 2, 9, 0, tzinfo=UTC)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--people", type=int, default=12)
    parser.add_argument("--sessions", type=int, default=72)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True)
        _run(given.folder, given.keep, given.people, given.sessions)
        return
    with tempfile.TemporaryDirectory() as place:
        _run(given.folder, Path(place), given.people, given.sessions)


def _run(folder: Path, place: Path, people: int, sessions: int) -> None:
    team = _vault(place / "team", BEFORE, shared=True)
    everything = _vault(place / "before", BEFORE)
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        scope = f"project:{path.parent.name.lower().replace('.', '-').replace('_', '-')}"
        for sidecar in everything.ingest([path], scope=scope).added:
            files[sidecar.id] = (sidecar.started, path, scope)
    newest = sorted(files, key=lambda source: (files[source][0], source), reverse=True)[:sessions]
    older = [source for source in files if source not in newest]
    everything.compile()
    for scope in sorted({files[source][2] for source in older}):
        chosen = [source for source in older if files[source][2] == scope]
        everything.share(team.root, chosen, project=scope.removeprefix("project:"), yes=True)
    if team.review().items:
        team.approve(["all"])
    print(f"before: {len(older)} sessions, {team.status().claims} claims, {team.status().pages} pages")
    team = Vault.open(team.root, clock=lambda: DAY)
    told: Counter[str] = Counter()
    for number in range(people):
        own = _vault(place / f"person-{number}", DAY)
        mine = newest[number::people]
        for source in mine:
            own.ingest([files[source][1]], scope=files[source][2])
        own.compile()
        for scope in sorted({files[source][2] for source in mine}):
            done = own.share(team.root, project=scope.removeprefix("project:"), yes=True)
            told["sources"] += len(done.sources)
            told["claims"] += sum(len(one.claims) for one in done.sources)
            told["waiting"] += done.waiting
        told["waiting at home"] += sum(len(item.ids) for item in own.review().items)
    items = team.review().items
    risks = Counter(item.risk.value for item in items)
    print(f"the day: {len(newest)} sessions of {people} people; {dict(told)}")
    print(f"items: {len(items)} on {len({item.branch for item in items})} branches {dict(risks)}")
    print(f"claims that wait: {sum(len(item.ids) for item in items)}")
    for reason, count in Counter(reason for item in items for reason in item.reasons).most_common():
        print(f"  {count:>3}  {reason}")


def _vault(path: Path, now: datetime, shared: bool = False) -> Vault:
    wikimem.create(path, shared=shared)
    return Vault.open(path, clock=lambda: now)


if __name__ == "__main__":
    main()
