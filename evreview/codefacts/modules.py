"""Supplied source texts as syntax trees: modules, scopes and what each name is bound to. Nothing is executed."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.codefacts.model import SourceText, Spot, UnreadPart, UnsupportedCode

MAX_CHARS: Final = 2_000_000
"""Characters of one file; the longest hand-written modules have a tenth of that."""
MAX_DEPTH: Final = 180
"""Levels of a syntax tree; below Python's recursion limit for whoever walks it."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeKind = Literal["module", "class", "function"]
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS: Final = (*FUNCTIONS, ast.ClassDef)
SCOPES: Final = (*DEFINITIONS, ast.Lambda)
"""What has names of its own, and runs later than the lines around it."""


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One way in which a name gets a value.

    Attributes:
        node: class, function, parameter, assigned expression or import alias; None when it can't be told.
        statement: the statement that binds.
        sure: it is bound whenever its scope runs, not only below a condition.
    """

    node: ast.AST | None
    statement: ast.AST
    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One file that could be parsed. `name` is its path as a dotted name, without `__init__`."""

    name: str
    source: SourceText
    tree: ast.Module

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        if self.source.path.endswith("__init__.py"):
            return self.name
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Where names are looked up: its own, then outwards. `qualname` is "" for a module.

    Attributes:
        names: each name with its bindings in the order written.
        owner: the class whose method this is.
    """

    module: Module
    kind: ScopeKind
    node: ast.AST
    qualname: str
    parent: Scope | None
    names: dict[str, list[Binding]] = field(default_factory=dict)
    owner: Scope | None = None

    def spot(self, node: ast.AST) -> Spot:
        """The lines of `node`, from its first decorator on."""
        return spot_of(self.module.source, node)

    def inner_name(self, name: str) -> str:
        """The qualified name of something called `name` in here."""
        return f"{self.qualname}.{name}" if self.qualname else name


def spot_of(source: SourceText, node: ast.AST) -> Spot:
    """The lines of `node` in `source`, from its first decorator on."""
    if isinstance(node, ast.Module):
        return Spot(source.item, 1, max(1, source.text.count("\n") + (not source.text.endswith("\n"))), source.path)
    first = getattr(node, "lineno", 1)
    decorators = getattr(node, "decorator_list", ())
    first = min([first, *(decorator.lineno for decorator in decorators)])
    return Spot(source.item, first, getattr(node, "end_lineno", None) or first, source.path)


def parse(sources: Sequence[SourceText]) -> tuple[tuple[Module, ...], tuple[UnsupportedCode, ...]]:
    """The Python files among `sources` as modules, and what could not be parsed."""
    modules: list[Module] = []
    unread: list[UnsupportedCode] = []
    for source in sources:
        tree = _tree(source)
        if isinstance(tree, ast.Module):
            modules.append(Module(module_name(source.path), source, tree))
        else:
            unread.append(tree)
    return tuple(modules), tuple(unread)


def module_name(path: str) -> str:
    """`src/app/api/__init__.py` -> `src.app.api`."""
    stem = path.removesuffix("i").removesuffix(".py").replace("\\", "/").strip("/")
    return stem.removesuffix("/__init__").replace("/", ".").lstrip(".")


def _tree(source: SourceText) -> ast.Module | UnsupportedCode:
    def refused(found: str, advice: str, line: int | None = None) -> UnsupportedCode:
        whole = spot_of(source, ast.Module(body=[], type_ignores=[]))
        at = min(max(line or whole.first, 1), whole.last)
        return UnsupportedCode(
            Spot(source.item, at, at, source.path) if line else whole, found, advice, part=UnreadPart.FILE
        )

    if not source.path.endswith((".py", ".pyi")):
        return refused("not a Python file", "Declare its facts with path, line and quoted text.")
    if len(source.text) > MAX_CHARS:
        return refused(f"more than {MAX_CHARS} characters", "Supply the lines that matter as an excerpt.")
    if "\r" in source.text.replace("\r\n", ""):
        return refused("lines that end in a carriage return alone", "Save the file with ordinary line ends.")
    advice = "Supply the whole file, or declare its facts with quotes."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(textwrap.dedent(source.text))
    except SyntaxError as error:
        return refused("text that Python's parser refuses", advice, error.lineno)
    except (ValueError, RecursionError, MemoryError):
        return refused("text that Python's parser can't take", advice)
    if _too_deep(tree):
        return refused(f"code nested deeper than {MAX_DEPTH} levels", advice)
    return tree


def _too_deep(tree: ast.AST) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def module_scope(module: Module) -> Scope:
    """The names of a module's top level."""
    scope = Scope(module, "module", module.tree, "", None)
    bind_statements(scope, module.tree.body)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            for name in node.names:
                scope.names.setdefault(name, []).append(Binding(None, node, False))
    return scope


