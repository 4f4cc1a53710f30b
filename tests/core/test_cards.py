"""Session cards: at most 40 lines, whatever the session holds, and the words of a person first."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikimem.core import cards, fold, indexes
from wikimem.core.claimfiles import ClaimFile, Episode, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.cold import Cold
from wikimem.core.screening import screen
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.zones import UTC, Zone
from wikimem.edges import zones

SOURCE = "20260814-claude-code-9f3a1c2b"
PLACE = f"sources/2026/08/{SOURCE}.jsonl"
NASTY = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "nasty.jsonl").read_text(encoding="utf-8").splitlines()
]
TURNS = (
    Turn("L1", Speaker.HARNESS, Form.PROSE, "Rules."),
    Turn("L2", Speaker.HUMAN, Form.PROSE, "Cap the retries\nat three, please."),
    Turn("L3", Speaker.ASSISTANT, Form.CALL, '{"file_path": "src/retry.py"}', name="Edit", call="a"),
    Turn("L4", Speaker.ASSISTANT, Form.CALL, '{"command": "make `x`"}', name="Bash", call="b"),
    Turn("L5", Speaker.TOOL, Form.RESULT, "Error", call="b", error=True),
    Turn("L6", Speaker.ASSISTANT, Form.CALL, '{"command": "wikimem recall x"}', name="Bash", call="c"),
    Turn("L7", Speaker.ASSISTANT, Form.PROSE, "Retries are capped at three."),
)


def claim(number: int, text: str = "Retries stop after 3 attempts.") -> Claim:
    evidence = Evidence("L2", "t", "at three", "human", source=SOURCE)
    return Claim(Mention("", "topic", f"retries {number}"), "", Kind.SEMANTIC, Stance.FACT, text, (evidence,))


def card(*claims: Claim, episode: Episode = Episode()) -> str:  # noqa: B008
    facts = {"scope": "project:checkout", "started": "2026-08-14T10:00:00Z"}
    return cards.write(cards.of(SOURCE, screen(TURNS), claims, episode, facts, PLACE))


def test_a_card_tells_what_the_session_was() -> None:
    assert card(claim(1)) == (
        "---\ntitle: Cap the retries at three, please.\ntype: session\nscope: project:checkout\n"
        'started: "2026-08-14T10:00Z"\nsource: "20260814-claude-code-9f3a1c2b"\n---\n\n'
        "# Cap the retries at three, please.\n\n"
        "**Asked:** Cap the retries at three, please.\n\n"
        "**Outcome:** Retries are capped at three.\n\n"
        "## Files\n\n- `src/retry.py`\n\n"
        "## Commands\n\n- `` make `x` ``: failed\n\n"
        "## Claims\n\n"
        f"- Retries stop after 3 attempts. (fact) [L2](../../../../{PLACE}#L2)\n"
    )
    assert "**Outcome:** Done." in card(episode=Episode("A", "Done."))
    assert cards.path(SOURCE) == f"sessions/2026/08/{SOURCE}.md"
    assert cards.path("undated-note-00000000") == "sessions/undated/undated-note-00000000.md"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(NASTY) | st.text(), max_size=30),
    st.integers(0, 40),
)
def test_a_card_never_grows_beyond_forty_lines(words: list[str], count: int) -> None:
    turns = [
        Turn(
            f"L{n}",
            Speaker.HUMAN if n % 2 else Speaker.ASSISTANT,
            Form.PROSE if n % 3 else Form.CALL,
            text,
            name="Bash",
        )
        for n, text in enumerate(words)
    ]
    claims = [claim(n, "Retries stop.") for n in range(count)]
    text = cards.write(cards.of(SOURCE, screen(turns), claims, Episode(), {}, PLACE))
    assert text.count("\n") <= cards.LINES
    assert ("## Claims" in text) == bool(count)


def test_index_pages_hold_no_counts_and_only_folders_in_use() -> None:
    wiki = fold.whole([ClaimFile(Stamp(SOURCE, "", "", "", ""), (claim(1), claim(2)))], {})
    made = indexes.all_pages(wiki, Cold())
    assert set(made) == {"index.md", "topics/index.md"}
    assert made["topics/index.md"] == (
        "# Topics\n\n"
        "- [Retries 1](retries-1.md): Retries stop after 3 attempts.\n"
        "- [Retries 2](retries-2.md): Retries stop after 3 attempts.\n"
    )
    assert "[Topics](topics/index.md)" in made["index.md"]
    assert "People" not in made["index.md"]


def asked(words: str, answer: str = "Done.", said: str = "2026-03-02T23:30:00Z", name: str = "", zone: Zone = UTC) -> str:
    turns = (
        Turn("L1", Speaker.HUMAN, Form.PROSE, words, said=said),
        Turn("L2", Speaker.ASSISTANT, Form.PROSE, answer, said=said),
    )
    facts = {"started": said, **({"named": name} if name else {})}
    return cards.write(cards.of(SOURCE, screen(turns), (), Episode(), facts, PLACE, zone))


RELATIVE = re.compile(
    r"(?i)\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:week|month|friday|evening))(?!'s \[)(?:'s)?+\b(?! \[)"
)


def bare(text: str) -> list[str]:
    """The relative dates of a card that stand without an absolute one."""
    return [found[0] for found in RELATIVE.finditer(text.replace("\\", ""))]


@pytest.mark.parametrize(
    ("words", "dated"),
    [
        ("Yesterday the pump failed.", "Yesterday [2026-03-01] the pump failed."),
        ("Release it tomorrow.", "Release it tomorrow [2026-03-03]."),
        ("Read yesterday's log.", "Read yesterday's [2026-03-01] log."),
        ("Ship it this evening.", "Ship it this evening [2026-03-02]."),
        ("Plan the move of last week.", "Plan the move of last week [2026-02-23 to 2026-03-01]."),
        ("Cap it at three.", "Cap it at three."),
    ],
)
def test_no_yesterday_stands_on_a_card_without_its_date(words: str, dated: str) -> None:
    for text in (asked(words), asked("Begin.", answer=words), asked("Begin.", name=words)):
        assert dated in text.replace("\\", "")
        assert bare(text) == []


PARTS = ("yesterday", "next week", "the pump", "tomorrow", "failed twice and was mended")


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=40))
def test_a_cut_never_parts_a_word_from_its_date(words: list[str]) -> None:
    text = asked(" ".join(words))
    assert bare(text) == []
    assert text.count("[") == text.count("]")


def test_words_that_nobody_dated_stay_as_they_are() -> None:
    assert "**Asked:** Mend it tomorrow.\n" in asked("Mend it tomorrow.", said="")


def test_a_card_tells_its_beginning_in_the_zone_of_the_vault() -> None:
    berlin = zones.named("Europe/Berlin")
    assert berlin is not None
    assert 'started: "2026-03-03T00:30+01:00"' in asked("Begin.", zone=berlin)
