"""Where Tornado code gives paths to handler classes: lists of tuples, `URLSpec` and `url`, in an application or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.calls import keyword, value_at
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import CodeParameter, Spot, UnsupportedCode
from evreview.codefacts.modules import Scope, arguments, last_name
from evreview.codefacts.names import Definition, External, Modules

PACKAGE: Final = ("tornado",)
_SPECS: Final = ("URLSpec", "url", "Rule")
_GROWING: Final = ("append", "extend", "insert")
_SUPPLY: Final = "Supply the file that defines it."
_NESTED: Final = 8
_SPECIAL: Final = frozenset("[]{}|*+.?")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule: its pattern as written, the handler class, its lines, and whether an application has it."""

    pattern: str
    cls: Definition
    spot: Spot
    added: bool


class Rules:
    """Every rule of the supplied files, and what could not be read."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.unread: list[UnsupportedCode] = []
        self.found: dict[int, Rule] = {}
        self.uses = any("tornado" in module.source.text for module in modules.all)
        if self.uses:
            for scope, call in self._calls():
                self._of_application(scope, call)
            for scope, statement in modules.statements():
                self._left(scope, statement)

    def _calls(self) -> Iterator[tuple[Scope, ast.Call]]:
        for scope, statement in self.modules.statements():
            for part in _own(statement):
                for node in ast.walk(part):
                    if isinstance(node, ast.Call):
                        yield scope, node

    def _of_application(self, scope: Scope, call: ast.Call) -> None:
        """`Application([…])`, `super().__init__([…])` of a subclass, `app.add_handlers(host, […])`."""
        made, place = self.modules.called(scope, call), 0
        if not self.modules.is_a(made, PACKAGE, "Application"):
            name = last_name(call.func)
            if name == "add_handlers":
                place = 1
            elif name != "__init__" or not self._in_application(scope):
                return
        given = keyword(call, "host_handlers" if place else "handlers", place)
        if given is None:
            if any(isinstance(one, ast.Starred) for one in call.args):
                self.unread.append(UnsupportedCode(scope.spot(call), "routes that a call is given as `*`", _SUPPLY))
            return
        self._listed(Frame(scope), given, _NESTED)

    def _in_application(self, scope: Scope) -> bool:
        """True in a method of a class of applications."""
        at = scope.owner
        if at is None or not isinstance(at.node, ast.ClassDef) or at.parent is None:
            return False
        return self.modules.is_a(Definition(at.node, at.parent, at.node.name, at.node), PACKAGE, "Application")

    def _listed(self, frame: Frame, given: ast.expr, hops: int) -> None:
        inner, at = value_at(self.modules, frame, _first(frame.scope, given))
        match at:
            case ast.List() | ast.Tuple() if hops:
                for one in at.elts:
                    if isinstance(one, ast.Starred):
                        self._listed(inner, one.value, hops - 1)
                    elif not self._rule(inner.scope, one, True):
                        self.unread.append(UnsupportedCode(inner.scope.spot(one), "a route of a form that is not read"))
            case ast.BinOp(left=left, op=ast.Add(), right=right) if hops:
                self._listed(inner, left, hops - 1)
                self._listed(inner, right, hops - 1)
            case ast.Constant(value=None):
                pass
            case _:
                text = ast.unparse(given)[:100]
                self.unread.append(UnsupportedCode(frame.scope.spot(given), f"the routes of `{text}`", _SUPPLY))
        if isinstance(given, ast.Name):
            self._grown(inner.scope, given.id, hops)

    def _grown(self, scope: Scope, name: str, hops: int) -> None:
        """What is added to a list after it was made: `name.extend(…)`, `name += […]`."""
        for at, statement in self.modules.statements():
            if at.module is not scope.module or not hops:
                continue
            match statement:
                case ast.AugAssign(target=ast.Name(id=own), value=value) if own == name:
                    self._listed(Frame(at), value, hops - 1)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr=attr), args=args)):
                    if own == name and attr in _GROWING and args:
                        more = ast.List(elts=[args[-1]], ctx=ast.Load()) if attr != "extend" else args[-1]
                        self._listed(Frame(at), ast.copy_location(more, args[-1]), hops - 1)

    def _left(self, scope: Scope, statement: ast.stmt) -> None:
        """Lists of rules that no application that is read was given: they are routes all the same."""
        for part in _own(statement):
            for node in ast.walk(part):
                for one in node.elts if isinstance(node, ast.List) else ():
                    if isinstance(one, ast.Tuple | ast.Call):
                        self._rule(scope, one, False)

    def _rule(self, scope: Scope, one: ast.expr, added: bool) -> bool:
        """Keeps a rule; False for what is none or can't be read."""
        if id(one) in self.found:
            return True
        match one:
            case ast.Tuple(elts=[path, handler, *_]):
                return self._kept(scope, one, (path, handler), added)
            case ast.Call() if self._is_spec(scope, one):
                return self._kept(scope, one, (keyword(one, "pattern", 0), keyword(one, "handler", 1)), added)
        return False

    def _kept(self, scope: Scope, one: ast.expr, given: tuple[ast.expr | None, ast.expr | None], added: bool) -> bool:
        path, handler = given
        text = constant(self.modules, scope, path)
        cls = self._handler(scope, handler)
        if isinstance(cls, External) and cls.package == "tornado":
            return True  # StaticFileHandler, RedirectHandler and the like: no code of the service answers
        if not isinstance(text, str) or not isinstance(cls, Definition) or not isinstance(cls.node, ast.ClassDef):
            return False
        if not added and not self.modules.is_a(cls, PACKAGE, "RequestHandler"):
            return False
        self.found[id(one)] = Rule(text, cls, scope.spot(one), added)
        return True

    def _is_spec(self, scope: Scope, call: ast.Call) -> bool:
        made = self.modules.called(scope, call)
        return isinstance(made, External) and made.of(PACKAGE, *_SPECS)

    def _handler(self, scope: Scope, handler: ast.expr | None) -> object:
        """The class, which a dotted text may name as well."""
        named = constant(self.modules, scope, handler)
        if isinstance(named, str) and "." in named:
            module, _, last = named.rpartition(".")
            return self.modules.find(module, last)
        return self.modules.resolve(scope, handler)


