"""`frozen`: a frozen dataclass with slots whose methods cost nothing before they are called.

A small comparison makes a hundred such classes and half of their methods are never called, yet `dataclasses` compiles
eight for each: a quarter of the whole run. Here fields, slots and match arguments come from `dataclasses`, the methods
that every class can share are written once, and `__init__` is compiled by `dataclasses` at the first instance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, dataclass_transform

_put = object.__setattr__


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self is other or self.__compared__(self) == self.__compared__(other)


def _hashed(self: Any) -> int:
    return hash(self.__hashable__(self))


@recursive_repr()
def _shown(self: Any) -> str:
    told = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(told)})"


def _refuse_value(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        _put(self, each.name, value)


_SHARED = {
    "__eq__": _equal,
    "__hash__": _hashed,
    "__repr__": _shown,
    "__setattr__": _refuse_value,
    "__delattr__": _refuse_removal,
    "__getstate__": _state,
    "__setstate__": _restore,
}


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else type


def _initializer(cls: Any) -> Any:
    """`__init__` of the fields of a class, in their order, those by name alone last."""
    known: dict[str, Any] = {"_put": _put, "_MISSING": MISSING}
    lines, words = [], {False: [], True: ["*"]}
    for each in (each for each in fields(cls) if each.init):
        given, default = each.name, ""
        if each.default is not MISSING:
            default, known[f"_{given}"] = f"=_{given}", each.default
        elif each.default_factory is not MISSING:
            default, known[f"_{given}"] = "=_MISSING", each.default_factory
            given = f"_{given}() if {given} is _MISSING else {given}"
        words[bool(each.kw_only)].append(each.name + default)
        lines.append(f"_put(self, {each.name!r}, {given})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    taken = ", ".join(["self", *words[False], *(words[True] if len(words[True]) > 1 else ())])
    exec(f"def __init__({taken}):\n " + "\n ".join(lines or ["pass"]), known)
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return known["__init__"]


def _made(cls: type, kw_only: bool) -> Any:
    own = {name for name in _SHARED if name in cls.__dict__}
    # A class with a text of its own is not given its signature as one, which costs more than the rest.
    cls.__doc__ = cls.__doc__ or "-"
    made: Any = dataclass(cls, init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
    for name, method in _SHARED.items():
        if name not in own:
            setattr(made, name, method)
    known = fields(made)
    made.__compared__ = _values_of([each.name for each in known if each.compare])
    made.__hashable__ = _values_of([each.name for each in known if (each.compare if each.hash is None else each.hash)])

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _initializer(made)
        made.__init__(self, *args, **named)

    made.__init__ = __init__
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """What `dataclass(frozen=True, slots=True)` gives, for less time when it is imported.

    Args:
        kw_only: fields are given by name alone.
    """
    return _made(cls, kw_only) if cls is not None else lambda each: _made(each, kw_only)
