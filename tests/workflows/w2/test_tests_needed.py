"""Each documented response that no executed test shows gets a named test with assertions that a machine decides."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeFacts
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.test_results.model import Assertion, Case
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import ClaimKey, ProposedTest, ReferenceEvidence
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.coverage import tests_needed as needed
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import contract_of
from tests.workflows.w2.rich import rich
from tests.workflows.w2.test_coverage import run

ITEM = EvidenceId("E1")
PUT = "PUT /orders/{order_id}"


def proposed(*withheld: str, passed: int | None = None) -> dict[str, ProposedTest]:
    contract, operation, _ = rich()
    assertions = () if passed is None else (Assertion(operation="putOrder", outcome="passed", status=passed),)
    case = Case(id="t", what="t", outcome="passed", locator=":L1", assertions=assertions)
    runs = (run(case, contract=f"sha256:{contract.sha256}"),)
    evidence = ReferenceEvidence(contract=contract, item=ITEM, code=CodeFacts(routes=()), runs=runs)
    entries = Entries(contract, ITEM)
    covered = coverage(evidence, [operation], entries)
    made = needed([operation], entries, covered, frozenset(map(ClaimKey, withheld)))
    return {test.name: test for test in made}


@pytest.mark.req("W2E-016", "W2D-004")
def test_each_uncovered_response_gets_a_named_test_with_objective_assertions() -> None:
    found = proposed()
    assert list(found) == [
        "test_put_order_200_application_vnd_order_json",
        "test_put_order_404_application_problem_json",
        "test_put_order_409_application_json",
        "test_put_order_429",
        "test_put_order_default",
    ]
    missing = found["test_put_order_404_application_problem_json"]
    assert missing.asserts == (
        "the status is `404`",
        "the media type is `application/problem+json`",
        "the body is valid against the documented schema",
        "the body has `code`",
        "`code` is `order_missing`",
    )
    assert "the body has `id`, `state`" in found["test_put_order_200_application_vnd_order_json"].asserts
    assert all(test.citations and test.why for test in found.values())


def test_a_covered_response_needs_no_test() -> None:
    assert "test_put_order_404_application_problem_json" in proposed(passed=409)
    assert "test_put_order_404_application_problem_json" not in proposed(passed=404)


@pytest.mark.req("W2D-004")
def test_nothing_is_asserted_that_a_discrepancy_withholds() -> None:
    error = f"{PUT} errors 404"
    for held in (error, f"{error} application/problem+json"):
        assert proposed(held)["test_put_order_404_application_problem_json"].asserts == ("the status is `404`",)
    body = proposed(f"{error} application/problem+json code")["test_put_order_404_application_problem_json"]
    assert not any("code" in each or "schema" in each for each in body.asserts)


def test_names_are_unique_and_words_of_the_contract_cannot_leave_their_backticks() -> None:
    ok = {"responses": {"200": {"description": "ok", "headers": {"X`Y": {"required": True, "schema": {}}}}}}
    contract = contract_of({"/a/b": {"get": ok}, "/a_b": {"get": ok}})
    evidence = ReferenceEvidence(contract=contract, item=ITEM, code=CodeFacts(routes=()), runs=())
    entries, operations = Entries(contract, ITEM), operations_of(contract)
    made = needed(operations, entries, coverage(evidence, operations, entries))
    assert [test.name for test in made] == ["test_get_a_b_200", "test_get_a_b_200_2"]
    assert len({test.id for test in made}) == 2
    assert all(each.count("`") == 2 for test in made for each in test.asserts)
