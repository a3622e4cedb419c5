"""The ledger: every difference of two contracts, what is only noise, what stays, and what nobody could read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from evreview.comparison.elements import Root
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import Contract, Unread
from evreview.core.vocabulary import DeltaId
from evreview.ledger.delta import Context, Delta, Noise

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The wire-difference ledger of one pair of contracts.

    Attributes:
        released, candidate: the contracts compared.
        deltas: differences on the wire, sorted by address; ids are unique among deltas and noise together.
        noise: differences that never reach the wire, each with its reason.
        contexts: unchanged elements that a delta needs in order to be read.
        unread: what the readers of both contracts could not understand, released first.
        pairs: the schema pairs that show a delta, by its id; nothing for a row about elements.
        roots: the positions of messages whose value sets may differ, with the schema pair at the top of each.
    """

    released: Contract = field(repr=False)
    candidate: Contract = field(repr=False)
    deltas: tuple[Delta, ...]
    noise: tuple[Noise, ...] = ()
    contexts: tuple[Context, ...] = ()
    unread: tuple[Unread, ...] = ()
    pairs: Mapping[DeltaId, tuple[SchemaPair, ...]] = field(default_factory=dict, repr=False, compare=False)
    roots: tuple[Root, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def raw_frame(self) -> DataFrame:
        """One row per delta, key `delta_id`; the columns of `columns.py` that the ledger owns. Not redacted."""
        from evreview.ledger.frame import ledger_frame

        return ledger_frame(self.deltas)

    def row(self, delta_id: str) -> Delta:
        """The delta with this id.

        Raises:
            KeyError: no delta of this ledger has it.
        """
        return self._by_id[DeltaId(delta_id)]

    @cached_property
    def _by_id(self) -> dict[DeltaId, Delta]:
        return {delta.id: delta for delta in self.deltas}

    def contexts_of(self, delta_id: DeltaId) -> tuple[Context, ...]:
        """The unchanged elements recorded beside one delta."""
        return tuple(context for context in self.contexts if context.delta_id == delta_id)
