"""An entry says what the contract defines, cites where, and nothing else."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest

from evreview.core.json_pointer import follow
from evreview.core.quoted_text import Text, UserText, plain
from evreview.core.vocabulary import ABSENT, Concern, EvidenceId
from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import OK, contract_of, read
from tests.workflows.w2.rich import RICH, rich

PUT = "/paths/~1orders~1{order_id}/put"
SCHEMAS = "/components/schemas"


def entry_of(contract: Any) -> Entry:
    return Entries(contract, EvidenceId("E1")).entry(operations_of(contract)[0])


def words(value: Any) -> Iterator[str]:
    """Every text of an entry that could be printed, the contract's element left out."""
    if isinstance(value, UserText | str):
        yield str(value)
    elif isinstance(value, tuple):
        for each in value:
            yield from words(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, Citation):
        for slot in dataclasses.fields(value):
            if slot.name not in ("element", "citations"):
                yield from words(getattr(value, slot.name))
    elif isinstance(value, int | float | dict | list):
        yield json.dumps(value)


def said(entry: Entry) -> str:
    return "\n".join(words(entry))


def fields(body: Body) -> dict[str, FieldRow]:
    return {row.path: row for row in body.fields}


def prop(entry: Entry, name: str) -> str | None:
    return next((plain(row.value) for row in entry.properties if row.name == name), None)


@pytest.mark.req("W2O-001", "W2O-002", "W2O-003", "W2O-004", "W2O-019")
def test_the_operations_own_rows() -> None:
    _, _, entry = rich()
    assert prop(entry, "operation ID") == "putOrder"
    assert prop(entry, "API version") == "1.2.9"
    assert prop(entry, "base URL shape") == "https://{tenant}.api.example.com/v1"
    assert prop(entry, "request body") == "required"
    assert prop(entry, "behaviour: summary") == "Replaces an order"


@pytest.mark.req("W2O-005", "W2O-037")
def test_alternatives_of_authentication_with_invented_values() -> None:
    _, _, entry = rich()
    demands = entry.authentication.alternatives
    assert sorted(tuple(use.key for use in demand) for demand in demands) == [
        ("apiKey header x-secret-key", "http basic"),
        ("oauth2",),
    ]
    uses = {use.key: use for demand in demands for use in demand}
    assert uses["oauth2"].scopes == ("orders:write",)
    assert uses["oauth2"].placeholder == "Authorization: Bearer <access-token>"
    assert uses["apiKey header x-secret-key"].placeholder.endswith(": <api-key>")
    assert "; or " in plain(entry.authentication.says)
    assert " and " in plain(entry.authentication.says)


@pytest.mark.parametrize(
    ("security", "stated", "alternatives"),
    [
        (None, False, ()),
        ([], True, ((),)),
        ([{}], True, ((),)),
        ([{"nowhere": []}], True, (("undeclared (nowhere)",),)),
    ],
)
def test_no_credentials_is_not_the_same_as_no_statement(security: Any, stated: bool, alternatives: Any) -> None:
    rest = {} if security is None else {"security": security}
    entry = entry_of(contract_of({"/a": {"get": {"responses": OK, **rest}}}))
    assert entry.authentication.stated is stated
    assert tuple(tuple(use.key for use in demand) for demand in entry.authentication.alternatives) == alternatives


@pytest.mark.req("W2O-006", "W2O-007", "W2O-008", "W2O-009")
def test_parameters_with_type_requiredness_and_validation() -> None:
    _, _, entry = rich()
    rows = {(row.location, row.name): row for row in entry.parameters}
    size = rows["query", "page_size"]
    assert (plain(size.type), size.required, size.default) == ("integer", False, 31)
    assert [plain(each.says) for each in size.validation] == ["3 to 97"]
    order = rows["path", "order_id"]
    assert order.required
    assert [plain(each.says) for each in order.validation] == ["matches ^ord_"]
    assert rows["query", "tags"].style.startswith("pipeDelimited")
    assert rows["header", "Idempotency-Key"].required
    assert size.claim == "PUT /orders/{order_id} parameters query page_size"


