"""Members that only the service should set, which a serializer of a model lets the caller write."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.asgi.parameters import DEPENDS, marks_of
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Route
from evreview.codefacts.modules import Scope, calls_in, last_name
from evreview.codefacts.names import Definition, unwrapped
from evreview.core.quoted_text import UserText, text
from evreview.workflows.w3.access_control.access_words import GRANTED, OWNERS, POWERFUL, is_named, words
from evreview.workflows.w3.access_control.owner_checks import authenticated_only
from evreview.workflows.w3.access_control.units import CodeUnit, Hit, RuleInput, hit, view_class
from evreview.workflows.w3.leads.mass_assignment import ACCOUNTS, SIGNER
from evreview.workflows.w3.leads.sender_signatures import is_signed

_WRITING: Final = frozenset({"POST", "PUT", "PATCH"})
_MODEL: Final = ("ModelSerializer", "HyperlinkedModelSerializer")
_ANSWERED: Final = frozenset({"SerializerMethodField", "ReadOnlyField", "StringRelatedField", "HiddenField"})
_CHANGING: Final = frozenset({"validate", "create", "update"})
_OWN_WAY: Final = frozenset({"get_fields", "__init__", "to_internal_value", "get_extra_kwargs"})


def writable_members(reading: RuleInput) -> Iterator[Hit]:
    """One hit per writing route whose serializer has a privileged member that is not read-only."""
    for route, view, serializer in _writing(reading):
        scope = reading.modules.body(serializer)
        if scope is None or (route.guards and not authenticated_only(route)):
            continue
        found = _writable(reading, serializer, _told(view.node) | _told(serializer.node, _CHANGING))
        if found is not None:
            node, member = found
            says = text("the caller sets ", UserText(member))
            yield hit(Frame(scope), node, f"{route.method} {route.path}", says)


def every_member(reading: RuleInput) -> Iterator[tuple[str, Scope, ast.AST, str]]:
    """Route, place and model of each writing route whose serializer lists no members: `fields = "__all__"`."""
    told = {one.route for one in writable_members(reading)}
    for route, _, serializer in _writing(reading):
        name = f"{route.method} {route.path}"
        scope = _meta(reading, serializer)
        if scope is None or {"read_only_fields", "extra_kwargs"} & scope.names.keys() or "fields" not in scope.names:
            continue
        if name in told:
            continue
        given = scope.names["fields"][-1].node
        model = scope.names["model"][-1].node if "model" in scope.names else None
        if texts(reading.modules, scope, given) == ("__all__",) and given is not None:
            yield name, scope, given, ast.unparse(model) if model is not None else "a model"


def _writing(reading: RuleInput) -> Iterator[tuple[Route, Definition, Definition]]:
    """The routes that write by a serializer, each with the classes of its view and its serializer."""
    for route in reading.routes:
        if route.framework == "drf" and route.method in _WRITING:
            view = view_class(reading.modules, route)
            serializer = _serializer(reading, view) if view is not None else None
            if view is not None and serializer is not None:
                yield route, view, serializer


def _meta(reading: RuleInput, serializer: Definition) -> Scope | None:
    """The inner class `Meta` of a serializer."""
    meta = reading.modules.member(serializer, "Meta")
    return reading.modules.body(meta) if isinstance(meta, Definition) else None


def _serializer(reading: RuleInput, view: Definition) -> Definition | None:
    """The serializer of a model that a view's class names; None where a method chooses it."""
    scope = reading.modules.body(view)
    if scope is None or "get_serializer_class" in scope.names:
        return None
    found = reading.modules.member(view, "serializer_class")
    if isinstance(found, Definition) and isinstance(found.node, ast.Name | ast.Attribute):
        found = reading.modules.resolve(found.scope, found.node)
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return None
    inner = reading.modules.body(found)
    own_way = inner is None or bool(_OWN_WAY.intersection(inner.names))
    return found if not own_way and reading.modules.is_a(found, ("rest_framework",), *_MODEL) else None


def _told(node: ast.AST, within: frozenset[str] | None = None) -> frozenset[str]:
    """The texts and argument names in a class's methods: members that it treats in a way of its own."""
    found: set[str] = set()
    for method in getattr(node, "body", ()):
        if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if within is not None and method.name not in within and not method.name.startswith("validate_"):
            continue
        found.add(method.name.removeprefix("validate_"))
        for part in ast.walk(method):
            match part:
                case ast.Constant(value=str(told)) | ast.keyword(arg=str(told)):
                    found.add(told)
    return frozenset(found)


