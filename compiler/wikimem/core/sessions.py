"""A session: the turns of one source in order, which of them were rewound, and the account of its records.

Built from records, whatever their format. Which turns are copies of another source's is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from wikimem.core import branches, closing, identity, moments
from wikimem.core.turns import Damage, Noise, Record, Speaker, Turn
from wikimem.core.zones import Zone, placed

_PLACES = 20


@dataclass(slots=True)
class Account:
    """The account of a file's records; grows while they are read.

    `records` is always `turned + sum(noise.values()) + damaged`.
    """

    records: int = 0
    turned: int = 0
    damaged: int = 0
    turns: int = 0
    noise: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    speakers: Counter[str] = field(default_factory=Counter)
    damage: list[tuple[str, int, int, str]] = field(default_factory=list)
    strange: dict[str, str] = field(default_factory=dict)

    def add(self, record: Record, where: str = "") -> None:
        """Count a record; `where` names the member file it stands in, empty for the main one."""
        self.records += 1
        match record.gave:
            case Noise(kind, known):
                self.noise[kind] += 1
                if not known:
                    self.unknown[kind] += 1
                    self.strange.setdefault(kind, f"{where}:{record.line}" if where else str(record.line))
            case Damage(reason):
                self.damaged += 1
                if len(self.damage) < _PLACES:
                    self.damage.append((where, record.line, record.offset, reason))
            case turns:
                self.turned += 1
                self.turns += len(turns)
                for turn in turns:
                    self.speakers[turn.speaker.value] += 1
        for kind in record.unknown:
            self.unknown[kind] += 1
            self.strange.setdefault(kind, f"{where}:{record.line}" if where else str(record.line))

    def merge(self, other: Account) -> None:
        """Add another account to this one."""
        self.records += other.records
        self.turned += other.turned
        self.damaged += other.damaged
        self.turns += other.turns
        self.noise.update(other.noise)
        self.unknown.update(other.unknown)
        self.speakers.update(other.speakers)
        self.damage += other.damage[: _PLACES - len(self.damage)]
        for kind, place in other.strange.items():
            self.strange.setdefault(kind, place)

    def balanced(self) -> bool:
        """Whether every record was accounted for exactly once."""
        return self.records == self.turned + sum(self.noise.values()) + self.damaged


@dataclass(frozen=True, slots=True)
class Session:
    """One source, read.

    Args:
        source: its id.
        turns: in order: those of the main file, then those of each member; each with an identity.
        dead: locators of turns on rewound branches or taken back: kept, shown, evidence for nothing.
        facts: `session`, `title`, `cwd`, `branch`, `parent`, `started`, `ended`, where known.
        account: of all its records.
    """

    source: str
    turns: tuple[Turn, ...]
    dead: frozenset[str]
    facts: Mapping[str, str]
    account: Account

    @property
    def title(self) -> str:
        """What the session is called: its own title, else the beginning of the first words of a person that say something."""
        own = self.facts.get("title", "")
        if own:
            return own
        line = closing.asked(turn.text for turn in self.turns if turn.speaker is Speaker.HUMAN)
        return line if len(line) <= 80 else line[:79].rsplit(" ", 1)[0] + "…"


def hinted(records: Iterable[Record], hint: Mapping[str, str]) -> Iterator[Record]:
    """The same records, read with what the file's place tells: what a sub-agent is asked, no person typed."""
    if not hint.get("agent"):
        yield from records
        return
    for record in records:
        if isinstance(record.gave, tuple):
            record = replace(record, gave=tuple(_asked(turn) for turn in record.gave))
        yield record


def _asked(turn: Turn) -> Turn:
    is_prompt = turn.speaker is Speaker.HUMAN and not turn.mark
    return replace(turn, speaker=Speaker.ASSISTANT, mark="prompt") if is_prompt else turn


def assemble(source: str, files: Iterable[tuple[str, Iterable[Record]]], hint: Mapping[str, str]) -> Session:
    """A session from the records of its files.

    Args:
        source: the source's id.
        files: `(name, records)`; the main file under the name '', then each member under its own.
        hint: facts told by the file's name, used where no record tells them.
    """
    account = Account()
    facts: dict[str, str] = {}
    turns: list[Turn] = []
    dead: set[str] = set()
    for name, found in files:
        records = sorted(found if name else hinted(found, hint), key=lambda record: (record.line, record.offset))
        gone = branches.dead(records)
        for record in records:
            account.add(record, name)
            _learn(facts, record, main=not name)
            if not isinstance(record.gave, tuple):
                continue
            for turn in record.gave:
                placed = replace(turn, at=f"{name}/{turn.at}") if name else turn
                turns.append(placed)
                if record.uuid and record.uuid in gone:
                    dead.add(placed.at)
    for name, value in hint.items():
        facts.setdefault(name, value)
    day = facts.get("date", "")
    if day:
        # A meeting or a note tells its day once, for all that was said in it.
        turns = [turn if turn.said else replace(turn, said=day) for turn in turns]
        facts.setdefault("started", day)
        facts.setdefault("ended", day)
    return Session(source, tuple(identity.of(turns)), frozenset(dead), facts, account)


def dated(session: Session, zone: Zone, in_utc: bool = False) -> Session:
    """The session with what each speaker's clock showed; the session itself where that is what the turns say.

    Args:
        session: as it was read.
        zone: of the vault, for turns whose format gives no offset of their own.
        in_utc: whether times without a zone are UTC in its format; else they are of a clock in the zone.
    """
    turns = tuple(_dated(turn, zone, in_utc) for turn in session.turns)
    same = all(one is other for one, other in zip(turns, session.turns, strict=True))
    return session if same else replace(session, turns=turns)


def _dated(turn: Turn, zone: Zone, in_utc: bool) -> Turn:
    if zone.is_utc and not turn.offset:
        return replace(turn, local="") if turn.local else turn
    said = f"{turn.said}Z" if in_utc and moments.is_bare(turn.said) else turn.said
    local = placed(replace(turn, said=said), zone)
    return replace(turn, said=said, local=local)


def _learn(facts: dict[str, str], record: Record, main: bool) -> None:
    told = record.facts
    moment = told.get("time", "")
    if moment and isinstance(record.gave, tuple):
        if not facts.get("started") or moment < facts["started"]:
            facts["started"] = moment
        if moment > facts.get("ended", ""):
            facts["ended"] = moment
    for name, value in told.items():
        if name == "title":
            facts[name] = value
        elif main and name != "time":
            facts.setdefault(name, value)
