"""An account with its password beside it: two options of a command, two words of a sentence, an address of a driver."""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.guard.keyed import is_value
from evreview.guard.logins import GIVEN, PLACED, QUOTED, WORD, mixture, row, statement
from evreview.guard.model import Detector, compiled


def _drawn(match: re.Match[str]) -> bool:
    """True for letters and a digit as people or programs choose them, and no word with a number."""
    cased = compiled(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?![A-Z]?[a-z]+\d*\Z)\S{8,64}").fullmatch(match["value"])
    return mixture(match) or (cased is not None and is_value("password", match["value"], bare=True))


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
)
