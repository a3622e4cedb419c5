"""Recorded exchanges: an example only with approval, only of the recorded shape, with invented values only."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Exchange
from evreview.workflows.w2.examples.examples import Examples
from evreview.workflows.w2.examples.observed import observed_example
from evreview.workflows.w2.facts import Example, Label, Omitted, Why
from tests.workflows.w2.examples.subjects import JSON, calling, holds, only, shown

ORDER: dict[str, Any] = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string"},
        "email": {"type": "string"},
        "total": {"type": "number"},
        "note": {"type": ["string", "null"]},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}
SEEN: dict[str, Any] = {
    "id": "ord_48213977",
    "email": "ines@somebody.fr",
    "note": None,
    "lines": [{"sku": "KX-7781"}, {}],
    "internal": "trace 7781",
}


def observed(body: Json, *, approved: bool = True, status: int = 200, media: str = JSON) -> Example | Omitted:
    subject = calling({"responses": {"200": {"description": "", "content": {JSON: {"schema": ORDER}}}}})
    exchange = Exchange(
        method="GET", path="/things", status=status, locator="#/0", media_type=media, body=body, body_recorded=True
    )
    return observed_example(Examples(subject), only(subject), exchange, approved=approved)


def test_without_approval_there_is_none() -> None:
    found = observed(SEEN, approved=False)
    assert isinstance(found, Omitted)
    assert found.why is Why.UNAPPROVED


def test_shape_is_kept_and_every_value_is_invented() -> None:
    example = shown(observed(SEEN))
    value: Any = example.values["body"]
    assert example.label is Label.OBSERVED
    assert value == {
        "id": "example-id-1",
        "email": "user@example.com",
        "note": None,
        "lines": [{"sku": "example sku"}, {}],
    }
    assert holds(ORDER, value)
    for secret in ("48213977", "somebody", "7781", "internal"):
        assert secret not in json.dumps(value)


@pytest.mark.parametrize(
    ("body", "status", "media"),
    [
        ({"email": "a"}, 200, JSON),
        ({"id": 5}, 200, JSON),
        (["id"], 200, JSON),
        (SEEN, 404, JSON),
        (SEEN, 200, "text/html"),
    ],
)
def test_exchange_that_the_contract_does_not_describe_is_none(body: Json, status: int, media: str) -> None:
    found = observed(body, status=status, media=media)
    assert isinstance(found, Omitted)
    assert found.why is Why.OTHERWISE
