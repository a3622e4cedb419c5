"""The rows of one comparison that say something about values: what each says, and the nodes it stands in."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.contracts.model import Contract
from evreview.ledger.delta import Delta
from evreview.proof.claim import Claim, claim_of
from evreview.proof.position import Pair, Positions
from evreview.vocab import DeltaId


class Questions:
    """What containment and the search for witnesses both start from.

    Attributes:
        positions: finds the nodes of rows in both contracts.
        deltas: every row, in the ledger's order.
        claims: what a row about values says, by id.
        nodes: the nodes that such a row stands in, None when a place is missing.
    """

    def __init__(self, released: Contract, candidate: Contract, deltas: Iterable[Delta]) -> None:
        self.positions = Positions(released, candidate)
        self.deltas = tuple(deltas)
        self.claims: dict[DeltaId, Claim] = {}
        self.nodes: dict[DeltaId, Pair | None] = {}
        for delta in self.deltas:
            claim = claim_of(delta)
            if claim is not None:
                self.claims[delta.id] = claim
                self.nodes[delta.id] = self.positions.nodes(delta)
