"""Listed controls that the code lacks on routes which they shall protect: a suspicion, since it may stand elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import Subject, listed
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Control, SecurityInventory
from evreview.security.rating.basis import assumed_attacker, digest
from evreview.workflows.w3.model import Candidate, ControlCell, Inventory, Reach, Standing, State

KIND: Final = "listed-control-absent"
LACKS: Final = "control"


def absent_controls(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """A hypothesis for each listed control that is absent on routes of which nothing is supported yet.

    Args:
        inventory: its gaps say which controls lack routes that they shall protect.
        bundle: with the inventory's record.
        known: the candidates so far; a route with a supported one needs no second suspicion.
    """
    return tuple(_candidates(inventory, bundle, known))


def _candidates(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    told = {each.route for each in known if each.state is State.SUPPORTED}
    for name in dict.fromkeys(gap.control for gap in inventory.gaps if gap.lacks == LACKS):
        cells = [
            each
            for each in inventory.cells
            if each.control == name and each.standing is Standing.ABSENT and each.route not in told
        ]
        if cells and name in controls:
            yield _candidate(controls[name], cells, bundle)


def _candidate(control: Control, cells: Sequence[ControlCell], bundle: Bundle) -> Candidate:
    routes = tuple(cell.route for cell in cells)
    where = (Subject(control.id), " on ", *listed(routes))
    return Candidate(
        id=f"S-{digest(KIND, control.id)[:12]}",
        kind=KIND,
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
