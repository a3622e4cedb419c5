"""Whether Flask answers a rule with and without the slash at its end: `strict_slashes` of a rule, else of the map."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from evreview.codefacts.constants import constant
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.around_lines import conditions
from evreview.sources.flask.routes import Declared


@dataclass(frozen=True, slots=True)
class _Set:
    """One `app.url_map.strict_slashes = …`: scope, line, and its value, None where it can't be told."""

    scope: Scope
    line: int
    value: bool | None
    of: int | None


class Slashes:
    """What the supplied files set for the map; a rule takes it over when it is registered."""

    def __init__(self, modules: Modules, apps: Apps) -> None:
        self.modules, self.apps = modules, apps
        self.found: list[_Set] = []
        for scope, statement in modules.statements():
            match statement:
                case ast.Assign(targets=[ast.Attribute(value=held, attr="strict_slashes")], value=value):
                    told = constant(modules, scope, value)
                    sure = isinstance(told, bool) and not any(conditions(modules, scope, statement))
                    app = apps.holder(scope, held.value) if isinstance(held, ast.Attribute) else None
                    of = id(app.node) if app is not None else None
                    self.found.append(_Set(scope, statement.lineno, told if sure else None, of))  # type: ignore[arg-type]
                case _:
                    continue

    def either(self, one: Declared) -> bool | None:
        """True where a slash at the end makes no difference to the rule; None where that can't be told."""
        if one.strict is not None:
            return not one.strict
        if not self.found:
            return False
        last = self.found[-1]
        if last.value is None or len({each.value for each in self.found}) > 1:
            return None
        if last.value:
            return False
        places = [each.at for each in self.apps.registered.get(id(one.holder.node), [])]
        if not self.apps.is_blueprint(one.holder):
            if last.of not in (None, id(one.holder.node)):
                return False
            places = [one.at]
        if not places:
            return None
        before = [place[1] < last.line if place[0] == id(last.scope.node) else None for place in places]
        # A rule that was registered before keeps what the map said then; other places may run before or after.
        return (
            False if all(before) else None if True in before or (None in before and not self._factory(last)) else True
        )

    def _factory(self, last: _Set) -> bool:
        """True for a function that sets up an application, which runs before what is registered elsewhere."""
        return last.scope.kind == "function"
