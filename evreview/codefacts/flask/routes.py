"""Flask applications and blueprints, and under which prefixes the supplied files register them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import is_function, keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Form
from evreview.sources.around_lines import conditions
from evreview.sources.call_sites import arguments_given
from evreview.sources.flask.paths import joined
from evreview.sources.resolved import Definition, Resolved

PACKAGES: Final = ("flask", "flask_smorest", "flask_openapi3", "apiflask")
MAX_NESTED: Final = 10


@dataclass(frozen=True, slots=True)
class Registered:
    """One registration: below which blueprint (None for the app), and the prefix that it sets, None for none.

    `named` says that it gives the blueprint another name, `at` in which scope and line it stands, `sure` whether no
    condition decides about it.
    """

    parent: int | None
    prefix: Form
    named: bool = False
    at: tuple[int, int] = (0, 0)
    sure: bool = True
    app: int | None = None


class Apps:
    """Every registration of the supplied files."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.registered: dict[int, list[Registered]] = {}
        self._by_id: dict[int, Definition] = {}
        self._given: dict[tuple[int, int], Definition | None] = {}
        self.unread: list[UnreadCode] = []
        self.mounted: dict[int, list[Form]] = {}
        for scope, statement in modules.statements():
            for call in _calls(statement):
                if isinstance(call.func, ast.Attribute) and call.func.attr == "register_blueprint":
                    self._register(scope, call)
                elif (name := _last(call.func)) == "DispatcherMiddleware" or name == "PathInfoDispatcher":
                    self._mount(scope, call)

    def holder(self, scope: Scope, expression: ast.expr) -> Definition | None:
        """The app, blueprint or API that an expression is, None when it is none of Flask's."""
        return self._holder(scope, expression, MAX_NESTED)

    def _holder(self, scope: Scope, expression: ast.expr, hops: int) -> Definition | None:
        found = self.modules.resolve(scope, expression)
        if not isinstance(found, Definition) or hops <= 0:
            return None
        cls = self.modules.class_of(found)
        names = ("Flask", "Blueprint", "Api", "APIFlask", "Namespace", "APIBlueprint")
        if isinstance(found.node, ast.Call) and self.modules.is_a(cls, (*PACKAGES, "flask_restful"), *names):
            made = self.modules.called(found.scope, found.node)
            return self._made(made, hops) or found if isinstance(made, Definition) else found
        if isinstance(found.node, ast.Call):
            return self._made(self.modules.called(found.scope, found.node), hops)
        if isinstance(found.node, ast.arg):  # what calls give for it, when that is one
            if (id(found.node), hops) not in self._given:
                self._given[id(found.node), hops] = self._only_given(found, hops)
            return self._given[id(found.node), hops]
        return found if self.modules.is_a(cls, (*PACKAGES, "flask_restful"), *names) else None

    def _only_given(self, parameter: Definition, hops: int) -> Definition | None:
        """The one app, blueprint or API that every call gives for a parameter."""
        given = [self._holder(at, one, hops - 1) for at, one in arguments_given(self.modules, parameter)]
        same = {id(one.node): one for one in given if one is not None}
        return next(iter(same.values())) if len(same) == 1 and None not in given else None

    def _made(self, function: Resolved, hops: int) -> Definition | None:
        """What a supplied factory returns."""
        scope = self.modules.body(function) if isinstance(function, Definition) and is_function(function) else None
        for at, statement in self.modules.statements(scope) if scope is not None else ():
            if isinstance(statement, ast.Return) and statement.value is not None and at is scope:
                return self._holder(at, statement.value, hops - 1)
        return None

    def may_be(self, scope: Scope, expression: ast.expr) -> bool:
        """True for what may be an application that can't be told: an argument, or nothing that a file defines."""
        found = self.modules.resolve(scope, expression)
        return found is None or (isinstance(found, Definition) and isinstance(found.node, ast.arg))

    def around(self, holder: Definition) -> frozenset[int]:
        """The holder and the blueprints that it is nested in."""
        found: set[int] = set()
        waiting = [id(holder.node)]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += [one.parent for one in self.registered.get(at, []) if one.parent is not None]
        return frozenset(found)

    def surely_there(self, holder: Definition) -> bool:
        """False where a condition decides whether its rules, or those around it, are registered."""
        around = (each for at in self.around(holder) for each in self.registered.get(at, []))
        return all(each.sure for each in around)

    def name(self, holder: Definition) -> str | None:
        """The name of a blueprint as endpoints have it, "" for an application, None where it can't be told."""
        if not self.is_blueprint(holder):
            return ""
        sites = self.registered.get(id(holder.node), [])
        node = holder.node
        given = keyword(node, "name", 0) if isinstance(node, ast.Call) else None
        own = constant(self.modules, holder.scope, given) if given is not None else MISSING
        if not isinstance(own, str) or own is MISSING or len(sites) != 1 or sites[0].named:
            return None
        above = self._by_id.get(sites[0].parent) if sites[0].parent is not None else None
        outer = self.name(above) if above is not None else ""
        return None if outer is None else f"{outer}.{own}" if outer else own

    def endpoint(self, holder: Definition, own: str | None) -> str | None:
        """The endpoint of a rule, with the name of its blueprint."""
        name = self.name(holder)
        return None if name is None or own is None else f"{name}.{own}" if name else own

    def is_blueprint(self, holder: Definition) -> bool:
        """True for a blueprint."""
        return self.modules.is_a(self.modules.class_of(holder), PACKAGES, "Blueprint", "APIBlueprint")

    def prefixes(self, holder: Definition, level: int = 0) -> list[str] | None:
        """Where its rules stand: "" for an app; [] when it is registered nowhere; None when a prefix is not told."""
        if not self.is_blueprint(holder):
            mounts = self.mounted.get(id(holder.node), [""])
            return None if MISSING in mounts else [one.rstrip("/") for one in mounts if isinstance(one, str)]
        own = self._own_prefix(holder)
        found: list[str] = []
        for one in self.registered.get(id(holder.node), []):
            prefix = own if one.prefix is None else one.prefix
            outer = self._outer(one, level)
            if not isinstance(prefix, str) or prefix is MISSING or outer is None:
                return None
            found.extend(joined(above, prefix) if above and prefix else above or prefix for above in outer)
        return found

    def _outer(self, one: Registered, level: int) -> list[str] | None:
        if one.parent is None:
            app = self._by_id.get(one.app) if one.app is not None else None
            return [""] if app is None else self.prefixes(app, level + 1)
        holder = self._by_id.get(one.parent)
        return self.prefixes(holder, level + 1) if holder is not None and level < MAX_NESTED else None

    def own(self, holder: Definition) -> str:
        """The prefix that the blueprint itself states, "" without one."""
        prefix = self._own_prefix(holder)
        return prefix if isinstance(prefix, str) and prefix is not MISSING else ""

    def _own_prefix(self, holder: Definition) -> Form:
        node = holder.node
        given = keyword(node, "url_prefix") if isinstance(node, ast.Call) else None
        return "" if given is None else constant(self.modules, holder.scope, given) or ""

    def _register(self, scope: Scope, call: ast.Call) -> None:
        blueprint = self.modules.resolve(scope, keyword(call, "blueprint", 0))
        if not isinstance(blueprint, Definition):
            text = ast.unparse(call)[:120]
            advice = "Supply the file that defines the blueprint."
            self.unread.append(UnreadCode(scope.spot(call), f"the blueprint of `{text}`", advice, composed=True))
            return
        assert isinstance(call.func, ast.Attribute)
        holder = self.holder(scope, call.func.value)
        parent = id(holder.node) if holder is not None and self.is_blueprint(holder) else None
        if holder is not None:
            self._by_id[id(holder.node)] = holder
        given = keyword(call, "url_prefix")
        prefix = None if given is None else constant(self.modules, scope, given)
        sure = not any(True for _ in conditions(self.modules, scope, call))
        at = (id(scope.node), call.lineno)
        self.registered.setdefault(id(blueprint.node), []).append(
            Registered(
                parent,
                prefix,
                keyword(call, "name") is not None,
                at,
                sure,
                id(holder.node) if holder is not None and parent is None else None,
            )
        )

    def _mount(self, scope: Scope, call: ast.Call) -> None:
        """`DispatcherMiddleware(root, {"/v1": app})`: the applications stand below these prefixes."""
        given = keyword(call, "mounts", 1)
        found = self.modules.resolve(scope, given)
        at, node = (found.scope, found.node) if isinstance(found, Definition) else (scope, given)
        pairs = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
        for key, value in pairs:
            inner = value.value if isinstance(value, ast.Attribute) and value.attr == "wsgi_app" else value
            holder = self.holder(at, inner)
            if holder is not None:
                prefix = constant(self.modules, at, key) if key is not None else MISSING
                self.mounted.setdefault(id(holder.node), []).append(prefix)
        if not isinstance(node, ast.Dict):
            text = f"the applications that `{ast.unparse(call)[:100]}` mounts"
            self.unread.append(UnreadCode(scope.spot(call), text, composed=True))


def _last(name: ast.expr) -> str:
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def _calls(statement: ast.stmt) -> list[ast.Call]:
    value = getattr(statement, "value", None)
    return [value] if isinstance(value, ast.Call) else []
