"""Typed records together with the item that they stand in, so that every conclusion can cite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import Record

R_co = TypeVar("R_co", bound=Record, covariant=True)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Cited(Generic[R_co]):
    """A typed body and the citation of its evidence item."""

    record: R_co
    citation: Citation

    def at(self, pointer: str) -> Citation:
        """A citation of one place inside the item: `at("/clients/0")` is `E4#/clients/0`."""
        return Citation(self.citation.id, f"#{pointer}")


def records_of(bundle: Bundle, kind: type[R]) -> tuple[Cited[R], ...]:
    """The records of one kind with their citations, in the order supplied."""
    return tuple(
        Cited(item.record, Citation(item.id)) for item in bundle.items.values() if isinstance(item.record, kind)
    )


def first_of(bundle: Bundle, kind: type[R]) -> Cited[R] | None:
    """The first record of one kind, None when the bundle holds none."""
    return next(iter(records_of(bundle, kind)), None)
