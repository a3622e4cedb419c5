"""Whether a handler uses who calls for more than a log."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.model import Guard, Route, Spot
from evreview.codefacts.modules import DEFINITIONS, all_given, last_name
from evreview.codefacts.names import External
from evreview.core.quoted_text import UserText, text
from evreview.workflows.w3.access_control.access_words import (
    CREDENTIALS,
    EXEMPT,
    OWNERS,
    PRINCIPALS,
    PRIVILEGES,
    is_named,
    says,
    words,
)
from evreview.workflows.w3.access_control.caller_decisions import IDENTITIES, conditions
from evreview.workflows.w3.access_control.request_values import RequestSource, only_value
from evreview.workflows.w3.access_control.route_guards import resource
from evreview.workflows.w3.access_control.units import ALL_ROUTES, VIEW_METHODS, CodeUnit, Hit, RuleInput, hit

_LOGGING_CALLS: Final = frozenset({"debug", "info", "warning", "error", "exception", "log", "print", "bind"})

_CHANGING: Final = frozenset({"delete", "save", "destroy", "remove", "delete_instance"})
"""Calls that change for good the object that they are called of or given."""
_CHOSEN: Final = ("path", "query", "body", "form")


def asks(reading: RuleInput, unit: CodeUnit) -> bool:
    """True when the handler, or what it calls, uses who calls for more than a log."""
    people = reading.principals
    units = [one for one in reading.units if one.route == unit.route and _may_ask(reading, one, unit)]
    for frame in (frame for one in units for frame in one.frames):
        idle = idle_tests(reading, frame)
        for node in reading.nodes(frame.scope.node):
            if id(node) in idle:
                continue
            match node:
                case ast.Compare() if people.within(frame, node) and not is_presence(reading, frame, node):
                    return True
                case ast.Call(func=function) if is_presence(reading, frame, node):
                    continue
                case ast.Call(func=function) if last_name(function) not in _LOGGING_CALLS:
                    given = all_given(node)
                    if any(people.within(frame, one) for one in given):
                        return True
                    if isinstance(function, ast.Attribute) and people.within(frame, function.value):
                        return True
                case ast.If(test=test) if people.decides(frame, test) and not is_presence(reading, frame, test):
                    return True
                case ast.Attribute(value=holder) if people.within(frame, holder) and _leads(node):
                    if _is_session(reading, frame, holder):
                        continue  # `session.get`
                    return True
    return False


def is_presence(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """True for a look at whether a session holds anybody: `"user" in session`, `session.get("user") is None`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_presence(reading, frame, operand)
        case ast.BoolOp(values=parts):
            return all(is_presence(reading, frame, part) for part in parts)
        case ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()], comparators=[held]):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], comparators=[other]):
            return isinstance(other, ast.Constant) and not other.value and is_presence(reading, frame, left)
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Subscript(value=held, slice=ast.Constant(value=str(key))):
            return _is_session(reading, frame, held) and not says(key, PRIVILEGES)
        case ast.Name():
            known = only_value(frame, test)
            match known[1] if known is not None else None:
                case ast.Call() | ast.Compare(left=ast.Constant() | ast.Call()):
                    return known is not None and is_presence(reading, *known)
    return False


def _is_session(reading: RuleInput, frame: Frame, held: ast.expr) -> bool:
    found = reading.modules.resolve(frame.scope, held)
    return isinstance(found, External) and found.name in ("flask.session", "quart.session")


def signs_in(reading: RuleInput, unit: CodeUnit) -> bool:
    """True for a handler that itself turns away whom its session does not know."""
    return any(
        isinstance(node, ast.If)
        and is_presence(reading, frame, node.test)
        and reading.denials.of(frame, node.body) & REFUSING
        for frame in unit.frames
        for node in reading.nodes(frame.scope.node)
    )


