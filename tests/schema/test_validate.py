"""Instances against value sets of a contract."""

from __future__ import annotations

import socket

import pytest

from evreview.contract.model import Place, SchemaDialect, ValueSet
from evreview.core.vocabulary import Direction, Json
from evreview.schema.validators import Validators, violations
from tests.pipeline import contract

ORDER: Json = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "string"}, "lines": {"type": "array", "items": {"type": "integer"}}},
}
DOCUMENT: Json = {"openapi": "3.1.0", "info": {}, "paths": {}, "components": {"schemas": {"Order": ORDER}}}


def value(schema: Json) -> ValueSet:
    return ValueSet(Place("api.json", "/components/schemas/Order"), schema, SchemaDialect.OPENAPI_3_1)


@pytest.mark.parametrize(
    ("instance", "expected"),
    [
        ({"id": "1"}, ()),
        ({"id": "1", "lines": [1]}, ()),
        ({}, (": required",)),
        ({"id": 1, "lines": [1, "x"]}, ("/id: type", "/lines/1: type")),
    ],
)
def test_places_and_keywords_are_named_and_no_value(instance: Json, expected: tuple[str, ...]) -> None:
    assert violations(value(ORDER), contract(DOCUMENT), instance, Direction.WRITTEN) == expected


def test_validators_are_built_once() -> None:
    validators = Validators(contract(DOCUMENT))
    for instance in ({"id": "1"}, {"id": "2"}):
        assert validators.violations(value(ORDER), instance, None) == ()
    assert len(validators._built) == 1


@pytest.mark.parametrize("ref", ["https://example.test/schema.json", "file:///etc/passwd"])
def test_nothing_is_fetched(ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    assert violations(value({"$ref": ref}), contract(DOCUMENT), {"id": 1}, None) == ()


def test_a_schema_that_cannot_be_used_says_so() -> None:
    assert violations(value({"type": "string", "pattern": "(?P<n>a)(?P=n)"}), contract(DOCUMENT), "x", None) is None
