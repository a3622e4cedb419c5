"""Classes that state members and their types, as JSON Schema: pydantic models, dataclasses, TypedDict, NamedTuple."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FunctionNode, Scope
from evreview.codefacts.names import Definition, External
from evreview.codefacts.schema_reading import (
    FIELD_LIKE,
    MAX_CLASSES,
    NO_TYPES,
    AnnotationReading,
    Schema,
    TypeBinding,
    Types,
    constrained,
    keywords,
    named,
)
from evreview.core.vocabulary import ABSENT, Json

# What `model_config` and an inner `Config` class say about a model.


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one model.

    Attributes:
        extra: `ignore`, `forbid` or `allow`.
        alias: makes the JSON name of a member, or None for one that is not told; None for members' own names.
        by_name: members are taken under their own names besides their aliases.
        total: a TypedDict's members are all required.
    """

    extra: str = "ignore"
    alias: Callable[[str], str | None] | None = None
    by_name: bool = False
    strict: bool = False
    total: bool = True


_TEXTS: Final = (
    "str_strip_whitespace", "str_to_lower", "str_to_upper", "str_min_length", "str_max_length",
    "anystr_strip_whitespace", "anystr_lower", "anystr_upper", "min_anystr_length", "max_anystr_length",
)  # fmt: skip
"""Settings by which every text of a model is changed or measured."""


def settings_of(work: AnnotationReading, cls: Definition) -> Settings:
    """The settings of a model, those of its bases included."""
    words: dict[str, tuple[Scope, ast.expr]] = {}
    for base in reversed(work.modules.ancestry(cls)):
        if isinstance(base, Definition) and isinstance(base.node, ast.ClassDef):
            words |= {name: (scope, node) for name, scope, node in _written(work, base)}
    values = {name: constant(work.modules, scope, node) for name, (scope, node) in words.items()}
    alias = words.get("alias_generator")
    extra = str(values.get("extra", "ignore")).rpartition(".")[2]
    if extra not in ("ignore", "forbid", "allow"):
        work.exact = False
        extra = "ignore"
    for word in _TEXTS:
        if values.get(word) not in (None, False, ABSENT):
            scope, node = words[word]
            work.refuses("", scope.spot(node), word)
    return Settings(
        extra=extra,
        alias=_generator(work, *alias) if alias else None,
        by_name=any(values.get(word) is True for word in ("populate_by_name", "validate_by_name")),
        strict=values.get("strict") is True,
    )


def _written(work: AnnotationReading, cls: Definition) -> Iterator[tuple[str, Scope, ast.expr]]:
    scope = work.modules.body(cls)
    node = cls.node
    if scope is None or not isinstance(node, ast.ClassDef):
        return
    yield from ((word.arg, cls.scope, word.value) for word in node.keywords if word.arg)
    for statement in node.body:
        if isinstance(statement, ast.ClassDef) and statement.name == "Config":
            inner = work.modules.inside(statement, scope)
            for name, bindings in inner.names.items():
                if isinstance(bindings[-1].node, ast.expr):
                    yield name, inner, bindings[-1].node
    config = scope.names.get("model_config", [])
    value = config[-1].node if config else None
    if isinstance(value, ast.Call):
        yield from ((word.arg, scope, word.value) for word in value.keywords if word.arg)
    elif isinstance(value, ast.Dict):
        for key, part in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, scope, part


def _generator(work: AnnotationReading, scope: Scope, node: ast.expr) -> Callable[[str], str | None] | None:
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    found = work.modules.resolve(scope, node)
    if isinstance(found, External) and found.package == "pydantic" and found.last in GENERATORS:
        return GENERATORS[found.last]
    return lambda _: None


def to_pascal(name: str) -> str:
    """`order_id` -> `OrderId`, as pydantic does it."""
    camel = name.title()
    return re.sub("([0-9A-Za-z])_(?=[0-9A-Z])", lambda found: found[1], camel)


def to_camel(name: str) -> str:
    """`order_id` -> `orderId`, as pydantic does it."""
    if re.match("^[a-z]+[A-Za-z0-9]*$", name) and not re.search(r"\d(?=[a-z])", name):
        return name
    camel = to_pascal(name)
    return re.sub("(^_*[A-Z])", lambda found: found[1].lower(), camel)


