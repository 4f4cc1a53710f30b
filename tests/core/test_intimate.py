"""What is told of a person waits; what only holds the same words does not."""

from __future__ import annotations

import pytest

from wikimem.core import intimate

TOLD = """
We always deploy with Helm 3, says my therapist.
I was diagnosed with epilepsy, so plan breaks at noon.
I've just been diagnosed with ADHD.
Ines was diagnosed with asthma as a child.
The user was diagnosed with epilepsy.
I have diabetes, always remember my insulin break at noon.
My mother has dementia.
I take my medication at nine.
I take insulin at noon.
I do physical therapy exercises every day.
I suffer from migraines, keep the theme dark.
my son has severe asthma
My wife is pregnant, so no travel in June.
I am depressed these days.
He is HIV-positive.
Noted: breaks at noon for your epilepsy.
I never work on Sundays because I am catholic.
I never work on Sundays because I'm a devout Catholic.
Anna is Muslim and prays at noon.
I'm jewish, no meetings on Saturday.
I'm not religious.
I observe the Sabbath.
We go to our church on Sundays.
I'm gay and out at work.
He came out as trans last year.
I made it to show my own journey as a transgender woman.
My salary is secret.
Mira keeps her salary secret.
Mira's salary is 80,000.
I earn 80k a year.
I make $4000 a month.
I owe 2000 euros to my brother.
My debts are paid by June.
I joined the union in March.
I am a member of the trade union.
Jonas is a union rep.
I'm Black, so use that photo.
My ethnicity is Roma.
I got arrested in 2019.
She has a criminal record.
My home address is Elm Street 5.
""".strip().splitlines()

HARMLESS = """
Be religious about tests.
He is religious about naming.
The pods are healthy.
We have technical debt; our tech debt grows.
Diagnose the crash with the diagnostics tool.
The diagnostics are stale; the function is now defined.
The test was diagnosed as flaky.
Kubernetes is database agnostic.
I am framework agnostic.
It is a union type of string and number.
Foo is a member of the union.
I joined the union type with never.
The salary field must be an integer.
Add a home address field to the form.
My salary calculator app needs a test.
The background is white.
I have a race condition.
The content is non-binary.
I have medication data in a table.
I want the depression dataset plotted.
The disabled button is grey.
This page makes 3 calls a month.
We make $400 a month with the app.
Your faith in me is a real boost.
Docker is orthodox about layers.
I am in the master branch; the black formatter ran.
The patient table has a diagnosis column.
""".strip().splitlines()


@pytest.mark.parametrize("text", TOLD)
def test_what_is_told_of_a_person_is_found_wherever_it_stands(text: str) -> None:
    assert intimate.tells(text)
    assert intimate.tells(f"The gate opens at nine. {text} Then it closes.")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_holds_such_words_is_not(text: str) -> None:
    assert not intimate.tells(text)
    assert intimate.traces(text) == frozenset()


def test_traces_are_what_gives_it_away_and_no_common_word() -> None:
    assert intimate.traces("I was diagnosed with epilepsy. The gate opens at nine.") == {"diagnos", "epilep"}
    assert "make" not in intimate.traces("I make $4000 a month.")


def test_around_is_the_whole_sentence_of_a_quote() -> None:
    text = "The gate is open. I was ill, so plan breaks at noon. Then deploy."
    start = text.index("plan")
    assert intimate.around(text, start, start + 20) == "I was ill, so plan breaks at noon. "
