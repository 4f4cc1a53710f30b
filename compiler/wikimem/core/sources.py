"""A source's sidecar: what capture knows of one immutable unit of evidence, and its id.

Capture facts only. What can be derived from the bytes (titles, turns, accounts) is derived.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from wikimem.core import projects
from wikimem.core.projects import Packages

ID = re.compile(r"(?P<day>\d{8}|undated)-(?P<tool>[a-z0-9]+(?:-[a-z0-9]+)*)-(?P<hash>[0-9a-f]{8,64})\Z")


@dataclass(frozen=True, slots=True)
class Raw:
    """The unmasked bytes that a source stands for: the first `bytes` bytes of the file as its tool wrote it.

    Of a resumed session the prefix reaches from the file's beginning, over the earlier sources, to the end of this one.
    """

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Member:
    """A further file of a source: a sub-agent's transcript, a spilled tool result, a later part of a large file.

    Args:
        name: the path below the source's folder, POSIX style.
        sha256: of the stored bytes.
        raw: of the file as it was found.
        line: for a part, the number of its first line in the whole file; 0 for what is no part.
    """

    name: str
    sha256: str
    raw: Raw
    line: int = 0


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What is known of a source since it was captured, as its `.yaml` keeps it.

    Times have the forms of `core.times`; `masked` counts secrets by kind, never their text.
    Of a source that was retired, `retired` is the `content` it had, and `attested` are hashes of the quotes that were found
    in it then (`attest`), which prove them from then on; both are empty of all others.
    `place` is what the vault's settings say of where it was held (`projects.Packages`), and stands in no file.
    """

    id: str
    format: str
    suffix: str
    sha256: str
    raw: Raw
    recorded: str
    started: str = ""
    ended: str = ""
    session: str = ""
    cwd: str = ""
    remote: str = ""
    branch: str = ""
    parent: str = ""
    continues: str = ""
    hint: Mapping[str, str] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    members: tuple[Member, ...] = ()
    retired: str = ""
    attested: tuple[str, ...] = ()
    place: str = ""

    @property
    def folder(self) -> str:
        """The vault-relative folder that holds the source, POSIX style: `sources/2026/08`."""
        return folder(self.id)

    @property
    def path(self) -> str:
        """The vault-relative path of the source's main file."""
        return f"{self.folder}/{self.id}{self.suffix}"

    @property
    def content(self) -> str:
        """SHA-256 over all stored bytes, hexadecimal: of the main file, with those of its members where it has some."""
        if not self.members:
            return self.sha256
        told = [f"{member.name} {member.sha256}" for member in self.members]
        return sha256("\n".join([self.sha256, *told]).encode()).hexdigest()

    @property
    def scope(self) -> str:
        """The session's scope: what the person who captured it said, else its package's or project's; empty for none."""
        told = self.hint.get("scope", "") or (f"project:{self.place}" if self.place else "")
        return told or projects.scope(self.remote, self.cwd)

    @property
    def project(self) -> str:
        """The slug of the session's project, with the path of its package: `shop/packages/api`; empty for none."""
        return self.scope.removeprefix("project:") if self.scope.startswith("project:") else ""

    def is_of(self, project: str) -> bool:
        """Whether it is of a project, `shop`, or of a package of it."""
        return self.project == project or self.project.startswith(f"{project}/")

    def paths(self) -> list[str]:
        """Vault-relative paths of everything the source keeps, the sidecar first."""
        return [
            f"{self.folder}/{self.id}.yaml",
            self.path,
            *(f"{self.folder}/{self.id}/{member.name}" for member in self.members),
        ]


def placed(sidecar: Sidecar, packages: Packages) -> Sidecar:
    """The sidecar with the package it was held in, where nobody said otherwise when it was captured."""
    place = "" if sidecar.hint.get("scope") else packages.path(sidecar.remote, sidecar.cwd)
    return replace(sidecar, place=place) if place != sidecar.place else sidecar


def folder(source: str) -> str:
    """The vault-relative folder of a source id."""
    day = source.split("-", 1)[0]
    return f"sources/{day[:4]}/{day[4:6]}" if day.isdigit() else "sources/undated"


