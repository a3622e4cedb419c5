"""An added operation with a more concrete path answers requests that a released template answered until now."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison import delta
from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import Json, ProofStatus, RuleId, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.messages.contracts import contract, operation, query

OVER = RuleId("operation-added-over-template")
ADDED = RuleId("operation-added")
TEXT: Json = {"type": "string"}
BODY: Any = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
NAMED: Any = {"required": True, "content": {"application/json": {"schema": {"type": "object", "required": ["a"]}}}}
KEY: Any = {"components": {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-K"}}}}


def member(schema: Json = TEXT, name: str = "id", **parts: Any) -> Any:
    return {"name": name, "in": "path", "required": True, "schema": schema, **parts}


def templated(*members: Any, path: str = "/u/{id}", method: str = "get", **parts: Any) -> Any:
    listed = parts.pop("parameters", [])
    return operation(method, path, parameters=[*(members or [member()]), *listed], **parts)


def added(path: str = "/u/me", method: str = "get", **parts: Any) -> Any:
    return operation(method, path, **parts)


TWO = (member(name="a"), member(name="b"))
# name, released paths, added paths, rule, verdict, what the added operation takes over
CASES: list[tuple[str, Any, Any, RuleId, Verdict, str]] = [
    (
        "demands a parameter",
        templated(),
        added(parameters=[query(required=True)]),
        OVER,
        Verdict.BREAKING,
        "GET /u/{}",
    ),
    ("demands nothing more", templated(), added(), OVER, Verdict.UNKNOWN, "GET /u/{}"),
    (
        "refuses what an optional parameter said",
        templated(parameters=[query(TEXT)]),
        added(parameters=[query({"type": "integer"})]),
        OVER,
        Verdict.BREAKING,
        "GET /u/{}",
    ),
    (
        "refuses a body",
        templated(method="post", requestBody=BODY),
        added(method="post", requestBody=NAMED),
        OVER,
        Verdict.BREAKING,
        "POST /u/{}",
    ),
    ("demands credentials", templated(), added(security=[{"k": []}]), OVER, Verdict.BREAKING, "GET /u/{}"),
    (
        "excluded by the type of the member",
        templated(member({"type": "integer"})),
        added(parameters=[query(required=True)]),
        OVER,
        Verdict.COMPATIBLE,
        "GET /u/{}",
    ),
    (
        "excluded by a pattern",
        templated(member({"type": "string", "pattern": "^[0-9a-f]{8}$"})),
        added(),
        OVER,
        Verdict.COMPATIBLE,
        "GET /u/{}",
    ),
    (
        "a number that the member admits",
        templated(member({"type": "integer"})),
        added("/u/1", parameters=[query(required=True)]),
        OVER,
        Verdict.BREAKING,
        "GET /u/{}",
    ),
    (
        "a template below another one",
        templated(*TWO, path="/{a}/{b}"),
        templated(member(name="b"), path="/u/{b}", parameters=[query(required=True)]),
        OVER,
        Verdict.BREAKING,
        "GET /{}/{}",
    ),
    (
        "a member beside other text",
        templated(path="/u/{id}.json"),
        added("/u/me.json", parameters=[query(required=True)]),
        OVER,
        Verdict.BREAKING,
        "GET /u/{}.json",
    ),
    (
        "the most concrete of two templates",
        {**templated(*TWO, path="/{a}/{b}"), **templated(member({"type": "integer"}, name="b"), path="/u/{b}")},
        added(parameters=[query(required=True)]),
        OVER,
        Verdict.COMPATIBLE,
        "GET /u/{}",
    ),
    ("another method", templated(), added(method="put"), ADDED, Verdict.COMPATIBLE, ""),
    ("another length", templated(), added("/u/me/all"), ADDED, Verdict.COMPATIBLE, ""),
    (
        "neither is the more concrete one",
        templated(path="/{id}/me"),
        templated(path="/u/{id}"),
        ADDED,
        Verdict.COMPATIBLE,
        "",
    ),
    ("text beside a member", templated(), templated(path="/u/{id}.json"), ADDED, Verdict.COMPATIBLE, ""),
]


def row_of(released: Any, more: Any) -> JudgedRow:
    sides = contract(released, **KEY), contract({**released, **more}, **KEY)
    [row] = compare(*sides).rows
    if row.proof.status is ProofStatus.WITNESSED:
        assert replay(*sides, row.proof.witness, CrossCheckValidator()).confirmed
    return row


@pytest.mark.parametrize(
    ("released", "more", "rule", "verdict", "over"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_requests_that_a_template_answered(released: Any, more: Any, rule: RuleId, verdict: Verdict, over: str) -> None:
    row = row_of(released, more)
    assert (row.judgement.rule, row.judgement.verdict) == (rule, verdict)
    assert row.delta.facts.get(delta.TAKES_OVER, "") == over
    assert (row.proof.status is ProofStatus.WITNESSED) is (verdict is Verdict.BREAKING)


def test_the_verdict_stands_without_a_search_for_witnesses() -> None:
    released, more = templated(), added(parameters=[query(required=True)])
    [row] = compare(contract(released), contract({**released, **more}), witnesses=False).rows
    assert row.judgement.verdict is Verdict.BREAKING
