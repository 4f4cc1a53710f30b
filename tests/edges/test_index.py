"""The index: what was said is found, by its words, its speaker, its day and its project."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikimem.core.queries import Within
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.index import Batch, Index

_OPENED: list[Index] = []


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    while _OPENED:
        _OPENED.pop().close()


def turn(line: int, text: str, name: str = "", said: str = "2026-08-14T10:00:00Z", identity: str = "") -> Turn:
    return Turn(f"L{line}", Speaker.HUMAN, Form.PROSE, text, name, said, identity)


def batch(source: str, *turns: Turn, scope: str = "project:shop", key: str = "k1") -> Batch:
    return Batch(source, key, scope, turns)


def talk(source: str, *texts: str, scope: str = "project:shop", key: str = "k1") -> Batch:
    return batch(source, *(turn(line, text) for line, text in enumerate(texts, 1)), scope=scope, key=key)


def opened(root: Path, *batches: Batch) -> Index:
    index = Index.open(root / "index")
    assert isinstance(index, Index)
    _OPENED.append(index)
    index.add(batches)
    return index


def cites(index: Index, question: str, within: Within | None = None, listing: bool = False) -> list[str]:
    found = index.search(question, within=within or Within(), listing=listing)
    assert not found.problems
    return [hit.passage.cite for hit in found.hits]


def test_an_empty_index_answers_nothing(tmp_path: Path) -> None:
    assert cites(opened(tmp_path), "anything at all") == []


def test_the_answer_next_to_the_words_is_found_too(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "Which port does staging use?", "5433, since Monday.", "Thanks.", "x", "y"))
    assert cites(index, "staging port")[:2] == ["s1:L1", "s1:L2"]
    assert cites(index, "staging port", listing=True) == ["s1:L1"]


def test_words_are_found_by_their_root_in_any_case_and_width(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "We capped the retries at the Café Ａ１"), talk("s2", "nothing of the kind"))
    for question in ("retry capping", "RETRIED", "cafe", "CAFÉ", "a1"):
        assert cites(index, question) == ["s1:L1"], question


def test_who_is_named_is_preferred_and_not_searched_in_texts(tmp_path: Path) -> None:
    index = opened(
        tmp_path,
        batch("s1", turn(1, "Ben, Ben, I love the harbour, Ben", "Ann"), turn(2, "ok", "Ben")),
        batch("s2", turn(1, "I sail in the harbour", "Ben"), turn(2, "ok", "Ann")),
    )
    assert cites(index, "What did Ben say about the harbour?", listing=True)[0] == "s2:L1"
    assert cites(index, "What did Ann say about the harbour?", listing=True)[0] == "s1:L1"
    assert cites(index, "Ben")[0] == "s1:L1"


def test_names_of_tools_and_models_are_plain_words(tmp_path: Path) -> None:
    call = Turn("L1", Speaker.TOOL, Form.RESULT, "unrelated", "Read")
    index = opened(tmp_path, batch("s1", call, turn(2, "read the manual")))
    assert cites(index, "who must read the manual", listing=True) == ["s1:L2"]


def test_a_date_prefers_what_was_said_then(tmp_path: Path) -> None:
    days = ("2026-04-08", "2026-05-08T10:00:00Z", "2026-06-08")
    index = opened(tmp_path, *(batch(f"s{n}", turn(1, "the deploy failed", said=day)) for n, day in enumerate(days)))
    assert cites(index, "Why did the deploy fail in May 2026?")[0] == "s1:L1"
    assert cites(index, "Why did the deploy fail on 8 June?")[0] == "s2:L1"


def test_a_quoted_phrase_comes_first(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "limit retry limit retry"), talk("s2", "some other words, then the retry limit, done"))
    assert cites(index, '"the retry limit"')[0] == "s2:L1"


def test_a_scope_is_preferred_or_a_wall(tmp_path: Path) -> None:
    index = opened(
        tmp_path,
        talk("s1", "the gateway token, the gateway", scope="project:a"),
        talk("s2", "one gateway among many other things that are said here", scope="project:b"),
        talk("s3", "gateway without a project", scope=""),
    )
    assert cites(index, "gateway", Within("project:b"))[0] == "s2:L1"
    assert set(cites(index, "gateway", Within("project:b"))) == {"s1:L1", "s2:L1", "s3:L1"}
    assert cites(index, "gateway", Within("project:b", strict=True)) == ["s2:L1"]
    assert cites(index, "gateway", Within("", strict=True)) == ["s3:L1"]
    assert cites(index, "token", Within("project:b", strict=True)) == []


def test_a_crowd_of_others_does_not_starve_a_strict_scope_or_a_day(tmp_path: Path) -> None:
    crowd = [talk(f"a{n}", "gateway " * 3, scope="project:a") for n in range(400)]
    own = batch("b", turn(1, "the gateway and a great many other words", said="2026-01-01"), scope="project:b")
    index = opened(tmp_path, *crowd, own)
    assert cites(index, "gateway", Within("project:b", strict=True)) == ["b:L1"]
    assert cites(index, "gateway", Within(until="2026-01-31")) == ["b:L1"]


def test_days_and_speakers_confine(tmp_path: Path) -> None:
    index = opened(
        tmp_path,
        batch("s1", turn(1, "deploy one", said="2026-05-01")),
        batch("s2", turn(1, "deploy two", said="2026-05-02T23:59:59Z")),
        batch("s3", turn(1, "deploy three", said="")),
        batch("s4", Turn("L1", Speaker.ASSISTANT, Form.PROSE, "deploy four", "", "2026-05-02")),
    )
    assert set(cites(index, "deploy", Within(since="2026-05-02"))) == {"s2:L1", "s4:L1"}
    assert set(cites(index, "deploy", Within(until="2026-05-01"))) == {"s1:L1"}
    assert set(cites(index, "deploy", Within(speaker=Speaker.ASSISTANT))) == {"s4:L1"}


def test_a_question_about_something_else_gets_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "We cap retries at three.", "The build takes an hour."))
    assert cites(index, "How do I take amoxicillin against an infection?") == []
    assert cites(index, "amoxicillin take", listing=True) == ["s1:L2"]


def test_a_copy_is_shown_once(tmp_path: Path) -> None:
    index = opened(tmp_path, *(batch(f"s{n}", turn(1, "cap retries", identity="msg-1")) for n in range(3)))
    assert cites(index, "retries") == ["s0:L1"]


def test_neighbours_come_in_the_order_of_the_session_and_stay_in_it(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "zero", "one"), talk("s2", "two", "the port", "three", "four"), talk("s3", "five"))
    hit = index.search("port", context=2).hits[0]
    assert [passage.text for passage in hit.before] == ["two"]
    assert [passage.text for passage in hit.after] == ["three", "four"]
    assert hit.spots == (4,)


def test_a_source_that_comes_again_replaces_itself(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "port 8080"), talk("s2", "other"))
    index.add([talk("s1", "port 9090", key="k2")])
    assert index.known() == {"s1": "k2", "s2": "k1"}
    assert cites(index, "8080", listing=True) == []
    assert [hit.passage.text for hit in index.search("port").hits] == ["port 9090"]


def test_what_is_removed_is_in_no_file(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "phantomword lives here"), talk("s2", "something stays"))
    index.remove(["s1", "never-there"])
    assert index.known() == {"s2": "k1"}
    assert cites(index, "phantomword", listing=True) == []
    assert cites(index, "something") == ["s2:L1"]
    for path in index.folder.iterdir():
        assert b"phantomword" not in path.read_bytes(), path.name


def test_a_commit_can_be_removed_as_a_whole(tmp_path: Path) -> None:
    index = opened(tmp_path, talk("s1", "port 8080"))
    index.add([talk("s2", "port 9090")])
    index.remove(["s1"])
    assert (index.known(), index.problems) == ({"s2": "k1"}, ())
    index.remove(["s2"])
    assert (index.known(), index.problems, cites(index, "port")) == ({}, (), [])


def test_another_process_that_wrote_is_seen_by_the_next_search(tmp_path: Path) -> None:
    reader = opened(tmp_path, talk("s1", "port 8080"))
    assert cites(reader, "port") == ["s1:L1"]
    other = opened(tmp_path, talk("s2", "the port of Hamburg"))
    assert set(cites(reader, "port")) == {"s1:L1", "s2:L1"}
    other.remove(["s1"])
    assert cites(reader, "port") == ["s2:L1"]
    assert reader.known() == {"s2": "k1"}


def test_many_commits_stay_few_segments_and_lose_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path)
    for number in range(40):
        index.add([talk(f"s{number:02}", f"word{number} common", "after it")])
    assert len(index.known()) == 40
    assert len(list(index.folder.glob("*.trm"))) <= 12
    for number in range(40):
        hit = index.search(f"word{number}", 1, context=1).hits[0]
        assert (hit.passage.cite, [passage.text for passage in hit.after]) == (f"s{number:02}:L1", ["after it"])


WORDS = ("alpha", "beta", "gamma", "delta", "AND", "NOT", "-alpha", "gam*", "the", "C++", "京都")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(sentences, min_size=1, max_size=6), min_size=1, max_size=6), sentences)
def test_the_first_k_are_the_same_for_every_limit(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[list[str]], question: str
) -> None:
    index = opened(tmp_path_factory.mktemp("limit"))
    for number, texts in enumerate(sessions):
        index.add([talk(f"s{number}", *texts, scope=f"project:{number % 2}")])
    for within in (Within(), Within("project:1", strict=True), Within("project:1")):
        whole = index.search(question, None, within).hits
        for limit in range(1, len(whole) + 2):
            assert index.search(question, limit, within).hits == whole[:limit]


def test_importing_the_index_does_not_import_whoosh() -> None:
    code = "import sys, wikimem.edges.index; sys.exit('whoosh' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_whoosh_is_imported_without_a_client_and_a_loop_and_who_wants_them_gets_them() -> None:
    code = (
        "import sys; from wikimem.edges.index import reading, schema, writing, searching; "
        "print(sorted({'asyncio', 'urllib.request', 'http.client', 'cached_property', 'filelock'} & sys.modules.keys())); "
        "import asyncio, urllib.request, cached_property; print(urllib.request.urlopen.__name__, cached_property.__author__)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "urlopen Daniel Roy Greenfeld"]