def to_snake(name: str) -> str:
    """`orderId` -> `order_id`, as pydantic does it."""
    snake = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", snake)
    snake = re.sub(r"([0-9])([A-Z])", r"\1_\2", snake)
    snake = re.sub(r"([a-z])([0-9])", r"\1_\2", snake)
    return snake.replace("-", "_").lower()


GENERATORS: Final = {"to_camel": to_camel, "to_pascal": to_pascal, "to_snake": to_snake}


# Functions of a model that check, change or add values.


_CHECKING: Final = ("field_validator", "validator", "model_validator", "root_validator")
_SENDING: Final = ("field_serializer", "model_serializer")


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A computed field: its name and what it returns."""

    name: str
    returns: ast.expr | None
    scope: Scope


@dataclass(slots=True)
class Checks:
    """What a model's functions do to its values.

    Attributes:
        replacing: members that a function may change first, so that other values may be admitted; with its lines.
        opaque: a function that may do so to the whole value.
        computed: members that are sent only.
        noted: where what they refuse stands among the checks of the work.
    """

    replacing: dict[str, Spot] = field(default_factory=dict)
    opaque: Spot | None = None
    computed: list[Computed] = field(default_factory=list)
    noted: range = range(0)


def checks_of(work: AnnotationReading, cls: Definition) -> Checks:
    """What the functions of the class and its supplied bases do to the values that `work` reads."""
    checks, first = Checks(), len(work.checks)
    for base in reversed(work.modules.ancestry(cls)):
        scope = work.modules.body(base) if isinstance(base, Definition) else None
        for statement in getattr(scope.node, "body", []) if scope else []:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and scope is not None:
                _note(work, checks, scope, statement)
        if scope is not None and work.takes:
            _own_init(work, scope)
    checks.noted = range(first, len(work.checks))
    return checks


def _own_init(work: AnnotationReading, scope: Scope) -> None:
    for name in ("__init__", "__post_init__", "model_post_init", "__post_init_post_parse__"):
        for binding in scope.names.get(name, [])[:1]:
            work.refuses("", scope.spot(binding.statement), name)


def _note(work: AnnotationReading, checks: Checks, scope: Scope, function: FunctionNode) -> None:
    for decorator in function.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        found = work.modules.resolve(scope, call.func if call else decorator)
        name = found.last if isinstance(found, External) and found.package == "pydantic" else ""
        if name == "computed_field":
            checks.computed.append(Computed(function.name, function.returns, scope))
        elif name in _CHECKING and work.takes:
            _checking(work, checks, scope, function, call)
        elif name in _SENDING and not work.takes:
            for member in _members(work, scope, call) if name == "field_serializer" else ():
                checks.replacing[member] = scope.spot(function)
            if name == "model_serializer":
                checks.opaque = scope.spot(function)
        elif name in _CHECKING:
            work.exact = False


def _checking(
    work: AnnotationReading, checks: Checks, scope: Scope, function: FunctionNode, call: ast.Call | None
) -> None:
    words = keywords(call) if call else {}
    mode = constant(work.modules, scope, words["mode"]) if "mode" in words else "after"
    first = constant(work.modules, scope, words.get("pre")) is True or mode not in ("after",)
    members = _members(work, scope, call)
    if not first:
        for member in members or ["*"]:
            work.refuses(member.replace("*", ""), scope.spot(function), function.name)
    elif members and "*" not in members:
        checks.replacing |= {member: scope.spot(function) for member in members}
    else:
        checks.opaque = scope.spot(function)


def _members(work: AnnotationReading, scope: Scope, call: ast.Call | None) -> list[str]:
    values = [constant(work.modules, scope, part) for part in call.args] if call else []
    return [value for value in values if isinstance(value, str)]


MODEL_PACKAGES: Final = ("pydantic", "sqlmodel", "pydantic_settings")
_EMPTY_BASES: Final = (
    "BaseModel", "SQLModel", "BaseSettings", "GenericModel", "RootModel", "Generic", "Protocol", "ABC", "object",
    "TypedDict", "NamedTuple",
)  # fmt: skip
_OPAQUE_METHODS: Final = ("__get_pydantic_core_schema__", "__get_validators__")


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One member of a class as written: its annotation, its default, and the arguments of its `Field(…)`."""

    name: str
    annotation: ast.expr
    scope: Scope
    default: ast.expr | None
    words: dict[str, ast.expr] = field(default_factory=dict)
    factory: bool = False


