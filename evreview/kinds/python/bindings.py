"""Names of a file that no plain definition binds: by tuples, `for` and `with`, on classes and functions, by running.

Nothing is run. What binds a name for sure is told from what may bind it; what only running tells is kept as text.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.contracts.readers.python_branches import names_bound, only_checked, targets_of

_SPACES: Final = frozenset({"globals", "locals", "vars"})
_RUNNERS: Final = frozenset({"setattr", "delattr", "exec", "eval"})
_MODULES: Final = "sys.modules"


@dataclass(frozen=True, slots=True)
class Given:
    """A value that a name gets: its text, None where only running tells, and the line."""

    value: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Set:
    """An attribute that a statement sets on what a name of the file stands for."""

    owner: str
    name: str
    given: Given
    text: str


@dataclass(frozen=True, slots=True)
class Context:
    """What is around a statement: the outermost loop, and whether a condition decides that it runs."""

    loop: ast.stmt | None = None
    conditional: bool = False

    @property
    def plain(self) -> bool:
        """True where the statement runs once, whenever the file runs."""
        return self.loop is None and not self.conditional


@dataclass(frozen=True, slots=True)
class Bindings:
    """What a file binds besides its definitions.

    Attributes:
        names: by scope (`""`, `"C."`) and name, what tuples, `for`, `with` and `:=` bind.
        perhaps: dotted names that no statement binds for sure.
        live: names bound where type checkers don't look (`else` of `if TYPE_CHECKING`).
        sets: attributes set on classes, functions and variables.
        untold: statements that bind names which only running tells.
    """

    names: Mapping[str, Mapping[str, Given]] = field(default_factory=dict)
    perhaps: frozenset[str] = frozenset()
    live: frozenset[str] = frozenset()
    sets: tuple[Set, ...] = ()
    untold: tuple[str, ...] = ()


def bindings_of(tree: ast.Module, *, walruses: bool) -> Bindings:
    """What a parsed file binds besides its definitions; `walruses`: it holds a `:=`."""
    found = _Found(walruses)
    found.scope(tree.body, "")
    return Bindings(
        found.names, frozenset(found.perhaps), frozenset(found.live), tuple(found.sets), tuple(found.untold)
    )


class _Found:
    """Collects over the scopes of one file."""

    def __init__(self, walruses: bool) -> None:
        self._walrused = walruses
        self.names: defaultdict[str, dict[str, Given]] = defaultdict(dict)
        self.perhaps: set[str] = set()
        self.live: set[str] = set()
        self.sets: list[Set] = []
        self.untold: list[str] = []

    def scope(self, body: Sequence[ast.stmt], around: str) -> None:
        """Takes in the body of a module or class."""
        may: set[str] = set()
        for statement, context in _all(body, Context()):
            may.update(names_bound(statement))
            self._statement(statement, around, context)
            if isinstance(statement, ast.ClassDef):
                self.scope(statement.body, f"{around}{statement.name}.")
            if isinstance(statement, ast.If) and only_checked(statement):
                live = (name for each, _ in _all(statement.orelse, context) for name in names_bound(each))
                self.live.update(around + name for name in live)
        simple = all(isinstance(each, _PLAIN) for each in body)
        self.perhaps.update(() if simple else (around + name for name in may - surely_bound(body)))

    def _statement(self, statement: ast.stmt, around: str, context: Context) -> None:
        match statement:
            case ast.Assign():
                for target in statement.targets:
                    self._target(target, statement, around, context)
                if any(not isinstance(each, ast.Name | ast.Attribute) for each in statement.targets):
                    self._names(statement, around)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target, value=ast.expr()):
                self._target(target, statement, around, context)
            case ast.Delete(targets=targets):
                if any(_is_open(each) or isinstance(each, ast.Attribute) for each in targets):
                    self.untold.append(ast.unparse(context.loop or statement))
            case ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith():
                self.names[around].update((name, Given(None, statement.lineno)) for name in names_bound(statement))
            case ast.Expr(value=ast.Call() as call):
                self._called(call, statement, context)
        if self._walrused and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._walruses(statement, around)

    def _names(self, statement: ast.Assign, around: str) -> None:
        """The names of an assignment whose targets are not plain ones alone."""
        for target in statement.targets:
            for name, value in _paired(target, statement.value):
                text = None if value is None else ast.unparse(value)
                self.names[around][name] = Given(text, statement.lineno)

    def _target(self, target: ast.expr, statement: ast.stmt, around: str, context: Context) -> None:
        value = getattr(statement, "value", None)
        text = ast.unparse(value) if value is not None and not isinstance(statement, ast.AugAssign) else None
        given = Given(text, statement.lineno)
        match target:
            case ast.Subscript(value=ast.Call(func=ast.Name(id=name), args=[]), slice=ast.Constant(value=str(key))) if (
                name in _SPACES and context.loop is None
            ):
                self.names[around][key] = given
                self.perhaps.update([around + key] if context.conditional else [])
            case ast.Attribute(attr=name) if name.startswith("__") and name.endswith("__"):
                pass
            case ast.Attribute(value=owner, attr=name) if context.plain and _dotted(owner):
                self.sets.append(Set(_dotted(owner), name, given, ast.unparse(statement)))
            case ast.Attribute():
                self.untold.append(ast.unparse(context.loop or statement))
            case ast.Subscript() if _is_open(target):
                self.untold.append(ast.unparse(context.loop or statement))

    def _called(self, call: ast.Call, statement: ast.stmt, context: Context) -> None:
        match call:
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(name)), value]) if (
                context.plain and _dotted(owner)
            ):
                given = Given(ast.unparse(value), statement.lineno)
                self.sets.append(Set(_dotted(owner), name, given, ast.unparse(statement)))
            case ast.Call(func=ast.Name(id=name)) if name in _RUNNERS:
                self.untold.append(ast.unparse(context.loop or statement))
            case ast.Call(func=ast.Attribute(value=owner)) if _is_space(owner):
                self.untold.append(ast.unparse(context.loop or statement))

    def _walruses(self, statement: ast.stmt, around: str) -> None:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr) and not isinstance(child, ast.Name | ast.Constant | ast.Attribute):
                for each in _named(child):
                    self.names[around][each.target.id] = Given(ast.unparse(each.value), each.lineno)


_PLAIN: Final = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom,
    ast.Expr, ast.Pass, ast.Delete,
)  # fmt: skip
"""Statements that run whenever the ones before them do."""


def _all(body: Sequence[ast.stmt], context: Context) -> Iterator[tuple[ast.stmt, Context]]:
    """Every statement of a scope, with what is around it; functions and classes are not entered."""
    for statement in body:
        yield statement, context
        if isinstance(statement, _PLAIN):
            continue
        loops = isinstance(statement, ast.For | ast.AsyncFor | ast.While)
        loop = context.loop or (statement if loops else None)
        same = isinstance(statement, ast.With | ast.AsyncWith)
        inside = Context(loop, context.conditional or not same)
        if isinstance(statement, ast.If) and only_checked(statement):
            yield from _all(statement.orelse, context)
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _all(getattr(statement, part, ()), inside)
        for part in ("handlers", "cases"):
            for arm in getattr(statement, part, ()):
                yield from _all(arm.body, inside)


def surely_bound(body: Sequence[ast.stmt]) -> set[str]:
    """The names that a body binds whichever of its branches run, as far as no error ends it."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case ast.If() if only_checked(statement):
                found |= surely_bound(statement.orelse)
            case ast.If():
                found |= _in_each([statement.body, statement.orelse])
            case ast.Try() | ast.TryStar():
                arms = [[*statement.body, *statement.orelse], *(each.body for each in statement.handlers)]
                found |= _in_each(arms) | surely_bound(statement.finalbody)
            case ast.Match():
                whole = any(
                    isinstance(each.pattern, ast.MatchAs) and each.pattern.name is None for each in statement.cases
                )
                found |= _in_each([each.body for each in statement.cases]) if whole else set()
            case ast.With() | ast.AsyncWith():
                found |= surely_bound(statement.body) | set(names_bound(statement))
            case ast.For() if _is_filled(statement.iter):
                found |= surely_bound(statement.body) | set(names_bound(statement))
            case ast.For() | ast.AsyncFor() | ast.While():
                found |= surely_bound(statement.orelse)
            case _:
                found.update(names_bound(statement))
    return found


