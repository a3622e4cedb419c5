"""Value sets compared field by field: what is found where, and that its witness is one."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Direction, Json
from evreview.schema.cross_check_validator import CrossCheckValidator
from evreview.workflows.w2.reconcile import fields
from evreview.workflows.w2.reconcile.fields import differences
from evreview.workflows.w2.value_sets import DeviationKind as Kind
from evreview.workflows.w2.value_sets import Mode, Open, OpenReason, PositionDifference, PositionFinder
from tests.workflows.w2.facts import contract_of

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
READ, SENT = Mode(reads=True, exact=True), Mode(reads=False, exact=True)
LOOSE = Mode(reads=True, exact=False)
LOOSELY_SENT = Mode(reads=False, exact=False)
QUERY = Mode(reads=True, exact=True, text=True)
STEP = Mode(reads=True, exact=True, text=True, path=True)


def obj(*required: str, **properties: Json) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def listed(items: Json, **more: Json) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def found(contract: Json, code: Json, mode: Mode, version: str = "3.1.0") -> list[PositionDifference | Open]:
    """The differences between a contract's schema and one of the code."""
    content = {"content": {"application/json": {"schema": contract}}}
    whole = contract_of({"/a": {"post": {"requestBody": content, "responses": {}}}}, version=version)
    body = next(each for each in whole.operations[0].children if each.kind is ElementKind.BODY)
    direction = Direction.READ if mode.reads else Direction.WRITTEN
    values = PositionFinder(whole)
    assert body.children[0].value is not None
    sides = values.of_contract(body.children[0].value, direction), values.of_code(code, direction)
    return list(differences(*sides, mode))


