"""The rows of one comparison that say something about values: what each says, and the nodes it stands in."""

from __future__ import annotations

from evreview.comparison.proof.claim import Claim, claim_of
from evreview.comparison.proof.position import Ways
from evreview.core.vocabulary import DeltaId
from evreview.ledger.ledger import Ledger
from evreview.proof.position import Pair, Positions
from evreview.proof.standing import Standings


class Questions:
    """What containment and the search for witnesses both start from.

    Attributes:
        positions: finds the nodes of rows in both contracts.
        deltas: every row, in the ledger's order.
        claims: what a row about values says, by id.
        nodes: the nodes that such a row stands in, None when a place is missing.
        ways: the uses of a row on both sides.
        standings: whether the whole grows with a row, and what has to be compared above it where it does not.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.positions = Positions(ledger.released, ledger.candidate)
        self.ways = Ways(ledger)
        self.standings = Standings(self.ways, self.positions.edges)
        self.deltas = ledger.deltas
        self.claims: dict[DeltaId, Claim] = {}
        self.nodes: dict[DeltaId, Pair | None] = {}
        for delta in self.deltas:
            claim = claim_of(delta)
            if claim is not None:
                self.claims[delta.id] = claim
                self.nodes[delta.id] = self.positions.nodes(delta)
