"""Names: what a clause or an action is about, as a short name that makes a page's title. Not whether it is worth a page.

A name written as code (a file, a flag, a symbol) is surest; then a product or proper name; then one of the topics that
projects have in common, if the clause speaks of it; then the noun that the sentence begins with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from wikimem.core.rules.lexicon import words


@dataclass(frozen=True, slots=True)
class Name:
    """A subject.

    Args:
        type: one of `claims.TYPES`.
        name: short, as a page's title.
        scope: `project`, `user` or empty.
        code: whether it is written as code.
        within: as it stands within a sentence; empty if as its name.
    """

    type: str
    name: str
    scope: str = "project"
    code: bool = False
    within: str = ""

    @property
    def label(self) -> str:
        """As it stands in a text."""
        return self.within or (f"`{self.name}`" if self.code and "`" not in self.name else self.name)


_SPAN = re.compile(r"`([^`\n]{2,48})`")
_FILE = re.compile(
    r"(?<![\w/.@-])@?(?P<path>(?:\.{0,2}/)?(?:[\w.@-]+/)*[\w.-]+\.(?:go|py|pyi|tsx?|jsx?|mjs|mdx?|toml|json|jsonl|ya?ml|"
    r"exs?|heex|sql|sh|rs|java|kt|rb|css|scss|html?|lock|txt|cfg|ini|vue|svelte|c|h|cc|cpp|hpp|cs|swift|php|tf|proto|env|db|"
    r"mod|sum|work|csv|xml))(?![\w/])"
)
_DOTFILE = re.compile(r"(?<![\w/.])\.(?:gitignore|env|dockerignore|editorconfig|npmrc|prettierrc|eslintrc)\b")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SYMBOL = re.compile(
    r"(?<![\w/.`-])(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|"
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:\(\))?(?![\w/`])|(?<![\w/.`-])(?:[a-zA-Z_]\w+(?:\.\w+)?\(\)|"
    r"[a-z]\w+\.[A-Z]\w+\b(?!\())"
)
_GENERIC = frozenset(
    words("index main mod lib init __init__ readme types utils util helpers test tests setup app config page layout route routes")
)
_PLAIN_CAMEL = frozenset(
    words("GitHub GitLab JavaScript TypeScript PostgreSQL MySQL SQLite OpenAI YouTube LinkedIn iPhone macOS")
)

_PRODUCTS = re.compile(
    r"\b(?:slog|redis|postgres(?:ql)?|sqlite|mysql|mongodb|kafka|rabbitmq|docker|podman|kubernetes|terraform|ansible|nginx|"
    r"pgbouncer|graphql|grpc|protobuf|react|vue|svelte|next\.js|django|flask|fastapi|rails|phoenix|ecto|prisma|drizzle|"
    r"sqlalchemy|pydantic|pytest|jest|vitest|playwright|cypress|eslint|prettier|ruff|mypy|black|biome|golangci-lint|gofmt|"
    r"goreleaser|homebrew|npm|pnpm|yarn|bun|poetry|uv|pip|cargo|gradle|maven|webpack|vite|esbuild|tailwind|storybook|sentry|"
    r"datadog|grafana|prometheus|otel|opentelemetry|stripe|auth0|oauth|jwt|supabase|firebase|vercel|netlify|heroku|"
    r"cloudflare|elasticsearch|opensearch|celery|sidekiq|fsnotify|tmux|vim|neovim|vscode|github actions|helm|kotlin|rust|"
    r"golang)\b",
    re.IGNORECASE,
)
_PROPER = re.compile(
    r"(?<![.\w/@“\"'-])[A-Z][a-zA-Z]*[a-z][a-zA-Z0-9]*(?: (?:[A-Z][a-zA-Z]*[a-z][a-zA-Z0-9]*|CLI|API|SDK|UI)){0,2}\b(?![/.]\w)"
)
_NO_NAMES = frozenset(
    words(
        "i ok okay yes no yeah yep nope and but so or if then also still actually please thanks the this that these those "
        "there here we you they he she it its our your my his her their when where what why who how which while since "
        "because let lets not now today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january "
        "february march april may june july august september october november december address fix use make don dont just "
        "only all both each every never always for in on at to from with without by of as is are was were be been do does "
        "did have has had can could should would will shall must may might need needs want wants keep remove add put move "
        "change update take look see show tell read write run try wait stop good great nice cool sorry hey hi hello dude "
        "man umm uhh hmm oh ah well rather instead otherwise once after before until idea note notice see recommended done "
        "already nothing something anything everything nobody everybody someone english decision action actions agreed "
        "noted sure right fine last first second third next most many some any more less such"
    )
)

# Topics that projects have in common; a clause that speaks of one is about it if it names nothing narrower.
_TOPICS: tuple[tuple[re.Pattern[str], Name], ...] = tuple(
    (re.compile(rf"(?i)\b(?:{pattern})"), name if name.name.isupper() else replace(name, within=name.name.lower()))
    for pattern, name in (
        (r"(?:short|brief|concise|long)\s+answers?\b|answers?\s+(?:short|brief)|summar(?:y|ies)\s+at\s+the\s+end|ask\s+me\b|"
         r"made?\s+decisions?\b|make\s+decisions?\b|list\s+of\s+what\s+changed",
         Name("topic", "Working with agents", "user")),
        (r"migrations?\b", Name("topic", "Migrations")),
        (r"push(?:ed|ing)?\s+to\s+main\b|pull\s+requests?\b|\bprs?\b|main\s+(?:branch|only\s+changes)|merges?\b|rebase\b|"
            r"squash", Name("topic", "Pull requests")),
        (r"commit\s+messages?\b|commits?\b|committing\b", Name("topic", "Commits")),
        (r"tabs\b|indent\w*", Name("topic", "Indentation")),
        (r"unit\s+tests?\b|table[- ]driven|tests?\b|testing\b|\btdd\b|test\s+coverage", Name("topic", "Testing")),
        (r"lint(?:er|ing|s)?\b", Name("topic", "Linting")),
        (r"format(?:ting)?\s+(?:the\s+)?code\b|code\s+formatt\w+", Name("topic", "Code formatting")),
        (r"(?-i:\bDRY\b)|duplicat\w+|copy\s*/?\s*(?:and\s+)?paste\w*", Name("topic", "Code duplication")),
        (r"comments?\b", Name("topic", "Code comments")),
        (r"staging\b", Name("environment", "Staging")),
        (r"production\b|\bprod\b", Name("environment", "Production")),
        (r"\bci\b|ci/cd|github\s+actions|workflows?\b", Name("topic", "CI")),
        (r"changelog\b", Name("topic", "Changelog")),
        (r"releas(?:e|es|ing)\b", Name("topic", "Releases")),
        (r"deploy(?:s|ing|ment|ments)?\b", Name("topic", "Deployment")),
        (r"rollbacks?\b", Name("topic", "Releases")),
        (r"backups?\b", Name("topic", "Backups")),
        (r"schema\b|database\b|\bdb\b", Name("topic", "Database")),
        (r"(?:error\s+)?logging\b|\blogs?\b", Name("topic", "Logging")),
        (r"error\s+(?:handling|messages?)\b|exceptions?\b", Name("topic", "Error handling")),
        (r"dependenc(?:y|ies)\b", Name("topic", "Dependencies")),
        (r"docs?\b|documentation\b|\breadme\b", Name("topic", "Documentation")),
        (r"config(?:uration)?(?:\s+files?)?\b", Name("topic", "Configuration")),
        (r"telemetry\b|analytics\b", Name("topic", "Telemetry")),
        (r"providers?\b", Name("topic", "Providers")),
        (r"security\b|secrets?\b", Name("topic", "Security")),
        (r"(?:code\s+)?reviews?\b", Name("topic", "Code review")),
        (r"feature\s+flags?\b", Name("topic", "Feature flags")),
        (r"naming\b|file\s+names?\b|\bnames?\s+of\b", Name("topic", "Naming")),
        (r"cach(?:e|es|ing)\b", Name("topic", "Caching")),
    )
)  # fmt: skip
_PROJECT = re.compile(
    r"(?i)\b(?:this|our|the|whole|entire)\s+(?:is\s+an?\s+(?:\w+\s+){0,3})?(?:repo(?:sitory)?|codebase|code\s+base|"
    r"project(?!\s+(?:dir|root|level|file|config)|-))\b|\bthis\s+is\s+an?\s+(?:\w+[\s-]){0,3}(?:repo(?:sitory)?|project|library|tool|app|cli|package)\b"
)
_HEAD = re.compile(
    r"(?:^|[,;:]\s+|\b(?:and|but|so)\s+)(?:the|our|each|every|"
    r"all)\s+(?P<head>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}?)\s+(?:(?:in|of|for)\s+the\s+[\w ]{2,20}?\s+)?(?:is|are|was|were|"
    r"isn't|aren't|has|have|should|must|needs?|can(?:not|'t)?|may|runs?|uses?|lives?|goes|go|stays?|keeps?|retries|rotates|"
    r"listens|expires|takes?|only|never|always|does(?:n't)?|do(?:n't)?|will|won't)\b",
    re.IGNORECASE,
)
# Nouns that name nothing by themselves.
_EMPTY = frozenset(
    words(
        "thing things way point idea problem issue issues question rest one ones other others same first second last next "
        "plan fix change changes result results output answer option user users client clients customer customers people "
        "person team everyone code file files function method class line lines comment item list table text word words "
        "example case time day week month reason difference approach solution step part bit stuff best only whole memory "
        "former latter session prompt agent caller name"
    )
)


def of_clause(text: str) -> Name | None:
    """What a clause names; None if it names nothing."""
    for find in (coded, _environment, _common, _proper, _project, _head):
        found = find(text)
        if found is not None:
            return found
    return None


def begins(text: str) -> bool:
    """Whether a sentence begins with something written as code, or with a proper name of several words."""
    head = text.removeprefix("The ").removeprefix("the ")
    if any(pattern.match(head) for pattern, _ in _WRITTEN) or _SPAN.match(head):
        return True
    found = _PROPER.match(head)
    return found is not None and len(found[0].split()) > 1 and found[0].split()[0].lower() not in _NO_NAMES


def is_common(file: str) -> bool:
    """Whether files of this name lie in many folders of a project."""
    return file.split(".")[0].lower() in _GENERIC


def of_path(path: str) -> Name | None:
    """A file as a subject: its base name, with its folder where the base name says nothing."""
    steps = [step for step in path.replace("\\", "/").strip("@`'\"").split("/") if step not in ("", ".", "..", "~")]
    if not steps or len(steps[-1]) > 60:
        return None
    stem = steps[-1].split(".")[0].lower()
    short = "/".join(steps[-2:]) if stem in _GENERIC and len(steps) > 1 else steps[-1]
    return Name("topic", short, code=True)


def files(text: str) -> frozenset[Name]:
    """All files that a text names."""
    return frozenset(name for match in _FILE.finditer(text) if (name := of_path(match["path"])) is not None)


def coded(text: str) -> Name | None:
    found: list[tuple[int, Name | None]] = []
    span = _SPAN.search(text)
    if span is not None:
        found.append((span.start(), _of_span(span[1])))
    for pattern, make in _WRITTEN:
        match = next((m for m in pattern.finditer(text) if m[0] not in _PLAIN_CAMEL and len(m[0]) <= 60), None)
        if match is not None:
            found.append((match.start(), make(match[0])))
    return next((name for _, name in sorted(found, key=lambda one: one[0]) if name is not None), None)


def _of_span(text: str) -> Name | None:
    bare = text.strip()
    if bare.startswith("--"):
        bare = bare.split()[0].split("=")[0]
    if _FILE.fullmatch(bare) or (("/" in bare) and " " not in bare and not bare.startswith("/")):
        return of_path(bare)
    # One short plain word may be a command or a word of the language: it names too much.
    if bare.islower() and bare.isalpha() and (len(bare) <= 4 or bare in _EMPTY):
        return None
    if (
        not re.search(r"[A-Za-z]{2}", bare)
        or bare.startswith("/")
        or len(bare.split()) > 3
        or re.search(r"[{}\[\]=;\"'<>|$]", bare)
    ):
        return None
    return Name("topic", bare, code=True)


def _symbol(text: str) -> Name:
    return Name("topic", text.removesuffix("()") if "." not in text else text, code=True)


_WRITTEN: tuple[tuple[re.Pattern[str], Callable[[str], Name | None]], ...] = (
    (_FILE, of_path),
    (_DOTFILE, lambda text: Name("topic", text, code=True)),
    (_FLAG, lambda text: Name("topic", text, code=True)),
    (_SYMBOL, _symbol),
)


def _common(text: str) -> Name | None:
    """A product or a topic, whichever the clause names first."""
    product = _PRODUCTS.search(text)
    topics = [(match.start(), order, name) for order, (pattern, name) in enumerate(_TOPICS) if (match := pattern.search(text))]
    topic = min(topics, key=lambda one: one[:2]) if topics else None
    if product is not None and (topic is None or product.start() <= topic[0]):
        return Name("topic", product[0] if product[0][:1].isupper() else product[0].lower())
    return topic[2] if topic is not None else None


def proper(text: str) -> str:
    """The first proper name in a text, such as a product of two words; empty if there is none."""
    for found in _PROPER.finditer(text):
        words = found[0].split()
        begins = not text[: found.start()].strip() or re.search(r"[.!?:;(]\s*$", text[: found.start()])
        while words and words[0].lower() in _NO_NAMES:
            words = words[1:]
            begins = None
        while words and words[-1].lower() in _NO_NAMES:
            words = words[:-1]
        # The first word of a sentence has its capital anyway.
        if words and not (begins and len(words) == 1) and len(words[0]) > 2:
            return " ".join(words)
    return ""


def _proper(text: str) -> Name | None:
    name = proper(text)
    return Name("topic", name) if name else None


_ENVIRONMENT = re.compile(
    r"(?i)\b(?:against|on|in|to|from|of|for) (?P<name>staging|production|prod)\b|^(?:no, )?(?P<first>staging|production|"
    r"prod) "
)


def _environment(text: str) -> Name | None:
    found = _ENVIRONMENT.search(text)
    return Name("environment", (found["name"] or found["first"]).capitalize()) if found is not None else None


def _project(text: str) -> Name | None:
    return Name("project", "") if _PROJECT.search(text) else None


_PLURAL = re.compile(
    r"^(?:(?:no|ok|so|and|but|also|yes)[,.]?\s+)*(?P<head>[a-z][a-z-]{2,}(?<!s)s)\s+(?:are|aren't|have|need|must|should|"
    r"cannot|never|always|only)\b",
    re.IGNORECASE,
)


def _head(text: str) -> Name | None:
    plural = _PLURAL.match(text)
    if plural is not None and plural["head"].lower() not in _EMPTY | _NO_NAMES:
        return Name("topic", plural["head"].lower())
    for found in _HEAD.finditer(text):
        words = found["head"].split()
        if words[-1].lower() not in _EMPTY and words[0].lower() not in _EMPTY and not set(map(str.lower, words)) & _NO_NAMES:
            return Name("topic", " ".join(words))
    return None
