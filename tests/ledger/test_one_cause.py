"""One decision that reaches many operations is one row, under an id that other edits leave alone."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from evreview.compare import Row
from evreview.vocab import Json
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


def rows(released: Any, candidate: Any) -> list[Row]:
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


EDITS = (_type, _sent_type, _other_type, _renamed_type, _status, _ranged, _header, _demand)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("back", [False, True])
def test_an_edit_of_every_operation_is_one_row(edit: Any, back: bool) -> None:
    sides = document(), edited(edit)
    found = rows(*(reversed(sides) if back else sides))
    whole = [row for row in found if len(row.delta.operations) == len(PATHS)]
    ranged = edit is _ranged and back  # the range narrows to a status that it held: two rows, as in one operation
    assert len(whole) == len(found) == (2 if ranged else 1)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_its_id_survives_other_edits_and_one_operation_more(edit: Any) -> None:
    (found,) = rows(document(), edited(edit))
    later = edited(edit)
    later["paths"]["/new"] = {"get": {"responses": {"204": {"description": ""}}}}
    later["paths"]["/a"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]["properties"]["z"] = {}
    assert found.delta.id in {row.delta.id for row in rows(document(), later)}
    (fewer,) = rows(document(), edited(edit, PATHS[:3]))
    assert (fewer.delta.id, len(fewer.delta.operations)) == (found.delta.id, 3)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_two_operations_keep_a_row_each(edit: Any) -> None:
    found = rows(document(), edited(edit, PATHS[:2]))
    assert [row.delta.operations for row in found] == [("POST /a",), ("POST /b",)]


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
