"""The names of a library: what each module binds, what an alias leads to, and which names are public.

Public is what a module lists in `__all__`; without one, what it defines under a name without leading underscore, and
what the `__init__` of a package takes over from modules of the same library (PEP 8, "Public and internal interfaces").
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Final, NamedTuple

from evreview.core.frozen import frozen
from evreview.kinds.python.bindings import dotted
from evreview.kinds.python.classes_from_calls import partly_bound, partly_called
from evreview.kinds.python.parsed import Alias, Attribute, Class, Function, Label, Member, Module

# The order in which Python looks a member up in a class and those that it inherits from (C3).
#
# Source: The Python 2.3 method resolution order.


def in_order(lines: list[list[str]]) -> list[str]:
    """The lines of the bases as one; what contradicts itself is taken in the order met."""
    waiting = [list(line) for line in lines if line]
    order: list[str] = []
    while waiting:
        heads = [line[0] for line in waiting]
        head = next((name for name in heads if not any(name in line[1:] for line in waiting)), heads[0])
        order.append(head)
        waiting = [rest for line in waiting if (rest := [name for name in line if name != head])]
    return order


MAX_STEPS: Final = 64
"""Aliases that are followed one after the other, and classes of one line of inheritance."""
MAX_PARTIAL: Final = 8
"""Partial objects of partial objects that are followed."""
_OF_MODULES: Final = frozenset({"__all__", "__getattr__", "__dir__"})
"""Names that say something of the module that binds them."""
_TESTS: Final = frozenset({"tests", "conftest", "__main__"})


class ResolvedDeclaration(NamedTuple):
    """A declaration and where it is defined: its dotted path, and the module around it."""

    path: str
    module: Module
    member: Member


class OwnedMember(NamedTuple):
    """A member of a class, and the class that defines it."""

    member: Member
    owner: ResolvedDeclaration


@frozen
class InheritanceLine:
    """The line of inheritance of a class.

    Attributes:
        own: classes of the library, the class itself first, in the order in which members are looked up.
        outside: dotted paths of bases that are defined elsewhere.
    """

    own: tuple[ResolvedDeclaration, ...]
    outside: tuple[str, ...]


def is_private(name: str) -> bool:
    """True for a name that starts with an underscore and is no special method."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


