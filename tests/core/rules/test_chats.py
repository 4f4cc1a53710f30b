"""What people say of themselves and others in chats and meetings: attributed, dated, and not more than is worth it."""

from __future__ import annotations

import pytest

from scripts import play
from wikimem.core.claims import Kind

CHAT = """
2025-09-12:
Odile: Hey Bram! How was your week?
Bram: I started a pottery class last Tuesday, the teacher is called Ilse.
Odile: Wow, that's so great!
Bram: Thanks! You're the best.
Odile: My sister Hanne moved to Ghent in March and bought a kiln.
Bram: What if we rented a studio together?
Odile: Maybe one day, lol.
Bram: Sounds good, talk to you soon!
"""


def test_a_chat_gives_what_people_did_in_their_own_words_with_dates() -> None:
    played = play(CHAT, scope="")
    assert played.texts == [
        "Bram: “I started a pottery class last Tuesday [2025-09-09], the teacher is called Ilse.”",
        "Odile: “My sister Hanne moved to Ghent in March [2025-03] and bought a kiln.”",
    ]
    bram, hanne = sorted(played.claims, key=lambda claim: claim.text)
    assert (bram.mention.type, bram.mention.name, bram.kind) == ("person", "Bram", Kind.EPISODIC)
    assert bram.evidence[0].holds.start.moment == "2025-09-09"
    assert bram.evidence[0].name == "Bram"
    # What is said of somebody else is theirs.
    assert (hanne.mention.type, hanne.mention.name) == ("person", "Hanne")


def test_a_chat_gives_at_most_four_claims_of_ten_turns() -> None:
    turns = "\n".join(
        f"Bram: I bought kiln number {n} in Ghent for my studio.\nOdile: I sold kiln {n} in Bruges." for n in range(50)
    )
    assert len(play(f"2025-09-12:\n{turns}", scope="").reply["claims"]) <= 40


MEETING = """
2025-09-12:
Odile: Good morning, next up is the kiln.
Bram: Decision: a member may book at most two firings a week.
Ilse: I will order the shelves by the thirtieth of September.
Odile: Any other comments? You know, like, whatever.
Hanne: So, it is decided: we open on Monday the sixth of October.
"""


def test_a_meeting_gives_decisions_and_promises_with_who_and_when() -> None:
    assert play(MEETING, scope="").texts == [
        "Bram: “Decision: a member may book at most two firings a week.”",
        "Hanne: “So, it is decided: we open on Monday the sixth of October [2025-10-06].”",
        "Ilse: “I will order the shelves by the thirtieth of September [2025-09-30].”",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "In my novel the potter moved to Ghent in 2019 and bought a kiln.",
        "I am obviously the king of Ghent, I bought it last week, lol.",
        "Did I tell you that I moved to Ghent last week?",
        "My boss says I bought the wrong kiln in March.",
    ],
)
def test_fiction_jokes_questions_and_words_of_others_are_no_facts(words: str) -> None:
    assert play(f"2025-09-12:\nOdile: Hello.\nBram: {words}", scope="").claims == ()


@pytest.mark.parametrize(
    "words",
    [
        "I started working here about a year ago.",
        "I'm getting better, Odile.",
        "But something strange happened to us yesterday...",
        "I'll do my best to find some clay.",
    ],
)
def test_what_only_those_understand_who_talk_is_left_out(words: str) -> None:
    assert play(f"2025-09-12:\nOdile: Hello.\nBram: {words}", scope="").claims == ()


def test_a_greeting_is_no_part_of_what_is_quoted() -> None:
    assert play("2025-09-12:\nOdile: Hi.\nBram: Oh yeah, I sold my kiln in Bruges last Fri!", scope="").texts == [
        "Bram: “I sold my kiln in Bruges last Fri [2025-09-05]!”"
    ]


OTHERS = [
    ("My brother moved to Ghent in March 2025 and bought a kiln.", "Bram's brother"),
    ("My brother Joris moved to Ghent in March 2025.", "Joris"),
    ("I met Hanne. Her sister Lena moved to Ghent in March 2025.", "Lena"),
    ("Ilka is the release captain.", "Ilka"),
    ("Ilka is the release captain from 1 March 2026.", "Ilka"),
    ("My brother and I moved to Ghent in March 2025.", "Bram"),
    ("I visited my brother in Ghent in March 2025.", "Bram"),
    ("My cat Pixel moved to Ghent with me in March 2025.", "Bram"),
]


@pytest.mark.parametrize(("words", "name"), OTHERS)
def test_what_is_told_of_somebody_is_on_their_page(words: str, name: str) -> None:
    (claim,) = play(f"2025-09-12:\nOdile: Hello.\nBram: {words}", scope="").claims
    assert (claim.mention.type, claim.mention.name) == ("person", name)
    assert claim.text.startswith("Bram: “")


@pytest.mark.parametrize(("words", "name"), [(w, n.replace("Bram's", "The user's").replace("Bram", "User")) for w, n in OTHERS])
def test_the_same_holds_for_a_user_whose_name_nobody_told(words: str, name: str) -> None:
    (claim,) = play(f"2025-09-12:\nhuman: {words}\nagent: ok", scope="").claims
    assert (claim.mention.type, claim.mention.name) == ("person", name)


