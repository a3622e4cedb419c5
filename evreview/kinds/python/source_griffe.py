"""Python source as plain values, by griffe: the only file that knows it. Nothing is imported or executed.

griffe is given texts and never a path of this machine: no search paths, no inspection, no extensions that load code.
"""

from __future__ import annotations

import ast
import io
import logging
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from evreview.core.frozen import frozen
from evreview.kinds.python import parsed
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.bindings import Bindings, Branches, Gives, Set, bindings_of, branches_of, wrappers_of
from evreview.kinds.python.classes_from_calls import (
    bases_and_metaclass,
    called_with_itself,
    class_made,
    is_alone,
    rewrapped,
)
from evreview.kinds.python.names import set_later
from evreview.kinds.python.parsed import Argument, answers_of, is_script, loads_of
from evreview.kinds.python.static_conditions import settle

if TYPE_CHECKING:
    import griffe


# A parsed file with what its statements say besides its definitions: branches, other bindings, imports, wrappers.


_OF_MODULE: Final = frozenset({"module-attribute"})
_OF_CLASS: Final = frozenset({"class-attribute", "instance-attribute"})
_STAR: Final = re.compile(
    r"^([ \t]*from[ \t]+(typing|typing_extensions|dataclasses|enum|abc|collections|collections\.abc|functools"
    r"|contextlib)[ \t]+import[ \t]+)\*",
    re.M,
)
_WORD: Final = re.compile(r"\w+")


def told_stars(code: str) -> str:
    """The text with `from typing import *` and the like naming what the text uses; lines stay where they are."""
    if "import *" not in code or not (stars := {match[2] for match in _STAR.finditer(code)}):
        return code
    used = set(_WORD.findall(code))
    given = {star: ", ".join(sorted(used & set(_names_of(star)))) for star in stars}
    return _STAR.sub(lambda match: match[1] + given[match[2]] if given[match[2]] else match[0], code)


def _names_of(star: str) -> list[str]:
    """What a module of Python itself gives by `*`; typing_extensions gives at least what typing does."""
    module = import_module("typing" if star == "typing_extensions" else star)
    return [*getattr(module, "__all__", ()), *(["deprecated"] if star == "typing_extensions" else [])]


def completed(module: parsed.Module, tree: ast.Module, code: str) -> parsed.Module:
    """The module with what its text says besides its definitions.

    Raises:
        RecursionError: it is nested too deep.
    """
    branches = branches_of(tree, module.path.split(".")[0])
    bindings = bindings_of(tree, walruses=":=" in code)
    exports = None if module.exports is None else (*module.exports, *branches.exports)
    made = _Completing(module, branches, bindings, wrappers_of(tree))
    members = made.members(module.members, "", _OF_MODULE)
    members, left = made.attributed(members)
    return replace(
        module,
        members=members,
        exports=exports,
        unread=branches.unread,
        untold=(*bindings.untold, *left),
        later=set_later(tree, code, module.path, package=module.package),
        answers=answers_of(tree),
        script=is_script(tree),
        loads=loads_of(tree, code, module.path, package=module.package),
    )


