"""What proves who somebody is, as it is stored.

`SESSIONS`: session values, keys that tokens are signed with, logins. `DEVICES`: configuration of routers and switches.
"""

# ruff: noqa: E501

from __future__ import annotations

import base64
import re
from dataclasses import replace
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.logins import PLACED, numbered, row
from evreview.redaction.detectors.named_secrets import JUMBLED, TEXT, is_given, is_value
from evreview.redaction.detectors.plausible_passwords import Admitted
from evreview.redaction.placeholders import stands_in

_KEY_TEXT: Final = r"b?\\?(?:\"(?P<value_k>[^\"\\\n]{8,512})\\?\"|'(?P<value_l>[^'\\\n]{8,512})')"
_PLAIN_TEXT: Final = r"[\w.@-]{1,64}:[!-~]{4,200}\Z"


def _key(match: re.Match[str]) -> bool:
    return is_value("secret", match[value_group(match)], bare=False, words=Admitted.ALL)


def _session(match: re.Match[str]) -> bool:
    """True for letters and digits mixed, many of them different."""
    value = match["value"]
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and not stands_in(value) and len(set(value)) >= 9


def _coded(match: re.Match[str]) -> bool:
    """True for base64 of a name and a password."""
    value = match["value"]
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except ValueError:
        return False
    return compiled(_PLAIN_TEXT).match(plain) is not None and not stands_in(plain.partition(":")[2])


SESSIONS: Final[tuple[Detector, ...]] = (
    Detector(
        id="kept-cookie",
        kind=Kind.TOKEN,
        why="The last cell of the line is a cookie that a browser or curl has kept.",
        keywords=("true\t", "false\t"),
        starts=("true\t", "false\t"),
        expression=r"(?:TRUE|FALSE)\t/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,100}\t(?P<value>[^\s\"'`\\]{12,4096})",
        example=(".example.com\tTRUE\t/\tFALSE\t0\tsid\t", "k2Lv9tBq7RxZp4Wm", "8Yc1Nd6J"),
        counter_example=(".example.com\tTRUE\t/\tFALSE\t0\ttheme\tdark-and-narrow",),
        confirm=_session,
    ),
    Detector(
        id="token-key",
        kind=Kind.SECRET,
        why="The argument of the call, or the member of the settings, is the key that tokens are signed with.",
        keywords=("jwt", "signedstring(", "fernet(", "hmac"),
        starts=("jwt", "signedstring(", "fernet(", "hmac.new(", "createhmac("),
        expression=(
            rf"(?i)(?:SignedString\(\[\]byte\(|Fernet\(|hmac\.new\(|createHmac\([\"'][\w-]{{1,20}}[\"'],[ \t]{{0,3}}){_KEY_TEXT}"
            rf"|jwt(?:\.(?:encode|decode|sign|verify)\(\s{{0,20}}{PLACED},\s{{0,20}}(?:key=)?{TEXT}"
            r"|\w{0,20}\\?\"\s{0,8}:\s{0,8}\{[^{}\0]{0,300}?\\?\"(?:signing_?|secret_?)?key\\?\"\s{0,8}:\s{0,8}\\?\"(?P<value_j>[^\"\\\n]{8,200}))"
        ),
        example=('jwt.encode(claims, "', 'q7Rx2Lv9tBk3", algorithm="HS256")'),
        counter_example=('jwt.encode(claims, "changeme1", algorithm="HS256")',),
        confirm=_key,
    ),
    Detector(
        id="session-value",
        kind=Kind.TOKEN,
        why="Whoever holds the value of a session is in it.",
        keywords=("session", "sid", "sess="),
        starts=("session", "jsessionid", "phpsessid", "sid=", "sid:", 'sid"', "sess=", "connect.sid"),
        named=True,
        expression=(
            r"(?i)(?<![A-Za-z])(?:[\w.-]{0,20}[_.-])?(?:session(?:_?id|_?key|_?cookie|_?value)?|jsessionid|phpsessid|connect\.sid|sess|sid)\\?[\"']?[ \t]{0,3}[=:][ \t]{0,3}\\?[\"']?"
            r"(?P<value>(?![0-9a-f]{8}-)[A-Za-z0-9_.%+/-]{20,512}={0,2})(?![\w(])"
        ),
        example=("INFO session=", "k2Lv9tBq7RxZp4Wm", "8Yc1Nd6J user=17"),
        counter_example=("session=SYNTHETIC-SESSION-17-1 user=17",),
        confirm=_session,
    ),
    Detector(
        id="registry-login",
        kind=Kind.CREDENTIAL,
        why="The text is a user name and a password, merely encoded.",
        keywords=("auth",),
        starts=('auth"', "auth'", 'auth\\"', "auth:", "auth=", "auth ="),
        expression=r"auth\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"']?(?P<value>[A-Za-z0-9+/]{8,512}={0,2})(?![\w+/=])",
        example=('{"auth": "b3Jk', "ZXJzOnE3UngyTHY5dEI", '="}'),
        counter_example=('{"auth": "b2F1dGgyIGFuZCBiYXNpYw=="}',),
        confirm=_coded,
    ),
)


