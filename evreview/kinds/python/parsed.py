"""What one Python file declares, as plain values; what it loads, answers and does when it is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from evreview.core.frozen import frozen
from evreview.core.vocabulary import ClosedVocabulary
from evreview.kinds.python.bindings import NOTHING_GIVEN, Gives, flat, names_bound
from evreview.kinds.python.signatures import EITHER, KEYWORDS, REST


class LoadedBy(ClosedVocabulary):
    """How a module is loaded when the package around it is imported."""

    BY_PACKAGE = "by the package itself"
    IN_PASSING = "in passing"
    PERHAPS = "perhaps"
    NOT = "no"


_DYNAMIC: Final = re.compile(r"\bimport_module\b|\b__import__\b|\blazy_loader\b|\bpkgutil\b|\bexec\(|\bimportlib\b")
_INSIDE: Final = re.compile(r"^[ \t]+(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([^\n#]*)|import[ \t]+([^\n#]*))", re.M)
_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")


@frozen
class Loads:
    """The imports of one file, as dotted paths; of `from a import b` both `a` and `a.b`.

    Attributes:
        named: those that an import statement names, whenever the file runs.
        around: those that it loads by that, too.
        perhaps: imports below a condition or in a function.
        dynamic: it imports by what only running tells.
    """

    named: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    dynamic: bool = False


def loads_of(tree: ast.Module, code: str, called: str, *, package: bool) -> Loads:
    """The imports of a parsed file.

    Args:
        called: its dotted path, from the import name on.
        package: it is an `__init__`.
    """
    if "import" not in code:
        return Loads()
    base = called if package else called.rpartition(".")[0]
    named: set[str] = set()
    around: set[str] = set()
    perhaps: set[str] = set()
    for statement, arms in flat(tree.body):
        for path, is_named in _imported(statement, base):
            (perhaps if arms else named if is_named else around).add(path)
    for match in _INSIDE.finditer(code):
        perhaps.update(_written(match, base))
    return Loads(frozenset(named), frozenset(around), frozenset(perhaps), _DYNAMIC.search(code) is not None)


def _imported(statement: ast.stmt, base: str) -> Iterator[tuple[str, bool]]:
    """What an import loads, and whether it names it so."""
    if isinstance(statement, ast.Import):
        yield from ((each.name, True) for each in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        source = _absolute(base, statement.level, statement.module or "")
        yield source, False
        yield from ((f"{source}.{each.name}", True) for each in statement.names if each.name != "*")


def _written(match: re.Match[str], base: str) -> Iterator[str]:
    source, taken, plain = match.groups()
    if plain is not None:
        yield from _NAME.findall(plain)
        return
    level = len(source) - len(source.lstrip("."))
    path = _absolute(base, level, source.lstrip("."))
    yield path
    yield from (f"{path}.{name}" for name in _NAME.findall(taken))


def _absolute(base: str, level: int, path: str) -> str:
    if level == 0:
        return path
    steps = base.split(".")
    around = ".".join(steps[: len(steps) - level + 1])
    return f"{around}.{path}" if around and path else around or path


class Loading(Protocol):
    """A module and its imports."""

    @property
    def path(self) -> str:
        """The dotted path."""

    @property
    def loads(self) -> Loads:
        """The imports."""


@dataclass
class Loaded:
    """What an import of each package of a library loads.

    Attributes:
        modules: by dotted path.
        prefix: the import name that the paths leave out, "" elsewhere.
    """

    modules: Mapping[str, Loading]
    prefix: str = ""
    _known: dict[tuple[str, bool], frozenset[str]] = field(default_factory=dict)

    def state(self, path: str) -> LoadedBy:
        """How a module is loaded when the package around it is imported."""
        package = path.rpartition(".")[0]
        around = self.modules.get(package)
        if around is None:
            return LoadedBy.NOT
        if path in self._inside(around.loads.named):
            return LoadedBy.BY_PACKAGE
        if path in self._after(package, perhaps=False):
            return LoadedBy.IN_PASSING
        run = self._after(package, perhaps=True)
        return (
            LoadedBy.PERHAPS if path in run or any(self.modules[each].loads.dynamic for each in run) else LoadedBy.NOT
        )

    def _after(self, package: str, *, perhaps: bool) -> frozenset[str]:
        """The modules that run when a package is imported; the packages around it run before."""
        key = (package, perhaps)
        if key not in self._known:
            top = "" if "" in self.modules else package.split(".")[0]
            start = self._after(top, perhaps=perhaps) if top != package and top in self.modules else frozenset[str]()
            self._known[key] = self._reached(package, start, perhaps=perhaps)
        return self._known[key]

    def _reached(self, package: str, known: frozenset[str], *, perhaps: bool) -> frozenset[str]:
        found = set(known)
        waiting = [each for each in _steps(package) if each in self.modules and each not in found]
        if not waiting:
            return known
        found.update(waiting)
        while waiting:
            loads = self.modules[waiting.pop()].loads
            ways = (loads.named, loads.around, *([loads.perhaps] if perhaps else []))
            fresh = {each for way in ways for path in self._inside(way) for each in _steps(path)}
            fresh = {each for each in fresh if each in self.modules} - found
            found |= fresh
            waiting += fresh
        return frozenset(found)

    def _inside(self, paths: Iterable[str]) -> Iterable[str]:
        """Paths as the library's modules are called here."""
        if not self.prefix:
            return paths
        opening = f"{self.prefix}."
        return {path.removeprefix(opening) if path.startswith(opening) else path for path in paths} - {self.prefix}


