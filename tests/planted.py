"""Secrets planted over all formats, for tests and the benchmark: each is invented, marked, and told from all others."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from makers import document
from wikimem.edges import importers

LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ"
WORDS = ("ferry", "harbour", "crane", "quay", "tide", "berth", "anchor", "pilot", "keel", "mast", "rope", "gate")


@dataclass(frozen=True)
class Planted:
    """A secret: the words it stands in, and what must stand nowhere afterwards."""

    said: str
    core: str


def secret(dice: random.Random) -> Planted:
    """A secret of one of the kinds that people paste, or a remark that they marked as private."""

    def core(length: int, letters: str = LETTERS + "23456789") -> str:
        return "7" + "".join(dice.choice(letters) for _ in range(length - 3)) + "4q"

    remark = f"{dice.choice(WORDS)} {core(9)} {dice.choice(WORDS)}"
    kind = dice.randrange(10)
    made = core(36)
    told = {
        0: ("the token is gh" + f"p_{made}, keep it", made),
        1: ("use sk-" + f"ant-api03-{core(20)}{made} for it", made),
        2: (f"connect to postgres://app:{made}@db.internal:5432/shop now", made),
        3: (f'set api_key = "{made}" in the settings', made),
        4: (f"curl -H 'Authorization: Bearer {made}' https://api.example", made),
        5: (f"export GITHUB_TOKEN={made} before that", made),
    }
    if kind in told:
        return Planted(*told[kind])
    if kind == 6:
        upper = core(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567").upper()
        return Planted("the key id is AK" + f"IA{upper} since May", upper)
    # What a person marks is private whatever it says.
    said = {
        7: "<private>{}</private> Next: paint the gate.",
        8: "Please note <private>{}</private>.",
        9: "<PRIVATE>{}</PRIVATE>",
    }[kind]
    return Planted(said.format(f"my doctor says {remark}"), remark)


def plant(folder: Path, number: int, seed: int = 7) -> tuple[dict[str, Path], list[Planted]]:
    """Files of every format that holds words, with secrets in them.

    Args:
        folder: an empty folder.
        number: how many secrets, over all files.
        seed: the same one gives the same files.

    Returns:
        The files by format, and the secrets.
    """
    dice = random.Random(seed)
    names = [format.name for format in importers.FORMATS if document(format.name, ["x"]) is not None]
    said: dict[str, list[str]] = {name: [] for name in names}
    planted = []
    for count in range(number):
        one = secret(dice)
        planted.append(one)
        talk = said[names[count % len(names)]]
        talk += [f"We always open the {dice.choice(WORDS)} gate at {count % 12 + 1}.", one.said]
    files = {}
    for name, talk in said.items():
        made = document(name, talk)
        if talk and made is not None:
            place = folder / name / made[0]
            place.parent.mkdir(parents=True)
            place.write_bytes(made[1])
            files[name] = place
    return files, planted


def found(root: Path, cores: list[str]) -> dict[str, list[str]]:
    """Where some words stand: in which files below a folder, git's own among them, and in which objects of its repository."""
    wanted = [core.encode() for core in cores]
    out: dict[str, list[str]] = {}
    for path in root.rglob("*"):
        if path.is_file() and path.relative_to(root).parts[:2] != (".git", "objects"):
            data = path.read_bytes()
            for core in wanted:
                if core in data:
                    out.setdefault(core.decode(), []).append(path.relative_to(root).as_posix())
    options = ["git", "cat-file", "--batch-all-objects", "--batch"]
    data = subprocess.run(options, cwd=root, capture_output=True, check=True).stdout
    for core in wanted:
        if core in data:
            out.setdefault(core.decode(), []).append("git")
    return out
