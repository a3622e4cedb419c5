"""The recorded exchanges of a run with the operations in scope that they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evreview.evidence.test_results.model import Exchange, RetainedRun
from evreview.reference.model import Operation
from evreview.reference.operations import whole_paths
from evreview.workflows.w2.facts import W2Facts


def exchanges_of(facts: W2Facts, run: RetainedRun) -> Iterator[tuple[Operation, Exchange]]:
    """Every exchange that an operation in scope answers; of several fitting paths the one with fewest parameters."""
    for case in run.results.cases:
        for exchange in case.exchanges:
            found = _answering(facts, exchange)
            if found is not None:
                yield found, exchange


def _answering(facts: W2Facts, exchange: Exchange) -> Operation | None:
    fitting = [
        (path.count("{"), at, operation)
        for at, operation in enumerate(facts.operations)
        if facts.contract is not None and operation.method == exchange.method.upper()
        for path in whole_paths(facts.contract, operation)
        if _pattern(path).fullmatch(exchange.path)
    ]
    return min(fitting, key=lambda found: found[:2])[2] if fitting else None


def _pattern(path: str) -> re.Pattern[str]:
    """The paths that a template stands for: a parameter is one segment or a part of it."""
    parts = re.split(r"(\{[^{}]*\})", path)
    return re.compile("".join("[^/]+" if part[:1] == "{" else re.escape(part) for part in parts))
