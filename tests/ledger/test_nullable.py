"""`nullable` of OpenAPI 3.0 by the letter of 3.0.3: without effect, a change of it is noise."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.ledger.noise import IDLE_NULLABLE
from tests.ledger.pairs import diff, document, get

TEXT: Any = {"type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "enum": ["a", "b"]},
        {"enum": ["a", "b"]},
        {"maxLength": 3},
        {"allOf": [{"type": "string"}]},
        {"allOf": [{"$ref": "#/components/schemas/Text"}]},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    ],
)
@pytest.mark.parametrize("version", ["3.0.3"])
def test_without_effect_it_is_noise(schema: Any, version: str) -> None:
    plain = document({"/a": get(schema)}, {"Text": TEXT}, version)
    nullable = document({"/a": get({**schema, "nullable": True})}, {"Text": TEXT}, version)
    for released, candidate in ((plain, nullable), (nullable, plain)):
        ledger = diff(released, candidate)
        assert ledger.deltas == ()
        assert [(noise.delta.facet, noise.reason) for noise in ledger.noise] == [("nullable", IDLE_NULLABLE)]


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "string", "enum": ["a", None]}])
def test_beside_a_type_it_counts(schema: Any) -> None:
    plain, nullable = document({"/a": get(schema)}), document({"/a": get({**schema, "nullable": True})})
    (row,) = diff(plain, nullable).deltas
    assert (row.aspect, row.facet, row.released, row.candidate) == ("nullability", "nullable", False, True)
