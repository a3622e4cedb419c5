"""What retained test runs show of each documented response, what assertions have against it, and tests it needs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Concern, Direction, EvidenceId, Form
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.model import Assertion, Case, Exchange, RetainedRun
from evreview.messages.media_types import media_fits
from evreview.schema.view import Sub
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response
from evreview.workflows.w2.facts import ClaimKey, Operation, ProposedTest, ReferenceEvidence, withheld
from evreview.workflows.w2.matrix.assertions import Added, Traced, Tracing, added, asserted, unshown
from evreview.workflows.w2.matrix.test_results import (
    Coverage,
    Judge,
    Observed,
    ResponseCoverage,
    RunStanding,
    Says,
    State,
    UnmappedTest,
    documented_response,
)
from evreview.workflows.w2.message_parts import ANYWAY, first_covering, media_base
from evreview.workflows.w2.value_sets import Position, PositionFinder, admits

_NEEDED: Final = (
    ("command", "the exact command"),
    ("revision", "the revision of the code"),
    ("contract", "the contract that it ran against"),
    ("environment", "the environment"),
    ("exit_status", "the exit status"),
    ("output_sha256", "the digest of its output"),
)


def run_lacks(run: TestRun, contract: Contract, sha256: str = "") -> tuple[str, ...]:
    """What keeps a run from counting as executed; empty when nothing does.

    Args:
        run: the wrapper.
        contract: under documentation; a digest in the wrapper has to be its digest.
        sha256: of the retained output, "" when not known here.
    """
    lacks = [words for name, words in _NEEDED if getattr(run, name) is None]
    if not run.is_isolated:
        lacks.append("that the environment was isolated")
    tied = (run.contract or "").strip().lower().removeprefix("sha256:")
    if (run.contract or "").strip().lower().startswith("sha256:") and tied != contract.sha256:
        lacks.append("a run against this contract: the wrapper names another digest")
    stated = (run.output_sha256 or "").strip().lower().removeprefix("sha256:")
    if stated and sha256 and stated != sha256:
        lacks.append("its own output: the retained output has another digest")
    return tuple(lacks)


def coverage(
    evidence: ReferenceEvidence,
    operations: Sequence[Operation],
    entries: Entries,
    digests: Mapping[EvidenceId, str] | None = None,
) -> Coverage:
    """Every assertion and exchange mapped or set aside with a reason, and where each documented response stands.

    Args:
        evidence: the read evidence.
        operations: in scope; what tests say of others is unmapped.
        entries: of the contract.
        digests: sha256 of the retained outputs by item, where known.
    """
    reading = _Reading(evidence, operations, entries)
    runs = []
    for run in evidence.runs:
        output = run.record.record.output
        lacks = run_lacks(run.record.record, evidence.contract, (digests or {}).get(output, ""))
        runs.append(RunStanding(run=run.record.citation, output=output, lacks=lacks))
        reading.read(run, executed=not lacks)
    found = tuple(reading.observed)
    responses = [row for operation in operations for row in _responses(entries.entry(operation), found)]
    return Coverage(runs=tuple(runs), observed=found, unmapped=tuple(reading.unmapped), responses=tuple(responses))


class _Reading:
    """Maps what runs say to operations."""

    def __init__(self, evidence: ReferenceEvidence, operations: Sequence[Operation], entries: Entries) -> None:
        self._tracing = Tracing(evidence.contract)
        self._scope = {operation.id for operation in operations}
        self._judge = Judge(evidence.contract, entries)
        self._values = PositionFinder(evidence.contract)
        self._tests = evidence.tests
        self.observed: list[Observed] = []
        self.unmapped: list[UnmappedTest] = []

    def read(self, run: RetainedRun, *, executed: bool) -> None:
        """Every case of a run, with the facts that its wrapper adds."""
        facts = added(run)
        for case in run.results.cases:
            self._case(run, case, facts, executed)
        held, reason = {case.id for case in run.results.cases}, "the retained output holds no test of this id"
        for test, told in facts.items():
            if test not in held:
                self.unmapped += [UnmappedTest(case=test, reason=reason, citation=place) for place, _ in told]

    def _case(self, run: RetainedRun, case: Case, facts: Added, executed: bool) -> None:
        before = len(self.observed) + len(self.unmapped)
        here = run.at(case.locator)
        for assertion, places in asserted(run, case, facts):
            self._assertion(case, assertion, places, executed)
        for exchange in case.exchanges:
            self._exchange(case, exchange, run.at(exchange.locator), executed)
        if len(self.observed) + len(self.unmapped) == before:
            reason = "neither the output nor the wrapper says what it asserts"
            self.unmapped.append(UnmappedTest(case=case.id, reason=reason, citation=here))

    def _operation(self, traced: Traced, case: Case, citation: Citation) -> Operation | None:
        """The operation in scope; None, recorded, when there is none."""
        if traced.operation is not None and traced.operation.id in self._scope:
            return traced.operation
        reason = "its operation is out of scope" if traced.operation is not None else traced.reason
        self.unmapped.append(UnmappedTest(case=case.id, reason=reason, citation=citation))
        return None

    def _assertion(self, case: Case, assertion: Assertion, places: tuple[Citation, ...], executed: bool) -> None:
        operation = self._operation(self._tracing.named(assertion.operation), case, places[-1])
        if operation is None:
            return
        why = unshown(case.id, assertion.status, operation.method, self._tests) if len(places) > 1 else ""
        if why and assertion.concern is not None:
            # What it is stated to be about stays; it covers no response.
            assertion, why = replace(assertion, status=None, media_type=""), ""
        told = (Says.OPEN, text(why)) if why else self._asserted(operation, assertion)
        row = _observed((operation, case), assertion, told, places[0], executed)
        self.observed.append(replace(row, concerns=_concerns(assertion.concern, assertion.status)))

    def _asserted(self, operation: Operation, assertion: Assertion) -> tuple[Says, Text]:
        """What an assertion says: one that passed may still have seen what the contract does not document."""
        ended, said = _outcome(assertion.outcome)
        if ended is not Says.AGREES:
            return ended, text(said)
        says, why = self._answered(operation, assertion)
        found = against(self._values, operation, assertion) if says is Says.AGREES else None
        if found is None:
            return says, why
        if found.kind == "observed-value-outside":
            return Says.CONTRADICTS, ("the contract excludes what it expects of ", UserText(found.name))
        return Says.CONTRADICTS, ("the contract has no ", UserText(found.name), " there")

    def _answered(self, operation: Operation, assertion: Assertion) -> tuple[Says, Text]:
        """Whether the contract documents the status and the media type that an assertion saw."""
        if assertion.status is None:
            return Says.AGREES, ()
        seen = Exchange(
            method=operation.method,
            path=operation.path,
            status=assertion.status,
            media_type=assertion.media_type,
            locator="",
        )
        return self._judge.judged(operation, seen)

    def _exchange(self, case: Case, exchange: Exchange, citation: Citation, executed: bool) -> None:
        operation = self._operation(self._tracing.sent(exchange.method, exchange.path), case, citation)
        if operation is None or exchange.status is None:
            return
        says, why = self._judge.judged(operation, exchange)
        if says is Says.AGREES and case.outcome == "failed" and not case.assertions:
            says, why = Says.CONTRADICTS, text("its test failed")
        if says is Says.AGREES and case.outcome != "passed":
            says, why = Says.OPEN, text("nothing was asserted of it, or its test did not pass")
        row = _observed((operation, case), exchange, (says, why), citation, executed)
        self.observed.append(replace(row, concerns=(*row.concerns, *self._judge.touched(operation, exchange))))


def _observed(
    of: tuple[Operation, Case], seen: Assertion | Exchange, told: tuple[Says, Text], citation: Citation, executed: bool
) -> Observed:
    """What one assertion or exchange shows; agreement in a run that does not count as executed is open."""
    says, why = told
    if says is Says.AGREES and not executed:
        says, why = Says.OPEN, text("its run does not count as executed")
    return Observed(
        operation=of[0].id,
        case=of[1].id,
        says=says,
        citation=citation,
        concerns=_concerns(None, seen.status),
        executed=executed,
        status=seen.status,
        media_type=seen.media_type,
        field=seen.field if isinstance(seen, Assertion) else "",
        why=why,
    )


def _outcome(outcome: str) -> tuple[Says, str]:
    if outcome == "passed":
        return Says.AGREES, ""
    if outcome == "failed":
        return Says.CONTRADICTS, "the assertion failed"
    return Says.OPEN, f"the test ended as {outcome}"


def _concerns(stated: Concern | None, status: int | None) -> tuple[Concern, ...]:
    """What an assertion is about: as stated, else what its status tells."""
    if stated is not None:
        return (stated,)
    if status is None:
        return ()
    found = [Concern.ERRORS if status >= 400 else Concern.SUCCESS]
    found += [concern for known, concern in _BY_STATUS if status in known]
    return tuple(found)


_BY_STATUS: Final = (
    ((401, 403), Concern.AUTHENTICATION),
    ((400, 422), Concern.VALIDATION),
    ((429,), Concern.RATE_LIMITS),
)


def documented(entry: Entry, status: int) -> Response | None:
    """The response that the contract documents for a status: its own, its range's, or the default one."""
    by_status = {response.status: response for response in entry.responses}
    for name in (str(status), f"{str(status)[:1]}XX", "default"):
        if name in by_status:
            return by_status[name]
    return None


