"""Generated pairs of messages: what was judged is what values do that nobody chose for the purpose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToJson, Parse, ParseError
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Plane, Tristate, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

TYPES = {
    "int32": (5, st.integers(-(2**31), 2**31 - 1)), "int64": (3, st.integers(-(2**63), 2**63 - 1)),
    "uint32": (13, st.integers(0, 2**32 - 1)), "uint64": (4, st.integers(0, 2**64 - 1)),
    "sint32": (17, st.integers(-(2**31), 2**31 - 1)), "sint64": (18, st.integers(-(2**63), 2**63 - 1)),
    "fixed32": (7, st.integers(0, 2**32 - 1)), "sfixed32": (15, st.integers(-(2**31), 2**31 - 1)),
    "fixed64": (6, st.integers(0, 2**64 - 1)), "sfixed64": (16, st.integers(-(2**63), 2**63 - 1)),
    "bool": (8, st.booleans()), "double": (1, st.floats(allow_nan=False, allow_infinity=False)),
    # protobuf's own JSON rounds the largest floats up to what its parser refuses.
    "float": (2, st.floats(-(2.0**127), 2.0**127, width=32)),
    "string": (9, st.text(st.characters(exclude_categories=["Cs"]), max_size=6)), "bytes": (12, st.binary(max_size=6)),
}  # fmt: skip
LABELS = ("", "optional ", "repeated ")
FORMS = [(label, kind) for label, kind in product(LABELS, TYPES)]


def message(form: tuple[str, str]) -> type[Message]:
    """The class of a message with one field, made without the reader that is tested."""
    label, kind = form
    field = FieldDescriptorProto(name="a", number=1, type=TYPES[kind][0], json_name="a")  # type: ignore[arg-type]
    field.label = FieldDescriptorProto.LABEL_REPEATED if label == "repeated " else FieldDescriptorProto.LABEL_OPTIONAL
    file = FileDescriptorProto(name="m.proto", syntax="proto3")
    made = file.message_type.add(name="Order", field=[field])
    if label == "optional ":
        made.oneof_decl.add(name="_a")
        made.field[0].oneof_index, made.field[0].proto3_optional = 0, True
    pool = DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName("Order"))


CLASSES = {form: message(form) for form in FORMS}


def judged(before: tuple[str, str], after: tuple[str, str]) -> Comparison:
    texts = (f'syntax = "proto3"; message Order {{ {label}{kind} a = 1; }}' for label, kind in (before, after))
    return compare(*(read_contract("m.proto", lambda _, text=text: text.encode()) for text in texts))


def held(one: Message) -> list[Any]:
    value = one.a  # type: ignore[attr-defined]
    return [value] if isinstance(value, (bool, int, float, str, bytes)) else list(value)


def plain(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else int(value) if isinstance(value, bool) else value


def survives(values: Sequence[Any], writer: tuple[str, str], reader: tuple[str, str], plane: Plane) -> bool:
    """True when the reader sees what the writer wrote; an unwritten zero is nothing to see."""
    sent = CLASSES[writer]()
    if writer[0] == "repeated ":
        sent.a.extend(values)  # type: ignore[attr-defined]
    else:
        sent.a = values[-1]  # type: ignore[attr-defined]
    wrote = [plain(value) for value in held(sent)]
    found = CLASSES[reader]()
    try:
        if plane is Plane.BINARY:
            found.MergeFromString(sent.SerializeToString())
        else:
            Parse(MessageToJson(sent), found)
    except (DecodeError, ParseError):
        return False
    read = [plain(value) for value in held(found)]
    nothing = writer[0] == "" and reader[0] == "repeated " and not read and not any(wrote)
    return wrote == read or nothing


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.data())
def test_what_is_judged_safe_survives_any_value(before: tuple[str, str], after: tuple[str, str], data: Any) -> None:
    rows = judged(before, after).rows
    for writer, reader, way in ((before, after, "accepts_old_requests"), (after, before, "emits_old_compatible")):
        if all(getattr(row.judgement, way) is Tristate.YES for row in rows):
            values = data.draw(st.lists(TYPES[writer[1]][1], min_size=1, max_size=3))
            assert survives(values, writer, reader, Plane.BINARY)
            assert survives(values, writer, reader, Plane.JSON)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_what_is_judged_breaking_is_shown_by_its_own_message(before: tuple[str, str], after: tuple[str, str]) -> None:
    for row in judged(before, after).breaking:
        witness = row.proof.witness
        assert isinstance(witness, dict)
        sent = witness["message"]
        writer, reader = (before, after) if sent["written_by"] == "released" else (after, before)
        first, second = CLASSES[writer](), CLASSES[reader]()
        try:
            for side in (first, second):
                if sent["wire"] == "binary":
                    side.MergeFromString(bytes.fromhex(sent["payload"]))
                else:
                    Parse(sent["payload"], side)
        except (DecodeError, ParseError):
            continue
        assert [plain(value) for value in held(first)] != [plain(value) for value in held(second)]


@pytest.mark.parametrize("plane", [Plane.BINARY, Plane.JSON])
@settings(deadline=None, max_examples=60)
@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.data())
def test_a_plane_that_is_not_broken_carries_values_both_ways(
    plane: Plane, before: tuple[str, str], after: tuple[str, str], data: Any
) -> None:
    rows = judged(before, after).rows
    if all(dict(row.judgement.planes).get(plane) is not Verdict.BREAKING for row in rows):
        for writer, reader in ((before, after), (after, before)):
            values = data.draw(st.lists(TYPES[writer[1]][1], min_size=1, max_size=3))
            assert survives(values, writer, reader, plane)
