"""Which routes of a control no negative test asks: a test of one route shows nothing about the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import listed
from evreview.core.vocabulary import Area
from evreview.evidence.element_mentions import operation_key
from evreview.security.mapped import TestRow
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import ControlCell, InventoryGap, Standing
from evreview.workflows.w3.step3_inventory.listing import Listing, gap

REFUSING: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING)
"""Areas whose controls refuse somebody or something on each route by itself."""
_REFUSED: Final = 400


def uncovered(listing: Listing, cells: Sequence[ControlCell], rows: Sequence[TestRow]) -> Iterator[InventoryGap]:
    """A gap for each sensitive control that stands on routes which none of its negative tests asks.

    A control without any negative test has a gap already.
    """
    for place, control in enumerate(listing.inventory.record.controls):
        negative = [row for row in rows if row.control == control.id and row.negative and row.asserts]
        if not negative or not control.sensitive or control.area not in REFUSING:
            continue
        asked = {operation_key(name) for row in negative for name, status in row.asserts if status >= _REFUSED}
        own = [cell for cell in cells if cell.control == control.id and cell.standing is Standing.PRESENT]
        missing = [cell.route for cell in own if operation_key(cell.route) not in asked]
        if missing:
            words = ("a negative test of each of ", *listed(dict.fromkeys(missing)))
            yield gap(control, "negative tests", words, (listing.at(place, "negative_tests"),), decides=False)


def absent(listing: Listing, cells: Sequence[ControlCell]) -> Iterator[InventoryGap]:
    """A gap for each sensitive control that the code lacks on routes which it shall protect."""
    for place, control in enumerate(listing.inventory.record.controls):
        if not control.sensitive or control.area not in REFUSING:
            continue
        own = [cell for cell in cells if cell.control == control.id and cell.standing is Standing.ABSENT]
        if own:
            words = ("the control, or what stands in for it, at ", *listed([cell.route for cell in own]))
            on = cited((listing.at(place),), *(cell.citations for cell in own))
            yield gap(control, "control", words, on, decides=False)
