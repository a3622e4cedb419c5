"""What retained test runs saw of each operation: recorded exchanges and assertions that passed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evreview.evidence.item import Citation
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.model import Operation
from evreview.reference.operations import whole_paths
from evreview.reference.templates import spelled, without_slash
from evreview.results.model import Assertion, Case, Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One thing that a test saw: an exchange, or an assertion that passed; the other one is None."""

    case: str
    citation: Citation
    exchange: Exchange | None = None
    assertion: Assertion | None = None

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


def sightings(evidence: ReferenceEvidence, operations: Sequence[Operation]) -> dict[str, list[Sighting]]:
    """What was seen, by operation id, in the order of the runs; skipped cases saw nothing."""
    shapes = [
        (operation, _pattern(path), path.count("{"))
        for operation in operations
        for path in whole_paths(evidence.contract, operation)
    ]
    found: dict[str, list[Sighting]] = {}
    for run in evidence.runs:
        for case in run.results.cases:
            if case.outcome == "skipped":
                continue
            for exchange in case.exchanges:
                operation = _answering(exchange, shapes)
                if operation is not None and exchange.status is not None:
                    at = run.at(exchange.locator)
                    found.setdefault(operation.id, []).append(Sighting(case=case.id, citation=at, exchange=exchange))
            for operation, assertion in _asserted(case, operations):
                at = run.at(case.locator)
                found.setdefault(operation.id, []).append(Sighting(case=case.id, citation=at, assertion=assertion))
    return found


def _asserted(case: Case, operations: Sequence[Operation]) -> Iterator[tuple[Operation, Assertion]]:
    for assertion in case.assertions:
        named = [operation for operation in operations if _names(assertion.operation, operation)]
        if assertion.outcome == "passed" and assertion.status is not None and len(named) == 1:
            yield named[0], assertion


def _names(text: str, operation: Operation) -> bool:
    method, _, path = " ".join(text.split()).partition(" ")
    if text and text == operation.operation_id:
        return True
    return method.upper() == operation.method and bool(path) and spelled(path) == spelled(operation.path)


def _answering(exchange: Exchange, shapes: Sequence[tuple[Operation, re.Pattern[str], int]]) -> Operation | None:
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
