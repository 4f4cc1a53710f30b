"""Discretion: what a card and an episode must not tell of a session, since something that was said in it is sensitive.

A title that a tool made up, or a model's summary, says it in other words than the person did. So what was said leaves traces,
the words that give it away, and no line with one of them is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from wikimem.core import texts
from wikimem.core.cards import Card
from wikimem.core.claimfiles import Episode, Refusal
from wikimem.core.screening import Heard, Screened
from wikimem.core.sensitive import HIDDEN, RULE, Sensitive
from wikimem.core.turns import Form, Speaker

_SHOWN = 40
"""How many of a turn's first characters give it away."""


@dataclass(frozen=True, slots=True)
class Discretion:
    """What is not told.

    Args:
        rules: what is sensitive.
        first: the first words of the turns that are.
        traces: what gives it away elsewhere, case-folded.
    """

    rules: Sensitive
    first: tuple[str, ...]
    traces: frozenset[str]

    def hides(self, text: str) -> bool:
        """Whether a line gives something away."""
        folded = text.casefold()
        return self.rules.words(text) or any(map(text.startswith, self.first)) or any(one in folded for one in self.traces)

    def hides_any(self, episode: Episode) -> bool:
        """Whether what a session was about gives something away."""
        return self.hides(episode.asked) or self.hides(episode.outcome)

    def card(self, made: Card) -> Card:
        """A card without what gives something away."""
        title, asked, outcome = (HIDDEN if self.hides(text) else text for text in (made.title, made.asked, made.outcome))
        commands = tuple(each for each in made.commands if not self.hides(each[0]))
        files = tuple(each for each in made.files if not self.hides(each))
        others = tuple(each for each in made.others if not self.hides(each.text))
        return replace(made, title=title, asked=asked, outcome=outcome, commands=commands, files=files, others=others)


def of(session: Screened, refusals: Iterable[Refusal], rules: Sensitive) -> Discretion:
    """What is not told of a session.

    Args:
        session: screened.
        refusals: of the drafts made from it.
        rules: what the vault holds to be sensitive.
    """
    waits = {one.at for one in refusals if one.rule == RULE}
    private = [heard for heard in session.heard if heard.turn.at in waits or (_is_typed(heard) and rules.words(heard.words))]
    first = (texts.normal(heard.words)[:_SHOWN] for heard in private)
    traces = frozenset(one for heard in private for one in rules.traces(heard.words))
    return Discretion(rules, tuple(each for each in first if each), traces)


def _is_typed(heard: Heard) -> bool:
    return heard.turn.speaker is Speaker.HUMAN and heard.turn.form is Form.PROSE
