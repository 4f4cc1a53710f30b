"""The shell: which lasting command a command line runs, what for, and which file an action wrote. Not outcomes.

A command is kept by what does not change from run to run: `cd app && TZ=UTC npm test -- --watch 2>&1 | tail` is
`TZ=UTC npm test`. Only commands that a project runs again and again are known; `ls`, `cat` and the like are nobody's
procedure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wikimem.core.actions import Deed
from wikimem.core.rules import names
from wikimem.core.rules.lexicon import words
from wikimem.core.rules.names import Name
from wikimem.core.turns import Form
from wikimem.core.views import Spoken


@dataclass(frozen=True, slots=True)
class Run:
    """A lasting command in a command line.

    Args:
        command: without what varies.
        does: what it does, as `runs the tests`.
    """

    command: str
    does: str


TESTS, BUILDS, LINTS, FORMATS, TYPES, MIGRATES, RELEASES, STARTS, SEEDS, CHECKS = (
    "runs the tests",
    "builds the project",
    "runs the linter",
    "formats the code",
    "checks the types",
    "applies the migrations",
    "makes a release",
    "starts the application",
    "loads seed data",
    "runs the checks",
)
_ENV = r"(?P<env>(?:[A-Z][A-Z0-9_]*=[\w./:+-]*\s+)*)"
_TOOLS: tuple[tuple[str, str], ...] = (
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test(?::[\w:-]+)?", TESTS),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?build(?::[\w:-]+)?", BUILDS),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?lint(?::[\w:-]+)?", LINTS),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:format|fmt)(?::[\w:-]+)?", FORMATS),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:typecheck|type-check|tsc)(?::[\w:-]+)?", TYPES),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:migrate|db:migrate)(?::[\w:-]+)?", MIGRATES),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:dev|start|serve)(?::[\w:-]+)?", STARTS),
    (r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:seed|db:seed)(?::[\w:-]+)?", SEEDS),
    (r"(?:npm|pnpm|yarn|bun)\s+run\s+(?:check|ci|verify|quality)(?::[\w:-]+)?", CHECKS),
    (r"(?:npx\s+)?(?:jest|vitest|mocha|playwright\s+test)", TESTS),
    (r"(?:npx\s+)?tsc(?:\s+--noEmit)?", TYPES),
    (r"(?:npx\s+)?eslint", LINTS),
    (r"(?:uv\s+run\s+|poetry\s+run\s+)?(?:python3?\s+-m\s+)?pytest", TESTS),
    (r"(?:uv\s+run\s+|poetry\s+run\s+)?(?:python3?\s+-m\s+)?(?:mypy|pyright)", TYPES),
    (r"(?:uv\s+run\s+|poetry\s+run\s+)?ruff\s+check", LINTS),
    (r"(?:uv\s+run\s+|poetry\s+run\s+)?ruff\s+format", FORMATS),
    (r"(?:tox|nox)", TESTS),
    (r"go\s+test", TESTS),
    (r"go\s+build", BUILDS),
    (r"go\s+vet", LINTS),
    (r"golangci-lint\s+run", LINTS),
    (r"gofmt\s+-w", FORMATS),
    (r"goreleaser\s+release", RELEASES),
    (r"goreleaser\s+build", BUILDS),
    (r"cargo\s+(?:test|nextest\s+run)", TESTS),
    (r"cargo\s+build", BUILDS),
    (r"cargo\s+clippy", LINTS),
    (r"cargo\s+fmt", FORMATS),
    (r"mix\s+test", TESTS),
    (r"mix\s+compile(?:\s+--warnings-as-errors)?", BUILDS),
    (r"mix\s+credo(?:\s+--strict)?", LINTS),
    (r"mix\s+dialyzer", TYPES),
    (r"mix\s+format", FORMATS),
    (r"mix\s+(?:ash|ecto)\.migrate", MIGRATES),
    (r"mix\s+phx\.server", STARTS),
    (r"mix\s+(?:quality|precommit|check)", CHECKS),
    (r"(?:bundle\s+exec\s+)?(?:rspec|rake\s+test|rails\s+test)", TESTS),
    (r"(?:\./gradlew|gradle|mvn)\s+(?:test|verify)", TESTS),
    (r"(?:\./gradlew|gradle|mvn)\s+(?:build|package)", BUILDS),
    (r"dotnet\s+test", TESTS),
    (r"dotnet\s+build", BUILDS),
    (r"make\s+(?:test|check)\b", TESTS),
    (r"make\s+(?:lint)\b", LINTS),
    (r"make\s+(?:build|all)\b", BUILDS),
    (r"make\s+(?:fmt|format)\b", FORMATS),
    (r"docker(?:-|\s+)compose\s+up", STARTS),
    (r"docker\s+build", BUILDS),
    (r"\./(?:scripts|bin)/release[\w.-]*", RELEASES),
    (r"\./(?:scripts|bin)/(?:test|check)[\w.-]*", TESTS),
    (r"\./(?:scripts|bin)/(?:build)[\w.-]*", BUILDS),
    (r"\./(?:scripts|bin)/(?:migrate)[\w.-]*", MIGRATES),
)
_KNOWN = tuple((re.compile(rf"{_ENV}(?P<run>{tool})(?![\w/:.=])"), does) for tool, does in _TOOLS)
_FIRST = frozenset(
    words(
        "npm pnpm yarn bun npx jest vitest mocha playwright tsc eslint uv poetry python python3 pytest mypy pyright ruff "
        "tox nox go golangci-lint gofmt goreleaser cargo mix bundle rspec rake rails ./gradlew gradle mvn dotnet make "
        "docker docker-compose"
    )
)
_STEPS = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_ASKING = re.compile(r"\s(?:--help|-h|--version|--collect-only|--list|-n|--dry-run|--snapshot|--skip[= ]publish)(?:\s|$)")


def runs(line: str) -> tuple[Run, ...]:
    """The lasting commands of a command line, in order; a step whose status a later one hides still counts."""
    if len(line) > 2000:
        return ()
    found = []
    for step in _STEPS.split(line):
        run = _run(step.split("|")[0].strip())
        if run is not None:
            found.append(run)
    return tuple(dict.fromkeys(found))


def _run(step: str) -> Run | None:
    words = step.split()
    first = next((word for word in words if "=" not in word), "")
    if first not in _FIRST and not first.startswith(("./scripts/", "./bin/")):
        return None
    if _ASKING.search(step):
        return None
    for pattern, does in _KNOWN:
        match = pattern.match(step)
        if match is not None:
            return Run(match[0].strip(), does)
    return None


_UPDATED = re.compile(r"\AThe file (?P<path>\S+?) has been (?:updated|created)")


def touched(one: Spoken) -> Name | None:
    """The file that a turn wrote; None if it wrote none."""
    if one.action is not None:
        return names.of_path(one.action.target) if one.action.deed is Deed.WRITE else None
    if one.turn.form is Form.RESULT and not one.turn.error and " has been " in one.words:
        updated = _UPDATED.search(one.words)
        return names.of_path(updated["path"]) if updated is not None else None
    return None
