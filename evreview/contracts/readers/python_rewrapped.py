"""What lines and bases make of definitions: `f = partial(f, 1)`, `f = decorated(f)`, `class C(with_metaclass(M))`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from evreview.contracts.readers.python_parsed import Function
from evreview.kinds.python.classes_from_calls import partly_bound, partly_called

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
