"""Markdown as statements, and the claims that adopted statements make."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from wikimem.core import adopted, bullets, extraction, gate, texts, views
from wikimem.core.claims import Kind, Stance
from wikimem.core.drafts import Gate
from wikimem.core.screening import screen
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.vocabulary import SHIPPED

FILE = """\
---
title: House rules
owner: Ada
---
# House rules

All services speak **gRPC**
over port `5050`.

<!-- do not
read this -->

## Testing

- Run `make test` before a push
- Databases:
  - [Postgres](https://example.org) for orders
    that were paid
  - Redis for carts
1. Build the image
2. Push it

@docs/other.md

## Commands

```sh
# build all
make all
```

| name | port |
| --- | --- |
| cart | 6001 |
"""


def test_a_file_is_read_as_statements() -> None:
    found = bullets.document(FILE)
    assert [(each.line, each.last, each.text, each.headings[1:], each.parent) for each in found.statements] == [
        (7, 8, "All services speak **gRPC**\nover port `5050`.", (), ""),
        (15, 15, "Run `make test` before a push", ("Testing",), ""),
        (17, 18, "[Postgres](https://example.org) for orders\n    that were paid", ("Testing",), "Databases"),
        (19, 19, "Redis for carts", ("Testing",), "Databases"),
        (20, 20, "1. Build the image", ("Testing",), ""),
        (21, 21, "2. Push it", ("Testing",), ""),
        (27, 30, "```sh\n# build all\nmake all\n```", ("Commands",), ""),
        (34, 34, "| cart | 6001 |", ("Commands",), "name | port"),
    ]
    assert (found.title, found.front) == ("House rules", {"title": "House rules", "owner": "Ada"})
    assert found.noise == {"comment": 1, "heading": 3, "import": 1, "ruler": 1, "introduction": 2, "frontmatter": 1}


def test_plain_words() -> None:
    told = "**Use** [the tool](x.md), not _that_ one: `a **b**` and snake_case, see [[people/ada|Ada]] ~~old~~"
    assert bullets.plain(told) == "Use the tool, not that one: `a **b**` and snake_case, see Ada old"
    assert bullets.plain("| cart | 6001 |") == "cart; 6001"
    assert bullets.plain("**Errors stand in `errors.py`**, no __init__.py") == "Errors stand in `errors.py`, no __init__.py"
    assert bullets.plain("To build:\n```\nmake\n```") == "To build: `make`"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read_and_every_statement_stands_in_it(text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for each in bullets.document(text).statements:
        assert 1 <= each.line <= each.last <= len(lines)
        assert each.text.split("\n")[0].strip() in lines[each.line - 1]


ODD = ["- x:", "  - y", "```", "<!--", "-->", "# a", "para"]


@given(st.lists(st.sampled_from([*FILE.split("\n"), *ODD]), max_size=30))
def test_no_line_states_anything_twice(lines: list[str]) -> None:
    taken: set[int] = set()
    for each in bullets.document("\n".join(lines)).statements:
        span = set(range(each.line, each.last + 1))
        assert not span & taken
        taken |= span


def view(*turns: Turn, scope: str = "project:bakery", title: str = "CLAUDE") -> views.View:
    return views.of("s", screen(turns), {"scope": scope, "title": title})


def turn(text: str, about: str = "", speaker: Speaker = Speaker.HUMAN, mark: str = "adopted", number: int = 1) -> Turn:
    return Turn(f"L{number}", speaker, Form.PROSE, text, identity=f"t{number}", mark=mark, about=about, said="2026-08-14")


def told(one: Turn, scope: str = "project:bakery") -> dict[str, object]:
    (claim,) = adopted.extract(view(one, scope=scope))["claims"]
    return {key: claim[key] for key in ("type", "subject", "scope", "kind", "stance", "text", "step")}


def test_a_claim_a_statement() -> None:
    assert told(turn("Orders are kept for 90 days.", "Storage")) == {
        "type": "topic",
        "subject": "Storage",
        "scope": "project",
        "kind": "semantic",
        "stance": "fact",
        "text": "Orders are kept for 90 days.",
        "step": 0,
    }
    assert told(turn("2. Push the image to the registry", "Release"))["step"] == 2
    assert told(turn("2. Push the image to the registry", "Release"))["type"] == "procedure"
    assert told(turn("Always use tabs in Go files."))["stance"] == "preference"
    assert told(turn("Run `make test` before a push"))["kind"] == "procedural"
    assert told(turn("Run `make test` before a push"))["subject"] == "bakery"
    assert told(turn("for orders only", "Storage :: Postgres"))["text"] == "Postgres: for orders only"
    assert told(turn("I prefer short answers.", "Style"), scope="")["scope"] == "user"
    assert told(turn("I prefer short answers.", "Style"))["text"] == "Style: I prefer short answers."
    assert told(turn("Bake at night", "Storage :: Rules"))["text"] == "Bake at night"
    assert told(turn("| cart | 6001 |", "Ports :: name | port"))["text"] == "name: cart; port: 6001"
    assert told(turn("They bake rye.", "Bread", Speaker.ASSISTANT))["stance"] == "inference"
    assert told(turn("Rye is the bread of the north.", "Rye", mark="adopted:person"))["type"] == "person"


def test_observations_and_relations_of_basic_memory() -> None:
    assert told(turn("[decision] Keep the rye #bread/rye (said twice)", "Bread")) | {"scope": ""} == {
        "type": "decision",
        "subject": "Bread",
        "scope": "",
        "kind": "procedural",
        "stance": "fact",
        "text": "Keep the rye (said twice)",
        "step": 0,
    }
    assert told(turn("needs [[Sour dough]]", "Bread"))["text"] == "Bread needs Sour dough"


def test_a_long_statement_is_cut_between_sentences() -> None:
    text = " ".join(f"Sentence number {number} tells of the bread and of nothing else at all." for number in range(20))
    found = adopted.extract(view(turn(text, "Bread")))["claims"]
    assert len(found) > 2
    assert " ".join(claim["text"] for claim in found) == text
    drafts, _, _ = extraction.read({"claims": found}, "project:bakery", "")
    _, refused = gate.admit(drafts, Gate(screen([turn(text, "Bread")]), SHIPPED))
    assert not refused


def test_what_was_not_adopted_makes_no_claim() -> None:
    assert adopted.extract(view(turn("Rye is good.", mark="")))["claims"] == []


@given(
    st.text(st.characters(exclude_categories=["Cs"])), st.text(max_size=20), st.sampled_from([Speaker.HUMAN, Speaker.ASSISTANT])
)
def test_every_reply_has_the_form_of_extraction_and_its_quotes_stand(text: str, about: str, speaker: Speaker) -> None:
    # A few signs, such as a lone diaeresis, are not found even in themselves.
    assume(texts.find(text, text) is not None or not text.strip())
    one = view(turn(text, about, speaker))
    drafts, _, refused = extraction.read(adopted.extract(one), "project:bakery", "")
    assert not refused
    session = screen([turn(text, about, speaker)])
    _, objections = gate.admit(drafts, Gate(session, SHIPPED))
    assert not {refusal.rule for refusal in objections} & {"quote", "turn", "speaker", "schema"}


def test_the_claims_of_a_file_pass_the_gate() -> None:
    turns = [
        turn(each.text, adopted.subject(each.headings, "House rules", False), number=number)
        for number, each in enumerate(bullets.document(FILE).statements, 1)
    ]
    drafts, _, _ = extraction.read(adopted.extract(view(*turns)), "project:bakery", "")
    claims, refused = gate.admit(drafts, Gate(screen(turns), SHIPPED))
    assert [refusal.rule for refusal in refused] == []
    assert {claim.text for claim in claims} >= {
        "All services speak gRPC over port `5050`.",
        "Run `make test` before a push",
        "Commands: `make all`",
    }
    assert {claim.kind for claim in claims} == {Kind.SEMANTIC, Kind.PROCEDURAL}
    assert {claim.stance for claim in claims} == {Stance.FACT}


def test_a_bullet_that_only_goes_on_is_told_with_the_one_above_it() -> None:
    told = bullets.document(
        "- Indent with four spaces\n  - except in YAML\n  - Tabs are for Go.\n- Except on Fridays\n"
    ).statements
    assert [(one.text, one.parent) for one in told] == [
        ("Indent with four spaces", ""),
        ("except in YAML", "Indent with four spaces"),
        ("Tabs are for Go.", ""),
        ("Except on Fridays", ""),
    ]
