"""What is sensitive: by rules alone, never by a model's word. A claim that is waits for a person's approval, without its words.

Three things make it so: words that tell of a person (`intimate`), or that a vault's own patterns find; where it was said, by
a vault's own channels; and a block that the person who typed it marked. Blocks in `<private>` never come so far: capture
masks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

RULE = "sensitive"
"""The rule by which such drafts are refused."""
WAITS = "it may be sensitive; a person decides"
BARRED = "it may be sensitive; a person keeps it out"
UNFIT = "it may be sensitive, and would be refused anyway"
"""Why a sensitive draft was not taken: it waits, somebody decided, or there is nothing to decide."""

MARKED = "<private>"
"""What a person puts before a private remark."""
_EDITION = "2"
"""Of the shipped patterns: what was compiled by other ones is outdated."""

HIDDEN = "(kept back: a person decides)"
"""What stands where a card would say something sensitive."""

_FACTS = ("format", "project", "scope", "session", "cwd", "remote", "branch", "title")


@dataclass(frozen=True, slots=True)
class Sensitive:
    """What a vault holds to be sensitive besides what `intimate` tells.

    Args:
        patterns: regular expressions, as they were written; asked whatever the case of letters.
        channels: where everything said is: `format:slack`, `project:payroll*`, `title:*1:1*`; a name of a fact, and a
            pattern of file names for its value.
        shipped: whether what tells of a person is, too.
    """

    patterns: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    shipped: bool = True

    def words(self, text: str) -> bool:
        """Whether a text holds sensitive words."""
        from wikimem.core import intimate

        own = any(re.search(each, text, re.IGNORECASE) for each in self.patterns)
        return own or (self.shipped and (MARKED in text.casefold() or intimate.tells(text)))

    def traces(self, text: str) -> frozenset[str]:
        """What of a sensitive text gives it away wherever else it stands, case-folded; none of one that is not."""
        from wikimem.core import intimate

        own = (re.search(each, text, re.IGNORECASE) for each in self.patterns)
        return intimate.traces(text) | {found[0].casefold() for found in own if found and found[0]}

    def channel(self, facts: Mapping[str, str]) -> bool:
        """Whether everything in a session with these facts is."""
        told = (each.partition(":") for each in self.channels)
        return any(
            fnmatchcase(value.casefold(), pattern.casefold()) for name, _, pattern in told for value in _values(facts, name)
        )

    @property
    def key(self) -> str:
        """What changes when the rules do."""
        return repr((_EDITION, self.patterns, self.channels))


def _values(facts: Mapping[str, str], name: str) -> Iterator[str]:
    """The value of a fact; of a package also that of its project, which it is a part of."""
    value = facts.get(name, "")
    yield value
    while name in ("project", "scope") and "/" in value:
        value = value.rpartition("/")[0]
        yield value


SHIPPED = Sensitive()
"""The patterns that are shipped, and nothing else."""
NOTHING = Sensitive(shipped=False)
"""Nothing is sensitive: for what a person has let in."""


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
