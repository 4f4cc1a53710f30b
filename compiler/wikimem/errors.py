"""Every error that wikimem raises, and the one value for what is wrong with data.

WikimemError                 what a user can cause or meet; its text is one sentence: what, where, what to do
├── UsageError               the call itself is wrong (exit code 2)
│   ├── NoVault              no vault where one was looked for
│   ├── NotAVault            the named folder is none
│   ├── BadSettings          wikimem.toml cannot be used
│   ├── BadCitation          a citation or page name that leads nowhere
│   ├── BadMoment            a date or time that is none
│   ├── NoPage               a page that is not in the wiki
│   │   └── ManyPages        a name that several pages have
│   ├── NoClaim              a claim that is not there, or not as it would have to be
│   ├── NotOnShelf           a path that leads to nothing that may be read
│   ├── NoItem               nothing of that name waits for a review
│   ├── BadRange             `diff` was asked for commits that are none
│   ├── CannotUndo           a commit was named that undoing does not apply to
│   ├── BadPrompt            a prompt file cannot be used
│   ├── BadTemplate          a template of the site cannot be used
│   ├── BadAddress           the address that a site is built for is none
│   ├── NotASite             the folder for the site is not one to write to
│   ├── NoRemote             a sync, and no remote to sync with
│   ├── UnknownModel         the settings name a model that does not exist
│   ├── NoBatches            a batch was asked for of a model that has none
│   └── NoPacket             a work packet was named that does not wait for a reply
└── WorldError               disk, git or another process stands in the way (exit code 1)
    ├── GitFailed            git said no
    ├── GitBusy              merge, rebase, cherry-pick or bisect in progress, or a lock is held
    ├── ShallowClone         what is asked for lies before the commit where the clone was cut
    ├── InTheWay             files that a merge changes are not as git has them
    ├── CannotSync           what the remote has cannot be joined with what is here
    ├── RemoteFailed         the remote could not be reached, or refused
    ├── CannotForget         something stands in the way of forgetting
    ├── HookRefused          the user's own hook refused the commit, or changed what it was to hold
    ├── PortTaken            nothing can be served at this port
    ├── SigningTimedOut      commit signing did not answer
    ├── VaultLocked          another wikimem is writing
    ├── ModelFailed          a model gave no usable answer
    │   ├── Excerpted        an excerpt was to be extracted, and the whole is not here
    │   ├── TooLong          a question or its reply is longer than the model takes
    │   └── ModelPaused      nobody is to be asked now: a budget or a quota is used up
    │       └── ReplyAwaited a work packet waits for a reply
    │           └── BatchAwaited a batch is at work elsewhere
    ├── PagesBroken          the pages of a source would lose a claim; nothing is committed
    ├── SourceChanged        a stored source is not what was written
    └── SecretLeft           a secret was found again after masking; nothing is kept

Bad data is no exception: a damaged line or a broken link is a `Problem`, collected and shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_TOLD = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with data, where, and by which rule.

    Args:
        where: a place a person can open: `path:line`, a source id with locator, or a page.
        rule: the short name of the check that found it.
        message: one sentence, without the text of any secret.
    """

    where: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.rule}]"


class WikimemError(Exception):
    """The root of what wikimem raises; `exit_code` is what a command line ends with."""

    exit_code = 1


class UsageError(WikimemError):
    """The call is wrong and would be wrong again."""

    exit_code = 2


class NoVault(UsageError):
    """No vault was found from where the call was made."""

    def __init__(self, started: str) -> None:
        super().__init__(
            f"No vault here: there is no wikimem.toml in {started} or above it. "
            "Make one with `wikimem init NAME`, name one with --vault or WIKIMEM_VAULT, or write `default` into your config."
        )


class NotAVault(UsageError):
    """A folder was named as a vault and is none."""

    def __init__(self, path: str, why: str = "it has no wikimem.toml") -> None:
        super().__init__(f"{path} is not a vault: {why}. Make one with `wikimem init {path}`.")


class BadSettings(UsageError):
    """A settings file cannot be read, or holds what it cannot hold."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}. Correct the file and run the command again.")


class BadCitation(UsageError):
    """A citation does not lead anywhere."""

    def __init__(self, citation: str, why: str) -> None:
        super().__init__(f"{citation!r} cannot be shown: {why}. A citation looks like 20260814-claude-code-9f3a1c2b:L118-L125.")


class NoPage(UsageError):
    """A page was named that is not in the wiki."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        hint = f" Did you mean {', '.join(near)}?" if near else " `wikimem search WORDS` finds pages, claims and turns."
        super().__init__(f"{name!r} is no page of this wiki, and no citation.{hint}")


