"""Three facts per known client and difference: declared, executed, inferred. None stands in for another."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Aspect, Change, DeltaId, Direction, Tristate
from evreview.evidence.records.test_runs import CheckResult
from evreview.workflows.w1.clients.impact import INFERENCES, assess, impacts_frame
from evreview.workflows.w1.element_lookup import concerns, touched
from tests.rows import ESTIMATE, OK, ORDER, PROBLEM, check, inventory, retained, row

NULLABLE = row(facts={"required": True})
STATUS_ENUM = row(f"{OK} > status", aspect=Aspect.ENUMS)
NEW_FIELD = row(f"{OK} > note", aspect=Aspect.FIELDS, change=Change.ADDED, verdict="compatible")
GONE = row(f"{OK} > status", aspect=Aspect.FIELDS, change=Change.REMOVED)
PARAMETER = row(
    f"{ORDER} > query:view",
    aspect=Aspect.PARAMETERS,
    change=Change.ADDED,
    direction=Direction.READ,
    facts={"required": True},
)
PROBLEM_ADDED = row(
    PROBLEM,
    id=DeltaId("D-2"),
    aspect=Aspect.ERRORS,
    change=Change.ADDED,
    element=ElementKind.MEDIA_TYPE,
    facts={"base_aspect": "content-types"},
)
JSON_REMOVED = row(
    f"{ORDER} > response 404 > application/json",
    id=DeltaId("D-3"),
    aspect=Aspect.ERRORS,
    change=Change.REMOVED,
    element=ElementKind.MEDIA_TYPE,
    facts={"base_aspect": "content-types"},
)
USES = {"operation": "GET /v1/orders/{id}"}
YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN


def impact(client: dict[str, Any], *rows: Any, tests: Any = ()) -> Any:
    return assess(list(rows), [inventory(client)], list(tests))[0]


@pytest.mark.req("W1D-004")
def test_an_unmapped_use_answers_nothing_with_no() -> None:
    other = {"uses": [{"operation": "GET /v1/ordres/{id}"}], "accepts_null": "none"}
    known = [inventory(other), inventory({"id": "b", "accepts_null": "none"})]
    found = assess([NULLABLE], known, [], unmapped=["shop", "b"])
    assert [(one.touched, one.contract_incompatible) for one in found] == [(UNKNOWN, UNKNOWN), (YES, YES)]
    assert assess([NULLABLE], known, [])[0].touched is NO
    (passed,) = assess([NULLABLE], known[:1], [retained(check(result="passed"))], unmapped=["shop"])
    assert passed.inferred == INFERENCES["passed", UNKNOWN]


@pytest.mark.req("W1L-022")
@pytest.mark.parametrize(
    ("client", "changed", "answer"),
    [
        pytest.param({"accepts_null": "none"}, NULLABLE, YES, id="null-refused"),
        pytest.param({"accepts_null": "all"}, NULLABLE, NO, id="null-accepted"),
        pytest.param({"accepts_null": ["deliveryEstimate"]}, NULLABLE, NO, id="null-accepted-there"),
        pytest.param({"accepts_null": ["status"]}, NULLABLE, YES, id="null-accepted-elsewhere"),
        pytest.param({}, NULLABLE, UNKNOWN, id="null-undeclared"),
        pytest.param({"accepts_null": "none"}, row(verdict="compatible"), NO, id="null-no-longer"),
        pytest.param({"unknown_enum_values": "rejected"}, STATUS_ENUM, YES, id="enum-refused"),
        pytest.param({"unknown_enum_values": "tolerated"}, STATUS_ENUM, NO, id="enum-tolerated"),
        pytest.param({}, STATUS_ENUM, UNKNOWN, id="enum-undeclared"),
        pytest.param({"unknown_fields": "rejected"}, NEW_FIELD, YES, id="field-refused"),
        pytest.param({"unknown_fields": "ignored"}, NEW_FIELD, NO, id="field-ignored"),
        pytest.param({}, NEW_FIELD, UNKNOWN, id="field-undeclared"),
        pytest.param({}, GONE, YES, id="removed-field-read"),
        pytest.param({"uses": [USES | {"fields": ["id"]}]}, GONE, NO, id="removed-field-not-read"),
        pytest.param({"uses": [USES]}, GONE, UNKNOWN, id="fields-unknown"),
        pytest.param({"uses": None}, GONE, UNKNOWN, id="usage-unknown"),
        pytest.param({"uses": []}, GONE, NO, id="uses-nothing"),
        pytest.param({"uses": [{"operation": "GET /v1/other"}]}, GONE, NO, id="other-operation"),
        pytest.param({}, PARAMETER, YES, id="new-demand-reaches-everyone"),
        pytest.param({"uses": None}, PARAMETER, UNKNOWN, id="new-demand-usage-unknown"),
        pytest.param({"uses": [USES | {"fields": ["view"]}]}, PARAMETER, UNKNOWN, id="demand-listed-not-always-sent"),
        pytest.param({}, row(ORDER, aspect=Aspect.METHODS, change=Change.REMOVED, direction=None), YES, id="operation"),
        pytest.param({}, row(aspect=Aspect.TYPES), YES, id="type"),
        pytest.param({}, row(aspect=Aspect.TYPES, verdict="unknown"), UNKNOWN, id="type-unproven"),
        pytest.param({}, row(aspect=Aspect.PATTERNS), UNKNOWN, id="pattern-undeclared"),
        pytest.param({}, row(aspect=Aspect.REQUIREDNESS), UNKNOWN, id="absence-undeclared"),
        pytest.param({}, row(aspect=Aspect.DEFAULTS, direction=Direction.READ), UNKNOWN, id="default"),
    ],
)
def test_declared(client: dict[str, Any], changed: Any, answer: Tristate) -> None:
    found = impact(client, changed)
    assert found.contract_incompatible is answer
    assert found.executed == "none"
    assert found.contract_why


@pytest.mark.parametrize(
    ("accepted", "rows", "answer"),
    [
        pytest.param(["application/json"], (PROBLEM_ADDED, JSON_REMOVED), YES, id="replaced"),
        pytest.param(["application/problem+json"], (PROBLEM_ADDED, JSON_REMOVED), NO, id="accepts-new"),
        pytest.param(["application/*"], (JSON_REMOVED, PROBLEM_ADDED), NO, id="accepts-range"),
        pytest.param(["application/json; charset=utf-8"], (JSON_REMOVED, PROBLEM_ADDED), YES, id="removed-one"),
        pytest.param(["application/json"], (PROBLEM_ADDED,), NO, id="added-beside"),
        pytest.param(["application/json"], (JSON_REMOVED,), YES, id="only-one-removed"),
        pytest.param(["application/json", "text/xml"], (JSON_REMOVED,), UNKNOWN, id="another-may-remain"),
        pytest.param(None, (PROBLEM_ADDED, JSON_REMOVED), UNKNOWN, id="not-declared"),
    ],
)
def test_content_types(accepted: Any, rows: Any, answer: Tristate) -> None:
    assert impact({"accepted_content_types": accepted}, *rows).contract_incompatible is answer


@pytest.mark.req("W1I-013", "W1C-011", "W1L-022", "W1L-023")
@pytest.mark.parametrize(
    ("given", "executed", "breaking"),
    [
        pytest.param({}, "failed", True, id="failed"),
        pytest.param({"result": "passed"}, "passed", False, id="disproved"),
        pytest.param({"result": "error"}, "none", True, id="an-error-is-no-parser-result"),
        pytest.param({"command": None}, "none", True, id="no-command"),
        pytest.param({"revision": None}, "none", True, id="no-revision"),
        pytest.param({"fixture": None}, "none", True, id="no-fixture"),
        pytest.param({"result": None}, "none", True, id="no-result"),
        pytest.param({"parses": "released"}, "none", True, id="released-form"),
        pytest.param({"parses": None}, "none", True, id="form-not-recorded"),
        pytest.param({"client": "other"}, "none", True, id="other-client"),
        pytest.param({"field": "status"}, "none", True, id="other-field"),
        pytest.param({"aspect": "enums"}, "none", True, id="other-aspect"),
        pytest.param({"field": None}, "none", True, id="whole-operation-is-no-field-check"),
        pytest.param({"deltas": ["D-000000000001"], "parses": None, "operation": None}, "failed", True, id="by-id"),
        pytest.param({"deltas": ["D-9"]}, "none", True, id="by-other-id"),
    ],
)
def test_executed(given: dict[str, Any], executed: str, breaking: bool) -> None:
    found = impact({"accepts_null": "none"}, NULLABLE, tests=[retained(check(**given))])
    assert (found.executed, found.breaking) == (executed, breaking)
    assert found.contract_incompatible is YES
    assert [str(place) for place in found.executed_checks] == ([] if executed == "none" else ["E7#/checks/0"])


@pytest.mark.req("W1D-003")
def test_a_failure_breaks_whatever_is_declared() -> None:
    failed = [retained(check(result="passed"), check())]
    assert impact({"accepts_null": "all"}, NULLABLE, tests=failed).breaking
    assert not impact({"accepts_null": "all"}, NULLABLE).breaking
    assert impact({"accepts_null": "none"}, NULLABLE).breaking


@pytest.mark.req("W1L-023")
def test_every_pair_has_an_inference() -> None:
    answers = {YES, NO, UNKNOWN}
    assert set(INFERENCES) == {(ran, answer) for ran in ("failed", "passed", "none") for answer in answers}
    assert all(INFERENCES.values())


@pytest.mark.parametrize(
    ("fields", "address", "answer"),
    [
        (["items"], f"{OK} > items > [] > sku", YES),
        (["items", "items[].id"], f"{OK} > items > [] > sku", NO),
        (["items[].sku"], f"{OK} > items > [] > sku", YES),
        (["items[].sku.code"], f"{OK} > items > [] > sku", YES),
        (["items[].skus"], f"{OK} > items > [] > sku", NO),
        (["sku"], f"{OK} > oneOf(type=a) > sku", YES),
    ],
)
def test_fields(fields: list[str], address: str, answer: Tristate) -> None:
    (client,) = inventory({"uses": [USES | {"fields": fields}]}).record.clients
    assert touched(client, row(address, aspect=Aspect.TYPES).delta) is answer


@pytest.mark.parametrize(
    ("statuses", "status", "answer"),
    [
        (["200"], "404", NO),
        (["404"], "404", YES),
        (["4XX"], "404", YES),
        (["404"], "4XX", YES),
        (["200"], "default", YES),
        (["200", "default"], "default", YES),
        (None, "404", YES),
    ],
)
def test_statuses(statuses: Any, status: str, answer: Tristate) -> None:
    (client,) = inventory({"uses": [USES | {"statuses": statuses}]}).record.clients
    assert touched(client, row(f"{ORDER} > response {status}", aspect=Aspect.STATUS_CODES).delta) is answer


def test_a_shared_component_is_matched_by_its_last_name() -> None:
    shared = row("GET /v1/orders > response 200 > application/json > [] > status", operations=("GET /v1/orders", ORDER))
    (client,) = inventory({}).record.clients
    assert touched(client, shared.delta) is YES
    assert concerns(CheckResult.model_validate(check(field="status")), shared.delta)
    assert not concerns(CheckResult.model_validate(check(field="id")), shared.delta)


@pytest.mark.req("W1L-021")
def test_one_impact_per_client_and_row() -> None:
    clients = inventory({"id": "a"}, {"id": "b"})
    found = assess([NULLABLE, PROBLEM_ADDED], [clients], [])
    assert [(one.client, one.delta_id) for one in found] == [
        ("a", NULLABLE.delta.id),
        ("a", "D-2"),
        ("b", NULLABLE.delta.id),
        ("b", "D-2"),
    ]
    frame = impacts_frame(found)
    assert len(frame) == 4 and set(frame["touched"]) <= {"yes", "no", "unknown"}
    assert NULLABLE.delta.address == ESTIMATE
