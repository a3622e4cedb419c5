"""REST framework serializers as JSON Schema, for what is taken and for what is sent."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.model import CodeNote, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.reading import Schema, SchemaReading, named
from evreview.sources.resolved import Definition, External

MAX_LEVELS: Final = 12
_TEXT: Final[Schema] = {"type": "string"}
TYPES: Final[dict[str, Schema]] = {
    "CharField": _TEXT, "EmailField": {"type": "string", "format": "email"}, "RegexField": _TEXT,
    "SlugField": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}, "URLField": {"type": "string", "format": "uri"},
    "UUIDField": {"type": "string", "format": "uuid"}, "IPAddressField": _TEXT, "IntegerField": {"type": "integer"},
    "FloatField": {"type": "number"}, "DecimalField": {"type": "string"}, "BooleanField": {"type": "boolean"},
    "NullBooleanField": {"type": ["boolean", "null"]}, "DateTimeField": {"type": "string", "format": "date-time"},
    "DateField": {"type": "string", "format": "date"}, "TimeField": {"type": "string", "format": "time"},
    "DurationField": _TEXT, "FileField": _TEXT, "ImageField": _TEXT, "DictField": {"type": "object"},
    "HStoreField": {"type": "object"}, "JSONField": {}, "ListField": {"type": "array"},
}  # fmt: skip
"""What each field admits in JSON."""
_COERCING: Final = (
    "CharField",
    "IntegerField",
    "FloatField",
    "DecimalField",
    "BooleanField",
    "RegexField",
    "SlugField",
)
_REFINED: Final = (
    "EmailField", "URLField", "UUIDField", "DateTimeField", "DateField", "TimeField", "DurationField", "IPAddressField",
    "DecimalField", "FileField", "ImageField",
)  # fmt: skip
_BOUNDS: Final = {"min_value": "minimum", "max_value": "maximum"}


@dataclass(frozen=True, slots=True)
class Serialized:
    """A serializer's values, and the lines of the classes that say so."""

    schema: Schema
    exact: bool
    coerces: bool
    unread: tuple[UnreadCode, ...]
    spots: tuple[Spot, ...]
    checks: tuple[CodeNote, ...] = ()


def is_serializer(modules: Modules, found: object) -> bool:
    """True for a supplied class that derives from one of the framework's serializers."""
    names = ("Serializer", "ModelSerializer", "HyperlinkedModelSerializer", "BaseSerializer", "ListSerializer")
    return (
        isinstance(found, Definition)
        and isinstance(found.node, ast.ClassDef)
        and modules.is_a(found, ("rest_framework",), *names)
    )


def serializer_at(modules: Modules, scope: Scope, expression: ast.expr | None, takes: bool) -> Serialized | None:
    """The values of a serializer class by name; None when no supplied file defines it."""
    found = modules.resolve(scope, expression)
    if not isinstance(found, Definition) or not is_serializer(modules, found):
        return None
    reading = SchemaReading(modules, takes)
    schema = _class(reading, found)
    # What is sent is not validated, so it is never exact.
    exact = reading.exact and takes
    unread, checks = tuple(dict.fromkeys(reading.unread)), tuple(reading.checks)
    return Serialized(schema, exact, reading.coerces, unread, tuple(reading.spots), checks)


def _class(reading: SchemaReading, cls: Definition) -> Schema:
    reading.levels += 1
    spot = cls.scope.spot(cls.node)
    if reading.levels > MAX_LEVELS or spot in reading.spots:
        reading.levels -= 1
        return reading.untold(spot, "a serializer inside itself")
    reading.spots.append(spot)
    fields: dict[str, tuple[Scope, ast.Call]] = {}
    replaced = False
    for base in reversed(reading.modules.ancestry(cls)):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        for name, bindings in scope.names.items() if scope is not None else ():
            node = bindings[-1].node
            if isinstance(node, ast.Call) and scope is not None:
                fields[name] = (scope, node)
            elif (
                name == "validate" or name.startswith("validate_") or name in ("to_internal_value", "to_representation")
            ):
                reading.exact = False
                if name in ("to_internal_value", "to_representation") and node is not None and scope is not None:
                    reading.unread.append(UnreadCode(scope.spot(node), f"`{name}`, which may change every member"))
                    replaced = replaced or name == ("to_internal_value" if reading.takes else "to_representation")
                elif reading.takes and node is not None and scope is not None:
                    reading.refuses(name.removeprefix("validate").removeprefix("_"), scope.spot(node), name)
    schema = _object(reading, fields, _model_fields(reading, cls))
    reading.levels -= 1
    return {} if replaced else schema


def _model_fields(reading: SchemaReading, cls: Definition) -> tuple[str, ...] | None:
    """Members that a ModelSerializer takes from its model; None for a plain serializer."""
    if not reading.modules.is_a(cls, ("rest_framework",), "ModelSerializer", "HyperlinkedModelSerializer"):
        return None
    given, scope = _meta(reading.modules, cls, "fields")
    names = texts(reading.modules, scope, given) if given is not None and scope is not None else None
    spot = cls.scope.spot(cls.node)
    if names is None or names == ("__all__",):
        reading.untold(spot, "the members that a serializer takes from its model", "Declare them with quotes.")
        return ()
    return names


