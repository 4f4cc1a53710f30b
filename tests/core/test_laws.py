"""The laws of the memory, on generated histories of nasty texts: order does not matter, nothing is lost or lingers."""

import json
import random
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wikimem.core import claimfiles, fold, indexes, judgements, lines, pages, splits, texts, timeline
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance
from wikimem.core.cold import Cold
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Pair, Relation, pair

CASES = Path(__file__).parents[1] / "cases"
NASTY = [json.loads(line) for line in (CASES / "nasty.jsonl").read_text(encoding="utf-8").splitlines()]

fragments = st.lists(st.sampled_from(NASTY) | st.text(max_size=4), min_size=1, max_size=5)
nasty = fragments.map(lambda made: texts.normal(" ".join(made))).filter(bool)
plain = st.sampled_from(
    [
        "The port is 5432.",
        "The port is 6432.",
        "Retries stop after 3 attempts.",
        "Payment retries use slog.",
        "Use tabs.",
    ]
)
names = st.sampled_from(["payment retries", "Payment-Retries", "slog", "checkout", "C++", "!!!", "Übung"]) | nasty
days = st.sampled_from(["", "2025", "2025-12", "2026-01-05", "2026-02-01", "2026-02-01T10:30Z", "2026-03-09"])
times = st.sampled_from(
    ["", "2026-01-05", "2026-01-05T09:00:00Z", "2026-01-05T15:00:00Z", "2026-02-01T10:00:00", "2026-03-09T23:59:59Z"]
)
SOURCES = [f"2026010{n}-claude-code-0000000{n}" for n in range(1, 6)]


def a_bound(moment: str) -> Bound:
    return Bound(moment, Basis.STATED) if moment else Bound()


def marker(source: str) -> str:
    """A word that only this source's quotes hold."""
    return f"zq{source[-8:]}x"


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    source = draw(st.sampled_from(SOURCES))
    start = draw(days)
    accepts = draw(st.booleans()) and draw(st.booleans())
    line = draw(st.integers(1, 40))
    return Evidence(
        at=f"L{line}" if draw(st.booleans()) else f"agent-a1/L{line}-2",
        turn=f"t{draw(st.integers(0, 60))}" if draw(st.booleans()) else "",
        quote=f"{marker(source)} {draw(nasty)}",
        speaker=draw(st.sampled_from(["human", "assistant", "tool"])),
        name=draw(st.sampled_from(["", "", "Mira", "Sam · (ops)", "[x]"])),
        said=draw(times),
        holds=Holds(a_bound(start), a_bound(draw(days)) if draw(st.booleans()) else Bound()),
        proposal=Proposal("L1", "t", f"{marker(source)} {draw(nasty)}") if accepts else None,
        source=source,
    )


@st.composite
def some_claims(draw: st.DrawFn) -> Claim:
    mention = Mention(
        draw(st.sampled_from(["project:a", "project:b", ""])),
        draw(st.sampled_from(["topic", "topic", "topic", "person", "procedure"])),
        texts.normal(draw(names)) or "x",
    )
    return Claim(
        mention,
        draw(st.sampled_from(["", "port", "retry-limit", "convention", "indentation"])),
        draw(st.sampled_from(list(Kind))),
        draw(st.sampled_from(list(Stance))),
        draw(plain | nasty),
        (draw(evidences()),),
        confidence=draw(st.sampled_from([0, 0, 40, 75, 100])),
        step=draw(st.integers(0, 3)),
    )


History = tuple[list[Claim], dict[Pair, Judgement]]


@st.composite
def histories(draw: st.DrawFn) -> History:
    claims = draw(st.lists(some_claims(), min_size=1, max_size=9))
    ids = sorted({claim.id for claim in claims})
    mentions = sorted({claim.mention.id for claim in claims})
    found = []
    for of, known, relations in (
        ("claims", ids, [relation for relation in Relation if relation is not Relation.DIFFERENT]),
        ("mentions", mentions, [Relation.SAME, Relation.DIFFERENT]),
    ):
        if len(known) > 1:
            for _ in range(draw(st.integers(0, 4))):
                one, other = draw(st.sampled_from(known)), draw(st.sampled_from(known))
                if one != other:
                    found.append(Judgement(pair(one, other), of, draw(st.sampled_from(relations)), "test"))
    return claims, judgements.settled(found)


def files(claims: list[Claim]) -> list[ClaimFile]:
    sources = dict.fromkeys(claim.evidence[0].source for claim in claims)
    return [
        ClaimFile(Stamp(source, "", "", "", ""), tuple(one for one in claims if one.evidence[0].source == source))
        for source in sources
    ]


def rendered(wiki: Wiki) -> dict[str, str]:
    made = {path: pages.write(page) for key in wiki.subjects for path, page in splits.all_pages(wiki, key, Cold(), {}).items()}
    return made | indexes.all_pages(wiki, Cold())


LAW = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@LAW
@given(histories(), st.randoms(use_true_random=False))
def test_any_order_gives_the_same_bytes(history: tuple[list[Claim], dict[Pair, Judgement]], chance: random.Random) -> None:
    claims, judged = history
    first = rendered(fold.whole(files(claims), judged))
    shuffled = chance.sample(claims, len(claims))
    backwards = dict(reversed(judged.items()))
    assert rendered(fold.whole(files(shuffled), backwards)) == first


