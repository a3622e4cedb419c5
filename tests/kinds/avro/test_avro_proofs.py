"""Avro resolution against two other libraries: the checker of Avro's own, and what fastavro really writes and reads."""

from __future__ import annotations

import json
from io import BytesIO

import fastavro
import pytest
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType
from avro.schema import parse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.contract.model import Contract
from evreview.core.vocabulary import Json, ProofStatus, Tristate
from evreview.kinds.avro.codec import Codec, Data, Endless, read
from evreview.kinds.avro.parser import Parsed, Schema, Type, schema
from evreview.kinds.avro.prover import replay
from evreview.kinds.avro.resolution import Clash, Problem, Resolution
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.conftest import PROJECT

CASES = PROJECT.parent / "shared" / "corpus" / "cases" / "avro_resolution.jsonl"

# Where the checker is not followed, by what differs and why.
ADJUDICATED = {
    "bytes read as string": "the checker says compatible by the table of promotions; bytes that are no UTF-8 are read "
    "by nobody as text, as the codec shows",
}
TEXT = [("string", "bytes"), (["string"], ["bytes"])]


def known(document: Json) -> tuple[Schema, Type]:
    parsed = Parsed()
    top = parsed.document(document, "a.avsc")
    assert top is not None and not parsed.problems and not parsed.absent(), parsed.problems
    return schema(parsed, {"a.avsc": top}), top


def contract(document: Json) -> Contract:
    return read_contract("a.avsc", lambda _: json.dumps(document).encode())


def clashes(reader: Json, writer: Json) -> set[str]:
    (own, mine), (other, theirs) = known(reader), known(writer)
    return {problem.clash.value.replace(" ", "_") for problem in Resolution(own, other).problems(mine, theirs)}


def cases() -> list[dict[str, Json]]:
    return [json.loads(line) for line in CASES.read_text().splitlines()] if CASES.exists() else []


@pytest.mark.skipif(not CASES.exists(), reason="the corpus is not here")
def test_all_cases_of_avro_itself() -> None:
    found = cases()
    wrong = [
        (case["reader"], case["writer"])
        for case in found
        if clashes(case["reader"], case["writer"]) != set(case["incompatibilities"])  # type: ignore[arg-type]
    ]
    assert len(found) > 60
    assert wrong == TEXT, ADJUDICATED


@pytest.mark.skipif(not CASES.exists(), reason="the corpus is not here")
def test_the_two_cases_that_are_not_followed_are_wire_facts() -> None:
    for reader, writer in TEXT:
        codecs = Codec(known(writer)[0]), Codec(known(reader)[0])
        heard = read(codecs[0].written("event", b"\xff"), (codecs[0], "event"), (codecs[1], "event"))
        assert heard.error


PRIMITIVES = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"]
ZERO = {"int": 0, "long": 0, "string": "", "null": None, "boolean": False}


@st.composite
def types(draw: st.DrawFn, depth: int = 2, names: tuple[str, ...] = ("A", "B", "C", "D")) -> Json:
    kind = draw(
        st.sampled_from(["primitive", "array", "map", "union", "enum", "fixed", "record"] if depth else ["primitive"])
    )
    if kind in ("array", "map"):
        return {"type": kind, "items" if kind == "array" else "values": draw(types(depth - 1, names))}
    if kind == "union":
        parts = draw(st.lists(st.sampled_from(PRIMITIVES), min_size=1, max_size=3, unique=True))
        return list[Json](parts)
    if kind in ("enum", "fixed", "record") and names:
        return draw(named(kind, names[0], depth, names[1:]))
    return draw(st.sampled_from(PRIMITIVES))


@st.composite
def named(draw: st.DrawFn, kind: str, name: str, depth: int, names: tuple[str, ...]) -> Json:
    name = draw(st.sampled_from([name, f"{name}x"]))
    if kind == "enum":
        symbols = draw(st.lists(st.sampled_from(["P", "Q", "R"]), min_size=1, unique=True))
        return {
            "type": "enum",
            "name": name,
            "symbols": symbols,
            **({"default": symbols[0]} if draw(st.booleans()) else {}),
        }
    if kind == "fixed":
        return {"type": "fixed", "name": name, "size": draw(st.integers(1, 2))}
    fields = []
    for key in draw(st.lists(st.sampled_from(["a", "b", "c"]), max_size=3, unique=True)):
        # One field may hold named types, so that no name is defined twice.
        inner = draw(types(depth - 1, names if not fields else ()))
        default = {"default": ZERO[inner]} if isinstance(inner, str) and inner in ZERO and draw(st.booleans()) else {}
        fields.append({"name": key, "type": inner, **default})
    return {"type": "record", "name": name, "fields": fields}


