"""A use that neither contract has maps nothing, and is never taken as no use."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.reconcile.unmatched_uses import unmapped_uses
from tests.rows import ORDER, Spec, contract, inventory


def order(*names: str) -> Any:
    part = {"type": "object", "properties": {"sku": {"type": "string"}, "{odd}": {"type": "string"}}}
    fields = {
        "id": {"type": "string"},
        "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
        "extra": {"type": "object"},
        "labels": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
        **{name: {"type": "string"} for name in names},
    }
    body = {"allOf": [{"type": "object", "properties": fields}]}
    responses = {"200": {"application/json": body}, "404": {"application/problem+json": part}}
    spec = Spec(ORDER, responses, {"query:limit": {"type": "integer"}}, {"x-trace": {"type": "string"}})
    return contract(spec, Spec("GET /v1/new" if names else "GET /v1/old"), components={"Line": part})


SIDES = ContractPair(order(), order("note"))


@pytest.mark.req("W1D-004")
@pytest.mark.parametrize(
    ("operation", "fields", "pointers"),
    [
        pytest.param("GET /v1/orders/{orderId}", None, [], id="operation"),
        pytest.param("get /v1/orders/{x}", ["id", "lines[].sku"], [], id="fields"),
        pytest.param("GET /v1/orders/{id}", ["note"], [], id="candidate-field"),
        pytest.param("GET /v1/old", None, [], id="released-operation"),
        pytest.param("GET /v1/new", None, [], id="candidate-operation"),
        pytest.param("GET /v1/orders/{id}", ["limit", "X-Trace", "sku"], [], id="parameter-header-error"),
        pytest.param("GET /v1/orders/{id}", ["extra.anything", "labels.colour"], [], id="free-form"),
        pytest.param("GET /v1/ordres/{id}", ["id"], ["operation"], id="misspelt-operation"),
        pytest.param("PUT /v1/orders/{id}", None, ["operation"], id="other-method"),
        pytest.param("GET /v1/orders/42", None, ["operation"], id="concrete-path"),
        pytest.param("GET /v1/orders/{id}", ["id", "stauts", "lines[].skv"], ["fields/1", "fields/2"], id="misspelt"),
        pytest.param("GET /v1/orders/{id}", ["{odd}.x"], ["fields/0"], id="braces"),
    ],
)
def test_uses(operation: str, fields: Any, pointers: list[str]) -> None:
    gaps = unmapped_uses([inventory({"uses": [{"operation": operation, "fields": fields}]})], SIDES)
    assert [str(gap.citation) for gap in gaps] == [f"E6#/clients/0/uses/0/{one}" for one in pointers]
    assert all(gap.missing == "mapping" and gap.client == "shop" and operation in gap.text for gap in gaps)


def test_unknown_usage_is_another_gap() -> None:
    assert unmapped_uses([inventory({"uses": None}, {"id": "b", "uses": []})], SIDES) == ()
