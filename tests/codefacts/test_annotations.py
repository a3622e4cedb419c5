"""Annotations and models become the schema that pydantic itself makes of them, where pydantic checks no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.schema_reading import AnnotationSchema, SchemaDirection
from tests.codefacts import typed
from tests.codefacts.snippets import modules

HEAD = Path(typed.__file__).read_text(encoding="utf-8")

EXACT = [
    "int", "str", "bool", "float", "None", "Any", "dict", "list", "t.List[int]", "List[str]", "Sequence[int]",
    "dict[str, int]", "Dict[str, List[int]]", "tuple[int, str]", "Tuple[int, ...]", "Optional[int]", "int | str | None",
    "Union[int, None, str]", "Literal['a', 'b']", "Literal[1, 'a', None]", "Color", "Level", "datetime", "dt.date",
    "UUID", "AnyUrl", "OrderId", "Name", "PositiveInt", "conint(ge=1, lt=10)", "constr(min_length=2, pattern='^a')",
    "conlist(int, min_length=1)", "Annotated[int, Field(ge=1, multiple_of=5)]",
    "Annotated[list[int], Field(max_length=3)]",
    "Annotated[Optional[int], Field(ge=1)]", "Annotated[str, StringConstraints(max_length=3)]", "Order", "Special",
    "Camel", "Tree", "Page[Order]", "Page[int]", "Orders", "list[Line]", "Pets", "Point", "Options", "Named", "Pair",
    "Numbers", "Line | None",
]  # fmt: skip
"""Types of which pydantic checks no more than their schema."""


def read_type(annotation: str, direction: SchemaDirection = "read", head: str = HEAD) -> AnnotationSchema:
    found = modules(f"{head}\nvalue: {annotation}\n")
    scope = found.scope(found.all[0])
    statement = found.all[0].tree.body[-1]
    return shape_of(found, scope, statement.annotation, direction)  # type: ignore[attr-defined]


def plain(schema: Any) -> Any:
    """A schema without words for readers, and with the classes in its place, so that two spellings compare."""
    drop = {"title", "description", "discriminator"}
    if isinstance(schema, dict):
        rest = {key: plain(value) for key, value in schema.items() if key not in drop}
        if "anyOf" in rest:
            rest["anyOf"] = sorted(rest["anyOf"], key=lambda branch: json.dumps(branch, sort_keys=True))
        if rest.get("items") == {}:
            del rest["items"]
        if rest.get("additionalProperties") is True:
            del rest["additionalProperties"]
        return rest
    return [plain(part) for part in schema] if isinstance(schema, list) else schema


def unfolded(schema: dict[str, Any]) -> Any:
    """Each class by its content, so that the names of the classes do not matter; a class in itself by depth."""
    defs = schema.get("$defs", {})

    def at(value: Any, open_: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [at(part, open_) for part in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            name = value["$ref"].rpartition("/")[2]
            rest = {key: at(part, open_) for key, part in value.items() if key != "$ref"}
            return {"again": True} if len(open_) > 3 else at(defs[name], (*open_, name)) | rest
        return {key: at(part, open_) for key, part in value.items() if key != "$defs"}

    return plain(at(schema, ()))


@pytest.mark.parametrize("annotation", EXACT)
def test_what_is_taken_is_what_pydantic_says(annotation: str) -> None:
    shape = read_type(annotation)
    expected = TypeAdapter(eval(annotation, vars(typed))).json_schema(mode="validation")
    assert unfolded(shape.schema) == unfolded(expected)  # type: ignore[arg-type]
    assert shape.exact
    assert shape.unread == ()


@pytest.mark.parametrize("annotation", [one for one in EXACT if one not in ("Decimal",)])
def test_every_schema_is_a_schema(annotation: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(json.dumps(read_type(annotation, "written").schema)))


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("Checked", {"name": {"type": "string"}, "size": {"type": "integer"}}),
        ("Normalised", {"name": {}, "size": {"type": "integer"}}),
    ],
)
def test_own_validators_leave_more_or_less_open(annotation: str, schema: dict[str, Any]) -> None:
    shape = read_type(annotation)
    assert not shape.exact
    assert shape.schema["properties"] == schema  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("annotation", "told"),
    [
        ("Whole", 1),
        ("Nowhere", 1),
        ("Annotated[int, BeforeValidator(int)]", 1),
        ("Annotated[int, AfterValidator(abs)]", 0),
        ("HttpUrl", 0),
        ("decimal_thing.Odd", 1),
        ("'not a type!'", 1),
        ("lambda: 1", 1),
    ],
)
def test_what_is_checked_elsewhere_is_not_exact(annotation: str, told: int) -> None:
    shape = read_type(annotation)
    assert not shape.exact
    assert len(shape.unread) == told
    assert told == 0 or shape.schema == {}


def test_what_is_sent_has_its_own_members() -> None:
    schema = read_type("Sent", "written").schema
    assert set(schema["properties"]) == {"name", "note", "length"}  # type: ignore[index, call-overload, arg-type]
    assert set(schema["required"]) == {"name", "note", "length"}  # type: ignore[index, call-overload, arg-type]
    assert schema["additionalProperties"] is False  # type: ignore[index, call-overload]
    assert read_type("Sent", "sparse").schema["required"] == ["name"]  # type: ignore[index, call-overload]


def test_conversion_is_told_apart() -> None:
    assert read_type("int").coerces
    assert not read_type("str").coerces
    assert not read_type("int", "written").coerces


def test_a_member_under_two_names_is_taken_under_each() -> None:
    head = f"{HEAD}\nclass Both(BaseModel, populate_by_name=True):\n    a: int = Field(alias='A')\n"
    schema = json.loads(json.dumps(read_type("Both", head=head).schema))
    valid = jsonschema.Draft202012Validator(schema).is_valid
    assert (valid({"A": 1}), valid({"a": 1}), valid({})) == (True, True, False)


def test_a_base_that_is_not_supplied_is_named() -> None:
    head = HEAD + "\nfrom shared.models import Timestamped\nclass Own(Timestamped, BaseModel):\n    a: int\n"
    shape = read_type("Own", head=head)
    assert not shape.exact
    assert [one.found for one in shape.unread if "Timestamped" in one.found]


def test_classes_in_themselves_and_in_a_circle_end() -> None:
    circle = "class A(BaseModel):\n    b: B\nclass B(BaseModel):\n    a: A | None\n"
    head = f"{HEAD}\n{circle}class C(C): ...\nclass D(D, BaseModel): ...\n"
    assert read_type("A", head=head).exact
    assert not read_type("C", head=head).exact
    read_type("D", head=head)


@pytest.mark.parametrize("annotation", ["'Order'", "Optional['Order']", "'Optional[Order]'"])
def test_forward_references_are_the_types_that_they_name(annotation: str) -> None:
    assert read_type(annotation).schema == read_type(annotation.replace("'", "")).schema


def test_the_lines_of_each_class_are_given() -> None:
    lines = HEAD.splitlines()
    spots = read_type("Order").spots
    assert [lines[spot.first - 1] for spot in spots] == [
        "class Order(BaseModel):", "class Line(BaseModel):", "class Color(str, Enum):"
    ]  # fmt: skip


def test_relations_of_tables_are_no_members() -> None:
    base = "from sqlmodel import Relationship, SQLModel\nclass Row(SQLModel, table=True):\n    id: int\n"
    shape = read_type("Row", head=f"{base}    other: list['Nowhere'] = Relationship()\n")
    assert set(shape.schema["properties"]) == {"id"}  # type: ignore[index, call-overload, arg-type]


def test_types_nested_without_end_are_cut() -> None:
    assert not read_type("list[" * 60 + "int" + "]" * 60).exact
