"""What runs decides: branches for type checkers, imports that never fail, names of one class, calls on the class.

Each row: what is at stake, both sides, and the worst verdict with the rule that says it; None where nothing may be
breaking or unknown.
"""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.kinds.python.python_probes import Files
from tests.kinds.python.test_python_probes import contract

Side = str | Files
Said = tuple[Verdict, str] | None
Case = tuple[str, Side, Side, Said]
B, U = Verdict.BREAKING, Verdict.UNKNOWN

_PARTIAL = "from functools import partial\ndef f(a, *, b=1): ...\nf = partial(f, {})"
_CHECKED = "from typing import TYPE_CHECKING\nimport typing as t\n"
_MOVED = "from .a import Base\nclass Child(Base): ...\n"
_TREE = {
    "lib/__init__.py": "from . import a\nfrom .b import Child\n",
    "lib/b.py": _MOVED,
    "lib/a.py": "class Base:\n    def m(self): ...\n",
}
_HIDDEN = {**_TREE, "lib/b.py": _MOVED.replace(".a", "._c"), "lib/_c.py": _TREE["lib/a.py"]}
_META = "class M(type): ...\nclass A: ...\n"
_WITH = "def with_metaclass(meta, *bases): ...\n"
_NODE = "class Node({}):\n    def m(self): ...\n"
_ENCODE = (
    "from typing import overload\n@overload\ndef f({}) -> int: ...\n@overload\ndef f({}) -> str: ...\ndef f(*a): ..."
)
_HEAD = "class C:\n"
_SELF = "class C:\n    def m(self{}): ..."
_STATIC = "class C:\n    @staticmethod\n    def m({}): ..."
_CLASS = "class C:\n    @classmethod\n    def m(cls{}): ..."
_PLAN = "class Plan:\n    when: {} = 'a'"
_TOKEN = "from typing import NamedTuple\nclass T(NamedTuple):\n    a: int\n    b: int\n"
_TUPLE = "class T(tuple):\n    __slots__ = ()\n    def __new__(cls, a, b): ...\n"

REBOUND: tuple[Case, ...] = (
    ("partial of itself", _PARTIAL.format("b=2"), _PARTIAL.format("b=2") + "\ndef g(): ...", None),
    ("partial takes an argument", _PARTIAL.format("b=2"), _PARTIAL.format("1, b=2"), (B, "argument-removed")),
    ("partials of each other", "from functools import partial\nf = partial(g)\ng = partial(f)",
     "from functools import partial\nf = partial(g)\ng = partial(f)\nA = 1", None),
    ("partial of an import of its name", "from functools import partial\nfrom x import f\nf = partial(f, 1)",
     "from functools import partial\nfrom x import f\nf = partial(f, 1)\nA = 1", None),
    ("decorated by a line", "from functools import lru_cache\n@lru_cache\ndef f(a): ...",
     "from functools import lru_cache\ndef f(a): ...\nf = lru_cache(f)", None),
    ("decorated by a line, and an argument more",
     "from functools import lru_cache\ndef f(a): ...\nf = lru_cache(f)",
     "from functools import lru_cache\ndef f(a, b): ...\nf = lru_cache(f)", (B, "argument-added-required")),
    ("static by a line", _STATIC.format("a"), "class C:\n    def m(a): ...\n    m = staticmethod(m)", None),
    ("static by a line, and an argument more", _STATIC.format(""),
     "class C:\n    def m(a): ...\n    m = staticmethod(m)", (B, "argument-added-required")),
    ("a class final by a line", "from typing import final\nclass C: ...",
     "from typing import final\nclass C: ...\nC = final(C)", (B, "became-final")),
)  # fmt: skip

