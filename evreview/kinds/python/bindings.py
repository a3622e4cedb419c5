"""What one file binds besides plain definitions, and more than once; and what its decorators give. Nothing is run.

What binds a name for sure is told from what may bind it; what only running tells is kept as text.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from evreview.core.frozen import frozen

# What a file binds more than once: by condition, by `del`, and `__all__` below its assignment.


_EXPORTS: Final = "__all__"
_OVERLOAD: Final = "overload"

Arms = tuple[tuple[int, int], ...]
"""The conditions around a statement: each by its line, with the number of the branch."""


@frozen
class Branches:
    """What the text of one file says besides its declarations.

    Attributes:
        forms: by dotted name, what it is in each branch, where the branches differ; bodies of functions don't count.
        borrowed: those of them that one branch takes from another library.
        gone: dotted names that the file deletes again.
        exports: names that calls of `__all__.append` and `__all__.extend` add.
        unread: lines where `__all__` changes in a way that only running tells, with the statement.
    """

    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    borrowed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    exports: tuple[str, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


def branches_of(tree: ast.Module, library: str) -> Branches:
    """What the branches of a parsed file say.

    Args:
        library: the import name of the library around it.

    Raises:
        RecursionError: it is nested too deep.
    """
    said = _FileBranches(library)
    said.scope(tree.body, "")
    exports: list[str] = []
    unread: list[tuple[int, str]] = []
    for statement, _ in flat(tree.body):
        for names in _exported(statement):
            if names is None:
                unread.append((statement.lineno, ast.unparse(statement)))
            else:
                exports += names
    return Branches(said.forms, frozenset(said.borrowed), frozenset(said.gone), tuple(exports), tuple(unread))


class _FileBranches:
    """Collects what the scopes of one file say."""

    def __init__(self, library: str) -> None:
        self._library = library
        self.forms: dict[str, tuple[str, ...]] = {}
        self.borrowed: set[str] = set()
        self.gone: set[str] = set()

    def scope(self, body: Sequence[ast.stmt], around: str) -> None:
        """Takes in the body of a module or class."""
        found: dict[str, dict[Arms, list[ast.stmt]]] = {}
        for statement, arms in flat(body):
            if isinstance(statement, ast.ClassDef):
                self.scope(statement.body, f"{around}{statement.name}.")
            for name in names_bound(statement):
                self.gone.discard(around + name)
                found.setdefault(name, {}).setdefault(arms, []).append(statement)
            if isinstance(statement, ast.Delete) and not arms:
                self.gone.update(around + each.id for each in statement.targets if isinstance(each, ast.Name))
        for name, by_arms in found.items():
            if len(by_arms) > 1 and name != _EXPORTS:
                kept = dict.fromkeys("\n".join(_form(each, name) for each in made) for made in by_arms.values())
                if len(kept) > 1:
                    self.forms[around + name] = tuple(sorted(kept))
                    if any(self._is_borrowed(each) for made in by_arms.values() for each in made):
                        self.borrowed.add(around + name)

    def _is_borrowed(self, statement: ast.stmt) -> bool:
        """True for an import from another library."""
        path = (statement.module or "") if isinstance(statement, ast.ImportFrom) and not statement.level else ""
        return path.split(".")[0] not in ("", self._library)


def flat(body: Sequence[ast.stmt], arms: Arms = ()) -> Iterator[tuple[ast.stmt, Arms]]:
    """Every statement of a body, with the branches around it; what is there for type checkers only is left out."""
    for statement in body:
        yield statement, arms
        for at, arm in enumerate(_arms(statement)):
            checked = isinstance(statement, ast.If) and only_checked(statement)
            conditional = isinstance(statement, ast.If | ast.Try | ast.Match) and not checked
            yield from flat(arm, (*arms, (statement.lineno, at)) if conditional else arms)


def _arms(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The branches of a statement; what follows a `try` without an error belongs to it."""
    match statement:
        case ast.If() if only_checked(statement):
            return [[], statement.orelse]
        case ast.If():
            return [statement.body, statement.orelse]
        case ast.Try() | ast.TryStar():
            return [
                [*statement.body, *statement.orelse, *statement.finalbody],
                *(each.body for each in statement.handlers),
            ]
        case ast.Match():
            return [each.body for each in statement.cases]
        case ast.With() | ast.AsyncWith():
            return [statement.body]
        case ast.For() | ast.AsyncFor() | ast.While():
            return [[*statement.body, *statement.orelse]]
    return []


def only_checked(statement: ast.If) -> bool:
    """True for `if TYPE_CHECKING:` and the like, whose body never runs."""
    test = statement.test
    named = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return named == "TYPE_CHECKING"