def _responses(entry: Entry, observed: Sequence[Observed]) -> Iterator[ResponseCoverage]:
    mine = [each for each in observed if each.operation == entry.operation.id and each.status is not None]
    for response in entry.responses:
        seen = [each for each in mine if documented(entry, each.status or 0) is response]
        names = [body.media_type for body in response.bodies] or [""]
        for name in names:
            yield _response(entry, response, name, [each for each in seen if _about(each.media_type, name, names)])


def _about(seen: str, name: str, names: Sequence[str]) -> bool:
    """True when what was seen is about a media type; what tells none is about the only one."""
    if not seen or not name:
        return len(names) == 1
    return media_fits(name, seen) or (len(names) == 1 and not any(media_fits(each, seen) for each in names))


def _response(entry: Entry, response: Response, name: str, seen: Sequence[Observed]) -> ResponseCoverage:
    against = [each for each in seen if each.says is Says.CONTRADICTS]
    agreeing = [each for each in seen if each.says is Says.AGREES]
    if against:
        state, kept, reason = State.CONTRADICTED, against, "a test contradicts it"
    elif agreeing:
        state, kept, reason = State.COVERED, agreeing, ""
    else:
        kept = list(seen)
        state, reason = State.UNCOVERED, "no retained test is about it" if not seen else str(seen[0].why[0])
    return ResponseCoverage(
        operation=entry.operation.id,
        status=response.status,
        media_type=name,
        state=state,
        fields=tuple(dict.fromkeys(each.field for each in agreeing if each.field in _paths(response))),
        citations=tuple(dict.fromkeys(each.citation for each in kept)) or response.citations,
        reason=reason,
    )


