"""Conditions written as choices and back: noise where validators see no difference, else one row that they confirm."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.core.vocabulary import Role, Verdict
from tests.comparison.pairs import document, json_body
from tests.pipeline import compared

X: Any = {"properties": {"k": {"const": "x"}}, "required": ["k"]}
Y: Any = {"properties": {"k": {"const": "y"}}, "required": ["k"]}
N: Any = {"required": ["n"]}
M: Any = {"required": ["m"]}
LOW: Any = {"properties": {"n": {"maximum": 1}}}
_BASE: Any = {
    "type": "object",
    "properties": {"k": {"type": "string", "enum": ["x", "y"]}, "n": {"type": "integer"}, "m": {"type": "string"}},
    "required": ["k"],
}
SAMPLES: Any = [
    {name: value for name, value in zip("knm", values, strict=True) if value is not None}
    for values in product((None, "x", "y"), (None, 0, 1, 2), (None, "", "aa"))
]


def _not(schema: Any) -> Any:
    return {"not": schema}


def _document(schema: Any) -> Any:
    body = json_body({**_BASE, **schema})
    operation = {"requestBody": {"required": True, **body}, "responses": {"200": {"description": "", **body}}}
    return document({"/a": {"post": operation}}, version="3.1.0")


def _seen(released: Any, candidate: Any) -> dict[Role, bool]:
    """In which direction some sample is refused that the sender's contract admits."""
    old, new = (Draft202012Validator({**_BASE, **each}) for each in (released, candidate))
    both = [(old.is_valid(sent), new.is_valid(sent)) for sent in SAMPLES]
    lost, come = any(a and not b for a, b in both), any(b and not a for a, b in both)
    return {Role.REQUEST: lost, Role.RESPONSE: come}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(
    ("condition", "choice"),
    [
        ({"if": X, "then": N}, {"anyOf": [_not(X), N]}),
        ({"if": X, "then": N}, {"oneOf": [_not(X), {"allOf": [X, N]}]}),
        ({"if": X, "then": LOW, "else": M}, {"anyOf": [{"allOf": [X, LOW]}, {"allOf": [_not(X), M]}]}),
        ({"if": X, "then": LOW, "else": M}, {"allOf": [{"anyOf": [_not(X), LOW]}, {"anyOf": [X, M]}]}),
        ({"if": X, "then": N, "else": M}, {"oneOf": [{**X, "required": ["k", "n"]}, {**Y, "required": ["k", "m"]}]}),
        ({"if": X, "then": N}, {"not": {"allOf": [X, _not(N)]}}),
        ({"if": X, "then": N}, {"if": _not(X), "else": N}),
        ({"if": M, "then": N}, {"dependentRequired": {"m": ["n"]}}),
        ({"if": M, "then": LOW}, {"dependentSchemas": {"m": LOW}}),
        (
            {"allOf": [{"if": X, "then": N}, {"if": Y, "then": M}]},
            {"allOf": [{"anyOf": [_not(X), N]}, {"anyOf": [_not(Y), M]}]},
        ),
        ({"allOf": [{"if": X, "then": N}, {"if": Y, "then": M}]}, {"if": X, "then": N, "else": M}),
    ],
)
def test_a_rewritten_condition_is_noise(condition: Any, choice: Any) -> None:
    for old, new in ((condition, choice), (choice, condition)):
        assert not any(_seen(old, new).values())
        found = compared(_document(old), _document(new))
        assert (found.rows, bool(found.noise)) == ((), True)


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize(
    ("condition", "choice"),
    [
        ({"if": X, "then": N}, {"anyOf": [_not(X), M]}),
        ({"if": X, "then": N}, {"anyOf": [_not(X), {"required": ["n", "m"]}]}),
        ({"if": X, "then": N}, {"anyOf": [_not(Y), N]}),
        ({"if": X, "then": N, "else": M}, {"anyOf": [_not(X), N]}),
        ({"if": X, "then": LOW}, {"oneOf": [_not(X), {"allOf": [X, N]}]}),
        ({"if": X, "then": N, "else": M}, {"allOf": [{"anyOf": [_not(X), N]}, {"anyOf": [X, LOW]}]}),
    ],
)
def test_a_rewritten_condition_with_an_edit_is_one_row(condition: Any, choice: Any) -> None:
    for old, new in ((condition, choice), (choice, condition)):
        seen = _seen(old, new)
        assert any(seen.values())
        rows = compared(_document(old), _document(new)).rows
        assert sorted(row.delta.role for row in rows) == [Role.REQUEST, Role.RESPONSE]
        assert {row.delta.role: row.judgement.verdict is Verdict.BREAKING for row in rows} == seen
        assert {row.judgement.verdict for row in rows} <= {Verdict.BREAKING, Verdict.COMPATIBLE}
