"""What retained test runs saw of each operation: recorded exchanges, and assertions that passed or failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evreview.evidence.item import Citation
from evreview.evidence.test_results.model import Assertion, Case, Exchange, RetainedRun
from evreview.reference.asserted import added, asserted
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.model import Operation
from evreview.reference.operations import whole_paths
from evreview.reference.templates import spelled, without_slash
from evreview.reference.tracing import Tracing

_Shape = tuple[Operation, re.Pattern[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One thing that a test saw: an exchange, or an assertion; the other one is None. `failed`: the check did."""

    case: str
    citations: tuple[Citation, ...]
    exchange: Exchange | None = None
    assertion: Assertion | None = None
    failed: bool = False

    @property
    def status(self) -> int | None:
        """The status that was seen."""
        seen = self.exchange or self.assertion
        return seen.status if seen is not None else None

    @property
    def media_type(self) -> str:
        """The media type that was seen, "" for none."""
        seen = self.exchange or self.assertion
        return seen.media_type if seen is not None else ""

    @property
    def field(self) -> str:
        """The field, parameter or header that is asserted, "" for none."""
        return self.assertion.field if self.assertion is not None else ""


def sightings(evidence: ReferenceEvidence, operations: Sequence[Operation]) -> dict[str, list[Sighting]]:
    """What was seen, by operation id, in the order of the runs; skipped cases saw nothing."""
    shapes = [
        (operation, _pattern(path), path.count("{"))
        for operation in operations
        for path in whole_paths(evidence.contract, operation)
    ]
    scope, tracing = {operation.id for operation in operations}, Tracing(evidence.contract)
    found: dict[str, list[Sighting]] = {}
    for run in evidence.runs:
        facts = added(run)
        for case in run.results.cases:
            if case.outcome == "skipped":
                continue
            checks = list(asserted(run, case, facts))
            for operation, sighting in _exchanged(run, case, shapes, failed=case.outcome == "failed" and not checks):
                found.setdefault(operation.id, []).append(sighting)
            for assertion, citations in checks:
                named = tracing.named(assertion.operation).operation
                if named is not None and named.id in scope and assertion.outcome in ("passed", "failed"):
                    failed = assertion.outcome == "failed"
                    seen = Sighting(case=case.id, citations=citations, assertion=assertion, failed=failed)
                    found.setdefault(named.id, []).append(seen)
    return found


def _exchanged(
    run: RetainedRun, case: Case, shapes: Sequence[_Shape], *, failed: bool
) -> Iterator[tuple[Operation, Sighting]]:
    """The exchanges of a case; those of a failed case that asserts nothing by name are what failed."""
    for exchange in case.exchanges:
        operation = _answering(exchange, shapes)
        if operation is not None and exchange.status is not None:
            on = (run.at(exchange.locator),)
            yield operation, Sighting(case=case.id, citations=on, exchange=exchange, failed=failed)


def _answering(exchange: Exchange, shapes: Sequence[_Shape]) -> Operation | None:
    """The operation whose path the exchange's path is; the one with the fewest parameters when several are."""
    path = without_slash(exchange.path)
    fitting = [
        (variables, at, operation)
        for at, (operation, pattern, variables) in enumerate(shapes)
        if operation.method == exchange.method.upper() and pattern.fullmatch(path)
    ]
    return min(fitting, key=lambda each: each[:2])[2] if fitting else None


@lru_cache(maxsize=4096)
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile("[^/]+".join(map(re.escape, without_slash(spelled(path)).split("{}"))))
