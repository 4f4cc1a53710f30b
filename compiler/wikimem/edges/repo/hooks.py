"""The user's pre-commit and commit-msg hooks, run on our index and our message, before anything is committed.

A hook may refuse. It may not change what is committed: what it makes of our index or message is thrown away, and the
commit is refused with what it said, because pages that a hook rewrote would no longer be what the sources say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from wikimem.edges.repo.plumbing import Answer, Plumbing
from wikimem.errors import HookRefused

_SAID_AT_MOST = 4000
_HOOK_RUN_SINCE = (2, 36)


def present(plumbing: Plumbing, config: Mapping[str, str], name: str) -> bool:
    """Whether a hook may have to run. True wherever only git itself can say, as when hooks stand in its settings.

    Args:
        config: the repository's settings, names in lower case.
    """
    if "core.hookspath" in config or any(key.startswith("hook.") for key in config):
        return True
    return (plumbing.place.common / "hooks" / name).exists()


def run(plumbing: Plumbing, name: str, args: tuple[str, ...], *, index: Path, seconds: float, native: bool | None = None) -> str:
    """Run a hook if there is one, on an index of ours.

    Args:
        name: `pre-commit` or `commit-msg`.
        args: what it is called with.
        index: the index file that it sees as the repository's.
        seconds: time limit.
        native: whether git can run hooks itself (since 2.36); None asks git's version.

    Returns:
        What the hook said, for the report if it turns out to have changed something.

    Raises:
        HookRefused: it said no, or its time was up.
        GitFailed: git cannot be started.
    """
    env = {"GIT_INDEX_FILE": str(index)}
    if _can_run(plumbing) if native is None else native:
        answer = plumbing.hook("hook", "run", "--ignore-missing", name, "--", *args, env=env, seconds=seconds)
    else:
        answer = _run_file(plumbing, name, args, env, seconds)
    if answer.status is None:
        raise HookRefused(name, said(answer), f"did not end within {seconds:g} s")
    if answer.status != 0:
        raise HookRefused(name, said(answer))
    return said(answer)


def said(answer: Answer) -> str:
    """What a hook said, the end of it where it said much."""
    both = answer.out.decode("utf-8", "replace") + answer.err
    return both if len(both) <= _SAID_AT_MOST else "… " + both[-_SAID_AT_MOST:]


def _run_file(plumbing: Plumbing, name: str, args: tuple[str, ...], env: Mapping[str, str], seconds: float) -> Answer:
    """Run the hook file with the shell that git brings, since a hook is a script also where the system knows none."""
    folder = plumbing.run("rev-parse", "--git-path", "hooks").line
    hook = plumbing.place.top / folder / name
    if not os.access(hook, os.X_OK) or not hook.is_file():
        return Answer(0, b"", "")
    # git itself adds the arguments after the alias.
    alias = 'alias.wikimem-hook=!exec "$WIKIMEM_HOOK" 1>&2'
    env = {**env, "WIKIMEM_HOOK": hook.as_posix()}
    return plumbing.hook("wikimem-hook", *args, env=env, seconds=seconds, config=(alias,))


def _can_run(plumbing: Plumbing) -> bool:
    found = re.search(r"(\d+)\.(\d+)", plumbing.run("version").line)
    return found is not None and (int(found[1]), int(found[2])) >= _HOOK_RUN_SINCE
