"""Generated schemas: what is shown is valid, and what is called impossible is met by none of many values."""

from __future__ import annotations

from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.facts import Example, Why
from tests.workflows.w2.examples.subjects import both, holds, posting

NAMES = ("id", "name", "token", "when", "a")
PROBES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 5, 10, 0.5, 100, "", "a", "ab", "abc", "A1", "1", "example", "x" * 9),
    *([], [1], ["a"], [1, 2], ["a", "b"], {}, {"id": 1}, {"id": "a"}, {"name": "a"}, {"a": 1}, {"a": "a", "id": 1}),
)
SIZES = st.integers(0, 4)


def limits(*names: str, of: st.SearchStrategy[Any] = SIZES) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, of))


TEXTS = st.builds(
    lambda sizes, more: {"type": "string", **sizes, **more},
    limits("minLength", "maxLength"),
    st.sampled_from([{}, {}, {"pattern": "^[a-z]+$"}, {"pattern": "[0-9]$"}, {"format": "date"}, {"enum": ["a", "b"]}]),
)
NUMBERS = st.builds(
    lambda kind, bounds, step: {"type": kind, **bounds, **step},
    st.sampled_from(["integer", "number"]),
    limits("minimum", "maximum", "exclusiveMinimum", of=st.integers(-5, 9)),
    st.sampled_from([{}, {}, {"multipleOf": 3}, {"multipleOf": 0.5}]),
)
LEAVES = st.one_of(TEXTS, NUMBERS, st.just({"type": "boolean"}), st.just({}), st.just({"const": 2}))


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(
            lambda properties, required, more, sizes: {
                "type": "object",
                "properties": properties,
                "required": required,
                **more,
                **sizes,
            },
            members,
            st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
            st.sampled_from([{}, {"additionalProperties": False}, {"dependentRequired": {"id": ["name"]}}]),
            limits("minProperties", "maxProperties"),
        ),
        st.builds(
            lambda items, sizes, more: {"type": "array", "items": items, **sizes, **more},
            inner,
            limits("minItems", "maxItems"),
            st.sampled_from([{}, {"uniqueItems": True}, {"contains": {"type": "integer"}}]),
        ),
        some.map(lambda parts: {"allOf": parts}),
        some.map(lambda parts: {"anyOf": parts}),
        some.map(lambda parts: {"oneOf": parts}),
        st.tuples(inner, inner).map(lambda pair: {**pair[0], "not": pair[1]}),
        st.tuples(inner, inner, inner).map(lambda three: {"if": three[0], "then": three[1], "else": three[2]}),
    )


SCHEMAS = st.recursive(LEAVES, larger, max_leaves=6)


@settings(max_examples=60, deadline=None)
@given(schema=SCHEMAS)
def test_example_is_valid_or_its_absence_is_honest(schema: Any) -> None:
    for found in both(posting(schema)):
        if isinstance(found, Example):
            assert holds(schema, found.values["body"])
            assert Redactor().clean(found.body) == found.body
        elif found.why is Why.UNSATISFIABLE:
            checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
            judge = jsonschema.Draft202012Validator(schema, format_checker=checker)
            assert not [probe for probe in PROBES if judge.is_valid(probe)]
        else:
            assert found.why is not Why.UNREAD
