"""Logical types: what a reader that knows them makes of the bytes, and those that the specification ignores."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import fastavro
import pytest

from evreview.app.commands.replay import replayed
from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.vocabulary import ProofStatus, Tristate
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN


def of(sort: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": sort, "logicalType": name, **more}


def decimal(precision: int, scale: int) -> dict[str, Any]:
    return of("bytes", "decimal", precision=precision, scale=scale)


def fixed(size: int, precision: int, scale: int) -> dict[str, Any]:
    return {**decimal(precision, scale), "type": "fixed", "name": "F", "size": size}


def plain(size: int) -> dict[str, Any]:
    return {"type": "fixed", "name": "F", "size": size}


MILLIS, MICROS = of("long", "timestamp-millis"), of("long", "timestamp-micros")
ID = of("string", "uuid")
# Both types, whether the candidate reads released data, whether the released schema reads candidate data; None: no row.
EDITS: list[tuple[Any, Any, Tristate | None, Tristate | None]] = [
    (MILLIS, MICROS, NO, NO),
    (MILLIS, of("long", "local-timestamp-millis"), NO, NO),
    (MILLIS, of("long", "timestamp-nanos"), NO, NO),
    (of("int", "date"), of("int", "time-millis"), NO, NO),
    (decimal(9, 2), decimal(9, 3), NO, NO),
    (decimal(9, 2), decimal(10, 2), UNKNOWN, NO),
    (decimal(10, 2), decimal(9, 2), NO, UNKNOWN),
    (of("bytes", "decimal", precision=9), decimal(9, 0), None, None),
    (fixed(4, 9, 2), fixed(4, 9, 3), NO, NO),
    (fixed(4, 9, 2), fixed(4, 8, 2), NO, UNKNOWN),
    ("string", ID, NO, UNKNOWN),
    (ID, "string", UNKNOWN, NO),
    ("int", of("int", "time-millis"), NO, UNKNOWN),
    (of("long", "time-micros"), "long", UNKNOWN, NO),
    ("int", of("int", "date"), UNKNOWN, UNKNOWN),
    (MILLIS, "long", UNKNOWN, UNKNOWN),
    (plain(16), {**plain(16), "logicalType": "uuid"}, UNKNOWN, UNKNOWN),
    # None of the specification's: readers that do not know them ignore them.
    (of("string", "shop-id"), of("string", "item-id"), UNKNOWN, UNKNOWN),
    # Such a one does not fit its type, and is ignored by whoever follows the specification.
    (decimal(2, 5), decimal(2, 6), None, None),
    (of("int", "timestamp-millis"), "int", None, None),
    (fixed(4, 10, 2), fixed(4, 11, 2), None, None),
    (decimal(2, 5), decimal(5, 2), UNKNOWN, UNKNOWN),
    # Below containers and in unions; a union that grows keeps what it had.
    (["null", MILLIS], ["null", MICROS], NO, NO),
    ({"type": "array", "items": MILLIS}, {"type": "array", "items": MICROS}, NO, NO),
    ({"type": "map", "values": ["null", decimal(4, 2)]}, {"type": "map", "values": ["null", decimal(4, 3)]}, NO, NO),
    (["null", MILLIS], ["null", MILLIS, "string"], YES, NO),
    (["null", MILLIS], ["null", MILLIS, ID], YES, NO),
    (["null", "string"], ["null", "string", MILLIS], YES, NO),
]


def contract(document: Any) -> Contract:
    return read_contract("r.avsc", lambda _: json.dumps(document).encode())


def held(type_: Any, name: str = "a", **more: Any) -> dict[str, Any]:
    field = {"name": name, "type": type_, **more}
    return {"type": "record", "name": "R", "fields": [{"name": "id", "type": "string"}, field]}


def compared(released: Any, candidate: Any) -> Comparison:
    return compare(contract(released), contract(candidate))


def answers(found: Comparison) -> tuple[Tristate | None, Tristate | None]:
    if not found.rows:
        return None, None
    both = [
        {row.judgement.accepts_old_requests for row in found.rows},
        {row.judgement.emits_old_compatible for row in found.rows},
    ]
    back, forth = (next(each for each in (NO, UNKNOWN, YES) if each in said) for said in both)
    return back, forth


@pytest.mark.parametrize(("old", "new", "back", "forth"), EDITS)
def test_the_bytes_decide_what_a_reader_that_knows_them_sees(
    old: Any, new: Any, back: Tristate | None, forth: Tristate | None
) -> None:
    assert answers(compared(held(old), held(new))) == (back, forth)
    assert answers(compared(held(new), held(old))) == (forth, back)


SHOWN = [
    (decimal(9, 2), decimal(9, 3), "0.01", "0.001"),
    (MILLIS, MICROS, "1970-01-01T00:00:00.001000+00:00", "1970-01-01T00:00:00.000001+00:00"),
    (of("int", "date"), of("int", "time-millis"), "1970-01-02", "00:00:00.001000"),
    (decimal(4, 0), decimal(3, 0), "9999", "1.00E+4"),
]


@pytest.mark.parametrize(("old", "new", "meant", "seen"), SHOWN)
def test_a_witness_shows_both_values(old: Any, new: Any, meant: str, seen: str) -> None:
    released, candidate = contract(held(old)), contract(held(new))
    (row,) = compare(released, candidate).rows
    witness: Any = row.proof.witness
    assert row.proof.status is ProofStatus.WITNESSED
    reads = {side: said["value"]["a"] for side, said in witness["reads"].items()}
    assert (reads["released"], reads["candidate"]) == (meant, seen)
    assert replayed(released, candidate, witness, {}).confirmed
    # The library by itself says the same of the same bytes.
    data = bytes.fromhex(witness["message"]["bytes"])
    own = fastavro.schemaless_reader(BytesIO(data), fastavro.parse_schema(held(old)), None)["a"]
    other = fastavro.schemaless_reader(BytesIO(data), fastavro.parse_schema(held(new)), None)["a"]
    assert own != other


def test_what_is_no_uuid_is_refused_by_a_reader_that_knows_uuids() -> None:
    released, candidate = contract(held("string")), contract(held(ID))
    (row,) = compare(released, candidate).rows
    witness: Any = row.proof.witness
    assert row.judgement.rule == "avro-checked-logical-type-added" and "does not read them" in row.proof.reason
    assert "UUID" in witness["reads"]["candidate"]["error"]
    assert replayed(released, candidate, witness, {}).confirmed


def test_a_logical_type_is_found_below_records_aliases_and_recursion() -> None:
    def tree(type_: Any, *, name: str = "at", **more: Any) -> dict[str, Any]:
        inner = {"type": "record", "name": "S", "fields": [{"name": name, "type": type_, **more}]}
        fields = [{"name": "next", "type": ["null", "R"]}, {"name": "s", "type": ["null", inner]}]
        return {"type": "record", "name": "R", "fields": fields}

    renamed = tree(MICROS, name="then", aliases=["at"])
    released, candidate = contract(tree(MILLIS)), contract(renamed)
    rows = {str(row.judgement.rule): row for row in compare(released, candidate).rows}
    row = rows["avro-logical-type-changed"]
    assert row.proof.status is ProofStatus.WITNESSED and isinstance(row.proof.witness, dict)
    assert replayed(released, candidate, row.proof.witness, {}).confirmed


def test_data_of_a_logical_type_that_the_codec_does_not_know_is_not_shown() -> None:
    (row,) = compared(held(MILLIS), held(of("long", "timestamp-nanos"))).rows
    assert row.judgement.accepts_old_requests is NO and row.proof.status is ProofStatus.NOT_APPLICABLE


@pytest.mark.parametrize(("default", "answer"), [("A", YES), ("Z", NO)])
def test_an_enum_falls_back_to_a_symbol_of_its_own_only(default: str, answer: Tristate) -> None:
    enum = {"type": "enum", "name": "E", "symbols": ["A", "B"]}
    found = compared(held(enum), held({**enum, "symbols": ["A"], "default": default}))
    (row,) = (row for row in found.rows if row.judgement.rule == "avro-symbol-removed")
    assert row.judgement.accepts_old_requests is answer


def test_a_default_that_no_parser_may_take_leaves_everything_open() -> None:
    (row,) = compared(held("int", default=0), held("int", default="x")).rows
    assert answers(compared(held("int", default=0), held("int", default="x"))) == (UNKNOWN, UNKNOWN)
    assert row.proof.status is ProofStatus.UNPROVEN


def test_a_writer_writes_what_its_own_logical_types_are() -> None:
    released, candidate = held(["null", MILLIS]), held(["null", MILLIS, ID])
    (row,) = (row for row in compared(released, candidate).rows if row.proof.status is ProofStatus.WITNESSED)
    witness: Any = row.proof.witness
    assert witness["accepted_by"] == "candidate"
    data = BytesIO(bytes.fromhex(witness["message"]["bytes"]))
    assert str(fastavro.schemaless_reader(data, fastavro.parse_schema(candidate), None)["a"]).count("-") == 4
