"""Index pages: `wiki/index.md` and one a folder, made from the wiki. No counts, no clock: nothing to conflict.

A folder of so many pages that its index would be longer than a page may be gets one index for each beginning of a name,
`topics/index/s.md`, and the folder's own index leads to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wikimem.core import compose, lines, slugs, splits
from wikimem.core.cold import Cold
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject

ARCHIVE = "archive"
"""The folder below `wiki/` of the index of archived pages; the pages themselves stay where they are."""

_SAID = {
    "people": "who they are, what they prefer, what they own",
    "projects": "what is worked on, and how",
    "topics": "what is known of one thing",
    "decisions": "what was decided, and why",
    "procedures": "how things are done",
    "environments": "where things run",
    "gotchas": "what went wrong, and what helps",
    "syntheses": "what follows from several pages",
    "sessions": "what happened in each session",
    "archive": "pages of which nothing has held for long",
}
_DEEPEST = 8


@dataclass(slots=True)
class Written:
    """Entries that were written before, so that listing a wiki of which little changed costs little.

    Args:
        entries: the entry of each subject, with the values it was made from.
    """

    entries: dict[str, tuple[Subject, str, str]] = field(default_factory=dict)

    def of(self, wiki: Wiki, key: str, cold: Cold) -> str:
        """The entry of a subject in its folder's index."""
        subject, slug = wiki.page(key), wiki.slugs[key]
        known = self.entries.get(key)
        if known is not None and known[0] is subject and known[1] == slug and key not in cold.intros:
            return known[2]
        made = _entry(wiki, key, cold)
        self.entries[key] = (subject, slug, made)
        return made


def all_pages(wiki: Wiki, cold: Cold, written: Written | None = None) -> dict[str, str]:
    """The index pages by path below `wiki/`; none for a folder without pages.

    Args:
        wiki: the folded wiki.
        cold: results of consolidation: its summaries are shown.
        written: entries from before.
    """
    memo = written or Written()
    folders: dict[str, dict[str, str]] = {folder: {} for folder in (*slugs.FOLDERS.values(), ARCHIVE)}
    for key, subject in wiki.pages.items():
        folder, slug, entry = slugs.FOLDERS[subject.type], wiki.slugs[key], memo.of(wiki, key, cold)
        if subject.archived:
            folders[ARCHIVE][slug] = entry.replace(f"]({slug}.md)", f"](../{folder}/{slug}.md)", 1)
        else:
            folders[folder][slug] = entry
    found: dict[str, str] = {}
    for folder, entries in folders.items():
        if entries:
            found |= _folder(folder, dict(sorted(entries.items())))
    told = {folder: f"- [{folder.capitalize()}]({folder}/index.md): {_SAID[folder]}" for folder in folders if folders[folder]}
    last = [told.pop(ARCHIVE)] if ARCHIVE in told else []
    found["index.md"] = _page("Wiki", [*told.values(), f"- [Sessions](sessions/): {_SAID['sessions']}", *last])
    return found


def _folder(folder: str, entries: Mapping[str, str]) -> dict[str, str]:
    """The index of a folder, and its parts where it would be too long."""
    title = folder.capitalize()
    whole = _page(title, list(entries.values()))
    if splits.tokens(whole) <= splits.TOKENS:
        return {f"{folder}/index.md": whole}
    found: dict[str, str] = {}
    links = []
    for start, part in _parts(list(entries), entries, 1):
        name = slugs.slug(start, "index", start)
        listed = [entries[slug].replace("](", "](../", 1) for slug in part]
        found[f"{folder}/index/{name}.md"] = _page(f"{title}: {start}", listed)
        links.append(f"- [{lines.label(start)}…](index/{name}.md)")
    found[f"{folder}/index.md"] = _page(title, links)
    return found


def _parts(names: Sequence[str], entries: Mapping[str, str], length: int) -> list[tuple[str, list[str]]]:
    """Names by their beginnings, each beginning as long as it must be for its entries to fit a page."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[name[:length]].append(name)
    found: list[tuple[str, list[str]]] = []
    for start, group in sorted(groups.items()):
        size = sum(splits.tokens(entries[name]) + 1 for name in group)
        if size <= splits.TOKENS or length >= _DEEPEST or all(len(name) <= length for name in group):
            found.append((start, group))
        else:
            found += _parts(group, entries, length + 1)
    return found


def _entry(wiki: Wiki, key: str, cold: Cold) -> str:
    subject = wiki.page(key)
    told = compose.summary(subject, compose.intro_of(subject, cold))
    where = f" ({subject.scope})" if subject.scope else ""
    ended = " (ended)" if compose.status(subject) == "ended" else ""
    summary = f": {lines.escape(told, start=False)}" if told else ""
    title = lines.label(subject.title)
    return f"- [{title}]({wiki.slugs[key]}.md){where}{ended}{summary}"


def _page(title: str, entries: list[str]) -> str:
    return f"# {title}\n\n" + "".join(f"{entry}\n" for entry in entries)