CHECKED: tuple[Case, ...] = (
    *(
        (f"a name for type checkers alone, {test}", f"{_CHECKED}{body}", _CHECKED + "A = 1", None)
        for test, body in (
            ("qualified", "if t.TYPE_CHECKING:\n    from .x import F\nA = 1"),
            ("plain", "if TYPE_CHECKING:\n    F = int\nA = 1"),
            ("negated", "if not TYPE_CHECKING:\n    A = 1\nelse:\n    F = int"),
            ("in a class", "A = 1\nclass _C:\n    if t.TYPE_CHECKING:\n        f: int"),
            ("nested", "if True:\n    if t.TYPE_CHECKING:\n        F = int\nA = 1"),
        )
    ),
    ("a name that was there when it runs",
     f"{_CHECKED}if t.TYPE_CHECKING:\n    F = int\nelse:\n    F = str\nA = 1", _CHECKED + "A = 1", (B, "name-removed")),
    ("a base of both branches", "class H(dict): ...",
     f"{_CHECKED}if TYPE_CHECKING:\n    _B = dict[str, str]\nelse:\n    _B = dict\nclass H(_B): ...", None),
    ("a base of the negated branch", "class H(dict): ...",
     f"{_CHECKED}if not TYPE_CHECKING:\n    _B = dict\nelse:\n    _B = object\nclass H(_B): ...", None),
    ("another base when it runs", "class H(dict): ...",
     f"{_CHECKED}if TYPE_CHECKING:\n    _B = dict\nelse:\n    _B = list\nclass H(_B): ...", (B, "ancestor-removed")),
    ("a base by another name", "class H(dict): ...", "_B = dict\nclass H(_B): ...", None),
    ("a base by a chain of names", "class A: ...\nclass H(A): ...",
     "class A: ...\n_B = A\n_C = _B\nclass H(_C): ...", None),
    ("a property that only runs", "class C:\n    a = None",
     f"{_CHECKED}class C:\n    a: int\n    if not TYPE_CHECKING:\n        @property\n        def a(self): ...\n"
     "        @a.setter\n        def a(self, value): ...", None),
)  # fmt: skip

_FALLBACK = (
    "try:\n    {}\nexcept {}:\n    class N:\n        def __init__(self):\n            self.kept = 1\nclass S(N): ..."
)
_BORROWED = "try:\n    from extra import f\nexcept ImportError:\n    def f{}: ...\n"
IMPORTS: tuple[Case, ...] = (
    *(
        (f"an import that never fails, {caught}", _FALLBACK.format("from contextlib import nullcontext as N", caught),
         "from contextlib import nullcontext as N\nclass S(N): ...", None)
        for caught in ("ImportError", "ModuleNotFoundError", "(ImportError, AttributeError)", "Exception")
    ),
    ("an import of Python 2 alone",
     "try:\n    from urllib2 import quote as f\nexcept ImportError:\n    def f(a): ...", "def f(a): ...", None),
    *(
        (f"a version of Python, {asked}", "def f(a): ...",
         f"import sys, six\nif {asked}:\n    def f(a): ...\nelse:\n    def f(a, b): ...", None)
        for asked in ("sys.version_info >= (3, 8)", "sys.version_info[0] >= 3", "sys.version_info.major == 3",
                      "sys.version_info[:2] > (3, 6)", "not sys.version_info < (3,)", "not six.PY2")
    ),
    ("a version of Python, elif", "def f(a): ...", "import sys\nif sys.version_info < (3, 6):\n    def f(a, b): ...\n"
     "elif sys.version_info < (3, 8):\n    def f(a, b, c): ...\nelse:\n    def f(a): ...", None),
    ("a version of Python, by class", "class C:\n    def m(self): ...",
     "import sys\nclass C:\n    if sys.version_info[0] == 2:\n        def m(self, a): ...\n"
     "    else:\n        def m(self): ...", None),
    ("a version of Python that some have", "def f(a): ...",
     "import sys\nif sys.version_info >= (3, 12):\n    def f(a): ...\nelse:\n    def f(a, b): ...",
     (B, "argument-added-required")),
    ("no version of Python has it", "def f(a): ...\ndef g(): ...",
     "import sys\ndef f(a): ...\nif sys.version_info < (3,):\n    def g(): ...", (B, "name-removed")),
    ("an import of another library", _FALLBACK.format("from extra import N", "ImportError"),
     "from extra import N\nclass S(N): ...", (U, "name-removed")),
    *(
        (f"what another library may give, {name}", before, after, said)
        for name, before, after, said in (
            ("a function", _BORROWED.format("(a, b)"), "def f(a): ...", (U, "argument-removed")),
            ("now", "def f(a, b): ...", _BORROWED.format("(a)"), (U, "argument-removed")),
            ("on both sides", _BORROWED.format("(a, b)"), _BORROWED.format("(a)"), (U, "argument-removed")),
            ("what it gives", _BORROWED.format("() -> int"), "def f() -> str: ...", (U, "return-type-widened")),
            ("by another name",
             _BORROWED.replace("def f", "def _f").replace("import f", "import f as _f").format("(a, b)")
             + "f = _f\n", "def f(a): ...", (U, "argument-removed")),
            ("a member of a class", "class C:\n    try:\n        from extra import f\n    except ImportError:\n"
             "        def f(self, a): ...", "class C:\n    def f(self): ...", (U, "argument-removed")),
            ("a member of a class that it gives", _FALLBACK.format("from extra import N", "ImportError"),
             _FALLBACK.format("from extra import N", "ImportError").replace("self)", "self, a)"),
             (U, "argument-added-required")),
            ("and is gone", _BORROWED.format("(a)"), "A = 1", (B, "name-removed")),
            ("of the library itself", {"lib/__init__.py": "try:\n    from ._a import f\nexcept ImportError:\n"
             "    def f(a, b): ...\n", "lib/_a.py": "def f(a, b): ..."}, "def f(a): ...", (B, "argument-removed")),
        )
    ),
)  # fmt: skip

