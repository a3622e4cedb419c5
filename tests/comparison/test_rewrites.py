"""Rewrites that mean the same: no row, or noise with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.comparison import pairs

EQUAL: list[tuple[str, Any, Any]] = [
    ("3.1.0", {"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ("3.1.0", {"enum": ["a", "b"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}),
    ("3.1.0", {"type": ["string", "integer"]}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    ("3.0.3", {"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 0, "exclusiveMinimum": True}),
    (
        "3.0.3",
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}},
                {"type": "object", "required": ["a"], "properties": {"b": {"type": "integer"}}},
            ]
        },
    ),
    ("3.0.3", {"type": "string", "minLength": 0}, {"type": "string"}),
    ("3.0.3", {"type": "string"}, {"$ref": "#/components/schemas/Text"}),
]


@pytest.mark.parametrize(("version", "before", "after"), EQUAL)
@pytest.mark.parametrize("reversed", [False, True])
def test_an_equivalent_rewrite_is_no_delta(version: str, before: Any, after: Any, reversed: bool) -> None:
    text = {"Text": {"type": "string"}}
    left, right = (after, before) if reversed else (before, after)
    documents = [pairs.document({"/a": pairs.get(schema)}, text, version) for schema in (left, right)]
    assert pairs.diff(*documents).deltas == ()


def test_nullable_spellings_of_two_dialects_are_equal() -> None:
    old = pairs.document({"/a": pairs.get({"type": "string", "nullable": True, "enum": ["a", None]})}, version="3.0.3")
    new = pairs.document({"/a": pairs.get({"type": ["string", "null"], "enum": ["a", None]})}, version="3.1.0")
    assert [row.aspect for row in pairs.diff(old, new).deltas] == []


def test_a_field_moved_between_merged_parts_is_no_delta() -> None:
    def made(base: Any, own: Any) -> Any:
        schema = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": own}]}
        return pairs.document({"/a": pairs.get(schema)}, {"Base": {"type": "object", "properties": base}})

    text = {"type": "string"}
    assert pairs.diff(made({"a": text, "b": text}, {}), made({"a": text}, {"b": text})).deltas == ()


def test_a_keyword_that_says_nothing_about_the_type_is_noise() -> None:
    ledger = pairs.diff(
        pairs.in_field({"type": "string", "maximum": 5}), pairs.in_field({"type": "string", "maximum": 9})
    )
    assert ledger.deltas == ()
    assert [noise.delta.facet for noise in ledger.noise] == ["maximum"]


def test_a_renamed_component_is_one_noise_row() -> None:
    def made(name: str) -> Any:
        ref = {"$ref": f"#/components/schemas/{name}"}
        return pairs.document({f"/p{at}": pairs.get(ref) for at in range(3)}, {name: pairs.OBJECT})

    ledger = pairs.diff(made("Old"), made("New"))
    assert ledger.deltas == ()
    assert [(noise.delta.facet, noise.delta.released, noise.delta.candidate) for noise in ledger.noise] == [
        ("component name", "Old", "New")
    ]


def test_wording_is_noise_with_a_reason_and_unread_rows_pass_through() -> None:
    reworded = pairs.edited("components|schemas|Order|description", "an order")
    reworded["paths"]["/orders"]["get"]["summary"] = "list"
    ledger = pairs.diff(pairs.base(), reworded)
    assert ledger.deltas == ()
    assert sorted(noise.delta.facet for noise in ledger.noise) == ["description", "summary"]
    assert all(noise.reason for noise in ledger.noise)
    dangling = pairs.edited("paths|/orders|post|parameters|0", {"$ref": "#/components/parameters/None"})
    assert pairs.diff(dangling, dangling).unread == (*pairs.contract(dangling).unread, *pairs.contract(dangling).unread)
    assert pairs.contract(dangling).unread
