"""Null that joins or leaves what a schema admits is told, however it is written and wherever it stands."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml_rs

from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.comparison.pairs import Doc, document, get, post

SAFE, BREAKS = Verdict.COMPATIBLE, Verdict.BREAKING
TEXT: Any = {"type": "string"}
COUNT: Any = {"type": "integer"}
BARE: Any = {"type": None}
"""YAML's null without quotes, which is no name of a type, and meant as one."""
QUOTED: Any = {"type": "null"}
SHIP: Any = {"type": "object", "properties": {"hull": TEXT}, "required": ["hull"]}
KITE: Any = {"type": "object", "properties": {"tail": COUNT}, "required": ["tail"]}
NAMED: Doc = {
    "Text": TEXT,
    "TextOrBare": {"type": ["string", None]},
    "Bare": BARE,
    "Craft": {"oneOf": [SHIP, KITE]},
    "CraftOrNull": {"oneOf": [SHIP, KITE, QUOTED]},
    "CraftOrBare": {"oneOf": [BARE, SHIP, KITE]},
    "Wrapped": {"allOf": [{"$ref": "#/components/schemas/Craft"}]},
    "WrappedOrNull": {"allOf": [{"$ref": "#/components/schemas/CraftOrNull"}]},
}


def ref(name: str) -> Any:
    return {"$ref": f"#/components/schemas/{name}"}


WITHOUT_QUOTES = [
    ({"anyOf": [TEXT, COUNT]}, {"anyOf": [TEXT, COUNT, BARE]}),
    ({"oneOf": [TEXT, COUNT]}, {"oneOf": [BARE, TEXT, COUNT]}),
    ({"anyOf": [TEXT, COUNT]}, {"anyOf": [TEXT, COUNT, ref("Bare")]}),
    (TEXT, {"anyOf": [TEXT, BARE]}),
    (TEXT, {"type": ["string", None]}),
    (ref("Text"), ref("TextOrBare")),
    ({"anyOf": [TEXT, COUNT]}, {"anyOf": [{"type": ["string", None]}, COUNT]}),
    ({"enum": ["a"]}, {"enum": ["a", None]}),
    ({**TEXT, "enum": ["a"]}, {"type": ["string", None], "enum": ["a", None]}),
    ({"oneOf": [{"enum": ["a"]}, COUNT]}, {"oneOf": [{"enum": ["a", None]}, COUNT]}),
    ({"anyOf": [TEXT, COUNT]}, {"anyOf": [TEXT, COUNT, {"enum": [None]}]}),
]
BEHIND_ALL_OF = [
    ({"allOf": [ref("Craft")]}, {"allOf": [ref("CraftOrNull")]}),
    ({"allOf": [ref("Craft")]}, {"allOf": [ref("CraftOrBare")]}),
    ({"allOf": [ref("Craft")]}, {"allOf": [{"anyOf": [ref("Craft"), QUOTED]}]}),
    ({"allOf": [ref("Craft")]}, {"anyOf": [{"allOf": [ref("Craft")]}, QUOTED]}),
    ({"allOf": [ref("Craft"), {"description": "new"}]}, {"allOf": [ref("CraftOrNull"), {"description": "new"}]}),
    (ref("Wrapped"), ref("WrappedOrNull")),
    ({"allOf": [{"allOf": [TEXT]}]}, {"allOf": [{"allOf": [{"type": ["string", "null"]}]}]}),
]
ALIKE = [
    ({"anyOf": [TEXT, BARE]}, {"anyOf": [BARE, TEXT]}),
    ({"anyOf": [TEXT, BARE]}, {"anyOf": [TEXT, QUOTED]}),
    ({"type": ["string", None]}, {"type": ["string", "null"]}),
    ({"enum": ["a", None]}, {"enum": [None, "a"]}),
    (ref("CraftOrBare"), ref("CraftOrNull")),
    ({"allOf": [ref("CraftOrNull")]}, ref("WrappedOrNull")),
]
SHORT: Any = {"type": "string", "maxLength": 3}
FLAG: Any = {"type": "boolean"}
OTHER_SHIP: Any = {**SHIP, "properties": {"hull": {"allOf": [TEXT]}}}
TOLD_SHIP: Any = {**SHIP, "description": "floats"}
OTHER_SHORT: Any = {"allOf": [SHORT]}
NOT_NULL: Any = {"not": QUOTED}