CLASSES: tuple[Case, ...] = (
    ("an ancestor moved and handed on", _TREE, {**_HIDDEN, "lib/a.py": "from ._c import Base\n"}, None),
    ("an ancestor moved and handed on by another name", _TREE,
     {**_HIDDEN, "lib/a.py": "from ._c import Base as _B\nBase = _B\n"}, None),
    ("an ancestor moved twice", _TREE,
     {**_HIDDEN, "lib/a.py": "from ._d import Base\n", "lib/_d.py": "from ._c import Base\n"}, None),
    ("another class under the ancestor's name", _TREE,
     {**_HIDDEN, "lib/a.py": "class Base:\n    def m(self): ...\n"}, (B, "ancestor-removed")),
    ("with_metaclass of six", "from six import with_metaclass\n" + _META + _NODE.format("with_metaclass(M, A)"),
     _META + _NODE.format("A, metaclass=M"), None),
    ("with_metaclass of its own", _WITH + _META + _NODE.format("with_metaclass(M)"),
     _WITH + _META + _NODE.format("metaclass=M"), None),
    ("add_metaclass", "import six\n" + _META + "@six.add_metaclass(M)\n" + _NODE.format("A"),
     "import six\n" + _META + _NODE.format("A, metaclass=M"), None),
    ("a class of the metaclass", _META + _NODE.format("M('Base', (A,), {})"),
     _META + _NODE.format("A, metaclass=M"), None),
    ("a metaclass dropped", _META + _NODE.format("A, metaclass=M"), _META + _NODE.format("A"),
     (U, "metaclass-dropped")),
    ("a metaclass of a base dropped", _META + "class _D(metaclass=M): ...\n" + _NODE.format("_D"),
     _META + "class _D: ...\n" + _NODE.format("_D"), (U, "metaclass-dropped")),
    ("another metaclass", _META + "class O(type): ...\n" + _NODE.format("metaclass=M"),
     _META + "class O(type): ...\n" + _NODE.format("metaclass=O"), (B, "metaclass-changed")),
    *(
        (f"a metaclass that another library may give, {name}", before, after, said)
        for name, before, after, said in (
            ("before", "from x import B\n" + _META + _NODE.format("B"),
             "from x import B\n" + _META + _NODE.format("B, metaclass=M"),
             (U, "metaclass-changed")),
            ("now", _META + _NODE.format("metaclass=M"), "from x import A as B\n" + _META + _NODE.format("B"),
             (U, "metaclass-dropped")),
            ("by a base", _META + _NODE.format("metaclass=M"),
             "from x import A as B\n" + _META + "class _D(B): ...\n" + _NODE.format("_D"), (U, "metaclass-dropped")),
            ("by condition", _META + _FALLBACK.format("from x import N", "ImportError"),
             _META + _FALLBACK.format("from x import N", "ImportError").replace("S(N)", "S(N, metaclass=M)"),
             (U, "metaclass-changed")),
            ("and Python itself does not", _META + _NODE.format("dict, metaclass=M"), _META + _NODE.format("dict"),
             (U, "metaclass-dropped")),
        )
    ),
    ("a metaclass given to with_metaclass", _WITH + _META + _NODE.format("A"),
     _WITH + _META + _NODE.format("with_metaclass(M, A)"), (B, "metaclass-changed")),
    ("a tuple became a named tuple", _TUPLE, _TOKEN, (U, "made-otherwise")),
    ("properties of a tuple by unpacking",
     _TUPLE + "    a, b = (property(print) for _ in '12')\n", _TOKEN, (U, "made-otherwise")),
    ("a named tuple became a tuple", _TOKEN, _TUPLE, (B, "name-removed")),
    ("a named tuple became none", _TOKEN,
     "class T:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b",
     (B, "ancestor-removed")),
    ("a dict became a typed dict", "class D(dict): ...",
     "from typing import TypedDict\nclass D(TypedDict): ...", (U, "made-otherwise")),
)  # fmt: skip

