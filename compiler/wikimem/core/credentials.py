r"""Credentials: the table of what secrets look like. It looks for nothing; `scanning` does.

One rule, one line. No piece of a pattern can backtrack far: a run is bounded, or no other can start inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# Text is often quoted inside text: a slash may stand as `\/`, a quote as `\"` or `\\\"`, a tab as `\t`, é as `\u00e9`.
# Each piece takes both.
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

_CLOSED = rb"<%s(?i:private)>" % _SLASH


def _nested(depth: int) -> bytes:
    """What stands before the end of a private remark that holds others, so many deep."""
    inner = rb"|<(?i:private)>%s%s" % (_nested(depth - 1), _CLOSED) if depth else b""
    return rb"(?:[^<]++|<(?!%s(?i:private)>|(?i:private)>)%s)*+" % (_SLASH, inner)


_PRIVATE = rb"(?:%s%s|(?:[^<]++|<(?!%s(?i:private)>))*+%s)" % (_nested(8), _CLOSED, _SLASH, _CLOSED)
"""Up to the end that belongs to this beginning, else up to the nearest: of two beginnings the one may have none."""

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


def assigned(value: bytes) -> bool:
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
    Rule("assignment", b"password Password PASSWORD passwd Passwd PASSWD", _QUOTED, edge=b"", real=assigned),
    Rule("assignment", b"secret Secret SECRET credential CREDENTIAL", _QUOTED, edge=b"", real=assigned),
    Rule("assignment", b"token Token TOKEN", _QUOTED, edge=b"", unless=rb"(?i:%s)" % _NO_TOKEN_OF, real=assigned),
    Rule("assignment", b"key Key KEY", _QUOTED, edge=b"", before=rb"(?i:%s)" % _KEY_OF, real=assigned),
    Rule("header", b"key Key KEY token Token TOKEN secret Secret SECRET", _HEADER, edge=b"",
         before=rb"[\"'`](?:[A-Za-z0-9]+-)+", real=assigned),
    Rule("environment", b"PASSWORD SECRET TOKEN KEY", _UNQUOTED, edge=b"",
         before=rb"(?:(?<![A-Z0-9_])|%s)%s" % (_AFTER, _SERVICE), real=assigned),
)
# fmt: on

SECRET_NAME = re.compile(rb"(?i)(?:password|passwd|secret|credential|token|%skey)(?:s|_?base)?\Z" % _KEY_OF)
NO_SECRET_NAME = re.compile(rb"(?i)%stokens?\Z" % _NO_TOKEN_OF)
ID_NAME = re.compile(
    rb"(?i:(?:\A|[_.-])(?:(?:uu|gu)?ids?|sha\d*|hash|signature|checksum|digest))\Z"
    rb"|[a-z0-9](?:Ids?|IDs?|U[uU][iI][dD]s?|Hash|Signature|Checksum|Digest|Sha\d*)\Z"
)
