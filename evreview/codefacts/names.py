"""What a name or a dotted expression stands for, across the supplied files."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from evreview.codefacts.model import Route, SourceText, Spot
from evreview.codefacts.modules import (
    FUNCTIONS,
    Binding,
    FunctionNode,
    Module,
    Scope,
    blocks,
    class_scope,
    defaults,
    function_scope,
    last_name,
    module_scope,
    parse,
)

# What a name may stand for, and the small questions about imports and annotations that resolving asks.


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """Something that a supplied file defines.

    Attributes:
        node: class, function, parameter, or the assigned expression.
        scope: where it is written; names in it are looked up here.
        name: as it is called there.
        statement: the statement that defines it.
    """

    node: ast.AST
    scope: Scope
    name: str
    statement: ast.AST

    @property
    def qualname(self) -> str:
        """Qualified name within its file."""
        return self.scope.inner_name(self.name)


@dataclass(frozen=True, slots=True)
class External:
    """Something that no supplied file defines, by its dotted name: `fastapi.FastAPI`, `builtins.str`."""

    name: str

    @property
    def package(self) -> str:
        """The first part: `fastapi`."""
        return self.name.partition(".")[0]

    @property
    def last(self) -> str:
        """The last part: `FastAPI`."""
        return self.name.rpartition(".")[2]

    def of(self, packages: Iterable[str], *names: str) -> bool:
        """True when it comes from one of `packages` and its last part is one of `names`."""
        return self.last in names and self.package in packages


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A supplied module, by name."""

    module: Module


Resolved = Definition | External | Imported | None


def chosen(scope: Scope, name: str) -> Binding | None:
    """The binding of `name` that holds, None when several may."""
    bindings = scope.names.get(name, [])
    if len(bindings) == 1:
        return bindings[0]
    imports = [binding for binding in bindings if isinstance(binding.node, ast.alias)]
    if imports:
        return imports[0]
    if bindings and (scope.kind != "function" or all(_defines(one) for one in bindings)):
        return bindings[-1] if all(binding.sure for binding in bindings) else None
    return None


def _defines(binding: Binding) -> bool:
    return isinstance(binding.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def plain_base(base: ast.expr) -> ast.expr:
    """`Page[Item]` -> `Page`."""
    return base.value if isinstance(base, ast.Subscript) else base


def unwrapped(annotation: ast.expr | None) -> ast.expr | None:
    """The class in `Annotated[C, …]`, `Optional[C]` or `C | None`, as written."""
    match annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=parts)
        ):
            return unwrapped(parts[0]) if parts else None
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return unwrapped(inner)
        case ast.BinOp(op=ast.BitOr(), left=left, right=ast.Constant(value=None)):
            return unwrapped(left)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return ast.copy_location(ast.Name(id=text, ctx=ast.Load()), annotation)
        case _:
            return annotation


def out_of_classes(scope: Scope) -> Scope | None:
    """The next scope outwards that is no class body."""
    at = scope.parent
    while at is not None and at.kind == "class":
        at = at.parent
    return at


def absolute(module: Module, statement: ast.ImportFrom) -> str | None:
    """The dotted name that a `from` import starts from, None when it leaves the tree."""
    if not statement.level:
        return statement.module or ""
    parts = module.package.split(".") if module.package else []
    up = statement.level - 1
    if up > len(parts):
        return None
    kept = parts[: len(parts) - up]
    return ".".join([*kept, statement.module] if statement.module else kept)


def shared(left: str, right: str) -> int:
    """How many leading parts two dotted names share."""
    count = 0
    for one, other in zip(left.split("."), right.split("."), strict=False):
        if one != other:
            break
        count += 1
    return count


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

    def functions(self, scope: Scope | None = None) -> Iterator[Definition]:
        """Every function below, methods and inner ones included, in the order written."""
        for at, one in self.statements(scope):
            if isinstance(one, FUNCTIONS):
                yield Definition(one, at, one.name, one)

    def classes(self) -> Iterator[Definition]:
        """Every class, inner ones included, in the order written."""
        for at, one in self.statements():
            if isinstance(one, ast.ClassDef):
                yield Definition(one, at, one.name, one)

    def returned(self, scope: Scope | None) -> Iterator[ast.expr]:
        """What a function's own `return` lines give; nothing for no function."""
        for at, one in self.statements(scope) if scope is not None else ():
            if isinstance(one, ast.Return) and one.value is not None and at is scope:
                yield one.value

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


