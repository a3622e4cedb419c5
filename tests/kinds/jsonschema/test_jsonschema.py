"""JSON Schemas of events: recognised by content, references settled, both directions judged, in every draft."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind, Direction, Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract, read_named
from tests.conftest import PROJECT

CORPUS = PROJECT.parent / "shared" / "corpus" / "jsonschema"
DRAFTS = {
    "draft-4": "http://json-schema.org/draft-04/schema#",
    "draft-6": "http://json-schema.org/draft-06/schema#",
    "draft-7": "http://json-schema.org/draft-07/schema",
    "draft-2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-2020-12": "https://json-schema.org/draft/2020-12/schema",
}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}
CLOSED = {**OPEN, "additionalProperties": False}
WORDS = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}


def contract(document: Json, **others: Json) -> Contract:
    return read_contract("event", loader({"event": document, **others}))


def loader(files: dict[str, Json]) -> Callable[[str], bytes]:
    def load(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(name)
        return json.dumps(files[name]).encode()

    return load


def folder(**files: Json) -> Contract:
    named = {f"{name}.json": value for name, value in files.items()}
    return read_contract("", loader(named), tuple(sorted(named)))


def compared(released: Json, candidate: Json) -> Comparison:
    return compare(contract(released), contract(candidate))


def levels(found: Comparison) -> tuple[bool, bool]:
    """Whether the candidate reads what was written (BACKWARD), and the released side what will be (FORWARD)."""
    broken = {row.delta.direction for row in found.rows if row.judgement.verdict is Verdict.BREAKING}
    unknown = {row.delta.direction for row in found.rows if row.judgement.verdict is Verdict.UNKNOWN}
    assert not unknown, [row.to_dict() for row in found.rows]
    return Direction.READ not in broken, Direction.WRITTEN not in broken


def grown(model: dict[str, Json], *, required: bool = False, kind: str = "string") -> dict[str, Json]:
    properties = {"a": {"type": "string"}, "b": {"type": kind}}
    return {**model, "properties": properties, **({"required": ["b"]} if required else {})}


# What the content model makes of an added property: (before, after, BACKWARD, FORWARD).
MODELS: list[tuple[str, Json, Json, bool, bool]] = [
    ("optional, closed", CLOSED, grown(CLOSED), True, False),
    ("required, closed", CLOSED, grown(CLOSED, required=True), False, False),
    ("optional of the same values, partially open", WORDS, grown(WORDS), True, True),
    ("optional of other values, partially open", WORDS, grown(WORDS, kind="integer"), False, False),
    ("removed, closed", grown(CLOSED), CLOSED, False, True),
    ("opened", CLOSED, OPEN, True, False),
    ("closed", OPEN, CLOSED, False, True),
    ("required now", grown(CLOSED), grown(CLOSED, required=True), False, True),
    ("no type, an open model", {"properties": {}}, {"properties": {"b": {}}}, True, True),
    # Confluent's tables call this compatible: {"foo": ""} is valid before and not after.
    (
        "another one required",
        {"type": "object", "required": ["foo"]},
        {"type": "object", "required": ["bar"]},
        False,
        False,
    ),
    # Confluent's tables call these incompatible, and no value tells the two schemas apart.
    ("rest of items without items", {"type": "array"}, {"type": "array", "additionalItems": False}, True, True),
    ("an enumeration grows", {"enum": ["a"]}, {"enum": ["a", "b"]}, True, False),
    ("a constant", {"const": 1}, {"const": 2}, False, False),
    ("readOnly owes as any other member", CLOSED, {**CLOSED, "required": ["a"]}, False, True),
]


@pytest.mark.parametrize(
    ("before", "after", "backward", "forward"), [row[1:] for row in MODELS], ids=[r[0] for r in MODELS]
)
def test_content_models(before: dict[str, Json], after: dict[str, Json], backward: bool, forward: bool) -> None:
    schema = {"$schema": DRAFTS["draft-7"]}
    found = compared({**schema, **before}, {**schema, **after})
    assert levels(found) == (backward, forward)
    assert {row.proof.status for row in found.rows} <= {ProofStatus.PROVED, ProofStatus.WITNESSED}


def test_an_optional_property_of_an_open_model_may_have_held_anything() -> None:
    """Backward: an old event may hold `b` with any value; the messages of declared members alone are read."""
    found = compared(OPEN, grown(OPEN))
    (read,) = [row for row in found.rows if row.delta.direction is Direction.READ]
    (written,) = [row for row in found.rows if row.delta.direction is Direction.WRITTEN]
    assert written.judgement.verdict is Verdict.COMPATIBLE and written.proof.status is ProofStatus.PROVED
    assert read.judgement.rule == "request-optional-field-added"


def test_read_only_is_no_direction_of_an_event() -> None:
    before = {"type": "object", "properties": {"a": {"type": "string", "readOnly": True}}}
    assert levels(compared(before, {**before, "required": ["a"]})) == (False, True)


@pytest.mark.parametrize(("name", "uri"), DRAFTS.items())
def test_every_draft_is_read(name: str, uri: str) -> None:
    found = contract(
        {"$schema": uri, "type": "object", "properties": {"a": {"$ref": "#/definitions/A"}}, "definitions": {"A": {}}}
    )
    assert (found.kind, found.version, found.unread) == (ContractKind.JSON_SCHEMA, name, ())


OLD = ("draft-4", "draft-6", "draft-7")


@pytest.mark.parametrize("draft", DRAFTS)
def test_what_stands_beside_a_reference_counts_from_2019_on(draft: str) -> None:
    base = {"$schema": DRAFTS[draft], "definitions": {"A": {"type": "string"}}}
    before = {**base, "properties": {"a": {"$ref": "#/definitions/A"}}, "additionalProperties": False}
    after = {**before, "properties": {"a": {"$ref": "#/definitions/A", "maxLength": 3}}}
    assert levels(compared(before, after)) == ((True, True) if draft in OLD else (False, True))


@pytest.mark.parametrize("draft", OLD)
def test_dependencies_of_older_drafts_count(draft: str) -> None:
    before = {"$schema": DRAFTS[draft], "type": "object"}
    assert levels(compared(before, {**before, "dependencies": {"a": ["b"]}})) == (False, True)
    assert levels(compared(before, {**before, "dependencies": {"a": {"required": ["b"]}}})) == (False, True)


def test_draft_4_excludes_a_bound_by_a_flag() -> None:
    before = {"$schema": DRAFTS["draft-4"], "type": "integer", "minimum": 0}
    assert levels(compared(before, {**before, "exclusiveMinimum": True})) == (False, True)


NAMED = [
    ({"$id": "https://a.test/v1/order", "$ref": "/v1/money"}, {"$id": "https://a.test/v1/money", "type": "string"}),
    ({"$id": "https://a.test/v1/order", "$ref": "money"}, {"$id": "https://a.test/v1/money", "type": "string"}),
    ({"$id": "https://a.test/order", "$ref": "money.json"}, {"type": "string"}),
    ({"$ref": "money.json#m"}, {"$defs": {"x": {"$anchor": "m", "type": "string"}}, "type": "object"}),
    ({"$ref": "money.json#/$defs/a~1b"}, {"$defs": {"a/b": {"type": "string"}}, "type": "object"}),
]


@pytest.mark.parametrize(("order", "money"), NAMED)
def test_references_lead_by_identifier_file_and_anchor(order: Json, money: Json) -> None:
    found = compare(folder(order=order, money=money), folder(order={"type": "integer"}, money=money))
    assert folder(order=order, money=money).unread == ()
    assert {(row.delta.operation, row.judgement.verdict) for row in found.rows} == {("order", Verdict.BREAKING)}


def test_a_reference_inside_an_embedded_resource_is_its_own() -> None:
    inner = {"$id": "https://a.test/inner", "$defs": {"x": {"type": "integer"}}, "$ref": "#/$defs/x"}
    outer: dict[str, Json] = {"$id": "https://a.test/outer", "$defs": {"x": {"type": "string"}, "inner": inner}}
    found = contract({**outer, "properties": {"a": {"$ref": "inner"}}})
    alone = contract({"properties": {"a": {"type": "integer"}}})
    assert not compare(found, alone).rows


def test_nothing_is_fetched_and_nothing_is_hidden() -> None:
    found = contract({"type": "object", "properties": {"a": {"$ref": "https://elsewhere.test/a.json"}}})
    assert [row.place.pointer for row in found.unread] == ["/properties/a"]
    same = compare(found, contract({"type": "object", "properties": {"a": {"type": "string"}}}))
    assert {row.judgement.verdict for row in same.rows} == {Verdict.UNKNOWN}


def test_examples_and_defaults_hold_no_references() -> None:
    assert (
        contract({"type": "object", "examples": [{"$ref": "#/nowhere"}], "default": {"$ref": "/etc/passwd"}}).unread
        == ()
    )


def test_one_edit_in_a_shared_definition_is_one_row_per_direction() -> None:
    def schema(kind: str) -> Json:
        uses = {f"f{at}": {"$ref": "#/$defs/money"} for at in range(40)}
        return {"type": "object", "properties": uses, "$defs": {"money": {"type": kind}}}

    found = compared(schema("string"), schema("integer"))
    assert sorted(row.delta.direction or "" for row in found.rows) == [Direction.READ, Direction.WRITTEN]


def test_one_edit_in_a_shared_file_names_every_event() -> None:
    def both(kind: str) -> Contract:
        ref = {"type": "object", "properties": {"m": {"$ref": "money.json"}}}
        return folder(paid=ref, sent=ref, money={"type": kind})

    rows = compare(both("string"), both("integer")).rows
    assert [(row.delta.direction, row.delta.operations) for row in rows] == [
        (Direction.READ, ("money", "paid", "sent")),
        (Direction.WRITTEN, ("money", "paid", "sent")),
    ]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"type": "object", "properties": {"a": {"$ref": "../../etc/passwd"}}}, "ref-outside-bundle"),
        ({"$schema": DRAFTS["draft-7"]}, "jsonschema-empty"),
        ({"kind": "nothing"}, "contract-kind-unknown"),
        ([{"type": "object"}], "contract-not-object"),
    ],
)
def test_broken_input_is_told(document: Json, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        contract(document)
    assert {problem.code for problem in caught.value.problems} == {code}


@pytest.mark.parametrize(
    ("keyword", "before", "after"),
    [("multipleOf", 2, 4), ("minimum", 1, 2), ("minLength", 1, 2), ("contains", {}, {"type": "string"})],
)
def test_one_keyword_beside_a_draft_is_an_event(keyword: str, before: Json, after: Json) -> None:
    draft: Json = DRAFTS["draft-2020-12"]
    found = compared({"$schema": draft, keyword: before}, {"$schema": draft, keyword: after})
    assert levels(found) == (False, True)


def test_all_broken_files_of_a_folder_are_told_at_once() -> None:
    texts = {"a.json": b"{", "b.json": b'{"type": "object"}', "c.json": b'{"a":}'}
    with pytest.raises(BadInput) as caught:
        read_contract("", lambda name: texts[name], tuple(texts))
    assert sorted({problem.file for problem in caught.value.problems}) == ["a.json", "c.json"]


def test_an_event_that_is_gone_has_no_route_that_is_refused() -> None:
    """An event is its value: no request to a path, and no value that the definition refuses, shows that it went."""
    both = {"$schema": DRAFTS["draft-2020-12"], "$defs": {"A": OPEN, "C": CLOSED}}
    (row,) = compared(both, {**both, "$defs": {"A": OPEN}}).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.NOT_APPLICABLE)
    assert (row.proof.witness, row.proof.command) == ({}, "")


def test_a_recursive_schema_ends() -> None:
    def tree(kind: str) -> Json:
        return {"properties": {"value": {"type": kind}, "kids": {"type": "array", "items": {"$ref": "#"}}}}

    assert levels(compared(tree("string"), tree("integer"))) == (False, False)


PAIRS = sorted(CORPUS.glob("*/meta.json"))


@pytest.mark.skipif(not PAIRS, reason="the corpus is not here")
@pytest.mark.parametrize("meta", PAIRS, ids=[path.parent.name for path in PAIRS])
def test_real_pairs_are_judged(meta: Path) -> None:
    released, candidate = (read_named(meta.parent / f"{side}.json")[0] for side in ("released", "candidate"))
    assert released.kind is candidate.kind is ContractKind.JSON_SCHEMA
    found = compare(released, candidate)
    rows = found.rows
    decided = [row for row in rows if row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED)]
    assert len(decided) >= 0.8 * len(rows)
    documented = [change for change in json.loads(meta.read_text())["documented_changes"] if change["breaking"]]
    # The one change documented as breaking asks for members of a list, which no JSON Schema validator looks at.
    explained = {"compose-watch-required"}
    assert not documented or found.breaking or meta.parent.name in explained
