"""Flask applications and blueprints, and under which prefixes the supplied files register them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.calls import (
    Wrap,
    arguments_given,
    decorators,
    handed_about,
    is_function,
    keyword,
    methods_of,
    unread_way,
    unwrapped,
)
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.control_flow import conditions
from evreview.codefacts.model import CodeParameter, Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, last_name
from evreview.codefacts.names import Definition, Modules, Resolved
from evreview.core.vocabulary import ABSENT, Form, Json

# Werkzeug's path rules: converters as schemas.


KNOWN: Final = frozenset({"any", "default", "float", "int", "path", "string", "uuid"})
"""The converters that Werkzeug brings."""
_PART: Final = re.compile(r"<(?:(?P<converter>[A-Za-z_]\w*)(?:\((?P<arguments>[^<>]*?)\))?:)?(?P<name>[A-Za-z_]\w*)>")


def read_path(rule: str, spot: Spot) -> tuple[str, tuple[CodeParameter, ...]]:
    """The path with `{name}`, and its parameters."""
    found = tuple(_parameter(match, spot) for match in _PART.finditer(rule))
    return _PART.sub(lambda match: f"{{{match['name']}}}", rule), found


def converters_of(rule: str) -> tuple[str, ...]:
    """The names of the converters that a rule asks for."""
    return tuple(match["converter"] for match in _PART.finditer(rule) if match["converter"])


def joined(prefix: str, rule: str) -> str:
    """A rule below a prefix, as Flask joins them."""
    if not prefix:
        return rule if rule.startswith("/") else f"/{rule}"
    if not rule:
        return prefix
    return f"{prefix.rstrip('/')}/{rule.lstrip('/')}"


def _parameter(match: re.Match[str], spot: Spot) -> CodeParameter:
    schema, exact = _schema(match["converter"] or "string", match["arguments"] or "")
    return CodeParameter(name=match["name"], location="path", spot=spot, required=True, schema=schema, exact=exact)


def _schema(converter: str, written: str) -> tuple[Json, bool]:
    words, values = _arguments(written)
    match converter:
        case "int" | "float":
            least = words.get("min", None if words.get("signed") is True else 0)
            bounds = {"minimum": least, "maximum": words.get("max")}
            kind = "integer" if converter == "int" else "number"
            return {"type": kind} | {name: value for name, value in bounds.items() if isinstance(value, int)}, True
        case "uuid":
            return {"type": "string", "format": "uuid"}, True
        case "any":
            texts: list[Json] = [value for value in values if isinstance(value, str)]
            return {"enum": texts}, len(texts) == len(values)
        case "string":
            length = whole(words.get("length"))
            sizes = {
                "minLength": whole(words.get("minlength")) or length,
                "maxLength": whole(words.get("maxlength")) or length,
            }
            return {"type": "string"} | {name: value for name, value in sizes.items() if value is not None}, True
        case "path":
            return {"type": "string"}, True
    return {}, False


def _arguments(written: str) -> tuple[dict[str, Form], list[Form]]:
    """The arguments of a converter; bare words of `any(a, b)` are texts."""
    try:
        call = ast.parse(f"f({written})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}, [None]
    if not isinstance(call, ast.Call):
        return {}, [None]
    words = {word.arg: word.value.value for word in call.keywords if word.arg and isinstance(word.value, ast.Constant)}
    values = [one.id if isinstance(one, ast.Name) else getattr(one, "value", None) for one in call.args]
    return words, values  # type: ignore[return-value]


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
        self.unread: list[UnsupportedCode] = []
        self.mounted: dict[int, list[Form]] = {}
        for scope, statement in modules.statements():
            for call in _calls(statement):
                if isinstance(call.func, ast.Attribute) and call.func.attr == "register_blueprint":
                    self._register(scope, call)
                elif (name := last_name(call.func)) == "DispatcherMiddleware" or name == "PathInfoDispatcher":
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
        value = next(self.modules.returned(scope), None)
        return self._holder(scope, value, hops - 1) if scope is not None and value is not None else None

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
        own = constant(self.modules, holder.scope, given) if given is not None else ABSENT
        if not isinstance(own, str) or own is ABSENT or len(sites) != 1 or sites[0].named:
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
            return None if ABSENT in mounts else [one.rstrip("/") for one in mounts if isinstance(one, str)]
        own = self._own_prefix(holder)
        found: list[str] = []
        for one in self.registered.get(id(holder.node), []):
            prefix = own if one.prefix is None else one.prefix
            outer = self._outer(one, level)
            if not isinstance(prefix, str) or prefix is ABSENT or outer is None:
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
        return prefix if isinstance(prefix, str) and prefix is not ABSENT else ""

    def _own_prefix(self, holder: Definition) -> Form:
        node = holder.node
        given = keyword(node, "url_prefix") if isinstance(node, ast.Call) else None
        return "" if given is None else constant(self.modules, holder.scope, given) or ""

    def _register(self, scope: Scope, call: ast.Call) -> None:
        blueprint = self.modules.resolve(scope, keyword(call, "blueprint", 0))
        if not isinstance(blueprint, Definition):
            text = ast.unparse(call)[:120]
            advice = "Supply the file that defines the blueprint."
            self.unread.append(
                UnsupportedCode(
                    scope.spot(call), f"the blueprint of `{text}`", advice, composed=True, part=UnreadPart.BLUEPRINT
                )
            )
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
                prefix = constant(self.modules, at, key) if key is not None else ABSENT
                self.mounted.setdefault(id(holder.node), []).append(prefix)
        if not isinstance(node, ast.Dict):
            text = f"the applications that `{ast.unparse(call)[:100]}` mounts"
            self.unread.append(UnsupportedCode(scope.spot(call), text, composed=True))


def _calls(statement: ast.stmt) -> list[ast.Call]:
    value = getattr(statement, "value", None)
    return [value] if isinstance(value, ast.Call) else []


# Where Flask code declares routes: decorators, `add_url_rule`, MethodViews and resources.


VERBS: Final = ("get", "post", "put", "delete", "patch")
OWN: Final = ("route", *VERBS, "endpoint")
"""Last names of the decorators that declare a route."""


@dataclass(frozen=True, slots=True, eq=False)
class FlaskOperation:
    """One rule with the function that answers one method, and the class that it is a method of.

    `shared` says that the function answers other methods too, `strict` what the rule itself says of slashes at its end;
    `at` is the scope and the line that register it; `wraps` is what is called on the function there, outermost first.
    """

    holder: Definition
    rule: str
    method: str
    function: Definition
    cls: Definition | None = None
    shared: bool = False
    endpoint: str | None = None
    strict: bool | None = None
    at: tuple[int, int] = (0, 0)
    wraps: tuple[Wrap, ...] = ()


def declared(modules: Modules, apps: Apps, unread: list[UnsupportedCode]) -> Iterator[FlaskOperation]:
    """Every rule, once per method; rules whose text or methods are not constant go to `unread`."""
    finder = _Finder(modules, apps, unread)
    for scope, statement in modules.statements():
        for way in handed_about(statement, ("route", *VERBS)):
            if apps.holder(scope, way.value) is not None:
                unread.append(unread_way(scope, statement, way))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from finder.decorated(scope, statement)
        elif isinstance(statement, ast.Expr | ast.Assign) and isinstance(statement.value, ast.Call):
            yield from finder.added(scope, statement.value)
            yield from finder.applied(scope, statement.value)


class _Finder:
    def __init__(self, modules: Modules, apps: Apps, unread: list[UnsupportedCode]) -> None:
        self.modules = modules
        self.apps = apps
        self.unread = unread

    def decorated(
        self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> Iterator[FlaskOperation]:
        target = Definition(node, scope, node.name, node)
        for name, call in decorators(node):
            if not isinstance(name, ast.Attribute) or name.attr not in ("route", *VERBS) or call is None:
                continue
            holder = self.apps.holder(scope, name.value)
            if holder is None:
                continue
            rule = self._rule(scope, call, keyword(call, "rule", 0))
            methods: tuple[str, ...] = ("GET",) if name.attr == "route" else (name.attr.upper(),)
            if name.attr == "route":
                methods = self._methods(scope, call, keyword(call, "methods"), methods)
            if rule is not None:
                found = self._answers(holder, rule, methods, target)
                yield from (self._told(scope, call, one, node.name) for one in found)

    def _told(self, scope: Scope, call: ast.Call, one: FlaskOperation, name: str | None) -> FlaskOperation:
        given = keyword(call, "endpoint")
        stated = constant(self.modules, scope, given) if given is not None else name
        strict = keyword(call, "strict_slashes")
        slash = constant(self.modules, scope, strict) if strict is not None else None
        return replace(
            one,
            endpoint=stated if isinstance(stated, str) and stated is not ABSENT else None,
            strict=slash if isinstance(slash, bool) else None,
            at=(id(scope.node), call.lineno),
        )

    def added(self, scope: Scope, call: ast.Call) -> Iterator[FlaskOperation]:
        """`app.add_url_rule(rule, view_func=f)` and `api.add_resource(Resource, "/a", "/b")`."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in ("add_url_rule", "add_resource") or not isinstance(call.func, ast.Attribute):
            return
        holder = self.apps.holder(scope, call.func.value)
        if holder is None:
            return
        given = [keyword(call, "rule", 0)] if name == "add_url_rule" else call.args[1:]
        view = keyword(call, "view_func", 2) if name == "add_url_rule" else keyword(call, "resource", 0)
        target, wraps = self._wrapped(scope, view)
        if target is None:
            text = ast.unparse(view)[:80] if view is not None else "none"
            self.unread.append(
                UnsupportedCode(scope.spot(call), f"the view `{text}`", "Supply the file that defines it.")
            )
            return
        methods = self._methods(scope, call, keyword(call, "methods"), ("GET",))
        for one in given:
            rule = self._rule(scope, call, one)
            if rule is not None:
                named = self._endpoint(scope, view)
                stated = keyword(call, "endpoint", 1) if name == "add_url_rule" else None
                value = constant(self.modules, scope, stated) if stated is not None else ABSENT
                endpoint = value if isinstance(value, str) and value is not ABSENT else named
                answers = self._answers(holder, rule, methods, target)
                yield from (replace(self._told(scope, call, each, endpoint), wraps=wraps) for each in answers)

    def applied(self, scope: Scope, call: ast.Call) -> Iterator[FlaskOperation]:
        """`app.route("/a")(view)`: a decorator that registers, called by hand."""
        made = call.func
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or len(call.args) != 1:
            return
        holder = self.apps.holder(scope, made.func.value) if made.func.attr in ("route", *VERBS) else None
        if holder is None:
            return
        target, wraps = self._wrapped(scope, call.args[0])
        if target is None:
            text = ast.unparse(call.args[0])[:80]
            self.unread.append(
                UnsupportedCode(scope.spot(call), f"the view `{text}`", "Supply the file that defines it.")
            )
            return
        rule, plain = self._rule(scope, made, keyword(made, "rule", 0)), (made.func.attr.upper(),)
        methods = self._methods(scope, made, keyword(made, "methods"), ("GET",)) if plain == ("ROUTE",) else plain
        if rule is not None:
            named = self._endpoint(scope, call.args[0])
            answers = self._answers(holder, rule, methods, target)
            yield from (replace(self._told(scope, made, each, named), wraps=wraps) for each in answers)

    def _wrapped(self, scope: Scope, view: ast.expr | None) -> tuple[Definition | None, tuple[Wrap, ...]]:
        """The view below the decorators that are called on it where it is registered, and these."""
        return unwrapped(self.modules, (scope, view), self._view)

    def _endpoint(self, scope: Scope, view: ast.expr | None) -> str | None:
        """The endpoint that a view gives its rule: the function's name, or what `as_view` is given."""
        found = self.modules.resolve(scope, view)
        if isinstance(found, Definition) and is_function(found):
            return found.name
        call = found.node if isinstance(found, Definition) else view
        given = keyword(call, "name", 0) if isinstance(call, ast.Call) else None
        value = constant(self.modules, scope, given) if given is not None else ABSENT
        return value if isinstance(value, str) and value is not ABSENT else None

    def _view(self, scope: Scope, view: ast.expr | None) -> Definition | None:
        """The function or class of a view; `Orders.as_view("orders")` is the class."""
        inner = view
        if isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr == "as_view":
            inner = view.func.value
        found = self.modules.resolve(scope, inner)
        if isinstance(found, Definition) and isinstance(found.node, ast.Call):
            return self._view(found.scope, found.node)
        known = isinstance(found, Definition) and (is_function(found) or isinstance(found.node, ast.ClassDef))
        return found if known and isinstance(found, Definition) else None

    def _answers(
        self, holder: Definition, rule: str, methods: tuple[str, ...], target: Definition
    ) -> Iterator[FlaskOperation]:
        if not isinstance(target.node, ast.ClassDef):
            yield from (FlaskOperation(holder, rule, method, target, shared=len(methods) > 1) for method in methods)
            return
        own = methods_of(self.modules, target)
        for verb in VERBS:
            if verb in own:
                yield FlaskOperation(holder, rule, verb.upper(), own[verb], target)
        if "dispatch_request" in own and not any(verb in own for verb in VERBS):
            yield from (FlaskOperation(holder, rule, method, own["dispatch_request"], target) for method in methods)

    def _rule(self, scope: Scope, call: ast.Call, given: ast.expr | None) -> str | None:
        value = constant(self.modules, scope, given)
        if isinstance(value, str) and value is not ABSENT:
            return value
        self.unread.append(UnsupportedCode(scope.spot(call), "a rule whose path is not constant", composed=True))
        return None

    def _methods(self, scope: Scope, call: ast.Call, given: ast.expr | None, plain: tuple[str, ...]) -> tuple[str, ...]:
        if given is None:
            return plain
        found = texts(self.modules, scope, given)
        if found is None:
            self.unread.append(
                UnsupportedCode(scope.spot(call), "a rule whose methods are not constant", composed=True)
            )
            return ()
        return tuple(dict.fromkeys(one.upper() for one in found if one.upper() not in ("HEAD", "OPTIONS")))


# Whether Flask answers a rule with and without the slash at its end: `strict_slashes` of a rule, else of the map.


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

    def either(self, one: FlaskOperation) -> bool | None:
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
