"""Options that say what validators take: tighter and looser constraints by the direction that a message travels."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.rules.variance import ValueSetChange
from evreview.core.vocabulary import ProofStatus, Tristate, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.kinds.protobuf.prover import replay
from evreview.kinds.protobuf.rules_constraints import effect

DECLARED = """syntax = "proto3"; package buf.validate; import "google/protobuf/descriptor.proto";
message Rule { string id = 1; string expression = 3; }
message StringRules { optional uint64 min_len = 2; optional uint64 max_len = 3; string pattern = 6;
  repeated string in = 10; bool email = 12; }
message Int32Rules { optional int32 gt = 4; optional int32 gte = 5; }
message RepeatedRules { uint64 min_items = 1; FieldRules items = 4; }
message FieldRules { repeated Rule cel = 23; bool required = 25; int32 ignore = 27; StringRules string = 14;
  Int32Rules int32 = 3; RepeatedRules repeated = 18; }
extend google.protobuf.FieldOptions { FieldRules field = 1159; string team = 50001; }
message Empty {}
"""
SERVICES = {
    "read": "service Orders { rpc Put(Order) returns (Empty); }",
    "written": "service Orders { rpc Put(Empty) returns (Order); }",
    "both": "",
}
YES, NO, NONE, OPEN = Tristate.YES, Tristate.NO, Tristate.NOT_APPLICABLE, Tristate.UNKNOWN


def field(rules: str, declared: str = "string a = 1") -> str:
    return f"{declared} [(buf.validate.field) = {{ {rules} }}];" if rules else f"{declared};"


def compared(before: str, after: str, travels: str) -> tuple[JudgedRow, tuple[Tristate, ...]]:
    texts = (f"{DECLARED} message Order {{ {it} }} {SERVICES[travels]}".encode() for it in (before, after))
    contracts = [read_contract("orders.proto", lambda _, data=data: data) for data in texts]
    (row,) = compare(*contracts).rows
    witness = row.proof.witness
    told = replay(*contracts, witness) if row.proof.status is ProofStatus.WITNESSED else ()
    return row, tuple(each.accepted for each in told)


LOW, HIGH = field("string { min_len: 1 }"), field("string { min_len: 3 }")


@pytest.mark.parametrize(
    ("before", "after", "travels", "answers", "verdict"),
    [
        (LOW, HIGH, "read", (NO, NONE), Verdict.BREAKING),
        (LOW, HIGH, "written", (NONE, YES), Verdict.COMPATIBLE),
        (LOW, HIGH, "both", (NO, YES), Verdict.BREAKING),
        (HIGH, LOW, "read", (YES, NONE), Verdict.COMPATIBLE),
        (HIGH, LOW, "written", (NONE, OPEN), Verdict.UNKNOWN),
        (HIGH, LOW, "both", (YES, OPEN), Verdict.UNKNOWN),
    ],
)
def test_a_constraint_is_judged_in_the_direction_of_its_message(
    before: str, after: str, travels: str, answers: tuple[Tristate, Tristate], verdict: Verdict
) -> None:
    row, told = compared(before, after, travels)
    assert (row.judgement.accepts_old_requests, row.judgement.emits_old_compatible) == answers
    assert row.judgement.verdict is verdict
    assert told == ((YES, NO) if verdict is Verdict.BREAKING else ())


INT = "int32 a = 1"


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (field(""), field("string { max_len: 5 }"), '{"a": "aaaaaa"}'),
        (field(""), field("required: true"), "{}"),
        (field("int32 { gt: 0 }", INT), field("int32 { gte: 5 }", INT), '{"a": 4}'),
        (field('string { in: "a" in: "b" }'), field('string { in: "a" in: "c" }'), '{"a": "b"}'),
        (field("", "repeated string a = 1"), field("repeated { min_items: 1 }", "repeated string a = 1"), "{}"),
        (field(""), field("") + field("required: true", "string b = 2"), "{}"),
        (field(""), field("") + field("string { min_len: 1 }", "string b = 2"), "{}"),
    ],
)
def test_a_value_that_is_refused_now_is_shown_and_replayed(before: str, after: str, shown: str) -> None:
    row, told = compared(before, after, "read")
    witness = row.proof.witness
    assert isinstance(witness, dict) and witness["message"]["payload"] == shown
    assert told == (YES, NO)


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (field('string { pattern: "a" }'), field('string { pattern: "b" }'), Verdict.UNKNOWN),
        (field(""), field('cel { id: "a" expression: "true" }'), Verdict.UNKNOWN),
        (field("string { min_len: 3 }"), field("string { min_len: 3 } ignore: 1"), Verdict.UNKNOWN),
        (field(""), field("") + field("string { email: true }", "string b = 2"), Verdict.UNKNOWN),
        (field(""), field("") + field("string { max_len: 3 }", "string b = 2"), Verdict.COMPATIBLE),
        (field(""), field("") + field("string { min_len: 3 }", "optional string b = 2"), Verdict.COMPATIBLE),
        (field('string { in: "a" in: "b" }'), field('string { in: "b" in: "a" }'), Verdict.COMPATIBLE),
        (field("int32 { gt: 0 }", INT), field("int32 { gte: 1 }", INT), Verdict.COMPATIBLE),
        (field(""), 'string a = 1 [(buf.validate.team) = "sales"];', Verdict.UNKNOWN),
        (field(""), "string a = 1 [deprecated = true];", Verdict.COMPATIBLE),
    ],
)
def test_what_is_not_plain_is_open_and_what_asks_nothing_is_harmless(before: str, after: str, verdict: Verdict) -> None:
    assert compared(before, after, "read")[0].judgement.verdict is verdict


def test_a_custom_option_shows_both_values() -> None:
    options = (f'string a = 1 [(buf.validate.team) = "{it}"];' for it in ("sales", "stock"))
    delta = compared(*options, "both")[0].delta
    assert (delta.released, delta.candidate) == ("sales", "stock")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"int32": {"gt": 3}}, {"int32": {"gte": 4, "lt": 9}}, ValueSetChange.NARROWS),
        ({"double": {"gt": 3.0}}, {"double": {"gte": 3.0}}, ValueSetChange.WIDENS),
        ({"int32": {"not_in": [1]}}, {"int32": {"not_in": [1, 2]}}, ValueSetChange.NARROWS),
        ({"string": {"min_len": 1, "max_len": 9}}, {"string": {"min_len": 2, "max_len": 10}}, ValueSetChange.REPLACES),
        ({"string": {"const": "a"}}, {"string": {"const": "b"}}, ValueSetChange.REPLACES),
        ({"repeated": {"items": {"string": {"len": 2}}}}, {}, ValueSetChange.WIDENS),
        ({"int32": {"gt": 9, "lt": 3}}, {"int32": {"gt": 9, "lt": 2}}, None),
        ({"string": {"min_len": 1}}, {"string": {"min_len": "x"}}, None),
        ({"any": {"in": ["a"]}, "message": {"skip": True}}, {"any": {"in": ["a"]}}, None),
    ],
)
def test_the_effect_of_a_change(
    before: dict[str, object], after: dict[str, object], expected: ValueSetChange | None
) -> None:
    assert effect(before, after) is expected  # type: ignore[arg-type]
