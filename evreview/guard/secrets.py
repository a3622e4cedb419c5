"""Keys, passwords, headers and connection strings that name what they are."""

from __future__ import annotations

import re
from typing import Final

from evreview.guard.model import Detector, Kind, compiled, value_group
from evreview.guard.synthetic import entropy, opaque, stands_in

_KEY: Final = (
    r"passw(?:or)?d|passwd|passwort|passphrase|pwd|(?<![A-Za-z])pw|kennwort|contrase(?:ñ|n)a|mot[ _-]de[ _-]passe"
    r"|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|shared[_-]?key|credentials?"
)
_CODE: Final = r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\Z|[\w.]*[(\[]|#/|/|https?:|\d{1,6}[a-z]{0,2}\Z|v?\d+(?:\.\d+)+\Z"
_STARTS: Final = (
    *("passw", "passphrase", "pw", "kennwort", "contrase", "mot", "secret", "token", "api", "access", "account"),
    *("private", "signing", "encryption", "shared", "credential"),
)
_CURSOR: Final = r"(?i)(?:page|cursor|next|continuation|idempotency|sync|resume)[ _-]?\Z"
_PASS: Final = "(?i)passw|pw|passphrase|kennwort|contrase|mot"


def _keyed(match: re.Match[str]) -> bool:
    value, is_pass = match[value_group(match)], bool(compiled(_PASS).search(match["key"]))
    if (
        stands_in(value)
        or compiled(_CODE).match(value)
        or compiled(_CURSOR).search(match.string[max(0, match.start() - 16) : match.start()])
    ):
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    symbol = any(not char.isalnum() and char not in "_-./:+= " for char in value) and " " not in value
    if is_pass:
        return len(value) >= 6 and (mixed or symbol) and " " not in value
    return len(value) >= 8 and mixed and " " not in value and entropy(value) >= 2.75


def _bearer(match: re.Match[str]) -> bool:
    return opaque(match["value"], least=12)


def _header(match: re.Match[str]) -> bool:
    value = match["value"]
    return not stands_in(value) and any(map(str.isdigit, value)) and entropy(value) >= 2.5


def _given(match: re.Match[str]) -> bool:
    return not stands_in(match["value"])


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
            r"(?<![A-Za-z0-9_-])(?P<value>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}={0,2}(?:\.[A-Za-z0-9_-]*={0,2}){0,3})"
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
        expression=r"(?i)(?<![A-Za-z])bearer[\s:=\"'\\]{1,6}(?P<value>[A-Za-z0-9._~+/=-]{12,4096})",
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
        expression=r"(?i)(?<![A-Za-z])basic[ \t]{1,3}(?P<value>[A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/=])",
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
            r"\s{0,3}[:=]\s{0,3}\\?[\"']?(?!bearer|basic)(?:[A-Za-z]{2,16} )?(?P<value>[^\s\"'\\,;<>\[\]]{8,4096})"
        ),
        example=("Set-Coo", "kie: ", "sid=8fj2kd9s7a6qLmPz"),
        counter_example=("Authorization: required",),
        confirm=_header,
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
        id="keyed-secret",
        kind=Kind.SECRET,
        why="The name in front of the value says that it is secret.",
        keywords=("pass", "pw", "kennwort", "contrase", "secret", "token", "key", "credential"),
        starts=_STARTS,
        named=True,
        expression=(
            rf"(?i)(?P<key>{_KEY})(?:[_-]?(?:value|key|id|prod|live|dev|\d{{1,2}}))?\\?[\"']?[ \t]{{0,8}}(?::=|=>|={{1,2}}|:)[ \t]{{0,8}}"  # noqa: E501
            r"(?:\\?\"(?P<value>[^\"\\\n]{6,512})\\?\"|'(?P<value_b>[^'\n]{6,512})'|(?P<value_c>[^\s\"'`<>,;&|{}\[\]()\\]{6,512}))"
        ),
        example=("pass", "word = ", "q7Rx2Lv9!tB"),
        counter_example=("password = SYNTHETIC-PASSWORD",),
        confirm=_keyed,
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
        confirm=_given,
    ),
    Detector(
        id="webhook-url",
        kind=Kind.TOKEN,
        why="The path of a webhook is its key.",
        keywords=("hooks.slack.com", "discord", ".webhook.office.com"),
        starts=("https://",),
        expression=(
            r"(?i)(?P<value>https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|[a-z0-9-]{1,60}\.webhook\.office\.com)"
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

_PAIR: Final = next(detector for detector in SECRETS if detector.id == "keyed-secret")


def is_keyed_secret(text: str) -> bool:
    """True when the text holds a name and a value that is secret because of that name."""
    return any(map(_keyed, _PAIR.pattern.finditer(text)))
