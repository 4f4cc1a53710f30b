"""Recall over claims, turns and pages together: one answer for each thing, told with its place in time and its proof."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dictated
from conftest import claude, jsonl
from remembering import Saying, put, remember, session
from wikimem import indexing, recall, reflecting
from wikimem.core import bundles
from wikimem.core.answers import Told
from wikimem.core.entries import ClaimEntry, Entry, ProseEntry
from wikimem.errors import UsageError
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.vault import open_at

PORT = (
    Saying("jan", 1, "topic: tide tables", "port", "The tide tables are served from port 8090.", "port 8090", "2026-01-10"),
    Saying("apr", 1, "topic: tide tables", "port", "The tide tables are served from port 9100.", "port 9100", "2026-03-01"),
    Saying("jun", 1, "topic: tide tables", "port", "The tide tables are served from port 9300.", "port 9300", "2026-06-02"),
)
OLD, MIDDLE, NEW = (said.text for said in PORT)


@pytest.fixture
def harbour(vault: Vault, tmp_path: Path) -> Vault:
    """Four sessions: the port of the tide tables as it was told in January, April and June; cranes in another project."""
    logs = tmp_path / "logs"
    told = {
        "jan": ("2026-01-10", "/home/sam/harbour", "Serve the tide tables from port 8090, please.", "Done.", "And berth 4?"),
        "apr": ("2026-04-20", "/home/sam/harbour", "By the way, since 1 March it is port 9100 for these.", "Noted."),
        "jun": ("2026-06-02", "/home/sam/harbour", "It is port 9300 from today on.", "Noted.", "Berth 4 stays free."),
        "dock": ("2026-02-02", "/home/sam/dock", "Cranes are inspected every Monday by Ines.", "Noted."),
    }
    for name, (day, cwd, *words) in told.items():
        put(logs / f"{name}.jsonl", session(name, day, cwd, *words))
    vault.ingest([logs])
    return vault


@pytest.fixture
def filled(harbour: Vault) -> Vault:
    remember(harbour, *PORT)
    return harbour


def claims(vault: Vault, question: str, **more: str) -> list[ClaimEntry]:
    found = vault.recall(question, **more)
    assert found.problems == ()
    return [entry for entry in found.bundle.entries if isinstance(entry, ClaimEntry)]


def turns(vault: Vault, question: str, **more: str) -> list[Entry]:
    return [entry for entry in vault.recall(question, **more).bundle.entries if isinstance(entry, Entry)]


SHOWN = """\

## wiki/topics/tide-tables.md (project:harbour)
- The tide tables are served from port 9300. (fact, since 2026-06-02)
  Before: The tide tables are served from port 9100. (fact, 2026-03-01 to 2026-06-02) [{apr}:L1]
  Before: The tide tables are served from port 8090. (fact, 2026-01-10 to 2026-03-01) [{jan}:L1]
  [{jun}:L1] 2026-06-02, human: “port 9300”
