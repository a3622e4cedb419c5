"""Protobuf rows: their verdicts on both wires and in both directions, and what their witnesses show."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.rules.example import pair
from evreview.comparison.rules.rule import Rule
from evreview.core.vocabulary import ContractKind, Plane, ProofStatus, Tristate, Verdict
from evreview.kinds.compare import compare, diff_contracts
from evreview.kinds.load import read_contract
from evreview.kinds.protobuf.prover import ProtobufProver, replay
from evreview.kinds.rule_catalogue import BY_KIND

YES, NO, NONE, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.NOT_APPLICABLE, Tristate.UNKNOWN
BOTH = (NO, NO)
WHOLE = "evreview.holding.shop.Status.Holder"


def compared(released: str, candidate: str) -> Comparison:
    return compare(
        *(read_contract("things.proto", lambda _, text=text: text.encode()) for text in (released, candidate))
    )


def order(*members: str, syntax: str = "proto3", beside: str = "") -> str:
    head = f'edition = "{syntax}"' if syntax.isdigit() else f'syntax = "{syntax}"'
    return f"{head}; package shop; {beside} message Order {{ {' '.join(members)} }}"


def row(comparison: Comparison, facet: str, rule: str = "") -> JudgedRow:
    return next(each for each in comparison.rows if each.delta.facet == facet and rule in (each.judgement.rule or ""))


@dataclass(frozen=True)
class Case:
    """A field before and after: answers (candidate reads old, released reads new) and whether each wire breaks."""

    before: str
    after: str
    answers: tuple[Tristate, Tristate]
    binary: bool
    json: bool
    facet: str = "type"
    syntax: str = "proto3"
    beside: str = ""


STATUS = "enum Status { NEW = 0; PAID = 1; }"
LINES = (
    "message A { string sku = 1; } message B { string sku = 1; } "
    "message C { int64 sku = 1; } message D { string x = 1; } message Pair { string key = 1; int32 value = 2; } "
    "message Keys { repeated string key = 1; int32 value = 2; } "
    "message Values { string key = 1; repeated A value = 2; } message Nothing {} "
    "message Key { string key = 1; } message Many { repeated A them = 1; } message One { A them = 1; } "
    'import "google/protobuf/wrappers.proto";'
)
CASES = [
    Case("int32 a = 1;", "int64 a = 1;", (YES, NO), True, True),
    Case("int64 a = 1;", "int32 a = 1;", (NO, YES), True, True),
    Case("int32 a = 1;", "uint32 a = 1;", BOTH, True, True),
    Case("uint32 a = 1;", "uint64 a = 1;", (YES, NO), True, True),
    Case("bool a = 1;", "int32 a = 1;", BOTH, True, True),
    Case("int32 a = 1;", "sint32 a = 1;", BOTH, True, False),
    Case("fixed32 a = 1;", "sfixed32 a = 1;", BOTH, True, True),
    Case("int32 a = 1;", "fixed32 a = 1;", BOTH, True, True),
    Case("float a = 1;", "double a = 1;", BOTH, True, True),
    Case("string a = 1;", "bytes a = 1;", BOTH, True, True),
    Case("string a = 1;", "int32 a = 1;", BOTH, True, True),
    Case("Status a = 1;", "int32 a = 1;", (NO, YES), False, True, beside=STATUS),
    Case("A a = 1;", "B a = 1;", (YES, YES), False, False, beside=LINES),
    Case("A a = 1;", "C a = 1;", BOTH, True, True, beside=LINES),
    Case("A a = 1;", "D a = 1;", BOTH, False, True, beside=LINES),
    Case("A a = 1;", "bytes a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, int32> a = 1;", "map<string, int64> a = 1;", (YES, NO), True, True),
    Case("map<string, int32> a = 1;", "repeated Pair a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, A> a = 1;", "A a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, int32> a = 1;", "repeated Keys a = 1;", BOTH, True, True, beside=LINES),
    Case("repeated Keys a = 1;", "map<string, int32> a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, A> a = 1;", "repeated Values a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, int32> a = 1;", "repeated Key a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, int32> a = 1;", "repeated Nothing a = 1;", BOTH, True, True, beside=LINES),
    Case("map<int32, Keys> a = 1;", "repeated Keys a = 1;", BOTH, True, True, beside=LINES),
    Case("map<string, int32> a = 1;", "repeated string a = 1;", BOTH, True, True, beside=LINES),
    Case("Many a = 1;", "One a = 1;", BOTH, True, True, beside=LINES),
    Case("google.protobuf.StringValue a = 1;", "optional string a = 1;", BOTH, True, False, beside=LINES),
    Case("google.protobuf.StringValue a = 1;", "bytes a = 1;", BOTH, True, True, beside=LINES),
    Case("int32 a = 1;", "optional int32 a = 1;", (YES, YES), False, False, "cardinality"),
    Case("int32 a = 1;", "repeated int32 a = 1;", BOTH, True, True, "cardinality"),
    Case("string a = 1;", "repeated string a = 1;", BOTH, True, True, "cardinality"),
    Case("repeated int32 a = 1;", "int32 a = 1;", BOTH, True, True, "cardinality"),
    Case("repeated int32 a = 1;", "repeated int32 a = 1 [packed = false];", (YES, YES), False, False, "packed"),
    Case("optional int32 a = 1;", "required int32 a = 1;", (NO, YES), True, True, "cardinality", "proto2"),
    Case("required int32 a = 1;", "optional int32 a = 1;", (YES, NO), True, True, "cardinality", "proto2"),
    Case("int32 a = 1;", "int32 b = 1;", BOTH, False, True, "json_name"),
    Case("int32 a = 1;", 'int32 a = 1 [json_name = "b"];', (YES, NO), False, True, "json_name"),
    Case("int32 a = 1;", 'int32 b = 1 [json_name = "a"];', (YES, YES), False, False, "name"),
    Case("int32 foo_bar = 1;", "int32 fooBar = 1;", (YES, YES), False, False, "name"),
    Case('int32 a = 1 [json_name = "b"];', 'int32 b = 1 [json_name = "a"];', (YES, YES), False, False, "json_name"),
    Case('int32 a = 1 [json_name = "b"];', "int32 a = 1;", (NO, YES), False, True, "json_name"),
    Case('int32 a = 1 [json_name = "b"];', "int32 b = 1;", (YES, YES), False, False, "name"),
    Case('int32 a = 1 [json_name = "c"];', 'int32 b = 1 [json_name = "d"];', BOTH, False, True, "json_name"),
    Case("int32 a = 1; int32 b = 2;", "int32 b = 1; int32 a = 2;", BOTH, False, True, "json_name"),
    Case("optional bytes a = 1;", "optional string a = 1;", BOTH, True, True, syntax="proto2"),
    Case(
        "optional int32 a = 1 [default = 1];", "optional int32 a = 1 [default = 2];",
        BOTH, True, True, "default", "proto2",
    ),
    Case(
        "oneof it { int32 b = 2; } optional int32 a = 1;", "oneof it { int32 b = 2; int32 a = 1; }",
        (NO, YES), True, True, "oneof",
    ),
    Case("optional int32 a = 1;", "oneof it { int32 a = 1; }", (YES, YES), False, False, "oneof"),
    Case(
        "oneof it { int32 a = 1; int32 b = 2; }", "oneof that { int32 a = 1; int32 b = 2; }",
        (YES, YES), False, False, "oneof",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.before} {case.after}")
def test_each_direction_and_wire_of_a_field(case: Case) -> None:
    found = row(
        compared(*(order(it, syntax=case.syntax, beside=case.beside) for it in (case.before, case.after))), case.facet
    )
    judged = found.judgement
    assert (judged.accepts_old_requests, judged.emits_old_compatible) == case.answers
    broken = {plane for plane, verdict in judged.planes if verdict is Verdict.BREAKING} - {Plane.SOURCE}
    assert broken == {plane for plane, breaks in ((Plane.BINARY, case.binary), (Plane.JSON, case.json)) if breaks}
    assert judged.verdict is (Verdict.BREAKING if broken else Verdict.COMPATIBLE)
    assert found.proof.status is (ProofStatus.WITNESSED if broken else ProofStatus.PROVED)


@pytest.mark.parametrize(
    ("before", "after", "facet", "reads"),
    [
        ("int32 a = 1;", "sint32 a = 1;", "type", ({"a": 1}, {"a": -1})),
        ("int64 a = 1;", "int32 a = 1;", "type", ({"a": 2**40}, {"a": 0})),
        ("bytes a = 1;", "string a = 1;", "type", None),
        ("string a = 1;", "repeated string a = 1;", "cardinality", ({"a": "abc"}, {"a": ["abc", "é"]})),
    ],
)
def test_a_witness_says_what_each_side_reads(before: str, after: str, facet: str, reads: object) -> None:
    witness = row(compared(order(before), order(after)), facet).proof.witness
    assert isinstance(witness, dict)
    seen = witness["reads"]
    if reads is None:
        assert witness["accepted_by"] == "released" and isinstance(seen["candidate"], str)
    elif facet == "cardinality":
        assert seen == {"candidate": {"a": ["abc", "é"]}, "released": {"a": "é"}}
    else:
        assert (seen["released"], seen["candidate"]) == reads


_DELIMITED = " [features.message_encoding = DELIMITED]"


@pytest.mark.parametrize(
    ("field", "syntax"),
    [
        ("Order next = 1{};", "2023"),
        ("repeated Order next = 1{};", "2023"),
        ("Nothing left = 1{};", "2023"),
        ("oneof it {{ Nothing left = 1{}; int32 right = 2; }}", "2023"),
        ("Tree tree = 1{};", "2023"),
        ("optional group Next = 1 {{ optional group Last = 2 {{}} }}", "proto2"),
    ],
)
def test_a_group_of_nothing_but_messages_is_seen_on_the_wire(field: str, syntax: str) -> None:
    beside = "message Nothing {} message Tree { Tree left = 1; Tree right = 2; }" if syntax == "2023" else ""
    texts = [order(field.format(it), syntax=syntax, beside=beside) for it in ("", _DELIMITED)]
    if syntax == "proto2":
        texts[1] = order("optional Next next = 1; message Next { optional group Last = 2 {} }", syntax=syntax)
    found = row(compared(*texts), "type")
    planes = dict(found.judgement.planes)
    assert (planes[Plane.BINARY], planes[Plane.JSON]) == (Verdict.BREAKING, Verdict.COMPATIBLE)
    assert found.proof.status is ProofStatus.WITNESSED
    assert all(each.judgement.verdict is Verdict.COMPATIBLE for each in compared(texts[0], texts[0]).rows)


def test_messages_after_their_lengths_are_read_alike_under_any_spelling() -> None:
    texts = (
        f'edition = "2023"; option features.message_encoding = {it}; message Order {{ map<string, Order> a = 1; }}'
        for it in ("DELIMITED", "LENGTH_PREFIXED")
    )
    assert not compared(*texts).breaking


TEXT_2, TEXT_3 = (
    f'syntax = "{syntax}"; package shop; message Told {{ optional string a = 1; map<string, int32> b = 2; }}'
    for syntax in ("proto2", "proto3")
)
READ_ONLY = "service Orders { rpc Put(Told) returns (Empty); } message Empty {}"
WRITTEN_ONLY = "service Orders { rpc Put(Empty) returns (Told); } message Empty {}"


@pytest.mark.parametrize("address", ["field a = 1", "field b = 2"])
@pytest.mark.parametrize(
    ("before", "after", "answers", "verdict"),
    [
        (TEXT_2, TEXT_3, (UNKNOWN, YES), Verdict.UNKNOWN),
        (TEXT_3, TEXT_2, (YES, UNKNOWN), Verdict.UNKNOWN),
        (TEXT_2 + READ_ONLY, TEXT_3 + READ_ONLY, (UNKNOWN, NONE), Verdict.UNKNOWN),
        (TEXT_2 + WRITTEN_ONLY, TEXT_3 + WRITTEN_ONLY, (NONE, YES), Verdict.COMPATIBLE),
        (TEXT_3 + WRITTEN_ONLY, TEXT_2 + WRITTEN_ONLY, (NONE, UNKNOWN), Verdict.UNKNOWN),
    ],
)
def test_text_that_nobody_checks_may_be_refused_where_it_is_checked(
    before: str, after: str, answers: tuple[Tristate, Tristate], verdict: Verdict, address: str
) -> None:
    rows = [each for each in compared(before, after).rows if each.delta.facet == "utf8_validation"]
    found = next(each for each in rows if address in each.delta.address)
    assert (found.judgement.accepts_old_requests, found.judgement.emits_old_compatible) == answers
    assert found.judgement.verdict is verdict
    assert dict(found.judgement.planes)[Plane.BINARY] is verdict
    assert found.proof.status is not ProofStatus.PROVED


def test_a_field_under_a_new_number_is_lost_in_bytes_and_read_in_json() -> None:
    found = row(compared(order("string note = 1;"), order("string note = 2;")), "", "proto-field-removed")
    assert found.judgement.planes == (
        (Plane.BINARY, Verdict.BREAKING),
        (Plane.JSON, Verdict.COMPATIBLE),
        (Plane.SOURCE, Verdict.COMPATIBLE),
    )
    extended = "extensions 5 to 9;", "extend Order {{ optional string note = {}; }}"
    texts = (order(extended[0], syntax="proto2", beside=extended[1].format(number)) for number in (5, 6))
    assert row(compared(*texts), "", "proto-extension-removed").judgement.planes == found.judgement.planes
    other = row(compared(order("string note = 1;"), order("int64 note = 2;")), "", "proto-field-removed")
    assert {verdict for _, verdict in other.judgement.planes} == {Verdict.BREAKING}


def test_a_required_field_that_joined_is_no_reason_against_other_rows() -> None:
    texts = (
        order(it, syntax="proto2") for it in ("optional int32 a = 1;", "optional int64 a = 1; required int32 b = 2;")
    )
    found = row(compared(*texts), "type")
    assert found.judgement.accepts_old_requests is YES


def test_what_is_written_holds_what_its_writer_requires() -> None:
    before, after = ("required int32 a = 1;", "required int32 b = 2;")
    for each in compared(order(before, syntax="proto2"), order(after, syntax="proto2")).rows:
        witness = each.proof.witness
        assert isinstance(witness, dict)
        assert witness["message"]["payload"] in ("0800", "1000") and "required" in str(witness["reads"])


ENUM = "message Order {{ optional Status status = 1; }} enum Status {{ {} }}"


@pytest.mark.parametrize(
    ("syntax", "before", "after", "facet", "answers"),
    [
        ("proto3", "NEW = 0;", "NEW = 0; PAID = 1;", "", (YES, YES)),
        ("proto2", "NEW = 0;", "NEW = 0; PAID = 1;", "", (YES, NO)),
        ("proto3", "NEW = 0; PAID = 1;", "NEW = 0;", "", (NO, YES)),
        ("proto2", "NEW = 0; PAID = 1;", "NEW = 0;", "", (NO, YES)),
        ("proto3", "NEW = 0; PAID = 1;", "NEW = 0; SETTLED = 1;", "names", BOTH),
        ("proto2", "NEW = 0; PAID = 1;", "PAID = 1; NEW = 0;", "default", BOTH),
    ],
)
def test_enums_in_a_field(syntax: str, before: str, after: str, facet: str, answers: tuple[Tristate, Tristate]) -> None:
    texts = (f'syntax = "{syntax}"; package shop; ' + ENUM.format(it) for it in (before, after))
    judged = row(compared(*texts), facet).judgement
    assert (judged.accepts_old_requests, judged.emits_old_compatible) == answers


@pytest.mark.parametrize(
    ("after", "rules"),
    [
        ("NEW = 0; PAID = 2; SENT = 1;", {"proto-enum-value-renamed"}),
        ("NEW = 0; PAID = 3; SENT = 2;", {"proto-enum-value-removed", "proto-enum-value-added"}),
    ],
)
def test_a_name_under_another_number_is_misread_in_bytes_and_read_in_json(after: str, rules: set[str]) -> None:
    held = "message Order {{ Status status = 1; }} enum Status {{ {} }}"
    texts = (f'syntax = "proto3"; {held.format(it)}' for it in ("NEW = 0; PAID = 1; SENT = 2;", after))
    rows = compared(*texts).rows
    assert {each.judgement.rule for each in rows} == rules
    for each in rows:
        planes = dict(each.judgement.planes)
        assert (planes[Plane.BINARY], planes[Plane.JSON]) == (Verdict.BREAKING, Verdict.COMPATIBLE)
        assert each.proof.status is ProofStatus.WITNESSED


@pytest.mark.parametrize(
    ("before", "after", "means"),
    [
        ("option allow_alias = true; NEW = 0; PAID = 1; SETTLED = 1;", "NEW = 0; PAID = 1;", "by hand"),
        ("NEW = 0;", "UNKNOWN = 0;", "always_print_fields_with_no_presence"),
    ],
)
def test_a_witness_says_what_a_default_printer_would_not_write(before: str, after: str, means: str) -> None:
    texts = (
        f'syntax = "proto3"; enum Status {{ {it} }} message Order {{ Status status = 1; }}' for it in (before, after)
    )
    found = row(compared(*texts), "names")
    assert isinstance(found.proof.witness, dict)
    assert means in found.proof.witness["message"]["means"] and means in found.proof.reason


def test_an_enum_whose_fields_have_defaults_of_their_own_may_change_its_first_value() -> None:
    held = (
        "enum Status {{ {} }} message Order {{ optional Status status = 1 [default = PAID]; repeated Status all = 2; }}"
    )
    texts = (f'syntax = "proto2"; {held.format(it)}' for it in ("NEW = 0; PAID = 1;", "PAID = 1; NEW = 0;"))
    found = row(compared(*texts), "default")
    assert (found.judgement.verdict, found.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


def test_an_enum_that_nothing_holds_is_held_by_a_made_message() -> None:
    texts = (f'syntax = "proto3"; package shop; enum Status {{ NEW = 0; {it} = 1; }}' for it in ("PAID", "SETTLED"))
    witness = row(compared(*texts), "names").proof.witness
    assert isinstance(witness, dict) and witness["message"]["type"] == WHOLE


SERVICE = 'syntax = "proto3"; package shop; service Orders {{ rpc Put({}) returns ({}); }} {}'
NARROW, WIDE = "message Asked { int32 a = 1; }", "message Asked { int64 a = 1; }"


@pytest.mark.parametrize(
    ("asked", "told", "answers"),
    [("Asked", "Told", (YES, NONE)), ("Told", "Asked", (NONE, NO)), ("Asked", "Asked", (YES, NO))],
)
def test_what_travels_one_way_is_judged_one_way(asked: str, told: str, answers: tuple[Tristate, Tristate]) -> None:
    texts = (SERVICE.format(asked, told, f"message Told {{}} {it}") for it in (NARROW, WIDE))
    judged = row(compared(*texts), "type").judgement
    assert (judged.accepts_old_requests, judged.emits_old_compatible) == answers
    assert judged.verdict is (Verdict.BREAKING if NO in answers else Verdict.COMPATIBLE)


def test_a_type_that_got_another_name_is_one_type() -> None:
    before = order("Line line = 1;", beside="message Line { string sku = 1; int32 many = 2; }")
    after = order("Item line = 1;", beside="message Item { string sku = 1; int64 many = 2; }")
    rows = compared(before, after).rows
    assert [(each.delta.address, each.delta.facet, each.judgement.verdict.value) for each in rows] == [
        ("type shop.Line", "name", "compatible"),
        ("type shop.Line > field many = 2", "type", "breaking"),
        ("type shop.Order > field line = 1", "type", "compatible"),
    ]


def test_a_package_that_got_another_name_is_one_row_and_the_paths_of_its_calls() -> None:
    before = SERVICE.format("Asked", "Asked", NARROW)
    rows = compared(before, before.replace("package shop", "package store")).rows
    assert [(each.delta.address, each.judgement.verdict.value, each.proof.status.value) for each in rows] == [
        ("module things.proto", "compatible", "n/a"),
        ("shop.Orders/Put", "breaking", "witnessed"),
    ]


ANSWERS = (
    "message Two { int32 a = 1; int32 b = 2; } message One { int32 a = 1; } "
    "message In { Two x = 1; } message Of { One x = 1; }"
)


@pytest.mark.parametrize(
    ("before", "after", "answers"),
    [("Two", "One", (NONE, NO)), ("One", "Two", (NONE, YES)), ("In", "Of", (NONE, NO)), ("Of", "In", (NONE, YES))],
)
def test_an_answer_of_another_type_breaks_by_the_members_that_left(
    before: str, after: str, answers: tuple[Tristate, Tristate]
) -> None:
    texts = (SERVICE.format("Asked", it, f"message Asked {{}} {ANSWERS}") for it in (before, after))
    judged = row(compared(*texts), "response").judgement
    assert (judged.accepts_old_requests, judged.emits_old_compatible) == answers


@pytest.mark.parametrize("declared", ["{} a = 1;", "repeated {} a = 1;", "map<string, {}> a = 1;"])
def test_a_boolean_is_no_enum_in_json(declared: str) -> None:
    found = row(compared(*(order(declared.format(it), beside=STATUS) for it in ("bool", "Status"))), "type")
    assert dict(found.judgement.planes)[Plane.JSON] is Verdict.BREAKING
    assert found.judgement.accepts_old_requests is NO


@pytest.mark.parametrize("held", ["Any", "Empty"])
def test_a_new_name_is_open_where_messages_may_be_packed(held: str) -> None:
    imports = f'import "google/protobuf/{held.lower()}.proto";'
    before = order(f"google.protobuf.{held} a = 1;", beside=imports)
    (found,) = compared(before, before.replace("package shop", "package store")).rows
    assert found.judgement.verdict is (Verdict.UNKNOWN if held == "Any" else Verdict.COMPATIBLE)


RULES = [rule for rule in BY_KIND[ContractKind.PROTOBUF] if rule.verdict is Verdict.BREAKING]
WITHOUT = {"proto-message-set-changed", "proto-type-kind-changed", "proto-service-removed"}
"""No message of both sides shows these: a message set holds no field of its own, an example's service no procedure."""


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_every_breaking_rule_has_a_witness_that_a_replay_confirms(rule: Rule) -> None:
    contracts = [read_contract(name, lambda _, data=data: data) for name, data in pair(rule.example)]
    for each in compare(*contracts).rows:
        assert (each.proof.status is ProofStatus.WITNESSED) is (rule.id not in WITHOUT)
        if rule.id not in WITHOUT:
            witness = each.proof.witness
            assert isinstance(witness, dict)
            told = dict(zip(("released", "candidate"), replay(*contracts, witness), strict=True))
            assert told[witness["accepted_by"]].accepted is YES
            assert told[witness["refused_by"]].accepted is NO


