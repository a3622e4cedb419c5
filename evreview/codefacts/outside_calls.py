"""What a call that no supplied definition answers is made on: plain data, a library's object, or what is set later."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Scope, defaults
from evreview.codefacts.names import Modules
from evreview.sources.call_sites import arguments_given
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External, Imported, unwrapped

Sort = Literal["data", "library", "later"]
_HOPS: Final = 12
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_HOLDERS: Final = frozenset(
    {"flask.Flask", "flask.Blueprint", "flask.current_app", "flask.g", "fastapi.FastAPI", "fastapi.APIRouter",
     "starlette.applications.Starlette", "aiohttp.web.Application"}
)  # fmt: skip
"""Objects of frameworks on which services keep their own."""
_OWN: Final = frozenset(
    {"logger", "config", "json", "jinja_env", "make_response", "response_class", "url_for", "redirect", "aborter",
     "open_resource", "open_instance_resource", "send_static_file", "get_send_file_max_age", "ensure_sync", "name",
     "app_context", "test_request_context", "debug", "testing", "root_path", "static_folder", "instance_path",
     "import_name", "url_map", "url_prefix", "url_path_for", "openapi", "router", "routes", "get", "pop", "setdefault",
     "secret_key", "permanent_session_lifetime", "session_interface", "version", "title", "loop", "on_event"}
)  # fmt: skip
"""What these objects have of their own, which answers nothing."""
_KEEPING: Final = frozenset({"state", "extensions", "config_dict"})
"""Attributes under which frameworks keep what a service sets."""
_QUIET_BUILTINS: Final = frozenset({"getattr", "next", "iter", "reversed", "sorted", "list", "tuple", "enumerate"})
"""Builtins that give back what they are given."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """What a call is made on; `package` is that of a library's object."""

    sort: Sort
    package: str = ""


DATA: Final = Receiver("data")
LATER: Final = Receiver("later")


def set_later(name: str) -> bool:
    """True for a dotted name below a framework's object that the framework itself does not have."""
    for holder in _HOLDERS:
        if name.startswith(f"{holder}."):
            first = name.removeprefix(f"{holder}.").partition(".")[0]
            return first not in _OWN
    parts = name.split(".")
    return parts[0] in ("flask", "fastapi", "starlette", "aiohttp", "django") and bool(_KEEPING & set(parts[2:-1]))


