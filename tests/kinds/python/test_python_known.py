"""Changes that others have listed: each kind of AexPy's specification, and the shape of breakages that users reported.

Sources: AexPy, "Specification of Changes" (42 kinds) and its list of known breakages. The code is written anew; the
worst verdict expected is named, and where it is not theirs, why.
"""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.kinds.python.python_probes import Files
from tests.kinds.python.test_python_probes import contract

B, C, U = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
Side = str | Files
Case = tuple[str, Side, Side, Verdict | None]

_AB = "class A: ...\nclass B: ...\nclass C({}): ..."
_ITERABLE = "from collections.abc import Iterable\nclass C{}:\n    def __iter__(self): ..."
_METHOD = "class C:\n    def m(self, {}): ..."
_TYPED = "def f(a: {}) -> {}: ..."
_POPS = "def f(**kwargs):\n    {}"
_PARTS = {"lib/a.py": "def f(): ...\ndef g(): ...", "lib/b.py": "def f(): ..."}


def _init(text: str) -> Files:
    return {"lib/__init__.py": text, **_PARTS}


KINDS: tuple[Case, ...] = (
    ("AddModule", {"lib/__init__.py": ""}, _init(""), C),
    ("RemoveModule", _init(""), {"lib/__init__.py": ""}, B),
    ("AddClass", "", "class C: ...", C),
    ("RemoveClass", "class C: ...", "", B),
    ("AddBaseClass", _AB.format("A"), _AB.format("A, B"), C),
    ("RemoveBaseClass", _AB.format("A, B"), _AB.format("A"), B),
    ("ImplementAbstractBaseClass", _ITERABLE.format(""), _ITERABLE.format("(Iterable)"), C),
    ("DeimplementAbstractBaseClass", _ITERABLE.format("(Iterable)"), "class C: ...", B),
    ("ChangeMethodResolutionOrder", _AB.format("A, B"), _AB.format("B, A"), B),
    ("AddFunction", "", "def f(): ...", C),
    ("AddMethod", "class C: ...", "class C:\n    def m(self): ...", C),
    ("RemoveFunction", "def f(): ...", "", B),
    ("RemoveMethod", "class C:\n    def m(self): ...", "class C: ...", B),
    ("ChangeReturnType", _TYPED.format("int", "bytes"), _TYPED.format("int", "str"), B),
    ("AddAttribute", "", "a = 1", C),
    ("AddInstanceAttribute", "class C: ...", "class C:\n    def __init__(self):\n        self.a = 1", C),
    ("RemoveAttribute", "class C:\n    a = 1", "class C: ...", B),
    ("RemoveInstanceAttribute", "class C:\n    def __init__(self):\n        self.a = 1", "class C: ...", B),
    ("ChangeAttributeType", "a: int = 1", "a: str = ''", B),
    ("AddRequiredParameter", "def f(): ...", "def f(a): ...", B),
    # Theirs is medium: a subclass that overrides the method is called with more. That is the library's own body.
    ("AddOptionalParameter", _METHOD.format("a"), _METHOD.format("a, b=1"), C),
    ("AddVarPositional", "def f(): ...", "def f(*args): ...", C),
    ("AddVarKeyword", "def f(): ...", "def f(**kwargs): ...", C),
    # What a body takes out of `**kwargs` is behaviour: no signature tells it.
    ("AddRequiredCandidate", _POPS.format("..."), _POPS.format("kwargs.pop('a')"), None),
    ("AddOptionalCandidate", _POPS.format("..."), _POPS.format("kwargs.pop('a', 1)"), None),
    ("RemoveRequiredParameter", "def f(a): ...", "def f(): ...", B),
    ("RemoveOptionalParameter", "def f(a=1): ...", "def f(): ...", B),
    ("RemoveVarPositional", "def f(*args): ...", "def f(): ...", B),
    ("RemoveVarKeyword", "def f(**kwargs): ...", "def f(): ...", B),
    ("RemoveRequiredCandidate", _POPS.format("kwargs.pop('a')"), _POPS.format("..."), None),
    ("RemoveOptionalCandidate", _POPS.format("kwargs.pop('a', 1)"), _POPS.format("..."), None),
    ("AddParameterDefault", _METHOD.format("a"), _METHOD.format("a=1"), C),
    ("RemoveParameterDefault", "def f(a=1): ...", "def f(a): ...", B),
    ("ChangeParameterDefault", _METHOD.format("a=1"), _METHOD.format("a=2"), B),
    ("MoveParameter", "def f(a, b): ...", "def f(b, a): ...", B),
    ("ChangeParameterType", _TYPED.format("int | str", "int"), _TYPED.format("int", "int"), B),
    ("AddAlias", _init(""), _init("from .a import f"), C),
    ("AddExternalAlias", "__all__ = []", "from x import f\n__all__ = ['f']", C),
    ("RemoveAlias", _init("from .a import f\n__all__ = ['f']"), _init("__all__ = []"), B),
    ("RemoveExternalAlias", "from x import f\n__all__ = ['f']", "__all__ = []", B),
    ("ChangeAlias", _init("from .a import f\n__all__ = ['f']"), _init("from .b import f\n__all__ = ['f']"), U),
    ("ChangeExternalAlias", "from x import f\n__all__ = ['f']", "from x import g as f\n__all__ = ['f']", None),
)