# Secrets in the configuration of routers and switches, where a password stands behind blanks and often coded.


_DEFAULTS: Final = frozenset({"public", "private", "read", "write", "community", "default", "none", "string", "name"})
"""Communities of every manual; whoever reads one learns nothing."""
_END: Final = r"(?=[ \t]{0,8}(?:$|\n|\\n|\0|[\"'`,;]|\.\s|\Z)|[ \t])"
_VALUE: Final = r"[\"']?(?P<value>[^\s\"'`<>\[\](){}|;,\\\0]{6,200})[\"']?"


def _community(match: re.Match[str]) -> bool:
    return match["value"].lower() not in _DEFAULTS and is_given(match["value"])


def _device(match: re.Match[str]) -> bool:
    """True for a coded value, and for what a person or a program may have chosen."""
    group = value_group(match)
    value = match[group]
    if group == "value_b":
        return len(value) % 2 == 0
    if group == "value_d":
        return is_given(value)
    return group == "value_c" or numbered(value) or compiled(JUMBLED).fullmatch(value) is not None


DEVICES: Final[tuple[Detector, ...]] = (
    replace(
        row(
            "device-community",
            "The community string is what a device asks for.",
            ("snmp-server ",),
            r"(?i)snmp-server[ \t]{1,3}(?:community[ \t]{1,3}(?:[07][ \t]{1,3})?|host[ \t]{1,3}\S{1,100}[ \t]{1,3}(?:(?:traps|informs)[ \t]{1,3})?(?:version[ \t]{1,3}(?:1|2c)[ \t]{1,3})?)"
            r"(?P<value>[^\s\"'`<>\[\](){}|;,\\\0]{4,64})" + _END,
            "snmp-server community ",
            "q7Rx2Lv9tB RO",
            "snmp-server community public RO",
        ),
        confirm=_community,
    ),
    replace(
        row(
            "device-secret",
            "The line of a device's configuration sets a password or a key.",
            (
                "enable password ",
                "enable secret ",
                "username ",
                "key-string ",
                "pre-shared-key ",
                "tacacs-server ",
                "radius-server ",
                "neighbor ",
                "server-private ",
                "key 7 ",
                "password 7 ",
                "key 0 ",
                "password 0 ",
                "secret 0 ",
                "ascii 0 ",
                "secret 5 ",
                "secret 8 ",
                "secret 9 ",
            ),
            r"(?i)(?:enable (?:password|secret)(?: level \d{1,2})?|username \S{1,64}(?: privilege \d{1,2})? (?:password|secret)|key-string"
            r"|pre-shared-key(?: (?:local|remote|ascii-text|hex|address \S{1,64}(?: \d[\d.]{6,15})? key))?|(?:tacacs|radius)-server [^\n\0]{0,100}?key"
            r"|neighbor \S{1,64} password|server-private \S{1,64} (?:[\w-]{1,20} \d{1,5} ){0,3}key|(?<![\w-])(?:key|password|secret|ascii)(?= [05789] ))[ \t]{1,3}"
            rf"(?:7 (?P<value_b>[0-5]\d[0-9A-F]{{6,160}})|[5-9] (?P<value_c>\$\d{{1,2}}\$[\w./$]{{8,200}})|0 (?P<value_d>[^\s\"'`<>\\\0]{{4,200}})(?=[ \t]{{0,8}}(?:\n|\\n|\0|\Z))|(?:[06] )?{_VALUE})"
            + _END,
            "enable secret 0 ",
            "q7Rx2Lv9tB",
            "enable secret level 15",
        ),
        confirm=_device,
    ),
)
