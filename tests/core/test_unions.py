"""Unions: whichever side unites, the file is the same, and nothing that one side added is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import claimfiles, unions
from wikimem.core.claimfiles import ClaimFile, Stamp

lines = st.sets(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n"])).map(lambda found: b"".join(sorted(found)))
stamps = st.builds(
    Stamp,
    source=st.just("20260302-edit-0badcafe"),
    sha256=st.sampled_from(["old", "new"]),
    prompts=st.sampled_from(["1", "2"]),
    model=st.sampled_from(["rules", "anthropic/x", "ollama/y"]),
    vocabulary=st.just("v"),
    schema=st.sampled_from([1, 2]),
)
files = stamps.map(lambda stamp: claimfiles.write(ClaimFile(stamp)))


@given(lines, lines, lines)
def test_sets_of_lines_are_joined_alike_from_both_sides(base: bytes, one: bytes, other: bytes) -> None:
    joined = unions.lines(base, one, other)
    assert joined == unions.lines(base, other, one)
    assert unions.lines(base, joined, joined) == joined
    told, old = set(joined.splitlines()), set(base.splitlines())
    left, right = set(one.splitlines()), set(other.splitlines())
    assert told >= (left | right) - old
    assert not told & ((old - left) | (old - right))


def test_a_last_line_without_an_end_is_the_same_line() -> None:
    assert unions.lines(b"", b"a\nb", b"b\nc\n") == b"a\nb\nc\n"


@given(files, files)
def test_of_two_claims_files_both_sides_choose_the_same(one: bytes, other: bytes) -> None:
    assert unions.claims(one, other, "new") == unions.claims(other, one, "new")


def test_what_was_made_from_the_bytes_that_are_there_by_a_model_wins() -> None:
    def file(content: str, model: str, schema: int = 1) -> bytes:
        return claimfiles.write(ClaimFile(Stamp("20260302-edit-0badcafe", content, "p", model, "v", schema)))

    best = [
        file("new", "ollama/y", 2),
        file("new", "rules", 2),
        file("new", "ollama/y"),
        file("new", "rules"),
        file("old", "x", 9),
    ]
    for better, worse in zip(best, [*best[1:], b"no stamp\n"], strict=True):
        assert unions.claims(better, worse, "new") == unions.claims(worse, better, "new") == better


def test_the_first_recorded_sidecar_stays() -> None:
    early, late = ("2026-07-01T09:00:00Z", b"z"), ("2026-07-01T10:00:00Z", b"a")
    assert unions.sidecar(early, late) == unions.sidecar(late, early) == b"z"
    assert unions.sidecar(("", b"b"), ("", b"a")) == b"a"


def test_what_one_side_left_alone_is_as_the_other_has_it() -> None:
    assert [unions.side(*sides) for sides in (("a", "a", "b"), ("a", "b", "a"), ("a", "", "a"), ("", "b", "b"))] == [
        "b",
        "b",
        "",
        "b",
    ]
    assert unions.side("a", "b", "c") is None
