"""What calls and lines make of classes and functions: named tuples, enums, dataclasses, partials, rewrapped names.

Only literal calls are followed; anything else stays what it is, a value that only running tells.
Sources: collections, namedtuple; typing, NamedTuple and TypedDict; enum, functional API; dataclasses, make_dataclass.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from evreview.core.frozen import frozen
from evreview.kinds.python.parsed import Argument, Attribute, Class, Function, Member
from evreview.kinds.python.signatures import EITHER, KEYWORD_ONLY, KEYWORDS, POSITIONAL_ONLY, REST

FIELD: Final = "field"
"""Labels a field that has no annotation."""
ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_OF_CLASS: Final = frozenset({"class-attribute", "instance-attribute"})
_SILENT: Final = frozenset({"module", "qualname"})


@frozen
class _Made:
    """What a call says of a class: fields or members by name, each with annotation and value, and the class's head."""

    members: Mapping[str, tuple[str | None, str | None]]
    bases: tuple[str, ...]
    keywords: Mapping[str, str]
    decorators: tuple[tuple[str, str], ...] = ()


def class_made(call: ast.expr, path: str, where: Mapping[str, Any]) -> Class | None:
    """The class that a call makes.

    Args:
        call: the call as written.
        path: the dotted path of what is called.
        where: name, file, line and runtime of the class.
    """
    making = _BY_PATH.get(path.replace("typing_extensions.", "typing."))
    if making is None or not isinstance(call, ast.Call) or any(each.arg is None for each in call.keywords):
        return None
    try:
        made = making(call, path)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    if made is None or not all(name.isidentifier() and not keyword.iskeyword(name) for name in made.members):
        return None
    return Class(
        **where, bases=made.bases, keywords=made.keywords, decorators=made.decorators, members=_members(made, where)
    )


def _members(made: _Made, where: Mapping[str, Any]) -> Mapping[str, Member]:
    found: dict[str, Member] = {}
    for name, (annotation, value) in made.members.items():
        placed = {**where, "name": name}
        labels = _OF_CLASS | {FIELD} if annotation is None else _OF_CLASS
        found[name] = Attribute(**placed, value=value, annotation=annotation, labels=frozenset(labels))
    return found


def _named_tuple(call: ast.Call, path: str) -> _Made | None:
    given = _given(call, ("typename", "field_names"), _SILENT | {"defaults", "rename"})
    if given is None or "field_names" not in given:
        return None
    names = _texts(given["field_names"])
    if "rename" in given and ast.literal_eval(given["rename"]):
        return None
    defaults = _elements(given["defaults"]) if "defaults" in given and not _is_none(given["defaults"]) else []
    texts: list[str | None] = [None] * (len(names) - len(defaults))
    texts += [ast.unparse(each) for each in defaults]
    fields = dict(zip(names, ((None, text) for text in texts), strict=True))
    return _Made(fields, ("typing.NamedTuple",), {}) if len(fields) == len(names) else None


def _typed_tuple(call: ast.Call, path: str) -> _Made | None:
    given = _given(call, ("typename", "fields"), frozenset())
    if given is None or "fields" not in given:
        return None
    fields: dict[str, tuple[str | None, str | None]] = {}
    for each in _elements(given["fields"]):
        name, annotation = _elements(each)
        fields[_text(name)] = (ast.unparse(annotation), None)
    return _Made(fields, ("typing.NamedTuple",), {})


def _typed_dict(call: ast.Call, path: str) -> _Made | None:
    given = _given(call, ("typename", "fields"), frozenset({"total"}))
    if given is None or not isinstance(given.get("fields"), ast.Dict):
        return None
    table = given["fields"]
    assert isinstance(table, ast.Dict)
    keys = {_text(key): (ast.unparse(value), None) for key, value in zip(table.keys, table.values, strict=True)}
    return _Made(keys, ("typing.TypedDict",), {"total": ast.unparse(given["total"])} if "total" in given else {})


def _enum(call: ast.Call, path: str) -> _Made | None:
    given = _given(call, ("value", "names"), _SILENT | {"start"})
    if given is None or "names" not in given:
        return None
    names = given["names"]
    start = ast.literal_eval(given["start"]) if "start" in given else 1
    if not isinstance(start, int) or ("start" in given and "Flag" in path):
        return None
    return _Made(dict(_enumerated(names, path, start)), (path,), {})


def _enumerated(names: ast.expr, path: str, start: int) -> Iterator[tuple[str, tuple[None, str]]]:
    kind = path.rpartition(".")[2]
    if isinstance(names, ast.Dict):
        for key, given in zip(names.keys, names.values, strict=True):
            yield _text(key), (None, ast.unparse(given))
        return
    written = None if isinstance(names, ast.Constant) else _elements(names)
    if written and all(isinstance(each, ast.Tuple | ast.List) for each in written):
        for each in written:
            name, value = _elements(each)
            yield _text(name), (None, ast.unparse(value))
        return
    for at, member in enumerate(_texts(names)):
        following = repr(member.lower()) if kind == "StrEnum" else str(1 << at if "Flag" in kind else start + at)
        yield member, (None, following)


def _data(call: ast.Call, path: str) -> _Made | None:
    options = {each.arg: each.value for each in call.keywords if each.arg and isinstance(each.value, ast.Constant)}
    if len(options) != len(call.keywords) or len(call.args) != 2:
        return None
    fields: dict[str, tuple[str | None, str | None]] = {}
    for each in _elements(call.args[1]):
        if isinstance(each, ast.Constant):
            fields[_text(each)] = ("typing.Any", None)
            continue
        name, annotation, *more = _elements(each)
        fields[_text(name)] = (ast.unparse(annotation), ast.unparse(more[0]) if more else None)
    kept = ", ".join(f"{name}={ast.unparse(value)}" for name, value in options.items() if name not in _SILENT)
    return _Made(fields, (), {}, (("dataclasses.dataclass", f"dataclass({kept})"),))