@frozen
class _Completing:
    """One file: its module by definitions alone, and what the text says besides."""

    module: parsed.Module
    branches: Branches
    bindings: Bindings
    gives: Mapping[str, Gives]

    def members(
        self, members: Mapping[str, parsed.Member], around: str, labels: frozenset[str], *, live: bool = False
    ) -> Mapping[str, parsed.Member]:
        """The members of a scope: what is deleted left out, what is bound otherwise added; `live`: all of it runs."""
        found = {**members, **self._more(members, around, labels)}
        for name in [name for name in found if around + name in self.branches.gone]:
            del found[name]
        return {name: self._told(member, around + name, live=live) for name, member in found.items()}

    def _more(
        self, members: Mapping[str, parsed.Member], around: str, labels: frozenset[str]
    ) -> Mapping[str, parsed.Attribute]:
        where: dict[str, Any] = {"file": self.module.file, "labels": labels}
        return {
            name: parsed.Attribute(name=name, line=given.line, value=given.value, **where)
            for name, given in self.bindings.names.get(around, {}).items()
            if name not in members
        }

    def _told(self, member: parsed.Member, name: str, *, live: bool) -> parsed.Member:
        """A member with what the text says of it."""
        live = live or name in self.bindings.live
        if isinstance(member, parsed.Class):
            member = replace(member, members=self.members(member.members, f"{name}.", _OF_CLASS, live=live))
        elif isinstance(member, parsed.Function) and name in self.gives:
            member = replace(member, gives=self.gives[name])
        forms, perhaps = self.branches.forms.get(name, ()), name in self.bindings.perhaps
        borrowed = name in self.branches.borrowed
        runtime = member.runtime or live
        if forms or perhaps or runtime is not member.runtime:
            member = replace(member, forms=forms, perhaps=perhaps, borrowed=borrowed, runtime=runtime)
        return member

    def attributed(self, members: Mapping[str, parsed.Member]) -> tuple[Mapping[str, parsed.Member], list[str]]:
        """The members with the attributes that are set on them, and the statements about anything else."""
        found, left = dict(members), list[str]()
        for each in self.bindings.sets:
            first, _, rest = each.owner.partition(".")
            owner = found.get(first)
            changed = self._set(owner, rest, each, members) if owner is not None else None
            if changed is None:
                left.append(each.text)
            else:
                found[first] = changed
        return found, left

    def _set(
        self, owner: parsed.Member, rest: str, given: Set, members: Mapping[str, parsed.Member]
    ) -> parsed.Member | None:
        """The owner with an attribute more, None where it is neither a class nor a function of the file."""
        first, _, behind = rest.partition(".")
        if isinstance(owner, parsed.Class) and first:
            inner = owner.members.get(first)
            changed = self._set(inner, behind, given, members) if inner is not None else None
            return None if changed is None else replace(owner, members={**owner.members, first: changed})
        value = given.given.value
        where: dict[str, Any] = {"name": given.name, "file": self.module.file, "line": given.given.line}
        made = parsed.Attribute(**where, value=value, labels=_OF_CLASS)
        if isinstance(owner, parsed.Class):
            target = members.get(value or "")
            function = replace(target, **where) if isinstance(target, parsed.Function) else None
            return replace(owner, members={**owner.members, given.name: function or made})
        if isinstance(owner, parsed.Function) and not first:
            return replace(owner, attributes={**owner.attributes, given.name: made})
        return None


# Syntax that is newer than the running Python, written in the older one: `type X = …`, `def f[T]()`, `class C[T]`.
#
# Only where a text can't be parsed as it is; every line stays where it is. Source: PEP 695, PEP 696.


ALIAS: Final = "type.TypeAlias"
"""What a `type` statement is annotated with instead; nobody writes it so."""
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_BLANK: Final = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)


def in_older_syntax(code: str) -> str | None:
    """The text without type parameters and `type` statements; None where there are none, or it can't be told.

    What type parameters stand for is left to their names.
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return None
    edits = [*_edits(tokens)]
    if not edits:
        return None
    lines = code.split("\n")
    for (row, start), (last, end), text in reversed(edits):
        if row == last:
            lines[row - 1] = lines[row - 1][:start] + text + lines[row - 1][end:]
            continue
        lines[row - 1] = lines[row - 1][:start] + text + lines[last - 1][end:]
        lines[row:last] = [""] * (last - row)
    return "\n".join(lines)


_Edit = tuple[tuple[int, int], tuple[int, int], str]


def _edits(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[_Edit]:
    """What to replace, in order: from, to, and the text instead."""
    fresh = True
    for at, token in enumerate(tokens[:-2]):
        following, behind = tokens[at + 1], tokens[at + 2]
        if token.type == tokenize.NAME and following.type == tokenize.NAME:
            end = _closed(tokens, at + 2) if behind.string == "[" else None
            if token.string in ("def", "class") and end is not None:
                yield behind.start, tokens[end].end, ""
            elif token.string == "type" and fresh and (end is not None or behind.string == "="):
                yield (
                    token.start,
                    (tokens[end].end if end is not None else following.end),
                    f"{following.string}: {ALIAS}",
                )
        if token.type not in _BLANK:
            fresh = token.type == tokenize.NEWLINE or token.string in (";", ":")


def _closed(tokens: Sequence[tokenize.TokenInfo], at: int) -> int | None:
    """Where the bracket opened here is closed."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].string in _OPENING) - (tokens[place].string in _CLOSING)
        if depth == 0:
            return place
    return None