def _paths(response: Response) -> frozenset[str]:
    return frozenset(row.path for body in response.bodies for row in body.fields)


_STEP: Final = re.compile(r"\[[0-9*]*\]|[^.\[\]]+")
_OF_BODY: Final = (None, Concern.SUCCESS, Concern.ERRORS)
"""Concerns of an assertion with a status whose field is one of that response."""
_UNNAMED: Final = (Concern.AUTHENTICATION, Concern.LIMITS, Concern.SIDE_EFFECTS)
"""Concerns whose assertions may name what no contract names: a claim of a token, an effect."""


@dataclass(frozen=True, slots=True)
class Against:
    """What an assertion says that the contract does not: its kind, the dotted name, the contract's form of it."""

    kind: str
    name: str
    contract: Form = ABSENT
    media: Element | None = None


def against(values: PositionFinder, operation: Operation, assertion: Assertion) -> Against | None:
    """What the name and the expected value of an assertion have against the contract; None for nothing known."""
    if not assertion.field or assertion.concern in _UNNAMED:
        return None
    if assertion.status is None:
        return _anywhere(values, operation, assertion)
    response = documented_response(operation, assertion.status)
    if response is None:
        return None
    if assertion.concern is Concern.HEADERS:
        known = assertion.field.lower() in _header_names((response,)) | ANYWAY
        return None if known else Against("observed-header-undocumented", assertion.field)
    if assertion.concern in _OF_BODY:
        return _in_response(values, (operation, response), assertion)
    return _anywhere(values, operation, assertion)


