"""Records that take over whatever members a request names: loops of `setattr`, and raw bodies stored as a whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.prose import Subject, text
from evreview.security.leads.bindings import only_value
from evreview.security.leads.rule import Hit, hit
from evreview.security.leads.units import Reading, Unit
from evreview.security.leads.words import POWERFUL, PRIVILEGES, says, words
from evreview.sources.asgi.marks import DEPENDS, marks_of
from evreview.sources.flow import Frame
from evreview.sources.resolved import Definition, External, Resolved, unwrapped

ACCOUNTS: Final = frozenset({"user", "account", "profile", "member", "employee", "customer", "person", "membership"})
"""Names of records that usually hold what somebody may do."""
_RAW: Final = frozenset({"Request", "dict", "Any", "WebSocket"})


def taken_over(reading: Reading) -> Iterator[Hit]:
    """One hit per place where the caller's own member names decide what of a record changes."""
    for unit in reading.units:
        if unit.facts is None or any(guard.kind == "authorization" for guard in unit.facts.guards):
            continue
        if _by_right(reading, unit) or models(reading, unit):
            continue
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                if isinstance(node, ast.For) and _sets(reading, frame, node):
                    yield hit(frame, node, unit.route, text("the caller names the members that are set"))
                elif isinstance(node, ast.Call) and _stores(reading, frame, node):
                    told = Subject(ast.unparse(node.func)[:100])
                    yield hit(frame, node, unit.route, text(told, " takes every member that the caller names"))


def _by_right(reading: Reading, unit: Unit) -> bool:
    """True when something refuses by a right of who calls; whose an object is says nothing of its members."""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            if not isinstance(node, ast.If) or not reading.denials.of(frame, node.body):
                continue
            compared = any(isinstance(part, ast.Compare) for part in ast.walk(node.test))
            rights = any(says(part.attr, PRIVILEGES) for part in ast.walk(node.test) if isinstance(part, ast.Attribute))
            if (rights or not compared) and reading.principals.decides(frame, node.test):
                return True
    return False


def models(reading: Reading, unit: Unit) -> bool:
    """True when the body is checked by a model of its own: then only its members can be named."""
    node = unit.function.node
    if unit.facts is None or unit.facts.framework != "fastapi":
        return False
    for mark in marks_of(reading.modules, unit.function.scope, node) if isinstance(node, _FUNCTIONS) else ():
        if mark.kind in DEPENDS or mark.annotation is None or mark.kind not in ("", "Body", "Form"):
            continue
        found = reading.modules.resolve(unit.function.scope, _plain(unwrapped(mark.annotation)))
        plain = isinstance(found, External) and found.last in _RAW | {"str", "int", "float", "bool", "UUID"}
        if not plain and not _takes_more(reading, found):
            return True
    return False


def _takes_more(reading: Reading, model: Resolved) -> bool:
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


_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def _plain(annotation: ast.expr | None) -> ast.expr | None:
    return annotation.value if isinstance(annotation, ast.Subscript) else annotation


def _sets(reading: Reading, frame: Frame, loop: ast.For) -> bool:
    """`for key, value in data.items(): setattr(row, key, value)`, where nothing asks about the key."""
    names = [part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)]
    setting = any(
        isinstance(part, ast.Call) and getattr(part.func, "id", "") == "setattr" and len(part.args) == 3
        and isinstance(part.args[1], ast.Name) and part.args[1].id in names
        for part in ast.walk(loop)
    )  # fmt: skip
    if not setting or not is_raw(reading, frame, loop.iter) or _picked(reading, frame, loop):
        return False
    asking = [part.test for part in ast.walk(loop) if isinstance(part, ast.If | ast.IfExp)]
    return not any(isinstance(part, ast.Name) and part.id in names for test in asking for part in ast.walk(test))


def _picked(reading: Reading, frame: Frame, loop: ast.For) -> bool:
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


def _stores(reading: Reading, frame: Frame, call: ast.Call) -> bool:
    """`User(**data)`, `User.objects.create(**data)`, `user.__dict__.update(data)`."""
    given = [word.value for word in call.keywords if word.arg is None]
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="__dict__"), attr="update"):
            given, holds = [*given, *call.args[:1]], True
        case _:
            holds = bool(given) and _holds_rights(reading, frame, call.func)
    return holds and any(is_raw(reading, frame, one) for one in given)


def _holds_rights(reading: Reading, frame: Frame, function: ast.expr) -> bool:
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
            return any("_".join(words(member)) in POWERFUL for member in members)
        return words(name)[-1:] != () and words(name)[-1] in ACCOUNTS
    return False


def _annotated(cls: ast.ClassDef) -> Iterator[str]:
    for one in cls.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one.target.id


def is_raw(reading: Reading, frame: Frame, value: ast.expr) -> bool:
    """True for the body as it was sent, over names and `.items()`; not for what was picked from it."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("items", "dict"):
        value = value.func.value
    where, inner = frame, value
    while isinstance(inner, ast.Name) and (found := only_value(where, inner)) is not None:
        where, inner = found
    picked = isinstance(inner, ast.DictComp | ast.Dict | ast.Subscript) or _includes(inner)
    origins = [one for one in reading.origins.of(frame, value) if one.place in ("body", "form")]
    return not picked and any(not one.name for one in origins)


def _includes(value: ast.expr) -> bool:
    """True for `model_dump(include={…})`."""
    return isinstance(value, ast.Call) and any(word.arg == "include" for word in value.keywords)
