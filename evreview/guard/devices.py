"""Secrets in the configuration of routers and switches, where a password stands behind blanks and often coded."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.guard.forms import is_given
from evreview.redaction.detector import Detector, compiled, value_group
from evreview.redaction.detectors.logins import numbered, row
from evreview.redaction.detectors.named_secrets import JUMBLED

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