def _in_response(values: PositionFinder, on: tuple[Operation, Element], assertion: Assertion) -> Against | None:
    operation, response = on
    medias = {each.key: each for each in _children(response, ElementKind.MEDIA_TYPE)}
    name = first_covering(medias, media_base(assertion.media_type))
    other = assertion.field.lower() in _header_names((response,)) | _parameters(operation) | ANYWAY
    if name is None:
        return None if medias or other else Against("observed-field-undocumented", assertion.field)
    media = medias[name]
    if media.value is None:
        return None
    found = _walked(values.of_contract(media.value, Direction.WRITTEN), assertion.field)
    if found.absent and not other:
        return Against("observed-field-undocumented", found.path, ABSENT, media)
    there = found.position
    if there is None or assertion.expects is None or admits(there, there.schema, assertion.expects) is not False:
        return None
    return Against("observed-value-outside", found.path, there.form, media)


def _anywhere(values: PositionFinder, operation: Operation, assertion: Assertion) -> Against | None:
    """An assertion that does not tell which part its name is of: it has to be one of any part."""
    responses = list(_children(operation.element, ElementKind.RESPONSE))
    if assertion.field.lower() in _header_names(responses) | _parameters(operation) | ANYWAY:
        return None
    sides = ((_children(operation.element, ElementKind.BODY), Direction.READ), (responses, Direction.WRITTEN))
    for owners, direction in sides:
        for media in (each for owner in owners for each in _children(owner, ElementKind.MEDIA_TYPE)):
            value = media.value
            if value is None or not _walked(values.of_contract(value, direction), assertion.field).absent:
                return None
    return Against("observed-name-undocumented", assertion.field)


def _children(owner: Element, kind: ElementKind) -> Iterator[Element]:
    return (child for child in owner.children if child.kind is kind)


def _header_names(responses: Iterable[Element]) -> frozenset[str]:
    return frozenset(each.name.lower() for response in responses for each in _children(response, ElementKind.HEADER))


def _parameters(operation: Operation) -> frozenset[str]:
    return frozenset(each.name.lower() for each in _children(operation.element, ElementKind.PARAMETER))


@dataclass(frozen=True, slots=True)
class _Walked:
    """How far a dotted name leads: to a position, surely nowhere, or nobody knows where."""

    path: str
    position: Position | None
    absent: bool = False


def _walked(position: Position, name: str) -> _Walked:
    done: list[str] = []
    for step in _STEP.findall(name.removeprefix("$.")):
        done.append("[]" if step.startswith("[") or step.isdigit() else step)
        below, known = _below(position, done[-1])
        if below is None:
            return _Walked(_dotted(done), None, absent=known)
        position = below
    return _Walked(_dotted(done), position)


def _below(position: Position, step: str) -> tuple[Position | None, bool]:
    """One step down; None with whether it is known that nothing is there."""
    view = position.view
    if step == "[]":
        return (position.at(view.items), True) if isinstance(view.items, Sub) else (None, False)
    if step in view.properties:
        return position.at(view.properties[step]), True
    if isinstance(view.additional, Sub):
        return position.at(view.additional), True
    loose = view.composed or view.patterns or view.conditional or "$ref" in view.keywords or not view.properties
    return None, not loose


def _dotted(steps: list[str]) -> str:
    return ".".join(steps).replace(".[]", "[]")


_MOST_FIELDS: Final = 20
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")