_DUNDER = "class C:\n    def {}(self): ...\n    def __eq__(self, other): ..."
_WRAPPED = "import x\n@x.{}\n{}def f(a): ...\n"
CALLS: tuple[Case, ...] = (
    *(
        (f"what every object has, {name}", _DUNDER.format(name), _DUNDER.format("_m"), (U, "name-removed"))
        for name in ("__repr__", "__str__", "__ne__", "__format__", "__dir__")
    ),
    *(
        (f"what no object has, {name}", _DUNDER.format(name), _DUNDER.format("_m"), (B, "name-removed"))
        for name in ("__len__", "__lt__", "__bool__")
    ),
    ("asynchronous below another decorator", _WRAPPED.format("a", ""), _WRAPPED.format("b", "async "),
     (U, "became-awaitable")),
    ("synchronous below another decorator", _WRAPPED.format("a", "async "), _WRAPPED.format("b", ""),
     (U, "no-longer-awaitable")),
    ("asynchronous below the same decorator", _WRAPPED.format("a", ""), _WRAPPED.format("a", "async "),
     (B, "became-awaitable")),
    ("a method became static", _SELF.format(""), _STATIC.format(""), (B, "method-freed")),
    ("a method became static and takes the instance", _SELF.format(""), _STATIC.format("a=1"), (B, "method-freed")),
    ("a method became one of the class", _SELF.format(", a"), _CLASS.format(", a"), (B, "method-freed")),
    ("a static method of the class", _STATIC.format("a"), _CLASS.format(", a"), None),
    ("a class method without the class", _CLASS.format(", a=1"), _STATIC.format("a=1"), None),
    ("a module's function", "def f(a): ...", "def f(a, b=1): ...", None),
    ("an alias of another library", _PLAN.format("str"), "from x import W\n" + _PLAN.format("W"),
     (U, "attribute-type-changed")),
    ("a literal of another library", "from typing import Literal\n" + _PLAN.format("Literal['a']"),
     "from x import W\n" + _PLAN.format("W"), (U, "attribute-type-changed")),
    ("a literal that became text", "from typing import Literal\n" + _PLAN.format("Literal['a']"),
     _PLAN.format("str"), (B, "attribute-type-widened")),
    ("a literal parameter of another library", "from x import W\ndef f(a: W): ...",
     "from typing import Literal\ndef f(a: Literal['a']): ...", (U, "parameter-type-changed")),
)  # fmt: skip

