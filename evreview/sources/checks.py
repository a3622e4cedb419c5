"""Conditions of a handler over what it is sent, which lead to a refusal or to another value: named, not read as sets.

Whether one narrows the values hangs on everything that runs before it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.calls import value_at
from evreview.codefacts.control_flow import Event, Frame, argument_of, value_in
from evreview.codefacts.model import CodeNote, CodeResponse
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.narrowed import kept_values
from evreview.sources.reading import check

_REFUSALS: Final = frozenset({400, 422})
_BODY: Final = re.compile(r"(^|\.)(request|req)\.(json|get_json|data|json\(\)|get_json\(.*\))$", re.DOTALL)
_READ: Final = re.compile(
    r"(^|\.)(request|req)\.(args|values|headers|cookies|form|GET|POST|query_params|query|rel_url\.query|match_info)$"
)
_NOT_READ: Final = frozenset({"self", "cls", "request", "req", "response"})
_CAPS: Final = ("min", "max")


def checks(modules: Modules, event: Event, sent: Iterable[CodeResponse]) -> Iterator[CodeNote]:
    """A note per parameter and field of the body that the condition around a refusal looks at."""
    if any(response.status in _REFUSALS for response in sent):
        for test in event.tests[-1:]:
            kept = kept_values(modules, event, test)
            for name in _looked_at(modules, event.frame, test):
                note = check(name, event.frame.scope.spot(test), ast.unparse(test))
                yield replace(note, value=kept) if kept is not None and _is_plain(modules, event.frame, test) else note


def _is_plain(modules: Modules, frame: Frame, test: ast.expr) -> bool:
    """True where the name on the left is what was read, unchanged."""
    left = test.left if isinstance(test, ast.Compare) else None
    for binding in frame.scope.names.get(left.id, []) if isinstance(left, ast.Name) else []:
        return isinstance(binding.node, ast.arg) or (
            binding.node is not None and bool(_read(modules, frame, binding.node))
        )
    return False


def caps(modules: Modules, events: Iterable[Event]) -> Iterator[CodeNote]:
    """A note per parameter that is given another value: `if limit > 100: limit = 100`, `limit = min(limit, 100)`."""
    for event in events:
        node = event.node
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        cut = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _CAPS
        why = [value] if cut and name in _names(value) else [test for test in event.tests if name in _names(test)]
        for read in _parameter(modules, event.frame, name) if why else ():
            yield check(read, event.frame.scope.spot(node), ast.unparse(why[0]))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _looked_at(modules: Modules, frame: Frame, test: ast.expr) -> Iterator[str]:
    """The parameters and fields that a condition looks at, each once."""
    found: dict[str, None] = {}
    # In `label.strip()` the text itself is looked at, in `body.label` the field.
    methods = {id(node.func) for node in ast.walk(test) if isinstance(node, ast.Call)}
    members = {
        id(node.value)
        for node in ast.walk(test)
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and id(node) not in methods)
    }
    for node in ast.walk(test):
        names = [_field(modules, frame, node), _read(modules, frame, node)]
        if isinstance(node, ast.Name) and id(node) not in members:
            names += _parameter(modules, frame, node.id)
        elif isinstance(node, ast.Attribute) and id(node) not in methods and isinstance(node.value, ast.Name):
            names += [node.attr for _ in _handed(modules, frame, node.value)]
        found |= dict.fromkeys(name for name in names if name)
    yield from found


def _parameter(modules: Modules, frame: Frame, name: str) -> Iterator[str]:
    """The parameters that a local name stands for: an argument of the handler, or what a request holds."""
    for binding in frame.scope.names.get(name, []):
        if isinstance(binding.node, ast.arg):
            yield from _handed(modules, frame, ast.Name(id=name, ctx=ast.Load()))
        elif isinstance(binding.node, ast.expr):
            read = (_read(modules, frame, node) for node in ast.walk(binding.node))
            yield from (each for each in read if each)


def _handed(modules: Modules, frame: Frame, name: ast.Name) -> Iterator[str]:
    """The handler's argument behind a name, without the request itself."""
    given = argument_of(modules, frame, name)
    if given is not None and isinstance(given[1], ast.Name):
        yield from _handed(modules, given[0], given[1])
        return
    node = frame.scope.node
    own = arguments(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    if frame.depth == 0 and name.id not in _NOT_READ and any(one.arg == name.id for one in own):
        yield name.id


def _keyed(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Holder and key of `holder["name"]` and `holder.get("name")`."""
    match node:
        case ast.Subscript(value=holder, slice=key):
            return holder, key
        case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *_]):
            return holder, key
    return None


def _text(modules: Modules, frame: Frame, key: ast.expr) -> str:
    name = value_in(modules, frame, key)
    return name if isinstance(name, str) and name is not MISSING else ""


def _read(modules: Modules, frame: Frame, node: ast.AST) -> str:
    """The parameter in `request.args["name"]`, "" for anything else."""
    keyed = _keyed(node)
    if keyed is None or _READ.search(ast.unparse(keyed[0])) is None:
        return ""
    return _text(modules, frame, keyed[1])


def _field(modules: Modules, frame: Frame, node: ast.AST) -> str:
    """The field in `body["name"]` and `body.get("name")`, "" for anything else."""
    keyed = _keyed(node)
    if keyed is None:
        return ""
    _, made = value_at(modules, frame, keyed[0])
    return _text(modules, frame, keyed[1]) if made is not None and _BODY.search(ast.unparse(made)) else ""
