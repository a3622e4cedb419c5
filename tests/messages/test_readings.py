"""Texts that may be read as several values: what is no witness then."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import ProofStatus
from evreview.kinds.compare import compare
from tests.messages.contracts import contract, operation, query
from tests.messages.test_structure import JSON, LIST, found_in

WHOLE: Any = {"type": "integer"}
TEXT: Any = {"type": "string"}
PAGES: list[tuple[Any, Any]] = [
    (query(WHOLE), query(TEXT, style="spaceDelimited")),
    (query({**LIST, "items": WHOLE, "maxItems": 1}), query({**LIST, "items": TEXT, "maxItems": 1}, explode=False)),
    ({"name": "q", "in": "query", "content": {JSON: {"schema": WHOLE}}}, query(TEXT)),
]


@pytest.mark.parametrize(("released", "candidate"), PAGES)
def test_one_text_of_two_types_is_no_other_value(released: Any, candidate: Any) -> None:
    """What types a text is read as is the schemas' matter, which say nothing is lost."""
    sides = [contract(operation(parameters=[side])) for side in (released, candidate)]
    found = [each.witness for each in found_in(*sides) if each.witness is not None]
    assert not [each for each in found if "read_as" in each]  # type: ignore[operator]


def mapped(first: Any) -> Any:
    schema = {"type": "object", "patternProperties": {"^x": first}, "additionalProperties": WHOLE}
    return operation(parameters=[query(schema, style="deepObject", explode=True)])


def plain(*branches: Any) -> Any:
    return operation("post", requestBody={"required": True, "content": {"text/plain": {"schema": {"oneOf": branches}}}})


@pytest.mark.parametrize(
    ("released", "candidate"),
    [(mapped(WHOLE), mapped(TEXT)), (plain(WHOLE, {**TEXT, "pattern": "^[a-z]"}), plain(WHOLE, {}))],
    ids=["members by their names", "a branch of no type"],
)
def test_texts_that_may_be_read_as_strings_too(released: Any, candidate: Any) -> None:
    rows = compare(contract(released), contract(candidate)).rows
    assert rows
    assert ProofStatus.WITNESSED not in {row.proof.status for row in rows}
