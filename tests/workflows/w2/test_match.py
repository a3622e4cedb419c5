"""Which route answers which operation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts, Guard, Route, Spot
from evreview.contract.model import Contract
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.matrix.routes import match_routes
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import OK, contract_of


def route(line: str) -> Route:
    method, _, path = line.partition(" ")
    spot = Spot(EvidenceId("E2"), 1, 3)
    return Route(method=method, path=path, handler="handler", framework="fastapi", spot=spot)


def contract(*lines: str, **rest: Any) -> Contract:
    paths: dict[str, Any] = {}
    for line in lines:
        method, _, path = line.partition(" ")
        paths.setdefault(path, {})[method.lower()] = {"responses": OK}
    return contract_of(paths, **rest)


V1 = {"servers": [{"url": "https://{tenant}.api.example.com/v1", "variables": {"tenant": {"default": "a"}}}]}


@pytest.mark.parametrize(
    ("operation", "code", "rest", "differs"),
    [
        ("GET /orders/{id}", "GET /orders/{order_id}", {}, False),
        ("GET /orders/{id}", "GET /orders/{id:int}", {}, False),
        ("GET /orders/{id}", "GET /orders/{id:[0-9]{3}}", {}, False),
        ("GET /orders/{id}", "GET /orders/<int:id>", {}, False),
        ("GET /orders/{id}", "GET /orders/:id", {}, False),
        ("GET /orders/{id}.json", "GET /orders/{name}.json", {}, False),
        ("GET /orders", "GET /v1/orders", V1, False),
        ("GET /orders", "GET /orders", V1, False),
        ("GET /orders", "GET /orders/", {}, True),
        ("GET /", "GET /", {}, False),
        ("HEAD /orders", "HEAD /orders", {}, False),
    ],
)
def test_templates_match_up_to_names(operation: str, code: str, rest: dict[str, Any], differs: bool) -> None:
    api = contract(operation, **rest)
    found = match_routes(api, operations_of(api), CodeFacts(routes=(route(code),)))
    assert found.answers[operation].route.path == code.partition(" ")[2]
    assert bool(found.answers[operation].differs) is differs
    assert (found.odd, dict(found.unanswered)) == ((), {})


@pytest.mark.parametrize(
    "code", ["POST /orders/{id}", "GET /orders/{id}/items", "GET /orders/fixed", "GET /v2/orders/{id}"]
)
def test_other_routes_do_not_match(code: str) -> None:
    api = contract("GET /orders/{id}")
    found = match_routes(api, operations_of(api), CodeFacts(routes=(route(code),)))
    assert not found.answers
    assert [odd.why for odd in found.odd] == ["undocumented"]
    assert list(found.unanswered) == ["GET /orders/{id}"]


def test_every_route_and_every_operation_is_accounted_for() -> None:
    api = contract("GET /orders", "POST /orders", "DELETE /orders", "GET /hidden")
    lines = ["GET /orders/", "GET /orders", "HEAD /orders", "OPTIONS /orders", "GET /hidden", "PUT /admin", "HEAD /x"]
    scope = [operation for operation in operations_of(api) if operation.path == "/orders"]
    found = match_routes(api, scope, CodeFacts(routes=tuple(map(route, lines))))
    assert found.answers["GET /orders"].route.path == "/orders"
    assert [(f"{odd.route.method} {odd.route.path}", odd.why) for odd in found.odd] == [
        ("GET /orders/", "shadowed"),
        ("HEAD /orders", "automatic"),
        ("OPTIONS /orders", "automatic"),
        ("GET /hidden", "outside-scope"),
        ("PUT /admin", "undocumented"),
        ("HEAD /x", "undocumented"),
    ]
    assert "GET" in found.unanswered["POST /orders"]
    assert set(found.unanswered) == {"POST /orders", "DELETE /orders"}
    assert len(found.odd) + len(found.answers) == len(lines)


def test_without_routes_every_operation_says_so() -> None:
    api = contract("GET /orders")
    assert set(match_routes(api, operations_of(api), CodeFacts(routes=())).unanswered) == {"GET /orders"}


def test_declared_facts_are_added_to_the_route_that_they_are_about() -> None:
    read = route("GET /orders/{id}")
    guard = Guard(name="token", kind="authentication", spot=read.spot)
    about = replace(route("GET /orders/{order}"), framework="declared", guards=(guard,))
    alone = replace(route("PUT /orders"), framework="declared")
    api = contract("GET /orders/{id}", "PUT /orders")
    found = match_routes(api, operations_of(api), CodeFacts(routes=(read, about, alone)))
    assert found.odd == ()
    assert found.answers["GET /orders/{id}"].route.guards == (guard,)
    assert found.answers["GET /orders/{id}"].route.framework == "fastapi"
    assert found.answers["PUT /orders"].route.framework == "declared"
