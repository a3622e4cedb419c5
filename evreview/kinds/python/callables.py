"""Functions, properties and variables as facets and arguments, in one spelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Final

from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Aspect, Direction, Form, Json, Role
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import (
    Spelling,
    bounded,
    is_alias_text,
    is_literal,
    literal_of,
    value_text,
    written_call,
)
from evreview.kinds.python.bindings import ITSELF, NOTHING_GIVEN, Gives
from evreview.kinds.python.names import Names, ResolvedDeclaration
from evreview.kinds.python.parsed import Argument, Attribute, Class, Function, Label, Module

_UNDERSTOOD: Final = frozenset(
    {
        "property", "staticmethod", "classmethod", "abc.abstractmethod", "typing.overload", "typing.final",
        "warnings.deprecated", "typing_extensions.deprecated", "typing_extensions.final", "typing_extensions.overload",
        "contextlib.contextmanager", "contextlib.asynccontextmanager", "functools.wraps", "typing.override",
        "typing_extensions.override", "functools.cached_property",
        "typing.no_type_check", "types.coroutine", "abc.abstractproperty",
    }
)  # fmt: skip
_KEEPING: Final = frozenset({"lru_cache", "cache"})
"""Decorators that add attributes, and take the calls that the function takes."""
_OF_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_CACHED: Final = ("cache_info", "cache_clear", "cache_parameters")
_ADDED: Final = {
    "functools.lru_cache": _CACHED,
    "functools.cache": _CACHED,
    "functools.singledispatch": ("register", "dispatch", "registry"),
}
"""What decorators add, by the documentation of functools."""
_FINAL: Final = frozenset({"typing.final", "typing_extensions.final", "final"})
_ITERATORS: Final = {
    "Iterator": "iterator", "Generator": "iterator", "AsyncIterator": "async iterator",
    "AsyncGenerator": "async iterator", "Awaitable": "awaitable", "Coroutine": "awaitable",
    "AbstractContextManager": "context manager", "AbstractAsyncContextManager": "async context manager",
}  # fmt: skip
_SHARED: Final = frozenset({"class-attribute", "module-attribute"})
_UNPACKED: Final = frozenset({"class-attribute", "instance-attribute"})
_LONGEST_VALUE: Final = 400


@frozen
class Writer:
    """Writes the parts of one library: its names, one spelling for its annotations, what its decorators give."""

    names: Names
    spelling: Spelling
    given: dict[str, Gives | None] = field(default_factory=dict)

    def function(self, function: Function, module: Module, *, method: bool) -> tuple[Facet, ...]:
        """The facets of a function or method, without its arguments."""
        returns = self.spelling.annotation(function.returns, module)
        found = [
            Facet(sig.RESULT, Aspect.CALLING, _result(function, returns)),
            *_given(sig.RETURNS, Aspect.TYPES, returns),
            *_flag(sig.FINAL, Aspect.INHERITANCE, bool(_FINAL & set(function.decorators))),
            *_flag(sig.DEPRECATED, Aspect.DEPRECATION, function.deprecated is not None),
            *self._decorated(function),
            *_listed(sig.RAISES, Aspect.ERRORS, list(function.raises)),
        ]
        if method:
            found.append(Facet(sig.BOUND_TO, Aspect.CALLING, bound_to(function)))
        return tuple(found)

    def _decorated(self, function: Function) -> Iterator[Facet]:
        """What decorators make of a function: those not known by name, those of the library by what they give."""
        unknown: dict[str, str] = {}
        wrapped: list[str] = []
        for path, text in zip(function.decorators, function.decorated, strict=True):
            given = self._given(path) if path not in _UNDERSTOOD else ITSELF
            if given is None:
                unknown[written_call(path, text)] = path.rsplit(".", 1)[-1]
            elif not given.transparent:
                wrapped.append(f"{written_call(path, text)}: {bounded(given.text)}")
        yield from _listed(sig.DECORATORS, Aspect.DECORATION, list[Json](sorted(unknown)))
        if wrapped:
            yield from _listed(sig.WRAPPED, Aspect.DECORATION, list[Json](wrapped))
        if wrapped or set(unknown.values()) - _KEEPING:
            yield Facet(sig.OPAQUE, Aspect.CALLING, True, on_wire=False)

    def _given(self, path: str) -> Gives | None:
        """What a decorator of the library gives, None for one of another library."""
        if path not in self.given:
            self.given[path] = _gives(self.names, path)
        return self.given[path]

    def arguments(self, listed: tuple[Argument, ...], where: tuple[Module, Place]) -> tuple[Element, ...]:
        """The arguments of a signature, `self` left out before."""
        return tuple(self._argument(each, where) for each in listed)

    def _argument(self, argument: Argument, where: tuple[Module, Place]) -> Element:
        module, place = where
        rest = argument.kind in (sig.REST, sig.KEYWORDS)
        annotation = self.spelling.annotation(argument.annotation, module)
        return Element(
            kind=ElementKind.ARGUMENT,
            key=argument.kind if rest else argument.name,
            name=argument.name,
            aspect=Aspect.PARAMETERS,
            place=place,
            role=Role.SIGNATURE,
            direction=Direction.READ,
            required=argument.default is None and not rest,
            facets=(
                Facet(sig.KIND, Aspect.CALLING, argument.kind),
                Facet(sig.DEFAULT, Aspect.DEFAULTS, self._default(argument, module)),
                *_given(sig.ANNOTATION, Aspect.TYPES, annotation),
            ),
        )

    def _default(self, argument: Argument, module: Module) -> Form:
        if argument.default is None:
            return ABSENT
        return value_text(argument.default, lambda name: literal_of(self.names.find(self.names.scope(module, name))))

    def overloads(self, function: Function, module: Module, *, skip: int) -> tuple[Element, ...]:
        """The declared overloads, each known by what it takes and gives."""
        found: dict[str, Element] = {}
        for each in function.overloads:
            key = self._signature(each, module, skip)
            place = Place.at_line(each.file, each.line)
            returns = self.spelling.annotation(each.returns, module)
            found[key] = Element(
                kind=ElementKind.OVERLOAD,
                key=key,
                name=key,
                aspect=Aspect.CALLING,
                place=place,
                role=Role.SIGNATURE,
                facets=_given(sig.RETURNS, Aspect.TYPES, returns),
                children=_by_place(self.arguments(each.arguments[skip:], (module, place))),
            )
        return tuple(found.values())

    def _signature(self, function: Function, module: Module, skip: int) -> str:
        parts = list[str]()
        listed = function.arguments[skip:]
        by_place = sum(each.kind == sig.POSITIONAL_ONLY for each in listed)
        for at, argument in enumerate(listed):
            text = self.spelling.annotation(argument.annotation, module) or "Any"
            sign = argument.kind if argument.kind in (sig.REST, sig.KEYWORDS) else ""
            # What is given by position alone has no name for callers.
            name = f"{sign}{argument.name}: " if at >= by_place else ""
            parts.append(f"{name}{text}{'' if argument.required or sign else ' = ...'}")
        parts[by_place:by_place] = ["/"] * bool(by_place)
        return f"({', '.join(parts)}) -> {self.spelling.annotation(function.returns, module) or 'Any'}"

    def variable(self, attribute: Attribute, module: Module, *, constant: bool) -> tuple[Facet, ...]:
        """The facets of a property or variable; `constant`: its value is part of what clients see."""
        prop = "property" in attribute.labels
        opening = (attribute.annotation or "").split("[")[0]
        final = opening.endswith("Final")
        silent = opening.endswith("TypeAlias") or (final and opening == attribute.annotation)
        annotation = None if silent else attribute.annotation
        return (
            *_given(sig.TYPE, Aspect.TYPES, self.spelling.annotation(annotation, module)),
            *_given(sig.SETTABLE, Aspect.ACCESS, _settable(attribute)),
            *_flag(sig.FINAL, Aspect.INHERITANCE, final),
            *(_flag(sig.DELETABLE, Aspect.ACCESS, True) if "deletable" in attribute.labels else ()),
            *(_value(attribute) if constant and not prop else ()),
            *(self._written(attribute, module) if not prop else ()),
        )

    def _written(self, attribute: Attribute, module: Module) -> Iterator[Facet]:
        """The text that a module or class assigns where it is no literal: what it makes, only running tells."""
        value, told = attribute.value or "", not attribute.name.startswith("__")
        in_instance = "instance-attribute" in attribute.labels and attribute.annotation is not None
        if Label.TYPE_ALIAS in attribute.labels:
            text = f"type {attribute.name} = {self.spelling.annotation(value, module)}"
        elif not attribute.labels & _SHARED or in_instance or not value or is_literal(value):
            return
        elif is_alias_text(attribute):
            text = self.spelling.annotation(value, module) or value
        else:
            text = value_text(value, lambda name: literal_of(self.names.find(self.names.scope(module, name))))
        yield Facet(sig.WRITTEN, Aspect.DEFAULTS, bounded(text), on_wire=told)


def added_attributes(function: Function) -> Mapping[str, Attribute]:
    """The attributes that known decorators of Python's own library add to a function."""
    where: dict[str, Any] = {"file": function.file, "line": function.line}
    names = (name for path in function.decorators for name in _ADDED.get(path, ()))
    return {name: Attribute(name=name, labels=frozenset({"class-attribute"}), **where) for name in names}


