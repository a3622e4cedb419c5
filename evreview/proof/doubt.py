"""What nobody could read, and whether a difference may hide in it."""

from __future__ import annotations

from evreview.contracts.model import Unread
from evreview.contracts.refs import Resolver
from evreview.documents.pointer import follow
from evreview.ledger.diff import dialect_of
from evreview.ledger.equality import Equality
from evreview.ledger.ledger import Ledger
from evreview.shapes.view import Part, Sub
from evreview.vocab import Missing


def doubtful(ledger: Ledger) -> tuple[Unread, ...]:
    """The unread parts in which something may differ: all that are not written alike, references included."""
    released, candidate = ledger.released, ledger.candidate
    written = {item.found for item in released.unread} & {item.found for item in candidate.unread}
    alike = {(item.place, item.found) for item in released.unread} & {
        (item.place, item.found) for item in candidate.unread
    }
    if not alike and not written:
        return ledger.unread
    equality = Equality(
        Resolver(released.documents),
        Resolver(candidate.documents),
        one_dialect=dialect_of(released) is dialect_of(candidate),
    )

    def unchanged(item: Unread) -> bool:
        if item.place.line is not None or isinstance(released.documents.get(item.place.file), str):
            # A text has no node to compare, and its lines move with every edit above them.
            return item.found in written
        if (item.place, item.found) not in alike:
            return False
        old, new = (
            follow(contract.documents.get(item.place.file), item.place.pointer) for contract in (released, candidate)
        )
        if isinstance(old, Missing) or isinstance(new, Missing):
            return False
        return equality.surely_equal(Sub((Part(old, item.place),)), Sub((Part(new, item.place),)))

    return tuple(item for item in ledger.unread if not unchanged(item))
