"""Everything that a reference is made from, read: the contract, the code facts, the retained runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.codefacts.model import CodeFacts
from evreview.contract.model import Contract
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.test_results.model import RetainedRun

if TYPE_CHECKING:
    from evreview.reference.covered import Coverage
    from evreview.workflows.w2.step2_assertions import TestSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEvidence:
    """The read evidence of one reference; `item` holds the contract.

    Attributes:
        coverage: what the runs show of the contract, None before that is known; executed ones decide what the code
            leaves open about a framework's refusals.
    """

    contract: Contract
    item: EvidenceId
    code: CodeFacts
    runs: tuple[RetainedRun, ...]
    tests: tuple[TestSource, ...] = ()
    coverage: Coverage | None = None
