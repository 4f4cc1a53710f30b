"""Filed answers as they lie in sources, read from the stored bytes. Whether they still hold is not known here."""

from __future__ import annotations

from collections.abc import Iterator

from wikimem.core import filed
from wikimem.core.filed import Filed
from wikimem.edges.ledger import Ledger


def every(ledger: Ledger) -> Iterator[tuple[str, Filed]]:
    """All filed answers, each with its source."""
    for source, sidecar in ledger.all().items():
        if sidecar.format == filed.FORMAT:
            yield from ((source, answer) for answer in of(ledger, source))


def of(ledger: Ledger, source: str) -> Iterator[Filed]:
    """The answers that a source of this format holds; what is no answer in it is passed over."""
    for line in ledger.lines(source):
        try:
            yield filed.read(line)
        except ValueError:
            continue  # `verify` tells of a source whose bytes are not those that were kept
