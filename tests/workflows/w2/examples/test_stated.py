"""The contract's own examples: used where they are valid, invented and clean, else replaced with a remark."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.examples.examples import Examples, request_example
from evreview.workflows.w2.examples.scalar_values import invented
from evreview.workflows.w2.examples.valid_values import DOUBTFUL, INVALID
from tests.workflows.w2.examples.subjects import JSON, calling, only, posting, shown

SCHEMA = {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer"}, "note": {}}}


def body_of(media: Any, schema: Any = SCHEMA) -> Any:
    content = {JSON: {"schema": schema, **media}}
    subject = calling({"requestBody": {"content": content}}, method="post")
    return shown(request_example(subject, only(subject)))


STATED: dict[str, tuple[Any, Any, str]] = {
    "media": ({"example": {"size": 7}}, SCHEMA, "/example"),
    "named": ({"examples": {"one": {"value": {"size": 7}}}}, SCHEMA, "/examples/one/value"),
    "schema": ({}, {**SCHEMA, "example": {"size": 7}}, "/schema/example"),
    "schema-list": ({}, {**SCHEMA, "examples": [{"size": 7}]}, "/schema/examples/0"),
    "default": ({}, {**SCHEMA, "default": {"size": 7}}, "/schema/default"),
    "second": ({"examples": {"a": {"value": {}}, "b": {"value": {"size": 7}}}}, SCHEMA, "/examples/b/value"),
}


@pytest.mark.parametrize(("media", "schema", "at"), STATED.values(), ids=STATED)
def test_valid_invented_example_is_used_with_its_place(media: Any, schema: Any, at: str) -> None:
    example = body_of(media, schema)
    assert example.values["body"] == {"size": 7}
    assert example.places["body"].pointer == f"/paths/~1things/post/requestBody/content/application~1json{at}"


REFUSED: dict[str, tuple[Any, str]] = {
    "invalid": ({"size": "7"}, INVALID),
    "not-sent": ({"size": 7, "made": "x"}, INVALID),
    "real-host": ({"size": 7, "note": "see https://shop.somebody.io/a"}, DOUBTFUL),
    "bare-host": ({"size": 7, "note": "shop.somebody.com"}, DOUBTFUL),
    "real-mail": ({"size": 7, "note": "ines@somebody.fr"}, DOUBTFUL),
    "real-address": ({"size": 7, "note": "93.184.216.34"}, DOUBTFUL),
    "person": ({"size": 7, "note": {"first_name": "Ines"}}, DOUBTFUL),
    "number": ({"size": 7, "note": "+33 6 48 21 73 90"}, DOUBTFUL),
    "generated": ({"size": 7, "note": "9f8a7c6b5d4e3f2a1b0c"}, DOUBTFUL),
    "large-number": ({"size": 48213977}, DOUBTFUL),
}


@pytest.mark.parametrize(("stated", "why"), REFUSED.values(), ids=REFUSED)
def test_example_in_doubt_is_replaced_with_a_remark(stated: Any, why: str) -> None:
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "made": {"type": "string", "readOnly": True}}}  # type: ignore[dict-item]
    example = body_of({"example": stated}, schema)
    assert example.values["body"] != stated
    assert not example.places
    assert [plain(remark).startswith(why) for remark in example.remarks] == [True]


def test_example_of_a_parameter_is_used() -> None:
    declared = {"name": "colour", "in": "query", "required": True, "schema": {"type": "string"}, "example": "teal"}
    subject = calling({"parameters": [declared]})
    example = shown(request_example(subject, only(subject)))
    assert example.url.endswith("?colour=teal")
    assert example.places["query colour"].pointer == "/paths/~1things/get/parameters/0/example"


@pytest.mark.parametrize(
    "value",
    ["teal", 7, True, None, 0.5, "2024-01-31T12:00:00Z", "user@example.com", "https://example.org/a", "<access-token>"],
)
def test_plainly_invented_values(value: Any) -> None:
    assert invented(value, "colour", Redactor())


def test_each_status_keeps_its_own_example() -> None:
    subject = posting({**SCHEMA, "example": {"size": 7}})
    examples = Examples(subject)
    (response,) = examples.responses(only(subject))
    assert shown(response).values["body"] == {"size": 7}
