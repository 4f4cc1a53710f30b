"""A vault, opened: its folder, settings, ledger and repository. The only reader of settings.

What is done with a vault stands in the verbs (`ingest`, `show`, `status`, `verify`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wikimem.core import policies, privacy, projects, sensitive, spending, vocabulary
from wikimem.core.policies import PRIVATE, Policy
from wikimem.core.projects import Packages
from wikimem.core.sensitive import Sensitive
from wikimem.core.spending import AS_EVER, Terms
from wikimem.core.vocabulary import SHIPPED, Vocabulary
from wikimem.core.zones import UTC as IN_UTC
from wikimem.core.zones import Zone
from wikimem.edges.ledger import Ledger
from wikimem.errors import BadSettings, NotAVault, UsageError, VaultLocked
from wikimem.lookup import MARKER, default_place, find, user_config, user_routes

if TYPE_CHECKING:
    from wikimem.edges.importers import Format
    from wikimem.edges.repo import Repo

__all__ = ["MARKER", "Settings", "Vault", "default_place", "find", "open_at", "user_config", "user_routes"]

LOCAL = "wikimem.local.toml"
_CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "vault": {"kind": ("private", "shared"), "isolation": ("prefer", "strict")},
    "git": {"sign": ("auto", "never")},
    "privacy": {"third_persons": privacy.CHOICES},
    "recall": {"log": ("full", "hash", "off")},
    "compile": {"slight": ("card", "page")},
}
_LIMITS = frozenset({"budget", "daily"})
_AMOUNTS: Mapping[str, frozenset[str]] = {
    "git": frozenset({"sign_seconds"}),
    "capture": frozenset({"settle_minutes", "captures_a_day"}),
    "compile": frozenset({"jobs", "window", "seconds", "per_minute", "price_in", "price_out"}),
}
# What is committed comes from others: it must not say where transcripts and keys are sent, or what is fetched and run.
_OWN = frozenset({("compile", "api_base"), ("recall", "dense")})
_ALL = frozenset({"zone"})
"""What decides how pages read is the same for everybody who shares the vault."""


def _wall_clock() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the one place where the product reads the clock


def moment(clock: Callable[[], datetime] = _wall_clock) -> str:
    """What a clock shows, `2026-08-14T10:11:03Z`."""
    return clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `wikimem.toml` (committed) and `wikimem.local.toml` (this machine) say.

    Args:
        kind: `private` or `shared`.
        isolation: `prefer` or `strict`; a shared vault is strict unless it says otherwise.
        zone: the time zone in which days are told.
        sign: `auto` signs commits when git is configured to; `never` does not.
        sign_seconds: how long a signing program may take.
        settle_minutes: how long a session must have been quiet before a folder's sweep takes it.
        captures_a_day: how many times a day sessions are captured in the background, all that are settled together.
        model: who compiles; see `edges.models.named`.
        me: what the person is called whose sessions these are; empty if nobody told.
        jobs: how many questions are asked at once.
        window: tokens of a session that are read in one question; longer ones are read in several.
        third_persons: what becomes of what is said of people who take no part in a talk: `keep`, `card`, `refuse`.
        terms: on what terms models are asked.
        dense: the sentence model of recall, a folder or a name; empty for none.
        vocabulary: the attributes that claims may name.
        sensitive: what waits for a person's approval.
        formats: transcript formats that tables `[format.NAME]` describe.
        log: what the log of recalls keeps of a question: `full`, `hash`, or `off` for no log.
        policy: what becomes of changes by their risk.
        packages: the folders of repositories that are packages, with a scope of their own.
        named: people who speak under their names in what is shared; the others are only called by their role.
        retention: how long ago a session must have ended to be retired, and since when nothing of a page may have held for it to
            be archived, each as `2y`; empty where that is for the call to say.
    """

    kind: str = "private"
    isolation: str = "prefer"
    zone: Zone = IN_UTC
    sign: Literal["auto", "never"] = "auto"
    sign_seconds: float = 60.0
    settle_minutes: float = 30.0
    captures_a_day: int = 2
    model: str = "rules"
    me: str = ""
    jobs: int = 1
    window: int = 60_000
    third_persons: str = privacy.KEEP
    terms: Terms = AS_EVER
    dense: str = ""
    vocabulary: Vocabulary = SHIPPED
    sensitive: Sensitive = sensitive.SHIPPED
    formats: tuple[Format, ...] = ()
    log: Literal["full", "hash", "off"] = "full"
    policy: Policy = PRIVATE
    packages: Packages = projects.NONE
    named: tuple[str, ...] = ()
    retention: tuple[str, str] = ("", "")