@dataclass
class Names:
    """Everything that the modules of one library bind.

    Attributes:
        modules: by dotted path.
        prefix: the library's own import name where the paths leave it out, "" elsewhere.
    """

    modules: Mapping[str, Module]
    prefix: str = ""
    _lines: dict[str, InheritanceLine] = field(default_factory=dict)
    _bound: dict[str, Mapping[str, Member]] = field(default_factory=dict)

    @cached_property
    def public_modules(self) -> tuple[Module, ...]:
        """Modules without a private or a test part in their path, sorted by path."""
        return tuple(module for path, module in sorted(self.modules.items()) if _is_public_path(path))

    @cached_property
    def public(self) -> tuple[PublicName, ...]:
        """The public names of the library's public modules, by module, in order of binding."""
        return tuple(public_names(self))

    @cached_property
    def untold(self) -> Mapping[str, tuple[str, ...]]:
        """Statements that bind names which only running tells, by the public module that they are in or below."""
        shown = {module.path for module in self.public_modules}
        found: dict[str, tuple[str, ...]] = {}
        for path, module in sorted(self.modules.items()):
            if module.untold and not is_test(path):
                steps = path.split(".") if path else []
                above = (".".join(steps[:length]) for length in range(len(steps), -1, -1))
                at = next((each for each in above if each in shown), "")
                found[at] = (*found.get(at, ()), *module.untold)
        return found

    def exports(self, module: Module, depth: int = 0) -> frozenset[str] | None:
        """The names of `__all__`, None without one; what another module's list adds is added."""
        if module.exports is None:
            return None
        found: set[str] = set()
        for each in module.exports:
            other, named = each.removeprefix("module:").removesuffix(".__all__"), not each.startswith("module:")
            if named:
                found.add(each)
            elif (target := self._beside(other, module)) is not None and depth < MAX_STEPS:
                found |= self.exports(target, depth + 1) or frozenset()
        return frozenset(found)

    def missing(self, module: Module) -> list[str]:
        """The names of `__all__` that neither a statement of the module binds nor a module of the package is."""
        listed = self.exports(module) or frozenset()
        if "__getattr__" in module.members or module.untold or self.open_stars(module):
            return []
        known = self.bound(module)
        return sorted(one for one in listed if one not in known and _joined(module.path, one) not in self.modules)

    def bound(self, module: Module) -> Mapping[str, Member]:
        """Every name that a module binds, star imports of the library followed."""
        if module.path not in self._bound:
            self._bound[module.path] = module.members
            found: dict[str, Member] = {}
            for star in module.stars:
                source = self._module(star)
                if source is not None and source is not module:
                    found |= self._starred(source, module)
            self._bound[module.path] = {**found, **module.members}
        return self._bound[module.path]

    def _starred(self, source: Module, into: Module) -> dict[str, Member]:
        listed, bound = self.exports(source), self.bound(source)
        names = [name for name in bound if not name.startswith("_")] if listed is None else sorted(listed & set(bound))
        return {
            name: Alias(name=name, file=into.file, line=1, target=f"{source.path}.{name}" if source.path else name)
            for name in names
        }

    def open_stars(self, module: Module) -> tuple[str, ...]:
        """Modules outside of the library that a module takes every name from."""
        return tuple(star for star in module.stars if self._module(star) is None)

    def find(self, path: str, depth: int = 0) -> ResolvedDeclaration | Module | None:
        """What a dotted path leads to, aliases followed; None for what the library does not define."""
        path = self._inside(path)
        if (whole := self.modules.get(path)) is not None and not self.is_shadowed(path):
            return whole
        module, names = self._split(path)
        if module is None or not names or depth > MAX_STEPS:
            return self.modules.get(path)
        member = self.bound(module).get(names[0])
        if isinstance(member, Alias):
            return self.find(".".join([member.target, *names[1:]]), depth + 1)
        if member is None:
            return None
        return self._within(ResolvedDeclaration(_joined(module.path, names[0]), module, member), names[1:])

    def named(self, found: ResolvedDeclaration | Module | None, depth: int = 0) -> ResolvedDeclaration | Module | None:
        """The class or function that a line like `A = _A` gives another name, else what was found."""
        member = found.member if isinstance(found, ResolvedDeclaration) else None
        if (
            not isinstance(found, ResolvedDeclaration)
            or not isinstance(member, Attribute)
            or member.annotation is not None
        ):
            return found
        value = member.value or ""
        if value.endswith(")") and "partial(" in value:
            # A chain of partial objects may lead back to its start: `f = partial(g)` and `g = partial(f)`.
            return (self._partial(found, member, depth) if depth < MAX_PARTIAL else None) or found
        target = self.find(self.scope(found.module, value)) if value.replace(".", "").isidentifier() else None
        if not isinstance(target, ResolvedDeclaration) or not isinstance(target.member, Class | Function):
            return found
        forms, borrowed = member.forms or target.member.forms, member.borrowed or target.member.borrowed
        return target._replace(member=replace(target.member, forms=forms, borrowed=borrowed))

    def _partial(self, found: ResolvedDeclaration, member: Attribute, depth: int) -> ResolvedDeclaration | None:
        """The function that `f = partial(_f, 1)` makes, None for what it is not known of."""
        called = (member.value or "").partition("(")[0]
        made = partly_called(member.value or "") if self.scope(found.module, called) == "functools.partial" else None
        target = self.named(self.find(self.scope(found.module, made[0])), depth + 1) if made is not None else None
        if made is None or not isinstance(target, ResolvedDeclaration) or not isinstance(target.member, Function):
            return None
        arguments = partly_bound(target.member.arguments, made[1], dict(made[2]))
        if arguments is None:
            return None
        shown = Function(
            name=member.name, file=member.file, line=member.line, arguments=arguments, returns=target.member.returns
        )
        return ResolvedDeclaration(
            found.path,
            target.module,
            replace(shown, forms=member.forms, perhaps=member.perhaps, borrowed=target.member.borrowed),
        )

    def _beside(self, path: str, module: Module) -> Module | None:
        """The module of a path, or of a path below a module of the library (`from . import part`)."""
        return self._module(path) or self._module(_joined(module.path, path)) or self._aliased(module, path)

    def _aliased(self, module: Module, path: str) -> Module | None:
        found = self.find(self.scope(module, path))
        return found if isinstance(found, Module) else None

    def is_shadowed(self, path: str) -> bool:
        """True when a package binds a name of its own that one of its modules has, too."""
        around, _, name = path.rpartition(".")
        package = self.modules.get(around) if around or "" in self.modules else None
        member = package.members.get(name) if package is not None else None
        return member is not None and not isinstance(member, Alias)

    def is_rebound(self, path: str) -> bool:
        """True when a package takes over something else under the name of one of its modules."""
        around, _, name = path.rpartition(".")
        package = self.modules.get(around)
        member = self.bound(package).get(name) if package is not None else None
        return isinstance(member, Alias) and self._inside(member.target) != path

    def _within(self, found: ResolvedDeclaration, names: list[str]) -> ResolvedDeclaration | None:
        for name in names:
            if not isinstance(found.member, Class):
                return None
            owned = self.members(found).get(name)
            if owned is None:
                return None
            found = ResolvedDeclaration(f"{found.path}.{name}", owned.owner.module, owned.member)
        return found

    def _inside(self, path: str) -> str:
        if self.prefix and (path == self.prefix or path.startswith(self.prefix + ".")):
            return path[len(self.prefix) + 1 :]
        return path

    def _module(self, path: str) -> Module | None:
        return self.modules.get(self._inside(path))

    def _split(self, path: str) -> tuple[Module | None, list[str]]:
        """The longest module at the start of a path, and the names behind it."""
        steps = path.split(".")
        for length in range(len(steps) - 1, -1, -1):
            module = self.modules.get(".".join(steps[:length]))
            if module is not None:
                return module, steps[length:]
        return None, steps

    def scope(self, module: Module, name: str) -> str:
        """The dotted path that a name used in a module stands for, as far as its own bindings tell."""
        first, sign, rest = name.partition(".")
        member = self.bound(module).get(first)
        if isinstance(member, Alias):
            return member.target + sign + rest
        below = bool(rest) and module.package and _joined(module.path, first) in self.modules
        return _joined(module.path, name) if member is not None or below else name

    def line(self, cls: ResolvedDeclaration) -> InheritanceLine:
        """The line of inheritance, by the order that Python computes (C3), or depth first where that has none."""
        known = self._lines.get(cls.path)
        if known is None:
            self._lines[cls.path] = InheritanceLine((cls,), ())
            known = self._lines[cls.path] = self._made(cls)
        return known

    def base(self, cls: ResolvedDeclaration, base: str) -> ResolvedDeclaration | str:
        """The class of the library that a base is, else the dotted path of what another one defines.

        `_Base = dict` and `_Base = dict[str, str]` are other names of a class.
        """
        path = base.partition("[")[0]
        found = self.find(path) or self.find(self.scope(cls.module, path))
        for _ in range(MAX_STEPS):
            if not isinstance(found, ResolvedDeclaration) or not isinstance(found.member, Attribute):
                break
            value = (found.member.value or "").partition("[")[0]
            if not value.replace(".", "").isidentifier():
                break
            path = self.scope(found.module, value)
            found = self.find(path)
        return found if isinstance(found, ResolvedDeclaration) and isinstance(found.member, Class) else path

    def _made(self, cls: ResolvedDeclaration) -> InheritanceLine:
        assert isinstance(cls.member, Class)
        lines, outside = [], []
        for base in cls.member.bases:
            found = self.base(cls, base)
            if isinstance(found, ResolvedDeclaration):
                lines.append(self.line(found))
            else:
                outside.append(found)
        for line in lines:
            outside += [each for each in line.outside if each not in outside]
        order = in_order([[each.path for each in line.own] for line in lines])
        by_path = {each.path: each for line in lines for each in line.own}
        own = (cls, *(by_path[path] for path in order if path != cls.path))
        return InheritanceLine(own[:MAX_STEPS], tuple(outside))

    def members(self, cls: ResolvedDeclaration) -> Mapping[str, OwnedMember]:
        """Every member that instances of a class of the library have from it and its bases there."""
        found: dict[str, OwnedMember] = {}
        for owner in reversed(self.line(cls).own):
            if isinstance(owner.member, Class):
                # Another library may give the class, and then none of these are there.
                borrowed = owner.member.borrowed
                for name, member in owner.member.members.items():
                    found[name] = OwnedMember(
                        replace(member, perhaps=True, borrowed=True) if borrowed else member, owner
                    )
        return found


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_public_path(path: str) -> bool:
    parts = path.split(".") if path else []
    return not any(is_private(part) for part in parts) and not is_test(path)