MANY = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@given(types(), types())
@MANY
def test_the_checker_of_avro_agrees(reader: Json, writer: Json) -> None:
    found = clashes(reader, writer)
    told = ReaderWriterCompatibilityChecker().get_compatibility(parse(json.dumps(reader)), parse(json.dumps(writer)))
    compatible = told.compatibility is SchemaCompatibilityType.compatible
    if "bytes" in json.dumps(writer) and "string" in json.dumps(reader):
        return  # adjudicated above
    assert (not found) is compatible, (found, told.messages)


def _lax(problem: Problem) -> bool:
    """Where the codec is laxer than the specification: names at some places, and two kinds of type of one name."""
    kinds = [part.split(" ")[0] for part in problem.about.split(" read as ")]
    return problem.clash is Clash.NAME or (problem.clash is Clash.TYPE and {*kinds} <= {"record", "enum", "fixed"})


@given(types(), types())
@MANY
def test_what_resolves_is_read_and_what_clashes_is_not(reader: Json, writer: Json) -> None:
    """The smallest datum is read where both resolve; a datum led to the clash is not, by the codec."""
    (own, mine), (other, theirs) = known(reader), known(writer)
    by, data = Resolution(own, other), Data(other)
    try:
        datum = data.smallest(theirs) if by.resolves(mine, theirs) else data.clashing(theirs, mine, by)
    except Endless:
        return
    keys = next(iter(other.roots)), next(iter(own.roots))
    codecs = Codec(other), Codec(own)
    heard = read(codecs[0].written(keys[0], datum), (codecs[0], keys[0]), (codecs[1], keys[1]))
    if by.resolves(mine, theirs):
        assert not heard.error
    elif not any(_lax(problem) for problem in by.problems(mine, theirs)):
        assert heard.error


@given(st.data())
@MANY
def test_every_row_that_breaks_is_witnessed(data: st.DataObject) -> None:
    """Of records with one name: each witness is refused, and replays as it was told."""
    fields = data.draw(st.lists(named("record", "Order", 2, ("B", "C")), min_size=2, max_size=2))
    before, after = ({**each, "name": "Order"} for each in fields)  # type: ignore[dict-item]
    old, new = contract(before), contract(after)
    for row in compare(old, new).rows:
        judgement = row.judgement
        broken = Tristate.NO in (judgement.accepts_old_requests, judgement.emits_old_compatible)
        assert broken is (row.judgement.verdict == "breaking")
        if row.proof.status is ProofStatus.WITNESSED:
            told = replay(old, new, row.proof.witness)
            writer = row.proof.witness["accepted_by"] == "candidate"  # type: ignore[index,call-overload]
            assert [each.accepted for each in told] == (
                [Tristate.NO, Tristate.YES] if writer else [Tristate.YES, Tristate.NO]
            )


def test_what_was_taken_for_granted_in_a_circle_is_asked_again() -> None:
    def circle(kind: Json) -> Json:
        back: Json = {"type": "record", "name": "B", "fields": [{"name": "a", "type": ["null", "A"]}]}
        return {"type": "record", "name": "A", "fields": [{"name": "b", "type": back}, {"name": "n", "type": kind}]}

    (old, first), (new, second) = known(circle("int")), known(circle("string"))
    by = Resolution(new, old)
    assert not by.resolves(second, first)
    assert not by.resolves(new.names["A"].fields[0].type, old.names["A"].fields[0].type)


def test_bytes_are_what_another_program_writes() -> None:
    document: Json = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
    own = Codec(known(document)[0]).written("Order", {"id": 7})
    target = BytesIO()
    fastavro.schemaless_writer(target, fastavro.parse_schema(document), {"id": 7})
    assert own == target.getvalue() == b"\x0e"


WITNESSES: list[tuple[str, Json, Json]] = [
    (
        "below a list of a union",
        ["null", {"type": "array", "items": "int"}],
        ["null", {"type": "array", "items": "string"}],
    ),
    ("one branch of many", ["null", "int", "string", "bytes"], ["null", "int", "string"]),
    ("no text", "bytes", "string"),
    ("a symbol", {"type": "enum", "name": "E", "symbols": ["A", "B"]}, {"type": "enum", "name": "E", "symbols": ["A"]}),
    ("a size", {"type": "fixed", "name": "F", "size": 2}, {"type": "fixed", "name": "F", "size": 3}),
    ("a name", {"type": "fixed", "name": "F", "size": 2}, {"type": "fixed", "name": "G", "size": 2}),
    ("values", {"type": "map", "values": "double"}, {"type": "map", "values": "float"}),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in WITNESSES], ids=[case[0] for case in WITNESSES])
