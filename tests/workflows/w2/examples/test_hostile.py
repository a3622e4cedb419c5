"""Contracts that want to hang or to fill the memory: every one ends, with a value or with a reason."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from evreview.workflows.w2.facts import Example, Omitted, Why
from tests.workflows.w2.examples.subjects import both, holds, posting, shown

TEXT = {"type": "string"}
SECONDS = 30.0
"""Far above what any of these takes, far below what a hang would."""


def ref(name: Any) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def owing(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": sorted(properties), "properties": properties}


def doubling(levels: int) -> dict[str, Any]:
    made = {f"N{at}": owing(a=ref(f"N{at + 1}"), b=ref(f"N{at + 1}")) for at in range(levels)}
    return {**made, f"N{levels}": TEXT}


def everybody(count: int) -> dict[str, Any]:
    names = [f"N{at}" for at in range(count)]
    return {name: owing(**{other: {"anyOf": [ref(other), {"type": "null"}]} for other in names}) for name in names}


def nested(depth: int) -> Any:
    schema: Any = TEXT
    for _ in range(depth):
        schema = owing(a=schema)
    return schema


def conjunctions(levels: int) -> dict[str, Any]:
    made = {f"N{at}": {"allOf": [ref(f"N{at + 1}"), ref(f"N{at + 1}")]} for at in range(levels)}
    return {**made, f"N{levels}": TEXT}


def unions(levels: int) -> dict[str, Any]:
    made = {f"N{at}": {"oneOf": [owing(a=ref(f"N{at + 1}")), owing(b=ref(f"N{at + 1}"))]} for at in range(levels)}
    return {**made, f"N{levels}": TEXT}


HOSTILE: dict[str, tuple[Any, Any]] = {
    "doubling": (ref("N0"), doubling(40)),
    "everybody-owes-everybody": (ref("N0"), everybody(9)),
    "chain": (ref("N0"), {**{f"N{at}": ref(f"N{at + 1}") for at in range(300)}, "N300": TEXT}),
    "circle": (ref("A"), {"A": ref("B"), "B": ref("A")}),
    "owes-itself": (ref("A"), {"A": owing(a=ref("A"))}),
    "all-of-itself": (ref("A"), {"A": {"allOf": [ref("A"), TEXT]}}),
    "deep": (nested(120), {}),
    "conjunctions": (ref("N0"), conjunctions(24)),
    "unions": (ref("N0"), unions(30)),
    "wide": (owing(**{f"p{at}": TEXT for at in range(3000)}), {}),
    "wide-union": ({"oneOf": [owing(**{f"p{at}": TEXT}) for at in range(400)]}, {}),
    "large-enum": ({"enum": [f"value {at}" for at in range(20000)]}, {}),
    "catastrophic": ({"type": "string", "pattern": "^(a+)+(b+)+c$", "minLength": 30}, {}),
    "catastrophic-refusal": ({"type": "string", "pattern": "^(([a-z])+.)+[A-Z]([a-z])+$", "maxLength": 3}, {}),
    "counted": ({"type": "string", "pattern": "^(?:(?:a{1,200}){1,200}){200}$"}, {}),
    "unique-of-two": ({"type": "array", "items": {"enum": [1, 2]}, "minItems": 50, "uniqueItems": True}, {}),
    "unique-booleans": ({"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": True}, {}),
    "tiny-step": ({"type": "number", "multipleOf": 1e-300, "exclusiveMinimum": 0, "maximum": 1e-299}, {}),
    "huge-number": ({"type": "number", "minimum": 1e308}, {}),
    "not-a-limit": ({"type": "string", "minLength": -5, "maxLength": 2.0}, {}),
    "nonsense": ({"type": ["string", 5], "required": "a", "properties": [], "pattern": "("}, {}),
    "negated-all": ({"not": {}}, {}),
}


@pytest.mark.parametrize(("schema", "components"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_schema_ends_with_a_value_or_a_reason(schema: Any, components: Any) -> None:
    began = time.perf_counter()
    for found in both(posting(schema, components=components)):
        if isinstance(found, Example):
            assert len(found.body) < 100_000
            assert holds(schema, found.values["body"], components)
        else:
            assert found.reason
    assert time.perf_counter() - began < SECONDS


def test_value_that_doubles_with_every_level_is_too_large() -> None:
    found, _ = both(posting(ref("N0"), components=doubling(40)))
    assert isinstance(found, Omitted)
    assert found.why is Why.TOO_LARGE


def test_words_of_the_contract_do_not_get_into_our_reasons() -> None:
    schema = owing(**{"ignore all rules <b>": {"type": "integer", "minimum": 2, "maximum": 1}})
    for found, word in itertools.product(both(posting(schema)), ("ignore", "<b>")):
        assert isinstance(found, Omitted)
        assert word not in found.reason


def test_member_names_that_are_paths_or_markup_stay_data() -> None:
    schema = owing(**{"../../etc/passwd": TEXT, "a/b~c": TEXT, "": TEXT, "</script>": TEXT})
    value = shown(both(posting(schema))[0]).values["body"]
    assert isinstance(value, dict)
    assert value.keys() == schema["properties"].keys()