def idle_tests(reading: RuleInput, frame: Frame) -> frozenset[int]:
    """What stands in tests on which nothing hangs but a log, that come too late, or that callers make false."""
    found: set[int] = set()
    nodes = reading.nodes(frame.scope.node)
    late = {id(one) for block in _blocks(frame, nodes) for one in _late(block)}
    for node in nodes:
        if not isinstance(node, ast.If):
            continue
        logs = not node.orelse and all(_is_log(one) for one in node.body)
        if logs or id(node) in late or _evaded(reading, frame, node.test):
            found |= {id(node), *(id(part) for part in ast.walk(node.test))}
    return frozenset(found)


def _blocks(frame: Frame, nodes: tuple[ast.AST, ...]) -> Iterator[list[ast.stmt]]:
    for node in (frame.scope.node, *nodes):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _late(block: list[ast.stmt]) -> Iterator[ast.If]:
    """The tests of an object's member after the object was changed and that was kept: `x.delete()`."""
    changed: set[str] = set()
    kept: set[str] = set()
    for statement in block:
        match statement:
            case ast.If(test=test):
                if kept & {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}:
                    yield statement
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
                changed.add(name)
            case ast.Expr(value=ast.Await(value=ast.Call() as call)) | ast.Expr(value=ast.Call() as call):
                done = last_name(call.func)
                kept |= changed if done == "commit" else set()
                if done in _CHANGING:
                    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
                    kept |= {one.id for one in (holder, *call.args) if isinstance(one, ast.Name)}


