"""What nobody could read, and whether a difference may hide in it."""

from __future__ import annotations

from evreview.comparison.build import dialect_of
from evreview.comparison.node_pair import Equality
from evreview.contract.model import Contract, Place, Unread
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Json, Missing
from evreview.ledger.ledger import Ledger
from evreview.schema.view import Part, Sub


def doubtful(ledger: Ledger) -> tuple[Unread, ...]:
    """The unread parts in which something may differ: all that are not written alike, references included."""
    if not ledger.unread:
        return ()
    released, candidate = ledger.released, ledger.candidate
    files = _Files(released, candidate)
    told = [{(files.one_name(item.place), item.found) for item in side.unread} for side in (released, candidate)]
    equality = Equality(
        Resolver(released.documents),
        Resolver(candidate.documents),
        one_dialect=dialect_of(released) is dialect_of(candidate),
    )

    def unchanged(item: Unread) -> bool:
        key = (files.one_name(item.place), item.found)
        if item.place.line is not None or files.is_text(item.place):
            # A text has no node to compare, and its lines move with every edit above them.
            return all(item.found in {found for _, found in side} for side in told)
        # What stands in neither list is a keyword that nobody can read: it hangs on nothing beside it.
        if (key in told[0]) is not (key in told[1]):
            return False
        old, new = files.nearest(item.place)
        return old is not None and new is not None and equality.surely_equal(Sub((old,)), Sub((new,)))

    return tuple(item for item in ledger.unread if not unchanged(item))


class _Files:
    """The files of both sides; those at which the two contracts start may have different names."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._documents = released.documents, candidate.documents
        old, new = released.root.place.file, candidate.root.place.file
        mixed = old != new and (old in candidate.documents or new in released.documents)
        self._starts = None if mixed else (old, new)

    def one_name(self, place: Place) -> Place:
        """The place, in the released contract's name of the file."""
        return self.places(place)[0]

    def places(self, place: Place) -> tuple[Place, Place]:
        """A place of either side in the files of both."""
        own = (place.file, place.file)
        names = self._starts if self._starts is not None and place.file in self._starts else own
        return Place(names[0], place.pointer), Place(names[1], place.pointer)

    def nearest(self, place: Place) -> tuple[Part | None, Part | None]:
        """What both sides have at a place, or around one at which neither has anything: the absence is what is told."""
        found = [
            follow(document, at.pointer)
            for document, at in zip(self._documents_of(place), self.places(place), strict=True)
        ]
        if place.pointer and all(isinstance(node, Missing) for node in found):
            return self.nearest(Place(place.file, place.pointer.rpartition("/")[0]))
        old, new = (
            None if isinstance(node, Missing) else Part(node, at)
            for node, at in zip(found, self.places(place), strict=True)
        )
        return old, new

    def _documents_of(self, place: Place) -> list[Json]:
        return [held.get(at.file) for held, at in zip(self._documents, self.places(place), strict=True)]

    def is_text(self, place: Place) -> bool:
        """True for a place in a file that is no JSON."""
        return any(isinstance(document, str) for document in self._documents_of(place))