@dataclass(slots=True, weakref_slot=True)
class Vault:
    """One vault: a folder with `wikimem.toml`, `sources/`, `wiki/`, in a git repository of its own.

    Args:
        root: the folder.
        settings: as read when it was opened.
        clock: tells the time of recording; UTC.
        glance: seconds for which a process that goes on asking takes the files of the wiki to be as it saw them last; 0 to
            look before each answer. What the same process writes is seen at once in any case.
        kept: what verbs keep open between calls.
    """

    root: Path
    settings: Settings
    clock: Callable[[], datetime] = _wall_clock
    glance: float = 0.0
    ledger: Ledger = field(init=False)
    kept: dict[str, object] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.root, self.settings.zone, self.settings.packages)

    @property
    def work(self) -> Path:
        """The vault's own ignored folder, made when first asked for."""
        path = self.root / ".wikimem"
        path.mkdir(exist_ok=True)
        return path

    def now(self) -> str:
        """The time of recording, `2026-08-14T10:11:03Z`."""
        return moment(self.clock)

    @property
    def zone(self) -> Zone:
        """The time zone in which the vault tells days."""
        return self.settings.zone

    def takes_sessions(self) -> None:
        """Refuse to capture whole sessions where others see them.

        Raises:
            UsageError: the vault is shared.
        """
        if self.settings.kind == "shared":
            raise UsageError(
                f"{self.root} is a shared vault, which receives only what `wikimem share` sends. Capture into a vault of your "
                f"own, and share from there: wikimem share --project NAME --to {self.root}"
            )

    @contextmanager
    def repository(self) -> Iterator[Repo]:
        """The vault's git repository, closed afterwards."""
        from wikimem.edges.repo import GitSettings, Repo

        settings = GitSettings(sign=self.settings.sign, signing_seconds=self.settings.sign_seconds)
        repo = Repo.open(self.root, settings)
        try:
            yield repo
        finally:
            repo.close()

    @contextmanager
    def writing(self, wait: float = 30.0) -> Iterator[None]:
        """Hold the vault's lock; the system frees it when the process ends, however it ends.

        Raises:
            VaultLocked: another process held it for `wait` seconds.
        """
        with self._held("lock", wait):
            yield

    @contextmanager
    def compiling(self, wait: float = 30.0) -> Iterator[None]:
        """Hold the lock of whoever writes the wiki. It may be held for hours, so capturing never waits for it.

        Raises:
            VaultLocked: another process held it for `wait` seconds.
        """
        with self._held("compile.lock", wait):
            yield

    @contextmanager
    def publishing(self, wait: float = 30.0) -> Iterator[None]:
        """Hold the lock of whoever builds the site.

        Raises:
            VaultLocked: another process held it for `wait` seconds.
        """
        with self._held("site.lock", wait):
            yield

    @contextmanager
    def _held(self, name: str, wait: float) -> Iterator[None]:
        from filelock import FileLock, Timeout

        lock = FileLock(self.work / name)
        try:
            lock.acquire(timeout=wait)
        except Timeout:
            raise VaultLocked(str(self.root), wait) from None
        try:
            yield
        finally:
            lock.release()


def open_at(root: Path, clock: Callable[[], datetime] = _wall_clock, glance: float = 0.0) -> Vault:
    """The vault in a folder; `clock` and `glance` as in `Vault`.

    Raises:
        NotAVault: the folder has no `wikimem.toml`.
        BadSettings: its settings cannot be used.
    """
    if not (root / MARKER).is_file():
        raise NotAVault(str(root))
    return Vault(root.resolve(), _settings(root), clock, glance)


def _settings(root: Path) -> Settings:
    told: dict[str, dict[str, Any]] = {
        "vault": {},
        "git": {},
        "capture": {},
        "compile": {},
        "privacy": {},
        "sensitive": {},
        "vocabulary": {},
        "format": {},
        "recall": {},
        "review": {},
        "share": {},
        "retention": {},
        "projects": {},
    }
    for name in (MARKER, LOCAL):
        path = root / name
        if not path.exists():
            continue
        try:
            read = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadSettings(str(path), f"it is not valid TOML ({error})") from None
        for section, values in read.items():
            if section not in told or not isinstance(values, dict):
                raise BadSettings(str(path), f"[{section}] is no section; known are {', '.join(told)}")
            if section == "projects" and name != MARKER:
                raise BadSettings(str(path), f"[projects] is of the whole vault; it can only stand in {MARKER}")
            if section not in ("format", "review", "share", "retention", "projects"):
                _check(path, section, values)
            told[section].update(values)
    kind = told["vault"].get("kind", "private")
    return Settings(
        kind=kind,
        isolation=told["vault"].get("isolation", "strict" if kind == "shared" else "prefer"),
        zone=_zone(root / MARKER, told["vault"].get("zone", "")),
        sign=told["git"].get("sign", "auto"),
        sign_seconds=float(told["git"].get("sign_seconds", 60.0)),
        settle_minutes=float(told["capture"].get("settle_minutes", 30.0)),
        captures_a_day=max(1, int(told["capture"].get("captures_a_day", 2))),
        model=told["compile"].get("model", "rules"),
        me=told["compile"].get("me", ""),
        jobs=max(1, int(told["compile"].get("jobs", 1))),
        window=max(1_000, int(told["compile"].get("window", 60_000))),
        third_persons=told["privacy"].get("third_persons", privacy.KEEP),
        terms=_terms(told["compile"]),
        dense=told["recall"].get("dense", ""),
        vocabulary=replace(
            _vocabulary(root / MARKER, told["vocabulary"]), sparing=told["compile"].get("slight", "page") == "card"
        ),
        sensitive=_sensitive(root / MARKER, told["sensitive"]),
        formats=_formats(root, told["format"]),
        log=told["recall"].get("log", "full"),
        policy=_policy(root / MARKER, told["review"], kind),
        packages=_packages(root / MARKER, told["projects"]),
        named=_named(root / MARKER, told["share"]),
        retention=_retention(root / MARKER, told["retention"]),
    )


