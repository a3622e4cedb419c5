"""Contracts in which a name may go on under another one: their elements called alike before they are paired."""

from __future__ import annotations

from evreview.contract.model import Contract
from evreview.core.vocabulary import ContractKind
from evreview.ledger.handed_on import handed_on
from evreview.ledger.parameter_schemas import as_said_by_both


def called_alike(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both contracts, the candidate's elements with the keys of the released ones that they continue.

    Avro says such a thing with aliases (its reader is loaded for its contracts alone), Python with imports. Two
    generations of AsyncAPI say the same of parameters in other words.
    """
    if released.kind is candidate.kind is ContractKind.PYTHON:
        return handed_on(released, candidate)
    if released.kind is candidate.kind is ContractKind.ASYNCAPI:
        return as_said_by_both(released, candidate)
    if released.kind is not ContractKind.AVRO or candidate.kind is not ContractKind.AVRO:
        return released, candidate
    from evreview.contracts.readers.avro import aligned

    found = aligned(released, candidate)
    return found.released, found.candidate