@pytest.mark.req("W2O-010", "W2O-011", "W2O-012", "W2O-013", "W2O-014")
def test_success_fields_with_type_requiredness_and_values() -> None:
    _, _, entry = rich()
    (response,) = entry.success
    (body,) = response.bodies
    rows = fields(body)
    assert (response.status, body.media_type) == ("200", "application/vnd.order+json")
    assert list(rows) == [
        "id", "state", "parent", "lines", "lines[]", "lines[].sku", "labels", "labels.*", "payment",
        "payment.kind", "payment.digits", "payment.iban",
    ]  # fmt: skip
    assert (plain(rows["id"].type), rows["id"].required) == ("string (uuid)", True)
    assert (plain(rows["state"].allowed[0].says), rows["state"].required) == ("one of open, shut", True)
    assert plain(rows["lines"].type) == "array of object"
    assert [plain(each.says) for each in rows["lines[].sku"].allowed] == ["at least 5 characters"]
    assert rows["lines[].sku"].required
    assert plain(rows["labels"].type) == "map of string"
    assert rows["payment.iban"].branch == "kind=Transfer"
    assert plain(rows["payment.iban"].type) == "string or null"
    assert any("repeat" in plain(note) for note in rows["parent"].notes)
    assert body.claim_of(rows["lines[].sku"]) == (
        "PUT /orders/{order_id} success responses 200 application/vnd.order+json lines[].sku"
    )


def test_each_direction_keeps_its_own_fields() -> None:
    _, _, entry = rich()
    sent = fields(entry.body.bodies[0]) if entry.body else {}
    answered = fields(entry.success[0].bodies[0])
    assert ("id" in sent, "passcode" in sent) == (False, True)
    assert ("id" in answered, "passcode" in answered) == (True, False)


@pytest.mark.req("W2O-015", "W2O-016", "W2O-017", "W2O-018")
def test_errors_with_the_codes_of_their_own_status() -> None:
    _, _, entry = rich()
    errors = {response.status: response for response in entry.errors}
    assert list(errors) == ["404", "409", "429", "default"]
    (problem,) = errors["404"].bodies
    assert problem.media_type == "application/problem+json"
    assert [(code.value, code.example) for code in errors["404"].codes_of(problem)] == [("order_missing", False)]
    assert list(fields(problem)) == ["code", "detail"]
    (conflict,) = errors["409"].bodies
    assert [(code.value, code.example) for code in errors["409"].codes_of(conflict)] == [("order_busy", True)]
    assert errors["429"].bodies == ()


@pytest.mark.req("W2O-020", "W2O-021", "W2O-022", "W2O-023", "W2O-024")
def test_what_is_stated_beside_the_keywords() -> None:
    _, _, entry = rich()
    found = {(row.concern, row.name) for row in entry.stated}
    assert found == {
        (Concern.LIMITS, "description"),
        (Concern.LIMITS, "page_size"),
        (Concern.LIMITS, "lines"),
        (Concern.IDEMPOTENCY, "description"),
        (Concern.IDEMPOTENCY, "Idempotency-Key"),
        (Concern.SIDE_EFFECTS, "description"),
        (Concern.PAGINATION, "page_size"),
        (Concern.RATE_LIMITS, "x-rate-limit"),
        (Concern.RATE_LIMITS, "X-RateLimit-Left"),
        (Concern.RATE_LIMITS, "429"),
    }


