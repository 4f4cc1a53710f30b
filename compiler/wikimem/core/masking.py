r"""Masking of secrets, before a byte of a transcript is written; it is no entropy guesser and no privacy filter.

A secret becomes `[masked:KIND]`; every other byte stays as it is. Masking twice equals masking once.

Masked: what `RULES` lists. These are tokens with a vendor's own prefix, private keys, signed tokens, passwords in URLs,
authorization headers, what a person put between `<private>` and `</private>`, and values in quotes that are assigned to a
name ending in `password`, `secret`, `token`, `api_key` and the like.

Not masked, by design:

* an assignment without quotes (`password: hunter22`), unless the value has a known prefix or the name is an environment
  variable of a well-known service (`STRIPE_SECRET=…`);
* an assigned value under 8 characters, without a digit, or with a blank, a quote or a backslash in it; one that is a
  placeholder, code, a path, a URL, a UUID, a git hash (40 hexadecimal digits), a date or an id;
* tokens that only their shape could give away: a bare AWS secret key, a Discord bot token, a Twilio auth token, a
  Google access token;
* secrets in another encoding (base64, percent encoding) or split over two strings;
* what is private but no credential: names, e-mail addresses, phone numbers, IP addresses;
* the keys of JSON objects, and values under keys that name ids, hashes or signatures (`uuid`, `sessionId`,
  `tool_use_id`, `signature`): citations and the links between records must survive.

How it stays cheap: one compiled pattern looks for every literal at its rarest byte, and then, at once, for what must
follow it. It tolerates JSON escapes, so it runs on raw lines; a line is parsed only when it finds something there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from json import loads
from operator import itemgetter

Span = tuple[int, int, str]
"""Start, end (byte offsets) and kind of a secret."""

# Text is often quoted inside text: a slash may stand as `\/`, a quote as `\"` or `\\\"`, a tab as `\t`, é as `\u00e9`.
# Each piece takes both. No piece can backtrack far: a run is bounded, or no other can start inside it.
_SPACE = rb"(?:[ \t]|\\+t){0,8}"
_QUOTE = rb"\\*[\"'`]"
_SLASH = rb"\\*/"
_RUN = rb"(?!(?i:x{4}|your|my[_-]|example|placeholder|replace|insert|redacted))[A-Za-z0-9_-]"
_B64 = rb"(?:[A-Za-z0-9+/=]|\\+/)"
_ESCAPED = rb"\\+u[0-9a-fA-F]{4}"
_AFTER = rb"(?<=\\u[0-9a-fA-F]{4})"
_CREDENTIAL = rb"(?:[A-Za-z0-9._~+/=-]|\\+/)"
_WITH_DIGIT = rb"(?=[^\s\"'`]{8})(?=[^\s\"'`]{0,200}[0-9])"
_VALUE = rb"%s((?:[^\s\"'`\\]++|\\+/|%s)++)" % (_WITH_DIGIT, _ESCAPED)
_IS = rb"(?:%s)?%s(?:=>|:=|=|:)%s" % (_QUOTE, _SPACE, _SPACE)

_QUOTED = rb"(?:s|S|_?base|_BASE)?%s[brufBRUF]{0,2}%s%s%s" % (_IS, _QUOTE, _VALUE, _QUOTE)
_HEADER = rb":%s%s%s" % (_SPACE, _VALUE, _QUOTE)
_UNQUOTED = rb"(?:_BASE)?=%s((?:[^\s\"'`\\$<>(){};&|]{1,512}+|\\+/|%s){1,4}+)" % (_WITH_DIGIT, _ESCAPED)
_AWS = rb"%s(?:%s)?((?:[A-Za-z0-9+=]|%s){40,}+)" % (_IS, _QUOTE, _SLASH)
_SCHEME = rb"(?:[Bb]earer|[Bb]asic|[Tt]oken|[Bb]ot|[Aa]pi-?[Kk]ey) {1,4}"
_SIGNED_IN = rb"(?:%s)?%s[:=,]%s(?:%s)?%s(%s{8,}+)" % (_QUOTE, _SPACE, _SPACE, _QUOTE, _SCHEME, _CREDENTIAL)
_OPENAI = rb"(?:(?:proj|svcacct|admin|None|or-v[0-9]|lf)-%s{20,}|(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}[\w-]*)" % _RUN
_JWT = rb"[\w-]{8,400}+\.(?:eyJ[\w-]{4,}+\.[\w-]{8,}+|[\w-]*+\.[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+)"
# What may stand between the lines of a key: line ends, numbers that a viewer printed, quotes, diff and comment marks.
_BETWEEN = rb"(?:\\+[nrt]|%(e)s|[^A-Za-z0-9+/=\\]|\+(?=[\s\"'])|[0-9]{1,6}(?:\xe2\x86\x92|%(e)s|\\+t|[\t:|])){0,40}+"
_ARMOUR = (
    (
        rb" (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----%(b)s("
        rb"(?:%(b)s(?:[A-Za-z][A-Za-z-]{2,20}: (?:[^\r\n\\]|%(e)s){0,120}+|%(c)s{16,}+))++"
        rb"(?:%(b)s%(c)s{2,15}+(?=[\r\n\\\"'`]|\Z)){0,2}|%(c)s{8,15}+(?=%(b)sEND ))"
    )
    .replace(b"%(b)s", _BETWEEN)
    .replace(b"%(c)s", _B64)
    .replace(b"%(e)s", _ESCAPED)
)

_PRIVATE = rb"(?:[^<]++|<(?!%s(?i:private)>))*+<%s(?i:private)>" % (_SLASH, _SLASH)

_KEY_OF = rb"(?:api|access|auth|deploy|encryption|license|master|private|secret|shared|signing)[_.-]?"
_NO_TOKEN_OF = rb"(?:page|next|continuation|pad|eos|bos|unk|sep|cls|mask|stop|design|color)[_.-]?"
_SERVICE = (
    rb"(?:ALGOLIA|ANTHROPIC|APP|AUTH0|AWS|AZURE|CF|CI|CLOUDFLARE|COHERE|DATABASE|DATADOG|DB|DEEPSEEK|DIGITALOCEAN|DISCORD"
    rb"|DOCKER|ELEVENLABS|FIREBASE|GCP|GEMINI|GH|GITHUB|GITLAB|GOOGLE|GROQ|HEROKU|HF|HUGGINGFACE|JWT|LINEAR|MAILGUN"
    rb"|MISTRAL|MONGO|MYSQL|NEXTAUTH|NOTION|NPM|OPENAI|OPENROUTER|PG|PINECONE|POSTGRES|PYPI|REDIS|REPLICATE|SECRET"
    rb"|SENDGRID|SENTRY|SESSION|SLACK|SMTP|STRIPE|SUPABASE|TAVILY|TELEGRAM|TWILIO|VAULT|VERCEL|WANDB)_?(?:[A-Z0-9]+_)*"
)
_USER_INFO = rb":%s%s(?:[^\s/:\"'`<>\\]|%s){0,80}:((?:[^\s/\"'`<>\\]|%s){1,160})" % (_SLASH, _SLASH, _ESCAPED, _ESCAPED)

_PLACEHOLDER = re.compile(
    rb"(?i)\[masked:|\A\$|\$\{|\{\{|#\{|\{[a-z_][\w.]*\}|\A[<{(\[]|\A%\w+%|%\(|\\\(|\(\)|x{4}|\*{3}|\.{3}|\xe2\x80\xa6"
    rb"|your[_-]|[_-]here\b|example|change[_-]?me|placeholder|dummy|redacted|process\.env|os\.environ|getenv|import\.meta"
    rb"|(?-i:\A[A-Z0-9]+(?:_[A-Z0-9]+)+\Z)"
)
_PLAIN = re.compile(
    rb"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?-i:[0-9a-f]{40})|(?:toolu|srvtoolu|msg|req|call)_\w+"
    rb"|\d{4}-\d\d-\d\d\S*|[a-z][a-z0-9+.-]+://\S*|(?:~|\.{0,2})/\S*|[a-z]:[\\/]\S*|(?:[\w.@-]+/)+[\w@-]+\.[a-z]{1,5}"
    rb"|[\w.@-]+\.(?:json|ya?ml|toml|txt|md|py|js|ts|go|rs|exs?|rb|pem|key|crt|env|cfg|ini|sh|html?|css|xml|lock)"
    rb"|(?:not|no|invalid|wrong|fake|mock|sample)[_.-]\S*"
)
_STAND_INS = frozenset({b"password", b"passwd", b"pass", b"pwd", b"secret", b"token", b"key"})


def _assigned(value: bytes) -> bool:
    """Whether a value that stands after a secret's name is one."""
    if not _meant(value) or (len(value) < 400 and _PLAIN.fullmatch(value)):
        return False
    return len(value.decode(errors="replace")) >= 8 and bool(re.search(rb"[0-9]", value)) and not re.search(rb"\s", value)


