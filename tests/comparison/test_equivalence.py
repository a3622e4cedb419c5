"""Rows about values vanish into noise when both sides admit the same as wholes, and only then."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.ledger import Ledger
from evreview.comparison.noise import NoiseReason
from tests.comparison import pairs

TEXT: Any = {"type": "string"}
_UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"


def _ledger(released: Any, candidate: Any) -> Ledger:
    return pairs.diff(pairs.document({"/a": pairs.post(released)}), pairs.document({"/a": pairs.post(candidate)}))


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        ({"type": "integer", "multipleOf": 1}, {"type": "integer"}),
        ({"type": "string", "enum": ["aa"], "maxLength": 2}, {"type": "string", "enum": ["aa"]}),
        (
            {"anyOf": [{**TEXT, "maxLength": 9}, {"type": "integer"}, {**TEXT, "maxLength": 3}]},
            {"anyOf": [{**TEXT, "maxLength": 9}, {"type": "integer"}]},
        ),
        (
            {"anyOf": [{**TEXT, "maxLength": 9, "minLength": 1}, {**TEXT, "maxLength": 9, "pattern": "^b"}]},
            {**TEXT, "maxLength": 9, "anyOf": [{"minLength": 1}, {"pattern": "^b"}]},
        ),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}),
        ({**TEXT, "format": "uuid"}, {**TEXT, "pattern": _UUID}),
    ],
)
def test_equal_wholes_leave_noise_with_its_proof(released: Any, candidate: Any) -> None:
    for ledger in (_ledger(released, candidate), _ledger(candidate, released)):
        assert ledger.deltas == ()
        assert {noise.reason for noise in ledger.noise} == {NoiseReason.SAME_VALUES}


@pytest.mark.parametrize(
    ("released", "candidate", "facets"),
    [
        # a real edit beside the rewrite
        ({"type": "integer", "multipleOf": 1}, {"type": "integer", "maximum": 3}, {"maximum", "multipleOf"}),
        # what never is a matter of values stays a row
        ({"type": "integer", "multipleOf": 1, "default": 1}, {"type": "integer", "default": 2}, {"default"}),
        ({"type": "integer", "multipleOf": 1}, {"type": "integer", "deprecated": True}, {"deprecated"}),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "minimum": -(2**31)}, {"format", "minimum"}),
        ({**TEXT, "format": "uuid"}, {**TEXT, "pattern": "^[0-9a-f-]{36}$"}, {"format", "pattern"}),
        # formats that nobody here knows are not taken for nothing, nor for one another
        ({"anyOf": [{**TEXT, "format": "iban"}, {**TEXT, "format": "bic"}]}, TEXT, {"anyOf", "type"}),
        (
            {"anyOf": [{**TEXT, "format": "iban", "maxLength": 3}, {**TEXT, "maxLength": 5}]},
            {**TEXT, "format": "iban", "maxLength": 5},
            {"anyOf", "type", "format", "maxLength"},
        ),
    ],
)
def test_what_differs_stays(released: Any, candidate: Any, facets: set[str]) -> None:
    found = {row.facet for row in _ledger(released, candidate).deltas}
    assert found
    assert found <= facets


OPAQUE = ("password", "byte", "binary", "money", "iri-reference", "uri-template")
# what is beside the format before and after
FACETS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"minLength": 1}),
    ({"maxLength": 9}, {"maxLength": 9, "minLength": 1}),
    ({"maxLength": 0}, {"maxLength": 0, "minLength": 1}),
    ({"pattern": "^[a-z]+$"}, {"pattern": "^[0-9]+$"}),
    ({"enum": ["a"]}, {"enum": ["a", "b"]}),
]


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("name", OPAQUE)
@pytest.mark.parametrize(("before", "after"), FACETS)
def test_a_format_that_says_nothing_here_hides_no_edit(name: str, before: Any, after: Any) -> None:
    """Neither a length nor an expression is counted against a format whose values nobody here knows."""
    bare, whole = ({**TEXT, **side} for side in (before, after))
    texts = ["", "a", "b", "0", "ab"]
    admitted = [[text for text in texts if Draft202012Validator(side).is_valid(text)] for side in (bare, whole)]
    assert admitted[0] != admitted[1]
    for place in (lambda node: node, lambda node: {"type": "object", "properties": {"p": node}}):
        ledger = _ledger(*(place({**side, "format": name}) for side in (bare, whole)))
        assert {row.facet for row in ledger.deltas} == {
            key for key in {*before, *after} if before.get(key) != after.get(key)
        }
        assert ledger.noise == ()


def test_a_branch_that_another_message_uses_alone_keeps_its_row() -> None:
    """Beside a wider branch the bound means nothing; where the component is a body of its own it does."""

    def made(longest: int) -> pairs.Doc:
        short = {"$ref": "#/components/schemas/Short"}
        return pairs.document(
            {"/a": pairs.post({"anyOf": [short, TEXT]}), "/b": pairs.post(short)},
            {"Short": {**TEXT, "maxLength": longest}},
        )

    ledger = pairs.diff(made(9), made(5))
    assert [row.facet for row in ledger.deltas] == ["maxLength"]
    alone = [pairs.document({"/a": made(at)["paths"]["/a"]}, made(at)["components"]["schemas"]) for at in (9, 5)]
    assert pairs.diff(*alone).deltas == ()
