"""What happens to files on their way: cut, glued, shuffled, with bytes changed. Strategies for tests of importers."""

from __future__ import annotations

import json

from hypothesis import strategies as st


def scalars() -> st.SearchStrategy[object]:
    """JSON values without parts, odd ones among them."""
    numbers = st.one_of(st.integers(-(2**62), 2**62), st.floats(allow_nan=False, allow_infinity=False))
    return st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=8))


def json_values() -> st.SearchStrategy[object]:
    """Small JSON values of any shape."""
    return st.recursive(
        scalars(),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
        max_leaves=6,
    )


@st.composite
def altered(draw: st.DrawFn, value: object) -> object:
    """The value with one part of it replaced by another, or left out."""
    if isinstance(value, dict) and value and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(sorted(value)))
        if not draw(st.integers(0, 4)):
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: draw(altered(value[key]))}
    if isinstance(value, list) and value and draw(st.integers(0, 4)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], draw(altered(value[place])), *value[place + 1 :]]
    return draw(json_values())


@st.composite
def mangled(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes cut, glued to themselves, or with some of them changed or left out."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.integers(0, 4)):
            case 0:
                data = data[:place]
            case 1:
                data = data[place:]
            case 2:
                data = data[:place] + draw(st.binary(max_size=6)) + data[place:]
            case 3:
                data = data[:place] + data[place + draw(st.integers(1, 40)) :]
            case _:
                data = data + data[:place]
    return data


def document(value: object, indent: int | None = None) -> bytes:
    """A JSON document."""
    return json.dumps(value, indent=indent).encode()