def _writable(reading: RuleInput, cls: Definition, treated: frozenset[str]) -> tuple[ast.AST, str] | None:
    """Where the members are listed, and the first privileged one that can be written."""
    scope = _meta(reading, cls)
    if scope is None:
        return None
    given = {name: found[-1].node for name, found in scope.names.items()}
    listed = texts(reading.modules, scope, given.get("fields"))
    at = given.get("fields") or given.get("exclude")
    if at is None:
        return None
    kept = {*(texts(reading.modules, scope, given.get("read_only_fields")) or ()), *treated}
    kept |= {*(texts(reading.modules, scope, given.get("exclude")) or ()), *_read_only(reading, cls, scope)}
    if listed is None or listed == ("__all__",):
        names = _of_model(reading, scope, given.get("model"), listed is not None and not kept - treated)
    else:
        names = listed
    owners = _owners(reading, scope, given.get("model"))
    found = [name for name in names if name not in kept and (is_named(name, POWERFUL) or name in owners or " " in name)]
    return (at, found[0]) if found else None


def _owners(reading: RuleInput, scope: Scope, model: ast.AST | None) -> frozenset[str]:
    """The members of a supplied model that say which user an object belongs to."""
    found = reading.modules.resolve(scope, model)
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return frozenset()
    scopes = [reading.modules.body(base) for base in reading.modules.ancestry(found) if isinstance(base, Definition)]
    return frozenset(
        name
        for inner in scopes
        for name, bound in (inner.names.items() if inner is not None else ())
        if is_named(name, OWNERS) and _names_user(bound[-1].node)
    )


def _names_user(node: ast.AST | None) -> bool:
    """`ForeignKey(User, …)`, `ForeignKey("auth.User", …)`, `ForeignKey(settings.AUTH_USER_MODEL, …)`."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    kind = last_name(node.func)
    to = node.args[0]
    told = to.value if isinstance(to, ast.Constant) else getattr(to, "attr", getattr(to, "id", ""))
    return kind in ("ForeignKey", "OneToOneField") and "user" in words(str(told))


def _read_only(reading: RuleInput, cls: Definition, meta: Scope) -> frozenset[str]:
    """The members that a serializer declares as read-only."""
    found: set[str] = set()
    scope = reading.modules.body(cls)
    for name, bound in scope.names.items() if scope is not None else ():
        node = bound[-1].node
        if isinstance(node, ast.Call):
            made = last_name(node.func)
            said = [constant(reading.modules, meta, word.value) for word in node.keywords if word.arg == "read_only"]
            if made in _ANSWERED or True in said:
                found.add(name)
    extra = constant(reading.modules, meta, meta.names["extra_kwargs"][-1].node) if "extra_kwargs" in meta.names else {}
    for name, options in extra.items() if isinstance(extra, dict) else ():
        if isinstance(options, dict) and options.get("read_only") is True:
            found.add(str(name))
    return frozenset(found)


def _of_model(reading: RuleInput, scope: Scope, model: ast.AST | None, untouched: bool) -> tuple[str, ...]:
    """The model's members; for one that is not supplied and named after an account, that all of them are meant."""
    found = reading.modules.resolve(scope, model)
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        members = [base for base in reading.modules.ancestry(found) if isinstance(base, Definition)]
        return tuple(name for base in members for name in _names(reading, base))
    name = last_name(model)
    account = untouched and words(name)[-1:] != () and words(name)[-1] in ACCOUNTS
    return (f"every member of {name}",) if account else ()


def _names(reading: RuleInput, cls: Definition) -> Iterator[str]:
    scope = reading.modules.body(cls)
    for name, bound in scope.names.items() if scope is not None else ():
        node = bound[-1].node
        fixed = isinstance(node, ast.Call) and any(
            word.arg == "editable" and constant(reading.modules, cls.scope, word.value) is False
            for word in node.keywords
        )
        if isinstance(node, ast.Call) and not fixed:
            yield name


# Members that only the service should set, taken from the request and stored.


_DUMPS: Final = frozenset({"model_dump", "dict", "dump", "copy", "items"})
_STORING: Final = frozenset(
    {"update", "create", "update_one", "insert_one", "insert", "patch", "save", "values", "set"}
)


def writable_privileges(reading: RuleInput) -> Iterator[Hit]:
    """Privileges set from the request, and whole bodies stored that hold one, where nobody's right is checked."""
    for unit in reading.units:
        if unit.facts is None or any(guard.kind == "authorization" for guard in unit.facts.guards):
            continue
        if _checked(reading, unit):
            continue
        members = body_members(reading, unit)
        for frame in unit.frames:
            for node in reading.nodes(frame.scope.node):
                for name in _granted(reading, frame, node, members):
                    found = hit(frame, node, unit.route, text("the caller sets ", UserText(name)))
                    yield replace(found, lacks=SIGNER) if is_signed(reading, found) else found
                    break