"""


def sources(vault: Vault) -> dict[str, str]:
    return {each.session: each.id for each in open_at(vault.root).ledger.all().values()}


def test_a_claim_is_shown_with_what_it_replaced_its_page_and_its_proof(filled: Vault) -> None:
    found = filled.recall("Which port serves the tide tables?")
    assert SHOWN.format(**{name: id.rpartition("-")[2] for name, id in sources(filled).items()}) in found.bundle.text
    (entry,) = (entry for entry in found.bundle.entries if isinstance(entry, ClaimEntry))
    assert (filled.root / entry.statement.page).is_file()
    assert filled.show(entry.statement.cite).turns[0].text == "It is port 9300 from today on."


def test_a_turn_that_proves_a_claim_is_not_shown_again(filled: Vault) -> None:
    for budget in (200, 500, 2000):
        bundle = filled.recall("Which port serves the tide tables?", budget=budget).bundle
        proved = {
            f"{one.source}:{one.at}"
            for entry in bundle.entries
            if isinstance(entry, ClaimEntry)
            for one in entry.statement.claim.evidence
        }
        assert proved
        assert not [entry for entry in bundle.entries if isinstance(entry, Entry) and entry.passage.cite in proved]


def test_now_in_march_and_believed_in_march_are_three_answers(filled: Vault) -> None:
    question = "Which port serves the tide tables?"
    assert [entry.statement.claim.text for entry in claims(filled, question)] == [NEW]
    assert [entry.statement.claim.text for entry in claims(filled, question, at="2026-03")] == [MIDDLE]
    assert [entry.statement.claim.text for entry in claims(filled, question, known="2026-03")] == [OLD]
    assert [entry.statement.claim.text for entry in claims(filled, question, known="2026-04-20")] == [MIDDLE]
    assert claims(filled, question, at="2025") == []
    assert claims(filled, question, known="2026-01-09") == []
    assert claims(filled, question, at="2026-02", known="2026-04")[0].statement.claim.text == OLD


def test_what_was_said_later_is_hidden_from_an_earlier_moment(filled: Vault) -> None:
    assert "9300" not in filled.recall("Which port serves the tide tables?", known="2026-03").bundle.text
    assert "9100" not in filled.recall("Which port serves the tide tables?", known="2026-03").bundle.text
    assert "9300" in filled.recall("port 9300 today").bundle.text
    assert "9300" not in filled.recall("port 9300 today", known="2026-06-01").bundle.text
    assert "9300" not in filled.recall("port 9300 today", known="2026-06-02T09:00Z").bundle.text
    assert "9300" in filled.recall("port 9300 today", known="2026-06-02T09:01Z").bundle.text
    assert [entry.passage.text for entry in turns(filled, "Does berth 4 stay free?", at="2026-02")] == [
        "Serve the tide tables from port 8090, please.",
        "Done.",
        "And berth 4?",
    ]


def test_at_a_moment_claims_come_before_what_was_only_said(filled: Vault) -> None:
    entries = filled.recall("tide tables port berth 4", at="2026-06-30").bundle.entries
    assert isinstance(entries[0], ClaimEntry)
    assert any(isinstance(entry, Entry) for entry in entries)


@pytest.mark.parametrize("bad", ["March", "2026-13", "2026-02-30", "20260301", "2026-3-1", " "])
def test_a_bad_date_is_told_in_a_sentence(filled: Vault, bad: str) -> None:
    for more in ({"at": bad}, {"known": bad}):
        with pytest.raises(UsageError, match=r"no date that exists; write 2026, 2026-03"):
            filled.recall("tide tables", **more)
        with pytest.raises(UsageError, match="no date"):
            filled.search("tide tables", **more)


def test_words_of_a_claim_find_its_turn(harbour: Vault) -> None:
    assert turns(harbour, "Who checks the hoisting machinery?") == []
    remember(
        harbour,
        Saying("dock", 1, "topic: cranes", "", "The hoisting machinery is checked weekly.", "every Monday", scope="project:dock"),
    )
    (entry,) = claims(harbour, "How often is hoisting machinery checked?")
    assert entry.statement.cite == f"{sources(harbour)['dock']}:L1"


def test_what_a_turn_says_beyond_its_claim_is_not_lost(harbour: Vault) -> None:
    remember(
        harbour,
        Saying("dock", 1, "topic: cranes", "", "Cranes are inspected on Mondays.", "every Monday", scope="project:dock"),
    )
    (entry,) = claims(harbour, "Does Ines inspect cranes?")
    assert entry.text == "Cranes are inspected every Monday by Ines."


def test_an_ended_claim_that_stands_alone_is_told_as_ended(harbour: Vault) -> None:
    remember(
        harbour,
        Saying("jan", 1, "topic: tide tables", "port", "Zeppelin mast uses 8090.", "port 8090", "2026-01-10"),
        Saying("jun", 1, "topic: tide tables", "port", "It is 9300.", "port 9300", "2026-06-02"),
    )
    shown = harbour.recall("zeppelin mast").bundle.text
    assert "Ended: Zeppelin mast uses 8090. (fact, 2026-01-10 to 2026-06-02, superseded by: It is 9300.)" in shown


def test_a_retracted_claim_is_told_as_never_so(harbour: Vault) -> None:
    never, denial = "Zeppelins moor at berth 4.", "No airship ever came here."
    remember(
        harbour,
        Saying("jan", 3, "topic: berth 4", "", never, "berth 4"),
        Saying("jun", 3, "topic: berth 4", "", denial, "stays free"),
        denies=((never, denial),),
    )
    shown = harbour.recall("Do zeppelins moor?").bundle.text
    assert f"Retracted: {never} (fact, never was so: {denial})" in shown
    assert claims(harbour, "Do zeppelins moor?", at="2026-02") == []
    (then,) = claims(harbour, "Do zeppelins moor?", known="2026-02")
    assert then.statement.current


def test_a_conflict_is_shown_whole_or_not_at_all(harbour: Vault) -> None:
    remember(
        harbour,
        Saying("jan", 1, "topic: tide tables", "port", "The port for tide tables is 8090.", "port 8090"),
        Saying("jan", 1, "topic: tide tables", "port", "The port for tide tables is 90.", "8090, please"),
        Saying("jun", 1, "topic: tide tables", "", "Berths are numbered from the sea.", "port"),
    )
    seen = set()
    for budget in range(40, 900, 20):
        bundle = harbour.recall("Which port is for tide tables?", budget=budget).bundle
        assert bundles.tokens(bundle.text) <= budget
        shown = [entry.statement.claim.text for entry in bundle.entries if isinstance(entry, ClaimEntry)]
        rivals = [one for one in shown if "port for" in one]
        assert len(rivals) in (0, 2), budget
        seen.add(len(rivals))
    assert seen == {0, 2}
    shown = harbour.recall("Which port is for tide tables?").bundle.text
    assert shown.count("In conflict, not settled, with:") == 2


def test_strict_isolation_hides_other_scopes_in_claims_titles_and_endings(
    harbour: Vault, reopen: Callable[[Vault], Vault]
) -> None:
    (harbour.root / "wikimem.local.toml").write_text('[vault]\nisolation = "strict"\n')
    remember(
        harbour,
        Saying("dock", 1, "person: Ines", "role", "Ines inspects cranes.", "by Ines", "2026-02-02", scope=""),
        Saying("jan", 3, "person: Ines", "", "Ines knows berth 4.", "berth 4", scope=""),
        Saying("jun", 3, "person: Ines", "role", "Ines keeps berth 4 free.", "Berth 4 stays free", "2026-06-02", scope=""),
    )
    strict = reopen(harbour)
    dock = strict.recall("What does Ines do?", "project:dock")
    assert "Ended: Ines inspects cranes. (fact, 2026-02-02 to 2026-06-02, superseded)" in dock.bundle.text
    assert "berth" not in dock.bundle.text.lower()
    here = strict.recall("What does Ines do with berth 4?", "project:harbour").bundle.text
    assert "Ines keeps berth 4 free." in here
    assert "cranes" not in here
    assert strict.recall("What does Ines do?").bundle.text == ""
    told = recall.claims_matching(open_at(harbour.root), "Ines inspects cranes", scope="project:harbour")
    assert "Ines inspects cranes." not in [one.claim.text for one in told.statements]


def test_the_same_title_in_two_scopes_is_two_subjects(harbour: Vault) -> None:
    remember(
        harbour,
        Saying("jan", 1, "topic: lanterns", "", "Lanterns burn oil.", "please"),
        Saying("dock", 1, "topic: lanterns", "", "Lanterns burn gas.", "Monday", scope="project:dock"),
    )
    for scope, first in (("project:harbour", "oil"), ("project:dock", "gas")):
        found = claims(harbour, "What do lanterns burn?", scope=scope)
        assert first in found[0].statement.claim.text
        assert {one.statement.page for one in found} == {
            "wiki/topics/lanterns-harbour.md",
            "wiki/topics/lanterns-dock.md",
        }


def note(vault: Vault, words: str) -> Path:
    path = vault.root / "wiki/topics/tide-tables.md"
    page = path.read_text()
    path.write_text(page.replace("\n[^", f"\n## Notes\n\n{words}\n\n[^", 1))
    return path


def test_what_people_wrote_is_found_until_it_is_gone(filled: Vault) -> None:
    filled.recall("anything")
    path = note(filled, "Ask the lighthouse keeper first.")
    question = "Whom to ask, the lighthouse keeper?"
    (entry,) = filled.recall(question).bundle.entries
    assert isinstance(entry, ProseEntry)
    line = path.read_text().splitlines()[entry.prose.line - 1 :]
    assert "Ask the lighthouse keeper first." in line
    assert "[wiki/topics/tide-tables.md:L" in filled.recall(question).bundle.text
    assert filled.recall(question, known="2026-06").bundle.text == ""
    assert [hit["kind"] for hit in filled.search("lighthouse").as_json()["hits"]] == ["prose"]
    path.unlink()
    assert filled.recall(question).bundle.entries == ()


@pytest.mark.parametrize(
    "broken",
    [
        "---\ntitle: [\n---\n\nThe lighthouse keeper.\n",
        "<<<<<<< ours\nThe lighthouse keeper.\n=======\nNobody.\n>>>>>>> theirs\n",
        "---\ntitle: Keeper\n\nThe lighthouse keeper.\n",
    ],
)
def test_a_broken_page_stops_nothing_and_is_searched_as_text(filled: Vault, broken: str) -> None:
    put(filled.root / "wiki/topics/keeper.md", broken.encode())
    assert "The lighthouse keeper." in filled.recall("lighthouse keeper").bundle.text
    assert claims(filled, "Which port serves the tide tables?")
    told = reflecting.problems(indexing.folder(filled.root))
    assert [problem.where for problem in told] == (["wiki/topics/keeper.md"] if broken.count("---") != 1 else [])


def test_a_page_whose_name_is_no_text_stops_nothing(filled: Vault) -> None:
    try:
        put(filled.root / "wiki/topics/caf\udce9.md", b"The lighthouse keeper.")
    except OSError:
        pytest.skip("this file system has no such names")
    assert claims(filled, "Which port serves the tide tables?")


def test_claims_of_a_source_that_is_gone_are_not_told(filled: Vault, reopen: Callable[[Vault], Vault]) -> None:
    assert claims(filled, "Which port serves the tide tables?")
    sidecar = open_at(filled.root).ledger.all()[sources(filled)["jun"]]
    for path in sidecar.paths():
        (filled.root / path).unlink()
    (entry,) = claims(reopen(filled), "Which port serves the tide tables?")
    assert entry.statement.claim.text == MIDDLE


def test_only_what_changed_is_written_again(filled: Vault) -> None:
    filled.recall("tide")
    with indexing.refresh(filled.root, open_at(filled.root).ledger) as shelves:
        assert shelves.wiki is not None
        before = shelves.wiki.known()
    remember(filled, Saying("dock", 1, "topic: cranes", "", "Cranes are tall.", "Cranes", scope="project:dock"))
    stamp = (filled.root / ".wikimem/index/current").stat()
    assert claims(filled, "Are cranes tall?")
    with indexing.refresh(filled.root, open_at(filled.root).ledger) as shelves:
        assert shelves.wiki is not None
        after = shelves.wiki.known()
    assert before.items() < after.items()
    assert len(after) == len(before) + 1
    assert (filled.root / ".wikimem/index/current").stat() == stamp


def test_an_index_of_another_version_or_a_lost_one_is_built_again(filled: Vault) -> None:
    question = "Which port serves the tide tables?"
    place = filled.root / ".wikimem/index"
    assert claims(filled, question)
    for told in (b'{"version": 1, "folder": "x"}', b"rubbish"):
        (place / "current").write_bytes(told)
        assert claims(filled, question)
        (place / "wiki/current").write_bytes(told)
        assert claims(filled, question)
    for name in ("mark", "seen.json", "current"):
        (place / "wiki" / name).unlink()
        assert claims(filled, question)
        (place / "wiki" / name).write_bytes(b"\xff rubbish")
        assert claims(filled, question)


def test_a_vault_without_a_wiki_has_no_index_of_one(harbour: Vault) -> None:
    assert turns(harbour, "Which port serves the tide tables?")
    assert not (harbour.root / ".wikimem/index/wiki").exists()


def test_a_fresh_index_needs_neither_yaml_nor_markdown_nor_git(filled: Vault) -> None:
    note(filled, "Ask the lighthouse keeper first.")
    filled.recall("tide tables")
    script = (
        "import sys; from wikimem.faces.api import Vault; found = Vault.open(sys.argv[1]).recall('tide tables port');"
        "print(found.bundle.text); print(sorted({name.split('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", script, str(filled.root)], check=True, capture_output=True, text=True)
    assert "served from port 9300" in run.stdout
    for name in ("yaml", "frontmatter", "markdown_it", "git", "rich"):
        assert f"'{name}'" not in run.stdout.splitlines()[-1]


def test_a_list_tells_kinds_and_filters_claims_by_their_evidence(filled: Vault) -> None:
    note(filled, "The port is known to the keeper.")
    kinds = {hit["kind"] for hit in filled.search("port", limit=50).as_json()["hits"]}
    assert kinds == {"turn", "claim", "prose"}

    def told(**more: str) -> set[str]:
        hits = filled.search("port", limit=50, **more).as_json()["hits"]
        return {hit["text"] for hit in hits if hit["kind"] == "claim"}

    assert told() == {OLD, MIDDLE, NEW}
    assert told(since="2026-04-20") == {MIDDLE, NEW}
    assert told(since="2026-02-01", until="2026-04-20") == {MIDDLE}
    assert told(speaker="assistant") == set()
    assert told(speaker="human") == {OLD, MIDDLE, NEW}
    assert told(at="2026-03") == {MIDDLE}
    assert told(known="2026-03") == {OLD}
    lines = text.listed(filled.search("8090", limit=50))
    assert "claim  ended  fact  2026-01-10 to 2026-03-01  wiki/topics/tide-tables.md" in lines
    assert "superseded by: The tide tables are served from port 9100." in lines


def test_claims_are_found_by_words_and_by_id(filled: Vault) -> None:
    vault = open_at(filled.root)
    found = recall.claims_matching(vault, "tide tables are served from port 8090", 2)
    assert found.statements[0].claim.text == OLD
    assert len(found.statements) == 2
    (told,) = recall.claims_matching(vault, found.statements[0].id).statements
    assert told == found.statements[0]
    assert recall.claims_matching(vault, "chess in Lisbon").statements == ()
    (shown,) = recall.claims_matching(vault, told.id).as_json()["claims"]
    assert (shown["state"], shown["page"], shown["evidence"][0]["quote"]) == (
        "ended",
        "wiki/topics/tide-tables.md",
        "port 8090",
    )


def test_json_tells_what_the_text_tells(filled: Vault) -> None:
    told = filled.recall("Which port serves the tide tables?").as_json()
    entry = next(entry for entry in told["entries"] if entry["kind"] == "claim")
    for name in ("cite", "source", "at", "said", "speaker", "name", "form", "scope", "role", "rank", "score", "cut", "text"):
        assert name in entry
    assert (entry["text"], entry["quote"], entry["claim"]["state"]) == (NEW, "port 9300", "current")
    assert entry["claim"]["intervals"][0]["from"] == "2026-06-02"
    assert [one["text"] for one in entry["before"]] == [MIDDLE, OLD]


READER = """
import sys
from wikimem.faces.api import Vault
for _ in range(6):
    found = Vault.open(sys.argv[1]).recall("Which port serves the tide tables?")
    assert "port 9300" in found.bundle.text, found
