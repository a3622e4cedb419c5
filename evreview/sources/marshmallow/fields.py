"""marshmallow fields and validators as JSON Schema."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant, enum_members, is_enum, whole
from evreview.codefacts.modules import Scope
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.reading import Schema, SchemaReading
from evreview.sources.resolved import Definition, External

PACKAGES: Final = ("marshmallow", "webargs", "flask_marshmallow", "apiflask")
MAX_LEVELS: Final = 12

_TEXT: Final[Schema] = {"type": "string"}
TYPES: Final[dict[str, Schema]] = {
    "String": _TEXT, "Str": _TEXT, "UUID": {"type": "string", "format": "uuid"},
    "DateTime": {"type": "string", "format": "date-time"}, "NaiveDateTime": {"type": "string", "format": "date-time"},
    "AwareDateTime": {"type": "string", "format": "date-time"}, "Date": {"type": "string", "format": "date"},
    "Time": {"type": "string", "format": "time"}, "Email": {"type": "string", "format": "email"},
    "Url": {"type": "string", "format": "uri"}, "URL": {"type": "string", "format": "uri"},
    "Integer": {"type": "integer"}, "Int": {"type": "integer"}, "Float": {"type": "number"},
    "Number": {"type": "number"}, "Decimal": {"type": "number"}, "Boolean": {"type": "boolean"},
    "Bool": {"type": "boolean"}, "TimeDelta": {"type": "integer"}, "Dict": {"type": "object"},
    "Mapping": {"type": "object"}, "Raw": {}, "IP": _TEXT,
    "IPv4": {"type": "string", "format": "ipv4"}, "IPv6": {"type": "string", "format": "ipv6"},
}  # fmt: skip
"""What each field admits in JSON."""
COERCING: Final = ("Integer", "Int", "Float", "Number", "Decimal", "Boolean", "Bool", "TimeDelta")
"""Fields that also take other JSON types which convert."""
REFINED: Final = ("UUID", "DateTime", "NaiveDateTime", "AwareDateTime", "Date", "Time", "Email", "Url", "URL", "IP")
"""Fields whose own check is not exactly JSON Schema's format."""


@dataclass(slots=True)
class Reading(SchemaReading):
    """The state of reading one marshmallow schema. `nested` reads a schema within it."""

    nested: Callable[[Reading, Scope, ast.expr], Schema]


def field_schema(reading: Reading, scope: Scope, call: ast.Call) -> Schema:
    """What one field admits; any value where that can't be told."""
    found = reading.modules.called(scope, call)
    text = ast.unparse(call.func)[:80]
    if not isinstance(found, External) or not found.name.startswith(PACKAGES) or reading.levels > MAX_LEVELS:
        return reading.untold(scope.spot(call), f"the field `{text}`", "Supply the file that defines it.")
    reading.levels += 1
    schema = _typed(reading, scope, call, found.last)
    reading.levels -= 1
    # What is dumped is not validated.
    for validator in _validators(call) if reading.takes else ():
        schema = _validated(reading, scope, schema, validator)
    nullable = keyword(call, "allow_none")
    absent = keyword(call, "load_default") or keyword(call, "missing")
    if constant(reading.modules, scope, nullable) is True or (nullable is None and _is_none(absent)):
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    elif reading.takes and not schema and found.last == "Raw":
        schema = {"not": {"type": "null"}}
    return _with_default(reading, scope, schema, absent)


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _with_default(reading: Reading, scope: Scope, schema: Schema, given: ast.expr | None) -> Schema:
    value = constant(reading.modules, scope, given)
    return schema | {"default": value} if given is not None and value is not MISSING else schema


def _typed(reading: Reading, scope: Scope, call: ast.Call, name: str) -> Schema:
    if name in TYPES:
        strict = constant(reading.modules, scope, keyword(call, "strict")) is True
        reading.coerces = reading.coerces or (name in COERCING and not strict and reading.takes)
        reading.exact = reading.exact and not (name in REFINED and reading.takes)
        return _dict(reading, scope, call) if name in ("Dict", "Mapping") else dict(TYPES[name])
    if name in ("List", "Tuple", "DelimitedList"):
        return _list(reading, scope, call, name)
    if name in ("Nested", "Pluck"):
        return _nested(reading, scope, call, name)
    if name == "Enum":
        return _enum(reading, scope, call)
    if name == "Constant":
        value = constant(reading.modules, scope, keyword(call, "constant", 0))
        return {} if reading.takes or value is MISSING else {"const": value}
    return reading.untold(scope.spot(call), f"a field of type `{name}`, whose values a function decides")


