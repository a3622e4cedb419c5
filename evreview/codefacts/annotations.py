"""Type annotations as JSON Schema, as pydantic reads them."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.constants import constant, enum_members, is_enum
from evreview.codefacts.model_classes import class_schema
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.schema_reading import (
    FIELD_LIKE,
    MAX_LEVELS,
    METADATA,
    NO_TYPES,
    TEXT,
    AnnotationReading,
    AnnotationSchema,
    Schema,
    SchemaDirection,
    TypeBinding,
    Types,
    any_of,
    constrained,
    from_metadata,
    keywords,
)
from evreview.core.vocabulary import ABSENT, Json

TYPING: Final = ("typing", "typing_extensions", "collections", "builtins", "types")

PLAIN: Final[dict[str, Schema]] = {
    "builtins.str": TEXT,
    "builtins.object": {},
    "builtins.bytes": TEXT,
    "typing.Any": {},
    "typing.Text": TEXT,
    "typing.LiteralString": TEXT,
    "types.NoneType": {"type": "null"},
    "builtins.dict": {"type": "object"},
    "typing.Dict": {"type": "object"},
    "typing.Mapping": {"type": "object"},
    "collections.abc.Mapping": {"type": "object"},
    "pydantic.StrictStr": TEXT,
    "pydantic.SecretStr": TEXT,
    "fastapi.UploadFile": TEXT,
    "starlette.datastructures.UploadFile": TEXT,
    "pydantic.JsonValue": {},
}
"""Types whose values arrive as they are."""

_FORMAT: Final = {
    "datetime.datetime": "date-time", "datetime.date": "date", "datetime.time": "time",
    "datetime.timedelta": "duration", "uuid.UUID": "uuid", "pydantic.EmailStr": "email",
    "pydantic.UUID1": "uuid", "pydantic.UUID3": "uuid", "pydantic.UUID4": "uuid", "pydantic.UUID5": "uuid",
    "pydantic.AwareDatetime": "date-time", "pydantic.NaiveDatetime": "date-time",
    "pydantic.PastDate": "date", "pydantic.FutureDate": "date", "pydantic.PastDatetime": "date-time",
    "pydantic.FutureDatetime": "date-time", "pathlib.Path": "path",
    "ipaddress.IPv4Address": "ipv4", "ipaddress.IPv6Address": "ipv6",
}  # fmt: skip
_URLS: Final = {"AnyUrl": None, "AnyHttpUrl": None, "HttpUrl": 2083, "AnyWebsocketUrl": None, "FileUrl": None}
_REFINED: Final = ("EmailStr", "UUID1", "UUID3", "UUID4", "UUID5", "AwareDatetime", "NaiveDatetime", "PastDate",
                   "FutureDate", "PastDatetime", "FutureDatetime", "AnyHttpUrl", "HttpUrl", "FileUrl")  # fmt: skip
NUMERIC: Final[dict[str, Schema]] = {
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
    "decimal.Decimal": {"anyOf": [{"type": "number"}, TEXT]},
    "pydantic.PositiveInt": {"type": "integer", "exclusiveMinimum": 0},
    "pydantic.NonNegativeInt": {"type": "integer", "minimum": 0},
    "pydantic.NegativeInt": {"type": "integer", "exclusiveMaximum": 0},
    "pydantic.NonPositiveInt": {"type": "integer", "maximum": 0},
    "pydantic.PositiveFloat": {"type": "number", "exclusiveMinimum": 0},
    "pydantic.NonNegativeFloat": {"type": "number", "minimum": 0},
    "pydantic.NegativeFloat": {"type": "number", "exclusiveMaximum": 0},
    "pydantic.NonPositiveFloat": {"type": "number", "maximum": 0},
}
_STRICT: Final[dict[str, Schema]] = {
    "pydantic.StrictInt": {"type": "integer"},
    "pydantic.StrictFloat": {"type": "number"},
    "pydantic.StrictBool": {"type": "boolean"},
}
_MAKERS: Final = {
    "conint": "builtins.int", "confloat": "builtins.float", "constr": "builtins.str",
    "condecimal": "decimal.Decimal", "conbytes": "builtins.bytes",
}  # fmt: skip
_LISTS: Final = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "deque", "Deque")
_SETS: Final = ("set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet")
_DICTS: Final = ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict")
_WRAPPERS: Final = ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "SkipValidation")
_AFTER: Final = ("AfterValidator", "Predicate", "Not")
_BEFORE: Final = ("BeforeValidator", "PlainValidator", "WrapValidator", "GetPydanticSchema", "Json")
_KNOWN: Final = (
    *FIELD_LIKE, *METADATA, *_AFTER, *_BEFORE, "PlainSerializer", "WrapSerializer", "Depends", "Security", "Doc", "Tag",
    "Discriminator", "WithJsonSchema", "Strict",
)  # fmt: skip
"""What may stand in `Annotated` and is read, or says nothing about values."""
_SENDS: Final = ("PlainSerializer", "WrapSerializer")


def shape_of(
    modules: Modules, scope: Scope, annotation: ast.expr | None, direction: SchemaDirection = "read"
) -> AnnotationSchema:
    """The values that an annotation admits; any value, exactly, where there is none."""
    work = AnnotationReading(modules, direction, read=read)
    schema = read(work, scope, annotation, NO_TYPES)
    return finished(work, schema)


def finished(work: AnnotationReading, schema: Schema) -> AnnotationSchema:
    """The schema with the classes that it names; one that nothing else names stands in its place."""
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if len(schema) == 1 and name in work.defs and not _refers(dict(work.defs), name):
        schema = dict(work.defs[name])  # type: ignore[arg-type]
        work.defs.pop(name)
    whole: Schema = schema | {"$defs": work.defs} if work.defs else schema
    unread = tuple(dict.fromkeys(work.unread))
    checks = tuple(dict.fromkeys(work.checks))
    return AnnotationSchema(whole, work.exact, work.coerces, tuple(dict.fromkeys(work.spots)), unread, checks)


def _refers(value: Json, name: str) -> bool:
    waiting: list[Json] = [value]
    while waiting:
        at = waiting.pop()
        if isinstance(at, dict):
            if at.get("$ref") == f"#/$defs/{name}":
                return True
            waiting.extend(at.values())
        elif isinstance(at, list):
            waiting.extend(at)
    return False


def read(work: AnnotationReading, scope: Scope, annotation: ast.expr | None, types: Types) -> Schema:
    """The schema of one annotation; what can't be told is any value and noted in `work`."""
    if annotation is None:
        return {}
    if work.levels >= MAX_LEVELS:
        return work.any_value(scope.spot(annotation), f"types nested deeper than {MAX_LEVELS} levels")
    work.levels += 1
    schema = _read(work, scope, annotation, types)
    work.levels -= 1
    return schema


