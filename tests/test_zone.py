"""The time zone of a vault: days on pages and in answers, relative dates, and what becomes of it all when it changes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wikimem
from conftest import NOW, jsonl
from dictated import Dictated, check, commits, git, tell, wiki
from wikimem.errors import BadSettings
from wikimem.faces.api import Vault

BERLIN = "Europe/Berlin"
GATE = "topic | harbour gate | | The gate was {}."
# Instants around midnight of a winter day, of the day of 23 hours and of that of 25, with the day that Berlin calls them.
EDGES = {
    "2026-01-21T22:59:00Z": "2026-01-21",
    "2026-01-21T23:10:00Z": "2026-01-22",
    "2026-03-28T23:00:00Z": "2026-03-29",
    "2026-03-29T00:59:00Z": "2026-03-29",
    "2026-03-29T01:01:00Z": "2026-03-29",
    "2026-03-29T22:00:00Z": "2026-03-30",
    "2026-10-24T22:00:00Z": "2026-10-25",
    "2026-10-25T00:30:00Z": "2026-10-25",
    "2026-10-25T01:30:00Z": "2026-10-25",
    "2026-10-25T22:59:00Z": "2026-10-25",
    "2026-10-25T23:00:00Z": "2026-10-26",
}
WHEN = ("closed", "opened", "painted", "moved", "sold", "rented", "insured", "weighed", "cleaned", "lit", "greased")


def said(number: int, time: str, text: str, name: str = "edges") -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": f"{name}-{number}",
        "parentUuid": f"{name}-{number - 1}" if number else None,
        "sessionId": name,
        "timestamp": time,
        "cwd": "/home/sam/harbour",
        "message": {"role": "user", "content": text},
    }


def edges() -> bytes:
    return jsonl(*(said(n, time, GATE.format(WHEN[n])) for n, time in enumerate(EDGES)))


def zoned(vault: Vault, name: str) -> Vault:
    """The vault with another time zone, committed and opened again."""
    path = vault.root / "wikimem.toml"
    kept = re.sub(r"(?m)^zone = .*\n", "", path.read_text())
    path.write_text(kept.replace("[vault]\n", f'[vault]\nzone = "{name}"\n') if name else kept)
    git(vault.root, "commit", "-qam", "zone")
    return Vault.open(vault.root, clock=lambda: NOW)


def page(vault: Vault, name: str = "topics/harbour-gate.md") -> str:
    return (vault.root / "wiki" / name).read_text()


def days(text: str) -> dict[str, str]:
    """The day each claim of a page was said on, by its verb."""
    claims = dict(re.findall(r"The gate was (\w+)\..*\[\^(\w+)\]", text))
    notes = dict(re.findall(r"(?m)^\[\^(\w+)\]: .* said ([\d-]+) ·", text))
    return {verb: notes[id] for verb, id in claims.items()}


def card(vault: Vault) -> str:
    (path,) = (vault.root / "wiki/sessions").rglob("*-claude-code-*.md")
    return path.read_text()


@pytest.fixture
def berlin(vault: Vault) -> Vault:
    """A vault in Berlin that holds `EDGES`, compiled."""
    vault = zoned(vault, BERLIN)
    tell(vault, edges())
    vault.compile(model=Dictated())
    return vault


def test_days_on_pages_are_those_of_the_zone_also_where_days_have_23_or_25_hours(berlin: Vault) -> None:
    assert days(page(berlin)) == dict(zip(WHEN, EDGES.values(), strict=True))
    assert 'started: "2026-01-21T23:59+01:00"' in card(berlin)
    check(berlin)


def test_without_a_setting_days_are_those_of_utc(vault: Vault) -> None:
    tell(vault, edges())
    vault.compile(model=Dictated())
    assert days(page(vault)) == {verb: time[:10] for verb, time in zip(WHEN, EDGES, strict=True)}
    assert 'started: "2026-01-21T22:59Z"' in card(vault)
    assert vault.status().zone == "UTC"
    assert all(b"zone" not in data.split(b"\n")[0] for path, data in wiki(vault).items() if path.endswith(".jsonl"))


def test_sources_are_named_by_the_day_in_utc_whatever_the_zone(vault: Vault, tmp_path: Path) -> None:
    other = zoned(wikimem.create(tmp_path / "other" / "memory"), "Pacific/Kiritimati")
    for each in (vault, other):
        tell(each, edges())
    assert sorted(vault._opened.ledger.all()) == sorted(other._opened.ledger.all())
    assert other.status().first == "2026-01-22"


def test_searching_between_two_days_finds_what_was_said_on_them_there(berlin: Vault) -> None:
    def found(since: str, until: str) -> set[str]:
        hits = berlin.search("gate", since=since, until=until, limit=50).as_json()["hits"]
        return {verb for hit in hits for verb in re.findall(r"The gate was (\w+)", hit["text"])}

    wanted: dict[str, set[str]] = {}
    for verb, day in zip(WHEN, EDGES.values(), strict=True):
        wanted.setdefault(day, set()).add(verb)
    assert {day: found(day, day) for day in wanted} == wanted
    assert found("2026-10-27", "") == found("", "2026-01-20") == set()


def test_a_text_without_words_is_found_on_its_day_too(vault: Vault) -> None:
    vault = zoned(vault, BERLIN)
    tell(vault, jsonl(said(0, "2026-01-21T23:10:00Z", "→→")))
    assert [hit["cite"] for hit in vault.search("→→", since="2026-01-22", until="2026-01-22").as_json()["hits"]]
    assert not vault.search("→→", since="2026-01-21", until="2026-01-21").as_json()["hits"]


def test_a_day_of_knowledge_ends_at_midnight_there(berlin: Vault) -> None:
    told = days(berlin.show("harbour-gate", known="2026-03-29").as_json()["text"])
    assert set(told) == set(WHEN[:5])
    assert {WHEN[5]} == set(days(berlin.show("harbour-gate", known="2026-03-30").as_json()["text"])) - set(told)
    assert len(berlin.timeline("harbour-gate", known="2026-01-21").stretches) == 1
    bundle = berlin.recall("what about the harbour gate", known="2026-01-22", budget=4000).bundle.text
    assert "The gate was opened." in bundle and "painted" not in bundle
    assert "2026-01-22 00:10+01:00" in bundle
    past = berlin.history("harbour-gate", known="2026-01-21").as_json()
    assert "closed" in str(past) and "opened" not in str(past)


PORT = "topic | harbour gate | port | The gate listens on port {}.{}"


def ports(vault: Vault, *told: tuple[str, str]) -> Vault:
    vault = zoned(vault, BERLIN)
    tell(vault, *(jsonl(said(0, time, text, f"s{n}")) for n, (time, text) in enumerate(told)))
    vault.compile(model=Dictated())
    return vault


def test_what_began_on_a_day_begins_at_midnight_there(vault: Vault) -> None:
    # Said at half past eleven in the evening of the 20th, in UTC and before the 21st begins in Berlin; and after.
    vault = ports(
        vault,
        ("2026-01-20T22:30:00Z", PORT.format(5001, " | from=2026-01-21")),
        ("2026-01-20T23:30:00Z", PORT.format(5002, "")),
    )
    text = page(vault)
    assert "- The gate listens on port 5002. [^" in text
    assert "~~The gate listens on port 5001.~~ (2026-01-21 to 2026-01-21, superseded by" in text
    held = [one for one in vault.recall("which port", at="2026-01-20T23:10Z").as_json()["entries"] if one["kind"] == "claim"]
    assert [one["claim"]["text"] for one in held][:1] == ["The gate listens on port 5001."]
    assert "port 5001" in vault.show("harbour-gate", at="2026-01-21T00:10").as_json()["text"]
    assert "port 5001" not in vault.show("harbour-gate", at="2026-01-20T23:50").as_json()["text"]
    assert "port 5002" in vault.show("harbour-gate", at="2026-01-21").as_json()["text"]


def test_two_values_of_the_hour_that_a_clock_shows_twice_stay_in_order(vault: Vault) -> None:
    vault = ports(
        vault,
        ("2026-10-25T00:45:00Z", PORT.format(5001, "")),
        ("2026-10-25T01:15:00Z", PORT.format(5002, "")),
        ("2026-10-25T00:59:00Z", PORT.format(5003, "")),
    )
    assert "- The gate listens on port 5002. [^" in page(vault)
    ended = [(one.text[-5:-1], one.end) for one in vault.timeline("harbour-gate").stretches]
    assert ended == [("5001", "2026-10-25"), ("5003", "2026-10-25"), ("5002", "")]


def test_a_time_on_a_page_has_its_offset_and_a_page_with_it_reads_back(vault: Vault) -> None:
    vault = ports(vault, ("2026-01-20T22:30:00Z", PORT.format(5001, " | from=2026-01-20T23:15 | until=2026-07-02T10:00Z")))
    assert "(2026-01-20T23:15+01:00 to 2026-07-02T12:00+02:00)" in page(vault)
    assert "valid_from: 2026-01-20T23:15+01:00\nvalid_until: 2026-07-02T12:00+02:00\n" in page(vault)
    assert '"from":"2026-01-20T22:15:00Z"' in next(
        data.decode() for path, data in wiki(vault).items() if path.startswith(".claims/2026") and b"5001" in data
    )
    check(vault)
    assert vault.compile(model=Dictated()).edits == ()


def test_another_zone_moves_pages_and_nobody_seems_to_have_edited_them(vault: Vault) -> None:
    vault = ports(vault, ("2026-01-20T23:30:00Z", PORT.format(5001, " | from=2026-01-20T23:15:00Z")))
    vault = zoned(vault, "America/New_York")
    moved = vault.compile(model=Dictated(), take_edits=True)
    assert (moved.edits, moved.problems) == ((), [])
    assert moved.settled and "said 2026-01-20 ·" in page(vault) and "2026-01-20T18:15-05:00" in page(vault)
    assert 'started: "2026-01-20T18:30-05:00"' in card(vault)
    back = zoned(vault, BERLIN)
    back.compile(model=Dictated())
    assert "said 2026-01-21 ·" in page(back) and "2026-01-21T00:15+01:00" in page(back)


RULE = "Always run the tests with the north quay tide table since yesterday."


def told_at(vault: Vault, time: str, text: str = RULE) -> str:
    """The page of what a person laid down at a time, by the built-in rules."""
    source = tell(vault, jsonl(said(0, time, text, "rule")))
    assert source is None or source
    vault.compile()
    return next(data.decode() for path, data in wiki(vault).items() if path == "topics/testing.md")


@pytest.mark.parametrize(
    ("zone", "time", "day"),
    [
        ("", "2026-01-21T23:10:00Z", "2026-01-20"),
        (BERLIN, "2026-01-21T23:10:00Z", "2026-01-21"),
        ("America/New_York", "2026-01-21T04:10:00Z", "2026-01-19"),
        # What the speaker's own clock showed comes first.
        ("", "2026-01-22T00:10:00+01:00", "2026-01-21"),
        ("America/New_York", "2026-01-22T00:10:00+01:00", "2026-01-21"),
        # Programs write +00:00 without knowing of any clock.
        (BERLIN, "2026-01-21T23:10:00+00:00", "2026-01-21"),
        # And without anything what is UTC.
        (BERLIN, "2026-01-21T23:10:00", "2026-01-21"),
    ],
)
def test_yesterday_is_the_day_before_on_the_clock_of_whoever_says_so(vault: Vault, zone: str, time: str, day: str) -> None:
    vault = zoned(vault, zone) if zone else vault
    text = told_at(vault, time)
    assert rf"since yesterday \[{day}\]" in text and f"(since {day})" in text
    assert f"**Asked:** Always run the tests with the north quay tide table since yesterday \\[{day}\\]." in card(vault)


def test_a_changed_zone_makes_sources_outdated_until_they_are_compiled_again(vault: Vault) -> None:
    before = told_at(vault, "2026-01-21T23:10:00Z")
    assert "2026-01-20" in before
    vault = zoned(vault, BERLIN)
    status = vault.status()
    assert (status.outdated, status.elsewhere, status.zone) == (1, 1, BERLIN)
    report = vault.compile()
    assert [note for note in report.notes if "1 source was compiled in another time zone than Europe/Berlin" in note]
    assert vault.recompile(check=True).files
    vault.recompile()
    assert (vault.status().outdated, vault.status().elsewhere) == (0, 0)
    (after,) = (data.decode() for path, data in wiki(vault).items() if path == "topics/testing.md")
    assert "2026-01-20" not in after and "(since 2026-01-21)" in after
    assert vault.recompile(check=True).files == ()
    assert vault.compile().notes == []


def test_the_same_sources_in_the_same_zone_give_the_same_bytes_whichever_zone_came_before(vault: Vault, tmp_path: Path) -> None:
    told = (edges(), jsonl(said(0, "2026-01-21T23:10:00Z", RULE, "rule")))
    straight = zoned(wikimem.create(tmp_path / "other" / "memory"), BERLIN)
    tell(straight, *told)
    straight.compile()
    tell(vault, *told)
    vault.compile()
    for name in ("Asia/Kolkata", BERLIN):
        vault = zoned(vault, name)
        vault.compile()
        vault.recompile()
    assert wiki(vault) == wiki(straight)


SLOW = settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
ZONES = (BERLIN, "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati")


@SLOW
@given(
    st.sampled_from(ZONES),
    st.lists(
        st.tuples(
            st.sampled_from([*EDGES, "2026-03-29T02:30:00+05:45", "2026-10-25T01:10:00Z"]),
            st.sampled_from(
                (RULE, PORT.format(5001, ""), PORT.format(5002, ""), PORT.format(5003, " | from=2026-10-25"), "Hello.")
            ),
        ),
        min_size=2,
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_in_a_zone_too_order_and_runs_do_not_matter(
    tmp_path_factory: pytest.TempPathFactory, zone: str, told: list[tuple[str, str]], chance: random.Random
) -> None:
    sessions = [jsonl(said(0, time, text, f"s{n}")) for n, (time, text) in enumerate(told)]
    made = []
    for shuffled in (False, True):
        vault = zoned(wikimem.create(tmp_path_factory.mktemp("v") / "memory"), zone)
        order = chance.sample(sessions, len(sessions)) if shuffled else sessions
        tell(vault, *order)
        for limit in (1, 0) if shuffled else (0,):
            vault.compile(model=Dictated(), limit=limit)
        made.append(wiki(vault))
    assert made[0] == made[1]


def test_the_view_that_a_model_reads_shows_the_clock_of_whoever_speaks(vault: Vault) -> None:
    vault = zoned(vault, BERLIN)
    tell(vault, jsonl(said(0, "2026-01-21T23:10:00Z", "First."), said(1, "2026-01-22T08:30:00-05:00", "Second.")))
    model = Dictated()
    vault.compile(model=model)
    (question,) = model.asked
    assert "2026-01-22\n[L1] human 00:10: First.\n[L2] human 08:30: Second." in question.prompt()
    assert "in UTC" not in question.prompt()


def test_settings_name_a_zone_of_the_whole_vault(vault: Vault) -> None:
    path = vault.root / "wikimem.toml"
    good = path.read_text()
    for wrong, why in (
        ('"Europe/Berln"', "no time zone of the IANA database; did you mean Europe/Berlin"),
        ('"qqqq"', "write one such as Europe/Berlin"),
        ("1", "must be text in quotes"),
    ):
        path.write_text(good.replace("[vault]\n", f"[vault]\nzone = {wrong}\n"))
        with pytest.raises(BadSettings, match=why):
            Vault.open(vault.root)
    path.write_text(good)
    (vault.root / "wikimem.local.toml").write_text('[vault]\nzone = "Europe/Berlin"\n')
    with pytest.raises(BadSettings, match=r"vault.zone is of the whole vault; it can only stand in wikimem\.toml"):
        Vault.open(vault.root)


def test_only_what_began_on_the_day_there_is_compiled(vault: Vault) -> None:
    vault = zoned(vault, BERLIN)
    tell(vault, jsonl(said(0, "2026-01-21T22:10:00Z", "Early.", "a")), jsonl(said(0, "2026-01-21T23:10:00Z", "Late.", "b")))
    assert len(vault.compile(since="2026-01-22", dry_run=True).pending) == 1
    assert len(vault.compile(since="2026-01-21", dry_run=True).pending) == 2
    vault.compile()
    assert "(2026-01-22, claude-code" in git(vault.root, "log", "-2", "--format=%b")
    assert commits(vault)


def test_the_report_and_the_export_tell_days_of_the_zone(vault: Vault, tmp_path: Path) -> None:
    vault = zoned(vault, BERLIN)
    rule = "Never deploy on Fridays."
    for name, time in (("a", "2026-01-21T23:10:00Z"), ("b", "2026-03-28T23:10:00Z")):
        tell(vault, jsonl(said(0, time, rule, name)))
    vault.compile()
    (finding,) = vault.report().projects
    assert (finding.first, finding.last) == ("2026-01-22", "2026-03-29")
    assert [quote.day for quote in finding.tellings[0].quotes] == ["2026-03-29", "2026-01-22"]
    assert "human 2026-01-22 " in str(vault.diff("HEAD~1..HEAD").as_json()) + page_texts(vault)


def page_texts(vault: Vault) -> str:
    return "\n".join(data.decode() for path, data in wiki(vault).items() if path.endswith(".md")).replace("human · said", "human")


def test_the_site_tells_days_and_times_of_the_zone(berlin: Vault, tmp_path: Path) -> None:
    berlin.build_site(out=tmp_path / "site")
    text = "\n".join(path.read_text() for path in (tmp_path / "site" / "sessions").rglob("*.html"))
    assert '<time datetime="2026-01-22T00:10:00+01:00">00:10</time>' in text
    assert "2026-10-26" in text and "+01:00" in text
    lone = orjson.loads((tmp_path / "site" / "topics" / "harbour-gate.json").read_bytes())
    assert "2026-01-22T00:10+01:00" in str(lone)
    moved = zoned(berlin, "")
    moved.compile(model=Dictated())
    moved.build_site(out=tmp_path / "site")
    text = "\n".join(path.read_text() for path in (tmp_path / "site" / "sessions").rglob("*.html"))
    assert '<time datetime="2026-01-21T23:10:00Z">23:10</time>' in text and "+01:00" not in text


def test_why_and_a_cited_passage_tell_the_time_of_the_zone(berlin: Vault) -> None:
    from wikimem.faces import text

    assert "2026-01-22T00:10:00+01:00" in text.reasons(berlin.why("The gate was opened."))
    (source,) = berlin._opened.ledger.all()
    assert "2026-01-22T00:10:00+01:00" in text.shown(berlin.show(f"{source}:L2"))


def test_a_zone_that_one_side_set_holds_on_both_after_a_sync(vault: Vault) -> None:
    from syncing import clone, publish

    tell(vault, edges())
    vault.compile(model=Dictated())
    remote = publish(vault)
    mine, theirs = clone(remote, "mine"), zoned(clone(remote, "theirs"), BERLIN)
    theirs.compile(model=Dictated())
    theirs.sync(model=Dictated())
    tell(mine, jsonl(said(0, "2026-01-21T23:40:00Z", GATE.format("mended"), "late")))
    mine.sync(model=Dictated())
    mine = Vault.open(mine.root, clock=lambda: NOW)
    mine.sync(model=Dictated())
    theirs.sync(model=Dictated())
    assert wiki(mine) == wiki(theirs)
    assert days(page(mine)) == {**dict(zip(WHEN, EDGES.values(), strict=True)), "mended": "2026-01-22"}
    for each in (mine, theirs):
        check(each)


def test_commits_are_told_at_the_time_of_the_zone(berlin: Vault) -> None:
    from wikimem.faces import text

    steps = berlin.history("harbour-gate").steps
    assert steps and all(re.fullmatch(r"[\dT:-]{19}\+0[12]:00", step.when) for step in steps)
    assert re.search(r"(?m)^[\d-]{10} \d\d:\d\d \+0[12]:00  [0-9a-f]{10}  compile", text.past(berlin.history("harbour-gate")))
    assert all(one.when[19:] in ("+01:00", "+02:00") for one in berlin.why("The gate was opened.").found[0].proofs)


def test_an_answer_and_a_thorough_look_tell_days_of_the_zone(berlin: Vault) -> None:
    asked = berlin.ask("When was the harbour gate opened?").as_json()
    assert "2026-01-22T00:10:00+01:00" in str(asked) and "2026-01-21T23:10:00Z" not in str(asked)
    found = berlin.recall_thoroughly("When was the harbour gate opened?", known="2026-01-22")
    assert "2026-01-21T23:10:00Z" not in found.text and "painted" not in found.text
    assert "2026-01-22" in found.text
