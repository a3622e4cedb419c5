"""Flask applications and blueprints, and under which prefixes the supplied files register them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.sources.calls import keyword
from evreview.sources.constants import constant
from evreview.sources.flask.paths import joined
from evreview.sources.model import UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition
from evreview.vocab import MISSING, Form

PACKAGES: Final = ("flask", "flask_smorest", "flask_openapi3", "apiflask")
MAX_NESTED: Final = 10


@dataclass(frozen=True, slots=True)
class Registered:
    """One registration: below which blueprint (None for the app), and the prefix that it sets, None for none."""

    parent: int | None
    prefix: Form


class Apps:
    """Every registration of the supplied files."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.registered: dict[int, list[Registered]] = {}
        self._by_id: dict[int, Definition] = {}
        self.unread: list[UnreadCode] = []
        for scope, statement in modules.statements():
            for call in _calls(statement):
                if isinstance(call.func, ast.Attribute) and call.func.attr == "register_blueprint":
                    self._register(scope, call)

    def holder(self, scope: Scope, expression: ast.expr) -> Definition | None:
        """The app, blueprint or API that an expression is, None when it is none of Flask's."""
        found = self.modules.resolve(scope, expression)
        if not isinstance(found, Definition):
            return None
        cls = self.modules.class_of(found)
        names = ("Flask", "Blueprint", "Api", "APIFlask", "Namespace", "APIBlueprint")
        return found if self.modules.is_a(cls, (*PACKAGES, "flask_restful"), *names) else None

    def is_blueprint(self, holder: Definition) -> bool:
        """True for a blueprint."""
        return self.modules.is_a(self.modules.class_of(holder), PACKAGES, "Blueprint", "APIBlueprint")

    def prefixes(self, holder: Definition, level: int = 0) -> list[str] | None:
        """Where its rules stand: "" for an app; [] when it is registered nowhere; None when a prefix is not told."""
        if not self.is_blueprint(holder):
            return [""]
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
            return [""]
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
            self.unread.append(UnreadCode(scope.spot(call), f"the blueprint of `{text}`", advice))
            return
        assert isinstance(call.func, ast.Attribute)
        holder = self.holder(scope, call.func.value)
        parent = id(holder.node) if holder is not None and self.is_blueprint(holder) else None
        if holder is not None:
            self._by_id[id(holder.node)] = holder
        given = keyword(call, "url_prefix")
        prefix = None if given is None else constant(self.modules, scope, given)
        self.registered.setdefault(id(blueprint.node), []).append(Registered(parent, prefix))


def _calls(statement: ast.stmt) -> list[ast.Call]:
    value = getattr(statement, "value", None)
    return [value] if isinstance(value, ast.Call) else []
