"""What becomes of a mapping of the request that code takes as one: read by name, followed, or handed on unseen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.control_flow import Frame, parents, resolved_in
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import FUNCTIONS, arguments
from evreview.codefacts.names import Definition, External, Modules, Resolved

_BY_NAME: Final = frozenset({"get", "getlist", "getall", "getone", "get_all", "has_key", "pop"})
WITHOUT_QUERY: Final = frozenset(
    {"host", "hostname", "is_secure", "name", "netloc", "parent", "parts", "password", "path", "port", "raw_parts",
     "scheme", "username"}
)  # fmt: skip
"""What of the address of a request holds no parameter."""
_SAME: Final = frozenset({"to_dict", "copy"})
_TESTS: Final = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.UnaryOp, ast.Assert)
_LOGS: Final = frozenset({"builtins.print", "builtins.len", "builtins.bool", "builtins.repr"})


@dataclass(frozen=True, slots=True)
class MappingUse:
    """One use of the whole: the names under which a function takes its members, and whether others may be read."""

    spot: Spot
    names: tuple[str, ...] = ()
    open: bool = False


def uses(modules: Modules, frame: Frame, node: ast.expr) -> Iterator[MappingUse]:
    """The uses of an expression that is the request, or a mapping of it, beyond single members read by name."""
    above = parents(modules, frame.scope)
    inner: ast.AST = node
    at = above.get(id(node))
    while isinstance(at, ast.expr) and _is_copy(at, inner):
        inner, at = at, above.get(id(at))
    spot = frame.scope.spot(node)
    match at:
        case ast.Attribute(attr=attr):
            if attr not in _BY_NAME:
                yield MappingUse(spot, open=not isinstance(above.get(id(above.get(id(at)))), ast.Expr))
        case ast.Subscript() | ast.Compare() | ast.Expr():
            return
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
            return
        case _ if isinstance(at, _TESTS):
            return
        case ast.Match():
            yield from (_matched(spot, one.pattern) for one in at.cases)
        case ast.Tuple(elts=elts) if isinstance(within := above.get(id(at)), ast.Match) and inner in elts:
            yield from (_matched(spot, _of_tuple(one.pattern, elts.index(inner))) for one in within.cases)
        case ast.keyword(arg=None):
            call = above.get(id(at))
            if isinstance(call, ast.Call):
                yield _spread(modules, frame, call, spot)
        case ast.Call() | ast.keyword() | ast.Starred():
            call = at if isinstance(at, ast.Call) else above.get(id(at))
            known = isinstance(call, ast.Call) and (call.func is inner or _followed(modules, frame, call))
            if not known and not _is_next(call):
                yield MappingUse(spot, open=True)
        case _:
            yield MappingUse(spot, open=True)


def copied_of(node: ast.expr) -> ast.expr | None:
    """The mapping that an expression copies: `x.to_dict()`, `dict(x)`, `{**x}`; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _SAME:
            return value
        case ast.Call(func=ast.Name(id="dict"), args=[only], keywords=[]):
            return only
        case ast.Dict(keys=[None], values=[only]):
            return only
        case _:
            return None


def _is_copy(at: ast.expr, inner: ast.AST) -> bool:
    """True for a copy of `inner`, and for the method by which one is made."""
    if isinstance(inner, ast.Attribute) and inner.attr in _SAME and isinstance(at, ast.Call):
        return at.func is inner
    method = isinstance(at, ast.Attribute) and at.value is inner and at.attr in _SAME
    return method or copied_of(at) is inner


def _matched(spot: Spot, pattern: ast.pattern | None) -> MappingUse:
    """What a pattern reads of the mapping: the keys that it names; everything where it keeps the rest under a name."""
    match pattern:
        case ast.MatchMapping(keys=keys, rest=rest):
            told = [one.value for one in keys if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return MappingUse(spot, tuple(told), open=rest is not None or len(told) < len(keys))
        case ast.MatchOr(patterns=patterns):
            each = [_matched(spot, one) for one in patterns]
            return MappingUse(spot, tuple(name for one in each for name in one.names), any(one.open for one in each))
        case ast.MatchAs(pattern=inner, name=name):
            names = () if inner is None else _matched(spot, inner).names
            return MappingUse(spot, names, open=name is not None)
        case None | ast.MatchClass():
            return MappingUse(spot, open=True)
        case _:
            return MappingUse(spot)


def _of_tuple(pattern: ast.pattern, place: int) -> ast.pattern | None:
    """What a pattern for a tuple says of one of its members; a pattern without members for what asks nothing."""
    match pattern:
        case ast.MatchSequence(patterns=parts) if not any(isinstance(one, ast.MatchStar) for one in parts):
            return parts[place] if place < len(parts) else ast.MatchAs()
        case ast.MatchAs(pattern=None, name=None):
            return pattern
        case ast.MatchOr(patterns=patterns):
            each = [_of_tuple(one, place) for one in patterns]
            told = [one for one in each if one is not None]
            return ast.MatchOr(told) if len(told) == len(each) else None
        case _:
            return None


def _spread(modules: Modules, frame: Frame, call: ast.Call, spot: Spot) -> MappingUse:
    """`find(**args)`: the names that a supplied function takes and that the call does not give."""
    found = _function(modules, resolved_in(modules, frame, call.func))
    if found is None:
        return MappingUse(spot, open=True)
    node = found.node
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    taken = [one.arg for one in arguments(node)]
    method = found.scope.kind == "class"
    given = len(call.args) + method
    named = {word.arg for word in call.keywords}
    rest = {one.arg for one in (node.args.vararg, node.args.kwarg) if one is not None}
    names = [name for name in taken[given:] if name not in named | rest]
    return MappingUse(spot, names=tuple(names), open=node.args.kwarg is not None)


def _function(modules: Modules, found: Resolved) -> Definition | None:
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        found = modules.member(found, "__init__")
    return found if isinstance(found, Definition) and isinstance(found.node, FUNCTIONS) else None


def _is_next(call: ast.AST | None) -> bool:
    """`call_next(request)`: what is next in line is read by itself."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "call_next"


def _followed(modules: Modules, frame: Frame, call: ast.Call) -> bool:
    """True for a call of a supplied function, whose own reads are read, and of what only looks at the whole."""
    found = resolved_in(modules, frame, call.func)
    if isinstance(found, External):
        return found.name in _LOGS or found.package == "logging"
    return _function(modules, found) is not None and not any(isinstance(one, ast.Starred) for one in call.args)
