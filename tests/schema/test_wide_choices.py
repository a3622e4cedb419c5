"""Choices of many branches: the questions asked grow with the branches, not with their square."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Tristate
from evreview.schema.subsumption.conditional_declarations import ConditionalDeclarations
from evreview.schema.subsumption.prover import SubsumptionProver
from evreview.schema.subsumption.relation import SubsumptionChecker, include, own_definitions


def _branches(count: int, *, tagged: bool) -> list[Any]:
    made = []
    for at in range(count):
        tag = {"kind": {"enum": [f"k{at}"]}} if tagged else {}
        members = {f"m{at}": {"type": "string"}, **tag}
        made.append({"type": "object", "properties": members, "required": list(members)})
    return made


def _asked(monkeypatch: pytest.MonkeyPatch, left: Any, right: Any) -> tuple[int, Tristate]:
    counted = 0
    prove = SubsumptionProver.prove

    def counting(self: SubsumptionProver, *forms: Any) -> Any:
        nonlocal counted
        counted += 1
        return prove(self, *forms)

    with monkeypatch.context() as patched:
        patched.setattr(SubsumptionProver, "prove", counting)
        answer = include(left, right).answer
    return counted, answer


@pytest.mark.parametrize("tagged", [True, False])
@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("around", [lambda choice: choice, lambda choice: {"allOf": [choice, {"type": "object"}]}])
def test_twice_the_branches_ask_no_more_than_three_times_as_much(
    monkeypatch: pytest.MonkeyPatch, keyword: str, tagged: bool, turned: bool, around: Any
) -> None:
    asked = []
    for count in (100, 200):
        left = _branches(count, tagged=tagged)
        right = _branches(count, tagged=tagged)
        right[count // 2]["properties"]["more"] = {}
        sides = [around({keyword: each}) for each in (left, right[::-1] if turned else right)]
        steps, answer = _asked(monkeypatch, *sides)
        assert answer is not Tristate.NO
        asked.append(steps)
    assert asked[1] <= 3 * asked[0]


def test_large_objects_are_built_as_often_as_the_steps_pay_for(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    member = ConditionalDeclarations.member

    def counting(self: ConditionalDeclarations, *asked: Any) -> Any:
        nonlocal counted
        counted += 1
        return member(self, *asked)

    monkeypatch.setattr(ConditionalDeclarations, "member", counting)
    made = []
    for count in (200, 400):
        counted = 0
        left, right = ({"type": "object", "required": [f"{side}{at}" for at in range(count)]} for side in "ab")
        found = SubsumptionChecker(own_definitions(left), own_definitions(right), steps=1000).contained(left, right)
        assert found.answer is Tristate.UNKNOWN
        made.append(counted)
    assert made[1] <= 2 * made[0]