CASES: dict[str, tuple[Json, Json, Mode, list[tuple[Kind, str]]]] = {
    "equal": (obj("a", a=TEXT), obj("a", a=TEXT), READ, []),
    "equal, sent": (obj("a", a=TEXT), obj("a", a=TEXT), SENT, []),
    "narrower field": (obj(a=TEXT), obj(a={**TEXT, "maxLength": 3}), READ, [(Kind.NARROWER, "a")]),
    "wider field": (obj(a={**TEXT, "maxLength": 3}), obj(a=TEXT), READ, [(Kind.WIDER, "a")]),
    "an outer bound is never wider": (obj(a={**TEXT, "maxLength": 3}), obj(a=TEXT), LOOSE, []),
    "an outer bound may be narrower": (obj(a=TEXT), obj(a={**TEXT, "maxLength": 3}), LOOSE, [(Kind.NARROWER, "a")]),
    "narrower and wider is one row": (
        {"enum": ["a", "b"]}, {"enum": ["b", "c"]}, READ, [(Kind.NARROWER, "")],
    ),
    "in the items of a list": (
        obj(a=listed(obj(b=TEXT))), obj(a=listed(obj(b={**TEXT, "minLength": 1}))), READ, [(Kind.NARROWER, "a[].b")],
    ),
    "size of a list": (
        obj(a=listed(TEXT)), obj(a=listed(TEXT, minItems=1)), READ, [(Kind.NARROWER, "a")],
    ),
    "members without a name": (
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "additionalProperties": NUMBER},
        READ, [(Kind.NARROWER, "*")],
    ),
    "field in the code only": (obj(a=TEXT), obj(a=TEXT, b=TEXT), READ, [(Kind.UNDOCUMENTED, "b")]),
    "required field in the code only": (obj(a=TEXT), obj("b", a=TEXT, b=TEXT), READ, [(Kind.REQUIRED, "b")]),
    "field in the contract only": (obj(a=TEXT, b=TEXT), obj(a=TEXT), READ, [(Kind.UNREAD, "b")]),
    "read-only field in the contract only": (
        obj("b", a=TEXT, b={**TEXT, "readOnly": True}), obj(a=TEXT), READ, [],
    ),
    "code requires": (obj(a=TEXT), obj("a", a=TEXT), READ, [(Kind.REQUIRED, "a")]),
    "code does without": (obj("a", a=TEXT), obj(a=TEXT), READ, [(Kind.OPTIONAL, "a")]),
    "code is closed": (obj(a=TEXT), {**obj(a=TEXT), "additionalProperties": False}, READ, [(Kind.CLOSED, "*")]),
    "contract is closed": ({**obj(a=TEXT), "additionalProperties": False}, obj(a=TEXT), READ, [(Kind.WIDER, "*")]),
    "field that closed code refuses": (
        {**obj(a=TEXT, b=TEXT), "additionalProperties": False},
        {**obj(a=TEXT), "additionalProperties": False},
        READ, [(Kind.NARROWER, "b")],
    ),
    "null in the code": (obj(a=TEXT), obj(a={"type": ["string", "null"]}), READ, [(Kind.WIDER, "a")]),
    "null in the contract": (obj(a={"type": ["string", "null"]}), obj(a=TEXT), READ, [(Kind.NARROWER, "a")]),
    "null object": (
        obj(a={"type": ["object", "null"], "properties": {"b": TEXT}}), obj(a=obj(b=TEXT)), READ,
        [(Kind.NARROWER, "a")],
    ),
    "behind references": (
        obj(a=TEXT),
        {"$ref": "#/$defs/A", "$defs": {"A": obj(a={"$ref": "#/$defs/B"}), "B": NUMBER}},
        READ, [(Kind.NARROWER, "a")],
    ),
    "a text that is read as a number": ({**TEXT, "pattern": "^[0-9]+$"}, NUMBER, READ, [None]),
    "query: number as text": (NUMBER, TEXT, QUERY, [(Kind.WIDER, "")]),
    "query: text as number": (TEXT, NUMBER, QUERY, [(Kind.NARROWER, "")]),
    "query: nothing but null differs": (TEXT, {"anyOf": [TEXT, {"type": "null"}]}, QUERY, []),
    "query: one value for a list": (TEXT, listed(TEXT), QUERY, [None]),
    "path: never empty": (TEXT, {**TEXT, "minLength": 1}, STEP, []),
    "query: may be empty": (TEXT, {**TEXT, "minLength": 1}, QUERY, [(Kind.NARROWER, "")]),
    "sent: another type": (obj("a", a=TEXT), obj("a", a=NUMBER), SENT, [(Kind.OUTSIDE, "a")]),
    "sent: narrower is fine": (obj("a", a=TEXT), obj("a", a={**TEXT, "maxLength": 3}), SENT, []),
    "sent: never": (obj("a", "b", a=TEXT, b=TEXT), obj("a", a=TEXT), SENT, [(Kind.MISSING, "b")]),
    "sent: mentioned, never sent": (obj("a", a=TEXT, b=TEXT), obj("a", a=TEXT), SENT, [(Kind.UNSENT, "b")]),
    "sent: not always": (obj("a", "b", a=TEXT, b=TEXT), obj("a", a=TEXT, b=TEXT), SENT, [(Kind.UNOWED, "b")]),
    "sent: undocumented": (obj("a", a=TEXT), obj("a", a=TEXT, b=TEXT), SENT, [(Kind.UNDOCUMENTED, "b")]),
    "sent: no field in common is one row": (
        obj("code", code=TEXT, message=TEXT), obj("detail", detail=TEXT), SENT, [(Kind.OUTSIDE, "")],
    ),
    "sent: an outer bound shows nothing": (obj("a", a=TEXT), obj(a=TEXT, b=TEXT), LOOSELY_SENT, [None, None]),
    "sent: an outer bound apart shows it": (obj("a", a=TEXT), obj("a", a=NUMBER), LOOSELY_SENT, [(Kind.OUTSIDE, "a")]),
    "sent: write-only": (obj("b", a=TEXT, b={**TEXT, "writeOnly": True}), obj(a=TEXT), SENT, []),
}  # fmt: skip


@pytest.mark.req("W2S-007")
@pytest.mark.parametrize(("contract", "code", "mode", "expected"), CASES.values(), ids=CASES)
def test_each_deviation_is_found_once_and_where_it_is(
    contract: Json, code: Json, mode: Mode, expected: list[tuple[Kind, str] | None]
) -> None:
    shown = [None if isinstance(each, Open) else (each.way, each.path) for each in found(contract, code, mode)]
    assert shown == expected


WITNESSED = {
    Kind.NARROWER,
    Kind.WIDER,
    Kind.CLOSED,
    Kind.REQUIRED,
    Kind.OPTIONAL,
    Kind.OUTSIDE,
    Kind.UNOWED,
}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[3]])
def test_another_validator_agrees_that_the_witness_is_one(name: str) -> None:
    contract, code, mode, _ = CASES[name]
    for each in found(contract, code, mode):
        if isinstance(each, Open):
            assert each.reason
            continue
        assert (each.witness is ABSENT) == (not each.judged)
        assert each.judged or each.way not in WITNESSED
        if each.judged:
            by_contract, by_code = (CrossCheckValidator().prepared(schema) for schema in each.judged)
            assert by_contract is not None and by_code is not None
            assert (by_contract(each.witness) == ()) != (by_code(each.witness) == ())


