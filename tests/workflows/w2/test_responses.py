"""What is printed of success and error responses: the media type that the contract states, each with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.scope import operations_of
from evreview.workflows.w2.view_messages import answer_rows, error_rows
from evreview.workflows.w2.view_objects import Home, Objects
from tests.golden.w2_runs import finished
from tests.workflows.w2.contracts import contract_of

ROW = {"schema": {"type": "object", "properties": {"id": {"type": "string"}}}}


def facts(responses: dict[str, Any]) -> W2Facts:
    """The facts of a review that withholds nothing, about one operation with these responses."""
    contract = contract_of({"/rows": {"get": {"responses": responses}}})
    entry = Entries(contract, EvidenceId("E99")).entry(operations_of(contract)[0])
    demo = finished("demo").facts
    assert isinstance(demo, W2Facts)
    return replace(demo, entries=(entry,), discrepancies=(), examples=(), omitted=(), unverified=frozenset(),
                   left_out=frozenset())  # fmt: skip


def answers(responses: dict[str, Any]) -> list[list[str]]:
    """The rows of the answers of one operation."""
    known, bundle = facts(responses), finished("demo").bundle
    rows = answer_rows(bundle, known, known.entries[0], Objects(bundle, known))
    return [[str(cell) for cell in row] for row in rows]


@pytest.mark.req("W2O-010", "W2O-011")
def test_each_media_type_of_a_success_response_is_printed_with_its_place() -> None:
    content = {"application/json": ROW, "text/csv": {"schema": {"type": "string"}}}
    rows = answers({"200": {"description": "rows", "content": content}, "204": {"description": "none"}})
    assert [row[:4] for row in rows] == [
        ["`200`", "`application/json`", "n/a", "fields below; “rows”"],
        ["`200`", "`text/csv`", "n/a", "string; “rows”"],
        ["`204`", "none stated", "n/a", "no body; “none”"],
    ]
    ends = ("/200/content/application\\~1json", "/200/content/text\\~1csv", "/responses/204")
    assert [row[4].endswith(end) for row, end in zip(rows, ends, strict=True)] == [True] * 3


@pytest.mark.req("W2O-015", "W2O-016")
def test_each_error_row_has_its_own_media_type_and_place() -> None:
    problem = {"application/problem+json": ROW, "text/plain": {"schema": {"type": "string"}}}
    responses = {"404": {"description": "gone", "content": problem}, "429": {"description": "slow down"}}
    known, bundle = facts(responses), finished("demo").bundle
    shared = error_rows(bundle, known, Objects(bundle, known))
    for rows in (answers(responses), [[str(cell) for cell in row] for row in shared]):
        assert [row[:2] for row in rows] == [
            ["`404`", "`application/problem+json`"],
            ["`404`", "`text/plain`"],
            ["`429`", "none stated"],
        ]
        ends = ("/404/content/application\\~1problem+json", "/404/content/text\\~1plain", "/responses/429")
        assert [end in row[4] for row, end in zip(rows, ends, strict=True)] == [True] * 3


NODE = {"type": "object", "properties": {"id": {"type": "string"}, "next": {"$ref": "#/components/schemas/Node"}}}


def answering(schema: Any) -> dict[str, Any]:
    """A path whose GET answers with a value of a schema."""
    return {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}}


def test_an_object_stands_once_and_what_repeats_it_links_to_it() -> None:
    node_ref = {"$ref": "#/components/schemas/Node"}
    paths = {"/one": answering(node_ref), "/all": answering({"type": "array", "items": node_ref})}
    contract = contract_of(paths, components={"schemas": {"Node": NODE}})
    done = finished("demo")
    assert isinstance(done.facts, W2Facts)
    makes = Entries(contract, EvidenceId("E99"))
    entries = tuple(makes.entry(each) for each in operations_of(contract))
    known = replace(done.facts, entries=entries, discrepancies=(), left_out=frozenset())
    objects = Objects(done.bundle, known)
    (node,) = objects.printed(Home.SUCCESS)
    assert str(node.heading) == "Node"
    assert [[str(cell) for cell in row[:2]] for row in node.rows] == [["`id`", "string"], ["`next`", "[Node](#node)"]]
    said = [str(objects.said(body)) for entry in entries for each in entry.success for body in each.bodies]
    assert sorted(said) == ["[Node](#node)", "array of [Node](#node)"]
