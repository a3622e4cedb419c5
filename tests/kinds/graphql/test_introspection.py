"""The answer of a server to an introspection query is the same contract as its text."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from graphql import build_schema, introspection_from_schema

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import ContractKind, Json
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.kinds.graphql.graphql_space import BASE, EDITS, made
from tests.pipeline import written


def answer(text: str, **options: bool) -> dict[str, Any]:
    return dict(introspection_from_schema(build_schema(text, assume_valid=True), **options))


def told(document: Any) -> Contract:
    return written("E2", json.dumps(document).encode())


def rows(released: Contract, candidate: Contract) -> set[tuple[str, ...]]:
    found = compare(released, candidate)
    return {(row.delta.id, row.judgement.rule or "", row.proof.status.value) for row in found.rows}


@pytest.mark.parametrize("whole", [True, False], ids=["data", "schema alone"])
def test_text_and_answer_are_one_contract(whole: bool) -> None:
    document = {"data": answer(BASE), "extensions": {}} if whole else answer(BASE)
    found, text = told(document), written("E1", BASE.encode())
    assert found.kind is ContractKind.GRAPHQL and found.unread == ()
    both = compare(text, found)
    assert (both.rows, both.noise) == ((), ())


CHOSEN = [range(at, len(EDITS), 9) for at in range(9)]


@pytest.mark.parametrize("chosen", CHOSEN, ids=str)
def test_the_same_rows_come_of_answers(chosen: range) -> None:
    text = made(chosen)
    of_texts = rows(written("E1", BASE.encode()), written("E2", text.encode()))
    assert of_texts and rows(told(answer(BASE)), told(answer(text))) == of_texts


def test_places_are_pointers_into_the_answer() -> None:
    document = {"data": answer(BASE)}
    for element in [each for operation in told(document).root.children for each in (operation, *operation.children)]:
        assert element.place.file == "E2" and element.place.pointer.startswith("/data/__schema/")
        part = follow(document, element.place.pointer)
        assert isinstance(part, dict)
        assert part["name"] == element.name.split(" ")[-1].removeprefix("@") or element.key == ""


def test_deprecations_defaults_and_marks_are_read() -> None:
    text = """
    type Query { a(b: Int = 3 @deprecated(reason: "c"), d: [E] = [A]): Time @deprecated }
    enum E { A B @deprecated(reason: "no more") } scalar Time @specifiedBy(url: "https://time.test")
    interface Node implements Thing { id: ID } interface Thing { id: ID }
    input By @oneOf { id: ID name: String } directive @d(by: By) repeatable on FIELD | OBJECT
    """
    found = compare(written("E1", text.encode()), told(answer(text)))
    assert (found.rows, found.noise, found.unread) == ((), (), ())


def test_what_the_query_did_not_ask_for_is_said_once() -> None:
    text = """type Query { a: T b: U c(by: By): Int } scalar T scalar U input By { id: ID }
    directive @d on FIELD directive @e on FIELD"""
    asked = answer(text, one_of=False, specified_by_url=False, directive_is_repeatable=False)
    unread = told(asked).unread
    keys = ("specifiedByURL", "isOneOf", "isRepeatable")
    assert [next(key for key in keys if key in each.found) for each in unread] == list(keys)
    assert {each.place.file for each in unread} == {"E2"} and all(
        "isRep" in each.found or "types" in str(each.place) for each in unread
    )


def edited(*path: str | int, value: Json) -> dict[str, Any]:
    document = copy.deepcopy(answer("type Query { a(b: [Int!] = [1]): E } enum E { A } directive @d on FIELD"))[
        "__schema"
    ]
    types = {each["name"]: each for each in document["types"]}
    document["types"] = [types["Query"], types["E"]]
    document["directives"] = [each for each in document["directives"] if each["name"] == "d"]
    node: Any = document
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return {"__schema": document}


QUERY = ("types", 0)
FIELD = "/types/0/fields/0"
BROKEN: list[tuple[tuple[str | int, ...], Json, str, str]] = [
    ((*QUERY, "name"), "a b", "graphql-introspection", "/types/0/name"),
    ((*QUERY, "name"), None, "graphql-introspection", "/types/0/name"),
    ((*QUERY, "kind"), "TABLE", "graphql-introspection", "/types/0/kind"),
    ((*QUERY, "fields"), None, "graphql-introspection", "/types/0"),
    ((*QUERY, "fields", 0), 3, "graphql-introspection", FIELD),
    ((*QUERY, "fields", 0, "type"), {"kind": "LIST", "ofType": None}, "graphql-introspection", f"{FIELD}/type/ofType"),
    ((*QUERY, "fields", 0, "args", 0, "defaultValue"), "[1", "graphql-introspection", f"{FIELD}/args/0/defaultValue"),
    ((*QUERY, "fields", 0, "args", 0, "defaultValue"), "$x", "graphql-introspection", f"{FIELD}/args/0/defaultValue"),
    ((*QUERY, "fields", 0, "type", "name"), "Gone", "graphql-type-unknown", f"{FIELD}/type"),
    (("queryType", "name"), "Gone", "graphql-type-unknown", "/queryType"),
    (("directives", 0, "locations"), ["MOON"], "graphql-introspection", "/directives/0/locations"),
    (("types", 1, "name"), "Query", "graphql-definition", "/types/1"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "code", "place"), BROKEN, ids=[row[3] for row in BROKEN])
def test_a_broken_answer_says_where(path: tuple[str | int, ...], value: Json, code: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        told(edited(*path, value=value))
    assert (code, f"#/__schema{place}", "E2") in [(each.code, each.place, each.file) for each in caught.value.problems]


OTHERS: list[Json] = [
    {"data": None, "errors": [{"message": "__schema is disabled"}]},
    {"data": {"__schema": {}}},
    {"data": {"__schema": None}},
    {"__schema": {"types": "none"}},
    {"a": {"__schema": {"types": []}}},
]


@pytest.mark.parametrize("document", OTHERS, ids=str)
def test_other_answers_are_no_schema(document: Json) -> None:
    with pytest.raises(BadInput) as caught:
        told(document)
    assert {problem.code for problem in caught.value.problems} == {"contract-kind-unknown"}


def test_nesting_without_end_is_refused() -> None:
    deep = '{"kind": "LIST", "ofType": ' * 3000 + "null" + "}" * 3000
    whole = json.dumps(edited(*QUERY, "fields", 0, "type", value="DEEP")).replace('"DEEP"', deep)
    with pytest.raises(BadInput) as caught:
        written("E2", whole.encode())
    assert [problem.file for problem in caught.value.problems] == ["E2"]


def test_a_folder_with_an_answer_is_a_contract() -> None:
    named = {"schema.json": json.dumps(answer(BASE)).encode(), "package.json": b"{}", "notes.md": b"x"}
    found = read_contract("", lambda name: named[name], tuple(sorted(named)))
    assert found.kind is ContractKind.GRAPHQL and list(found.documents) == ["schema.json"]
    with_text = {**named, "a.graphql": b"type Query { a: Int }"}
    both = read_contract("", lambda name: with_text[name], tuple(sorted(with_text)))
    assert list(both.documents) == ["a.graphql"]
