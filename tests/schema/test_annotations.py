"""The lattice of annotations: what is within what, and what nobody can tell; tables and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.vocabulary import Tristate
from evreview.kinds.python.annotations import KnownClass, is_within

YES, NO, OPEN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN
CLASSES = {
    "lib.Base": KnownClass(frozenset()),
    "lib.Own": KnownClass(frozenset({"lib.Base"})),
    "lib.Odd": KnownClass(frozenset({"x.Base"}), whole=False),
    "lib.Shape": KnownClass(frozenset(), structural=True),
    "lib.Wrong": KnownClass(frozenset({"ValueError", "Exception"})),
}
TABLE = [
    ("int", "int", YES),
    ("int", "float", YES),
    ("bool", "int", YES),
    ("float", "int", NO),
    ("int", "str", NO),
    ("bytes", "str", NO),
    ("int", "int | str", YES),
    ("int | None", "int", NO),
    ("None", "int | None", YES),
    ("int", "None", NO),
    ("Any", "int", YES),
    ("int", "Any", YES),
    ("object", "int", NO),
    ("Never", "int", YES),
    ("list[int]", "list[int | str]", NO),
    ("list[int]", "Sequence[int | str]", YES),
    ("list", "list[int]", YES),
    ("dict[str, int]", "Mapping[str, object]", YES),
    ("Mapping[str, int]", "dict[str, int]", NO),
    ("tuple[int, ...]", "Sequence[int]", YES),
    ("tuple[int, str]", "tuple[int]", NO),
    ("tuple[int, int]", "tuple[int, ...]", YES),
    ("set[int]", "frozenset[int]", NO),
    ("str", "Sequence[str]", YES),
    ("Generator[int, None, None]", "Iterator[int]", YES),
    ("Iterator[int]", "list[int]", NO),
    ("Literal['a']", "str", YES),
    ("Literal['a']", "Literal['a', 'b']", YES),
    ("Literal['a', 'b']", "Literal['a']", NO),
    ("str", "Literal['a']", NO),
    ("ValueError", "Exception", YES),
    ("Callable[[int], str]", "Callable[[int], object]", OPEN),
    ("~T", "int", OPEN),
    ("x.Foreign", "y.Foreign", OPEN),
    ("x.Foreign", "object", YES),
    ("lib.Own", "lib.Base", YES),
    ("lib.Base", "lib.Own", NO),
    ("lib.Odd", "lib.Base", OPEN),
    ("lib.Base", "lib.Shape", OPEN),
    ("lib.Own", "int", NO),
    ("int", "lib.Own", NO),
    ("lib.Wrong", "Exception", YES),
    ("list[lib.Own]", "Sequence[lib.Base]", YES),
]
ATOMS = st.sampled_from(("int", "str", "float", "bytes", "None", "bool", "ValueError", "list[int]", "Sequence[int]"))
UNIONS = st.lists(ATOMS, min_size=1, max_size=3, unique=True).map(lambda parts: " | ".join(sorted(parts)))


@pytest.mark.parametrize(("narrow", "wide", "answer"), TABLE)
def test_what_is_within_what(narrow: str, wide: str, answer: Tristate) -> None:
    assert is_within(narrow, wide, CLASSES.get) is answer


@given(UNIONS, UNIONS)
def test_a_part_is_within_the_whole(one: str, other: str) -> None:
    both = " | ".join(sorted({*one.split(" | "), *other.split(" | ")}))
    assert is_within(one, both) is YES and is_within(one, one) is YES


@given(UNIONS, UNIONS, UNIONS)
def test_within_carries_over(one: str, two: str, three: str) -> None:
    if is_within(one, two) is YES and is_within(two, three) is YES:
        assert is_within(one, three) is YES
