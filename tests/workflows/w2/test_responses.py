"""What is printed of success and error responses: the media type that the contract states, each with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.scope import operations_of
from evreview.workflows.w2.view_messages import error_blocks, success_blocks
from tests.golden.w2_runs import finished
from tests.workflows.w2.contracts import contract_of

ROW = {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}


def facts(responses: dict[str, Any]) -> W2Facts:
    """The facts of a review that withholds nothing, about one operation with these responses."""
    contract = contract_of({"/rows": {"get": {"responses": responses}}})
    entry = Entries(contract, EvidenceId("E1")).entry(operations_of(contract)[0])
    demo = finished("demo").facts
    assert isinstance(demo, W2Facts)
    return replace(demo, entries=(entry,), discrepancies=(), examples=(), omitted=(), unverified=frozenset())


@pytest.mark.req("W2O-010", "W2O-011")
def test_each_media_type_of_a_success_response_is_printed_with_its_place() -> None:
    content = {"application/json": ROW, "text/csv": {"schema": {"type": "string"}}}
    asked = facts({"200": {"description": "rows", "content": content}, "204": {"description": "none"}})
    (block,) = success_blocks(asked)
    said = [str(text) for piece in block.pieces for text in piece.statements]
    types = [text for text in said if "Media type" in text]
    assert ["`application/json`" in types[0], "`text/csv`" in types[1], len(types)] == [True, True, 2]
    assert types[0].endswith("/200/content/application\\~1json]") and types[1].endswith("/200/content/text\\~1csv]")
    (empty,) = [piece for piece in block.pieces if any("`204`" in str(text) for text in piece.statements)]
    assert not any("application/json" in str(text) for text in (*empty.statements, *empty.rows[0]))
    assert [str(cell) for cell in empty.rows[0][1:4]] == ["n/a"] * 3
    assert str(empty.rows[0][4]).endswith("/responses/204")


@pytest.mark.req("W2O-015", "W2O-016")
def test_each_error_row_has_its_own_media_type_and_place() -> None:
    problem = {"application/problem+json": ROW, "text/plain": {"schema": {"type": "string"}}}
    asked = facts({"404": {"description": "gone", "content": problem}, "429": {"description": "slow down"}})
    (block,) = error_blocks(asked)
    rows = [row for piece in block.pieces for row in piece.rows]
    assert [(str(row[0]), str(row[1])) for row in rows] == [
        ("`404`", "`application/problem+json`"),
        ("`404`", "`text/plain`"),
        ("`429`", "none stated"),
    ]
    ends = ("/404/content/application\\~1problem+json", "/404/content/text\\~1plain", "/responses/429")
    assert [end in str(row[4]) for row, end in zip(rows, ends, strict=True)] == [True] * 3
