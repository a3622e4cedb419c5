"""What the words around a value tell: a birth date, a passphrase in quotation marks, digits of a key, an account."""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Final

from evreview.guard.chosen import Admitted
from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.logins import numbered
from evreview.redaction.detectors.named_secrets import is_value
from evreview.redaction.placeholders import opaque, stands_in

_YEAR: Final = r"(?:19[0-9]{2}|20[0-2][0-9])"
_MONTHS: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_SHOWN: Final = frozenset(
    {"1970-01-01", "1980-01-01", "1990-01-01", "2000-01-01", "1900-01-01", "1999-12-31", "2024-01-31", "01.01.1970",
     "01.01.1990", "01/01/1990", "01/01/1970", "01.01.2000", "01/01/2000"}
)  # fmt: skip
"""Dates that stand for any date."""
_NOT_SECRET: Final = (
    r"(?i)(?:public|cache|idempotency|primary|partition|sort|foreign|object|lookup|hash|routing|dedup\w*|etag|commit"
    r"|file|blob|image|asset|storage|s3)[_-]?\Z"
)
"""What stands in front of a key that is a name of something."""
_ACCOUNTS: Final = frozenset(
    {"123456789012", "012345678901", "111122223333", "444455556666", "123123123123", "999999999999", "210987654321"}
)
"""Account numbers of documentation."""
_SAID: Final = frozenset(
    {"a", "account", "an", "and", "are", "as", "at", "be", "by", "can", "case", "change", "characters", "confirm",
     "current", "default", "do", "does", "empty", "enter", "expired", "field", "for", "forgot", "from", "has",
     "have", "here", "if", "in", "incorrect", "invalid", "is", "it", "least", "login", "long", "match", "missing",
     "must", "name", "new", "no", "not", "of", "old", "on", "one", "only", "or", "passphrase", "password", "per",
     "please", "repeat", "required", "reset", "same", "secret", "set", "short", "should", "string", "strong",
     "that", "the", "this", "time", "to", "too", "used", "user", "users", "value", "was", "weak", "when", "which",
     "with", "wrong", "your"}
)  # fmt: skip
"""Words of what is said about passwords."""


def _born(match: re.Match[str]) -> bool:
    return match["value"] not in _SHOWN


def _phrased(match: re.Match[str]) -> bool:
    """True for several words that say nothing about passwords."""
    words = [word.strip(".,;:!?'") for word in match["value"].lower().split()]
    return len(words) >= 3 and not _SAID.intersection(words) and not stands_in(match["value"])


def _hexed(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 40) : match.start()]
    return opaque(match["value"]) and compiled(_NOT_SECRET).search(before) is None


def _account(match: re.Match[str]) -> bool:
    return match["account"] not in _ACCOUNTS and len(set(match["account"])) > 3


def _stated(match: re.Match[str]) -> bool:
    return numbered(match["value"])


def _answer(match: re.Match[str]) -> bool:
    group = value_group(match)
    return is_value("password", match[group], bare=group == "value_c", words=Admitted.LOWER)


