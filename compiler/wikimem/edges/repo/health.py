"""The health of a repository: what in git, its settings and its hooks would stand in the way of a commit. Changes nothing.

Everything here is found out before anything is written; what a commit meets in spite of it, `commit` tells.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from wikimem.core import checkups
from wikimem.core.checkups import Checkup
from wikimem.edges.repo import history, identity, journal, locks, scratch
from wikimem.edges.repo.place import Place
from wikimem.edges.repo.plumbing import QUIET, Plumbing, start, text
from wikimem.edges.repo.remote import without_secrets
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import GitFailed

OLDEST = (2, 30)
"""The oldest git that everything works with."""

_SIGNERS = {"openpgp": "gpg", "ssh": "ssh-keygen", "x509": "gpgsm"}
_HOOKS = ("pre-commit", "commit-msg")


@dataclass(frozen=True, slots=True)
class _Patient:
    """What the checks look at.

    Args:
        git: the repository.
        settings: the git part of the vault's settings.
        config: git's settings, names in lower case.
    """

    git: Plumbing
    settings: GitSettings
    config: Mapping[str, str]

    @property
    def place(self) -> Place:
        return self.git.place


def version(folder: Path) -> Checkup:
    """Which git there is on this machine.

    Args:
        folder: any folder that exists.
    """
    try:
        told = text(start(folder, ["version"], QUIET, b"", 10.0).out).strip()
    except GitFailed as error:
        return checkups.broken("git", str(error), "Install git 2.30 or newer.")
    found = re.search(r"(\d+)\.(\d+)", told)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        return checkups.broken("git", told or "it does not say its version", "Install git 2.30 or newer.")
    return checkups.ok("git", told)


def examine(git: Plumbing, settings: GitSettings) -> Iterator[Checkup]:
    """All checks of a vault's repository.

    Raises:
        GitFailed: git cannot be started.
    """
    patient = _Patient(git, settings, _config(git))
    for rule in RULES:
        yield from rule(patient)


def _config(git: Plumbing) -> dict[str, str]:
    settings: dict[str, str] = {}
    for item in text(git.ask("config", "-z", "--list").out).split("\0"):
        name, equals, value = item.partition("\n")
        if name:
            settings[name.lower()] = value if equals else "true"
    return settings


def _kind(patient: _Patient) -> Iterator[Checkup]:
    place = patient.place
    if place.git != place.common:
        what = f"a linked worktree of the repository in {place.common}"
    elif place.git.parent != place.top:
        what = f"a submodule; its git folder is {place.git}"
    elif place.folder != place.top:
        what = f"a folder of the repository in {place.top}"
    else:
        what = f"the repository in {place.top}"
    yield checkups.ok("repository", what)
    if history.is_shallow(patient.git):
        advice = "`git fetch --unshallow` brings the rest, so that `wikimem verify` can prove all of it."
        yield checkups.look("history", "older commits are missing, as in a clone of some depth", advice)


def _branch(patient: _Patient) -> Iterator[Checkup]:
    head = (patient.place.git / "HEAD").read_text("utf-8", "surrogateescape").strip()
    if not head.startswith("ref: "):
        advice = "`git switch BRANCH` goes back to a branch; `git switch -c NAME` makes one of what is here."
        yield checkups.look("branch", f"the head is detached at {head[:12]}: commits go to no branch", advice)
        return
    yield checkups.ok("branch", head.removeprefix("ref: refs/heads/"))


def _operation(patient: _Patient) -> Iterator[Checkup]:
    for sign, name, finish, stop in locks.OPERATIONS:
        if (patient.place.git / sign).exists():
            advice = f"Finish it with `{finish}`, or call it off with `{stop}`; until then nothing is committed."
            yield checkups.broken("git operation", f"{name} is in progress", advice)
            return
    yield checkups.ok("git operation", "none in progress")


def _lock(patient: _Patient) -> Iterator[Checkup]:
    lock = patient.place.git / "index.lock"
    try:
        age = max(0.0, time.time() - lock.stat().st_mtime)
    except FileNotFoundError:
        yield checkups.ok("index lock", "nobody holds git's index")
        return
    if locks.alive(patient.place):
        yield checkups.look("index lock", f"a git that runs here holds {lock}", "Wait for it to end.")
    elif age > patient.settings.stale_after:
        advice = "The next run that commits removes it and says so."
        yield checkups.look("index lock", f"{lock} is {age / 60:.0f} minutes old, and no git runs here", advice)
    else:
        advice = f"Wait a minute; if it is still there then, the next run removes it, or delete {lock}."
        yield checkups.look("index lock", f"{lock} is {age:.0f} seconds old, and no git runs here", advice)


def _journal(patient: _Patient) -> Iterator[Checkup]:
    told = journal.read(scratch.journal(patient.place))
    if told is None:
        yield checkups.ok("journal", "no run was cut short")
    elif isinstance(told, str):
        advice = "The next run that writes puts it aside; look at `git status` then."
        yield checkups.look("journal", f"a run was cut short, and its journal cannot be used: {told}", advice)
    else:
        what = "finishes" if told.commit else "undoes"
        yield checkups.look("journal", "a run was cut short", f"The next run that writes {what} its commit; nothing is lost.")


def _person(patient: _Patient) -> Iterator[Checkup]:
    name, email = patient.config.get("user.name", ""), patient.config.get("user.email", "")
    if name and email:
        yield checkups.ok("author", f"{name} <{email}>")
    else:
        advice = "`git config user.name NAME` and `git config user.email ADDRESS` sign your commits with your name."
        yield checkups.look("author", "git does not know who you are: commits are made as wikimem", advice)


def _lines(patient: _Patient) -> Iterator[Checkup]:
    """Whether git would change the bytes of sources; `.gitattributes` forbids it, unless somebody took that out."""
    prefix = patient.place.prefix
    out = text(patient.git.run("check-attr", "-z", "text", "filter", "--", f"{prefix}sources/x.jsonl").out).split("\0")
    told = dict(zip(out[1::3], out[2::3], strict=False))
    changing = patient.config.get("core.autocrlf", "false").lower() in ("true", "input")
    if told.get("text") == "unset" and told.get("filter") in ("unset", "unspecified"):
        yield checkups.ok("line endings", "sources are kept byte for byte" + (" in spite of core.autocrlf" if changing else ""))
        return
    advice = "Put the line `sources/** -text -filter -ident linguist-generated` into .gitattributes, and commit it."
    if changing or told.get("filter") not in ("unset", "unspecified"):
        yield checkups.broken("line endings", "git may change the bytes of sources when it stores them", advice)
    else:
        yield checkups.look("line endings", ".gitattributes does not say that sources are kept byte for byte", advice)


def _signing(patient: _Patient) -> Iterator[Checkup]:
    config = patient.config
    if not identity.on(config.get("commit.gpgsign", "false")):
        yield checkups.ok("signing", "commits are not signed")
    elif patient.settings.sign == "never":
        yield checkups.ok("signing", "git signs commits, wikimem's are not signed (sign = never)")
    else:
        kind = config.get("gpg.format", "openpgp").lower()
        usual = _SIGNERS.get(kind, "gpg")
        told = config.get(f"gpg.{kind}.program") or (config.get("gpg.program") if kind == "openpgp" else "") or usual
        if shutil.which(os.path.expanduser(told)):  # noqa: PTH111 - git expands a leading ~ in the same way
            yield checkups.ok("signing", f"commits are signed by {told}")
        else:
            advice = 'Install it, or write `sign = "never"` under [git] in wikimem.toml.'
            yield checkups.broken("signing", f"commits are to be signed by {told}, which is not there", advice)


def _hooks(patient: _Patient) -> Iterator[Checkup]:
    told = patient.git.run("rev-parse", "--git-path", "hooks").line
    folder = patient.place.top / told
    found = [folder / name for name in _HOOKS if (folder / name).is_file()]
    for hook in found:
        advice = f"Make it a program that runs here, or take it away: {hook}"
        if not os.access(hook, os.X_OK):
            yield checkups.look(f"git hook {hook.name}", "it is no program, so git passes over it", advice)
        elif missing := _interpreter(hook):
            yield checkups.broken(f"git hook {hook.name}", f"it needs {missing}, which is not there: no commit succeeds", advice)
        else:
            yield checkups.ok(f"git hook {hook.name}", "it runs before each commit")
    if not found:
        yield checkups.ok("git hooks", "none")


def _interpreter(hook: Path) -> str:
    """The program in the first line of a hook that is not on this machine; empty if all is there."""
    with hook.open("rb") as file:
        first = file.readline(400).decode("utf-8", "replace").strip()
    if not first.startswith("#!"):
        return ""
    try:
        words = shlex.split(first[2:])
    except ValueError:
        return ""
    named = [word for word in words[1:] if not word.startswith("-") and "=" not in word] if words[0].endswith("/env") else []
    wanted = [*words[:1], *named[:1]]
    return next((word for word in wanted if shutil.which(word) is None), "")


def _ignored(patient: _Patient) -> Iterator[Checkup]:
    path = f"{patient.place.prefix}.wikimem/journal"
    # This command refuses literal pathspecs, and this name holds nothing that is magic.
    env = {"GIT_LITERAL_PATHSPECS": "0"}
    if patient.git.ask("check-ignore", "-q", "--no-index", "--", f":(top){path}", env=env).status == 0:
        yield checkups.ok("ignored", ".wikimem is not committed")
    else:
        advice = "Put the lines /.wikimem/, /_site/ and /wikimem.local.toml into the vault's .gitignore, and commit it."
        yield checkups.broken("ignored", "git does not ignore .wikimem, which is of this machine alone", advice)


def _remote(patient: _Patient) -> Iterator[Checkup]:
    urls = {
        name.removeprefix("remote.").removesuffix(".url"): without_secrets(url)
        for name, url in patient.config.items()
        if name.startswith("remote.") and name.endswith(".url")
    }
    if not urls:
        yield checkups.ok("remote", "none: the memory is on this machine alone")
        return
    for name, url in sorted(urls.items()):
        yield checkups.ok("remote", f"{name}, {url}")
    yield from _upstream(patient)


def _upstream(patient: _Patient) -> Iterator[Checkup]:
    """How the branch stands to what was last fetched; the remote itself is not asked."""
    git = patient.git
    theirs = history.resolve(git, "@{upstream}")
    ours = history.resolve(git, "HEAD")
    if not theirs or not ours or theirs == ours:
        return
    base = git.ask("merge-base", ours, theirs)
    if base.status != 0 or not base.line:
        told = f"the remote's branch ({theirs[:12]}) and this one ({ours[:12]}) have no commit in common"
        lost = _count(git, patient.place, theirs, ours)
        advice = "Somebody put another history in its place. Do not reset to it; `wikimem sync` tells more and changes nothing."
        yield checkups.broken("upstream", f"{told}; it lacks {lost} of this vault", advice)
    elif base.line not in (ours, theirs):
        advice = "`wikimem sync` makes one of both."
        yield checkups.look("upstream", f"both sides have commits of their own ({ours[:12]}, {theirs[:12]})", advice)


def _count(git: Plumbing, place: Place, theirs: str, ours: str) -> str:
    told = {}
    for folder in ("sources", "wiki"):
        lists = [
            text(git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", place.prefix + folder).out).split("\0")
            for ref in (ours, theirs)
        ]
        names = {name for name in lists[0] if name.endswith(".yaml" if folder == "sources" else ".md")}
        told[folder] = len(names - set(lists[1]))
    return f"{told['sources']} sources and {told['wiki']} pages"


RULES: tuple[Callable[[_Patient], Iterator[Checkup]], ...] = (
    _kind,
    _branch,
    _operation,
    _lock,
    _journal,
    _ignored,
    _person,
    _lines,
    _signing,
    _hooks,
    _remote,
)
"""In the order of the report."""
