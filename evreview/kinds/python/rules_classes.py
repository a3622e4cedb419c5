"""Python: what the instances of a class can do, and what their attributes allow."""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.core.vocabulary import Form
from evreview.kinds.python import rule_examples as py
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.rule_examples import (
    BREAKS,
    FITS,
    NAME,
    OPEN,
    TYPING_ONLY,
    calls,
    edit,
    facet,
    in_planes,
    results,
    said,
    shown,
)

_CLASS: Final = "class C: ..."
_HASH: Final = f"{py.DATA_MODEL}, object.__hash__"
_SLOTS: Final = f"{py.DATA_MODEL}, __slots__"


def _is_unknown(delta: Delta) -> bool:
    return "unknown" in (delta.released, delta.candidate)


def _asks_more(delta: Delta) -> bool:
    old, new = (_texts(form) for form in (delta.released, delta.candidate))
    required = {one for one in new if not one.endswith(("=", "**"))}
    lost = {one.removesuffix("=") for one in old} - {one.removesuffix("=") for one in new} - {"**"}
    return bool(required - set(old)) or bool(lost and "**" not in new)


def _texts(form: Form) -> list[str]:
    return [str(one) for one in form] if isinstance(form, list) else []


def _data(options: str) -> str:
    return f"from dataclasses import dataclass\n@dataclass({options})\nclass C:\n    a: int = 1"


