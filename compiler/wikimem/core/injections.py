"""Injections: texts of a memory that look like an order to whatever agent reads them. Signs, not proof; nothing is removed.

A rule names each kind; the tuple is asked in order. A rule that a person gives their agents in plain words ("always run
the tests with TZ=UTC") is what a memory is for, so it is no sign; what says the same and was said by no person may be one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_I = re.IGNORECASE
_Rule = tuple[str, Callable[[str, bool], bool]]

_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|stop following)\b[^.]{0,40}\b(?:previous|prior|earlier|above|all|any|"
    r"your|these|those|other|system|safety)\b[^.]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|guardrails?|"
    r"restrictions?|polic(?:y|ies)|directives?)\b",
    _I,
)
_ROLE = re.compile(
    r"\byou are now\b|\bfrom now on,? you (?:are|act|will)\b|\byou (?:must|should|will) (?:act as|pretend)\b|"
    r"\b(?:new|real|hidden|updated) system prompt\b|\bjailbr(?:eak|oken)\w*\b|\bdeveloper mode (?:is )?(?:on|enabled)\b",
    _I,
)
_CONCEALS = re.compile(
    r"\b(?:do not|don'?t|never|without)\b[^.]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|"
    r"notifying|alert|alerting|disclos\w+|show|showing)\b[^.]{0,40}\b(?:user|human|person|operator|developer|owner|anyone|"
    r"anybody)\b",
    _I,
)
_SENDS = re.compile(
    r"\b(?:send|post|upload|forward|exfiltrate|e-?mail|transmit|submit|copy|append|include)\b[^.]{0,60}(?:\b(?:credentials?|"
    r"passwords?|secrets?|tokens?|api[ _-]?keys?|ssh keys?|private keys?|environment variables?|chat history|conversations?|"
    r"transcripts?)\b|\.env\b|id_rsa\b).{0,60}(?:https?://|\b[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bwebhooks?\b|"
    r"\bpastebin\b)",
    _I,
)
_RUNS = re.compile(
    r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^|;&]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\bbase64\s+(?:-d|-D|--decode)\b"
    r"[^|]{0,80}\|\s*(?:ba|z)?sh\b|\brm\s+-(?:rf|fr)\s+(?:/|~|\$HOME)(?=[\s*`\"'.,]|$)|\beval\b\W{1,3}(?:curl|wget)\b",
    _I,
)
_MARKUP = re.compile(
    r"<\|\w{2,20}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|system-reminder|tool_result|tool_use|function_calls|user_query|"
    r"important|instructions?|wikimem-memory)\b[^>]{0,200}>|^\s*(?:system|assistant)\s*:",
    _I,
)
_PERMITS = re.compile(
    r"\bauto-?\s?approve\w*\b|\bskip(?:s|ping)? (?:all |any |the |every )*(?:confirmations?|permissions?|approvals?)\b|"
    r"--dangerously-skip-permissions\b|\b(?:disable|turn off) (?:the |all |any )*(?:safety|sandbox\w*|guard ?rails?|"
    r"permissions?|permission checks?)\b|\bwithout (?:asking|confirmation|permission|approval)\b",
    _I,
)
_ADDRESSES = re.compile(
    r"\b(?:ai|assistants?|agents?|models?|llms?|claude|chatgpt|gpt|copilot|codex|gemini)\b[^.]{0,40}\b(?:must|shall|"
    r"(?:is|are) required to|(?:have|has) to|should (?:always|never|immediately))\b|"
    r"\b(?:important|urgent|attention|critical|mandatory)\b\s*[:!][^.]{0,40}\b(?:you must|you should|always|never|immediately)\b",
    _I,
)
_HIDES = re.compile("[A-Za-z0-9+/]{120,}|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def _always(pattern: re.Pattern[str]) -> Callable[[str, bool], bool]:
    return lambda text, person: pattern.search(text) is not None


def _by_no_person(pattern: re.Pattern[str]) -> Callable[[str, bool], bool]:
    return lambda text, person: not person and pattern.search(text) is not None


RULES: tuple[_Rule, ...] = (
    ("overrides", _always(_OVERRIDES)),
    ("role", _always(_ROLE)),
    ("conceals", _always(_CONCEALS)),
    ("sends", _always(_SENDS)),
    ("runs", _always(_RUNS)),
    ("markup", _always(_MARKUP)),
    ("hides", _always(_HIDES)),
    ("permits", _by_no_person(_PERMITS)),
    ("addresses", _by_no_person(_ADDRESSES)),
)
"""The kinds: what was ordered before is to be ignored; the reader gets another role; something is to be kept from a person;
secrets are to be sent away; code from the network, or a deletion of everything, is to be run; signs that end a prompt or a
tool's result; text that people cannot see or read; safeguards are to be skipped; an agent is addressed."""


def kind(text: str, person: bool) -> str:
    """The first rule that a text meets; empty if none does.

    Args:
        text: of a claim, a quote or a name.
        person: whether a person said it.
    """
    return next((name for name, holds in RULES if holds(text, person)), "")
