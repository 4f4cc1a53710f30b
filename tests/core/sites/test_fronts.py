"""Lists in sheets: short ones in one, long ones by letter or month, so that a new item touches few."""

from __future__ import annotations

from wikimem.core.sites import changes, fronts
from wikimem.core.sites.changes import Change, PageChange, Proof
from wikimem.core.sites.entries import Entry


def entries(*titles: str) -> list[Entry]:
    return fronts.listed(Entry(f"topics/{at}.md", title) for at, title in enumerate(titles))


def test_a_short_list_is_one_sheet() -> None:
    (sheet,) = fronts.sheets("topics/index.html", entries("b", "A"), fronts.letter)
    assert (sheet.file, sheet.label, [entry.title for entry in sheet.items]) == ("topics/index.html", "", ["A", "b"])
    assert [sheet.items for sheet in fronts.sheets("x/index.html", [], fronts.letter)] == [[]]


def test_a_long_list_has_a_sheet_a_letter_and_more_for_many() -> None:
    listed = entries(*(f"a{n:04}" for n in range(300)), "42 berths", "Zoë", "地图")
    sheets = fronts.sheets("topics/index.html", listed, fronts.letter)
    assert [(sheet.label, sheet.file, len(sheet.items)) for sheet in sheets] == [
        ("0-9", "topics/index.html", 1),
        ("A", "topics/index.a.html", 250),
        ("A 2", "topics/index.a-2.html", 50),
        ("Z", "topics/index.z.html", 1),
        ("地", "topics/index.u5730.html", 1),
    ]


def test_a_new_page_changes_the_sheet_of_its_letter_alone() -> None:
    titles = [f"{letter}{n:03}" for letter in "abc" for n in range(100)]
    before = fronts.sheets("topics/index.html", entries(*titles), lambda entry: fronts.letter(entry))
    after = fronts.sheets("topics/index.html", entries(*titles, "b new"), fronts.letter)
    told = (
        [[entry.title for entry in sheet.items] for sheet in before],
        [[entry.title for entry in sheet.items] for sheet in after],
    )
    assert [one == other for one, other in zip(*told, strict=True)] == [True, False, True]


def test_what_is_new_is_what_the_wiki_says_and_did_not_say() -> None:
    def step(id: str, *kinds: str) -> changes.Step:
        told = tuple(Change(kind, "aaaaaaaaaaaa", "It rains.", ("", ""), Proof()) for kind in kinds)
        return changes.step(id, "2026-03-02", f"compile: {id}", "", (PageChange("topics/rain.md", "Rain", told, 3),))

    home = fronts.home({}, [], [step("renamed"), step("dated", "dated"), step("gained", "dated", "gained")])
    assert [each.brief.id for each in home.steps] == ["gained"]
