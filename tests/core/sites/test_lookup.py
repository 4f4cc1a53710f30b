"""The split index: words of every script, files that come back as they were, and mending equal to making anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.sites import lookup
from wikimem.core.sites.lookup import Postings


def test_terms_are_folded_and_dense_scripts_are_cut_into_pairs() -> None:
    assert lookup.terms("The Café’s retry_limit, 3×!") == ["the", "cafe", "retry", "limit"]
    assert lookup.terms("支付网关") == ["支付", "付网", "网关"]
    assert lookup.terms("用 pgbouncer池") == ["用", "pgbouncer", "池"]
    assert lookup.terms("Ключ") == ["ключ"]
    assert lookup.terms("한국어") == ["한국", "국어"]


def test_a_term_is_in_the_file_of_its_first_letters() -> None:
    assert [lookup.shard(term) for term in ("retry", "r2", "é", "ключ", "支付")] == ["re", "r2", "ue9", "u43a", "u194"]


def test_a_number_is_the_same_whoever_else_is_there() -> None:
    some, more = lookup.numbers(["topics/a.md", "topics/b.md"]), lookup.numbers(["topics/a.md", "people/z.md", "topics/b.md"])
    assert more["topics/a.md"] == some["topics/a.md"]
    assert len(set(more.values())) == 3


TEXTS = st.lists(st.text(alphabet="abc 支付é", max_size=12), min_size=1, max_size=5)


@given(TEXTS, st.integers(0, 4), st.text(alphabet="abc 支é", max_size=12))
def test_mending_a_document_gives_what_making_anew_gives(texts: list[str], at: int, changed: str) -> None:
    at %= len(texts)

    def made(told: list[str]) -> Postings:
        postings: Postings = {}
        for number, text in enumerate(told):
            lookup.add(postings, number, lookup.words(text, (), text))
        return postings

    mended = lookup.read(lookup.write("x", made(texts)))
    lookup.without(mended, [at])
    lookup.add(mended, at, lookup.words(changed, (), changed))
    anew = made([*texts[:at], changed, *texts[at + 1 :]])
    assert lookup.write("x", mended) == lookup.write("x", anew)


def test_a_script_cannot_be_left_or_change_what_objects_are() -> None:
    made = lookup.script("documents", "0a", {"7": ["</script>", "__proto__", "\u2028"]})
    assert made == 'wikimem.take("documents","0a",{"7":["</script>","__proto__","\u2028"]})\n'.encode()