_ENCODED = "from typing import Literal\n" + _ENCODE.replace("{}", "__z: bytes", 1).replace("-> str", "-> int")
_SPREAD = _ENCODED.replace("def f(*a)", "@overload\ndef f({}) -> int: ...\ndef f(*a)")
_MODES = "from typing import Literal\n" + _ENCODE.replace("-> str", "-> int").replace("({})", "(mode: {})")
OVERLOADS: tuple[Case, ...] = (
    ("two underscores and a slash", _ENCODE.format("__v: int", "__v: str"),
     _ENCODE.format("v: int, /", "v: str, /"), None),
    ("another name before the slash", _ENCODE.format("a: int, /", "a: str, /"),
     _ENCODE.format("b: int, /", "b: str, /"), None),
    ("an overload less", _ENCODE.format("__v: int", "__v: str"), _ENCODE.format("v: int, /", "v: bytes, /"),
     (B, "overload-removed")),
    ("a name that calls gave", _ENCODE.format("v: int", "v: str"), _ENCODE.format("__v: int", "__v: str"),
     (B, "overload-removed")),
    ("an overload for each member of a union",
     _MODES.format("Literal['a', 'b']", "Literal['c']"), _MODES.format("Literal['a']", "Literal['b', 'c']"),
     (U, "overload-removed")),
    ("an overload for one member of a union less",
     _MODES.format("Literal['a', 'b']", "Literal['c']"), _MODES.format("Literal['a']", "Literal['c']"),
     (B, "overload-removed")),
    *(
        (f"calls of one overload taken over by several, {name}", _ENCODED.format(old), _SPREAD.format(*new), said)
        for name, old, new, said in (
            ("by what they leave out", "a: int = ...", ("", "a: int"), (U, "overload-removed")),
            ("by literals that may be left out", "m: Literal['a', 'b'] = ...",
             ("m: Literal['b']", "m: Literal['a'] = ..."), (U, "overload-removed")),
            ("by keywords", "*, m: Literal['a', 'b'] = ..., w: int = ...",
             ("*, m: Literal['b'], w: int = ...", "*, m: Literal['a'] = ..., w: int = ..."), (U, "overload-removed")),
            ("by two arguments", "m: Literal['a', 'b'], n: int | str",
             ("m: Literal['a'], n: int | str", "m: Literal['b'], n: str | int"), (U, "overload-removed")),
            ("by truth", "m: bool", ("m: Literal[True]", "m: Literal[False]"), (U, "overload-removed")),
            ("but for one left out", "m: Literal['a', 'b'] = ...",
             ("m: Literal['b']", "m: Literal['a']"), (B, "overload-removed")),
            ("but for one literal", "m: Literal['a', 'b', 'c'] = ...",
             ("m: Literal['b']", "m: Literal['a'] = ..."), (B, "overload-removed")),
            ("but for one of two arguments", "m: Literal['a', 'b'], n: int | str",
             ("m: Literal['a'], n: int", "m: Literal['b'], n: str | int"), (B, "overload-removed")),
            ("but for a place", "m: Literal['a', 'b'] = ..., n: int = ...",
             ("m: Literal['b'], n: int = ...", "*, m: Literal['a'] = ..., n: int = ..."), (B, "overload-removed")),
        )
    ),
    ("a function that says so by its name", "def f(__a, b): ...", "def f(a, /, b): ...", None),
    ("a name before the slash of a function", "def f(a, /): ...", "def f(b, /): ...", None),
    ("a slash where calls gave the name", "def f(a): ...", "def f(__a): ...", (B, "argument-became-positional-only")),
)  # fmt: skip

_ANSWERS = "_old = {}\ndef a(): ...\ndef __getattr__(name):\n    return globals()[_old[name]]\n"
_ASKED = "def __getattr__(name):\n{}    raise AttributeError(name)\n"
_OTHER = "def a(): ...\n"
ANSWERED: tuple[Case, ...] = (
    ("a module answers no more", _ANSWERS.format("{'b': 'a'}"), _OTHER, (U, "answered-names-changed")),
    ("a module answers less", _ANSWERS.format("{'b': 'a', 'c': 'a'}"), _ANSWERS.format("{'b': 'a'}"),
     (U, "answered-names-changed")),
    ("a module below answers no more", {"lib/__init__.py": "", "lib/m.py": _ANSWERS.format("{}")},
     {"lib/__init__.py": "", "lib/m.py": _OTHER}, (U, "answered-names-changed")),
    ("a name that the module answers now", _ANSWERS.format("{'c': 'a'}") + "def b(): ...\n",
     _ANSWERS.format("{'c': 'a', 'b': 'a'}"), (U, "name-removed")),
    ("a name that nobody answers", _ANSWERS.format("{'c': 'a'}") + "def b(): ...\n", _ANSWERS.format("{'c': 'a'}"),
     (B, "name-removed")),
    *(
        (f"a name that a module answers, {name}", _OTHER + "def b(): ...\n", _OTHER + text, said)
        for name, text, said in (
            ("behind a long text", _ASKED.format("    if name == 'c':\n        raise ValueError('x' * 1)\n" * 40
             + "    if name == 'b':\n        return 1\n"), (U, "name-removed")),
            ("of a list", "_N = ['b']\n" + _ASKED.format("    if name in _N:\n        return 1\n"),
             (U, "name-removed")),
            ("whatever it is", "def __getattr__(name):\n    return 1\n", (U, "name-removed")),
        )
    ),
    *(
        (f"a name that a module answered before, too, {name}", text + "def b(): ...\n", text, said)
        for name, text, said in (
            ("handed to another", "import x\ndef __getattr__(name):\n    return getattr(x, name)\n",
             (U, "name-removed")),
            ("asked of another", "import x\n" + _ASKED.format("    if name in dir(x):\n        return 1\n"),
             (U, "name-removed")),
            ("by how it begins", _ASKED.format("    if name.startswith('b'):\n        return 1\n"),
             (U, "name-removed")),
            ("by a star", "from x import *\n", (U, "name-removed")),
            ("but others alone", _ASKED.format("    if name == 'c':\n        return 1\n"), (B, "name-removed")),
            ("but others of a table",
             "_N = {'c': 1}\n" + _ASKED.format("    if name in _N:\n        return _N[name]\n"),
             (B, "name-removed")),
        )
    ),
    ("a module answers", _OTHER, _ANSWERS.format("{'b': 'a'}"), None),
    ("a star of another library less", "from x import *\n" + _OTHER, _OTHER, (U, "answered-names-changed")),
    ("a module answers as before", _ANSWERS.format("{}"), _ANSWERS.format("{}") + "A = 1\n", None),
)  # fmt: skip

