"""Conditions that grant or refuse, and decisions on what the caller says of itself: role, switch, address."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.bypass import bypass_expressions
from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import all_given, blocks
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Area, Form
from evreview.workflows.w3.access_control.access_words import (
    ADDRESS_HEADERS,
    CREDENTIALS,
    EXEMPT,
    OWNERS,
    POWERS,
    PRINCIPALS,
    PRIVILEGES,
    SWITCHES,
    YES,
    is_header,
    is_named,
    says,
    words,
)
from evreview.workflows.w3.access_control.request_values import RequestSource, bindings, only_value, renamed
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, Hit, RuleInput, hit

_TRUSTING: Final = {True: (ast.Eq, ast.In, ast.Is), False: (ast.NotEq, ast.NotIn, ast.IsNot)}
_PLACES: Final[Mapping[str, str]] = {
    "header": "the header", "query": "the query parameter", "body": "the body's member", "cookie": "the cookie",
    "path": "the path parameter", "form": "the form field", "address": "the caller's address",
    "credential": "an unverified token's claim",
}  # fmt: skip


def caller_decisions(reading: RuleInput) -> Iterator[Hit]:
    """Conditions that a value of the request alone decides."""
    if "caller_decisions" not in reading.kept:
        reading.kept["caller_decisions"] = tuple(_caller_decisions(reading))
    yield from reading.kept["caller_decisions"]  # type: ignore[misc]


def _caller_decisions(reading: RuleInput) -> Iterator[Hit]:
    for unit in reading.units:
        for frame in unit.frames:
            for condition in conditions(reading, unit, frame):
                for atom, positive in sufficient(reading, frame, condition.test, condition.grants):
                    found = _chosen(reading, frame, condition, (atom, positive))
                    if found is not None:
                        yield _decided(frame, condition, unit, found)


def address_decisions(reading: RuleInput) -> Iterator[Hit]:
    """Conditions that the caller's address, or a header that names one, decides."""
    for unit in reading.units:
        for frame in unit.frames:
            for condition in conditions(reading, unit, frame):
                if not (condition.refused & REFUSING or (condition.answers and condition.grants)):
                    continue
                for atom, positive in sufficient(reading, frame, condition.test, condition.grants):
                    found = _addressed(reading, frame, atom, positive)
                    if found is not None:
                        yield _decided(frame, condition, unit, found)


def _decided(frame: Frame, condition: Condition, unit: CodeUnit, origin: RequestSource) -> Hit:
    header = origin.name if origin.place == "header" else ""
    return replace(hit(frame, condition.test, unit.route, _told(origin)), header=header)


def _told(origin: RequestSource) -> Text:
    name = UserText(origin.name) if origin.name and origin.place != "address" else ""
    return text("a decision on ", _PLACES[origin.place], " " if name else "", name)


def is_address(origin: RequestSource) -> bool:
    """True for the peer's address and for headers that name one."""
    return origin.place == "address" or (origin.place == "header" and is_header(origin.name) in ADDRESS_HEADERS)


def _expanded(frame: Frame, atom: ast.expr, hops: int = 4) -> tuple[Frame, ast.expr]:
    """A local name's own expression, where it is a comparison or another condition."""
    while isinstance(atom, ast.Name) and hops > 0:
        found = only_value(frame, atom)
        if found is None or not isinstance(found[1], ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Name):
            break
        (frame, atom), hops = found, hops - 1
    return frame, atom


def _chosen(
    reading: RuleInput, frame: Frame, condition: Condition, part: tuple[ast.expr, bool], hops: int = 3
) -> RequestSource | None:
    """The origin that decides a part of a condition, None for none."""
    where, atom = _expanded(frame, part[0])
    if atom is not part[0] and isinstance(atom, ast.BoolOp | ast.UnaryOp) and hops > 0:
        inner = sufficient(reading, where, atom, part[1])
        return next((found for one in inner if (found := _chosen(reading, where, condition, one, hops - 1))), None)
    if isinstance(atom, ast.Compare) and len(atom.ops) == 1:
        return _compared(reading, where, condition, atom, part[1])
    if not part[1]:
        return None
    for origin in reading.origins.of(where, atom):
        if says(origin.name, SWITCHES) and not says(origin.name, EXEMPT) and not _many(atom):
            return origin
    return None


