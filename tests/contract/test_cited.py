"""Citations of places of a contract."""

from __future__ import annotations

import pytest

from evreview.contract.citations import cited_place
from evreview.contract.model import Place
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import parse_citation


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("api.json", ""), "E1"),
        (Place("api.json", "/paths/~1orders~1{id}/get"), "E1#/paths/~1orders~1{id}/get"),
        (Place("api.json", "/content/application~1problem+json"), "E1#/content/application~1problem+json"),
        (Place("api.json", "/paths/~1f(x), y"), "E1#/paths/~1f%28x%29%2C%20y"),
        (Place("parts/error.json", "/Error"), "E1:file=parts/error.json#/Error"),
        (Place("parts/error.json", ""), "E1:file=parts/error.json#"),
    ],
)
def test_a_place_is_cited_in_the_file_that_holds_it(place: Place, expected: str) -> None:
    found = cited_place(EvidenceId("E1"), "api.json", place)
    assert str(found) == expected
    assert parse_citation(expected) == found
