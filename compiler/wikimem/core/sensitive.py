"""What is sensitive: by rules alone, never by a model's word. A claim that is waits for a person's approval, without its words.

Three things make it so: words that are, here and in a vault's own patterns; where it was said, by a vault's own channels; and
a block that the person who typed it marked. Blocks in `<private>` never come so far: capture masks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

WORDS = re.compile(
    r"\b(?:diagnos\w+|depress\w+|pregnan\w+|hiv|cancer|therap(?:y|ist)|medication|disabilit\w+|suicid\w+|"
    r"salary|net worth|credit score|religio\w+|sexual\w*|gay|lesbian|transgender|ethnicity|trade union|"
    r"passport number|social security|home address|criminal record|arrested)\b|<private>",
    re.IGNORECASE,
)
"""Words of health, money, belief, love, origin and the law."""

HIDDEN = "(kept back: a person decides)"
"""What stands where a card would say something sensitive."""

_FACTS = ("format", "project", "scope", "session", "cwd", "remote", "branch", "title")


@dataclass(frozen=True, slots=True)
class Sensitive:
    """What a vault holds to be sensitive besides `WORDS`.

    Args:
        patterns: regular expressions, as they were written; asked whatever the case of letters.
        channels: where everything said is: `format:slack`, `project:payroll*`, `title:*1:1*`; a name of a fact, and a
            pattern of file names for its value.
    """

    patterns: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    def words(self, text: str) -> bool:
        """Whether a text holds sensitive words."""
        return WORDS.search(text) is not None or any(re.search(each, text, re.IGNORECASE) for each in self.patterns)

    def channel(self, facts: Mapping[str, str]) -> bool:
        """Whether everything in a session with these facts is."""
        told = (each.partition(":") for each in self.channels)
        return any(
            fnmatchcase(value.casefold(), pattern.casefold()) for name, _, pattern in told for value in _values(facts, name)
        )

    @property
    def key(self) -> str:
        """What changes when the rules do; empty for the shipped ones alone."""
        return repr((self.patterns, self.channels)) if self.patterns or self.channels else ""


def _values(facts: Mapping[str, str], name: str) -> Iterator[str]:
    """The value of a fact; of a package also that of its project, which it is a part of."""
    value = facts.get(name, "")
    yield value
    while name in ("project", "scope") and "/" in value:
        value = value.rpartition("/")[0]
        yield value


SHIPPED = Sensitive()
"""The words that are shipped, and nothing else."""


def problem(patterns: object, channels: object) -> str:
    """What is wrong with the settings, as a clause; empty if nothing is."""
    for name, told in (("patterns", patterns), ("channels", channels)):
        if not isinstance(told, list) or not all(isinstance(each, str) and each for each in told):
            return f"sensitive.{name} must be a list of texts in quotes"
    assert isinstance(patterns, list) and isinstance(channels, list)
    for each in patterns:
        try:
            re.compile(each)
        except re.error as wrong:
            return f"sensitive.patterns: {each!r} is no regular expression ({wrong})"
    for each in channels:
        if each.partition(":")[0] not in _FACTS or not each.partition(":")[2]:
            return f"sensitive.channels: {each!r} begins with none of {', '.join(f'{name}:' for name in _FACTS)}"
    return ""
