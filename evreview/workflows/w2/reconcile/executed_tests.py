"""What executed tests of the reviewed revision saw, and what they decide where the code alone does not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from evreview.codefacts.model import CodeResponse, Route
from evreview.contract.model import Element
from evreview.evidence.item import Citation
from evreview.evidence.test_results.model import Assertion, Case, Exchange, RetainedRun
from evreview.messages.media_types import media_fits
from evreview.workflows.w2.facts import Operation, ReferenceEvidence
from evreview.workflows.w2.matrix.assertions import Tracing, added, asserted
from evreview.workflows.w2.matrix.test_results import Coverage, Says, State
from evreview.workflows.w2.reconcile.credential_schemes import Alternative, place, wire
from evreview.workflows.w2.scope import spelled, whole_paths, without_slash

REFUSALS: Final = frozenset({401, 403})
_Place = tuple[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """What the executed runs saw of one operation; checks that failed, and runs that lack anything, saw nothing.

    Attributes:
        refusals: 401 and 403, where a check that passed saw them.
        covered: status and media type of each documented response that they show ("" for one without a body).
        bodies: statuses of which they recorded a body that the contract admits.
        exchanges: what was sent and answered in tests that passed.
    """

    refusals: frozenset[int] = frozenset()
    covered: frozenset[tuple[str, str]] = frozenset()
    bodies: frozenset[int] = frozenset()
    exchanges: tuple[Exchange, ...] = ()

    def shows(self, status: str) -> bool:
        """True when a documented response of this status was seen."""
        return any(at == status for at, _ in self.covered)

    def decides_body(self, code: CodeResponse, answers: Sequence[CodeResponse], status: str, media: Element) -> bool:
        """True when the runs show a body that the code does not.

        A framework's refusal is alike for every caller; of anything else a body has to be recorded, and no other
        lines may send that status.
        """
        if code.status is None or not any(at == status and _same(media.key, each) for at, each in self.covered):
            return False
        if code.how == "framework" and code.status in REFUSALS:
            return True
        return code.status in self.bodies and sum(one.status == code.status for one in answers) == 1

    def asks_for(self, demanded: Sequence[Alternative]) -> bool:
        """True when calls that succeeded brought what the contract demands, and refused ones lacked it."""
        places = [{place(wire(scheme)) for scheme in alternative} for alternative in demanded]
        good = [each for each in self.exchanges if each.status is not None and each.status < 400]
        bad = [each for each in self.exchanges if each.status in REFUSALS]
        return bool(places) and all(
            None not in needed
            and any(needed <= _brought(each, needed) for each in good)
            and any(not needed & _brought(each, needed) for each in bad)
            for needed in places
        )


NOTHING: Final = Executed()


def executed(coverage: Coverage | None, operation: str, seen: Sequence[ObservedFact]) -> Executed:
    """What the executed runs saw of an operation.

    Args:
        coverage: what the runs show of the contract; None where nobody asked.
        seen: what the tests of all runs saw of the operation.
    """
    if coverage is None:
        return NOTHING
    whole = {run.output for run in coverage.runs if run.executed}
    failed = {each.case for each in seen if each.failed}
    passed = [one for one in coverage.of(operation) if one.executed and one.case not in failed]
    agreeing = {one.case for one in passed if one.says is Says.AGREES}
    told = [one for one in passed if one.says is not Says.OPEN and one.status in REFUSALS]
    exchanges = [
        each.exchange
        for each in seen
        if each.exchange is not None and each.case in agreeing and each.citations[0].id in whole
    ]
    return Executed(
        refusals=frozenset(one.status for one in told if one.status is not None),
        covered=frozenset(
            (one.status, one.media_type)
            for one in coverage.responses
            if one.operation == operation and one.state is State.COVERED
        ),
        bodies=frozenset(one.status for one in exchanges if one.body_recorded and one.status is not None),
        exchanges=tuple(exchanges),
    )


def with_refusals(route: Route, known: Executed) -> Route:
    """The route, a framework's refusal with the status that tests saw: what no other lines of the route answer.

    Where its own lines answer each of them, the refusal is one of those that were seen.
    """
    untold = [one for one in route.responses if one.status is None and one.how == "framework"]
    if not untold or not known.refusals:
        return route
    own = {one.status for one in route.responses if one.status is not None}
    statuses = sorted(known.refusals - own or known.refusals)
    made: list[CodeResponse] = []
    for one in route.responses:
        told = one.status is None and one.how == "framework"
        made += [replace(one, status=status) for status in statuses] if told else [one]
    return replace(route, responses=tuple(made))


def _same(media: str, seen: str) -> bool:
    return not seen or media_fits(media, seen)


def _brought(exchange: Exchange, needed: set[_Place]) -> set[_Place]:
    """Where the request carried something; names of cookies are not kept, so that any may be the one needed."""
    sent: set[_Place] = {("header", name.lower()) for name in exchange.request_headers}
    sent |= {("query", name.lower()) for name in exchange.query}
    return sent | {each for each in needed if each and each[0] == "cookie" and ("header", "cookie") in sent}


# What retained test runs saw of each operation: recorded exchanges, and assertions that passed or failed.


_Shape = tuple[Operation, re.Pattern[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedFact:
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


def observed_facts(evidence: ReferenceEvidence, operations: Sequence[Operation]) -> dict[str, list[ObservedFact]]:
    """What was seen, by operation id, in the order of the runs; skipped cases saw nothing."""
    shapes = [
        (operation, _pattern(path), path.count("{"))
        for operation in operations
        for path in whole_paths(evidence.contract, operation)
    ]
    scope, tracing = {operation.id for operation in operations}, Tracing(evidence.contract)
    found: dict[str, list[ObservedFact]] = {}
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
                    seen = ObservedFact(case=case.id, citations=citations, assertion=assertion, failed=failed)
                    found.setdefault(named.id, []).append(seen)
    return found


def _exchanged(
    run: RetainedRun, case: Case, shapes: Sequence[_Shape], *, failed: bool
) -> Iterator[tuple[Operation, ObservedFact]]:
    """The exchanges of a case; those of a failed case that asserts nothing by name are what failed."""
    for exchange in case.exchanges:
        operation = _answering(exchange, shapes)
        if operation is not None and exchange.status is not None:
            on = (run.at(exchange.locator),)
            yield operation, ObservedFact(case=case.id, citations=on, exchange=exchange, failed=failed)


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
