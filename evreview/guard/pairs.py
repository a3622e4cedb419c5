"""An account with its password beside it: two options of a command, two words of a sentence, an address of a driver."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.guard.chosen import Admitted, is_chosen
from evreview.redaction.detector import Detector, compiled
from evreview.redaction.detectors.logins import GIVEN, PLACED, QUOTED, WORD, mixture, numbered, row, statement
from evreview.redaction.detectors.named_secrets import is_value
from evreview.redaction.detectors.plausible_passwords import stated


def _drawn(match: re.Match[str]) -> bool:
    """True for letters and a digit as people or programs choose them, and no word with a number."""
    cased = compiled(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?![A-Z]?[a-z]+\d*\Z)\S{8,64}").fullmatch(match["value"])
    return mixture(match) or (cased is not None and is_value("password", match["value"], bare=True))


def _numbered(match: re.Match[str]) -> bool:
    return numbered(match["value"], one=True)


def _cell(match: re.Match[str]) -> bool:
    """True in a row of cells for a word with a digit, and for any word behind the account of an administrator."""
    line = match.string[max(0, match.start() - 100) : match.start()].rpartition("\n")[2].rpartition("\0")[2]
    sign, value = match["sign"], match["value"]
    before = [one.strip("`* ") for one in line.split(sign)]
    if sign == "|" and len(before) == 1:
        alone = compiled(r"[`\"' ]{0,8}(?:[\n\0]|\Z)").match(match.string, match.end("value"))
        return alone is not None and value.islower() and not stated(value) and is_chosen(value, Admitted.LONG)
    if before[-1] or (sign == "|" and len(before) < 2):
        return False
    if numbered(value, one=True) or (mixture(match) and not value.isalnum()):
        return True
    named = len(before) > 1 and before[-2].lower() in _ACCOUNTS
    return named and not stated(value) and is_chosen(value, Admitted.MIXED)


_ACCOUNTS: Final = frozenset({"admin", "administrator", "root", "postgres", "sa", "sysadmin", "superuser", "guest"})
PAIRS: Final[tuple[Detector, ...]] = (
    replace(
        row(
            "login-pair",
            "The options of the command give an account and its password.",
            (" -u ", " --user ", " --username "),
            rf"[ ](?:-u|--user(?:name)?)[ =]{WORD}[ \t]{{1,3}}-p[ ]{GIVEN}",
            "twine upload -u orders -p ",
            "q7Rx2Lv9tB dist/*",
            "twine upload -u __token__ -p $TOKEN dist/*",
        ),
        confirm=_drawn,
    ),
    replace(
        row(
            "told-login",
            "The words in front say that a name and a password follow.",
            ("credential", "creds", "login", "log in as"),
            r"(?i)(?<![\w-])(?:credentials?|creds|login|log in as)(?: (?:is|are|was|with))?:?[ \t]{1,3}[`\"']?[\w.@-]{1,64}[`\"']?"
            r"(?::|[ \t]?/[ \t]?)[`\"']?(?P<value>[^\s\"'`,;<>()\\]{8,64})",
            "creds: orders:",
            "q7Rx2Lv9tB",
            "login flow:redirect2",
        ),
        confirm=_drawn,
    ),
    replace(
        row(
            "driver-address",
            "The address of a database holds its password in front of the driver's network.",
            ("@tcp(", "@unix(", "@cloudsql("),
            r"(?<![\w.-])[\w.-]{1,64}:(?P<value>[^\s\"'`:@/\\]{4,100})@(?:tcp|unix|cloudsql)\(",
            "orders:",
            "q7Rx2Lv9tB@tcp(db.example.com:3306)/orders",
            "orders:$PASSWORD@tcp(db.example.com:3306)/orders",
        ),
        back=r"[^\s\"'`]{1,170}",
    ),
    replace(
        row(
            "login-object",
            "The class's name says that its second argument is a password.",
            ("passwordtoken(", "passwordcredential", "passwordauth"),
            rf"(?i)password(?:token|credentials?|auth(?:entication(?:token)?)?)\([ \t]{{0,3}}{PLACED},[ \t]{{0,3}}{QUOTED}",
            'new UsernamePasswordToken("kim", "',
            'q7Rx2Lv9tB")',
            'new UsernamePasswordToken("kim", password)',
        ),
        confirm=statement,
    ),
    replace(
        row(
            "cell-beside-name",
            "The cell in front of it says that it is a password.",
            ("passw", "pwd", "pw ", "pw\t", "pass ", "pass\t", "kennwort", "wachtwoord", "senha", "contrase"),
            r"(?i)(?<![\w-])(?:passw(?:or)?[dt]|passwd|pwd|pw|pass|kennwort|wachtwoord|senha|contrase(?:ñ|n)a)[`*]{0,2}[ ]{0,8}(?P<sign>[|\t])[ \t]{0,8}[`\"']?"
            r"(?P<value>[^\s\"'`\\<>\[\](){}|,;=]{6,64})[`\"']?(?=[ ]{0,8}(?:[|\t\n\0]|\Z))",
            "kim\tpassword\t",
            "Kirsche2024\n",
            "user_id\tpassword\trequired\n",
        ),
        confirm=_cell,
    ),
    replace(
        row(
            "account-then-password",
            "The words say that an account and its password follow.",
            ("user ", "username ", "login ", "account "),
            r"(?i)(?<![\w-])(?:user(?:name)?|login|account)[ \t]{1,3}[`\"']?[\w.@-]{1,64}[`\"']?,?[ \t]{1,3}(?:(?:with|and)[ \t]{1,3})?(?:pass(?:word|wd)?|pwd|pw)[ \t]{1,3}"
            r"[`\"']?(?P<value>[^\s\"'`\\<>\[\](){}|,;=/]{8,64})(?=[`\"',;)]|\s|\0|\Z)",
            "user kim pass ",
            "kirschbaum4",
            "user tests pass through",
        ),
        confirm=_numbered,
    ),
)
