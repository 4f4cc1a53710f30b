"""Session cards: at most 40 lines, whatever the session holds, and the words of a person first."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from wikimem.core import cards, fold, indexes
from wikimem.core.claimfiles import ClaimFile, Episode, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.compose import Cold
from wikimem.core.screening import screen
from wikimem.core.turns import Form, Speaker, Turn

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