def class_schema(work: AnnotationReading, cls: Definition, types: Types) -> Schema:
    """A reference to the class in `work.defs`, read on first sight; any value for a class that states no members."""
    kind = kind_of(work, cls)
    node = cls.node
    if not isinstance(node, ast.ClassDef) or kind == "":
        return work.any_value(
            cls.scope.spot(node), f"`{cls.name}`, a class that states no members", "Declare its members with a quote."
        )
    key = f"{id(node)} {sorted((name, ast.dump(bound.expression)[:200]) for name, bound in types.items())}"
    if key not in work.names:
        if len(work.names) >= MAX_CLASSES:
            return work.any_value(cls.scope.spot(node), f"more than {MAX_CLASSES} classes in one type")
        work.names[key] = _free_name(work, node.name)
        work.spots.append(cls.scope.spot(node))
        work.defs[work.names[key]] = {}
        work.defs[work.names[key]] = _members_schema(work, cls, kind, types)
    return {"$ref": f"#/$defs/{work.names[key]}"}


def kind_of(work: AnnotationReading, cls: Definition) -> str:
    """`model`, `root`, `dataclass`, `dict`, `tuple`, or "" for a class of another kind."""
    modules = work.modules
    for kind, name in (("root", "RootModel"), ("model", "BaseModel"), ("model", "SQLModel"), ("model", "BaseSettings")):
        if modules.is_a(cls, MODEL_PACKAGES, name):
            return kind
    if modules.is_a(cls, ("typing", "typing_extensions"), "TypedDict"):
        return "dict"
    if modules.is_a(cls, ("typing", "typing_extensions"), "NamedTuple"):
        return "tuple"
    decorators = getattr(cls.node, "decorator_list", [])
    called = [one.func if isinstance(one, ast.Call) else one for one in decorators]
    found = [modules.resolve(cls.scope, one) for one in called]
    if any(isinstance(one, External) and one.of(("dataclasses", "pydantic"), "dataclass") for one in found):
        return "dataclass"
    return ""


def _free_name(work: AnnotationReading, name: str) -> str:
    number, free = 1, name
    while free in work.defs:
        number += 1
        free = f"{name}_{number}"
    return free


def _members_schema(work: AnnotationReading, cls: Definition, kind: str, types: Types) -> Schema:
    if work.takes and any(isinstance(work.modules.member(cls, name), Definition) for name in _OPAQUE_METHODS):
        return work.any_value(cls.scope.spot(cls.node), f"`{cls.name}`, which brings a check of its own")
    if kind == "root":
        return _root(work, cls, types)
    members = list(members_of(work, cls, types))
    checks = checks_of(work, cls)
    if checks.opaque is not None:
        return work.any_value(
            checks.opaque, f"a validator or serializer of `{cls.name}` that may change the whole value"
        )
    if kind == "tuple":
        return _tuple(work, [(member, bound) for member, bound in members])
    settings = settings_of(work, cls)
    strict, work.strict = work.strict, settings.strict
    schema = _object(work, members, settings if kind != "dict" else _dict_settings(work, cls), checks)
    work.strict = strict
    return schema


def _root(work: AnnotationReading, cls: Definition, types: Types) -> Schema:
    node = cls.node
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        if isinstance(base, ast.Subscript):
            return work.read(work, cls.scope, base.slice, types)
    for member, bound in members_of(work, cls, types):
        if member.name == "root":
            return work.read(work, member.scope, member.annotation, bound)
    return work.any_value(cls.scope.spot(node), f"`{cls.name}`, whose root type is not stated")


