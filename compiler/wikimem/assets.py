"""Assets: the files that come with the package beside its code: prompts, and what the site is made of. Reads only.

In a wheel they lie in `wikimem/shipped/`; in a checkout, at its top. A vault's own file of the same name wins.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SHIPPED = _HERE / "shipped"
_CHECKOUT = _HERE.parent.parent


def folders(kind: str, vault: Path | None = None) -> tuple[Path, ...]:
    """Where assets of a kind (`prompts`, `site`) are looked for, the first one that has a file wins.

    Args:
        kind: the folder's name.
        vault: a vault whose own files come first.
    """
    own = () if vault is None else (vault / kind,)
    shipped = _SHIPPED / kind if (_SHIPPED / kind).is_dir() else _CHECKOUT / kind
    return (*own, shipped)


def read(kind: str, name: str, vault: Path | None = None) -> str:
    """The text of an asset.

    Raises:
        FileNotFoundError: it is in none of its folders: the installation is broken.
    """
    for folder in folders(kind, vault):
        path = folder / name
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{kind}/{name} is missing from this installation of wikimem; install it again")
