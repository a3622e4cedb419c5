"""Rows about values vanish into noise when both sides admit the same as wholes, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.ledger.ledger import Ledger
from evreview.ledger.noise import SAME_VALUES
from tests.ledger import pairs

TEXT: Any = {"type": "string"}


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
    ],
)
def test_equal_wholes_leave_noise_with_its_proof(released: Any, candidate: Any) -> None:
    for ledger in (_ledger(released, candidate), _ledger(candidate, released)):
        assert ledger.deltas == ()
        assert {noise.reason for noise in ledger.noise} == {SAME_VALUES}


@pytest.mark.parametrize(
    ("released", "candidate", "facets"),
    [
        # a real edit beside the rewrite
        ({"type": "integer", "multipleOf": 1}, {"type": "integer", "maximum": 3}, {"maximum", "multipleOf"}),
        # what never is a matter of values stays a row
        ({"type": "integer", "multipleOf": 1, "default": 1}, {"type": "integer", "default": 2}, {"default"}),
        ({"type": "integer", "multipleOf": 1}, {"type": "integer", "deprecated": True}, {"deprecated"}),
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