_MADE: Final[tuple[Rule, ...]] = (
    calls(
        "became-frozen",
        BREAKS,
        said(
            "Instances became frozen", "Setting an attribute fails with a FrozenInstanceError.", "dataclasses, frozen"
        ),
        facet(sig.FROZEN, candidate=(True,)),
        edit(_data("eq=False"), _data("eq=False, frozen=True")),
    ),
    calls(
        "no-longer-frozen",
        FITS,
        said("Instances are no longer frozen", "Nothing that was allowed is refused.", "dataclasses, frozen"),
        facet(sig.FROZEN, candidate=(False,)),
        edit(_data("eq=False, frozen=True"), _data("eq=False")),
    ),
    calls(
        "no-longer-ordered",
        BREAKS,
        said(
            "Instances can't be sorted any more",
            "`<` between two of them fails with a TypeError.",
            "dataclasses, order",
        ),
        facet(sig.ORDERED, candidate=(False,)),
        edit(_data("order=True"), _data("order=False")),
    ),
    calls(
        "became-ordered",
        FITS,
        said("Instances can be sorted", "Nothing that was allowed is refused.", "dataclasses, order"),
        facet(sig.ORDERED, candidate=(True,)),
        edit(_data("order=False"), _data("order=True")),
    ),
    calls(
        "hashing-unknown",
        OPEN,
        said(
            "Whether instances can be hashed is decided by another library",
            "A base that is not part of the contract may define or take away `__hash__`.",
            _HASH,
        ),
        Match(elements=NAME, facets=(sig.HASHABLE,), when=_is_unknown),
        shown(
            "from x import B\nclass C(B):\n    __hash__ = None",
            "from x import B\nclass C(B): ...",
            "class C:\n    __hash__ = None",
            "class C: ...",
        ),
    ),
    calls(
        "no-longer-hashable",
        BREAKS,
        said(
            "Instances can't be hashed any more",
            "Using one in a set or as a key fails with a TypeError.",
            _HASH,
        ),
        facet(sig.HASHABLE, candidate=(False,)),
        edit(_CLASS, "class C:\n    __hash__ = None"),
    ),
    calls(
        "became-hashable",
        FITS,
        said("Instances can be hashed", "Nothing that was allowed is refused.", _HASH),
        facet(sig.HASHABLE, candidate=(True,)),
        edit("class C:\n    __hash__ = None", _CLASS),
    ),
    calls(
        "new-attributes-unknown",
        OPEN,
        said(
            "Whether instances take new attributes is decided by another library",
            "A base that is not part of the contract may have slots or a dict.",
            _SLOTS,
        ),
        Match(elements=NAME, facets=(sig.NEW_ATTRIBUTES,), when=_is_unknown),
        shown(
            "from x import B\nclass C(B): ...",
            "from x import B\nclass C(B):\n    __slots__ = ()",
            _CLASS,
            "class C:\n    __slots__ = ()",
        ),
    ),
    calls(
        "new-attributes-refused",
        BREAKS,
        said(
            "Instances take no new attributes any more",
            "Setting one that the class does not name fails with an AttributeError.",
            _SLOTS,
        ),
        facet(sig.NEW_ATTRIBUTES, candidate=(False,)),
        edit(_CLASS, "class C:\n    __slots__ = ()"),
    ),
    calls(
        "new-attributes-allowed",
        FITS,
        said("Instances take new attributes", "Nothing that was allowed is refused.", _SLOTS),
        facet(sig.NEW_ATTRIBUTES, candidate=(True,)),
        edit("class C:\n    __slots__ = ()", _CLASS),
    ),
    results(
        "tuple-shape-changed",
        BREAKS,
        said(
            "A named tuple has other fields, or has them in another order",
            "Unpacking, indexing and comparing with plain tuples rest on number and order.",
            "collections, namedtuple",
        ),
        Match(elements=NAME, facets=(sig.SHAPE,)),
        shown(
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 1\n    b: int = 2",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    b: int = 2\n    a: int = 1",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 1",
            "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int = 2",
        ),
    ),
    calls(
        "made-otherwise",
        OPEN,
        said(
            "A class is made in another way",
            "A dataclass, an enum, a protocol and a plain class give their instances different abilities; the rows of "
            "the members say those that can be seen.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.FLAVOUR,)),
        shown(
            "from dataclasses import dataclass\nclass C: ...",
            "from dataclasses import dataclass\n@dataclass(eq=False)\nclass C: ...",
            "class C: ...",
            "class C:\n    __slots__ = ()",
        ),
    ),
)

_PROPERTY: Final = "class C:\n    @property\n    def a(self): ..."
_SETTER: Final = "\n    @a.setter\n    def a(self, value): ..."
_DELETER: Final = "\n    @a.deleter\n    def a(self): ..."
_TOTAL: Final = "from typing import TypedDict\nclass D(TypedDict):\n    a: int\n"
_PARTIAL: Final = _TOTAL.replace("TypedDict):", "TypedDict, total=False):")
_DICTS: Final = f"{py.TYPING}, Typed dictionaries"

_HELD: Final[tuple[Rule, ...]] = (
    calls(
        "attribute-became-read-only",
        BREAKS,
        said(
            "An attribute can't be set any more",
            "Setting it fails with an AttributeError.",
            f"{py.DATA_MODEL}, Descriptors",
        ),
        facet(sig.SETTABLE, candidate=(False,)),
        edit(_PROPERTY + _SETTER, _PROPERTY),
    ),
    calls(
        "attribute-became-settable",
        FITS,
        said("An attribute can be set", "Nothing that was allowed is refused.", f"{py.DATA_MODEL}, Descriptors"),
        facet(sig.SETTABLE, candidate=(True,)),
        edit(_PROPERTY, _PROPERTY + _SETTER),
    ),
    calls(
        "property-lost-deleter",
        BREAKS,
        said("A property can't be deleted any more", "`del` fails with an AttributeError.", py.ATTRIBUTES),
        facet(sig.DELETABLE, released=(True,)),
        edit(_PROPERTY + _DELETER, _PROPERTY),
    ),
    calls(
        "property-got-deleter",
        FITS,
        said("A property can be deleted", "Nothing that was allowed is refused.", py.ATTRIBUTES),
        facet(sig.DELETABLE, candidate=(True,)),
        edit(_PROPERTY, _PROPERTY + _DELETER),
    ),
    in_planes(
        TYPING_ONLY,
        calls(
            "key-became-required",
            BREAKS,
            said(
                "A key of a typed dict became required",
                "A type checker refuses a dict without it.",
                _DICTS,
            ),
            facet(sig.REQUIRED_KEY, candidate=(True,)),
            edit(_PARTIAL, _TOTAL),
        ),
    ),
    in_planes(
        TYPING_ONLY,
        results(
            "key-became-optional",
            BREAKS,
            said(
                "A key of a typed dict may be missing",
                "Who reads the key rests on it; a type checker warns, and a KeyError may follow.",
                _DICTS,
            ),
            facet(sig.REQUIRED_KEY, candidate=(False,)),
            edit(_TOTAL, _PARTIAL),
        ),
    ),
)

_LEFT: Final = "class C:\n    def __init__(self):\n        self.a = 1"
_HOOK: Final = "class C:\n    def __init_subclass__(cls, {}): ..."
_GENERIC: Final = "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C{}: ..."
_ENUM: Final = "from enum import Enum\nclass C(Enum):\n    {}"

_ON_CLASS: Final[tuple[Rule, ...]] = (
    calls(
        "attribute-left-class",
        BREAKS,
        said(
            "An attribute is no longer on the class itself",
            "Instances may still have it; reading it on the class fails with an AttributeError.",
            f"{py.DATA_MODEL}, Custom classes",
        ),
        facet(sig.ON_CLASS, released=(True,)),
        edit("class C:\n    a = 1", _LEFT),
    ),
    calls(
        "attribute-on-class",
        FITS,
        said("An attribute is on the class itself", "Instances have it as before.", f"{py.DATA_MODEL}, Custom classes"),
        Match(elements=NAME, facets=(sig.ON_CLASS,)),
        edit(_LEFT, "class C:\n    a = 1"),
    ),
    calls(
        "subclass-keyword-required",
        BREAKS,
        said(
            "A subclass has to give a keyword that it did not, or must not give one any more",
            "A class statement of an old subclass fails with a TypeError.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,), when=_asks_more),
        shown(_CLASS, _HOOK.format("*, tag"), _CLASS, _HOOK.format("*, tag=1")),
    ),
    calls(
        "subclass-keywords-unknown",
        OPEN,
        said(
            "A subclass may no longer give any keyword",
            "What the released class made of keywords of any name, its body decides.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,), when=lambda delta: "**" in _texts(delta.released)),
        shown(_HOOK.format("**more"), _CLASS, _HOOK.format("*, tag"), _HOOK.format("*, tag=1")),
    ),
    calls(
        "subclass-keyword-optional",
        FITS,
        said(
            "A subclass may give more keywords, or need not give one",
            "A class statement of an old subclass gives what is taken.",
            f"{py.DATA_MODEL}, Customizing class creation",
        ),
        Match(elements=NAME, facets=(sig.ASKED,)),
        shown(_HOOK.format("*, tag"), _HOOK.format("*, tag=1"), _CLASS, _HOOK.format("*, tag")),
    ),
    calls(
        "match-arguments-changed",
        OPEN,
        said(
            "Patterns by position match other attributes",
            "`case C(1)` compares another attribute, or is refused with a TypeError; a longer list keeps old patterns.",
            f"{py.DATA_MODEL}, Customizing positional arguments in class pattern matching",
        ),
        Match(elements=NAME, facets=(sig.MATCHED,)),
        shown(
            "class C:\n    __match_args__ = ('a', 'b')",
            "class C:\n    __match_args__ = ('b', 'a')",
            _CLASS,
            "class C:\n    __slots__ = ()",
        ),
    ),
    calls(
        "enum-closed",
        BREAKS,
        said(
            "An enum got its first members",
            "An enum with members can't be inherited from.",
            "enum, Restricted Enum subclassing",
        ),
        facet(sig.EXTENSIBLE, candidate=(False,)),
        edit(_ENUM.format("..."), _ENUM.format("_a = 1")),
    ),
    calls(
        "enum-opened",
        FITS,
        said("An enum has no members any more", "It can be inherited from.", "enum, Restricted Enum subclassing"),
        facet(sig.EXTENSIBLE, candidate=(True,)),
        edit(_ENUM.format("_a = 1"), _ENUM.format("...")),
    ),
    calls(
        "type-arguments-refused",
        BREAKS,
        said(
            "A class takes no type arguments any more",
            "`C[int]` fails with a TypeError, in annotations and as a base.",
            f"{py.TYPING}, Generics",
        ),
        facet(sig.TAKES_TYPES, released=(True,)),
        edit(_GENERIC.format("(Generic[T])"), _GENERIC.format("")),
    ),
    calls(
        "type-arguments-taken",
        FITS,
        said("A class takes type arguments", "Without them it is used as before.", f"{py.TYPING}, Generics"),
        Match(elements=NAME, facets=(sig.TAKES_TYPES,)),
        edit(_GENERIC.format(""), _GENERIC.format("(Generic[T])")),
    ),
)

INSTANCE_RULES: Final[tuple[Rule, ...]] = (*_MADE, *_HELD, *_ON_CLASS)
