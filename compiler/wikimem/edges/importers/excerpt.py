"""Excerpts of sources that stay with their author, as `core.excerpts` writes them. Never recognised: only `share` makes them."""

from __future__ import annotations

from wikimem.core import excerpts
from wikimem.edges.importers.format import LineFormat

FORMAT = LineFormat(excerpts.FORMAT, lambda head: False, lambda lines: iter(excerpts.read(lines)), ".jsonl", json=True)