def names_bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds by itself, without those of its body; overloads bind none for good."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if not (statement.decorator_list and any(_is_overload(each) for each in statement.decorator_list)):
                yield statement.name
        case ast.ClassDef():
            yield statement.name
        case ast.Assign():
            for target in statement.targets:
                yield from targets_of(target)
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.For() | ast.AsyncFor():
            yield from targets_of(statement.target)
        case ast.With() | ast.AsyncWith():
            for item in statement.items:
                yield from targets_of(item.optional_vars) if item.optional_vars is not None else ()
        case ast.ImportFrom():
            yield from (each.asname or each.name for each in statement.names)


def targets_of(target: ast.expr) -> Iterator[str]:
    """The plain names in the target of an assignment."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from targets_of(each.value if isinstance(each, ast.Starred) else each)


def _is_overload(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name == _OVERLOAD


def _form(statement: ast.stmt, name: str) -> str:
    """What a statement binds a name to, in one spelling."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return signature_text(statement)
        case ast.ClassDef():
            return _shape(statement)
        case ast.Assign(targets=[ast.Name()], value=value):
            return ast.unparse(value)
        case ast.ImportFrom():
            source = "." * statement.level + (statement.module or "")
            taken = next((each.name for each in statement.names if (each.asname or each.name) == name), name)
            return f"from {source} import {taken}"
        case ast.For() | ast.AsyncFor():
            return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
        case ast.With() | ast.AsyncWith():
            return f"with {', '.join(map(ast.unparse, statement.items))}"
    return ast.unparse(statement)


def signature_text(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The head of a function."""
    decorators = "".join(f"@{ast.unparse(each)} " for each in function.decorator_list)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    coloured = "async " if isinstance(function, ast.AsyncFunctionDef) else ""
    return f"{decorators}{coloured}def {function.name}({ast.unparse(function.args)}){returns}"


def _shape(cls: ast.ClassDef) -> str:
    """The head of a class, and what its body binds."""
    decorators = "".join(f"@{ast.unparse(each)} " for each in cls.decorator_list)
    bases = ", ".join(ast.unparse(each) for each in (*cls.bases, *cls.keywords))
    members = "; ".join(_form(each, name) for each, _ in flat(cls.body) for name in names_bound(each))
    return f"{decorators}class {cls.name}({bases}): {members}"


def _exported(statement: ast.stmt) -> Iterator[list[str] | None]:
    """The names that a statement adds to `__all__`; None for a change that only running tells."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr=attr), args=args)):
            added = args[0] if attr == "extend" and len(args) == 1 else ast.List(elts=args)
            yield _texts(added) if attr in ("append", "extend") else None
        case (
            ast.Assign(targets=[ast.Name(id="__all__")], value=value)
            | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
        ):
            if not _is_read(value):
                yield None


def _texts(node: ast.expr) -> list[str] | None:
    listed = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else None
    if listed is None or not all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in listed):
        return None
    return [str(each.value) for each in listed if isinstance(each, ast.Constant)]