@LAW
@given(histories(), st.randoms(use_true_random=False))
def test_folding_step_by_step_equals_folding_at_once(
    history: tuple[list[Claim], dict[Pair, Judgement]], chance: random.Random
) -> None:
    claims, judged = history
    order = chance.sample(files(claims), len(files(claims)))
    wiki = fold.empty()
    shown: dict[str, str] = {}
    for count in range(1, len(order) + 1):
        before, wiki = wiki, fold.again(wiki, order[:count], judged)
        assert wiki == fold.whole(order[:count], judged)
        changed = fold.touched(before, wiki)
        # Only what is named as touched is rendered again, and that is enough.
        gone = [before.path(key) for key in changed if key in before.subjects]
        shown = {path: text for path, text in shown.items() if not any(is_part(path, whole) for whole in gone)}
        for key in changed:
            if key in wiki.subjects:
                made = splits.all_pages(wiki, key, Cold(), {})
                shown |= {path: pages.write(page) for path, page in made.items()}
        assert shown | indexes.all_pages(wiki, Cold()) == rendered(wiki)


def is_part(path: str, whole: str) -> bool:
    return path == whole or path.startswith(f"{whole.removesuffix('.md')}/")


@LAW
@given(histories(), st.sampled_from(SOURCES))
def test_nothing_lingers_of_a_removed_source(history: tuple[list[Claim], dict[Pair, Judgement]], removed: str) -> None:
    claims, judged = history
    every = files(claims)
    left = [file for file in every if file.stamp.source != removed]
    gone = claimfiles.ids(every) - claimfiles.ids(left)
    living = judgements.settled(judgements.without(judged.values(), gone))
    wiki = fold.again(fold.whole(every, judged), left, living)
    texts_left = rendered(wiki)
    assert all(marker(removed) not in text and removed not in text for text in texts_left.values())
    assert texts_left == rendered(fold.whole(left, living))
    assert len(texts_left) > 1 or not left


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_pages_are_read_back_and_show_their_claims(history: tuple[list[Claim], dict[Pair, Judgement]]) -> None:
    claims, judged = history
    wiki = fold.whole(files(claims), judged)
    paths = [wiki.path(key) for key in wiki.subjects]
    assert len({path.casefold() for path in paths}) == len(wiki.subjects)
    for key, subject in wiki.subjects.items():
        for path, page in splits.all_pages(wiki, key, Cold(), {}).items():
            text = pages.write(page)
            assert pages.parse(text) == page, path
            assert pages.write(pages.parse(text)) == text
            shown = {line.id for _, line in page.claims}
            assert shown == {standing.claim.id for standing in subject.standings}
            assert shown == set(page.notes)
            assert visible(text) == [line for _, line in sorted_lines(page)]


def sorted_lines(page: pages.Page) -> list[tuple[str, str]]:
    """What a reader sees of the claim lines of a page, in order."""
    found = []
    for section, line in page.claims:
        tail = lines.write_tail(line.tail)
        found.append((section, f"{seen(line.text)}{f' ({tail})' if tail else ''} [^{line.id}]"))
    return found


def seen(text: str) -> str:
    """Claim text as a reader sees it: code spans without their backticks."""

    def content(raw: str) -> str:
        inner = raw.strip("`")
        return inner[1:-1] if inner.strip() and inner[0] == inner[-1] == " " else inner

    return "".join(content(piece) if kind == "code" else piece for kind, piece in lines._pieces(text))


def visible(text: str) -> list[str]:
    """The texts of list items that end in a citation, as a markdown parser shows them."""
    md = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    md.normalizeLinkText = lambda url: url  # type: ignore[method-assign, assignment]
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL).split("\n## Related\n")[0]
    found = []
    tokens = md.parse(body)
    for index, token in enumerate(tokens):
        if token.type == "inline" and index > 1 and tokens[index - 2].type == "list_item_open":
            marks = {child.type for child in token.children or []}
            assert not marks & {"em_open", "strong_open", "image", "html_inline", "hardbreak", "softbreak"}, token.content
            item = "".join(child.content for child in token.children or [] if child.type in ("text", "code_inline"))
            if re.search(r"\[\^[a-z2-7]{12}\]$", item):
                found.append(item)
    return found


@LAW
@given(histories())
def test_claims_files_are_canonical(history: tuple[list[Claim], dict[Pair, Judgement]]) -> None:
    claims, judged = history
    for file in files(claims):
        data = claimfiles.write(file)
        read, problems = claimfiles.read(data, "file")
        assert not problems
        assert read is not None
        assert claimfiles.write(read) == data
        assert {one.id for one in read.claims} == {one.id for one in file.claims}
        # Two machines that add lines and merge them by union lose nothing.
        doubled, problems = claimfiles.read(data + b"".join(data.splitlines(keepends=True)[1:]), "file")
        assert doubled == read
        assert not problems
    both = judgements.write(judged.values())
    again, troubles = judgements.read(both, "pairs")
    assert judgements.settled(again) == judged
    assert not troubles


@LAW
@given(histories(), days.filter(bool), st.sampled_from(["2026-01-05", "2026-02", "2026-12-31"]))
def test_time_is_consistent(history: tuple[list[Claim], dict[Pair, Judgement]], moment: str, known: str) -> None:
    claims, judged = history
    wiki = fold.whole(files(claims), judged)
    for subject in wiki.subjects.values():
        for standing in subject.standings:
            assert standing.intervals
            opened = [interval for interval in standing.intervals if interval.ending is None]
            assert len(opened) <= 1
            ends = [interval.ends for interval in standing.intervals if interval.begins and interval.ends]
            assert ends == sorted(ends)
            for interval in standing.intervals:
                if isinstance(interval.ending, timeline.Superseded):
                    assert not interval.begins or interval.begins <= interval.ends
        held = timeline.at(subject.standings, moment)
        assert set(held) <= set(subject.standings)
        learned = timeline.known(subject.claims, known, {})
        assert {one.id for one in learned} <= {one.id for one in subject.claims}
        assert timeline.known(subject.claims, "9999", {}) == subject.claims
