"""What stands around a Django view: in lists of URLs, by `method_decorator`, in a `dispatch` of its own, by mixins."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import decorators, keyword, last_name, methods_of
from evreview.codefacts.constants import constant
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

Wrapper = tuple[Scope, ast.expr, ast.Call | None]
"""Where a decorator is written, its name, and its call where it has one."""
_EVERY: Final = "dispatch"
_WAYS: Final = ("View", "TemplateView", "GenericAPIView", "APIView")


def peeled(scope: Scope, view: ast.expr) -> tuple[ast.expr, tuple[Wrapper, ...]]:
    """The view of `login_required(view)` in a list of URLs, and what is put around it, outermost first."""
    found: list[Wrapper] = []
    while isinstance(view, ast.Call) and last_name(view.func) != "as_view" and len(view.args) == 1:
        made = view.func if isinstance(view.func, ast.Call) else None
        found.append((scope, made.func if made is not None else view.func, made))
        view = view.args[0]
    return view, tuple(found)


def method_decorators(modules: Modules, cls: Definition, method: str) -> Iterator[Wrapper]:
    """What `method_decorator` puts around a method: at the class, at `dispatch`, at the method itself."""
    for base in modules.ancestry(cls):
        if isinstance(base, Definition):
            for name, call in decorators(base.node):
                named = constant(modules, base.scope, keyword(call, "name", 1)) if call is not None else None
                if named in (_EVERY, method):
                    yield from _given(modules, base.scope, name, call)
    own = methods_of(modules, cls)
    for function in (own[name] for name in dict.fromkeys((_EVERY, method)) if name in own):
        for name, call in decorators(function.node):
            yield from _given(modules, function.scope, name, call)


def _given(modules: Modules, scope: Scope, name: ast.expr, call: ast.Call | None) -> Iterator[Wrapper]:
    """The decorators that `method_decorator` is given, one or several."""
    found = modules.resolve(scope, name)
    if call is None or not call.args or not isinstance(found, External) or found.last != "method_decorator":
        return
    for one in getattr(call.args[0], "elts", [call.args[0]]):
        yield (scope, one.func, one) if isinstance(one, ast.Call) else (scope, one, None)


def own_dispatch(modules: Modules, cls: Definition) -> Definition | None:
    """The supplied `dispatch` that runs before every method of a view."""
    return methods_of(modules, cls).get(_EVERY)


def runs(modules: Modules, cls: Definition, mixin: str) -> bool:
    """False for a mixin that stands behind the view's own base: its `dispatch` never runs."""
    for base in modules.ancestry(cls):
        if isinstance(base, External) and base.last == mixin:
            return True
        if isinstance(base, External) and base.package == "django" and base.last in _WAYS:
            return False
    return True
