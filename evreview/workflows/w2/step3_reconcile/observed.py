"""What an assertion names: whether the contract has it there, and admits the value that is expected of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form, Polarity
from evreview.evidence.test_results.model import Assertion
from evreview.reference.model import ClaimKey, Operation
from evreview.reference.reconciling.headers import ANYWAY
from evreview.reference.reconciling.rows import first_covering, media_base
from evreview.reference.reconciling.sightings import Sighting
from evreview.schema.view import Sub
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.step2_test_results import documented_response
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Matched, Steps
from evreview.workflows.w2.step3_reconcile.responses import concern_of
from evreview.workflows.w2.step3_reconcile.value_sets import Position, Values, admits

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
    contract: Form = MISSING
    media: Element | None = None


def against(values: Values, operation: Operation, assertion: Assertion) -> Against | None:
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


def _in_response(values: Values, on: tuple[Operation, Element], assertion: Assertion) -> Against | None:
    operation, response = on
    medias = {each.key: each for each in _children(response, ElementKind.MEDIA_TYPE)}
    name = first_covering(medias, media_base(assertion.media_type))
    other = assertion.field.lower() in _header_names((response,)) | _parameters(operation) | ANYWAY
    if name is None:
        return None if medias or other else Against("observed-field-undocumented", assertion.field)
    media = medias[name]
    if media.value is None:
        return None
    found = _walked(values.of_contract(media.value, Polarity.WRITTEN), assertion.field)
    if found.absent and not other:
        return Against("observed-field-undocumented", found.path, MISSING, media)
    there = found.position
    if there is None or assertion.expects is None or admits(there, there.schema, assertion.expects) is not False:
        return None
    return Against("observed-value-outside", found.path, there.form, media)


def _anywhere(values: Values, operation: Operation, assertion: Assertion) -> Against | None:
    """An assertion that does not tell which part its name is of: it has to be one of any part."""
    responses = list(_children(operation.element, ElementKind.RESPONSE))
    if assertion.field.lower() in _header_names(responses) | _parameters(operation) | ANYWAY:
        return None
    sides = ((_children(operation.element, ElementKind.BODY), Polarity.READ), (responses, Polarity.WRITTEN))
    for owners, polarity in sides:
        for media in (each for owner in owners for each in _children(owner, ElementKind.MEDIA_TYPE)):
            value = media.value
            if value is None or not _walked(values.of_contract(value, polarity), assertion.field).absent:
                return None
    return Against("observed-name-undocumented", assertion.field)


def asserted_name(matched: Matched, sighting: Sighting) -> Iterator[Deviation]:
    """A deviation when a passed assertion names what the contract surely lacks, or expects a value that it refuses."""
    assertion = sighting.assertion
    found = against(matched.values, matched.operation, assertion) if assertion is not None else None
    if assertion is None or found is None:
        return
    response = documented_response(matched.operation, assertion.status) if assertion.status is not None else None
    place, concern, held = _located(matched.operation, (assertion, response), found)
    on = found.media or response
    yield Deviation(
        kind=found.kind,
        operation=matched.operation.id,
        concern=concern,
        place=place,
        contract=found.contract,
        implementation=MISSING,
        observed=assertion.expects if assertion.expects is not None else found.name,
        citations=(*matched.cited(on.place if on is not None else None), *sighting.citations),
        withholds=held,
    )


def _located(
    operation: Operation, on: tuple[Assertion, Element | None], found: Against
) -> tuple[Steps, Concern, frozenset[ClaimKey]]:
    """The place, the concern and the claims held back; none for the claim of the place itself."""
    assertion, response = on
    status = assertion.status or 0
    if response is None or found.kind == "observed-name-undocumented":
        return (found.name,), assertion.concern or Concern.PARAMETERS, frozenset()
    if found.kind == "observed-header-undocumented":
        return (str(status), found.name), Concern.HEADERS, frozenset()
    below = (*((found.media.name,) if found.media is not None else ()), found.name)
    return (status, *below), concern_of(status), frozenset({response_claim(operation.id, response.key, *below)})


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
