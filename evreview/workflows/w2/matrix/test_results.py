"""What retained test runs show, as values; recorded exchanges held against the contract, judged and never printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ClosedVocabulary, Concern, Direction, EvidenceId
from evreview.evidence.item import Citation
from evreview.evidence.test_results.model import Case, Exchange, RetainedRun
from evreview.messages.media_types import media_fits
from evreview.report.statement import Statement, limited
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_entries import Entries, children
from evreview.workflows.w2.contract_rows import is_error
from evreview.workflows.w2.facts import Operation, W2Facts


class Says(ClosedVocabulary):
    """What one assertion or exchange says about the contract."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    OPEN = "open"


class State(ClosedVocabulary):
    """Where a documented response stands."""

    COVERED = "covered"
    CONTRADICTED = "contradicted"
    UNCOVERED = "uncovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStanding:
    """Whether a run counts as executed: `lacks` names what its wrapper does not say."""

    run: Citation
    output: EvidenceId
    lacks: tuple[str, ...]

    @property
    def executed(self) -> bool:
        """True when everything that makes a run repeatable is recorded."""
        return not self.lacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One assertion or exchange, mapped to an operation.

    Attributes:
        status: None when it tells none.
        media_type, field: "" when it tells none.
        concerns: what of the operation it is about.
        executed: False when its run does not count as executed.
        why: for a contradiction, what contradicts; for an open one, why nothing follows.
    """

    operation: str
    case: str
    says: Says
    citation: Citation
    concerns: tuple[Concern, ...]
    executed: bool
    status: int | None = None
    media_type: str = ""
    field: str = ""
    why: Text = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmappedTest:
    """A case, assertion or declared fact that nothing could be made of, with the reason."""

    case: str
    reason: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCoverage:
    """One documented response and media type ("" for a response without a body)."""

    operation: str
    status: str
    media_type: str
    state: State
    fields: tuple[str, ...]
    citations: tuple[Citation, ...]
    reason: str = ""

    @property
    def concern(self) -> Concern:
        """Success responses or errors."""
        return Concern.ERRORS if is_error(self.status) else Concern.SUCCESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the runs show."""

    runs: tuple[RunStanding, ...]
    observed: tuple[Observed, ...]
    unmapped: tuple[UnmappedTest, ...]
    responses: tuple[ResponseCoverage, ...]
    _by_operation: dict[str, list[Observed]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, operation: str) -> list[Observed]:
        """What was observed of one operation."""
        if not self._by_operation:
            for each in self.observed:
                self._by_operation.setdefault(each.operation, []).append(each)
        return self._by_operation.get(operation, [])

    @property
    def uncovered(self) -> tuple[ResponseCoverage, ...]:
        """The documented responses that no executed, passed test shows; what a test contradicts is not shown."""
        return tuple(each for each in self.responses if each.state is not State.COVERED)

    @property
    def contradicted(self) -> tuple[ResponseCoverage, ...]:
        """The documented responses that a test contradicts."""
        return tuple(each for each in self.responses if each.state is State.CONTRADICTED)


_MOST = 5
BODILESS = frozenset({204, 205, 304})


class Judge:
    """Judges the exchanges of one contract; validators are built once."""

    def __init__(self, contract: Contract, entries: Entries) -> None:
        self._validators = Validators(contract)
        self._entries = entries

    def judged(self, operation: Operation, exchange: Exchange) -> tuple[Says, Text]:
        """Whether an exchange agrees with the contract as far as recorded, and what contradicts or hinders."""
        response = documented_response(operation, exchange.status or 0)
        if response is None:
            return Says.CONTRADICTS, ("status ", UserText(str(exchange.status)), " is not documented")
        stated = list(children(response, ElementKind.MEDIA_TYPE))
        if not exchange.media_type:
            return Says.AGREES, ()
        if not stated:
            return self._without_body(operation, exchange)
        fitting = [each for each in stated if media_fits(each.name, exchange.media_type)]
        if not fitting:
            seen = UserText(exchange.media_type)
            return Says.CONTRADICTS, ("media type ", seen, " is not documented for this status")
        return self._body(min(fitting, key=lambda each: each.name.count("*")), exchange)

    def _without_body(self, operation: Operation, exchange: Exchange) -> tuple[Says, Text]:
        empty = exchange.status in BODILESS or operation.method == "HEAD"
        if empty or not exchange.body_recorded or exchange.body in (None, ""):
            return Says.AGREES, ()
        return Says.CONTRADICTS, ("a body of ", UserText(exchange.media_type), " is not documented for this status")

    def _body(self, media: Element, exchange: Exchange) -> tuple[Says, Text]:
        if media.value is None or not exchange.body_recorded:
            return Says.AGREES, ()
        found = self._validators.violations(media.value, exchange.body, Direction.WRITTEN)
        if found is None:
            return Says.OPEN, ("the body could not be judged: its schema can't be used",)
        if not found:
            return Says.AGREES, ()
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        return Says.CONTRADICTS, text("the body breaks its schema at ", UserText("; ".join(found[:_MOST])), more)

    def touched(self, operation: Operation, exchange: Exchange) -> tuple[Concern, ...]:
        """What of an operation an exchange used besides its response: parameters, body, credentials, headers."""
        return tuple(dict.fromkeys(self._touched(operation, exchange)))

    def _touched(self, operation: Operation, exchange: Exchange) -> Iterator[Concern]:
        entry = self._entries.entry(operation)
        sent = {("query", name) for name in exchange.query} | {("header", name) for name in exchange.request_headers}
        named = {(row.location, row.name.lower() if row.location == "header" else row.name) for row in entry.parameters}
        if sent & named or any(row.location == "path" for row in entry.parameters):
            yield Concern.PARAMETERS
        if "authorization" in exchange.request_headers:
            yield Concern.AUTHENTICATION
        if "content-type" in exchange.request_headers and entry.body is not None:
            yield Concern.REQUEST_BODY
        if {row.name.lower() for row in entry.headers} & set(exchange.response_headers):
            yield Concern.HEADERS


def documented_response(operation: Operation, status: int) -> Element | None:
    """The response element that holds for a status: its own, its range's, or the default one."""
    found: Mapping[str, Element] = {each.key: each for each in children(operation.element, ElementKind.RESPONSE)}
    names = (str(status), f"{str(status)[:1]}XX", "default")
    return next((found[name] for name in names if name in found), None)


def doubts(facts: W2Facts) -> Iterator[Statement]:
    """Runs that are said to have failed while nothing in their own output did."""
    for run in facts.runs:
        if fails_unshown(run):
            status = run.record.record.exit_status
            says = f"A run ended with exit status {status}, and its retained output holds no failure: "
            yield limited(says, "what failed is not known.", on=(run.record.at("/exit_status"), run.record.citation))


def failed_cases(run: RetainedRun) -> list[Case]:
    """The cases of a run that failed or ended in an error."""
    return [case for case in run.results.cases if case.outcome in ("failed", "error")]


def fails_unshown(run: RetainedRun) -> bool:
    """True when a run is said to have failed and none of its own cases did."""
    return bool(run.record.record.exit_status) and not failed_cases(run)