def is_test(path: str) -> bool:
    """True for a module that holds tests, or runs when the package is started."""
    return any(part in _TESTS or part.startswith("test_") for part in path.split("."))


class PublicName(NamedTuple):
    """A public name of a module: its dotted path, what it leads to, and where the name itself is bound.

    `listed`: `from module import *` binds it. `found` is None for what another library defines.
    """

    key: str
    found: ResolvedDeclaration | None
    bound: Member
    listed: bool


def public_names(names: Names) -> Iterator[PublicName]:
    """The public names of the library's public modules, by module, in order of binding."""
    for module in names.public_modules:
        exports = names.exports(module)
        for name, member in names.bound(module).items():
            if member.runtime and name not in _OF_MODULES:
                yield from _public(names, module, member, exports)


def _public(
    names: Names, module: Module, member: Member, exports: frozenset[str] | None, around: frozenset[str] = frozenset()
) -> Iterator[PublicName]:
    name, key = member.name, _joined(module.path, member.name)
    listed = name in exports if exports is not None else not name.startswith("_")
    alias = isinstance(member, Alias)
    if not listed and (alias or name.startswith("_")):
        return
    found = names.named(names.find(member.target if isinstance(member, Alias) else key))
    if key in names.modules or (alias and exports is None and (not module.package or found is None)):
        return
    if isinstance(found, Module):
        yield from _of_module(names, found, PublicName(key, None, member, listed), around)
        return
    yield PublicName(key, found, member, listed)


