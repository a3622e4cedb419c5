"""The second validator reads expressions as ECMA-262 does."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from evreview.schema.cross_check_validator import CrossCheckValidator, NoPattern, compiled
from evreview.schema.validators import PrimaryValidator

MATCHING: list[tuple[str, str, bool]] = [
    (r"^\p{L}+$", "é", True),
    (r"^\p{L}+$", "é1", False),
    (r"^\P{Lu}$", "a", True),
    (r"^[\p{Lu}\d_-]+$", "É1_-", True),
    (r"\p{Script=Greek}", "α", True),
    ("^a$", "a\n", False),
    ("^a$", "a", True),
    ("[a$]$", "$", True),
    (r"^\d$", "\u0661", False),
    (r"^[\D]$", "\u0661", True),
    (r"^\w+$", "é", False),
    (r"^\s$", "\ufeff", True),
    (r"^.$", "\u2028", False),
    (r"^[^x]$", "\n", True),
    (r"\bfoo\b", "a foo.", True),
    (r"^\u0041\x42\/\-\.$", "AB/-.", True),
    (r"^[&~|#-.]+$", "&~|#$.", True),
    (r"^(?!no)(?<name>[a-z]{2,})$", "yes", True),
    (r"^(\d+)-\1$", "12-12", True),
    (r"^[+-]?(?:\d+|\(\d\))?$", "-(1)", True),
    (r"^a{2,3}?$", "aaa", True),
]
UNREAD = [r"\p{L", "(a", "[a", r"^[\d-x]$", r"^[a-\d]$", "*a", r"\p{Nonsense}", "a\\"]
"""Nobody reads them, so that nothing is said."""


def _says(schema: Json, value: Json) -> bool | None:
    ask = CrossCheckValidator().prepared(schema)
    found = ask(value) if ask is not None else None
    return None if found is None else not found


@pytest.mark.parametrize(("pattern", "text", "matches"), MATCHING)
def test_expression_as_ecma_262_reads_it(pattern: str, text: str, matches: bool) -> None:
    """In `pattern`, as the name of members, and beside `additionalProperties`; the first validator says the same."""
    for schema, value in (
        ({"pattern": pattern}, text),
        ({"additionalProperties": False, "patternProperties": {pattern: True}}, {text: 1}),
    ):
        assert _says(schema, value) is matches
    assert _says({"patternProperties": {pattern: False}}, {text: 1}) is not matches
    first = PrimaryValidator().prepared({"pattern": pattern})
    line_end = pattern == "^.$"  # The first one takes `.` for these as well.
    assert first is not None and ((first(text) == ()) is matches or line_end)
    compiled(pattern)


@pytest.mark.parametrize("pattern", UNREAD)
def test_expression_that_nobody_reads(pattern: str) -> None:
    assert _says({"pattern": pattern}, "a") is None
    with pytest.raises(NoPattern):
        compiled(pattern)


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"additionalProperties": {"type": "string"}, "patternProperties": {r"^\p{L}$": True}}, {"é": 1}, True),
        ({"additionalProperties": {"type": "string"}, "patternProperties": {r"^\p{L}$": True}}, {"1": 1}, False),
        ({"additionalProperties": False, "properties": {"a": True}}, {"a": 1}, True),
        ({"additionalProperties": False, "properties": {"a": True}}, {"b": 1}, False),
        ({"unevaluatedProperties": False, "patternProperties": {r"^\p{L}$": True}}, {"é": 1}, None),
    ],
)
def test_members_by_expression(schema: Json, value: Json, valid: bool | None) -> None:
    assert _says(schema, value) is valid


def test_expression_that_never_ends() -> None:
    """Neither hangs nor answers."""
    assert _says({"pattern": r"^(\w|\w\w|\w?)*$"}, "a" * 60 + "!") is not True