def _many(atom: ast.expr) -> bool:
    """True for calls whose answer is not the value itself, and for arithmetic."""
    return isinstance(atom, ast.Call) and not isinstance(atom.func, ast.Attribute | ast.Name)


def _compared(
    reading: RuleInput, frame: Frame, condition: Condition, atom: ast.Compare, positive: bool
) -> RequestSource | None:
    if not isinstance(atom.ops[0], _TRUSTING[positive]):
        return None
    left, right = atom.left, atom.comparators[0]
    found = [reading.origins.of(frame, side) for side in (left, right)]
    if isinstance(atom.ops[0], ast.In | ast.NotIn):
        key = constant(reading.modules, frame.scope, left)  # `"X-Role" in request.headers` asks for that one
        found[1] = renamed(found[1], key) if isinstance(key, str) and _unnamed(found[1]) else found[1]
    if all(found) or not any(found):
        return _looked_up(reading, frame, condition, atom) if not any(found) else None
    mine, other = (found[0], right) if found[0] else (found[1], left)
    value = constant(reading.modules, frame.scope, other)
    if value is not ABSENT and value is not None and value != "":
        return next((one for one in mine if _trusted(condition, one, value)), None)
    if value is ABSENT and _is_setting(reading, frame, condition, other):
        return next((one for one in mine if says(one.name, PRIVILEGES) and not says(one.name, EXEMPT)), None)
    if value is ABSENT and condition.refused and _owns(other) and not reading.principals.within(frame, other):
        return next((one for one in mine if not says(one.name, EXEMPT)), None)
    return None


def _unnamed(found: tuple[RequestSource, ...]) -> bool:
    return bool(found) and not any(one.name for one in found)


def _is_setting(reading: RuleInput, frame: Frame, condition: Condition, node: ast.expr) -> bool:
    """True for a name or member that is neither whose an object is nor anything about who calls."""
    if not condition.refused & REFUSING or not isinstance(node, ast.Name | ast.Attribute) or _owns(node):
        return False
    return not reading.principals.within(frame, node)


def _trusted(condition: Condition, origin: RequestSource, value: Form) -> bool:
    """True when being equal to the constant is taken for a right."""
    if says(origin.name, EXEMPT - {"type", "state", "grant"}) or is_address(origin):
        return False
    texts = [str(one).lower() for one in (value if isinstance(value, list) else [value])]
    named = says(origin.name, PRIVILEGES | {"type", "user", "x"})
    if any(says(one, POWERS) for one in texts) and (named or condition.refused & REFUSING):
        return True
    if says(origin.name, SWITCHES) and any(one in YES for one in texts):
        return True
    if not condition.refused & REFUSING:
        return False
    return says(origin.name, PRIVILEGES) or (
        origin.place in ("header", "query", "cookie") and not says(origin.name, EXEMPT)
    )


def _looked_up(reading: RuleInput, frame: Frame, condition: Condition, atom: ast.Compare) -> RequestSource | None:
    """`"write" in RIGHTS[role]`, where the role is the caller's word."""
    if not condition.refused & REFUSING:
        return None
    for side in (atom.left, atom.comparators[0]):
        for key in _keys(side):
            for origin in reading.origins.of(frame, key):
                if says(origin.name, PRIVILEGES):
                    return origin
    return None


def _keys(node: ast.expr) -> Iterable[ast.expr]:
    match node:
        case ast.Subscript(slice=key):
            return (key,)
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return (key,)
    return ()


