"""Whole collections that a view hands out, though other views give everybody only their own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.core.quoted_text import Subject, text
from evreview.security.leads.ownership import authenticated_only, singular
from evreview.workflows.w3.access_control.access_words import OWNERS
from evreview.workflows.w3.access_control.owner_checks import asks
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading

_ENDING: Final = frozenset(
    {"all", "values", "values_list", "filter", "exclude", "order_by", "only", "defer", "select_related", "iterator",
     "prefetch_related", "distinct", "reverse"}
)  # fmt: skip
"""Calls of a query that still give objects, not a figure."""
_KEYS: Final = frozenset({"pk", "id", "uuid", "slug"})


def whole_collections(reading: Reading, names: frozenset[str]) -> Iterator[Hit]:
    """One hit per handler of Django that gives objects which other lines filter by their owner, and asks for none."""
    for unit in reading.units:
        handler = reading.handlers.get(unit.route)
        if unit.facts is None or handler is None or handler.node is not unit.function.node:
            continue
        if unit.facts.framework not in ("django", "drf") or (unit.facts.guards and not authenticated_only(unit.facts)):
            continue
        for frame in unit.frames:
            nodes = reading.nodes(frame.scope.node)
            found = next((node for node in nodes if isinstance(node, ast.Call) and _gives(node, nodes, names)), None)
            if found is not None and not asks(reading, unit):
                says = text("every object of ", Subject(_model(found)), ", which others get by their owner only")
                yield hit(frame, found, unit.route, says)
                break


def _gives(call: ast.Call, nodes: tuple[ast.AST, ...], names: frozenset[str]) -> bool:
    """True for a whole query of such a thing that is no part of a longer one."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _ENDING or _model(call) not in names:
        return False
    longer = any(isinstance(node, ast.Attribute) and node.value is call for node in nodes)
    return not longer and not any(_narrows(one) for one in ast.walk(call) if isinstance(one, ast.Call))


def _narrows(call: ast.Call) -> bool:
    """True for a filter by an owner or by a key."""
    steps = [(word.arg or "").partition("__")[0] for word in call.keywords]
    return any(step in OWNERS or step in _KEYS for step in steps)


def _model(call: ast.Call) -> str:
    """`file` of `File.objects.filter(…).values()`, "" for what is no such query."""
    at: ast.expr = call
    while isinstance(at, ast.Call | ast.Attribute):
        if isinstance(at, ast.Attribute) and at.attr == "objects":
            name = at.value.attr if isinstance(at.value, ast.Attribute) else getattr(at.value, "id", "")
            return singular(name)
        at = at.func if isinstance(at, ast.Call) else at.value
    return ""
