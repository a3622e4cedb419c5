"""Reconciliation as a whole: what counts as shown, one row per deviation, ids, what stays open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.codefacts.model import CodeNote, Guard, Spot, UnsupportedCode
from evreview.core.vocabulary import ABSENT, Concern, EvidenceId, Json
from evreview.evidence.item import Citation
from evreview.workflows.w2.discrepancy_kinds.kind import Seen, answer, body, fields, parameter, paths
from evreview.workflows.w2.facts import Discrepancy
from evreview.workflows.w2.reconcile.reconcile import (
    COLUMNS,
    UNDECIDED_COLUMNS,
    discrepancies_frame,
    held_back,
    reconcile,
    undecided_frame,
)
from evreview.workflows.w2.reconcile.requests import CHECKED
from evreview.workflows.w2.reconcile.responses import ELSEWHERE
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.facts import CODE, LINES, contract_of, evidence_of, reads, reconciled, route, sends, takes

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
ID: Json = fields(("id",), id=TEXT)
PLAIN: Json = {"description": "no body"}
UNREAD = UnsupportedCode(LINES, "a part")


def kinds(paths: Json, *routes: Any, **more: Any) -> list[str]:
    """The kinds that are found, in order."""
    schemes = more.pop("schemes", None)
    found = reconciled(evidence_of(contract_of(paths, schemes), *routes, **more))
    return [each.kind for each in found.discrepancies]


def one(paths: Json, *routes: Any, **more: Any) -> Discrepancy:
    """The only discrepancy."""
    found = reconciled(evidence_of(contract_of(paths), *routes, **more)).discrepancies
    assert len(found) == 1
    return found[0]


ok = sends(200, media_type="")
NONE = paths(responses={"200": PLAIN})
LISTED = paths(responses={"200": PLAIN}, parameters=[parameter("limit", NUMBER)])
GONE = paths(responses={"200": PLAIN, "410": PLAIN})
KEYED = paths("post", responses={"200": PLAIN}, requestBody=body(ID))


@pytest.mark.req("W2D-001")
def test_both_forms_stand_exactly_and_the_claim_is_held_back() -> None:
    contract = paths(responses={"200": PLAIN}, parameters=[parameter("limit", {"type": "integer", "maximum": 500})])
    code = reads("limit", {"type": "integer", "maximum": 100})
    found = one(contract, route(parameters=(code,), responses=(ok,)))
    assert found.contract == {"type": "integer", "maximum": 500}
    assert found.implementation == {"type": "integer", "maximum": 100}
    assert found.witness == 101
    assert [str(each) for each in found.citations] == ["E1#/paths/~1orders/get/parameters/0/schema", "E2:L3-L7"]
    assert held_back([found]) == {"GET /orders validation query limit"}


@pytest.mark.parametrize(
    ("contract", "made", "found"),
    [
        (LISTED, {}, ["parameter-unread"]),
        (GONE, {}, ["error-unsent"]),
        (KEYED, {"method": "POST"}, ["body-unread"]),
        (paths(responses={"200": PLAIN, "202": PLAIN}), {}, ["success-unsent"]),
    ],
)
def test_silence_is_a_fact_only_where_everything_was_read(contract: Json, made: Any, found: list[str]) -> None:
    whole = route(responses=(ok,), **made)
    assert kinds(contract, whole) == found
    for partly, unread in ((replace(whole, unread=(UNREAD,)), ()), (whole, (UNREAD,))):
        result = reconciled(evidence_of(contract_of(contract), partly, unread=unread))
        assert result.discrepancies == ()
        assert len(result.undecided) == 1
    assert kinds(contract, replace(whole, framework="declared")) == []


def test_what_a_decorator_only_documents_is_no_behaviour() -> None:
    assert kinds(NONE, route(responses=(ok, sends(409, media_type="", how="declared")))) == []
    assert kinds(NONE, route(responses=(ok, sends(409, media_type="", how="raised")))) == ["error-undocumented"]


@pytest.mark.parametrize("status", sorted({*ELSEWHERE, 500, 503}))
def test_statuses_that_servers_send_by_themselves_are_not_missed(status: int) -> None:
    assert kinds(paths(responses={"200": PLAIN, str(status): PLAIN}), route(responses=(ok,))) == []


def test_leads_never_make_a_discrepancy() -> None:
    made = CodeNote(concern=Concern.SIDE_EFFECTS, name="mail.send", spot=LINES, certain=False)
    assert kinds(NONE, route(responses=(ok,), notes=(made,))) == []
    assert kinds(NONE, route(responses=(ok,), notes=(replace(made, certain=True),))) == ["side-effect-on-safe-method"]


@pytest.mark.req("W2O-033")
def test_a_rate_limit_in_the_code_is_one_row_with_its_status_and_headers() -> None:
    limit = CodeNote(concern=Concern.RATE_LIMITS, name="10/minute", spot=LINES, value=10)
    refused = sends(429, media_type="", how="raised", headers=("Retry-After", "X-RateLimit-Limit"))
    limited = sends(200, media_type="", headers=("X-RateLimit-Limit",))
    found = one(NONE, route(responses=(limited, refused), notes=(limit,)), seen=(Seen(status=429, media_type=""),))
    assert found.kind == "rate-limit-undocumented"
    assert found.observed == {"status": 429}
    assert "GET /orders errors 429" in held_back([found])


def test_a_promised_400_and_the_frameworks_422_are_one_row() -> None:
    sent = sends(422, media_type="", how="framework")
    found = one(paths(responses={"200": PLAIN, "400": PLAIN}), route(responses=(ok, sent)))
    assert found.kind == "framework-validation-undocumented"
    assert held_back([found]) == {"GET /orders errors 400", "GET /orders errors 422"}


def test_one_success_status_for_another_is_one_row() -> None:
    found = one(paths(responses={"201": PLAIN}), route(responses=(ok,)), seen=(Seen(status=200, media_type=""),))
    assert found.kind == "success-status-differs"
    assert found.observed == {"status": 200}
    assert held_back([found]) == {"GET /orders success responses 200", "GET /orders success responses 201"}


def test_a_moved_parameter_is_one_row() -> None:
    contract = paths(responses={"200": PLAIN}, parameters=[parameter("X-Tenant", TEXT, "header")])
    assert kinds(contract, route(parameters=(reads("x_tenant", TEXT),), responses=(ok,))) == ["parameter-elsewhere"]


def test_path_parameters_are_paired_by_their_place() -> None:
    contract = paths(
        path="/orders/{orderId}/lines/{line}",
        responses={"200": PLAIN},
        parameters=[
            parameter("orderId", TEXT, "path", required=True),
            parameter("line", NUMBER, "path", required=True),
        ],
    )
    read = (reads("id", TEXT, "path", required=True), reads("no", NUMBER, "path", required=True))
    assert kinds(contract, route(path="/orders/{id}/lines/{no}", parameters=read, responses=(ok,))) == []
    swapped = (reads("id", NUMBER, "path", required=True), reads("no", TEXT, "path", required=True))
    assert kinds(contract, route(path="/orders/{id}/lines/{no}", parameters=swapped, responses=(ok,))) == [
        "parameter-wider",
        "parameter-narrower",
    ]


def test_credentials_of_a_scheme_are_no_parameter() -> None:
    schemes = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    contract = paths(responses={"200": PLAIN}, security=[{"key": []}])
    guard = Guard(name="key", kind="authentication", spot=LINES, scheme="apiKey header X-Key")
    read = route(parameters=(reads("x-key", TEXT, "header"),), guards=(guard,), responses=(ok,))
    assert kinds(contract, read, schemes=schemes) == []


@pytest.mark.parametrize(
    ("header", "scheme", "found"),
    [
        ("Authorization", "http bearer", []),
        ("Authorization", "http basic", []),
        ("Authorization", "apiKey header X-Key", ["scheme-differs"]),
        ("X-Key", "http bearer", ["scheme-differs"]),
    ],
)
def test_a_key_in_authorization_is_any_http_scheme(header: str, scheme: str, found: list[str]) -> None:
    schemes = {"key": {"type": "apiKey", "in": "header", "name": header}}
    contract = paths(responses={"200": PLAIN}, security=[{"key": []}])
    guard = Guard(name="caller", kind="authentication", spot=LINES, scheme=scheme)
    assert kinds(contract, route(guards=(guard,), responses=(ok,)), schemes=schemes) == found


def test_a_declared_fact_is_cited_with_its_declaration() -> None:
    said = replace(LINES, declared=Citation(EvidenceId("E9"), ":id=gone"))
    found = one(NONE, route(responses=(ok, replace(sends(410, media_type=""), spot=said))))
    assert found.kind == "error-undocumented"
    assert Citation(EvidenceId("E9"), ":id=gone") in found.citations
    assert isinstance(found.implementation, dict) and str(found.implementation["how"]).endswith(said.mark)


def test_an_optional_field_that_is_never_sent_is_no_discrepancy() -> None:
    stated = paths(responses={"200": answer(fields(("id",), id=TEXT, note=TEXT))})
    found = reconciled(evidence_of(contract_of(stated), route(responses=(sends(200, fields(("id",), id=TEXT)),))))
    assert found.discrepancies == ()
    assert [(each.concern, each.place) for each in found.undecided] == [(Concern.SUCCESS, "200 application/json note")]


def test_a_field_that_a_condition_checks_is_not_decided() -> None:
    note = CodeNote(concern=Concern.VALIDATION, name="id", spot=LINES, value="body['id'] > 100", certain=False)
    read = route("POST", body=takes(ID), notes=(note,), responses=(ok,))
    found = reconciled(evidence_of(contract_of(KEYED), read))
    assert ("application/json id", CHECKED) in [(each.place, each.reason) for each in found.undecided]


def test_an_unclear_guard_shows_nothing() -> None:
    schemes = {"token": {"type": "http", "scheme": "bearer"}}
    contract = paths(responses={"200": PLAIN}, security=[{"token": []}])
    guard = Guard(name="check", kind="unknown", spot=LINES)
    result = reconciled(evidence_of(contract_of(contract, schemes), route(guards=(guard,), responses=(ok,))))
    assert result.discrepancies == ()
    assert [each.concern for each in result.undecided] == [Concern.AUTHENTICATION]


@pytest.mark.req("W2D-005")
def test_a_route_below_the_operation_expands_the_contract() -> None:
    below = route("POST", "/orders/{id}/refund", responses=(ok,))
    beside = route("GET", "/ordersets", responses=(ok,))
    found = one(NONE, route(responses=(ok,)), below, beside)
    assert (found.kind, found.operation, found.place) == (
        "route-undocumented", "GET /orders", "POST /orders/{}/refund",
    )  # fmt: skip


def test_an_operation_that_nothing_answers_holds_everything_back() -> None:
    elsewhere = route(path="/basket", responses=(ok,))
    assert held_back([one(NONE, elsewhere)]) == {"GET /orders"}
    assert kinds(NONE) == []
    assert kinds(NONE, elsewhere, unread=(UNREAD,)) == []


def test_a_body_that_the_code_explains_is_seen_at_its_field() -> None:
    contract = paths(responses={"200": answer(ID)})
    code = route(responses=(sends(200, fields(("id",), id=NUMBER)),))
    found = one(contract, code, seen=(Seen(status=200, body={"id": 7}),))
    assert (found.kind, found.place, found.observed) == ("response-outside", "200 application/json id", ["/id: type"])
    assert str(found.citations[-1]) == "E4#/log/entries/0"


def test_three_sources_that_all_differ_are_told_apart() -> None:
    contract = paths(responses={"200": answer(ID)})
    code = route(responses=(sends(200, fields(("id",), id=NUMBER)),))
    assert sorted(kinds(contract, code, seen=(Seen(status=200, body={"id": True}),))) == [
        "response-outside",
        "sources-all-differ",
    ]


def test_a_hundred_alike_sightings_are_one_row_with_few_citations() -> None:
    found = one(NONE, route(responses=(ok,)), seen=(Seen(status=418, media_type=""),) * 100)
    assert found.kind == "observed-status-undocumented"
    assert len(found.citations) <= 12


def test_a_recorded_body_is_judged_and_never_shown() -> None:
    contract = paths(responses={"200": answer(ID)})
    code = route(responses=(sends(200),))
    found = one(contract, code, seen=(Seen(status=200, body={"id": {"secret": "hunter2"}}),))
    assert found.kind == "observed-body-outside"
    assert "hunter2" not in repr(found)


def test_skipped_cases_saw_nothing() -> None:
    evidence = evidence_of(contract_of(NONE), route(responses=(ok,)), seen=(Seen(status=418, media_type=""),))
    run = evidence.runs[0]
    cases = tuple(replace(case, outcome="skipped") for case in run.results.cases)
    skipped = replace(evidence, runs=(replace(run, results=replace(run.results, cases=cases)),))
    assert reconciled(evidence).discrepancies
    assert reconciled(skipped).discrepancies == ()


def many() -> Any:
    """A contract and routes that disagree in many ways."""
    contract = {
        **paths(
            responses={"200": answer(fields(("a", "b"), a=TEXT, b=TEXT)), "404": answer(ID), "410": PLAIN},
            parameters=[parameter("limit", NUMBER), parameter("colour", TEXT), parameter("size", TEXT)],
        ),
        **paths("post", "/baskets", responses={"201": answer(ID)}, requestBody=body(fields(("a",), a=TEXT, b=TEXT))),
    }
    first = route(
        parameters=(reads("limit", {"type": "integer", "maximum": 9}, required=True), reads("page", NUMBER)),
        responses=(
            sends(200, fields(("a",), a=NUMBER, c=TEXT)),
            sends(404, fields(("id",), id=NUMBER), how="raised"),
            sends(409, ID, how="raised", headers=("X-Why",)),
        ),
    )
    second = route("POST", "/baskets", body=takes(fields(("a", "z"), a=NUMBER, z=TEXT)), responses=(sends(200, ID),))
    return contract, (first, second)


def moved(spot: Spot) -> Spot:
    return Spot(CODE, spot.first + 40, spot.last + 40, "other.py")


def test_ids_survive_lines_and_order_and_never_collide() -> None:
    contract, (first, second) = many()
    found = reconciled(evidence_of(contract_of(contract), first, second)).discrepancies
    assert len(found) > 12
    assert len({each.id for each in found}) == len(found)
    assert all(len(each.id) == 14 for each in found)
    shifted = replace(
        first,
        spot=moved(first.spot),
        parameters=tuple(replace(each, spot=moved(each.spot)) for each in reversed(first.parameters)),
        responses=tuple(replace(each, spot=moved(each.spot)) for each in reversed(first.responses)),
    )
    again = reconciled(evidence_of(contract_of(contract), second, shifted)).discrepancies
    assert [(each.id, each.digest) for each in again] == [(each.id, each.digest) for each in found]


def test_an_id_says_operation_concern_kind_and_place() -> None:
    contract, routes = many()
    found = reconciled(evidence_of(contract_of(contract), *routes)).discrepancies
    keys = {(each.operation, each.concern, each.kind, each.place) for each in found}
    assert len(keys) == len(found)


def test_only_operations_in_scope_are_reconciled() -> None:
    contract, routes = many()
    whole = contract_of(contract)
    scope = [each for each in operations_of(whole) if each.method == "POST"]
    found = reconcile(evidence_of(whole, *routes), scope, owner_role="API owner").discrepancies
    assert {each.operation for each in found} == {"POST /baskets"}


def test_the_register_has_one_row_per_discrepancy() -> None:
    contract, routes = many()
    result = reconciled(evidence_of(contract_of(contract), *routes))
    frame = discrepancies_frame(result.discrepancies)
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["id"]) == [each.id for each in result.discrepancies]
    assert frame["id"].is_unique
    empty = discrepancies_frame(())
    assert list(empty.columns) == list(COLUMNS) and empty.empty
    assert tuple(undecided_frame(result.undecided).columns) == UNDECIDED_COLUMNS


def test_a_body_that_nobody_documented_contradicts_that_there_is_none() -> None:
    found = one(paths("post", responses={"200": PLAIN}), route("POST", body=takes(ID), responses=(ok,)))
    assert (found.kind, held_back([found])) == ("body-undocumented", {"POST /orders request body"})


def test_a_missing_side_is_missing() -> None:
    found = one(NONE, route(parameters=(reads("page", NUMBER),), responses=(ok,)))
    assert found.contract is ABSENT
    assert isinstance(found.implementation, dict)
