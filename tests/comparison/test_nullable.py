"""`nullable` of OpenAPI 3.0: a change is seen where letter and use part, and noise where null may come anyway."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from tests.comparison.pairs import diff, document, get, post
from tests.pipeline import compared

TEXT: Any = {"type": "string"}


REFUSING: Any = [
    {"type": "string", "enum": ["a", "b"]},
    {"enum": ["a", "b"]},
    {"allOf": [{"type": "string"}]},
    {"allOf": [{"$ref": "#/components/schemas/Text"}]},
    {"allOf": [{"type": "object"}, {"required": ["a"]}]},
    {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    {"anyOf": [{"$ref": "#/components/schemas/Text"}, {"type": "integer"}]},
    {"$ref": "#/components/schemas/Text"},
]


PLACES: Any = [("3.0.3", schema) for schema in REFUSING] + [("3.1.0", schema) for schema in (TEXT, *REFUSING)]
"""Where null is refused with `nullable` and without; 3.1 has no such keyword."""


@pytest.mark.parametrize(("version", "schema"), PLACES)
def test_without_effect_it_is_undecided_in_the_direction_that_may_break(version: str, schema: Any) -> None:
    plain, nullable = (
        document({"/a": get(each)}, {"Text": TEXT}, version) for each in (schema, {**schema, "nullable": True})
    )
    joined, left = compared(plain, nullable), compared(nullable, plain)
    assert [(row.delta.facet, row.judgement.verdict.value) for row in joined.rows] == [("nullable", "unknown")]
    assert [(row.delta.facet, row.judgement.verdict.value) for row in left.rows] == [("nullable", "compatible")]


@pytest.mark.parametrize(("version", "schema"), PLACES)
def test_in_a_request_it_is_the_other_usage_path_round(version: str, schema: Any) -> None:
    plain, nullable = (
        document({"/a": post(each)}, {"Text": TEXT}, version) for each in (schema, {**schema, "nullable": True})
    )
    joined, left = compared(plain, nullable), compared(nullable, plain)
    assert [(row.delta.facet, row.judgement.verdict.value) for row in joined.rows] == [("nullable", "compatible")]
    assert [(row.delta.facet, row.judgement.verdict.value) for row in left.rows] == [("nullable", "unknown")]


@pytest.mark.parametrize(
    ("version", "schema"),
    [
        ("3.0.3", {"maxLength": 3}),
        ("3.0.3", {"allOf": [{"maxLength": 3}]}),
        ("3.0.3", {}),
        ("3.1.0", {"type": ["string", "null"]}),
        ("3.1.0", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        ("3.1.0", {}),
    ],
)
def test_where_null_may_come_anyway_it_is_noise(version: str, schema: Any) -> None:
    plain, nullable = (document({"/a": get(each)}, {}, version) for each in (schema, {**schema, "nullable": True}))
    for released, candidate in ((plain, nullable), (nullable, plain)):
        ledger = diff(released, candidate)
        assert ledger.deltas == ()
        assert [(noise.delta.facet, noise.reason) for noise in ledger.noise] == [
            ("nullable", NoiseReason.NON_WIRE_NULLABLE)
        ]


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "string", "enum": ["a", None]}])
def test_beside_a_type_it_counts(schema: Any) -> None:
    plain, nullable = document({"/a": get(schema)}), document({"/a": get({**schema, "nullable": True})})
    (row,) = diff(plain, nullable).deltas
    assert (row.aspect, row.facet, row.released, row.candidate) == ("nullability", "nullable", False, True)
