"""The parts of a list that code builds: written out, joined by `+`, and appended to where it is made."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.calls import arguments_given
from evreview.codefacts.control_flow import conditions
from evreview.codefacts.modules import Scope, defaults
from evreview.codefacts.names import Definition, Modules

_HOPS: Final = 8
_LISTS: Final = (ast.List, ast.Tuple, ast.Set)
_ADDING: Final = frozenset({"append", "add", "insert"})
_TAKING: Final = frozenset({"remove", "pop", "clear", "reverse", "sort"})
Part = tuple[Scope, ast.expr, bool]
"""Where it stands, the part, and whether it surely is in the list."""


@dataclass(slots=True)
class ListParts:
    """The parts found; `whole` is False where there may be others, or fewer."""

    parts: list[Part] = field(default_factory=list)
    whole: bool = True


def parts_of(modules: Modules, scope: Scope, given: ast.expr | None) -> ListParts:
    """The parts of a list, over names, `+`, stars, and what is appended beside its making."""
    found = ListParts()
    if given is not None:
        _take(modules, found, (scope, given, True), _HOPS)
    return found


def _take(modules: Modules, found: ListParts, at: Part, hops: int) -> None:
    scope, node, sure = at
    if hops <= 0:
        found.whole = False
        return
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                if isinstance(part, ast.Starred):
                    _take(modules, found, (scope, part.value, sure), hops - 1)
                else:
                    found.parts.append(_plain(modules, (scope, part, sure)))
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            for part in (left, right):
                _take(modules, found, (scope, part, sure), hops - 1)
        case ast.IfExp(body=body, orelse=orelse):
            for part in (body, orelse):
                _take(modules, found, (scope, part, False), hops - 1)
        case ast.BoolOp(op=ast.Or(), values=values):
            for part in values:
                _take(modules, found, (scope, part, sure), hops - 1)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            _take(modules, found, (scope, inner, sure), hops - 1)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[], keywords=[]) | ast.Constant(value=None):
            return
        case ast.Name() | ast.Attribute():
            _named(modules, found, at, hops - 1)
        case _:
            found.whole = False


def _named(modules: Modules, found: ListParts, at: Part, hops: int) -> None:
    scope, node, sure = at
    known = modules.resolve(scope, node)
    if isinstance(known, Definition) and isinstance(known.node, ast.arg):
        _argument(modules, found, known, sure, hops)
        return
    if isinstance(known, Definition) and isinstance(known.node, ast.expr):
        _take(modules, found, (known.scope, known.node, sure), hops)
        if isinstance(known.node, (*_LISTS, ast.Call, ast.BinOp)):
            _added(modules, found, known, sure, hops)
        return
    bindings = scope.names.get(node.id, []) if isinstance(node, ast.Name) else []
    values = [one.node for one in bindings if isinstance(one.node, ast.expr)]
    if not values or len(values) < len([one for one in bindings if not isinstance(one.statement, ast.AugAssign)]):
        found.whole = False
        return
    for value in values:
        _take(modules, found, (scope, value, sure and len(values) == 1), hops)
    assert isinstance(node, ast.Name)
    _added(modules, found, Definition(values[0], scope, node.id, node), sure, hops)


def _argument(modules: Modules, found: ListParts, known: Definition, sure: bool, hops: int) -> None:
    """What every call of the function gives; its default where one gives nothing is no part that is surely there."""
    sites = arguments_given(modules, known)
    function = known.scope.node
    default = (
        defaults(function).get(known.name) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else None
    )
    if len(sites) == 1:
        _take(modules, found, (*sites[0], sure and default is None), hops)
    else:
        found.whole = False
    if default is not None:
        _take(modules, found, (known.scope.parent or known.scope, default, False), hops)


def _added(modules: Modules, found: ListParts, known: Definition, sure: bool, hops: int) -> None:
    """What `name.append(…)`, `name.extend(…)` and `name += …` add in the scope that makes the list."""
    for scope, statement in modules.statements(known.scope):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=args)):
                if name != known.name or scope is not known.scope:
                    continue
                certain = sure and not any(conditions(modules, scope, statement))
                if attr in _ADDING and args:
                    found.parts.append(_plain(modules, (scope, args[-1], certain)))
                elif attr == "extend" and args:
                    _take(modules, found, (scope, args[0], certain), hops - 1)
                elif attr in _TAKING:
                    found.whole = False
            case ast.AugAssign(target=ast.Name(id=name), value=value) if name == known.name and scope is known.scope:
                certain = sure and not any(conditions(modules, scope, statement))
                _take(modules, found, (scope, value, certain), hops - 1)
            case _:
                continue


def _plain(modules: Modules, part: Part) -> Part:
    """The call that a name stands for."""
    scope, node, sure = part
    known = modules.resolve(scope, node) if isinstance(node, ast.Name | ast.Attribute) else None
    if isinstance(known, Definition) and isinstance(known.node, ast.expr):
        return known.scope, known.node, sure
    return part
