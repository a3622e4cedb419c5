"""What a library's text says besides its definitions, and its metadata: one small library each."""

from __future__ import annotations

import pytest

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.errors import BadInput
from evreview.kinds.load import read_contract
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.call_binding import bind, declared_signature, typical_calls
from evreview.kinds.python.source_griffe import in_older_syntax
from tests.kinds.python.test_python_binding import source


def library(text: str = "", **files: str) -> Contract:
    named = {"lib/__init__.py": text, **{key.replace("__", "/", 1): value for key, value in files.items()}}
    return read_contract("", lambda name: named[name].encode(), tuple(sorted(named)))


def project(name: str, text: str) -> Contract:
    files = {"lib/__init__.py": "X = 1\n", name: text}
    return read_contract("", lambda file: files[file].encode(), tuple(sorted(files)))


def names(contract: Contract) -> dict[str, Element]:
    return {one.key.removeprefix("lib."): one for one in contract.operations}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a, (b, *c) = 1, (2, 3, 4)", {"a", "b", "c"}),
        ("a = (b, c) = 1, 2", {"a", "b", "c"}),
        ("for a, b in ((1, 2),): ...", {"a", "b"}),
        ("with open('x') as (a, b): ...", {"a", "b"}),
        ("if (a := 1) and [b := 2 for _ in '1']: ...", {"a", "b"}),
        ("globals()['a'] = 1", {"a"}),
        ("f = lambda: (a := 1)", {"f"}),
        ("class C:\n    a, b = 1, 2", {"C", "C.a", "C.b"}),
        ("class C: ...\nC.a = 1\nsetattr(C, 'b', 2)", {"C", "C.a", "C.b"}),
        ("class C:\n    class D: ...\nC.D.a = 1", {"C", "C.D", "C.D.a"}),
        ("def f(): ...\nf.a = 1\nf._b = 2", {"f", "f.a"}),
        ("for a in (1, 2): ...\ndel a", set[str]()),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    a = 1\nelse:\n    b = 1", {"b"}),
    ],
)
def test_names_that_no_plain_definition_binds(code: str, expected: set[str]) -> None:
    assert set(names(library(code))) == expected


@pytest.mark.parametrize(
    ("code", "perhaps"),
    [
        ("a = 1", False),
        ("if x:\n    a = 1", True),
        ("if x:\n    a = 1\nelse:\n    a = 2", False),
        ("if x:\n    a = 1\nelse:\n    raise ValueError", False),
        ("try:\n    a = 1\nexcept ValueError:\n    a = 2", False),
        ("try:\n    a = 1\nexcept ValueError:\n    pass", True),
        ("try:\n    pass\nfinally:\n    a = 1", False),
        ("match x:\n    case 1:\n        a = 1\n    case _:\n        a = 2", False),
        ("match x:\n    case 1:\n        a = 1", True),
        ("for a in (1,): ...", False),
        ("for a in x: ...", True),
        ("while x:\n    a = 1", True),
        ("with x:\n    a = 1", False),
    ],
)
def test_what_a_condition_decides_is_marked(code: str, perhaps: bool) -> None:
    assert (names(library(f"x = 1\n{code}"))["a"].facet(sig.PERHAPS) is True) is perhaps


