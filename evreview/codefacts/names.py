"""What a name or a dotted expression stands for, across the supplied files."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.codefacts.model import SourceText
from evreview.codefacts.modules import (
    FunctionNode,
    Module,
    Scope,
    blocks,
    class_scope,
    function_scope,
    module_scope,
    parse,
)
from evreview.sources.resolved import (
    Definition,
    External,
    Imported,
    Resolved,
    absolute,
    chosen,
    out_of_classes,
    plain_base,
    shared,
    unwrapped,
)

MAX_HOPS: Final = 40
"""Aliases, re-exports and base classes followed for one name."""
_BUILTINS: Final = frozenset(dir(builtins))


class Modules:
    """All supplied modules: looks names up, finds definitions and walks statements. Nothing is executed."""

    def __init__(self, sources: Sequence[SourceText]) -> None:
        self.all, self.unread = parse(sources)
        self.memo: dict[str, object] = {}
        self._known: dict[tuple[int, str, int], tuple[Scope, Resolved]] = {}
        self._scopes: dict[int, Scope] = {}
        self._members: dict[int, dict[str, list[Definition]]] = {}
        self._stars = {id(module.tree): _star_imports(module) for module in self.all}
        self._by_last: dict[str, list[Module]] = {}
        for module in self.all:
            self._by_last.setdefault(module.name.rpartition(".")[2], []).append(module)

    # Scopes

    def scope(self, module: Module) -> Scope:
        """The top level of a module."""
        key = id(module.tree)
        if key not in self._scopes:
            self._scopes[key] = module_scope(module)
        return self._scopes[key]

    def inside(self, node: ast.ClassDef | FunctionNode, outer: Scope) -> Scope:
        """The scope within a class or function that stands in `outer`."""
        key = id(node)
        if key not in self._scopes:
            make = class_scope if isinstance(node, ast.ClassDef) else function_scope
            self._scopes[key] = make(node, outer)  # type: ignore[arg-type]
        return self._scopes[key]

    def body(self, definition: Definition) -> Scope | None:
        """The scope within a class or function; None for anything else."""
        if isinstance(definition.node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return self.inside(definition.node, definition.scope)
        return None

    def statements(self, scope: Scope | None = None) -> Iterator[tuple[Scope, ast.stmt]]:
        """Every statement with its scope, in the order written, inner blocks, functions and classes included."""
        starts = [self.scope(module) for module in self.all] if scope is None else [scope]
        for start in starts:
            body: list[ast.stmt] = getattr(start.node, "body", [])
            yield from self._walk(start, body)

    def _walk(self, scope: Scope, body: Iterable[ast.stmt]) -> Iterator[tuple[Scope, ast.stmt]]:
        for statement in body:
            yield scope, statement
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._walk(self.inside(statement, scope), statement.body)
            for block, _ in blocks(statement):
                yield from self._walk(scope, block)

    # Names

    def find(self, module: str, qualname: str) -> Resolved:
        """What `qualname` is in the supplied module of that dotted name."""
        for found in self.named(module, None):
            resolved: Resolved = Imported(found)
            for part in qualname.split("."):
                resolved = self.attribute(resolved, part)
            if resolved is not None:
                return resolved
        return None

    def lookup(self, scope: Scope, name: str, hops: int = MAX_HOPS) -> Resolved:
        """What `name` stands for in `scope`: function, class or module around it, then the builtins."""
        if hops < MAX_HOPS - 1:
            return self._looked_up(scope, name, hops)
        key = (id(scope.node), name, hops)
        if key not in self._known:
            self._known[key] = (scope, self._looked_up(scope, name, hops))
        return self._known[key][1]

    def _looked_up(self, scope: Scope, name: str, hops: int) -> Resolved:
        at: Scope | None = scope
        while at is not None:
            if name in at.names:
                return self._bound(at, name, hops)
            at = at.parent if at.kind != "class" else out_of_classes(at)
        starred = self._starred(scope.module, name, hops)
        if starred is not None:
            return starred
        for sibling in self._siblings(scope.module):
            if name in self.scope(sibling).names:
                return self._bound(self.scope(sibling), name, hops)
        return External(f"builtins.{name}") if name in _BUILTINS else None

    def resolve(self, scope: Scope, expression: ast.AST | None, hops: int = MAX_HOPS) -> Resolved:
        """What a name or dotted expression stands for, None when it can't be told."""
        if hops <= 0:
            return None
        match expression:
            case ast.Name(id=name):
                return self.lookup(scope, name, hops - 1)
            case ast.Attribute(value=value, attr=attr):
                return self.attribute(self.resolve(scope, value, hops - 1), attr, hops - 1)
            case _:
                return None

    def attribute(self, holder: Resolved, name: str, hops: int = MAX_HOPS) -> Resolved:
        """`holder.name`: a member of a module or class, or a method of an instance whose class is known."""
        if hops <= 0:
            return None
        match holder:
            case External(name=outer):
                return External(f"{outer}.{name}")
            case Imported(module=module):
                scope = self.scope(module)
                if name in scope.names:
                    return self._bound(scope, name, hops)
                inner = self.named(f"{module.name}.{name}", None)
                return Imported(inner[0]) if inner else self._starred(module, name, hops)
            case Definition(node=ast.ClassDef()):
                return self.member(holder, name, hops)
            case Definition():
                return self._of_instance(holder, name, hops)
        return None

    def member(self, cls: Definition, name: str, hops: int = MAX_HOPS) -> Resolved:
        """What a class or its supplied bases define under `name`, an External below an external base."""
        for base in self.ancestry(cls):
            if isinstance(base, Definition):
                scope = self.body(base)
                if scope is not None and name in scope.names:
                    return self._bound(scope, name, hops - 1)
            elif isinstance(base, External) and base.package != "builtins":
                return External(f"{base.name}.{name}")
        return None

    def ancestry(self, cls: Definition) -> tuple[Resolved, ...]:
        """The class and all its bases, nearest first; None stands for one that can't be told."""
        found: list[Resolved] = []
        waiting: list[Resolved] = [cls]
        seen: set[int | str] = set()
        while waiting and len(found) < MAX_HOPS:
            at = waiting.pop(0)
            key = id(at.node) if isinstance(at, Definition) else str(at)
            if key in seen:
                continue
            seen.add(key)
            found.append(at)
            if isinstance(at, Definition) and isinstance(at.node, ast.ClassDef):
                waiting[:0] = [self.resolve(at.scope, plain_base(base)) for base in at.node.bases]
        return tuple(found)

    def is_a(self, resolved: Resolved, packages: Iterable[str], *names: str) -> bool:
        """True when it is, or derives from, one of `names` of one of the external `packages`."""
        if isinstance(resolved, Definition) and isinstance(resolved.node, ast.ClassDef):
            ancestry = self.ancestry(resolved)
        else:
            ancestry = (resolved,)
        return any(isinstance(base, External) and base.of(packages, *names) for base in ancestry)

    def class_of(self, value: Resolved, hops: int = MAX_HOPS) -> Resolved:
        """The class of an instance: from a call, an annotation, or a function's return annotation."""
        if not isinstance(value, Definition) or hops <= 0:
            return None
        node, scope = value.node, value.scope
        if isinstance(node, ast.Await):
            node = node.value
        if isinstance(node, ast.Call):
            called = self.resolve(scope, node.func, hops - 1)
            if isinstance(called, Definition) and isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
                return self._annotated(called.scope, called.node.returns, hops - 1)
            return called
        if isinstance(node, ast.arg):
            own = _own_class(node, scope)
            return own or self._annotated(scope, node.annotation, hops - 1)
        if isinstance(value.statement, ast.AnnAssign):
            return self._annotated(scope, value.statement.annotation, hops - 1)
        return None

    def default_of(self, scope: Scope, member: ast.Attribute) -> tuple[Scope, ast.expr] | None:
        """What a class gives a member of its objects at first: `settings.algorithms` of `settings = Settings()`."""
        cls = self.class_of(self.resolve(scope, member.value))
        for base in self.ancestry(cls) if isinstance(cls, Definition) else ():
            body = self.body(base) if isinstance(base, Definition) else None
            found = body.names.get(member.attr, []) if body is not None else []
            if body is not None and found and isinstance(found[-1].node, ast.expr):
                return body, found[-1].node
        return None

    def called(self, scope: Scope, call: ast.Call) -> Resolved:
        """The function or class that a call calls."""
        return self.resolve(scope, call.func)

    def _annotated(self, scope: Scope, annotation: ast.expr | None, hops: int) -> Resolved:
        found = self.resolve(scope, unwrapped(annotation), hops)
        if isinstance(found, Definition) and isinstance(found.node, ast.Subscript | ast.BinOp) and hops > 0:
            return self._annotated(found.scope, found.node, hops - 1)  # a name for another annotation
        return found

    def _of_instance(self, holder: Definition, name: str, hops: int) -> Resolved:
        if name == "value" and holder.scope.kind == "class":  # of an enum's member
            return holder
        cls = self.class_of(holder, hops - 1)
        if isinstance(cls, External):
            return External(f"{cls.name}.{name}")
        if isinstance(cls, Definition) and isinstance(cls.node, ast.ClassDef):
            found = self.member(cls, name, hops - 1)
            # A value at class level is only the default of an instance.
            if isinstance(found, Definition) and isinstance(found.node, ast.expr):
                return None
            return found if isinstance(found, Definition) else self._given(cls, name, hops - 1) or found
        return None

    def _given(self, cls: Definition, name: str, hops: int) -> Resolved:
        """What the methods of a class make of `self.name`, where all of them agree on its class."""
        own = self._members.get(id(cls.node))
        if own is None:
            own = self._members[id(cls.node)] = {}
            for base in self.ancestry(cls):
                for member, value in self._assigned(base) if isinstance(base, Definition) else ():
                    own.setdefault(member, []).append(value)
        found = own.get(name, [])
        classes = [self.class_of(value, hops) for value in found]
        same = all(one is not None and _same(one, classes[0]) for one in classes)
        return found[0] if found and same else None

    def _assigned(self, cls: Definition) -> Iterator[tuple[str, Definition]]:
        start = self.body(cls)
        for scope, statement in self.statements(start) if start is not None else ():
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=None) if scope is start:
                    yield name, Definition(ast.arg(arg=name, annotation=annotation), scope, name, statement)
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value) | (
                    ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name), value=ast.expr() as value)
                ):
                    made = self.resolve(scope, value) if isinstance(value, ast.Name) else None
                    if not isinstance(value, ast.Constant):
                        yield name, made if isinstance(made, Definition) else Definition(value, scope, name, statement)

    def _bound(self, scope: Scope, name: str, hops: int) -> Resolved:
        binding = chosen(scope, name)
        if binding is None or binding.node is None or hops <= 0:
            return None
        node, statement = binding.node, binding.statement
        if isinstance(node, ast.alias):
            return self._from_import(scope, node, statement, hops - 1)
        if isinstance(node, ast.Name | ast.Attribute):
            if isinstance(node, ast.Name) and node.id == name and scope.kind != "class":
                return None
            return self.resolve(scope, node, hops - 1)
        return Definition(node, scope, name, statement)

    # Imports

    def _from_import(self, scope: Scope, alias: ast.alias, statement: ast.AST, hops: int) -> Resolved:
        if isinstance(statement, ast.Import):
            whole = alias.name if alias.asname else alias.name.partition(".")[0]
            found = self.named(whole, scope.module)
            return Imported(found[0]) if len(found) == 1 else (None if found else External(whole))
        if not isinstance(statement, ast.ImportFrom):
            return None
        base = absolute(scope.module, statement)
        if base is None:
            return None
        inner = self.named(f"{base}.{alias.name}" if base else alias.name, scope.module)
        for module in self.named(base, scope.module):
            if alias.name in self.scope(module).names:
                return self._bound(self.scope(module), alias.name, hops)
            if not inner:
                found_star = self._starred(module, alias.name, hops)
                if found_star is not None:
                    return found_star
        if inner:
            return Imported(inner[0]) if len(inner) == 1 else None
        return External(f"{base}.{alias.name}") if not self.named(base, scope.module) else None

    def _starred(self, module: Module, name: str, hops: int) -> Resolved:
        """What a `from … import *` brings in, when only one of them can."""
        outside: list[str] = []
        for statement in self._stars[id(module.tree)] if hops > 0 else ():
            base = absolute(module, statement)
            supplied = self.named(base, module) if base is not None else ()
            for one in supplied:
                found = self.attribute(Imported(one), name, hops - 1)
                if found is not None:
                    return found
            if not supplied and base:
                outside.append(base)
        return External(f"{outside[0]}.{name}") if len(outside) == 1 and name not in _BUILTINS else None

    def named(self, dotted: str, seen_from: Module | None) -> tuple[Module, ...]:
        """The supplied modules that `dotted` may name, those nearest to the importing file only."""
        tail = f".{dotted}"
        known = self._by_last.get(dotted.rpartition(".")[2], ())
        found = [module for module in known if f".{module.name}".endswith(tail)]
        exact = [module for module in found if module.name == dotted]
        if exact or seen_from is None or len(found) < 2:
            return tuple(exact or found)
        near = [shared(module.name, seen_from.name) for module in found]
        best = [module for module, score in zip(found, near, strict=True) if score == max(near)]
        return tuple(best)

    def _siblings(self, module: Module) -> Iterator[Module]:
        """Other excerpts of the same file."""
        for other in self._by_last.get(module.name.rpartition(".")[2], ()):
            if other is not module and other.source.path == module.source.path:
                yield other


def _same(one: Resolved, other: Resolved) -> bool:
    if isinstance(one, Definition) and isinstance(other, Definition):
        return one.node is other.node
    return one == other


def _star_imports(module: Module) -> list[ast.ImportFrom]:
    return [one for one in module.tree.body if isinstance(one, ast.ImportFrom) and one.names[0].name == "*"]


def _own_class(argument: ast.arg, scope: Scope) -> Definition | None:
    """The class around a method, when `argument` is its `self`."""
    owner, node = scope.owner, scope.node
    if owner is None or owner.parent is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    positional = [*node.args.posonlyargs, *node.args.args]
    if not positional or positional[0] is not argument:
        return None
    return Definition(owner.node, owner.parent, getattr(owner.node, "name", ""), owner.node)
