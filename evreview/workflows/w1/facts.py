"""One implementation branch or one recorded response, and which contract it agrees with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd

from evreview.contract.model import Contract
from evreview.core.vocabulary import Basis, DeltaId, SourceMatch
from evreview.evidence.item import Citation

Claim = Literal["released", "candidate", "unknown"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both contracts of a review."""

    released: Contract
    candidate: Contract


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a source agrees with one contract: yes, no, or None when it can't be told; with the reasons."""

    holds: bool | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of step 3.

    Attributes:
        id: the observation's id, or path and lines of the branch.
        kind: where it comes from.
        operation: what it is about, as the ledger names it; "" when that is not known.
        basis: observed for a recorded response, implementation-derived for a branch.
        match: which contracts it agrees with.
        claims: the side that it is said to belong to; unknown when neither a statement nor a revision tells.
        released_reasons, candidate_reasons: why it does not agree with that contract, or why that can't be told.
        delta_ids: the rows that it speaks about.
        by_revision: False when only the supplier's word says which side it is of; then it shows nothing of that side.
        citation: where it stands.
    """

    id: str
    kind: Literal["implementation", "observation"]
    operation: str
    basis: Basis
    match: SourceMatch
    claims: Claim
    released_reasons: tuple[str, ...] = ()
    candidate_reasons: tuple[str, ...] = ()
    delta_ids: tuple[DeltaId, ...] = ()
    by_revision: bool = True
    citation: Citation

    @property
    def shows_candidate(self) -> bool:
        """True for a recorded response of the candidate's revision that could be compared and agrees."""
        observed = self.kind == "observation" and self.claims == "candidate" and self.by_revision
        return observed and self.match in (SourceMatch.CANDIDATE, SourceMatch.BOTH)

    @property
    def contradicts(self) -> bool:
        """True when it belongs to the candidate and does not agree with the candidate contract (W1-F2)."""
        return self.claims == "candidate" and self.match in (SourceMatch.RELEASED, SourceMatch.NEITHER)

    @property
    def drifts(self) -> bool:
        """True for a response of the released side that does not agree with the released contract; no W1-F2."""
        observed = self.kind == "observation" and self.claims == "released"
        return observed and self.match in (SourceMatch.CANDIDATE, SourceMatch.NEITHER)


def match_of(released: Fit, candidate: Fit) -> SourceMatch:
    """What a source agrees with. A contract that is silent neither agrees nor is contradicted.

    A source that the candidate contradicts is `neither` even when the released contract is silent.
    """
    return _MATCHES.get((released.holds, candidate.holds), SourceMatch.UNKNOWN)


_MATCHES: Final[Mapping[tuple[bool | None, bool | None], SourceMatch]] = {
    (True, True): SourceMatch.BOTH,
    (True, False): SourceMatch.RELEASED,
    (False, True): SourceMatch.CANDIDATE,
    (None, True): SourceMatch.CANDIDATE,
    (False, False): SourceMatch.NEITHER,
    (None, False): SourceMatch.NEITHER,
}


def sources_frame(sources: Iterable[Source]) -> pd.DataFrame:
    """One row per source, key (`source`, `evidence`).

    Columns, all text: source, kind ("implementation", "observation"), operation, basis, claims ("released",
    "candidate", "unknown"), match ("released", "candidate", "both", "neither", "unknown"), released_reasons,
    candidate_reasons ("; " between several), deltas (", " between them), evidence (a citation).
    """
    columns = ["source", "kind", "operation", "basis", "claims", "match", "released_reasons", "candidate_reasons"]
    cells = [
        (
            *(source.id, source.kind, source.operation, str(source.basis), source.claims, str(source.match)),
            *("; ".join(source.released_reasons), "; ".join(source.candidate_reasons)),
            *(", ".join(source.delta_ids), str(source.citation)),
        )
        for source in sources
    ]
    return pd.DataFrame(cells, columns=[*columns, "deltas", "evidence"], dtype="string")
