"""What Flask runs on the way to a handler that is no hook: converters of its path, and proxies that it looks at."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.codefacts.calls import is_function
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event, own_nodes, run_through
from evreview.codefacts.handlers import Dialect, Found
from evreview.codefacts.model import Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.elsewhere import unsupplied
from evreview.sources.flask.paths import KNOWN, converters_of
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External, Resolved

_SUPPLY: Final = "Supply the file that defines it, or declare with quotes what it answers."
_READING: Final = "to_python"


def read_converters(modules: Modules, dialect: Dialect, rule: tuple[str, Spot], found: Found) -> None:
    """Adds what the converters of a rule answer where they look at more than the path."""
    written, spot = rule
    for name in converters_of(written):
        cls = _registered(modules).get(name)
        if name in KNOWN and cls is None:
            continue
        method = modules.member(cls, _READING) if isinstance(cls, Definition) else None
        if isinstance(method, Definition) and is_function(method):
            _answered(modules, dialect, run_through(modules, method), found)
        bases = modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        if not all(isinstance(one, Definition) or _of_library(one) for one in bases):
            text = f"the converter `{name}`, which no supplied file defines"
            found.unread.append(UnreadCode(spot, text, _SUPPLY, composed=True))


def _of_library(one: Resolved) -> bool:
    return isinstance(one, External) and one.package in ("werkzeug", "builtins", "abc", "typing")


def _registered(modules: Modules) -> dict[str, Resolved]:
    """The classes that the files give the map by `app.url_map.converters["name"] = Class`, by their names."""

    def found() -> dict[str, Resolved]:
        return {name: modules.resolve(scope, cls) for scope, name, cls in _given(modules)}

    return remembered(modules, "converters of flask", found)


def _given(modules: Modules) -> Iterator[tuple[Scope, str, ast.expr]]:
    for scope, statement in modules.statements():
        match statement:
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="converters"), slice=key)], value=cls):
                name = constant(modules, scope, key)
                if isinstance(name, str) and name is not MISSING:
                    yield scope, name, cls
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="converters"), attr="update")) as call
            ):
                yield from ((scope, word.arg, word.value) for word in call.keywords if word.arg is not None)
                for given in (one for one in call.args if isinstance(one, ast.Dict)):
                    for part, cls in zip(given.keys, given.values, strict=True):
                        name = constant(modules, scope, part) if part is not None else MISSING
                        if isinstance(name, str) and name is not MISSING:
                            yield scope, name, cls


def read_proxies(modules: Modules, dialect: Dialect, function: Definition, found: Found) -> None:
    """Adds what `LocalProxy(find)` answers where the handler, or what it calls, looks at it.

    Whether it is looked at before anything is answered is not followed, so that it is no guard.
    """
    events = run_through(modules, function)
    body = modules.body(function)
    scopes = {id(one): one for one in (*([body] if body is not None else ()), *(each.frame.scope for each in events))}
    seen: set[int] = set()
    for scope in scopes.values():
        for node in own_nodes(scope.node):
            made = modules.resolve(scope, node) if isinstance(node, ast.Name) else None
            call = made.node if isinstance(made, Definition) and isinstance(made.node, ast.Call) else None
            if isinstance(made, Definition) and call is not None and id(call) not in seen:
                seen.add(id(call))
                if modules.is_a(modules.called(made.scope, call), ("werkzeug",), "LocalProxy"):
                    _proxy(modules, dialect, (made.scope, call), found)


def _proxy(modules: Modules, dialect: Dialect, made: tuple[Scope, ast.Call], found: Found) -> None:
    scope, call = made
    given = call.args[0] if call.args else None
    finding = modules.resolve(scope, given)
    if isinstance(given, ast.Lambda) and isinstance(given.body, ast.Call):
        finding = modules.called(scope, given.body)
    if isinstance(finding, Definition) and is_function(finding):
        _answered(modules, dialect, run_through(modules, finding), found)
    elif not isinstance(given, ast.Lambda) or isinstance(given.body, ast.Call):
        text = f"what `{ast.unparse(call)[:100]}` does where it is looked at"
        found.unread.append(UnreadCode(scope.spot(call), text, _SUPPLY))


def _answered(modules: Modules, dialect: Dialect, events: Sequence[Event], found: Found) -> None:
    found.elsewhere.extend(unsupplied(modules, events))
    found.responses.extend(one for event in events for one in dialect.raised(event))
