"""Python: what a class inherits and promises, what its instances can do, and what their attributes allow."""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.core.json_text import texts_of
from evreview.kinds.python import rule_examples as py
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.rule_examples import (
    BREAKS,
    FITS,
    NAME,
    OPEN,
    TYPING_ONLY,
    edit,
    facet,
    loses,
    members,
)

_CLASS: Final = "class C: ..."
_HASH: Final = f"{py.DATA_MODEL}, object.__hash__"
_SLOTS: Final = f"{py.DATA_MODEL}, __slots__"


def _is_unknown(delta: Delta) -> bool:
    return "unknown" in (delta.released, delta.candidate)


def _asks_more(delta: Delta) -> bool:
    old, new = (texts_of(form) for form in (delta.released, delta.candidate))
    required = {one for one in new if not one.endswith(("=", "**"))}
    lost = {one.removesuffix("=") for one in old} - {one.removesuffix("=") for one in new} - {"**"}
    return bool(required - set(old)) or bool(lost and "**" not in new)


def _data(options: str) -> str:
    return f"from dataclasses import dataclass\n@dataclass({options})\nclass C:\n    a: int = 1"


def _ability(
    lost_where: tuple[str, bool], lost: tuple[str, str, str], gained: tuple[str, ...], reference: str, losing: Example
) -> tuple[Rule, Rule]:
    """The rules of what instances or classes can do, lost and gained.

    Args:
        lost_where: the facet, and its value where the ability is lost.
        lost, gained: id, title and why; one that is gained refuses nothing unless it says otherwise.
        reference: of both.
        losing: the edit that loses it.
    """
    name, value = lost_where
    again, title, *why = gained
    return (
        BREAKS.calls(lost[0], Text(lost[1], lost[2], reference), facet(name, candidate=(value,)), losing),
        FITS.calls(
            again,
            Text(title, why[0] if why else "Nothing that was allowed is refused.", reference),
            facet(name, candidate=(not value,)),
            losing.backwards,
        ),
    )


