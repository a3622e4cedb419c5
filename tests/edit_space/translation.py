"""Schemas of OpenAPI written as JSON Schema 2020-12, from the text of the specifications. Shares no line with evreview.

`nullable` adds null to the `type` of the same schema object and does nothing else (3.0.3, 4.7.24.1); `x-nullable` says
that null is possible; boolean exclusive bounds turn the bound beside them; a reference of 2.0 and 3.0 stands alone; a
discriminator expects its member and a value that names one of the schemas, which alone is asked (3.0.3, 4.7.25; 3.1.1,
4.8.25: where none is named, validation should fail). Formats are asserted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from jsonschema import Draft202012Validator, FormatChecker

from tests.edit_space.forms import OLD, Form, Schema


class Access(StrEnum):
    """How `readOnly` is taken in a request, and `writeOnly` in a response: the versions differ in how much they ask."""

    NOT_OWED = "a hidden member need not be sent"
    FORBIDDEN = "a hidden member must not be sent"


_ONE: Final = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_SINGLE: Final = (*_ONE, "unevaluatedProperties", "unevaluatedItems")
_MANY: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED: Final = ("properties", "patternProperties", "dependentSchemas")


class Translator:
    """Translates the schemas of one form, in one direction."""

    def __init__(self, form: Form, hidden: str, access: Access) -> None:
        self._form, self._hidden, self._access = form, hidden, access

    def __call__(self, schema: Schema) -> Schema:
        """The same set of values as a 2020-12 schema."""
        if isinstance(schema, bool):
            return schema
        if "$ref" in schema and self._form in OLD:
            return {"$ref": schema["$ref"]}
        made = dict(schema)
        for key in _SINGLE:
            if isinstance(made.get(key), (dict, bool)):
                made[key] = self(made[key])
        for key in _MANY:
            if key in made:
                made[key] = [self(branch) for branch in made[key]]
        for key in _NAMED:
            if key in made:
                made[key] = {name: self(member) for name, member in made[key].items()}
        self._bounds(made)
        self._access_of(made, schema)
        self._null(made)
        return self._told(made)

    def _bounds(self, made: dict[str, Any]) -> None:
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
                made[exclusive] = made.pop(bound)

    def _access_of(self, made: dict[str, Any], schema: dict[str, Any]) -> None:
        members = schema.get("properties", {})
        hidden = [name for name, member in members.items() if isinstance(member, dict) and member.get(self._hidden)]
        if hidden and "required" in made:
            made["required"] = [name for name in made["required"] if name not in hidden]
        if hidden and self._access is Access.FORBIDDEN:
            made["properties"] = {**made["properties"], **dict.fromkeys(hidden, False)}

    def _null(self, made: dict[str, Any]) -> None:
        if self._form is Form.V30 and made.pop("nullable", False) is True and "type" in made:
            made["type"] = [made["type"], "null"]
        if self._form is Form.V20 and made.pop("x-nullable", False) is True and "type" in made:
            made["type"] = [made["type"], "null"]

    def _told(self, made: dict[str, Any]) -> Schema:
        told = made.pop("discriminator", None)
        listed = [branch for key in ("oneOf", "anyOf") for branch in made.get(key, [])]
        branches = [branch["$ref"] for branch in listed if isinstance(branch, dict) and "$ref" in branch]
        if not isinstance(told, dict) or not branches:
            return made
        name = told["propertyName"]
        mapping = {ref.rpartition("/")[2]: ref for ref in branches if ref not in told.get("mapping", {}).values()}
        mapping |= told.get("mapping", {})
        chosen = [
            {"allOf": [{"$ref": ref}, {"required": [name], "properties": {name: {"const": value}}}]}
            for value, ref in mapping.items()
        ]
        rest = {key: value for key, value in made.items() if key not in ("oneOf", "anyOf")}
        return {"allOf": [rest, {"anyOf": chosen}]}


def validator(
    schema: Schema, named: Mapping[str, Schema], form: Form, translate: Callable[[Schema], Schema]
) -> Draft202012Validator:
    """The second validator on a schema and what it refers to."""
    inner: Any = {name: translate(each) for name, each in named.items()}
    for key in reversed(form.components):
        inner = {key: inner}
    whole = translate(schema)
    # The schema stands beside what it refers to, so that a pointer from the root finds both.
    root = {"allOf": [whole], **inner} if named else whole
    return Draft202012Validator(root, format_checker=FORMATS)


FORMATS: Final = FormatChecker(formats=())
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


@FORMATS.checks("date", raises=ValueError)
def _date(value: object) -> bool:
    return not isinstance(value, str) or bool(len(value) == 10 and date.fromisoformat(value))


@FORMATS.checks("date-time", raises=ValueError)
def _moment(value: object) -> bool:
    return not isinstance(value, str) or bool(_STAMP.fullmatch(value) and datetime.fromisoformat(value.upper()))


@FORMATS.checks("uuid", raises=ValueError)
def _uuid(value: object) -> bool:
    return not isinstance(value, str) or bool(len(value) == 36 and UUID(value))


@FORMATS.checks("int32")
def _int32(value: object) -> bool:
    return not isinstance(value, (int, float)) or isinstance(value, bool) or -(2**31) <= value < 2**31


@FORMATS.checks("int64")
def _int64(value: object) -> bool:
    return not isinstance(value, (int, float)) or isinstance(value, bool) or -(2**63) <= value < 2**63
