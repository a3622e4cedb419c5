"""The matrix has a cell for every operation, concern and source, and each says where it comes from or why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, CodeResponse, Guard, Route, Spot, UnsupportedCode
from evreview.core.vocabulary import Concern, EvidenceId
from evreview.evidence.test_results.model import Assertion, Case, RetainedRun
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import Cell, ReferenceEvidence, Source, Standing
from evreview.workflows.w2.matrix.concerns import RULES, Inapplicable, Known, Sample, inapplicable
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.evidence_matrix import MATRIX_COLUMNS, matrix, matrix_frame, unmapped_material
from evreview.workflows.w2.matrix.routes import match_routes
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import contract_of
from tests.workflows.w2.rich import rich
from tests.workflows.w2.test_coverage import run

SPOT = Spot(EvidenceId("E2"), 4, 9)
ITEM = EvidenceId("E1")


def route(method: str, path: str, **rest: Any) -> Route:
    return Route(method=method, path=path, handler="h", framework=rest.pop("framework", "fastapi"), spot=SPOT, **rest)


def cells(contract: Any, *routes: Route, runs: tuple[RetainedRun, ...] = (), unread: Any = ()) -> tuple[Cell, ...]:
    code = CodeFacts(routes=routes, unread=unread)
    evidence = ReferenceEvidence(contract=contract, item=ITEM, code=code, runs=runs)
    operations, entries = operations_of(contract), Entries(contract, ITEM)
    matching = match_routes(contract, operations, code)
    return matrix(evidence, operations, entries, matching, coverage(evidence, operations, entries))


def at(found: tuple[Cell, ...], concern: Concern, source: Source) -> Cell:
    return next(cell for cell in found if cell.concern is concern and cell.source is source)


@pytest.mark.req(*(f"W2X-{number:03}" for number in range(1, 11)), "W2S-004", "W2S-005")
def test_every_concern_has_three_cells_with_evidence_or_a_reason() -> None:
    contract, _, _ = rich()
    found = cells(contract, route("PUT", "/orders/{order_id}"))
    assert [(cell.concern, cell.source) for cell in found] == [(each, source) for each in Concern for source in Source]
    assert all(cell.citations or cell.reason for cell in found)
    contract_cells = [cell for cell in found if cell.source is Source.CONTRACT]
    assert {cell.standing for cell in contract_cells} == {Standing.STATED}
    assert all(cell.says and cell.citations for cell in contract_cells)


@pytest.mark.req("W2S-006")
def test_an_operation_without_its_handler_is_unmapped_and_stops() -> None:
    contract, operation, _ = rich()
    stopping = unmapped_material(cells(contract))
    assert {cell.concern for cell in stopping} == set(Concern)
    assert {cell.operation for cell in stopping} == {operation.id}
    assert unmapped_material(cells(contract, route("PUT", "/orders/{id}"))) == ()


def test_code_that_says_nothing_is_absent_only_when_it_was_read_whole() -> None:
    contract, _, _ = rich()
    whole = route("PUT", "/orders/{order_id}")
    unread = UnsupportedCode(Spot(EvidenceId("E2"), 20, 21), "a dependency that no supplied file holds")
    expected = {
        Standing.ABSENT: whole,
        Standing.UNREAD: replace(whole, unread=(unread,)),
        Standing.UNMAPPED: replace(whole, framework="declared"),
    }
    for standing, each in expected.items():
        cell = at(cells(contract, each), Concern.HEADERS, Source.IMPLEMENTATION)
        assert cell.standing is standing
    assert str(at(cells(contract, expected[Standing.UNREAD]), Concern.HEADERS, Source.IMPLEMENTATION).citations[0]) == (
        "E2:L20-L21"
    )


def test_effects_are_never_absent_from_code_for_want_of_a_known_call() -> None:
    contract, _, _ = rich()
    cell = at(cells(contract, route("PUT", "/orders/{order_id}")), Concern.SIDE_EFFECTS, Source.IMPLEMENTATION)
    assert cell.standing is Standing.UNREAD and cell.reason and cell.citations


def test_code_facts_are_cited_by_their_lines() -> None:
    contract, _, _ = rich()
    guard = Guard(name="token", kind="authentication", spot=Spot(EvidenceId("E4"), 2, 2), scheme="http bearer")
    sent = CodeResponse(status=404, how="raised", spot=Spot(EvidenceId("E2"), 7, 8))
    found = cells(contract, route("PUT", "/orders/{order_id}", guards=(guard,), responses=(sent,)))
    for concern, where in ((Concern.AUTHENTICATION, "E4:L2"), (Concern.ERRORS, "E2:L7-L8")):
        cell = at(found, concern, Source.IMPLEMENTATION)
        assert cell.standing is Standing.STATED
        assert [str(citation) for citation in cell.citations] == [where]
    assert at(found, Concern.SUCCESS, Source.IMPLEMENTATION).standing is Standing.ABSENT


@pytest.mark.parametrize(
    ("outcome", "standing"),
    [("passed", Standing.STATED), ("failed", Standing.STATED), ("skipped", Standing.UNREAD), (None, Standing.UNMAPPED)],
)
def test_tests_state_what_they_assert(outcome: Any, standing: Standing) -> None:
    contract, _, _ = rich()
    assertion = Assertion(operation="putOrder", outcome=outcome or "passed", status=404)
    case = Case(id="t", what="t", outcome=outcome or "passed", locator=":L3", assertions=(assertion,))
    tied = run(case, contract=f"sha256:{contract.sha256}")
    found = cells(contract, runs=(tied,) if outcome else ())
    assert at(found, Concern.ERRORS, Source.TEST).standing is standing
    assert at(found, Concern.SUCCESS, Source.TEST).standing is Standing.UNMAPPED


def test_a_part_of_the_contract_that_could_not_be_read_is_not_absent() -> None:
    contract = contract_of(
        {"/a": {"get": {"responses": {"200": {"description": "ok", "headers": {"X": {"$ref": "#/none"}}}}}}}
    )
    found = cells(contract, route("GET", "/a"))
    assert at(found, Concern.HEADERS, Source.CONTRACT).standing is Standing.UNREAD


def known(sample: Sample) -> Known:
    contract = contract_of({"/orders": {sample.method.lower(): dict(sample.operation)}})
    return Known(Entries(contract, ITEM).entry(operations_of(contract)[0]), sample.route)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_holds_for_its_example_only(rule: Inapplicable) -> None:
    assert inapplicable(rule.concern, known(rule.example)) is rule
    assert inapplicable(rule.concern, known(rule.counter_example)) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_without_the_code_only_the_method_makes_a_concern_inapplicable(rule: Inapplicable) -> None:
    blind = replace(rule.example, route=None)
    assert (inapplicable(rule.concern, known(blind)) is None) is (rule.id != "safe-method-repeats")


def test_what_does_not_apply_has_a_reason_in_each_source_and_is_no_gap() -> None:
    contract = contract_of({"/a": {"get": {"responses": {"200": {"description": "ok"}}}}})
    found = cells(contract, route("GET", "/a"))
    body = [cell for cell in found if cell.concern is Concern.REQUEST_BODY]
    assert {cell.standing for cell in body} == {Standing.NOT_APPLICABLE}
    assert all(cell.reason for cell in body)
    limits = at(found, Concern.RATE_LIMITS, Source.TEST)
    assert limits.standing is Standing.NOT_APPLICABLE
    assert at(found, Concern.RATE_LIMITS, Source.CONTRACT).standing is Standing.ABSENT


def test_the_frame_has_one_row_per_cell_and_documented_columns() -> None:
    contract, _, _ = rich()
    found = cells(contract)
    frame = matrix_frame(found)
    assert list(frame.columns) == list(MATRIX_COLUMNS)
    assert len(frame) == len(found)
    assert not frame.duplicated(["operation", "concern", "source"]).any()
    assert set(frame["standing"].cat.categories) == {standing.value for standing in Standing}
