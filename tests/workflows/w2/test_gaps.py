"""Each gap rule finds its example and not its counter-example; absence is stated only when all was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, UnsupportedCode
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import Gap
from evreview.workflows.w2.matrix.concerns import OK, Sample, route_of
from evreview.workflows.w2.matrix.evidence_matrix import GAP_COLUMNS, RULES, gaps, gaps_frame, unusable
from evreview.workflows.w2.matrix.gap_rules import GapRule
from evreview.workflows.w2.matrix.routes import match_routes
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import read
from tests.workflows.w2.rich import RICH


def found(sample: Sample) -> tuple[Gap, ...]:
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Orders", "version": "1"},
        "paths": {sample.path: {sample.method.lower(): dict(sample.operation)}},
        **sample.document,
    }
    contract = read(document)
    routes = () if sample.route is None else (replace(sample.route, method=sample.method, path=sample.path),)
    operations = operations_of(contract)
    assert len(operations) == 1
    matching = match_routes(contract, operations, CodeFacts(routes=routes))
    return gaps(operations, Entries(contract, EvidenceId("E1")), matching)


def kinds(sample: Sample) -> set[str]:
    return {gap.kind for gap in found(sample)}


@pytest.mark.req("W2D-003", "W2D-006")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_its_example_only(rule: GapRule) -> None:
    assert rule.id in kinds(rule.example)
    assert rule.id not in kinds(rule.counter_example)


def test_ids_of_rules_and_of_gaps_are_unique() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    made = found(Sample(operation=RICH["paths"]["/orders/{order_id}"]["put"], method="PUT", path="/orders/{order_id}"))
    assert len({gap.id for gap in made}) == len(made) > 5
    assert all(gap.citations and gap.says for gap in made)


@pytest.mark.req("W2O-034", "W2O-035", "W2O-036")
@pytest.mark.parametrize("name", ["rate-limits", "pagination", "response-headers"])
def test_absence_is_stated_only_when_contract_and_code_were_read_and_define_none(name: str) -> None:
    spot = route_of().spot
    states = {
        "absent": route_of(),
        "unknown": None,
        "unread": replace(route_of(), unread=(UnsupportedCode(spot, "a helper"),)),
        "declared": replace(route_of(), framework="declared"),
    }
    for state, route in states.items():
        told = kinds(Sample(operation={"responses": OK}, route=route))
        assert (f"{name}-absent" in told) is (state == "absent")
        assert (f"{name}-unknown" in told) is (state != "absent")


@pytest.mark.req("W2D-006")
@pytest.mark.parametrize("documented", [{}, {"400": {"description": "bad"}}])
def test_an_id_that_fails_its_pattern_is_undefined_whatever_errors_are_documented(documented: dict[str, Any]) -> None:
    identifier = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^o"}}
    sample = Sample(operation={"parameters": [identifier], "responses": {**OK, **documented}}, path="/orders/{id}")
    says = [plain(gap.says) for gap in found(sample) if gap.kind == "undefined-parameter-value"]
    assert len(says) == 1
    assert "does not define" in says[0]


@pytest.mark.req("W2E-018")
def test_an_operation_that_cannot_be_used_is_blocked() -> None:
    assert unusable(found(Sample(operation={"responses": OK}, path="/orders/{id}"))) == {"GET /orders/{id}"}
    assert unusable(found(Sample(operation={"responses": OK}))) == frozenset()


def test_an_invalid_example_of_a_request_belongs_to_the_request_and_is_never_shown() -> None:
    schema = {"type": "object", "properties": {"pin": {"type": "integer"}}}
    body = {"content": {"application/json": {"schema": schema, "examples": {"one": {"value": {"pin": "hush"}}}}}}
    made = [
        gap
        for gap in found(Sample(operation={"requestBody": body, "responses": OK}, method="POST"))
        if gap.kind == "contract-example-invalid"
    ]
    assert [gap.concern.value for gap in made] == ["request body"]
    assert "hush" not in plain(made[0].says)
    assert str(made[0].citations[0]).endswith("/examples/one/value")


def test_the_frame_has_one_row_per_gap() -> None:
    made = found(Sample(operation={"responses": OK}, route=route_of()))
    frame = gaps_frame(made)
    assert list(frame.columns) == list(GAP_COLUMNS)
    assert list(frame["gap_id"]) == [gap.id for gap in made]
    assert frame["absence"].sum() == 3


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("Lists the orders.", {"rate-limits-absent"}),
        ("At most 600 orders per hour are taken.", {"rate-limits-unjudged"}),
        ("Clients may call this 100 times per minute.", set()),
    ],
)
def test_no_rate_is_absent_where_a_sentence_may_state_one(says: str, expected: set[str]) -> None:
    sample = Sample(operation={"description": says, "responses": OK}, route=route_of())
    assert {kind for kind in kinds(sample) if kind.startswith("rate-limits")} == expected
