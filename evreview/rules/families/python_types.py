"""Python: annotations. A type checker compares them; at run time nobody looks, so the planes differ."""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule, Shift
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, Change, Form
from evreview.kinds.python import rule_examples as py
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.rule_examples import (
    ANNOTATED,
    ARGUMENT,
    BREAKS,
    FITS,
    OPEN,
    TOLD_LATER,
    TYPING_ONLY,
    TYPING_OPEN,
    UNDECLARED,
    calls,
    edit,
    in_planes,
    results,
    said,
    shown,
)
from evreview.shapes.annotations import is_within

_SUBTYPES: Final = f"{py.TYPING}, Subtype relationships"


def _within(narrow: Form, wide: Form) -> Answer:
    return is_within(narrow, wide) if isinstance(narrow, str) and isinstance(wide, str) else Answer.UNKNOWN


def _takes_all(delta: Delta) -> bool:
    return _within(delta.released, delta.candidate) is Answer.YES


def _takes_less(delta: Delta) -> bool:
    return _within(delta.released, delta.candidate) is Answer.NO


def _gives_only(delta: Delta) -> bool:
    return _within(delta.candidate, delta.released) is Answer.YES


def _gives_more(delta: Delta) -> bool:
    return _within(delta.candidate, delta.released) is Answer.NO


def _argument(**more: object) -> Match:
    return Match(elements=ARGUMENT, facets=(sig.ANNOTATION,), **more)  # type: ignore[arg-type]


