"""What Flask itself answers when a handler reads a JSON body that is none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import keyword, last_name
from evreview.codefacts.control_flow import Frame, own_nodes, value_in
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import External

UNPARSED: Final = 400
OTHER_MEDIA: Final = 415
_CATCHING: Final = {
    "BadRequest": {UNPARSED},
    "UnsupportedMediaType": {OTHER_MEDIA},
    **{name: {UNPARSED, OTHER_MEDIA} for name in ("HTTPException", "Exception", "BaseException")},
}
_LOOKS: Final = frozenset({"is_json", "mimetype", "content_type"})
"""Members of a request by which a handler tells by itself whether JSON came."""


def json_refusals(modules: Modules, frame: Frame, node: ast.AST) -> tuple[int, ...]:
    """The statuses that reading `request.get_json()` or `request.json` may end with, () for other nodes."""
    if isinstance(node, ast.Call) and _is(modules, frame, node.func, "get_json"):
        words = {word: _given(modules, frame, node, word, place) for place, word in enumerate(("force", "silent"))}
        if words["silent"] is not False:
            return ()
        found = {UNPARSED} if words["force"] is not False else {UNPARSED, OTHER_MEDIA}
    elif isinstance(node, ast.Attribute) and _is(modules, frame, node, "json"):
        found = {UNPARSED, OTHER_MEDIA}
    else:
        return ()
    if any(isinstance(one, ast.Attribute) and one.attr in _LOOKS for one in own_nodes(frame.scope.node)):
        found.discard(OTHER_MEDIA)
    return tuple(sorted(found - set(_caught(frame, node))))


def _is(modules: Modules, frame: Frame, expression: ast.expr, name: str) -> bool:
    found = modules.resolve(frame.scope, expression)
    return isinstance(found, External) and found.name == f"flask.request.{name}"


def _given(modules: Modules, frame: Frame, call: ast.Call, word: str, place: int) -> object:
    """The flag that a call gives, False without one."""
    given = keyword(call, word, place)
    value = value_in(modules, frame, given) if given is not None else False
    return None if value is MISSING else value


def _caught(frame: Frame, node: ast.AST) -> Iterator[int]:
    """The statuses whose exceptions a `try` around the node catches."""
    for attempt in own_nodes(frame.scope.node):
        if isinstance(attempt, ast.Try) and any(node is one for part in attempt.body for one in ast.walk(part)):
            for handler in attempt.handlers:
                kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                for kind in kinds:
                    yield from _CATCHING.get(last_name(kind) if kind is not None else "Exception", ())
