"""Where handlers use marshmallow schemas: Flask-Smorest, webargs, and `load` and `dump` themselves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.calls import decorators, keyword, returned, value_at
from evreview.codefacts.constants import constant, enum_members, is_enum, texts, whole
from evreview.codefacts.control_flow import Event, Frame, events_of, is_kind_of
from evreview.codefacts.handlers import RouteFacts
from evreview.codefacts.model import (
    CodeBody,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Location,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, is_none, last_name
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.schema_reading import TEXT, Schema, SchemaReading, SerializerSchema, named
from evreview.core.vocabulary import ABSENT, Concern, Json

# marshmallow fields and validators as JSON Schema.


PACKAGES: Final = ("marshmallow", "webargs", "flask_marshmallow", "apiflask")
MAX_LEVELS: Final = 12

TYPES: Final[dict[str, Schema]] = {
    "String": TEXT, "Str": TEXT, "UUID": {"type": "string", "format": "uuid"},
    "DateTime": {"type": "string", "format": "date-time"}, "NaiveDateTime": {"type": "string", "format": "date-time"},
    "AwareDateTime": {"type": "string", "format": "date-time"}, "Date": {"type": "string", "format": "date"},
    "Time": {"type": "string", "format": "time"}, "Email": {"type": "string", "format": "email"},
    "Url": {"type": "string", "format": "uri"}, "URL": {"type": "string", "format": "uri"},
    "Integer": {"type": "integer"}, "Int": {"type": "integer"}, "Float": {"type": "number"},
    "Number": {"type": "number"}, "Decimal": {"type": "number"}, "Boolean": {"type": "boolean"},
    "Bool": {"type": "boolean"}, "TimeDelta": {"type": "integer"}, "Dict": {"type": "object"},
    "Mapping": {"type": "object"}, "Raw": {}, "IP": TEXT,
    "IPv4": {"type": "string", "format": "ipv4"}, "IPv6": {"type": "string", "format": "ipv6"},
}  # fmt: skip
"""What each field admits in JSON."""
COERCING: Final = ("Integer", "Int", "Float", "Number", "Decimal", "Boolean", "Bool", "TimeDelta")
"""Fields that also take other JSON types which convert."""
REFINED: Final = ("UUID", "DateTime", "NaiveDateTime", "AwareDateTime", "Date", "Time", "Email", "Url", "URL", "IP")
"""Fields whose own check is not exactly JSON Schema's format."""


@dataclass(slots=True)
class MarshmallowReading(SchemaReading):
    """The state of reading one marshmallow schema. `nested` reads a schema within it."""

    nested: Callable[[MarshmallowReading, Scope, ast.expr], Schema]


def field_schema(reading: MarshmallowReading, scope: Scope, call: ast.Call) -> Schema:
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
    if constant(reading.modules, scope, nullable) is True or (nullable is None and is_none(absent)):
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {}
    elif reading.takes and not schema and found.last == "Raw":
        schema = {"not": {"type": "null"}}
    return _with_default(reading, scope, schema, absent)


def _with_default(reading: MarshmallowReading, scope: Scope, schema: Schema, given: ast.expr | None) -> Schema:
    value = constant(reading.modules, scope, given)
    return schema | {"default": value} if given is not None and value is not ABSENT else schema