REMOVALS = {
    f"{PUT}/operationId": "putOrder",
    f"{PUT}/summary": "Replaces",
    f"{PUT}/description": "55",
    f"{PUT}/x-rate-limit": "12 per minute",
    f"{PUT}/parameters/0": "page_size",
    f"{PUT}/parameters/0/schema/maximum": "97",
    f"{PUT}/parameters/0/schema/default": "31",
    f"{PUT}/parameters/1/style": "pipeDelimited",
    f"{PUT}/parameters/2": "Idempotency-Key",
    "/paths/~1orders~1{order_id}/parameters/0/schema/pattern": "^ord_",
    f"{PUT}/responses/200": "application/vnd.order+json",
    f"{PUT}/responses/200/headers/X-Total-Seen": "X-Total-Seen",
    f"{PUT}/responses/200/headers/X-Total-Seen/schema/minimum": "19",
    f"{PUT}/responses/404": "order_missing",
    f"{PUT}/responses/404/content/application~1problem+json": "application/problem+json",
    f"{PUT}/responses/404/content/application~1problem+json/schema/properties/code": "order_missing",
    f"{PUT}/responses/404/content/application~1problem+json/schema/properties/detail": "777",
    f"{PUT}/responses/409/content/application~1json/examples": "order_busy",
    f"{PUT}/responses/429": "429",
    f"{PUT}/responses/default": "anything else",
    f"{SCHEMAS}/Order/allOf/1/properties/lines/maxItems": "23",
    f"{SCHEMAS}/Order/allOf/1/properties/lines/items/properties/sku": "lines[].sku",
    f"{SCHEMAS}/Order/allOf/1/properties/labels/additionalProperties": "41",
    f"{SCHEMAS}/Order/allOf/1/properties/payment/oneOf/1": "iban",
    f"{SCHEMAS}/Base/properties/id/format": "uuid",
    f"{SCHEMAS}/Base/properties/passcode": "passcode",
    f"{SCHEMAS}/Order/allOf/1/properties/state/enum": "shut",
    "/security/0": "orders:write",
    "/security/1/keyed": "X-Secret-Key",
    "/servers": "tenant",
    "/info/version": "1.2.9",
}


@pytest.mark.req("W2D-003", "W2O-033")
@pytest.mark.parametrize("where", REMOVALS)
def test_a_fact_that_leaves_the_contract_leaves_the_entry(where: str) -> None:
    assert REMOVALS[where].lower() in said(rich()[2]).lower()
    assert REMOVALS[where].lower() not in said(rich(where)[2]).lower()


def numbers(says: Text) -> list[str]:
    """The words of a constraint that are the contract's: each bound, pattern and value."""
    return [str(part) for part in says if isinstance(part, UserText)]


def every_row(entry: Entry) -> Iterator[tuple[str, tuple[Citation, ...]]]:
    """Each row's own fact, as the contract must hold it, with the row's citations."""
    for row in entry.properties:
        if row.name.startswith(("operation ID", "API", "behaviour")):
            yield plain(row.value), row.citations
        if row.name == "base URL shape":
            yield from ((part, row.citations) for part in plain(row.value).split("/"))
    for parameter in entry.parameters:
        yield parameter.name, parameter.citations
        yield from ((each, parameter.citations) for text in parameter.validation for each in numbers(text.says))
    for body in (*(entry.body.bodies if entry.body else ()), *(b for r in entry.responses for b in r.bodies)):
        yield body.media_type, body.citations
        for row in body.fields:
            name = row.path.rpartition(".")[2].removesuffix("[]")
            yield "" if name in ("*", "") or row.path.endswith("[]") else name, row.citations
            yield from ((each, row.citations) for text in row.allowed for each in numbers(text.says))
    for response in entry.responses:
        yield response.status, response.citations
        yield from ((header.name, header.citations) for header in response.headers)
        for _, codes in response.codes:
            yield from ((code.value, code.citations) for code in codes)
    for stated in entry.stated:
        yield next((str(part) for part in stated.says if isinstance(part, UserText)), ""), stated.citations