def class_scope(node: ast.ClassDef, outer: Scope) -> Scope:
    """The names of a class body."""
    scope = Scope(outer.module, "class", node, outer.inner_name(node.name), outer)
    bind_statements(scope, node.body)
    return scope


def function_scope(node: FunctionNode, outer: Scope) -> Scope:
    """The names of a function: parameters, then what its body binds. A class body around it is not searched."""
    owner = outer if outer.kind == "class" else None
    parent = outer.parent if owner is not None else outer
    scope = Scope(outer.module, "function", node, outer.inner_name(node.name), parent, owner=owner)
    for argument in arguments(node):
        scope.names.setdefault(argument.arg, []).append(Binding(argument, argument))
    bind_statements(scope, node.body)
    return scope


def arguments(node: FunctionNode) -> list[ast.arg]:
    """All parameters, in the order written."""
    found = node.args
    rest = [argument for argument in (found.vararg, found.kwarg) if argument is not None]
    return [*found.posonlyargs, *found.args, *found.kwonlyargs, *rest]


def defaults(node: FunctionNode) -> dict[str, ast.expr]:
    """The default of each parameter that has one."""
    plain = [*node.args.posonlyargs, *node.args.args]
    given = node.args.defaults
    found = {arg.arg: value for arg, value in zip(plain[len(plain) - len(given) :], given, strict=True)}
    keyword = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return found | {arg.arg: value for arg, value in keyword if value is not None}


def bind_statements(scope: Scope, statements: Iterable[ast.stmt], sure: bool = True) -> None:
    """Note what `statements` bind, without entering functions and classes."""
    for statement in statements:
        for name, value in _within(statement):
            scope.names.setdefault(name, []).append(Binding(value, statement, sure))
        for name, node in _bound(statement):
            scope.names.setdefault(name, []).append(Binding(node, statement, sure))
        for block, certain in blocks(statement):
            bind_statements(scope, block, sure and certain)


def _within(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """What `:=` binds in the expressions of a statement; inner blocks, functions and classes are apart."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    waiting: list[ast.AST] = [
        one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.expr | ast.withitem)
    ]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.NamedExpr):
            yield node.target.id, node.value
        if not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def blocks(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The inner blocks of a compound statement, and whether each surely runs; those of functions and classes not."""
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            yield body, type_checking(test)
            yield orelse, False
        case ast.For() | ast.AsyncFor() | ast.While():
            yield statement.body, False
            yield statement.orelse, False
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            yield body, False
            yield from ((handler.body, False) for handler in handlers)
            yield orelse, False
            yield final, True
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield body, True
        case ast.Match(cases=cases):
            yield from ((case.body, False) for case in cases)
        case _:
            return


def type_checking(test: ast.expr) -> bool:
    """True for the test of a block that only type checkers read."""
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _bound(statement: ast.stmt) -> Iterator[tuple[str, ast.AST | None]]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, statement
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or _imported(statement, alias), alias) for alias in names)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _assigned(target, value)
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
            yield from _assigned(target, None)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield from _assigned(item.optional_vars, None)
        case ast.Match(cases=cases):
            patterns = [part for case in cases for part in ast.walk(case.pattern)]
            bound = [getattr(part, "name", None) or getattr(part, "rest", None) for part in patterns]
            yield from ((name, None) for name in bound if isinstance(name, str))
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _assigned(target, None)
        case _:
            return


def _imported(statement: ast.stmt, alias: ast.alias) -> str:
    return alias.name.partition(".")[0] if isinstance(statement, ast.Import) else alias.name


def _assigned(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.AST | None]]:
    match target:
        case ast.Name(id=name):
            yield name, value
        case ast.Starred(value=inner):
            yield from _assigned(inner, None)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            values: Sequence[ast.expr | None] = [None] * len(parts)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts):
                values = value.elts
            for part, one in zip(parts, values, strict=True):
                yield from _assigned(part, one)
        case _:
            return


def last_name(name: ast.AST | None) -> str:
    """`b` of `a.b` and of `b`, "" for anything else."""
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def all_given(call: ast.Call) -> list[ast.expr]:
    """What a call is given, by place and by name."""
    return [*call.args, *(word.value for word in call.keywords)]


def calls_in(*nodes: ast.AST) -> Iterator[ast.Call]:
    """Every call below the nodes, functions inside them included."""
    return (one for node in nodes for one in ast.walk(node) if isinstance(one, ast.Call))


def is_none(node: ast.AST | None) -> bool:
    """True for `None` as written."""
    return isinstance(node, ast.Constant) and node.value is None
