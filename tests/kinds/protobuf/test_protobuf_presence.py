"""Whether a field was set: no value is lost where that is told no more, but what a reader may ask is."""

from __future__ import annotations

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message

from evreview.comparison.comparison import JudgedRow
from evreview.contract.model import Contract
from evreview.core.vocabulary import Plane, ProofStatus, Tristate, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

YES, NONE, UNKNOWN = Tristate.YES, Tristate.NOT_APPLICABLE, Tristate.UNKNOWN
PLAIN, TOLD = "int32 a = 1;", "optional int32 a = 1;"
READ = "service Orders { rpc Put(Order) returns (Empty); } message Empty {}"
WRITTEN = "service Orders { rpc Get(Empty) returns (Order); } message Empty {}"
EDITION = 'edition = "2023"; package shop; message Order {{ int32 a = 1{}; }}'
IMPLICIT = EDITION.format(" [features.field_presence = IMPLICIT]")


def order(member: str, beside: str = "") -> str:
    return f'syntax = "proto3"; package shop; message Order {{ {member} }} {beside}'


LOST = {
    "both ways": (order(TOLD), order(PLAIN), (UNKNOWN, UNKNOWN)),
    "what is read": (order(TOLD, READ), order(PLAIN, READ), (UNKNOWN, NONE)),
    "what is written": (order(TOLD, WRITTEN), order(PLAIN, WRITTEN), (NONE, UNKNOWN)),
    "an edition's feature": (EDITION.format(""), IMPLICIT, (UNKNOWN, UNKNOWN)),
    "out of a oneof": (order("oneof it { int32 a = 1; int32 b = 2; }"), order(f"{PLAIN} int32 b = 2;"), None),
    "proto2 to proto3": (order(TOLD).replace("proto3", "proto2"), order(PLAIN), (UNKNOWN, UNKNOWN)),
}


@pytest.mark.parametrize("case", LOST)
def test_a_field_that_ceases_to_tell_unset_from_zero_is_neither_proved_nor_broken_on_a_wire(case: str) -> None:
    released, candidate, answers = LOST[case]
    (found, *more) = (each for each in rows(released, candidate) if each.delta.facet == "cardinality")
    judged = found.judgement
    assert (judged.rule, judged.verdict) == ("proto-presence-lost", Verdict.UNKNOWN)
    assert found.proof.status is ProofStatus.UNPROVEN and "whether anybody asks" in found.proof.reason
    assert dict(judged.planes) == {
        Plane.BINARY: Verdict.UNKNOWN,
        Plane.JSON: Verdict.UNKNOWN,
        Plane.SOURCE: Verdict.BREAKING,
    }
    assert answers is None or (judged.accepts_old_requests, judged.emits_old_compatible) == answers
    assert bool(more) is (case == "out of a oneof")


@pytest.mark.parametrize(("released", "candidate"), [(order(PLAIN), order(TOLD)), (IMPLICIT, EDITION.format(""))])
def test_a_field_that_begins_to_tell_is_read_with_every_value_as_before(released: str, candidate: str) -> None:
    (found,) = rows(released, candidate)
    assert (found.judgement.rule, found.judgement.verdict) == ("proto-presence-changed", Verdict.COMPATIBLE)
    assert found.proof.status is ProofStatus.PROVED


def test_a_message_keeps_telling_whether_it_was_set() -> None:
    both = "optional Order a = 1;", "Order a = 1;"
    assert not [each for each in rows(*map(order, both)) if each.delta.facet == "cardinality"]


def test_on_the_wire_a_written_zero_is_lost_and_what_was_left_out_is_read_as_one() -> None:
    """What the runtime does: the ground of the verdict."""
    told, plain = message(optional=True), message(optional=False)
    zero = told(a=0).SerializeToString()
    assert zero and told.FromString(zero).HasField("a") and not told().HasField("a")
    assert plain.FromString(zero) == plain.FromString(b"") == plain()
    assert plain.FromString(zero).SerializeToString() == b""
    with pytest.raises(ValueError, match="presence"):
        plain().HasField("a")


def rows(released: str, candidate: str) -> tuple[JudgedRow, ...]:
    return compare(*map(contract, (released, candidate))).rows


def contract(text: str) -> Contract:
    return read_contract("things.proto", lambda _: text.encode())


def message(*, optional: bool) -> type[Message]:
    """A message with one number, made by the runtime itself."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{optional}.proto", syntax="proto3")
    made = file.message_type.add(name="Order")
    field = made.field.add(name="a", number=1, type=5, label=1)
    if optional:
        made.oneof_decl.add(name="_a")
        field.oneof_index, field.proto3_optional = 0, True
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Order"))
