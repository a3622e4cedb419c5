"""What people write about an element finds it in the ledger, and nothing else."""

from __future__ import annotations

import pytest

from evreview.evidence.element_mentions import field_path, is_suffix, names_element, operation_key

STATUS = "GET /v1/orders > response 200 > application/json > items[] > status"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("get /v1/orders/{id}", "GET /v1/orders/{}"),
        ("GET /v1/orders/:id/lines/{line}", "GET /v1/orders/{}/lines/{}"),
        ("orders.created", "orders.created"),
    ],
)
def test_operation_key(text: str, key: str) -> None:
    assert operation_key(text) == key


@pytest.mark.parametrize(
    ("address", "steps"),
    [
        (STATUS, ("items", "[]", "status")),
        ("GET /a > response 200 > application/json > oneOf(type=x) > b", ("b",)),
        ("GET /a > query:limit", ("limit",)),
        ("GET /a > query limit", ("limit",)),
        ("GET /a > response 200 > header x-rate", ("x-rate",)),
        ("GET /a > response 200 > application/json", ()),
        ("GET /a", ()),
    ],
)
def test_field_path(address: str, steps: tuple[str, ...]) -> None:
    assert field_path(address) == steps


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("status", True),
        ("items[].status", True),
        ("items[] > status", True),
        ("application/json > items > [] > status", True),
        (STATUS, True),
        ("tatus", False),
        ("lines[].status", False),
        ("", False),
    ],
)
def test_is_suffix(text: str, found: bool) -> None:
    assert is_suffix(text, STATUS) is found


def test_parameters_are_named_either_way() -> None:
    assert is_suffix("GET /a/{id} > query:limit", "GET /a/{} > query limit")


@pytest.mark.parametrize(
    ("text", "operation", "found"),
    [
        ("GET /v1/orders items[].status", "GET /v1/orders", True),
        ("GET /v1/orders items", "GET /v1/orders", True),
        ("GET /v1/orders", "GET /v1/orders", True),
        ("GET /v1/orders status", "GET /v1/orders", False),
        ("GET /v1/orders items[].state", "GET /v1/orders", False),
        ("GET /v1/orders/{id} status", "GET /v1/orders", False),
        ("GET /v1/orders/{id} status", "GET /v1/orders/{}", True),
        ("GET /v1/orders/{id} id", "GET /v1/orders/{}", False),
        ("status", "GET /v1/orders/{}", True),
    ],
)
def test_names_element(text: str, operation: str, found: bool) -> None:
    assert names_element(text, STATUS, operation) is found
