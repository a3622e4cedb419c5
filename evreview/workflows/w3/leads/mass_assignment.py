"""Records that take over whatever members a request names: loops of `setattr`, and raw bodies stored as a whole."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.asgi.parameters import DEPENDS, marks_of
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import FUNCTIONS, all_given, calls_in, last_name
from evreview.codefacts.names import Definition, External, Resolved, plain_base, unwrapped
from evreview.core.quoted_text import Text, UserText, text
from evreview.workflows.w3.access_control.access_words import POWERFUL, PRIVILEGES, is_named, says, words
from evreview.workflows.w3.access_control.request_values import bindings, only_value
from evreview.workflows.w3.access_control.units import CodeUnit, Hit, RuleInput, hit
from evreview.workflows.w3.leads.sender_signatures import ends, is_signed, spelled

# Bodies of requests as they were sent, over names, arguments of calls and copies.


_LISTING: Final = frozenset({"items", "keys", "dict", "copy", "to_dict"})
_LISTS: Final = frozenset({"dict", "list", "tuple", "set", "sorted", "iter"})


def root(frame: Frame, value: ast.expr, hops: int = 8) -> tuple[Frame, ast.expr]:
    """What an expression stands for, over names, arguments of calls and copies."""
    match value:
        case ast.Name() if hops > 0:
            bound = list(bindings(frame, value))
            given = frame.given.get(id(bound[0][1].node)) if len(bound) == 1 else None
            known = given or only_value(frame, value)
            return root(*known, hops - 1) if known is not None else (frame, value)
        case ast.Await(value=inner):
            return root(frame, inner, hops)
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _LISTING and not value.keywords:
            return root(frame, inner, hops)
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _LISTS:
            return root(frame, inner, hops)
    return frame, value


def is_raw(reading: RuleInput, frame: Frame, value: ast.expr) -> bool:
    """True for the body as it was sent, or an object within it, over names; not for what was picked from it."""
    where, inner = root(frame, value)
    match inner:
        case ast.Subscript(value=held, slice=ast.Constant(value=str())):
            return is_raw(reading, where, held)
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[ast.Constant(value=str()), *_]):
            return is_raw(reading, where, held)
        case ast.BinOp(op=ast.BitAnd()) | ast.DictComp() | ast.Dict() | ast.Subscript():
            return False
        case ast.Call(func=ast.Attribute(attr="intersection")):
            return False
    origins = [one for one in reading.origins.of(where, inner) if one.place in ("body", "form")]
    return not _includes(inner) and any(not one.name or one.whole for one in origins)


def _includes(value: ast.expr) -> bool:
    """True for `model_dump(include={…})`."""
    return isinstance(value, ast.Call) and any(word.arg == "include" for word in value.keywords)


# What stands between a body and a record and was not read: functions of other files, methods of unknown objects.


_CHECKING: Final = re.compile(r"valid|check|ensure|verif|assert|require|sanit|clean|conform", re.IGNORECASE)
_DECLARING: Final = frozenset(
    {"marshmallow", "cerberus", "voluptuous", "schema", "pydantic", "msgspec", "cattrs", "trafaret", "colander"}
)
"""Libraries whose outcome holds only members that are declared beside it."""
_DUMPING: Final = frozenset({"model_dump", "dict", "to_dict", "asdict"})


def unread_between(reading: RuleInput, frame: Frame, value: ast.expr) -> str:
    """The name of the unread function whose outcome for the body an expression is, "" for none."""
    where, inner = root(frame, value)
    match inner:
        case ast.Call(func=ast.Attribute(value=held, attr=name), args=[]) if name in _DUMPING and inner.keywords == []:
            return unread_between(reading, where, held)
        case ast.Call() if _is_given_body(reading, where, inner) and _is_unread(reading, where, inner):
            return ast.unparse(inner.func)[:100]
    return ""


def unread_check(reading: RuleInput, unit: CodeUnit) -> Text:
    """What remains to be asked of a function that was not read and checks the body by its name; () without one."""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            if not isinstance(node, ast.Call) or not _CHECKING.search(last_name(node.func)):
                continue
            if _is_given_body(reading, frame, node) and _is_unread(reading, frame, node, declaring=frozenset()):
                return lets_through(ast.unparse(node.func)[:100])
    return ()


def lets_through(name: str) -> Text:
    """What nobody read of a function."""
    return text("which members ", UserText(name), ", which was not read, lets through")


def _is_given_body(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    given = all_given(call)
    return any(is_raw(reading, frame, one) for one in given)


def _is_unread(reading: RuleInput, frame: Frame, call: ast.Call, declaring: frozenset[str] = _DECLARING) -> bool:
    found = reading.modules.called(frame.scope, call)
    if isinstance(found, External):
        return found.package not in declaring and found.package not in sys.stdlib_module_names
    return found is None and not _is_declared(reading, frame, call, declaring)


def _is_declared(reading: RuleInput, frame: Frame, call: ast.Call, declaring: frozenset[str]) -> bool:
    """True for a method of what such a library, or a supplied class of its kind, made: `CaseSchema().load`."""
    if not isinstance(call.func, ast.Attribute):
        return False
    where, made = root(frame, call.func.value)
    found = reading.modules.called(where.scope, made) if isinstance(made, ast.Call) else None
    bases = reading.modules.ancestry(found) if isinstance(found, Definition) else [found]
    return any(isinstance(base, External) and base.package in declaring for base in bases)


ACCOUNTS: Final = frozenset({"user", "account", "profile", "member", "employee", "customer", "person", "membership"})
"""Names of records that usually hold what somebody may do."""
_RAW: Final = frozenset({"Request", "dict", "Any", "WebSocket"})
_PLAIN: Final = frozenset(
    {"builtins", "typing", "collections", "datetime", "uuid", "decimal", "pathlib", "fastapi", "starlette"}
)
_OWNING: Final = frozenset({"own", "owns", "owner", "owned", "mine", "belongs"})
_HOPS: Final = 4
_LOOKING: Final = frozenset({"hasattr", "getattr", "isinstance"})
"""What asks of a member only whether there is one."""
SIGNER: Final[Text] = ("which members the signer of the message, whom the code checks, may set",)


def mass_assignments(reading: RuleInput) -> Iterator[Hit]:
    """One hit per place where the caller's own member names decide what of a record changes."""
    for unit in reading.units:
        if unit.facts is None or any(guard.kind == "authorization" for guard in unit.facts.guards):
            continue
        if _by_right(reading, unit) or models(reading, unit) or keys_refused(reading, unit):
            continue
        unread = unread_check(reading, unit)
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if (at := _sets(reading, frame, node)) is not None:
                    found = hit(frame, at, unit.route, text("the caller names the members that are set"))
                elif isinstance(node, ast.Call) and _stores(reading, frame, node):
                    told = UserText(ast.unparse(node.func)[:100])
                    found = hit(frame, node, unit.route, text(told, " takes every member that the caller names"))
                else:
                    continue
                yield replace(found, lacks=SIGNER if is_signed(reading, found) else unread)