def _first(scope: Scope, given: ast.expr) -> ast.expr:
    """The list that a name is made with and that later statements only add to; else the expression."""
    at: Scope | None = scope
    while isinstance(given, ast.Name) and at is not None:
        bound = at.names.get(given.id, [])
        if len(bound) > 1 and isinstance(bound[0].node, ast.List):
            added = all(isinstance(one.statement, ast.AugAssign) for one in bound[1:])
            return bound[0].node if added else given
        at = None if bound else at.parent
    return given


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself; the statements below it stand for themselves."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.withitem):
            yield child.context_expr
        elif isinstance(child, ast.expr) and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child


# Patterns


@dataclass(frozen=True, slots=True)
class Path:
    """A pattern as a path: None where it is no plain text with groups; `either` with an optional slash at its end."""

    text: str | None
    parameters: tuple[CodeParameter, ...]
    either: bool


def read_pattern(pattern: str, function: Definition, spot: Spot) -> Path:
    """A rule's pattern with the names of its groups, or of the handler's arguments in their order."""
    text = pattern.removeprefix("^").removesuffix("$")
    text = text.removesuffix(r"\Z")
    either = text.endswith("/?")
    text = text[:-2] if either else text
    node = function.node
    names = [one.arg for one in arguments(node)][1:] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    parameters: list[CodeParameter] = []
    made, at = "", 0
    while at < len(text):
        sign = text[at]
        if sign == "(":
            end = _closing(text, at)
            name, inner = _group(text[at + 1 : end], names, len(parameters))
            if not end or not name:
                return Path(None, (), either)
            parameters.append(_parameter(name, inner, spot))
            made, at = f"{made}{{{name}}}", end + 1
        elif sign == "\\" and at + 1 < len(text) and not text[at + 1].isalnum():
            made, at = made + text[at + 1], at + 2
        elif sign == "\\" or (sign in _SPECIAL and sign != "."):
            return Path(None, (), either)
        else:
            made, at = made + sign, at + 1
    return Path(made or "/", tuple(parameters), either)


def _closing(text: str, start: int) -> int:
    """Where the group that starts there ends, 0 without an end."""
    depth, at, inside = 0, start, False
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif inside:
            inside = sign != "]"
        elif sign == "[":
            inside = True
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            if not depth:
                return at
        at += 1
    return 0


def _group(text: str, names: Sequence[str], place: int) -> tuple[str, str]:
    """Name and pattern of a group, "" for one that is none."""
    if text.startswith("?P<"):
        name, _, inner = text[3:].partition(">")
        return name, inner
    if text.startswith("?"):
        return "", ""
    return (names[place] if place < len(names) else f"arg{place + 1}"), text


def _parameter(name: str, pattern: str, spot: Spot) -> CodeParameter:
    schema = {"type": "string", "pattern": f"^(?:{pattern})$"}
    return CodeParameter(name=name, location="path", spot=spot, required=True, schema=dict(schema), exact=True)