def test_whose_sister_it_is_must_be_told() -> None:
    assert play("2025-09-12:\nOdile: Hello.\nBram: Her sister moved to Ghent in March 2025.", scope="").claims == ()


ASKED = [
    ("How long have you been throwing pots?", "Since I was twelve.", "Since I was twelve."),
    ("Where did you buy the kiln?", "Wow, thanks! In a small shop in Bruges.", "In a small shop in Bruges."),
    ("What did you bake?", "We made pizza!", "We made pizza!"),
]


def test_a_relative_date_in_a_question_is_resolved_too() -> None:
    (claim,) = play("2025-09-12:\nOdile: Where did you go yesterday?\nBram: To the kiln in Ghent.", scope="").claims
    assert claim.text == "Bram, asked “Where did you go yesterday [2025-09-11]?”: “To the kiln in Ghent.”"


@pytest.mark.parametrize(("question", "answer", "quote"), ASKED)
def test_an_answer_is_quoted_with_its_question(question: str, answer: str, quote: str) -> None:
    (claim,) = play(f"2025-09-12:\nOdile: {question}\nBram: {answer}", scope="").claims
    assert claim.text == f"Bram, asked “{question}”: “{quote}”"
    assert (claim.evidence[0].at, claim.evidence[0].name, claim.mention.name) == ("L2", "Bram", "Bram")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was it?", "It was in Bruges."),
        ("How do you feel about the kiln?", "So good, honestly."),
        ("What's up?", "Just the usual pots."),
        ("Did you like the kiln?", "Yes, me too!"),
        ("What did you bake?", "Awesome!"),
        ("What did you bake?", "Guess what?"),
    ],
)
def test_small_talk_and_answers_to_what_nobody_names_are_nothing(question: str, answer: str) -> None:
    assert play(f"2025-09-12:\nOdile: {question}\nBram: {answer}", scope="").claims == ()


@pytest.mark.parametrize(
    "words", ["Been only to Bruges once.", "Just got a second kiln in Bruges for the studio.", 'Reading "The Blue Glaze" now.']
)
def test_a_sentence_without_its_i_tells_of_who_speaks(words: str) -> None:
    (claim,) = play(f"2025-09-12:\nOdile: Hello.\nBram: {words}", scope="").claims
    assert claim.mention.name == "Bram"


@pytest.mark.parametrize(
    "words",
    [
        # Whom and what only those know who talk.
        "I have met him a few times since we came here.",
        "We are planning a trip there with friends.",
        "I have been using that app on my phone lately.",
        # Moods, fun and niceties.
        "We had a ton of fun.",
        "It has been a while since we chatted, I was swamped.",
        "I'll make sure to keep you updated on my kiln.",
        "Taking care of ourselves is so important.",
    ],
)
def test_moods_and_what_is_not_named_are_no_news(words: str) -> None:
    assert play(f"2025-09-12:\nOdile: Hello.\nBram: {words}", scope="").claims == ()


def test_a_shouted_word_is_no_subject() -> None:
    (claim,) = play("2025-09-12:\nOdile: Hello.\nBram: I'm playing in a glazing contest again and it's INTENSE!", scope="").claims
    assert (claim.mention.type, claim.mention.name) == ("person", "Bram")


CALL = """
2025-09-12:
Ilse: Good morning.
Odile: GLZ is ready. We have GLZ in two studios.
Bram: GLZ needs two firings of three hours.
Hanne: And GLZ it is.
"""


@pytest.mark.parametrize(
    ("words", "stance"),
    [
        ("GLZ must not be fired above 1200 degrees, the shelf breaks.", "fact"),
        ("I think GLZ is a weak recipe and we should drop its two firings.", "opinion"),
        ("The Bruges studio is in favor of GLZ as our main glaze.", "opinion"),
    ],
)
def test_what_one_of_a_call_thinks_is_an_opinion(words: str, stance: str) -> None:
    claims = [claim for claim in play(f"{CALL}Joris: {words}", scope="").claims if words in claim.text]
    assert [(claim.mention.name, claim.stance.value) for claim in claims] == [("GLZ", stance)]


@pytest.mark.parametrize(
    "words",
    [
        "Both studios are looking into GLZ, two of us since May.",
        "I'll order today the two shelves for GLZ.",
        "Well, Bram says he prefers GLZ, which needs two firings.",
        "Nobody wants to… GLZ must be fired two times, on the list.",
        "GLZ7, alias of two glazes, proposed by ABC.",
        "GLZ must be fired two times in the big kiln though.",
        "Odile had a comment in the chat. GLZ must be fired two times a week.",
        'Reacted to "GLZ must be fired two..." with a heart',
    ],
)
def test_status_scraps_and_words_of_others_are_nothing_of_a_call(words: str) -> None:
    assert not [claim for claim in play(f"{CALL}Joris: {words}", scope="").claims if claim.evidence[0].name == "Joris"]


def test_a_number_of_a_series_is_one_subject_however_it_is_written() -> None:
    script = """
2025-09-12:
Bram: RFC9001 must be read by all of the studio.
Ilse: RFC 9001 must be printed on good paper.
Odile: RFC-9001 must be signed by the members.
"""
    assert {claim.mention.name for claim in play(script, scope="").claims} == {"RFC-9001"}
