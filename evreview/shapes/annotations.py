"""Whether one annotation's values are all values of another one: a small lattice, and unknown where it ends.

Annotations come in their normal form (`contracts/readers/python_types.py`). What is known: unions, `None`, literals,
builtins and the abstract classes of `collections.abc` with their lines of inheritance, the numeric tower of PEP 484,
containers (lists, dicts and sets don't vary with their members, tuples and read-only views do), and the classes of the
libraries compared. Type variables, callables and classes of other libraries are equal or unknown.

Sources of the rules: PEP 483, PEP 484, and "Subtype relationships" of the typing specification.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from evreview.core.vocabulary import Answer
from evreview.kinds.python.annotations import arguments, union_members


class Known(NamedTuple):
    """What is known of a class of the libraries compared.

    Attributes:
        ancestors: the classes that it inherits from, by their public names.
        whole: no other ancestors exist.
        structural: it is a protocol, so that classes belong to it without naming it.
    """

    ancestors: frozenset[str]
    whole: bool = True
    structural: bool = False


Classes = Callable[[str], Known | None]

_TOP: Final = frozenset({"Any", "object"})
_BOTTOM: Final = frozenset({"Never"})
_TOWER: Final = {"bool": ("int", "float", "complex"), "int": ("float", "complex"), "float": ("complex",)}
_COVARIANT: Final = frozenset(
    {
        "tuple", "frozenset", "type", "Iterable", "Iterator", "Collection", "Sequence", "Set", "Container",
        "Reversible", "Awaitable", "AsyncIterable", "AsyncIterator", "KeysView", "ValuesView", "ItemsView",
        "AbstractContextManager", "AbstractAsyncContextManager",
    }
)  # fmt: skip
_INVARIANT: Final = frozenset(
    {"list", "dict", "set", "deque", "defaultdict", "MutableSequence", "MutableSet", "MutableMapping"}
)
_VIEWS: Final = frozenset({"Iterable", "Collection", "Container", "Reversible", "Iterator", "Set", "Sequence"})
_OF_ONE: Final = frozenset({"list", "set", "frozenset", "deque", *_VIEWS, "MutableSequence", "MutableSet", "KeysView"})


def nothing_known(name: str) -> Known | None:
    """Knows no class."""
    return None


def is_within(narrow: str, wide: str, classes: Classes = nothing_known) -> Answer:
    """Whether every value of one annotation is a value of the other: yes, no, or unknown.

    Args:
        narrow, wide: annotations in their normal form.
        classes: what is known of a class by its public name.
    """
    if narrow == wide or wide in _TOP or narrow in _BOTTOM or narrow == "Any":
        return Answer.YES
    if narrow == "bool" and "Literal[" in wide:
        narrow = "Literal[False, True]"
    members = union_members(narrow)
    if len(members) > 1:
        return _all(is_within(member, wide, classes) for member in members)
    if narrow.startswith("Literal["):
        return _all(_literal(value, wide, classes) for value in arguments(narrow))
    return _any(_one(narrow, member, classes) for member in union_members(wide))


def _all(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return next((answer for answer in (Answer.NO, Answer.UNKNOWN) if answer in found), Answer.YES)


def _any(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return next((answer for answer in (Answer.YES, Answer.UNKNOWN) if answer in found), Answer.NO)


def _literal(value: str, wide: str, classes: Classes) -> Answer:
    for member in union_members(wide):
        if member.startswith("Literal[") and value in arguments(member):
            return Answer.YES
    others = [member for member in union_members(wide) if not member.startswith("Literal[")]
    try:
        kind = type(ast.literal_eval(value)).__name__
    except (ValueError, SyntaxError):
        # A member of an enum: its class decides.
        kind = value.rpartition(".")[0] or value
    kind = "None" if kind == "NoneType" else kind
    return _any(_one(kind, member, classes) for member in others)


def _one(narrow: str, wide: str, classes: Classes) -> Answer:
    """The question for two annotations of which neither is a union."""
    if narrow == wide or wide in _TOP:
        return Answer.YES
    if wide.startswith("Literal[") or _is_open(narrow) or _is_open(wide):
        # What a name of another library stands for may be the same literal.
        told = wide.startswith("Literal[") and not _is_open(narrow) and _is_closed(narrow.split("[")[0], classes)
        return Answer.NO if told else Answer.UNKNOWN
    origin, other = narrow.split("[")[0], wide.split("[")[0]
    if origin == other:
        return _same_origin(narrow, wide, classes)
    found = _inherits(origin, other, classes)
    if found is not Answer.YES or "[" not in wide:
        return found
    inner = _as_members(narrow, origin, other)
    outer = arguments(wide)
    if inner is None or len(inner) != len(outer):
        return Answer.UNKNOWN
    return _members(other, inner, outer, classes)


def _is_open(text: str) -> bool:
    """True for what only a checker with the whole program can answer."""
    return text.startswith("~") or text in ("Self", "LiteralString", "AnyStr") or text.split("[")[0] == "Callable"


def _same_origin(narrow: str, wide: str, classes: Classes) -> Answer:
    inner, outer = arguments(narrow), arguments(wide)
    if not inner or not outer:
        return Answer.YES
    origin = narrow.split("[")[0]
    if origin == "tuple":
        inner, outer = _aligned(inner, outer)
    if len(inner) != len(outer):
        return Answer.NO if origin == "tuple" else Answer.UNKNOWN
    return _members(origin, inner, outer, classes)


def _aligned(inner: list[str], outer: list[str]) -> tuple[list[str], list[str]]:
    """The members of two tuples, those of any length written out."""
    if outer[-1:] == ["..."] and inner[-1:] == ["..."]:
        return inner[:1], outer[:1]
    if outer[-1:] == ["..."]:
        return inner, [outer[0]] * len(inner)
    return inner, outer


def _members(origin: str, inner: list[str], outer: list[str], classes: Classes) -> Answer:
    covariant = origin in _COVARIANT
    if origin in ("Mapping", "Coroutine", "Generator", "AsyncGenerator"):
        # What is sent in varies the other way; equal or covariant at the end is what is known.
        firsts = Answer.YES if inner[:-1] == outer[:-1] else Answer.UNKNOWN
        return _all([firsts, is_within(inner[-1], outer[-1], classes)])
    there = [is_within(one, two, classes) for one, two in zip(inner, outer, strict=True)]
    if covariant:
        return _all(there)
    if origin not in _INVARIANT:
        return Answer.YES if inner == outer else Answer.UNKNOWN
    back = [is_within(two, one, classes) for one, two in zip(inner, outer, strict=True)]
    return _all([*there, *back])


def _as_members(narrow: str, origin: str, other: str) -> list[str] | None:
    """What the members of an annotation are when it is looked at as one of its ancestors; None where nobody knows."""
    inner = arguments(narrow)
    if not inner:
        return ["str"] if origin == "str" and other in _VIEWS else ["int"] if origin == "bytes" else None
    if origin in _OF_ONE and other in _OF_ONE:
        return inner
    if origin == "tuple" and other in _VIEWS:
        kinds = {each for each in inner if each != "..."}
        return [next(iter(kinds))] if len(kinds) == 1 else None
    if origin in ("dict", "defaultdict", "Mapping", "MutableMapping"):
        return inner if other in ("dict", "Mapping", "MutableMapping") else inner[:1] if other in _VIEWS else None
    if origin in ("Iterator", "Generator") and other in ("Iterator", "Iterable"):
        return inner[:1]
    if origin == "Coroutine" and other == "Awaitable":
        return inner[-1:]
    return None


def _inherits(narrow: str, wide: str, classes: Classes) -> Answer:
    if wide in _TOWER.get(narrow, ()):
        return Answer.YES
    if "None" in (narrow, wide):
        other_side = wide if narrow == "None" else narrow
        closed = Answer.NO if _is_closed(other_side, classes) else Answer.UNKNOWN
        return Answer.YES if narrow == "None" and wide == "Hashable" else closed
    own, other = _known_class(narrow), _known_class(wide)
    if own is not None and other is not None:
        return Answer.YES if issubclass(own, other) else Answer.NO
    known, theirs = classes(narrow), classes(wide)
    if known is not None and (wide in known.ancestors or _by_ancestor(known, other)):
        return Answer.YES
    if theirs is not None and theirs.structural:
        return Answer.UNKNOWN
    nominal = theirs is not None or (other is not None and other.__module__ == "builtins")
    certain = own is not None or (known is not None and known.whole)
    return Answer.NO if nominal and certain else Answer.UNKNOWN


def _by_ancestor(known: Known, wide: type | None) -> bool:
    ancestors = (_known_class(name) for name in known.ancestors)
    return wide is not None and any(each is not None and issubclass(each, wide) for each in ancestors)


def _is_closed(name: str, classes: Classes) -> bool:
    """True for a class that `None` is certainly no member of."""
    if name == "None":
        return True
    found, known = _known_class(name), classes(name)
    return found is not None or (known is not None and not known.structural)


def _known_class(name: str) -> type | None:
    """A class of Python itself: builtins, and the abstract classes of containers."""
    found = getattr(builtins, name, None) or getattr(collections.abc, name, None)
    if name in ("deque", "defaultdict", "OrderedDict", "Counter"):
        found = getattr(collections, name)
    return found if isinstance(found, type) else None
