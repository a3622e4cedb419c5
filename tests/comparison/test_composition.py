"""`oneOf` is a union only where its branches exclude each other; a change of the keyword is a row of its own."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.kinds.compare import compare
from evreview.kinds.registry import spec_of
from tests.comparison.pairs import Doc, contract, diff, document, get, post

ENUMS: list[Any] = [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]
NUMBERS: list[Any] = [{"type": "integer"}, {"type": "number"}]
TEXTS: list[Any] = [{"type": "string"}, {"type": "string"}]
CAT: Any = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cat"}, "a": {"type": "string"}}}
DOG: Any = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "dog"}}}
LOOSE: Any = {"type": "object", "required": ["b"]}


def compared(operation: Any, released: Any, candidate: Any) -> Comparison:
    old, new = (document({"/a": operation(schema)}, version="3.1.0") for schema in (released, candidate))
    return compare(contract(old), contract(new))


@pytest.mark.parametrize(
    ("operation", "released", "candidate"),
    [
        (post, {"anyOf": ENUMS}, {"oneOf": ENUMS}),
        (post, {"anyOf": NUMBERS}, {"oneOf": NUMBERS}),
        (post, {"type": "number"}, {"oneOf": NUMBERS}),
        (post, {"anyOf": TEXTS}, {"oneOf": TEXTS}),
        (get, {"oneOf": NUMBERS}, {"anyOf": NUMBERS}),
        (get, {"oneOf": ENUMS}, {"anyOf": ENUMS}),
    ],
)
def test_overlapping_branches_are_no_union(operation: Any, released: Any, candidate: Any) -> None:
    found = compared(operation, released, candidate)
    assert {row.delta.aspect for row in found.rows} == {"composition"}
    assert {row.judgement.verdict for row in found.rows} <= {"breaking", "unknown"}
    back = compared(operation, candidate, released)
    assert back.rows and "breaking" not in {row.judgement.verdict for row in back.rows}


@pytest.mark.parametrize(
    ("operation", "released", "candidate", "rule", "verdict"),
    [
        (post, "anyOf", "oneOf", "request-one-replaced-any", "unknown"),
        (post, "oneOf", "anyOf", "request-any-replaced-one", "compatible"),
        (get, "anyOf", "oneOf", "response-one-replaced-any", "compatible"),
        (get, "oneOf", "anyOf", "response-any-replaced-one", "unknown"),
    ],
)
def test_the_rule_knows_which_usage_path_is_safe(
    operation: Any, released: str, candidate: str, rule: str, verdict: str
) -> None:
    old, new = (document({"/a": operation({word: [CAT, LOOSE]})}, version="3.1.0") for word in (released, candidate))
    (row,) = diff(old, new).deltas
    said = spec_of(row.kind).classify(row)
    assert (row.aspect, said.rule, said.verdict) == ("composition", rule, verdict)


def test_branches_that_exclude_each_other_are_a_union() -> None:
    old, new = (document({"/a": post({word: [CAT, DOG]})}, version="3.1.0") for word in ("anyOf", "oneOf"))
    ledger = diff(old, new)
    assert ledger.deltas == ()
    assert [noise.delta.facet for noise in ledger.noise] == ["anyOf"]


def test_what_changed_below_the_branches_keeps_its_row() -> None:
    longer: Doc = {**CAT, "properties": {**CAT["properties"], "a": {"type": "string", "maxLength": 3}}}
    old = document({"/a": post({"anyOf": [CAT, LOOSE]})}, version="3.1.0")
    new = document({"/a": post({"oneOf": [longer, LOOSE]})}, version="3.1.0")
    assert sorted(row.facet for row in diff(old, new).deltas) == ["anyOf", "maxLength"]


REF: Any = {"$ref": "#/components/schemas/Base"}


def _overlaid(listed: list[str], narrowed: list[str]) -> Doc:
    """A shared schema whose field another schema narrows: what changes in the shared one may not show there."""
    base: Any = {"type": "object", "properties": {"k": {"type": "string", "enum": listed}}}
    schema: Any = {"allOf": [REF, {"properties": {"k": {"enum": narrowed}}}]}
    return document({"/a": get(schema)}, {"Base": base})


def test_what_a_shared_schema_shows_is_no_row_where_the_rest_makes_up_for_it() -> None:
    released, candidate = _overlaid(["a", "b"], ["a"]), _overlaid(["a", "b", "c"], ["a"])
    for pair in ((released, candidate), (candidate, released)):
        assert diff(*pair).deltas == ()


def test_what_a_shared_schema_shows_stays_its_row_where_the_whole_shows_it_too() -> None:
    """The row of the component, so that other uses of it have the same one."""
    released, candidate = _overlaid(["a", "b"], ["a", "b", "c"]), _overlaid(["a", "b", "c"], ["a", "b", "c"])
    alone = [document({"/b": get(REF)}, made["components"]["schemas"]) for made in (released, candidate)]
    assert {row.id for row in diff(released, candidate).deltas} == {row.id for row in diff(*alone).deltas} != set()


def test_members_of_all_of_that_only_a_number_tells_apart_give_the_same_rows_both_usage_paths() -> None:
    texts: Any = {"type": "object", "additionalProperties": {"type": "string"}}
    shared: Any = {
        "type": "object",
        "additionalProperties": {"type": "object", "properties": {"x": {"type": "string"}}},
    }
    plain, twins = {"allOf": [texts, {"type": "object"}]}, {"allOf": [shared, texts]}
    made = [document({"/a": get(schema)}) for schema in (plain, twins)]
    there, back = diff(*made).deltas, diff(*reversed(made)).deltas
    assert {(row.address, row.facet) for row in there} == {(row.address, row.facet) for row in back} != set()
