"""HTTP routes of protobuf procedures: which old requests the candidate still takes, and reads alike."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.contract.model import Contract
from evreview.core.vocabulary import Plane, ProofStatus, Tristate, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.kinds.protobuf.prover import replay
from evreview.kinds.protobuf.prover_elements import template

API = """syntax = "proto3"; package google.api; import "google/protobuf/descriptor.proto";
message HttpRule { oneof pattern { string get = 2; string put = 3; string post = 4; string delete = 5; string patch = 6;
  CustomHttpPattern custom = 8; } string body = 7; string response_body = 12;
  repeated HttpRule additional_bindings = 11; }
message CustomHttpPattern { string kind = 1; string path = 2; }
extend google.protobuf.MethodOptions { HttpRule http = 72295728; }
message Told { string text = 1; } message Item { string x = 1; string y = 2; }
"""
FIELDS = "string id = 1; string other = 2; Item item = 3;"
RENAMED = "string key = 1; string other = 2; Item item = 3;"


def contract(rule: str, fields: str = FIELDS, service: str = "Orders") -> Contract:
    text = f"{API} message Asked {{ {fields} }} service {service} {{ rpc Get(Asked) returns (Told) {{"
    whole = f"{text} option (google.api.http) = {{ {rule} }}; }} }}"
    return read_contract("orders.proto", lambda _: whole.encode())


def routes(released: Contract, candidate: Contract) -> list[JudgedRow]:
    return [each for each in compare(released, candidate).rows if each.delta.facet == "google.api.http"]


def get(path: str, more: str = "") -> str:
    return f'get: "{path}" {more}'


def test_a_variable_stands_for_one_segment_whether_it_says_so_or_not() -> None:
    assert routes(contract(get("/v1/{id}")), contract(get("/v1/{id=*}"))) == []


KEPT = [
    (get("/v1/{id}"), get("/v1/{id=**}")),
    (get("/v1/{id=shelves/*}"), get("/v1/{id=*/*}")),
    (get("/v1/{id=a/**}"), get("/v1/{id=**}")),
    (get("/v1/a"), get("/v1/a", 'additional_bindings { get: "/v2/a" }')),
    (get("/v1/{id}"), 'post: "/v1/{id}" additional_bindings { get: "/v1/{id=**}" }'),
    ('custom { kind: "HEAD" path: "/v1/a" }', 'custom { kind: "*" path: "/v1/a" }'),
]
LOST = [
    (get("/v1/{id=**}"), get("/v1/{id=*}"), "GET /v1/x1/x2"),
    (get("/v1/{id=**}"), get("/v1/{id=*/**}"), "GET /v1/x1"),
    (get("/v1/{id=*/*}"), get("/v1/{id=shelves/*}"), "GET /v1/x1/x2"),
    (get("/v1/{id}"), get("/v1/{other}"), "GET /v1/x1"),
    (get("/v1/{item.x}"), get("/v1/{item.y}"), "GET /v1/x1"),
    (get("/v1/{id}"), 'post: "/v1/{id}"', "GET /v1/x1"),
    ('post: "/v1/{id}:stop"', 'post: "/v1/{id}:end"', "POST /v1/x1:stop"),
    ('post: "/v1/a" body: "*"', 'post: "/v1/a" body: "item"', "POST /v1/a"),
    (get("/v1/a"), get("/v1/a", 'response_body: "text"'), "GET /v1/a"),
]


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_a_route_that_takes_every_old_request_is_proved(before: str, after: str) -> None:
    (row,) = routes(contract(before), contract(after))
    assert row.judgement.verdict is Verdict.COMPATIBLE and row.proof.status is ProofStatus.PROVED


@pytest.mark.parametrize(("before", "after", "asked"), LOST)
def test_a_request_that_is_lost_is_shown_and_replayed(before: str, after: str, asked: str) -> None:
    contracts = contract(before), contract(after)
    (row,) = routes(*contracts)
    assert row.judgement.verdict is Verdict.BREAKING
    assert dict(row.judgement.planes)[Plane.BINARY] is Verdict.COMPATIBLE
    witness = row.proof.witness
    assert isinstance(witness, dict) and witness["message"]["http"] == asked
    told = replay(*contracts, witness)
    assert [each.accepted for each in told] == [Tristate.YES, Tristate.NO]


def test_a_variable_that_got_another_name_with_its_field_reads_the_same_field() -> None:
    (row,) = routes(contract(get("/v1/{id}")), contract(get("/v1/{key}"), RENAMED))
    assert row.judgement.verdict is Verdict.COMPATIBLE and row.proof.status is ProofStatus.PROVED


def test_a_route_of_no_known_form_is_judged_by_the_rule_alone() -> None:
    (row,) = routes(contract(get("/v1/**/**")), contract(get("/v1/**")))
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.UNPROVEN)


@pytest.mark.parametrize("path", ["", "v1/a", "/v1/{", "/v1/}", "/v1/{a=**}/**", "/{a={b}}", "/***"])
def test_what_is_no_template_is_none(path: str) -> None:
    assert template(path) is None
