"""Ids inside a shared component do not depend on who uses it, nor on its name."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract
from tests.comparison.pairs import Doc, diff, document, get, json_body, post

ITEM: Any = {"$ref": "#/components/schemas/Item"}


def released() -> Doc:
    inner = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}}
    item = {"type": "object", "properties": {"a": {"type": "string"}, "in": inner, "next": ITEM}}
    child = {"allOf": [ITEM, {"type": "object", "properties": {"own": {"type": "string"}}}]}
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    failed = {"description": "", "headers": {"X-A": {"schema": {"type": "string"}}}, **json_body({"type": "string"})}
    made = document(
        {
            "/m": {**get({"type": "array", "items": ITEM}), **post(ITEM)},
            "/n": get({"$ref": "#/components/schemas/Child"}),
        },
        {"Item": item, "Child": child},
    )
    made["components"] |= {"parameters": {"limit": limit}, "responses": {"failed": failed}}
    using(made, "/m", "get")
    return made


def using(contract: Doc, path: str, method: str) -> None:
    operation = contract["paths"][path][method]
    operation["parameters"] = [{"$ref": "#/components/parameters/limit"}]
    operation["responses"]["400"] = {"$ref": "#/components/responses/failed"}


def edited(contract: Doc) -> Doc:
    made = copy.deepcopy(contract)
    schemas = made["components"]["schemas"]
    name = "Item" if "Item" in schemas else "Thing"
    schemas[name]["properties"]["a"]["maxLength"] = 3
    schemas[name]["properties"]["in"]["properties"]["n"]["maximum"] = 5
    schemas[name]["description"] = "new words"
    made["components"]["parameters"]["limit"]["schema"]["minimum"] = 1
    made["components"]["parameters"]["limit"]["required"] = True
    made["components"]["responses"]["failed"]["headers"].pop("X-A")
    made["components"]["responses"]["failed"]["content"]["application/json"]["schema"]["maxLength"] = 2
    return made


def with_user(contract: Doc) -> Doc:
    made = copy.deepcopy(contract)
    made["paths"]["/aaa"] = copy.deepcopy({"get": made["paths"]["/m"]["get"], **post(ITEM)})
    return made


def renamed(contract: Doc) -> Doc:
    text = json.dumps(contract).replace("schemas/Item", "schemas/Thing").replace('"Item":', '"Thing":')
    return json.loads(text)  # type: ignore[no-any-return]


def ids(old: Doc, new: Doc) -> list[tuple[str, str]]:
    ledger = diff(old, new)
    rows = [(row.facet, row.id) for row in (*ledger.deltas, *(noise.delta for noise in ledger.noise))]
    assert len({name for _, name in rows}) == len(rows)
    return sorted(row for row in rows if row[0] != "component name")


def test_a_user_in_both_contracts_moves_no_id() -> None:
    old, new = released(), edited(released())
    assert len(ids(old, new)) >= 8
    assert ids(with_user(old), with_user(new)) == ids(old, new)
    assert diff(with_user(old), with_user(new)).deltas[0].address.startswith("GET /aaa")


def test_a_user_in_one_contract_adds_its_own_row_only() -> None:
    old, new = released(), edited(released())
    alone = ids(old, new)
    assert set(alone) <= set(ids(old, with_user(new)))
    assert set(alone) <= set(ids(with_user(old), new))


def test_another_component_name_moves_no_id() -> None:
    old, new = released(), edited(released())
    assert ids(old, renamed(new)) == ids(old, new)
    assert ids(renamed(old), renamed(new)) == ids(old, new)


def test_operations_that_share_a_parameter_of_their_path() -> None:
    def made(maximum: int, *methods: str) -> Doc:
        limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": maximum}}
        operation = {"responses": {"204": {"description": ""}}}
        return document({"/m": {"parameters": [limit], **dict.fromkeys(methods, operation)}})

    assert ids(made(9, "get"), made(5, "get")) == ids(made(9, "get", "delete"), made(5, "get", "delete"))


@pytest.mark.parametrize("edits", [["A"], ["B"], ["A", "B"]])
def test_two_components_of_one_shape_keep_two_ids(edits: list[str]) -> None:
    def made(*shorter: str) -> Doc:
        schemas = {name: {"type": "string", "maxLength": 3 if name in shorter else 9} for name in ("A", "B")}
        return document({f"/{name}": get({"$ref": f"#/components/schemas/{name}"}) for name in schemas}, schemas)

    assert len(ids(made(), made(*edits))) == len(edits)


def test_a_component_whose_field_others_write_once_more_keeps_one_row() -> None:
    """Each user of the page adds its own words to `next`: the bound is edited in one place all the same."""

    def made(longest: int) -> Doc:
        page = {"type": "object", "properties": {"next": {"type": "string", "maxLength": longest}}}
        more = {"type": "object", "properties": {"next": {"type": "string", "minLength": 1}}}
        both = {"allOf": [{"$ref": "#/components/schemas/Page"}, more]}
        plain = {"$ref": "#/components/schemas/Page"}
        return document({"/a": get(both), "/b": get(plain), "/c": get(copy.deepcopy(both))}, {"Page": page})

    rows = diff(made(9), made(5)).deltas
    assert [(row.facet, row.operations) for row in rows] == [("maxLength", ("GET /a", "GET /b", "GET /c"))]
    alone = document({"/b": made(9)["paths"]["/b"]}, made(9)["components"]["schemas"])
    edited_alone = document({"/b": made(5)["paths"]["/b"]}, made(5)["components"]["schemas"])
    assert diff(alone, edited_alone).deltas[0].id == rows[0].id


def twins(kind: str, *edited: str) -> Doc:
    """Two components of one form, P used by `/x` and Q by `/y`; the values of some of them are integers."""
    made = document({path: get({"type": "boolean"}) for path in ("/x", "/y")})
    components: Any = {}
    for name, path in (("P", "/x"), ("Q", "/y")):
        value = {"type": "integer" if name in edited else "string"}
        operation, ref = made["paths"][path]["get"], {"$ref": f"#/components/{kind}/{name}"}
        if kind == "parameters":
            components[name] = {"name": "p", "in": "query", "schema": value}
            operation["parameters"] = [ref]
        elif kind == "requestBodies":
            components[name] = {"required": True, **json_body(value)}
            operation["requestBody"] = ref
        elif kind == "responses":
            components[name] = {"description": "", **json_body(value)}
            operation["responses"]["404"] = ref
        else:
            components[name] = {"schema": value}
            operation["responses"]["200"]["headers"] = {f"X-{name}": ref}
    made["components"] |= {kind: components}
    return made


@pytest.mark.parametrize("kind", ["parameters", "requestBodies", "responses", "headers"])
def test_components_of_one_form_have_ids_of_their_own(kind: str) -> None:
    def found(*edited: str) -> set[str]:
        return {row.id for row in diff(twins(kind), twins(kind, *edited)).deltas}

    one, other = found("P"), found("Q")
    assert len(one) == len(other) == 1
    assert one != other
    assert found("P", "Q") == one | other
    more = twins(kind), twins(kind, "P", "Q")
    for contract in more:
        contract["components"][kind] = dict(reversed(contract["components"][kind].items()))
        contract["paths"]["/m"] = copy.deepcopy(contract["paths"]["/x"])
    assert {row.id for row in diff(*more).deltas} == one | other


@pytest.mark.parametrize("media_type", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_encodings_that_one_side_lacks_have_ids_of_their_own(media_type: str) -> None:
    def form(*stated: str) -> Doc:
        value = {"type": "object", "properties": {name: {"type": "object"} for name in "fg"}}
        encoding = {"encoding": {name: {"contentType": "application/xml"} for name in stated}} if stated else {}
        content = {media_type: {"schema": value, **encoding}}
        return document({"/x": {"post": {"requestBody": {"content": content}, "responses": {}}}})

    def found(*stated: str) -> set[str]:
        # Most people keep both contracts in files of two names.
        old, new = (
            read_contract(name, lambda _, made=made: json.dumps(made).encode())
            for name, made in (("a.json", form()), ("b.json", form(*stated)))
        )
        return {row.id for row in diff_contracts(old, new).deltas}

    one, other = found("f"), found("g")
    assert one and other and not one & other
    assert found("f", "g") == one | other
