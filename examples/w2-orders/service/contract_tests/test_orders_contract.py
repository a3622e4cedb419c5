"""Contract tests of the Orders API. They run the service in this process; no network is used."""

from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from orders_service.guards import calls
from orders_service.handlers import KEYS, ORDERS, app

CALLER = {"Authorization": "Bearer synthetic-caller"}
ORDER_FIELDS = {"id", "sku", "quantity", "status", "note", "createdAt"}


@pytest.fixture
def client():
    for store in (ORDERS, KEYS, calls):
        store.clear()
    return TestClient(app)


def create(client, **body):
    key = {"Idempotency-Key": str(uuid4())}
    return client.post("/v1/orders", json={"sku": "LAMP-1", "quantity": 2} | body, headers=CALLER | key)


def test_list_orders_returns_a_page(client):
    create(client)
    answer = client.get("/v1/orders", params={"limit": 1}, headers=CALLER)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"items", "nextCursor"}
    assert set(answer.json()["items"][0]) == ORDER_FIELDS


def test_list_orders_follows_the_cursor(client):
    names = {create(client).json()["id"] for _ in range(3)}
    first = client.get("/v1/orders", params={"limit": 2}, headers=CALLER).json()
    rest = client.get("/v1/orders", params={"limit": 2, "cursor": first["nextCursor"]}, headers=CALLER).json()
    assert {order["id"] for order in first["items"] + rest["items"]} == names
    assert rest["nextCursor"] is None


@pytest.mark.parametrize("limit", [0, 101])
def test_list_orders_refuses_a_limit_out_of_range(client, limit):
    assert client.get("/v1/orders", params={"limit": limit}, headers=CALLER).status_code == 422


def test_list_orders_needs_a_token(client):
    answer = client.get("/v1/orders")
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthorized"


def test_create_order_returns_the_order_and_its_place(client):
    answer = create(client, note="Ring twice")
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/orders/{answer.json()['id']}"
    assert set(answer.json()) == ORDER_FIELDS
    assert answer.json()["status"] == "placed"


def test_create_order_repeats_for_the_same_key(client):
    headers = CALLER | {"Idempotency-Key": str(uuid4())}
    body = {"sku": "LAMP-1", "quantity": 2}
    first, second = (client.post("/v1/orders", json=body, headers=headers) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    assert len(ORDERS) == 1


def test_create_order_refuses_unknown_fields(client):
    assert create(client, colour="red").status_code == 422


def test_create_order_needs_a_token(client):
    answer = client.post("/v1/orders", json={"sku": "LAMP-1", "quantity": 2})
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthorized"


def test_get_order_returns_the_order(client):
    made = create(client).json()
    answer = client.get(f"/v1/orders/{made['id']}", headers=CALLER)
    assert answer.status_code == 200
    assert answer.json() == made


def test_get_order_that_does_not_exist(client):
    answer = client.get("/v1/orders/ord_99999999", headers=CALLER)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"


def test_get_order_needs_a_token(client):
    answer = client.get("/v1/orders/ord_00000000")
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthorized"
