"""Python: arguments, how a callable is called, and annotations. Which calls bind is computed besides."""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import FormChange, Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Form, Tristate
from evreview.kinds.python import rule_examples as py
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import is_literal, is_within
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
    edit,
    facet,
)

_BARE: Final = "def f(a): ..."


def _come(delta: Delta) -> bool:
    return py.is_variadic(delta.candidate)


def _both_literal(delta: Delta) -> bool:
    return all(isinstance(form, str) and is_literal(form) for form in (delta.released, delta.candidate))


def _default(*shift: FormChange) -> Match:
    return Match(elements=ARGUMENT, facets=(sig.DEFAULT,), shift=shift)


def _kind(released: str, candidate: str) -> Match:
    return Match(elements=ARGUMENT, facets=(sig.KIND,), released=(released,), candidate=(candidate,))


_ARGUMENTS: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "variadic-removed",
        Text("`*args` or `**kwargs` was removed", "A call may give more arguments than are left.", py.CALLS),
        py.whole(Change.REMOVED, ARGUMENT, lambda delta: py.is_variadic(delta.released)),
        edit("def f(*args): ...", "def f(): ..."),
    ),
    FITS.calls(
        "variadic-added",
        Text("`*args` or `**kwargs` was added", "Every old call binds as before.", py.CALLS),
        py.whole(Change.ADDED, ARGUMENT, _come),
        edit("def f(): ...", "def f(**kwargs): ..."),
    ),
    BREAKS.calls(
        "argument-removed",
        Text("An argument was removed", "A call that gives it is refused with a TypeError.", py.CALLS),
        py.whole(Change.REMOVED, ARGUMENT),
        edit("def f(a, b=1): ...", _BARE),
    ),
    BREAKS.calls(
        "argument-added-required",
        Text("A required argument was added", "A call that leaves it out is refused with a TypeError.", py.CALLS),
        py.whole(
            Change.ADDED, ARGUMENT, lambda delta: py.form_of(delta.candidate, sig.DEFAULT) is None and not _come(delta)
        ),
        edit(_BARE, "def f(a, b): ..."),
    ),
    FITS.calls(
        "argument-added-optional",
        Text("An argument with a default was added", "A call that leaves it out binds as before.", py.CALLS),
        py.whole(Change.ADDED, ARGUMENT),
        edit(_BARE, "def f(a, b=1): ..."),
    ),
    BREAKS.calls(
        "argument-renamed",
        Text("An argument got another name", "A call that gives it by its old name is refused.", py.CALLS),
        Match(elements=ARGUMENT, facets=(sig.NAME,)),
        edit(_BARE, "def f(b): ..."),
        edit("def f(*, a): ...", "def f(*, b=1): ..."),
    ),
    BREAKS.calls(
        "positional-order-changed",
        Text(
            "Positional arguments changed their places",
            "A call by position gives its values to other arguments, or is refused.",
            py.CALLS,
        ),
        Match(facets=(sig.ORDER,)),
        edit("def f(a, b): ...", "def f(b, a): ..."),
        edit("def f(a, b): ...", "def f(a, c): ..."),
    ),
    FITS.calls(
        "argument-became-optional",
        Text("An argument got a default", "Every old call gives it.", py.DEFINITIONS),
        _default(FormChange.SET),
        edit(_BARE, "def f(a=1): ..."),
    ),
    BREAKS.calls(
        "argument-became-required",
        Text("An argument lost its default", "A call that leaves it out is refused with a TypeError.", py.DEFINITIONS),
        _default(FormChange.UNSET),
        edit("def f(a=1): ...", _BARE),
    ),
    BREAKS.calls(
        "default-changed",
        Text(
            "A default changed",
            "A call that leaves the argument out means the released value, and the candidate takes another one.",
            py.DEFINITIONS,
        ),
        Match(elements=ARGUMENT, facets=(sig.DEFAULT,), when=_both_literal),
        edit("def f(a=1): ...", "def f(a=2): ..."),
        edit("def f(a=1): ...", "def f(a=g()): ..."),
    ),
    OPEN.calls(
        "default-unknown",
        Text(
            "A default is written differently, and its value is not known without running the code",
            "A sentinel or a computed default may stand for the same value or for another one.",
            py.DEFINITIONS,
        ),
        Match(elements=ARGUMENT, facets=(sig.DEFAULT,)),
        edit("def f(a=g()): ...", "def f(a=h()): ..."),
        edit("def f(a=1): ...", "def f(a=2): ..."),
    ),
)