def tests_needed(
    operations: Sequence[Operation], entries: Entries, covered: Coverage, withholds: frozenset[ClaimKey] = frozenset()
) -> tuple[ProposedTest, ...]:
    """One named test per uncovered response and media type, each assertion one that a machine can decide.

    Words of the contract stand in backticks. Nothing is asserted that a discrepancy withholds: of a response that is
    withheld as a whole only the status, of a body that is withheld no field.
    """
    by_id = {operation.id: operation for operation in operations}
    found: list[ProposedTest] = []
    names: set[str] = set()
    for lacking in covered.uncovered:
        if lacking.operation in by_id:
            entry = entries.entry(by_id[lacking.operation])
            found.append(_renamed(_proposed_test(entry, lacking, withholds), names))
    return tuple(found)


def _proposed_test(entry: Entry, lacking: ResponseCoverage, withholds: frozenset[ClaimKey]) -> ProposedTest:
    response = next(row for row in entry.responses if row.status == lacking.status)
    body = next((each for each in response.bodies if each.media_type == lacking.media_type), None)
    if body is not None and withheld(body.claim, withholds):
        body = None
    key = "\n".join((lacking.operation, lacking.status, lacking.media_type))
    return ProposedTest(
        id="T-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        operation=lacking.operation,
        name=_name(entry.operation, lacking),
        asserts=tuple(_asserts(entry, response, body, withholds)),
        why=lacking.reason,
        citations=_citations(response, body),
    )


def _asserts(entry: Entry, response: Response, body: Body | None, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    yield _status(entry, response.status)
    if withheld(response.claim, withholds):
        return
    for header in response.headers:
        if header.required and not withheld(header.claim, withholds):
            yield f"the response has the header {_code(header.name)}"
    if body is None:
        return
    if body.media_type:
        yield f"the media type is {_code(body.media_type)}"
    if body.root is None:
        return
    held = any(withheld(body.claim_of(row), withholds) for row in body.fields)
    if not held:
        yield "the body is valid against the documented schema"
    open_fields = [row for row in _demanded(body) if not withheld(body.claim_of(row), withholds)]
    if open_fields:
        more = len(open_fields) - _MOST_FIELDS
        names = ", ".join(_code(row.path) for row in open_fields[:_MOST_FIELDS])
        yield f"the body has {names}{f' and {more} more required fields' if more > 0 else ''}"
    yield from _codes(response, body, withholds)


def _status(entry: Entry, status: str) -> str:
    if status == "default":
        listed = ", ".join(_code(row.status) for row in entry.responses if row.status != "default")
        return f"the status is none of {listed}" if listed else "the response has a status"
    return f"the status is {'in ' if status.endswith('XX') else ''}{_code(status)}"


def _demanded(body: Body) -> Iterator[FieldRow]:
    """The fields that every such body has: required, below required ones only, and in no alternative."""
    missing: list[str] = []
    for row in body.fields:
        below = any(row.path.startswith((f"{outer}.", f"{outer}[")) for outer in missing)
        if row.branch or below or row.required is False or row.path.endswith("*"):
            missing.append(row.path)
        elif row.required and "[" not in row.path:
            yield row


def _codes(response: Response, body: Body, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    codes = [code.value for code in response.codes_of(body) if not code.example]
    rows = [row for row in body.fields if set(codes) & set(row.codes)]
    if codes and rows and not withheld(body.claim_of(rows[0]), withholds):
        several = "one of " if len(codes) > 1 else ""
        yield f"{_code(rows[0].path)} is {several}{', '.join(map(_code, codes))}"


def _citations(response: Response, body: Body | None) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys((*response.citations, *(body.citations if body is not None else ()))))


def _name(operation: Operation, lacking: ResponseCoverage) -> str:
    """A name that any test framework takes: `test_get_order_404_application_json`."""
    said = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation.operation_id) or operation.id
    words = (said, lacking.status, lacking.media_type)
    return "_".join(["test", *(_NO_WORD.sub("_", word.lower()).strip("_") for word in words if word)])


def _renamed(made: ProposedTest, names: set[str]) -> ProposedTest:
    """The test under a name that no other one has."""
    name, number = made.name, 2
    while name in names:
        name, number = f"{made.name}_{number}", number + 1
    names.add(name)
    return replace(made, name=name)


def _code(word: str) -> str:
    """A word of the contract in backticks; a backtick in it could end them."""
    return f"`{word.replace('`', chr(39))}`"
