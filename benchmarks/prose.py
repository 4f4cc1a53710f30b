"""Invented talk with a natural vocabulary: word ranks by Zipf's law, words that follow each other, topics of a project. Seedable.

The commonest ranks are English function words, then English words of our own list, then words put together from syllables.
Real vocabularies matter for an index: a few words stand nearly everywhere, most stand once, and both cost time.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import accumulate

_COMMONEST = (
    "the to and of a in it is that for on we this with be not you have as are was but if so at or can do by from an will "
    "they there all just what now when which one then no up out has only like would about also how more some time should "
    "here them were into after use get than need make because other before still where any new same first its does very "
    "think way well could see over after work see even most too must between never last both while without again each those "
    "these always maybe why who since under until already though through once against every however rather"
)
_COMMON = (
    "account address adapter agent alert answer archive backup balance batch billing branch bridge broker budget buffer build "
    "button cache calendar call campaign catalogue channel chart check checkout client cluster code column command commit "
    "company config connection contract copy counter country course crash cron currency customer dashboard data database date "
    "deadline debug decision default delay deploy design desk device diagram dialog directory discount document domain draft "
    "driver edge editor effect email engine entry error event example export failure feature feed field file filter fix flag "
    "folder form format function gateway graph group guide handler hash header history hook host hour icon image import index "
    "input install invoice issue item job journal key label language latency layer layout ledger letter level library licence "
    "limit line link list loader lock log login loop machine mail manual map margin market measure meeting member memory menu "
    "merge message meter method migration minute mirror mode model module monitor month name network node note notice number "
    "object office offset option order output owner package packet page parser partner patch path pattern payment people "
    "permission person phase picture pipeline plan platform plugin point policy pool port post prefix price printer priority "
    "process product profile project prompt proof protocol provider proxy purchase queue quota range rate reader reason receipt "
    "record redirect region release remote render repair reply report request resource response result retry review role room "
    "route row rule runner sample schedule schema scope screen script search section sensor series server service session "
    "setting shape share sheet shipment signal site size slot snapshot socket source space span stack staff stage stamp state "
    "station step stock storage store stream string style subject summary supplier support switch symbol system table tag target "
    "task tax team template tenant terminal test text thread ticket timeout title token tool topic trace track traffic transfer "
    "tree trigger type unit update upload user value variable vendor version view volume warehouse warning watcher week window "
    "worker wrapper writer year zone fast slow broken stable wrong right small large late early open closed local public quiet "
    "old empty full safe strange clean dirty narrow wide run stop start write read send keep drop move change add remove break "
    "fail pass wait push pull show hide sort split join count load save close raise lower rename replace compare agree decide"
)
_SYLLABLES = ("b br c cr d dr f g gr h k kl l m n p pl qu r s sk sl st t tr v w z", "a e i o u ai ea ei io ou")
FUNCTION, CONTENT = _COMMONEST.split(), _COMMON.split()
_ONSETS, _VOWELS = (part.split() for part in _SYLLABLES)
_CODAS = ["", "", "n", "r", "l", "s", "x", "m", "nd", "rt", "ck", "th"]


class Prose:
    """Sentences of one invented world.

    Args:
        seed: the same seed gives the same world.
        words: how many different ones there are.
        topics: how many groups of words that belong together, such as those of a project.
    """

    def __init__(self, seed: int = 7, words: int = 40_000, topics: int = 12) -> None:
        self.rng = random.Random(seed)
        rare: dict[str, None] = {}
        while len(rare) < words - len(FUNCTION) - len(CONTENT):
            rare[self._invented()] = None
        self.words = [*dict.fromkeys((*FUNCTION, *CONTENT, *rare))]
        self._sums = list(accumulate(1 / (rank + 2.7) ** 1.05 for rank in range(len(self.words))))
        self._next = [[self._ranked() for _ in range(6)] for _ in range(2_000)]
        middle = self.words[len(FUNCTION) : 6_000]
        self.topics = [self.rng.sample(middle, 60) for _ in range(topics)]

    def _invented(self) -> str:
        parts = (self.rng.choice(_ONSETS) + self.rng.choice(_VOWELS) for _ in range(self.rng.choice((1, 2, 2, 2, 3))))
        return "".join(parts) + self.rng.choice(_CODAS)

    def _ranked(self) -> int:
        """The rank of a word, as often as Zipf and Mandelbrot have it."""
        return bisect_right(self._sums, self.rng.random() * self._sums[-1])

    def run(self, count: int, topic: int) -> list[str]:
        """So many words, one after the other as they tend to stand, an eighth of them of a topic."""
        rng, found, rank = self.rng, [], self._ranked()
        about = self.topics[topic % len(self.topics)]
        for _ in range(count):
            chance = rng.random()
            if chance < 0.125:
                found.append(about[int(rng.random() ** 2 * len(about))])
                continue
            rank = rng.choice(self._next[rank]) if chance < 0.5 and rank < len(self._next) else self._ranked()
            found.append(self.words[rank])
        return found

    def text(self, count: int, topic: int) -> str:
        """Sentences of together so many words; now and then a file, a name of code or a number among them."""
        found: list[str] = []
        while count > 0:
            length = min(count, max(4, int(self.rng.gauss(13, 5))))
            words = self.run(length, topic)
            if self.rng.random() < 0.2:
                words[self.rng.randrange(len(words))] = self.code(topic)
            found.append(" ".join(words).capitalize() + ".")
            count -= length
        return " ".join(found)

    def code(self, topic: int) -> str:
        """A file, a name of code, a command's flag or a number."""
        first, second = self.rng.choice(self.topics[topic % len(self.topics)]), self.words[self._ranked()]
        shapes = (f"src/{first}/{second}.py", f"{first}_{second}", f"`{first}{second.capitalize()}`", f"--{first}-{second}")
        return self.rng.choice((*shapes, str(self.rng.randrange(2, 9000))))

    def length(self, usual: int) -> int:
        """How many words a turn has that usually has so many: most have fewer, a few many more."""
        return max(2, min(int(self.rng.lognormvariate(0, 0.8) * usual), 40 * usual))

    def names(self, count: int) -> list[str]:
        """So many different names of two or three words."""
        middle = self.words[len(FUNCTION) : 12_000]
        found: dict[str, None] = {}
        while len(found) < count:
            found[" ".join(self.rng.choice(middle) for _ in range(self.rng.choice((2, 2, 3))))] = None
        return list(found)