def members_of(work: AnnotationReading, cls: Definition, types: Types) -> Iterator[tuple[Member, Types]]:
    """Every member, those of bases first, a redefined one where it first stood, each with its type variables."""
    found: dict[str, tuple[Member, Types]] = {}
    for base in reversed(work.modules.ancestry(cls)):
        if isinstance(base, Definition) and isinstance(base.node, ast.ClassDef):
            bound = types if base.node is cls.node else _inherited(work, cls, base)
            for member in _own_members(work, base):
                found[member.name] = (member, bound)
        elif not (isinstance(base, External) and (base.last in _EMPTY_BASES or base.package in ("enum", "abc"))):
            word = base.name if isinstance(base, External) else "a base class"
            spot = cls.scope.spot(cls.node)
            work.any_value(
                spot, f"`{word}` of `{cls.name}`, which no supplied file defines", "Supply the file that does."
            )
    yield from found.values()


def _inherited(work: AnnotationReading, cls: Definition, base: Definition) -> Types:
    """Type variables that `class Orders(Page[Order])` fixes for its base."""
    node = cls.node
    for written in node.bases if isinstance(node, ast.ClassDef) else ():
        if not isinstance(written, ast.Subscript):
            continue
        found = work.modules.resolve(cls.scope, written.value)
        if isinstance(found, Definition) and found.node is base.node and isinstance(base.node, ast.ClassDef):
            parts = list(written.slice.elts) if isinstance(written.slice, ast.Tuple) else [written.slice]
            names = [
                inner.id
                for one in base.node.bases
                if isinstance(one, ast.Subscript)
                for inner in (one.slice.elts if isinstance(one.slice, ast.Tuple) else [one.slice])
                if isinstance(inner, ast.Name)
            ]
            return {name: TypeBinding(cls.scope, part, NO_TYPES) for name, part in zip(names, parts, strict=False)}
    return NO_TYPES


def _own_members(work: AnnotationReading, cls: Definition) -> Iterator[Member]:
    scope = work.modules.body(cls)
    node = cls.node
    if scope is None or not isinstance(node, ast.ClassDef):
        return
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name = statement.target.id
        if name.startswith("_") or name == "model_config" or _no_member(statement.annotation):
            continue
        if isinstance(statement.value, ast.Call) and _is_no_field(work, scope, statement.value):
            continue
        yield _member(work, scope, name, statement)


def _is_no_field(work: AnnotationReading, scope: Scope, call: ast.Call) -> bool:
    called = work.modules.resolve(scope, call.func)
    return isinstance(called, External) and called.last in ("Relationship", "PrivateAttr")


