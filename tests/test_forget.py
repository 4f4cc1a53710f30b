"""Forgetting: a source goes from everything that wikimem writes, everybody else's words stay, and it does not come back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import wikimem
from dictated import Dictated, as_model, check, commits, git, joined, records, session, tell, wiki
from wikimem.errors import CannotForget, UsageError
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."
SECRET = "crane lifts forty tonnes"
CACHE = "topic | tide cache | | The tide cache runs on the Valkey store."
SAID = "The harbour crane lifts forty tonnes at most."


def compiled(vault: Vault, *sessions: bytes) -> list[str]:
    found = tell(vault, *sessions)
    report = vault.compile(model=as_model(Dictated()))
    assert [one.reason for one in report.outcomes] == [""] * len(report.outcomes)
    return found


@pytest.fixture
def two(vault: Vault) -> tuple[str, str]:
    one, other = compiled(
        vault,
        session("one", "2026-03-02", LIMIT.format(3), CRANE, "The gate code of the quay house is 4711, keep it."),
        session("two", "2026-03-04", LIMIT.format(5), "The office moved to Leeds in spring."),
    )
    return one, other


def everything(vault: Vault) -> dict[str, bytes]:
    """All files of the vault's folder but git's own."""
    found = (path for path in vault.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(vault.root).as_posix(): path.read_bytes() for path in found}


def holding(vault: Vault, words: str) -> list[str]:
    return [path for path, data in everything(vault).items() if words.encode() in data]


def test_without_yes_nothing_changes_and_every_place_is_told(vault: Vault, two: tuple[str, str]) -> None:
    vault.recall("what does the crane lift")
    vault.build_site()
    before = everything(vault)
    report = vault.forget(two[0])
    assert {path: data for path, data in everything(vault).items() if "/ledger.json" not in path} == {
        path: data for path, data in before.items() if "/ledger.json" not in path
    }
    assert report.dry_run
    assert report.sources == {two[0]: 2}
    assert (report.claims, report.cards) == (2, 1)
    assert report.pages_gone == ("topics/harbour-crane.md",)
    assert report.pages_changed == ("topics/payment-retries.md",)
    assert report.cleared.index
    assert report.cleared.site > 2
    assert report.residue is not None
    assert len(report.residue.commits) == 2


def test_what_is_made_only_to_tell_is_not_told(vault: Vault, two: tuple[str, str]) -> None:
    report = vault.forget(matching="gate code")
    assert (report.dry_run, report.cleared.spool) == (True, 0)


def test_a_forgotten_source_is_in_no_file_and_leaves_what_others_said(vault: Vault, two: tuple[str, str]) -> None:
    vault.recall("what does the crane lift")
    vault.build_site()
    report = vault.forget(two[0], yes=True, model=as_model(Dictated()))
    assert (report.code, report.left_files) == (0, ())
    assert holding(vault, SECRET) == holding(vault, "4711") == []
    assert holding(vault, two[0]) == [path for path in everything(vault) if "forgotten/" in path]
    assert "Retries stop after 5 attempts." in (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert "3 attempts" not in "".join(path.read_text() for path in (vault.root / "wiki").rglob("*.md"))
    assert "forty" not in str(vault.recall("how many tonnes does the harbour crane lift").as_json()["entries"])
    check(vault)
    assert git(vault.root, "show", "-s", "--format=%(trailers)", "HEAD").split("\n")[:2] == [
        "Wiki-Op: forget",
        f"Source: {two[0]}",
    ]


def test_the_commit_and_the_tombstone_say_no_word_of_it(vault: Vault, two: tuple[str, str]) -> None:
    vault.forget(two[0], yes=True)
    told = git(vault.root, "show", "-s", "--format=%B", "HEAD")
    (stone,) = (vault.root / "wiki/.claims/forgotten").iterdir()
    for text in (told, stone.read_text()):
        assert not re.search(r"crane|retries|quay|4711|one-00", text)
    assert "salt" in json.loads(stone.read_text())


def test_compiling_and_recompiling_afterwards_brings_nothing_back(vault: Vault, two: tuple[str, str]) -> None:
    vault.forget(two[0], yes=True, model=as_model(Dictated()))
    before, head = wiki(vault), commits(vault)[0]
    (vault.root / ".wikimem/wiki.json").unlink()
    vault.compile(model=as_model(Dictated()))
    assert (wiki(vault), commits(vault)[0]) == (before, head)
    vault.recompile(model=as_model(Dictated(edition="2")))
    assert holding(vault, SECRET) == []


def test_capturing_it_again_is_refused_in_any_form(vault: Vault, tmp_path: Path) -> None:
    told = records("one", "2026-03-02", CRANE, ("assistant", "Noted, forty tonnes it is then."))
    (source,) = compiled(vault, joined(told))
    vault.forget(source, yes=True)
    (file,) = (vault.root.parent / "told").iterdir()
    again = vault.ingest([file])
    assert (again.added, list(again.left_out.values())) == ([], ["it was forgotten, and stays out"])
    # Grown: what is new comes in, on its own lines; what was forgotten does not.
    grown = records("one", "2026-03-02", CRANE, ("assistant", "Noted, forty tonnes it is then."), "The ferry leaves at nine.")
    file.write_bytes(joined(grown))
    (added,) = vault.ingest([file]).added
    kept = (vault.root / added.path).read_bytes()
    assert kept == b"\n\n" + joined(grown[2:])
    # A fork: its own session id on the same turns.
    fork = [{**record, "sessionId": "fork"} for record in grown]
    tell(vault, joined(fork))
    assert holding(vault, "forty tonnes") == []
    assert len(holding(vault, "The ferry leaves at nine.")) >= 2


def test_a_copy_that_stays_is_told_and_bans_nothing_of_its_own(vault: Vault) -> None:
    told = records("one", "2026-03-02", CRANE, "The ferry leaves at nine sharp.")
    fork = [{**record, "sessionId": "fork"} for record in records("one", "2026-03-02", CRANE)]
    own = records("fork", "2026-03-03", "The tug waits at the pier.")
    one, other = compiled(vault, joined(told), joined([*fork, *own]))
    assert vault.forget(one).copies == {other: 1}
    report = vault.forget(one, yes=True, model=as_model(Dictated()))
    assert report.left_files == ()
    assert "forty tonnes" in (vault.root / "wiki/topics/harbour-crane.md").read_text()
    check(vault)


def test_a_page_that_people_wrote_on_keeps_their_lines_and_nothing_else(vault: Vault, two: tuple[str, str]) -> None:
    page = vault.root / "wiki/topics/harbour-crane.md"
    head, mark, foot = page.read_text().partition("\n[^")
    page.write_text(f"{head}\n## Notes\n\nAsk Ines before a lift.\n{mark}{foot}")
    git(vault.root, "commit", "-qam", "a note")
    report = vault.forget(two[0], yes=True, model=as_model(Dictated()))
    assert report.peoples == ("wiki/topics/harbour-crane.md",)
    assert page.read_text().strip() == "## Notes\n\nAsk Ines before a lift."
    assert holding(vault, SECRET) == []
    assert git(vault.root, "status", "--porcelain") == ""


def test_a_page_at_work_stops_it_before_anything_changes(vault: Vault, two: tuple[str, str]) -> None:
    page = vault.root / "wiki/topics/payment-retries.md"
    page.write_text(page.read_text() + "half a line")
    before = everything(vault)
    with pytest.raises(CannotForget, match=r"payment-retries\.md: it was changed and not committed"):
        vault.forget(two[0], yes=True)
    assert {path for path in before if before[path] != everything(vault).get(path)} <= {".wikimem/ledger.json"}


def test_hand_edits_that_repeat_it_go_with_it_and_others_stay(vault: Vault, two: tuple[str, str]) -> None:
    text = "".join(path.read_text() for path in (vault.root / "wiki/topics").glob("*.md"))
    (crane,) = re.findall(r"forty tonnes at most\. \[\^(\w+)\]", text)
    vault.reject(crane, "it was wrong about the crane")
    vault.rename("payment retries", "Retrying payments")
    report = vault.forget(two[0], yes=True, model=as_model(Dictated()))
    assert report.edits == 1
    assert holding(vault, "forty tonnes") == holding(vault, "wrong about the crane") == []
    assert "# Retrying payments" in (vault.root / "wiki/topics/retrying-payments.md").read_text()
    check(vault)


def test_a_verdict_that_also_rests_on_others_is_said_again_without_it(vault: Vault) -> None:
    one, two = compiled(vault, session("one", "2026-03-02", LIMIT.format(3)), session("two", "2026-03-04", LIMIT.format(3)))
    (claim,) = set(re.findall(r"\[\^(\w+)\]:", (vault.root / "wiki/topics/payment-retries.md").read_text()))
    vault.reject(claim, "never true")
    report = vault.forget(one, yes=True, model=as_model(Dictated()))
    assert report.edits == 1
    assert holding(vault, one) == [path for path in everything(vault) if "forgotten/" in path]
    # Still rejected, also when another model words it otherwise.
    vault.recompile(model=as_model(Dictated(edition="2", rewords=lambda text: text.replace("stop after", "end at"))))
    assert not (vault.root / "wiki/topics/payment-retries.md").exists()
    assert two in "".join(holding(vault, "Retries stop"))
    check(vault)


def test_a_text_takes_out_its_lines_wherever_they_stand(vault: Vault) -> None:
    """Case 051: 555-0199 stands in two sessions, one of which says something else as well."""
    one, two = compiled(
        vault,
        session("one", "2026-03-02", "topic | Sam | | The landline of Sam is 555-0199.", ("assistant", "ok")),
        session("two", "2026-03-04", "As said, phone 555-0199.", "topic | office | | The office is in Leeds."),
    )
    vault.build_site()
    vault.recall("phone of Sam")
    report = vault.forget(matching="555-0199")
    assert report.lines == {one: 1, two: 1}
    assert holding(vault, "555-0199")
    report = vault.forget(matching="555-0199", yes=True, model=as_model(Dictated()))
    assert (report.code, report.claims) == (0, 1)
    assert holding(vault, "555-0199") == []
    assert "The office is in Leeds." in (vault.root / "wiki/topics/office.md").read_text()
    # The other lines keep their numbers, so the citation still leads there.
    assert f"{two}.jsonl#L2" in (vault.root / "wiki/topics/office.md").read_text()
    check(vault)
    vault.recompile(model=as_model(Dictated(edition="2")))
    vault.ingest([vault.root.parent / "told"])
    vault.compile(model=as_model(Dictated()))
    assert holding(vault, "555-0199") == []
    check(vault)


def test_a_text_is_found_in_any_case_and_however_it_is_escaped(vault: Vault) -> None:
    (source,) = tell(vault, session("one", "2026-03-02", 'The word is "Überfahrt\\Süd" today.', "Another line of talk."))
    assert vault.forget(matching='"überfahrt\\süd"').lines == {source: 1}
    escaped = json.dumps(records("two", "2026-03-05", "Die Überfahrt ist lang.")[0])
    (other,) = tell(vault, escaped.encode() + b"\n")
    assert vault.forget(matching="überfahrt").lines == {source: 1, other: 1}


def test_a_page_and_a_claim_take_out_the_lines_that_prove_them(vault: Vault, two: tuple[str, str]) -> None:
    report = vault.forget("harbour crane")
    assert (report.lines, report.only, report.pages_gone) == ({two[0]: 1}, (), ("topics/harbour-crane.md",))
    text = (vault.root / "wiki/topics/harbour-crane.md").read_text()
    (claim,) = set(re.findall(r"\[\^(\w+)\]:", text))
    assert vault.forget(claim).lines == {two[0]: 1}
    vault.forget("harbour crane", yes=True, model=as_model(Dictated()))
    assert not (vault.root / "wiki/topics/harbour-crane.md").exists()
    assert holding(vault, SECRET) == []
    assert len(holding(vault, "4711")) == 1
    assert "5 attempts" in (vault.root / "wiki/topics/payment-retries.md").read_text()
    check(vault)


def test_the_sources_that_support_only_a_page_are_told(vault: Vault) -> None:
    (one,) = compiled(vault, session("one", "2026-03-02", CRANE, "And more of it."))
    assert vault.forget("harbour crane").only == (one,)


@pytest.mark.parametrize(
    ("names", "words", "told"),
    [
        ((), "", "Nothing is named"),
        ((), "   ", "Nothing is named"),
        (("",), "", "never everything"),
        ((), "ab", "too short"),
        (("nobody knows",), "", "no source, no page and no claim"),
        (("2026030",), "", "the beginning of 2 sources"),
    ],
)
def test_an_empty_or_unclear_name_never_means_everything(
    vault: Vault, two: tuple[str, str], names: tuple[str, ...], words: str, told: str
) -> None:
    before = commits(vault)
    with pytest.raises(UsageError, match=told):
        vault.forget(*names, matching=words, yes=True)
    assert commits(vault) == before


def test_a_short_piece_of_a_hash_may_be_a_word_and_means_no_source(vault: Vault, two: tuple[str, str]) -> None:
    digits = two[0].rpartition("-")[2]
    assert vault.forget(digits).sources == vault.forget(digits[:6]).sources == {two[0]: 2}
    with pytest.raises(UsageError, match="no source"):
        vault.forget(digits[:5])


def test_a_text_that_stands_nowhere_changes_nothing(vault: Vault, two: tuple[str, str]) -> None:
    before = commits(vault)
    report = vault.forget(matching="no such words", yes=True)
    assert (report.code, report.anything, commits(vault)) == (1, False, before)


def test_logs_replies_packets_and_waiting_files_are_cleared(vault: Vault, two: tuple[str, str]) -> None:
    work = vault.root / ".wikimem"
    for name, data in (
        ("recalls/2026-07.jsonl", f'{{"asked":"{SAID}"}}\n{{"asked":"ferry"}}\n'),
        ("outbox/0123456789ab.json", json.dumps({"about": two[0], "prompt": "x"})),
        ("outbox/0123456789ab.reply.json", "{}"),
        ("spool/x.part", SAID),
        ("notes.bin", f"\x00{SAID}\x00"),
    ):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(data)
    vault.forget(two[0], yes=True)
    left = {path.relative_to(work).as_posix() for path in work.rglob("*") if path.is_file()}
    assert (work / "recalls/2026-07.jsonl").read_text() == '{"asked":"ferry"}\n'
    assert not {name for name in left if name.startswith(("outbox/", "spool/", "notes", "index/"))}


def test_paid_replies_about_it_are_taken_out_of_their_file(vault: Vault, two: tuple[str, str]) -> None:
    from wikimem.core.questions import Task
    from wikimem.core.spending import NOTHING
    from wikimem.edges.models.port import Call, Said
    from wikimem.edges.models.till import Till

    till = Till(vault.root / ".wikimem/replies")
    for about in two:
        call = Call(Task.EXTRACT, "prompt", {}, about)
        till.pay(f"key {about}", call, "m", Said(f"reply about {about} and its long words", "stop", NOTHING), "2026", False)
    till.close()
    assert vault.forget(two[0]).cleared.replies == 1
    vault.forget(two[0], yes=True)
    assert till.find(f"key {two[0]}") is None
    assert till.find(f"key {two[1]}") is not None
    till.close()
    for path in (vault.root / ".wikimem/replies").iterdir():
        assert f"reply about {two[0]}".encode() not in path.read_bytes()


def test_it_says_what_it_could_not_clear(vault: Vault, two: tuple[str, str]) -> None:
    (vault.root / "mine.txt").write_text(f"my own file: {SAID}\n")
    report = vault.forget(two[0], yes=True)
    assert (report.left_files, report.code) == (("mine.txt",), 1)


def test_the_receipt_says_what_is_proved_and_what_is_out_of_reach(vault: Vault, two: tuple[str, str], tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(remote))
    git(vault.root, "remote", "add", "origin", str(remote))
    git(vault.root, "push", "-qu", "origin", "main")
    git(vault.root, "tag", "v1")
    vault.forget(two[0], yes=True, receipt=tmp_path / "receipt.txt")
    told = (tmp_path / "receipt.txt").read_text()
    assert "Proved: none of" in told
    assert "Known to have had it: origin/main." in told
    assert "  tag v1" in told
    assert "Out of our reach" in told
    assert "crane" not in told.replace("harbour-crane.md", "")


def test_a_page_that_two_sessions_share_keeps_what_the_other_said_and_links_to_gone_pages_go(vault: Vault) -> None:
    """Case 072: one of two sources of a page is removed; what is left is what a fresh compile of the other gives."""
    both = (
        session("alpha", "2026-03-02", CACHE, "topic | Valkey store | | The Valkey store is new."),
        session("beta", "2026-03-04", "topic | tide cache | | The tide cache listens on port 6380."),
    )
    alpha, beta = compiled(vault, *both)
    assert "](../topics/valkey-store.md)" in (vault.root / "wiki/topics/tide-cache.md").read_text()
    report = vault.forget(alpha, yes=True, model=as_model(Dictated()))
    assert (report.pages_gone, report.pages_changed) == (("topics/valkey-store.md",), ("topics/tide-cache.md",))
    text = (vault.root / "wiki/topics/tide-cache.md").read_text()
    assert "6380" in text
    assert "alkey" not in text
    left = {path: data for path, data in wiki(vault).items() if "forgotten" not in path}
    other = wikimem.create(vault.root.parent / "other")
    tell(other, both[1])
    other.compile(model=as_model(Dictated()))
    assert left == wiki(other)
    vault.build_site()
    check(vault)
    assert beta in "".join(left)


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("Sorry, this page could not be loaded. Please sign in and reload.", True),
        ("502 Bad Gateway", True),
        ("The page of the tide table could not be found in the binder, so Ines wrote it anew. " * 9, False),
        ("We moor at berth 4.", False),
    ],
)
def test_a_note_that_is_an_error_page_is_flagged_when_it_is_captured(
    vault: Vault, tmp_path: Path, text: str, flagged: bool
) -> None:
    note = tmp_path / "note.md"
    note.write_text(text)
    assert ("error-page" in {problem.rule for problem in vault.ingest([note]).problems}) is flagged


def test_a_session_that_still_goes_on_is_copied_without_what_was_forgotten(vault: Vault, tmp_path: Path) -> None:
    """The copies of live sessions, which recall finds before anything is captured."""
    from wikimem import bans
    from wikimem.edges import spool

    told = records("one", "2026-03-02", CRANE, "The ferry leaves at nine.")
    live = tmp_path / "live.jsonl"
    live.write_bytes(joined(told[:1]))
    event = spool.Told(live, "claude-code", "one", "", "", "2026-07-01T09:00:00Z", False)
    spool.keep(vault.root, event)
    (source,) = compiled(vault, joined(told[:1]))
    report = vault.forget(source, yes=True)
    assert report.cleared.spool == 1
    live.write_bytes(joined(told))
    for name in (live, tmp_path / "again.jsonl"):
        name.write_bytes(joined(told))
        spool.keep(vault.root, replace(event, path=name), bans.cleaner(vault.root))
    assert holding(vault, "forty tonnes") == []
    assert len([path for path in holding(vault, "The ferry leaves at nine.") if "spool" in path]) == 2


def test_an_answer_that_was_filed_goes_with_what_it_rests_on(vault: Vault, two: tuple[str, str]) -> None:
    kept = vault.ask("How much does the harbour crane lift?", save=True).kept
    other = vault.ask("After how many attempts do payment retries stop?", save=True).kept
    assert kept is not None and other is not None
    vault.forget("harbour crane", yes=True, model=as_model(Dictated()))
    left = {path.stem for path in (vault.root / "sources").rglob("*.yaml")}
    assert (kept.source in left, other.source in left) == (False, True)
    assert holding(vault, "forty tonnes") == []
    check(vault)
