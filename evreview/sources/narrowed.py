"""Parameters whose values one plain condition of the handler refuses: `if state not in ("open", "closed"): abort(400)`.

Only a condition that stands alone, over the parameter as it was read, is taken; every other one stays a note.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event
from evreview.codefacts.model import CodeNote, CodeParameter, Route, Spot
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import Concern, Form, Json

_BOUNDS: Final = {ast.Gt: "maximum", ast.GtE: "exclusiveMaximum", ast.Lt: "minimum", ast.LtE: "exclusiveMinimum"}
_NUMBERS: Final = ("integer", "number")


def kept_values(modules: Modules, event: Event, test: ast.expr) -> dict[str, Json] | None:
    """What a refusing condition lets through of the name on its left, as a schema; None when it is no plain one."""
    if len(event.tests) != 1 or not event.own or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.left, ast.Name) or len(event.frame.scope.names.get(test.left.id, [])) != 1:
        return None
    value = constant(modules, event.frame.scope, test.comparators[0])
    if isinstance(test.ops[0], ast.NotIn) and isinstance(value, list) and value:
        return {"enum": value} if all(isinstance(one, str | int | float) for one in value) else None
    bound = _BOUNDS.get(type(test.ops[0]))
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {bound: value} if bound is not None and number else None


def narrowed(route: Route) -> Route:
    """The route with such conditions taken into the values of its parameters; what can't be taken stays a note."""
    parameters = list(route.parameters)
    notes = [note for note in route.notes if not _taken(parameters, note)]
    return route if len(notes) == len(route.notes) else replace(route, parameters=tuple(parameters), notes=tuple(notes))


def _taken(parameters: list[CodeParameter], note: CodeNote) -> bool:
    kept = note.value
    if note.concern is not Concern.VALIDATION or not isinstance(kept, Mapping):
        return False
    for at, one in enumerate(parameters):
        if one.name == note.name:
            schema = _narrower(one.schema, kept)
            if schema is not None:
                parameters[at] = replace(one, schema=schema, spot=_around(one.spot, note.spot))
                return True
    return False


def _narrower(schema: Json, kept: Mapping[str, Form]) -> Json | None:
    """The schema with the condition; None for one whose values a condition may look at in another form."""
    if not isinstance(schema, dict):
        return None
    branches = schema.get("anyOf")
    if isinstance(branches, list) and len(branches) == 2 and {"type": "null"} in branches and len(schema) == 1:
        other = next((one for one in branches if one != {"type": "null"}), None)
        inner = _narrower(other, kept)
        return None if inner is None else {"anyOf": [inner, {"type": "null"}]}
    fits = schema in ({}, {"type": "string"}) if "enum" in kept else schema.get("type") in _NUMBERS
    fresh = not kept.keys() & schema.keys()
    return {**schema, **cast("dict[str, Json]", dict(kept))} if fits and fresh else None


def _around(read: Spot, condition: Spot) -> Spot:
    """Where it is read, up to the condition where that follows in the same file."""
    if (read.item, read.path) != (condition.item, condition.path) or condition.first < read.first:
        return read
    return replace(read, last=max(read.last, condition.last))