def positive(condition: Any) -> Any:
    return {"if": condition, "then": COUNT, "else": TEXT}


ABOVE: Any = {"type": "integer", "minimum": 1}
POSITIVE: Any = positive(ABOVE)
OTHER_POSITIVE: Any = positive({"allOf": [ABOVE]})
RESPELLED_BELOW = [
    ({"oneOf": [{"anyOf": [OTHER_SHIP, KITE, QUOTED]}, QUOTED]}, {"anyOf": [SHIP, KITE, QUOTED]}),
    ({"oneOf": [{"anyOf": [TOLD_SHIP, KITE, QUOTED]}, QUOTED]}, {"anyOf": [SHIP, KITE, QUOTED]}),
    ({"oneOf": [{"anyOf": [QUOTED, FLAG, OTHER_SHORT]}, QUOTED]}, {"anyOf": [QUOTED, FLAG, SHORT]}),
    (
        {"oneOf": [QUOTED, {"anyOf": [{"allOf": [OTHER_SHORT]}, FLAG, {"const": None}]}]},
        {"anyOf": [SHORT, FLAG, QUOTED]},
    ),
    ({"oneOf": [{"oneOf": [OTHER_SHIP, KITE, QUOTED]}, QUOTED]}, {"oneOf": [SHIP, KITE, QUOTED]}),
    ({"oneOf": [{"anyOf": [OTHER_SHIP, KITE, {"enum": [None]}]}, QUOTED]}, {"anyOf": [SHIP, KITE, {"enum": [None]}]}),
    ({"allOf": [{"oneOf": [{"anyOf": [OTHER_SHIP, KITE, QUOTED]}, QUOTED]}]}, {"anyOf": [SHIP, KITE, QUOTED]}),
    (OTHER_POSITIVE, {"oneOf": [POSITIVE, QUOTED]}),
    (POSITIVE, {"anyOf": [QUOTED, OTHER_POSITIVE]}),
    (positive({**ABOVE, "minimum": 1.0}), {"oneOf": [POSITIVE, QUOTED]}),
    ({"not": {"allOf": [QUOTED]}}, {"anyOf": [NOT_NULL, QUOTED]}),
]
"""Without null first; a part of one side is spelled in another way, or described, too."""
NOT_AND_IF = [
    *[
        (NOT_NULL, {choice: branches})
        for choice in ("oneOf", "anyOf")
        for branches in ([NOT_NULL, QUOTED], [QUOTED, NOT_NULL])
    ],
    *[
        (POSITIVE, {choice: branches})
        for choice in ("oneOf", "anyOf")
        for branches in ([POSITIVE, QUOTED], [QUOTED, POSITIVE])
    ],
    ({"not": {"type": ["null", "boolean"]}}, {"anyOf": [{"not": {"type": ["null", "boolean"]}}, QUOTED]}),
    ({"not": {"const": None}}, {"oneOf": [{"not": {"const": None}}, QUOTED]}),
    ({"not": {"anyOf": [QUOTED, FLAG]}}, {"oneOf": [{"not": {"anyOf": [QUOTED, FLAG]}}, {"enum": [None]}]}),
    ({"if": QUOTED, "then": False}, {"anyOf": [{"if": QUOTED, "then": False}, QUOTED]}),
    ({"if": COUNT, "else": TEXT}, {"oneOf": [QUOTED, {"if": COUNT, "else": TEXT}]}),
]
SAID_OF_NULL = [*RESPELLED_BELOW, *NOT_AND_IF]
ONLY_RESPELLED = [
    ({"anyOf": [SHIP, KITE, QUOTED]}, {"anyOf": [{"anyOf": [OTHER_SHIP, KITE, QUOTED]}, QUOTED]}),
    ({"anyOf": [SHIP, KITE, QUOTED]}, {"oneOf": [{"anyOf": [OTHER_SHIP, KITE]}, QUOTED]}),
    ({"anyOf": [QUOTED, FLAG, SHORT]}, {"oneOf": [{"anyOf": [FLAG, OTHER_SHORT]}, QUOTED]}),
    (POSITIVE, {"allOf": [OTHER_POSITIVE]}),
    (POSITIVE, {"oneOf": [OTHER_POSITIVE]}),
    (NOT_NULL, {"anyOf": [NOT_NULL]}),
    (NOT_NULL, {"not": {"anyOf": [QUOTED]}}),
]
"""Null is admitted by both sides or by none."""
VALUES: Any = [None, True, 0, 1, 1.5, "", "long text", [], {}, {"hull": "x"}, {"hull": 1}, {"tail": 1}]
PLACES = {
    "body": lambda schema: schema,
    "member": lambda schema: {"type": "object", "properties": {"v": schema}},
    "items": lambda schema: {"type": "array", "items": schema},
}