_BY_PATH: Final[Mapping[str, Callable[[ast.Call, str], _Made | None]]] = {
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _typed_tuple,
    "typing.TypedDict": _typed_dict,
    "dataclasses.make_dataclass": _data,
    **{f"enum.{name}": _enum for name in ENUMS},
}


def _given(call: ast.Call, positional: Sequence[str], by_name: frozenset[str]) -> dict[str, ast.expr] | None:
    """The values of a call by argument, None for a call with others."""
    if len(call.args) > len(positional) or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    found = dict(zip(positional, call.args, strict=False))
    found |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    return found if set(found) <= {*positional, *by_name} else None


def _texts(node: ast.expr) -> list[str]:
    """Names in one text or in a list of texts.

    Raises:
        ValueError: they are something else.
    """
    if isinstance(node, ast.Constant):
        return _text(node).replace(",", " ").split()
    return [_text(each) for each in _elements(node)]


def _elements(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.List | ast.Tuple) or any(isinstance(each, ast.Starred) for each in node.elts):
        raise ValueError(ast.unparse(node))
    return node.elts


def _text(node: ast.expr | None) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise ValueError("no text")
    return node.value


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def partly_called(text: str) -> tuple[str, int, tuple[tuple[str, str], ...]] | None:
    """What `partial(f, 1, b=2)` calls, how many values it gives by position, and which by name, with their texts."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or not call.args or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    if any(each.arg is None for each in call.keywords) or not isinstance(call.args[0], ast.Name | ast.Attribute):
        return None
    named = tuple((str(each.arg), ast.unparse(each.value)) for each in call.keywords)
    return ast.unparse(call.args[0]), len(call.args) - 1, named


def partly_bound(arguments: tuple[Argument, ...], given: int, named: Mapping[str, str]) -> tuple[Argument, ...] | None:
    """The arguments that are left to a call (functools, partial); None where the call itself is refused."""
    places = [each for each in arguments if each.kind in (POSITIONAL_ONLY, EITHER)]
    kinds = {each.kind for each in arguments}
    if given > len(places) and REST not in kinds:
        return None
    left = [each for each in arguments if each not in places[:given]]
    taking = {each.name for each in left if each.kind in (EITHER, KEYWORD_ONLY)}
    if not set(named) <= taking and KEYWORDS not in kinds:
        return None
    found, by_name = list[Argument](), False
    for each in left:
        by_name = by_name or (each.name in named and each.kind == EITHER)
        kind = KEYWORD_ONLY if by_name and each.kind == EITHER else each.kind
        found.append(replace(each, kind=kind, default=named.get(each.name, each.default)))
    return tuple(each for each in found if not (by_name and each.kind == REST))


# What lines and bases make of definitions: `f = partial(f, 1)`, `f = decorated(f)`, `class C(with_metaclass(M))`.


_PARTIAL: Final = "functools.partial"
_KINDS: Final = frozenset({"staticmethod", "classmethod"})


def called_with_itself(value: str, name: str) -> ast.Call | None:
    """The call that gets the earlier value of the name that it is assigned to, first of its arguments."""
    if f"({name}" not in value:
        return None
    try:
        call = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or not call.args:
        return None
    first = call.args[0]
    return call if isinstance(first, ast.Name) and first.id == name else None


def is_alone(call: ast.Call) -> bool:
    """True for a call that gets nothing besides its first argument, as a decorator is called."""
    return len(call.args) == 1 and not call.keywords


def rewrapped(function: Function, call: ast.Call, path: str, where: Mapping[str, Any]) -> Function | None:
    """The function after the line that assigns the call; None where only running tells.

    Args:
        function: as it was defined.
        call: what it is given to.
        path: the dotted path of what is called.
        where: name, file, line and runtime of the assignment.
    """
    if path == _PARTIAL:
        made = partly_called(ast.unparse(call))
        left = partly_bound(function.arguments, made[1], dict(made[2])) if made is not None else None
        return None if left is None else replace(function, **where, arguments=left, overloads=())
    if not is_alone(call) or path == "property":
        return None
    labels = function.labels | ({path} & _KINDS)
    decorators, decorated = (path, *function.decorators), (ast.unparse(call.func), *function.decorated)
    return replace(function, **where, labels=labels, decorators=decorators, decorated=decorated)


def bases_and_metaclass(bases: Sequence[Any]) -> tuple[tuple[Any, ...], str]:
    """The bases that instances inherit from, and the metaclass that a call among them gives, "" for none.

    `with_metaclass(M, A)` (six, future, and copies of it) and `M("Temporary", (A,), {})` make a class for a moment.
    """
    found: list[Any] = []
    meta = ""
    for base in bases:
        function, given = getattr(base, "function", None), list(getattr(base, "arguments", ()))
        if function is not None and str(function).rpartition(".")[2] == "with_metaclass" and given:
            meta, more = str(given[0]), given[1:]
        elif function is not None and _is_made_by_metaclass(given):
            meta, more = str(function), list(given[1].elements)
        else:
            more = [base]
        found += [each for each in more if str(each) != "object"] if meta else more
    return tuple(found), meta


def _is_made_by_metaclass(given: Sequence[Any]) -> bool:
    """True for the arguments of a call that makes a class: a name, a tuple of bases, a dict."""
    written = [str(each) for each in given]
    named = len(given) == 3 and written[0][:1] in "\"'" and written[2].startswith("{")
    return named and hasattr(given[1], "elements") and written[1].startswith("(")
