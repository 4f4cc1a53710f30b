"""What the tools give, as MCP clients validate it. Shapes are stable; texts are data from transcripts and pages."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Evidence(BaseModel):
    """One piece of evidence."""

    kind: str = Field(description="claim, turn or page")
    text: str = Field(description="the claim, what was said, or the words on the page")
    cite: str = Field(description="for memory_read: source:line, or a page")
    said: str = Field(default="", description="when it was said, UTC")
    speaker: str = Field(default="", description="human, assistant or tool; or the person's name")
    stance: str = Field(default="", description="fact, preference, evidence, inference or opinion")
    state: str = Field(default="", description="current, ended, conflict or retracted")
    dates: str = Field(default="", description="since when, until when")
    scope: str = Field(default="", description="the project it belongs to")
    unmerged: str = Field(default="", description="the branch of code it was said on, where that is known not to be merged")


class Answers(BaseModel):
    """What was found."""

    found: list[Evidence] = Field(description="best first; empty: nothing is known")
    cursor: str = Field(default="", description="give it back for more; empty: there is no more")
    notes: list[str] = Field(default_factory=list, description="what could not be searched")


class Lines(BaseModel):
    """Lines of a page, or turns of a session."""

    path: str
    lines: list[str]
    cursor: str = Field(default="", description="give it back to read on; empty at the end")


class Places(BaseModel):
    """What a folder holds, or lines that match."""

    entries: list[str]
    cursor: str = Field(default="", description="give it back to go on; empty at the end")
    notes: list[str] = Field(default_factory=list)


class Changes(BaseModel):
    """The history of a page."""

    path: str
    changes: list[str] = Field(description="newest first: date, commit, what it says since, what it says no more")
    cursor: str = Field(default="", description="give it back to go on; empty at the end")


class Noted(BaseModel):
    """A note that was taken."""

    source: str = Field(description="by which it can be cited")
    taken: str


class Packet(BaseModel):
    """A question of the compiler that waits for an answer, or what became of an answer."""

    id: str = Field(default="", description="give it back with the reply")
    task: str = ""
    prompt: str = Field(default="", description="the question, or a part of it")
    reply_schema: str = Field(default="", description="JSON schema of the reply, as text")
    cursor: str = Field(default="", description="give it back with the id to read the rest of the prompt")
    waiting: int = Field(default=0, description="how many wait")
    taken: bool = False
    problems: list[str] = Field(default_factory=list, description="what is wrong with the reply; mend it and send it again")