# Which lines a handler's code refers to: itself, its dependencies and decorators, and everything these name.
#
# What is named may run; it need not. So it shows that lines belong to a route, never that they are executed.


MAX_REACHED: Final = 600
"""Definitions followed from one handler."""
_PLAIN: Final = frozenset({"builtins", "abc", "typing", "enum", "dataclasses", "collections", "typing_extensions"})
"""Packages whose classes call none of a class's methods by themselves, special ones aside."""
_VERBS: Final = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "trace", "list", "create", "retrieve", "update",
     "partial_update", "destroy"}
)  # fmt: skip
"""Methods that answer routes of their own."""
_ROUTED: Final = frozenset({*_VERBS, "action", "route", "api_route"})
_REGISTERING: Final = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "trace", "route", "api_route", "view", "websocket"}
)  # fmt: skip
_NAMED: Final = frozenset({"property", "cached_property", "staticmethod", "classmethod", "abstractmethod", "override"})
"""Decorators of methods that run only where they are named."""


class ReachableDefinitions:
    """The definitions of the supplied files, and what each of them refers to."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self._by_name: dict[str, list[Definition]] = {}
        self._named: dict[int, tuple[Definition, ...]] = {}
        self._all: dict[int, tuple[Definition, ...]] = {}
        for scope, statement in modules.statements():
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                found = Definition(statement, scope, statement.name, statement)
                self._by_name.setdefault(found.qualname, []).append(found)

    def handler(self, route: Route) -> Definition | None:
        """The function or class that answers a route, None for a declared route and for one that can't be told."""
        name = route.handler
        while name:
            known = self._by_name.get(name, [])
            own = [one for one in known if one.scope.module.source.item == route.spot.item]
            near = [one for one in own if _overlap(one.scope.spot(one.node), route.spot)]
            for found in (near, own, known):
                if len(found) == 1:
                    return found[0]
            name = name.rpartition(".")[0]
        return None

    def named(self, qualname: str) -> tuple[Definition, ...]:
        """The functions and classes with this qualified name."""
        return tuple(self._by_name.get(qualname, ()))

    def definitions(self, start: Definition) -> tuple[Definition, ...]:
        """What `start` refers to, itself first, each once, as far as it is followed."""
        key = id(start.node)
        if key not in self._all:
            self._all[key] = self._closure(start)
        return self._all[key]

    def spots(self, start: Definition) -> tuple[Spot, ...]:
        """The lines of all these; of a class what stands at its level, since its methods need not be called."""
        return tuple(spot for one in self.definitions(start) for spot in self.lines(one))

    def lines(self, one: Definition) -> tuple[Spot, ...]:
        """The lines of one definition: of a class its head and its own statements, else all of it."""
        inner = self.modules.body(one)
        if not isinstance(one.node, ast.ClassDef) or inner is None:
            return (one.scope.spot(one.statement),)
        whole = one.scope.spot(one.node)
        first = min(inner.spot(statement).first for statement in one.node.body)
        head = replace(whole, last=max(whole.first, min(whole.last, first - 1)))
        own = (statement for statement in one.node.body if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)))
        return (head, *(inner.spot(statement) for statement in own))

    def _closure(self, start: Definition) -> tuple[Definition, ...]:
        found: dict[int, Definition] = {id(start.node): start}
        waiting = [start]
        while waiting and len(found) < MAX_REACHED:
            at = waiting.pop(0)
            for one in self._refers(at):
                if id(one.node) not in found:
                    found[id(one.node)] = one
                    waiting.append(one)
        return tuple(found.values())

    def _refers(self, at: Definition) -> tuple[Definition, ...]:
        key = id(at.node)
        if key not in self._named:
            self._named[key] = tuple(self._read(at))
        return self._named[key]

    def _read(self, at: Definition) -> Iterator[Definition]:
        inner = self.modules.body(at)
        if isinstance(at.node, ast.ClassDef) and inner is not None:
            yield from self._called_unnamed(at, inner)
        for scope, node in _parts(at, inner):
            for name in _names(node):
                found = self.modules.resolve(scope, name)
                if isinstance(found, Definition) and _is_outer(found, inner):
                    yield found
        if isinstance(at.node, FUNCTIONS) and at.scope.kind == "class" and at.scope.parent is not None:
            # A method comes with its class: what it inherits and keeps belongs to it.
            owner = at.scope.node
            yield Definition(owner, at.scope.parent, getattr(owner, "name", ""), owner)

    def _called_unnamed(self, cls: Definition, inner: Scope) -> Iterator[Definition]:
        """The methods of a class that run without being named: special ones, and what a framework calls."""
        bases = [one for one in self.modules.ancestry(cls) if isinstance(one, External)]
        framework = any(one.package not in _PLAIN for one in bases)
        for statement in getattr(cls.node, "body", []):
            if not isinstance(statement, FUNCTIONS):
                continue
            marks = {last_name(one.func if isinstance(one, ast.Call) else one) for one in statement.decorator_list}
            special = statement.name.startswith("__") and statement.name.endswith("__")
            hook = framework and statement.name not in _VERBS and not marks & (_ROUTED | _NAMED)
            if special or hook or marks - _ROUTED - _NAMED:
                yield Definition(statement, inner, statement.name, statement)


