"""What one file binds more than once: by condition, by `del`, and `__all__` below its assignment. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_EXPORTS: Final = "__all__"
_OVERLOAD: Final = "overload"

Arms = tuple[tuple[int, int], ...]
"""The conditions around a statement: each by its line, with the number of the branch."""


@dataclass(frozen=True, slots=True)
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
        tree: the file.
        library: the import name of the library around it.

    Raises:
        RecursionError: it is nested too deep.
    """
    said = _Said(library)
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


class _Said:
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