_FREED: Final = ((sig.POSITIONAL_ONLY, sig.EITHER), (sig.KEYWORD_ONLY, sig.EITHER))


_KINDS: Final[tuple[Rule, ...]] = (
    BREAKS.calls(
        "argument-became-positional-only",
        Text("An argument became positional-only", "A call that gives it by name is refused.", py.CALLS),
        _kind(sig.EITHER, sig.POSITIONAL_ONLY),
        edit(_BARE, "def f(a, /): ..."),
    ),
    BREAKS.calls(
        "argument-became-keyword-only",
        Text("An argument became keyword-only", "A call that gives it by position is refused.", py.CALLS),
        Match(elements=ARGUMENT, facets=(sig.KIND,), candidate=(sig.KEYWORD_ONLY,)),
        edit(_BARE, "def f(*, a): ..."),
    ),
    FITS.calls(
        "argument-freed",
        Text("An argument may be given by position and by name", "Every old call binds as before.", py.CALLS),
        Match(elements=ARGUMENT, facets=(sig.KIND,), when=lambda delta: (delta.released, delta.candidate) in _FREED),
        edit("def f(a, /): ...", _BARE),
    ),
    BREAKS.calls(
        "argument-became-positional",
        Text("A keyword-only argument became positional-only", "A call that gives it by name is refused.", py.CALLS),
        _kind(sig.KEYWORD_ONLY, sig.POSITIONAL_ONLY),
        edit("def f(*, a): ...", "def f(a, /): ..."),
    ),
)


def _result(rule_id: str, text: tuple[str, str], forms: tuple[str, str], code: tuple[str, str]) -> Rule:
    title, why = text
    match = facet(sig.RESULT, released=forms[:1] if forms[0] else (), candidate=forms[1:] if forms[1] else ())
    return BREAKS.results(rule_id, Text(title, why, py.DEFINITIONS), match, edit(*code))


_PLAIN: Final = "def f(): ..."
_ASYNC: Final = "async def f(): ..."
_YIELDING: Final = "def f():\n    yield 1"
_MANAGED: Final = "from contextlib import contextmanager\n@contextmanager\ndef f():\n    yield 1"

_WRAPPER: Final = (
    "def _d(fn):\n    def w({}):\n        return fn({})\n    return w\n@_d\ndef f(a): ...\n@_d\ndef g(): return 1"
)

_CALLING: Final[tuple[Rule, ...]] = (
    _result(
        "became-awaitable",
        ("A callable became asynchronous", "An old caller gets a coroutine where it had the value itself."),
        (sig.PLAIN, "awaitable"),
        (_PLAIN, _ASYNC),
    ),
    _result(
        "no-longer-awaitable",
        ("A callable is no longer asynchronous", "`await` of what it gives fails with a TypeError."),
        ("awaitable", ""),
        (_ASYNC, _PLAIN),
    ),
    OPEN.results(
        "result-kind-unknown",
        Text(
            "What a callable gives is now an iterator or a context manager",
            "The released signature did not say what kind of value a call gives.",
            py.DEFINITIONS,
        ),
        facet(sig.RESULT, released=(sig.PLAIN,)),
        edit(_PLAIN, _YIELDING),
    ),
    BREAKS.results(
        "result-kind-changed",
        Text(
            "What a callable gives is used in another way",
            "An iterator, a coroutine and a context manager have nothing in common that an old caller could use.",
            py.DEFINITIONS,
        ),
        Match(facets=(sig.RESULT,)),
        edit(_MANAGED, _YIELDING),
        edit(_PLAIN, _ASYNC),
    ),
    BREAKS.calls(
        "method-freed",
        Text(
            "A method no longer takes an instance",
            "`C.m(thing)` and `map(C.m, things)` gave it the instance; now this is a value too many, or another one.",
            py.DATA_MODEL + ", 3.2.8.2 Instance methods",
        ),
        facet(sig.BOUND_TO, released=(sig.INSTANCE,)),
        edit("class C:\n    def m(self): ...", "class C:\n    @staticmethod\n    def m(): ..."),
    ),
    FITS.calls(
        "method-class-exchanged",
        Text(
            "A method gets the class in place of nothing, or nothing in place of the class",
            "A call gives neither, on an instance or on the class.",
            py.DATA_MODEL + ", 3.2.8.2 Instance methods",
        ),
        facet(sig.BOUND_TO, candidate=("class", "nothing")),
        edit("class C:\n    @classmethod\n    def m(cls): ...", "class C:\n    @staticmethod\n    def m(): ..."),
        edit("class C:\n    def m(self): ...", "class C:\n    @staticmethod\n    def m(): ..."),
    ),
    BREAKS.calls(
        "method-bound",
        Text(
            "A method needs an instance now",
            "A call on the class has no instance to give, and is refused with a TypeError.",
            py.DATA_MODEL + ", 3.2.8.2 Instance methods",
        ),
        facet(sig.BOUND_TO, candidate=(sig.INSTANCE,)),
        edit("class C:\n    @classmethod\n    def m(cls): ...", "class C:\n    def m(self): ..."),
    ),
    OPEN.calls(
        "decorators-changed",
        Text(
            "Decorators changed whose effect the signature does not show",
            "A decorator may change what is called, what it takes and what it gives.",
            py.DEFINITIONS,
        ),
        Match(facets=(sig.DECORATORS,)),
        edit("from x import d\n@d\ndef f(a): ...", "def f(a): ..."),
        edit("from x import d\n@d\ndef f(a): ...", "from x import d\n@d\ndef f(a, b): ..."),
    ),
    OPEN.calls(
        "wrapper-changed",
        Text(
            "A decorator of the library makes another function of what it decorates",
            "The function that a call reaches has another head, or came or went; what it does with its values is not "
            "compared.",
            py.DEFINITIONS,
        ),
        Match(facets=(sig.WRAPPED,)),
        edit(_WRAPPER.format("*a, **k", "*a, **k"), _WRAPPER.format("", "1")),
        edit(_WRAPPER.format("*a, **k", "*a, **k"), _WRAPPER.format("*a, **k", "*a, **k").replace("f(a)", "f()")),
    ),
    OPEN.results(
        "documented-raises-changed",
        Text(
            "The documentation names other exceptions",
            "Prose is no promise that a signature makes; who catches the old ones should look.",
            py.DATA_MODEL,
        ),
        Match(facets=(sig.RAISES,)),
        edit(
            'def f():\n    """F.\n\n    Raises:\n        KeyError: no.\n    """',
            'def f():\n    """F.\n\n    Raises:\n        ValueError: no.\n    """',
        ),
        edit(
            'def f():\n    """F.\n\n    Raises:\n        KeyError: no.\n    """',
            'async def f():\n    """F.\n\n    Raises:\n        KeyError: no.\n    """',
        ),
    ),
)