# Parameters of methods that begin with two underscores: `__x` is `_Class__x` to callers, and nobody writes `__x=`.
#
# Python language reference, "Identifiers (Names)"; before `/` such names marked arguments that are given by position.


def as_called(arguments: tuple[Argument, ...], owner: str, *, bound: bool) -> tuple[Argument, ...]:
    """The arguments of a method as its callers know them: given by position, or under the name that the class makes.

    Args:
        arguments: as written.
        owner: the class that the method is written in.
        bound: whether the first argument is the instance or the class.
    """
    made: list[Argument] = []
    ahead = True
    for at, each in enumerate(arguments):
        if each.name.startswith("__") and not each.name.endswith("__"):
            if each.kind in (sig.EITHER, sig.POSITIONAL_ONLY) and ahead:
                each = replace(each, kind=sig.POSITIONAL_ONLY)
            elif each.kind in (sig.EITHER, sig.KEYWORD_ONLY) and owner.strip("_"):
                each = replace(each, name=f"_{owner.lstrip('_')}{each.name}")
        ahead = ahead and (each.kind == sig.POSITIONAL_ONLY or (bound and at == 0))
        made.append(each)
    return tuple(made)


_KINDS: Final = {
    "positional_only": sig.POSITIONAL_ONLY,
    "positional_or_keyword": sig.EITHER,
    "keyword_only": sig.KEYWORD_ONLY,
    "var_positional": sig.REST,
    "var_keyword": sig.KEYWORDS,
}
_RAISES: Final = re.compile(
    r":raises? +([\w.]+)|^[ \t]*Raises:?[ \t]*\n((?:[ \t]*-+[ \t]*\n)?(?:[ \t]+\S.*\n?|\n)+)", re.M
)
_RAISED: Final = re.compile(r"^[ \t]+([A-Za-z_][\w.]*)[ \t]*(?::|$)", re.M)
_DEPRECATED: Final = frozenset({"warnings.deprecated", "typing_extensions.deprecated"})
_SHARED: Final = frozenset({"module-attribute", "class-attribute"})
_OURS: Final = "evreview"


def parse(path: str, file: str, code: str, stub: str | None = None) -> parsed.Module:
    """What a file declares.

    Args:
        file: its file, for places.
        stub: the text of the stub file beside it, whose annotations win.

    Raises:
        SyntaxError: the text is no Python that this interpreter reads.
    """
    try:
        return _parsed(path, file, code, stub)
    except SyntaxError:
        older = in_older_syntax(code)
        if older is None:
            raise
        return _parsed(path, file, older, stub)


def _parsed(path: str, file: str, code: str, stub: str | None) -> parsed.Module:
    seen = _Seen()
    module = _visited(path, file, code, seen)
    if stub is not None:
        module = _merged(module, _visited(path, f"{file}i", stub, _Seen()))
    return completed(_Reading(file, seen).module(path, module), seen.tree[0], code)


@frozen
class _Seen:
    """What griffe meets on its way.

    Attributes:
        tree: the tree that it made of the text.
        defined: the functions and classes by dotted path, also those that a later line binds anew.
    """

    tree: list[ast.Module] = field(default_factory=list)
    defined: dict[str, list[Any]] = field(default_factory=dict)