CASES = (*REBOUND, *CHECKED, *IMPORTS, *CLASSES, *CALLS, *OVERLOADS, *ANSWERED)


_VIEW = "class View:\n    def show(self): ...\n"
_LATE = "def wrap(f): ...\n"
_ASYNC = _VIEW.replace("def show", "async def show")
_CHOSEN = (
    "def variant(plain):\n    def decorate(f):\n        def run(*a): return f(*a)\n        return run\n"
    "    return decorate\n"
)
_SHOWN = "def one(a): ...\n"
_BOTH = "@variant(one)\nasync def two(a): ..."

LATER: tuple[Case, ...] = (
    ("set in a function", _VIEW + "def patch():\n    View.show = wrap(View.show)\n" + _LATE,
     _ASYNC + "def patch(): ...\n" + _LATE,
     (U, "became-awaitable")),
    ("set in a method of another class",
     _VIEW + "class P:\n    def go(self):\n        View.show = 1\n", _ASYNC + "class P:\n    def go(self): ...\n",
     (U, "became-awaitable")),
    ("set by setattr", _VIEW + "def patch(f):\n    setattr(View, 'show', f)\n", _ASYNC + "def patch(f): ...\n",
     (U, "became-awaitable")),
    ("set by the candidate", _VIEW, "class View: ...\ndef _patch():\n    View.show = 1\n", (U, "name-removed")),
    ("set on a base", _VIEW + "class Page(View): ...\ndef _patch():\n    View.show = 1\n",
     _VIEW + "class Page(View):\n    async def show(self): ...\ndef _patch():\n    View.show = 1\n",
     (U, "became-awaitable")),
    ("set behind an import in the function",
     {"lib/__init__.py": _VIEW, "lib/p.py": "def patch():\n    from . import View\n    View.show = 1\n"},
     {"lib/__init__.py": _ASYNC, "lib/p.py": "def patch(): ...\n"}, (U, "became-awaitable")),
    ("another member is set", _VIEW + "def patch():\n    View.hide = 1\n", _ASYNC + "def patch(): ...\n",
     (B, "became-awaitable")),
    ("a class of the same name inside", _VIEW + "def patch(View):\n    View.show = 1\n",
     _ASYNC + "def patch(View):\n    View.show = 1\n", (B, "became-awaitable")),
    ("set before, and gone with its function", _VIEW + "def _patch():\n    View.show = 1\n", "class View: ...\n",
     (B, "name-removed")),
    ("another decorator of the library", _CHOSEN + _SHOWN + _BOTH.replace("async ", "").replace("@variant(one)\n", ""),
     _CHOSEN + _SHOWN + _BOTH, (U, "became-awaitable")),
    ("the same decorator", _CHOSEN + _SHOWN + _BOTH, _CHOSEN + _SHOWN + _BOTH + "\nA = 1", None),
    ("no decorator", _SHOWN, "async " + _SHOWN, (B, "became-awaitable")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "before", "after", "said"), [*CASES, *LATER], ids=[case[0] for case in [*CASES, *LATER]]
)
def test_the_worst_that_is_said(name: str, before: Side, after: Side, said: Said) -> None:
    sides = [{"lib/__init__.py": side} if isinstance(side, str) else side for side in (before, after)]
    rows = compare(*map(contract, sides)).rows
    told = {(row.judgement.verdict, str(row.judgement.rule).removeprefix("python-")) for row in rows}
    assert said is None or said in told
    worse = {one for one in told if one[0] is not Verdict.COMPATIBLE}
    assert (said is not None) == bool(worse)
    if said is None or said[0] is U:
        assert not [one for one in worse if one[0] is B]
    assert not [row for row in rows if said and said[0] is B and said[1] == row.judgement.rule
                and row.proof.status is not ProofStatus.WITNESSED]  # fmt: skip
