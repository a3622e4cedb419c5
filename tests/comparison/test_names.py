"""Rows about public names, settled: one edit is one row, and what another row says is noise that says which."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import Comparison
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.kinds.python import alignment
from evreview.kinds.python import signatures as sig


def compared(before: dict[str, str], after: dict[str, str]) -> Comparison:
    sides = [
        read_contract("", lambda name, files=files: files[name].encode(), tuple(sorted(files)))
        for files in (before, after)
    ]
    return compare(*sides)


def package(**modules: str) -> dict[str, str]:
    return {f"lib/{name}.py": text for name, text in {"__init__": "", **modules}.items()}


def test_one_definition_under_two_names_is_one_row_that_reaches_both() -> None:
    takes = "from .a import f\n"
    found = compared(package(__init__=takes, a="def f(x): ...\n"), package(__init__=takes, a="def f(y): ...\n"))
    assert [(row.delta.address, row.delta.operations) for row in found.rows] == [
        ("lib.a.f > argument x", ("lib.a.f", "lib.f"))
    ]


def test_a_removed_definition_is_one_row_that_reaches_its_names() -> None:
    found = compared(
        package(__init__="from .a import f\n", a="def f(x): ...\ndef g(): ...\n"), package(a="def g(): ...\n")
    )
    told = [(row.delta.address, row.delta.operations) for row in found.rows]
    assert told == [("lib.f", ("lib.a.f", "lib.f")), ("module lib.a", ())]
    assert not found.noise


def test_an_inherited_member_is_one_row_that_reaches_every_class() -> None:
    code = "class _A:\n    def m(self, {}): ...\nclass B(_A): ...\nclass C(_A): ...\n"
    found = compared(package(a=code.format("x")), package(a=code.format("y")))
    assert [row.delta.operations for row in found.rows] == [("lib.a.B.m", "lib.a.C.m")]


_LINE = "class M(type): ...\nclass A{}: ...\nclass B(A): ...\nclass C(B): ...\nclass D(C): ...\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_LINE.format(""), _LINE.format("(metaclass=M)")),
        (_LINE.format("(dict)"), _LINE.format("")),
        (_LINE.format(""), _LINE.format("(ValueError)")),
        (_LINE.format(""), _LINE.format("").replace("A: ...", "A:\n    __hash__ = None")),
        (_LINE.format(""), _LINE.format("").replace("A: ...", "A:\n    def __init_subclass__(cls, tag): ...")),
    ],
)
def test_what_classes_inherit_is_a_row_of_the_class_that_has_it_first(before: str, after: str) -> None:
    rows = [row for row in compared(package(a=before), package(a=after)).rows if row.delta.facet]
    assert {row.delta.address for row in rows} == {"lib.a.A"}
    assert {name for row in rows for name in row.delta.operations} == {f"lib.a.{name}" for name in "ABCD"}


def test_a_class_that_changes_by_itself_has_its_own_row() -> None:
    before = "class A: ...\nclass B: ...\nclass C(A): ...\n"
    after = before.replace("A:", "A(dict):").replace("B:", "B(dict):")
    found = compared(package(a=after), package(a=before))
    rows = [row for row in found.rows if row.delta.facet == sig.ANCESTORS]
    assert [(row.delta.address, row.delta.operations) for row in rows] == [
        ("lib.a.A", ("lib.a.A", "lib.a.C")),
        ("lib.a.B", ("lib.a.B",)),
    ]


def test_the_members_of_a_removed_class_and_module_are_covered() -> None:
    code = "class C:\n    def m(self): ...\n    a = 1\n"
    found = compared(package(a=code, b="x = 1\n"), package(b="x = 1\n"))
    assert [row.delta.address for row in found.rows] == ["module lib.a"]
    assert found.rows[0].delta.operations == ("lib.a.C", "lib.a.C.a", "lib.a.C.m")
    assert not found.noise


def test_names_that_neither_side_lists_are_noise() -> None:
    code = "__all__ = ['f']\ndef f(): ...\ndef g({}): ...\n"
    found = compared(package(a=code.format("x")), package(a=code.format("")))
    assert not found.rows
    assert {noise.reason for noise in found.noise} == {alignment.UNLISTED}


def test_what_a_name_was_as_another_kind_of_thing_is_noise() -> None:
    found = compared(package(a="def f(x, y): ...\n"), package(a="f = 1\n"))
    assert [row.delta.facet for row in found.rows] == ["is"]
    assert {noise.reason for noise in found.noise} <= {alignment.ANOTHER_KIND}
