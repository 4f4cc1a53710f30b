"""Names in texts: each page is linked once, code and addresses are told apart, and no letter is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.sites.names import Names, Piece

NAMES = Names([("Gate controller", "gate.html"), ("gate", "other.html"), ("npm test", "npm.html"), ("it", "no.html")])


def test_the_longest_name_counts_and_each_page_is_linked_once() -> None:
    assert NAMES.pieces("The gate controller and the gate, a Gate Controller.") == (
        Piece("text", "The "),
        Piece("name", "gate controller", "gate.html"),
        Piece("text", " and the "),
        Piece("name", "gate", "other.html"),
        Piece("text", ", a Gate Controller."),
    )


def test_a_name_inside_a_word_a_path_or_a_file_is_none() -> None:
    for text in ("gateway", "frigate", "src/gate/x", "gate.py", "gate-keeper"):
        assert NAMES.pieces(text) == (Piece("text", text),)


def test_code_and_addresses_are_pieces_of_their_own() -> None:
    assert NAMES.pieces("Run `npm test`, see https://example.org/gate.") == (
        Piece("text", "Run "),
        Piece("code", "npm test", "npm.html"),
        Piece("text", ", see "),
        Piece("url", "https://example.org/gate", "https://example.org/gate"),
        Piece("text", "."),
    )


def test_two_letters_are_no_name_to_look_for() -> None:
    assert NAMES.pieces("it is it") == (Piece("text", "it is it"),)


@given(st.text(alphabet="gate controller`htps:/.x ", max_size=60))
def test_no_letter_is_lost(text: str) -> None:
    pieces = NAMES.pieces(text)
    bare = "".join(piece.text for piece in pieces)
    assert bare.replace(" ", "") == text.replace("`", "").replace(" ", "") or "`" in text
    assert all(piece.href in ("", "gate.html", "other.html", "npm.html") or piece.kind == "url" for piece in pieces)
