"""What the supplied files give for a parameter: the arguments of every call of its function."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.calls import last_name
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition

MAX_SITES: Final = 50
"""Calls of one function that are looked at."""
_Sites = dict[str, list[tuple[Scope, ast.Call]]]


def arguments_given(modules: Modules, parameter: Definition) -> list[tuple[Scope, ast.expr]]:
    """Each argument that a call in the supplied files gives for a parameter, with the scope of the call.

    Found once for each parameter: who asks what is an application asks for the same ones over and over.
    """
    known = modules.memo.setdefault("arguments given", {})
    assert isinstance(known, dict)
    if id(parameter.node) not in known:
        known[id(parameter.node)] = _arguments_given(modules, parameter)
    found: list[tuple[Scope, ast.expr]] = known[id(parameter.node)]
    return found


def _arguments_given(modules: Modules, parameter: Definition) -> list[tuple[Scope, ast.expr]]:
    function = parameter.scope.node
    if not isinstance(parameter.node, ast.arg) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    name = function.name
    if name == "__init__" and parameter.scope.owner is not None:
        name = getattr(parameter.scope.owner.node, "name", name)
    found: list[tuple[Scope, ast.expr]] = []
    for scope, call in _sites(modules).get(name, [])[:MAX_SITES]:
        given = _given(parameter, function, call)
        if given is not None and _is_called(modules, scope, call, parameter, function):
            found.append((scope, given))
    return found


def _given(parameter: Definition, function: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> ast.expr | None:
    for word in call.keywords:
        if word.arg == parameter.name:
            return word.value
    names = [one.arg for one in arguments(function)]
    place = names.index(parameter.name) - (parameter.scope.owner is not None)
    plain = any(isinstance(one, ast.Starred) for one in call.args)
    return call.args[place] if not plain and 0 <= place < len(call.args) else None


def _is_called(modules: Modules, scope: Scope, call: ast.Call, parameter: Definition, function: ast.AST) -> bool:
    found = modules.called(scope, call)
    owner = parameter.scope.owner
    return isinstance(found, Definition) and found.node in (function, owner.node if owner is not None else function)


def _sites(modules: Modules) -> _Sites:
    """Every call of the supplied files, by the last part of what it calls; found once per `modules`."""
    known = modules.memo.get("call sites")
    if isinstance(known, dict):
        return known
    found: _Sites = {}
    for scope, statement in modules.statements():
        for node in _own(statement):
            if isinstance(node, ast.Call) and last_name(node.func):
                found.setdefault(last_name(node.func), []).append((scope, node))
    modules.memo["call sites"] = found
    return found


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement without the statements in it."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        )
    return found
