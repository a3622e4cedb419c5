"""Operations that no route answers, and the routes that stand in their place."""

from __future__ import annotations

import pytest

from evreview.reference.kinds.small import paths
from evreview.vocab import MISSING, Form
from tests.reference.facts import contract_of, evidence_of, reconciled, route


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ([("GET", "/v2/orders")], {"similar routes": ["GET /v2/orders"]}),
        ([("GET", "/v2/orders"), ("GET", "/a/orders")], {"similar routes": ["GET /v2/orders", "GET /a/orders"]}),
        ([("GET", "/basket")], MISSING),
        ([("POST", "/v2/orders")], MISSING),
    ],
)
def test_a_moved_operation_names_the_routes_that_end_alike(code: list[tuple[str, str]], expected: Form) -> None:
    found = reconciled(evidence_of(contract_of(paths()), *(route(method, path) for method, path in code)))
    (row,) = [each for each in found.discrepancies if each.kind == "operation-unanswered"]
    assert row.implementation == expected


def test_parameters_alone_are_no_likeness() -> None:
    contract = contract_of({"/orders/{id}": paths()["/orders"]})  # type: ignore[index,call-overload]
    found = reconciled(evidence_of(contract, route("GET", "/shops/{id}")))
    assert [each.implementation for each in found.discrepancies] == [MISSING]