def _dict(reading: Reading, scope: Scope, call: ast.Call) -> Schema:
    values = keyword(call, "values")
    schema: Schema = {"type": "object"}
    if isinstance(values, ast.Call):
        schema |= {"additionalProperties": field_schema(reading, scope, values)}
    reading.exact = reading.exact and keyword(call, "keys") is None
    return schema


def _list(reading: Reading, scope: Scope, call: ast.Call, name: str) -> Schema:
    inner = keyword(call, "cls_or_instance", 0) or keyword(call, "tuple_fields", 0)
    if name == "Tuple":
        parts = inner.elts if isinstance(inner, ast.List | ast.Tuple) else []
        items: list[Json] = [_inner(reading, scope, part) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    return {"type": "array"} if inner is None else {"type": "array", "items": _inner(reading, scope, inner)}


def _inner(reading: Reading, scope: Scope, node: ast.expr) -> Schema:
    if isinstance(node, ast.Call):
        return field_schema(reading, scope, node)
    return field_schema(reading, scope, ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node))


def _nested(reading: Reading, scope: Scope, call: ast.Call, name: str) -> Schema:
    inner = keyword(call, "nested", 0)
    if inner is None or name == "Pluck":
        return reading.untold(scope.spot(call), "a nested schema of a form that is not read")
    schema = reading.nested(reading, scope, inner)
    many = constant(reading.modules, scope, keyword(call, "many"))
    return {"type": "array", "items": schema} if many is True else schema


def _enum(reading: Reading, scope: Scope, call: ast.Call) -> Schema:
    found = reading.modules.resolve(scope, keyword(call, "enum", 0))
    if not isinstance(found, Definition) or not is_enum(reading.modules, found):
        return reading.untold(scope.spot(call), "an enum that no supplied file defines", "Supply the file that does.")
    members = enum_members(reading.modules, found)
    by_value = constant(reading.modules, scope, keyword(call, "by_value")) is True
    values = list(members.values()) if by_value else list(members)
    if MISSING in values:
        return reading.untold(scope.spot(call), "an enum with values that are not constant")
    # Values are compared as Python does, where true is 1.
    reading.coerces = reading.coerces or (by_value and reading.takes)
    return {"enum": values}


def _validators(call: ast.Call) -> list[ast.expr]:
    given = keyword(call, "validate")
    if isinstance(given, ast.List | ast.Tuple):
        return list(given.elts)
    return [given] if given is not None else []


def _validated(reading: Reading, scope: Scope, schema: Schema, validator: ast.expr) -> Schema:
    """The schema with what one validator demands; one that is not known makes it inexact."""
    found = reading.modules.called(scope, validator) if isinstance(validator, ast.Call) else None
    if not isinstance(validator, ast.Call) or not isinstance(found, External) or not found.name.startswith(PACKAGES):
        reading.refuses("", scope.spot(validator), ast.unparse(validator))
        return schema
    words = {word.arg: constant(reading.modules, scope, word.value) for word in validator.keywords if word.arg}
    first = [constant(reading.modules, scope, one) for one in validator.args]
    added = _demands(found.last, words, first, str(schema.get("type")))
    if added is None:
        reading.refuses("", scope.spot(validator), ast.unparse(validator))
        return schema
    return schema | added


def _demands(name: str, words: dict[str, Json], first: list[Json], kind: str) -> Schema | None:
    """What a validator demands as keywords; None when that can't be told."""
    if MISSING in [*words.values(), *first]:
        return None
    match name:
        case "Length":
            places = dict(zip(("min", "max"), first, strict=False)) | words
            size = whole(places.get("equal"))
            least, most = whole(places.get("min")), whole(places.get("max"))
            unit = {"array": "Items", "object": "Properties"}.get(kind, "Length")
            sizes = {f"min{unit}": least if size is None else size, f"max{unit}": most if size is None else size}
            return {key: value for key, value in sizes.items() if value is not None}
        case "Range":
            places = dict(zip(("min", "max"), first, strict=False)) | words
            low = "minimum" if places.get("min_inclusive", True) else "exclusiveMinimum"
            high = "maximum" if places.get("max_inclusive", True) else "exclusiveMaximum"
            bounds = {low: places.get("min"), high: places.get("max")}
            numbers: Schema = {key: value for key, value in bounds.items() if value is not None}
            return numbers if all(isinstance(one, int | float) for one in numbers.values()) else None
        case "OneOf":
            choices = words.get("choices", first[0] if first else None)
            return {"enum": choices} if isinstance(choices, list) else None
        case "Equal":
            return {"const": words.get("comparable", first[0] if first else None)}
        case "Regexp":
            pattern = words.get("regex", first[0] if first else None)
            # Python matches from the beginning only, JSON Schema anywhere.
            return {"pattern": f"^(?:{pattern})"} if isinstance(pattern, str) and "flags" not in words else None
    return None
