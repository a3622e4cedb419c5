"""Ids never collide, and the frame keeps to the table of columns."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.delta_ids import delta_ids, unique
from evreview.comparison.ledger import BY_NAME, COLUMNS, LEDGER, columns_of
from tests.comparison import pairs


def test_equal_prefixes_get_longer_ids_whatever_the_order() -> None:
    left, right, other = "a" * 12 + "b" * 52, "a" * 12 + "c" * 52, "d" * 64
    assert unique([left, other, right]) == ("D-" + left[:16], "D-" + other[:12], "D-" + right[:16])
    assert set(unique([right, left, other])) == set(unique([left, right, other]))


def test_one_identity_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="one identity"):
        unique(["a" * 64, "a" * 64])


def test_the_frame_has_the_columns_of_the_table() -> None:
    frame = pairs.diff(pairs.base(), pairs.edited("components|schemas|Order|properties|note")).raw_frame
    assert list(frame.columns) == [column.name for column in columns_of(LEDGER)]
    assert frame["delta_id"].is_unique
    assert len(frame) == 2
    for name in frame.columns:
        assert str(frame[name].dtype) == BY_NAME[name].dtype.value, name
        if BY_NAME[name].allowed:
            assert list(frame[name].cat.categories) == list(BY_NAME[name].allowed)


def test_an_empty_ledger_has_the_same_columns() -> None:
    frame = pairs.diff(pairs.base(), pairs.base()).raw_frame
    assert list(frame.columns) == [column.name for column in columns_of(LEDGER)]
    assert frame.empty


def test_column_names_are_unique() -> None:
    assert len(BY_NAME) == len(COLUMNS)


def test_noise_that_says_the_same_as_a_row_gets_an_id_of_its_own() -> None:
    ledger = pairs.diff(pairs.base(), pairs.edited("components|schemas|Order|properties|total|maximum", 5))
    row = ledger.deltas[0]
    ids = delta_ids([(row, (), ""), (row, (), "one reason"), (row, (), "another reason")])
    assert len(set(ids)) == 3
    assert ids[0] == delta_ids([(row, (), "")])[0]


def _body(*required: str, **more: Any) -> pairs.Doc:
    schema = {"type": "object", "required": list(required), "properties": {"x": {"type": "string", **more}}}
    return {"required": True, **pairs.json_body(schema)}


def _parameter(kind: str) -> pairs.Doc:
    return {"name": "q", "in": "query", "required": True, **pairs.json_body({"type": kind})}


def _callback(schema: pairs.Doc) -> pairs.Doc:
    return {"a": {"{$request.body#/url}": {"post": {"requestBody": schema, "responses": {"204": {"description": ""}}}}}}


def _answer(schema: pairs.Doc, **more: Any) -> pairs.Doc:
    return {"description": "", **schema, **more}


ADDED: dict[str, tuple[str, pairs.Doc, pairs.Doc]] = {
    "body": ("requestBody", _body(), _body("x")),
    "bound of a field of a body": ("requestBody", _body(), _body(minLength=9)),
    "parameter with content": ("parameters", _parameter("string"), _parameter("integer")),
    "response": ("responses", _answer(_body()), _answer(_body(minLength=1))),
    "header of a response": ("responses", _answer({}), _answer({}, headers={"X-A": {"schema": {"type": "string"}}})),
    "callback": ("callbacks", _callback(_body()), _callback(_body("x"))),
}


def _operation(what: str, part: pairs.Doc | None) -> pairs.Doc:
    operation: pairs.Doc = {"responses": {"204": {"description": ""}}}
    if part is not None and what == "responses":
        operation["responses"]["202"] = part
    elif part is not None:
        operation[what] = [part] if what == "parameters" else part
    return pairs.document({"/a": {"post": operation}})


@pytest.mark.parametrize("name", ADDED)
def test_what_was_accepted_when_it_was_added_covers_nothing_that_it_grew_into(name: str) -> None:
    what, accepted, grown = ADDED[name]
    released = _operation(what, None)
    ids = [{row.id for row in pairs.diff(released, _operation(what, part)).deltas} for part in (accepted, grown)]
    assert all(ids) and not ids[0] & ids[1]


def test_words_and_order_in_an_added_body_move_no_id() -> None:
    schema = {"properties": {"x": {"type": "string", "description": "a text"}}, "type": "object", "required": []}
    one, other = {**_body(), **pairs.json_body(schema)}, _body()
    for made in (one, other):
        made["content"] = dict(sorted({**made["content"], "text/csv": {}}.items(), reverse=made is one))
    ids = [
        [row.id for row in pairs.diff(_operation("", None), _operation("requestBody", body)).deltas]
        for body in (one, other)
    ]
    assert ids[0] == ids[1] != []
