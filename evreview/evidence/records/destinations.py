"""Destinations that the commands of a plan name, and which of them are not this machine's loopback.

The sandbox has no way out whatever a command says; a plan that means to go out is refused before it runs, because
that is the security owner's to decide. A closed table of forms, each with an example and a counter-example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.evidence.records.review import ExecutionPlan

_FILES: Final = r"(?:py|js|ts|go|rb|rs|java|php|sh|ya?ml|json|xml|txt|toml|ini)"
_NAME: Final = rf"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?!{_FILES}\b)[A-Za-z]{{2,}}"
_LOCAL: Final = re.compile(r"(?:loopback|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?|(?:.+\.)?localhost)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRule:
    """One form in which a command names a destination; the group `host` is it.

    Attributes:
        id: kebab-case.
        form: what it looks like.
        example: a word that names a destination elsewhere.
        counter_example: a similar word that doesn't.
    """

    id: str
    form: re.Pattern[str]
    example: str
    counter_example: str


RULES: Final = (
    TargetRule(
        id="target-url",
        form=re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@\s]*@)?(?P<host>\[[^\]\s]*\]|[^/:\s?#'\"]+)"),
        example="--base-url=https://tickets.example.com/v2",
        counter_example="--base-url=http://127.0.0.1:{port}/v2",
    ),
    TargetRule(
        id="target-address",
        form=re.compile(r"(?<![\w.:/@-])(?P<host>\d{1,3}(?:\.\d{1,3}){3})(?![\w.])"),
        example="192.0.2.7",
        counter_example="127.0.0.1",
    ),
    TargetRule(
        id="target-port",
        form=re.compile(rf"(?<![\w./:@-])(?P<host>{_NAME}):\d{{2,5}}(?!\w)"),
        example="db.example.com:5432",
        counter_example="tests.py:42",
    ),
    TargetRule(
        id="target-account",
        form=re.compile(rf"(?<!\w)[\w.+-]+@(?P<host>{_NAME})"),
        example="deploy@host.example.com",
        counter_example="requests@2.32.1",
    ),
    TargetRule(
        id="target-option",
        form=re.compile(rf"\A--?(?:\w+-)*(?:host|server|target|endpoint|remote)(?:=|\s)(?P<host>{_NAME}|\[[^\]]+\])"),
        example="--host=tickets.example.com",
        counter_example="--host=localhost",
    ),
)


def elsewhere(word: str) -> Iterator[str]:
    """The destinations in a word of a command that are not loopback."""
    for rule in RULES:
        for found in rule.form.finditer(word):
            host = found["host"].strip("[]")
            if host and not _LOCAL.match(host):
                yield host


def destinations(plan: ExecutionPlan) -> tuple[tuple[str, str], ...]:
    """Place in the plan and destination, for everything in its commands that is not loopback."""
    fixture = plan.fixture
    words = [(f"#/tests/{at}", word) for at, word in enumerate(plan.tests)]
    words += [(f"#/cleanup/{at}", word) for at, word in enumerate(plan.cleanup)]
    if fixture is not None:
        words += [(f"#/fixture/start/{at}", word) for at, word in enumerate(fixture.start)]
        words += [(f"#/fixture/environment/{name}", value) for name, value in fixture.environment.items()]
    return tuple(dict.fromkeys((place, host) for place, word in words for host in elsewhere(word)))