def _is_read(node: ast.expr) -> bool:
    """True for lists of texts, the `__all__` of other modules, and sums of such."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_read(node.left) and _is_read(node.right)
    if isinstance(node, ast.List | ast.Tuple):
        return all(
            _is_read(each.value) if isinstance(each, ast.Starred) else isinstance(each, ast.Constant)
            for each in node.elts
        )
    return (isinstance(node, ast.Attribute) and node.attr == _EXPORTS) or (
        isinstance(node, ast.Name) and node.id.endswith(_EXPORTS)
    )


_SPACES: Final = frozenset({"globals", "locals", "vars"})
_RUNNERS: Final = frozenset({"setattr", "delattr", "exec", "eval"})
_MODULES: Final = "sys.modules"


@frozen
class AssignedValue:
    """A value that a name gets: its text, None where only running tells, and the line."""

    value: str | None
    line: int


@frozen
class Set:
    """An attribute that a statement sets on what a name of the file stands for."""

    owner: str
    name: str
    given: AssignedValue
    text: str


@frozen
class Context:
    """What is around a statement: the outermost loop, and whether a condition decides that it runs."""

    loop: ast.stmt | None = None
    conditional: bool = False

    @property
    def plain(self) -> bool:
        """True where the statement runs once, whenever the file runs."""
        return self.loop is None and not self.conditional


@frozen
class Bindings:
    """What a file binds besides its definitions.

    Attributes:
        names: by scope (`""`, `"C."`) and name, what tuples, `for`, `with` and `:=` bind.
        perhaps: dotted names that no statement binds for sure.
        live: names bound where type checkers don't look (`else` of `if TYPE_CHECKING`).
        sets: attributes set on classes, functions and variables.
        untold: statements that bind names which only running tells.
    """

    names: Mapping[str, Mapping[str, AssignedValue]] = field(default_factory=dict)
    perhaps: frozenset[str] = frozenset()
    live: frozenset[str] = frozenset()
    sets: tuple[Set, ...] = ()
    untold: tuple[str, ...] = ()


def bindings_of(tree: ast.Module, *, walruses: bool) -> Bindings:
    """What a parsed file binds besides its definitions; `walruses`: it holds a `:=`."""
    found = _FileBindings(walruses)
    found.scope(tree.body, "")
    return Bindings(
        found.names, frozenset(found.perhaps), frozenset(found.live), tuple(found.sets), tuple(found.untold)
    )


class _FileBindings:
    """Collects over the scopes of one file."""

    def __init__(self, walruses: bool) -> None:
        self._walrused = walruses
        self.names: defaultdict[str, dict[str, AssignedValue]] = defaultdict(dict)
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
                self.names[around].update(
                    (name, AssignedValue(None, statement.lineno)) for name in names_bound(statement)
                )
            case ast.Expr(value=ast.Call() as call):
                self._called(call, statement, context)
        if self._walrused and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._walruses(statement, around)

    def _names(self, statement: ast.Assign, around: str) -> None:
        """The names of an assignment whose targets are not plain ones alone."""
        for target in statement.targets:
            for name, value in _paired(target, statement.value):
                text = None if value is None else ast.unparse(value)
                self.names[around][name] = AssignedValue(text, statement.lineno)

    def _target(self, target: ast.expr, statement: ast.stmt, around: str, context: Context) -> None:
        value = getattr(statement, "value", None)
        text = ast.unparse(value) if value is not None and not isinstance(statement, ast.AugAssign) else None
        given = AssignedValue(text, statement.lineno)
        match target:
            case ast.Subscript(value=ast.Call(func=ast.Name(id=name), args=[]), slice=ast.Constant(value=str(key))) if (
                name in _SPACES and context.loop is None
            ):
                self.names[around][key] = given
                self.perhaps.update([around + key] if context.conditional else [])
            case ast.Attribute(attr=name) if name.startswith("__") and name.endswith("__"):
                pass
            case ast.Attribute(value=owner, attr=name) if context.plain and dotted(owner):
                self.sets.append(Set(dotted(owner), name, given, ast.unparse(statement)))
            case ast.Attribute():
                self.untold.append(ast.unparse(context.loop or statement))
            case ast.Subscript() if _is_open(target):
                self.untold.append(ast.unparse(context.loop or statement))

    def _called(self, call: ast.Call, statement: ast.stmt, context: Context) -> None:
        match call:
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(name)), value]) if (
                context.plain and dotted(owner)
            ):
                given = AssignedValue(ast.unparse(value), statement.lineno)
                self.sets.append(Set(dotted(owner), name, given, ast.unparse(statement)))
            case ast.Call(func=ast.Name(id=name)) if name in _RUNNERS:
                self.untold.append(ast.unparse(context.loop or statement))
            case ast.Call(func=ast.Attribute(value=owner)) if _is_space(owner):
                self.untold.append(ast.unparse(context.loop or statement))

    def _walruses(self, statement: ast.stmt, around: str) -> None:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr) and not isinstance(child, ast.Name | ast.Constant | ast.Attribute):
                for each in _named(child):
                    self.names[around][each.target.id] = AssignedValue(ast.unparse(each.value), each.lineno)


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


def _is_space(node: ast.expr) -> bool:
    """True for what holds the names of a module or class: `globals()`, `vars(C)`, `C.__dict__`, `sys.modules`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _SPACES
    return dotted(node) == _MODULES or (isinstance(node, ast.Attribute) and node.attr == "__dict__")


