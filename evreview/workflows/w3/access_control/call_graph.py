"""Which functions may run when one does: every function that its code names, and methods of objects whose class shows.

It says more than what surely runs, and places what scanners report. No finding of our own rests on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.calls import is_function, methods_of
from evreview.codefacts.modules import FunctionNode, Scope
from evreview.codefacts.names import Definition, Modules, Resolved, unwrapped

MOST: Final = 2_000
"""Functions followed from one route."""
_HOPS: Final = 6


class CallGraph:
    """The functions that each function may run, by what stands in its code."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self._edges: dict[int, tuple[Definition, ...]] = {}
        self._fields: dict[int, dict[str, list[tuple[Scope, ast.expr]]]] = {}
        self._below: dict[int, list[Definition]] = {}
        for own in modules.classes():
            for base in modules.ancestry(own):
                if isinstance(base, Definition):
                    self._below.setdefault(id(base.node), []).append(own)

    def closure(self, starts: Iterable[Definition]) -> tuple[Definition, ...]:
        """The functions that may run, those given first, each once."""
        found: dict[int, Definition] = {}
        waiting = list(starts)
        while waiting and len(found) < MOST:
            at = waiting.pop()
            if id(at.node) not in found:
                found[id(at.node)] = at
                waiting += self.edges(at)
        return tuple(found.values())

    def edges(self, function: Definition) -> tuple[Definition, ...]:
        """The functions that one may run directly."""
        key = id(function.node)
        if key not in self._edges:
            self._edges[key] = tuple({id(one.node): one for one in self._named(function)}.values())
        return self._edges[key]

    def _named(self, function: Definition) -> Iterator[Definition]:
        scope = self.modules.body(function)
        for inner, node in _expressions(self.modules, function.node, scope) if scope is not None else ():
            for found in self._meant(inner, node):
                if is_function(found):
                    yield found
                elif isinstance(found.node, ast.ClassDef):
                    yield from (one for name, one in methods_of(self.modules, found).items() if name.startswith("__"))

    def _meant(self, scope: Scope, node: ast.expr) -> Iterator[Definition]:
        found = self.modules.resolve(scope, node)
        if isinstance(found, Definition) and (is_function(found) or isinstance(found.node, ast.ClassDef)):
            yield found
        if isinstance(node, ast.Attribute):
            for cls in self.classes(scope, node.value):
                yield from self._methods(cls, node.attr)

    def _methods(self, cls: Definition, name: str) -> Iterator[Definition]:
        """The method that a class has under a name, and those by which classes below it replace it."""
        own = self.modules.member(cls, name)
        if isinstance(own, Definition) and is_function(own):
            yield own
        for below in self._below.get(id(cls.node), ()):
            method = self.modules.member(below, name)
            if isinstance(method, Definition) and is_function(method):
                yield method

    # Classes of objects

    def classes(self, scope: Scope, node: ast.AST | None, hops: int = _HOPS) -> tuple[Definition, ...]:
        """The supplied classes that an expression may be an object of, as far as that shows."""
        if node is None or hops <= 0:
            return ()
        return tuple({id(one.node): one for one in self._classes(scope, node, hops - 1)}.values())

    def _classes(self, scope: Scope, node: ast.AST, hops: int) -> Iterator[Definition]:
        match node:
            case ast.Call(func=func):
                for called in self._called(scope, func, hops):
                    yield from self._made(called, hops)
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                yield from self.classes(scope, value, hops)
            case ast.IfExp(body=body, orelse=other):
                yield from (*self.classes(scope, body, hops), *self.classes(scope, other, hops))
            case ast.BoolOp(values=values):
                yield from (one for value in values for one in self.classes(scope, value, hops))
            case ast.Name(id=name):
                yield from self._of_name(scope, name, hops)
            case ast.Attribute(value=value, attr=attr):
                for cls in self.classes(scope, value, hops):
                    yield from self._of_field(cls, attr, hops)
                yield from self._of_value(self.modules.resolve(scope, node), hops)

    def _called(self, scope: Scope, func: ast.expr, hops: int) -> Iterator[Definition]:
        found = self.modules.resolve(scope, func)
        if isinstance(found, Definition):
            yield found
        elif isinstance(func, ast.Attribute):
            for cls in self.classes(scope, func.value, hops):
                yield from self._methods(cls, func.attr)

    def _made(self, called: Definition, hops: int) -> Iterator[Definition]:
        """The classes of what a call gives: the class itself, or what a function returns."""
        if isinstance(called.node, ast.ClassDef):
            yield called
        elif isinstance(called.node, FunctionNode):
            yield from self._annotated(called.scope, called.node.returns)
            body = self.modules.body(called)
            for one in ast.walk(called.node) if body is not None else ():
                if isinstance(one, ast.Return | ast.Yield) and body is not None:
                    yield from self.classes(body, one.value, hops)

    def _of_name(self, scope: Scope, name: str, hops: int) -> Iterator[Definition]:
        at: Scope | None = scope
        while at is not None and name not in at.names:
            at = at.parent
        if at is None:
            return
        for binding in at.names[name]:
            match binding.node, binding.statement:
                case ast.arg() as argument, _:
                    yield from self._argument(at, argument, hops)
                case ast.alias(), _:
                    yield from self._of_value(self.modules.lookup(at, name), hops)
                case ast.expr() as value, ast.AnnAssign(annotation=written):
                    yield from (*self._annotated(at, written), *self.classes(at, value, hops))
                case ast.expr() as value, _:
                    yield from self.classes(at, value, hops)
                case None, ast.With(items=items) | ast.AsyncWith(items=items):
                    yield from (one for item in items for one in self.classes(at, item.context_expr, hops))

    def _argument(self, scope: Scope, argument: ast.arg, hops: int) -> Iterator[Definition]:
        own = self.modules.class_of(Definition(argument, scope, argument.arg, argument))
        if isinstance(own, Definition) and isinstance(own.node, ast.ClassDef):
            yield own
        yield from self._annotated(scope, argument.annotation)
        node = scope.node
        if isinstance(node, FunctionNode):
            for call in (one for one in _defaults(node, argument) if isinstance(one, ast.Call)):
                for value in (*call.args[:1], *(word.value for word in call.keywords if word.arg == "dependency")):
                    found = self.modules.resolve(scope, value)  # `Depends(make)`
                    yield from self._made(found, hops) if isinstance(found, Definition) else ()

    def _annotated(self, scope: Scope, annotation: ast.expr | None) -> Iterator[Definition]:
        """The supplied classes that an annotation names, those within `Annotated`, `X | None` and texts as well."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except SyntaxError:
                return
        for node in ast.walk(unwrapped(annotation)) if annotation is not None else ():  # type: ignore[arg-type]
            if isinstance(node, ast.Name | ast.Attribute):
                found = self.modules.resolve(scope, node)
                if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
                    yield found

    def _of_value(self, found: Resolved, hops: int) -> Iterator[Definition]:
        """The classes of a value that a supplied module or class holds."""
        if isinstance(found, Definition) and isinstance(found.node, ast.expr):
            yield from self.classes(found.scope, found.node, hops)

    def _of_field(self, cls: Definition, name: str, hops: int) -> Iterator[Definition]:
        for scope, value in self._fields_of(cls).get(name, ()):
            yield from (*self._annotated(scope, value), *self.classes(scope, value, hops))

    def _fields_of(self, cls: Definition) -> dict[str, list[tuple[Scope, ast.expr]]]:
        """What a class and its bases assign to members of their objects, and annotate them with."""
        key = id(cls.node)
        if key not in self._fields:
            found: dict[str, list[tuple[Scope, ast.expr]]] = {}
            self._fields[key] = found
            for base in self.modules.ancestry(cls):
                for name, scope, value in self._assigned(base) if isinstance(base, Definition) else ():
                    found.setdefault(name, []).append((scope, value))
        return self._fields[key]

    def _assigned(self, cls: Definition) -> Iterator[tuple[str, Scope, ast.expr]]:
        start = self.modules.body(cls)
        for scope, statement in self.modules.statements(start) if start is not None else ():
            match statement:
                case ast.Assign(targets=targets, value=value):
                    yield from ((name, scope, value) for one in targets for name in _member(one, scope, start))
                case ast.AnnAssign(target=target, annotation=annotation, value=value):
                    for name in _member(target, scope, start):
                        yield from ((name, scope, one) for one in (annotation, value) if one is not None)
                case ast.FunctionDef(name=name, returns=returns) if scope is start and returns is not None:
                    yield name, scope, returns  # a property


def _member(target: ast.expr, scope: Scope, start: Scope | None) -> tuple[str, ...]:
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id in ("self", "cls"):
        return (target.attr,)
    return (target.id,) if isinstance(target, ast.Name) and scope is start else ()


def _defaults(node: FunctionNode, argument: ast.arg) -> Iterator[ast.expr]:
    """The default of a parameter, and what stands beside its type in `Annotated`."""
    plain = [*node.args.posonlyargs, *node.args.args]
    given = node.args.defaults
    pairs = [*zip(plain[len(plain) - len(given) :], given, strict=True)]
    pairs += [(one, value) for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value]
    yield from (value for one, value in pairs if one is argument)
    if isinstance(argument.annotation, ast.Subscript) and isinstance(argument.annotation.slice, ast.Tuple):
        yield from argument.annotation.slice.elts[1:]


def _expressions(modules: Modules, node: ast.AST, scope: Scope) -> Iterator[tuple[Scope, ast.expr]]:
    """Every name and dotted name that a function reads, in inner functions and in its defaults as well."""
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = modules.inside(child, scope)
        if isinstance(child, ast.Name | ast.Attribute) and isinstance(child.ctx, ast.Load):
            yield inner, child
        yield from _expressions(modules, child, inner)