_ATTRS = "from typing import NamedTuple\nclass Attrs(NamedTuple):\n    color: str\n    blink: bool{}\n    hidden: bool"
_PATH = "class Path:\n    def __init__(self, exists=False, {}): ..."
_SOCKET = "class Handler:\n    {}def get(self, *args): ..."
_CLIENT = "import attr\n@attr.define\nclass Context:\n    name: str{}"
_WORK = "class Work:\n    def __init__(self, {0}):\n        self.{0} = {0}"
_SHOWN = "def to_string(frame, max_rows=None, {}max_cols=None): ..."

REPORTED: tuple[Case, ...] = (
    ("a named tuple got a field (prompt_toolkit 3.0.20)", _ATTRS.format(""), _ATTRS.format("\n    strike: bool"), B),
    ("an option moved between others (click 8.1.2)", _PATH.format("executable=False, mode=1"),
     _PATH.format("mode=1, executable=False"), B),
    ("an instance attribute got another name (ao3-api 2.1.0)", _WORK.format("workid"), _WORK.format("id"), B),
    ("bytes became text (PyJWT 2.0.0)", "def encode(a) -> bytes: ...", "def encode(a) -> str: ...", B),
    ("a handler became asynchronous (tornado 6.0)", _SOCKET.format(""), _SOCKET.format("async "), B),
    ("a generated constructor asks for more (BentoML 1.0.0a6)", _CLIENT.format(""),
     _CLIENT.format("\n    email: str"), B),
    ("a re-export was dropped (Jinja2 3.1.0)", _init("from .a import f, g"), _init("from .a import g"), B),
    ("an argument was put before others (pandas 1.4.0)", _SHOWN.format(""), _SHOWN.format("min_rows=None, "), B),
    ("arguments became keyword-only (scikit-learn 0.23)", "def f(a, b=1): ...", "def f(a, *, b=1): ...", B),
    ("named arguments are refused (pandas 1.4.0)", "def f(target, **kwargs): ...", "def f(target): ...", B),
    ("a class got another name (docspec 2.0.0)", "class Data: ...", "class Variable: ...", B),
    ("a module was removed (tornado 6.0)", _init(""), {"lib/__init__.py": "", "lib/a.py": _PARTS["lib/a.py"]}, B),
    ("an argument was renamed (urllib3 1.26)", "class Retry:\n    def __init__(self, method_whitelist=1): ...",
     "class Retry:\n    def __init__(self, allowed_methods=1): ...", B),
    ("text became an enum (diffsync 1.4)", "class A:\n    @property\n    def action(self) -> str: ...",
     "from enum import Enum\nclass E(Enum):\n    a = 1\nclass A:\n    @property\n    def action(self) -> E: ...", B),
)  # fmt: skip


@pytest.mark.parametrize("case", [*KINDS, *REPORTED], ids=lambda case: case[0])
def test_the_worst_row_is_the_one_expected(case: Case) -> None:
    _, before, after, expected = case
    sides = [contract({"lib/__init__.py": side} if isinstance(side, str) else side) for side in (before, after)]
    rows = compare(*sides).rows
    verdicts = {row.judgement.verdict for row in rows}
    assert next((verdict for verdict in (B, U, C) if verdict in verdicts), None) is expected
    assert all(row.proof.status is ProofStatus.WITNESSED for row in rows if row.judgement.verdict is B)


def test_every_kind_is_listed_once() -> None:
    assert len(KINDS) == len({name for name, *_ in KINDS}) == 42
