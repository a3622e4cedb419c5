"""Sensitive controls that no negative test covers: nothing is shown to be wrong, and nothing shows that they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from evreview.evidence.cited import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.controls import Control, SecurityInventory
from evreview.evidence.records.trust import TrustModel
from evreview.prose import Subject
from evreview.security.model import Candidate, Inventory, InventoryGap, Reach, State

KIND: Final = "missing-negative-test"
LACKS: Final = "negative tests"


def unverified_controls(inventory: Inventory, bundle: Bundle) -> tuple[Candidate, ...]:
    """A hypothesis for each sensitive control of which the inventory states that it has no negative test."""
    return tuple(_candidates(inventory, bundle))


def _candidates(inventory: Inventory, bundle: Bundle) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    for gap in inventory.gaps:
        control = controls.get(gap.control)
        if gap.lacks == LACKS and not gap.decides and control is not None and control.sensitive:
            yield _candidate(control, gap, bundle)


def _candidate(control: Control, gap: InventoryGap, bundle: Bundle) -> Candidate:
    route = control.routes[0] if len(control.routes) == 1 else "*"
    return Candidate(
        id=f"S-{_digest(KIND, control.id)[:12]}",
        kind=KIND,
        area=control.area,
        title=("No negative test shows that the control ", Subject(control.id), " refuses whoever may not"),
        leads=(),
        route=route,
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("a missing test shows nothing about reachability",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("a negative test of ", Subject(control.id), " with its retained result"),),
        preconditions=(("the control fails without anybody noticing",),),
        impact_observed=("the inventory states no negative test for ", Subject(control.id)),
        impact_inferred=("a regression of the control would reach the release unnoticed",),
        safe_verification=("a negative test in an isolated fixture with synthetic data, its result retained",),
        slice=_digest(control.model_dump_json()),
        citations=gap.citations,
    )


def _attacker(bundle: Bundle) -> str:
    model = first_of(bundle, TrustModel)
    return next(iter((model.record.attacker_positions or ()) if model else ()), "")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