def _by_place(arguments: tuple[Element, ...]) -> tuple[Element, ...]:
    """The arguments of an overload, those without a name for callers known by their places."""
    told = enumerate(arguments)
    return tuple(
        replace(each, key=str(at)) if each.facet(sig.KIND) == sig.POSITIONAL_ONLY else each for at, each in told
    )


def overload_order(overloads: tuple[Element, ...]) -> tuple[Facet, ...]:
    """The order of the overloads, as one facet; a type checker takes the first one that fits."""
    keys: list[Json] = [each.key for each in overloads]
    return (Facet(sig.OVERLOADS, Aspect.ORDERING, keys),) if len(keys) > 1 else ()


def positional_order(arguments: tuple[Element, ...]) -> tuple[Facet, ...]:
    """The order of the arguments that may be given by position, as one facet."""
    keys: list[Json] = [each.key for each in arguments if str(each.facet(sig.KIND)).startswith("positional")]
    return (Facet(sig.ORDER, Aspect.ORDERING, keys),)


def bound_to(function: Function) -> str:
    """What a method gets as its first argument."""
    if "staticmethod" in function.labels or "staticmethod" in function.decorators:
        return "nothing"
    return "class" if "classmethod" in function.labels or function.name in _OF_CLASS else sig.INSTANCE


