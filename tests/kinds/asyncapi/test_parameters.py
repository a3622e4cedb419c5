"""Parameters of 2.x and 3.x: what the newer language can't say of them breaks nobody, what both can say is compared."""

from __future__ import annotations

import json

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.vocabulary import Json, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

ACTIONS = {"subscribe": "send", "publish": "receive"}
_INFO = {"title": "Doors", "version": "1.0.0"}
_OPENED = {"name": "opened", "payload": {"type": "object"}}
_IDS: Json = {"schemas": {"Door": {"type": "string", "format": "uuid"}}}


def read(document: Json) -> Contract:
    return read_contract("doors.json", lambda _: json.dumps(document).encode())


def older(action: str, schema: Json) -> Contract:
    channel = {"parameters": {"door": {"schema": schema}}, action: {"message": _OPENED}}
    return read({"asyncapi": "2.6.0", "info": _INFO, "channels": {"doors/{door}": channel}, "components": _IDS})


def newer(action: str, parameter: Json) -> Contract:
    channel = {"address": "doors/{door}", "parameters": {"door": parameter}, "messages": {"opened": _OPENED}}
    on = {"action": ACTIONS[action], "channel": {"$ref": "#/channels/doors"}}
    return read({"asyncapi": "3.0.0", "info": _INFO, "channels": {"doors": channel}, "operations": {"open": on}})


def both_ways(action: str, schema: Json, parameter: Json) -> list[Comparison]:
    pair = older(action, schema), newer(action, parameter)
    return [compare(*pair), compare(*pair[::-1])]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "format": "uuid"},
        {"type": "integer"},
        {"type": "string", "pattern": "^[a-z]+$"},
        {"type": "string", "minLength": 3, "maxLength": 8},
        {"$ref": "#/components/schemas/Door"},
        {"allOf": [{"type": "string"}, {"maxLength": 3}]},
        {"type": ["string", "integer"]},
        {"type": "boolean"},
    ],
    ids=str,
)
def test_what_the_newer_language_cannot_say_is_one_unknown_row(action: str, schema: Json) -> None:
    for found in both_ways(action, schema, {"description": "which door"}):
        (row,) = found.rows
        assert (row.judgement.rule, row.judgement.verdict) == ("asyncapi-parameter-schema-untold", Verdict.UNKNOWN)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    ("schema", "parameter"),
    [
        ({"type": "string"}, {}),
        ({"type": "string", "title": "Door", "default": "front"}, {"default": "front"}),
        ({"enum": ["front", "back"]}, {"enum": ["front", "back"]}),
        ({"type": "integer", "enum": [1, 2]}, {"enum": ["1", "2"]}),
        ({"type": "boolean"}, {"enum": ["true", "false"]}),
        ({"const": "front"}, {"enum": ["front"]}),
    ],
    ids=str,
)
def test_what_both_say_has_no_row(action: str, schema: Json, parameter: Json) -> None:
    assert [found.rows for found in both_ways(action, schema, parameter)] == [(), ()]


@pytest.mark.parametrize(
    ("schema", "parameter"),
    [
        ({"enum": ["front", "back"]}, {"enum": ["front"]}),
        ({"type": "string"}, {"enum": ["front"]}),
        ({"type": "string", "pattern": "^[a-z]+$"}, {"enum": ["front"]}),
        ({"type": "integer", "enum": [1, 2]}, {"enum": ["1"]}),
    ],
    ids=str,
)
def test_texts_that_are_listed_are_compared(schema: Json, parameter: Json) -> None:
    found = both_ways("publish", schema, parameter)
    assert [bool(each.breaking) for each in found] == [True, False]


def test_within_one_generation_a_schema_counts() -> None:
    found = compare(older("publish", {"type": "string"}), older("publish", {"type": "string", "format": "uuid"}))
    assert [row.judgement.verdict for row in found.rows] == [Verdict.BREAKING]
