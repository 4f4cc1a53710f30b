"""Irregular forms."""

from __future__ import annotations

from wikimem.core.irregular import FORMS
from wikimem.core.queries import parse
from wikimem.edges.index.schema import stem


def test_forms_of_a_word_have_one_root() -> None:
    assert {stem(word) for word in ("buy", "buys", "buying", "bought")} == {stem("buy")}
    assert stem("children") == stem("child")


def test_short_forms_are_the_word_that_they_are_short_for() -> None:
    assert {stem(word) for word in ("docs", "doc", "documentation")} == {stem("documentation")}
    assert stem("subdirs") == stem("folder") == stem("directory")
    assert stem("app") != stem("application")


def test_no_form_leads_to_another_form() -> None:
    assert not FORMS.keys() & set(FORMS.values())
    assert all(form.isalpha() and form.islower() for form in FORMS)


def test_a_question_asks_for_the_root() -> None:
    assert [term.root for term in parse("who taught the children", stem).terms] == [stem("teach"), stem("child")]