def _evaded(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """`x.owner_id != me.id and note_id > 1000`: callers choose whether they are asked.

    `owner and owner != me.id` asks about what was sent, wherever it was.
    """
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return False
    others = [{one.id for one in ast.walk(part) if isinstance(one, ast.Name)} for part in test.values]
    return any(
        _is_sent(reading, frame, part) and not any(others[at] & one for place, one in enumerate(others) if place != at)
        for at, part in enumerate(test.values)
    )


def _is_sent(reading: RuleInput, frame: Frame, part: ast.expr) -> bool:
    """A value of the request alone, or compared with a constant."""
    bare = part.operand if isinstance(part, ast.UnaryOp) else part
    match bare:
        case ast.Compare(left=ast.Name() as sent, comparators=[ast.Constant(value=value)]) if value is not None:
            pass
        case ast.Name() as sent:
            pass
        case _:
            return False
    argument = any(isinstance(one.node, ast.arg) for one in frame.scope.names.get(sent.id, []))
    return argument and any(one.place in _CHOSEN for one in reading.origins.of(frame, sent))


def _is_log(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in _LOGGING_CALLS
    return False


def _may_ask(reading: RuleInput, one: CodeUnit, handler: CodeUnit) -> bool:
    """True for the handler, and for guards that know the object or decide by a right: others find out who calls."""
    if one is handler or one.function.name in VIEW_METHODS:
        return True
    for frame in one.frames:
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.Attribute | ast.Subscript) and _says_right(node):
                return True
            if isinstance(node, ast.Name) and any(at.place == "path" for at in reading.origins.of(frame, node)):
                return True
            if isinstance(node, ast.Attribute) and node.attr in ("path_params", "view_args", "match_info"):
                return True
    return False


def _says_right(node: ast.Attribute | ast.Subscript) -> bool:
    """`user.role` in a comparison or condition; what a principal is made of is no decision."""
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and says(node.attr, PRIVILEGES)


def _leads(node: ast.Attribute) -> bool:
    """`user.tickets`: what belongs to who calls."""
    return node.attr not in ("id", "name", "email", "username", "is_authenticated") and not node.attr.startswith("_")


# Of which things the sources show that they belong to somebody, and of which that is so by their nature.


PERSONAL: Final = frozenset(
    {"order", "invoice", "bill", "payment", "payslip", "message", "cart", "basket", "booking", "reservation", "note",
     "file", "document", "upload", "ticket", "account", "profile", "address", "prescription", "statement", "wallet",
     "subscription", "conversation", "chat", "inbox", "draft", "receipt", "purchase", "card", "letter", "diary",
     "appointment", "refund", "transfer"}
)  # fmt: skip
"""Names of things that somebody owns wherever they are kept."""
PUBLIC: Final = frozenset(
    {"product", "article", "post", "page", "category", "country", "city", "region", "currency", "language", "tag",
     "news", "faq", "book", "movie", "film", "song", "album", "artist", "author", "recipe", "event", "station",
     "weather", "menu", "price", "rate", "holiday", "brand", "catalog", "catalogue", "item", "topic", "genre",
     "timezone", "locale", "translation", "version", "release", "package", "plan", "feature", "blog", "course",
     "lesson", "quote", "venue", "store", "shop", "airport", "flight", "train", "stop", "line", "type", "unit",
     "color", "colour", "size", "licence", "license", "job", "vacancy", "team", "player", "game", "match", "season",
     "sport", "species", "animal", "plant", "vehicle", "model", "manufacturer", "sku", "label", "status", "setting"}
)  # fmt: skip
"""Names of things that are there for everybody."""
_SIGNED_IN: Final = frozenset({"login", "logged", "authenticated", "authentication", "signed", "auth", "jwt", "token"})
_TABLE: Final = re.compile(
    r"\b(?:from|into|update|join|create\s+table(?:\s+if\s+not\s+exists)?)\s+[\"`\[]?(?:\w+\.)?(\w{1,60})", re.IGNORECASE
)
_KEPT: Final = re.compile(r"(?is)\s*(?:create\s+table|insert\s+into)\s[^(]{1,200}\(([^)]{1,2000})")
_SHORTCUTS: Final = frozenset({"get_object_or_404", "get_list_or_404"})
_MOST: Final = 4_000
"""Characters of a statement that are looked at."""


def singular(name: str) -> str:
    """The last word of a name, without its plural."""
    last = words(name)[-1:]
    word = last[0] if last else ""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def authenticated_only(route: Route) -> bool:
    """True for a route that asks who calls, and by no guard what the caller may do."""
    return bool(route.guards) and all(_authenticates(guard) for guard in route.guards)


def _authenticates(guard: Guard) -> bool:
    if guard.scopes:
        return set(guard.scopes) <= {"authenticated"}
    if guard.kind == "unknown":
        return bool(_SIGNED_IN.intersection(words(guard.name)))
    return guard.kind == "authentication"


def owned_names(reading: RuleInput) -> frozenset[str]:
    """The things that other lines ask the owner of: tables and classes that are filtered by one."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        if isinstance(statement, DEFINITIONS):
            continue
        for node in ast.walk(statement):
            match node:
                case ast.Constant(value=str(told)) if asks_owner(told) or _keeps_owner(told):
                    found.update(tables(told))
                case ast.Call(func=ast.Attribute(), keywords=given) if _filters_by_owner(given):
                    found.update(name for name in classes(node.func))
                case ast.Call(func=ast.Name(id=name), args=[first, *_], keywords=given) if _filters_by_owner(given):
                    found.update(classes(first) if name in _SHORTCUTS else ())
    return frozenset(found)


def names_of_callers(reading: RuleInput) -> frozenset[str]:
    """The classes of which other lines give whoever calls those of their own: `filter(owner=request.user)`."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        for node in ast.walk(statement) if not isinstance(statement, DEFINITIONS) else ():
            if isinstance(node, ast.Call) and any(_is_caller(word) for word in node.keywords):
                found.update(classes(node))
    return frozenset(found)


def _is_caller(word: ast.keyword) -> bool:
    named = last_name(word.value)
    return _filters_by_owner([word]) and bool(PRINCIPALS.intersection(words(named)))


def _filters_by_owner(given: list[ast.keyword]) -> bool:
    return any(word.arg is not None and word.arg.partition("__")[0] in OWNERS for word in given)


def asks_owner(told: str) -> bool:
    """True for a statement that reads by an owner's column."""
    text = told[:_MOST].lower()
    where = text.partition("where ")[2]
    return text.lstrip().startswith(("select", "with")) and any(
        re.search(rf"\b{name}\b\s*(=|in\b)", where) for name in OWNERS
    )


def _keeps_owner(told: str) -> bool:
    """True for a statement that makes a table, or adds to one, with an owner's column."""
    found = _KEPT.match(told[:_MOST])
    return found is not None and bool(OWNERS.intersection(re.findall(r"\w+", found[1].lower())))


def made_without_owner(reading: RuleInput) -> frozenset[str]:
    """The tables whose making is shown without an owner's column, but those of things that somebody owns anyway."""
    found: set[str] = set()
    for _, statement in reading.modules.statements():
        for node in ast.walk(statement) if not isinstance(statement, DEFINITIONS) else ():
            told = node.value if isinstance(node, ast.Constant) else None
            made = isinstance(told, str) and "create table" in told[:_MOST].lower()
            found |= set(tables(told)) if isinstance(told, str) and made and not _keeps_owner(told) else set()
    return frozenset(found - PERSONAL)


def tables(told: str) -> Iterator[str]:
    """The tables that a statement names, each as one thing."""
    for name in _TABLE.findall(told[:_MOST]):
        yield singular(name)


def classes(node: ast.AST) -> Iterator[str]:
    """The classes that an expression names, each as one thing."""
    for part in ast.walk(node):
        name = last_name(part)
        if isinstance(name, str) and name[:1].isupper() and not name.isupper():
            yield singular(name)


def things(route: Route, node: ast.AST, by_path: bool) -> frozenset[str]:
    """What a lookup is about: its tables, classes, the function's own name; by a path's id the route's resource."""
    found = {singular(resource(route.path)) if by_path else "", *classes(node)}
    for part in ast.walk(node):
        match part:
            case ast.Constant(value=str(told)):
                found.update(tables(told))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                found.add(singular(name))
    return frozenset(found - {""})


# Where a route asks whose an object is: a refusal by its owner, or a lookup by who calls.


_REFUSED: Final = frozenset({403, 404})


def owner_checks(reading: RuleInput) -> dict[str, list[Spot]]:
    """Of each route the lines that let callers have their own objects only; 404 hides that others exist."""
    found: dict[str, list[Spot]] = {}
    for unit in reading.units:
        for frame in unit.frames if unit.route not in ("", ALL_ROUTES) else ():
            idle = idle_tests(reading, frame)
            tests = (
                one.test
                for one in conditions(reading, unit, frame)
                if one.refused & _REFUSED and id(one.test) not in idle
            )
            spots = [frame.scope.spot(test) for test in tests if _compares_owner(reading, frame, test)]
            spots += [frame.scope.spot(node) for node in _lookups(reading, frame)]
            if spots:
                found.setdefault(unit.route, []).extend(spots)
    return found


def _compares_owner(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """True when a test compares whose an object is with who calls."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and reading.principals.within(frame, node):
            for side in (node.left, *node.comparators):
                if _says_owner(side) and not reading.principals.within(frame, side):
                    return True
    return False


def _says_owner(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return is_named(name, OWNERS)
        case ast.Call(func=ast.Name(id="str" | "int"), args=[inner]):
            return _says_owner(inner)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return is_named(name, OWNERS)
    return False


def _lookups(reading: RuleInput, frame: Frame) -> Iterator[ast.Call]:
    """`filter(owner=request.user)`, and a statement that reads by an owner's column with who calls bound to it."""
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        words_of_owner = (word for word in node.keywords if (word.arg or "").partition("__")[0] in OWNERS)
        if any(reading.principals.within(frame, word.value) for word in words_of_owner) and _looks_up(node):
            yield node
        elif len(node.args) > 1:
            told = constant(reading.modules, frame.scope, node.args[0])
            if isinstance(told, str) and asks_owner(told) and reading.principals.within(frame, node.args[1]):
                yield node


def _looks_up(call: ast.Call) -> bool:
    name = last_name(call.func)
    return bool({"filter", "get", "find", "exclude", "first", "one", "fetch", "select"}.intersection(words(name)))


# Objects that are chosen by an owner whom the caller names, not by the principal that the server knows.


_LOOKUPS: Final = frozenset({"filter", "get", "find", "exclude", "where", "select", "query", "fetch", "load", "first"})
_LOGGING_AND_METERING_CALLS: Final = frozenset(
    {"debug", "info", "warning", "error", "exception", "log", "print", "bind", "audit", "trace", "record", "limit",
     "count", "metric", "observe", "throttle"}
)  # fmt: skip
_MADE: Final = ("Response", "Exception", "Error")


def owners_by_word(reading: RuleInput) -> Iterator[Hit]:
    """One hit per handler whose objects are those of an identity in a header."""
    for unit in _handlers(reading):
        for frame in unit.frames:
            found = next(iter(_by_header(reading, frame)), None)
            if found is not None and not asks(reading, unit):
                node, origin = found
                yield hit(
                    frame,
                    node,
                    unit.route,
                    text("whose objects these are is told by the header ", _origin_name(origin)),
                )
                break


def owners_by_value(reading: RuleInput) -> Iterator[Hit]:
    """One hit per handler that looks owned objects up by an owner in the query, the body, a form or a cookie."""
    names = names_of_callers(reading)
    for unit in _handlers(reading):
        for frame in unit.frames:
            found = next(iter(_by_value(reading, frame, names)), None)
            if found is not None and not asks(reading, unit):
                node, origin = found
                yield hit(frame, node, unit.route, text("objects of an owner whom ", _origin_name(origin), " names"))
                break


def _handlers(reading: RuleInput) -> Iterator[CodeUnit]:
    for unit in reading.units:
        handler = reading.handlers.get(unit.route)
        facts = unit.facts
        if facts is None or any(guard.kind == "authorization" for guard in facts.guards):
            continue
        if (handler is not None and handler.node is unit.function.node) or unit.is_view:
            yield unit


def _origin_name(origin: RequestSource) -> UserText:
    return UserText(origin.name or origin.place)


def _by_header(reading: RuleInput, frame: Frame) -> Iterator[tuple[ast.AST, RequestSource]]:
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        called = last_name(node.func)
        if _LOGGING_AND_METERING_CALLS.intersection(words(called)) or called.endswith(_MADE):
            continue
        for given in all_given(node):
            for origin in reading.origins.of(frame, given):
                if origin.place == "header" and says(origin.name, IDENTITIES) and not says(origin.name, EXEMPT):
                    yield node, origin


def _by_value(reading: RuleInput, frame: Frame, names: frozenset[str]) -> Iterator[tuple[ast.AST, RequestSource]]:
    for node in reading.nodes(frame.scope.node):
        if not isinstance(node, ast.Call):
            continue
        called = last_name(node.func)
        if not _LOOKUPS.intersection(words(called)) or not set(classes(node)) & (names | PERSONAL):
            continue
        for value in _owners(node):
            for origin in reading.origins.of(frame, value):
                if origin.place in ("query", "body", "form", "cookie") and not says(origin.name, CREDENTIALS):
                    yield node, origin


def _owners(call: ast.Call) -> Iterator[ast.expr]:
    """What a lookup takes for the owner: `filter(owner=x)`, `filter(Note.owner_id == x)`."""
    for word in call.keywords:
        steps = (word.arg or "").split("__")
        if steps[0] in OWNERS and not says(steps[-1], CREDENTIALS):
            yield word.value
    for part in (one for given in call.args for one in ast.walk(given)):
        match part:
            case ast.Compare(left=ast.Attribute(attr=name), ops=[ast.Eq()], comparators=[value]):
                if is_named(name, OWNERS):
                    yield value
