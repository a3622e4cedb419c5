"""Contracts in which a keyword has a value of the wrong kind, one keyword at a time and all at once."""

from __future__ import annotations

from typing import Any

from tests.adversarial.inputs import Document, Pair, api, both, case, object_of, text

KEYWORDS = (
    "type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "unevaluatedProperties", "dependentSchemas", "dependentRequired",
    "required", "items", "prefixItems", "contains", "unevaluatedItems", "minItems", "maxLength", "minimum",
    "multipleOf", "exclusiveMinimum", "pattern", "format", "nullable", "discriminator", "xml", "readOnly", "default",
    "$ref", "$dynamicRef", "$id", "$anchor", "$defs", "$schema", "uniqueItems", "contentEncoding",
)  # fmt: skip
WRONG: tuple[Any, ...] = (None, True, 7, -1.5, "", "x", [], [[]], [None], {}, {"a": 7}, {"": None})


@case
def wrong_kinds() -> Pair:
    """Every keyword with every wrong value, in properties of their own."""

    def make(longest: int) -> Document:
        fields = {
            f"{keyword}-{at}": {keyword: value, "maxLength": longest}
            for keyword in KEYWORDS
            if keyword != "maxLength"
            for at, value in enumerate(WRONG)
        }
        return api(object_of(**fields))

    return both(make)


@case
def schemas_of_wrong_kinds() -> Pair:
    return both(lambda longest: api(object_of(b=text(longest), **{f"p{at}": value for at, value in enumerate(WRONG)})))


@case
def wrong_operations() -> Pair:
    def make(longest: int) -> Document:
        document = dict(api(object_of(b=text(longest))))
        members = ("parameters", "requestBody", "responses", "callbacks", "security", "servers", "tags", "deprecated")
        paths = {
            f"/{member}{at}": {"post": {"responses": {}, member: value}}
            for member in members
            for at, value in enumerate(WRONG)
        }
        return {**document, "paths": {**document["paths"], **paths}}

    return both(make)


@case
def wrong_parts() -> Pair:
    """Parameters, bodies, responses and headers whose members have wrong kinds."""

    def make(longest: int) -> Document:
        document = dict(api(object_of(b=text(longest))))
        paths: dict[str, Any] = {}
        for at, value in enumerate(WRONG):
            parameter = {"name": f"p{at}", "in": "query"}
            parameters = [{**parameter, key: value} for key in ("schema", "content", "style", "explode", "required")]
            response = {"headers": {"X": value}, "content": {"application/json": value}, "links": value}
            body = {"content": {"application/json": {"schema": value, "encoding": value}}}
            paths[f"/{at}"] = {"post": {"parameters": parameters, "requestBody": body, "responses": {"200": response}}}
            paths[f"/w{at}"] = value
        return {**document, "paths": {**document["paths"], **paths}}

    return both(make)


@case
def wrong_components() -> Pair:
    return both(
        lambda longest: {**api(object_of(b=text(longest))), "components": {f"k{at}": v for at, v in enumerate(WRONG)}}
    )


@case
def odd_names() -> Pair:
    names = [
        "",
        " ",
        "__proto__",
        "constructor",
        "$ref",
        "a/b~c",
        "ключ",
        "\u0000",
        "\u202e",
        "x" * 100_000,
        "%2F",
        "{}",
    ]
    return both(lambda longest: api({**object_of(**{name: text(longest) for name in names}), "required": names}))
