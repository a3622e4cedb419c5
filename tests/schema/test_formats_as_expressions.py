"""Formats beside expressions and lengths: what holds all their values, and words that surely are values of them."""

from __future__ import annotations

import re

import pytest

from evreview.core.vocabulary import Json, ProofStatus, Tristate, Verdict
from evreview.schema.boundary_values import FORMATS, matching
from evreview.schema.cross_check_validator import CrossCheckValidator
from evreview.schema.formats import AROUND, SURE, WIDER, WITHIN
from evreview.schema.reader import ASSERTED_FORMATS
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.validators import PrimaryValidator, SchemaCheck
from tests.comparison.proof.test_witnesses import document
from tests.pipeline import compared

CHECKS: tuple[SchemaCheck, ...] = (PrimaryValidator(), CrossCheckValidator())
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
        (of("uuid"), like("^[0-9a-fA-F-]{36}$"), Tristate.YES),
        (of("uuid"), like("^[0-9a-f-]{36}$"), Tristate.NO),
        (of("date"), like(r"^\d{4}-"), Tristate.YES),
        (of("date"), like("^[0-9]{4}-"), Tristate.YES),
        (of("date"), like("^20"), Tristate.NO),
        (of("date-time"), like("T"), Tristate.UNKNOWN),
        (of("date-time"), like("Z$"), Tristate.NO),
        (of("ipv4"), {"type": "string", "maxLength": 15}, Tristate.YES),
        (of("ipv4"), {"type": "string", "maxLength": 14}, Tristate.NO),
        (of("email"), {"type": "string", "maxLength": 100}, Tristate.NO),
        (of("uri"), like("^https://"), Tristate.NO),
        (like(f"^{UUID}$"), of("uuid"), Tristate.YES),
        (like("^2024-01-0[1-9]$"), of("date"), Tristate.YES),
        (like("^2024-0[1-9]-3[01]$"), of("date"), Tristate.NO),
    ],
)
def test_formats_are_held_against_expressions(sent: Json, expected: Json, answer: Tristate) -> None:
    assert compare_sets(sent, expected).released_in_candidate is answer


def _refused(check: SchemaCheck, name: str, texts: tuple[str, ...]) -> list[str]:
    ask = check.prepared({"type": "string", "format": name})
    assert ask is not None
    return [text for text in texts if ask(text) != ()]


@pytest.mark.parametrize("name", sorted(ASSERTED_FORMATS))
def test_both_validators_know_every_format_and_each_wider_one(name: str) -> None:
    for check in CHECKS:
        assert _refused(check, name, ("{", "(", "-"))
        for known in (name, *WIDER.get(name, ())):
            assert not _refused(check, known, FORMATS[name])


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("uri", "iri"), ("iri", "iri-reference"), ("uri-reference", "iri-reference")],
)
def test_an_international_format_holds_the_plain_one(narrow: str, wide: str) -> None:
    assert compare_sets(of(narrow), of(wide)).released_in_candidate is Tristate.YES
    assert compare_sets(of(wide), of(narrow)).released_in_candidate is Tristate.NO
    for released, candidate in ((narrow, wide), (wide, narrow)):
        (row,) = compared(document(of(released), {}), document(of(candidate), {})).rows
        safe = released == narrow
        assert row.judgement.verdict is (Verdict.COMPATIBLE if safe else Verdict.BREAKING)
        assert row.proof.status is (ProofStatus.PROVED if safe else ProofStatus.WITNESSED)
        if not safe:
            assert isinstance(row.proof.witness, dict)
            value = row.proof.witness["value"]
            for check in CHECKS:
                assert isinstance(value, str)
                assert _refused(check, narrow, (value,))
                assert not _refused(check, wide, (value,))


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
