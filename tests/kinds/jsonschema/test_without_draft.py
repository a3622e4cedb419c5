"""Schemas that name no draft: which kind they are, what keywords of several drafts say, and what nobody reads."""

from __future__ import annotations

import json

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import ContractKind, Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.pipeline import written

TEXT: dict[str, Json] = {"type": "string"}
NUMBER: dict[str, Json] = {"type": "number"}


def pair(before: Json, after: Json) -> Comparison:
    return compare(*(written("order.json", json.dumps(it).encode()) for it in (before, after)))


def holding(**more: Json) -> dict[str, Json]:
    return {"type": "object", "properties": {"cash": TEXT, "till": TEXT}, **more}


def places(*items: Json, **more: Json) -> dict[str, Json]:
    return {"type": "array", "items": list(items), **more}


BREAKS: list[tuple[Json, Json]] = [
    (holding(), holding(dependencies={"cash": ["till"]})),
    (holding(), holding(dependencies={"cash": {"required": ["till"]}})),
    ({"type": "array", "items": holding()}, {"type": "array", "items": holding(dependencies={"till": ["cash"]})}),
    (holding(definitions={"a": TEXT}), holding(definitions={"a": TEXT}, dependencies={"cash": {"maxProperties": 1}})),
    (places(TEXT, TEXT), places(TEXT, NUMBER)),
    (places(TEXT), places(TEXT, additionalItems=False)),
    (places(TEXT), places(TEXT, additionalItems=TEXT)),
    (places(), places(NUMBER)),
    (
        {**holding(), "patternProperties": {"^box": places(TEXT)}},
        {**holding(), "patternProperties": {"^box": places(NUMBER)}},
    ),
    ({"type": "number", "minimum": 1}, {"type": "number", "minimum": 1, "exclusiveMinimum": True}),
    (holding(properties={"cash": places(TEXT)}), holding(properties={"cash": places(TEXT, {"const": 1})})),
]


@pytest.mark.parametrize(("before", "after"), BREAKS, ids=str)
def test_keywords_of_every_draft_decide_and_are_shown(before: Json, after: Json) -> None:
    found = pair(before, after)
    assert not found.unread
    (row,) = (row for row in found.breaking if "message read" in row.delta.address)
    assert row.proof.status is ProofStatus.WITNESSED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (holding(dependencies={"cash": ["till"]}), holding(dependentRequired={"cash": ["till"]})),
        (
            holding(dependencies={"cash": {"maxProperties": 1}}),
            holding(dependentSchemas={"cash": {"maxProperties": 1}}),
        ),
        (places(TEXT, NUMBER), {"type": "array", "prefixItems": [TEXT, NUMBER]}),
        (places(TEXT, additionalItems=False), {"type": "array", "prefixItems": [TEXT], "items": False}),
    ],
)
def test_both_spellings_say_the_same(before: Json, after: Json) -> None:
    assert not pair(before, after).rows


@pytest.mark.parametrize("draft", ["2019-09", "2020-12"])
def test_drafts_that_dropped_a_keyword_pass_over_it(draft: str) -> None:
    named = {"$schema": f"https://json-schema.org/draft/{draft}/schema"}
    assert not pair(holding(**named), holding(**named, dependencies={"cash": ["till"]})).rows


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (places(TEXT), ContractKind.JSON_SCHEMA),
        ({"type": "array", "items": places(TEXT, NUMBER)}, ContractKind.JSON_SCHEMA),
        ({"type": "array", "items": {"type": "array", "items": places({"type": "integer"})}}, ContractKind.JSON_SCHEMA),
        (places(holding()), ContractKind.JSON_SCHEMA),
        ({"type": "array", "items": TEXT}, ContractKind.JSON_SCHEMA),
        (places("string", "null"), ContractKind.AVRO),
        (places(TEXT, "null"), ContractKind.AVRO),
        (places({"type": "long"}, TEXT), ContractKind.AVRO),
        ({"type": "array", "items": places({"type": "enum", "name": "E", "symbols": ["A"]})}, ContractKind.AVRO),
        ({"type": "array", "items": "string"}, ContractKind.AVRO),
        ({"type": "map", "values": [TEXT]}, ContractKind.AVRO),
    ],
    ids=str,
)
def test_an_array_is_of_the_kind_that_its_items_are_of(document: Json, kind: ContractKind) -> None:
    assert written("order.json", json.dumps(document).encode()).kind is kind


@pytest.mark.parametrize("pattern", ["([", "a{2,1}", "*a", "[z-a]", "(?<n>a", "\\p{Nothing}", "a)"])
def test_an_expression_that_nobody_reads_is_listed_though_both_sides_agree(pattern: str) -> None:
    found = pair(*(holding(properties={"cash": {"pattern": pattern}}, maxProperties=most) for most in (3, 2)))
    assert [item.place.pointer for item in found.unread] == ["/properties/cash/pattern"] * 2
    assert [row.judgement.verdict for row in found.breaking] == [Verdict.BREAKING]
    changed = pair({"type": "string", "pattern": pattern}, {"type": "string", "pattern": "a"})
    assert {row.judgement.verdict for row in changed.rows} == {Verdict.UNKNOWN}


def test_names_by_an_expression_that_nobody_reads_are_listed() -> None:
    found = pair({"patternProperties": {"([": TEXT}, "type": "object"}, {"type": "object"})
    assert [item.place.pointer for item in found.unread] == ["/patternProperties"]
    assert not any(row.proof.status is ProofStatus.PROVED for row in found.rows)


@pytest.mark.parametrize("pattern", ["^\\p{L}+$", "(?<year>[0-9]{4})", "[^]", "\\cJ", "a{,3}", "^[\\w.-]+$"])
def test_an_expression_that_some_engine_reads_is_no_gap(pattern: str) -> None:
    assert not pair(*({"type": "string", "pattern": pattern, "maxLength": most} for most in (9, 8))).unread


def test_a_member_called_pattern_is_no_expression() -> None:
    assert not pair({"properties": {"pattern": TEXT}}, {"properties": {"pattern": NUMBER}}).unread