class BadMoment(UsageError):
    """What was given as a moment is none."""

    def __init__(self, name: str, moment: str) -> None:
        super().__init__(
            f"{name} is {moment!r}, which is no date that exists; write 2026, 2026-03, 2026-03-24 or 2026-03-24T10:00Z."
        )


class ManyPages(NoPage):
    """A page was named by what several pages are called."""

    def __init__(self, name: str, pages: tuple[str, ...]) -> None:
        some = f"{', '.join(pages[:5])}{f' and {len(pages) - 5} more' if len(pages) > 5 else ''}"
        UsageError.__init__(self, f"{name!r} is what {len(pages)} pages are called: {some}. Name one of them so.")


class NoClaim(UsageError):
    """A claim was named that is not there, or not as it would have to be."""

    def __init__(self, claim: str, why: str) -> None:
        super().__init__(f"{claim}: {why}. The id of a claim stands at the end of its line, as [^k7f3q2a6xw4m].")


class NotOnShelf(UsageError):
    """A path, or a place in it, leads to nothing that may be read."""

    def __init__(self, path: str, why: str) -> None:
        shown = path if len(path) <= 80 and path.isprintable() else repr(path[:80])
        super().__init__(f"{shown} cannot be read: {why}. Paths lie below wiki/ or sources/; list them first.")


class NoItem(UsageError):
    """Something was named that does not wait for a review."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: nothing of that name waits. `wikimem review` lists what does, with numbers and ids.")


class BadRange(UsageError):
    """A range of commits cannot be compared."""

    def __init__(self, told: str, why: str) -> None:
        super().__init__(f"{told!r} cannot be compared: {why}. Name two commits as A..B, such as HEAD~1..HEAD.")


class CannotUndo(UsageError):
    """A commit was named that undoing does not apply to."""

    def __init__(self, commit: str, why: str) -> None:
        super().__init__(f"{commit} cannot be undone so: {why}.")


class BadPrompt(UsageError):
    """A prompt file cannot be used."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"prompts/{name}: {why}. Correct the file, or remove it to use the shipped one.")


class BadTemplate(UsageError):
    """A template of the site cannot be used."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"site/{name}: {why}. Correct the file, or remove it to use the shipped one.")


class BadAddress(UsageError):
    """The address that a site is built for is none."""

    def __init__(self, told: str) -> None:
        super().__init__(f"{told!r} is no address of a site; it looks like https://example.org/memory/.")


class NotASite(UsageError):
    """The folder that a site is to be built in is not one to write to."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"No site is built in {path}: {why}. Move it away, or name another folder with --out.")


class NoRemote(UsageError):
    """There is no remote, or none that the branch follows."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(f"There is nothing to sync with: {why}. {advice}")


class UnknownModel(UsageError):
    """The settings name a model that there is none of."""

    def __init__(self, name: str, why: str = "") -> None:
        super().__init__(
            f"{name!r} is no model of this version{f': {why}' if why else ''}; known are rules, claude-code, codex, handoff, "
            "recorded:DIR and any LiteLLM name with its provider, such as anthropic/claude-sonnet-4-5 or ollama/llama3. "
            "Set `model` under [compile] in wikimem.local.toml, or name one with --model."
        )


class NoBatches(UsageError):
    """A model was to be asked in batches, and cannot be."""

    def __init__(self, name: str, why: str = "its provider offers none that we know of") -> None:
        super().__init__(
            f"There are no half-price batches for the model {name}: {why}. They work with openai/…, azure/… and anthropic/…; "
            "leave --batch away, or name another with --model."
        )


class NoPacket(UsageError):
    """A work packet was named that does not wait for a reply, or the reply to it cannot be used."""

    def __init__(self, packet: str, why: str) -> None:
        super().__init__(f"The reply to packet {packet!r} was not taken: {why}")


class WorldError(WikimemError):
    """Disk, git or another process stands in the way; the same call may work later."""


class GitFailed(WorldError):
    """A git command failed."""

    def __init__(self, command: str, output: str) -> None:
        said = " ".join(output.split())
        super().__init__(f"git {command} failed: {said or 'it said nothing'}. Nothing was lost; mend it and run again.")


class GitBusy(WorldError):
    """The repository is in the middle of something, or one of its locks is held."""

    def __init__(self, repository: str, doing: str, advice: str) -> None:
        super().__init__(f"{repository}: {doing}. {advice}")


class ShallowClone(WorldError):
    """Something that waits was built on a commit that a shallow clone does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} was built on a commit that this shallow clone does not have, so nobody can tell what it changes. "
            "Get the rest with `git fetch --unshallow`, and run again."
        )


