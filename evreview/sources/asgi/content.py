"""Values that the code writes out, dictionaries above all, as JSON Schema."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.calls import changed
from evreview.codefacts.control_flow import Frame, argument_of, value_in
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.error_words import codes_of_value, is_code, names_code
from evreview.sources.resolved import Definition

MAX_LEVELS: Final = 12
_TEXTS: Final = ("str", "format", "join", "isoformat", "strftime", "lower", "upper")


def content_schema(
    modules: Modules, frame: Frame, value: ast.expr | None, levels: int = MAX_LEVELS
) -> tuple[Json, bool]:
    """The schema of a written value and whether that is all there is; None where nothing is known."""
    if value is None or levels <= 0:
        return None, False
    given = argument_of(modules, frame, value)
    if given is not None:
        return content_schema(modules, given[0], given[1], levels - 1)
    known = value_in(modules, frame, value)
    if known is not MISSING and not isinstance(known, dict | list):
        return {"const": known}, True
    match value:
        case ast.Dict():
            return _object(modules, frame, value, levels)
        case ast.List() | ast.ListComp() | ast.Tuple():
            return {"type": "array"}, False
        case ast.JoinedStr():
            return {"type": "string"}, True
        case ast.IfExp(body=body, orelse=orelse):
            left, right = (content_schema(modules, frame, part, levels - 1) for part in (body, orelse))
            return ({"anyOf": [left[0], right[0]]}, left[1] and right[1]) if left[0] and right[0] else (None, False)
        case ast.Call():
            return _called(modules, frame, value)
        case ast.Name():
            return _named(modules, frame, value, levels)
    return None, False


def _object(modules: Modules, frame: Frame, value: ast.Dict, levels: int) -> tuple[Json, bool]:
    properties: dict[str, Json] = {}
    exact = closed = True
    for key, part in zip(value.keys, value.values, strict=True):
        name = value_in(modules, frame, key) if key is not None else MISSING
        if not isinstance(name, str) or name is MISSING:
            exact = closed = False
            continue
        inner, whole = content_schema(modules, frame, part, levels - 1)
        properties[name] = inner if inner is not None else {}
        exact = exact and whole
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    required: list[Json] = list(properties)
    schema |= {"required": required} if required else {}
    # Values may be unknown; which members a literal has is not.
    return (schema | {"additionalProperties": False} if closed else schema), exact


def _called(modules: Modules, frame: Frame, call: ast.Call) -> tuple[Json, bool]:
    """`str(error)` is a text; a model that is made, or dumped, is its members."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _TEXTS:
        return {"type": "string"}, True
    made = call
    if name in ("model_dump", "dict", "jsonable_encoder"):
        inner = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
        if not isinstance(inner, ast.Call):
            return None, False
        made = inner
    found = modules.called(frame.scope, made)
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        shape = shape_of(modules, frame.scope, made.func, "written")
        return (shape.schema, shape.exact) if shape.schema != {} else (None, False)
    return None, False


def _named(modules: Modules, frame: Frame, value: ast.Name, levels: int) -> tuple[Json, bool]:
    found = modules.resolve(frame.scope, value)
    if isinstance(found, Definition) and changed(found):
        return {"type": "object"} if isinstance(found.node, ast.Dict) else None, False
    if isinstance(found, Definition) and isinstance(found.node, ast.Dict | ast.Call | ast.JoinedStr | ast.List):
        inner = Frame(found.scope, frame.given, frame.spot, frame.depth)
        return content_schema(modules, inner, found.node, levels - 1)
    return None, False


def codes_in(
    modules: Modules, frame: Frame, value: ast.expr | None, *, named: bool = False, levels: int = 6
) -> tuple[str, ...]:
    """The error codes in a written value; `named`: it is the value of a member that holds codes."""
    if value is None or levels <= 0:
        return ()
    given = argument_of(modules, frame, value)
    if given is not None:
        return codes_in(modules, *given, named=named, levels=levels - 1)
    known = value_in(modules, frame, value)
    if known is not MISSING:
        return tuple(dict.fromkeys(codes_of_value(known, named=named)))
    found = (
        codes_in(modules, frame, part, named=inner, levels=levels - 1)
        for part, inner in _parts(modules, frame, value, named)
    )
    return tuple(dict.fromkeys(code for codes in found for code in codes))


def _parts(modules: Modules, frame: Frame, value: ast.expr, named: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of a written value, each with whether it holds codes."""
    match value:
        case ast.Dict(keys=keys, values=parts):
            for key, part in zip(keys, parts, strict=True):
                name = value_in(modules, frame, key) if key is not None else MISSING
                yield part, isinstance(name, str) and name is not MISSING and names_code(name)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from ((part, named) for part in parts)
        case ast.IfExp(body=body, orelse=orelse):
            yield from ((body, named), (orelse, named))
        case ast.Call(keywords=words, args=args):
            yield from ((part, named) for part in args)
            yield from ((word.value, names_code(word.arg or "")) for word in words)


def lone_code(modules: Modules, frame: Frame, value: ast.expr | None) -> tuple[str, ...]:
    """The one text that a value is, where it may be a code."""
    known = value_in(modules, frame, value) if value is not None else MISSING
    return (known,) if isinstance(known, str) and known is not MISSING and is_code(known) else ()
