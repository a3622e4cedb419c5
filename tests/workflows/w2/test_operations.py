"""Which operations a scope names."""

from __future__ import annotations

import pytest

from evreview.workflows.w2.scope import operations_in
from tests.workflows.w2.contracts import OK, contract_of

ORDERS = contract_of(
    {
        "/orders": {"get": {"operationId": "listOrders", "responses": OK}, "post": {"responses": OK}},
        "/orders/{id}": {"get": {"operationId": "getOrder", "responses": OK}},
        "/twice": {"get": {"operationId": "twice", "responses": OK}, "put": {"operationId": "twice", "responses": OK}},
    },
    servers=[{"url": "https://api.example.com/v1"}],
)


@pytest.mark.req("W2S-002")
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GET /orders/{id}", "GET /orders/{id}"),
        ("get /orders/{id}", "GET /orders/{id}"),
        ("GET /orders/{order_id}", "GET /orders/{id}"),
        ("GET /v1/orders/{id}", "GET /orders/{id}"),
        ("getOrder", "GET /orders/{id}"),
        ("POST /orders", "POST /orders"),
    ],
)
def test_a_name_finds_its_operation(name: str, meant: str) -> None:
    found, unresolved = operations_in(ORDERS, [name], [])
    assert [operation.id for operation in found] == [meant]
    assert unresolved == ()


@pytest.mark.req("W2S-002", "W2S-003")
@pytest.mark.parametrize("name", ["PUT /orders/{id}", "/orders", "getorder", "", "GET", "twice", "GET /v2/orders"])
def test_a_name_of_none_or_several_stays_unresolved(name: str) -> None:
    assert operations_in(ORDERS, [name], []) == ((), (name,))
    assert operations_in(ORDERS, [], [name]) == ((), (name,))


def test_what_is_excluded_is_out_and_order_is_the_documents() -> None:
    found, unresolved = operations_in(ORDERS, ["getOrder", "POST /orders", "listOrders"], ["POST /orders"])
    assert [operation.id for operation in found] == ["GET /orders", "GET /orders/{id}"]
    assert unresolved == ()


def test_a_webhook_is_no_operation_that_callers_send_requests_to() -> None:
    hooked = contract_of({}, webhooks={"paid": {"post": {"operationId": "paid", "responses": OK}}})
    assert operations_in(hooked, ["paid"], []) == ((), ("paid",))
