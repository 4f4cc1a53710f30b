"""Words: whatever stands in a text can be asked for as it stands there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The retries, capped.", ["the", "retries", "capped"]),
        ("Café CAFÉ İstanbul ＡＰＩ ﬁle", ["cafe", "cafe", "istanbul", "api", "file"]),
        ("it's Anna's don't don’t", ["it", "anna", "dont", "dont"]),
        ("C++ and C#, not C; c++17", ["c++", "and", "c#", "not", "c", "c++17"]),
        (
            ".env .NET --dry-run -rf #417",
            [".env", "env", ".net", "net", "--dry-run", "dry", "run", "-rf", "rf", "#417", "417"],
        ),
        ("retryLimit retry_limit", ["retrylimit", "retry", "limit", "retry_limit", "retry", "limit"]),
        ("HTTPServer IDs", ["httpserver", "http", "server", "ids"]),
        ("src/app/main.py:12", ["src/app/main.py:12", "main.py", "src", "app", "main", "py", "12"]),
        ("50-80GB utf8", ["50-80gb", "50", "80", "gb", "utf8", "utf", "8"]),
        ("9f3a1c2b", ["9f3a1c2b"]),
        ("N=64 Top-P%Cut", ["n", "64", "top-p", "top", "p", "cut"]),
        ("東京都でAPI", ["東", "京", "都", "で", "東京", "京都", "都で", "api"]),
        ("猫", ["猫"]),
        ("done 🚀", ["done", "🚀"]),
        ("* ** ? ~ \\ \"' ( [", []),
        ("", []),
    ],
)
def test_cut(text: str, found: list[str]) -> None:
    assert words.split(text) == found


@given(st.text())
def test_any_text_is_cut_into_short_folded_words(text: str) -> None:
    for word in words.split(text):
        assert word
        assert len(word) <= words.LONGEST
        assert not any(sign.isspace() for sign in word)


@given(st.text())
def test_a_text_cut_chunk_by_chunk_is_the_text_cut(text: str) -> None:
    assert words.split(text) == [word for chunk in words.chunks(text) for word in words.of_chunk(chunk)]


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert words.fold(words.fold(text)) == words.fold(text)


def test_places_are_where_the_words_stand() -> None:
    text = "Retries stop. The ＲＥＴＲＹ limit is three; retry_limit too."
    found = words.places(text, {"retry"}, words.of_chunk)
    assert [text[spot:].split()[0] for spot in found] == ["ＲＥＴＲＹ", "retry_limit"]
