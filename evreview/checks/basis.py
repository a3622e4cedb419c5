"""How a behaviour is known: declared by a contract, derived from source code, or observed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evreview.comparison.delta import BASE_ASPECT
from evreview.core.vocabulary import Aspect, Basis, EvidenceType
from evreview.policy.row import Row

SOURCE_TYPES: Final = frozenset({EvidenceType.IMPLEMENTATION_DIFF, EvidenceType.SOURCE_EXCERPT})


def basis_of(types: Iterable[EvidenceType | str], *, executed: bool) -> Basis:
    """How a claim that rests on items of these types is known.

    Args:
        types: the kinds of the cited items.
        executed: True when at least one of them retains an execution result for the claim. The item's type alone
            never makes a claim observed: a test record may hold checks that did not run.
    """
    kinds = set(types)
    if executed:
        return Basis.OBSERVED
    if kinds & SOURCE_TYPES:
        return Basis.IMPLEMENTATION
    return Basis.CONTRACT if EvidenceType.CONTRACT in kinds else Basis.DECLARED


def runtime_gap(row: Row, bases: Iterable[Basis]) -> str | None:
    """The gap that stays when only schemas speak about a default or an error, None when something else does too.

    A generated schema proves neither runtime defaults nor error behaviour.
    """
    known = set(bases)
    if known & {Basis.OBSERVED, Basis.IMPLEMENTATION}:
        return None
    if Aspect.DEFAULTS in (row.delta.aspect, row.delta.facts.get(BASE_ASPECT)):
        return "Only the contract states this default; what the service uses at runtime is unverified."
    if row.delta.in_error:
        return "Only the contract states this error behaviour; what the service answers is unverified."
    return None
