"""Notes: what an agent wants to be remembered becomes a note in the spool: found at once, a source when others become one.

It counts as said by the assistant, and so as an inference at most. Words of a person that it quotes count as theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges import spool
from wikimem.errors import SecretLeft, UsageError
from wikimem.vault import Vault

AGENT = "note"
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Noted:
    """A note that was taken.

    Args:
        source: the id by which it is cited until it is a source of its own.
        turns: how many turns it has.
    """

    source: str
    turns: int

    def as_json(self) -> dict[str, Any]:
        """The note as plain values; the shape is stable."""
        return {"source": self.source, "turns": self.turns}


def note(vault: Vault, text: str, quote: str = "", who: str = "", cwd: str = "", by: str = "") -> Noted:
    """Take a note.

    Args:
        vault: the vault.
        text: what is to be remembered, in the agent's words.
        quote: words of a person that it rests on, as they were said; may be empty.
        who: that person's name; may be empty.
        cwd: the folder it is about; may be empty.
        by: the agent's name; may be empty.

    Raises:
        UsageError: it is empty or too long.
        SecretLeft: it holds a secret that cannot be masked.
    """
    from wikimem.core import masking
    from wikimem.edges.importers import Conversation, canonical

    if not text.strip():
        raise UsageError("The note is empty. Say what is to be remembered.")
    if len(text) + len(quote) > _LONGEST:
        raise UsageError(f"The note has {len(text) + len(quote)} characters; {_LONGEST} are taken at most.")
    now = vault.now()
    session = sha256(f"{now}\n{cwd}\n{quote}\n{text}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
    said = [(Speaker.HUMAN, quote.strip(), who.strip()), (Speaker.ASSISTANT, text.strip(), by.strip())]
    turns = [
        Turn("", speaker, Form.PROSE, words, name, now, f"{session}-{number}")
        for number, (speaker, words, name) in enumerate(said, 1)
        if words
    ]
    told = Conversation(session=f"note-{session}", title="", started=now, turns=tuple(turns), cwd=cwd)
    lines = []
    for line in canonical.write(told):
        masked, _ = masking.json_line(line.rstrip(b"\n"))
        lines.append(masked + b"\n")
    data = b"".join(lines)
    if left := masking.left(data, True):
        raise SecretLeft("The note", ", ".join(sorted(left)))
    path = folder(vault) / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    copy = spool.keep(vault.root, spool.Told(path, AGENT, told.session, cwd, "", now, ended=True))
    return Noted(copy.id if copy is not None else "", len(turns))


def folder(vault: Vault) -> Path:
    """Where notes wait until they become sources."""
    return vault.work / "notes"