def _steps(path: str) -> list[str]:
    """A module's path, and those of the packages around it."""
    steps = path.split(".")
    return [".".join(steps[:length]) for length in range(1, len(steps) + 1)]


# What the function says by which a module answers names that it does not bind (`__getattr__`, PEP 562).


class Label(ClosedVocabulary):
    """What a reader adds to the labels of griffe."""

    TYPE_ALIAS = "type alias"


ANY_NAME: Final = "*"


class Answers(NamedTuple):
    """The answers of one module.

    Attributes:
        text: the body of the function with the literals that it looks names up in, "" without one.
        mentioned: the names among its literals, and `*` where it may answer others as well.
    """

    text: str = ""
    mentioned: frozenset[str] = frozenset()


def answers_of(tree: ast.Module) -> Answers:
    """What a parsed file answers."""
    defined = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "__getattr__"]
    if not defined:
        return Answers()
    function = defined[-1]
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    tables = [
        each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign) and read & set(names_bound(each))
    ]
    told = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    body = function.body[told:]
    literals = (node.value for each in (*tables, *body) for node in ast.walk(each) if isinstance(node, ast.Constant))
    names = {text for text in literals if isinstance(text, str) and text.isidentifier()}
    listed = {name for each in tables if _is_display(each.value, set()) for name in names_bound(each)}
    asking = _Asking({each.arg for each in function.args.args}, listed)
    mentioned = names if asking.is_told(body) else names | {ANY_NAME}
    return Answers("\n".join(map(ast.unparse, [*tables, *body])), frozenset(mentioned))


class _Asking(NamedTuple):
    """How a function looks at the name that it is asked for.

    Attributes:
        asked: the parameter.
        listed: the tables of the file that are written out.
    """

    asked: set[str]
    listed: set[str]

    def is_told(self, body: Sequence[ast.stmt]) -> bool:
        """True when the literals are all that it answers."""
        return self._refuses(body) and not any(self._is_open(node) for each in body for node in ast.walk(each))

    def _refuses(self, body: Sequence[ast.stmt]) -> bool:
        """True when what is answered at the end of a body is an error, or looked up in a table by the name."""
        match body[-1] if body else None:
            case ast.Raise():
                return True
            case ast.Return(value=ast.expr() as value):
                return any(self._is_looked_up(node) for node in ast.walk(value))
            case ast.If(body=first, orelse=second):
                return self._refuses(first) and self._refuses(second)
            case ast.Try(body=first, handlers=handlers, orelse=second):
                return self._refuses(second or first) and all(self._refuses(each.body) for each in handlers)
            case ast.With(body=first):
                return self._refuses(first)
        return False

    def _is_looked_up(self, node: ast.AST) -> bool:
        """True for `table[name]`."""
        return isinstance(node, ast.Subscript) and self._is_name(node.slice) and _is_display(node.value, self.listed)

    def _is_open(self, node: ast.AST) -> bool:
        """True for a comparison of the name with what is not written out, and for what a method makes of it."""
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(self._is_name, (left, *others))):
                return not all(self._is_name(each) or _is_display(each, self.listed) for each in (left, *others))
            case ast.Attribute(value=value):
                return self._is_name(value)
        return False

    def _is_name(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.asked


def _is_display(node: ast.expr | None, listed: set[str]) -> bool:
    """True for literals, and for tables that hold them."""
    match node:
        case ast.Constant():
            return True
        case ast.List(elts=members) | ast.Tuple(elts=members) | ast.Set(elts=members):
            return all(isinstance(each, ast.Constant) for each in members)
        case ast.Dict(keys=keys):
            return all(isinstance(each, ast.Constant) for each in keys)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[inside], keywords=[]):
            return _is_display(inside, listed)
        case ast.Name(id=name):
            return name in listed
    return False


