"""The vocabulary: which attributes a claim may name, what is known of each, and which words mean the same.

An attribute is a slug (`retry-limit`). `single` attributes hold one value at a time, so a later value ends an earlier
one; `volatile` ones change by the hour and never become claims of the wiki. What is not listed is no attribute: a claim
without one is never closed by rule. The list below is shipped; a vault extends it in its settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from wikimem.errors import Problem


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute.

    Args:
        name: its slug.
        single: whether a subject has one value at a time.
        volatile: whether it is true only for the moment (a status, a current branch).
        synonyms: other slugs that mean it.
    """

    name: str
    single: bool = False
    volatile: bool = False
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The attributes of a vault, by every slug that means one.

    Args:
        attributes: in order; of two that claim one word the first has it.
        sparing: whether claims that only one session and no person tells stay on its card (`worth`).
    """

    attributes: tuple[Attribute, ...]
    sparing: bool = False
    by_word: Mapping[str, Attribute] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        words: dict[str, Attribute] = {}
        for attribute in self.attributes:
            for word in (attribute.name, *attribute.synonyms):
                words.setdefault(slug(word), attribute)
        object.__setattr__(self, "by_word", words)

    def find(self, word: str) -> Attribute | None:
        """The attribute that a word means, whatever its case, spaces and underscores; None if there is none."""
        return self.by_word.get(slug(word)) if word else None

    def is_single(self, word: str) -> bool:
        """Whether the word means an attribute with one value at a time."""
        found = self.find(word)
        return found is not None and found.single

    def is_volatile(self, word: str) -> bool:
        """Whether the word means an attribute that is true only for the moment."""
        found = self.find(word)
        return found is not None and found.volatile

    def extended(self, more: Iterable[Attribute]) -> Vocabulary:
        """This vocabulary with others added; one of a known name takes its place."""
        merged = {attribute.name: attribute for attribute in (*self.attributes, *more)}
        # What a vault says comes first, so that its synonyms win over shipped ones.
        added = [attribute.name for attribute in more]
        order = [*added, *(name for name in merged if name not in set(added))]
        return Vocabulary(tuple(merged[name] for name in dict.fromkeys(order)), self.sparing)


def slug(word: str) -> str:
    """A word as an attribute's slug: `Retry limit` and `retry_limit` give `retry-limit`."""
    return re.sub(r"[^\w]+", "-", word.casefold().replace("_", "-")).strip("-")


def read(settings: Mapping[str, object], where: str) -> tuple[tuple[Attribute, ...], tuple[Problem, ...]]:
    """The attributes that settings add.

    Args:
        settings: by name, a table with any of `single`, `volatile` (true or false) and `synonyms` (a list of words).
        where: the file, for problems.

    Returns:
        The attributes, and a problem for each entry that cannot be used (it is left out).
    """
    good: list[Attribute] = []
    bad: list[Problem] = []
    for name, table in settings.items():
        problem = _unusable(name, table)
        if problem:
            bad.append(Problem(where, "vocabulary", f"attribute {name!r}: {problem}"))
            continue
        assert isinstance(table, Mapping)
        words = tuple(slug(word) for word in table.get("synonyms", ()))
        good.append(Attribute(slug(name), table.get("single", False), table.get("volatile", False), words))
    return tuple(good), tuple(bad)


def _unusable(name: str, table: object) -> str:
    if not slug(name):
        return "the name holds no letter; use words and hyphens"
    if not isinstance(table, Mapping):
        return 'write a table, such as { single = true, synonyms = ["port number"] }'
    unknown = sorted(str(key) for key in table if key not in ("single", "volatile", "synonyms"))
    if unknown:
        return f"unknown key {unknown[0]!r}; known are single, volatile, synonyms"
    for key in ("single", "volatile"):
        if not isinstance(table.get(key, False), bool):
            return f"{key} is true or false"
    synonyms = table.get("synonyms", ())
    if not isinstance(synonyms, (list, tuple)) or not all(isinstance(word, str) and slug(word) for word in synonyms):
        return "synonyms is a list of words"
    return ""


def _one(name: str, *synonyms: str) -> Attribute:
    return Attribute(name, single=True, synonyms=synonyms)


def _many(name: str, *synonyms: str) -> Attribute:
    return Attribute(name, synonyms=synonyms)


def _volatile(name: str, *synonyms: str) -> Attribute:
    return Attribute(name, volatile=True, synonyms=synonyms)


SHIPPED = Vocabulary(
    (
        # What runs, and where.
        _one("port", "port-number", "listens-on"),
        _one("host", "hostname", "server-address"),
        _one("url", "endpoint", "base-url", "address-url"),
        _one("version", "pinned-version"),
        _one("database", "db", "database-engine"),
        _one("cache", "cache-engine"),
        _one("queue", "message-broker"),
        _one("path", "file-path", "folder", "directory"),
        _one("region", "cloud-region"),
        _one("deploy-method", "deployment", "deploys-with", "deploy-tool"),
        _one("retry-limit", "max-retries", "retries"),
        _one("timeout", "time-limit"),
        _one("ttl", "cache-ttl", "time-to-live"),
        _one("schedule", "cron", "runs-at"),
        _one("rate-limit", "quota"),
        _one("retention", "kept-for"),
        _one("rotation", "rotates-every", "rotation-period"),
        # How code is written.
        _one("language", "programming-language"),
        _one("framework", "web-framework"),
        _one("license", "licence"),
        _one("default-branch", "main-branch"),
        _one("package-manager", "installer"),
        _one("test-command", "runs-tests-with"),
        _one("build-command", "builds-with"),
        _one("release-command", "releases-with"),
        _one("logger", "logging-library"),
        _one("indentation", "indent"),
        _one("formatter", "code-formatter"),
        _one("linter"),
        _many("convention", "rule", "style", "coding-style"),
        _many("dependency", "depends-on", "uses"),
        _many("decision", "decided"),
        _many("reason", "rationale", "because"),
        _many("constraint", "limitation", "must-not"),
        _many("command", "runs"),
        _many("gotcha", "pitfall", "caveat"),
        _many("fix", "workaround", "solution"),
        _many("error", "failure"),
        _many("trigger", "when"),
        _many("step"),
        # People and their work.
        _one("owner", "owned-by", "maintainer"),
        _one("lead", "led-by", "team-lead"),
        _one("release-manager"),
        _one("role", "job", "position", "job-title"),
        _one("employer", "works-at", "company"),
        _one("home", "lives-in", "residence", "home-town"),
        _one("time-zone", "timezone"),
        _one("birthday", "born-on"),
        _one("partner", "spouse"),
        _one("deadline", "due", "due-date"),
        _many("member", "members"),
        _many("leads", "leads-team"),
        _many("preference", "prefers", "likes"),
        _many("dislike", "dislikes"),
        _many("skill", "speaks", "knows"),
        _many("pet", "pets"),
        _many("child", "children"),
        _many("hobby", "hobbies", "interest"),
        _many("possession", "owns"),
        _many("plan", "plans", "goal"),
        _many("event", "happened"),
        _many("relation", "friend", "colleague"),
        # True for the moment only.
        _volatile("status", "state", "progress", "current-status"),
        _volatile("current-branch", "branch", "checked-out"),
        _volatile("current-task", "working-on", "todo", "next-step"),
        _volatile("test-result", "tests-pass", "build-result"),
        _volatile("open-file", "cursor-position"),
        _volatile("mood", "feels"),
        _volatile("location-now", "currently-at"),
    )
)
