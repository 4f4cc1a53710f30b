"""What the index uses of Whoosh, imported without what Whoosh asks for and this never uses: half of what a recall imports.

`whoosh.compat` wants `urllib.request` for one function of Python 2's name, and with it comes an HTTP client; `whoosh.reading`
wants the package `cached_property`, and with it comes an event loop. Where they are loaded already, they are taken. Else they
are stood in for while Whoosh is imported, and no longer: who imports them later gets them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from types import ModuleType


@contextmanager
def _stood_in_for() -> Iterator[None]:
    here = {}
    for name, member, value in (
        ("urllib.request", "urlretrieve", None),
        ("cached_property", "cached_property", cached_property),
    ):
        if name not in sys.modules:
            here[name] = sys.modules[name] = ModuleType(name)
            setattr(here[name], member, value)
    try:
        yield
    finally:
        for name, module in here.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


with _stood_in_for():
    from whoosh import columns, fields, formats
    from whoosh.codec.whoosh3 import W3Codec, W3LeafMatcher
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC, FileIndex
    from whoosh.lang.porter2 import stem as porter
    from whoosh.matching.wrappers import FilterMatcher
    from whoosh.reading import SegmentReader, TermNotFound
    from whoosh.writing import PostingPool

__all__ = [
    "TOC",
    "FileIndex",
    "FileStorage",
    "FilterMatcher",
    "PostingPool",
    "SegmentReader",
    "TermNotFound",
    "W3Codec",
    "W3LeafMatcher",
    "columns",
    "fields",
    "formats",
    "porter",
]
