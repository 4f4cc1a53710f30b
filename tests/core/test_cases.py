"""The cases that people can read: tables of claims in, pages out, byte for byte.

A case is a markdown file of `tests/cases/`: a table of claims under `## Claims`, one of judgements under
`## Judgements` if any were made, and each page that must come out in a fence under `## Page <path>`, with `{a}` for the
id of the claim whose row is named `a`. A page under `## Edited <path>` is what a person left there: it is kept.
"""

import re
from pathlib import Path

import pytest

from wikimem.core import fold, keep, pages, splits
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance
from wikimem.core.cold import Cold, Intro
from wikimem.core.judgements import Judgement, Pair, Relation, pair, settled
from wikimem.core.vocabulary import SHIPPED

CASES = Path(__file__).parents[1] / "cases"
NAMED = sorted(path.stem for path in CASES.glob("*.md"))


def sections(text: str) -> dict[str, str]:
    """The second-level sections of a case that stand outside its fences."""
    found: dict[str, str] = {}
    title, fenced = "", False
    for line in text.split("\n"):
        fenced ^= line.startswith("````")
        if line.startswith("## ") and not fenced:
            title = line[3:]
            found[title] = ""
        elif title:
            found[title] += f"{line}\n"
    return found


def table(text: str) -> list[dict[str, str]]:
    """The rows of a markdown table, by its heads; `\\|` is a bar within a cell."""
    rows = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        for line in text.split("\n")
        if line.startswith("|")
    ]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]] if rows else []


def bound(told: str) -> Bound:
    """`2026-08-14` as stated, `2026-08-14?` as inferred, nothing as unknown."""
    if not told:
        return Bound()
    return Bound(told.rstrip("?"), Basis.INFERRED if told.endswith("?") else Basis.STATED)


def evidence(row: dict[str, str]) -> Evidence:
    start, _, end = row.get("holds", "").partition(" to ")
    name = re.fullmatch(r"(\w+) \((.*)\)", row["speaker"])
    at, _, accepted = row["at"].partition(" accepting ")
    words, _, proposed = row["quote"].partition(" accepting ")
    return Evidence(
        at=at,
        turn=f"{row['source']}/{at}",
        quote=words,
        speaker=name[1] if name else row["speaker"],
        name=name[2] if name else "",
        said=row["said"],
        holds=Holds(bound(start.strip()), bound(end.strip())),
        proposal=Proposal(accepted, f"{row['source']}/{accepted}", proposed) if accepted else None,
        source=row["source"],
    )


def claim(row: dict[str, str]) -> Claim:
    kind, stance, *rest = row["kind"].split()
    numbers = dict(item.split("=") for item in rest)
    type_, name = row["about"].split(": ", 1)
    return Claim(
        Mention(row.get("scope", ""), type_, name),
        row["attribute"],
        Kind(kind),
        Stance(stance),
        row["text"],
        (evidence(row),),
        confidence=int(numbers.get("sure", "0")),
        step=int(numbers.get("step", "0")),
    )


def files(named: list[tuple[str, Claim]]) -> list[ClaimFile]:
    """Claims files of the sources that the claims stand in."""
    sources = sorted({one.evidence[0].source for _, one in named})
    return [
        ClaimFile(
            Stamp(source, "", "", "table", ""),
            tuple(one for _, one in named if one.evidence[0].source == source),
        )
        for source in sources
    ]


def judgements(text: str, ids: dict[str, str], mentions: dict[str, str]) -> dict[Pair, Judgement]:
    found = []
    for row in table(text):
        claims = row["one"] in ids
        one, other = (ids[row["one"]], ids[row["other"]]) if claims else (mentions[row["one"]], mentions[row["other"]])
        relation = row["relation"]
        if one > other and "refines" in relation:
            relation = {"a-refines-b": "b-refines-a", "b-refines-a": "a-refines-b"}[relation]
        of = "claims" if claims else "mentions"
        found.append(Judgement(pair(one, other), of, Relation(relation), row.get("by", "table")))
    return settled(found)


def cold(told: dict[str, str], wiki: fold.Wiki, ids: dict[str, str]) -> Cold:
    intros = {}
    reasons = {}
    keys = {subject.title: key for key, subject in wiki.subjects.items()}
    for row in table(told.get("Leads", "")):
        intros[keys[row["about"]]] = Intro(((row["sentence"], (ids[row["claim"]],)),), row["summary"])
    for row in table(told.get("Reasons", "")):
        reasons[(keys[row["about"]], keys[row["related"]])] = row["reason"]
    return Cold(intros, reasons)


def fenced(text: str, ids: dict[str, str]) -> str:
    match = re.search(r"````markdown\n(.*?)````", text, re.DOTALL)
    assert match, "a page stands in a fence of four backticks"
    page = match[1]
    for name, id in ids.items():
        page = page.replace(f"{{{name}}}", id)
    return page


@pytest.mark.parametrize("case", NAMED)
def test_case(case: str) -> None:
    told = sections((CASES / f"{case}.md").read_text(encoding="utf-8"))
    named = [(row["row"], claim(row)) for row in table(told["Claims"])]
    ids = {name: one.id for name, one in named}
    mentions = {one.mention.name: one.mention.id for _, one in named}
    wiki = fold.whole(files(named), judgements(told.get("Judgements", ""), ids, mentions), SHIPPED)
    rests = cold(told, wiki, ids)
    made = {path: page for key in wiki.subjects for path, page in splits.all_pages(wiki, key, rests, {}).items()}
    expected = {title.split()[1]: fenced(text, ids) for title, text in told.items() if title.startswith("Page ")}
    assert expected
    for path, text in expected.items():
        page = made[path]
        left = told.get(f"Edited {path}")
        if left is not None:
            page = keep.carry(pages.parse(fenced(left, ids)), page)
        assert pages.write(page) == text
        assert pages.parse(text) == page


def test_every_case_names_what_it_shows() -> None:
    assert NAMED
    for case in NAMED:
        assert (CASES / f"{case}.md").read_text(encoding="utf-8").startswith("# ")