class InTheWay(WorldError):
    """Files on disk, or staged, that a merge would have to change."""

    def __init__(self, files: Mapping[str, str]) -> None:
        told = "; ".join(f"{path}: {why}" for path, why in list(files.items())[:_TOLD])
        more = f"; and {len(files) - _TOLD} more" if len(files) > _TOLD else ""
        super().__init__(
            f"Nothing was merged, since what is here is not what was committed: {told}{more}. "
            "Commit, stash or undo that, and run again."
        )


class CannotSync(WorldError):
    """What the remote has cannot be joined with what is here; both are as they were."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(f"Nothing was merged or pushed: {why}. {advice}")


class CannotForget(WorldError):
    """What is to be forgotten cannot be taken out, or not out of all that holds it."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(f"It was not forgotten: {why}. {advice}")


class RemoteFailed(WorldError):
    """The remote could not be reached, or would not take what was pushed."""

    def __init__(self, remote: str, what: str, output: str) -> None:
        said = " ".join(output.split())
        super().__init__(
            f"{what} {remote} failed: {said or 'git said nothing'}. What is committed here is safe; mend it and run again."
        )


class HookRefused(WorldError):
    """A hook of the user's repository refused the commit or changed what it would hold."""

    def __init__(self, hook: str, output: str, what: str = "refused the commit") -> None:
        said = output.strip()
        super().__init__(
            f"The {hook} hook {what}; nothing was committed. Its output: {said or '(none)'}. "
            "Mend what it names, or exempt the vault's paths in the hook, and run again."
        )


class PortTaken(WorldError):
    """Nothing can be served at a port."""

    def __init__(self, port: int, why: str) -> None:
        super().__init__(f"The site cannot be served at port {port}: {why}. Name another with --port, or 0 for any.")


class SigningTimedOut(WorldError):
    """The program that signs commits did not answer in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Signing the commit did not answer within {seconds:g} s; nothing was committed and nothing is lost. "
            'Unlock the signing key, or set `sign = "never"` under [git] in wikimem.local.toml, and run again.'
        )


class VaultLocked(WorldError):
    """Another process is writing to the vault."""

    def __init__(self, path: str, waited: float) -> None:
        super().__init__(f"Another wikimem is writing to {path} (waited {waited:g} s). Wait for it to end, and run again.")


class ModelFailed(WorldError):
    """A model gave no usable answer; `why` is a clause, or the sentence of those that only wait."""

    def __init__(self, model: str, why: str) -> None:
        self.why = why
        super().__init__(f"The model {model} gave no usable answer: {why}. The source stays pending; compile again to ask again.")


class Excerpted(ModelFailed):
    """An excerpt gives no claims again: its claims came with it."""

    def __init__(self, source: str) -> None:
        told = "its claims were drawn from the whole, which stays with its author, who can share it again"
        WikimemError.__init__(self, f"{source} is an excerpt: {told}.")


class TooLong(ModelFailed):
    """A question is longer than the model reads, or its reply longer than it writes."""


class ModelPaused(ModelFailed):
    """Nobody is to be asked now; nothing is wrong, and the same call goes on later.

    Args:
        why: a sentence: what is waited for, and what to do.
    """

    def __init__(self, why: str) -> None:
        self.why = why
        WorldError.__init__(self, f"{why} The source stays pending; what was answered is kept and never paid for twice.")


class ReplyAwaited(ModelPaused):
    """A work packet waits for a reply; `packet` is its id."""

    def __init__(self, packet: str) -> None:
        self.packet = packet
        super().__init__(f"Packet {packet} waits for a reply: see `wikimem next`, answer with `wikimem submit {packet} FILE`.")


class BatchAwaited(ReplyAwaited):
    """A batch is at work elsewhere.

    Args:
        batch: its service's name of it.
        service: who has it.
        what: what is to be said of it.
    """

    exit_code = 3

    def __init__(self, batch: str, service: str, what: str = "It was asked in") -> None:
        ModelPaused.__init__(
            self, f"{what} the batch {batch}, which {service} is at work on. Run again with --batch to take the replies."
        )


class PagesBroken(WorldError):
    """What was rendered for a source failed its checks."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Nothing was committed, since the pages failed their checks: {what}. Please report this.")


class SourceChanged(WorldError):
    """A stored source does not hold the bytes that were written."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not what was written. Run `wikimem verify`; `git checkout -- {path}` restores it.")


class SecretLeft(WorldError):
    """A written source still matches a secret pattern after masking."""

    def __init__(self, source: str, kinds: str) -> None:
        super().__init__(
            f"{source} was not kept: after masking, it still matches {kinds}. "
            "Nothing was written to the vault; please report the kind (never the value)."
        )
