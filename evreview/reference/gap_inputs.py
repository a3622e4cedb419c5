"""Gaps about requests: what a request needs and the contract leaves out, and inputs that it does not define."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.core.quoted_text import Subject, Text
from evreview.core.vocabulary import Concern, Json
from evreview.reference.applicable import OK, Sample
from evreview.reference.gap_rules import GapRule, Lack, Looked
from evreview.reference.words import CLOSED
from evreview.workflows.w2.contract_rows import ParameterRow

_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
UNTYPED: Final = ("any type",)
_UNDEFINED: Final = "the contract does not define what happens"
_UNTIED: Final = "the contract documents refusals, and does not define which one answers this"


def _what(looked: Looked) -> str:
    return _UNTIED if looked.refuses else _UNDEFINED


def _path_parameters(looked: Looked) -> Iterator[Lack]:
    known = {row.name for row in looked.entry.parameters if row.location == "path"}
    for name in dict.fromkeys(_VARIABLE.findall(looked.entry.operation.path)):
        if name not in known:
            yield Lack(f"path {name}", ("path parameter ", Subject(name), " is not defined"), looked.here)


def _parameter_schemas(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.parameters:
        if row.type in (UNTYPED, ("not stated",)):
            yield Lack(_at(row), (*_named(row), " has no type"), row.citations)


def _descriptions(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.parameters:
        if row.required and not row.description:
            yield Lack(_at(row), (*_named(row), " is required and has no description"), row.citations)


def _invalid_parameters(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.parameters:
        if row.validation or row.required or row.type not in (UNTYPED, ("string",)):
            fails = "missing or " if row.required and row.location != "path" else ""
            says: Text = (*_named(row), f" {fails}outside its type and constraints: ", _what(looked))
            yield Lack(_at(row), says, row.citations)


def _unlisted_query(looked: Looked) -> Iterator[Lack]:
    """An exploded object lists no names, so that every query parameter may be one of its members."""
    any_name = any(row.location == "query" and row.style == "" and _is_open(row) for row in looked.entry.parameters)
    says = "query parameters that the contract does not list: it does not define whether they are ignored or refused"
    if not any_name:
        yield Lack("query", (says,), looked.here)


def _is_open(row: ParameterRow) -> bool:
    kind = str(row.type[0])
    return kind.startswith("map of") or (kind == "object" and CLOSED not in row.validation)


def _additional_members(looked: Looked) -> Iterator[Lack]:
    for body in looked.entry.body.bodies if looked.entry.body else ():
        closed = body.root is None or CLOSED in body.root.allowed
        if body.fields and body.root is not None and not closed and not body.root.listing:
            says: Text = (
                "members of the request body that the contract does not name: ",
                "it does not define whether they are ignored, kept or refused",
            )
            yield Lack(body.media_type, says, body.root.citations)


def _invalid_body(looked: Looked) -> Iterator[Lack]:
    body = looked.entry.body
    for each in body.bodies if body else ():
        if each.root is not None:
            says: Text = ("a request body outside its schema: ", _what(looked))
            yield Lack(each.media_type, says, each.citations)


def _request_schema(looked: Looked) -> Iterator[Lack]:
    body = looked.entry.body
    if body is None:
        return
    if not body.bodies:
        yield Lack("", ("the request body has no media type",), body.citations)
    for each in body.bodies:
        if each.root is None or (each.root.type == UNTYPED and not each.fields):
            yield Lack(
                each.media_type, ("the request body ", Subject(each.media_type), " has no schema"), each.citations
            )


def _undeclared_schemes(looked: Looked) -> Iterator[Lack]:
    told = looked.entry.authentication
    for demand in told.alternatives:
        for use in demand:
            if not use.citations:
                says: Text = ("security scheme ", Subject(use.name), " is demanded and not declared")
                yield Lack(use.name, says, told.citations)


def _refused_callers(looked: Looked) -> Iterator[Lack]:
    told = looked.entry.authentication
    statuses = {row.status for row in looked.entry.errors}
    if told.stated and any(told.alternatives) and not {"401", "403", "4XX", "default"} & statuses:
        says = "a call without valid credentials: the contract does not define what happens"
        yield Lack("", (says,), told.citations)


def _base_url(looked: Looked) -> Iterator[Lack]:
    if not any(row.name == "base URL shape" for row in looked.entry.properties):
        yield Lack("base URL", ("the contract names no server",), looked.here)


def _at(row: ParameterRow) -> str:
    return f"{row.location} {row.name}"


def _named(row: ParameterRow) -> Text:
    return (f"{row.location} parameter ", Subject(row.name))


_LIMIT: Final[dict[str, Json]] = {
    "name": "limit", "in": "query", "description": "How many", "schema": {"type": "integer", "maximum": 9},
}  # fmt: skip
_ID: Final[dict[str, Json]] = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
_FILTERS: Final[dict[str, Json]] = {
    "name": "filters", "in": "query", "schema": {"type": "object", "additionalProperties": {"type": "string"}},
}  # fmt: skip
_OBJECT: Final[dict[str, Json]] = {"type": "object", "properties": {"sku": {"type": "string"}}}
_OAUTH: Final[dict[str, Json]] = {"components": {"securitySchemes": {"oauth": {"type": "oauth2", "flows": {}}}}}
_SERVED: Final[dict[str, Json]] = {"servers": [{"url": "https://api.example.com"}]}


def _sent(schema: Json, **rest: Json) -> dict[str, Json]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": OK, **rest}


RULES: Final = (
    GapRule(
        id="path-parameter-undefined",
        concern=Concern.PARAMETERS,
        why="Nobody can write the path of a request when a part of it is not defined.",
        find=_path_parameters,
        blocks=True,
        example=Sample(operation={"responses": OK}, path="/orders/{id}"),
        counter_example=Sample(operation={"parameters": [_ID], "responses": OK}, path="/orders/{id}"),
    ),
    GapRule(
        id="parameter-type-missing",
        concern=Concern.PARAMETERS,
        why="A parameter without a type tells nobody what to send.",
        find=_parameter_schemas,
        example=Sample(operation={"parameters": [{"name": "q", "in": "query", "schema": {}}], "responses": OK}),
        counter_example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
    ),
    GapRule(
        id="parameter-description-missing",
        concern=Concern.PARAMETERS,
        why="What a caller has to send needs words that say what it means.",
        find=_descriptions,
        example=Sample(operation={"parameters": [_ID], "responses": OK}, path="/orders/{id}"),
        counter_example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
    ),
    GapRule(
        id="base-url-missing",
        concern=Concern.PARAMETERS,
        why="The contract does not say where its paths start.",
        find=_base_url,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"responses": OK}, document=_SERVED),
    ),
    GapRule(
        id="request-schema-missing",
        concern=Concern.REQUEST_BODY,
        why="A body that is to be sent and not described can't be written.",
        find=_request_schema,
        blocks=True,
        example=Sample(operation=_sent({}), method="POST"),
        counter_example=Sample(operation=_sent(_OBJECT), method="POST"),
    ),
    GapRule(
        id="security-scheme-undeclared",
        concern=Concern.AUTHENTICATION,
        why="Nobody can pass a check that is named and not described.",
        find=_undeclared_schemes,
        blocks=True,
        example=Sample(operation={"security": [{"oauth": []}], "responses": OK}),
        counter_example=Sample(operation={"security": [{"oauth": []}], "responses": OK}, document=_OAUTH),
    ),
    GapRule(
        id="undefined-without-credentials",
        concern=Concern.AUTHENTICATION,
        why="Callers whose credentials are missing or wrong want to know what they get.",
        find=_refused_callers,
        example=Sample(operation={"security": [{"oauth": []}], "responses": OK}, document=_OAUTH),
        counter_example=Sample(
            operation={"security": [{"oauth": []}], "responses": {"401": {"description": "who?"}}}, document=_OAUTH
        ),
    ),
    GapRule(
        id="undefined-parameter-value",
        concern=Concern.VALIDATION,
        why="Behaviour for a value that the contract excludes is undefined; it is never inferred.",
        find=_invalid_parameters,
        example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
        counter_example=Sample(operation={"responses": OK}),
    ),
    GapRule(
        id="undefined-query-parameter",
        concern=Concern.PARAMETERS,
        why="OpenAPI has no word for what happens to query parameters that nobody lists.",
        find=_unlisted_query,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"parameters": [_FILTERS], "responses": OK}),
    ),
    GapRule(
        id="undefined-body-member",
        concern=Concern.REQUEST_BODY,
        why="An open object admits further members and says nothing about what becomes of them.",
        find=_additional_members,
        example=Sample(operation=_sent(_OBJECT), method="POST"),
        counter_example=Sample(operation=_sent({**_OBJECT, "additionalProperties": False}), method="POST"),
    ),
    GapRule(
        id="undefined-body-value",
        concern=Concern.VALIDATION,
        why="Behaviour for a body that the contract excludes is undefined; it is never inferred.",
        find=_invalid_body,
        example=Sample(operation=_sent(_OBJECT), method="POST"),
        counter_example=Sample(operation={"responses": OK}, method="POST"),
    ),
)