def _visited(path: str, file: str, code: str, seen: _Seen) -> griffe.Module:
    """griffe's module; what it meets on its way is put into `seen`."""
    import griffe

    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    parent: griffe.Module | None = None
    *around, name = path.split(".")
    for step in around:
        above = griffe.Module(step, filepath=_path("/".join([*around, "__init__.py"])), parent=parent)
        parent = above
    code = told_stars(code)
    extensions = griffe.Extensions(_noting(code, seen))
    return griffe.visit(name, filepath=_path(file), code=code, parent=parent, extensions=extensions)


def _merged(module: griffe.Module, stubs: griffe.Module) -> griffe.Module:
    """The module with what its stub file says; a name that it only imports is what the stub declares."""
    from griffe import merge_stubs

    for name in [name for name, found in stubs.overloads.items() if found]:
        member = module.members.get(name)
        if member is not None and (member.is_alias or not member.is_function):
            del module.members[name]
            module.overloads[name] = stubs.overloads.pop(name)
    return merge_stubs(module, stubs)


def _path(name: str) -> Any:
    """The name as griffe wants it; nothing is ever read there."""
    from pathlib import Path

    return Path(name)


def _noting(code: str, seen: _Seen) -> griffe.Extension:
    """Settles and notes the tree, and notes which functions yield; griffe looks at signatures only."""
    import griffe

    lines = [at for at, line in enumerate(code.split("\n"), 1) if "yield" in line] if "yield" in code else []

    class Noting(griffe.Extension):
        def on_module_node(self, *, node: Any, **_: Any) -> None:
            settle(node)
            seen.tree.append(node)

        def on_function_instance(self, *, node: Any, func: griffe.Function, **_: Any) -> None:
            seen.defined.setdefault(func.path, []).append(func)

        def on_class_instance(self, *, node: Any, cls: griffe.Class, **_: Any) -> None:
            seen.defined.setdefault(cls.path, []).append(cls)

    class Generators(Noting):
        def on_function_instance(self, *, node: Any, func: griffe.Function, **_: Any) -> None:
            super().on_function_instance(node=node, func=func)
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                return
            at = bisect_left(lines, node.lineno)
            if at < len(lines) and lines[at] <= (node.end_lineno or 0) and _yields(node):
                func.extra[_OURS]["yields"] = True

    return Generators() if lines else Noting()


def _yields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True when the body itself yields, not a function inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


