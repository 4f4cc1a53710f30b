"""The index: finds passages in milliseconds. A cache under `.wikimem/`: its loss or damage costs a rebuild, no more.

    index/current        one small file: version, and which folder is in use; replaced after each commit
    index/lock           held while somebody writes; whoever reads never needs it
    index/<folder>/      Whoosh's files; its pickles are why an index is never shared or taken from elsewhere
    index/wiki/          the same again: turns lie above, claims and prose of pages here, so that neither is ranked by
                         how common a word is in the other, and a wiki that changes touches no turn

Whoosh is imported when an index is first read or written, not before.
"""

from __future__ import annotations

from wikimem.edges.index.batch import Batch, Sheet, Topic, Unit
from wikimem.edges.index.port import Found, Index, Unusable

__all__ = ["Batch", "Found", "Index", "Sheet", "Topic", "Unit", "Unusable"]
