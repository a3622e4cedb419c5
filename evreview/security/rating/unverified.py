"""Sensitive controls that no passed negative test covers: nothing shows that they fail, and nothing that they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.quoted_text import Subject
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Control, SecurityInventory
from evreview.security.rating.basis import assumed_attacker, digest
from evreview.workflows.w3.model import Candidate, Inventory, Reach, State

KIND: Final = "missing-negative-test"
LACKS: Final = "negative tests"
AREAS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING)
"""Controls that refuse somebody or something; of the others a negative test shows little."""


def unverified_controls(inventory: Inventory, bundle: Bundle) -> tuple[Candidate, ...]:
    """A hypothesis for each sensitive control that refuses and of which no retained negative test passed."""
    return tuple(_candidates(inventory, bundle))


def _candidates(inventory: Inventory, bundle: Bundle) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    passed = {test.control for test in inventory.tests if test.negative and test.outcome == "passed"}
    for control in controls.values():
        gaps = [gap for gap in inventory.gaps if gap.control == control.id and gap.lacks == LACKS]
        undecided = any(gap.decides for gap in gaps)
        if gaps and not undecided and control.sensitive and control.area in AREAS and control.id not in passed:
            on = tuple(dict.fromkeys(citation for gap in gaps for citation in gap.citations))
            yield _candidate(control, on, bundle)


def _candidate(control: Control, on: tuple[Citation, ...], bundle: Bundle) -> Candidate:
    route = control.routes[0] if len(control.routes) == 1 else "*"
    return Candidate(
        id=f"S-{digest(KIND, control.id)[:12]}",
        kind=KIND,
        area=control.area,
        title=("No negative test shows that the control ", Subject(control.id), " refuses whoever may not"),
        leads=(),
        route=route,
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=assumed_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("a missing test shows nothing about reachability",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("a negative test of ", Subject(control.id), " with its retained result"),),
        preconditions=(("the control fails without anybody noticing",),),
        impact_observed=("no passed negative test of ", Subject(control.id), " is retained"),
        impact_inferred=("a regression of the control would reach the release unnoticed",),
        safe_verification=("a negative test in an isolated fixture with synthetic data, its result retained",),
        slice=digest(control.model_dump_json()),
        citations=on,
    )