def receiving(function: Function) -> int:
    """How many arguments a method gets by itself: its instance or class, unless `*args` takes it in."""
    first = function.arguments[0].kind if function.arguments else sig.REST
    return 0 if bound_to(function) == "nothing" or first not in (sig.POSITIONAL_ONLY, sig.EITHER) else 1


def _result(function: Function, returns: str | None) -> str:
    paths = {path.rsplit(".", 1)[-1] for path in function.decorators}
    if "asynccontextmanager" in paths:
        return "async context manager"
    if "contextmanager" in paths:
        return "context manager"
    is_async = "async" in function.labels
    if function.yields:
        return "async iterator" if is_async else "iterator"
    if is_async:
        return "awaitable"
    return _ITERATORS.get((returns or "").split("[")[0], sig.PLAIN)


def _gives(names: Names, path: str) -> Gives | None:
    found = names.named(names.find(path))
    if isinstance(found, ResolvedDeclaration) and isinstance(found.member, Function):
        return found.member.gives if found.member.gives.text else Gives("a value")
    if isinstance(found, ResolvedDeclaration) and isinstance(found.member, Class):
        called = names.members(found).get("__call__")
        member = called.member if called is not None else None
        given = member.gives if isinstance(member, Function) else NOTHING_GIVEN
        return given if given.text else Gives("an instance")
    return None


def _settable(attribute: Attribute) -> bool | None:
    """Whether clients may set it, None where only running tells whether it is a property (`a, b = (… for …)`)."""
    if "property" in attribute.labels:
        return "writable" in attribute.labels or "cached" in attribute.labels
    bare = attribute.value is None and attribute.annotation is None
    return None if bare and attribute.labels == _UNPACKED else True


def _value(attribute: Attribute) -> Iterator[Facet]:
    value = attribute.value
    dunder = attribute.name.startswith("__")
    if value is not None and len(value) <= _LONGEST_VALUE and is_literal(value):
        yield Facet(sig.VALUE, Aspect.DEFAULTS, value_text(value, lambda _: None), on_wire=not dunder)


def _given(name: str, aspect: Aspect, value: Form | None) -> tuple[Facet, ...]:
    return () if value is None else (Facet(name, aspect, value),)


def _flag(name: str, aspect: Aspect, value: bool) -> tuple[Facet, ...]:
    return (Facet(name, aspect, value),)


def _listed(name: str, aspect: Aspect, value: list[Json] | list[str]) -> tuple[Facet, ...]:
    members: list[Json] = list(value)
    return (Facet(name, aspect, members),)
