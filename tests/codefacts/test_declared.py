"""Facts that a reviewer declares: the quote is checked first, then the fact stands where a reader's would."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.declared import declared_facts
from evreview.codefacts.model import CodeFacts, CodeNote, CodeParameter, Guard, Route, SourceText, Spot
from evreview.core.vocabulary import ABSENT, Concern, EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.reference import DeclaredCode
from evreview.schema.cross_check_validator import is_schema

GO = """func read(w http.ResponseWriter, r *http.Request) {
	limit := query(r, "limit")
	if limit > 100 {
		http.Error(w, "too_many", 422)
	}
	w.Header().Set("X-Total", total)
}
"""
READ = "GET /v1/orders/{id}"
SOURCE = SourceText(item=EvidenceId("E2"), path="read.go", parts=("handler",), text=GO)


def fact(**given: Any) -> dict[str, Any]:
    return {
        "id": "f", "operation": READ, "concern": "parameters", "name": "limit", "location": "query", "item": "E2",
        "lines": "2", "quote": 'limit := query(r, "limit")',
    } | given  # fmt: skip


def declared(*facts: dict[str, Any], routes: tuple[Route, ...] = ()) -> tuple[CodeFacts, list[tuple[str, str, str]]]:
    record = DeclaredCode.model_validate({"facts": list(facts)})
    found, problems = declared_facts([Cited(record, Citation(EvidenceId("E4")))], [SOURCE], routes)
    return found, [(problem.code, problem.file, problem.place) for problem in problems]


def one(**given: Any) -> Route:
    found, problems = declared(fact(**given))
    assert problems == []
    return found.routes[0]


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"item": "E9"}, "declared-source", "item"),
        ({"lines": "99"}, "declared-lines", "lines"),
        ({"lines": "3-2"}, "declared-lines", "lines"),
        ({"lines": "L2"}, "declared-lines", "lines"),
        ({"lines": "0"}, "declared-lines", "lines"),
        ({"lines": "2-99999999999999999999"}, "declared-lines", "lines"),
        ({"lines": "3"}, "declared-quote", "quote"),
        ({"quote": 'limit := query(r, "offset")'}, "declared-quote", "quote"),
        ({"quote": "{ ("}, "declared-quote", "quote"),
        ({"operation": "read"}, "declared-operation", "operation"),
        ({"operation": "GET v1"}, "declared-operation", "operation"),
        ({"name": ""}, "declared-incomplete", "name"),
        ({"location": None}, "declared-incomplete", "location"),
        ({"concern": "errors", "location": None}, "declared-incomplete", "status"),
    ],
)
def test_what_does_not_hold(given: dict[str, Any], code: str, field: str) -> None:
    found, problems = declared(fact(), fact(**given))
    assert problems == [(code, "E4", f"#/facts/1/{field}")]
    assert len(found.routes) == 1 and len(found.routes[0].parameters) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"quote": 'limit  :=\tquery(r,  "limit")'},
        {"lines": "1-7"},
        {"lines": "2-3", "quote": 'limit := query(r, "limit")\n if limit > 100 {'},
        {"operation": "get /v1/orders/{id}"},
    ],
)
def test_white_space_does_not_matter(given: dict[str, Any]) -> None:
    route = one(**given)
    assert (route.method, route.path, route.framework, route.handler) == ("GET", "/v1/orders/{id}", "declared", "")


def test_a_fact_names_the_entry_that_declares_it() -> None:
    assert [str(each) for each in one().parameters[0].spot.citations] == ["E2:L2", "E4:id=f"]
    assert one().parameters[0].spot.mark and not AT.mark and [str(each) for each in AT.citations] == ["E2:L2"]


AT = Spot(EvidenceId("E2"), 2, 2, "read.go")


def test_a_parameter() -> None:
    route = one(required=False, accepts={"type": "integer", "maximum": 100}, states=20)
    assert route.parameters == (
        CodeParameter(
            name="limit", location="query", spot=AT, required=False, exact=True, default=20,
            schema={"type": "integer", "maximum": 100},
        ),
    )  # fmt: skip
    bare = one(location="path").parameters[0]
    assert (bare.required, bare.schema, bare.exact, bare.default) == (True, {}, False, ABSENT)


def test_a_response() -> None:
    (found,) = one(concern="errors", name="", location=None, status=422, states="too_many").responses
    assert (found.status, found.how, found.codes, found.schema, found.exact) == (
        422,
        "raised",
        ("too_many",),
        None,
        False,
    )
    (body,) = one(
        concern="success responses", name="items[].id", location="response", status=200, accepts={"type": "string"}
    ).responses
    assert body.schema == {"properties": {"items": {"items": {"properties": {"id": {"type": "string"}}}}}}
    assert not body.exact
    (header,) = one(concern="headers", name="X-Total", location="response", status=200).responses
    assert header.headers == ("X-Total",)


def test_a_body_in_parts() -> None:
    whole = fact(concern="request body", name="", location="body", accepts={"type": "object"}, required=True)
    part = fact(concern="validation", name="sku", location="body", accepts={"minLength": 1}, required=True)
    body = declared(whole, part)[0].routes[0].body
    assert body is not None and (body.required, body.exact) == (True, True)
    assert body.schema == {
        "allOf": [{"type": "object"}, {"properties": {"sku": {"minLength": 1}}, "required": ["sku"]}]
    }
    alone = declared(part)[0].routes[0].body
    assert alone is not None and (alone.required, alone.exact) == (None, False)


def test_guards_and_notes() -> None:
    guard = one(concern="authentication", name="token", location=None, states="http bearer")
    assert guard.guards == (Guard(name="token", kind="authentication", spot=AT, scheme="http bearer"),)
    note = one(concern="rate limits", name="per minute", location=None, states=60)
    assert note.notes == (CodeNote(concern=Concern.RATE_LIMITS, name="per minute", spot=AT, value=60),)


def test_a_fact_about_all_operations() -> None:
    star = fact(operation="*", concern="rate limits", name="per minute", location=None, states=60)
    seen = Route(method="POST", path="/v1/orders", handler="h", framework="flask", spot=AT)
    found, problems = declared(fact(), star, routes=(seen,))
    assert problems == []
    assert [(route.method, route.path, len(route.parameters), len(route.notes)) for route in found.routes] == [
        ("GET", "/v1/orders/{id}", 1, 1),
        ("POST", "/v1/orders", 0, 1),
    ]
    assert declared(star)[1] == [("declared-operation", "", "")]


def test_names_of_path_parameters_do_not_split_an_operation() -> None:
    found, _ = declared(fact(), fact(operation="GET /v1/orders/{orderId}", name="offset"))
    assert [len(route.parameters) for route in found.routes] == [2]


@pytest.mark.parametrize(
    ("accepts", "problems"), [({"type": "string"}, []), ({"type": "strang"}, ["#/facts/0/accepts"])]
)
def test_values_that_no_schema_states_are_a_problem_of_the_declaration(accepts: Any, problems: list[str]) -> None:
    record = DeclaredCode.model_validate({"facts": [fact(accepts=accepts)]})
    found, wrong = declared_facts([Cited(record, Citation(EvidenceId("E4")))], [SOURCE], (), is_schema)
    assert [problem.place for problem in wrong] == problems
    assert len(found.routes) == (not problems)
