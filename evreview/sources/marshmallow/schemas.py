"""marshmallow schema classes as JSON Schema, for what is loaded and for what is dumped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.model import CodeNote, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.marshmallow.fields import PACKAGES, Reading, field_schema
from evreview.sources.reading import Schema, named
from evreview.sources.resolved import Definition, External

HOOKS: Final = ("validates", "validates_schema")
OPAQUE: Final = ("pre_load", "post_dump")
"""Functions that may change the JSON itself, so that other members may be there."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """A schema's values, and the lines of the classes that say so."""

    schema: Schema
    exact: bool
    coerces: bool
    unread: tuple[UnreadCode, ...]
    spots: tuple[Spot, ...] = ()
    checks: tuple[CodeNote, ...] = ()


def is_schema(modules: Modules, found: object) -> bool:
    """True for a supplied class that derives from marshmallow's Schema."""
    return isinstance(found, Definition) and isinstance(found.node, ast.ClassDef) and modules.is_a(
        found, PACKAGES, "Schema", "SQLAlchemySchema"
    )  # fmt: skip


def schema_at(modules: Modules, scope: Scope, expression: ast.expr, takes: bool) -> Shaped | None:
    """The values of `OrderSchema`, `OrderSchema(many=True)`, a name of one, or a dict of fields; None for others."""
    if _target(modules, scope, expression) is None and not isinstance(expression, ast.Dict):
        return None
    # A member that is missing or None when it is dumped is left out or null, so no dumped schema is exact.
    reading = Reading(modules, takes, nested=_nested, exact=takes)
    schema = _nested(reading, scope, expression)
    unread, checks = tuple(dict.fromkeys(reading.unread)), tuple(reading.checks)
    return Shaped(schema, reading.exact, reading.coerces, unread, tuple(reading.spots), checks)


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


def _nested(reading: Reading, scope: Scope, expression: ast.expr) -> Schema:
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


def _key(reading: Reading, scope: Scope, key: ast.expr | None) -> str:
    value = constant(reading.modules, scope, key)
    return value if isinstance(value, str) and value is not MISSING else ""


def _class(reading: Reading, target: _Target) -> Schema:
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


def _hooks(reading: Reading, scope: Scope) -> None:
    for statement in getattr(scope.node, "body", []):
        for decorator in getattr(statement, "decorator_list", []):
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            found = reading.modules.resolve(scope, name)
            last = found.last if isinstance(found, External) and found.package == "marshmallow" else ""
            if last in HOOKS or (last == "pre_load" and reading.takes) or (last == "post_dump" and not reading.takes):
                reading.exact = False
                if last in OPAQUE:
                    text = "a function that may change the values before they are checked or sent"
                    reading.unread.append(UnreadCode(scope.spot(statement), text))
                elif reading.takes:
                    for word in _members(reading, scope, decorator) or ("",):
                        reading.refuses(word, scope.spot(statement), getattr(statement, "name", ""))


def _members(reading: Reading, scope: Scope, decorator: ast.expr) -> tuple[str, ...]:
    """The members that `@validates("title")` names."""
    given = decorator.args if isinstance(decorator, ast.Call) else []
    names = (constant(reading.modules, scope, one) for one in given)
    return tuple(name for name in names if isinstance(name, str) and name is not MISSING)


def _wanted(reading: Reading, target: _Target, name: str) -> bool:
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


def _unknown(reading: Reading, target: _Target) -> Literal["raise", "exclude", "include"] | None:
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


def _object(reading: Reading, fields: list[tuple[str, Scope, ast.Call]], unknown: str | None = "raise") -> Schema:
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