def _parts(at: Definition, inner: Scope | None) -> Iterator[tuple[Scope, ast.AST]]:
    """The pieces of a definition, each with the scope in which its names are looked up."""
    node = at.node
    if isinstance(node, FUNCTIONS) and inner is not None:
        outside: list[ast.AST | None] = [*_applied(node.decorator_list), *defaults(node).values(), node.returns]
        outside += [argument.annotation for argument in ast.walk(node.args) if isinstance(argument, ast.arg)]
        yield from ((at.scope, part) for part in outside if part is not None)
        yield from ((inner, part) for part in node.body)
    elif isinstance(node, ast.ClassDef) and inner is not None:
        yield from ((at.scope, part) for part in [*node.decorator_list, *node.bases])
        yield from ((inner, part) for part in node.body if not isinstance(part, (*FUNCTIONS, ast.ClassDef)))
    elif isinstance(node, ast.expr):
        yield at.scope, node


def _applied(written: list[ast.expr]) -> list[ast.expr]:
    """The decorators from the lowest one that registers a route on: what stands above it wraps nothing served."""
    calls = (one.func if isinstance(one, ast.Call) else None for one in written)
    places = [n for n, one in enumerate(calls) if isinstance(one, ast.Attribute) and one.attr in _REGISTERING]
    return written[max(places) :] if places else written


def _names(node: ast.AST) -> Iterator[ast.expr]:
    """Every name and dotted name that is read, the longest form of each first."""
    waiting: list[ast.AST] = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, ast.Name | ast.Attribute) and isinstance(at.ctx, ast.Load):
            yield at
        waiting.extend(ast.iter_child_nodes(at))


def _is_outer(found: Definition, inner: Scope | None) -> bool:
    """False for parameters and for what the definition's own body binds, which is read with it."""
    if isinstance(found.node, ast.arg):
        return False
    return not (inner is not None and found.scope is inner and inner.kind == "function")


def _overlap(left: Spot, right: Spot) -> bool:
    return left.item == right.item and left.first <= right.last and right.first <= left.last


def overlapping(spots: Iterable[Spot], item: str, first: int, last: int) -> Spot | None:
    """The smallest of the spots that has lines of this span, None when none has."""
    found = [spot for spot in spots if spot.item == item and spot.first <= last and first <= spot.last]
    return min(found, key=lambda spot: (spot.last - spot.first, spot), default=None)


# Answers about the supplied files that many routes ask again, found once.


Kept = TypeVar("Kept")


def remembered(modules: Modules, key: str, find: Callable[[], Kept]) -> Kept:
    """What `find` gives, asked once per key for as long as the modules are read."""
    if key not in modules.memo:
        modules.memo[key] = find()
    return modules.memo[key]  # type: ignore[return-value]
