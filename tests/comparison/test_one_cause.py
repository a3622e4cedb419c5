"""One decision that reaches many operations is one row, under an id that other edits leave alone."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import Json
from tests.pipeline import compared

PATHS = ("/a", "/b", "/c", "/d")
TOO_MANY: Json = {"description": "slow down", "content": {"application/json": {"schema": {"type": "string"}}}}
HEADER: Json = {"schema": {"type": "string"}}


def document() -> Any:
    def item(path: str) -> Json:
        schema: Json = {"type": "object", "properties": {path[1:]: {"type": "string"}}}
        content: Json = {"application/json": {"schema": schema}}
        answers: Json = {status: {"description": "", "content": content} for status in ("200", "404")}
        return {"post": {"requestBody": {"content": content}, "responses": answers, "security": [{"k": []}]}}

    schemes: Json = {"k": {"type": "apiKey", "in": "header", "name": "K"}, "t": {"type": "http", "scheme": "bearer"}}
    made = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {path: item(path) for path in PATHS},
        "components": {"securitySchemes": schemes},
    }
    return json.loads(json.dumps(made))


def edited(edit: Any, paths: tuple[str, ...] = PATHS) -> Any:
    made = document()
    for path in paths:
        edit(made["paths"][path]["post"])
    return made


def rows(released: Any, candidate: Any) -> list[JudgedRow]:
    return list(compared(released, candidate).rows)


def _type(operation: Any) -> None:
    content = operation["responses"]["200"]["content"]
    content["application/cbor"] = copy.deepcopy(content["application/json"])


def _sent_type(operation: Any) -> None:
    content = operation["requestBody"]["content"]
    content["application/cbor"] = copy.deepcopy(content["application/json"])


def _other_type(operation: Any) -> None:
    operation["responses"]["200"]["content"]["text/csv"] = {"schema": {"type": "string"}}


def _renamed_type(operation: Any) -> None:
    content = operation["responses"]["404"]["content"]
    content["application/problem+json"] = content.pop("application/json")


def _status(operation: Any) -> None:
    operation["responses"]["429"] = TOO_MANY


def _ranged(operation: Any) -> None:
    operation["responses"]["4XX"] = operation["responses"].pop("404")


def _header(operation: Any) -> None:
    operation["responses"]["200"]["headers"] = {"X-Trace": HEADER}


def _demand(operation: Any) -> None:
    operation["security"] = [{"t": []}]


def _other_status(operation: Any) -> None:
    operation["responses"]["201"] = operation["responses"].pop("200")


def _parameter(operation: Any) -> None:
    operation["parameters"] = [{"name": "X-Tenant", "in": "header", "required": True, "schema": {"type": "string"}}]


EDITS = (
    _type, _sent_type, _other_type, _renamed_type, _status, _other_status, _ranged, _header, _demand, _parameter
)  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("back", [False, True])
def test_an_edit_of_every_operation_is_one_row(edit: Any, back: bool) -> None:
    sides = document(), edited(edit)
    found = rows(*(reversed(sides) if back else sides))
    whole = [row for row in found if len(row.delta.operations) == len(PATHS)]
    assert len(whole) == len(found) == 1


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_its_id_survives_other_edits_and_one_operation_more(edit: Any) -> None:
    (found,) = rows(document(), edited(edit))
    later = edited(edit)
    later["paths"]["/new"] = {"get": {"responses": {"204": {"description": ""}}}}
    later["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]["z"] = {}
    assert found.delta.id in {row.delta.id for row in rows(document(), later)}
    (fewer,) = rows(document(), edited(edit, PATHS[:3]))
    assert (fewer.delta.id, len(fewer.delta.operations)) == (found.delta.id, 3)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_two_operations_keep_a_row_each(edit: Any) -> None:
    found = rows(document(), edited(edit, PATHS[:2]))
    assert [row.delta.operations for row in found] == [("POST /a",), ("POST /b",)]


def fields(*operations: Any) -> Any:
    """A contract with one operation per list of parameters, or object of response headers."""
    made = document()
    made["paths"] = {}
    for at, held in enumerate(operations):
        answer = {"description": "", "headers": held if isinstance(held, dict) else {}}
        asked = held if isinstance(held, list) else []
        made["paths"][f"/f{at}"] = {"get": {"parameters": asked, "responses": {"204": answer}}}
    return made


def sent(where: str = "header", schema: Any = None, **more: Any) -> Any:
    return [{"name": "X-Tenant", "in": where, "schema": schema or {"type": "string"}, **more}]


def written(schema: Any = None, **more: Any) -> Any:
    return {"X-Trace": {"schema": schema or {"type": "string"}, **more}}


SHORT: Json = {"type": "string", "maxLength": 4}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (sent(), sent(required=True)),
        (sent("query"), sent("query", required=True)),
        (sent("cookie"), sent("cookie", required=True)),
        (written(), written(required=True)),
        (sent(), sent(schema=SHORT)),
        (sent("query"), sent("query", SHORT)),
        (written(), written(SHORT)),
        (
            sent("query", {"type": "array", "items": {"type": "string"}}),
            sent("query", {"type": "array", "items": SHORT}),
        ),
        ([], sent()),
    ],
)
@pytest.mark.parametrize("back", [False, True])
def test_an_edit_of_one_field_in_every_operation_is_one_row(before: Any, after: Any, back: bool) -> None:
    sides = (after, before) if back else (before, after)
    released, candidate = (fields(*[side] * 5) for side in sides)
    (row,) = rows(released, candidate)
    assert row.delta.operations == tuple(f"GET /f{at}" for at in range(5))
    (fewer,) = rows(fields(*[sides[0]] * 6), fields(*[sides[1]] * 3, *[sides[0]] * 3))
    assert (fewer.delta.id, len(fewer.delta.operations)) == (row.delta.id, 3)
    assert len(rows(fields(*[sides[0]] * 2), fields(*[sides[1]] * 2))) == 2


@pytest.mark.parametrize(
    ("others", "edited_others"),
    [
        (sent(schema={"type": "integer"}), sent(schema={"type": "integer"}, required=True)),
        (sent("query"), sent("query", required=True)),
        (written(), written(required=True)),
        (sent(), sent(schema=SHORT)),
    ],
)
def test_other_edits_of_fields_are_other_rows(others: Any, edited_others: Any) -> None:
    found = rows(fields(*[sent()] * 4, others), fields(*[sent(required=True)] * 4, edited_others))
    assert sorted(row.delta.operations for row in found) == [tuple(f"GET /f{at}" for at in range(4)), ("GET /f4",)]


def test_equal_edits_of_unequal_schemas_are_other_rows() -> None:
    """What one admits beside the edit decides about its verdict."""
    exact: Json = {"type": "string", "maxLength": 9, "pattern": "^a$"}
    found = rows(
        fields(*[sent()] * 3, sent(schema=exact)),
        fields(*[sent(schema=SHORT)] * 3, sent(schema={**exact, "maxLength": 4})),
    )  # type: ignore[dict-item]
    assert [len(row.delta.operations) for row in found] == [3]


def test_other_causes_are_other_rows() -> None:
    def different(operation: Any) -> None:
        operation["responses"]["429"] = copy.deepcopy(TOO_MANY)

    candidate = edited(different)
    candidate["paths"]["/a"]["post"]["responses"]["429"]["content"]["application/json"]["schema"] = {"type": "integer"}
    assert sorted(len(row.delta.operations) for row in rows(document(), candidate)) == [1, 3]


def test_a_type_that_holds_something_else_is_told_apart() -> None:
    candidate = edited(_type)
    candidate["paths"]["/a"]["post"]["responses"]["200"]["content"]["application/cbor"]["schema"] = {"type": "string"}
    found = rows(document(), candidate)
    assert sorted(len(row.delta.operations) for row in found) == [1, 3]
    assert len({row.delta.id for row in found}) == 2
