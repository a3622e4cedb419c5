"""Two contracts compared: the ledger's facts, each with a judgement and the proof of it."""

from __future__ import annotations

from evreview.compare.computed import judged_types
from evreview.comparison.build import diff_contracts
from evreview.comparison.compare import EQUIVALENT, MISREAD, judged_values
from evreview.comparison.comparison import SCHEMA, Comparison, Row
from evreview.contract.model import Contract
from evreview.contracts.read import require_one_kind
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import ContractKind, Realism
from evreview.proof.kinds import prover_of

__all__ = ["EQUIVALENT", "MISREAD", "SCHEMA", "Comparison", "Row", "compare"]


@deep_stack()
def compare(released: Contract, candidate: Contract, *, witnesses: bool = True) -> Comparison:
    """Every difference of two contracts of one kind, judged.

    A proof that contradicts its rule wins, and says so.
    Without witnesses, what containment leaves open rests on its rule and is unproven.

    Raises:
        BadInput: `contract-kinds-differ`.
    """
    require_one_kind(released, candidate)
    ledger = diff_contracts(released, candidate)
    prover = prover_of(ledger, witnesses=witnesses)
    if prover is not None:
        return Comparison(ledger=ledger, rows=judged_types(ledger, prover), noise=ledger.noise, witnesses=witnesses)
    rows, noise = judged_values(ledger, witnesses=witnesses)
    if released.kind is ContractKind.ASYNCAPI:
        from evreview.compare.embedded import embedded

        ledger, rows, noise = embedded(ledger, rows, noise, witnesses=witnesses)
    return Comparison(ledger=ledger, rows=_by_realism(rows), noise=noise, witnesses=witnesses)


def _by_realism(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows in their order, those last whose witness nobody is known to send."""
    return tuple(sorted(rows, key=lambda row: row.contested and row.proof.realism not in (None, Realism.DECLARED)))
