"""Suspicions that no lead gives rise to: listed controls that are absent, and untested ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import UserText, listed
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Control, SecurityInventory, TrustModel
from evreview.workflows.w3.model import Candidate, ControlCell, Inventory, InventoryGapKind, Reach, Standing, State
from evreview.workflows.w3.validation.local_results import digest


def assumed_attacker(bundle: Bundle) -> str:
    """The first position that the trust model assumes an attacker in, "" without one."""
    model = first_of(bundle, TrustModel)
    return next(iter((model.record.attacker_positions or ()) if model else ()), "")


# Listed controls that the code lacks on routes which they shall protect: a suspicion, since it may stand elsewhere.


LISTED_CONTROL_ABSENT: Final = "listed-control-absent"


def absent_controls(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """A hypothesis for each listed control that is absent on routes of which nothing is supported yet.

    Args:
        inventory: its gaps say which controls lack routes that they shall protect.
        bundle: with the inventory's record.
        known: the candidates so far; a route with a supported one needs no second suspicion.
    """
    return tuple(_absent_control_candidates(inventory, bundle, known))


def _absent_control_candidates(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    told = {each.route for each in known if each.state is State.SUPPORTED}
    for name in dict.fromkeys(gap.control for gap in inventory.gaps if gap.lacks is InventoryGapKind.CONTROL):
        cells = [
            each
            for each in inventory.cells
            if each.control == name and each.standing is Standing.ABSENT and each.route not in told
        ]
        if cells and name in controls:
            yield _absent_control_candidate(controls[name], cells, bundle)


def _absent_control_candidate(control: Control, cells: Sequence[ControlCell], bundle: Bundle) -> Candidate:
    routes = tuple(cell.route for cell in cells)
    where = (UserText(control.id), " on ", *listed(routes))
    return Candidate(
        id=f"S-{digest(LISTED_CONTROL_ABSENT, control.id)[:12]}",
        kind=LISTED_CONTROL_ABSENT,
        area=control.area,
        title=("The listed control is not in the code: ", *where),
        leads=(),
        route=routes[0] if len(routes) == 1 else "*",
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=assumed_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("whether the routes are protected elsewhere is not shown",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("the code or wiring that holds ", *where),),
        preconditions=(("nothing that was not supplied does the control's work",),),
        impact_observed=("the code that was read does not hold ", *where),
        impact_inferred=("whoever the control shall keep out may get in",),
        safe_verification=("a negative test of each route in an isolated fixture with synthetic data",),
        slice=digest(control.model_dump_json(), *routes),
        citations=tuple(dict.fromkeys(citation for cell in cells for citation in cell.citations)),
    )


# Sensitive controls that no passed negative test covers: nothing shows that they fail, and nothing that they hold.


MISSING_NEGATIVE_TEST: Final = "missing-negative-test"
AREAS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING)
"""Controls that refuse somebody or something; of the others a negative test shows little."""


def unverified_controls(inventory: Inventory, bundle: Bundle) -> tuple[Candidate, ...]:
    """A hypothesis for each sensitive control that refuses and of which no retained negative test passed."""
    return tuple(_unverified_control_candidates(inventory, bundle))


def _unverified_control_candidates(inventory: Inventory, bundle: Bundle) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    passed = {test.control for test in inventory.tests if test.negative and test.outcome == "passed"}
    for control in controls.values():
        gaps = [
            gap for gap in inventory.gaps if gap.control == control.id and gap.lacks is InventoryGapKind.NEGATIVE_TESTS
        ]
        undecided = any(gap.decides for gap in gaps)
        if gaps and not undecided and control.sensitive and control.area in AREAS and control.id not in passed:
            on = tuple(dict.fromkeys(citation for gap in gaps for citation in gap.citations))
            yield _unverified_control_candidate(control, on, bundle)


def _unverified_control_candidate(control: Control, on: tuple[Citation, ...], bundle: Bundle) -> Candidate:
    route = control.routes[0] if len(control.routes) == 1 else "*"
    return Candidate(
        id=f"S-{digest(MISSING_NEGATIVE_TEST, control.id)[:12]}",
        kind=MISSING_NEGATIVE_TEST,
        area=control.area,
        title=("No negative test shows that the control ", UserText(control.id), " refuses whoever may not"),
        leads=(),
        route=route,
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=assumed_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("a missing test shows nothing about reachability",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("a negative test of ", UserText(control.id), " with its retained result"),),
        preconditions=(("the control fails without anybody noticing",),),
        impact_observed=("no passed negative test of ", UserText(control.id), " is retained"),
        impact_inferred=("a regression of the control would reach the release unnoticed",),
        safe_verification=("a negative test in an isolated fixture with synthetic data, its result retained",),
        slice=digest(control.model_dump_json()),
        citations=on,
    )
