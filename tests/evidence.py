"""Makers of what a search finds: a turn of a session, and a claim with its place in time."""

from __future__ import annotations

from wikimem.core.claims import Basis, Bound, Claim, Evidence, Kind, Mention, Stance
from wikimem.core.passages import Passage
from wikimem.core.statements import About, Other, Statement
from wikimem.core.timeline import Ending, Interval, Standing
from wikimem.core.turns import Form, Speaker


def passage(text: str, ordinal: int = 0, source: str = "20260814-codex-9f3a1c2b", **more: str) -> Passage:
    given = {"name": "Ann", "said": "2026-08-14T10:11:03Z", "scope": "project:shop"} | more
    return Passage(source, f"L{ordinal + 1}", ordinal, Speaker.HUMAN, Form.PROSE, text, **given)


def statement(
    text: str, at: str = "L2", rivals: tuple[str, ...] = (), ending: Ending | None = None, quote: str = ""
) -> Statement:
    proof = Evidence(
        at, at, quote or f"they said {text}", "human", "Ann", "2026-08-14T10:11:03Z", source="20260814-codex-9f3a1c2b"
    )
    claim = Claim(Mention("project:shop", "topic", "Retries"), "", Kind.SEMANTIC, Stance.FACT, text, (proof,))
    until = Bound("2026-09-01", Basis.STATED) if ending else Bound()
    interval = Interval(Bound("2026-08-14", Basis.STATED), until, "2026-08-14T00:00:00", "", ending)
    about = About("k", "Retries", (), "project:shop", "wiki/topics/retries.md", "project:shop")
    others = (Other("new", "Retries are capped at nine.", "project:shop"),) if ending else ()
    return Statement(about, Standing(claim, (), (interval,), rivals), (claim,), others, "project:shop", about.page)
