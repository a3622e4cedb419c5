"""Members that only the service should set, which a serializer of a model lets the caller write."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.constants import constant, texts
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition
from evreview.core.quoted_text import Subject, text
from evreview.security.leads.ownership import authenticated_only
from evreview.security.leads.views import view_class
from evreview.workflows.w3.access_control.access_words import OWNERS, POWERFUL, words
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import Reading
from evreview.workflows.w3.step4_leads.mass_assignment import ACCOUNTS

_WRITING: Final = frozenset({"POST", "PUT", "PATCH"})
_MODEL: Final = ("ModelSerializer", "HyperlinkedModelSerializer")
_ANSWERED: Final = frozenset({"SerializerMethodField", "ReadOnlyField", "StringRelatedField", "HiddenField"})
_CHANGING: Final = frozenset({"validate", "create", "update"})
_OWN_WAY: Final = frozenset({"get_fields", "__init__", "to_internal_value", "get_extra_kwargs"})


def writable_members(reading: Reading) -> Iterator[Hit]:
    """One hit per writing route whose serializer has a privileged member that is not read-only."""
    for route in reading.routes:
        if route.framework != "drf" or route.method not in _WRITING:
            continue
        if route.guards and not authenticated_only(route):
            continue
        view = view_class(reading.modules, route)
        serializer = _serializer(reading, view) if view is not None else None
        scope = reading.modules.body(serializer) if serializer is not None else None
        if view is None or serializer is None or scope is None:
            continue
        found = _writable(reading, serializer, _told(view.node) | _told(serializer.node, _CHANGING))
        if found is not None:
            node, member = found
            says = text("the caller sets ", Subject(member))
            yield hit(Frame(scope), node, f"{route.method} {route.path}", says)


def every_member(reading: Reading) -> Iterator[tuple[str, Scope, ast.AST, str]]:
    """Route, place and model of each writing route whose serializer lists no members: `fields = "__all__"`."""
    told = {one.route for one in writable_members(reading)}
    for route in reading.routes:
        name = f"{route.method} {route.path}"
        if route.framework != "drf" or route.method not in _WRITING or name in told:
            continue
        view = view_class(reading.modules, route)
        serializer = _serializer(reading, view) if view is not None else None
        meta = reading.modules.member(serializer, "Meta") if serializer is not None else None
        scope = reading.modules.body(meta) if isinstance(meta, Definition) else None
        if scope is None or {"read_only_fields", "extra_kwargs"} & scope.names.keys() or "fields" not in scope.names:
            continue
        given = scope.names["fields"][-1].node
        model = scope.names["model"][-1].node if "model" in scope.names else None
        if texts(reading.modules, scope, given) == ("__all__",) and given is not None:
            yield name, scope, given, ast.unparse(model) if model is not None else "a model"


def _serializer(reading: Reading, view: Definition) -> Definition | None:
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


def _writable(reading: Reading, cls: Definition, treated: frozenset[str]) -> tuple[ast.AST, str] | None:
    """Where the members are listed, and the first privileged one that can be written."""
    meta = reading.modules.member(cls, "Meta")
    scope = reading.modules.body(meta) if isinstance(meta, Definition) else None
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
    found = [name for name in names if name not in kept and (_is_powerful(name) or name in owners or " " in name)]
    return (at, found[0]) if found else None


def _owners(reading: Reading, scope: Scope, model: ast.AST | None) -> frozenset[str]:
    """The members of a supplied model that say which user an object belongs to."""
    found = reading.modules.resolve(scope, model)
    if not isinstance(found, Definition) or not isinstance(found.node, ast.ClassDef):
        return frozenset()
    scopes = [reading.modules.body(base) for base in reading.modules.ancestry(found) if isinstance(base, Definition)]
    return frozenset(
        name
        for inner in scopes
        for name, bound in (inner.names.items() if inner is not None else ())
        if "_".join(words(name)) in OWNERS and _names_user(bound[-1].node)
    )


def _names_user(node: ast.AST | None) -> bool:
    """`ForeignKey(User, …)`, `ForeignKey("auth.User", …)`, `ForeignKey(settings.AUTH_USER_MODEL, …)`."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    kind = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    to = node.args[0]
    told = to.value if isinstance(to, ast.Constant) else getattr(to, "attr", getattr(to, "id", ""))
    return kind in ("ForeignKey", "OneToOneField") and "user" in words(str(told))


def _is_powerful(name: str) -> bool:
    return "_".join(words(name)) in POWERFUL


def _read_only(reading: Reading, cls: Definition, meta: Scope) -> frozenset[str]:
    """The members that a serializer declares as read-only."""
    found: set[str] = set()
    scope = reading.modules.body(cls)
    for name, bound in scope.names.items() if scope is not None else ():
        node = bound[-1].node
        if isinstance(node, ast.Call):
            made = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            said = [constant(reading.modules, meta, word.value) for word in node.keywords if word.arg == "read_only"]
            if made in _ANSWERED or True in said:
                found.add(name)
    extra = constant(reading.modules, meta, meta.names["extra_kwargs"][-1].node) if "extra_kwargs" in meta.names else {}
    for name, options in extra.items() if isinstance(extra, dict) else ():
        if isinstance(options, dict) and options.get("read_only") is True:
            found.add(str(name))
    return frozenset(found)


def _of_model(reading: Reading, scope: Scope, model: ast.AST | None, untouched: bool) -> tuple[str, ...]:
    """The model's members; for one that is not supplied and named after an account, that all of them are meant."""
    found = reading.modules.resolve(scope, model)
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        members = [base for base in reading.modules.ancestry(found) if isinstance(base, Definition)]
        return tuple(name for base in members for name in _names(reading, base))
    name = model.attr if isinstance(model, ast.Attribute) else getattr(model, "id", "")
    account = untouched and words(name)[-1:] != () and words(name)[-1] in ACCOUNTS
    return (f"every member of {name}",) if account else ()


def _names(reading: Reading, cls: Definition) -> Iterator[str]:
    scope = reading.modules.body(cls)
    for name, bound in scope.names.items() if scope is not None else ():
        node = bound[-1].node
        fixed = isinstance(node, ast.Call) and any(
            word.arg == "editable" and constant(reading.modules, cls.scope, word.value) is False
            for word in node.keywords
        )
        if isinstance(node, ast.Call) and not fixed:
            yield name