def _owns(node: ast.expr) -> bool:
    """True for `ticket.owner_id` and `ticket["owner_id"]`, as text too."""
    match node:
        case ast.Call(func=ast.Name(id="str" | "int"), args=[inner]):
            return _owns(inner)
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return is_named(name, OWNERS)
    return False


def _addressed(reading: RuleInput, frame: Frame, atom: ast.expr, positive: bool) -> RequestSource | None:
    where, expanded = _expanded(frame, atom)
    if isinstance(expanded, ast.Compare):
        sides = [expanded.left, *expanded.comparators]
        if len(expanded.ops) != 1 or not isinstance(expanded.ops[0], _TRUSTING[positive]):
            return None
        if any(isinstance(side, ast.Constant) and side.value is None for side in sides):
            return None
    elif not positive or not isinstance(expanded, ast.Call):
        return None
    if reading.principals.within(where, expanded):
        return None
    arguments = getattr(expanded, "args", ()) if isinstance(expanded, ast.Call) else ()
    found = [*reading.origins.of(where, expanded)]
    found += [one for argument in arguments for one in reading.origins.of(where, argument)]
    return next((one for one in found if is_address(one)), None)


# Who calls, or what they may do, taken from what the caller says instead of from a credential that is checked.


IDENTITIES: Final = frozenset(
    {"user", "username", "userid", "account", "customer", "principal", "identity", "email", "subject", "uid", "login",
     "sub", "actor", "member", "caller"}
)  # fmt: skip
_SHOWN: Final = CREDENTIALS | {"signature", "sig", "hmac", "digest", "otp", "nonce"}
_HOPS: Final = 5
_MOST: Final = 60
"""Expressions looked at for one value."""


def caller_identities(reading: RuleInput) -> Iterator[Hit]:
    """One hit per place that makes what is known of the caller out of an unchecked value of the request."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            for node, value in _established(reading, unit, frame):
                found = _word(reading, unit, frame, value)
                if found is not None and (found[1] is Area.AUTHENTICATION or _decides(reading, unit.route)):
                    origin, area = found
                    says_so = text("who calls is known by the ", origin.place, " ", UserText(origin.name), " alone")
                    yield hit(frame, node, unit.route, says_so, area)


def _established(reading: RuleInput, unit: CodeUnit, frame: Frame) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where a function says who calls: what it notes on the request, what a guard returns, a handler's own variable."""
    guard = unit.route != ALL_ROUTES and not _is_handler(reading, unit) and frame.depth == 0
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Assign(targets=[target], value=value):
                if _noted(reading, frame, target) or (_is_handler(reading, unit) and _is_principal(target)):
                    yield node, value
            case ast.Return(value=ast.expr() as value) if guard:
                yield node, value


def _decides(reading: RuleInput, route: str) -> bool:
    """True when something on the route asks for a right of who calls; otherwise the right is only noted."""
    for unit in reading.units:
        for frame in unit.frames if route in (unit.route, ALL_ROUTES) else ():
            for node in reading.nodes(frame.scope.node):
                if isinstance(node, ast.Compare | ast.If | ast.UnaryOp) and _speaks_of_right(node):
                    return True
    return False


def _speaks_of_right(node: ast.AST) -> bool:
    tested = node.test if isinstance(node, ast.If) else node
    return any(isinstance(part, ast.Attribute) and says(part.attr, PRIVILEGES) for part in ast.walk(tested)) or any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in PRIVILEGES
        for part in ast.walk(tested)
    )


def _is_handler(reading: RuleInput, unit: CodeUnit) -> bool:
    found = reading.handlers.get(unit.route)
    return found is not None and found.node is unit.function.node


def _noted(reading: RuleInput, frame: Frame, target: ast.expr) -> bool:
    """True for `g.user`, `request.state.user`, `request.user` and `request["user"]`."""
    requests = reading.origins.requests
    match target:
        case ast.Attribute(value=holder, attr=name):
            return (requests.is_state(frame, holder) or requests.is_request(frame, holder)) and _names_caller(name)
        case ast.Subscript(value=holder, slice=ast.Constant(value=str(name))):
            return requests.is_request(frame, holder) and _names_caller(name)
    return False


