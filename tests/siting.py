"""Vaults for tests of the site: invented sessions, and a model that answers what the test says; nothing else is made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

import wikimem
from conftest import NOW
from wikimem.core import rules
from wikimem.core.claims import Claim, Mention
from wikimem.core.questions import Question, Reply
from wikimem.core.views import View
from wikimem.faces.api import Vault

Told = Mapping[str, Any]


def session(name: str, start: str, *turns: Told, title: str = "", cwd: str = "/home/sam/saltmarsh") -> tuple[str, bytes]:
    """A conversation in canonical form; each turn `{speaker, text, …}`, a minute apart."""
    head = {"wikimem": 1, "session": name, "title": title or name, "started": f"{start}T09:00:00Z", "cwd": cwd}
    told = [
        {"id": f"{name}-{at}", "name": "", "time": f"{start}T{9 + at // 60:02}:{at % 60:02}:00Z", **turn}
        for at, turn in enumerate(turns)
    ]
    return f"{name}.jsonl", b"".join(orjson.dumps(line) + b"\n" for line in (head, *told))


def says(text: str, speaker: str = "human", **more: Any) -> Told:
    """A turn."""
    return {"speaker": speaker, "text": text, **more}


def claim(subject: str, text: str, words: str, **more: Any) -> dict[str, Any]:
    """A claim as a model replies it; `words` are found in the session's turns; `holds` is `from`."""
    told = {"type": "topic", "scope": "project", "kind": "semantic", "stance": "fact", "attribute": ""}
    quote = {"words": words, **more.pop("quote", {})}
    return {**told, "subject": subject, "text": text, "quotes": [quote], **more}


class Scripted:
    """A model that extracts what it was given for a session, by the session's title, and judges pairs by the built-in rules.

    Args:
        claims: by title.
        judged: relation of two claims, by their two texts.
    """

    name = "scripted"
    edition = ""
    reads_prompts = False

    def __init__(self, claims: Mapping[str, Sequence[Told]], judged: Mapping[tuple[str, str], str] | None = None) -> None:
        self._claims, self._judged = claims, judged or {}

    def ask(self, question: Question) -> Reply:
        """Answer a question."""
        match question.values:
            case View() as view:
                return Reply({"claims": [_placed(one, view) for one in self._claims.get(view.title, ())]})
            case (Claim() as one, Claim() as other):
                told = self._judged.get((one.text, other.text))
                return Reply({"relation": told, "reason": ""} if told else rules.judge_claims(one, other))
            case (Mention() as one, Mention() as other):
                return Reply(rules.judge_mentions(one, other))
        raise AssertionError(question.task)


def _placed(claim: Told, view: View) -> dict[str, Any]:
    quotes = []
    for quote in claim["quotes"]:
        at = next(spoken.turn.at for spoken in view.spoken if quote["words"] in spoken.words)
        quotes.append({"at": at, **quote})
    return {**claim, "quotes": quotes}


def make(
    folder: Path,
    sessions: Sequence[tuple[str, bytes]],
    claims: Mapping[str, Sequence[Told]],
    judged: Mapping[tuple[str, str], str] | None = None,
    settings: str = "",
) -> Vault:
    """A vault with these sessions, compiled."""
    wikimem.create(folder)
    toml = folder / "wikimem.toml"
    # All that is claimed is to be looked at, whatever it is worth.
    toml.write_text(settings or toml.read_text("utf-8").replace('slight = "card"', 'slight = "page"'), encoding="utf-8")
    return more(Vault.open(folder, clock=lambda: NOW), sessions, claims, judged)


def more(
    vault: Vault,
    sessions: Sequence[tuple[str, bytes]],
    claims: Mapping[str, Sequence[Told]],
    judged: Mapping[tuple[str, str], str] | None = None,
) -> Vault:
    """The vault with further sessions, compiled."""
    inbox = vault.root.parent / f"{vault.root.name}-inbox"
    inbox.mkdir(exist_ok=True)
    for name, data in sessions:
        (inbox / name).write_bytes(data)
    report = vault.ingest([inbox / name for name, _ in sessions])
    assert not report.problems, report.problems
    compiled = Vault.open(vault.root, clock=lambda: NOW).compile(model=Scripted(claims, judged))
    assert not compiled.problems, compiled.problems
    assert not [each for each in compiled.outcomes if each.reason], compiled.outcomes
    return Vault.open(vault.root, clock=lambda: NOW)


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


