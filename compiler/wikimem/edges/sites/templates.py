"""Templates: the site's pages as files of Jinja, a vault's own first; those run in a sandbox, for a vault may be anybody's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from wikimem.core.sites.conversations import Stretch
from wikimem.core.sites.names import Names
from wikimem.edges.sites import markup
from wikimem.errors import BadTemplate

if TYPE_CHECKING:
    from jinja2 import Environment

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STATIC = (".css", ".js", ".txt", ".svg")
_VENDOR = "vendor"


class Templates:
    """The templates and static files of a vault.

    Args:
        folders: where they are looked for; the first that has a file wins, the last one is the package's.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._foreign = any(next(folder.glob("*.j2"), None) is not None for folder in self._folders[:-1])

    def render(self, name: str, values: Mapping[str, Any]) -> bytes:
        """A page.

        Args:
            name: of the template, without `.html.j2`.
            values: what it shows.

        Raises:
            BadTemplate: it cannot be used.
        """
        from jinja2 import TemplateError

        try:
            made = self._environment.get_template(f"{name}.j2").render(values)
        except (TemplateError, RecursionError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            raise BadTemplate(f"{name}.j2", str(error) or type(error).__name__) from None
        return made.encode("utf-8", "replace")

    def static(self) -> dict[str, bytes]:
        """Style, scripts and licences by the name they get below `assets/`."""
        found: dict[str, bytes] = {}
        for folder in reversed(self._folders):
            for path in (*sorted(folder.glob("*.*")), *sorted((folder / _VENDOR).glob("*.*"))):
                if path.suffix in STATIC and path.is_file() and not path.is_symlink():
                    found[path.name] = path.read_bytes()
        return dict(sorted(found.items()))

    @cached_property
    def digest(self) -> str:
        """Over everything that decides how a page looks."""
        told = sha256()
        for folder in self._folders:
            for path in sorted(folder.glob("*.j2")):
                if path.is_file() and not path.is_symlink():
                    told.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return told.hexdigest()[:16]

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        # The sandbox looks at every attribute, which makes a large site twice as slow.
        made = (ImmutableSandboxedEnvironment if self._foreign else Environment)(
            loader=FileSystemLoader(list(self._folders)),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        made.filters["speech"] = _speech
        made.filters["markdown"] = markup.html
        made.filters["number"] = _number
        made.filters["xml"] = _xml
        made.filters["pieces"] = Names(()).pieces
        return made


def _speech(stretches: Iterable[Stretch]) -> Markup:
    return markup.speech((one.text, one.kind == "quote") for one in stretches)


def _xml(text: str) -> str:
    """Text without the signs that no XML may hold, however they are escaped."""
    return _FORBIDDEN.sub("", text)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f")