class Receivers:
    """Tells receivers of calls, following names, attributes, arguments and what functions return."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def of(self, frame: Frame, node: ast.expr, hops: int = _HOPS) -> Receiver:
        """What an expression is, `LATER` where the supplied files do not tell."""
        if hops <= 0:
            return DATA
        plain = not frame.given and frame.depth == 0  # what gives nothing is the same frame wherever it is made
        key = f"receiver {id(frame.scope.node) if plain else id(frame)} {plain} {id(node)} {hops}"
        return remembered(self.modules, key, lambda: (self._of(frame, node, hops), frame, node))[0]

    def _of(self, frame: Frame, node: ast.expr, hops: int) -> Receiver:
        match node:
            case ast.Await(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self.of(frame, inner, hops - 1)
            case ast.IfExp(body=body, orelse=orelse):
                return _worst(self.of(frame, one, hops - 1) for one in (body, orelse))
            case ast.BoolOp(values=values):
                return _worst(self.of(frame, one, hops - 1) for one in values if not _is_none(one))
            case ast.Subscript(value=inner):
                return self._item(frame, inner, hops - 1)
            case ast.Call():
                return self._called(frame, node, hops - 1)
            case ast.Attribute():
                return self._attribute(frame, node, hops - 1)
            case ast.Name():
                return self._name(frame, node, hops - 1)
            case ast.Constant(value=None):
                return LATER  # nothing can be called on it: something else will stand there
            case _:
                return DATA

    def _item(self, frame: Frame, inner: ast.expr, hops: int) -> Receiver:
        if isinstance(inner, ast.Attribute) and inner.attr in ("config", "app", *_KEEPING):
            return LATER
        return self.of(frame, inner, hops)

    def _external(self, found: External) -> Receiver:
        if set_later(f"{found.name}.x"):
            return LATER
        return Receiver("library", found.package)

    def _called(self, frame: Frame, call: ast.Call, hops: int) -> Receiver:
        found = self.modules.called(frame.scope, call)
        if isinstance(found, External):
            if found.package == "builtins" and found.last in _QUIET_BUILTINS and call.args:
                return self.of(frame, call.args[0], hops)
            if found.package == "importlib" or found.name.endswith((".config.get", ".extensions.get")):
                return LATER
            return self._external(found)
        if isinstance(found, Definition) and isinstance(found.node, _FUNCTIONS):
            scope = self.modules.body(found)
            given = [
                (at, one.value)
                for at, one in (self.modules.statements(scope) if scope is not None else ())
                if isinstance(one, ast.Return) and one.value is not None and at is scope and not _is_none(one.value)
            ]
            return _worst(self.of(Frame(at), value, hops - 1) for at, value in given)
        if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
            return self._class(found)
        if found is None and isinstance(call.func, ast.Attribute):
            return self.of(frame, call.func.value, hops)
        return self.of(frame, call.func, hops) if found is None else DATA

    def _class(self, cls: Definition) -> Receiver:
        """What an instance is: of a class whose bases are all supplied, all that it does is read where it is called."""
        return _worst(self._external(base) for base in self.modules.ancestry(cls) if isinstance(base, External))

    def _attribute(self, frame: Frame, node: ast.Attribute, hops: int) -> Receiver:
        found = self.modules.resolve(frame.scope, node)
        if isinstance(found, External):
            return self._external(found)
        if isinstance(found, Definition) and found.node is not node:
            return self._definition(frame, found, hops)
        if node.attr in _KEEPING or (node.attr == "app" and _root(node) in ("request", "self")):
            return LATER
        holder = self.modules.resolve(frame.scope, node.value)
        cls = self.modules.class_of(holder)
        if isinstance(cls, Definition) and isinstance(cls.node, ast.ClassDef):
            return self._kept(cls, node.attr, hops)
        if isinstance(holder, Imported):
            return LATER  # a module's name that nothing in it binds
        return self.of(frame, node.value, hops)

    def _kept(self, cls: Definition, name: str, hops: int) -> Receiver:
        """What the methods of a class assign to `self.name`; its annotation at class level tells of data."""
        found: list[tuple[Scope, ast.expr]] = []
        for base in self.modules.ancestry(cls):
            scope = self.modules.body(base) if isinstance(base, Definition) else None
            for at, statement in self.modules.statements(scope) if scope is not None else ():
                match statement:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)], value=value):
                        found += [(at, value)] if attr == name else []
                    case ast.AnnAssign(target=ast.Name(id=attr), annotation=annotation) if attr == name and at is scope:
                        return self._annotated(at, annotation)
                    case ast.AnnAssign(target=ast.Attribute(attr=attr), annotation=annotation) if attr == name:
                        return self._annotated(at, annotation)
                    case _:
                        continue
        return _worst(self.of(Frame(at), value, hops - 1) for at, value in found) if found else LATER

    def _annotated(self, scope: Scope, annotation: ast.expr | None) -> Receiver:
        found = self.modules.resolve(scope, annotation.value if isinstance(annotation, ast.Subscript) else annotation)
        if isinstance(found, External):
            return LATER if found.last in ("Any", "Callable", "object") else self._external(found)
        return DATA if annotation is not None else LATER

    def _name(self, frame: Frame, node: ast.Name, hops: int) -> Receiver:
        found = self.modules.lookup(frame.scope, node.id)
        if isinstance(found, External):
            return self._external(found)
        if isinstance(found, Definition):
            return self._definition(frame, found, hops)
        if isinstance(found, Imported):
            return DATA
        at: Scope | None = frame.scope
        while at is not None and node.id not in at.names:
            at = at.parent
        if at is None:
            # A comprehension's own name holds data; what no file binds at all is brought in from outside.
            return DATA if _bound_within(frame.scope.node, node.id) else LATER
        if at.kind == "module" and any(isinstance(one.statement, ast.Global) for one in at.names[node.id]):
            return LATER
        return _worst(self._binding(Frame(at, frame.given), one.node, one.statement, hops) for one in at.names[node.id])

    def _binding(self, frame: Frame, node: ast.AST | None, statement: ast.AST, hops: int) -> Receiver:
        if isinstance(node, ast.expr):
            return DATA if _is_none(node) else self.of(frame, node, hops)
        match statement:
            case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.Assign(value=value):
                return self.of(frame, value, hops)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                return _worst(self.of(frame, item.context_expr, hops) for item in items)
            case ast.Import() | ast.ImportFrom():
                return LATER
            case _:
                return DATA

    def _definition(self, frame: Frame, found: Definition, hops: int) -> Receiver:
        if isinstance(found.node, ast.arg):
            return self._argument(frame, found, hops)
        return self.of(Frame(found.scope, frame.given), found.node, hops) if isinstance(found.node, ast.expr) else DATA

    def _argument(self, frame: Frame, found: Definition, hops: int) -> Receiver:
        given = frame.given.get(id(found.node))
        if given is not None:
            return self.of(given[0], given[1], hops)
        assert isinstance(found.node, ast.arg)
        cls = self.modules.class_of(found)
        if isinstance(cls, Definition):
            return DATA
        if found.node.annotation is not None:
            return self._annotated(found.scope, _plain(found.node.annotation))
        if found.scope is frame.scope and frame.depth == 0:
            return self._default(found, hops)
        sites = arguments_given(self.modules, found)
        return _worst(self.of(Frame(at), value, hops - 1) for at, value in sites) if sites else LATER

    def _default(self, found: Definition, hops: int) -> Receiver:
        """An argument that a framework gives: values of the path, or what a dependency returns."""
        node = found.scope.node
        default = defaults(node).get(found.name) if isinstance(node, _FUNCTIONS) else None
        if isinstance(default, ast.Call) and default.args:
            made = self.modules.called(found.scope, default)
            if isinstance(made, External) and made.of(("fastapi",), "Depends", "Security"):
                call = ast.copy_location(ast.Call(func=default.args[0], args=[], keywords=[]), default)
                return self._called(Frame(found.scope), call, hops)
        return DATA


def _worst(found: Iterable[Receiver]) -> Receiver:
    """The one that hides most; data where there is nothing else."""
    known = list(found)
    for sort in ("later", "library"):
        for one in known:
            if one.sort == sort and one.package != "builtins":
                return one
    return DATA


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _plain(annotation: ast.expr) -> ast.expr:
    return unwrapped(annotation) or annotation


def _bound_within(node: ast.AST, name: str) -> bool:
    return any(name in _names(inner) for inner in ast.walk(node))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.comprehension(target=target) | ast.NamedExpr(target=target):
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.Lambda(args=args):
            yield from (one.arg for one in args.args)
        case _:
            return