SWAGGER = {
    "swagger": "2.0",
    "info": {"title": "Old", "version": "0.9.1"},
    "host": "old.example.com",
    "basePath": "/v0",
    "consumes": ["application/x-www-form-urlencoded"],
    "produces": ["application/xml", "application/json"],
    "parameters": {"size": {"name": "size", "in": "formData", "type": "integer", "maximum": 88}},
    "paths": {
        "/files": {
            "parameters": [{"name": "note", "in": "formData", "type": "string", "maxLength": 33}],
            "post": {
                "parameters": [
                    {"$ref": "#/parameters/size"},
                    {"name": "tag", "in": "query", "type": "array", "items": {"type": "string"}, "maxItems": 7},
                ],
                "responses": {
                    "200": {
                        "description": "ok",
                        "headers": {"X-Left": {"type": "integer", "minimum": 2}},
                        "schema": {"type": "object", "properties": {"name": {"type": "string", "enum": ["a1", "b2"]}}},
                    },
                    "400": {
                        "description": "bad",
                        "schema": {"type": "object"},
                        "examples": {"application/json": {"code": "too_big"}},
                    },
                },
            },
        }
    },
}


@pytest.mark.req("PU-004")
@pytest.mark.parametrize("document", [RICH, SWAGGER], ids=["3.1", "2.0"])
def test_every_citation_leads_to_text_that_holds_the_fact(document: dict[str, Any]) -> None:
    rows = list(every_row(entry_of(read(document))))
    assert len(rows) > 10
    for fact, citations in rows:
        assert citations, fact
        texts = []
        for citation in citations:
            where = unquote(citation.locator.removeprefix("#"))
            found = follow(document, where)
            assert found is not ABSENT, (fact, citation)
            texts.append(where.replace("~1", "/") + json.dumps(found))
        assert any(fact.lower() in text.lower() for text in texts), (fact, citations)


def test_swagger_forms_and_media_types_are_cited_where_they_are_written() -> None:
    entry = entry_of(read(SWAGGER))
    assert entry.body is not None
    rows = fields(entry.body.bodies[0])
    assert str(rows["size"].citations[0]) == "E1#/parameters/size"
    assert str(rows["note"].citations[0]) == "E1#/paths/~1files/parameters/0"
    assert str(entry.body.bodies[0].citations[0]) == "E1#/consumes/0"
    assert prop(entry, "base URL shape") == "//old.example.com/v0"
    bad = entry.errors[0]
    assert [code.value for body in bad.bodies for code in bad.codes_of(body)] == ["too_big"]


def test_a_listing_that_would_grow_too_long_says_where_it_ends() -> None:
    wide = {"type": "object", "properties": {f"f{at}": {"type": "string"} for at in range(200)}}
    schema = {"type": "object", "properties": {"first": wide, "second": wide}}
    ok = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    entry = entry_of(contract_of({"/a": {"get": {"responses": ok}}}))
    rows = fields(entry.success[0].bodies[0])
    assert "first.f199" in rows
    assert "second.f0" not in rows
    assert any("not listed" in plain(note) for note in rows["second"].notes)


def test_subtypes_that_a_discriminator_selects_are_alternatives() -> None:
    schemas = {
        "Pet": {
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}},
        },
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"claws": {"type": "integer"}}}]},
    }
    pet = {"$ref": "#/components/schemas/Pet"}
    ok = {"200": {"description": "ok", "content": {"application/json": {"schema": pet}}}}
    entry = entry_of(contract_of({"/a": {"get": {"responses": ok}}}, components={"schemas": schemas}))
    assert fields(entry.success[0].bodies[0])["claws"].branch == "kind=cat"


@pytest.mark.parametrize(
    ("schema", "pages"),
    [({"type": "integer"}, True), ({"type": "string"}, True), ({"type": "string", "enum": ["small", "large"]}, False)],
)
def test_a_choice_among_fixed_values_is_no_place_in_a_list(schema: dict[str, object], pages: bool) -> None:
    listed = {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}}
    size = {"name": "size", "in": "query", "schema": schema}
    contract = contract_of({"/parcels": {"get": {"parameters": [size], "responses": listed}}})
    (operation,) = operations_of(contract)
    stated = Entries(contract, EvidenceId("E1")).entry(operation).stated
    assert any(row.concern is Concern.PAGINATION for row in stated) is pages