def verdicts(ask: Any, released: Any, candidate: Any, *, version: str = "3.1.0", form: str = "json") -> set[Verdict]:
    """The verdicts of all rows of one change."""
    return {row.judgement.verdict for row in rows(ask, released, candidate, version=version, form=form)}


def rows(
    ask: Any, released: Any, candidate: Any, *, version: str = "3.1.0", form: str = "json"
) -> tuple[JudgedRow, ...]:
    """The rows of one change."""
    write = yaml_rs.dumps if form == "yaml" else json.dumps
    texts = [write(document({"/a": ask(side)}, NAMED, version)).encode() for side in (released, candidate)]
    old, new = (read_contract(f"openapi.{form}", {f"openapi.{form}": text}.__getitem__) for text in texts)
    return compare(old, new).rows


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("without", "null"), [*WITHOUT_QUOTES, *BEHIND_ALL_OF])
def test_null_that_joins_breaks_readers_and_null_that_leaves_breaks_writers(without: Any, null: Any, at: Any) -> None:
    without, null = at(without), at(null)
    assert verdicts(get, without, null) == {BREAKS}
    assert verdicts(get, null, without) == {SAFE}
    assert verdicts(post, without, null) == {SAFE}
    assert verdicts(post, null, without) == {BREAKS}


@pytest.mark.parametrize(("version", "form"), [("3.0.3", "json"), ("3.0.3", "yaml"), ("3.1.0", "yaml")])
@pytest.mark.parametrize(("without", "null"), [*WITHOUT_QUOTES, *BEHIND_ALL_OF])
def test_neither_the_version_nor_the_notation_matters(without: Any, null: Any, version: str, form: str) -> None:
    assert verdicts(get, without, null, version=version, form=form) == {BREAKS}
    assert verdicts(post, without, null, version=version, form=form) == {SAFE}


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_null_that_is_only_written_in_another_usage_path_breaks_nobody(one: Any, other: Any, at: Any) -> None:
    for ask in (get, post):
        assert verdicts(ask, at(one), at(other)) <= {SAFE}
        assert verdicts(ask, at(other), at(one)) <= {SAFE}


def admitted(schema: Any) -> list[bool]:
    validator = jsonschema.Draft202012Validator(schema)
    return [validator.is_valid(value) for value in VALUES]


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("without", "null"), SAID_OF_NULL)
def test_null_is_told_where_choices_not_and_conditions_say_it(without: Any, null: Any, at: Any) -> None:
    assert (admitted(without)[0], admitted(null)[0], admitted(without)[1:]) == (False, True, admitted(null)[1:])
    without, null = at(without), at(null)
    for ask, pair in ((get, (without, null)), (post, (null, without))):
        (row,) = rows(ask, *pair)
        assert (row.judgement.verdict, row.proof.status) == (BREAKS, ProofStatus.WITNESSED)
    assert verdicts(get, null, without) == {SAFE}
    assert verdicts(post, without, null) == {SAFE}


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("one", "other"), ONLY_RESPELLED)
def test_null_that_both_sides_say_in_their_own_usage_path_is_no_row(one: Any, other: Any, at: Any) -> None:
    assert admitted(one) == admitted(other)
    for ask in (get, post):
        assert verdicts(ask, at(one), at(other)) <= {SAFE}
        assert verdicts(ask, at(other), at(one)) <= {SAFE}