@pytest.mark.parametrize(
    "code",
    [
        "for n in ('a',):\n    globals()[n] = 1",
        "exec('a = 1')",
        "import sys\nsys.modules['lib.a'] = sys",
        "class C: ...\nfor n in ('a',):\n    setattr(C, n, 1)",
        "globals().update(a=1)",
    ],
)
def test_what_only_running_binds_is_kept_as_text(code: str) -> None:
    contract = library(code)
    module = next(one for one in contract.root.children if one.kind is ElementKind.MODULE)
    assert module.facet(sig.UNTOLD)


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("from . import part", "by the package itself"),
        ("import lib.part", "by the package itself"),
        ("from lib import part", "by the package itself"),
        ("from .part import x", "in passing"),
        ("from .other import y", "in passing"),
        ("def f():\n    from . import part", "perhaps"),
        ("try:\n    from . import part\nexcept ImportError: ...", "perhaps"),
        ("import importlib\nimportlib.import_module('lib.part')", "perhaps"),
        ("import os", "no"),
    ],
)
def test_how_a_module_is_loaded_with_its_package(code: str, state: str) -> None:
    contract = library(code, **{"lib__part.py": "x = 1", "lib__other.py": "from .part import x\ny = 1"})
    module = next(one for one in contract.root.children if one.key == "lib.part")
    assert module.facet(sig.LOADED) == state


@pytest.mark.parametrize(
    ("code", "signature"),
    [
        ("from collections import namedtuple as n\nA = n('A', 'a, b', defaults=[1])", "(a, b=None)"),
        ("from collections import namedtuple\nclass A(namedtuple('A', ['a', 'b'])): ...", "(a, b)"),
        ("import typing\nA = typing.NamedTuple('A', [('a', int)])", "(a)"),
        ("from dataclasses import make_dataclass, field\nA = make_dataclass('A', ['a', ('b', int, field(default=1))])",
         "(a, b=None)"),
        ("import attrs\n@attrs.define\nclass A:\n    _a: int\n    b: int = attrs.field(default=1, kw_only=True)",
         "(a, *, b=None)"),
        ("import attr\n@attr.s\nclass A:\n    a = attr.ib()\n    b = attr.ib(init=False)\n    c: int = 1", "(a)"),
        ("import attr\n@attr.s\nclass A:\n    a = attr.ib()\n    @a.default\n    def _d(self): ...", "(a=None)"),
        ("import attrs\n@attrs.define\nclass B:\n    a: int\n    b: int\n@attrs.define\nclass A(B):\n    a: int = 1",
         "(b, a=None)"),
        ("from pydantic import BaseModel, Field\nclass A(BaseModel):\n    a: int\n    b: int = Field(default=1)",
         "(*, a, b=None, **kwargs)"),
        ("from functools import partial\ndef g(a, b, c): ...\nA = partial(g, 1, b=2)", "(*, b=None, c)"),
    ],
)  # fmt: skip
def test_what_a_call_or_a_library_makes_is_called_so(code: str, signature: str) -> None:
    expected = declared_signature(names(library(f"def A{signature}: ..."))["A"])
    found = declared_signature(names(library(code))["A"])
    for one, other in ((expected, found), (found, expected)):
        assert [call for call in typical_calls(one, other) if bind(other, call).error] == [], source(found)


@pytest.mark.parametrize(
    "code",
    [
        "import attrs\n@attrs.define(init=False)\nclass A:\n    a: int",
        "from pydantic import BaseModel\nclass A(BaseModel):\n    a: int | None",
        "from pydantic import BaseModel, Field\nclass A(BaseModel):\n    a: int = Field(alias='b')",
        "from pydantic import BaseModel\nclass A(BaseModel):\n    a: int\n    model_config = {'extra': 'forbid'}",
        "from pydantic import BaseSettings\nclass A(BaseSettings):\n    a: int",
    ],
)
def test_a_constructor_that_something_else_decides_is_not_computed(code: str) -> None:
    element = names(library(code))["A"]
    assert element.facet(sig.CONSTRUCTOR) != sig.KNOWN and element.facet(sig.FIELDS)


