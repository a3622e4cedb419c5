"""One square of the evidence grid: what three sources say about one concern of one operation, in words and signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import counted
from evreview.core.vocabulary import Concern
from evreview.reference.model import Cell, Discrepancy, Disposal, Source, Standing

LETTERS: Final[Mapping[Source, str]] = {Source.CONTRACT: "C", Source.IMPLEMENTATION: "I", Source.TEST: "T"}
SIGNS: Final[Mapping[Standing, str]] = {
    Standing.STATED: "✓",
    Standing.ABSENT: "–",
    Standing.NOT_APPLICABLE: "·",
    Standing.UNREAD: "?",
    Standing.UNMAPPED: "✗",
}
DIFFERS: Final = "≠"
TONES: Final[Mapping[Standing, str]] = {
    Standing.STATED: "good",
    Standing.ABSENT: "plain",
    Standing.NOT_APPLICABLE: "none",
    Standing.UNREAD: "unsure",
    Standing.UNMAPPED: "bad",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """One concern of one operation.

    Attributes:
        cells: what each source says.
        differences: the discrepancies about it.
    """

    operation: str
    concern: Concern
    cells: Mapping[Source, Cell]
    differences: tuple[Discrepancy, ...] = ()

    @property
    def key(self) -> str:
        """Names the square: no other of the review has the same."""
        return f"{self.operation} {self.concern}"

    @property
    def open(self) -> int:
        """How many discrepancies wait for the owner."""
        return sum(each.disposal is Disposal.OPEN for each in self.differences)

    def standing(self, source: Source) -> Standing:
        """Where the source stands."""
        return self.cells[source].standing if source in self.cells else Standing.UNMAPPED

    @property
    def signs(self) -> tuple[str, ...]:
        """One letter and sign per source, then a sign when a discrepancy is open."""
        marks = tuple(LETTERS[source] + SIGNS[self.standing(source)] for source in Source)
        return (*marks, DIFFERS) if self.open else marks

    @property
    def says(self) -> str:
        """The same in words."""
        parts = [f"{source} {self.standing(source)}" for source in Source]
        told = counted(self.open, "open discrepancy").replace("discrepancys", "discrepancies")
        return f"{self.operation}, {self.concern}: {', '.join([*parts, told] if self.open else parts)}"


def squares(matrix: Iterable[Cell], discrepancies: Iterable[Discrepancy]) -> tuple[Square, ...]:
    """The matrix by operation and concern, in its own order."""
    cells: dict[tuple[str, Concern], dict[Source, Cell]] = {}
    for cell in matrix:
        cells.setdefault((cell.operation, cell.concern), {})[cell.source] = cell
    differences: dict[tuple[str, Concern], tuple[Discrepancy, ...]] = {}
    for each in discrepancies:
        place = (each.operation, each.concern)
        differences[place] = (*differences.get(place, ()), each)
    return tuple(
        Square(operation=place[0], concern=place[1], cells=by_source, differences=differences.get(place, ()))
        for place, by_source in cells.items()
    )
