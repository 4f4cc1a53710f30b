"""How fast secrets are masked, what is masked, and whether any id was touched; it judges nothing by itself.

    python benchmarks/masks.py [--show] PATH…

Reads every file below the paths (`.jsonl` and `.ndjson` as lines of JSON, the rest as text, binaries not at all) and
prints the rate, the counts by kind and the ids that masking changed, of which there must be none. `--show` prints each
masked stretch with its place and what stands around it, the secret cut to four characters: the way to look for masks
that hide what is no secret. Exit code 1 if an id changed, or if a second scan still finds something.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wikimem.core import masking

MASK = re.compile(rb"\[masked:([a-z-]+)\](?:\\n|\n)*")
# On purpose not the module's own idea of an id: whatever looks like one, in a key or in a value.
ID_KEY = re.compile(r"(?i)(?:id|ids|uuid|sha|sha\d+|hash|signature|commit|parent|digest|checksum)$")
ID_VALUE = re.compile(
    rb"(?:toolu|srvtoolu|msg|req|call|ses|prt|fc|rs|resp)_\w{8,}|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="files or folders")
    parser.add_argument("--show", action="store_true", help="print each masked stretch, its secret shortened")
    options = parser.parse_args()

    masking.text(b"")  # the pattern is compiled when first used
    spent: dict[bool, float] = {True: 0.0, False: 0.0}
    size: dict[bool, int] = {True: 0, False: 0}
    counts: Counter[str] = Counter()
    again: Counter[str] = Counter()
    changed = 0
    for path in files(options.paths):
        data = path.read_bytes()
        if is_binary(data):
            continue
        is_lines = path.suffix in (".jsonl", ".ndjson")
        pieces = data.split(b"\n") if is_lines else [data]
        mask = masking.json_line if is_lines else masking.text
        began = time.perf_counter()
        masked = [mask(piece) for piece in pieces]
        spent[is_lines] += time.perf_counter() - began
        size[is_lines] += len(data)
        for number, (before, (after, kinds)) in enumerate(zip(pieces, masked, strict=True), 1):
            if not kinds:
                continue
            counts.update(kinds)
            again.update(masking.left(after, is_lines))
            changed += changed_ids(before, after, is_lines)
            if options.show:
                show(path, number, before, after)
    for is_lines, name in ((True, "lines of JSON"), (False, "text")):
        if size[is_lines]:
            print(f"{name}: {size[is_lines] / 1e6:.1f} MB at {size[is_lines] / spent[is_lines] / 1e6:.0f} MB/s")
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    print(f"{changed} ids changed, {again.total()} secrets left")
    return 1 if changed or again else 0


def files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(found for found in path.rglob("*") if found.is_file()) if path.is_dir() else [path]


def is_binary(data: bytes) -> bool:
    return b"\x00" in data[:8192]


def changed_ids(before: bytes, after: bytes, is_lines: bool) -> int:
    """How many values that are or look like ids are no longer what they were."""
    lost = (Counter(ID_VALUE.findall(before)) - Counter(ID_VALUE.findall(after))).total()
    if is_lines:
        try:
            lost += sum(old != new for old, new in zip(ids(json.loads(before)), ids(json.loads(after)), strict=True))
        except ValueError:
            print(f"not compared, no JSON: a line of {len(before)} bytes", file=sys.stderr)
    return lost


def ids(value: Any, is_id: bool = False) -> Iterator[str]:
    """The strings below keys that name ids, in order."""
    match value:
        case dict():
            for key, item in value.items():
                yield from ids(item, bool(ID_KEY.search(key)))
        case list():
            for item in value:
                yield from ids(item, is_id)
        case str() if is_id:
            yield value


def show(path: Path, number: int, before: bytes, after: bytes) -> None:
    """Print what was masked, found by aligning the stretches that masking left alone."""
    at = 0
    masks = list(MASK.finditer(after))
    for index, mask in enumerate(masks):
        kept = after[masks[index - 1].end() if index else 0 : mask.start()]
        start = at + len(kept)
        follows = after[mask.end() : masks[index + 1].start() if index + 1 < len(masks) else len(after)]
        at = before.find(follows, start) if index + 1 < len(masks) else len(before) - len(follows)
        line = number + before.count(b"\n", 0, start)
        lead, secret, tail = before[max(0, start - 60) : start], before[start:at], before[at : at + 30]
        shown = b"%s<<%s\xe2\x80\xa6 %d>>%s" % (lead, secret[:4], len(secret), tail)
        print(f"{path}:{line}: {mask[1].decode()}: {shown.decode('utf-8', 'replace')!r}")


if __name__ == "__main__":
    sys.exit(main())