"""


def test_recalls_while_the_wiki_changes_answer_all_the_same(filled: Vault) -> None:
    filled.recall("tide")
    with subprocess.Popen([sys.executable, "-c", READER, str(filled.root)], stderr=subprocess.PIPE, text=True) as reader:
        number = 0
        while reader.poll() is None:
            number += 1
            told = Saying("dock", 1, f"topic: crane {number}", "", f"Crane {number} is tall.", "Cranes", scope="project:dock")
            remember(filled, told)
            indexing.refresh(filled.root, open_at(filled.root).ledger).close()
        assert reader.stderr is not None
        assert reader.stderr.read() == ""
    assert reader.returncode == 0


def test_nothing_relevant_gives_nothing_with_a_wiki_too(filled: Vault) -> None:
    assert filled.recall("Who won the chess tournament in Lisbon?").bundle.text == ""


def test_what_sums_up_many_runs_comes_before_them(vault: Vault, tmp_path: Path) -> None:
    runs = [claude(1, "user", "Use make check, please.")]
    for number in range(2, 30):
        call = {"command": f"make check {number}", "description": f"Run the tests with the test command, run {number}"}
        content = [{"type": "tool_use", "id": f"call_{number}", "name": "Bash", "input": call}]
        runs.append(claude(number, "assistant", content, number - 1))
    put(tmp_path / "s.jsonl", jsonl(*runs))
    vault.ingest([tmp_path / "s.jsonl"])
    question = "Which test command runs the tests?"
    assert len(turns(vault, question)) > 5
    remember(vault, Saying("sess-1", 1, "procedure: make check", "", "`make check` runs the tests.", "make check"))
    first = vault.recall(question).bundle.entries[0]
    assert isinstance(first, ClaimEntry)


def test_the_same_words_about_two_subjects_are_one_answer(harbour: Vault) -> None:
    remember(
        harbour,
        Saying("jan", 1, "topic: lanterns", "", "Lanterns burn oil.", "please"),
        Saying("dock", 1, "topic: lanterns", "", "Lanterns burn oil.", "Monday", scope="project:dock"),
    )
    (entry,) = claims(harbour, "What do lanterns burn?", scope="project:dock")
    assert entry.statement.page == "wiki/topics/lanterns-dock.md"
    shown = harbour.recall("What do lanterns burn?", "project:dock").bundle.text
    assert (
        f"  The same: wiki/topics/lanterns-harbour.md, project:harbour [{sources(harbour)['jan'].rpartition('-')[2]}:L1]" in shown
    )


def test_a_value_that_was_superseded_is_not_told_before_what_superseded_it(filled: Vault, tmp_path: Path) -> None:
    put(
        tmp_path / "late.jsonl",
        session("late", "2026-06-05", "/home/sam/harbour", "Which port has the tide table backup?", "8090."),
    )
    put(
        tmp_path / "page.jsonl",
        session("page", "2026-06-06", "/home/sam/harbour", "Look it up.", "The page says: tide tables backup, port 8090."),
    )
    filled.ingest([tmp_path / "late.jsonl", tmp_path / "page.jsonl"])
    question = "which port does the tide tables backup use?"
    for budget in (200, 300, 500, 1000):
        told = filled.recall(question, budget=budget).bundle.text
        assert "port 8090" not in told or "9300" in told, budget


def test_an_answer_that_does_not_fit_is_told_of(filled: Vault) -> None:
    found = filled.recall("which port serves the tide tables?", budget=30)
    assert found.bundle.entries == ()
    told = "Problem: budget: something was found, but nothing of it fits into 30 tokens; allow more [small-budget]"
    assert text.recalled(found) == told
    assert text.recalled(filled.recall("who plays the trombone?", budget=30)) == "Nothing relevant was said."


def test_what_to_do_comes_before_the_talk_of_many_runs(vault: Vault, tmp_path: Path) -> None:
    runs = [turn for n in range(200) for turn in (f"Go on with step {n}.", f"Now run the harbour tests of step {n}.")]
    put(tmp_path / "runs.jsonl", session("runs", "2026-03-01", "/home/sam/harbour", *runs))
    put(tmp_path / "how.jsonl", session("how", "2026-03-02", "/home/sam/harbour", "make check is the way.", "Noted."))
    vault.ingest([tmp_path / "runs.jsonl", tmp_path / "how.jsonl"])
    remember(
        vault, Saying("how", 1, "procedure: make check", "", "`make check` runs the tests.", "make check", kind="procedural")
    )
    found = vault.recall("how do I run the harbour tests?").bundle.entries
    assert any(isinstance(one, ClaimEntry) and one.rank == 1 for one in found)


def test_of_a_name_what_is_claimed_of_it_is_listed_first(vault: Vault) -> None:
    called = [f"And Barnabas, Barnabas, will you say more, Barnabas {number}?" for number in range(30)]
    dictated.tell(
        vault,
        dictated.session("one", "2026-03-02", *called, "person | barnabas | | The launch of the ferry is on Thursday, he said."),
    )
    vault.compile(model=dictated.Dictated())
    (first, *_) = vault.search("Barnabas", limit=3).hits
    assert isinstance(first, Told)
    assert first.statements[0].claim.text == "The launch of the ferry is on Thursday, he said."
    assert len(vault.search("Barnabas", limit=3).hits) == 3