def _in_each(arms: Sequence[Sequence[ast.stmt]]) -> set[str]:
    """The names that every branch binds, those left out that end in an error."""
    found = [surely_bound(arm) for arm in arms if not (arm and isinstance(arm[-1], ast.Raise))]
    return set.intersection(*found) if found else set()


def _is_filled(node: ast.expr) -> bool:
    """True for a literal that has at least one member."""
    match node:
        case ast.Tuple(elts=members) | ast.List(elts=members) | ast.Set(elts=members):
            return any(not isinstance(each, ast.Starred) for each in members)
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count > 0
    return False


def _paired(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    """The names of a target, each with the part of the value that it gets where both are written out."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield from ((name, value) for name in targets_of(target))
        return
    written = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    starred = any(isinstance(each, ast.Starred) for each in (*target.elts, *written))
    parts = written if len(written) == len(target.elts) and not starred else [None] * len(target.elts)
    for each, part in zip(target.elts, parts, strict=True):
        yield from _paired(each.value if isinstance(each, ast.Starred) else each, part)


def _named(node: ast.expr) -> Iterator[ast.NamedExpr]:
    """The `:=` in an expression that runs where it stands."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.NamedExpr):
            yield each
        if not isinstance(each, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(each))


def _dotted(node: ast.expr) -> str:
    """The dotted name that an expression is, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    around = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{around}.{node.attr}" if around and isinstance(node, ast.Attribute) else ""


def _is_space(node: ast.expr) -> bool:
    """True for what holds the names of a module or class: `globals()`, `vars(C)`, `C.__dict__`, `sys.modules`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _SPACES
    return _dotted(node) == _MODULES or (isinstance(node, ast.Attribute) and node.attr == "__dict__")


def _is_open(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and _is_space(target.value)