@pytest.mark.parametrize("witness", [None, {}, {"message": {}}, {"message": {"type": "shop.Order", "wire": "paper"}}])
def test_what_is_no_witness_is_refused(witness: object) -> None:
    contract = read_contract("things.proto", lambda _: order().encode())
    with pytest.raises(ValueError):
        replay(contract, contract, witness)  # type: ignore[arg-type]


def test_each_direction_is_proved_by_itself() -> None:
    contracts = [
        read_contract("m.proto", lambda _, it=it: order(it).encode()) for it in ("int64 a = 1;", "int32 a = 1;")
    ]
    ledger = diff_contracts(*contracts)
    prover = ProtobufProver(ledger)
    found = [prover.one_way(ledger.deltas[0], writer) for writer in (0, 1)]
    assert [proof and proof.status for proof in found] == [ProofStatus.WITNESSED, ProofStatus.PROVED]


CLASHING = [
    ('string user_id = 1; string old = 2 [json_name = "user_id"];', "proto3"),
    ('string old = 2 [json_name = "user_id"]; string user_id = 1;', "proto3"),
    ('string a_b = 1 [json_name = "c_d"]; string c_d = 2 [json_name = "a_b"];', "proto3"),
    ("optional int32 unit_price = 1; optional int32 unitPrice = 2;", "proto2"),
    ("optional int32 unitPrice = 1; optional int32 unit_price = 2; optional int32 unit__price = 3;", "proto2"),
    ('Inner one = 1; map<string, Inner> by = 2; message Inner { int32 to_it = 1; int32 it = 2 [json_name = "to_it"]; }',
     "proto3"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "syntax"), CLASHING)
def test_a_json_name_may_be_the_name_of_another_field(fields: str, syntax: str) -> None:
    more = f"{fields} repeated string more = 9;"
    (added,) = compared(order(fields, syntax=syntax), order(more, syntax=syntax)).rows
    assert (added.judgement.rule, added.judgement.verdict) == ("proto-field-added", Verdict.COMPATIBLE)
    assert not compared(order(fields, syntax=syntax), order(fields, syntax=syntax)).rows


def test_a_clashing_json_name_is_read_and_told_as_it_is_written() -> None:
    texts = (f'string user_id = 1; {it} old = 2 [json_name = "user_id"];' for it in ("int32", "string"))
    found = row(compared(*(order(text) for text in texts)), "type")
    assert isinstance(found.proof.witness, dict)
    assert found.judgement.verdict is Verdict.BREAKING and found.proof.status is ProofStatus.WITNESSED
    before, after = (f'string user_id = 1; string old = 2 [json_name = "{it}"];' for it in ("user_id", "uid"))
    moved = row(compared(order(before), order(after)), "json_name")
    assert isinstance(moved.proof.witness, dict)
    assert "user_id" in moved.proof.witness["message"]["payload"] and "\ue000" not in str(moved.proof)