_STARTS: Final = (
    *(
        "password",
        "passwort",
        "passwd",
        "pwd ",
        "pw ",
        "pwd:",
        "pw:",
        "passphrase",
        "passcode",
        "kennwort",
        "mot de passe",
    ),
    *(
        "contrase",
        "clave",
        "parola",
        "senha",
        "palavra",
        "wachtwoord",
        "secret is ",
        "secret was ",
        "token is ",
        "token was ",
    ),
    *("secret for ", "token for "),
)
TOLD: Final[tuple[Detector, ...]] = (
    Detector(
        id="birth-date",
        kind=Kind.PERSONAL_DATA,
        why="The name in front of the date says that somebody was born on it.",
        keywords=("birth", "dob", "born", "geburt", "geboren", "naissance", "nacimiento"),
        starts=(
            "birth",
            "dob",
            "date of birth",
            "date_of_birth",
            "dateofbirth",
            "born",
            "geburt",
            "geboren",
            "naissance",
            "nacimiento",
        ),
        named=True,
        expression=(
            r"(?i)(?<![a-z])(?:date[ _-]?of[ _-]?)?(?:birth(?:[ _-]?(?:date|day))?|dob|born(?: on)?"
            r"|geburts(?:datum|tag)|geboren(?: am)?|naissance|nacimiento)\\?[\"']?\s{0,3}"
            r"(?:[:=|>]|->|is|was)?\s{0,8}\\?[\"']?"
            rf"(?P<value>{_YEAR}-\d{{2}}-\d{{2}}|\d{{1,2}}[./-]\d{{1,2}}[./-]{_YEAR}|\d{{1,2}}\.? {_MONTHS} {_YEAR}"
            rf"|{_MONTHS} \d{{1,2}},? {_YEAR})(?![\w-])"
        ),
        example=("date_of_birth: 19", "85-07-30"),
        counter_example=("date_of_birth: 1990-01-01",),
        confirm=_born,
    ),
    Detector(
        id="quoted-phrase",
        kind=Kind.SECRET,
        why="The words in quotation marks are told as a password.",
        keywords=("pass", "kennwort", "contrase"),
        starts=("password", "passwd", "passwort", "passphrase", "pass phrase", "kennwort", "contrase"),
        expression=(
            r"(?i)(?:passw(?:or)?[dt]|passwd|pass ?phrase|kennwort|contrase(?:ñ|n)a)"
            r"(?: (?:is|was|ist|lautet|es)(?: now)?:?|[ \t]{0,3}[:=])[ \t]{0,3}"
            r"\\?[\"“„](?P<value>[^\"“”\\\n\0]{8,120})\\?[\"”“]"
        ),
        example=('The password was "correct', ' horse battery"'),
        counter_example=('The password is "too short and must be longer"',),
        confirm=_phrased,
    ),
    Detector(
        id="hex-key",
        kind=Kind.SECRET,
        why="The name in capitals says that the digits are a key.",
        keywords=("key", "secret", "salt", "pepper"),
        starts=(
            "key =",
            "key=",
            "key: ",
            'key"',
            "key'",
            "secret =",
            "secret=",
            "secret: ",
            'secret"',
            "secret'",
            "salt =",
            "salt=",
            'salt"',
            'pepper"',
            "pepper =",
            "pepper=",
        ),
        named=True,
        expression=(
            r"(?:(?<![A-Za-z0-9])|(?<=_))(?:KEY|SECRET|SALT|PEPPER)[\"']?\]?[ \t]{0,4}"
            r"(?::[ \t]?(?:str|bytes|Final)[ \t]{0,3})?"
            r"[:=][ \t]{0,4}[brf]?\\?[\"']?(?P<value>(?:[0-9a-f]{8}){2,16}|(?:[0-9A-F]{8}){2,16})(?![\w-])"
        ),
        example=('KEY = "', "9f3a7c1e5b2d8046", 'af17c3e95d20b864"'),
        counter_example=('PUBLIC_KEY = "', "9f3a7c1e5b2d8046", 'af17c3e95d20b864"'),
        confirm=_hexed,
    ),
    Detector(
        id="cloud-account",
        kind=Kind.PRIVATE_ENDPOINT,
        why="The number in the name tells whose account of a cloud it is, and what stands there.",
        keywords=("arn:aws",),
        starts=("arn:aws",),
        expression=(
            r"(?P<value>arn:aws(?:-[a-z]{2,6}){0,3}:[a-z0-9-]{2,40}:[a-z0-9-]{0,20}:(?P<account>\d{12}):[^\s\"'`,<>\])}\\]{1,300})"
        ),
        example=("arn:aws:iam::4829", "17364829:role/prod-admin"),
        counter_example=("arn:aws:iam::123456789012:role/reader",),
        confirm=_account,
    ),
    Detector(
        id="stated-secret",
        kind=Kind.SECRET,
        why="The sentence says that the word with a digit is a password.",
        keywords=_STARTS,
        starts=_STARTS,
        expression=(
            r"(?i)(?<![\w-])(?:(?:passwor[dt]|passwd|pwd|pw|passphrase|passcode|kennwort|mot de passe|contrase(?:ñ|n)a|clave|parola d'ordine|parola chiave|senha|palavra-passe|palavra passe|wachtwoord"
            r"|(?<=the )(?:secret|token)|(?<=our )secret|(?<=my )secret)(?: (?:for|für|pour|para|per|voor|of|von|zum|del|de|do|da)(?: (?:the|a|an|our|my|das|den|die|le|la|el|o|a|il|het|de))? [\w.-]{1,40}(?: [\w.-]{1,20})?)?"
            r"(?: (?:is|was|lautet|ist|hei(?:ß|ss)t|war|est|es|era|è|é|e'|luidt)(?: (?:now|jetzt|nun|maintenant|ahora|nu))?:?[ \t]{1,3}|:[ \t]{1,3})"
            r"|(?:senha|wachtwoord|clave|parola d'ordine|palavra-passe)[ \t]{0,3}[:=][ \t]{0,3})"
            r"[`\"'*]{0,2}(?P<value>[^\s\"'`\\<>\[\](){}|,;=/*]{8,64})(?=[`\"'*,;)]|\s|\\n|\0|\Z)"
        ),
        example=("Das Pass", "wort lautet Kirsche", "2024"),
        counter_example=("Das Passwort lautet wie folgt",),
        confirm=_stated,
    ),
    Detector(
        id="security-answer",
        kind=Kind.SECRET,
        why="Who knows the answer is let in without the password.",
        keywords=("answer",),
        starts=(
            "security answer",
            "security_answer",
            "security-answer",
            "securityanswer",
            "secret answer",
            "secret_answer",
            "secret-answer",
            "secretanswer",
        ),
        named=True,
        expression=(
            r"(?i)(?:security|secret)[ _-]?answer(?:_?\d)?\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}"
            r"(?:\\?\"(?P<value>[^\"\\\n\0]{4,100})\\?\"|'(?P<value_b>[^'\\\n\0]{4,100})'|(?P<value_c>[^\s\"'`<>\[\](){}|,;=\\]{6,64})(?=\s|[,;]|\0|\Z))"
        ),
        example=("security_", "answer: Kirsche", "2024"),
        counter_example=("security_answer: string",),
        confirm=_answer,
    ),
)
