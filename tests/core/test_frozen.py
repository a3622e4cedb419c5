"""A frozen class does what the standard library's frozen dataclass with slots does: both are asked the same."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from evreview.core.frozen import frozen

T = TypeVar("T")
Decorate = Callable[[type], type]
PLAIN: dict[str, Decorate] = {"ours": frozen, "theirs": dataclass(frozen=True, slots=True)}
NAMED: dict[str, Decorate] = {"ours": frozen(kw_only=True), "theirs": dataclass(frozen=True, slots=True, kw_only=True)}


def point(decorate: Decorate) -> Any:
    class Point:
        """A place with a name that does not count."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 0
        seen: list[int] = field(default_factory=list, hash=False)
        name: str = field(default="", compare=False, repr=False)

    return decorate(Point)


def checked(decorate: Decorate) -> Any:
    class Checked(Generic[T]):
        value: T
        double: Any = field(init=False, default=None)

        def __post_init__(self) -> None:
            object.__setattr__(self, "double", (self.value, self.value))

        def __eq__(self, other: object) -> bool:
            return str(self) == str(other)

        def __hash__(self) -> int:
            return 7

    return decorate(Checked)


def heir(decorate: Decorate) -> Any:
    base = point(decorate)
    return decorate(type("Heir", (base,), {"__annotations__": {"z": "int"}, "z": 3, "__doc__": "More."}))


def empty(decorate: Decorate) -> Any:
    return decorate(type("Empty", (), {}))


MAKERS = (point, checked, heir, empty)
ASKED: list[Callable[[Any], Any]] = [
    lambda made: made(1),
    lambda made: made(),
    lambda made: made(1, 2, [3], "n", 4, 5),
    lambda made: made(unknown=1),
    lambda made: hash(made(1, 2)) == hash(made(1, 2, [3])),
    lambda made: made(1, 2) == made(1, 2, name="other"),
    lambda made: made(1, 2) == made(2, 2),
    lambda made: made(1) == 1,
    lambda made: made() == made(),
    lambda made: len({made(1), made(1), made(2)}),
    lambda made: made(1).seen is made(1).seen,
    lambda made: replace(made(1), x=9),
    lambda made: copy.copy(made(1)) == made(1),
    lambda made: copy.deepcopy(made(1)),
    lambda made: [each.name for each in fields(made)],
    lambda made: is_dataclass(made),
    lambda made: made.__match_args__,
    lambda made: made.__slots__,
    lambda made: made(1).double,
    lambda made: made(1).__dict__,
    lambda made: made.kind,
]


def answer(asked: Callable[[Any], Any], made: Any) -> str:
    try:
        return repr(asked(made))
    except (TypeError, AttributeError, FrozenInstanceError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("ways", [PLAIN, NAMED], ids=["plain", "named"])
@pytest.mark.parametrize("asked", range(len(ASKED)))
@pytest.mark.parametrize("maker", MAKERS)
def test_both_answer_the_same(maker: Callable[[Decorate], Any], asked: int, ways: dict[str, Decorate]) -> None:
    ours, theirs = (answer(ASKED[asked], maker(ways[whose])) for whose in ("ours", "theirs"))
    assert ours == theirs


@pytest.mark.parametrize("name", ["x", "other"])
def test_nothing_is_set_or_deleted(name: str) -> None:
    made = point(frozen)(1)
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)
    assert made.x == 1


@frozen
class Kept:
    """Module level, as pickling wants it."""

    a: int
    b: tuple[int, ...] = ()


def test_an_instance_is_restored_from_a_pickle() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))


def test_the_first_instance_compiles_and_the_next_do_not() -> None:
    made = point(frozen)
    before = made.__init__
    made(1)
    compiled = made.__init__
    made(2)
    assert before is not compiled is made.__init__
