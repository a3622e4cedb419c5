"""Formats beside expressions and lengths: what holds all their values, and words that surely are values of them."""

from __future__ import annotations

import re

import pytest

from evreview.shapes.check import FirstCheck, SchemaCheck
from evreview.shapes.containment import compare_sets
from evreview.shapes.inclusion.formats import AROUND, SURE, WITHIN
from evreview.shapes.second import SecondCheck
from evreview.shapes.texts import FORMATS, matching
from evreview.vocab import Answer, Json
from tests.pipeline import compared
from tests.proof.test_witnesses import document

CHECKS: tuple[SchemaCheck, ...] = (FirstCheck(), SecondCheck())
UUID = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize("name", WITHIN)
def test_every_word_within_is_a_value_of_the_format(name: str) -> None:
    words = matching(WITHIN[name])
    assert words
    for check in CHECKS:
        ask = check.prepared({"type": "string", "format": name})
        assert ask is not None
        assert [word for word in words if ask(word) != ()] == []


@pytest.mark.parametrize("name", AROUND)
def test_every_value_of_a_format_is_within_the_expression_around_it(name: str) -> None:
    for text in (*FORMATS[name], *matching(WITHIN[name])):
        assert re.search(AROUND[name], text)
    assert frozenset(AROUND) >= SURE <= frozenset(WITHIN)


def of(name: str, **more: Json) -> Json:
    return {"type": "string", "format": name, **more}


def like(pattern: str, **more: Json) -> Json:
    return {"type": "string", "pattern": pattern, **more}


@pytest.mark.parametrize(
    ("sent", "expected", "answer"),
    [
        (of("uuid"), like("^[0-9a-fA-F-]{36}$"), Answer.YES),
        (of("uuid"), like("^[0-9a-f-]{36}$"), Answer.NO),
        (of("date"), like(r"^\d{4}-"), Answer.YES),
        (of("date"), like("^[0-9]{4}-"), Answer.YES),
        (of("date"), like("^20"), Answer.NO),
        (of("date-time"), like("T"), Answer.UNKNOWN),
        (of("date-time"), like("Z$"), Answer.NO),
        (of("ipv4"), {"type": "string", "maxLength": 15}, Answer.YES),
        (of("ipv4"), {"type": "string", "maxLength": 14}, Answer.NO),
        (of("email"), {"type": "string", "maxLength": 100}, Answer.NO),
        (of("uri"), like("^https://"), Answer.NO),
        (like(f"^{UUID}$"), of("uuid"), Answer.YES),
        (like("^2024-01-0[1-9]$"), of("date"), Answer.YES),
        (like("^2024-0[1-9]-3[01]$"), of("date"), Answer.NO),
    ],
)
def test_formats_are_held_against_expressions(sent: Json, expected: Json, answer: Answer) -> None:
    assert compare_sets(sent, expected).released_in_candidate is answer


@pytest.mark.parametrize(
    ("released", "candidate"),
    [(of("date"), of("date", pattern="^20")), (of("email"), of("email", maxLength=100)), (of("uuid"), like("^a"))],
)
def test_rows_about_them_are_shown(released: Json, candidate: Json) -> None:
    rows = compared(document(released, {}), document(candidate, {})).rows
    assert {(str(row.judgement.verdict), str(row.proof.status)) for row in rows} <= {
        ("breaking", "witnessed"),
        ("compatible", "proved"),
    }
    assert "breaking" in {str(row.judgement.verdict) for row in rows}