def _is_principal(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and words(target.id)[-1:] != () and words(target.id)[-1] in PRINCIPALS


def _names_caller(name: str) -> bool:
    return says(name, PRINCIPALS | PRIVILEGES) and not says(name, {"agent", "locale", "language"})


def _word(reading: RuleInput, unit: CodeUnit, frame: Frame, value: ast.expr) -> tuple[RequestSource, Area] | None:
    """The origin that says who calls, with what it is about; None for a value that rests on a credential."""
    if isinstance(value, ast.Compare | ast.BoolOp | ast.Constant):
        return None
    sent = tuple(dict.fromkeys(_sent(reading, frame, value, [_MOST], _HOPS)))
    local = _is_handler(reading, unit)
    for origin in sent:
        if origin.place not in ("header", "cookie", "query") or says(origin.name, _SHOWN | EXEMPT):
            continue
        if local and origin.place != "header":
            continue
        if says(origin.name, PRIVILEGES) and isinstance(value, ast.Call | ast.Dict | ast.Await):
            return origin, Area.AUTHORIZATION
        if says(origin.name, IDENTITIES) and not any(_shows(one) for one in sent) and not _checks(reading, frame):
            return origin, Area.AUTHENTICATION
    return None


def _sent(reading: RuleInput, frame: Frame, node: ast.AST, left: list[int], hops: int) -> Iterator[RequestSource]:
    """The origins of a value, and of what the calls that make it are given."""
    left[0] -= 1
    if hops <= 0 or left[0] <= 0:
        return
    yield from reading.origins.of(frame, node)
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            for argument in all_given(part):
                yield from reading.origins.of(frame, argument)
        elif isinstance(part, ast.Name):
            for where, binding in bindings(frame, part):
                if isinstance(binding.node, ast.expr) and where.scope is frame.scope:
                    yield from _sent(reading, where, binding.node, left, hops - 1)


def _shows(origin: RequestSource) -> bool:
    return origin.place == "credential" or says(origin.name, _SHOWN)


def checks_credential(reading: RuleInput, route: str, symbol: str) -> bool:
    """True when the function of that qualified name, run for a route, gives a credential to a check."""
    for unit in reading.units:
        if unit.route == route and unit.function.qualname == symbol:
            return any(_checks(reading, frame) for frame in unit.frames[:1])
    return False


def _checks(reading: RuleInput, frame: Frame) -> bool:
    """True when the function gives a credential of the caller to a check."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Call(args=given, keywords=named):
                parts = [*given, *(word.value for word in named)]
            case ast.Compare(left=first, comparators=others):
                parts = [first, *others]
            case _:
                continue
        if any(_shows(origin) for part in parts for origin in reading.origins.of(frame, part)):
            return True
    return False


# Whether who calls, or a decision, rests on what a cookie holds: one that keeps a theme is no token.


_TELLING: Final = (IDENTITIES - {"email", "login"}) | PRIVILEGES | OWNERS
"""Names of members that say who calls or what they may do; an address alone may be there for a form."""
_OF_TOKENS: Final = _TELLING | {"id", "name", "email", "login", "scp"}
"""The same for a cookie that is called a session or a token."""


def carries_identity(reading: RuleInput, unit: CodeUnit, cookie: RequestSource) -> bool:
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


def _members(reading: RuleInput, frame: Frame, cookie: str) -> Iterator[str]:
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


def _comes_from(reading: RuleInput, frame: Frame, node: ast.AST, names: set[str]) -> bool:
    return any(one.place == "cookie" and one.name in names for one in reading.origins.of(frame, node))


def _rests(reading: RuleInput, unit: CodeUnit, frame: Frame, names: set[str]) -> bool:
    """True where who calls is kept, or somebody is refused, by a value of those names."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Name(id=name) if _names_principal(name) and _comes_from(reading, frame, node, names):
                return True
            case ast.Assign(targets=[target], value=value) if _notes(reading, frame, target):
                if _comes_from(reading, frame, value, names):
                    return True
            case ast.Return(value=ast.expr() as value) if _names_principal(getattr(frame.scope.node, "name", "")):
                if _comes_from(reading, frame, value, names):
                    return True
    return any(
        one.refused & REFUSING and any(_comes_from(reading, frame, part, names) for part in ast.walk(one.test))
        for one in conditions(reading, unit, frame)
    )


def _names_principal(name: str) -> bool:
    return words(name)[-1:] != () and words(name)[-1] in PRINCIPALS


def _notes(reading: RuleInput, frame: Frame, target: ast.expr) -> bool:
    """`g.user = …`, `request.state.user = …`, `session["user"] = …`."""
    requests = reading.origins.requests
    match target:
        case ast.Attribute(value=held, attr=name):
            return (requests.is_state(frame, held) or requests.is_request(frame, held)) and says(name, _OF_TOKENS)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return says(name, _TELLING)
    return False


# Ways past a guard that the caller chooses: `?debug=1` before the check, a header that switches it off.


_BYPASS_PLACES: Final = {
    "header": "the header ", "query": "the query parameter ", "cookie": "the cookie ", "form": "the form field ",
    "body": "the body's member ",
}  # fmt: skip


def guard_bypasses(reading: RuleInput) -> Iterator[Hit]:
    """One hit per condition on the caller's word under which a guard does not check; decisions are told elsewhere."""
    told = {(one.path, one.order) for one in caller_decisions(reading)}
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            left_open = _open(reading, unit, frame)
            for test in bypass_expressions(reading.modules, frame.scope, _arguments(unit)):
                says, header = _says(reading, frame, test)
                found = replace(hit(frame, test, unit.route, says), header=header)
                if frame.scope.spot(test) in left_open and (found.path, found.order) not in told:
                    yield found


def _arguments(unit: CodeUnit) -> frozenset[str]:
    """The names of parameters that stand for values of the request."""
    parameters = unit.facts.parameters if unit.facts is not None and unit.facts.framework == "fastapi" else ()
    return frozenset(one.name.replace("-", "_").lower() for one in parameters if one.location != "path")


def _open(reading: RuleInput, unit: CodeUnit, frame: Frame) -> frozenset[Spot]:
    """The conditions that leave a guard of the unit's routes open; all of what runs around every route and refuses."""
    routes = (unit.facts,) if unit.facts is not None else reading.routes
    found = {spot for route in routes for guard in route.guards for spot in guard.unless}
    if unit.route == ALL_ROUTES:
        nodes = [node for node in reading.nodes(frame.scope.node) if isinstance(node, ast.stmt)]
        if reading.denials.of(frame, nodes) & REFUSING:
            found |= {frame.scope.spot(test) for test in bypass_expressions(reading.modules, frame.scope)}
    return frozenset(found)


def _says(reading: RuleInput, frame: Frame, test: ast.expr) -> tuple[Text, str]:
    """What a check depends on, and the header that it is."""
    for part in ast.walk(test):
        match part:
            case ast.Compare(left=ast.Constant(value=str(name)), comparators=[holder]):
                origins = reading.origins.of(frame, holder)
                named = [(one.place, name) for one in origins if not one.name]
            case ast.expr():
                named = [(one.place, one.name) for one in reading.origins.of(frame, part) if one.name]
            case _:
                continue
        for place, name in named:
            if place in _BYPASS_PLACES:
                told = text("the check depends on ", _BYPASS_PLACES[place], UserText(name))
                return told, name if place == "header" else ""
    return text("the check depends on what the caller sends"), ""


_PERMITTING: Final = frozenset({"has_permission", "has_object_permission", "test_func"})
"""Methods whose answer lets a caller in or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """One test, and what hangs on it.

    Attributes:
        test: the expression.
        grants: True when it grants by being true, False when it refuses by being true.
        refused: the statuses with which the other way out refuses; empty when neither way does.
        answers: the granting way ends in an answer of its own.
    """

    test: ast.expr
    grants: bool
    refused: frozenset[int]
    answers: bool = False


def conditions(reading: RuleInput, unit: CodeUnit, frame: Frame) -> tuple[Condition, ...]:
    """Every condition of a function that may grant or refuse something."""
    key = f"conditions {id(frame)}"
    if key not in reading.kept:
        reading.kept[key] = tuple(_conditions(reading, frame))
    return reading.kept[key]  # type: ignore[return-value]


def _conditions(reading: RuleInput, frame: Frame) -> Iterator[Condition]:
    function = frame.scope.node
    permits = getattr(function, "name", "") in _PERMITTING
    refused = frozenset({403}) if permits else frozenset[int]()
    yield from _in_block(reading, frame, getattr(function, "body", []))
    for node in reading.nodes(function):
        if isinstance(node, ast.IfExp):
            yield Condition(node.test, True, frozenset())
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield Condition(node.value, True, refused, True)
        elif permits and isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            yield Condition(_bare(node.value), True, refused, True)


def _bare(value: ast.expr) -> ast.expr:
    """`x` of `bool(x)`."""
    match value:
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return inner
    return value


def _in_block(reading: RuleInput, frame: Frame, body: Sequence[ast.stmt]) -> Iterator[Condition]:
    for place, statement in enumerate(body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        match statement:
            case ast.If():
                yield _if(reading, frame, statement, body[place + 1 :])
            case ast.Assert(test=test):
                yield Condition(test, True, frozenset({403}))
            case ast.Match():
                yield from _match(reading, frame, statement)
        for block, _ in blocks(statement):
            yield from _in_block(reading, frame, block)


def _if(reading: RuleInput, frame: Frame, statement: ast.If, after: Sequence[ast.stmt]) -> Condition:
    inside = reading.denials.of(frame, statement.body)
    if inside & REFUSING or (inside and not statement.orelse):
        return Condition(statement.test, False, inside, True)
    answers = any(isinstance(one, ast.Return) for one in statement.body)
    outside = reading.denials.of(frame, statement.orelse or (after[:1] if answers else []))
    return Condition(statement.test, True, outside, answers)


def _match(reading: RuleInput, frame: Frame, statement: ast.Match) -> Iterator[Condition]:
    """Every case of a constant as the comparison that it is."""
    refused = frozenset(status for case in statement.cases for status in reading.denials.of(frame, case.body))
    for case in statement.cases:
        patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
        values = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
        if values and not reading.denials.of(frame, case.body):
            values_at = ast.copy_location(ast.Tuple(elts=values, ctx=ast.Load()), values[0])
            test = ast.Compare(left=statement.subject, ops=[ast.In()], comparators=[values_at])
            yield Condition(ast.copy_location(test, statement.subject), True, refused)


def sufficient(reading: RuleInput, frame: Frame, test: ast.expr, positive: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of a test that alone make it `positive`, each with the truth that does it.

    A part that has to hold together with a check of who calls is not enough alone.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from sufficient(reading, frame, operand, not positive)
        case ast.BoolOp(op=op, values=parts):
            together = isinstance(op, ast.And) == positive
            if together and any(_checks_caller(reading, frame, part) for part in parts):
                return
            for part in parts:
                yield from sufficient(reading, frame, part, positive)
        case _:
            yield test, positive


def _checks_caller(reading: RuleInput, frame: Frame, part: ast.expr) -> bool:
    inner = part.operand if isinstance(part, ast.UnaryOp) else part
    return reading.principals.decides(frame, inner)
