"""Init: a new vault: a folder with its settings, its attributes and a git repository of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikimem import assets
from wikimem.edges.repo import Change, Message, Repo
from wikimem.edges.repo.place import locate
from wikimem.errors import UsageError
from wikimem.vault import MARKER

_SETTINGS = """\
# Settings of this vault, committed with it. What belongs to one machine goes to wikimem.local.toml, which git ignores.

[vault]
kind = "private"        # private: full sources, one person's. shared: excerpts, a team's
# isolation = "prefer"  # prefer: the own project ranks first. strict: other projects are never shown
# zone = "UTC"          # the time zone in which days are told, such as "Europe/Berlin"

[git]
sign = "auto"           # auto: sign commits when git is configured to. never: do not

[capture]
settle_minutes = 30     # how long a session found in a folder must have been quiet before it is taken

[compile]
model = "rules"         # rules: built in, no key, no network
slight = "card"         # card: what only one session and no person tells stays on its card. page: it stands on pages too
# me = "Mira"           # what you are called; else the pages say "The user". `wikimem recompile` names you where they do

[privacy]
third_persons = "keep"  # what is said of people who take no part in a talk. keep: like all else. card: on the card of its
                        # session alone, on no page. refuse: nowhere in the wiki

[sensitive]             # what is claimed there waits for your approval, and stands nowhere until then
# patterns = ["project falcon"]             # regular expressions
# channels = ["format:slack", "title:*1:1*"]  # a fact of the session, and a pattern for it

# [review]              # what becomes of changes by their risk: commit, review (they wait for `wikimem review`) or refuse
# medium = "commit"     # replaces what held, is in conflict, says something of a person, is a decision or a rule
# high = "review"       # denies, closes many claims at once, is hardly sure, speaks against a hand edit
# [review.person]       # the same for one type of page
# low = "review"

# [retention]           # what `wikimem retire` does when no age is given
# sources = "2y"        # sessions that ended so long ago lose their raw bytes; their claims stay
# pages = "18m"         # pages of which nothing has held for so long are listed in the archive

# [projects]            # folders of a repository with several packages that have a scope of their own, below the project's
# "acme/shop" = ["packages/*", "services/api"]   # what happens in packages/api is project:shop/packages/api

# [share]
# names = []            # who speaks under their name in what `wikimem share` sends; the others are called by role
"""
_PRIVATE, _SHARED = 'kind = "private"        # private', 'kind = "shared"         # private'
_PREFER, _STRICT = '# isolation = "prefer"  # prefer', '# isolation = "strict"  # the default here; prefer'
CI = {"github": ".github/workflows/wikimem.yml", "gitlab": ".gitlab-ci.yml"}
"""Where the ready workflow of each kind of host stands in a repository."""
_ATTRIBUTES = """\
sources/** -text -filter -ident linguist-generated
wiki/** text eol=lf
wiki/.claims/** linguist-generated
wiki/.claims/pairs/** merge=union
wiki/.claims/cold/** merge=union
"""
_IGNORED = "/.wikimem/\n/_site/\n/wikimem.local.toml\n"


@dataclass(frozen=True, slots=True)
class Made:
    """A vault that was made.

    Args:
        root: its folder.
        notes: what else was done, as sentences.
    """

    root: Path
    notes: tuple[str, ...]


def workflow(host: str) -> str:
    """The ready workflow for a kind of host: a key of `CI`."""
    return assets.read("workflows", f"{host}.yml")


def init(path: Path, here: bool = False, shared: bool = False, ci: str = "") -> Made:
    """Make a vault in a folder that does not exist, is empty, or holds files that no vault uses.

    Outside any repository the vault gets one of its own. Inside a code repository it becomes a linked worktree on its own
    branch `wikimem`, so that nothing is ever committed on the branch of somebody's code; `here` commits there instead.

    Args:
        path: the folder.
        here: commit to the repository that the folder is in, on its current branch.
        shared: make it a vault for several people, which receives only what `wikimem share` sends.
        ci: the kind of host whose ready workflow goes along, a key of `CI`; '' for none.

    Raises:
        UsageError: it is a vault already, or in one, or a file, or holds files of the names that a vault uses.
        WorldError: git stands in the way.
    """
    if (path / MARKER).exists():
        raise UsageError(f"{path} is a vault already. Use it with `wikimem --vault {path} status`.")
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file. Name a folder for the vault.")
    outer = next((each for each in path.resolve().parents if (each / MARKER).exists()), None)
    if outer is not None:
        raise UsageError(f"{path} lies in the vault {outer}, and a vault holds no other. Name a folder outside of it.")
    taken = [name for name in ("sources", "wiki", ".gitattributes") if (path / name).exists()]
    if taken:
        raise UsageError(f"{path} already holds {', '.join(taken)}. Choose another folder for the vault.")
    repo, notes = _repository(path, here)
    try:
        told = _SETTINGS.replace(_PRIVATE, _SHARED).replace(_PREFER, _STRICT) if shared else _SETTINGS
        files = {MARKER: told, ".gitattributes": _ATTRIBUTES}
        if ci and not (path / CI[ci]).exists():
            files[CI[ci]] = workflow(ci)
        if not (path / ".gitignore").exists():
            files[".gitignore"] = _IGNORED
        else:
            notes.append(f"{path / '.gitignore'} was left as it is; add /.wikimem/, /_site/ and /wikimem.local.toml to it.")
        writes: dict[str, Path | bytes] = {name: text.encode() for name, text in files.items()}
        repo.check_idle()
        message = Message("init: a new vault", "", (("Wiki-Op", "init"),))
        change = Change(writes, frozenset(), dict.fromkeys(writes))
        repo.commit(change, message, report=lambda problem: notes.append(str(problem)))
    finally:
        repo.close()
    return Made(path, tuple(notes))


def _repository(path: Path, here: bool) -> tuple[Repo, list[str]]:
    folder = path.resolve()
    around = next(filter(None, (locate(each) for each in (folder, *folder.parents) if each.is_dir())), None)
    if around is None:
        path.mkdir(parents=True, exist_ok=True)
        return Repo.init(path), []
    if here:
        path.mkdir(parents=True, exist_ok=True)
        return Repo.open(path), [f"The vault commits to the repository in {around.top}, on its current branch."]
    made = Repo.worktree(path)
    return made, [f"{path} lies in the repository {around.top}: the vault is a linked worktree on its own branch `wikimem`."]