@pytest.mark.parametrize(
    ("name", "text", "requires"),
    [
        ("pyproject.toml", "[project]\nrequires-python = '>=3.8, <4'", "<4,>=3.8"),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = '^3.8'", "<4.0,>=3.8"),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = '~3.8.1'", "<3.9,>=3.8.1"),
        ("pyproject.toml", "[tool.poetry.dependencies]\npython = '*'", None),
        ("setup.cfg", "[options]\npython_requires = >=3.7", ">=3.7"),
        ("setup.py", "import setuptools\nP = '>=3.7'\nsetuptools.setup(python_requires=P)", ">=3.7"),
        ("setup.py", "setup(python_requires=", None),
    ],
)
def test_the_python_that_metadata_ask_for(name: str, text: str, requires: str | None) -> None:
    assert project(name, text).root.facet(sig.REQUIRES_PYTHON) == requires


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project.scripts]\na = 'b:c'\n[project.entry-points.g]\nd = 'e'"),
        ("pyproject.toml", "[tool.poetry.scripts]\na = 'b:c'\n[tool.poetry.plugins.g]\nd = 'e'"),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    a = b:c\ng =\n    d = e\n[metadata]\nname = x"),
        ("setup.py", "setup(entry_points={'console_scripts': ['a = b:c'], 'g': 'd = e'})"),
        ("setup.py", "setup(entry_points='[console_scripts]\\na = b:c\\n[g]\\nd = e\\n')"),
        ("lib.egg-info/PKG-INFO", "Name: lib\n"),
    ],
)
def test_entry_points_by_every_writer(name: str, text: str) -> None:
    files = {"lib/__init__.py": "", name: text, "lib.egg-info/entry_points.txt": "[console_scripts]\na=b\n[g]\nd=e\n"}
    contract = read_contract("", lambda file: files[file].encode(), tuple(sorted(files)))
    assert contract.root.facet(sig.ENTRY_POINTS) == ["console_scripts: a", "g: d"]


def test_what_setup_computes_is_said() -> None:
    contract = project("setup.py", "setup(python_requires=floor(), **more)")
    assert {row.place.file for row in contract.unread} == {"setup.py"}
    assert len(contract.unread) == 2


NEWER = "type A[T] = list[T]\nclass C[T](B[T]):\n    def f[U: (int,\n        str)](self, a: U) -> T: ...\ntype = 1\n"


def test_newer_syntax_is_written_in_the_older_one_line_by_line() -> None:
    older = in_older_syntax(NEWER)
    assert older is not None and len(older.split("\n")) == len(NEWER.split("\n"))
    found = names(library(NEWER))
    assert set(found) == {"A", "C", "C.f", "type"}
    assert found["C.f"].place.line in (3, 4)


def test_syntax_that_nothing_reads_is_a_row_beside_modules_that_are_read_and_an_error_alone() -> None:
    contract = library("x = 1", **{"lib__a.py": "def f(:\n"})
    assert [row.place.file for row in contract.unread] == ["lib/a.py"]
    with pytest.raises(BadInput) as error:
        library("def f(:\n")
    assert error.value.problems[0].code == "python-syntax"


def test_a_stub_declares_by_overloads_what_the_module_imports() -> None:
    stub = "from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\n"
    found = names(library("", **{"lib__m.py": "from ._c import f\n", "lib__m.pyi": stub}))["m.f"]
    assert len([one for one in found.children if one.kind is ElementKind.OVERLOAD]) == 2


def test_modules_of_a_folder_without_init_are_read_alone_and_a_row_beside_a_package() -> None:
    files = {"lib/__init__.py": "x = 1", "acme/tool.py": "def f(): ..."}
    contract = read_contract("", lambda name: files[name].encode(), tuple(sorted(files)))
    assert [row.place.file for row in contract.unread] == ["acme/tool.py"]
    alone = read_contract("", lambda name: files[name].encode(), ("acme/tool.py",))
    assert [one.key for one in alone.operations] == ["acme.tool.f"]


def test_a_listed_name_that_nothing_binds_is_a_row() -> None:
    assert [row.found for row in library("__all__ = ['f', 'm']\ndef f(): ...", **{"lib__m.py": ""}).unread] == []
    (row,) = library("__all__ = ['f', 'g']\ndef f(): ...").unread
    assert "lists g" in row.found