def test_a_schema_that_holds_itself_is_followed_as_far_as_the_other_goes() -> None:
    tree = {"$ref": "#/$defs/T", "$defs": {"T": obj(name=NUMBER, below=listed({"$ref": "#/$defs/T"}))}}
    rows = found(obj(name=TEXT, below=listed(obj(name=TEXT))), tree, READ)
    assert [(each.way, each.path) for each in rows if isinstance(each, PositionDifference)] == [
        (Kind.UNDOCUMENTED, "below[].below"),
        (Kind.NARROWER, "below[].name"),
        (Kind.NARROWER, "name"),
    ]


def test_two_schemas_that_hold_themselves_end() -> None:
    tree = {"$ref": "#/paths/~1a/post/requestBody/content/application~1json/schema"}
    code = {"$ref": "#/$defs/T", "$defs": {"T": obj(name=NUMBER, below=listed({"$ref": "#/$defs/T"}))}}
    rows = found(obj(name=TEXT, below=listed(tree)), code, READ)
    assert [(each.way, each.path) for each in rows if isinstance(each, PositionDifference)] == [(Kind.NARROWER, "name")]


def test_a_schema_that_nobody_can_read_stays_open() -> None:
    rows = found({"$ref": "#/components/schemas/Absent"}, TEXT, READ)
    assert [type(each) for each in rows] == [Open]


@pytest.mark.parametrize("reads", [True, False])
def test_openapi_30_nullable_is_null(reads: bool) -> None:
    contract: Json = {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}}
    code = obj(a={"type": ["string", "null"]})
    assert found(contract, code, Mode(reads=reads, exact=True), "3.0.3") == []


def test_what_costs_too_much_is_said_to_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"f{number:03}" for number in range(40)]
    contract, code = obj(**dict.fromkeys(names, TEXT)), obj(**{name: {**TEXT, "maxLength": 3} for name in names})
    assert len(found(contract, code, READ)) == len(names)
    monkeypatch.setattr(fields, "WIDEST", 11)
    rows = found(contract, code, READ)
    assert [each.path for each in rows if isinstance(each, PositionDifference)] == names[:10]
    assert rows[10:] == [Open("", OpenReason.TOO_WIDE)]


def test_equal_schemas_are_read_once_and_names_that_differ_are_kept_apart() -> None:
    whole = contract_of({})
    values = PositionFinder(whole)

    def refers(kind: str) -> Json:
        return {"$ref": "#/$defs/Order", "$defs": {"Order": {"type": kind}}}

    one, same, other = (values.of_code(refers(kind), Direction.READ) for kind in ("string", "string", "object"))
    assert one.key == same.key and one.source is same.source
    assert other.source is not one.source
    assert [each.whole for each in (one, other)] == [
        {"$ref": each.schema["$ref"], "$defs": {each.schema["$ref"].removeprefix("#/$defs/"): {"type": kind}}}
        for each, kind in ((one, "string"), (other, "object"))
        if isinstance(each.schema, dict)
    ]
    beside = values.of_code({"$ref": "#/$defs/Item", "$defs": {"Item": {"type": "null"}}}, Direction.READ)
    assert beside.source is one.source and beside.form == {"type": "null"}


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"$id": "a"}, {"$ref": "#/$defs/No"}], ids=["root", "id", "nowhere"])
def test_a_schema_that_reaches_further_has_its_own_document(schema: Json) -> None:
    values = PositionFinder(contract_of({}))
    other = values.of_code({"$ref": "#/$defs/No", "$defs": {"No": {"type": "null"}}}, Direction.READ)
    assert values.of_code(schema, Direction.READ).source is not other.source


@pytest.mark.req("W2S-008")
@pytest.mark.parametrize(
    ("stated", "kept", "mode", "expected"),
    [
        ({"default": False}, {"default": True}, READ, [("order.fast", False, True)]),
        ({"default": False}, {"default": True}, SENT, []),
        ({"default": 1}, {"default": 1.0}, READ, []),
        ({"default": False}, {"default": None}, READ, []),
        ({"default": False}, {}, READ, []),
        ({}, {"default": True}, READ, []),
    ],
)
def test_defaults_of_read_fields_are_compared(
    stated: dict[str, Json], kept: dict[str, Json], mode: Mode, expected: list[object]
) -> None:
    mine, theirs = (obj(order=obj(fast=one)) for one in (stated, kept))
    rows = [each for each in found(mine, theirs, mode) if isinstance(each, PositionDifference)]
    assert [(each.path, each.contract, each.implementation) for each in rows] == expected
    assert all(each.way is Kind.DEFAULT for each in rows)
