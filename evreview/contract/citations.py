"""Where something of a contract stands, as a citation that resolves inside its evidence item."""

from __future__ import annotations

from evreview.contract.model import Place
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_file, at_lines, at_written
from evreview.evidence.item import Citation


def cited_place(item: EvidenceId, entry: str, place: Place) -> Citation:
    """A citation of a place of a contract: in the item itself when it stands in the file `entry`, else in that part.

    Args:
        entry: the item's own file, as the contract's places name it.
    """
    if place.line is not None and place.file == entry:
        return at_lines(item, place.line)
    if place.file != entry:
        return at_file(item, place.file, place.pointer)
    return at_written(item, place.pointer) if place.pointer else Citation(item)