class _Reading:
    """Turns griffe's objects of one file into plain values."""

    def __init__(self, file: str, seen: _Seen) -> None:
        self._file = file
        self._seen = seen
        self._made: dict[str, parsed.Class] = {}

    def module(self, path: str, module: griffe.Module) -> parsed.Module:
        stars = tuple(
            str(getattr(member, "target_path", "")) for name, member in module.members.items() if name.endswith("*")
        )
        return parsed.Module(
            path=path,
            file=self._file,
            package=PurePosixPath(self._file).stem == "__init__",
            members=self._members(module),
            stars=stars,
            exports=None if module.exports is None else tuple(_export(each) for each in module.exports),
        )

    def _members(self, owner: griffe.Module | griffe.Class) -> Mapping[str, parsed.Member]:
        found: dict[str, parsed.Member] = {}
        for name, member in owner.members.items():
            if not name.endswith("*"):
                found.update((name, made) for made in self._member(name, member))
        found |= {
            name: self._made.pop(name) for name in list(self._made) if name.removesuffix("()")[1:] in owner.members
        }
        for name, overloads in owner.overloads.items():
            # A stub file has overloads only, and no implementation.
            if overloads and name not in found:
                made = tuple(self._function(each) for each in overloads)
                found[name] = parsed.Function(
                    name=name, file=self._file, line=made[0].line, overloads=made, labels=made[0].labels
                )
        return found

    def _member(self, name: str, member: Any) -> Iterator[parsed.Member]:
        line = (member.alias_lineno if member.is_alias else member.lineno) or 1
        where: dict[str, Any] = {"name": name, "file": self._file, "line": line, "runtime": member.runtime}
        if member.is_alias:
            yield parsed.Alias(**where, target=member.target_path)
        elif member.is_function:
            yield self._function(member)
        elif member.is_class:
            yield self._class(member, where)
        elif member.is_attribute:
            if (rewrapped := self._rewrapped(member, where)) is not None:
                yield rewrapped
                return
            value, labels = _text(member.value), frozenset(member.labels)
            if value is not None and value.startswith("property("):
                labels |= _accessors(value)
            if member.annotation is None and labels & _SHARED and value is not None and value.endswith(")"):
                path = getattr(getattr(member.value, "function", None), "canonical_path", "")
                if path and (cls := class_made(ast.parse(value, mode="eval").body, path, where)) is not None:
                    yield cls
                    return
            if (called := _lambda(value)) is not None and member.annotation is None and labels & _SHARED:
                yield parsed.Function(**where, arguments=called)
                return
            annotation = _text(member.annotation)
            if annotation == ALIAS:
                annotation, labels = None, frozenset({parsed.Label.TYPE_ALIAS})
            yield parsed.Attribute(**where, value=value, annotation=annotation, labels=labels)
        elif member.kind.name == "TYPE_ALIAS":
            yield parsed.Attribute(**where, value=_text(member.value), labels=frozenset({parsed.Label.TYPE_ALIAS}))

    def _class(self, cls: Any, where: Mapping[str, Any]) -> parsed.Class:
        bases, meta = bases_and_metaclass(cls.bases)
        decorators = [(each.callable_path, str(each.value)) for each in cls.decorators]
        added = next((text for path, text in decorators if path.endswith("add_metaclass")), "")
        keywords = {key: str(value) for key, value in cls.keywords.items()}
        if (named := meta or added.partition("(")[2].removesuffix(")")) and "metaclass" not in keywords:
            keywords["metaclass"] = named
        return parsed.Class(
            **where,
            bases=tuple(self._base(base, cls) for base in bases),
            keywords=keywords,
            decorators=tuple((path, text) for path, text in decorators if text != added),
            members=self._members(cls),
        )

    def _rewrapped(self, member: griffe.Attribute, where: Mapping[str, Any]) -> parsed.Function | parsed.Class | None:
        """The function or class of a line like `f = partial(f, 1)` or `f = decorated(f)`, None for any other line."""
        line = where["line"]
        before = [each for each in self._seen.defined.get(member.path, ()) if (each.lineno or 0) < line]
        call = called_with_itself(_text(member.value) or "", member.name) if before else None
        if call is None:
            return None
        path = str(getattr(getattr(member.value, "function", None), "canonical_path", ""))
        if before[-1].is_class:
            cls = self._class(before[-1], where)
            return (
                replace(cls, decorators=((path, ast.unparse(call.func)), *cls.decorators)) if is_alone(call) else None
            )
        return rewrapped(self._function(before[-1]), call, path, where)

    def _base(self, base: Any, cls: griffe.Class) -> str:
        """The dotted path of a base; of one that a call makes, that of a private class made here."""
        path = getattr(getattr(base, "function", None), "canonical_path", "")
        where = {"name": f"_{cls.name}()", "file": self._file, "line": cls.lineno or 1}
        made = class_made(ast.parse(str(base), mode="eval").body, path, where) if path else None
        if made is None or cls.parent is None:
            return _dotted(base)
        self._made[made.name] = made
        return f"{cls.parent.path}.{made.name}"

    def _function(self, function: griffe.Function) -> parsed.Function:
        messages = [str(each.value) for each in function.decorators if each.callable_path in _DEPRECATED]
        arguments = _arguments(function)
        if function.parent is not None and function.parent.is_class:
            static = any(each.callable_path == "staticmethod" for each in function.decorators)
            arguments = as_called(arguments, function.parent.name, bound=not static)
        return parsed.Function(
            name=function.name,
            file=self._file,
            line=function.lineno or 1,
            runtime=bool(function.runtime),
            arguments=arguments,
            returns=_text(function.returns),
            decorators=tuple(each.callable_path for each in function.decorators),
            decorated=tuple(str(each.value) for each in function.decorators),
            labels=frozenset(function.labels),
            yields=bool(function.extra.get(_OURS, {}).get("yields")),
            overloads=tuple(self._function(each) for each in function.overloads or ()),
            deprecated=messages[0] if messages else None,
            raises=_raises(function),
        )


