"""What each draft knows, and references that lead by the way a value is reached, beside the drafts' validators."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema.validators import validator_for

from evreview.contract.model import Contract
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.kinds.jsonschema.test_jsonschema import DRAFTS, compared, contract, folder

TEXT: dict[str, Json] = {"type": "string"}
WHOLE: dict[str, Json] = {"type": "integer"}
NEW = DRAFTS["draft-2020-12"]
BETWEEN = DRAFTS["draft-2019-09"]


def tree(data: Json, step: dict[str, Json], **more: Json) -> dict[str, Json]:
    """A tree whose children are trees by some reference."""
    properties: dict[str, Json] = {"data": data, "children": {"type": "array", "items": step}}
    return {"type": "object", "properties": properties, **more}


def dynamic(data: Json, **more: Json) -> dict[str, Json]:
    return tree(data, {"$dynamicRef": "#node"}, **{"$schema": NEW, "$dynamicAnchor": "node", **more})


def recursive(data: Json, **more: Json) -> dict[str, Json]:
    return tree(data, {"$recursiveRef": "#"}, **{"$schema": BETWEEN, **more})


def pointing(data: Json, **more: Json) -> dict[str, Json]:
    """Two resources with the same dynamic anchor, the outer one of the event itself."""
    inner = {key: item for key, item in dynamic(data, **{"$id": "tree"}).items() if key != "$schema"}
    outer: dict[str, Json] = {"$schema": NEW, "$id": "https://t.test/strict", "$dynamicAnchor": "node", "$ref": "tree"}
    return {**outer, "unevaluatedProperties": False, "$defs": {"t": inner}, **more}


def named(keyword: str, of: dict[str, Json]) -> dict[str, Json]:
    return {"$schema": NEW, "properties": {"a": {"$dynamicRef": "#x"}}, "$defs": {"q": {keyword: "x", **of}}}


SETTLED = [
    ("one dynamic anchor", dynamic(TEXT), dynamic(WHOLE)),
    ("a plain anchor", named("$anchor", TEXT), named("$anchor", WHOLE)),
    ("a dynamic anchor below", named("$dynamicAnchor", TEXT), named("$dynamicAnchor", WHOLE)),
    ("the anchor of the event itself", pointing(TEXT), pointing(WHOLE)),
    ("beside a reference", {**dynamic(TEXT), "$ref": "#/$defs/o", "$defs": {"o": {}}}, dynamic(WHOLE)),
    (
        "a recursive anchor",
        recursive(TEXT, **{"$recursiveAnchor": True}),
        recursive(WHOLE, **{"$recursiveAnchor": True}),
    ),
    ("no recursive anchor", recursive(TEXT), recursive(WHOLE)),
]


@pytest.mark.parametrize(("before", "after"), [each[1:] for each in SETTLED], ids=[each[0] for each in SETTLED])
def test_references_that_mean_one_schema_are_followed(before: dict[str, Json], after: dict[str, Json]) -> None:
    found = compared(before, after)
    assert found.unread == () and {row.judgement.verdict for row in found.rows} == {Verdict.BREAKING}
    sides = {name: validator_for(side)(side) for name, side in (("released", before), ("candidate", after))}
    for row in found.rows:
        witness: Any = row.proof.witness
        assert row.proof.status is ProofStatus.WITNESSED
        says = {name: side.is_valid(witness["value"]) for name, side in sides.items()}
        assert says == {witness["accepted_by"]: True, witness["refused_by"]: False}


@pytest.mark.parametrize(
    "before",
    [dynamic(TEXT), recursive(TEXT, **{"$recursiveAnchor": True}), recursive(TEXT)],
    ids=["by name", "yes", "no"],
)
def test_what_is_followed_is_a_plain_reference(before: dict[str, Json]) -> None:
    plain = tree(TEXT, {"$ref": "#"}, **{"$schema": str(before["$schema"])})
    assert compared(before, plain).rows == ()


def shared(data: Json) -> Contract:
    """Two events with one anchor, of which one refers to the other: where that leads depends on the event."""
    return folder(
        tree=dynamic(data, **{"$id": "https://t.test/tree"}),
        strict={"$schema": NEW, "$id": "https://t.test/strict", "$dynamicAnchor": "node", "$ref": "tree"},
    )


def test_a_reference_that_depends_on_the_way_is_told() -> None:
    (unread,) = shared(TEXT).unread
    assert "depends" in unread.found and unread.place.pointer == "/properties/children/items"
    found = compare(shared(TEXT), shared(WHOLE))
    assert Verdict.BREAKING in {row.judgement.verdict for row in found.rows}


# A keyword, and the drafts whose validators pass over it.
PASSED: list[tuple[Json, tuple[str, ...]]] = [
    ({"const": 1}, ("draft-4",)),
    ({"propertyNames": {"maxLength": 1}}, ("draft-4",)),
    ({"contains": TEXT}, ("draft-4",)),
    ({"if": {"type": "string"}, "then": {"minLength": 3}}, ("draft-4", "draft-6")),
    ({"dependentRequired": {"a": ["b"]}}, ("draft-4", "draft-6", "draft-7")),
    ({"type": "object", "properties": {"a": True}, "unevaluatedProperties": False}, ("draft-4", "draft-6", "draft-7")),
    ({"prefixItems": [TEXT]}, ("draft-4", "draft-6", "draft-7", "draft-2019-09")),
]
VALUES: list[Any] = [0, 1, "", "a", "abc", {}, {"a": 0}, {"ab": 0}, {"a": 0, "c": 1}, [], [0], ["a"]]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(("keywords", "silent"), PASSED, ids=[next(iter(each[0])) for each in PASSED])  # type: ignore[call-overload]
def test_a_draft_decides_by_what_it_knows(keywords: dict[str, Json], silent: tuple[str, ...], draft: str) -> None:
    bare = {key: item for key, item in keywords.items() if key in ("type", "properties")}
    before, after = (
        {"$schema": DRAFTS[draft], "title": "e", **said} for said in (bare or {"not": {"type": "null"}}, {})
    )
    after = {**before, **keywords}
    found = compared(before, after)
    assert (found.rows == ()) is (draft in silent)
    old, new = validator_for(before)(before), validator_for(after)(after)
    lost = [value for value in VALUES if old.is_valid(value) and not new.is_valid(value)]
    assert (lost == []) is (draft in silent)
    assert bool(found.noise) is (draft in silent)


def test_a_schema_that_names_no_draft_is_read_by_all_keywords() -> None:
    assert compared({"type": "integer"}, {"type": "integer", "const": 1}).rows
    assert contract({"type": "integer", "const": 1}).root.facets == ()


def test_an_unknown_format_is_unknown() -> None:
    found = compared({"$schema": NEW, **TEXT}, {"$schema": NEW, **TEXT, "format": "shop-id"})
    assert {row.judgement.verdict for row in found.rows} == {Verdict.UNKNOWN, Verdict.COMPATIBLE}
    known = compared({"$schema": NEW, **TEXT}, {"$schema": NEW, **TEXT, "format": "uuid"})
    assert {row.judgement.verdict for row in known.rows} == {Verdict.BREAKING, Verdict.COMPATIBLE}


def test_an_announcement_changes_nothing() -> None:
    found = compared({"$schema": NEW, **TEXT}, {"$schema": NEW, **TEXT, "deprecated": True})
    assert {row.judgement.verdict for row in found.rows} == {Verdict.COMPATIBLE}
