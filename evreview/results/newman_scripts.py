"""Which status a Postman test script asserts. The script is read as text; nothing of it is executed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MAX_SCRIPT: Final = 200_000
_TEST: Final = re.compile(
    r"""\bpm\.test(?:\.skip)?\(\s*(?P<quote>['"`])(?P<name>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)"""
)
_COMMENT: Final = re.compile(r"(?m)^[ \t]*//[^\n]*$|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusRule:
    """One way to write that a response has a status. The pattern's group is the status."""

    id: str
    why: str
    pattern: re.Pattern[str]
    example: str
    counter: str


STATUS_RULES: Final = (
    StatusRule(
        id="has-status",
        why="Chai's assertion on the response",
        pattern=re.compile(r"pm\.response\.to\.have\.status\(\s*([1-5][0-9][0-9])\s*\)"),
        example="pm.response.to.have.status(404)",
        counter="pm.response.to.not.have.status(404)",
    ),
    StatusRule(
        id="code-equals",
        why="the response's code compared with a number",
        pattern=re.compile(
            r"pm\.expect\(\s*pm\.response\.code\s*\)\.to\.(?:be\.)?(?:eql?|equals?)\(\s*([1-5][0-9][0-9])\s*\)"
        ),
        example="pm.expect(pm.response.code).to.eql(404)",
        counter="pm.expect(pm.response.code).to.be.below(500)",
    ),
)


def asserted_statuses(script: str) -> Mapping[str, int]:
    """The status that each named test asserts; a test that asserts none or several is left out."""
    text = _COMMENT.sub("", script[:MAX_SCRIPT])
    tests = list(_TEST.finditer(text))
    found: dict[str, set[str]] = {}
    ends = [*(test.start() for test in tests[1:]), len(text)]
    for test, end in zip(tests, ends, strict=False):
        part = text[test.end() : end]
        statuses = found.setdefault(re.sub(r"\\(.)", r"\1", test["name"]), set())
        statuses.update(match[1] for rule in STATUS_RULES for match in rule.pattern.finditer(part))
    return {name: int(statuses.pop()) for name, statuses in found.items() if len(statuses) == 1}
