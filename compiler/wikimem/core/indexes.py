"""Index pages: `wiki/index.md` and one a folder, made from the wiki. No counts, no clock: nothing to conflict."""

from __future__ import annotations

from wikimem.core import compose, lines, slugs
from wikimem.core.compose import Cold
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject

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
}


Entries = dict[str, tuple[Subject, str, str]]
"""The entries of an earlier call by key, each with the subject and the slug that it was made for."""


def all_pages(wiki: Wiki, cold: Cold, made: Entries | None = None) -> dict[str, str]:
    """The index pages by path below `wiki/`; none for a folder without pages.

    Args:
        wiki: the folded wiki.
        cold: results of consolidation: its summaries are shown.
        made: entries of an earlier call with the same `cold`, taken where the subject is the very same value, and added
            to: so the cost of a change hardly grows with the wiki.
    """
    made = {} if made is None else made
    folders: dict[str, list[str]] = {folder: [] for folder in slugs.FOLDERS.values()}
    for key in sorted(wiki.subjects, key=wiki.path):
        subject, slug = wiki.subjects[key], wiki.slugs[key]
        known = made.get(key)
        if known is None or known[0] is not subject or known[1] != slug:
            known = made[key] = (subject, slug, _entry(wiki, key, cold))
        folders[slugs.FOLDERS[subject.type]].append(known[2])
    used = [folder for folder in folders if folders[folder]]
    found = {f"{folder}/index.md": _page(folder.capitalize(), folders[folder]) for folder in used}
    entries = [f"- [{folder.capitalize()}]({folder}/index.md): {_SAID[folder]}" for folder in used]
    found["index.md"] = _page("Wiki", [*entries, f"- [Sessions](sessions/): {_SAID['sessions']}"])
    return found


def _entry(wiki: Wiki, key: str, cold: Cold) -> str:
    subject = wiki.subjects[key]
    told = compose.summary(subject, cold.intros.get(key))
    where = f" ({subject.scope})" if subject.scope else ""
    ended = " (ended)" if compose.status(subject) == "ended" else ""
    summary = f": {lines.escape(told, start=False)}" if told else ""
    title = lines.label(subject.title)
    return f"- [{title}]({wiki.slugs[key]}.md){where}{ended}{summary}"


def _page(title: str, entries: list[str]) -> str:
    return f"# {title}\n\n" + "".join(f"{entry}\n" for entry in entries)
