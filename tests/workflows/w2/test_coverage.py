"""What retained runs cover, contradict and leave open."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Concern, EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.model import Assertion, Case, Exchange, Results, RetainedRun
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import ReferenceEvidence
from evreview.workflows.w2.matrix.assertions import Tracing
from evreview.workflows.w2.matrix.coverage import coverage, run_lacks
from evreview.workflows.w2.matrix.test_results import Coverage, Says, State
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import contract_of

ORDER = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
JSON = {"application/json": {"schema": ORDER}}
CONTRACT = contract_of(
    {
        "/orders": {"get": {"operationId": "list", "responses": {"200": {"description": "ok", "content": JSON}}}},
        "/orders/{id}": {
            "get": {
                "operationId": "get",
                "responses": {
                    "200": {"description": "ok", "content": JSON},
                    "404": {"description": "none", "content": {"application/problem+json": {}}},
                    "5XX": {"description": "broken"},
                },
            },
            "delete": {"operationId": "drop", "responses": {"204": {"description": "gone"}}},
        },
    },
    servers=[{"url": "https://x.example.com/v1"}],
)
WHOLE: dict[str, Any] = {
    "output": "E7",
    "command": "pytest",
    "revision": "4be1c07d",
    "contract": f"sha256:{CONTRACT.sha256}",
    "environment": "one process",
    "isolated": True,
    "exit_status": 0,
    "output_sha256": "ab" * 32,
}


def run(*cases: Case, **wrapper: Any) -> RetainedRun:
    record = TestRun.model_validate(WHOLE | wrapper)
    return RetainedRun(
        record=Cited(record, Citation(EvidenceId("E8"))), results=Results(format="junit", cases=tuple(cases))
    )


def covered(*runs: RetainedRun, scope: str = "") -> Coverage:
    operations = [each for each in operations_of(CONTRACT) if not scope or each.operation_id == scope]
    evidence = ReferenceEvidence(contract=CONTRACT, item=EvidenceId("E1"), code=CodeFacts(routes=()), runs=runs)
    return coverage(evidence, operations, Entries(CONTRACT, EvidenceId("E1")))


def case(name: str = "t", outcome: Any = "passed", **rest: Any) -> Case:
    return Case(id=name, what=name, outcome=outcome, locator=":L2", **rest)


def states(found: Coverage) -> dict[str, State]:
    return {f"{each.operation} {each.status}": each.state for each in found.responses}


def asserted(**told: Any) -> Case:
    outcome = told.pop("outcome", "passed")
    return case(outcome=outcome, assertions=(Assertion(operation="get", outcome=outcome, **told),))


def exchanged(outcome: Any = "passed", **told: Any) -> Case:
    made = {"method": "GET", "path": "/v1/orders/o1", "status": 200, "locator": "#/log/entries/0"} | told
    return case(outcome=outcome, exchanges=(Exchange(**made),))


@pytest.mark.parametrize("name", ["command", "revision", "contract", "environment", "exit_status", "output_sha256"])
def test_a_run_is_executed_only_with_its_whole_wrapper(name: str) -> None:
    assert run_lacks(TestRun.model_validate(WHOLE), CONTRACT) == ()
    lacking = TestRun.model_validate({key: value for key, value in WHOLE.items() if key != name})
    assert len(run_lacks(lacking, CONTRACT)) == 1
    found = covered(run(asserted(status=200), **{name: None}))
    assert states(found)["GET /orders/{id} 200"] is State.UNCOVERED
    assert [each.says for each in found.observed] == [Says.OPEN]


@pytest.mark.parametrize(
    ("wrapper", "sha256"),
    [
        ({"isolated": False}, ""),
        ({"isolated": None}, ""),
        ({"contract": "sha256:" + "0" * 64}, ""),
        ({}, "cd" * 32),
    ],
)
def test_a_run_against_something_else_is_not_executed(wrapper: dict[str, Any], sha256: str) -> None:
    assert len(run_lacks(TestRun.model_validate(WHOLE | wrapper), CONTRACT, sha256)) == 1


@pytest.mark.req("W2E-014", "W2D-004")
@pytest.mark.parametrize(
    ("told", "status", "state"),
    [
        (asserted(status=200, media_type="application/json"), "200", State.COVERED),
        (asserted(status=200), "200", State.COVERED),
        (asserted(status=503), "5XX", State.COVERED),
        (asserted(status=404, media_type="application/problem+json"), "404", State.COVERED),
        (asserted(status=404, media_type="application/json"), "404", State.CONTRADICTED),
        (asserted(field="id"), "200", State.UNCOVERED),
        (asserted(status=200, outcome="failed"), "200", State.CONTRADICTED),
        (asserted(status=200, outcome="error"), "200", State.UNCOVERED),
        (asserted(status=200, outcome="skipped"), "200", State.UNCOVERED),
        (asserted(status=200, outcome="recorded"), "200", State.UNCOVERED),
        (exchanged(media_type="application/json", body={"id": "a"}, body_recorded=True), "200", State.COVERED),
        (exchanged(media_type="application/json", body={}, body_recorded=True), "200", State.CONTRADICTED),
        (exchanged(media_type="text/html"), "200", State.CONTRADICTED),
        (exchanged("recorded", media_type="application/json"), "200", State.UNCOVERED),
        (exchanged("failed", media_type="application/json"), "200", State.CONTRADICTED),
        (exchanged(path="/orders/o1"), "200", State.COVERED),
        (exchanged(path="/v1/orders"), "200", State.UNCOVERED),
    ],
)
def test_each_assertion_and_exchange_moves_its_response_only(told: Case, status: str, state: State) -> None:
    found = states(covered(run(told)))
    assert found.pop(f"GET /orders/{{id}} {status}") is state
    others = {name: each for name, each in found.items() if not name.startswith("GET /orders 200")}
    assert set(others.values()) == {State.UNCOVERED}


def test_facts_of_the_wrapper_take_the_outcome_of_their_test() -> None:
    facts = [
        {"test": "t", "operation": "GET /orders/{orderId}", "status": 404, "field": "code"},
        {"test": "absent", "operation": "get", "status": 200},
    ]
    found = covered(run(case(), asserts=facts))
    assert states(found)["GET /orders/{id} 404"] is State.COVERED
    assert [(each.case, str(each.citation)) for each in found.unmapped] == [("absent", "E8#/asserts/1")]
    assert [str(each.citation) for each in found.observed] == ["E7:L2"]
    assert found.observed[0].concerns == (Concern.ERRORS,)
    failed = covered(run(case(outcome="failed"), asserts=facts[:1]))
    assert states(failed)["GET /orders/{id} 404"] is State.CONTRADICTED


def test_an_undocumented_status_contradicts_without_a_response_of_its_own() -> None:
    found = covered(run(exchanged(status=418)))
    assert [each.says for each in found.observed] == [Says.CONTRADICTS]
    assert "418" in plain(found.observed[0].why)
    assert State.CONTRADICTED not in states(found).values()


@pytest.mark.parametrize(
    "odd",
    [
        case(),
        case(assertions=(Assertion(operation="nothing", outcome="passed"),)),
        case(exchanges=(Exchange(method="GET", path="/elsewhere", status=200, locator=":L9"),)),
    ],
)
def test_what_maps_to_nothing_keeps_its_reason(odd: Case) -> None:
    found = covered(run(odd))
    assert len(found.unmapped) == 1
    assert found.unmapped[0].reason
    assert found.observed == ()


def test_what_is_out_of_scope_is_unmapped() -> None:
    found = covered(run(asserted(status=200)), scope="list")
    assert [each.case for each in found.unmapped] == ["t"]
    assert states(found) == {"GET /orders 200": State.UNCOVERED}


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/a/b/c", ""),
        ("/a/b/d", "GET /a/b/{y}"),
        ("/a/x/c", "GET /a/{x}/c"),
        ("/files/me.json", "GET /files/me.json"),
        ("/files/you.json", "GET /files/{name}.json"),
        ("/files/a%2Fb.json", "GET /files/{name}.json"),
        ("/files/.json", ""),
    ],
)
def test_a_concrete_path_finds_the_most_literal_template_or_none(path: str, meant: str) -> None:
    paths = ["/a/{x}/c", "/a/b/{y}", "/files/me.json", "/files/{name}.json"]
    responses = {"responses": {"200": {"description": "ok"}}}
    traced = Tracing(contract_of({path: {"get": responses} for path in paths})).sent("get", path)
    assert (traced.operation.id if traced.operation else "") == meant
    assert bool(traced.reason) is (not meant)