def _by_right(reading: RuleInput, unit: CodeUnit) -> bool:
    """True when something refuses by a right of who calls; whose an object is says nothing of its members."""
    return any(
        isinstance(node, ast.If) and reading.denials.of(frame, node.body) and _asks_right(reading, frame, node.test)
        for frame in unit.frames
        for node in reading.nodes(frame.scope.node)
    )


def _asks_right(reading: RuleInput, frame: Frame, test: ast.expr, *, turned: bool = False) -> bool:
    """True for a test that only a right passes: `not mine and not admin` lets the owner pass without any."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp() as inner):
            return _asks_right(reading, frame, inner, turned=not turned)
        case ast.BoolOp(op=op, values=values):
            asked = [_asks_right(reading, frame, one, turned=turned) for one in values]
            if isinstance(op, ast.Or) != turned:
                return any(asked)
            left = [one for one, right in zip(values, asked, strict=True) if not right]
            return any(asked) and not any(_asks_owner(reading, frame, one) for one in left)
    if not reading.principals.decides(frame, test):
        return False
    return _says_right(test) or not _asks_owner(reading, frame, test)


def _says_right(test: ast.expr) -> bool:
    return any(says(part.attr, PRIVILEGES) for part in ast.walk(test) if isinstance(part, ast.Attribute))


def _asks_owner(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """True for who calls in a comparison, also within a function whose name or whose code shows that it asks that."""
    if _says_right(test) or not reading.principals.within(frame, test):
        return False
    if any(isinstance(part, ast.Compare) for part in ast.walk(test)):
        return True
    for call in calls_in(test):
        found = reading.modules.called(frame.scope, call)
        if _OWNING.intersection(words(last_name(call.func))):
            return True
        if isinstance(found, Definition) and isinstance(found.node, FUNCTIONS):
            inside = [*ast.walk(found.node)]
            rights = any(says(part.attr, PRIVILEGES) for part in inside if isinstance(part, ast.Attribute))
            return not rights and any(isinstance(part, ast.Compare) for part in inside)
    return False


def models(reading: RuleInput, unit: CodeUnit) -> bool:
    """True when the body is checked by a model of its own: then only its members can be named."""
    node = unit.function.node
    if unit.facts is None or unit.facts.framework != "fastapi":
        return False
    for mark in marks_of(reading.modules, unit.function.scope, node) if isinstance(node, FUNCTIONS) else ():
        if mark.kind in DEPENDS or mark.annotation is None or mark.kind not in ("", "Body", "Form"):
            continue
        found = [
            reading.modules.resolve(unit.function.scope, plain_base(one)) for one in _either(unwrapped(mark.annotation))
        ]
        if any(not _is_plain(one) and not _takes_more(reading, one) for one in found):
            return True
    return False


def _either(annotation: ast.expr | None) -> Iterator[ast.expr]:
    """The alternatives of `A | None`."""
    match annotation:
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            yield from (*_either(left), *_either(right))
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            yield from _either(inner)
        case ast.expr() if not (isinstance(annotation, ast.Constant) and annotation.value is None):
            yield annotation


def _is_plain(found: Resolved) -> bool:
    """True for a type that declares no members: those of Python and of the framework."""
    return isinstance(found, External) and (found.last in _RAW or found.package in _PLAIN)


def _takes_more(reading: RuleInput, model: Resolved) -> bool:
    """True for a model that keeps members which it does not declare: `extra="allow"`."""
    if not isinstance(model, Definition) or not isinstance(model.node, ast.ClassDef):
        return False
    for base in reading.modules.ancestry(model):
        said = list(_extras(base.node)) if isinstance(base, Definition) and isinstance(base.node, ast.ClassDef) else []
        if said:
            return any(isinstance(part, ast.Constant | ast.Attribute) and _allows(part) for part in said)
    return False


def _allows(part: ast.expr) -> bool:
    return getattr(part, "value", None) == "allow" or getattr(part, "attr", None) == "allow"


def _extras(cls: ast.ClassDef) -> Iterator[ast.expr]:
    """What a class says of members that it does not declare."""
    yield from (word.value for word in cls.keywords if word.arg == "extra")
    for one in cls.body:
        match one:
            case ast.Assign(targets=[ast.Name(id="model_config")], value=ast.Call(keywords=words)):
                yield from (word.value for word in words if word.arg == "extra")
            case ast.Assign(targets=[ast.Name(id="model_config")], value=ast.Dict(keys=keys, values=values)):
                pairs = zip(keys, values, strict=True)
                yield from (value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "extra")
            case ast.ClassDef(name="Config", body=body):
                for inner in body:
                    if isinstance(inner, ast.Assign) and [ast.unparse(at) for at in inner.targets] == ["extra"]:
                        yield inner.value


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """Names that a member's name has on its way from the loop that takes them from the body.

    Attributes:
        frame, loop: the loop, or the comprehension, and where it stands.
        names: in each function that the name passes.
    """

    frame: Frame
    loop: ast.For | ast.AsyncFor | ast.comprehension
    names: tuple[tuple[Frame, str], ...]


def _sets(reading: RuleInput, frame: Frame, node: ast.AST) -> ast.AST | None:
    """Where `for key, value in data.items(): setattr(row, key, value)` stands and nothing asks about the key."""
    key = set_member(node)
    if key is None:
        return None
    walk = walk_of(reading, frame, key)
    if walk is None:
        named = isinstance(key, ast.Subscript | ast.Call | ast.Name) and _names_member(reading, frame, key)
        return node if named else None
    if not _is_free(reading, walk):
        return None
    return walk.loop if walk.frame is frame and isinstance(walk.loop, ast.stmt) else node


def set_member(node: ast.AST) -> ast.expr | None:
    """The name of the member that a statement sets by name: by `setattr` or within `__dict__`."""
    match node:
        case ast.Call(func=ast.Name(id="setattr"), args=[_, key, _]):
            return key
        case ast.Call(func=ast.Attribute(attr="__setattr__"), args=[*_, key, _]):
            return key
        case ast.Assign(targets=[ast.Subscript(value=held, slice=key)]) if _own_members(held):
            return key
    return None


def _own_members(held: ast.expr) -> bool:
    """True for `row.__dict__` and `vars(row)`."""
    match held:
        case ast.Attribute(attr="__dict__") | ast.Call(func=ast.Name(id="vars"), args=[_]):
            return True
    return False


def walk_of(reading: RuleInput, frame: Frame, key: ast.expr) -> _Walk | None:
    """The loop that a name was bound by, over the arguments of calls."""
    names: list[tuple[Frame, str]] = []
    while isinstance(key, ast.Name) and len(names) < _HOPS:
        names.append((frame, key.id))
        loop = reading.origins.comprehension(frame, key)
        bound = list(bindings(frame, key)) if loop is None else []
        if len(bound) == 1 and isinstance(bound[0][1].node, ast.arg) and id(bound[0][1].node) in frame.given:
            frame, key = frame.given[id(bound[0][1].node)]
            continue
        found = next((one.statement for _, one in bound if isinstance(one.statement, ast.For | ast.AsyncFor)), loop)
        if not isinstance(found, ast.For | ast.AsyncFor | ast.comprehension):
            return None
        first = found.target.elts[0] if isinstance(found.target, ast.Tuple) and found.target.elts else found.target
        return _Walk(frame, found, tuple(names)) if getattr(first, "id", "") == key.id else None
    return None


def walked_freely(reading: RuleInput, frame: Frame, key: ast.Name) -> bool:
    """True for a name of a member that comes from a loop over the body and that nothing asks about."""
    walk = walk_of(reading, frame, key)
    return walk is not None and _is_free(reading, walk)


def _is_free(reading: RuleInput, walk: _Walk) -> bool:
    """True where the caller chooses the names that are walked through, and none is asked about on its way."""
    if not is_raw(reading, walk.frame, walk.loop.iter) or _picked(reading, walk.frame, walk.loop):
        return False
    return not is_asked(reading, walk)


def is_asked(reading: RuleInput, walk: _Walk) -> bool:
    """True where a test asks about the name of a member on its way."""
    return any(
        name in _named_in(test) for where, name in walk.names for test in _tests(reading.nodes(where.scope.node))
    )


def _tests(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test) | ast.Match(subject=test):
                yield test
            case ast.comprehension(ifs=tests):
                yield from tests


def _named_in(test: ast.expr) -> set[str]:
    """The names in a test, without those of which it asks only whether there is such a member."""
    if isinstance(test, ast.Call) and getattr(test.func, "id", "") in _LOOKING:
        return set()
    inner = [one for one in ast.iter_child_nodes(test) if isinstance(one, ast.expr | ast.comprehension)]
    return {test.id} if isinstance(test, ast.Name) else {name for one in inner for name in _named_in(one)}  # type: ignore[arg-type]


def _names_member(reading: RuleInput, frame: Frame, key: ast.expr) -> bool:
    """True for `setattr(row, body["field"], body["value"])`, where no test asks about the field."""
    found = {one for one in reading.origins.of(frame, key) if one.place in ("body", "form", "query") and one.name}
    asked = {one for test in _tests(reading.nodes(frame.scope.node)) for one in reading.origins.of(frame, test)}
    return bool(found) and not found & asked


def _picked(reading: RuleInput, frame: Frame, loop: ast.For | ast.AsyncFor | ast.comprehension) -> bool:
    """True for `for key, value in ((key, body[key]) for key in ALLOWED)`: the service names the members."""
    match loop.target, loop.iter:
        case (
            ast.Tuple(elts=[ast.Name(), _]),
            ast.GeneratorExp(elt=ast.Tuple(elts=[ast.Name(id=key), _]))
            | ast.ListComp(elt=ast.Tuple(elts=[ast.Name(id=key), _])),
        ):
            pass
        case ast.Name(), ast.GeneratorExp(elt=ast.Name(id=key)) | ast.ListComp(elt=ast.Name(id=key)):
            pass
        case _:
            return False
    walks = [
        one for one in loop.iter.generators if any(getattr(part, "id", "") == key for part in ast.walk(one.target))
    ]
    return all(not reading.origins.of(frame, one.iter) or _asked(one, key) for one in walks)


def _asked(walk: ast.comprehension, key: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == key for test in walk.ifs for part in ast.walk(test))


def _stores(reading: RuleInput, frame: Frame, call: ast.Call) -> bool:
    """`User(**data)`, `query(User).update(data)`, `user.__dict__.update(data)`, `replace(user, **data)`."""
    given = [word.value for word in call.keywords if word.arg is None]
    match call.func:
        case ast.Attribute(value=held, attr="update") if _own_members(held):
            given, holds = [*given, *call.args[:1]], True
        case ast.Attribute(value=held, attr="update" | "values"):
            given = [*given, *call.args[:1]]
            holds = bool(given) and (holds_rights(reading, frame, held) or _record_holds(reading, frame, held))
        case ast.Attribute(value=held, attr="model_copy" | "copy" | "_replace"):
            given = [*(given if last_name(call.func) == "_replace" else ()), *updated(call)]
            holds = bool(given) and (_record_holds(reading, frame, held) or holds_rights(reading, frame, held))
        case ast.Name(id="replace") | ast.Attribute(attr="replace") if call.args and given:
            holds = _record_holds(reading, frame, call.args[0])
        case _:
            holds = bool(given) and holds_rights(reading, frame, call.func)
    return holds and any(is_raw(reading, frame, one) for one in given)


def updated(call: ast.Call) -> list[ast.expr]:
    """What a copy of a model takes over: `found.model_copy(update=body)`."""
    return [word.value for word in call.keywords if word.arg == "update"]


def _record_holds(reading: RuleInput, frame: Frame, held: ast.expr) -> bool:
    """True for a record of a store that is shown to hold a privileged member: by its entries, by its declared class."""
    where, inner = root(frame, held)
    match inner:
        case ast.Subscript(value=ast.Name() as store) | ast.Call(func=ast.Attribute(value=ast.Name() as store)):
            for at, binding in bindings(where, store):
                keys = [one for part in ast.walk(binding.node or ast.Pass()) for one in getattr(part, "keys", ())]
                if isinstance(binding.node, ast.expr) and any(
                    isinstance(key, ast.Constant) and is_named(str(key.value), POWERFUL) for key in keys
                ):
                    return True
                declared = getattr(binding.statement, "annotation", None)
                if isinstance(declared, ast.expr) and holds_rights(reading, at, declared):
                    return True
    return False


def holds_rights(reading: RuleInput, frame: Frame, function: ast.expr) -> bool:
    """True for a supplied class with a privileged member, and for another one that is named after an account."""
    for part in ast.walk(function):
        if not isinstance(part, ast.Name | ast.Attribute):
            continue
        name = part.attr if isinstance(part, ast.Attribute) else part.id
        if not name[:1].isupper():
            continue
        found = reading.modules.resolve(frame.scope, part)
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            scope = reading.modules.body(found)
            members = [*(scope.names if scope is not None else ()), *_annotated(found.node)]
            return any(is_named(member, POWERFUL) for member in members)
        return words(name)[-1:] != () and words(name)[-1] in ACCOUNTS
    return False


def _annotated(cls: ast.ClassDef) -> Iterator[str]:
    for one in cls.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one.target.id


def keys_refused(reading: RuleInput, unit: CodeUnit) -> bool:
    """True where something is refused by which members the body has: `if set(body) - ALLOWED: abort(400)`."""
    return any(
        isinstance(node, ast.If) and ends(reading, frame, node.body) and _asks_keys(reading, frame, node.test)
        for frame in unit.frames
        for node in reading.nodes(frame.scope.node)
    )


def _asks_keys(reading: RuleInput, frame: Frame, test: ast.expr) -> bool:
    """True for a test of all names in the body: of a set of them, or of each."""
    for where, part in spelled(frame, test):
        match part:
            case ast.Call(func=ast.Name(id="set" | "frozenset"), args=[held]) if is_raw(reading, where, held):
                return True
            case ast.Call(func=ast.Attribute(value=held, attr="keys"), args=[]) if is_raw(reading, where, held):
                return True
            case ast.comprehension(target=ast.Name(), iter=held) if is_raw(reading, where, held):
                return True
    return False
