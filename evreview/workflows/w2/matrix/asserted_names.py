"""What the name and the expected value of an assertion have against the contract."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import ABSENT, Concern, Direction, Form
from evreview.evidence.test_results.model import Assertion
from evreview.schema.view import Sub
from evreview.workflows.w2.facts import Operation
from evreview.workflows.w2.matrix.test_results import documented_response
from evreview.workflows.w2.message_parts import ANYWAY, first_covering, media_base
from evreview.workflows.w2.value_sets import Position, PositionFinder, admits

_STEP: Final = re.compile(r"\[[0-9*]*\]|[^.\[\]]+")
_OF_BODY: Final = (None, Concern.SUCCESS, Concern.ERRORS)
"""Concerns of an assertion with a status whose field is one of that response."""
_UNNAMED: Final = (Concern.AUTHENTICATION, Concern.LIMITS, Concern.SIDE_EFFECTS)
"""Concerns whose assertions may name what no contract names: a claim of a token, an effect."""


@dataclass(frozen=True, slots=True)
class Against:
    """What an assertion says that the contract does not: its kind, the dotted name, the contract's form of it."""

    kind: str
    name: str
    contract: Form = ABSENT
    media: Element | None = None


def against(values: PositionFinder, operation: Operation, assertion: Assertion) -> Against | None:
    """What the name and the expected value of an assertion have against the contract; None for nothing known."""
    if not assertion.field or assertion.concern in _UNNAMED:
        return None
    if assertion.status is None:
        return _anywhere(values, operation, assertion)
    response = documented_response(operation, assertion.status)
    if response is None:
        return None
    if assertion.concern is Concern.HEADERS:
        known = assertion.field.lower() in _header_names((response,)) | ANYWAY
        return None if known else Against("observed-header-undocumented", assertion.field)
    if assertion.concern in _OF_BODY:
        return _in_response(values, (operation, response), assertion)
    return _anywhere(values, operation, assertion)


def _in_response(values: PositionFinder, on: tuple[Operation, Element], assertion: Assertion) -> Against | None:
    operation, response = on
    medias = {each.key: each for each in _children(response, ElementKind.MEDIA_TYPE)}
    name = first_covering(medias, media_base(assertion.media_type))
    other = assertion.field.lower() in _header_names((response,)) | _parameters(operation) | ANYWAY
    if name is None:
        return None if medias or other else Against("observed-field-undocumented", assertion.field)
    media = medias[name]
    if media.value is None:
        return None
    found = _walked(values.of_contract(media.value, Direction.WRITTEN), assertion.field)
    if found.absent and not other:
        return Against("observed-field-undocumented", found.path, ABSENT, media)
    there = found.position
    if there is None or assertion.expects is None or admits(there, there.schema, assertion.expects) is not False:
        return None
    return Against("observed-value-outside", found.path, there.form, media)


def _anywhere(values: PositionFinder, operation: Operation, assertion: Assertion) -> Against | None:
    """An assertion that does not tell which part its name is of: it has to be one of any part."""
    responses = list(_children(operation.element, ElementKind.RESPONSE))
    if assertion.field.lower() in _header_names(responses) | _parameters(operation) | ANYWAY:
        return None
    sides = ((_children(operation.element, ElementKind.BODY), Direction.READ), (responses, Direction.WRITTEN))
    for owners, direction in sides:
        for media in (each for owner in owners for each in _children(owner, ElementKind.MEDIA_TYPE)):
            value = media.value
            if value is None or not _walked(values.of_contract(value, direction), assertion.field).absent:
                return None
    return Against("observed-name-undocumented", assertion.field)


def _children(owner: Element, kind: ElementKind) -> Iterator[Element]:
    return (child for child in owner.children if child.kind is kind)


def _header_names(responses: Iterable[Element]) -> frozenset[str]:
    return frozenset(each.name.lower() for response in responses for each in _children(response, ElementKind.HEADER))


def _parameters(operation: Operation) -> frozenset[str]:
    return frozenset(each.name.lower() for each in _children(operation.element, ElementKind.PARAMETER))


@dataclass(frozen=True, slots=True)
class _Walked:
    """How far a dotted name leads: to a position, surely nowhere, or nobody knows where."""

    path: str
    position: Position | None
    absent: bool = False


def _walked(position: Position, name: str) -> _Walked:
    done: list[str] = []
    for step in _STEP.findall(name.removeprefix("$.")):
        done.append("[]" if step.startswith("[") or step.isdigit() else step)
        below, known = _below(position, done[-1])
        if below is None:
            return _Walked(_dotted(done), None, absent=known)
        position = below
    return _Walked(_dotted(done), position)


def _below(position: Position, step: str) -> tuple[Position | None, bool]:
    """One step down; None with whether it is known that nothing is there."""
    view = position.view
    if step == "[]":
        return (position.at(view.items), True) if isinstance(view.items, Sub) else (None, False)
    if step in view.properties:
        return position.at(view.properties[step]), True
    if isinstance(view.additional, Sub):
        return position.at(view.additional), True
    loose = view.composed or view.patterns or view.conditional or "$ref" in view.keywords or not view.properties
    return None, not loose


def _dotted(steps: list[str]) -> str:
    return ".".join(steps).replace(".[]", "[]")
