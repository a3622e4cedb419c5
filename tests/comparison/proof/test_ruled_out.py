"""Rows below what rules them out, texts of null, and values that break each branch of a choice by another member."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from evreview.core.vocabulary import ProofStatus, Verdict
from tests.comparison.pairs import Doc, document, get, post
from tests.pipeline import compared

TEXT: Any = {"type": "string"}
WHOLE: Any = {"type": "integer"}
NULL: Any = {"type": "null"}
NONE: Any = {"type": "array", "maxItems": 0}
A: Any = {"type": "object", "required": ["a"], "properties": {"a": TEXT}}
B: Any = {"type": "object", "required": ["b"], "properties": {"b": TEXT}}


def listed(items: Any, **more: Any) -> Any:
    return {"type": "array", "items": items, **more}


def mapped(members: Any) -> Any:
    return {"type": "object", "additionalProperties": members}


def closed(required: str, **properties: Any) -> Any:
    return {"type": "object", "properties": properties, "additionalProperties": False, "required": [required]}


def documents(old: Any, new: Any, *, sent: bool = True, inside: bool = False) -> tuple[Doc, Doc]:
    made = [{"type": "object", "properties": {"f": each}} if inside else each for each in (old, new)]
    released, candidate = (document({"/a": (post if sent else get)(each)}, {}, "3.1.0") for each in made)
    return released, candidate


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [NONE, NULL]}, {"anyOf": [{**NONE, "items": TEXT}, NULL]}),
        ({"anyOf": [NONE, NULL]}, {"anyOf": [NONE, NULL], "items": TEXT}),
        ({"anyOf": [{**NONE, "items": WHOLE}, NULL]}, {"anyOf": [{**NONE, "items": TEXT}, NULL]}),
        ({"oneOf": [{**NONE, "items": WHOLE}, NULL]}, {"oneOf": [{**NONE, "items": TEXT}, NULL]}),
        ({**NONE, "items": WHOLE}, {**NONE, "items": TEXT}),
        (closed("b", a=TEXT), closed("b", a=WHOLE)),
        (closed("b", a=listed(TEXT)), closed("b", a=listed(WHOLE))),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("sent", [True, False])
def test_what_no_value_reaches_breaks_nothing(old: Any, new: Any, inside: bool, sent: bool) -> None:
    for before, after in ((old, new), (new, old)):
        rows = compared(*documents(before, after, sent=sent, inside=inside)).rows
        assert {row.judgement.verdict for row in rows} <= {Verdict.COMPATIBLE}
        assert {row.proof.status for row in rows} <= {ProofStatus.PROVED}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [listed(WHOLE, maxItems=1), NULL]}, {"anyOf": [listed(TEXT, maxItems=1), NULL]}),
        ({"anyOf": [NONE, listed(WHOLE)]}, {"anyOf": [NONE, listed(TEXT)]}),
        (closed("a", a=TEXT), closed("a", a=WHOLE)),
        ({"anyOf": [closed("b", a=TEXT), listed(WHOLE)]}, {"anyOf": [closed("b", a=WHOLE), listed(TEXT)]}),
    ],
)
def test_what_some_value_reaches_breaks(old: Any, new: Any) -> None:
    verdicts = {row.judgement.verdict for row in compared(*documents(old, new)).rows}
    assert Verdict.BREAKING in verdicts


CHOICES: Any = [
    (listed({"anyOf": [A, B]}), {"anyOf": [listed(A), listed(B)]}),
    (listed({"anyOf": [TEXT, WHOLE]}), {"anyOf": [listed(TEXT), listed(WHOLE)]}),
    (listed({"anyOf": [TEXT, WHOLE, A]}), {"anyOf": [listed(TEXT), listed(WHOLE), listed(A)]}),
    (
        listed({"anyOf": [TEXT, WHOLE, A]}),
        {"anyOf": [listed({"anyOf": [TEXT, WHOLE]}), listed({"anyOf": [WHOLE, A]}), listed({"anyOf": [TEXT, A]})]},
    ),
    (
        listed({"anyOf": [TEXT, WHOLE]}, minItems=2, uniqueItems=True),
        {"anyOf": [listed(each, minItems=2, uniqueItems=True) for each in (TEXT, WHOLE)]},
    ),
    (mapped({"anyOf": [TEXT, WHOLE]}), {"anyOf": [mapped(TEXT), mapped(WHOLE)]}),
]


@pytest.mark.parametrize(("wide", "narrow"), CHOICES)
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("sent", [True, False])
def test_a_choice_inside_holds_more_than_one_around(wide: Any, narrow: Any, inside: bool, sent: bool) -> None:
    old, new = (wide, narrow) if sent else (narrow, wide)
    (row,) = compared(*documents(old, new, sent=sent, inside=inside)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert isinstance(row.proof.witness, dict)
    value: Any = row.proof.witness["value"]
    shown = value["f"] if inside else value
    judged = [jsonschema.Draft202012Validator(each).is_valid(shown) for each in (wide, narrow)]
    assert judged == [True, False]
    (back,) = compared(*documents(new, old, sent=sent, inside=inside)).rows
    assert (back.judgement.verdict, back.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize("most", [0, 1])
def test_lists_of_one_are_not_said_to_differ(most: int) -> None:
    """A list of at most one item mixes nothing: both sides are one set."""
    wide = listed({"anyOf": [TEXT, WHOLE]}, maxItems=most)
    narrow = {"anyOf": [listed(TEXT, maxItems=most), listed(WHOLE, maxItems=most)]}
    rows = compared(*documents(wide, narrow)).rows
    assert Verdict.BREAKING not in {row.judgement.verdict for row in rows}


def asking(schema: Any, where: str = "query", **more: Any) -> Doc:
    parameter = {"name": "q", "in": where, "required": where == "path", "schema": schema, **more}
    path = "/a/{q}" if where == "path" else "/a"
    return document(
        {path: {"get": {"parameters": [parameter], "responses": {"204": {"description": ""}}}}}, {}, "3.1.0"
    )


def nullable(schema: Any) -> Any:
    return {**schema, "type": [schema["type"], "null"]}


@pytest.mark.parametrize("where", ["query", "header", "cookie"])
def test_whoever_reads_any_text_reads_that_of_null(where: str) -> None:
    (row,) = compared(asking(nullable(TEXT), where), asking(TEXT, where)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


@pytest.mark.parametrize("where", ["query", "header", "cookie", "path"])
def test_null_of_a_parameter_that_is_owed_may_be_its_absence(where: str) -> None:
    (row,) = compared(asking(nullable(TEXT), where, required=True), asking(TEXT, where, required=True)).rows
    assert row.judgement.verdict is Verdict.BREAKING


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (nullable(WHOLE), WHOLE),
        (nullable({**TEXT, "maxLength": 3}), {**TEXT, "maxLength": 3}),
        (nullable({**TEXT, "pattern": "^a$"}), {**TEXT, "pattern": "^a$"}),
        ({"enum": ["a", None]}, {"enum": ["a"]}),
    ],
)
def test_how_null_is_written_nobody_says(old: Any, new: Any) -> None:
    rows = compared(asking(old), asking(new)).rows
    assert [row.judgement.verdict for row in rows] == [Verdict.BREAKING]


def test_a_parameter_in_json_writes_null() -> None:
    old, new = ({"application/json": {"schema": each}} for each in (nullable(TEXT), TEXT))
    sides = [asking(None) for _ in range(2)]
    for side, content in zip(sides, (old, new), strict=True):
        parameter = side["paths"]["/a"]["get"]["parameters"][0]
        del parameter["schema"]
        parameter["content"] = content
    (row,) = compared(*sides).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