def _of_module(
    names: Names, module: Module, name: PublicName, around: frozenset[str] = frozenset()
) -> Iterator[PublicName]:
    """The names of a module that is public under another name alone (`from . import _impl as api`)."""
    if module.path in around or not is_hidden(module.path) or names.is_rebound(module.path):
        return
    exports = names.exports(module)
    for member in names.bound(module).values():
        if member.runtime and member.name not in _OF_MODULES:
            for inner in _public(names, module, member, exports, around | {module.path}):
                key = _joined(name.key, inner.key.removeprefix(f"{module.path}."))
                yield inner._replace(key=key, listed=name.listed)


def is_hidden(path: str) -> bool:
    """True for a module that no client imports by its own path, and that is no test."""
    return not _is_public_path(path) and not is_test(path)


def relayed_names(names: Names, module: Module) -> Iterator[PublicName]:
    """Names that a public module imports for its own use: no part of its interface, and yet there to be imported."""
    exports = names.exports(module)
    for name, member in names.bound(module).items():
        if not isinstance(member, Alias) or name.startswith("_") or not member.runtime:
            continue
        found, key = names.find(member.target), _joined(module.path, name)
        if key in names.modules or any(_public(names, module, member, exports)):
            continue
        if isinstance(found, Module):
            yield from _of_module(names, found, PublicName(key, None, member, exports is None))
        else:
            yield PublicName(key, found, member, exports is None)


def is_type_alias(found: ResolvedDeclaration) -> bool:
    """True for a variable that stands for a type, as far as its declaration tells."""
    member = found.member
    return not isinstance(member, Class | Function | Alias) and (
        Label.TYPE_ALIAS in member.labels or (member.annotation or "").endswith("TypeAlias")
    )


# Attributes that a function sets on what stands outside of it (`Template.render = wrap(Template.render)`).
#
# Whether and when the function runs no text tells, so what such a name stands for is open.


_SETS: Final = re.compile(r"^[ \t]+(?!self\.)[A-Za-z_][\w.]*\.\w+[ \t]*=(?!=)|\bsetattr\(", re.M)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def set_later(tree: ast.Module, code: str, called: str, *, package: bool) -> frozenset[str]:
    """The attributes that functions of a file set on names that are not their own, as dotted paths.

    Args:
        called: its dotted path.
        package: it is an `__init__`.
    """
    if _SETS.search(code) is None:
        return frozenset()
    base = called if package else called.rpartition(".")[0]
    return frozenset(name for body in _functions(tree) for name in _of(body, base))