def _no_member(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = outer.id if isinstance(outer, ast.Name) else outer.attr if isinstance(outer, ast.Attribute) else ""
    return name in ("ClassVar", "InitVar", "KW_ONLY")


def _member(work: AnnotationReading, scope: Scope, name: str, statement: ast.AnnAssign) -> Member:
    words: dict[str, ast.expr] = {}
    default = statement.value
    for call in [*_metadata(statement.annotation), *([default] if isinstance(default, ast.Call) else [])]:
        called = work.modules.resolve(scope, call.func)
        if not isinstance(called, External) or called.last not in (*FIELD_LIKE, "field"):
            continue
        words |= keywords(call)
        if call is default:
            default = call.args[0] if call.args and called.last != "field" else None
        elif call.args and "default" not in words:
            words["default"] = call.args[0]
    default = words.pop("default", default)
    factory = words.pop("default_factory", None)
    if isinstance(default, ast.Constant) and default.value is Ellipsis:
        default = None
    return Member(name, statement.annotation, scope, default, words, factory is not None)


def _metadata(annotation: ast.expr) -> Iterator[ast.Call]:
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        outer = annotation.value
        name = outer.id if isinstance(outer, ast.Name) else outer.attr if isinstance(outer, ast.Attribute) else ""
        if name == "Annotated":
            yield from (part for part in annotation.slice.elts if isinstance(part, ast.Call))


def _dict_settings(work: AnnotationReading, cls: Definition) -> Settings:
    total = next(
        (word.value for word in getattr(cls.node, "keywords", []) if word.arg == "total"), ast.Constant(value=True)
    )
    return Settings(total=constant(work.modules, cls.scope, total) is not False)


def _object(work: AnnotationReading, members: list[tuple[Member, Types]], settings: Settings, checks: Checks) -> Schema:
    properties: dict[str, Json] = {}
    required: list[Json] = []
    either: list[Json] = []
    for member, types in members:
        names = _names(work, member, settings)
        if names is None or (not work.takes and _is_true(work, member, "exclude")):
            continue
        for at in checks.noted:
            if work.checks[at].name == member.name:
                work.checks[at] = replace(work.checks[at], name=names[0])
        before = len(work.checks)
        schema = _member_schema(work, member, types, checks)
        work.checks[before:] = named(work.checks[before:], names[0])
        properties |= dict.fromkeys(names, schema)
        if not _needed(work, member, schema, settings):
            continue
        if len(names) == 1:
            required.append(names[0])
        else:
            either.append({"anyOf": [{"required": [name]} for name in names]})
    if not work.takes:
        for computed in checks.computed:
            properties[computed.name] = work.read(work, computed.scope, computed.returns, NO_TYPES)
            required += [computed.name] if work.direction == "written" else []
    schema_of_all: Schema = {"type": "object", "properties": properties}
    schema_of_all |= {"required": required} if required else {}
    schema_of_all |= {"allOf": either} if either else {}
    return schema_of_all | _rest(work, settings)


def _rest(work: AnnotationReading, settings: Settings) -> Schema:
    if settings.extra == "allow":
        return {"additionalProperties": True}
    if settings.extra == "forbid" or not work.takes:
        return {"additionalProperties": False}
    return {}


def _is_true(work: AnnotationReading, member: Member, word: str) -> bool:
    return word in member.words and constant(work.modules, member.scope, member.words[word]) is True


def _names(work: AnnotationReading, member: Member, settings: Settings) -> tuple[str, ...] | None:
    """The keys under which a member stands in JSON; several when it is taken under each; None when not told."""
    written = "validation_alias" if work.takes else "serialization_alias"
    alias = member.words.get(written) or member.words.get("alias")
    name: str | None = member.name
    if alias is not None:
        value = constant(work.modules, member.scope, alias)
        name = value if isinstance(value, str) and value is not ABSENT else None
    elif settings.alias is not None:
        name = settings.alias(member.name)
    if name is None:
        spot = member.scope.spot(member.annotation)
        work.any_value(spot, f"the name of `{member.name}` in JSON, which is not constant")
        return None
    if work.takes and settings.by_name and name != member.name:
        return (name, member.name)
    return (name,)


def _needed(work: AnnotationReading, member: Member, schema: Schema, settings: Settings) -> bool:
    """True when the member is always there."""
    if not settings.total:
        return _outer(member.annotation) == "Required"
    if _outer(member.annotation) == "NotRequired":
        return False
    optional = member.default is not None or member.factory
    if work.direction == "sparse":
        return not optional and {"type": "null"} not in schema.get("anyOf", [])  # type: ignore[operator]
    return work.direction == "written" or not optional


def _outer(annotation: ast.expr) -> str:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return outer.id if isinstance(outer, ast.Name) else outer.attr if isinstance(outer, ast.Attribute) else ""


def _member_schema(work: AnnotationReading, member: Member, types: Types, checks: Checks) -> Schema:
    if member.name in checks.replacing:
        return work.any_value(checks.replacing[member.name], f"a function that may change `{member.name}`")
    schema = work.read(work, member.scope, member.annotation, types)
    if "discriminator" in member.words and "anyOf" in schema:
        schema = {"oneOf" if key == "anyOf" else key: value for key, value in schema.items()}
    schema = constrained(work, member.scope, schema, member.words)
    value = constant(work.modules, member.scope, member.default)
    if member.default is not None and value is not ABSENT:
        schema = schema | {"default": value}
    return schema


def _tuple(work: AnnotationReading, members: list[tuple[Member, Types]]) -> Schema:
    inner: list[Json] = [_member_schema(work, member, types, Checks()) for member, types in members]
    least = sum(member.default is None for member, _ in members)
    return {"type": "array", "prefixItems": inner, "minItems": least, "maxItems": len(inner)}
