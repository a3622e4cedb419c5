"""Where inside a value a schema can stand: below every applicator, with the values that bring it to bear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.edit_space.forms import ALL, LATEST, THREE, Form, Schema

OTHER: Final = "other"
COMPONENT: Final = "Shared"


@dataclass(frozen=True, eq=False)
class Nesting:
    """One place inside a value.

    Attributes:
        name: for the table.
        around: the schema of the whole value, given the schema at this place.
        carry: values of the whole, given a value at this place.
        beside: values of the whole that carry nothing at this place.
        forms: the forms that can say it.
        shared: True when the schema stands in a named component that the whole refers to.
    """

    name: str
    around: Callable[[Any], Schema]
    carry: Callable[[Any], Sequence[Any]]
    beside: tuple[Any, ...] = ()
    forms: frozenset[Form] = ALL
    shared: bool = False


def _itself(value: Any) -> Sequence[Any]:
    return (value,)


def _in_object(name: str) -> Callable[[Any], Sequence[Any]]:
    return lambda value: ({name: value},)


def _named(value: Any) -> Sequence[Any]:
    """Values whose member names are the texts at hand."""
    return ({value: 1},) if isinstance(value, str) else ()


def _object(**keywords: Any) -> Schema:
    return {"type": "object", **keywords}


def _array(**keywords: Any) -> Schema:
    return {"type": "array", **keywords}


_ELSEWHERE: Final = {"enum": [OTHER]}
ROOT: Final = Nesting("itself", lambda schema: schema, _itself)
PROPERTY: Final = Nesting("property", lambda schema: _object(properties={"p": schema}), _in_object("p"), ({},))

NESTINGS: Final = (
    ROOT,
    PROPERTY,
    Nesting(
        "required property", lambda schema: _object(properties={"p": schema}, required=["p"]), _in_object("p"), ({},)
    ),
    Nesting(
        "property of a property",
        lambda schema: _object(properties={"o": _object(properties={"p": schema})}),
        lambda value: ({"o": {"p": value}},),
        ({}, {"o": {}}),
    ),
    Nesting(
        "property of a closed object",
        lambda schema: _object(properties={"p": schema}, additionalProperties=False),
        _in_object("p"),
        ({},),
    ),
    Nesting("item", lambda schema: _array(items=schema), lambda value: ([value], [value, value]), ([],)),
    Nesting(
        "property of an item",
        lambda schema: _array(items=_object(properties={"p": schema})),
        lambda value: ([{"p": value}],),
        ([], [{}]),
    ),
    Nesting("additionalProperties", lambda schema: _object(additionalProperties=schema), _in_object("x"), ({},)),
    Nesting(
        "additionalProperties beside a member",
        lambda schema: _object(properties={"q": {"type": "string"}}, additionalProperties=schema),
        lambda value: ({"x": value}, {"x": value, "q": "a"}),
        ({}, {"q": "a"}),
    ),
    Nesting(
        "patternProperties",
        lambda schema: _object(patternProperties={"^x": schema}),
        lambda value: ({"xy": value},),
        ({},),
        LATEST,
    ),
    Nesting("prefixItems", lambda schema: _array(prefixItems=[schema]), lambda value: ([value],), ([],), LATEST),
    Nesting(
        "contains",
        lambda schema: _array(contains=schema),
        lambda value: ([value], [value, OTHER], [OTHER, 7, value]),
        ([],),
        LATEST,
    ),
    Nesting(
        "contains at most once",
        lambda schema: _array(contains=schema, minContains=0, maxContains=1),
        lambda value: ([value], [value, value]),
        ([],),
        LATEST,
    ),
    Nesting("propertyNames", lambda schema: _object(propertyNames=schema), _named, ({},), LATEST),
    Nesting("branch of allOf", lambda schema: {"allOf": [schema, {"description": "no demand"}]}, _itself),
    Nesting("branch of anyOf", lambda schema: {"anyOf": [schema, _ELSEWHERE]}, _itself, (OTHER,), THREE),
    Nesting("branch of anyOf beside anything", lambda schema: {"anyOf": [schema, {}]}, _itself, (), THREE),
    Nesting("branch of oneOf", lambda schema: {"oneOf": [schema, _ELSEWHERE]}, _itself, (OTHER,), THREE),
    Nesting("branch of oneOf beside anything", lambda schema: {"oneOf": [schema, {}]}, _itself, (), THREE),
    Nesting("not", lambda schema: {"not": schema}, _itself, (), THREE),
    Nesting("not of not", lambda schema: {"not": {"not": schema}}, _itself, (), THREE),
    Nesting(
        "not, of a property",
        lambda schema: {"not": _object(properties={"p": schema}, required=["p"])},
        _in_object("p"),
        ({}, {"q": 1}, 1),
        THREE,
    ),
    Nesting("if, refused", lambda schema: {"if": schema, "then": False}, _itself, (), LATEST),
    Nesting("if, demanded", lambda schema: {"if": schema, "else": _ELSEWHERE}, _itself, (OTHER,), LATEST),
    Nesting("then", lambda schema: {"if": {"not": _ELSEWHERE}, "then": schema}, _itself, (OTHER,), LATEST),
    Nesting("else", lambda schema: {"if": _ELSEWHERE, "else": schema}, _itself, (OTHER,), LATEST),
    Nesting(
        "dependentSchemas",
        lambda schema: _object(properties={"d": {}}, dependentSchemas={"d": {"properties": {"p": schema}}}),
        lambda value: ({"d": 1, "p": value}, {"p": value}),
        ({}, {"d": 1}),
        LATEST,
    ),
    Nesting(
        "unevaluatedProperties",
        lambda schema: _object(properties={"q": {}}, unevaluatedProperties=schema),
        lambda value: ({"x": value}, {"q": value}),
        ({},),
        LATEST,
    ),
    Nesting(
        "beside unevaluatedProperties: false",
        lambda schema: {"allOf": [_object(properties={"p": schema})], "unevaluatedProperties": False},
        _in_object("p"),
        ({},),
        LATEST,
    ),
    Nesting(
        "unevaluatedItems",
        lambda schema: _array(prefixItems=[{}], unevaluatedItems=schema),
        lambda value: (["q", value],),
        ([], ["q"]),
        LATEST,
    ),
    Nesting("component", lambda schema: schema, _itself, shared=True),
    Nesting(
        "property of a component",
        lambda schema: _object(properties={"p": schema}, required=["p"]),
        _in_object("p"),
        ({},),
        shared=True,
    ),
)
