"""How well recall finds the turns that answer LoCoMo's questions. Not a test: it prints figures, for LOG.md.

    python benchmarks/locomo.py LOCOMO.json [--ablations] [--claims]

Each session of a conversation becomes a source with the time it was held; the caption of a picture belongs to its turn.
Per question: the share of its evidence turns among the first ten hits (neighbours shown beside a hit do not count);
the mean over the questions of categories 1 to 4 with evidence that exists. Constants were chosen on `CHOSEN_ON`.

With `--claims`, the observations that come with each session (one sentence about a speaker, with the turns it rests on)
stand in for what a model extracts: they are indexed as claims. A claim that is found counts as the turns that prove it.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from wikimem.core import fold, statements, texts
from wikimem.core.answers import Told
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.passages import Hit
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.vocabulary import SHIPPED
from wikimem.edges.index import Batch, Found, Index, Topic, Unusable
from wikimem.edges.index.searching import Taste

CHOSEN_ON = ("conv-26", "conv-30", "conv-41")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
FIRST = 10


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category (1 to 4) and the citations of its evidence."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: its sessions as batches, what was observed in them as subjects, and its questions."""

    name: str
    batches: tuple[Batch, ...]
    topics: tuple[Topic, ...]
    questions: tuple[Question, ...]


def read(path: Path) -> list[Talk]:
    """The conversations of a LoCoMo file."""
    return [_talk(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]


def _talk(sample: Mapping[str, Any]) -> Talk:
    name = sample["sample_id"]
    held = sample["conversation"]
    numbers = sorted(int(match[1]) for key in held if (match := re.fullmatch(r"session_(\d+)", key)))
    batches = []
    cites: dict[str, str] = {}
    for number in numbers:
        said = datetime.strptime(held[f"session_{number}_date_time"].strip(), "%I:%M %p on %d %B, %Y")  # noqa: DTZ007 - it tells no zone
        source = f"{said:%Y%m%d}-locomo-{name}-{number:02}"
        turns = []
        for row in held[f"session_{number}"]:
            caption = row.get("blip_caption")
            text = f"{row['text']}\n[picture: {caption}]" if caption else row["text"]
            turn = Turn(row["dia_id"], Speaker.HUMAN, Form.PROSE, text, row["speaker"], f"{said:%Y-%m-%dT%H:%M:%S}")
            turns.append(turn)
            cites[row["dia_id"]] = f"{source}:{row['dia_id']}"
        batches.append(Batch(source, "1", f"project:{name}", turns))
    questions = []
    for row in sample["qa"]:
        ids = (f"D{int(a)}:{int(b)}" for part in row.get("evidence", ()) for a, b in re.findall(r"D:?(\d+):0*(\d+)", part))
        evidence = tuple(dict.fromkeys(cites[one] for one in ids if one in cites))
        if row["category"] in CATEGORIES and evidence:
            questions.append(Question(row["question"], row["category"], evidence))
    return Talk(name, tuple(batches), _topics(sample, f"project:{name}", cites, batches), tuple(questions))


def _topics(sample: Mapping[str, Any], scope: str, cites: Mapping[str, str], batches: Sequence[Batch]) -> tuple[Topic, ...]:
    """The observations of a conversation as the statements of one subject a speaker."""
    turns = {f"{batch.source}:{turn.at}": turn for batch in batches for turn in batch.turns}
    claims: dict[str, list[Claim]] = defaultdict(list)
    for session in sample["observation"].values():
        for speaker, rows in session.items():
            for text, ids in rows:
                found = [cites[one] for one in re.findall(r"D\d+:\d+", str(ids)) if one in cites]
                proof = tuple(
                    Evidence(turns[cite].at, cite, turns[cite].text, "human", turns[cite].name, turns[cite].said, source=source)
                    for cite in found
                    if (source := cite.partition(":")[0])
                )
                if proof:
                    mention = Mention(scope, "person", speaker)
                    claims[proof[0].source].append(
                        Claim(mention, "", Kind.SEMANTIC, Stance.FACT, texts.normal(text), ()).with_evidence(proof)
                    )
    wiki = fold.whole([ClaimFile(Stamp(source, "", "", "", ""), tuple(told)) for source, told in claims.items()], {})
    scopes = {batch.source: scope for batch in batches}
    made = ((key, statements.of(subject, wiki.path(key), SHIPPED, scopes)) for key, subject in wiki.subjects.items())
    return tuple(Topic(f"claims/{key}", "1", told, relations) for key, (told, relations) in made)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: the index of the turns, and that of the claims where these are measured."""

    turns: Index
    wiki: Index | None

    def search(self, text: str, limit: int | None = 10, context: int = 0, taste: Taste | None = None) -> Found:
        """As `Index.search`."""
        return self.turns.search(text, limit, context=context, taste=taste, wiki=self.wiki)


def index(root: Path, talks: Iterable[Talk], claims: bool = False) -> Asked:
    """New indexes that hold them."""
    opened, wiki = Index.open(root), Index.open(root / "wiki")
    assert not isinstance(opened, Unusable) and not isinstance(wiki, Unusable), (opened, wiki)
    told = tuple(talks)
    opened.add(tuple(batch for talk in told for batch in talk.batches))
    if claims:
        wiki.add(tuple(topic for talk in told for topic in talk.topics))
    return Asked(opened, wiki if claims else None)


def recall(asked: Asked, question: Question, taste: Taste) -> float:
    """The share of a question's evidence among the first hits."""
    found: set[str] = set()
    for hit in asked.search(question.text, FIRST, taste=taste).hits:
        found |= {hit.passage.cite} if isinstance(hit, Hit) else set(hit.cites) if isinstance(hit, Told) else set()
    return sum(one in found for one in question.evidence) / len(question.evidence)


def measure(pairs: Sequence[tuple[Asked, Talk]], taste: Taste) -> dict[str, float]:
    """Mean recall: over all, by conversation, by category, on the chosen three and on the others."""
    shares: dict[str, list[float]] = defaultdict(list)
    for asked, talk in pairs:
        for question in talk.questions:
            share = recall(asked, question, taste)
            group = "chosen on" if talk.name in CHOSEN_ON else "held out"
            for key in ("all", group, CATEGORIES[question.category], talk.name):
                shares[key].append(share)
    return {key: sum(values) / len(values) for key, values in shares.items()}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--claims", action="store_true")
    given = parser.parse_args()
    talks = read(given.path)
    tastes = {"everything": Taste()}
    if given.ablations:
        tastes |= {
            "without neighbours": Taste(spread=()),
            "without speakers": Taste(names=False),
            "without dates": Taste(dates=False),
            "without nearness": Taste(near=False),
            "without sessions": Taste(sessions=False),
            "without the floor": Taste(floor=0.0),
            "words only": Taste(spread=(), names=False, dates=False, near=False, sessions=False, floor=0.0),
        }
    with tempfile.TemporaryDirectory() as place:
        apart = [(index(Path(place) / talk.name, [talk], given.claims), talk) for talk in talks]
        start = time.perf_counter()
        whole = index(Path(place) / "all", talks, given.claims)
        took = time.perf_counter() - start
        count = sum(len(batch.turns) for talk in talks for batch in talk.batches)
        print(f"indexed {count} turns in {took:.2f} s: {count / took:,.0f} a second")
        for name, taste in tastes.items():
            print(name)
            for where, pairs in (("one index each", apart), ("all in one", [(whole, talk) for talk in talks])):
                figures = measure(pairs, taste)
                print(f"  {where:15}", "  ".join(f"{key} {value:.3f}" for key, value in sorted(figures.items())))
        print("warm search in the index of all:", _pace(whole, talks))


def _pace(whole: Asked, talks: Sequence[Talk]) -> str:
    times = []
    for talk in talks:
        for question in talk.questions:
            start = time.perf_counter()
            whole.search(question.text, FIRST, context=1)
            times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return f"p50 {times[len(times) // 2]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms"


if __name__ == "__main__":
    main()
