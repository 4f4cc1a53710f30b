"""Of whom a sentence tells: a relative or friend, a person by name, or nobody but who speaks."""

from __future__ import annotations

import pytest

from wikimem.core import people

OTHERS = [
    ("My brother moved to Ghent last year.", "The user's brother"),
    ("Yesterday my brother moved to Ghent.", "The user's brother"),
    ("My mom's birthday is in May.", "The user's mom"),
    ("My kids love the river.", "The user's kids"),
    ("In June my cousin Matthias got a job.", "Matthias"),
    ("My manager, Paul, quit in May.", "Paul"),
    ("My best friend Hanne sold her kiln.", "Hanne"),
    ("Our team lead Ines is on leave.", "Ines"),
    ("Joris's brother moved to Lima.", "Joris's brother"),
    ("Ilka is the release captain.", "Ilka"),
    ("Sam is our new QA lead.", "Sam"),
    ("Wout next door is afraid of ladders.", "Wout"),
    ("Berta prefers short pull requests.", "Berta"),
]


@pytest.mark.parametrize(("text", "name"), OTHERS)
def test_who_is_told_of_has_a_name_or_is_somebodys(text: str, name: str) -> None:
    told = people.of(text)
    assert told is not None
    assert people.is_known(told)
    assert people.whose(told, "") == name


def test_a_relative_of_a_named_speaker_is_theirs() -> None:
    told = people.of("My sister moved to Ghent.")
    assert told is not None
    assert people.whose(told, "Bram") == "Bram's sister"


@pytest.mark.parametrize("text", ["Her sister moved to Ghent.", "His boss quit in May.", "Their son is five."])
def test_whose_relative_nobody_tells_is_not_known(text: str) -> None:
    told = people.of(text)
    assert told is not None
    assert not people.is_known(told)


@pytest.mark.parametrize(
    "text",
    [
        "My brother and I moved to Ghent.",
        "My friends and I hiked for a day.",
        "I visited my brother in Ghent.",
        "I am the release captain.",
        "We moved to Ghent.",
        "Redis is the owner of that key.",
        "Staging is our manager of last resort.",
        "My dog Luna had surgery.",
        "My team won the cup.",
        "My friend group meets on Mondays.",
        "My teammates believing in me keeps me going.",
        "Bram, Ilka joined us.",
        "Pixel loves the rug by the stove.",
        "She moved to Ghent.",
    ],
)
def test_what_tells_of_the_speaker_or_of_a_thing_tells_of_nobody_else(text: str) -> None:
    assert people.of(text) is None


@pytest.mark.parametrize(
    ("name", "speakers", "third"),
    [
        ("Ilka", {"Bram", "Odile Maes"}, True),
        ("Odile", {"Bram", "Odile Maes"}, False),
        ("BRAM", {"Bram"}, False),
        ("User", set(), False),
        ("Bram's brother", {"Bram"}, True),
        ("The user's brother", set(), True),
    ],
)
def test_who_takes_no_part_in_a_talk_is_a_third_person(name: str, speakers: set[str], third: bool) -> None:
    assert people.is_third(name, frozenset(speakers)) is third
