"""Weaving: the pages of two clones as one shelf, on which what people wrote on either side stands. Decides no claim.

The lines that code wrote are rendered anew anyway, so only people's lines are merged: those of the common ancestor and of
both sides are carried to one and the same rendering, and then git merges three texts that differ in nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from wikimem.core import catalogue, front, keep, pages, splits
from wikimem.core.fold import Wiki
from wikimem.core.indexes import Written
from wikimem.core.pages import Blank, Kept, Key, Line, Page, Rule, Title
from wikimem.errors import Problem
from wikimem.rendering import Shelf

Merge = Callable[[bytes, bytes, bytes], tuple[bytes, bool]]
"""Base, one and other to their merge, and whether both had changed the same lines; then the lines of both are in it."""


class Standing(Shelf):
    """The pages as a commit has them.

    Args:
        texts: path to bytes of each.
    """

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = dict(texts)
        self.listed = Written()
        self.held: dict[str, Problem] = {}

    def committed(self) -> Mapping[str, str]:
        return dict.fromkeys(self._texts, "")

    def trust(self, paths: Iterable[str]) -> None:
        raise NotImplementedError("nothing of a commit is uncommitted")

    def is_gone(self, path: str) -> bool:
        return False

    def landed(self, change: Mapping[str, bytes], deletes: Iterable[str]) -> None:
        self._texts |= change
        for path in deletes:
            self._texts.pop(path, None)

    def read(self, path: str) -> tuple[bytes | None, bool]:
        return self._texts.get(path), True

    def expected(self, path: str) -> str | None:
        return None

    def texts(self) -> Mapping[str, bytes]:
        """All of them."""
        return self._texts


class Loom:
    """Weaves the pages of two sides into those of one shelf.

    Args:
        wiki: what both sides say together.
        paths: where each source lies, by id.
        merge: merges three texts.
    """

    def __init__(self, wiki: Wiki, paths: Mapping[str, str], merge: Merge) -> None:
        self._wiki, self._paths, self._merge = wiki, paths, merge
        self.conflicts: list[str] = []
        self.notes: list[str] = []

    @cached_property
    def _rendered(self) -> Mapping[str, Page]:
        found: dict[str, Page] = {}
        for key in self._wiki.pages:
            found |= splits.all_pages(self._wiki, key, self._wiki.cold, self._paths)
        return found

    def shelf(self, base: Mapping[str, bytes], one: Mapping[str, bytes], other: Mapping[str, bytes]) -> Standing:
        """The pages of both.

        Args:
            base: path to bytes of every file of the wiki that is woven here, as their common ancestor has them.
            one: as the one side has them.
            other: as the other has them; which is which makes no difference.
        """
        woven = {path: self._woven(path, base.get(path), one.get(path), other.get(path)) for path in sorted({*one, *other})}
        return Standing({path: data for path, data in woven.items() if data is not None})

    def _woven(self, path: str, base: bytes | None, one: bytes | None, other: bytes | None) -> bytes | None:
        if one == other or other == base:
            return one
        if one == base:
            return other
        sides = [side for side in (one, other) if side is not None]
        name = path.removeprefix("wiki/")
        ours = catalogue.is_page(name) and any(_page(side).notes for side in (*sides, base or b""))
        if ours:
            return self._of_people(path, base, one, other)
        if len(sides) == 1:
            # Taken away on the one side, changed on the other.
            return sides[0]
        if _is_made(name):
            return min(sides)
        first, second = sorted(sides)
        return self._told(path, *self._merge(base or b"", first, second))

    def _of_people(self, path: str, base: bytes | None, one: bytes | None, other: bytes | None) -> bytes:
        told = [_page(side) if side is not None else None for side in (base, one, other)]
        smaller = min(side for side in (one, other) if side is not None)
        if not any(isinstance(line, Kept) for page in told if page for line in page.lines):
            return smaller
        ground = self._rendered.get(path.removeprefix("wiki/"))
        if ground is None:
            ground = self._ground(_page(smaller))
            if not ground.notes and (one is None or other is None):
                self.notes.append(f"{path} was deleted on one side; what people wrote on it on the other side stays there.")
        if one is None or other is None:
            # Its lines went with its claims on the one side; here is only what was written since on the other.
            since = _since(_page(smaller), told[0])
            return pages.write(keep.carry(since, ground)).encode("utf-8", "surrogateescape")
        carried = [pages.write(keep.carry(page, ground) if page else ground) for page in told]
        old, *new = (text.encode("utf-8", "surrogateescape") for text in carried)
        return self._told(path, *self._merge(old, *sorted(new)))

    def _ground(self, page: Page) -> Page:
        """The lines of ours of a page that is to go: of one whose claims stand nowhere any more, only its head."""
        lines = [line for line in page.lines if not isinstance(line, Kept)]
        if not self._living & page.notes.keys():
            lines = [line for line in lines if isinstance(line, Rule | Key | Title | Blank)]
        pairs = zip(lines, [None, *lines], strict=False)
        return Page(tuple(line for line, before in pairs if not (isinstance(line, Blank) and isinstance(before, Blank))))

    @cached_property
    def _living(self) -> frozenset[str]:
        return frozenset(claim.id for subject in self._wiki.subjects.values() for claim in subject.claims)

    def _told(self, path: str, data: bytes, conflict: bool) -> bytes:
        if not conflict:
            return data
        self.conflicts.append(path)
        return _with_single_keys(data)


def _since(page: Page, base: Page | None) -> Page:
    """A page without people's lines that its ancestor has; headings stay above what is left below them."""
    known = Counter(line.text for line in base.lines if isinstance(line, Kept)) if base else Counter[str]()
    kept: list[Line] = []
    heading: Kept | None = None
    for line in page.lines:
        if not isinstance(line, Kept):
            heading = heading if isinstance(line, Blank) else None
            kept.append(line)
        elif known[line.text]:
            known[line.text] -= 1
            heading = line if line.text.startswith("#") else heading
        else:
            kept += [line] if heading is None else [heading, Blank(), line]
            heading = None
    return Page(tuple(kept))


def _is_made(name: str) -> bool:
    """Whether a file below `wiki/` is one of those that list the pages."""
    return name.rsplit("/", 1)[-1] == "index.md" or "/index/" in name


def _page(data: bytes) -> Page:
    return pages.parse(data.decode("utf-8", "surrogateescape"))


def _with_single_keys(data: bytes) -> bytes:
    """A page on which a key that both sides set stands once; the other value becomes a comment beside it."""
    raw = pages.split(data.decode("utf-8", "surrogateescape"))
    end = pages.front_end(raw) if raw and raw[0] == "---" else 0
    seen: set[str] = set()
    again = False
    for number in range(1, end):
        key = (front.read(raw[number]) or ("",))[0]
        # The lines of a list belong to the key before them.
        again = key in seen if key else again and raw[number].startswith((" ", "-"))
        raw[number] = f"# {raw[number]}" if again else raw[number]
        seen |= {key} - {""}
    return "\n".join(raw).encode("utf-8", "surrogateescape")
