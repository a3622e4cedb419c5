"""Guards that ask only whether credentials are there, and guards that compare them with a constant of the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.asgi.security_schemes import scheme_of
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.conditional import may_be_empty
from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.model import Guard, Route, UnreadPart
from evreview.codefacts.modules import all_given, last_name
from evreview.codefacts.names import Definition
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, says, words
from evreview.workflows.w3.access_control.conditions import Condition, conditions
from evreview.workflows.w3.access_control.request_values import RequestSource
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, RuleInput

_PLACES: Final = ("header", "cookie", "query", "credential")
_NOT: Final = frozenset({"csrf", "xsrf", "csrftoken", "type", "hint", "idempotency", "partition", "sort", "cache"})
"""Words in names of what is no credential, though another word is one of theirs."""
_SHAPE: Final = frozenset({"startswith", "endswith", "lower", "upper", "strip", "isascii", "isdigit", "isalnum"})
_QUIET: Final = frozenset(
    {"len", "bool", "str", "isinstance", "type", "print", "debug", "info", "warning", "error", "exception", "log",
     "bind", "call_next", "get_response", "startswith", "endswith", "setattr", "append"}
)  # fmt: skip
_ANSWERS: Final = ("Response", "Exception", "Error", "Unauthorized", "Forbidden")
_SCHEMES: Final = frozenset({"bearer", "basic", "digest", "token", "jwt", "apikey", "null", "undefined", "none"})
"""Constants that name a scheme and are no secret."""
_SETTING: Final[Text] = ("whether every deployment sets it",)
_READERS: Final[Text] = ("who can read the source and what is built from it",)
_UNREAD: Final = frozenset({UnreadPart.DEPENDENCY, UnreadPart.DECORATOR, UnreadPart.MIDDLEWARE, UnreadPart.ARGUMENTS})


@dataclass(frozen=True, slots=True, eq=False)
class PresenceOnlyGuard:
    """A guard that checks nothing: where, on which route (`*` for all), the names by which routes know it."""

    route: str
    names: frozenset[str]
    found: Hit


def unchecked_credentials(reading: RuleInput) -> Iterator[Hit]:
    """One hit per refusal for missing credentials, where nothing on the route looks at what they are."""
    yield from (one.found for one in presence_only_guards(reading))


def presence_only_guards(reading: RuleInput) -> Iterator[PresenceOnlyGuard]:
    """The guards that ask only whether credentials are there."""
    for unit in reading.units:
        if unit.route and not (unit.facts is not None and _unread(unit.facts)):
            for frame in unit.frames:
                for condition in conditions(reading, unit, frame):
                    asked = _presence(reading, frame, condition)
                    if asked and not any(_is_checked(reading, unit.route, one) for one in asked):
                        name = UserText(asked[0].name or asked[0].place)
                        says_so = text("callers are refused without ", name, ", and nothing looks at what they send")
                        names = frozenset(frame.scope.qualname.split("."))
                        yield PresenceOnlyGuard(unit.route, names, hit(frame, condition.test, unit.route, says_so))
    yield from _schemes(reading)


def is_presence_only(found: Sequence[PresenceOnlyGuard], route: str, guard: Guard) -> bool:
    """True for a guard of a route that is one of them."""
    name = guard.name.rpartition(".")[2]
    return any(one.route in (route, ALL_ROUTES) and name in one.names for one in found)


def _unread(route: Route) -> bool:
    return any(unread.part in _UNREAD for unread in route.unread)


def _is_credential(origin: RequestSource) -> bool:
    if origin.place == "credential":
        return True
    return origin.place in _PLACES and says(origin.name, CREDENTIALS) and not _NOT.intersection(words(origin.name))


# Asked for, and looked at


def _presence(reading: RuleInput, frame: Frame, condition: Condition) -> tuple[RequestSource, ...]:
    """The credentials without which a condition refuses; () where it asks anything else."""
    if not condition.refused & REFUSING:
        return ()
    found: list[RequestSource] = []
    for part in _parts(condition.test):
        asked = _asked(reading, frame, part)
        if not asked:
            return ()
        found += asked
    return tuple(dict.fromkeys(found))


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _parts(part)
    else:
        yield test


def _asked(reading: RuleInput, frame: Frame, part: ast.expr) -> tuple[RequestSource, ...]:
    """The credentials that one part asks the presence or the form of."""
    while isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
        part = part.operand
    match part:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[holder]):
            name = constant(reading.modules, frame.scope, left)
            held = [one for one in reading.origins.of(frame, holder) if not one.name]
            named = [RequestSource(one.place, name) for one in held if isinstance(name, str)]
            return tuple(one for one in named if _is_credential(one))
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[asked]), comparators=[ast.Constant()]):
            pass
        case ast.Compare(left=asked, comparators=[ast.Constant(value=None | "")]):
            pass
        case ast.Call(func=ast.Attribute(value=asked, attr="startswith" | "endswith")):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.NamedExpr():
            asked = part
        case ast.Call(func=ast.Attribute(attr="get")):
            asked = part
        case _:
            return ()
    return tuple(one for one in reading.origins.of(frame, asked) if _is_credential(one))


def _is_checked(reading: RuleInput, route: str, asked: RequestSource) -> bool:
    """True when something that runs for the route looks at what the credentials are, or hands them on."""
    for unit in reading.units:
        if unit.route not in (route, ALL_ROUTES) and route != ALL_ROUTES:
            continue
        for frame in unit.frames:
            if any(_looks(reading, frame, node, asked) for node in reading.nodes(frame.scope.node)):
                return True
    return False


def _looks(reading: RuleInput, frame: Frame, node: ast.AST, asked: RequestSource) -> bool:
    looked: list[ast.expr] = []
    match node:
        case ast.Call():
            name = last_name(node.func)
            if name in _QUIET | _SHAPE or name.endswith(_ANSWERS):
                return False
            given = all_given(node)
            if any(reading.origins.requests.is_request(frame, one) for one in given):
                return not isinstance(reading.modules.called(frame.scope, node), Definition) and not _next(frame, node)
            looked = given
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            looked = [] if reading.origins.of(frame, right) else [left]
        case ast.Compare(left=left, comparators=[right]):
            sides = (left, right)
            empty = any(isinstance(one, ast.Constant) and one.value in (None, "", 0) for one in sides)
            looked = [] if empty or isinstance(left, ast.Call) else list(sides)
        case ast.Subscript(slice=key):
            looked = [key]
        case ast.Match(subject=subject):
            looked = [subject]
    return any(_same(one, asked) for part in looked for one in reading.origins.of(frame, part))


def _next(frame: Frame, call: ast.Call) -> bool:
    """`await handler(request)`: what is run next is a parameter."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in ("get_response", "app", "dispatch")
    bound = frame.scope.names.get(getattr(call.func, "id", ""), [])
    outer = frame.scope.parent.names.get(getattr(call.func, "id", ""), []) if frame.scope.parent else []
    return any(isinstance(one.node, ast.arg) for one in (*bound, *outer))


