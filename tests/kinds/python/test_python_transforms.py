"""`dataclass_transform`: a type checker takes the fields for a constructor, whatever runs; their edits are unknown."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from tests.kinds.python.test_python_probes import contract

HEAD = "from typing import dataclass_transform\n"
DECORATOR = HEAD + "@dataclass_transform()\ndef model(cls): return cls\n@model\nclass A:\n    x: int\n"
BASE = HEAD + "@dataclass_transform()\nclass B:\n    def __init__(self, **given): ...\nclass A(B):\n    x: int\n"
METACLASS = HEAD + "@dataclass_transform()\nclass M(type): ...\nclass B(metaclass=M): ...\nclass A(B):\n    x: int\n"
MADE = {"decorator": DECORATOR, "base": BASE, "metaclass": METACLASS}
RULE = "python-generated-constructor-unknown"


def rows(released: str, candidate: str) -> dict[str, JudgedRow]:
    sides = (contract({"lib/__init__.py": text}) for text in (released, candidate))
    return {f"{row.delta.address} {row.judgement.rule}": row for row in compare(*sides).rows}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("field", ["    y: int\n", "    y: int = 1\n"])
def test_a_field_that_joins_or_leaves_is_unknown(name: str, field: str) -> None:
    for sides in ((MADE[name], MADE[name] + field), (MADE[name] + field, MADE[name])):
        assert rows(*sides)[f"lib.A {RULE}"].judgement.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("name", MADE)
def test_a_mark_that_goes_leaves_the_constructor_unknown(name: str) -> None:
    bare = MADE[name].replace("@dataclass_transform()\n", "")
    found = rows(MADE[name], bare)
    assert found and {row.judgement.verdict for row in found.values()} == {Verdict.UNKNOWN}


@pytest.mark.parametrize("name", MADE)
def test_a_constructor_of_its_own_is_taken_as_written(name: str) -> None:
    own = MADE[name] + "    def __init__(self, x): ...\n"
    assert not [key for key in rows(own, own + "    y: int = 1\n") if RULE in key]


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(
    "head",
    ["import typing as t\n", "import typing_extensions as t\n"],
)
def test_the_spelling_of_the_mark_is_no_difference(name: str, head: str) -> None:
    assert rows(MADE[name], MADE[name].replace(HEAD, head).replace("@dataclass_", "@t.dataclass_")) == {}


def test_a_class_beside_marked_ones_has_no_such_constructor() -> None:
    assert not [key for key in rows(BASE + "class C:\n    x: int\n", BASE + "class C:\n    y: int\n") if RULE in key]
