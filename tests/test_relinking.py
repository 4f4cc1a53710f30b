"""Links that people write: they follow a page that gets another name, and only where they are links."""

from __future__ import annotations

import re

from dictated import Dictated, check, git, session, tell, wiki
from wikimem.core import links
from wikimem.faces.api import Vault

NOTE = """
## Notes

See [the queue](payout-queue.md), [[payout-queue|the queue]], [[topics/payout-queue#Facts]] and `[x](payout-queue.md)`.
Also [[payout-queue|`drain`]] and [far](../topics/payout-queue.md#facts), not [other](payout-queues.md) nor [[payout-queues]].

| a | b |
|---|---|
| [queue](payout-queue.md#facts) | [[payout-queue\\|the queue]] |

```bash
[[ -f payout-queue ]] && echo "[y](payout-queue.md) [[payout-queue]]"
```

    [[payout-queue]] and [code](payout-queue.md)

<!-- [z](payout-queue.md) [[payout-queue]] -->
"""
MOVED = """
## Notes

See [the queue](night-queue.md), [[night-queue|the queue]], [[topics/night-queue#Facts]] and `[x](payout-queue.md)`.
Also [[night-queue|`drain`]] and [far](night-queue.md#facts), not [other](payout-queues.md) nor [[payout-queues]].

| a | b |
|---|---|
| [queue](night-queue.md#facts) | [[night-queue\\|the queue]] |

```bash
[[ -f payout-queue ]] && echo "[y](payout-queue.md) [[payout-queue]]"
```

    [[payout-queue]] and [code](payout-queue.md)

<!-- [z](payout-queue.md) [[payout-queue]] -->
"""


def vault_with_a_note(vault: Vault) -> None:
    tell(
        vault,
        session("one", "2026-03-02", "topic | payment retries | | Retries stop after 3 attempts.",
                "topic | payout queue | | The payout queue is drained at night.",
                "topic | queue for payouts | | The queue for payouts holds a week."),
    )  # fmt: skip
    vault.compile(model=Dictated())
    page = vault.root / "wiki/topics/payment-retries.md"
    page.write_text(page.read_text() + NOTE)
    git(vault.root, "commit", "-qam", "a note")


def retries(vault: Vault) -> str:
    return wiki(vault)["topics/payment-retries.md"].decode()


def test_links_follow_a_page_that_is_renamed(vault: Vault) -> None:
    vault_with_a_note(vault)
    vault.rename("payout-queue", "Night queue")
    assert MOVED in retries(vault)
    assert git(vault.root, "status", "--porcelain") == ""
    vault.recompile(model=Dictated())
    assert MOVED in retries(vault)
    check(vault)
    vault.rename("night-queue", "payout queue")
    assert NOTE.replace("../topics/", "") in retries(vault)


def test_links_follow_a_page_that_is_merged_into_another(vault: Vault) -> None:
    vault_with_a_note(vault)
    vault.merge("payout-queue", "queue-for-payouts")
    assert MOVED.replace("night-queue", "queue-for-payouts") in retries(vault)
    assert {problem.message.split()[3] for problem in vault.lint().problems} == {"payout-queues.md,", "payout-queues,"}


def test_links_follow_a_title_that_is_changed_on_the_page(vault: Vault) -> None:
    vault_with_a_note(vault)
    page = vault.root / "wiki/topics/payout-queue.md"
    page.write_text(re.sub("title: .*", "title: Night queue", page.read_text(), count=1))
    git(vault.root, "commit", "-qam", "another title")
    vault.compile(model=Dictated())
    assert "topics/night-queue.md" in wiki(vault)
    assert MOVED in retries(vault)


def test_a_page_that_somebody_is_writing_waits(vault: Vault) -> None:
    vault_with_a_note(vault)
    page = vault.root / "wiki/topics/payment-retries.md"
    page.write_text(page.read_text() + "half a sen")
    vault.rename("payout-queue", "Night queue")
    assert page.read_text().endswith(NOTE + "half a sen")


def test_lint_looks_for_links_only_where_they_are_links(vault: Vault) -> None:
    vault_with_a_note(vault)
    page = vault.root / "wiki/topics/payment-retries.md"
    page.write_text(
        page.read_text() + "\n![[picture.png|200]] "
        "[web](https://example.org/x.md) [[Payout queue]] [[Nowhere]]\n```\n[a](gone.md)\n"
    )
    told = [problem.message for problem in vault.lint().problems if problem.rule == "dead-link"]
    assert [each.split()[3] for each in told] == ["payout-queues.md,", "payout-queues,", "Nowhere,", "gone.md,"]


def test_targets_with_escapes_and_folders() -> None:
    moves = {"topics/a b.md": "people/c d.md"}
    text = "[x](a%20b.md#h) [[A B]] [[a b.md|n]] [y](../topics/a%20b.md)"
    assert links.moved(text, "topics/z.md", moves) == "[x](../people/c%20d.md#h) [[c d]] [[c d.md|n]] [y](../people/c%20d.md)"
