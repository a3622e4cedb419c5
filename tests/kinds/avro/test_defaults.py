"""A default that is no value of its field's type gives a reader nothing."""

from __future__ import annotations

import json

import pytest

from evreview.core.vocabulary import Json, Tristate
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

RECORD = {
    "type": "record",
    "name": "In",
    "fields": [{"name": "x", "type": "int"}, {"name": "y", "type": "long", "default": 0}],
}
ENUM = {"type": "enum", "name": "E", "symbols": ["A", "B"]}
FIXED = {"type": "fixed", "name": "F", "size": 2}
# type, default -> a value of it
DEFAULTS: list[tuple[Json, Json, bool]] = [
    ("int", 1, True), ("int", "x", False), ("int", True, False), ("int", 2**31, False), ("long", 2**31, True),
    ("double", 1, True), ("double", "NaN", True), ("double", "x", False), ("boolean", False, True),
    ("boolean", 0, False), ("null", None, True), ("null", "null", False), ("string", "", True), ("string", 1, False),
    ("bytes", "\u00ff", True), ("bytes", "\u0100", False), (["null", "int"], None, True), (["null", "int"], 3, True),
    (["null", "int"], "x", False),
    ({"type": "array", "items": "int"}, [], True), ({"type": "array", "items": "int"}, ["x"], False),
    ({"type": "map", "values": "int"}, {"a": 1}, True), ({"type": "map", "values": "int"}, [], False),
    (ENUM, "B", True), (ENUM, "C", False), (FIXED, "ab", True), (FIXED, "abc", False),
    (RECORD, {"x": 1}, True), (RECORD, {}, False), (RECORD, {"x": "1"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "default", "fitting"), DEFAULTS)
def test_old_data_is_read_by_a_fitting_default_only(type_: Json, default: Json, fitting: bool) -> None:
    old = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}
    new = {**old, "fields": [*old["fields"], {"name": "b", "type": type_, "default": default}]}  # type: ignore[misc]
    sides = [read_contract("r.avsc", lambda _, one=one: json.dumps(one).encode()) for one in (old, new)]  # type: ignore[misc]
    (row,) = compare(*sides).rows
    assert row.judgement.accepts_old_requests is (Tristate.YES if fitting else Tristate.NO)
    assert row.judgement.emits_old_compatible is Tristate.YES


@pytest.mark.parametrize(("default", "answer"), [(0, Tristate.YES), ("x", Tristate.NO)])
def test_a_released_client_is_heard_by_a_fitting_default_only(default: Json, answer: Tristate) -> None:
    def protocol(*request: Json) -> Json:
        return {"protocol": "P", "messages": {"go": {"request": list(request), "response": "null"}}}

    asked = {"name": "a", "type": "int", "default": default}
    sides = [
        read_contract("p.avpr", lambda _, one=one: json.dumps(one).encode()) for one in (protocol(), protocol(asked))
    ]  # type: ignore[misc]
    (row,) = compare(*sides).rows
    assert row.judgement.accepts_old_requests is answer
