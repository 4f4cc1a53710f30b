"""Query strings that break other searches: each finds what it says, none raises, none finds everything."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.index import Batch, Index

SAID = {
    "models": "we moved from gpt-5o to the codex-cli hook",
    "danger": "never run chmod -R 777 on /var",
    "cpp": "port the C++ lexer, see issue #731",
    "sharp": "the C# service targets .NET 9",
    "env": "the secret is in .env, pass --dry-run first",
    "band": "The Who played in Leeds",
    "ids": "user:theme moved to app.settings on 2026-10-06, in src/app/settings.py",
    "sums": "use K=128 with retryLimit and max_open_files",
    "folder": "Archive/notes holds 40-60GB",
    "hamlet": "to be or not to be",
    "cafe": "lunch at Café İzmir about the ＡＰＩ 🚀",
    "tokyo": "東京都の天気予報",
    "filler": "nothing else happened that afternoon",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = Index.open(tmp_path_factory.mktemp("queries") / "index")
    assert isinstance(made, Index)
    made.add([Batch(name, "k", "", [Turn("L1", Speaker.HUMAN, Form.PROSE, text)]) for name, text in SAID.items()])
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("gpt-5o", "models"),
        ("codex-cli", "models"),
        ("chmod -R", "danger"),
        ("-R 777", "danger"),
        ("NOT chmod", "danger"),
        ("-chmod", "danger"),
        ("C++", "cpp"),
        ("#731", "cpp"),
        ("731", "cpp"),
        ("C#", "sharp"),
        (".NET", "sharp"),
        (".env", "env"),
        ("--dry-run", "env"),
        ("dry run", "env"),
        ("The Who", "band"),
        ("user:theme", "ids"),
        ("app.settings", "ids"),
        ("settings.py", "ids"),
        ("src/app", "ids"),
        ("2026-10-06", "ids"),
        ("K=128", "sums"),
        ("retry limit", "sums"),
        ("retrylimit", "sums"),
        ("open files", "sums"),
        ("max_open_files", "sums"),
        ("Archive/notes", "folder"),
        ("60GB", "folder"),
        ("60 gb", "folder"),
        ("to be or not to be", "hamlet"),
        ("cafe", "cafe"),
        ("CAFÉ", "cafe"),
        ("izmir", "cafe"),
        ("API", "cafe"),
        ("ａｐｉ", "cafe"),
        ("🚀", "cafe"),
        ("京都", "tokyo"),
        ("天気", "tokyo"),
        ("京", "tokyo"),
        ('"unclosed lexer', "cpp"),
        ("(lexer", "cpp"),
        ("lexer AND", "cpp"),
        ("lexer* ^lexer", "cpp"),
        ("foo\nlexer", "cpp"),
        ('{"q":"lexer"}', "cpp"),
        ("path:* lexer", "cpp"),
    ],
)
def test_what_is_asked_is_found(index: Index, question: str, first: str) -> None:
    found = index.search(question, listing=True)
    assert found.hits[0].passage.source == first
    assert len(found.hits) < len(SAID)


@pytest.mark.parametrize("question", ["*", "**", "?", "~", "\\", "", "   ", "\n", "[a-z]+", "x^11", "a" * 5000, "\x00", "\ud800"])
def test_what_says_nothing_finds_nothing(index: Index, question: str) -> None:
    assert index.search(question, listing=True).hits == ()


def test_c_plus_plus_and_c_sharp_are_apart(index: Index) -> None:
    assert [hit.passage.source for hit in index.search("C++").hits] == ["cpp"]
    assert [hit.passage.source for hit in index.search("C#").hits] == ["sharp"]


@given(st.text(max_size=60) | st.text('"()[]{}*?~^:\\-+ANDORTx ', max_size=30))
def test_no_text_raises_or_finds_everything(index: Index, question: str) -> None:
    found = index.search(question, None)
    assert not found.problems
    assert len(found.hits) < len(SAID)