def _meant(value: bytes) -> bool:
    """Whether a credential in its own place, a header or a URL, is more than a stand-in for one."""
    return not _PLACEHOLDER.search(value[:400]) and value.lower() not in _STAND_INS


def _url_password(value: bytes) -> bool:
    # `http://localhost:4000,me@there` is a port and an address.
    return len(value) > 2 and _meant(value) and not re.match(rb"[0-9]{2,5}[^\w%.~!-]", value)


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to recognise a secret.

    Args:
        kind: what it is called in `[masked:KIND]` and in counts.
        literals: bytes that must stand there, separated by blanks.
        then: pattern of what follows the literal at once. Its group is the secret; without a group, the literal and
            what follows are. After a literal that ends in `_` come at least 12 letters or digits.
        edge: class of bytes that must not stand before the literal; empty if any may.
        before: pattern that must end where the literal starts; its group, if any, is the secret.
        unless: pattern that must not end there.
        real: judges the secret itself.
    """

    kind: str
    literals: bytes
    then: bytes
    edge: bytes = rb"[A-Za-z0-9]"
    before: bytes = b""
    unless: bytes = b""
    real: Callable[[bytes], bool] | None = None


# One rule, one line: what a reader looks for here is which secrets are known.
# fmt: off
RULES: tuple[Rule, ...] = (
    Rule("anthropic-key", b"sk-ant-", _RUN + rb"{20,}"),
    Rule("openai-key", b"sk-", _OPENAI),
    Rule("github-token", b"ghp_ gho_ ghu_ ghs_ ghr_", rb"(?!(?i:x{4}))[A-Za-z0-9]{30,}"),
    Rule("github-token", b"github_pat_", _RUN + rb"{40,}"),
    Rule("gitlab-token", b"glpat- glptt- gldt- glrt- glcbt-", _RUN + rb"{20,}"),
    Rule("aws-access-key", b"AKIA ASIA", rb"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    Rule("aws-secret", b"secret_access_key SECRET_ACCESS_KEY session_token SESSION_TOKEN", _AWS, edge=b""),
    Rule("google-api-key", b"AIza", _RUN + rb"{35,}"),
    Rule("google-oauth", b"GOCSPX-", _RUN + rb"{20,}"),
    Rule("azure-key", b"AccountKey= SharedAccessKey=", rb"(%s{30,}+)" % _B64, edge=b""),
    Rule("signed-url", b"X-Amz-Signature= X-Amz-Security-Token= X-Goog-Signature=", rb"([\w%+/=-]{32,})", edge=b""),
    Rule("slack-token", b"xox", rb"[a-z](?:\.xox[a-z])?-(?=[A-Za-z-]{0,20}[0-9])[A-Za-z0-9-]{12,}"),
    Rule("slack-token", b"xapp-", rb"[0-9]-[A-Za-z0-9-]{20,}"),
    Rule("slack-hook", b"hooks.slack.com", rb"%s[a-z]{5,12}%s((?:[\w-]|%s){20,}+)" % (_SLASH, _SLASH, _SLASH), edge=b""),
    Rule("discord-hook", b"webhooks", rb"%s[0-9]{15,22}%s([\w-]{40,})" % (_SLASH, _SLASH), edge=b""),
    Rule("stripe-key", b"sk_live_ rk_live_ sk_test_ rk_test_", rb"(?!(?i:x{4}))[A-Za-z0-9]{16,}"),
    Rule("stripe-key", b"whsec_", rb"(?!(?i:x{4}))%s{24,}+" % _B64),
    Rule("npm-token", b"npm_", rb"(?!(?i:x{4}))[A-Za-z0-9]{36,}"),
    Rule("npm-token", b"_authToken=", rb"(%s{16,}+)" % _CREDENTIAL, edge=b"", real=_meant),
    Rule("pypi-token", b"pypi-AgE", _RUN + rb"{50,}"),
    Rule("sendgrid-key", b"SG.", rb"[\w-]{16,32}\.[\w-]{30,}"),
    Rule("huggingface-token", b"hf_", rb"(?!(?i:x{4}))[A-Za-z0-9]{30,}"),
    Rule("groq-key", b"gsk_", rb"(?!(?i:x{4}))[A-Za-z0-9]{40,}"),
    Rule("xai-key", b"xai-", _RUN + rb"{40,}"),
    Rule("perplexity-key", b"pplx-", _RUN + rb"{40,}"),
    Rule("linear-key", b"lin_api_", rb"(?!(?i:x{4}))[A-Za-z0-9]{30,}"),
    Rule("supabase-token", b"sbp_", rb"[0-9a-f]{40,}"),
    Rule("shopify-token", b"shpat_ shpss_ shpca_ shppa_", rb"[0-9a-fA-F]{32,}"),
    Rule("digitalocean-token", b"dop_v1_ doo_v1_ dor_v1_", rb"[0-9a-f]{60,}"),
    Rule("docker-token", b"dckr_pat_", _RUN + rb"{20,}"),
    Rule("atlassian-token", b"ATATT3x", rb"[\w=-]{60,}"),
    Rule("tailscale-key", b"tskey-", rb"[a-z]{2,12}-[A-Za-z0-9-]{16,}"),
    Rule("vault-token", b"hvs. hvb.", _RUN + rb"{24,}"),
    Rule("age-key", b"AGE-SECRET-KEY-1", rb"[0-9A-Z]{50,}"),
    Rule("telegram-token", b":AA", rb"[\w-]{33}(?![\w-])", edge=b"", before=rb"(?:(?<![0-9])|%s)[0-9]{8,10}" % _AFTER),
    Rule("jwt", b"eyJ", _JWT, edge=rb"[A-Za-z0-9-]"),
    Rule("signed-token", b"SFMyNTY", rb"\.[\w-]{16,}\.[\w-]{16,}"),
    Rule("private-key", b"-----BEGIN", _ARMOUR, edge=b""),
    Rule("private", b"<private> <Private> <PRIVATE>", _PRIVATE, edge=b""),
    Rule("url-password", b"@", rb"(?<!\\[nrt]@)(?=[\w\[$%-])", edge=rb"[\s\"'`(<{,]",
         before=_USER_INFO, real=_url_password),
    Rule("authorization", b"uthorization", _SIGNED_IN, edge=b"", real=_meant),
    Rule("authorization", b"Bearer", rb" {1,4}%s(%s{16,}+)" % (_WITH_DIGIT, _CREDENTIAL), real=_meant),
    Rule("assignment", b"password Password PASSWORD passwd Passwd PASSWD", _QUOTED, edge=b"", real=_assigned),
    Rule("assignment", b"secret Secret SECRET credential CREDENTIAL", _QUOTED, edge=b"", real=_assigned),
    Rule("assignment", b"token Token TOKEN", _QUOTED, edge=b"", unless=rb"(?i:%s)" % _NO_TOKEN_OF, real=_assigned),
    Rule("assignment", b"key Key KEY", _QUOTED, edge=b"", before=rb"(?i:%s)" % _KEY_OF, real=_assigned),
    Rule("header", b"key Key KEY token Token TOKEN secret Secret SECRET", _HEADER, edge=b"",
         before=rb"[\"'`](?:[A-Za-z0-9]+-)+", real=_assigned),
    Rule("environment", b"PASSWORD SECRET TOKEN KEY", _UNQUOTED, edge=b"",
         before=rb"(?:(?<![A-Z0-9_])|%s)%s" % (_AFTER, _SERVICE), real=_assigned),
)
# fmt: on

_SECRET_NAME = re.compile(rb"(?i)(?:password|passwd|secret|credential|token|%skey)(?:s|_?base)?\Z" % _KEY_OF)
_NO_SECRET_NAME = re.compile(rb"(?i)%stokens?\Z" % _NO_TOKEN_OF)
_ID_NAME = re.compile(
    rb"(?i:(?:\A|[_.-])(?:(?:uu|gu)?ids?|sha\d*|hash|signature|checksum|digest))\Z"
    rb"|[a-z0-9](?:Ids?|IDs?|U[uU][iI][dD]s?|Hash|Signature|Checksum|Digest|Sha\d*)\Z"
)


def json_line(line: bytes) -> tuple[bytes, dict[str, int]]:
    """Mask the secrets in one line of JSON.

    Args:
        line: one JSON value, without its newline. A line that is no JSON is masked as text, so that nothing leaks.

    Returns:
        The line, equal but for the masked parts of its strings, and how many secrets of each kind: {} if none.
    """
    if next(_scan(line), None) is None and _HIDDEN.search(line) is None:
        return line, {}
    if not _is_json(line):
        return text(line)
    counts: Counter[str] = Counter()
    masks: list[tuple[int, int, bytes]] = []
    for key, start, end in _strings(line):
        raw = line[start:end]
        masked = _in_string(key, raw, counts)
        if masked is not raw:
            masks.append((start, end, masked))
    return (_written(line, masks), dict(counts)) if masks else (line, {})


def text(data: bytes) -> tuple[bytes, dict[str, int]]:
    """Mask the secrets in any text; it keeps its number of newlines.

    Returns:
        The text, and how many secrets of each kind: {} if none.
    """
    counts: Counter[str] = Counter()
    # What is masked ends a word, so that a secret may come to light right behind it.
    while masks := _masks(data, _scan(data), b"\n", counts):
        data = _written(data, masks)
    return data, dict(counts)


def left(data: bytes, json: bool) -> dict[str, int]:
    """What masking would still find.

    Args:
        data: a line, or all lines of a file.
        json: whether each line is JSON.

    Returns:
        How many secrets of each kind; {} for what has been masked.
    """
    if not json:
        return text(data)[1]
    counts: Counter[str] = Counter()
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        counts.update(json_line(data[start:end])[1])
        start = end + 1
    return dict(counts)


# The bytes to look for first, best first: rare in transcripts, and few different ones so that the rules share them.
_ANCHORS = b"@JKzBASwxvk_gc"

_HIDDEN = re.compile(rb"\\u00[2-7]")
"""A printable ASCII character written as an escape: it may be part of a literal."""


def _anchor(literal: bytes) -> int:
    """Where in a literal the byte stands that is looked for first."""
    return min(range(len(literal)), key=lambda i: _ANCHORS.find(literal[i]) % 256)


@cache
def _gate() -> tuple[re.Pattern[bytes], tuple[tuple[Rule, int, bool], ...]]:
    """One pattern for all rules.

    Returns:
        The pattern, and for each of its groups the rule, the anchor's place in the literal, and whether the group is
        the secret (else it is the rest of the secret).
    """
    branches: dict[bytes, list[bytes]] = {}
    entries: dict[bytes, list[tuple[Rule, int, bool]]] = {}
    for rule in RULES:
        grouped = re.compile(rule.then).groups == 1
        then = rule.then if grouped else b"(" + rule.then + b")"
        for literal in rule.literals.split():
            at = _anchor(literal)
            head = re.escape(literal[at : at + 1])
            if literal.endswith(b"_") and at == len(literal) - 1:
                # Else only one look back for each rule would tell this underscore from others.
                head += b"(?=[A-Za-z0-9]{12})"
            branches.setdefault(head, []).append(_after_anchor(literal, at, rule.edge) + then)
            entries.setdefault(head, []).append((rule, at, grouped))
    # The heads are tried in turn wherever one of the anchors stands, so the commonest byte comes first.
    heads = sorted(branches, key=lambda head: _ANCHORS.find(head[:1]), reverse=True)
    whole = b"|".join(head + b"(?:" + b"|".join(branches[head]) + b")" for head in heads)
    return re.compile(whole), tuple(entry for head in heads for entry in entries[head])


def _after_anchor(literal: bytes, at: int, edge: bytes) -> bytes:
    """The rest of a literal after its anchor, and a look back at what must or must not stand before."""
    whole = re.escape(literal)
    pattern = re.escape(literal[at + 1 :])
    if at:
        pattern += b"(?<=%s)" % whole
    if edge:
        # In text within text the letter before may belong to an escape: `\nghp_…`, `\u00e9ghp_…`.
        ways = (edge, whole, whole, whole)
        pattern += rb"(?:(?<!%s%s)|(?<=\\[bfnrt]%s)|(?<=\\u[0-9a-fA-F]{4}%s))" % ways
    return pattern


def _scan(data: bytes) -> Iterator[Span]:
    """The secrets in a text or in a raw line; they may overlap."""
    gate, entries = _gate()
    position = 0
    while (found := gate.search(data, position)) is not None:
        group = found.lastindex or 0
        rule, at, grouped = entries[group - 1]
        literal = found.start() - at
        span = _judged(rule, data, literal, found.start(group) if grouped else literal, found.end(group))
        if span is not None:
            yield span
        position = found.start() + 1 if span is None else found.end()


def _judged(rule: Rule, data: bytes, literal: int, start: int, end: int) -> Span | None:
    """What a match of the gate is, given what stands before its literal and what the secret itself looks like."""
    window = data[max(0, literal - 256) : literal]
    if rule.unless and _ending(rule.unless).search(window):
        return None
    if rule.before:
        before = _ending(rule.before).search(window)
        if before is None:
            return None
        if before.re.groups:
            start, end = literal - len(window) + before.start(1), literal
    if rule.real is not None and not rule.real(data[start:end]):
        return None
    return start, end, rule.kind


@cache
def _ending(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern + rb"\Z")


def _masks(data: bytes, spans: Iterable[Span], newline: bytes, counts: Counter[str]) -> list[tuple[int, int, bytes]]:
    """What to write instead of which stretch of `data`; overlapping secrets become one, newlines within are kept."""
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and start < joined[-1][1]:
            start, last, kind = joined.pop()
            end = max(end, last)
        joined.append((start, end, kind))
    counts.update(kind for _, _, kind in joined)
    return [(s, e, b"[masked:%s]" % kind.encode() + newline * data.count(b"\n", s, e)) for s, e, kind in joined]


def _written(data: bytes, masks: Iterable[tuple[int, int, bytes]]) -> bytes:
    pieces: list[bytes] = []
    done = 0
    for start, end, mask in masks:
        pieces += (data[done:start], mask)
        done = end
    return b"".join((*pieces, data[done:]))


def _is_json(line: bytes) -> bool:
    try:
        # Only validity counts, and numbers of any length are valid.
        loads(line.decode("utf-8").removeprefix("\ufeff"), parse_int=float)
    except (ValueError, RecursionError):
        return False
    return True


_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')
_COLON = re.compile(rb"[ \t\r\n]*:")


def _strings(line: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The string values of valid JSON that may be masked, which are those below no key that names ids.

    Yields:
        The key (empty in an array), and where the string's body starts and ends.
    """
    outer: list[bytes] = []
    key = b""
    for token in _TOKEN.finditer(line):
        first = line[token.start()]
        if first in b"[{":
            outer.append(key)
            key = key if first in b"[" and _ID_NAME.search(key) else b""
        elif first in b"]}":
            key = outer.pop()
        elif _COLON.match(line, token.end()):
            key = line[token.start() + 1 : token.end() - 1]
        elif not _ID_NAME.search(key):
            yield key, token.start() + 1, token.end() - 1


