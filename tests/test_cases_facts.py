"""Facts, dates and whose they are, from a transcript to the page and to recall: what was said, by whom, and until when."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dictated import Dictated, check, joined, session, tell, wiki
from wikimem.core.entries import ClaimEntry
from wikimem.faces.api import Vault
from wikimem.show import Shown

OK = ("assistant", "ok")
RELATIVE = re.compile(r"(?i)\b(?:yesterday|last week|next friday)\b(?P<after>[^A-Za-z]{0,14})")
DATED = re.compile(r"^ \\?\[\d{4}-\d\d-\d\d")


def pages(vault: Vault) -> dict[str, str]:
    """The pages of subjects, by path below `wiki/`."""
    found = {path: data.decode() for path, data in wiki(vault).items() if path.endswith(".md")}
    return {path: text for path, text in found.items() if not path.startswith("sessions/") and Path(path).name != "index.md"}


def told(vault: Vault, *said: str | tuple[str, str], started: str = "2025-05-16T10:00") -> dict[str, str]:
    """The pages after one session, compiled by the built-in rules."""
    tell(vault, session("one", started, *said))
    vault.compile()
    check(vault)
    return pages(vault)


def canonical(*turns: tuple[str, str, str], started: str = "", cwd: str = "") -> bytes:
    """A conversation in the canonical form, of speaker, time and words; without its time where that is empty."""
    head = {"wikimem": 1, "session": "talk", "title": "", "started": started, "cwd": cwd}
    lines = [
        {"id": f"m{n}", "speaker": speaker, "text": words} | ({"time": time} if time else {})
        for n, (speaker, time, words) in enumerate(turns)
    ]
    return joined([head, *lines])


def statements(vault: Vault, question: str, scope: str = "", at: str = "", known: str = "") -> list[str]:
    """The texts of the claims that recall shows."""
    bundle = vault.recall(question, scope, at=at, known=known).bundle
    return [entry.statement.claim.text for entry in bundle.entries if isinstance(entry, ClaimEntry)]


def shown(vault: Vault, page: str, at: str = "") -> str:
    """A page as it is shown, with what held then."""
    found = vault.show(page, at=at)
    assert isinstance(found, Shown)
    return found.text


def bare(text: str) -> list[str]:
    """Lines outside quoted proofs in which a relative date has no absolute one beside it."""
    lines = [line for line in text.splitlines() if not line.startswith("[^")]
    return [line for line in lines for match in RELATIVE.finditer(line) if not DATED.match(match["after"])]


# 2025-05-16 was a Friday.
TRIP = "I visited the Porto mill last week and yesterday I signed a contract with Lobo. The fitting is next Friday."


def test_relative_dates_stand_beside_the_absolute_ones_of_the_message(vault: Vault) -> None:
    (text,) = told(vault, TRIP, OK).values()
    assert r"last week \[2025-05-05 to 2025-05-11\]" in text
    assert r"yesterday \[2025-05-15\]" in text
    assert bare(text) == []
    # The proof is what was said, to the letter, with the day on which it was.
    assert "said 2025-05-16" in text
    assert "last week and yesterday I signed" in text


def test_next_friday_said_on_a_friday_is_a_week_later(vault: Vault) -> None:
    (text,) = told(vault, "I booked the kiln in Bruges for next Friday.", OK).values()
    assert r"next Friday \[2025-05-23\]" in text


def test_each_message_is_its_own_anchor(vault: Vault) -> None:
    filler = [("assistant", "2024-12-30T20:00:00Z", "ok")] * 6
    first = ("human", "2024-12-30T19:00:00Z", "I sold the sloop in Hamar yesterday.")
    last = ("human", "2025-01-02T08:00:00Z", "I bought a cutter in Bergen yesterday.")
    tell(vault, canonical(first, *filler, last, ("assistant", "2025-01-02T08:01:00Z", "ok"), started="2024-12-30T19:00:00Z"))
    vault.compile()
    (text,) = pages(vault).values()
    assert r"Hamar yesterday \[2024-12-29\].” (on 2024-12-29)" in text
    assert r"Bergen yesterday \[2025-01-01\].” (on 2025-01-01)" in text
    assert bare(text) == []


def test_a_recompile_years_later_gives_the_same_bytes(vault: Vault) -> None:
    told(vault, TRIP, OK)
    before = wiki(vault)
    later = Vault.open(vault.root, clock=lambda: datetime(2031, 2, 3, 4, 5, tzinfo=UTC))
    later.recompile()
    assert wiki(later) == before
    check(later)


SAID = "I moved to Ghent yesterday and bought a kiln in June."


@pytest.mark.parametrize(
    "data",
    [
        canonical(("human", "", SAID), ("assistant", "", "ok")),
        joined([{"messages": [{"role": "user", "content": SAID}, {"role": "assistant", "content": "ok"}]}]),
    ],
    ids=["canonical", "openai"],
)
def test_a_message_without_a_time_gives_no_date(vault: Vault, data: bytes) -> None:
    (source,) = tell(vault, data)
    vault.compile()
    assert source.startswith("undated-")
    (text,) = pages(vault).values()
    assert SAID in text
    assert not re.search(r"\b20\d\d-\d\d", text)
    assert re.search(r"^valid_from:$", text, re.MULTILINE)
    check(vault)


class Reader(Dictated):
    """The same as a model that reads prompts, whose dates are weighed."""

    reads_prompts = True


def test_a_model_s_date_that_no_words_tell_is_taken_off(vault: Vault) -> None:
    line = "topic | mill | owner | Lobo owns the mill. | from=2025-05-16 | at=L1"
    tell(vault, session("one", "2025-05-16", "Lobo owns the mill.", line))
    vault.compile(model=Reader())
    (text,) = pages(vault).values()
    assert "- Lobo owns the mill. [^" in text
    assert re.search(r"^valid_from:$", text, re.MULTILINE)


DAYS = [
    # Around the hour that is left out in spring, and the one that comes twice in autumn, as one zone writes them.
    ("2026-01-21T23:10:00-05:00", "2026-01-22T04:10:00Z", "2026-01-20"),
    ("2026-03-08T01:59:00-05:00", "2026-03-08T06:59:00Z", "2026-03-07"),
    ("2026-03-08T03:01:00-04:00", "2026-03-08T07:01:00Z", "2026-03-07"),
    ("2026-11-01T01:30:00-04:00", "2026-11-01T05:30:00Z", "2026-10-31"),
    ("2026-11-01T01:30:00-05:00", "2026-11-01T06:30:00Z", "2026-10-31"),
    ("2026-11-01T23:30:00-05:00", "2026-11-02T04:30:00Z", "2026-10-31"),
]


@pytest.mark.parametrize(("written", "instant", "yesterday"), DAYS)
def test_without_a_zone_in_the_settings_days_are_those_of_utc_and_yesterday_is_meant_by_the_speaker_s_clock(
    vault: Vault, written: str, instant: str, yesterday: str
) -> None:
    (source,) = tell(vault, canonical(("human", written, "I sold the sloop in Hamar yesterday."), ("assistant", written, "ok")))
    vault.compile()
    assert [turn.said for turn in vault.show(source).turns] == [instant, instant]  # type: ignore[union-attr]
    (text,) = pages(vault).values()
    assert rf"yesterday \[{yesterday}\]" in text
    assert f"said {instant[:10]}" in text
    check(vault)


def test_days_of_23_and_25_hours_lose_and_double_nothing(vault: Vault) -> None:
    moments = [instant for _, instant, _ in DAYS]
    line = "topic | pump {} | owner | Pump {} belongs to Ines."
    turns = [("human", written, line.format(n, n)) for n, (written, _, _) in enumerate(DAYS)]
    (source,) = tell(vault, canonical(*turns, cwd="/home/sam/harbour"))
    vault.compile(model=Dictated())
    assert [turn.said for turn in vault.show(source).turns] == moments  # type: ignore[union-attr]
    made = pages(vault)
    assert len(made) == len(DAYS)
    assert all(f"said {moment[:10]}" in made[f"topics/pump-{n}.md"] for n, moment in enumerate(moments))


ADVICE = "You always use two bloom filters in counter.py. You drink too much tea, and you moved to Rome in May 2024."


@pytest.mark.parametrize("reply", ["Interesting.", "Interesting, thanks for that.", "Hm, good to know.", "Nice idea!"])
def test_what_an_assistant_says_is_no_fact_and_politeness_confirms_nothing(vault: Vault, reply: str) -> None:
    assert told(vault, "How can I count distinct visitors?", ("assistant", ADVICE), reply) == {}
    assert statements(vault, "bloom filters counter.py tea Rome") == []


def test_what_the_person_takes_up_is_theirs_for_that_one_thing(vault: Vault) -> None:
    mine = "We always use the bitmap in counter.py for the newsletter, never anything larger."
    made = told(vault, "How can I count distinct visitors?", ("assistant", ADVICE), f"Interesting. {mine}")
    assert list(made) == ["topics/counter-py.md"]
    assert mine in made["topics/counter-py.md"]
    (text,) = made.values()
    assert not re.search("bloom|tea|Rome", text)
    assert statements(vault, "counter.py newsletter", scope="project:harbour") == [f"The user on `counter.py`: “{mine}”"]
    assert not [text for text in statements(vault, "bloom filters tea Rome") if re.search("bloom|tea|Rome", text)]


def test_a_model_may_not_give_a_person_what_an_assistant_said(vault: Vault) -> None:
    advice = "The user drinks too much tea."
    line = f"person | User | tea | {advice} | scope=user | at=L2 | words={advice} | speaker=human"
    (source,) = tell(vault, session("one", "2025-05-16", "How do I sleep better?", ("assistant", advice), line))
    vault.compile(model=Dictated())
    assert "people/user.md" not in pages(vault)
    file = vault.root / "wiki/.claims/2025/05" / f"{source}.jsonl"
    assert [json.loads(line)["refused"]["rule"] for line in file.read_text().splitlines() if '"refused"' in line] == ["speaker"]
    assert advice not in statements(vault, "tea")
    check(vault)


OTHERS = [
    ("Matthias", "My cousin Matthias hates nuts, and in June he got a job at a nut mill near Oslo."),
    ("Ines", "My colleague Ines moved to Ghent in March and bought a kiln."),
    ("Berta", "My neighbour Berta hates flying, and her team just sent her to Lima last week."),
]


@pytest.mark.parametrize(("name", "words"), OTHERS)
def test_what_is_told_of_another_person_is_not_the_user_s(vault: Vault, name: str, words: str) -> None:
    made = told(vault, words, OK)
    assert list(made) == [f"people/{name.lower()}.md"]
    assert f"# {name}" in made[f"people/{name.lower()}.md"]
    assert statements(vault, f"What about {name}?")[0].startswith("The user: “My ")


def test_a_relative_without_a_name_is_not_the_user(vault: Vault) -> None:
    words = "My brother moved to Ghent in March 2025 and bought a kiln."
    made = told(vault, words, OK)
    assert list(made) == ["people/the-user-s-brother.md"]
    assert "# The user's brother" in made["people/the-user-s-brother.md"]
    assert statements(vault, "Who moved to Ghent?", scope="project:harbour") == [f"The user: “{words}”"]


def test_who_is_named_has_one_page_however_often_somebody_speaks_of_them(vault: Vault) -> None:
    rule = "Ilka always wants a changelog entry, never a bare tag."
    made = told(vault, "Ilka is the release captain from 1 March 2025.", OK, rule, OK)
    assert [path for path in made if "ilka" in path] == ["people/ilka.md"]
    assert "people/user.md" not in made


@pytest.mark.parametrize("words", ["List the open invoices of client Harrow.", "And my aunt says I should move to Bergen."])
def test_names_in_requests_and_advice_of_others_are_nobody_s_facts(vault: Vault, words: str) -> None:
    assert told(vault, words, OK) == {}


def test_a_model_s_claim_on_another_person_stays_off_the_user_s_page(vault: Vault) -> None:
    lines = (
        "person | Berta | fear | Berta is afraid of flying.",
        "person | User | diet | The user eats no nuts. | scope=user",
    )
    tell(vault, session("one", "2025-05-16", *lines))
    vault.compile(model=Dictated())
    made = pages(vault)
    assert sorted(made) == ["people/berta.md", "people/user.md"]
    assert "flying" not in made["people/user.md"]
    assert "nuts" not in made["people/berta.md"]


def test_in_a_talk_of_several_the_speaker_is_who_spoke(vault: Vault) -> None:
    said = [("Ada", "I moved to Ghent on 3 March 2025 and bought a kiln."), ("Bram", "I sold my boat in Hamar in April 2025.")]
    head = {"wikimem": 1, "session": "talk", "title": "", "started": "2025-05-16T10:00:00Z", "cwd": ""}
    at = {"speaker": "human", "time": "2025-05-16T10:00:00Z"}
    turns = [{"id": f"m{n}", "name": name, "text": words} | at for n, (name, words) in enumerate(said)]
    small = [{"id": f"n{n}", "name": "Ada", "text": "Ah, I see."} | at for n in range(6)]
    tell(vault, joined([head, *turns, *small]))
    vault.compile()
    made = pages(vault)
    assert sorted(made) == ["people/ada.md", "people/bram.md"]
    assert "Ada: “I moved to Ghent" in made["people/ada.md"]
    assert "Bram: “I sold my boat" in made["people/bram.md"]


QUESTION = "Which port does the metrics server use?"
OLD, NEW = "The metrics server runs on port 7070.", "The metrics server runs on port 7171."


@pytest.fixture
def corrected(vault: Vault) -> Vault:
    """A port, and a month later another, each compiled when it was told, by the built-in rules."""
    for name, day, words in (("a", "2026-01-10", OLD), ("b", "2026-02-20", "The metrics server runs on port 7171 now.")):
        tell(vault, session(name, day, words, OK))
        vault.compile()
    check(vault)
    return vault


def test_after_a_correction_recall_gives_what_holds_and_tells_the_other_as_ended(corrected: Vault) -> None:
    assert statements(corrected, QUESTION) == [NEW]
    text = corrected.recall(QUESTION).bundle.text
    assert f"- {NEW} (fact)\n  Before: {OLD} (fact, until 2026-02-20) [" in text
    assert statements(corrected, QUESTION, at="2026-02-01") == [OLD]
    assert f"- Ended: {OLD} (fact, until 2026-02-20" in corrected.recall(QUESTION, at="2026-02-01").bundle.text
    assert statements(corrected, QUESTION, known="2026-02-01") == [OLD]


def test_after_a_correction_the_page_keeps_the_old_line_with_its_proof(corrected: Vault) -> None:
    now = shown(corrected, "metrics-server")
    facts, _, history = now.partition("## History")
    assert NEW in facts
    assert OLD not in facts
    assert f"- ~~{OLD}~~ (until 2026-02-20, superseded by [^" in history
    assert f"“{OLD}”" in history
    assert "said 2026-01-10" in history
    before = shown(corrected, "metrics-server", at="2026-02-01")
    assert OLD in before
    assert NEW not in before.partition("## History")[0].partition("## Facts")[2]


def test_a_recompile_of_a_correction_gives_the_same_pages(corrected: Vault) -> None:
    before = wiki(corrected)
    corrected.recompile()
    assert wiki(corrected) == before


def test_a_correction_ends_what_said_the_same_in_other_words(vault: Vault) -> None:
    line = "topic | metrics server | port | {}"
    other = "Clients reach the metrics server at port 7070."
    tell(vault, session("a", "2026-01-10", line.format(OLD)), session("b", "2026-01-20", line.format(other)))
    tell(vault, session("c", "2026-02-20", line.format(NEW)))
    judged = {frozenset({OLD, other}): "same", frozenset({NEW, OLD}): "update", frozenset({NEW, other}): "update"}
    vault.compile(model=Dictated(judged))
    facts = shown(vault, "metrics-server").partition("## History")[0].partition("## Facts")[2]
    assert "7171" in facts
    assert "7070" not in facts
    assert statements(vault, QUESTION) == [NEW]


EDITED = ("assistant", "I set the port to 7070 in metrics.py.")


@pytest.mark.parametrize(
    "words", ["use 7171 instead", "the port in metrics.py should be 7171", "metrics.py has to listen on port 7171"]
)
def test_a_value_wanted_in_code_replaces_the_one_before(vault: Vault, words: str) -> None:
    tell(vault, session("a", "2026-01-10", "where do the metrics go?", EDITED, "The port in metrics.py is 7070.", OK))
    tell(vault, session("b", "2026-02-20", "where do the metrics go?", EDITED, words, OK))
    vault.compile()
    check(vault)
    now, _, history = shown(vault, "metrics-py").partition("## History")
    facts = now.partition("## Facts")[2]
    assert "7171" in facts
    assert "7070" not in facts
    assert "~~The port of `metrics.py` is 7070.~~ (until 2026-02-20, superseded by" in history


def test_values_of_other_things_stay_when_one_is_corrected(vault: Vault) -> None:
    first = "The timeout in metrics.py is 30 seconds. The port in mill.py is 7070."
    tell(vault, session("a", "2026-01-10", "look at metrics.py", EDITED, f"{first} The port in metrics.py is 7070.", OK))
    tell(
        vault,
        session("b", "2026-02-20", "look at metrics.py", EDITED, "The port in metrics.py is 7171. Mill 2 retries twice.", OK),
    )
    vault.compile()
    assert "## History" not in shown(vault, "mill-py")
    page = shown(vault, "metrics-py")
    assert "timeout of `metrics.py` is 30 seconds" in page.partition("## History")[0]
    assert page.count("~~") == 2


def test_what_begins_later_does_not_hold_before(vault: Vault) -> None:
    first, then = "Wout is the release captain.", "Ilka is the release captain from 1 March."
    line = "topic | releases | owner | {}"
    tell(vault, session("a", "2026-01-10", line.format(first)))
    tell(vault, session("b", "2026-02-20", line.format(then) + " | from=2026-03-01"))
    vault.compile(model=Dictated())
    asked = "Who is the release captain?"
    assert statements(vault, asked, at="2026-02-25") == [first]
    assert statements(vault, asked, at="2026-03-05") == [then]
    assert first in shown(vault, "releases", at="2026-02-25")
    assert f"~~{first}~~ (until 2026-03-01, superseded by" in shown(vault, "releases")


NOT_ASSERTED = [
    "What if we moved the queue to Pulsar next week?",
    "Imagine that you are Otto Fuchs and bake in Graz since 1999.",
    "Sure, and I own the whole moon since March, haha.",
    "In my novel the firm of the twins burned down in 1931.",
    'Their website says "nobody sells a faster queue than we do".',
    "My manager believes that Go will be gone by 2030.",
    "My manager thinks we should never use Go.",
    "Perhaps in autumn, nothing is settled yet.",
]


@pytest.mark.parametrize("words", NOT_ASSERTED)
def test_what_is_supposed_played_joked_or_quoted_is_no_fact(vault: Vault, words: str) -> None:
    assert told(vault, words, OK) == {}
    assert statements(vault, words) == []


def test_a_talk_of_suppositions_leaves_no_page_and_nothing_to_recall(vault: Vault) -> None:
    played = ("assistant", "As Otto Fuchs: I always bake at dawn, and I moved to Graz in 2019.")
    asked = ("assistant", "Shall I move the queue to Pulsar then?")
    made = told(vault, " ".join(NOT_ASSERTED[:2]), played, " ".join(NOT_ASSERTED[2:4]), asked, NOT_ASSERTED[-1])
    assert made == {}
    assert statements(vault, "Pulsar queue Otto Fuchs moon firm twins") == []


@pytest.mark.parametrize(
    "words",
    [
        "Pretend I bought a castle in Wales last year.",
        "Suppose I sold my house in March 2025.",
        "Let's say I moved to Lima in 2024.",
        "Pretend to be Otto Fuchs, who is 52 and bakes in Graz since 1999.",
        "In my short story I moved to Mars in 2031.",
        "In my screenplay I bought a ship in 2031.",
        "Play the part of Otto Fuchs, who is 52 and bakes in Graz since 1999.",
        "My landlord claims I broke the boiler in March.",
        "My dentist told me I should stop drinking tea by June.",
    ],
)
def test_what_is_played_or_told_by_others_is_no_fact_of_the_user(vault: Vault, words: str) -> None:
    assert told(vault, words, OK) == {}


def test_a_plan_on_a_condition_is_told_with_it_and_is_no_fact(vault: Vault) -> None:
    words = "If the audit passes, then we will drop the old mill."
    made = told(vault, words, OK)
    assert all(f"on a condition: “{words}”" in text for text in made.values())
    assert all(
        text.startswith("The user, on a condition: ") for text in statements(vault, "old mill audit", scope="project:harbour")
    )


def test_what_was_looked_at_and_turned_down_is_no_decision_for_it(vault: Vault) -> None:
    words = "we looked at Pulsar for the queue and decided against it"
    made = told(vault, words, OK)
    assert list(made) == ["topics/pulsar.md"]
    assert statements(vault, "Pulsar", scope="project:harbour") == [
        f"The user on Pulsar, which was considered and rejected: “{words}”"
    ]