def _zone(path: Path, name: str) -> Zone:
    if name in ("", IN_UTC.name):
        return IN_UTC
    from wikimem.edges import zones

    found = zones.named(name)
    if found is None:
        near = zones.near(name)
        meant = f"; did you mean {' or '.join(near)}?" if near else "; write one such as Europe/Berlin"
        raise BadSettings(str(path), f"vault.zone is {name!r}, which is no time zone of the IANA database{meant}")
    return found


def _policy(path: Path, told: Mapping[str, Any], kind: str) -> Policy:
    found, wrong = policies.read(told, kind)
    if wrong:
        raise BadSettings(str(path), wrong)
    return found


def _retention(path: Path, told: Mapping[str, Any]) -> tuple[str, str]:
    for name, age in told.items():
        if name not in ("sources", "pages") or not isinstance(age, str) or not age:
            raise BadSettings(str(path), f"retention.{name} is {age!r}; known are sources and pages, each an age such as 2y")
    return told.get("sources", ""), told.get("pages", "")


def _named(path: Path, told: Mapping[str, Any]) -> tuple[str, ...]:
    names = told.get("names", [])
    if strange := told.keys() - {"names"}:
        raise BadSettings(str(path), f"share.{min(strange)} is no setting; known are names")
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise BadSettings(str(path), f"share.names is {names!r}; it must be a list of names")
    return tuple(names)


def _packages(path: Path, told: Mapping[str, Any]) -> Packages:
    found, wrong = projects.packages(told)
    if wrong:
        raise BadSettings(str(path), wrong)
    return found


def _terms(told: Mapping[str, Any]) -> Terms:
    priced = "price_in" in told and "price_out" in told
    return Terms(
        budget=spending.limit(told.get("budget", "")),
        daily=spending.limit(told.get("daily", "")),
        api_base=told.get("api_base", ""),
        seconds=float(told.get("seconds", 600.0)),
        per_minute=float(told.get("per_minute", 0.0)),
        price=(float(told["price_in"]), float(told["price_out"])) if priced else None,
    )


def _vocabulary(path: Path, told: Mapping[str, Any]) -> Vocabulary:
    if not told:
        return SHIPPED
    more, problems = vocabulary.read(told, str(path))
    if problems:
        raise BadSettings(str(path), problems[0].message)
    return SHIPPED.extended(more)


def _sensitive(path: Path, told: Mapping[str, Any]) -> Sensitive:
    patterns, channels = told.get("patterns", []), told.get("channels", [])
    if strange := told.keys() - {"patterns", "channels"}:
        raise BadSettings(str(path), f"sensitive.{min(strange)} is no setting; known are channels, patterns")
    if wrong := sensitive.problem(patterns, channels):
        raise BadSettings(str(path), wrong)
    return Sensitive(tuple(patterns), tuple(channels))


def _formats(root: Path, tables: Mapping[str, object]) -> tuple[Format, ...]:
    if not tables:
        return ()
    from wikimem.edges import importers
    from wikimem.edges.importers import mapping

    return mapping.formats(tables, str(root / MARKER), frozenset(format.name for format in importers.FORMATS))


def _check(path: Path, section: str, values: Mapping[str, Any]) -> None:
    if section in ("vocabulary", "sensitive"):
        return
    texts = {"vault": {"zone"}, "compile": {"model", "me", *_LIMITS, "api_base"}, "recall": {"dense"}}.get(section, set())
    numbers = _AMOUNTS.get(section, frozenset())
    choices = _CHOICES.get(section, {})
    for key, value in values.items():
        if (section, key) in _OWN and path.name != LOCAL:
            raise BadSettings(str(path), f"{section}.{key} is of one machine; it can only stand in {LOCAL}")
        if section == "vault" and key in _ALL and path.name != MARKER:
            raise BadSettings(str(path), f"{section}.{key} is of the whole vault; it can only stand in {MARKER}")
        if key in choices:
            if value not in choices[key]:
                raise BadSettings(str(path), f"{section}.{key} is {value!r}; it can be {' or '.join(choices[key])}")
        elif key in numbers:
            if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise BadSettings(str(path), f"{section}.{key} is {value!r}; it must be a number, 0 or more")
        elif key in texts:
            if not isinstance(value, str):
                raise BadSettings(str(path), f"{section}.{key} is {value!r}; it must be text in quotes")
            if key in _LIMITS:
                try:
                    spending.limit(value)
                except ValueError as wrong:
                    raise BadSettings(str(path), f"{section}.{key}: {wrong}") from None
        else:
            known = ", ".join(sorted({*choices, *numbers, *texts}))
            raise BadSettings(str(path), f"{section}.{key} is no setting; known are {known}")
