"""Comparisons of the handler with a field of the body that lead to a refusal: named, not read as a value set.

Whether one narrows the values hangs on everything that runs before it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.sources.calls import value_at
from evreview.sources.flow import Event, value_in
from evreview.sources.model import CodeNote, CodeResponse
from evreview.sources.names import Modules
from evreview.vocab import MISSING, Concern

_REFUSALS: Final = frozenset({400, 422})
_BODY: Final = re.compile(r"(^|\.)(request|req)\.(json|get_json|data|json\(\)|get_json\(.*\))$", re.DOTALL)


def checks(modules: Modules, event: Event, sent: Iterable[CodeResponse]) -> Iterator[CodeNote]:
    """A note per field of the body that the condition around a refusal looks at."""
    if not any(response.status in _REFUSALS for response in sent):
        return
    for test in event.tests[-1:]:
        for node in ast.walk(test):
            name = _field(modules, event, node)
            if name:
                spot = event.frame.scope.spot(test)
                yield CodeNote(concern=Concern.VALIDATION, name=name, spot=spot, value=ast.unparse(test)[:200])


def _field(modules: Modules, event: Event, node: ast.AST) -> str:
    """The field in `body["name"]` and `body.get("name")`, "" for anything else."""
    match node:
        case ast.Subscript(value=holder, slice=key):
            pass
        case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[key, *_]):
            pass
        case _:
            return ""
    _, made = value_at(modules, event.frame, holder)
    name = value_in(modules, event.frame, key)
    known = isinstance(name, str) and name is not MISSING
    return name if known and made is not None and _BODY.search(ast.unparse(made)) else ""  # type: ignore[return-value]
