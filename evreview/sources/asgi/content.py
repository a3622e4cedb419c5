"""Values that the code writes out, dictionaries above all, as JSON Schema."""

from __future__ import annotations

import ast
from typing import Final, cast

from evreview.sources.annotations import shape_of
from evreview.sources.flow import Frame, argument_of, value_in
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition
from evreview.vocab import MISSING, Form, Json

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
    exact = True
    for key, part in zip(value.keys, value.values, strict=True):
        name = value_in(modules, frame, key) if key is not None else MISSING
        if not isinstance(name, str) or name is MISSING:
            exact = False
            continue
        inner, whole = content_schema(modules, frame, part, levels - 1)
        properties[name] = inner if inner is not None else {}
        exact = exact and whole
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    required: list[Json] = list(properties)
    return (schema | {"required": required} if required else schema), exact


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
    if isinstance(found, Definition) and isinstance(found.node, ast.Dict | ast.Call | ast.JoinedStr | ast.List):
        inner = Frame(found.scope, frame.given, frame.spot, frame.depth)
        return content_schema(modules, inner, found.node, levels - 1)
    return None, False


def strings(modules: Modules, frame: Frame, value: ast.expr | None, levels: int = 6) -> tuple[str, ...]:
    """The constant texts in a written value: codes and messages."""
    if value is None or levels <= 0:
        return ()
    given = argument_of(modules, frame, value)
    if given is not None:
        return strings(modules, given[0], given[1], levels - 1)
    known = value_in(modules, frame, value)
    if known is not MISSING:
        return tuple(dict.fromkeys(_texts(known)))
    match value:
        case ast.Dict(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            inner = parts
        case ast.IfExp(body=body, orelse=orelse):
            inner = [body, orelse]
        case ast.Call(keywords=words, args=args):
            inner = [*args, *(word.value for word in words)]
        case _:
            return ()
    return tuple(dict.fromkeys(text for part in inner for text in strings(modules, frame, part, levels - 1)))


def _texts(value: Form) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(cast(Form, part))]
    if isinstance(value, list):
        return [text for part in value for text in _texts(cast(Form, part))]
    return []
