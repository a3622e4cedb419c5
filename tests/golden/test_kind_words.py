"""A review of a contract that is no HTTP interface speaks in the words of its own kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOREIGN = {
    "avro": r"takes every request|response of the candidate|status code|client error|\d operations",
    "protobuf": r"takes every request|response of the candidate|status code|client error|\d operations",
    "python": r"takes every request|response of the candidate|status code|client error|\d operations",
    "jsonschema": r"takes every request|response of the candidate|status code|client error|\d operations",
    "asyncapi": r"takes every request|response of the candidate|status code|client error",
    "graphql": r"takes every request|status code|client error",
}
OWN = {
    "avro": "Every record that was written with the released schema",
    "protobuf": "The candidate answers every call of depot.v1.Parcels/Find",
    "python": "public names",
    "jsonschema": "message",
    "asyncapi": "The candidate application handles every message",
    "graphql": "The candidate takes every document that is valid under the released schema",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_no_words_of_http_come_into_a_review_of_another_kind(kind: str) -> None:
    told = (HERE / f"expected_{kind}" / "api-contract-review.md").read_text(encoding="utf-8")
    assert re.findall(FOREIGN[kind], told) == []
    assert OWN[kind] in told
    assert not re.search(r"\b1 (operations|messages|procedures|public names)\b", told)