def _same(one: RequestSource, asked: RequestSource) -> bool:
    if one.place != asked.place:
        return False
    return one.place == "credential" or not one.name or words(one.name) == words(asked.name)


# FastAPI's schemes, which refuse by themselves who sends nothing


def _schemes(reading: RuleInput) -> Iterator[PresenceOnlyGuard]:
    for route in reading.routes if any(one.framework == "fastapi" for one in reading.routes) else ():
        name = f"{route.method} {route.path}"
        guards = [guard for guard in route.guards if guard.scheme and _is_scheme(reading, guard)]
        others = [guard for guard in route.guards if guard not in guards]
        sent = (RequestSource("credential", ""), RequestSource("header", "authorization"))
        if not guards or others or _unread(route) or any(_is_checked(reading, name, one) for one in sent):
            continue
        said = text(UserText(guards[0].name), " asks for credentials, and nothing looks at what is sent")
        spot = route.spot
        found = Hit(path=spot.path, symbol=route.handler, spot=spot, order=(spot.first, 0), route=name, says=said)
        yield PresenceOnlyGuard(name, frozenset({guards[0].name.rpartition(".")[2]}), found)


def _is_scheme(reading: RuleInput, guard: Guard) -> bool:
    for scope, statement in reading.modules.statements():
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            named = any(isinstance(one, ast.Name) and one.id == guard.name for one in statement.targets)
            made = Definition(statement.value, scope, guard.name, statement)
            if named and scheme_of(reading.modules, made) is not None:
                return True
    return False


# Constants


def constant_credentials(reading: RuleInput) -> Iterator[Hit]:
    """One hit per condition that lets in whoever sends a constant of the source as credentials."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            for condition in conditions(reading, unit, frame):
                found = _constant(reading, unit, frame, condition)
                if found is not None:
                    origin, empty = found
                    name = UserText(origin.name or origin.place)
                    what = "a setting that is empty where nothing sets it" if empty else "a constant"
                    said = hit(frame, condition.test, unit.route, text(name, f" is compared with {what}"))
                    yield replace(said, lacks=_SETTING if empty else _READERS)


def _constant(
    reading: RuleInput, unit: CodeUnit, frame: Frame, condition: Condition
) -> tuple[RequestSource, bool] | None:
    """The credential that is compared, and whether with a setting that may be empty."""
    if not condition.refused & REFUSING:
        return None
    for node in ast.walk(condition.test):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[right]):
                sides = (left, right)
            case ast.Call(func=ast.Attribute(attr="compare_digest"), args=[left, right]):
                sides = (left, right)
            case _:
                continue
        for one, other in (sides, sides[::-1]):
            empty = may_be_empty(reading.modules, frame.scope, other) and not _asked_for(condition.test)
            if empty or _is_secret(constant(reading.modules, frame.scope, other)):
                sent = [origin for origin in reading.origins.of(frame, one) if _is_credential(origin)]
                if sent:
                    return sent[0], empty
    return None


def _asked_for(test: ast.expr) -> bool:
    """`not KEY or sent != KEY`: an empty one is refused."""
    return isinstance(test, ast.BoolOp)


def _is_secret(value: object) -> bool:
    """True for a text, or a list of texts, that is no scheme's name."""
    texts = value if isinstance(value, list) and value else [value]
    return value is not ABSENT and all(
        isinstance(one, str) and one.strip() and one.strip().lower() not in _SCHEMES for one in texts
    )
