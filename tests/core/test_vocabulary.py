"""The vocabulary: synonyms, single and volatile attributes, and what settings may add."""

from wikimem.core import vocabulary
from wikimem.core.vocabulary import SHIPPED, Attribute


def test_words_that_mean_the_same_are_one_attribute() -> None:
    for word in ("port", "Port number", "listens_on", "PORT"):
        found = SHIPPED.find(word)
        assert found is not None
        assert found.name == "port"
    assert SHIPPED.is_single("port number")
    assert not SHIPPED.is_single("leads")
    assert SHIPPED.is_volatile("status")
    assert SHIPPED.find("") is SHIPPED.find("colour of the sky") is None


def test_shipped_words_are_unambiguous() -> None:
    words = [vocabulary.slug(word) for one in SHIPPED.attributes for word in (one.name, *one.synonyms)]
    assert sorted(words) == sorted(set(words))
    assert all(word == vocabulary.slug(word) for word in words)


def test_settings_extend_it_and_win() -> None:
    more, problems = vocabulary.read(
        {"tide": {"single": True, "synonyms": ["Water level"]}, "port": {"synonyms": ["quay"]}}, "wikimem.toml"
    )
    assert not problems
    own = SHIPPED.extended(more)
    assert own.is_single("water-level")
    assert not own.is_single("port")
    assert own.find("quay") == Attribute("port", synonyms=("quay",))
    assert own.find("host") == SHIPPED.find("host")


def test_what_settings_cannot_say_is_named() -> None:
    good, problems = vocabulary.read(
        {
            "": {},
            "a": 1,
            "b": {"color": 1},
            "c": {"single": "yes"},
            "d": {"synonyms": "x"},
            "e": {"synonyms": [1]},
            "f": {"volatile": True},
        },
        "wikimem.toml",
    )
    assert [one.name for one in good] == ["f"]
    assert len(problems) == 6
    assert all(problem.where == "wikimem.toml" for problem in problems)