def test_what_cannot_be_read_is_shown_deep_inside(before: Json, after: Json) -> None:
    def order(kind: Json) -> Json:
        inner: Json = {"type": "record", "name": "Line", "fields": [{"name": "value", "type": kind}]}
        lines: Json = {"type": "map", "values": ["null", {"type": "array", "items": inner}]}
        return {"type": "record", "name": "Order", "fields": [{"name": "lines", "type": lines}]}

    (row,) = compare(contract(order(before)), contract(order(after))).rows
    assert row.judgement.accepts_old_requests is Tristate.NO
    assert row.proof.status is ProofStatus.WITNESSED and bytes.fromhex(row.proof.witness["message"]["bytes"])  # type: ignore


@pytest.mark.parametrize(
    "witness", [{}, {"accepted_by": "released"}, {"accepted_by": "released", "message": {"root": "x", "bytes": ""}}, 7]
)
def test_what_is_no_witness_is_told(witness: Json) -> None:
    empty = contract({"type": "record", "name": "A", "fields": []})
    with pytest.raises(ValueError, match="witness"):
        replay(empty, empty, witness)


@pytest.mark.parametrize(("alias", "laxer"), [("P", True), ("b.P", False), ("b.Other", False)])
def test_a_codec_that_takes_an_alias_by_the_letter_is_told(alias: str, laxer: bool) -> None:
    """The specification reads `P` as `b.P`; fastavro compares it with the bare name of the written type."""

    def holding(name: str, **more: Json) -> Json:
        inner: Json = {"type": "record", "name": name, "fields": [{"name": "x", "type": "int"}], **more}
        return {"type": "record", "name": "A", "fields": [{"name": "u", "type": inner}]}

    before, after = holding("a.P"), holding("b.Q", aliases=[alias])
    rows = [row for row in compare(contract(before), contract(after)).rows if row.proof.status is ProofStatus.WITNESSED]
    (witness,) = (row.proof.witness for row in rows)
    data = bytes.fromhex(witness["message"]["bytes"])  # type: ignore[index, call-overload, arg-type]
    old, new = (fastavro.parse_schema(json.loads(json.dumps(side)), named_schemas={}) for side in (before, after))
    try:
        value: Json = fastavro.schemaless_reader(BytesIO(data), old, new)  # type: ignore[assignment]
    except fastavro.read.SchemaResolutionError:
        value = None
    assert (value is not None) is laxer
    assert witness.get("by_the_letter") == ({"value": value} if laxer else None)  # type: ignore[union-attr]
    assert all(("is laxer" in row.proof.reason) is laxer for row in rows)


def record(*fields: Json, name: str = "R") -> Json:
    return {"type": "record", "name": name, "fields": list(fields)}


def member(name: str, type_: Json = "int", *aliases: str, **more: Json) -> Json:
    return {"name": name, "type": type_, **({"aliases": list(aliases)} if aliases else {}), **more}


FIRST, SECOND = record(member("x"), name="p.N"), record(member("y"), name="q.N")
AMBIGUOUS: list[tuple[str, Json, Json]] = [
    ("an alias that still is a field", record(member("a"), member("b")), record(member("a"), member("b", "int", "a"))),
    (
        "an alias of a removed field",
        record(member("a", default=0), member("b", default=0)),
        record(member("b", "int", "a", default=0)),
    ),
    ("two heirs", record(member("a")), record(member("x", "int", "a"), member("y", "int", "a"))),
    ("branches of one name", record(member("u", [FIRST])), record(member("u", [SECOND, FIRST]))),
    ("branches in another order", record(member("u", [FIRST, SECOND])), record(member("u", [SECOND, FIRST]))),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in AMBIGUOUS], ids=[case[0] for case in AMBIGUOUS])
def test_where_libraries_differ_nothing_is_proved(before: Json, after: Json) -> None:
    rows = compare(contract(before), contract(after)).rows
    assert Tristate.UNKNOWN in {row.judgement.accepts_old_requests for row in rows}
    proved = [row for row in rows if row.proof.status is ProofStatus.PROVED]
    assert all(row.judgement.accepts_old_requests is Tristate.YES for row in proved)


def test_an_alias_alone_names_one_field() -> None:
    rows = compare(contract(record(member("a"))), contract(record(member("b", "int", "a")))).rows
    assert {row.judgement.accepts_old_requests for row in rows} == {Tristate.YES}
