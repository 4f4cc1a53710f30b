"""Models: whoever answers the compiler's questions. One port, one module a model.

rules        built in: no key, no network, the same answer every time
recorded     replies from a folder, by what was asked
"""

from __future__ import annotations

from wikimem.edges.models.port import Model
from wikimem.errors import UnknownModel

__all__ = ["Model", "named"]


def named(name: str) -> Model:
    """The model of a name in the settings: `rules`, or `recorded:<dir>`.

    Raises:
        UnknownModel: there is none of that name.
    """
    kind, _, rest = name.partition(":")
    if name == "rules":
        from wikimem.edges.models.rules import Rules

        return Rules()
    if kind == "recorded" and rest:
        from wikimem.edges.models.recorded import Recorded

        return Recorded(rest)
    raise UnknownModel(name)