def _is_open(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and _is_space(target.value)


# What a function gives that is used as a decorator: the function itself, one that calls it alike, or another head.


class Gives(NamedTuple):
    """What a call of a decorator gives, in words; "" for what is no function of its own.

    Attributes:
        direct: what it decorates, or a function that calls that alike.
        transparent: what it decorates takes the calls that it takes without the decorator.
    """

    text: str = ""
    direct: bool = False
    transparent: bool = False


NOTHING_GIVEN: Final = Gives()
ITSELF: Final = Gives("the function itself", direct=True, transparent=True)
ALIKE: Final = Gives("a function that calls it alike", direct=True, transparent=True)
_MAX_DEPTH: Final = 3
_WRAPS: Final = ("wraps", "update_wrapper")

_DECORATED: Final = re.compile(r"\w+(?:: [^)]*)?")
"""The arguments of a decorator: the function that it gets."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def wrappers_of(tree: ast.Module) -> Mapping[str, Gives]:
    """What the functions of a file give that may decorate others, by name; those that give plain values have none."""
    found: dict[str, Gives] = {}
    for statement, _ in flat(tree.body):
        if isinstance(statement, ast.FunctionDef) and (given := _given(statement, 0)).text:
            found[statement.name] = given
        elif isinstance(statement, ast.ClassDef):
            called = (one for one in statement.body if isinstance(one, ast.FunctionDef) and one.name == "__call__")
            found |= {f"{statement.name}.__call__": given for one in called if (given := _given(one, 0, skip=1)).text}
    return found


def _given(function: _Function, depth: int, *, skip: int = 0) -> Gives:
    """What a call gives, nothing for what is no function of its own, and not made of its argument.

    Args:
        depth: functions around it.
        skip: 1 for a method, which gets its instance by itself.
    """
    arguments = [each.arg for each in (*function.args.posonlyargs, *function.args.args)][skip:]
    inner = {one.name: one for one, _ in flat(function.body) if isinstance(one, _Function)}
    returned = [node for node in _returned(function.body) if node is not None] if arguments or inner else []
    if not inner and not any(_is_made_of(node, arguments[:1]) for node in returned):
        return NOTHING_GIVEN
    found = {_value(node, (function, arguments), inner, depth) for node in returned}
    return next(iter(found)) if len(found) == 1 else Gives(" or ".join(sorted(one.text for one in found)))


def _is_made_of(node: ast.expr, names: Sequence[str]) -> bool:
    """True for the argument itself, and for a call that gets it."""
    given = node.args if isinstance(node, ast.Call) else [node]
    return any(isinstance(each, ast.Name) and each.id in names for each in given)


def _value(
    node: ast.expr, around: tuple[_Function, Sequence[str]], inner: Mapping[str, _Function], depth: int
) -> Gives:
    function, arguments = around
    if isinstance(node, ast.Call) and len(node.args) in (1, 2) and ast.unparse(node.func).endswith(_WRAPS):
        node = node.args[0]
    if isinstance(node, ast.Call) and len(node.args) == 2 and ast.unparse(node.func).endswith("cast"):
        node = node.args[1]
    if isinstance(node, ast.Name) and node.id in inner:
        return _head(inner[node.id], function, depth)
    return ITSELF if isinstance(node, ast.Name) and node.id in arguments[:1] else Gives(ast.unparse(node))


def _head(inner: _Function, around: _Function, depth: int) -> Gives:
    """The head of a function that a decorator makes, and what it gives where it is a decorator itself."""
    called = {each.arg for each in (*around.args.posonlyargs, *around.args.args, *around.args.kwonlyargs)}
    if isinstance(inner, ast.FunctionDef) and _passes_on(inner, called):
        return ALIKE
    coloured = "async " if isinstance(inner, ast.AsyncFunctionDef) else ""
    more = _given(inner, depth + 1) if depth < _MAX_DEPTH else NOTHING_GIVEN
    taken = ast.unparse(inner.args)
    through = more.direct and not coloured and _DECORATED.fullmatch(taken) is not None
    return Gives(f"{coloured}def ({taken}){f' giving {more.text}' if more.text else ''}", transparent=through)


def _passes_on(inner: ast.FunctionDef, called: set[str]) -> bool:
    """True for `(*args, **kwargs)` that goes to the decorated function as it came, whatever is done besides."""
    args = inner.args
    if args.vararg is None or args.kwarg is None or args.args or args.posonlyargs or args.kwonlyargs:
        return False
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(inner)):
        return False
    calls = [
        each
        for each in ast.walk(inner)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in called
    ]
    alike = f"(*{args.vararg.arg}, **{args.kwarg.arg})"
    changed = any(_changes(each, {args.vararg.arg, args.kwarg.arg}) for each in ast.walk(inner))
    return (
        bool(calls) and not changed and all(ast.unparse(each) == f"{ast.unparse(each.func)}{alike}" for each in calls)
    )


def _changes(node: ast.AST, names: set[str]) -> bool:
    """True for what puts other values into a name, or works on it by subscript or method."""
    if isinstance(node, ast.Name):
        return node.id in names and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id in names and not isinstance(node.ctx, ast.Load)
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id in names
        and called.attr in ("pop", "update", "setdefault", "clear", "popitem")
    )


def _returned(body: Sequence[ast.stmt]) -> Iterator[ast.expr | None]:
    return (statement.value for statement, _ in flat(body) if isinstance(statement, ast.Return))


def dotted(node: ast.expr) -> str:
    """The dotted name that an expression is, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    around = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{around}.{node.attr}" if around and isinstance(node, ast.Attribute) else ""
