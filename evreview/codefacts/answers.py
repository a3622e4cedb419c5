"""Bodies that code writes as literals: what their values are, and which error codes they hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import value_at
from evreview.codefacts.control_flow import Frame, value_in
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.error_words import codes_of_schema
from evreview.sources.resolved import External

MAX_LITERAL_LEVELS: Final = 20
_TYPES: Final = {
    "builtins.str": "string", "builtins.int": "integer", "builtins.bool": "boolean", "builtins.len": "integer",
    "builtins.repr": "string",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Literal:
    """A body: its schema, None when nothing is known; whether it says all; the error codes in it."""

    schema: Json
    exact: bool
    codes: tuple[str, ...] = ()


UNKNOWN: Final = Literal(None, False)


def literal(modules: Modules, frame: Frame, expression: ast.expr | None) -> Literal:
    """What an expression's JSON values are; of a dict the members, each as far as it is told."""
    reader = _LiteralReader(modules)
    schema = reader.read(frame, expression, 0)
    if not schema:
        return UNKNOWN
    return Literal(schema, reader.exact, tuple(dict.fromkeys(codes_of_schema(schema))))


def members(modules: Modules, frame: Frame, call: ast.Call) -> Literal:
    """The object that keyword arguments make: `jsonify(a=1)`."""
    reader = _LiteralReader(modules)
    closed = all(word.arg for word in call.keywords)
    schema = reader.object(frame, {word.arg: word.value for word in call.keywords if word.arg}, closed, 0)
    return Literal(schema, reader.exact, tuple(dict.fromkeys(codes_of_schema(schema))))


class _LiteralReader:
    """The state of reading one body."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.exact = True

    def read(self, frame: Frame, expression: ast.expr | None, level: int) -> dict[str, Json]:
        """The schema of one expression, {} when it can't be told."""
        frame, node = value_at(self.modules, frame, expression)
        if level < MAX_LITERAL_LEVELS:
            match node:
                case ast.Dict():
                    return self._dict(frame, node, level)
                case ast.Call(func=ast.Name(id="dict"), args=[]) if all(word.arg for word in node.keywords):
                    return self.object(frame, {str(word.arg): word.value for word in node.keywords}, True, level)
                case ast.List(elts=parts) | ast.Tuple(elts=parts):
                    return self._list(frame, parts, level)
                case ast.ListComp(elt=ast.Dict() as element):
                    return {"type": "array", "items": self.read(frame, element, level + 1)}
                case ast.ListComp():
                    self.exact = False
                    return {"type": "array"}
                case ast.IfExp(body=body, orelse=orelse):
                    one, other = self.read(frame, body, level + 1), self.read(frame, orelse, level + 1)
                    return {"anyOf": [one, other]} if one and other else {}
        return self._scalar(frame, node)

    def _scalar(self, frame: Frame, node: ast.expr | None) -> dict[str, Json]:
        value = value_in(self.modules, frame, node)
        if value is not MISSING:
            return {"const": value}
        if isinstance(node, ast.JoinedStr):
            return {"type": "string"}
        if isinstance(node, ast.Compare):
            return {"type": "boolean"}
        called = self.modules.called(frame.scope, node) if isinstance(node, ast.Call) else None
        kind = _TYPES.get(called.name) if isinstance(called, External) else None
        self.exact = self.exact and kind is not None
        return {"type": kind} if kind is not None else {}

    def _dict(self, frame: Frame, node: ast.Dict, level: int) -> dict[str, Json]:
        named: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = value_in(self.modules, frame, key) if key is not None else MISSING
            if isinstance(name, str) and name is not MISSING:
                named[name] = value
        return self.object(frame, named, len(named) == len(node.keys), level)

    def object(self, frame: Frame, named: dict[str, ast.expr], closed: bool, level: int) -> dict[str, Json]:
        """An object with these members, and with no others when it is closed."""
        self.exact = self.exact and closed
        properties: Json = {name: self.read(frame, value, level + 1) for name, value in named.items()}
        schema: dict[str, Json] = {"type": "object", "properties": properties, "required": list(named)}
        return schema | ({"additionalProperties": False} if closed else {})

    def _list(self, frame: Frame, parts: list[ast.expr], level: int) -> dict[str, Json]:
        if any(isinstance(part, ast.Starred) for part in parts):
            self.exact = False
            return {"type": "array"}
        inner: list[Json] = [self.read(frame, part, level + 1) for part in parts]
        return {"type": "array", "prefixItems": inner, "minItems": len(inner), "maxItems": len(inner)}
