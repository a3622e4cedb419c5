"""Python: what the instances of a class can do, and what their attributes allow."""

from __future__ import annotations

from typing import Final

from evreview.contracts import signatures as sig
from evreview.ledger.delta import Delta
from evreview.rules.families import python_shown as py
from evreview.rules.families.python_shown import (
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
from evreview.rules.rule import Match, Rule

_CLASS: Final = "class C: ..."
_HASH: Final = f"{py.DATA_MODEL}, object.__hash__"
_SLOTS: Final = f"{py.DATA_MODEL}, __slots__"


def _is_unknown(delta: Delta) -> bool:
    return "unknown" in (delta.released, delta.candidate)


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

RULES: Final[tuple[Rule, ...]] = (*_MADE, *_HELD)