def _read(work: AnnotationReading, scope: Scope, annotation: ast.expr, types: Types) -> Schema:
    match annotation:
        case ast.Constant(value=None):
            return {"type": "null"}
        case ast.Constant(value=str(text)):
            return read(work, scope, forward(text, annotation), types) if text else work.any_value()
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return any_of(_flat([read(work, scope, left, types), read(work, scope, right, types)]))
        case ast.Name(id=name) if name in types:
            bound = types[name]
            return read(work, bound.scope, bound.expression, bound.types)
        case ast.Name() | ast.Attribute():
            return _named(work, scope, annotation, types)
        case ast.Subscript():
            return _generic(work, scope, annotation, types)
        case ast.Call():
            return _made(work, scope, annotation, types)
    return work.any_value(scope.spot(annotation), "an annotation of a form that is not read")


def forward(text: str, at: ast.expr) -> ast.expr | None:
    """The annotation that a string holds, placed on the string's lines."""
    try:
        tree = ast.parse(text[:2000].strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.copy_location(ast.Dict(keys=[], values=[]), at)
    for node in ast.walk(tree):
        ast.copy_location(node, at)
    return tree


def _named(work: AnnotationReading, scope: Scope, annotation: ast.expr, types: Types) -> Schema:
    found = work.modules.resolve(scope, annotation)
    match found:
        case External(name=name):
            return _outside(work, scope, annotation, name)
        case Definition(node=ast.ClassDef()) if is_enum(work.modules, found):
            return _enum(work, found)
        case Definition(node=ast.ClassDef()):
            return class_schema(work, found, NO_TYPES)
        case Definition(node=ast.expr() as node, scope=where):
            return _alias(work, where, node, types)
    word = ast.unparse(annotation)
    return work.any_value(
        scope.spot(annotation), f"`{word}`, which no supplied file defines", "Supply the file that does."
    )


def _alias(work: AnnotationReading, scope: Scope, node: ast.expr, types: Types) -> Schema:
    """`UserId = NewType("UserId", int)`, a type variable, or a name for another annotation."""
    if isinstance(node, ast.Call):
        called = work.modules.resolve(scope, node.func)
        if isinstance(called, External) and called.last == "NewType" and len(node.args) == 2:
            return read(work, scope, node.args[1], types)
        if isinstance(called, External) and called.last == "TypeVar":
            bound = keywords(node).get("bound") or keywords(node).get("default")
            return read(work, scope, bound, types)
        if isinstance(called, External) and called.last == "TypeAliasType" and len(node.args) == 2:
            return read(work, scope, node.args[1], types)
    return read(work, scope, node, types)


def _outside(work: AnnotationReading, scope: Scope, annotation: ast.expr, name: str) -> Schema:
    last = name.rpartition(".")[2]
    short = f"{name.partition('.')[0]}.{last}"
    if name in PLAIN or short in PLAIN:
        return dict(PLAIN.get(name, PLAIN.get(short, {})))
    if name in NUMERIC or short in NUMERIC:
        return work.lax(dict(NUMERIC.get(name, NUMERIC.get(short, {}))))
    if short in _STRICT:
        return dict(_STRICT[short])
    if short in _FORMAT:
        work.exact = work.exact and last not in _REFINED
        return work.lax({"type": "string", "format": _FORMAT[short]})
    if last in _URLS and short.startswith("pydantic."):
        work.exact = work.exact and last == "AnyUrl"
        longest: Schema = {"maxLength": _URLS[last]} if _URLS[last] else {}
        return longest | {"type": "string", "format": "uri", "minLength": 1}
    if last in (*_LISTS, "tuple", "Tuple") and short.partition(".")[0] in TYPING:
        return {"type": "array"}
    if last in _SETS and short.partition(".")[0] in TYPING:
        return _set(work, {"type": "array"})
    if name == "http.HTTPStatus":
        return work.lax({"type": "integer"})
    return work.any_value(
        scope.spot(annotation), f"`{name}`, a type whose values are not known here", "Declare them with a quote."
    )


def _set(work: AnnotationReading, schema: Schema) -> Schema:
    """A set takes repeated items and drops them; it sends each once."""
    return schema if work.takes else schema | {"uniqueItems": True}


def _enum(work: AnnotationReading, cls: Definition) -> Schema:
    members = enum_members(work.modules, cls)
    work.spots.append(cls.scope.spot(cls.node))
    values = list(members.values())
    if not values or ABSENT in values:
        return work.any_value(cls.scope.spot(cls.node), f"members of `{cls.name}` whose values are not constant")
    return _values([value for value in values if value is not ABSENT])


def _values(values: list[Json]) -> Schema:
    kinds = {{str: "string", bool: "boolean", int: "integer", float: "number"}.get(type(value), "") for value in values}
    stated: Json = values
    schema: Schema = {"const": values[0]} if len(values) == 1 else {"enum": stated}
    if len(kinds) == 1 and "" not in kinds:
        schema["type"] = kinds.pop()
    return schema


def _flat(schemas: list[Schema]) -> list[Schema]:
    flat: list[Schema] = []
    for schema in schemas:
        inner = schema.get("anyOf")
        if len(schema) == 1 and isinstance(inner, list):
            flat += [branch for branch in inner if isinstance(branch, dict)]
        else:
            flat.append(schema)
    return flat


def _generic(work: AnnotationReading, scope: Scope, annotation: ast.Subscript, types: Types) -> Schema:
    inner = annotation.slice
    parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
    outer = work.modules.resolve(scope, annotation.value)
    if isinstance(outer, Definition) and isinstance(outer.node, ast.ClassDef):
        return class_schema(work, outer, _type_arguments(work.modules, outer, scope, parts, types))
    name = outer.last if isinstance(outer, External) else ""
    if name in _WRAPPERS:
        return _annotated(work, scope, parts, types)
    if name == "Optional":
        return any_of(_flat([read(work, scope, parts[0], types), {"type": "null"}]))
    if name == "Union":
        return any_of(_flat([read(work, scope, part, types) for part in parts]))
    if name == "Literal":
        return _literal(work, scope, annotation, parts)
    if name in _LISTS:
        return {"type": "array"} | _items(read(work, scope, parts[0], types))
    if name in _SETS:
        return _set(work, {"type": "array"} | _items(read(work, scope, parts[0], types)))
    if name in ("tuple", "Tuple"):
        return _tuple(work, scope, parts, types)
    if name in _DICTS and len(parts) == 2:
        read(work, scope, parts[0], types)
        values: Json = read(work, scope, parts[1], types) or True
        return {"type": "object", "additionalProperties": values}
    if name in ("type", "Type", "Callable", "Generator", "AsyncIterator", "AsyncGenerator", "Awaitable"):
        return work.any_value()
    return work.any_value(scope.spot(annotation), f"`{ast.unparse(annotation.value)}[…]`, a type that is not read")


def _items(schema: Schema) -> Schema:
    return {"items": schema}


def _type_arguments(
    modules: Modules, cls: Definition, scope: Scope, parts: list[ast.expr], types: Types
) -> dict[str, TypeBinding]:
    """The class' type variables, each with what the subscript gives it."""
    if not isinstance(cls.node, ast.ClassDef):
        return {}
    for base in cls.node.bases:
        if isinstance(base, ast.Subscript):
            inner = list(base.slice.elts) if isinstance(base.slice, ast.Tuple) else [base.slice]
            names = [part.id for part in inner if isinstance(part, ast.Name)]
            called = modules.resolve(cls.scope, base.value)
            if isinstance(called, External) and called.last in ("Generic", "Protocol", "RootModel"):
                return {name: TypeBinding(scope, part, types) for name, part in zip(names, parts, strict=False)}
    return {}


def _literal(work: AnnotationReading, scope: Scope, annotation: ast.expr, parts: list[ast.expr]) -> Schema:
    values = [constant(work.modules, scope, part) for part in parts]
    if ABSENT in values:
        return work.any_value(scope.spot(annotation), "a literal that is not constant")
    return _values([value for value in values if value is not ABSENT])


def _tuple(work: AnnotationReading, scope: Scope, parts: list[ast.expr], types: Types) -> Schema:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        return {"type": "array"} | _items(read(work, scope, parts[0], types))
    inner: list[Json] = [read(work, scope, part, types) for part in parts]
    return {"type": "array", "prefixItems": inner, "minItems": len(inner), "maxItems": len(inner)}


def _annotated(work: AnnotationReading, scope: Scope, parts: list[ast.expr], types: Types) -> Schema:
    schema = read(work, scope, parts[0], types)
    for part in parts[1:]:
        found = work.modules.resolve(scope, part)
        where, call = (found.scope, found.node) if isinstance(found, Definition) else (scope, part)
        if not isinstance(call, ast.Call):
            work.exact = work.exact and isinstance(call, ast.Constant)
            continue
        called = work.modules.resolve(where, call.func)
        name = called.last if isinstance(called, External) else ""
        work.exact = work.exact and name in _KNOWN
        schema = _refined(work, where, schema, call, name)
    return schema


def _refined(work: AnnotationReading, scope: Scope, schema: Schema, call: ast.Call, name: str) -> Schema:
    before = name in _BEFORE and work.takes
    if before or (name in _SENDS and not work.takes):
        return work.any_value(scope.spot(call), f"`{name}`, which changes values before or after they are checked")
    if name in _AFTER:
        work.refuses("", scope.spot(call), ast.unparse(call))
    if "discriminator" in keywords(call) and "anyOf" in schema:
        schema = {"oneOf" if key == "anyOf" else key: value for key, value in schema.items()}
    return from_metadata(work, scope, schema, call, name)


def _made(work: AnnotationReading, scope: Scope, call: ast.Call, types: Types) -> Schema:
    """`conint(ge=1)` and its kin."""
    called = work.modules.resolve(scope, call.func)
    name = called.last if isinstance(called, External) else ""
    if name in _MAKERS:
        base = _outside(work, scope, call, _MAKERS[name])
        return constrained(work, scope, base, keywords(call))
    if name in ("conlist", "conset", "confrozenset") and (call.args or "item_type" in keywords(call)):
        item = call.args[0] if call.args else keywords(call)["item_type"]
        inner: Schema = {"type": "array"} | _items(read(work, scope, item, types))
        return constrained(work, scope, inner if name == "conlist" else _set(work, inner), keywords(call))
    return work.any_value(scope.spot(call), "a type that is made by a call that is not read")
