"""Where a row of a protobuf ledger stands, on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from evreview.comparison.component_identity import address, element_step
from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Polarity
from evreview.kinds.protobuf.alignment import Aligned, aligned_types
from evreview.kinds.protobuf.round_trips import Field
from evreview.proof.kinds.protobuf_sides import Side


@dataclass(frozen=True, slots=True)
class Spot:
    """The element of a row on both sides, and the element around it; None on the side that has none."""

    released: Element | None
    candidate: Element | None
    around: tuple[Element | None, Element | None] = (None, None)

    @property
    def polarity(self) -> Polarity | None:
        """READ or WRITTEN where both sides use it only so."""
        found = {side.polarity for side in (self.released, self.candidate) if side is not None}
        return found.pop() if len(found) == 1 else None

    @property
    def number(self) -> int:
        """The number of a field, extension or value."""
        held = self.released or self.candidate
        return int(held.key.rpartition(" ")[2]) if held is not None else 0

    @property
    def writers(self) -> tuple[int, ...]:
        """Whose messages reach the other side: 0 for the released side, 1 for the candidate."""
        return {Polarity.READ: (0,), Polarity.WRITTEN: (1,)}.get(self.polarity, (0, 1))  # type: ignore[arg-type]


class Spots:
    """Finds the spot of each row."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self.contracts = released, candidate
        self.sides = Side("released", released), Side("candidate", candidate)

    @cached_property
    def aligned(self) -> Aligned:
        """Both contracts with paired parts under one key."""
        return aligned_types(*self.contracts)

    @cached_property
    def _by_address(self) -> dict[str, Spot]:
        found: dict[str, Spot] = {}
        self._gather((), (self.aligned.released.root, self.aligned.candidate.root), found)
        return found

    def _gather(self, steps: tuple[str, ...], both: tuple[Element, Element], found: dict[str, Spot]) -> None:
        old, new = both
        others = {(child.kind, child.key): child for child in new.children}
        for child in old.children:
            other = others.pop((child.kind, child.key), None)
            below = (*steps, element_step(child))
            found[address(below)] = Spot(child, other, both)
            if other is not None:
                self._gather(below, (child, other), found)
        for child in others.values():
            found.setdefault(address((*steps, element_step(child))), Spot(None, child, both))

    def of(self, delta: Delta) -> Spot:
        """The spot of a row; without elements for a row of no element."""
        return self._by_address.get(delta.address, Spot(None, None))

    def partners(self, writer: str, left: str, right: str) -> bool:
        """True when a type of the writer and one of the other side are one type."""
        before, after = (left, right) if writer == "released" else (right, left)
        return self.aligned.names.get(before, before) == after

    def fields(self, spot: Spot) -> list[Field]:
        """The field of a spot as each side that sends its message writes it and the other one reads it."""
        held = spot.released or spot.candidate
        if held is None:
            return []
        if held.kind is ElementKind.EXTENSION:
            extendee = held.key.rpartition(" ")[0]
            names = (extendee, self.aligned.names.get(extendee, extendee))
        else:
            names = tuple("" if side is None else side.name for side in spot.around)  # type: ignore[assignment]
        made = (self.field(writer, names, spot.number) for writer in spot.writers)
        return [one for one in made if one is not None]

    def field(self, writer: int, names: tuple[str, str], number: int) -> Field | None:
        """A field of a message as one side writes and the other one reads it.

        Args:
            writer: 0 for the released side, 1 for the candidate.
            names: the message's full names, the released first.
            number: of the field; 0 for the message as a whole.
        """
        sides = self.sides if writer == 0 else (self.sides[1], self.sides[0])
        named = names if writer == 0 else (names[1], names[0])
        mine, theirs = (side.type(name) for side, name in zip(sides, named, strict=True))
        if mine is None or theirs is None:
            return None
        return Field(
            sides[0], sides[1], (mine, theirs), number, lambda left, right: self.partners(sides[0].name, left, right)
        )