STORY = (
    session(
        "Ticket gates",
        "2026-01-12",
        says("The gate controller gives up after five retries, that is what we agreed with the quay."),
        says(
            "Understood. I shall look at `gates.toml` and the **retry** loop:\n\n| gate | retries |\n|---|---|\n| A | 5 |\n",
            "assistant",
        ),
        says('{"command": "grep -n retries gates.toml"}', "tool", name="Bash", form="call", call="c1"),
        says("retries = 5", "tool", name="Bash", form="result", call="c1"),
        says("Nadia owns the gate controller. And please never restart it during boarding."),
        says("Noted: no restarts during boarding. The timeout may well be the cause.", "assistant"),
    ),
    session(
        "Gates again",
        "2026-03-02",
        says("We cut the retries of the gate controller to three last night, the queue was unbearable."),
        says("I think the turnstile firmware drops the first message.", "assistant"),
        says("As I said: never restart it during boarding!"),
    ),
    session(
        "Handover",
        "2026-05-04",
        says("From now on Omar owns the gate controller."),
        says("The boarding hall is rented until 2026-06-30, by the way."),
        says("رحلة العبّارة الأولى تغادر الساعة السادسة."),
        says("售票系统使用支付网关，每天凌晨对账。"),
    ),
    session(
        "Tariffs",
        "2026-05-20",
        says("A bicycle costs two crowns on the ferry."),
        says("The leaflet says a bicycle costs three crowns on the ferry."),
    ),
)
CLAIMS: dict[str, Sequence[Told]] = {
    "Ticket gates": (
        claim(
            "gate controller",
            "The gate controller gives up after five retries.",
            "gives up after five retries",
            attribute="retry-limit",
        ),
        claim("gate controller", "Nadia owns the gate controller.", "Nadia owns the gate controller", attribute="owner"),
        claim(
            "gate controller",
            "The gate controller is never restarted during boarding.",
            "never restart it during boarding",
            attribute="convention",
            kind="procedural",
            stance="preference",
        ),
        claim("Nadia", "Nadia looks after the gate controller at the quay.", "Nadia owns the gate controller", type="person"),
    ),
    "Gates again": (
        claim(
            "gate controller",
            "The gate controller gives up after three retries.",
            "cut the retries of the gate controller to three",
            attribute="retry-limit",
        ),
        claim(
            "gate controller",
            "The turnstile firmware probably drops the first message.",
            "the turnstile firmware drops the first message",
            stance="inference",
            confidence=0.4,
        ),
        claim(
            "gate controller",
            "The gate controller is never restarted during boarding.",
            "never restart it during boarding",
            attribute="convention",
            kind="procedural",
            stance="preference",
        ),
    ),
    "Handover": (
        claim(
            "gate controller",
            "Omar owns the gate controller.",
            "Omar owns the gate controller",
            attribute="owner",
            quote={"from": "2026-05-04"},
        ),
        claim(
            "boarding hall",
            "The boarding hall is rented until 30 June 2026.",
            "rented until 2026-06-30",
            quote={"until": "2026-06-30"},
        ),
        claim("العبّارة", "رحلة العبّارة الأولى تغادر الساعة السادسة.", "رحلة العبّارة الأولى تغادر الساعة السادسة"),
        claim("售票系统", "售票系统使用支付网关，每天凌晨对账。", "售票系统使用支付网关"),
    ),
    "Tariffs": (
        claim("ferry tariff", "A bicycle costs two crowns.", "A bicycle costs two crowns"),
        claim("ferry tariff", "A bicycle costs three crowns.", "a bicycle costs three crowns"),
    ),
}
JUDGED = {
    ("A bicycle costs two crowns.", "A bicycle costs three crowns."): "contradicts",
    ("A bicycle costs three crowns.", "A bicycle costs two crowns."): "contradicts",
}


def story(folder: Path) -> Vault:
    """The vault of a ferry terminal: values that change, a conflict, words in two other scripts, something said twice."""
    return make(folder, STORY, CLAIMS, JUDGED)