# What one Python file declares, as plain values: texts as written, names not yet resolved.


@frozen(kw_only=True)
class Argument:
    """One parameter of a signature; `kind` is one of the five of `signatures`.

    `default` and `annotation` are source texts, None where there is none.
    """

    name: str
    kind: str = EITHER
    default: str | None = None
    annotation: str | None = None

    @property
    def required(self) -> bool:
        """True when a call has to give it."""
        return self.default is None and self.kind not in (REST, KEYWORDS)


@frozen(kw_only=True)
class Declared:
    """What every declaration has.

    Attributes:
        name, file, line: what and where.
        runtime: False below `if TYPE_CHECKING`.
        forms: what it is in each branch, where branches of the file define it differently.
        perhaps: a condition decides whether the file binds it at all.
        borrowed: one branch takes it from another library.
    """

    name: str
    file: str
    line: int
    runtime: bool = True
    forms: tuple[str, ...] = ()
    perhaps: bool = False
    borrowed: bool = False


@frozen(kw_only=True)
class Function(Declared):
    """A function or method.

    Attributes:
        decorators: dotted paths of the decorators, resolved as far as the file tells.
        decorated: the decorators as written, in the same order.
        labels: what the decorators make of it (`async`, `classmethod`, `staticmethod`, `abstractmethod`, …).
        yields: it is a generator.
        overloads: its declared overloads; the function itself is the implementation.
        deprecated: the message of `@deprecated`, None without one.
        raises: exceptions that its docstring names.
        attributes: what the file sets on it.
        gives: what it makes of a function that it decorates, nothing where it gives a plain value.
    """

    arguments: tuple[Argument, ...] = ()
    returns: str | None = None
    decorators: tuple[str, ...] = ()
    decorated: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    yields: bool = False
    overloads: tuple[Function, ...] = ()
    deprecated: str | None = None
    raises: tuple[str, ...] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    gives: Gives = NOTHING_GIVEN


@frozen(kw_only=True)
class Attribute(Declared):
    """A variable, or a property when its labels say so (`property`, `writable`, `deletable`)."""

    value: str | None = None
    annotation: str | None = None
    labels: frozenset[str] = frozenset()


@frozen(kw_only=True)
class Alias(Declared):
    """A name that an import binds; a star import has the name `*`."""

    target: str


@frozen(kw_only=True)
class Class(Declared):
    """A class: its bases as dotted paths, the keywords and decorators as texts, the members in order of writing."""

    bases: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    decorators: tuple[tuple[str, str], ...] = ()
    members: Mapping[str, Member] = field(default_factory=dict)


Member = Function | Attribute | Alias | Class


@frozen(kw_only=True)
class Module:
    """One file.

    Attributes:
        path: its dotted name.
        file: where it is written.
        package: it is an `__init__`.
        members: by name; a name bound twice holds what was bound last, as far as no condition decides.
        stars: modules that `import *` takes everything from.
        exports: `__all__` as written, each a name or `module:` and the module whose `__all__` is added; None without.
        unread: lines where `__all__` changes in a way that only running tells, with the statement.
        untold: statements that bind names which only running tells.
        later: attributes that its functions set on what stands outside of them, as dotted paths.
        answers: what its `__getattr__` says.
        loads: its imports.
        script: it does more when it is run by its name than when it is imported.
    """

    path: str
    file: str
    package: bool = False
    members: Mapping[str, Member] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    exports: tuple[str, ...] | None = None
    unread: tuple[tuple[int, str], ...] = ()
    untold: tuple[str, ...] = ()
    later: frozenset[str] = frozenset()
    answers: Answers = Answers()
    loads: Loads = Loads()
    script: bool = False


# What a file does when it is run by its name, beyond what an import of it does.


_CALLED: Final = frozenset({"main", "exit", "SystemExit"})
"""What a file without the block calls where it is meant to be run."""


def is_script(tree: ast.Module) -> bool:
    """True for a file with a `__main__` block, or one that runs its main function without asking."""
    return any(_is_block(each) or _runs(each) for each in tree.body)


def _is_block(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If):
        return False
    does = any(not isinstance(each, ast.Pass) and not _is_text(each) for each in statement.body)
    return does and any(_asks(each) for each in ast.walk(statement.test))


def _asks(node: ast.AST) -> bool:
    """True for `__name__ == "__main__"`, in either order."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return False
    sides = (node.left, node.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _runs(statement: ast.stmt) -> bool:
    return any(_name(each.func) in _CALLED for each in _calls(statement))


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    made = statement.exc if isinstance(statement, ast.Raise) else getattr(statement, "value", None)
    if isinstance(statement, ast.Raise | ast.Expr) and isinstance(made, ast.Call):
        yield made


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