def _meta(modules: Modules, cls: Definition, word: str) -> tuple[ast.expr | None, Scope | None]:
    found = modules.member(cls, "Meta")
    inner = modules.body(found) if isinstance(found, Definition) else None
    for binding in inner.names.get(word, []) if inner is not None else []:
        if isinstance(binding.node, ast.expr):
            return binding.node, inner
    return None, None


def _object(reading: SchemaReading, fields: dict[str, tuple[Scope, ast.Call]], model: tuple[str, ...] | None) -> Schema:
    properties: Schema = {}
    required: list[Json] = []
    for name, (scope, call) in fields.items():
        if not _is_field(reading.modules, scope, call) or (model and name not in model):
            continue
        if _is(reading, scope, call, "read_only" if reading.takes else "write_only"):
            continue
        if reading.takes and _last(call) in ("SerializerMethodField", "ReadOnlyField", "HiddenField"):
            continue
        before = len(reading.checks)
        properties[name] = _field(reading, scope, call)
        reading.checks[before:] = named(reading.checks[before:], name)
        given = keyword(call, "required")
        optional = keyword(call, "default") is not None or constant(reading.modules, scope, given) is False
        if not reading.takes or not optional:
            required.append(name)
    for name in model or ():
        if name not in fields:
            properties.setdefault(name, {})
            reading.exact = False
    if model is not None and any(name not in fields for name in model):
        reading.unread.append(
            UnreadCode(reading.spots[-1], "members whose values the model states", "Declare them with quotes.")
        )
    schema: Schema = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    return schema if reading.takes or model == () else schema | {"additionalProperties": False}


def _last(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_field(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    found = modules.called(scope, call)
    outside = isinstance(found, External) and found.package == "rest_framework"
    return outside or is_serializer(modules, found) or not isinstance(found, External)


def _is(reading: SchemaReading, scope: Scope, call: ast.Call, word: str) -> bool:
    return constant(reading.modules, scope, keyword(call, word)) is True


def _field(reading: SchemaReading, scope: Scope, call: ast.Call) -> Schema:
    found = reading.modules.called(scope, call)
    if isinstance(found, Definition) and is_serializer(reading.modules, found):
        schema = _class(reading, found)
        schema = {"type": "array", "items": schema} if _is(reading, scope, call, "many") else schema
    elif isinstance(found, External) and found.last in TYPES:
        schema = _typed(reading, scope, call, found.last)
    elif isinstance(found, External) and found.last in ("ChoiceField", "MultipleChoiceField"):
        schema = _choices(reading, scope, call, found.last)
    else:
        text = ast.unparse(call.func)[:80]
        schema = reading.untold(scope.spot(call), f"the values of a `{text}`")
    given = keyword(call, "validators")
    if given is not None and reading.takes:
        reading.refuses("", scope.spot(given), ast.unparse(given))
    if _is(reading, scope, call, "allow_null"):
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    default = constant(reading.modules, scope, keyword(call, "default"))
    return schema | {"default": default} if reading.takes and default is not MISSING else schema


def _typed(reading: SchemaReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    schema = dict(TYPES[name])
    if name == "JSONField" and reading.takes and not _is(reading, scope, call, "allow_null"):
        return {"not": {"type": "null"}}
    reading.coerces = reading.coerces or (reading.takes and name in _COERCING)
    if name == "ListField":
        child = keyword(call, "child")
        schema |= {"items": _field(reading, scope, child)} if isinstance(child, ast.Call) else {}
    if not reading.takes:
        return schema
    reading.exact = reading.exact and name not in _REFINED
    unit = {"ListField": "Items"}.get(name, "Length")
    sizes = {
        f"min{unit}": whole(constant(reading.modules, scope, keyword(call, "min_length"))),
        f"max{unit}": whole(constant(reading.modules, scope, keyword(call, "max_length"))),
    }
    schema |= {key: value for key, value in sizes.items() if value is not None}
    for word, key in _BOUNDS.items():
        value = constant(reading.modules, scope, keyword(call, word))
        if isinstance(value, int | float) and not isinstance(value, bool):
            schema[key] = value
    if name == "RegexField":
        pattern = constant(reading.modules, scope, keyword(call, "regex", 0))
        schema |= {"pattern": pattern} if isinstance(pattern, str) and pattern is not MISSING else {}
    if name in ("CharField", "SlugField", "RegexField") and not _is(reading, scope, call, "allow_blank"):
        # A text of blanks is refused too unless trim_whitespace is off.
        schema |= {"minLength": max(1, whole(schema.get("minLength")) or 1)}
        trimmed = constant(reading.modules, scope, keyword(call, "trim_whitespace")) is not False
        reading.exact = reading.exact and not trimmed
    return schema


def _choices(reading: SchemaReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    given = constant(reading.modules, scope, keyword(call, "choices", 0))
    if not isinstance(given, list):
        return reading.untold(scope.spot(call), "choices that are not constant")
    # A choice is found by its text, so 1 is taken for "1".
    reading.coerces = reading.coerces or reading.takes
    values: list[Json] = [one[0] if isinstance(one, list) and one else one for one in given]
    schema: Schema = {"enum": values}
    return {"type": "array", "items": schema} if name == "MultipleChoiceField" else schema