def _in_string(key: bytes, raw: bytes, counts: Counter[str]) -> bytes:
    """The body of a JSON string with the secrets in its decoded text masked; `raw` itself if it holds none."""
    named = _SECRET_NAME.search(key) is not None and not _NO_SECRET_NAME.search(key)
    # The scheme of a header means little without the header's name.
    lead = b"authorization: " if key.endswith(b"uthorization") else b""
    if not (named or lead or _HIDDEN.search(raw) or next(_scan(raw), None)):
        return raw
    while True:
        value = loads(b'"%s"' % raw).encode("utf-8", "surrogatepass")
        spans = [(max(s - len(lead), 0), e - len(lead), kind) for s, e, kind in _scan(lead + value)]
        if not spans and named and _assigned(value):
            spans = [(0, len(value), "assignment")]
        if not spans:
            return raw
        masks = _masks(value, spans, b"\\n", counts)
        steps = _steps(raw)
        raw = _written(raw, [(_raw_offset(steps, s), _raw_offset(steps, e), mask) for s, e, mask in masks])


_ESCAPE = re.compile(rb"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|.)")


def _steps(raw: bytes) -> list[tuple[int, int]]:
    """Where the text of a JSON string's body (in UTF-8, lone surrogates as three bytes) and `raw` stand after each escape."""
    steps = [(0, 0)]
    text_at = raw_at = 0
    for escape in _ESCAPE.finditer(raw):
        pair, code = escape.groups()
        width = 4 if pair else len(chr(int(code, 16)).encode("utf-8", "surrogatepass")) if code else 1
        text_at += escape.start() - raw_at + width
        raw_at = escape.end()
        steps.append((text_at, raw_at))
    return steps


def _raw_offset(steps: list[tuple[int, int]], offset: int) -> int:
    """Where in the raw string a place of its text stands; never inside an escape."""
    text_at, raw_at = steps[bisect_right(steps, offset, key=itemgetter(0)) - 1]
    return raw_at + offset - text_at
