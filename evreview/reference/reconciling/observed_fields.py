"""Fields of a body that an assertion names: whether the contract has them, and admits what is expected there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.contracts.model import Element
from evreview.reference.reconciling.deviation import Deviation, Matched
from evreview.reference.reconciling.sightings import Sighting
from evreview.reference.reconciling.statuses import concern_of
from evreview.reference.reconciling.values import Position, admits
from evreview.reference.rows import response_claim
from evreview.shapes.view import Sub
from evreview.vocab import MISSING, Form, Polarity

_STEP: Final = re.compile(r"\[[0-9*]*\]|[^.\[\]]+")


def asserted_field(matched: Matched, on: tuple[Element, Element], sighting: Sighting) -> Iterator[Deviation]:
    """A deviation when a passed assertion names a field that the contract surely lacks, or a value that it refuses."""
    (response, media), assertion = on, sighting.assertion
    if assertion is None or media.value is None or not assertion.field or assertion.status is None:
        return
    position: Position | None = matched.values.of_contract(media.value, Polarity.WRITTEN)
    steps, done = _STEP.findall(assertion.field.removeprefix("$.")), []
    for step in steps:
        done.append("[]" if step.startswith("[") or step.isdigit() else step)
        position, known = _below(position, done[-1]) if position is not None else (None, False)
        if position is None:
            if known:
                yield _row("observed-field-undocumented", matched, (response, media, _dotted(done)), sighting, MISSING)
            return
    if position is None or assertion.expects is None:
        return
    if admits(position, position.schema, assertion.expects) is False:
        yield _row("observed-value-outside", matched, (response, media, _dotted(done)), sighting, position.form)


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


def _row(
    kind: str, matched: Matched, on: tuple[Element, Element, str], sighting: Sighting, contract: Form
) -> Deviation:
    response, media, path = on
    status = int(sighting.status or 0)
    expects = sighting.assertion.expects if sighting.assertion is not None else None
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=concern_of(status),
        place=(status, media.name, path),
        contract=contract,
        implementation=MISSING,
        observed=expects if expects is not None else path,
        citations=(*matched.cited(media.place), sighting.citation),
        withholds=frozenset({response_claim(matched.operation.id, response.key, media.name, path)}),
    )