def on_classes(names: Names) -> Mapping[str, frozenset[str]]:
    """What functions of a library set on its classes, by the class's path."""
    found: dict[str, frozenset[str]] = {}
    for module in names.modules.values():
        for path in module.later:
            owner, _, name = path.rpartition(".")
            cls = names.named(names.find(names.scope(module, owner)))
            if isinstance(cls, ResolvedDeclaration) and isinstance(cls.member, Class):
                found[cls.path] = found.get(cls.path, frozenset()) | {name}
    return found


def _functions(tree: ast.Module) -> Iterator[_Function]:
    """The outermost functions, methods included."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Function):
            yield node
        elif not isinstance(node, ast.expr):
            waiting.extend(ast.iter_child_nodes(node))


def _of(function: _Function, base: str) -> Iterator[str]:
    """What one function sets, the functions in it included; names that it binds itself are its own."""
    sets: list[tuple[str, str]] = []
    own: set[str] = set()
    imported: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.ImportFrom():
                imported |= _imported(node, base)
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()):
                sets.append((dotted(owner), name))
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                sets.append((dotted(owner), name))
    for holder, name in sets:
        first, sign, rest = holder.partition(".")
        if first and first not in own:
            yield f"{imported.get(first, first)}{sign}{rest}.{name}"


def _imported(node: ast.ImportFrom, base: str) -> Mapping[str, str]:
    """The names that an import inside of a function binds, as absolute paths."""
    steps = base.split(".")
    above = ".".join(steps[: len(steps) - node.level + 1]) if node.level else ""
    start = ".".join(part for part in (above, node.module) if part)
    return {each.asname or each.name: f"{start}.{each.name}" if start else each.name for each in node.names}


# Classes of Python's own library, as far as bases of a library may be such: looked up, never guessed.
#
# Only modules of the list are imported, and only those of the Python that runs: nothing under review is among them.


_MODULES: Final = frozenset(
    {
        "abc", "argparse", "ast", "asyncio", "collections", "collections.abc", "concurrent.futures", "configparser",
        "contextlib", "csv", "dataclasses", "datetime", "decimal", "email.message", "enum", "fractions", "functools",
        "html.parser", "http.server", "io", "json", "logging", "logging.handlers", "numbers", "pathlib", "queue",
        "random", "selectors", "shelve", "socket", "socketserver", "ssl", "string", "subprocess", "tarfile",
        "threading", "types", "typing", "unittest", "urllib.error", "uuid", "warnings", "weakref", "zipfile",
    }
)  # fmt: skip


def builtin(path: str) -> type | None:
    """The builtin class of this name."""
    found = getattr(builtins, path.removeprefix("builtins.").split("[")[0], None)
    return found if isinstance(found, type) else None


def has_name(module: str, name: str) -> bool | None:
    """Whether a module of Python's own library has a name; None for a module that is not looked up."""
    return hasattr(import_module(module), name) if module in _MODULES else None


@lru_cache(maxsize=1024)
def standard(path: str) -> type | None:
    """The class of Python's own library, builtin or not, that a dotted path names; None for any other."""
    module, _, name = path.split("[")[0].rpartition(".")
    if module in ("", "builtins"):
        return builtin(path)
    if module not in _MODULES or not name.isidentifier() or name.startswith("_"):
        return None
    found = getattr(import_module(module), name, None)
    found = getattr(found, "__origin__", found) if module == "typing" else found
    return found if isinstance(found, type) and found.__module__ != "typing" else None


def ancestors_of(path: str) -> frozenset[str]:
    """The names of what instances of a standard class are, by their public modules; the path alone for any other."""
    known = standard(path)
    if known is None:
        return frozenset({path.split("[")[0]})
    silent = path.startswith(("builtins.", "typing.")) or "." not in path
    own = set[str]() if silent else {path.split("[")[0]}
    return frozenset(own | {name for each in known.__mro__ if (name := _public_name(each))})


def _public_name(cls: type) -> str:
    if cls.__module__ == "builtins":
        return cls.__name__
    return "" if cls.__module__.startswith("_") else f"{cls.__module__}.{cls.__qualname__}"


def is_one_of(ancestors: Iterable[str], path: str) -> bool:
    """True when instances of the ancestors are instances of a class, also by what an abstract class registers."""
    wanted = standard(path)
    for one in ancestors:
        known = standard(one)
        if one == path or (wanted is not None and known is not None and issubclass(known, wanted)):
            return True
    return False
