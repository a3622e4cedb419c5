"""Python: what a class inherits and promises."""

from __future__ import annotations

from collections.abc import Sequence
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
_FINAL: Final = f"{py.TYPING}, Type qualifiers, @final"


def _members(form: Form) -> set[str]:
    return {str(each) for each in form} if isinstance(form, Sequence) and not isinstance(form, str) else set()


def _lost(delta: Delta) -> bool:
    return bool(_members(delta.released) - _members(delta.candidate))


def _namesakes(delta: Delta) -> bool:
    """True when every ancestor that went has one of the same last name that came, or is no name at all."""
    gone, come = _members(delta.released) - _members(delta.candidate), _members(delta.candidate)
    names = {each.rpartition(".")[2] for each in come - _members(delta.released)}
    return bool(gone) and all(
        each.rpartition(".")[2] in names or not each.replace(".", "").isidentifier() for each in gone
    )


_UNCHECKED: Final = "from typing import Protocol, runtime_checkable\nclass C(Protocol):\n    def a(self): ..."
_CHECKED: Final = _UNCHECKED.replace("class", "@runtime_checkable\nclass")

_INHERITED: Final[tuple[Rule, ...]] = (
    results(
        "ancestor-unknown",
        OPEN,
        said(
            "A class inherits from a class of the same name from another place",
            "Libraries hand each other's classes on under names of their own; whether it is one class is not told.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.ANCESTORS,), when=_namesakes),
        shown(
            "from x import B\nclass C(B): ...",
            "from y import B\nclass C(B): ...",
            "class E(ValueError): ...",
            "class E(Exception): ...",
        ),
    ),
    results(
        "ancestor-removed",
        BREAKS,
        said(
            "A class no longer inherits from a class that clients know",
            "`isinstance`, `except` and annotations that name it no longer hold for instances.",
            py.CLASSES,
        ),
        Match(elements=NAME, facets=(sig.ANCESTORS,), when=_lost),
        edit("class E(ValueError): ...", "class E(Exception): ..."),
    ),
    results(
        "ancestor-added",
        FITS,
        said("A class inherits from one more class", "Instances are all that they were.", py.CLASSES),
        Match(elements=NAME, facets=(sig.ANCESTORS,)),
        edit("class E(Exception): ...", "class E(ValueError): ..."),
    ),
    calls(
        "base-order-changed",
        BREAKS,
        said(
            "The bases of a class changed their order",
            "A class that inherits from it and from the bases, in the released order, can no longer be made; what both "
            "bases define comes from the other one now.",
            f"{py.CLASSES}; The Python 2.3 method resolution order",
        ),
        Match(elements=NAME, facets=(sig.BASES,)),
        shown(
            "class A: ...\nclass B: ...\nclass C(A, B): ...",
            "class A: ...\nclass B: ...\nclass C(B, A): ...",
            "class A: ...\nclass B: ...\nclass C(A, B): ...",
            "class A: ...\nclass B: ...\nclass C(A): ...",
        ),
    ),
    calls(
        "no-longer-checkable",
        BREAKS,
        said(
            "A protocol can't be asked for at run time any more",
            "`isinstance` with it fails with a TypeError.",
            "typing, runtime_checkable",
        ),
        facet(sig.CHECKABLE, candidate=(False,)),
        edit(_CHECKED, _UNCHECKED),
    ),
    calls(
        "became-checkable",
        FITS,
        said(
            "A protocol can be asked for at run time",
            "Nothing that was allowed is refused.",
            "typing, runtime_checkable",
        ),
        facet(sig.CHECKABLE, candidate=(True,)),
        edit(_UNCHECKED, _CHECKED),
    ),
    calls(
        "metaclass-dropped",
        OPEN,
        said(
            "The class has no metaclass of its own any more",
            "No subclass is refused for it; what the metaclass gave the class itself is not compared.",
            f"{py.DATA_MODEL}, Determining the appropriate metaclass",
        ),
        facet(sig.METACLASS, candidate=("type",)),
        shown(
            "class M(type): ...\nclass C(metaclass=M): ...",
            "class M(type): ...\nclass C: ...",
            "class M(type): ...\nclass C: ...",
            "class M(type): ...\nclass C(metaclass=M): ...",
        ),
    ),
    calls(
        "metaclass-changed",
        BREAKS,
        said(
            "The metaclass changed",
            "A class that inherits from it and from one of another metaclass can no longer be made.",
            f"{py.DATA_MODEL}, Determining the appropriate metaclass",
        ),
        Match(elements=NAME, facets=(sig.METACLASS,)),
        shown(
            "class M(type): ...\nclass C: ...",
            "class M(type): ...\nclass C(metaclass=M): ...",
            "class C: ...\nclass D: ...",
            "class C: ...\nclass D(C): ...",
        ),
    ),
    in_planes(
        TYPING_ONLY,
        calls(
            "became-final",
            BREAKS,
            said(
                "A class, method or variable became final",
                "A type checker refuses subclasses, overrides and assignments; nothing is refused when it runs.",
                _FINAL,
            ),
            facet(sig.FINAL, candidate=(True,)),
            edit(_CLASS, "from typing import final\n@final\nclass C: ..."),
        ),
    ),
    calls(
        "no-longer-final",
        FITS,
        said("A class, method or variable is no longer final", "Nothing that was allowed is refused.", _FINAL),
        facet(sig.FINAL, candidate=(False,)),
        edit("from typing import final\n@final\nclass C: ...", _CLASS),
    ),
    calls(
        "member-became-demanded",
        BREAKS,
        said(
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
    calls(
        "member-no-longer-demanded",
        FITS,
        said("A member need not be implemented any more", "Whoever implements it may go on.", "abc, abstractmethod"),
        Match(elements=NAME, facets=(sig.DEMANDED,)),
        edit(
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    @abstractmethod\n    def a(self): ...",
            "from abc import ABC, abstractmethod\nclass C(ABC):\n    def a(self): ...",
        ),
    ),
)

RULES: Final[tuple[Rule, ...]] = _INHERITED
