"""Themes by rule: the general words that somebody may ask by (`hobbies`), by the plain words people say (`pottery`). English.

A list of everyday things, not of any project's: it is meant for what people tell of themselves.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from wikimem.core import irregular, texts

THEMES: tuple[tuple[str, str], ...] = (
    (
        "activities hobbies pastimes leisure interests fun",
        "pottery paint draw camp hike swim run yoga dance cook bake garden fish read knit sew photography climb surf ski kayak "
        "cycle bike chess puzzle museum concert volunteer workout gym meditation write craft karaoke golf tennis basketball "
        "soccer bowl piano guitar violin sing",
    ),
    ("pets animals", "dog puppy cat kitten hamster turtle parrot bird rabbit horse snake"),
    (
        "family relatives children kids",
        "mother mom dad father parent sister brother son daughter kid child husband wife grandma grandmother grandpa grandfather "
        "aunt uncle cousin niece nephew baby toddler",
    ),
    (
        "job work career profession occupation employment",
        "job hire career engineer teacher nurse banker lawyer counselor counseling promote promotion office company business "
        "internship interview manager studio store shop salary",
    ),
    (
        "education studies field degree",
        "college university degree major class course graduate graduation school study thesis scholarship exam certification",
    ),
    (
        "travels trips vacations visited countries cities places",
        "trip vacation travel fly flight visit roadtrip tour beach mountain europe asia africa america hotel abroad island "
        "rome paris london berlin madrid tokyo italy spain france japan england sweden canada mexico germany greece",
    ),
    (
        "food meals dishes recipes cuisine snacks",
        "cake bread pasta pizza soup salad cookie chicken cook bake recipe dinner breakfast lunch chocolate dessert curry sushi "
        "taco steak",
    ),
    (
        "music instruments songs bands artists",
        "guitar piano violin drum clarinet flute band concert song album sing jazz rock classical music",
    ),
    ("books authors novels", "book novel read author story biography fantasy poem poetry"),
    ("movies films shows", "movie film watch show documentary cinema trilogy"),
    ("games gaming", "game play tournament console chess"),
    (
        "sports exercise fitness",
        "basketball football soccer tennis yoga gym workout run swim surf hike kickboxing boxing marathon race cycle ski golf",
    ),
    (
        "health medical condition illness",
        "hospital doctor injury injure surgery sick asthma diet weight pain ankle therapy checkup illness allergy allergic",
    ),
    (
        "events",
        "parade concert show festival fair conference meeting party gala workshop ceremony tournament competition exhibit "
        "exhibition wedding",
    ),
    ("items bought purchases", "buy purchase order shoe car necklace figurine pick gift"),
    (
        "relationship status married partner",
        "single married marry husband wife boyfriend girlfriend date engaged breakup divorce partner wedding",
    ),
    ("promotion marketing advertising", "ad campaign offer promotion media flyer advertise website network influencer fair"),
    ("charity volunteering causes community", "shelter homeless volunteer donate donation fundraiser drive charity"),
    ("art artwork creative craft", "paint draw sculpture mural pottery sketch canvas exhibit gallery"),
    ("stress relax unwind calm", "therapy therapeutic calm relax peace peaceful yoga meditation run pottery paint"),
)
"""The words to be asked by, and those that tell of it, each in its plain form."""


def themes(text: str) -> tuple[str, ...]:
    """The themes of a text, in the order of the table."""
    found = {theme for word in texts.words(text) for theme in _by_word().get(word, ())}
    return tuple(theme for theme, _ in THEMES if theme in found)


@cache
def _by_word() -> dict[str, tuple[str, ...]]:
    strong: dict[str, list[str]] = defaultdict(list)
    for form, plain in irregular.FORMS.items():
        strong[plain].append(form)
    found: dict[str, list[str]] = defaultdict(list)
    for theme, plain_words in THEMES:
        for word in {form for plain in plain_words.split() for form in (*_forms(plain), *strong[plain])}:
            found[word].append(theme)
    return {word: tuple(themes) for word, themes in found.items()}


def _forms(plain: str) -> set[str]:
    """The regular forms of a word; some are of no word, which does no harm."""
    stem = plain[:-1] if plain.endswith(("e", "y")) else plain
    twice = plain + plain[-1]
    found = {plain, f"{plain}s", f"{plain}es", f"{plain}ed", f"{plain}ing", f"{plain}er", f"{twice}ed", f"{twice}ing"}
    return found | (
        {f"{stem}ing", f"{stem}ed"} if plain.endswith("e") else {f"{stem}ies", f"{stem}ied"} if stem != plain else set()
    )