def _checked(reading: RuleInput, unit: CodeUnit) -> bool:
    """True when something refuses by who calls, or by the member itself."""
    for frame in unit.frames:
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.If) and reading.denials.of(frame, node.body):
                told = [origin.name for origin in reading.origins.of(frame, node.test)]
                if any(is_named(name, GRANTED) for name in told):
                    return True
                if reading.principals.decides(frame, node.test):
                    return True
    return False


def body_members(reading: RuleInput, unit: CodeUnit) -> frozenset[str] | None:
    """The privileged members of the models that the handler takes as its body, None when it takes no model."""
    found: set[str] = set()
    any_model = False
    node = unit.function.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for mark in marks_of(reading.modules, unit.function.scope, node):
        if mark.kind in DEPENDS:
            continue  # what a dependency makes is the server's
        cls = reading.modules.resolve(unit.function.scope, unwrapped(mark.annotation))
        if isinstance(cls, Definition) and isinstance(cls.node, ast.ClassDef):
            any_model = True
            for base in reading.modules.ancestry(cls):
                found |= _members(base.node) if isinstance(base, Definition) else set()
    return frozenset(found) if any_model else None


def _members(cls: ast.AST) -> set[str]:
    return {
        one.target.id
        for one in getattr(cls, "body", ())
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and is_named(one.target.id, POWERFUL)
    }


def _granted(reading: RuleInput, frame: Frame, node: ast.AST, members: frozenset[str] | None) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if is_named(name, GRANTED):
            yield from _from_request(reading, frame, value, name)
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(name)))], value=value):
            if is_named(name, GRANTED):
                yield from _from_request(reading, frame, value, name)
        case ast.Call():
            yield from _given(reading, frame, node, members)


def _from_request(reading: RuleInput, frame: Frame, value: ast.expr, name: str) -> Iterator[str]:
    """The member, when it comes from the body under its own name."""
    for origin in reading.origins.of(frame, value):
        if origin.place in ("body", "form") and is_named(origin.name, GRANTED):
            yield name
            return


def _given(reading: RuleInput, frame: Frame, call: ast.Call, members: frozenset[str] | None) -> Iterator[str]:
    """`Model(role=body.role)`, `Model(**body.model_dump())`, `row.update(request.get_json())`, `setattr(row, k, v)`."""
    name = last_name(call.func)
    stores = name[:1].isupper() or bool(_STORING.intersection(words(name)) or name in _STORING)
    overwritten = {word.arg for word in call.keywords if word.arg}
    for word in call.keywords:
        if word.arg and stores and is_named(word.arg, GRANTED):
            yield from _from_request(reading, frame, word.value, word.arg)
        elif word.arg is None:
            yield from _whole(reading, frame, word.value, members, overwritten)
    for argument in call.args if name in ("update", "insert_one", "create") else ():
        yield from _whole(reading, frame, argument, members, overwritten)
    if name == "setattr" and len(call.args) == 3:
        yield from _whole(reading, frame, call.args[1], members, overwritten)


def _whole(
    reading: RuleInput, frame: Frame, value: ast.expr, members: frozenset[str] | None, overwritten: set[str]
) -> Iterator[str]:
    """The privileged members of a body that is stored as a whole."""
    found = [origin for origin in reading.origins.of(frame, value) if origin.place in ("body", "form")]
    if not any(not origin.name or origin.name in _DUMPS for origin in found):
        return
    left = (members or frozenset()) - overwritten - _left_out(reading, frame, value)
    yield from sorted(left)


def _left_out(reading: RuleInput, frame: Frame, value: ast.expr) -> set[str]:
    """What `model_dump(exclude={…})` leaves out, and everything when it names what it takes."""
    for node in _through(reading, frame, value):
        for word in node.keywords:
            named = texts(reading.modules, frame.scope, word.value)
            if word.arg == "exclude" and named is not None:
                return set(named)
            if word.arg == "include" and named is not None:
                return set(GRANTED) - set(named)
    return set()


def _through(reading: RuleInput, frame: Frame, value: ast.expr) -> Iterator[ast.Call]:
    """The calls in an expression, and in what its names stand for."""
    for part in ast.walk(value):
        if isinstance(part, ast.Call):
            yield part
        elif isinstance(part, ast.Name):
            found = reading.modules.resolve(frame.scope, part)
            if isinstance(found, Definition) and isinstance(found.node, ast.expr):
                yield from calls_in(found.node)