def identify(day: str, tool: str, sha256: str, taken: Mapping[str, str]) -> str:
    """The id of a source.

    Args:
        day: `2026-08-14`, or '' when no turn has a date.
        tool: the format's name.
        sha256: of the raw bytes, hexadecimal.
        taken: raw hashes of known sources by id; on a collision of the 8 digits the id takes more of them.
    """
    stem = f"{day.replace('-', '') or 'undated'}-{tool}"
    for digits in (8, 12, 16, 64):
        source = f"{stem}-{sha256[:digits]}"
        if taken.get(source, sha256) == sha256:
            return source
    raise AssertionError("two raw contents with one SHA-256")


def attest(at: str, identity: str, quote: str) -> str:
    """The hash by which a retired source still proves a quote: over its locator, its turn's identity and its words."""
    return sha256(f"{at}\x00{identity}\x00{quote}".encode("utf-8", "replace")).hexdigest()[:20]


def to_mapping(sidecar: Sidecar) -> dict[str, object]:
    """The sidecar as plain values in the order of the file; what is unknown is left out."""
    told: dict[str, object] = {
        "id": sidecar.id,
        "format": sidecar.format,
        "sha256": sidecar.sha256,
        "raw": {"bytes": sidecar.raw.bytes, "sha256": sidecar.raw.sha256},
        "recorded": sidecar.recorded,
    }
    for name in ("started", "ended", "session", "cwd", "remote", "branch", "parent", "continues"):
        value = getattr(sidecar, name)
        if value:
            told[name] = value
    if sidecar.suffix != ".jsonl":
        told["suffix"] = sidecar.suffix
    if sidecar.hint:
        told["hint"] = dict(sorted(sidecar.hint.items()))
    if sidecar.masked:
        told["masked"] = dict(sorted(sidecar.masked.items()))
    if sidecar.members:
        told["members"] = [_member(member) for member in sidecar.members]
    if sidecar.retired:
        told |= {"retired": sidecar.retired, "attested": list(sidecar.attested)}
    return told


def _member(member: Member) -> dict[str, object]:
    told: dict[str, object] = {
        "name": member.name,
        "sha256": member.sha256,
        "raw": {"bytes": member.raw.bytes, "sha256": member.raw.sha256},
    }
    if member.line:
        told["line"] = member.line
    return told


def from_mapping(told: object) -> Sidecar:
    """The sidecar of plain values.

    Raises:
        ValueError: something needed is missing or of another type; the text is one clause.
    """
    if not isinstance(told, dict):
        raise ValueError("it is not a mapping")
    source = _string(told, "id")
    if not ID.match(source):
        raise ValueError(f"{source!r} is no source id")
    members = told.get("members", [])
    if not isinstance(members, list):
        raise ValueError("members is not a list")
    return Sidecar(
        id=source,
        format=_string(told, "format"),
        suffix=_string(told, "suffix", ".jsonl"),
        sha256=_string(told, "sha256"),
        raw=_raw(told),
        recorded=_string(told, "recorded"),
        hint={str(k): str(v) for k, v in _dict(told, "hint").items()},
        masked={str(k): int(v) for k, v in _dict(told, "masked").items()},
        members=tuple(
            Member(_string(m, "name"), _string(m, "sha256"), _raw(m), int(m.get("line", 0)))
            for m in members
            if isinstance(m, dict)
        ),
        retired=_string(told, "retired", ""),
        attested=_strings(told, "attested"),
        **{
            name: _string(told, name, "")
            for name in ("started", "ended", "session", "cwd", "remote", "branch", "parent", "continues")
        },
    )


def _string(told: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = told.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name} is missing" if value is None else f"{name} is not text")
    return value


def _strings(told: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = told.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"{name} is no list of texts")
    return tuple(value)


def _dict(told: Mapping[str, object], name: str) -> Mapping[object, int]:
    value = told.get(name, {})
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a mapping")
    return value


def _raw(told: Mapping[str, object]) -> Raw:
    raw = told.get("raw")
    if not isinstance(raw, dict) or not isinstance(raw.get("bytes"), int) or not isinstance(raw.get("sha256"), str):
        raise ValueError("raw needs bytes and sha256")
    return Raw(raw["bytes"], raw["sha256"])
