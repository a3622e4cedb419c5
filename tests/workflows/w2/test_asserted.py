"""What tests assert, in the output or in the wrapper of their run, against the contract."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.evidence.test_results.model import Case, Exchange
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import Discrepancy
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.test_results import Coverage, State
from evreview.workflows.w2.reconcile.reconcile import reconcile
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import contract_of
from tests.workflows.w2.facts import CONTRACT as ITEM
from tests.workflows.w2.facts import evidence_of
from tests.workflows.w2.test_coverage import case, run

_ERROR = {
    "allOf": [
        {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
        {"type": "object", "properties": {"code": {"type": "string", "enum": ["gone"]}}},
    ]
}
_ORDER = {"type": "object", "properties": {"id": {"type": "string"}, "lines": {"type": "array", "items": _ERROR}}}
_NEW = {"type": "object", "properties": {"sku": {"type": "string"}}}
CONTRACT = contract_of(
    {
        "/orders": {
            "post": {
                "operationId": "make",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                "requestBody": {"content": {"application/json": {"schema": _NEW}}},
                "responses": {
                    "201": {
                        "description": "made",
                        "headers": {"Location": {"schema": {"type": "string"}}},
                        "content": {"application/json": {"schema": _ORDER}},
                    },
                    "404": {"description": "gone", "content": {"application/json": {"schema": _ERROR}}},
                },
            }
        }
    }
)
POST = "POST /orders"


def told(outcome: Any = "passed", **fact: Any) -> tuple[list[Discrepancy], Coverage]:
    """Discrepancies and coverage with one test, of which the wrapper tells one assertion."""
    return judged(case(outcome=outcome), asserts=[{"test": "t", "operation": "make", **fact}])


def judged(one: Case, **wrapper: Any) -> tuple[list[Discrepancy], Coverage]:
    evidence = evidence_of(CONTRACT)
    runs = (run(one, contract=f"sha256:{CONTRACT.sha256}", **wrapper),)
    evidence = type(evidence)(contract=evidence.contract, item=evidence.item, code=evidence.code, runs=runs)
    operations = operations_of(CONTRACT)
    found = reconcile(evidence, operations, owner_role="API owner").discrepancies
    seen = [each for each in found if each.kind.startswith("observed-") and each.kind != "observed-not-in-code"]
    return seen, coverage(evidence, operations, Entries(CONTRACT, ITEM))


def state(found: Coverage, status: str) -> State:
    return next(each.state for each in found.responses if each.status == status)


@pytest.mark.req("W2E-014", "W2D-004")
@pytest.mark.parametrize("fact", [{"status": 201}, {"status": 201, "media_type": "application/json", "field": "id"}])
def test_a_failed_check_covers_nothing_and_is_a_discrepancy_of_the_test(fact: dict[str, Any]) -> None:
    found, covered = told("failed", **fact)
    assert [(each.kind, each.disposal) for each in found] == [("observed-test-failed", "open")]
    assert {"E7:L2", "E8#/asserts/0"} <= set(map(str, found[0].citations))
    assert found[0].withholds == {f"{POST} success responses 201 application/json"}
    assert state(covered, "201") is State.CONTRADICTED
    assert "201" in [each.status for each in covered.uncovered]


@pytest.mark.parametrize(
    ("fact", "held"),
    [
        ({"field": "limit", "concern": "validation"}, "validation query limit"),
        ({"field": "sku", "concern": "request body"}, "request body"),
        ({"field": "location", "status": 201, "concern": "headers"}, "headers 201 Location"),
        ({"concern": "idempotency", "status": 201}, "idempotency"),
        ({"status": 404}, "errors 404 application/json"),
        ({"status": 418}, "errors 418"),
    ],
)
def test_a_failed_check_holds_back_what_it_is_about(fact: dict[str, Any], held: str) -> None:
    found, _ = told("failed", **fact)
    assert [each.withholds for each in found] == [{f"{POST} {held}"}]


@pytest.mark.parametrize("outcome", ["error", "skipped", "recorded"])
def test_what_did_not_pass_covers_nothing_and_shows_nothing(outcome: str) -> None:
    found, covered = told(outcome, status=201)
    assert (found, state(covered, "201")) == ([], State.UNCOVERED)


def test_a_failed_case_with_an_exchange_alone_is_a_discrepancy_too() -> None:
    exchange = Exchange(method="POST", path="/orders", status=201, locator=":L9")
    found, covered = judged(case(outcome="failed", exchanges=(exchange,)))
    assert [each.kind for each in found] == ["observed-test-failed"]
    assert state(covered, "201") is State.CONTRADICTED


@pytest.mark.req("W2S-009")
@pytest.mark.parametrize(
    ("fact", "kind", "place"),
    [
        ({"status": 404, "field": "code", "expects": "lost"}, "observed-value-outside", "404 application/json code"),
        ({"status": 404, "media_type": "text/html"}, "observed-media-type-undocumented", "404 text/html"),
        ({"status": 201, "field": "rows"}, "observed-field-undocumented", "201 application/json rows"),
        (
            {"status": 201, "field": "lines[0].codes"},
            "observed-field-undocumented",
            "201 application/json lines[].codes",
        ),
        ({"status": 422}, "observed-status-undocumented", "422"),
        ({"status": 201, "field": "X-No", "concern": "headers"}, "observed-header-undocumented", "201 X-No"),
        ({"field": "pages", "concern": "validation"}, "observed-name-undocumented", "pages"),
        ({"status": 201, "field": "pages", "concern": "pagination"}, "observed-name-undocumented", "pages"),
    ],
)
def test_a_passed_check_of_something_else_than_the_contract_is_a_discrepancy(
    fact: dict[str, Any], kind: str, place: str
) -> None:
    found, covered = told(**fact)
    assert [(each.kind, each.place) for each in found] == [(kind, place)]
    assert all(each.state is not State.COVERED for each in covered.responses)


@pytest.mark.parametrize(
    "fact",
    [
        {"status": 404, "field": "code", "expects": "gone"},
        {"status": 201, "field": "lines[0].code"},
        {"status": 201, "field": "Location", "concern": "headers"},
        {"status": 201, "field": "Location"},
        {"status": 201, "field": "Date", "concern": "headers"},
        {"status": 201, "field": "limit", "concern": "pagination"},
        {"field": "limit", "concern": "validation"},
        {"field": "sku", "concern": "request body"},
        {"field": "stock", "concern": "side effects"},
    ],
)
def test_a_passed_check_of_what_the_contract_says_is_none(fact: dict[str, Any]) -> None:
    found, covered = told(**fact)
    assert found == []
    assert "status" not in fact or state(covered, str(fact["status"])) is State.COVERED


def test_an_unknown_operation_is_unmapped_at_its_line() -> None:
    _, covered = told(operation="nope", status=201)
    assert [(each.case, str(each.citation)) for each in covered.unmapped] == [("t", "E8#/asserts/0")]
    assert covered.unmapped[0].reason
