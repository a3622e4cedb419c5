"""Modules that only another name makes public: what clients reach through it is compared, and every witness runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from tests.kinds.python.python_probes import Files
from tests.kinds.python.test_python_probes import contract

ONE, TWO = "def f(a): ...\n", "def f(a, b): ...\n"
_BASE, _OTHER = (f"class B:\n    def go({each}): ...\n" for each in ("self, a", "self, a, b"))


def lib(init: str, **modules: str) -> Files:
    """The library's `__init__` and its modules; `a__b` is the module `b` of the package `a`."""
    files = {f"lib/{name.replace('__', '/')}.py": text for name, text in modules.items()}
    packages = {f"lib/{name.partition('__')[0]}/__init__.py": "" for name in modules if "__" in name}
    return {"lib/__init__.py": init, **packages, **files}


RENAMED = {
    "from . import _a as a\n": "lib.a.f",
    "from lib import _a as a\n": "lib.a.f",
    "import lib._a as a\n": "lib.a.f",
    "from lib import _a as a\n__all__ = ['a']\n": "lib.a.f",
}


@pytest.mark.parametrize("init", RENAMED)
def test_a_private_module_under_a_public_name_is_compared(init: str) -> None:
    changed = compared(lib(init, _a=ONE), lib(init, _a=TWO))
    assert breaking(changed) == {"lib.a.f > argument b"}
    gone = compared(lib(init, _a=ONE), lib("", _a=ONE))
    assert breaking(gone) == {"lib.a.f"}
    assert breaking(compared(lib(init, _a=ONE), lib(init.replace("_a as", "_b as"), _b=ONE))) == set()


@pytest.mark.parametrize("init", ["from ._p import sub\n", "from lib._p import sub\n", "import lib._p.sub as sub\n"])
def test_a_module_of_a_private_package_is_compared_where_it_is_taken_over(init: str) -> None:
    assert breaking(compared(lib(init, _p__sub=ONE), lib(init, _p__sub=TWO))) == {"lib.sub.f > argument b"}


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        # A module's own use, a private name, and tests.
        (lib("", m="from lib import _a as a\n", _a=ONE), lib("", m="from lib import _a as a\n", _a=TWO)),
        (lib("from lib import _a as _b\n", _a=ONE), lib("from lib import _a as _b\n", _a=TWO)),
        (lib("from lib import tests as t\n", tests=ONE), lib("from lib import tests as t\n", tests=TWO)),
        # The function hides the module of its name.
        (lib("from lib._p import go\n", _p___go=ONE), lib("from lib._p import go\n", _p___go=TWO)),
    ],
)
def test_what_no_public_name_leads_to_is_not(released: Files, candidate: Files) -> None:
    assert breaking(compared(released, candidate)) == set()


def test_a_module_that_something_else_hides_is_none() -> None:
    hides = {"lib/_p/__init__.py": "from lib._p._x import go\n", "lib/_p/_x.py": "def go(): ...\n"}
    sides = [{**lib("from lib._p import go\n"), **hides, "lib/_p/go.py": text} for text in (ONE, TWO)]
    assert breaking(compared(*sides)) == set()


def test_modules_that_hand_each_other_on_end() -> None:
    first, second = "from lib import _b as b\n", "from lib import _a as a\n"
    both = [
        {"lib/__init__.py": second, "lib/_a/__init__.py": first, "lib/_b/__init__.py": second + text}
        for text in (ONE, TWO)
    ]
    assert breaking(compared(*both)) == {"lib.a.b.f > argument b"}


def test_what_such_a_module_may_make_at_run_time_is_unknown() -> None:
    init = "from lib import _a as a\n"
    found = compared(lib(init, _a=ONE), lib(init, _a="def __getattr__(name): ...\n"))
    assert [row.judgement.verdict for row in found.rows] == [Verdict.UNKNOWN]


@pytest.mark.parametrize("head", ["from lib import _a", "from . import _a", "import lib._a as _a"])
def test_a_base_in_a_private_module_is_found_by_its_path(head: str) -> None:
    init = f"{head}\nclass C(_a.B): ...\n"
    assert breaking(compared(lib(init, _a=_BASE), lib(init, _a=_OTHER))) == {"lib.C.go > argument b"}


@pytest.mark.parametrize("init", RENAMED)
@pytest.mark.parametrize("after", [TWO, "def g(a): ...\n"], ids=["argument", "name"])
def test_the_witness_runs_with_the_released_library_alone(init: str, after: str, tmp_path: Path) -> None:
    sides = lib(init, _a=ONE), lib(init, _a=after)
    codes = {str(row.proof.witness["message"]["code"]) for row in rows(compared(*sides))}  # type: ignore[call-overload, index]
    assert codes
    for name, files, passes in zip(("released", "candidate"), sides, (True, False), strict=True):
        for file, text in files.items():
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_text(text, encoding="utf-8")
        for code in codes:
            run = subprocess.run(
                [sys.executable, "-S", "-c", code], cwd=tmp_path / name, capture_output=True, timeout=60
            )
            assert (run.returncode == 0) is passes, (name, code, run.stderr)


def compared(released: Mapping[str, str], candidate: Mapping[str, str]) -> Comparison:
    return compare(contract(dict(released)), contract(dict(candidate)))


def rows(found: Comparison):  # type: ignore[no-untyped-def]
    return [row for row in found.rows if row.judgement.verdict is Verdict.BREAKING]


def breaking(found: Comparison) -> set[str]:
    return {row.delta.address for row in rows(found)}