def _typed(reading: MarshmallowReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    if name in TYPES:
        strict = constant(reading.modules, scope, keyword(call, "strict")) is True
        reading.coerces = reading.coerces or (name in COERCING and not strict and reading.takes)
        reading.exact = reading.exact and not (name in REFINED and reading.takes)
        return _dict(reading, scope, call) if name in ("Dict", "Mapping") else dict(TYPES[name])
    if name in ("List", "Tuple", "DelimitedList"):
        return _list(reading, scope, call, name)
    if name in ("Nested", "Pluck"):
        return _nested_field(reading, scope, call, name)
    if name == "Enum":
        return _enum(reading, scope, call)
    if name == "Constant":
        value = constant(reading.modules, scope, keyword(call, "constant", 0))
        return {} if reading.takes or value is ABSENT else {"const": value}
    return reading.untold(scope.spot(call), f"a field of type `{name}`, whose values a function decides")


def _dict(reading: MarshmallowReading, scope: Scope, call: ast.Call) -> Schema:
    values = keyword(call, "values")
    schema: Schema = {"type": "object"}
    if isinstance(values, ast.Call):
        schema |= {"additionalProperties": field_schema(reading, scope, values)}
    reading.exact = reading.exact and keyword(call, "keys") is None
    return schema


def _list(reading: MarshmallowReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    inner = keyword(call, "cls_or_instance", 0) or keyword(call, "tuple_fields", 0)
    if name == "Tuple":
        parts = inner.elts if isinstance(inner, ast.List | ast.Tuple) else []
        items: list[Json] = [_inner(reading, scope, part) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    return {"type": "array"} if inner is None else {"type": "array", "items": _inner(reading, scope, inner)}


def _inner(reading: MarshmallowReading, scope: Scope, node: ast.expr) -> Schema:
    if isinstance(node, ast.Call):
        return field_schema(reading, scope, node)
    return field_schema(reading, scope, ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node))


def _nested_field(reading: MarshmallowReading, scope: Scope, call: ast.Call, name: str) -> Schema:
    inner = keyword(call, "nested", 0)
    if inner is None or name == "Pluck":
        return reading.untold(scope.spot(call), "a nested schema of a form that is not read")
    schema = reading.nested(reading, scope, inner)
    many = constant(reading.modules, scope, keyword(call, "many"))
    return {"type": "array", "items": schema} if many is True else schema


def _enum(reading: MarshmallowReading, scope: Scope, call: ast.Call) -> Schema:
    found = reading.modules.resolve(scope, keyword(call, "enum", 0))
    if not isinstance(found, Definition) or not is_enum(reading.modules, found):
        return reading.untold(scope.spot(call), "an enum that no supplied file defines", "Supply the file that does.")
    members = enum_members(reading.modules, found)
    by_value = constant(reading.modules, scope, keyword(call, "by_value")) is True
    values = list(members.values()) if by_value else list(members)
    if ABSENT in values:
        return reading.untold(scope.spot(call), "an enum with values that are not constant")
    # Values are compared as Python does, where true is 1.
    reading.coerces = reading.coerces or (by_value and reading.takes)
    return {"enum": values}


def _validators(call: ast.Call) -> list[ast.expr]:
    given = keyword(call, "validate")
    if isinstance(given, ast.List | ast.Tuple):
        return list(given.elts)
    return [given] if given is not None else []


def _validated(reading: MarshmallowReading, scope: Scope, schema: Schema, validator: ast.expr) -> Schema:
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
    if ABSENT in [*words.values(), *first]:
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


# marshmallow schema classes as JSON Schema, for what is loaded and for what is dumped.


HOOKS: Final = ("validates", "validates_schema")
OPAQUE: Final = ("pre_load", "post_dump")
"""Functions that may change the JSON itself, so that other members may be there."""


def is_schema(modules: Modules, found: object) -> bool:
    """True for a supplied class that derives from marshmallow's Schema."""
    return isinstance(found, Definition) and isinstance(found.node, ast.ClassDef) and modules.is_a(
        found, PACKAGES, "Schema", "SQLAlchemySchema"
    )  # fmt: skip


def schema_at(modules: Modules, scope: Scope, expression: ast.expr, takes: bool) -> SerializerSchema | None:
    """The values of `OrderSchema`, `OrderSchema(many=True)`, a name of one, or a dict of fields; None for others."""
    if _target(modules, scope, expression) is None and not isinstance(expression, ast.Dict):
        return None
    # A member that is missing or None when it is dumped is left out or null, so no dumped schema is exact.
    reading = MarshmallowReading(modules, takes, nested=_nested_schema, exact=takes)
    return reading.shaped(_nested_schema(reading, scope, expression))


@dataclass(frozen=True, slots=True)
class _Target:
    """A schema class with the arguments that it is made with."""

    cls: Definition
    call: ast.Call | None
    scope: Scope


def _target(modules: Modules, scope: Scope, expression: ast.expr, hops: int = 5) -> _Target | None:
    call = expression if isinstance(expression, ast.Call) else None
    found = modules.called(scope, call) if call is not None else modules.resolve(scope, expression)
    if isinstance(found, Definition) and is_schema(modules, found):
        return _Target(found, call, scope)
    if isinstance(found, Definition) and isinstance(found.node, ast.Call) and call is None and hops > 0:
        return _target(modules, found.scope, found.node, hops - 1)
    return None


def _nested_schema(reading: MarshmallowReading, scope: Scope, expression: ast.expr) -> Schema:
    """The schema of a class, an instance, or a dict of fields, inside another."""
    inner = expression.body if isinstance(expression, ast.Lambda) else expression
    if isinstance(inner, ast.Dict):
        fields = [
            (_key(reading, scope, key), scope, value) for key, value in zip(inner.keys, inner.values, strict=True)
        ]
        return _object(
            reading, [(name, at, value) for name, at, value in fields if name and isinstance(value, ast.Call)]
        )
    target = _target(reading.modules, scope, inner)
    if target is None or reading.levels > 10:
        text = ast.unparse(inner)[:80]
        return reading.untold(scope.spot(inner), f"the schema `{text}`", "Supply the file that defines it.")
    reading.levels += 1
    schema = _class(reading, target)
    reading.levels -= 1
    many = keyword(target.call, "many") if target.call is not None else None
    if constant(reading.modules, target.scope, many) is True:
        return {"type": "array", "items": schema}
    return schema


def _key(reading: MarshmallowReading, scope: Scope, key: ast.expr | None) -> str:
    value = constant(reading.modules, scope, key)
    return value if isinstance(value, str) and value is not ABSENT else ""


def _class(reading: MarshmallowReading, target: _Target) -> Schema:
    reading.spots.append(target.cls.scope.spot(target.cls.node))
    fields: dict[str, tuple[Scope, ast.Call]] = {}
    for base in reversed(reading.modules.ancestry(target.cls)):
        scope = reading.modules.body(base) if isinstance(base, Definition) else None
        if scope is None:
            continue
        _hooks(reading, scope)
        for name, bindings in scope.names.items():
            node = bindings[-1].node
            if isinstance(node, ast.Call) and _is_field(reading.modules, scope, node):
                fields[name] = (scope, node)
    chosen = {name: one for name, one in fields.items() if _wanted(reading, target, name)}
    unknown = _unknown(reading, target)
    partial = keyword(target.call, "partial") if target.call is not None else None
    schema = _object(reading, [(name, scope, call) for name, (scope, call) in chosen.items()], unknown)
    if partial is not None:
        schema.pop("required", None)
        reading.exact = reading.exact and constant(reading.modules, target.scope, partial) is True
    return schema


def _is_field(modules: Modules, scope: Scope, call: ast.Call) -> bool:
    found = modules.called(scope, call)
    return not isinstance(found, External) or found.name.startswith(PACKAGES) or ".fields." in f".{found.name}"


def _hooks(reading: MarshmallowReading, scope: Scope) -> None:
    for statement in getattr(scope.node, "body", []):
        for decorator in getattr(statement, "decorator_list", []):
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            found = reading.modules.resolve(scope, name)
            last = found.last if isinstance(found, External) and found.package == "marshmallow" else ""
            if last in HOOKS or (last == "pre_load" and reading.takes) or (last == "post_dump" and not reading.takes):
                reading.exact = False
                if last in OPAQUE:
                    text = "a function that may change the values before they are checked or sent"
                    reading.unread.append(UnsupportedCode(scope.spot(statement), text))
                elif reading.takes:
                    for word in _members(reading, scope, decorator) or ("",):
                        reading.refuses(word, scope.spot(statement), getattr(statement, "name", ""))


def _members(reading: MarshmallowReading, scope: Scope, decorator: ast.expr) -> tuple[str, ...]:
    """The members that `@validates("title")` names."""
    given = decorator.args if isinstance(decorator, ast.Call) else []
    names = (constant(reading.modules, scope, one) for one in given)
    return tuple(name for name in names if isinstance(name, str) and name is not ABSENT)


def _wanted(reading: MarshmallowReading, target: _Target, name: str) -> bool:
    """Whether a member is left by `only` and `exclude`."""
    for word, keeps in (("only", True), ("exclude", False)):
        given = keyword(target.call, word) if target.call is not None else _meta(reading.modules, target.cls, word)
        if given is None:
            continue
        names = texts(reading.modules, target.scope, given)
        if names is None:
            reading.exact = False
        elif (name in names) is not keeps:
            return False
    return True


def _meta(modules: Modules, cls: Definition, word: str) -> ast.expr | None:
    scope = modules.body(cls)
    for binding in scope.names.get("Meta", []) if scope is not None else []:
        if isinstance(binding.node, ast.ClassDef) and scope is not None:
            inner = modules.inside(binding.node, scope)
            for one in inner.names.get(word, []):
                return one.node if isinstance(one.node, ast.expr) else None
    return None


def _unknown(reading: MarshmallowReading, target: _Target) -> Literal["raise", "exclude", "include"] | None:
    """What happens with members that the schema does not name; None when it can't be told."""
    given = keyword(target.call, "unknown") if target.call is not None else None
    node = given or _meta(reading.modules, target.cls, "unknown")
    if node is None:
        return "raise"
    found = reading.modules.resolve(target.cls.scope if given is None else target.scope, node)
    value = constant(reading.modules, target.scope, node)
    word = found.last if isinstance(found, External) else str(value)
    words: dict[str, Literal["raise", "exclude", "include"]] = {
        "RAISE": "raise", "EXCLUDE": "exclude", "INCLUDE": "include",
        "raise": "raise", "exclude": "exclude", "include": "include",
    }  # fmt: skip
    return words.get(word)


def _object(
    reading: MarshmallowReading, fields: list[tuple[str, Scope, ast.Call]], unknown: str | None = "raise"
) -> Schema:
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for name, scope, call in fields:
        if constant(reading.modules, scope, keyword(call, "dump_only" if reading.takes else "load_only")) is True:
            continue
        key = keyword(call, "data_key") or keyword(call, "load_from" if reading.takes else "dump_to")
        shown = _key(reading, scope, key) if key is not None else name
        before = len(reading.checks)
        properties[shown] = field_schema(reading, scope, call)
        reading.checks[before:] = named(reading.checks[before:], shown)
        if constant(reading.modules, scope, keyword(call, "required")) is True and reading.takes:
            required.append(shown)
    schema: Schema = {"type": "object", "properties": properties}
    schema |= {"required": required} if required else {}
    if unknown == "raise" or not reading.takes:
        schema["additionalProperties"] = False
    reading.exact = reading.exact and unknown is not None
    return schema


def members_of(schema: Schema) -> Iterator[tuple[str, Schema, bool]]:
    """Each member of an object's schema: name, schema, whether it is required."""
    properties, required = schema.get("properties"), schema.get("required")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        if isinstance(inner, dict):
            yield name, inner, isinstance(required, list) and name in required


SCHEMA_DECORATORS: Final = (
    "arguments", "response", "alt_response", "use_args", "use_kwargs", "input", "output", "paginate", "doc", "etag",
)  # fmt: skip
_PLACES: Final[dict[str, Location]] = {
    "query": "query", "querystring": "query", "headers": "header", "cookies": "cookie", "path": "path",
    "view_args": "path",
}  # fmt: skip
_MEDIA: Final = {
    "json": "application/json", "form": "application/x-www-form-urlencoded", "files": "multipart/form-data",
    "json_or_form": "",
}  # fmt: skip
_SOURCES: Final = {
    "flask.request.get_json": "json", "flask.request.json": "json", "flask.request.args": "query",
    "flask.request.form": "form", "flask.request.headers": "headers",
}  # fmt: skip
REFUSAL: Final = 422
REFUSALS: Final = (External("marshmallow.ValidationError"), External("marshmallow.exceptions.ValidationError"))
"""What a load raises, by each of its names."""


def read_schemas(modules: Modules, function: Definition, found: RouteFacts) -> None:
    """Adds what schemas check and send around and within a handler."""
    for name, call in decorators(function.node):
        word = last_name(name)
        if call is None or word not in SCHEMA_DECORATORS:
            continue
        if word in ("arguments", "use_args", "use_kwargs", "input"):
            _arguments(modules, function.scope, call, word, found)
        elif word in ("response", "alt_response", "output"):
            _response(modules, function.scope, call, word, found)
        elif word == "paginate":
            spot = function.scope.spot(call)
            found.notes.append(CodeNote(concern=Concern.PAGINATION, name=ast.unparse(name), spot=spot))
    for event in events_of(modules, function):
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            _loaded(modules, event, event.node, found)
    _dumped(modules, function, found)


def _arguments(modules: Modules, scope: Scope, call: ast.Call, word: str, found: RouteFacts) -> None:
    """`@blp.arguments(OrderSchema, location="query")`; webargs refuses with 422."""
    schema = keyword(call, "schema", 0) or keyword(call, "argmap", 0)
    shaped = schema_at(modules, scope, schema, True) if schema is not None else None
    given = keyword(call, "location")
    value = constant(modules, scope, given) if given is not None else "json"
    place = value if isinstance(value, str) and value is not ABSENT else ""
    spot = scope.spot(call)
    if shaped is None or (place not in _PLACES and place not in _MEDIA):
        found.unread.append(_unread(scope, call))
        return
    required = constant(modules, scope, keyword(call, "required")) is not False
    _taken(shaped, place, spot, found, required if word == "arguments" else None)
    found.responses.append(
        CodeResponse(
            status=REFUSAL, how="framework", spot=spot, media_type="application/json" if word == "arguments" else ""
        )
    )


def _unread(scope: Scope, call: ast.Call) -> UnsupportedCode:
    text = ast.unparse(call)[:100]
    return UnsupportedCode(
        scope.spot(call),
        f"what `{text}` checks",
        "Supply the file that defines the schema.",
        part=UnreadPart.FIELD_CHECKS,
    )


def _taken(shaped: SerializerSchema, place: str, spot: Spot, found: RouteFacts, required: bool | None) -> None:
    found.unread.extend(shaped.unread)
    found.notes.extend(shaped.checks)
    if place in _MEDIA:
        found.body = CodeBody(
            media_type=_MEDIA[place], spot=spot, required=required, schema=shaped.schema, exact=shaped.exact,
            coerces=shaped.coerces, models=shaped.spots,
        )  # fmt: skip
        return
    for name, schema, needed in members_of(shaped.schema):
        plain = {key: value for key, value in schema.items() if key != "default"}
        found.parameter(
            CodeParameter(
                name=name, location=_PLACES[place], spot=spot, required=needed, schema=plain, exact=shaped.exact,
                default=schema.get("default", ABSENT),
            )
        )  # fmt: skip


def _response(modules: Modules, scope: Scope, call: ast.Call, word: str, found: RouteFacts) -> None:
    """`@blp.response(201, OrderSchema)` states the status of what is returned."""
    first, second = ("schema", "status_code") if word == "output" else ("status_code", "schema")
    places = {name: keyword(call, name, place) for place, name in enumerate((first, second))}
    given = places["status_code"]
    status = 200 if given is None else whole(constant(modules, scope, given))
    schema = places["schema"]
    shaped = schema_at(modules, scope, schema, False) if schema is not None else None
    found.unread.extend(shaped.unread if shaped is not None else ())
    if word == "alt_response":
        # Documentation: the handler itself tells whether it is sent.
        found.responses.append(
            CodeResponse(
                status=status, how="declared", spot=scope.spot(call), media_type="application/json",
                schema=shaped.schema if shaped is not None else None, models=shaped.spots if shaped is not None else (),
            )
        )  # fmt: skip
        return
    body: Json = shaped.schema if shaped is not None else None
    spot = scope.spot(call)
    found.responses[:] = [one for one in found.responses if one.how != "returned" or one.status is not None]
    found.responses[:] = [replace(one, status=status) if one.how == "returned" else one for one in found.responses]
    found.unread[:] = [one for one in found.unread if one.part is not UnreadPart.STATUS]
    if not any(one.how == "returned" for one in found.responses) or shaped is not None:
        found.responses[:] = [one for one in found.responses if one.how != "returned"]
        found.responses.append(
            CodeResponse(
                status=status, how="returned", spot=spot, media_type="application/json" if status != 204 else "",
                schema=body, exact=shaped is not None and shaped.exact,
                models=shaped.spots if shaped is not None else (),
            )
        )  # fmt: skip


def _loaded(modules: Modules, event: Event, call: ast.Call, found: RouteFacts) -> None:
    """`OrderSchema().load(request.get_json())`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("load", "loads", "validate") or not call.args:
        return
    shaped = _instance(modules, event.frame, call.func.value, True)
    place = _source(modules, event.frame, call.args[0])
    if shaped is None or place is None:
        return
    spot = event.frame.scope.spot(call)
    required = found.body.required if found.body is not None else None
    _taken(shaped, place, spot, found, required)


def refusing_loads(modules: Modules, function: Definition) -> Iterator[Event]:
    """The loads of a handler whose ValidationError nothing in it catches."""
    for event in events_of(modules, function):
        call = event.node
        if event.kind is not ast.Call or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in ("load", "loads") or not call.args:
            continue
        caught = any(_catches(modules, event.frame, one) for one in _around(event.frame.scope.node, call))
        if not caught and _instance(modules, event.frame, call.func.value, True) is not None:
            yield event


def _around(function: ast.AST, call: ast.Call) -> Iterator[ast.ExceptHandler]:
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and any(inner is call for one in node.body for inner in ast.walk(one)):
            yield from node.handlers


def _catches(modules: Modules, frame: Frame, handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        kind is None or is_kind_of(modules, refusal, modules.resolve(frame.scope, kind))
        for kind in kinds
        for refusal in REFUSALS
    )


def _instance(modules: Modules, frame: Frame, expression: ast.expr, takes: bool) -> SerializerSchema | None:
    inner, at = value_at(modules, frame, expression)
    return schema_at(modules, inner.scope, at, takes) if at is not None else None


def _source(modules: Modules, frame: Frame, expression: ast.expr) -> str | None:
    """Which part of the request an expression is."""
    inner, at = value_at(modules, frame, expression)
    if isinstance(at, ast.BoolOp):
        return _source(modules, inner, at.values[0])
    node = at.func if isinstance(at, ast.Call) else at
    if isinstance(node, ast.Attribute) and node.attr == "to_dict":
        node = node.value
    resolved = modules.resolve(inner.scope, node)
    return _SOURCES.get(resolved.name) if isinstance(resolved, External) else None


def _dumped(modules: Modules, function: Definition, found: RouteFacts) -> None:
    """`return OrderSchema().dump(order), 201`: the schema of the answer."""
    events = events_of(modules, function)
    for event in returned(modules, events):
        shaped = _dump(modules, event.frame, getattr(event.node, "value", None))
        if shaped is None:
            continue
        found.unread[:] = [one for one in found.unread if one.spot != event.spot]
        found.unread.extend(shaped.unread)
        for place, one in enumerate(found.responses):
            if one.spot == event.spot and one.how == "returned":
                status = one.status
                if status is None and not isinstance(getattr(event.node, "value", None), ast.Tuple):
                    status = 200
                found.responses[place] = replace(
                    one,
                    status=status,
                    schema=shaped.schema,
                    exact=shaped.exact,
                    media_type="application/json",
                    models=shaped.spots,
                )


def _dump(modules: Modules, frame: Frame, expression: ast.expr | None) -> SerializerSchema | None:
    inner, at = value_at(modules, frame, expression)
    if isinstance(at, ast.Tuple) and at.elts:
        return _dump(modules, inner, at.elts[0])
    if not isinstance(at, ast.Call):
        return None
    called = modules.called(inner.scope, at)
    if isinstance(called, External) and called.of(("flask",), "jsonify", "make_response") and len(at.args) > 0:
        return _dump(modules, inner, at.args[0])
    if isinstance(at.func, ast.Attribute) and at.func.attr == "dump":
        shaped = _instance(modules, inner, at.func.value, False)
        many = constant(modules, inner.scope, keyword(at, "many"))
        if shaped is not None and many is True:
            return replace(shaped, schema={"type": "array", "items": shaped.schema})
        return shaped
    return None
