"""Other ways to write a secret down: elements, command lines, signed links, encoded pairs, words of a phrase."""

from __future__ import annotations

import base64
import re
from typing import Final
from urllib.parse import unquote

from evreview.guard.chosen import Admitted, is_chosen
from evreview.redaction.detector import Detector, Kind
from evreview.redaction.detectors.named_secrets import KEY, SUFFIX, is_keyed_secret
from evreview.redaction.detectors.plausible_passwords import SAID
from evreview.redaction.detectors.secrets import DUMMY
from evreview.redaction.placeholders import opaque, stands_in

_NAMES: Final = ("password", "passwort", "passwd", "secret", "token", "api_key", "apikey", "pwd=")
_SAYING: Final = 2
"""So many words about passwords make a sentence of a text."""
_COMMON: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "for",
        "to",
        "is",
        "are",
        "used",
        "your",
        "that",
        "this",
        "which",
        "with",
        "or",
        "and",
        "must",
        "be",
        "by",
        "in",
        "on",
    ]
)


def _fragments() -> tuple[str, ...]:
    """What the names of secrets look like inside base64, at each of the three alignments, in lower case."""
    found: set[str] = set()
    for name in _NAMES:
        for written in (name, name.upper(), name.capitalize()):
            for shift in range(3):
                whole = base64.b64encode(b"\0" * shift + written.encode()).decode().rstrip("=")
                kept = whole[(0, 2, 3)[shift] : (shift + len(written)) * 8 // 6]
                found.add(kept[:8].lower())
    return tuple(sorted(found))


_ENCODED: Final = _fragments()


def _pair(match: re.Match[str]) -> bool:
    value = match["value"].translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return False
    return is_keyed_secret(plain)


def _login(match: re.Match[str]) -> bool:
    password = match["value"].partition(":")[2]
    return not stands_in(password) and password.lower() not in DUMMY and password[:1] not in "<$%{"


def is_given(value: str) -> bool:
    """True for a password where only passwords stand: no variable, no option, no placeholder, no word of a manual."""
    if value[:1] in "<$%{([-/" or value.lower() in DUMMY or stands_in(value) or len(value) < 4:
        return False
    mixed = any(map(str.isdigit, value)) or (value != value.lower() and value != value.upper())
    return mixed or is_chosen(value, Admitted.ALL)


def _argument(match: re.Match[str]) -> bool:
    value = match["value"]
    return is_given(value)


def _signature(match: re.Match[str]) -> bool:
    return opaque(unquote(match["value"]))


def _element(match: re.Match[str]) -> bool:
    return is_keyed_secret(f"{match['key']}: '{match['value']}'")


def _phrase(match: re.Match[str]) -> bool:
    words = match["value"].split()
    return (
        len(words) >= 3
        and all(map(str.islower, words))
        and not _COMMON & set(words)
        and not stands_in(match["value"])
        and len(SAID.intersection(words)) < _SAYING
    )


FORMS: Final[tuple[Detector, ...]] = (
    Detector(
        id="secret-element",
        kind=Kind.SECRET,
        why="The element's name says that its text is secret.",
        keywords=("</",),
        starts=("<",),
        expression=(
            rf"(?i)<(?:[\w.-]{{1,40}}:)?(?P<key>[\w.-]{{0,40}}?(?:{KEY}){SUFFIX})"
            r"(?:\s[^<>\n\0]{0,200})?>\s{0,20}(?:<!\[CDATA\[)?(?P<value>[^<>\s\[\]]{6,512})\s{0,20}(?:\]\]>)?</"
        ),
        example=("<db:pass", "word>q7Rx2Lv9!", "tB</db:password>"),
        counter_example=("<password>SYNTHETIC-PASSWORD</password>",),
        confirm=_element,
    ),
    Detector(
        id="secret-phrase",
        kind=Kind.SECRET,
        why="The words of a passphrase open what it locks.",
        keywords=("passphrase", "pass phrase", "pass-phrase", "pass_phrase"),
        starts=("passphrase", "pass phrase", "pass-phrase", "pass_phrase"),
        named=True,
        expression=(
            r"(?i)pass[ _-]?phrase\\?[\"']?[ \t]{0,8}[:=][ \t]{0,8}\\?[\"']?"
            r"(?P<value>[a-z]{2,20}(?:[ -][a-z0-9]{2,20}){2,11})(?=\s{0,4}(?:[\\\"'\n,;}]|\Z))"
        ),
        example=("passphrase: correct", " horse battery staple"),
        counter_example=("passphrase: the words that open the key",),
        confirm=_phrase,
    ),
    Detector(
        id="curl-login",
        kind=Kind.CREDENTIAL,
        why="The command line holds a user name and a password.",
        keywords=("curl ",),
        starts=("curl ",),
        expression=(
            r"curl (?:[^\n]{0,200}? )??(?:-u|--user|--proxy-user)[ =]?\\?[\"']?"
            r"(?P<value>[^\s:\"'\\]{1,80}:[^\s\"'`\\]{3,200})"
        ),
        example=("curl -u orders:", "q7Rx2Lv9tB https://api.example.com"),
        counter_example=("curl -u user:password https://api.example.com",),
        confirm=_login,
    ),
    Detector(
        id="sql-login",
        kind=Kind.CREDENTIAL,
        why="The command line holds the password of a database.",
        keywords=("mysql", "mariadb"),
        starts=("mysql", "mariadb"),
        expression=(
            r"(?:mysql|mariadb)[a-z-]{0,12}[\"']?,? (?:[^\n]{0,120}?[ \"'])??-p\\?[\"']?"
            r"(?P<value>[^\s\"'\\-][^\s\"'`\\]{3,100})"
        ),
        example=("mysql -uroot -p", "q7Rx2Lv9tB orders"),
        counter_example=("mysql -uroot -p orders",),
        confirm=_argument,
    ),
    Detector(
        id="tool-password",
        kind=Kind.CREDENTIAL,
        why="The command line holds the password of a tool.",
        keywords=("sshpass", "redis-cli", "ldap", "securestring", "identified by ", "identified with "),
        starts=("sshpass", "redis-cli", "ldap", "securestring", "identified by ", "identified with "),
        expression=(
            r"(?i)(?:sshpass -p[ ]?|redis-cli (?:[^\n]{0,120}? )??-a |ldap[a-z]{3,12} (?:[^\n]{0,200}? )??-w |securestring (?:-string )?(?=\\?[\"'])"  # noqa: E501
            r"|identified (?:with [\w']{1,60} )?by (?=\\?[\"']))\\?[\"']?(?P<value>[^\s\"'`\\]{6,200})"
        ),
        example=("sshpass -p ", "q7Rx2Lv9tB ssh orders"),
        counter_example=("redis-cli -a $REDIS_PASSWORD PING",),
        confirm=_argument,
    ),
    Detector(
        id="signed-link",
        kind=Kind.TOKEN,
        why="The signature in the link lets anyone in who has it.",
        keywords=("sig=", "signature="),
        starts=("sig=", "signature="),
        expression=r"(?i)(?:(?<=[?&;])|(?<=-)|(?<=[, ]))sig(?:nature)?=(?P<value>[A-Za-z0-9%+/_=-]{20,1024})",
        example=("https://store.example/a?se=1&si", "g=9f3a7c1e5b2d8046", "af17c3e95d20b864"),
        counter_example=("https://store.example/a?sig=SYNTHETIC-SIGNATURE-1234",),
        confirm=_signature,
    ),
    Detector(
        id="encoded-pair",
        kind=Kind.SECRET,
        why="The base64 text holds a name that says that its value is secret.",
        keywords=_ENCODED,
        starts=_ENCODED,
        back=r"[A-Za-z0-9+/_-]{1,400}",
        expression=r"(?P<value>[A-Za-z0-9+/_-]{16,4096}={0,2})",
        example=("cGFzc3dvcmQ9cTdS", "eDJMdjl0QjE="),
        counter_example=("cGFzc3dvcmQ9U1lOVEhF", "VElDLVBBU1NXT1JE"),
        confirm=_pair,
    ),
)
