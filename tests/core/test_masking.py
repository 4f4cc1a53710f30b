"""Masking: what is a secret and what is not, and the laws that hold whatever a line contains.

Every secret here is invented, and put together from parts so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import masking

WORD = "a1B2c3D4e5"
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
UUID = "3f0c2a7e-1b4d-4c6f-9a8b-7d6e5f4c3b2a"
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJ" + "zdWIiOiIxMjMifQ" + "." + "c2lnbmF0dXJl" + WORD
LINES = [("M1" + WORD * 7)[:64], ("N2" + WORD * 7)[:64], "Zz9" + WORD + "=="]
MARK = "PRIVATE" + " KEY-----"


def armour(label: str, newline: str, lines: list[str] = LINES) -> str:
    return newline.join([f"-----BEGIN {label}{MARK}", *lines, f"-----END {label}{MARK}"])


# kind, text before, the secret, text after
SECRETS: list[tuple[str, str, str, str]] = [
    ("anthropic-key", "use ", "sk-ant-" + "api03-" + WORD * 9, " now"),
    ("openai-key", "key=", "sk-" + WORD * 4 + "T3Blbk" + WORD, ""),
    ("openai-key", "'", "sk-" + "proj-" + WORD * 5 + "_-" + WORD, "'"),
    ("openai-key", "(", "sk-" + "or-v1-" + HEX * 2, ")"),
    ("github-token", "token ", "ghp_" + "a1B2" * 9, "."),
    ("github-token", "FAKE_", "gho_" + "a1B2" * 9, "\n"),
    ("github-token", "", "github_pat_" + "1" * 11 + WORD + "_" + WORD * 5, ""),
    ("jwt", "ghs_123456_", JWT, " "),
    ("gitlab-token", "PRIVATE: ", "glpat-" + "x-Y_z" * 4, ""),
    ("aws-access-key", "id ", "AKIA" + "Q7W6E5R4T3Y2U1I0", ", "),
    ("aws-access-key", "id ", "ASIA" + "Q7W6E5R4T3Y2U1I0", ""),
    ("aws-secret", "aws_secret_access_key = ", WORD + "/+" + WORD + "/" + WORD + "abcdefg", "\n"),
    ("aws-secret", 'AWS_SESSION_TOKEN="', WORD * 9 + "==", '"'),
    ("google-api-key", "?key=", "AIza" + "Sy" + WORD * 3 + "abc", "&x"),
    ("google-oauth", "client ", "GOCSPX-" + WORD * 3, ""),
    ("azure-key", "AccountName=shop;AccountKey=", WORD * 8 + "abcdef==", ";Endpoint"),
    ("signed-url", "https://bucket/x?X-Amz-Date=1&X-Amz-Signature=", HEX * 2, " "),
    ("slack-token", "", "xoxb" + "-123456789012-" + WORD * 2, ""),
    ("slack-token", "", "xapp" + "-1-A01-" + WORD * 3, ""),
    ("slack-hook", "https://hooks." + "slack.com/services/", "T0AAAA/B0BBBB/" + WORD * 2, " "),
    ("discord-hook", "https://discord.com/api/" + "webhooks/123456789012345678/", WORD * 6, ""),
    ("stripe-key", "Stripe: ", "sk_" + "live_" + WORD * 3, ""),
    ("stripe-key", "", "rk_" + "test_" + WORD * 3, ""),
    ("stripe-key", "", "whsec_" + WORD * 3 + "+/==", ""),
    ("npm-token", "", "npm_" + WORD * 3 + "abcdef", ""),
    ("npm-token", "//registry.example/:_authToken=", UUID[::-1], "\n"),
    ("pypi-token", "", "pypi-" + "AgEIcHlwaS5vcmc" + WORD * 6, ""),
    ("sendgrid-key", "", "SG." + WORD * 2 + "ab." + WORD * 4 + "abc", ""),
    ("huggingface-token", "login ", "hf_" + WORD * 3 + "abcd", ""),
    ("groq-key", "", "gsk_" + WORD * 5 + "ab", ""),
    ("xai-key", "", "xai-" + WORD * 8, ""),
    ("perplexity-key", "", "pplx-" + WORD * 5, ""),
    ("linear-key", "", "lin_api_" + WORD * 4, ""),
    ("supabase-token", "", "sbp_" + HEX + HEX[:8], ""),
    ("shopify-token", "", "shpat_" + HEX, ""),
    ("digitalocean-token", "", "dop_v1_" + HEX * 2, ""),
    ("docker-token", "", "dckr_pat_" + WORD * 2 + "abcdefg", ""),
    ("atlassian-token", "", "ATATT3x" + WORD * 12 + "=AB12", ""),
    ("tailscale-key", "", "tskey-" + "auth-kAbC-" + WORD * 3, ""),
    ("vault-token", "", "hvs." + WORD * 5, ""),
    ("age-key", "", "AGE-SECRET-KEY-1" + "Q7W6E5R4T3" * 6, ""),
    ("telegram-token", "bot1234567890", ":AA" + "F-g_h" * 6 + "abc", "/sendMessage"),
    ("jwt", "cookie=", JWT, "; path"),
    ("signed-token", 'data-session="', "SFMyNTY." + WORD * 4 + "." + WORD * 4, '"'),
    ("url-password", "postgres://app:", "hunter2-x", "@db.internal/shop"),
    ("url-password", "redis://:", "p4ss@w0rd", "@cache:6379/0"),
    ("url-password", "https://me:", "sécrèt99", "@git.example/x.git"),
    ("authorization", 'curl -H "Authorization: Bearer ', "some.opaque-value", '" https://x'),
    ("authorization", "Authorization: Basic ", "dXNlcjpwYXNzd29yZA==", "\r\n"),
    ("authorization", "{'authorization': 'token ", "abcdefghij", "'}"),
    ("authorization", "sent Bearer ", WORD * 2 + ".x", " along"),
    ("assignment", "password = '", "hunter2hunter", "'"),
    ("assignment", 'DB_PASSWORD="', "s3cr3t!#%pw", '"'),
    ("assignment", "client_secret: '", WORD, "'"),
    ("assignment", 'secret_key_base: "', WORD * 6, '"'),
    ("assignment", ":api_key => '", HEX, "'"),
    ("assignment", 'const apiKey = "', WORD, '";'),
    ("assignment", "accessToken := `", WORD * 2, "`"),
    ("assignment", '"credentials": "', "pässwört1", '"'),
    ("assignment", 'token=b"', WORD, '"'),
    ("assignment", '{\\"password\\": \\"', "nested1nested", '\\"}'),
    ("assignment", '"{\\\\\\"api_key\\\\\\":\\\\\\"', "deeper1deeper", '\\\\\\"}"'),
    ("header", "-H 'X-Api-Key: ", WORD, "'"),
    ("header", '"PRIVATE-TOKEN: ', WORD * 2, '"'),
    ("environment", "export STRIPE_SECRET=", WORD, "\n"),
    ("environment", "x\nDB_PASSWORD=", "hunter2hunter", "\nDB_HOST=db1.internal.example"),
    ("environment", "SECRET_KEY_BASE=", WORD * 4, ""),
]

PLAIN = [
    "the token budget is 4096 tokens, the password field is required, no secret here",
    '"usage": {"input_tokens": 12345, "cache_read_input_tokens": 67890, "token_type": "tokens1234"}',
    "apiKey: import.meta.env.SHOP_API_KEY_1",
    'api_key = os.environ["OPENAI_API_KEY_2"]',
    'password: "${DB_PASSWORD_1}"',
    "token = '<your-token-1>'",
    'secret: "{{ vault.secret1 }}"',
    'token: "#{user.token1}"',
    'token = f"{settings.token1}"',
    "api_key='your-api-key-12345'",
    "password = 'changeme12345'",
    'api_key: "xxxxxxxx12345678"',
    'secret = "example-secret-1"',
    "API_KEY='MY_API_KEY_1'",
    'password = "swordfish"',  # no digit
    'token = "abc12"',  # too short
    "password: hunter2hunter2",  # no quotes
    'password: "correct horse 1 battery"',  # blanks
    f'token: "{UUID}"',
    f"secret = '{HEX}{HEX[:8]}'",  # a git hash
    'key_path: "/etc/ssl/private1.key", private_key: "/etc/ssl/private1.key"',
    'token: "config/tokens/v2.json"',
    'secret: "https://vault.example/v1/secret"',
    'token: "2026-08-14T10:11:03Z"',
    'token: "toolu_01AbCdEfGhIj"',
    'token: "not-a-real-token-1"',
    'apiKeyId: "key12345678"',
    'primary_key: "order_id_12345", keyboard = "layout12345", monkey = "banana123"',
    'next_page_token: "CAoQAA12345"',
    'if token == "abc12345": pass',
    "a task-1234567890abcdef1234567890 and risk-" + WORD * 3,
    "sk-" + "fading-circle-animation-delay-1",
    "sk-" + "your-key-goes-here-1234567890",
    "ghp_" + "x" * 36,
    "ghp_short1",
    "npm_config_registry and hf_hub_download and xox",
    "AKIA" + "IOSFODNN7",
    f"toolu_{WORD * 3} msg_{WORD * 3} req_{WORD * 3} call_{WORD * 3}",
    "eyJ is how base64 of JSON starts: " + JWT.rsplit(".", 2)[0],
    "postgres://localhost:5432/shop and https://github.com/a/b@v1.2.3",
    "postgres://user:password@localhost/shop and mysql://${USER}:${PASS1}@host",
    "see http://localhost:4000, mail ann@example.org",
    "git@github.com:a/b.git and ssh://git@host:22/x",
    'Authorization: Bearer ${TOKEN} or f"Bearer {token1}" or Bearer <token>',
    "Bearer authentication is required; Basic understanding1234 helps",
    "-----BEGIN " + MARK + " is how a key starts",
    "pem = '-----BEGIN " + MARK + "\\n' + body + '\\n-----END " + MARK + "'",
    "-----BEGIN " + "CERTIFICATE-----\n" + WORD * 6 + "\n-----END CERTIFICATE-----",
    "GITHUB_TOKEN=$(gh auth token) STRIPE_KEY=$KEY1 HF_TOKEN=... MAX_TOKEN=12345678",
    "ann@example.org, 192.168.178.21, +49 170 1234567",
]

spec = pytest.mark.parametrize(("kind", "before", "secret", "after"), SECRETS)


@spec
def test_a_secret_in_text_is_masked_alone(kind: str, before: str, secret: str, after: str) -> None:
    masked, counts = masking.text(f"{before}{secret}{after}".encode())
    assert masked.decode() == f"{before}[masked:{kind}]{after}"
    assert counts == {kind: 1}


@spec
def test_a_secret_in_a_json_string_is_masked_however_it_is_encoded(kind: str, before: str, secret: str, after: str) -> None:
    value = f"é{before}{secret}{after}\n" if not before[:1].isalnum() and before else f"{before}{secret}{after}\n"
    expected = value.replace(secret, f"[masked:{kind}]")
    for line in encodings({"uuid": UUID, "text": ["¶", value], "n": 1.50}):
        masked, counts = masking.json_line(line)
        assert json.loads(masked) == {"uuid": UUID, "text": ["¶", expected], "n": 1.50}
        assert counts == {kind: 1}
        assert untouched(line, masked)


@spec
def test_a_secret_in_json_within_json_is_masked(kind: str, before: str, secret: str, after: str) -> None:
    inner = json.dumps({"cmd": f"run {before}{secret}{after}"})
    for line in encodings({"result": json.dumps({"out": inner})}):
        masked, counts = masking.json_line(line)
        assert secret not in json.loads(json.loads(json.loads(masked)["result"])["out"])["cmd"]
        assert counts == {kind: 1}


@spec
def test_a_torn_line_leaks_nothing(kind: str, before: str, secret: str, after: str) -> None:
    value = json.dumps({"uuid": UUID, "text": f"¶ {before}{secret}{after} ¶"}, ensure_ascii=False).encode()
    masked, counts = masking.json_line(value[:-3])
    assert json.dumps(secret, ensure_ascii=False)[1:-1].encode() not in masked
    assert counts == {kind: 1}
    assert UUID.encode() in masked


@pytest.mark.parametrize("plain", PLAIN)
def test_what_is_no_secret_stays(plain: str) -> None:
    assert masking.text(plain.encode()) == (plain.encode(), {})
    for line in encodings({"text": plain, "more": [json.dumps(plain)]}):
        assert masking.json_line(line) == (line, {})


@pytest.mark.parametrize("label", ["", "RSA ", "OPENSSH ", "EC ", "ENCRYPTED "])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\n    ", "\\n", "\\\\n", '\\n" +\n  "'])
def test_a_private_key_keeps_its_frame_and_its_newlines(label: str, newline: str) -> None:
    data = f"see\n{armour(label, newline)}\nend\n"
    masked, counts = masking.text(data.encode())
    assert counts == {"private-key": 1}
    assert masked.count(b"\n") == data.count("\n")
    assert not any(line.encode() in masked for line in LINES)
    assert masked.startswith(f"see\n-----BEGIN {label}{MARK}".encode())
    assert masked.endswith(f"-----END {label}{MARK}\nend\n".encode())


@pytest.mark.parametrize(
    "key",
    [
        armour("", "\n", ["FAKEFAKEFAKE"]),
        armour("RSA ", "\n", ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC," + HEX, "", *LINES]),
        armour("", "\n", [f"   {n}→{line}" for n, line in enumerate(LINES, 12)]),
        armour("", "\n", [f"+{line}" for line in LINES]),
        f"-----BEGIN PGP {MARK[:-5]} BLOCK-----\nComment: Ünicode key\n\n" + "\n".join(LINES) + "\n=aB3d\n-----END PGP",
        armour("", "\n").rsplit("\n", 1)[0],  # cut before its end
        armour("", "\n").rsplit("\n", 2)[0][:-9],
    ],
)
def test_a_private_key_is_found_as_viewers_print_it(key: str) -> None:
    masked, counts = masking.text(key.encode())
    assert counts == {"private-key": 1}
    assert not any(line[:20].encode() in masked for line in [*LINES, "FAKEFAKEFAKE"])
    for line in encodings({"stdout": f"{key}\n", "uuid": UUID}):
        again, counts = masking.json_line(line)
        assert counts == {"private-key": 1}
        assert json.loads(again) == {"stdout": f"{masked.decode()}\n", "uuid": UUID}


@pytest.mark.parametrize("key", ["password", "client_secret", "apiKey", "api_key", "x-api-key", "authToken", "API_KEY"])
def test_the_value_of_a_json_key_that_names_a_secret_is_masked(key: str) -> None:
    line = json.dumps({"input": {key: WORD, "path": "a.py"}}).encode()
    assert masking.json_line(line) == (line.replace(WORD.encode(), b"[masked:assignment]"), {"assignment": 1})


def test_a_header_in_a_json_object_is_masked() -> None:
    line = b'{"Authorization":"Basic dXNlcjpwYXNz","Accept":"*/*"}'
    assert masking.json_line(line) == (
        b'{"Authorization":"Basic [masked:authorization]","Accept":"*/*"}',
        {"authorization": 1},
    )


ID_KEYS = [
    *("id", "uuid", "parentUuid", "leafUuid", "sessionId", "session_id", "tool_use_id", "messageId", "promptId"),
    *("requestId", "sourceToolAssistantUUID", "signature", "thoughtSignature", "hash", "projectHash", "sha", "sha256"),
    *("commit_sha", "toolUseIDs", "ids", "apiKeyId", "secret_id"),
]


@pytest.mark.parametrize("key", ID_KEYS)
def test_an_id_is_never_touched(key: str) -> None:
    token = "ghp_" + "a1B2" * 9
    line = json.dumps({key: token, "other": {key: [token, token]}, "text": token}).encode()
    masked, counts = masking.json_line(line)
    assert counts == {"github-token": 1}
    assert json.loads(masked) == {key: token, "other": {key: [token, token]}, "text": "[masked:github-token]"}


def test_keys_are_never_touched_and_arrays_end_where_they_end() -> None:
    token = "ghp_" + "a1B2" * 9
    line = json.dumps({token: [[{"id": token}, token], {"ids": [[token]], "x": token}]}).encode()
    masked, counts = masking.json_line(line)
    mask = "[masked:github-token]"
    assert json.loads(masked) == {token: [[{"id": token}, mask], {"ids": [[token]], "x": mask}]}
    assert counts == {"github-token": 2}


def test_several_secrets_are_counted_by_kind_and_overlaps_once() -> None:
    token = "ghp_" + "a1B2" * 9
    masked, counts = masking.text(f"{token} {token} password='{token}' https://u:{token}@x.example".encode())
    assert masked == (
        b"[masked:github-token] [masked:github-token] password='[masked:assignment]' https://u:[masked:github-token]@x.example"
    )
    assert counts == {"github-token": 3, "assignment": 1}


def test_a_second_scan_finds_what_is_left_in_a_file() -> None:
    token = "ghp_" + "a1B2" * 9
    line = json.dumps({"text": token}).encode()
    assert masking.left(b"{}\n" + line + b"\n\n" + line, json=True) == {"github-token": 2}
    assert masking.left(line[:-2], json=True) == {"github-token": 1}
    assert masking.left(f"a {token}\n".encode(), json=False) == {"github-token": 1}
    assert masking.left(masking.json_line(line)[0], json=True) == {}
    assert masking.left(b"", json=True) == masking.left(b"", json=False) == {}


def test_a_byte_order_mark_and_a_carriage_return_are_kept() -> None:
    token = "ghp_" + "a1B2" * 9
    line = b"\xef\xbb\xbf" + json.dumps({"id": token, "text": token}).encode() + b"\r"
    masked, counts = masking.json_line(line)
    assert counts == {"github-token": 1}
    assert masked == line[::-1].replace(token.encode()[::-1], b"[masked:github-token]"[::-1], 1)[::-1]


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "token=",
        'token="',
        "[",
        "\\",
        '\\"',
        "eyJ",
        "_eyJ",
        "sk-ant-",
        "://a:b@",
        "Bearer ",
        "-----BEGIN " + MARK,
        "APP_TOKEN=1example",
        "AccountKey=",
        "password: '1example",
        "\\u0041",
        "SG.",
        "key\\t\\t",
    ],
)
def test_a_hostile_line_is_read_in_linear_time_and_space(unit: str) -> None:
    """Not timed: a pattern that backtracked over 2 MB, or kept a state for each repetition, would not come back."""
    data = (unit * (2_000_000 // len(unit))).encode()
    masked, _ = masking.text(data)
    assert masking.left(masked, json=False) == {}
    line, counts = masking.json_line(b'{"a":"' + data + b'","t":"' + b"ghp_" + b"a1B2" * 9 + b'"}')
    assert b"ghp_a1B2" not in line
    assert counts["github-token"] == 1


def encodings(value: Any) -> list[bytes]:
    """One value as the JSON writers of this world write it."""
    ascii_only = json.dumps(value, separators=(",", ":"))
    written = [
        json.dumps(value, ensure_ascii=False),
        ascii_only,
        ascii_only.replace("/", "\\/"),
        re.sub(r"(?<!\\)[<>&'+=`]", lambda found: f"\\u{ord(found[0]):04x}", ascii_only),
    ]
    return [line.encode() for line in written if not re.search("[\ud800-\udfff]", line)]


def untouched(before: bytes, after: bytes) -> bool:
    """Whether what is around the masks is, byte for byte and in order, what was there."""
    kept = re.split(rb"\[masked:[a-z-]+\](?:\\n|\n)*", after)
    return re.fullmatch(rb"(?s:.+?)".join(re.escape(piece) + rb"(?:\\n|\n)*" for piece in kept), before) is not None


# Texts that are likely to hold secrets, halves of secrets, and what makes trouble around them.
fragments = st.one_of(
    st.sampled_from([f"{before}{secret}{after}" for _, before, secret, after in SECRETS]),
    st.sampled_from([secret for _, _, secret, _ in SECRETS]),
    st.sampled_from([armour("RSA ", "\n"), armour("", "\\n"), *PLAIN]),
    st.sampled_from(['"', "'", "\\", "\\n", "\n", "\t", "/", " ", "=", ": ", "@", ".", "-", "_", "é", "密", "😀", "\x00"]),
    st.sampled_from(["password", "token=", "api_key: '", "Bearer ", "[masked:jwt]", "[masked:", "]", "\ud800", "\x1b[0m"]),
    st.text(max_size=6),
)
texts = st.lists(fragments, max_size=6).map("".join)
keys = st.sampled_from(["id", "text", "token", "password", "ids", "content", "Authorization", "sha256", "é", 'a"b'])
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3) | inner.map(json.dumps),
    max_leaves=6,
)


@given(values)
def test_law_json_stays_equal_but_for_the_masked_parts(value: Any) -> None:
    for line in encodings(value):
        masked, counts = masking.json_line(line)
        assert untouched(line, masked)
        assert (masked == line) == (counts == {})
        compare(json.loads(line), json.loads(masked), is_id=False)


@given(values)
def test_law_what_is_masked_does_not_depend_on_how_json_is_written(value: Any) -> None:
    results = [masking.json_line(line) for line in encodings(value)]
    assert len({json.dumps(json.loads(masked)) for masked, _ in results}) == 1
    assert all(counts == results[0][1] for _, counts in results)


@given(texts, st.integers(0, 99))
def test_law_escapes_hide_nothing(value: str, seed: int) -> None:
    plain = masking.json_line(json.dumps(value).encode())
    how = random.Random(seed)
    inner = json.dumps(value)[1:-1]
    escaped = "".join(
        f"\\u{ord(char):04x}" if char not in '\\"' and how.random() < 0.3 and not escape else char
        for char, escape in zip(inner, inside_escape(inner), strict=True)
    )
    masked, counts = masking.json_line(f'"{escaped}"'.encode())
    assert json.loads(masked) == json.loads(plain[0])
    assert counts == plain[1]


@given(values)
def test_law_masking_a_line_twice_is_masking_it_once(value: Any) -> None:
    for line in encodings(value):
        masked, _ = masking.json_line(line)
        assert masking.json_line(masked) == (masked, {})
        assert masking.left(masked, json=True) == {}


@given(texts)
def test_law_masking_a_text_twice_is_masking_it_once_and_keeps_its_lines(value: str) -> None:
    data = value.encode("utf-8", "surrogatepass")
    masked, counts = masking.text(data)
    assert masking.text(masked) == (masked, {})
    assert masking.left(masked, json=False) == {}
    assert masked.count(b"\n") == data.count(b"\n")
    assert untouched(data, masked)
    assert (masked == data) == (counts == {})


@given(st.lists(st.binary(max_size=12) | texts.map(lambda text: text.encode("utf-8", "replace")), max_size=6))
def test_law_no_bytes_raise(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    for mask in (masking.text, masking.json_line):
        masked, _ = mask(data)
        assert mask(masked) == (masked, {})
    line = json.dumps({"text": data.decode("latin-1")}).encode()
    for cut in (len(line) // 2, len(line) - 1):
        masked, _ = masking.json_line(line[:cut])
        assert masking.left(masked, json=True) == {}


def inside_escape(body: str) -> list[bool]:
    """For each character of a JSON string's body, whether it belongs to an escape."""
    belongs = [False] * len(body)
    for found in re.finditer(r"\\(?:u[0-9a-fA-F]{4}|.)", body):
        belongs[found.start() : found.end()] = [True] * len(found[0])
    return belongs


def compare(before: Any, after: Any, is_id: bool) -> None:
    """Whether two values are equal but for masks, and equal where they name ids."""
    if isinstance(before, dict):
        assert list(before) == list(after)
        for name in before:
            compare(before[name], after[name], name in ("id", "ids", "sha256"))
    elif isinstance(before, list):
        for old, new in zip(before, after, strict=True):
            compare(old, new, is_id)
    elif isinstance(before, str) and not is_id:
        assert untouched(*(text.encode("utf-8", "surrogatepass") for text in (before, after)))
    else:
        assert before == after
