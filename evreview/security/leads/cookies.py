"""Whether who calls, or a decision, rests on what a cookie holds: one that keeps a theme is no token."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.security.leads.identities import IDENTITIES
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, OWNERS, PRINCIPALS, PRIVILEGES, says, words
from evreview.workflows.w3.access_control.conditions import conditions
from evreview.workflows.w3.access_control.denials import REFUSING
from evreview.workflows.w3.access_control.request_values import Origin
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, Unit

_TELLING: Final = (IDENTITIES - {"email", "login"}) | PRIVILEGES | OWNERS
"""Names of members that say who calls or what they may do; an address alone may be there for a form."""
_OF_TOKENS: Final = _TELLING | {"id", "name", "email", "login", "scp"}
"""The same for a cookie that is called a session or a token."""


def carries_identity(reading: Reading, unit: Unit, cookie: Origin) -> bool:
    """True where the code of a route makes of a cookie's content who calls, or refuses by it.

    What a cookie that is called a token holds counts as well where nothing shows which members are read.
    """
    frames = [
        (one, frame)
        for one in reading.units
        if ALL_ROUTES in (unit.route, one.route) or one.route == unit.route
        for frame in one.frames
    ]
    token = says(cookie.name, CREDENTIALS | PRINCIPALS)
    read = {key for _, frame in frames for key in _members(reading, frame, cookie.name)}
    if any(says(key, _OF_TOKENS if token else _TELLING) for key in read):
        return True
    names = {cookie.name, *read}
    return (token and not read) or any(_rests(reading, one, frame, names) for one, frame in frames)


def _members(reading: Reading, frame: Frame, cookie: str) -> Iterator[str]:
    """The members that are read of what the cookie holds."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case (
                ast.Subscript(value=held, slice=key)
                | ast.Call(func=ast.Attribute(value=held, attr="get"), args=[key, *_])
            ):
                name = constant(reading.modules, frame.scope, key)
                if isinstance(name, str) and _comes_from(reading, frame, held, {cookie}):
                    yield name


def _comes_from(reading: Reading, frame: Frame, node: ast.AST, names: set[str]) -> bool:
    return any(one.place == "cookie" and one.name in names for one in reading.origins.of(frame, node))


def _rests(reading: Reading, unit: Unit, frame: Frame, names: set[str]) -> bool:
    """True where who calls is kept, or somebody is refused, by a value of those names."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Name(id=name) if _is_principal(name) and _comes_from(reading, frame, node, names):
                return True
            case ast.Assign(targets=[target], value=value) if _notes(reading, frame, target):
                if _comes_from(reading, frame, value, names):
                    return True
            case ast.Return(value=ast.expr() as value) if _is_principal(getattr(frame.scope.node, "name", "")):
                if _comes_from(reading, frame, value, names):
                    return True
    return any(
        one.refused & REFUSING and any(_comes_from(reading, frame, part, names) for part in ast.walk(one.test))
        for one in conditions(reading, unit, frame)
    )


def _is_principal(name: str) -> bool:
    return words(name)[-1:] != () and words(name)[-1] in PRINCIPALS


def _notes(reading: Reading, frame: Frame, target: ast.expr) -> bool:
    """`g.user = …`, `request.state.user = …`, `session["user"] = …`."""
    requests = reading.origins.requests
    match target:
        case ast.Attribute(value=held, attr=name):
            return (requests.is_state(frame, held) or requests.is_request(frame, held)) and says(name, _OF_TOKENS)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return says(name, _TELLING)
    return False
