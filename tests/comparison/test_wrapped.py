"""The id of a row in a component that an `allOf` only wraps: that of the component, however the candidate writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.comparison.pairs import Doc, diff, document, get

TEXT: Doc = {"type": "string"}
INFO: Doc = {
    "type": "object",
    "required": ["z"],
    "properties": {"a": {"type": "string", "enum": ["a"]}, "z": TEXT, "p": {"anyOf": [TEXT, {"type": "object"}]}},
}


def named(name: str) -> Doc:
    return {"$ref": f"#/components/schemas/{name}"}


def without(name: str) -> Doc:
    return {
        **INFO,
        "required": [each for each in INFO["required"] if each != name],
        "properties": {key: value for key, value in INFO["properties"].items() if key != name},
    }


EDITS: dict[str, Doc] = {
    "a field goes": without("z"),
    "a field comes": {**INFO, "properties": {**INFO["properties"], "b": TEXT}},
    "a field is owed no more": {**INFO, "required": []},
    "fewer members": {**INFO, "maxProperties": 2},
    "an inner field": {**INFO, "properties": {**INFO["properties"], "z": {"type": "string", "maxLength": 3}}},
    "an enum of a field": {**INFO, "properties": {**INFO["properties"], "a": {"type": "string", "enum": ["a", "b"]}}},
}
WRAPPED: Doc = {"allOf": [named("Info")], "description": "d"}
WRITTEN: dict[str, Callable[[Doc], tuple[Doc, Doc]]] = {
    "in the component": lambda info: (WRAPPED, {"Info": info}),
    "in the allOf": lambda info: ({"allOf": [info], "description": "d"}, {}),
    "in place": lambda info: ({**info, "description": "d"}, {}),
    "without the allOf": lambda info: (named("Info"), {"Info": info}),
    "under another name": lambda info: ({"allOf": [named("Other")], "description": "d"}, {"Other": info}),
    "without the allOf, under another name": lambda info: (named("Other"), {"Other": info}),
    "in two layers": lambda info: ({"allOf": [{"allOf": [named("Info")]}]}, {"Info": info}),
}
AROUND: dict[str, Callable[[Doc], Doc]] = {
    "a field": lambda schema: {"type": "object", "properties": {"info": schema}},
    "items": lambda schema: {"type": "array", "items": schema},
    "a branch": lambda schema: {"anyOf": [{"type": "string"}, schema]},
    "the whole": lambda schema: schema,
}


def made(around: Callable[[Doc], Doc], schema: Doc, components: Doc) -> Doc:
    """Two operations with one component around; what is wrapped stands in no other."""
    components = {"Outer": {"type": "object", "properties": {"o": around(schema)}}, **components}
    return document({"/x": get(named("Outer")), "/y": get(named("Outer"))}, components)


def ids(released: Doc, candidate: Doc) -> list[tuple[str, str]]:
    """The ids of all rows, with their addresses."""
    return sorted((row.id, row.address) for row in diff(released, candidate).deltas)


@pytest.mark.req("W1L-001")
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_how_the_candidate_writes_it_moves_no_id(written: Any, around: Any, edit: Doc) -> None:
    old = made(around, WRAPPED, {"Info": INFO})
    plain = made(around, named("Info"), {"Info": INFO}), made(around, named("Info"), {"Info": edit})
    found = ids(old, made(around, *written(edit)))
    assert found
    assert found == ids(*plain)


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_message_that_wraps_a_component(written: Any) -> None:
    edit = EDITS["a field goes"]
    old, (schema, components) = document({"/x": get(WRAPPED)}, {"Info": INFO}), written(edit)
    plain = [document({"/x": get(named("Info"))}, {"Info": info}) for info in (INFO, edit)]
    assert ids(old, document({"/x": get(schema)}, components)) == ids(plain[0], plain[1])


def test_a_field_that_comes_beside_the_component() -> None:
    old, more = made(AROUND["a field"], WRAPPED, {"Info": INFO}), {"type": "object", "properties": {"b": TEXT}}
    listed = made(AROUND["a field"], {"allOf": [named("Info"), more], "description": "d"}, {"Info": INFO})
    assert ids(old, listed) == ids(old, made(AROUND["a field"], WRAPPED, {"Info": EDITS["a field comes"]}))


@pytest.mark.parametrize("beside", [{"maxProperties": 9}, {"nullable": True}, {"properties": {"q": TEXT}}])
def test_what_says_more_than_the_component_is_no_wrapping(beside: Doc) -> None:
    """Two uses edited beside the component have a row each."""
    more, longer = {**WRAPPED, **beside}, {**WRAPPED, **beside, "maxProperties": 5}
    both = {"type": "object", "properties": {"m": more, "n": more}}
    edited = {"type": "object", "properties": {"m": longer, "n": longer}}
    old, new = (document({"/x": get(schema)}, {"Info": INFO}) for schema in (both, edited))
    assert len(ids(old, new)) == 2


def test_words_of_two_wrappings_stay_two_rows() -> None:
    def told(words: str) -> Doc:
        schema = {**WRAPPED, "description": words}
        return document({"/x": get({"type": "object", "properties": {"m": schema, "n": schema}})}, {"Info": INFO})

    assert len({row.delta.id for row in diff(told("d"), told("e")).noise}) == 2