_TAKEN: Final[tuple[Rule, ...]] = (
    in_planes(
        UNDECLARED,
        calls(
            "parameter-type-added",
            FITS,
            said(
                "An argument got an annotation",
                "The released library promised nothing about its type, and an annotation refuses no call when it runs; "
                "a type checker may refuse calls that it let pass.",
                _SUBTYPES,
            ),
            _argument(shift=(Shift.SET,)),
            edit("def f(a): ...", "def f(a: int): ..."),
        ),
    ),
    calls(
        "parameter-type-removed",
        FITS,
        said("An argument lost its annotation", "A type checker takes every value there.", _SUBTYPES),
        _argument(shift=(Shift.UNSET,)),
        edit("def f(a: int): ...", "def f(a): ..."),
    ),
    calls(
        "parameter-type-widened",
        FITS,
        said("An argument takes more types", "Every value that the released annotation takes is taken.", _SUBTYPES),
        _argument(when=_takes_all),
        edit("def f(a: int): ...", "def f(a: int | str): ..."),
    ),
    in_planes(
        ANNOTATED,
        calls(
            "parameter-type-narrowed",
            BREAKS,
            said(
                "An argument no longer takes every type",
                "A type checker refuses a call with a value that the released annotation takes.",
                _SUBTYPES,
            ),
            _argument(when=_takes_less),
            edit("def f(a: int | None): ...", "def f(a: int): ..."),
        ),
    ),
    calls(
        "parameter-type-changed",
        OPEN,
        said(
            "An argument takes another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        _argument(),
        shown(
            "import x\ndef f(a: x.A): ...",
            "import x\ndef f(a: x.B): ...",
            "import x\ndef f(a: int): ...",
            "import x\ndef f(a: str): ...",
        ),
    ),
)

_GIVEN: Final[tuple[Rule, ...]] = (
    in_planes(
        TOLD_LATER,
        results(
            "return-type-added",
            FITS,
            said(
                "A return annotation was added",
                "The released library promised no type, so that no promise is taken back; whether what it gives "
                "changed with the annotation, nothing tells.",
                _SUBTYPES,
            ),
            Match(facets=(sig.RETURNS,), shift=(Shift.SET,)),
            edit("def f(): ...", "def f() -> int: ..."),
        ),
    ),
    results(
        "return-type-removed",
        FITS,
        said("A return annotation was removed", "A type checker lets every use of the value pass.", _SUBTYPES),
        Match(facets=(sig.RETURNS,), shift=(Shift.UNSET,)),
        edit("def f() -> int: ...", "def f(): ..."),
    ),
    results(
        "return-type-narrowed",
        FITS,
        said(
            "A callable gives fewer types",
            "Every value that it gives is one that the released annotation names.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,), when=_gives_only),
        edit("def f() -> int | None: ...", "def f() -> int: ..."),
    ),
    in_planes(
        ANNOTATED,
        results(
            "return-type-widened",
            BREAKS,
            said(
                "A callable gives types that it excluded",
                "An old caller may get a value that the released annotation excludes.",
                _SUBTYPES,
            ),
            Match(facets=(sig.RETURNS,), when=_gives_more),
            edit("def f() -> int: ...", "def f() -> int | None: ..."),
        ),
    ),
    results(
        "return-type-changed",
        OPEN,
        said(
            "A callable gives another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,)),
        shown(
            "import x\ndef f() -> x.A: ...",
            "import x\ndef f() -> x.B: ...",
            "import x\ndef f() -> int: ...",
            "import x\ndef f() -> str: ...",
        ),
    ),
)

_HELD: Final[tuple[Rule, ...]] = (
    results(
        "attribute-type-told",
        FITS,
        said(
            "An attribute got or lost its annotation",
            "What it holds was not told on one side, so nothing that was promised is taken back.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,), shift=(Shift.SET, Shift.UNSET)),
        shown("a = 1", "a: int = 1", "a: int = 1", "a: str = 1"),
    ),
    results(
        "attribute-type-narrowed",
        OPEN,
        said(
            "An attribute holds fewer types",
            "Who reads it gets what was promised; who sets it may be refused by a type checker.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,), when=_gives_only),
        edit("a: int | None", "a: int"),
    ),
    in_planes(
        ANNOTATED,
        results(
            "attribute-type-widened",
            BREAKS,
            said(
                "An attribute holds types that it excluded",
                "Who reads it may get a value that the released annotation excludes.",
                _SUBTYPES,
            ),
            Match(facets=(sig.TYPE,), when=_gives_more),
            edit("a: int", "a: int | None"),
        ),
    ),
    results(
        "attribute-type-changed",
        OPEN,
        said(
            "An attribute holds another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,)),
        shown("import x\na: x.A", "import x\na: x.B", "import x\na: int", "import x\na: str"),
    ),
)

_TWO: Final = """
from typing import overload
@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a): ...
"""
_THREE: Final = _TWO.replace("def f(a): ...", "@overload\ndef f(a: bytes) -> bytes: ...\ndef f(a): ...")

_REORDERED: Final = (_TWO, _TWO.replace("int", "?").replace("str", "int").replace("?", "str"))

_OVERLOADS: Final[tuple[Rule, ...]] = (
    in_planes(
        TYPING_ONLY,
        calls(
            "overload-removed",
            BREAKS,
            said(
                "An overload was removed",
                "A type checker refuses calls that only this overload took.",
                f"{py.TYPING}, Overloads",
            ),
            py.whole(Change.REMOVED, (ElementKind.OVERLOAD,)),
            edit(_THREE, _TWO),
        ),
    ),
    in_planes(
        TYPING_OPEN,
        calls(
            "overloads-reordered",
            OPEN,
            said(
                "Overloads are declared in another order",
                "A type checker takes the first one that fits; where two fit, another one speaks now.",
                f"{py.TYPING}, Overloads",
            ),
            Match(facets=(sig.OVERLOADS,)),
            shown(_REORDERED[0], _REORDERED[1], _TWO, _THREE),
        ),
    ),
    calls(
        "overload-added",
        FITS,
        said("An overload was added", "Old calls match the overloads that stay.", f"{py.TYPING}, Overloads"),
        py.whole(Change.ADDED, (ElementKind.OVERLOAD,)),
        edit(_TWO, _THREE),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_TAKEN, *_GIVEN, *_HELD, *_OVERLOADS)
