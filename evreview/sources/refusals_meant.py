"""The status that code refuses with where it refuses, whatever an error handler makes of it afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.constants import whole
from evreview.codefacts.control_flow import Event, exception_of, value_in
from evreview.codefacts.names import Modules
from evreview.sources.resolved import External

_ABORTING: Final = ("flask", "werkzeug", "flask_smorest", "flask_restful", "apiflask", "quart")
_RAISED: Final = {"Unauthorized": 401, "HTTPUnauthorized": 401, "Forbidden": 403, "HTTPForbidden": 403}
_PLACES: Final = ("werkzeug", "quart", "aiohttp", "sanic")


def refusals_meant(modules: Modules, events: Iterable[Event]) -> Iterator[int]:
    """Every status that is aborted with, or that a raised exception stands for; a 401 stays one in `errorhandler`."""
    for event in events:
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            status = _aborted(modules, event, event.node)
        elif isinstance(event.node, ast.Raise) and event.node.exc is not None:
            found = exception_of(modules, event.frame, event.node.exc)
            known = isinstance(found, External) and found.package in _PLACES
            status = _RAISED.get(found.last) if known and isinstance(found, External) else None
        else:
            status = None
        if status is not None:
            yield status


def _aborted(modules: Modules, event: Event, call: ast.Call) -> int | None:
    found = modules.called(event.frame.scope, call)
    if not isinstance(found, External) or not found.of(_ABORTING, "abort"):
        return None
    given = call.args[0] if call.args else next((word.value for word in call.keywords), None)
    return whole(value_in(modules, event.frame, given))