def _arguments(function: griffe.Function) -> tuple[parsed.Argument, ...]:
    """The parameters; names with two underscores in front say that calls give them by position (PEP 484)."""
    found = [_argument(each) for each in function.parameters]
    method = function.parent is not None and function.parent.is_class and "staticmethod" not in function.labels
    for at, each in enumerate(found):
        if each.kind == sig.EITHER and each.name.startswith("__") and not each.name.endswith("__"):
            found[at] = replace(each, kind=sig.POSITIONAL_ONLY)
        elif each.kind != sig.POSITIONAL_ONLY and not (method and at == 0):
            break
    return tuple(found)


def _argument(parameter: griffe.Parameter) -> parsed.Argument:
    kind = _KINDS[parameter.kind.name] if parameter.kind is not None else sig.EITHER
    rest = kind in (sig.REST, sig.KEYWORDS)
    return parsed.Argument(
        name=parameter.name.lstrip("*"),
        kind=kind,
        default=None if rest else _text(parameter.default),
        annotation=_text(parameter.annotation),
    )


def _raises(function: griffe.Function) -> tuple[str, ...]:
    """The exceptions that a docstring promises, sorted."""
    text = function.docstring.value if function.docstring is not None else ""
    if "aise" not in text:
        return ()
    found: set[str] = set()
    for match in _RAISES.finditer(text):
        found |= {match[1]} if match[1] else set(_RAISED.findall(match[2]))
    return tuple(sorted(found))


def _lambda(value: str | None) -> tuple[parsed.Argument, ...] | None:
    """The arguments of a lambda, None for any other text."""
    if value is None or not value.startswith("lambda"):
        return None
    try:
        node = ast.parse(value, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        return None
    if not isinstance(node, ast.Lambda):
        return None
    import griffe

    made = griffe.visit("m", filepath=_path("m.py"), code=f"def f({ast.unparse(node.args)}): ...").members["f"]
    return tuple(_argument(each) for each in made.parameters) if isinstance(made, griffe.Function) else None


def _accessors(value: str) -> frozenset[str]:
    """What `property(get, set, delete)` makes of an attribute, as griffe labels one made by decorators."""
    try:
        call = ast.parse(value, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        return frozenset()
    if not isinstance(call, ast.Call):
        return frozenset()
    given = dict(zip(("fget", "fset", "fdel"), call.args, strict=False)) | {
        each.arg: each.value for each in call.keywords
    }
    there = {name for name, each in given.items() if not (isinstance(each, ast.Constant) and each.value is None)}
    named = {"fset": "writable", "fdel": "deletable"}
    return frozenset({"property"} | {label for name, label in named.items() if name in there})


def _text(expression: object) -> str | None:
    return None if expression is None else str(expression)


def _dotted(expression: Any) -> str:
    """The dotted path of a base, its subscript kept (`pkg.Base[int]`)."""
    if isinstance(expression, str):
        return expression
    path = str(expression.canonical_path)
    text = str(expression)
    return path + text[text.index("[") :] if "[" in text and "(" not in text else path if "(" not in text else text


def _export(export: Any) -> str:
    """A name of `__all__`, or the module whose `__all__` it adds."""
    return export if isinstance(export, str) else f"module:{export.canonical_path}"
