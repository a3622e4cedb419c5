"""Secrets that name what they are.

`SECRETS`: keys, passwords, headers, connection strings. `AWS`: keys that only the key id beside them tells.
`LITERALS`: bytes in code, and numbers of people in prose.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.placeholders import entropy, opaque, reserved_host, stands_in

_STORED: Final = (
    "$2a$",
    "$2b$",
    "$2x$",
    "$2y$",
    "$1$",
    "$5$",
    "$6$",
    "$y$",
    "$apr1$",
    "$argon2",
    "pbkdf2_",
    "{ssha",
    "{sha",
)
"""How a stored password begins."""


def _bearer(match: re.Match[str]) -> bool:
    return opaque(match["value"], least=12)


def _header(match: re.Match[str]) -> bool:
    value = match["value"]
    return not stands_in(value) and any(map(str.isdigit, value)) and entropy(value) >= 2.5


def _answer(match: re.Match[str]) -> bool:
    """True for the answer in a header of digest authentication."""
    line = match.string[max(0, match.start() - 800) : match.start()].rpartition("\n")[2]
    return compiled(r"(?i)(?<![a-z])digest[ \"']").search(line) is not None and not stands_in(match["value"])


def _given(match: re.Match[str]) -> bool:
    return not stands_in(match["value"])


def _login(match: re.Match[str]) -> bool:
    user, _, password = match["value"].partition(":")
    host = compiled(r"\[[^\]\s]{1,60}\]|[\w.-]{1,200}").match(match.string, match.end())
    if user == password and host is not None and reserved_host(host[0]):
        return False  # an account that a server on this machine has from the beginning
    return not stands_in(password) and password.lower() not in DUMMY and compiled(r"\$\w+\Z").match(password) is None


def _opaque(match: re.Match[str]) -> bool:
    return opaque(match["value"], least=12)


def _cookie(match: re.Match[str]) -> bool:
    pairs = (pair.strip().partition("=")[::2] for pair in match["value"].split(";"))
    return any(opaque(value, least=8 if compiled(_SESSION).search(name) else 12) for name, value in pairs)


def _jwk(match: re.Match[str]) -> bool:
    around = match.string[max(0, match.start() - 2_000) : match.end() + 2_000]
    return "kty" in around and opaque(match["value"])


_SESSION: Final = r"(?i)sess|sid\b|sid\Z|auth|token"
DUMMY: Final = frozenset({"pass", "passwd", "password", "pwd", "secret", "pw", "apikey", "token", "x-oauth-basic"})
"""What examples put in the place of a password."""

SECRETS: Final[tuple[Detector, ...]] = (
    Detector(
        id="private-key",
        kind=Kind.SECRET,
        why="A private key identifies its owner for as long as it is valid.",
        keywords=("private key",),
        starts=("-----begin",),
        expression=(
            r"-----BEGIN[^-\n]{0,40}PRIVATE KEY[^-\n]{0,10}-----(?:[A-Za-z0-9+/=\s\\\"',:.]|-(?!----)){0,9000}+"
            r"(?:-----END[^-\n]{0,60}-----)?"
        ),
        example=(
            "-----BEGIN RSA ",
            "PRIVATE KEY-----\n",
            "MIIEpAIBAAKCAQEA7q2k\n",
            "-----END RSA ",
            "PRIVATE KEY-----",
        ),
        counter_example=("-----BEGIN PUBLIC", " KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----"),
    ),
    Detector(
        id="json-web-token",
        kind=Kind.TOKEN,
        why="A signed token carries a session and personal claims, and can be replayed.",
        keywords=("eyj",),
        starts=("eyj",),
        expression=(
            r"(?<![A-Za-z0-9_-])(?P<value>eyJ[A-Za-z0-9_-]{8,}\.(?:[A-Za-z0-9_-]{8,}|(?=\.[A-Za-z0-9_-]{8}))={0,2}"
            r"(?:\.[A-Za-z0-9_-]*={0,2}){0,3})"
        ),
        example=("eyJhbGciOiJIUzI1", "NiJ9.", "eyJzdWIiOiI0ODIxIn0.", "c2lnbmF0dXJlLW9mLW5vdGhpbmc"),
        counter_example=("eyJhbGci is the start of a header",),
    ),
    Detector(
        id="bearer-value",
        kind=Kind.TOKEN,
        why="Whoever holds a bearer value is let in.",
        keywords=("bearer",),
        starts=("bearer",),
        named=True,
        expression=(
            r"(?i)(?:(?<![A-Za-z])|(?<=set)|(?<=with))bearer(?:[\s:=,\"'\\]{1,6}|(?:auth|token)\([ \t]?\\?[\"'`]|[ \t](?:[$#]?\{[ \t]?\\?[\"'`]|(?:%[sv]|\{\w{0,10}\})?\\?[\"'`][ \t]{0,3}(?:%|,|\.(?:format|concat)\()[ \t]{0,3}\(?[ \t]{0,3}\\?[\"'`])|[ \t]?\\?[\"'`][ \t]{0,3}[+.,][ \t]{0,3}\\?[\"'`])"
            r"(?P<value>[A-Za-z0-9._~+/=-]{12,4096})"
        ),
        example=("Authorization: Bea", "rer ", "7fQ2xV9kLm3ZpT8wRb5Y"),
        counter_example=("Authorization: Bearer SYNTHETIC-TOKEN",),
        confirm=_bearer,
    ),
    Detector(
        id="basic-header",
        kind=Kind.CREDENTIAL,
        why="A basic header is a user name and a password, merely encoded.",
        keywords=("basic",),
        starts=("basic",),
        expression=r"(?i)(?<![A-Za-z])basic[ \t]{1,3}(?:[$#]?\{[ \t]?\\?[\"'`])?(?P<value>[A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/=])",
        example=("Authorization: Bas", "ic ", "b3JkZXJzOnE3UngyTHY5"),
        counter_example=("Basic authentication is described here",),
        confirm=lambda match: opaque(match["value"], least=12) and len(match["value"]) % 4 == 0,
    ),
    Detector(
        id="authorization-header",
        kind=Kind.CREDENTIAL,
        why="The value of an authorization or cookie header opens a session.",
        keywords=("authorization", "cookie", "api-key", "auth-token"),
        starts=("authorization", "cookie", "x-api-key", "x-auth-token"),
        named=True,
        expression=(
            r"(?i)(?<![A-Za-z])(?:authorization|cookie|x-api-key|x-auth-token)\\?[\"']?"
            r"\]?\s{0,3}[:=]\s{0,3}\\?[\"'`]?(?!bearer|basic)(?:[A-Za-z]{2,16} )?(?:[$#]?\{[ \t]?\\?[\"'`])?(?P<value>[^\s\"'`\\,;<>\[\]]{8,4096})"
        ),
        example=("Set-Coo", "kie: ", "sid=8fj2kd9s7a6qLmPz"),
        counter_example=("Authorization: required",),
        confirm=_header,
    ),
    Detector(
        id="digest-response",
        kind=Kind.CREDENTIAL,
        why="The password can be guessed from the answer, and some servers take it once more.",
        keywords=("digest",),
        starts=("response=",),
        expression=r"(?i)response=\\?\"?(?P<value>(?:[0-9a-f]{32}){1,2})(?![0-9a-f])",
        example=('Digest username="a", nonce="n", resp', 'onse="9f3a7c1e5b2d8046', 'af17c3e95d20b864"'),
        counter_example=('Digest username="a", response="<response>"',),
        confirm=_answer,
    ),
    Detector(
        id="named-header",
        kind=Kind.CREDENTIAL,
        why="Recorded traffic names a header and its value apart.",
        keywords=('"name"', '\\"name\\"'),
        starts=('"name',),
        named=True,
        expression=(
            r"(?i)\"name\\?\"\s{0,20}:\s{0,20}\\?\"(?:proxy-authorization|authorization|set-cookie|cookie|x-api-key|x-auth-token)"
            r"\\?\"\s{0,20},\s{0,20}\\?\"value\\?\"\s{0,20}:\s{0,20}\\?\"(?P<value>[^\"\\\0]{8,4096})"
        ),
        example=('{"name": "Coo', 'kie", "value": "sid=8fj2kd9s', '7a6qLmPz"}'),
        counter_example=('{"name": "Cookie", "value": "SYNTHETIC-COOKIE"}',),
        confirm=_header,
    ),
    Detector(
        id="url-credentials",
        kind=Kind.CREDENTIAL,
        why="User name and password stand in front of the host.",
        keywords=("://",),
        starts=("://",),
        expression=r"(?<=[A-Za-z0-9+.-])://(?P<value>[^\s:/@\"'<>\[\]]{0,100}:[^\s@/\"'<>\[\]]{3,200})@",
        example=("postgres://orders:", "q7Rx2Lv9tB", "@db.example.com/orders"),
        counter_example=("https://user:<password>@api.example.com",),
        confirm=_login,
    ),
    Detector(
        id="url-token",
        kind=Kind.TOKEN,
        why="A token stands in front of the host, alone.",
        keywords=("://",),
        starts=("://",),
        expression=r"(?<=[A-Za-z0-9+.-])://(?P<value>[A-Za-z0-9_-]{16,255})(?=@[A-Za-z0-9])",
        example=("https://k2Lv9tBq7RxZ", "p4Wm8Yc1", "@git.example.com/a/b.git"),
        counter_example=("https://orders-administrators@git.example.com/a.git",),
        confirm=_opaque,
    ),
    Detector(
        id="oracle-login",
        kind=Kind.CREDENTIAL,
        why="User name and password stand in front of the database's name.",
        keywords=("sqlplus ", ":thin:"),
        starts=("sqlplus ", ":thin:"),
        expression=r"(?i)(?:sqlplus (?:-\w+ )?|:thin:)[\w$#]{1,40}/(?P<value>[^\s@/\"'`]{4,100})@",
        example=("sqlplus orders/", "q7Rx2Lv9tB", "@db.example.com"),
        counter_example=("sqlplus orders/<password>@db.example.com",),
        confirm=_given,
    ),
    Detector(
        id="password-file",
        kind=Kind.SECRET,
        why="The last field of such a line is the password of a database.",
        keywords=(),
        needs=r":(?:\d{4,5}|\*):[\w*-]{1,60}:[\w.*@-]{1,60}:",
        reach=500,
        expression=(
            r"(?<![\w.*:/-])[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w*-]{1,60}:[\w.*@-]{1,60}:(?P<value>[^\s:`\"',]{6,200})(?=\s|\\n|[\"']|\Z)"
        ),
        example=("db.example.com:5432:orders:orders:", "q7Rx2Lv9tB"),
        counter_example=("db.example.com:5432:orders:orders:<password>",),
        confirm=_given,
    ),
    Detector(
        id="cookie-header",
        kind=Kind.CREDENTIAL,
        why="A cookie opens a session, also when it is not the first of its line.",
        keywords=("cookie", "curl "),
        starts=("cookie", "-b ", "-b '", '-b "', "--cookie "),
        named=True,
        expression=(
            r"(?i)(?:(?<![A-Za-z])cookie\\?[\"']?\s{0,3}[:=]\s{0,3}|(?<=\s)-b |--cookie )\\?[\"']?"
            r"(?P<value>[\w.-]{1,80}=[^\s;\"'`\\\0]{0,4096}(?:; ?[\w.-]{1,80}=[^\s;\"'`\\\0]{0,4096}){0,40})"
        ),
        example=("Coo", "kie: theme=dark; ", "sid=8fj2kd9s7a6qLmPz"),
        counter_example=("Cookie: theme=dark; sid=SYNTHETIC-SESSION-1",),
        confirm=_cookie,
    ),
    Detector(
        id="private-jwk",
        kind=Kind.SECRET,
        why="The private part of a key in JSON.",
        keywords=('"kty', '\\"kty'),
        starts=('"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"', '"d\\"', '"k\\"'),
        expression=r"\"(?:d|p|q|dp|dq|qi|k)\\?\"\s{0,3}:\s{0,3}\\?\"(?P<value>[A-Za-z0-9_-]{22,1400})\\?\"",
        example=('{"kty": "EC", "d": "', "k2Lv9tBq7RxZp4Wm8Yc1Nd6J", 'h3Fs5Gu0"}'),
        counter_example=('{"kty": "EC", "d": "SYNTHETIC-PRIVATE-PART-17"}',),
        confirm=_jwk,
    ),
    Detector(
        id="putty-key",
        kind=Kind.SECRET,
        why="The private lines of a key file.",
        keywords=("private-lines:",),
        starts=("private-lines:",),
        expression=r"(?i)private-lines: \d{1,3}(?:\n|\\n)(?P<value>[A-Za-z0-9+/=\n\\]{20,6000})",
        example=("Private-", "Lines: 1\n", "k2Lv9tBq7RxZp4Wm8Yc1Nd6J"),
        counter_example=("Private-Lines: 14",),
    ),
    Detector(
        id="password-hash",
        kind=Kind.SECRET,
        why="A password can be guessed from what it is kept as.",
        keywords=_STORED,
        starts=_STORED,
        expression=(
            r"(?P<value>\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$(?:apr1|1|5|6)\$(?:rounds=\d{1,9}\$)?[./\w]{1,16}\$[./\w]{22,86}"
            r"|\$y\$[./\w]{1,10}\$[./\w]{1,86}\$[./\w]{43}|\$argon2(?:id|i|d)\$[\w=,$]{10,60}\$[\w+/$]{20,200}"
            r"|pbkdf2_sha\d{1,3}\$\d{1,9}\$[\w+/=]{1,64}\$[\w+/=]{30,128}|\{(?i:ssha)\d{0,3}\}[\w+/=]{28,200}|\{(?i:sha)\d{0,3}\}[\w+/]{27,200}={0,2})"
        ),
        example=("$2", "b$12$", "k2Lv9tBq7RxZp4Wm8Yc1Nd6Jh3Fs5Gu0aE1bD2cC3dB4eA5fZ6gY7"),
        counter_example=("$2b$12$ is the head of a hash",),
    ),
    Detector(
        id="webhook-url",
        kind=Kind.TOKEN,
        why="The path of a webhook is its key.",
        keywords=("hooks.slack.com", "discord", ".webhook.office.com", "outlook.office"),
        starts=("https://",),
        expression=(
            r"(?i)(?P<value>https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|[a-z0-9-]{1,60}\.webhook\.office\.com|outlook\.office(?:365)?\.com/webhook)"
            r"/[A-Za-z0-9_/@-]{16,300})"
        ),
        example=("https://hooks.slack", ".com/services/", "T03Q8ZK2L/B05W7XR9M/", "k2Lv9tBq7RxZp4Wm8Yc1Nd6J"),
        counter_example=("https://hooks.slack.com/services/", "TXXXXXXXX/BXXXXXXXX/", "X" * 24),
        confirm=_given,
    ),
    Detector(
        id="telegram-token",
        kind=Kind.TOKEN,
        why="The token of a bot is the bot.",
        keywords=(":aa",),
        starts=(":aa",),
        back=r"[0-9]{8,10}",
        expression=r"(?<![A-Za-z0-9])(?P<value>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])",
        example=("583920", "1746:AA", "Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe"),
        counter_example=("583920:AA is no token",),
    ),
)


# Secret keys of Amazon Web Services: they have no prefix, so only the key id beside them tells what they are.


_KEY_ID: Final = "A[KS]IA[A-Z0-9]{16}"
_ALONE: Final = rf"(?<![A-Za-z0-9]){_KEY_ID}(?![A-Za-z0-9])"
_RUN: Final = "[A-Za-z0-9+/]"
_LINES: Final = 6
_NEAR: Final = 500
_OBJECT: Final = 2_000
_LEAST_KEY_ENTROPY: Final = 4.2
"""Bits per character. Of random keys one in forty thousand has less; names and paths of that length have."""


def _secret(match: re.Match[str]) -> bool:
    """True for what looks drawn by lot and stands near a key id, before or after it."""
    value = match["value"]
    drawn = (
        any(map(str.islower, value))
        and any(map(str.isupper, value))
        and any(char.isdigit() or char == "+" for char in value)
        and compiled("[0-9a-fA-F]+").fullmatch(value) is None
    )
    return drawn and entropy(value) >= _LEAST_KEY_ENTROPY and not stands_in(value) and _near(match)


def _near(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span("value")
    before = text[max(0, start - _OBJECT) : start].rpartition("\0")[2]
    after = text[end : end + _OBJECT].partition("\0")[0]
    ids = compiled(_ALONE)
    return any(_beside(before[found.end() :]) for found in ids.finditer(before)) or any(
        _beside(after[: found.start()]) for found in ids.finditer(after)
    )


def _beside(between: str) -> bool:
    """True when that little stands between them, or nothing but members of one JSON object."""
    lines = between.split("\n")
    if len(between) <= _NEAR and len(lines) <= _LINES:
        return True
    members = '":' in between and "{" not in between and "}" not in between
    return members and all(line.lstrip().startswith('"') for line in lines[1:])


AWS: Final[tuple[Detector, ...]] = (
    Detector(
        id="aws-secret-key",
        kind=Kind.SECRET,
        why="With the key id beside it, the secret key signs requests in its owner's name.",
        keywords=("akia", "asia"),
        needs=_KEY_ID,
        reach=_OBJECT + 100,
        named=True,
        # What stands in front is part of the match: where it was an escape, the text without escapes is searched there.
        expression=(
            rf"(?:\A|[^A-Za-z0-9+/]|\\[nrt]|%0[9ADad]|(?<={_KEY_ID})[+/])(?P<value>{_RUN}{{40}})(?![A-Za-z0-9+/=])"
        ),
        example=("AKIA", "QYLPMN5HFIQR7XYA and ", "hR7+vQ2mLx9/TzK4bWcY", "pD8sNf3uGj6EaVo1Xi5q"),
        counter_example=("AKIAIOSFODNN7EXAMPLE", " of 3f786850e387550fdab836ed7e6dc881de23001b"),
        confirm=_secret,
    ),
)


# Secrets that code writes down as bytes, and numbers of people that prose names without a sign between.


_BEFORE: Final = (
    r"(?i)(?:key|secret|token|seed|passw\w{0,6}|pepper|credential)\w{0,20}(?::[ \t]?bytes)?[\"']?\]?\s{0,8}[:=]\s{0,8}"
    r"(?:[\w.]{1,30}\.)?\Z"
)
_LEAST_LITERAL_ENTROPY: Final = 2.5


def _named(match: re.Match[str]) -> bool:
    """True for bytes that look drawn, given to a name that says that they are secret."""
    before = match.string[max(0, match.start() - 120) : match.start()]
    value = match["value"]
    return (
        not stands_in(value)
        and entropy(value) >= _LEAST_LITERAL_ENTROPY
        and compiled(_BEFORE).search(before) is not None
    )


def _numbered(match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match["value"])
    return len(digits) >= 5 and len(set(digits)) > 3 and digits not in "01234567890123456789"


LITERALS: Final[tuple[Detector, ...]] = (
    Detector(
        id="secret-bytes",
        kind=Kind.SECRET,
        why="The name that the decoded bytes are given to says that they are secret.",
        keywords=("fromhex(", "unhexlify(", "b64decode("),
        starts=("fromhex(", "unhexlify(", "b64decode("),
        expression=r"\w{7,9}\(\s{0,8}b?\\?[\"'](?P<value>[A-Za-z0-9+/_-]{16,512}={0,2})\\?[\"']",
        example=('SECRET = bytes.fromhex("', "9f3a7c1e5b2d8046", 'af17c3e95d20b864")'),
        counter_example=('DIGEST = bytes.fromhex("', "9f3a7c1e5b2d8046", 'af17c3e95d20b864")'),
        confirm=_named,
    ),
    Detector(
        id="secret-escapes",
        kind=Kind.SECRET,
        why="The name that the bytes are given to says that they are secret.",
        keywords=("\\x",),
        starts=('b"\\x', "b'\\x"),
        expression=r"b[\"'](?P<value>(?:\\x[0-9a-fA-F]{2}){8,256})[\"']",
        example=('hmac_key = b"', "\\x9f\\x3a\\x7c\\x1e", '\\x5b\\x2d\\x80\\x46"'),
        counter_example=('MAGIC = b"', "\\x9f\\x3a\\x7c\\x1e", '\\x5b\\x2d\\x80\\x46"'),
        confirm=_named,
    ),
    Detector(
        id="told-national-number",
        kind=Kind.PERSONAL_DATA,
        why="The words in front of the value say that a state gave it to one person.",
        keywords=("ssn", "social security", "passport"),
        starts=("ssn", "social security", "passport"),
        expression=(
            r"(?i)(?<![A-Za-z])(?:ssn|social security (?:number|no\.?)|passport (?:number|no\.?))(?: is)? "
            r"(?P<value>\d{3}-\d{2}-\d{4}|[A-Z0-9]{0,3}\d{5,9}|\d{2}[A-Z]{2}\d{5})(?![\w-])"
        ),
        example=("SSN 482-", "91-7364"),
        counter_example=("SSN 000-00-0000",),
        confirm=_numbered,
    ),
)