CALL_RULES: Final[tuple[Rule, ...]] = (*_ARGUMENTS, *_KINDS, *_CALLING)


# Annotations. A type checker compares them; at run time nobody looks, so the planes differ.


_SUBTYPES: Final = f"{py.TYPING}, Subtype relationships"


def _within(narrow: Form, wide: Form) -> Tristate:
    return is_within(narrow, wide) if isinstance(narrow, str) and isinstance(wide, str) else Tristate.UNKNOWN


def _gives_only(delta: Delta) -> bool:
    return _within(delta.candidate, delta.released) is Tristate.YES


def _gives_more(delta: Delta) -> bool:
    return _within(delta.candidate, delta.released) is Tristate.NO


def _argument(**more: object) -> Match:
    return Match(elements=ARGUMENT, facets=(sig.ANNOTATION,), **more)  # type: ignore[arg-type]


_TAKEN: Final[tuple[Rule, ...]] = (
    FITS.by_plane(UNDECLARED).calls(
        "parameter-type-added",
        Text(
            "An argument got an annotation",
            "The released library promised nothing about its type, and an annotation refuses no call when it runs; "
            "a type checker may refuse calls that it let pass.",
            _SUBTYPES,
        ),
        _argument(shift=(FormChange.SET,)),
        edit("def f(a): ...", "def f(a: int): ..."),
    ),
    FITS.calls(
        "parameter-type-removed",
        Text("An argument lost its annotation", "A type checker takes every value there.", _SUBTYPES),
        _argument(shift=(FormChange.UNSET,)),
        edit("def f(a: int): ...", "def f(a): ..."),
    ),
    FITS.calls(
        "parameter-type-widened",
        Text("An argument takes more types", "Every value that the released annotation takes is taken.", _SUBTYPES),
        _argument(when=lambda delta: _within(delta.released, delta.candidate) is Tristate.YES),
        edit("def f(a: int): ...", "def f(a: int | str): ..."),
    ),
    BREAKS.by_plane(ANNOTATED).calls(
        "parameter-type-narrowed",
        Text(
            "An argument no longer takes every type",
            "A type checker refuses a call with a value that the released annotation takes.",
            _SUBTYPES,
        ),
        _argument(when=lambda delta: _within(delta.released, delta.candidate) is Tristate.NO),
        edit("def f(a: int | None): ...", "def f(a: int): ..."),
    ),
    OPEN.calls(
        "parameter-type-changed",
        Text(
            "An argument takes another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        _argument(),
        edit("import x\ndef f(a: x.A): ...", "import x\ndef f(a: x.B): ..."),
        edit("import x\ndef f(a: int): ...", "import x\ndef f(a: str): ..."),
    ),
)

_GIVEN: Final[tuple[Rule, ...]] = (
    FITS.by_plane(TOLD_LATER).results(
        "return-type-added",
        Text(
            "A return annotation was added",
            "The released library promised no type, so that no promise is taken back; whether what it gives "
            "changed with the annotation, nothing tells.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,), shift=(FormChange.SET,)),
        edit("def f(): ...", "def f() -> int: ..."),
    ),
    FITS.results(
        "return-type-removed",
        Text("A return annotation was removed", "A type checker lets every use of the value pass.", _SUBTYPES),
        Match(facets=(sig.RETURNS,), shift=(FormChange.UNSET,)),
        edit("def f() -> int: ...", "def f(): ..."),
    ),
    FITS.results(
        "return-type-narrowed",
        Text(
            "A callable gives fewer types",
            "Every value that it gives is one that the released annotation names.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,), when=_gives_only),
        edit("def f() -> int | None: ...", "def f() -> int: ..."),
    ),
    BREAKS.by_plane(ANNOTATED).results(
        "return-type-widened",
        Text(
            "A callable gives types that it excluded",
            "An old caller may get a value that the released annotation excludes.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,), when=_gives_more),
        edit("def f() -> int: ...", "def f() -> int | None: ..."),
    ),
    OPEN.results(
        "return-type-changed",
        Text(
            "A callable gives another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        Match(facets=(sig.RETURNS,)),
        edit("import x\ndef f() -> x.A: ...", "import x\ndef f() -> x.B: ..."),
        edit("import x\ndef f() -> int: ...", "import x\ndef f() -> str: ..."),
    ),
)

_HELD: Final[tuple[Rule, ...]] = (
    FITS.results(
        "attribute-type-told",
        Text(
            "An attribute got or lost its annotation",
            "What it holds was not told on one side, so nothing that was promised is taken back.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,), shift=(FormChange.SET, FormChange.UNSET)),
        edit("a = 1", "a: int = 1"),
        edit("a: int = 1", "a: str = 1"),
    ),
    OPEN.results(
        "attribute-type-narrowed",
        Text(
            "An attribute holds fewer types",
            "Who reads it gets what was promised; who sets it may be refused by a type checker.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,), when=_gives_only),
        edit("a: int | None", "a: int"),
    ),
    BREAKS.by_plane(ANNOTATED).results(
        "attribute-type-widened",
        Text(
            "An attribute holds types that it excluded",
            "Who reads it may get a value that the released annotation excludes.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,), when=_gives_more),
        edit("a: int", "a: int | None"),
    ),
    OPEN.results(
        "attribute-type-changed",
        Text(
            "An attribute holds another type, and how the two relate is not known",
            "Type variables, callables and classes of other libraries are not compared further.",
            _SUBTYPES,
        ),
        Match(facets=(sig.TYPE,)),
        edit("import x\na: x.A", "import x\na: x.B"),
        edit("import x\na: int", "import x\na: str"),
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
    BREAKS.by_plane(TYPING_ONLY).calls(
        "overload-removed",
        Text(
            "An overload was removed",
            "A type checker refuses calls that only this overload took.",
            f"{py.TYPING}, Overloads",
        ),
        py.whole(Change.REMOVED, (ElementKind.OVERLOAD,)),
        edit(_THREE, _TWO),
    ),
    OPEN.by_plane(TYPING_OPEN).calls(
        "overloads-reordered",
        Text(
            "Overloads are declared in another order",
            "A type checker takes the first one that fits; where two fit, another one speaks now.",
            f"{py.TYPING}, Overloads",
        ),
        Match(facets=(sig.OVERLOADS,)),
        edit(_REORDERED[0], _REORDERED[1]),
        edit(_TWO, _THREE),
    ),
    FITS.calls(
        "overload-added",
        Text("An overload was added", "Old calls match the overloads that stay.", f"{py.TYPING}, Overloads"),
        py.whole(Change.ADDED, (ElementKind.OVERLOAD,)),
        edit(_TWO, _THREE),
    ),
)

TYPE_RULES: Final[tuple[Rule, ...]] = (*_TAKEN, *_GIVEN, *_HELD, *_OVERLOADS)