_MADE: Final[tuple[Rule, ...]] = (
    *_ability(
        (sig.FROZEN, True),
        ("became-frozen", "Instances became frozen", "Setting an attribute fails with a FrozenInstanceError."),
        ("no-longer-frozen", "Instances are no longer frozen"),
        "dataclasses, frozen",
        edit(_data("eq=False"), _data("eq=False, frozen=True")),
    ),
    *_ability(
        (sig.ORDERED, False),
        ("no-longer-ordered", "Instances can't be sorted any more", "`<` between two of them fails with a TypeError."),
        ("became-ordered", "Instances can be sorted"),
        "dataclasses, order",
        edit(_data("order=True"), _data("order=False")),
    ),
    OPEN.calls(
        "hashing-unknown",
        Text(
            "Whether instances can be hashed is decided by another library",
            "A base that is not part of the contract may define or take away `__hash__`.",
            _HASH,
        ),
        Match(elements=NAME, facets=(sig.HASHABLE,), when=_is_unknown),
        edit("from x import B\nclass C(B):\n    __hash__ = None", "from x import B\nclass C(B): ..."),
        edit("class C:\n    __hash__ = None", "class C: ..."),
    ),
    *_ability(
        (sig.HASHABLE, False),
        (
            "no-longer-hashable",
            "Instances can't be hashed any more",
            "Using one in a set or as a key fails with a TypeError.",
        ),
        ("became-hashable", "Instances can be hashed"),
        _HASH,
        edit(_CLASS, "class C:\n    __hash__ = None"),
    ),
    OPEN.calls(
        "new-attributes-unknown",
        Text(
            "Whether instances take new attributes is decided by another library",
            "A base that is not part of the contract may have slots or a dict.",
            _SLOTS,
        ),
        Match(elements=NAME, facets=(sig.NEW_ATTRIBUTES,), when=_is_unknown),
        edit("from x import B\nclass C(B): ...", "from x import B\nclass C(B):\n    __slots__ = ()"),
        edit(_CLASS, "class C:\n    __slots__ = ()"),
    ),
    *_ability(
        (sig.NEW_ATTRIBUTES, False),
        (
            "new-attributes-refused",
            "Instances take no new attributes any more",
            "Setting one that the class does not name fails with an AttributeError.",
        ),
        ("new-attributes-allowed", "Instances take new attributes"),
        _SLOTS,
        edit(_CLASS, "class C:\n    __slots__ = ()"),
    ),
    BREAKS.results(
        "tuple-shape-changed",
        Text(
            "A named tuple has other fields, or has them in another order",
            "Unpacking, indexing and comparing with plain tuples rest on number and order.",
            "collections, namedtuple",
        ),
        Match(elements=NAME, facets=(sig.SHAPE,)),
        edit(
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 1\n    b: int = 2",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    b: int = 2\n    a: int = 1",
        ),
        edit(
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 1",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 2",
        ),
    ),
    OPEN.calls(
        "made-otherwise",
        Text(
            "A class is made in another way",
            "A dataclass, an enum, a protocol and a plain class give their instances different abilities; the rows of "
            "the members say those that can be seen.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.FLAVOUR,)),
        edit(
            "from dataclasses import dataclass\nclass C: ...",
            "from dataclasses import dataclass\n@dataclass(eq=False)\nclass C: ...",
        ),
        edit("class C: ...", "class C:\n    __slots__ = ()"),
    ),
)

_PROPERTY: Final = "class C:\n    @property\n    def a(self): ..."
_SETTER: Final = "\n    @a.setter\n    def a(self, value): ..."
_DELETER: Final = "\n    @a.deleter\n    def a(self): ..."
_TOTAL: Final = "from typing import TypedDict\nclass D(TypedDict):\n    a: int\n"
_PARTIAL: Final = _TOTAL.replace("TypedDict):", "TypedDict, total=False):")
_DICTS: Final = f"{py.TYPING}, Typed dictionaries"

_HELD: Final[tuple[Rule, ...]] = (
    *_ability(
        (sig.SETTABLE, False),
        (
            "attribute-became-read-only",
            "An attribute can't be set any more",
            "Setting it fails with an AttributeError.",
        ),
        ("attribute-became-settable", "An attribute can be set"),
        f"{py.DATA_MODEL}, Descriptors",
        edit(_PROPERTY + _SETTER, _PROPERTY),
    ),
    BREAKS.calls(
        "property-lost-deleter",
        Text("A property can't be deleted any more", "`del` fails with an AttributeError.", py.ATTRIBUTES),
        facet(sig.DELETABLE, released=(True,)),
        edit(_PROPERTY + _DELETER, _PROPERTY),
    ),
    FITS.calls(
        "property-got-deleter",
        Text("A property can be deleted", "Nothing that was allowed is refused.", py.ATTRIBUTES),
        facet(sig.DELETABLE, candidate=(True,)),
        edit(_PROPERTY, _PROPERTY + _DELETER),
    ),
    BREAKS.by_plane(TYPING_ONLY).calls(
        "key-became-required",
        Text("A key of a typed dict became required", "A type checker refuses a dict without it.", _DICTS),
        facet(sig.REQUIRED_KEY, candidate=(True,)),
        edit(_PARTIAL, _TOTAL),
    ),
    BREAKS.by_plane(TYPING_ONLY).results(
        "key-became-optional",
        Text(
            "A key of a typed dict may be missing",
            "Who reads the key rests on it; a type checker warns, and a KeyError may follow.",
            _DICTS,
        ),
        facet(sig.REQUIRED_KEY, candidate=(False,)),
        edit(_TOTAL, _PARTIAL),
    ),
)

_LEFT: Final = "class C:\n    def __init__(self):\n        self.a = 1"
_HOOK: Final = "class C:\n    def __init_subclass__(cls, {}): ..."
_GENERIC: Final = "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C{}: ..."
_ENUM: Final = "from enum import Enum\nclass C(Enum):\n    {}"

_ON_CLASS: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "attribute-left-class",
        Text(
            "An attribute is no longer on the class itself",
            "Instances may still have it; reading it on the class fails with an AttributeError.",
            f"{py.DATA_MODEL}, Custom classes",
        ),
        facet(sig.ON_CLASS, released=(True,)),
        edit("class C:\n    a = 1", _LEFT),
    ),
    FITS.calls(
        "attribute-on-class",
        Text("An attribute is on the class itself", "Instances have it as before.", f"{py.DATA_MODEL}, Custom classes"),
        Match(elements=NAME, facets=(sig.ON_CLASS,)),
        edit(_LEFT, "class C:\n    a = 1"),
    ),
    BREAKS.calls(
        "subclass-keyword-required",
        Text(
            "A subclass has to give a keyword that it did not, or must not give one any more",
            "A class statement of an old subclass fails with a TypeError.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,), when=_asks_more),
        edit(_CLASS, _HOOK.format("*, tag")),
        edit(_CLASS, _HOOK.format("*, tag=1")),
    ),
    OPEN.calls(
        "subclass-keywords-unknown",
        Text(
            "A subclass may no longer give any keyword",
            "What the released class made of keywords of any name, its body decides.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,), when=lambda delta: "**" in texts_of(delta.released)),
        edit(_HOOK.format("**more"), _CLASS),
        edit(_HOOK.format("*, tag"), _HOOK.format("*, tag=1")),
    ),
    FITS.calls(
        "subclass-keyword-optional",
        Text(
            "A subclass may give more keywords, or need not give one",
            "A class statement of an old subclass gives what is taken.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,)),
        edit(_HOOK.format("*, tag"), _HOOK.format("*, tag=1")),
        edit(_CLASS, _HOOK.format("*, tag")),
    ),
    OPEN.calls(
        "match-arguments-changed",
        Text(
            "Patterns by position match other attributes",
            "`case C(1)` compares another attribute, or is refused with a TypeError; a longer list keeps old patterns.",
            f"{py.DATA_MODEL}, Customizing positional arguments in class pattern matching",
        ),
        Match(elements=NAME, facets=(sig.MATCHED,)),
        edit("class C:\n    __match_args__ = ('a', 'b')", "class C:\n    __match_args__ = ('b', 'a')"),
        edit(_CLASS, "class C:\n    __slots__ = ()"),
    ),
    *_ability(
        (sig.EXTENSIBLE, False),
        ("enum-closed", "An enum got its first members", "An enum with members can't be inherited from."),
        ("enum-opened", "An enum has no members any more", "It can be inherited from."),
        "enum, Restricted Enum subclassing",
        edit(_ENUM.format("..."), _ENUM.format("_a = 1")),
    ),
    BREAKS.calls(
        "type-arguments-refused",
        Text(
            "A class takes no type arguments any more",
            "`C[int]` fails with a TypeError, in annotations and as a base.",
            f"{py.TYPING}, Generics",
        ),
        facet(sig.TAKES_TYPES, released=(True,)),
        edit(_GENERIC.format("(Generic[T])"), _GENERIC.format("")),
    ),
    FITS.calls(
        "type-arguments-taken",
        Text("A class takes type arguments", "Without them it is used as before.", f"{py.TYPING}, Generics"),
        Match(elements=NAME, facets=(sig.TAKES_TYPES,)),
        edit(_GENERIC.format(""), _GENERIC.format("(Generic[T])")),
    ),
)

INSTANCE_RULES: Final[tuple[Rule, ...]] = (*_MADE, *_HELD, *_ON_CLASS)


# What a class inherits and promises.


_PLAIN_CLASS: Final = "class C: ..."
_FINAL: Final = f"{py.TYPING}, Type qualifiers, @final"


def _namesakes(delta: Delta) -> bool:
    """True when every ancestor that went has one of the same last name that came, or is no name at all."""
    gone, come = members(delta.released) - members(delta.candidate), members(delta.candidate)
    names = {each.rpartition(".")[2] for each in come - members(delta.released)}
    return bool(gone) and all(
        each.rpartition(".")[2] in names or not each.replace(".", "").isidentifier() for each in gone
    )


_UNCHECKED: Final = "from typing import Protocol, runtime_checkable\nclass C(Protocol):\n    def a(self): ..."
_CHECKED: Final = _UNCHECKED.replace("class", "@runtime_checkable\nclass")

_INHERITED: Final[tuple[Rule, ...]] = (
    OPEN.results(
        "ancestor-unknown",
        Text(
            "A class inherits from a class of the same name from another place",
            "Libraries hand each other's classes on under names of their own; whether it is one class is not told.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.ANCESTORS,), when=_namesakes),
        edit("from x import B\nclass C(B): ...", "from y import B\nclass C(B): ..."),
        edit("class E(ValueError): ...", "class E(Exception): ..."),
    ),
    BREAKS.results(
        "ancestor-removed",
        Text(
            "A class no longer inherits from a class that clients know",
            "`isinstance`, `except` and annotations that name it no longer hold for instances.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.ANCESTORS,), when=loses),
        edit("class E(ValueError): ...", "class E(Exception): ..."),
    ),
    FITS.results(
        "ancestor-added",
        Text("A class inherits from one more class", "Instances are all that they were.", py.CLASSES),
        Match(elements=NAME, facets=(sig.ANCESTORS,)),
        edit("class E(Exception): ...", "class E(ValueError): ..."),
    ),
    BREAKS.calls(
        "base-order-changed",
        Text(
            "The bases of a class changed their order",
            "A class that inherits from it and from the bases, in the released order, can no longer be made; what both "
            "bases define comes from the other one now.",
            f"{py.CLASSES}; The Python 2.3 method resolution order",
        ),
        Match(elements=NAME, facets=(sig.BASES,)),
        edit("class A: ...\nclass B: ...\nclass C(A, B): ...", "class A: ...\nclass B: ...\nclass C(B, A): ..."),
        edit("class A: ...\nclass B: ...\nclass C(A, B): ...", "class A: ...\nclass B: ...\nclass C(A): ..."),
    ),
    *_ability(
        (sig.CHECKABLE, False),
        (
            "no-longer-checkable",
            "A protocol can't be asked for at run time any more",
            "`isinstance` with it fails with a TypeError.",
        ),
        ("became-checkable", "A protocol can be asked for at run time"),
        "typing, runtime_checkable",
        edit(_CHECKED, _UNCHECKED),
    ),
    OPEN.calls(
        "metaclass-dropped",
        Text(
            "The class has no metaclass of its own any more",
            "No subclass is refused for it; what the metaclass gave the class itself is not compared.",
            f"{py.DATA_MODEL}, Determining the appropriate metaclass",
        ),
        facet(sig.METACLASS, candidate=("type",)),
        edit("class M(type): ...\nclass C(metaclass=M): ...", "class M(type): ...\nclass C: ..."),
        edit("class M(type): ...\nclass C: ...", "class M(type): ...\nclass C(metaclass=M): ..."),
    ),
    BREAKS.calls(
        "metaclass-changed",
        Text(
            "The metaclass changed",
            "A class that inherits from it and from one of another metaclass can no longer be made.",
            f"{py.DATA_MODEL}, Determining the appropriate metaclass",
        ),
        Match(elements=NAME, facets=(sig.METACLASS,)),
        edit("class M(type): ...\nclass C: ...", "class M(type): ...\nclass C(metaclass=M): ..."),
        edit("class C: ...\nclass D: ...", "class C: ...\nclass D(C): ..."),
    ),
    BREAKS.by_plane(TYPING_ONLY).calls(
        "became-final",
        Text(
            "A class, method or variable became final",
            "A type checker refuses subclasses, overrides and assignments; nothing is refused when it runs.",
            _FINAL,
        ),
        facet(sig.FINAL, candidate=(True,)),
        edit(_PLAIN_CLASS, "from typing import final\n@final\nclass C: ..."),
    ),
    FITS.calls(
        "no-longer-final",
        Text("A class, method or variable is no longer final", "Nothing that was allowed is refused.", _FINAL),
        facet(sig.FINAL, candidate=(False,)),
        edit("from typing import final\n@final\nclass C: ...", _PLAIN_CLASS),
    ),
    BREAKS.calls(
        "member-became-demanded",
        Text(
            "A member became abstract, or part of a protocol",
            "A class that leaves it to the released one can no longer be instantiated, or is no longer accepted.",
            "abc, abstractmethod",
        ),
        facet(sig.DEMANDED, released=("",)),
        edit(
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    def a(self): ...",
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    @abstractmethod\n    def a(self): ...",
        ),
    ),
    FITS.calls(
        "member-no-longer-demanded",
        Text("A member need not be implemented any more", "Whoever implements it may go on.", "abc, abstractmethod"),
        Match(elements=NAME, facets=(sig.DEMANDED,)),
        edit(
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    @abstractmethod\n    def a(self): ...",
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    def a(self): ...",
        ),
    ),
)

CLASS_RULES: Final[tuple[Rule, ...]] = _INHERITED
