"""Side effects, limits, rate limits and idempotency keys that show in what a handler runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.control_flow import Event, value_in
from evreview.codefacts.guards.framework_conventions import (
    PURE_PACKAGES,
    RATE_STATUSES,
    SIZE_STATUSES,
    STORING_WORDS,
    WRITING_CALLS,
    WRITING_MODULES,
    WRITING_WORDS,
)
from evreview.codefacts.model import CodeNote, CodeResponse
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.sources.resolved import Definition, External, Resolved
from evreview.sources.stores import CHANGING, outlives

_COMPARES: Final = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def side_effects(modules: Modules, events: Iterable[Event]) -> tuple[CodeNote, ...]:
    """Calls whose names suggest that they write, send or enqueue: leads, because a name proves nothing."""
    found: dict[CodeNote, None] = {}
    for event in events:
        if isinstance(event.node, ast.Call) and event.kind is ast.Call and _writes(modules, event, event.node):
            name = ast.unparse(event.node.func)[:200]
            spot = event.frame.scope.spot(event.node)
            found[CodeNote(concern=Concern.SIDE_EFFECTS, name=name, spot=spot, certain=False)] = None
    return tuple(found)


def _writes(modules: Modules, event: Event, call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    called = modules.called(event.frame.scope, call)
    if isinstance(called, External) and called.package == "builtins":
        return name == "open" and _mode(modules, event, call)
    if isinstance(called, External) and called.package in WRITING_MODULES:
        return name in WRITING_MODULES[called.package]
    if isinstance(call.func, ast.Name):
        return _named_for_it(called, name)
    if not isinstance(call.func, ast.Attribute) or name not in WRITING_CALLS:
        return False
    if name in CHANGING:  # told with the stores where it is a container of a module
        if _local_container(modules, event, call.func) or outlives(modules, event.frame, call.func.value):
            return False
        return False
    return not isinstance(call.func.value, ast.Constant | ast.Dict | ast.List | ast.Set)


def _named_for_it(called: Resolved, name: str) -> bool:
    """True for a plain function named after what it does; one that was supplied is followed, and named by more."""
    if isinstance(called, External) and called.package in PURE_PACKAGES:
        return False
    if isinstance(called, Definition) and not isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    words = WRITING_WORDS if isinstance(called, Definition) else (*WRITING_WORDS, *STORING_WORDS)
    return name.lower().lstrip("_").partition("_")[0] in words and not name[:1].isupper()


def _local_container(modules: Modules, event: Event, function: ast.Attribute) -> bool:
    """True for `seen.add(x)` on a list, set or dict that the function itself made."""
    if not isinstance(function.value, ast.Name):
        return False
    made = [binding.node for binding in event.frame.scope.names.get(function.value.id, [])]
    kinds = (ast.Dict, ast.List, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
    names = ("set", "list", "dict", "defaultdict", "Counter", "OrderedDict", "deque")
    return any(
        isinstance(node, kinds)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names)
        for node in made
    )


def _mode(modules: Modules, event: Event, call: ast.Call) -> bool:
    given = call.args[1] if len(call.args) > 1 else None
    given = next((word.value for word in call.keywords if word.arg == "mode"), given)
    mode = value_in(modules, event.frame, given)
    return isinstance(mode, str) and mode is not MISSING and any(letter in mode for letter in "wax+")


def limits(modules: Modules, event: Event, responses: Iterable[CodeResponse]) -> Iterator[CodeNote]:
    """The comparison with a constant that leads to a status for too much: 413, 414, 431, or 429 for a rate."""
    statuses = {response.status for response in responses}
    concern = Concern.RATE_LIMITS if statuses & RATE_STATUSES else Concern.LIMITS
    if not statuses & (RATE_STATUSES | SIZE_STATUSES):
        return
    for test in event.tests[-1:]:
        for node in ast.walk(test):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], _COMPARES):
                continue
            value = _bound(modules, event, node)
            if value is not MISSING:
                spot = event.frame.scope.spot(node)
                yield CodeNote(concern=concern, name=ast.unparse(node)[:200], spot=spot, value=value)


def _bound(modules: Modules, event: Event, compare: ast.Compare) -> Form:
    for side in (compare.comparators[0], compare.left):
        value = value_in(modules, event.frame, side)
        if value is not MISSING:
            return value
    return MISSING
