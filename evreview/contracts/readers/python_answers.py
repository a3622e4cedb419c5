"""What the function says by which a module answers names that it does not bind (`__getattr__`, PEP 562)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final, NamedTuple

from evreview.contracts.readers.python_branches import names_bound

ANY_NAME: Final = "*"


class Answers(NamedTuple):
    """The answers of one module.

    Attributes:
        text: the body of the function with the literals that it looks names up in, "" without one.
        mentioned: the names among its literals, and `*` where it may answer others as well.
    """

    text: str = ""
    mentioned: frozenset[str] = frozenset()


def answers_of(tree: ast.Module) -> Answers:
    """What a parsed file answers."""
    defined = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "__getattr__"]
    if not defined:
        return Answers()
    function = defined[-1]
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    tables = [
        each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign) and read & set(names_bound(each))
    ]
    told = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    body = function.body[told:]
    literals = (node.value for each in (*tables, *body) for node in ast.walk(each) if isinstance(node, ast.Constant))
    names = {text for text in literals if isinstance(text, str) and text.isidentifier()}
    listed = {name for each in tables if _is_display(each.value, set()) for name in names_bound(each)}
    asking = _Asking({each.arg for each in function.args.args}, listed)
    mentioned = names if asking.is_told(body) else names | {ANY_NAME}
    return Answers("\n".join(map(ast.unparse, [*tables, *body])), frozenset(mentioned))


class _Asking(NamedTuple):
    """How a function looks at the name that it is asked for.

    Attributes:
        asked: the parameter.
        listed: the tables of the file that are written out.
    """

    asked: set[str]
    listed: set[str]

    def is_told(self, body: Sequence[ast.stmt]) -> bool:
        """True when the literals are all that it answers."""
        return self._refuses(body) and not any(self._is_open(node) for each in body for node in ast.walk(each))

    def _refuses(self, body: Sequence[ast.stmt]) -> bool:
        """True when what is answered at the end of a body is an error, or looked up in a table by the name."""
        match body[-1] if body else None:
            case ast.Raise():
                return True
            case ast.Return(value=ast.expr() as value):
                return any(self._is_looked_up(node) for node in ast.walk(value))
            case ast.If(body=first, orelse=second):
                return self._refuses(first) and self._refuses(second)
            case ast.Try(body=first, handlers=handlers, orelse=second):
                return self._refuses(second or first) and all(self._refuses(each.body) for each in handlers)
            case ast.With(body=first):
                return self._refuses(first)
        return False

    def _is_looked_up(self, node: ast.AST) -> bool:
        """True for `table[name]`."""
        return isinstance(node, ast.Subscript) and self._is_name(node.slice) and _is_display(node.value, self.listed)

    def _is_open(self, node: ast.AST) -> bool:
        """True for a comparison of the name with what is not written out, and for what a method makes of it."""
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(self._is_name, (left, *others))):
                return not all(self._is_name(each) or _is_display(each, self.listed) for each in (left, *others))
            case ast.Attribute(value=value):
                return self._is_name(value)
        return False

    def _is_name(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.asked


def _is_display(node: ast.expr | None, listed: set[str]) -> bool:
    """True for literals, and for tables that hold them."""
    match node:
        case ast.Constant():
            return True
        case ast.List(elts=members) | ast.Tuple(elts=members) | ast.Set(elts=members):
            return all(isinstance(each, ast.Constant) for each in members)
        case ast.Dict(keys=keys):
            return all(isinstance(each, ast.Constant) for each in keys)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[inside], keywords=[]):
            return _is_display(inside, listed)
        case ast.Name(id=name):
            return name in listed
    return False
