"""Single changes of a library: the code before and after, whether old client code breaks, and the rules expected.

The list covers what another differ was measured to miss, and what it reports wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

Files = dict[str, str]


@dataclass(frozen=True)
class Probe:
    """One change; `breaks` is None where only running the code could tell. `seen`: the other differ reports it."""

    name: str
    before: str | Files
    after: str | Files
    breaks: bool | None
    rules: tuple[str, ...]
    seen: bool = False

    @property
    def sides(self) -> tuple[Files, Files]:
        """Both sides as files."""
        both = [side if isinstance(side, dict) else {"lib/__init__.py": side} for side in (self.before, self.after)]
        made = [{name: dedent(text).strip("\n") + "\n" for name, text in side.items()} for side in both]
        return made[0], made[1]


def _data(options: str, body: str = "a: int\n    b: int = 1") -> str:
    return f"from dataclasses import dataclass\n@dataclass({options})\nclass C:\n    {body}"


def _from(head: str, body: str) -> str:
    return f"from {head}\n{body}"


def _class(body: str, bases: str = "") -> str:
    return f"class C{f'({bases})' if bases else ''}:\n    {body}"


_PROPERTY = "class C:\n    @property\n    def a(self) -> int: ..."
_SETTER = _PROPERTY + "\n    @a.setter\n    def a(self, value: int) -> None: ..."
_MANAGER = "from contextlib import contextmanager\n@contextmanager\ndef f():\n    yield 1"
_ABSTRACT = "from abc import ABC, abstractmethod\nclass C(ABC):\n    @abstractmethod\n    def a(self): ..."
_PROTOCOL = "from typing import Protocol\nclass C(Protocol):\n    def a(self): ..."
_POINT = "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int"
_DICT = "from typing import TypedDict\nclass D(TypedDict{}):\n    a: int"
_SCRIPT = "def main(): ...\nif __name__ == '__main__':\n    main()"
_DONE = "def main(): ...\n"
_ENUM = "from enum import Enum\nclass E(Enum):\n    A = {}\n    B = 2"
_TWO = "from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\n"
_THREE = _TWO + "@overload\ndef f(a: bytes) -> bytes: ...\n"
_BODY = "def f(a): ..."
_DOC = 'def f():\n    """F.\n\n    Raises:\n        {}: when it fails.\n    """'
_PROJECT = '[project]\nname = "lib"\nrequires-python = "{}"\n'
_MOVED = {"lib/__init__.py": "", "lib/a.py": "from ._b import f, C\ndef other(): ..."}
_HOME = {"lib/__init__.py": "", "lib/a.py": "def f(a): ...\nclass C:\n    def m(self, a): ...\ndef other(): ..."}
_BRANCHES = "import sys\nif sys.version_info >= (3, 14):\n    def f({}): ...\nelse:\n    def f({}): ..."
_TRIED = "try:\n    import x\n    def f({}): ...\nexcept ImportError:\n    def f({}): ..."
_MODEL = "from pydantic import BaseModel\nclass C(BaseModel):\n    a: int"
_DEFINED = "import attrs\n@attrs.define\nclass C:\n    a: int"
_WRAPPED = "def _d(fn):\n    def w({}):\n        return fn({})\n    return w\n@_d\ndef f(a=1): ..."
_TABLE = '[project]\nname = "lib"\n[project.{}]\n{}\n'
_CALLED = "from collections import namedtuple\nP = namedtuple('P', {})"
_SWAPPED = _TWO.replace("int", "?").replace("str", "int").replace("?", "str") + "def f(a): ..."
_ALL = {"lib/_a.py": "__all__ = ['f']\ndef f(): ..."}
_RELATIVE = {"lib/utils.py": "def escape(text): ...\ndef other(): ..."}

BREAKING = (
    Probe("instance method became static", _class("def m(self): ..."), _class("@staticmethod\n    def m(): ..."), True,
          ("method-freed",), seen=True),
    Probe("function removed", "def f(): ...\ndef g(): ...", "def g(): ...", True, ("name-removed",), seen=True),
    Probe("function renamed", "def f(): ...", "def g(): ...", True, ("name-removed", "name-added"), seen=True),
    Probe("class removed", _class("def m(self): ..."), "", True, ("name-removed",), seen=True),
    Probe("method removed", _class("def m(self): ...\n    def n(self): ..."), _class("def n(self): ..."), True,
          ("name-removed",), seen=True),
    Probe("module removed", {"lib/__init__.py": "", "lib/a.py": _BODY}, {"lib/__init__.py": ""}, True,
          ("name-removed",), seen=True),
    Probe("re-export dropped", {"lib/__init__.py": "from .utils import escape, other", **_RELATIVE},
          {"lib/__init__.py": "from .utils import other", **_RELATIVE}, True, ("name-removed",)),
    Probe("argument removed", "def f(a, b=1): ...", _BODY, True, ("argument-removed",), seen=True),
    Probe("argument renamed", _BODY, "def f(b): ...", True, ("argument-renamed",), seen=True),
    Probe("required argument added", _BODY, "def f(a, b): ...", True, ("argument-added-required",), seen=True),
    Probe("arguments swapped", "def f(a, b): ...", "def f(b, a): ...", True, ("positional-order-changed",), seen=True),
    Probe("argument keyword-only", "def f(a, b=1): ...", "def f(a, *, b=1): ...", True,
          ("argument-became-keyword-only",), seen=True),
    Probe("argument positional-only", _BODY, "def f(a, /): ...", True, ("argument-became-positional-only",), seen=True),
    Probe("default dropped", "def f(a=1): ...", _BODY, True, ("argument-became-required",), seen=True),
    Probe("default changed", "def f(a=1): ...", "def f(a=2): ...", True, ("default-changed",), seen=True),
    Probe("function became variable", "def f(): ...", "f = 1", True, ("name-turned",), seen=True),
    Probe("method became property", _class("def m(self): ..."), _class("@property\n    def m(self): ..."), True,
          ("name-turned",), seen=True),
    Probe("base dropped", "class A: ...\nclass C(A): ...", "class A: ...\nclass C: ...", True, ("ancestor-removed",),
          seen=True),
    Probe("parameter type narrowed", "def f(a: int | None): ...", "def f(a: int): ...", True,
          ("parameter-type-narrowed",)),
    Probe("return type replaced", "def f() -> bytes: ...", "def f() -> str: ...", True, ("return-type-widened",)),
    Probe("return type widened", "def f() -> int: ...", "def f() -> int | None: ...", True, ("return-type-widened",)),
    Probe("attribute type replaced", _class("a: int = 1"), _class("a: str = ''"), True, ("attribute-type-widened",)),
    Probe("became async", "def f(): ...", "async def f(): ...", True, ("became-awaitable",)),
    Probe("no longer async", "async def f(): ...", "def f(): ...", True, ("no-longer-awaitable",)),
    Probe("setter dropped", _SETTER, _PROPERTY, True, ("attribute-became-read-only",)),
    Probe("context manager dropped", _MANAGER, "def f():\n    return 1", True, ("result-kind-changed",)),
    Probe("generator became list", "def f() -> list:\n    yield 1", "def f() -> list:\n    return [1]", True,
          ("result-kind-changed",)),
    Probe("exception base changed", "class E(ValueError): ...", "class E(KeyError): ...", True, ("ancestor-removed",)),
    Probe("base swapped", "class A: ...\nclass B: ...\nclass C(A): ...", "class A: ...\nclass B: ...\nclass C(B): ...",
          True, ("ancestor-removed",)),
    Probe("abstract method added", _ABSTRACT, _ABSTRACT + "\n    @abstractmethod\n    def b(self): ...", True,
          ("demanded-member-added",)),
    Probe("protocol member added", _PROTOCOL, _PROTOCOL + "\n    def b(self): ...", True, ("protocol-member-added",)),
    Probe("final added", "class C: ...", "from typing import final\n@final\nclass C: ...", True, ("became-final",)),
    Probe("dataclass frozen", _data("eq=False"), _data("eq=False, frozen=True"), True, ("became-frozen",)),
    Probe("dataclass order dropped", _data("order=True"), _data("order=False"), True, ("no-longer-ordered",)),
    Probe("dataclass fields swapped", _data("", "a: int\n    b: int"), _data("", "b: int\n    a: int"), True,
          ("positional-order-changed",), seen=True),
    Probe("dataclass field required", _data(""), _data("", "a: int\n    b: int"), True,
          ("argument-became-required", "attribute-left-class"), seen=True),
    Probe("dataclass keyword-only", _data(""), _data("kw_only=True"), True, ("argument-became-keyword-only",),
          seen=True),
    Probe("named tuple field inserted", _POINT, _POINT.replace("x: int", "w: int\n    x: int"), True,
          ("tuple-shape-changed", "argument-added-required", "name-added")),
    Probe("typed dict total", _DICT.format(", total=False"), _DICT.format(""), True, ("key-became-required",)),
    Probe("enum of texts became a StrEnum", "from enum import Enum\nclass E(str, Enum):\n    A = 'a'",
          "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'", True, ("enum-text-changed",), seen=True),
    Probe("StrEnum became an enum of texts", "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'",
          "from enum import Enum\nclass E(str, Enum):\n    A = 'a'", True, ("enum-text-changed", "ancestor-removed")),
    Probe("plain enum became a StrEnum", "from enum import Enum\nclass E(Enum):\n    A = 'a'",
          "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'", True, ("enum-text-changed", "ancestor-added")),
    Probe("property became a method", _class("@property\n    def x(self) -> int: return 1"),
          _class("def x(self) -> int: return 1"), True, ("name-turned",), seen=True),
    Probe("constant became a function", "A = 1", "def A(): ...", True, ("name-turned",), seen=True),
    Probe("package no longer runs", {"lib/__init__.py": _BODY, "lib/__main__.py": ""}, {"lib/__init__.py": _BODY}, True,
          ("package-no-longer-runs",), seen=True),
    Probe("inner package no longer runs",
          {"lib/__init__.py": "", "lib/a/__init__.py": _BODY, "lib/a/__main__.py": ""},
          {"lib/__init__.py": "", "lib/a/__init__.py": _BODY}, True, ("package-no-longer-runs",), seen=True),
    Probe("module does nothing when it is run", {"lib/__init__.py": "", "lib/tool.py": _SCRIPT},
          {"lib/__init__.py": "", "lib/tool.py": _DONE}, True, ("module-no-longer-runs",)),
    Probe("block asks the other way round", {"lib/__init__.py": "", "lib/tool.py": _SCRIPT.replace(
          "__name__ == '__main__'", "'__main__' == __name__")},
          {"lib/__init__.py": "", "lib/tool.py": _DONE}, True, ("module-no-longer-runs",)),
    Probe("block left empty", {"lib/__init__.py": "", "lib/tool.py": _SCRIPT},
          {"lib/__init__.py": "", "lib/tool.py": _DONE + "if __name__ == '__main__':\n    pass"}, True,
          ("module-no-longer-runs",)),
    Probe("enum value changed", _ENUM.format(1), _ENUM.format(3), True, ("enum-value-changed",)),
    Probe("overload removed", _THREE + "def f(a): ...", _TWO + "def f(a): ...", True, ("overload-removed",)),
    Probe("slots added", "class C: ...", _class("__slots__ = ()"), True, ("new-attributes-refused",)),
    Probe("metaclass added", "class M(type): ...\nclass C: ...", "class M(type): ...\nclass C(metaclass=M): ...", True,
          ("metaclass-changed",)),
    Probe("keyword argument behind *args", "def f(a, b=1): ...", "def f(a, *args, b=1): ...", True,
          ("argument-became-keyword-only", "variadic-added"), seen=True),
    Probe("argument before *args", "def f(a, *args): ...", "def f(a, b=None, *args): ...", True,
          ("argument-added-optional",)),
    Probe("constructor argument behind *rest", _class("def __init__(self, a, b=1): ..."),
          _class("def __init__(self, a, *rest, b=1): ..."), True,
          ("argument-became-keyword-only", "variadic-added"), seen=True),
    Probe("moved, handed on, and changed", _HOME,
          {**_MOVED, "lib/_b.py": "def f(a): ...\nclass C:\n    def m(self): ..."}, True,
          ("argument-removed",)),
    Probe("variable declared final", "X = 1", "from typing import Final\nX: Final = 1", True, ("became-final",)),
    Probe("property by call lost its setter", _class("def _g(self, *a): ...\n    x = property(_g, _g)"),
          _class("@property\n    def x(self): ..."), True, ("attribute-became-read-only",)),
    Probe("lambda takes more", "f = lambda a: a", "f = lambda a, b: a", True, ("argument-added-required",)),
    Probe("class made private, and changed", _class("def m(self, a): ..."),
          _class("def m(self): ...").replace("class C", "class _C") + "\nC = _C", True, ("argument-removed",),
          seen=True),
    Probe("name deleted again", "def f(): ...\ndef g(): ...", "def f(): ...\ndef g(): ...\ndel f", True,
          ("name-removed",)),
    Probe("name no longer appended to __all__", f"__all__ = ['g']\n__all__.append('f')\n{_BODY}\ndef g(): ...",
          f"__all__ = ['g']\n{_BODY}\ndef g(): ...", True, ("name-unlisted",)),
    Probe("name left out of __all__", f"__all__ = ['f', 'g']\n{_BODY}\ndef g(): ...",
          f"__all__ = ['f']\n{_BODY}\ndef g(): ...", True, ("name-unlisted",)),
    Probe("field of a model added", _MODEL, _MODEL + "\n    b: int", True, ("argument-added-required", "name-added")),
    Probe("default of a model's field dropped", _MODEL + " = 1", _MODEL, True, ("argument-became-required",)),
    Probe("field of a defined class added", _DEFINED, _DEFINED + "\n    b: int", True,
          ("argument-added-required", "name-added")),
    Probe("no longer runtime checkable", _PROTOCOL.replace("class", "from typing import runtime_checkable\n"
          "@runtime_checkable\nclass"), _PROTOCOL, True, ("no-longer-checkable",)),
    Probe("no longer cached", f"from functools import lru_cache\n@lru_cache\n{_BODY}", _BODY, True,
          ("decorators-changed", "name-removed")),
    Probe("field not kept any more", _data(""), _data("", "a: InitVar[int]\n    b: int = 1").replace(
          "import dataclass", "import InitVar, dataclass"), True, ("name-removed",), seen=True),
    Probe("bases swapped", "class A: ...\nclass B: ...\nclass C(A, B): ...",
          "class A: ...\nclass B: ...\nclass C(B, A): ...", True, ("base-order-changed",)),
    Probe("attribute left the class", _class("a = 1"), _class("def __init__(self):\n        self.a = 1"), True,
          ("attribute-left-class",)),
    Probe("subclasses have to give a keyword", "class C: ...", _class("def __init_subclass__(cls, *, tag): ..."), True,
          ("subclass-keyword-required",)),
    Probe("subclasses may not give a keyword", _class("def __init_subclass__(cls, *, tag=1): ..."),
          "class C: ...", True, ("subclass-keyword-required",), seen=True),
    Probe("enum got its first member", "from enum import Enum\nclass E(Enum): ...",
          "from enum import Enum\nclass E(Enum):\n    A = 1", True, ("enum-closed", "name-added")),
    Probe("no longer generic", "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C(Generic[T]): ...",
          "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass C: ...", True, ("type-arguments-refused",),
          seen=True),
    Probe("name of a tuple removed", "a, b = 1, 2", "a, c = 1, 2", True, ("name-removed", "name-added")),
    Probe("name of a loop removed", "for a in (1, 2): ...", "for b in (1, 2): ...", True,
          ("name-removed", "name-added")),
    Probe("name by globals() removed", "globals()['a'] = 1\nb = 1", "b = 1", True, ("name-removed",)),
    Probe("method set below the class removed", "class C: ...\ndef _m(self): ...\nC.m = _m",
          "class C: ...\ndef _m(self): ...", True, ("name-removed",)),
    Probe("method by setattr takes more", "class C: ...\ndef _m(self): ...\nsetattr(C, 'm', _m)",
          "class C: ...\ndef _m(self, a): ...\nsetattr(C, 'm', _m)", True, ("argument-added-required",)),
    Probe("attribute of a function removed", "def f(): ...\nf.x = 1", "def f(): ...", True, ("name-removed",)),
    Probe("module no longer loaded", {"lib/__init__.py": "from . import a", "lib/a.py": _BODY},
          {"lib/__init__.py": "", "lib/a.py": _BODY}, True, ("submodule-no-longer-loaded",)),
    Probe("named by another module's __all__ no more",
          {"lib/__init__.py": "from . import _a\nfrom ._a import f\n__all__ = ['g'] + _a.__all__\ng = 1", **_ALL},
          {"lib/__init__.py": "from . import _a\nfrom ._a import f\n__all__ = ['g']\ng = 1", **_ALL}, True,
          ("name-unlisted",)),
    Probe("field of a tuple by call renamed", _CALLED.format("'x y'"), _CALLED.format("'x z'"), True,
          ("tuple-shape-changed", "argument-renamed", "name-removed", "name-added")),
    Probe("member of an enum by call removed", "from enum import Enum\nE = Enum('E', 'A B')",
          "from enum import Enum\nE = Enum('E', 'A')", True, ("name-removed",)),
    Probe("key of a dict by call required",
          "from typing import TypedDict\nD = TypedDict('D', {'a': int}, total=False)",
          "from typing import TypedDict\nD = TypedDict('D', {'a': int})", True, ("key-became-required",)),
    Probe("field of a dataclass by call added",
          "from dataclasses import make_dataclass\nD = make_dataclass('D', ['a'])",
          "from dataclasses import make_dataclass\nD = make_dataclass('D', ['a', 'b'])", True,
          ("argument-added-required", "name-added")),
    Probe("command removed", {"lib/__init__.py": _BODY, "pyproject.toml": _TABLE.format("scripts", "x = 'lib:f'")},
          {"lib/__init__.py": _BODY, "pyproject.toml": _TABLE.format("other", "")}, True, ("entry-point-removed",)),
    Probe("Python floor of Poetry raised",
          {"lib/__init__.py": _BODY, "pyproject.toml": "[tool.poetry.dependencies]\npython = '^3.8'"},
          {"lib/__init__.py": _BODY, "pyproject.toml": "[tool.poetry.dependencies]\npython = '^3.11'"}, True,
          ("floor-raised",)),
    Probe("Python floor of setup.py raised",
          {"lib/__init__.py": _BODY, "setup.py": "from setuptools import setup\nsetup(python_requires='>=3.6')"},
          {"lib/__init__.py": _BODY, "setup.py": "from setuptools import setup\nsetup(python_requires='>=3.9')"}, True,
          ("floor-raised",)),
    Probe("typing marker removed", {"lib/__init__.py": _BODY, "lib/py.typed": ""}, {"lib/__init__.py": _BODY}, True,
          ("typing-marker-removed",)),
    Probe("Python floor raised", {"lib/__init__.py": _BODY, "pyproject.toml": _PROJECT.format(">=3.8")},
          {"lib/__init__.py": _BODY, "pyproject.toml": _PROJECT.format(">=3.11")}, True, ("floor-raised",)),
)  # fmt: skip

OPEN = (
    Probe("documented exception replaced", _DOC.format("KeyError"), _DOC.format("ValueError"), None,
          ("documented-raises-changed",)),
    Probe("unknown decorator dropped", "from x import d\n@d\ndef f(): ...", "def f(): ...", None,
          ("decorators-changed",)),
    Probe("default computed", "def f(a=g()): ...", "def f(a=h()): ...", None, ("default-unknown",)),
    Probe("Flag became an IntFlag", "from enum import Flag\nclass E(Flag):\n    A = 1",
          "from enum import IntFlag\nclass E(IntFlag):\n    A = 1", None, ("enum-text-unknown", "ancestor-added")),
    Probe("enum with a text of its own became a StrEnum",
          "from enum import Enum\nclass E(str, Enum):\n    A = 'a'\n    def __str__(self): return self.value",
          "from enum import StrEnum\nclass E(StrEnum):\n    A = 'a'", None,
          ("enum-text-unknown", "name-removed")),
    Probe("taken out of keywords", "def f(a, **kw): ...", "def f(a, b=1, **kw): ...", None,
          ("argument-added-optional",)),
    Probe("taken from another library", {"lib/__init__.py": "", "lib/a.py": _BODY},
          {"lib/__init__.py": "", "lib/a.py": "from x import f"}, None, ("name-of-another-library",)),
    Probe("live branch changed", _BRANCHES.format("a", "a"), _BRANCHES.format("a, b", "a"), None,
          ("conditional-definition-changed",)),
    Probe("tried branch changed", _TRIED.format("a", "a"), _TRIED.format("a, b", "a"), None,
          ("conditional-definition-changed",)),
    *(
        Probe(f"{made} made otherwise", f"from x import *\nA = {before}", f"from x import *\nA = {after}", None,
              ("assigned-value-unknown",))
        for made, before, after in (
            ("namedtuple", "namedtuple('A', 'a b')", "namedtuple('A', 'a c')"),
            ("NamedTuple", "NamedTuple('A', [('a', int)])", "NamedTuple('A', [])"),
            ("Enum", "Enum('A', 'X Y')", "Enum('A', 'X')"),
            ("TypedDict", "TypedDict('A', {'a': int})", "TypedDict('A', {})"),
            ("make_dataclass", "make_dataclass('A', ['a'])", "make_dataclass('A', ['a', 'b'])"),
            ("partial", "partial(print, 1)", "partial(print, 1, 2)"),
        )
    ),
    Probe("field of a configured model added", _MODEL + "\n    model_config = {'extra': 'forbid'}",
          _MODEL + "\n    b: int\n    model_config = {'extra': 'forbid'}", None,
          ("generated-constructor-unknown", "name-added")),
    Probe("field of a model that may be None added", _MODEL, _MODEL + "\n    b: int | None", None,
          ("generated-constructor-unknown", "name-added")),
    Probe("field of a class added that another library makes", _DEFINED.replace("attrs", "others"),
          _DEFINED.replace("attrs", "others") + "\n    b: int", None,
          ("generated-constructor-unknown", "name-added")),
    Probe("name below a condition now", "def f(): ...",
          "import sys\nif sys.platform == 'win32':\n    def f(): ...", None,
          ("name-bound-by-condition",)),
    Probe("name below a condition removed", "import os\nif os.name == 'nt':\n    def f(): ...\ndef g(): ...",
          "import os\ndef g(): ...", None, ("name-removed",)),
    Probe("names set in a loop", "class C: ...\nfor n in ('a', 'b'):\n    setattr(C, n, 1)\ndel n",
          "class C: ...\nfor n in ('a',):\n    setattr(C, n, 1)\ndel n", None, ("names-made-by-running-changed",)),
    Probe("wrapper takes nothing now", _WRAPPED.format("*a, **k", "*a, **k"), _WRAPPED.format("", "1"), None,
          ("wrapper-changed",)),
    Probe("command of another library changed", "import click\n@click.option('--b')\ndef f(b): ...",
          "import click\n@click.option('--c')\ndef f(b): ...", None, ("decorators-changed",)),
    Probe("extra removed",
          {"lib/__init__.py": _BODY, "pyproject.toml": _TABLE.format("optional-dependencies", "x = []")},
          {"lib/__init__.py": _BODY, "pyproject.toml": _TABLE.format("other", "")}, None, ("extra-removed",)),
    Probe("module loaded in passing no more", {"lib/__init__.py": "from .a import f", "lib/a.py": _BODY},
          {"lib/__init__.py": _BODY, "lib/a.py": _BODY}, None, ("submodule-loading-unknown",)),
    Probe("name swallowed by keywords", _BODY, "def f(b=None, /, **kwargs): ...", None,
          ("argument-renamed", "argument-became-positional-only", "argument-became-optional", "variadic-added")),
    Probe("swallowed by positions", "def f(a, b=1, /): ...", "def f(a, /, *args): ...", None,
          ("argument-removed", "variadic-added")),
    Probe("swallowed by keywords", "def f(*, a=1): ...", "def f(**kwargs): ...", None,
          ("argument-removed", "variadic-added")),
)  # fmt: skip

SAFE = (
    Probe("named tuple by call became a class", _CALLED.format("'x y'"), _POINT, False, ("attribute-type-told",
          "parameter-type-added")),
    Probe("instance of the class itself", _class("def m(self) -> 'C': ..."),
          "from typing import Self\n" + _class("def m(self) -> Self: ..."), False, ("return-type-changed",)),
    Probe("base replaced by one that inherits from it", "class E(dict): ...",
          "from collections import OrderedDict\nclass E(OrderedDict): ...", False, ("ancestor-added",)),
    Probe("package runs from another body", {"lib/__init__.py": _BODY, "lib/__main__.py": "print(1)"},
          {"lib/__init__.py": _BODY, "lib/__main__.py": "print(2)"}, False, ()),
    Probe("module does something when it is run", {"lib/__init__.py": "", "lib/tool.py": _DONE},
          {"lib/__init__.py": "", "lib/tool.py": _SCRIPT}, False, ("module-runs",)),
    Probe("block moved up, its function renamed", {"lib/__init__.py": "", "lib/tool.py": "A = 1\n" + _SCRIPT},
          {"lib/__init__.py": "", "lib/tool.py": _SCRIPT.replace("main()", "_run()") + "\nA = 1\ndef main(): ..."},
          False, ()),
    Probe("block of a private module gone", {"lib/__init__.py": "", "lib/_tool.py": _SCRIPT},
          {"lib/__init__.py": "", "lib/_tool.py": _DONE}, False, ()),
    Probe("block of an __init__ gone", {"lib/__init__.py": _SCRIPT}, {"lib/__init__.py": _DONE}, False, ()),
    Probe("main runs without asking", {"lib/__init__.py": "", "lib/tool.py": _SCRIPT},
          {"lib/__init__.py": "", "lib/tool.py": _DONE + "main()"}, False, ()),
    Probe("package runs now", {"lib/__init__.py": _BODY}, {"lib/__init__.py": _BODY, "lib/__main__.py": ""}, False,
          ("package-runs",)),
    Probe("awaitable by async", "from typing import Awaitable\ndef f() -> Awaitable[int]: ...",
          "async def f() -> int: ...", False, ("return-type-widened",)),
    Probe("static method by call", _class("def _m(a): ...\n    m = staticmethod(_m)"),
          _class("@staticmethod\n    def m(a): ..."), False, ()),
    Probe("wrapper that passes on added", _WRAPPED.format("*a, **k", "*a, **k").replace("@_d\n", ""),
          _WRAPPED.format("*args, **kwargs", "*args, **kwargs"), False, ()),
    Probe("overloads of apart types reordered", _TWO + "def f(a): ...", _SWAPPED, False, ("overloads-reordered",)),
    Probe("tuple written otherwise", "a, b = 1, 2", "a = 1\nb = 2", False, ()),
    Probe("loaded by another statement", {"lib/__init__.py": "from . import a", "lib/a.py": _BODY},
          {"lib/__init__.py": "import lib.a", "lib/a.py": _BODY}, False, ()),
    Probe("positional-only renamed", "def f(a, /): ...", "def f(b, /): ...", False, ()),
    Probe("return annotation dropped", "def f() -> int: ...", "def f(): ...", False, ("return-type-removed",)),
    Probe("default spelt otherwise", "def f(a='x', b=1_000): ...", 'def f(a="x", b=1000): ...', False, ()),
    Probe("*args added at the end", "def f(a, b=1): ...", "def f(a, b=1, *args): ...", False, ("variadic-added",)),
    Probe("moved and handed on", _HOME, {**_MOVED, "lib/_b.py": _HOME["lib/a.py"]}, False, ()),
    Probe("import of a module's own use dropped",
          {"lib/__init__.py": "", "lib/a.py": "from .b import f", "lib/b.py": _BODY},
          {"lib/__init__.py": "", "lib/a.py": "", "lib/b.py": _BODY}, False, ()),
    Probe("property by call became a decorated one", _class("def _g(self): ...\n    x = property(_g)"),
          _class("@property\n    def x(self): ..."), False, ()),
    Probe("branches of one form", _BRANCHES.format("a", "a"), _BODY, False, ()),
    Probe("both branches widened", _BRANCHES.format("a", "a"), _BRANCHES.format("a, b=1", "a, b=1"), False,
          ("argument-added-optional",)),
    Probe("call spelt otherwise", "from x import y\nA = y('A', 1)", 'from x import y\nA = y("A",  1)', False, ()),
    Probe("value of an instance made otherwise", _class("def __init__(self):\n        self.a = g()"),
          _class("def __init__(self):\n        self.a = g(1)"), False, ()),
    Probe("method of a model added", _MODEL, _MODEL + "\n    def m(self): ...", False, ("name-added",)),
    Probe("deleted and defined anew", "def f(): ...\ndel f\ndef f(): ...", "def f(): ...", False, ()),
    Probe("class made private under its old name", _class("def m(self, a): ..."),
          _class("def m(self, a): ...").replace("class C", "class _C") + "\nC = _C", False, ()),
    Probe("function became a lambda", "def f(a, b=1, *c, d, **e): ...", "f = lambda a, b=1, *c, d, **e: a", False, ()),
    Probe("*args renamed", "def f(a, *args): ...", "def f(a, *rest): ...", False, ()),
    Probe("optional argument added", _BODY, "def f(a, b=1): ...", False, ("argument-added-optional",)),
    Probe("parameter type widened", "def f(a: int): ...", "def f(a: int | str): ...", False,
          ("parameter-type-widened",)),
    Probe("annotation spelt otherwise", "from typing import Optional, List\ndef f(a: Optional[List[int]]): ...",
          "def f(a: 'list[int] | None'): ...", False, ()),
    Probe("moved and re-exported", {"lib/__init__.py": "from ._a import f", "lib/_a.py": _BODY, "lib/_b.py": ""},
          {"lib/__init__.py": "from ._b import f", "lib/_b.py": _BODY, "lib/_a.py": ""}, False, ()),
    Probe("method pulled up", "class A: ...\nclass C(A):\n    def m(self): ...",
          "class A:\n    def m(self): ...\nclass C(A): ...", False, ("name-added",)),
    Probe("private function removed", "def _f(): ...\ndef g(): ...", "def g(): ...", False, ()),
    Probe("deprecated", "def f(): ...", "from warnings import deprecated\n@deprecated('no')\ndef f(): ...", False,
          ("name-deprecated",)),
    Probe("type-checking import dropped",
          "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import x\ndef f(): ...", "def f(): ...", False, ()),
)  # fmt: skip

PROBES = (*BREAKING, *OPEN, *SAFE)
