"""Operations that no route answers, and the routes that stand in their place."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeNote
from evreview.core.vocabulary import ABSENT, Concern, Form
from evreview.workflows.w2.discrepancy_kinds.kind import paths
from tests.workflows.w2.facts import LINES, contract_of, evidence_of, reads, reconciled, route


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ([("GET", "/v2/orders")], {"similar routes": ["GET /v2/orders"]}),
        ([("GET", "/v2/orders"), ("GET", "/a/orders")], {"similar routes": ["GET /v2/orders", "GET /a/orders"]}),
        ([("GET", "/basket")], ABSENT),
        ([("POST", "/v2/orders")], ABSENT),
    ],
)
def test_a_moved_operation_names_the_routes_that_end_alike(code: list[tuple[str, str]], expected: Form) -> None:
    found = reconciled(evidence_of(contract_of(paths()), *(route(method, path) for method, path in code)))
    (row,) = [each for each in found.discrepancies if each.kind == "operation-unanswered"]
    assert row.implementation == expected


def test_parameters_alone_are_no_likeness() -> None:
    contract = contract_of({"/orders/{id}": paths()["/orders"]})  # type: ignore[index,call-overload]
    found = reconciled(evidence_of(contract, route("GET", "/shops/{id}")))
    assert [each.implementation for each in found.discrepancies] == [ABSENT]


def test_an_undocumented_method_holds_back_nothing_of_its_neighbour() -> None:
    found = reconciled(evidence_of(contract_of(paths()), route("GET", "/orders"), route("PUT", "/orders")))
    (row,) = [each for each in found.discrepancies if each.kind == "route-undocumented"]
    assert row.withholds == {"PUT /orders"}


@pytest.mark.parametrize(
    ("required", "kind"),
    [
        (True, "parameter-required-undocumented"),
        (False, "idempotency-undocumented"),
        (None, "idempotency-undocumented"),
    ],
)
def test_a_key_that_is_demanded_refuses_documented_requests(required: bool | None, kind: str) -> None:
    key = reads("Idempotency-Key", {"type": "string"}, "header", required=required)
    code = route(
        "POST",
        "/orders",
        parameters=(key,),
        notes=(CodeNote(concern=Concern.IDEMPOTENCY, name="Idempotency-Key", spot=LINES),),
    )
    found = reconciled(evidence_of(contract_of(paths("post")), code))
    assert kind in [each.kind for each in found.discrepancies]
    assert len({each.kind for each in found.discrepancies} & {"parameter-required-undocumented", kind}) == 1
