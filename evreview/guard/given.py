"""Secrets that statements, pages, links and command lines take: a database's key, a field's value, a code of a login."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.detectors.logins import row, statement
from evreview.redaction.detectors.named_secrets import JUMBLED
from evreview.redaction.placeholders import opaque, shuffled, stands_in

_KEYS: Final = (
    *("deploy", "function", "licen", "ssh", "server", "service", "consumer", "admin", "security", "webhook"),
    *("bot", "project", "integration", "ingest", "write", "agent", "device", "node", "join", "cluster", "session"),
    *("cookie", "cipher", "vault", "root", "user", "client", "partner", "merchant", "activation", "instrumentation"),
)
_NAMING: Final = r"(?i)idempot|cache|dedup|request|correlat|trace|partition|object|file|sort|page|cursor|public"
"""Keys that name or find something, and open nothing."""
_LEAST: Final = 20


def drawn(match: re.Match[str]) -> bool:
    """True for a long text of letters of both cases and digits, as only programs draw it, and no words in a row."""
    value = match["value"].rstrip("=")
    jumbled = compiled(JUMBLED).fullmatch(value) is not None or shuffled(value)
    words = sum(map(len, compiled("[a-z]{3,}").findall(value)))
    return jumbled and words * 2 < len(value) and opaque(value, least=_LEAST)


def _keyed(match: re.Match[str]) -> bool:
    return drawn(match) and compiled(_NAMING).search(match["of"]) is None


def _stored(match: re.Match[str]) -> bool:
    return not stands_in(match["value"]) and any(map(str.isalpha, match["value"][4:]))


GIVEN_ROWS: Final[tuple[Detector, ...]] = (
    replace(
        row(
            "database-key",
            "The statement gives the key that the file is encrypted with.",
            ("pragma ", "attach "),
            r"(?i)(?:pragma (?:\w{1,40}\.)?(?:re|hex)?key[ \t]{0,3}=[ \t]{0,3}|attach [^;\n\0]{1,200}? as \w{1,40} key )(?:\"(?P<value>[^\"\\\n\0]{4,200})\"|'(?P<value_b>[^'\\\n\0]{4,200})')",
            "PRAGMA key = '",
            "q7Rx2Lv9tB';",
            "PRAGMA key = '<key>';",
        ),
        confirm=statement,
    ),
    replace(
        row(
            "login-procedure",
            "The procedure makes an account with the password that it is given.",
            ("sp_addlogin ", "sp_password ", "sp_addlinkedsrvlogin "),
            r"(?i)sp_(?:addlogin[ \t]{1,3}n?'[^'\n\0]{1,100}'|password[ \t]{1,3}(?:null|n?'[^'\n\0]{0,100}')|addlinkedsrvlogin[ \t]{1,3}(?:[^,\n\0]{1,100},[ \t]{0,3}){3}[^,\n\0]{1,100})"
            r",[ \t]{0,3}n?'(?P<value>[^'\n\0]{4,200})'",
            "EXEC sp_addlogin 'orders', '",
            "q7Rx2Lv9tB'",
            "EXEC sp_addlogin 'orders', 'password'",
        ),
        confirm=statement,
    ),
    replace(
        row(
            "password-field",
            "The page fills the field of a password in.",
            ("<input",),
            r"(?i)<input(?=[^<>\0]{0,400}\stype=\\?[\"']?password(?![\w-]))[^<>\0]{0,400}?\svalue=(?:\\?\"(?P<value>[^\"<>\\\n]{6,200})\\?\"|'(?P<value_b>[^'<>\n]{6,200})'|(?P<value_c>[^\s\"'<>/\\]{6,200}))",
            '<input type="password" value="',
            'q7Rx2Lv9tB">',
            '<input type="password" value="password">',
        ),
        confirm=statement,
    ),
    replace(
        row(
            "stored-line",
            "Behind an account stands how its password is stored, whole or not.",
            (":$apr1$", ":$1$", ":$5$", ":$6$", ":$y$", ":$2a$", ":$2b$", ":$2y$"),
            r"(?<![\w.-])[\w.-]{1,64}:(?P<value>\$(?:apr1|[156y]|2[aby])\$[^\s:\"'`<>,;\0]{8,200})",
            "orders:$apr1$",
            "k2Lv9tBq7RxZ",
            "orders:$apr1$<hash>",
        ),
        back=r"[\w.-]{1,64}",
        kind=Kind.SECRET,
        confirm=_stored,
    ),
    replace(
        row(
            "login-token",
            "The command logs in with the token.",
            ("login ", "auth ", "authtoken ", "init -t ", "auth token "),
            r"(?i)(?<![\w-])[\w-]{0,20}?(?:login|auth|authtoken|init -t|auth token)(?:[ ]--?[\w-]{1,20}(?:=\w{1,20})?){0,3}[ ](?:token=)?(?P<value>[A-Za-z0-9._~+/=-]{20,400})(?![\w])",
            "vault login ",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
            "vault login $VAULT_TOKEN",
        ),
        kind=Kind.TOKEN,
        back=r"[\w-]{1,20}",
        confirm=drawn,
    ),
    replace(
        row(
            "link-code",
            "Who has the code, the ticket or the key of the link can take what it is for.",
            ("code", "?ticket=", "&ticket=", "?key=", "&key=", "?auth=", "&auth=", "?invite=", "&invite="),
            r"(?i)(?:[?&](?:ticket|key|auth|invite)=|(?<![A-Za-z])(?:(?:auth(?:orization)?|device|verification)_?)?code(?:_?verifier)?\\?[\"']?[ ]{0,3}[:=][ ]{0,3}\\?[\"']?)"
            r"(?P<value>[A-Za-z0-9._~%+/-]{20,1000}={0,2})(?![\w])",
            "/callback?code=",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J&state=1",
            "/callback?code=<code>&state=1",
        ),
        kind=Kind.TOKEN,
        back=r"(?:[a-z_]{1,14})?",
        confirm=drawn,
    ),
    replace(
        row(
            "drawn-key",
            "The name says that the long drawn text is a key that lets in.",
            ("x-", *_KEYS),
            rf"(?i)(?<![A-Za-z])(?P<of>x-[\w-]{{1,30}}?|(?:{'|'.join(_KEYS)})[a-z]{{0,10}}?)[ _-]?keys?\\?[\"'`]?\]?[ \t]{{0,3}}(?:=>|[:=|,])[ \t]{{0,3}}\\?[\"'`]?"
            r"(?P<value>[A-Za-z0-9+/_-]{20,512}={0,2})(?![\w(])",
            "x-functions-key: ",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
            "x-idempotency-key: k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
        ),
        kind=Kind.SECRET,
        named=True,
        confirm=_keyed,
    ),
)
