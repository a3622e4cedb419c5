"""What is made of parts that need each other: made once, and not tried in every order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from evreview.core.vocabulary import Json
from evreview.schema.evaluator import Evaluator
from evreview.schema.value_generator import GenerationAttempts, ValueGenerator

Needs = Mapping[str, tuple[tuple[str, ...], ...]]
"""For each thing the ways to make it, each by the things that it takes."""


def _nothing(_name: str) -> None:
    return None


class Workshop:
    """Makes things by the first way that works, and counts what it tries."""

    def __init__(self, needs: Needs, deepest: int = 24) -> None:
        self._needs = needs
        self._attempts: GenerationAttempts[str] = GenerationAttempts(deepest)
        self.tried = 0

    def make(self, name: str) -> str | None:
        """The name itself, None when the thing can't be made."""
        return self._attempts.of(name, name, lambda: self._made(name))

    def _made(self, name: str) -> str | None:
        self.tried += 1
        ways = self._needs[name]
        return name if any(all(self.make(part) for part in way) for way in ways) else None


def everything(count: int, leaf: bool) -> Needs:
    """Each thing takes any other one; the last one may be made of nothing."""
    names = [f"n{at}" for at in range(count)]
    last: tuple[tuple[str, ...], ...] = ((),) if leaf else ()
    return {name: (*((other,) for other in names), *(last if name == names[-1] else ())) for name in names}


@pytest.mark.parametrize("leaf", [True, False])
def test_not_every_order_is_tried(leaf: bool) -> None:
    workshop = Workshop(everything(20, leaf))
    assert [workshop.make(f"n{at}") for at in range(20)] == [f"n{at}" if leaf else None for at in range(20)]
    assert workshop.tried <= 20**2


CASES: Mapping[str, tuple[Needs, frozenset[str]]] = {
    "what fails only inside another making is made outside it": (
        {"a": (("b", "c"), ()), "b": (("a",),), "c": ((),)},
        frozenset("abc"),
    ),
    "what ran into two makings is made once either one is": (
        {"a": (("b",), ("c",)), "b": (("d",), ("c",)), "c": (("d", "e"),), "d": (("a",), ("b",), ("e",)), "e": ((),)},
        frozenset("abcde"),
    ),
    "a ring without a beginning": ({"a": (("b",),), "b": (("c",),), "c": (("a",),)}, frozenset()),
    "a part that can never be made": ({"a": (("b",), ()), "b": (("b", "a"), ("c",)), "c": ()}, frozenset("a")),
}


@pytest.mark.parametrize("case", CASES)
def test_whoever_is_asked_first_everything_possible_is_made(case: str) -> None:
    needs, possible = CASES[case]
    for first in needs:
        workshop = Workshop(needs)
        workshop.make(first)
        assert {name for name in needs if workshop.make(name)} == possible, first


def test_too_little_room_is_no_failure_further_up() -> None:
    names = [f"n{at}" for at in range(10)]
    needs = {name: ((below,),) for name, below in pairwise(names)} | {names[-1]: ((),)}
    workshop = Workshop(needs, deepest=5)
    assert workshop.make("n0") is None
    assert workshop.make("n5") == "n5"
    assert workshop.make("n1") == "n1"


def test_values_of_components_that_lead_to_each_other_take_few_steps() -> None:
    """Each of n components is one of n objects that may lead to another component: no value fits, in any order."""
    names = [f"N{at}" for at in range(12)]
    leading: list[Json] = [{"type": "object", "properties": {name: {"$ref": f"#/$defs/{name}"}}} for name in names]
    schemas: dict[str, Json] = {
        name: {"oneOf": [*leading, {"type": "object", "properties": {"v": {"type": "string"}}}]} for name in names
    }
    builder = ValueGenerator(lambda name: schemas.get(name), Evaluator(lambda name: schemas.get(name)))
    assert builder.smallest({"$ref": "#/$defs/N0"}) is None
    assert not builder.exhausted


def test_a_builder_ends_with_a_limit_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evreview.schema.value_generator._STEPS", 3)
    builder = ValueGenerator(_nothing, Evaluator(_nothing))
    found = [builder.smallest({"minLength": at}) for at in range(9)]
    assert found[0] is not None and found[-1] is None and builder.exhausted
