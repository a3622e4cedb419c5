"""Contract, code and tests against each other, field by field: what they disagree in, and what nothing could decide."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

from evreview.codefacts.model import Route, Spot
from evreview.comparison.wire_forms import canonical
from evreview.core.limits import deep_stack
from evreview.core.quoted_text import Subject, listed, marked
from evreview.core.vocabulary import Concern, Form, StepState
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Disposition, day_of
from evreview.report.statement import Statement, cite, limited, observed
from evreview.schema.validators import Validators
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Body, Entry, Places, response_claim
from evreview.workflows.w2.discrepancy_kinds import KIND
from evreview.workflows.w2.facts import (
    F3,
    ClaimKey,
    Discrepancy,
    DiscrepancyId,
    Disposal,
    Example,
    Operation,
    Part,
    ReferenceEvidence,
    W2Facts,
    contract_citation,
    withheld,
)
from evreview.workflows.w2.matrix.routes import Matching, match_routes
from evreview.workflows.w2.matrix.test_results import UnmappedTest
from evreview.workflows.w2.reconcile.deviation import Deviation, Found, Matched, Undecided, joined, with_sightings
from evreview.workflows.w2.reconcile.discrepancy_register import discrepancies_frame, undecided_frame
from evreview.workflows.w2.reconcile.executed_tests import Sighting, executed, sightings, with_refusals
from evreview.workflows.w2.reconcile.guards import guards, slashes, unanswered, undocumented
from evreview.workflows.w2.reconcile.limits import notes, promised
from evreview.workflows.w2.reconcile.observed import observed_deviations
from evreview.workflows.w2.reconcile.requests import bodies, checked, parameters
from evreview.workflows.w2.reconcile.responses import headers, responses
from evreview.workflows.w2.reconcile.value_sets import Values

# What the owner's recorded words do to discrepancies, and which words count for nothing.


_DISPOSALS: Final[Mapping[str, Disposal]] = {
    "contract": Disposal.PUBLISH_CONTRACT,
    "withhold": Disposal.WITHHOLD,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedDisposition:
    """A recorded disposition that counts for nothing: its place in `decisions.yaml`'s list of dispositions, and why."""

    position: int
    subject: str
    role: str
    reason: str


def disposed(
    rows: Sequence[Discrepancy], dispositions: Sequence[Disposition], *, owner_role: str, as_of: str | None
) -> tuple[tuple[Discrepancy, ...], tuple[RefusedDisposition, ...]]:
    """The discrepancies with the last word that counts for each, and the words that do not.

    A word counts when the owner's role gave it, not after the day of the review, says what to do with the claims, says
    what was reviewed, and names the digest of the forms that are found now. Dispositions of other things than
    discrepancies are none of this.
    """
    known = {str(row.id): row for row in rows}
    last: dict[str, Disposition] = {}
    refused: list[RefusedDisposition] = []
    for position, entry in enumerate(dispositions):
        if not entry.subject.startswith("X-"):
            continue
        reason = _refusal(entry, known.get(entry.subject), owner_role, as_of)
        if reason:
            refused.append(RefusedDisposition(position=position, subject=entry.subject, role=entry.role, reason=reason))
        elif entry.subject not in last or entry.at >= last[entry.subject].at:
            last[entry.subject] = entry
    return tuple(_judged(row, last.get(str(row.id))) for row in rows), tuple(refused)


def _refusal(entry: Disposition, row: Discrepancy | None, owner_role: str, as_of: str | None) -> str:
    """Why a word counts for nothing, "" when it counts."""
    if row is None:
        return "no discrepancy of this id is found now"
    if entry.role.strip().casefold() != owner_role.strip().casefold():
        return "only the role that owns the discrepancy disposes of it"
    if as_of is not None and day_of(entry.at) > as_of:
        return "it was given after the day of the review"
    if entry.publish is None:
        return "it does not say what to do with the claims; write `publish: contract` or `publish: withhold`"
    if not entry.reviewed:
        return "it does not say what was reviewed"
    if entry.of is None:
        return "it does not say over which forms it was given; write their digest from the register as `of`"
    if entry.of != row.digest:
        return "it was given over other forms than those that are found now"
    return ""


def _judged(row: Discrepancy, entry: Disposition | None) -> Discrepancy:
    if entry is None or entry.publish is None:
        return row
    return replace(row, disposal=_DISPOSALS[entry.publish], disposition=entry.decision)


MOST_CITATIONS: Final = 12
DECLARED: Final = "declared"
_PARTS: Final = (guards, parameters, bodies, checked, responses, headers, notes, promised)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What reconciliation found.

    Attributes:
        discrepancies: by operation in the order of the scope, then concern and place.
        undecided: comparisons that were made and that nothing decided.
        refused: recorded dispositions that count for nothing, each with its reason.
    """

    discrepancies: tuple[Discrepancy, ...]
    undecided: tuple[Undecided, ...]
    refused: tuple[RefusedDisposition, ...] = ()


@deep_stack()
def reconcile(
    evidence: ReferenceEvidence,
    operations: Sequence[Operation],
    dispositions: Sequence[Disposition] = (),
    *,
    owner_role: str,
    as_of: str | None = None,
) -> Reconciled:
    """Every discrepancy of the operations in scope, with what is recorded about it.

    Args:
        evidence: contract, code facts and retained runs.
        operations: the operations in scope.
        dispositions: what people decided.
        owner_role: the role whose word counts, e.g. `API owner`.
        as_of: the ISO date of the review; later words do not count.
    """
    words = _Words(dispositions, owner_role, as_of)
    return _reconciled(_found(evidence, operations), evidence, operations, words)


def reconcile_routes(
    evidence: ReferenceEvidence,
    operations: Sequence[Operation],
    dispositions: Sequence[Disposition] = (),
    *,
    owner_role: str,
    as_of: str | None = None,
) -> Reconciled:
    """Only which routes answer which operations: what can be said where one has no route at all.

    The arguments are those of `reconcile`.
    """
    found = _routed(evidence, operations, match_routes(evidence.contract, operations, evidence.code))
    return _reconciled(found, evidence, operations, _Words(dispositions, owner_role, as_of))


@dataclass(frozen=True, slots=True)
class _Words:
    """What people decided, whose word counts, and until when."""

    dispositions: Sequence[Disposition]
    owner_role: str
    as_of: str | None


def _reconciled(
    each_found: Found, evidence: ReferenceEvidence, operations: Sequence[Operation], words: _Words
) -> Reconciled:
    found = list(each_found)
    order = {operation.id: at for at, operation in enumerate(operations)}
    rows = sorted(
        (_discrepancy(each, words.owner_role) for each in found if isinstance(each, Deviation)),
        key=lambda row: (order[row.operation], str(row.concern), row.place, row.kind),
    )
    undecided = dict.fromkeys(each for each in found if isinstance(each, Undecided))
    repeating = _Repeats(evidence, operations)
    held = list(map(repeating.held, rows))
    judged, refused = disposed(held, words.dispositions, owner_role=words.owner_role, as_of=words.as_of)
    return Reconciled(discrepancies=judged, undecided=tuple(undecided), refused=refused)


class _Repeats:
    """What the contract says again elsewhere: held back with the claim that it repeats."""

    def __init__(self, evidence: ReferenceEvidence, operations: Sequence[Operation]) -> None:
        self._entries = Entries(evidence.contract, evidence.item)
        self._operations = {operation.id: operation for operation in operations}

    def held(self, row: Discrepancy) -> Discrepancy:
        """The discrepancy with the statements and headers that rest on a claim which it holds back."""
        entry = self._entries.entry(self._operations[row.operation])
        more = {each.claim for each in entry.stated if any(withheld(key, row.withholds) for key in each.rests_on)}
        gone = [response for response in entry.responses if withheld(response.claim, row.withholds)]
        headers = {header.claim for response in gone for header in response.headers}
        return replace(row, withholds=row.withholds | more | headers)


def held_back(discrepancies: Iterable[Discrepancy]) -> frozenset[ClaimKey]:
    """The claims that may not be published: those of every discrepancy that is open, or disposed of as withheld."""
    kept = (row.withholds for row in discrepancies if row.disposal is not Disposal.PUBLISH_CONTRACT)
    return frozenset().union(*kept)


def _found(evidence: ReferenceEvidence, operations: Sequence[Operation]) -> Found:
    matching = match_routes(evidence.contract, operations, evidence.code)
    yield from _routed(evidence, operations, matching)
    values, places = Values(evidence.contract), Places(evidence.contract, evidence.item)
    validators, seen = Validators(evidence.contract), sightings(evidence, operations)
    for operation in operations:
        sighted = seen.get(operation.id, [])
        matched = _matched(evidence, operation, matching, (values, places))
        known = executed(evidence.coverage, operation.id, sighted)
        matched = replace(matched, route=with_refusals(matched.route, known), executed=known)
        yield from _of_operation(matched, sighted, validators, operation.id in matching.answers)


def _routed(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Found:
    yield from unanswered(evidence, operations, matching)
    yield from undocumented(evidence, operations, matching)
    yield from slashes(evidence, operations, matching)


def _matched(
    evidence: ReferenceEvidence, operation: Operation, matching: Matching, tools: tuple[Values, Places]
) -> Matched:
    route = _behaving(matching.route(operation))
    # Of declared code only what somebody declared is known: its silence says nothing.
    read = route is not None and route.framework != DECLARED
    whole = read and not (route and route.unread) and not evidence.code.unread
    nobody = Route(
        method=operation.method, path=operation.path, handler="", framework="", spot=Spot(evidence.item, 1, 1)
    )
    return Matched(
        evidence=evidence,
        operation=operation,
        route=route or nobody,
        values=tools[0],
        places=tools[1],
        whole=whole,
    )


def _behaving(route: Route | None) -> Route | None:
    """The route without what a decorator only documents: that is no behaviour of the code."""
    if route is None:
        return None
    return replace(route, responses=tuple(each for each in route.responses if each.how != DECLARED))


def _of_operation(matched: Matched, seen: Sequence[Sighting], validators: Validators, routed: bool) -> Found:
    deviations: list[Deviation] = []
    for part in _PARTS if routed else ():
        for each in part(matched):
            if isinstance(each, Undecided):
                yield each
            else:
                deviations.append(each)
    sighted = joined(observed_deviations(matched, seen, validators, routed=routed))
    yield from with_sightings(joined(deviations), sighted)


def _discrepancy(found: Deviation, owner_role: str) -> Discrepancy:
    kind = KIND[found.kind]
    return Discrepancy(
        id=discrepancy_id(found),
        kind=found.kind,
        operation=found.operation,
        concern=found.concern,
        place=_place(found),
        contract=found.contract,
        implementation=found.implementation,
        observed=found.observed,
        witness=found.witness,
        impact=kind.impact,
        owner_role=owner_role,
        citations=found.citations[:MOST_CITATIONS],
        digest=forms_digest(found.contract, found.implementation),
        withholds=found.held,
    )


def discrepancy_id(found: Deviation) -> DiscrepancyId:
    """`X-` and twelve hex digits over operation, concern, kind and place: no line and no file counts."""
    said = [found.operation, str(found.concern), found.kind, [str(step) for step in found.place]]
    return DiscrepancyId("X-" + hashlib.sha256(orjson.dumps(said)).hexdigest()[:12])


def forms_digest(contract: Form, implementation: Form) -> str:
    """Sixteen hex digits over both exact forms, whatever the order of keys."""
    return hashlib.sha256(canonical(contract) + b"\n" + canonical(implementation)).hexdigest()[:16]


def _place(found: Deviation) -> str:
    return " ".join(map(str, found.place))


# Step 3: reconcile contract, handler, validator and tests field by field; W2-F3 withholds what they disagree on.


MOST_NAMED: Final = 6
"""Tests that one sentence names."""


def reconcile_fields(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The discrepancy register; W2-F3 while one is not disposed of, which withholds its claims and goes on."""
    if facts.evidence is None:
        raise ValueError("step 3 needs the evidence of step 2")
    found = reconcile(
        replace(facts.evidence, coverage=facts.coverage),
        facts.operations,
        bundle.decisions.dispositions,
        owner_role=bundle.request.roles.api_owner or "API owner",
        as_of=bundle.request.as_of,
    )
    known = replace(
        facts,
        discrepancies=found.discrepancies,
        reconciled=True,
        points=found.undecided,
        undecided=tuple(_undecided(facts, found)),
        uncounted=frozenset(each.position for each in found.refused),
    )
    waiting = known.open_discrepancies
    tables = {
        "Contract discrepancy register": discrepancies_frame(found.discrepancies),
        "Undecided comparisons": undecided_frame(found.undecided),
    }
    return Outcome(
        state=StepState.ADVANCE,
        code=F3.code if waiting else "",
        facts=known,
        reasons=tuple(waits(waiting)),
        tables=tables,
    )


def waits(discrepancies: Iterable[Discrepancy]) -> Iterator[Statement]:
    """One statement per discrepancy that keeps its claims from being published."""
    for each in discrepancies:
        words = (Subject(each.id), " about ", Subject(each.operation))
        owner = Subject(each.owner_role)
        yield observed("Discrepancy ", *words, " blocks publication until it is disposed of by ", owner, ".",
                       on=each.citations)  # fmt: skip


def _undecided(facts: W2Facts, found: Reconciled) -> Iterator[Statement]:
    contract = cite(facts.item.id if facts.item else None)
    for each in found.undecided:
        where = Subject(f"{each.operation} {each.concern} {each.place}".strip())
        yield limited("Not decided whether contract and code agree at ", where, ": ", *marked(each.reason), ".",
                      on=each.citations or contract)  # fmt: skip
    for refused in found.refused:
        words = (Subject(refused.role), " on ", Subject(refused.subject), ": ", *marked(refused.reason), ".")
        yield limited("A recorded disposition does not count, by ", *words)
    yield from _unmapped(facts.coverage.unmapped if facts.coverage else ())


def _unmapped(tests: Iterable[UnmappedTest]) -> Iterator[Statement]:
    """What tests say that verifies nothing, by reason; the register of unmapped tests holds every one."""
    by_reason: dict[str, list[UnmappedTest]] = {}
    for each in tests:
        by_reason.setdefault(each.reason, []).append(each)
    for reason, alike in by_reason.items():
        names = listed(dict.fromkeys(each.case for each in alike[:MOST_NAMED]))
        more = f" and {len(alike) - MOST_NAMED} more" if len(alike) > MOST_NAMED else ""
        on = tuple(dict.fromkeys(each.citation for each in alike[:MOST_NAMED]))
        yield limited("Retained tests that verify nothing here: ", *names, f"{more}: {reason}.", on=on)


# What a discrepancy withholds from the reference: that something is left out, never what.


WITHHELD = "withheld until a discrepancy is disposed of"
BY_OWNER = "withheld by the owner's disposition"
REQUEST: tuple[Concern, ...] = (
    Concern.REQUEST_BODY,
    Concern.PARAMETERS,
    Concern.VALIDATION,
    Concern.AUTHENTICATION,
)
"""Concerns that a request example shows."""


def withholding(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """That something is left out, without saying what: the register alone names the mismatch."""
    name = entry.operation.id
    held = [each for each in facts.discrepancies if each.operation == name and is_held(each) and holds_of(each, name)]
    if held:
        says = "Claims about this operation are withheld; see the contract discrepancy register: "
        yield limited(says, *listed(each.id for each in held), ".", on=contract_citation(facts))
    yield from disputed(facts, entry.operation.id)


def is_partly_held(facts: W2Facts, claim: str) -> bool:
    """True when a discrepancy withholds the claim, a part of it, or what it is a part of."""
    return any(_touches(key, claim) for key in facts.withheld)


def _touches(key: str, claim: str) -> bool:
    return key == claim or key.startswith(f"{claim} ") or claim.startswith(f"{key} ")


def held_words(facts: W2Facts, claim: str) -> str:
    """Why a withheld claim is left out: it waits for the owner, or the owner's word withholds it."""
    about = [each for each in facts.discrepancies if any(_touches(key, claim) for key in each.withholds)]
    settled = not any(each.disposal is Disposal.OPEN for each in about)
    return BY_OWNER if settled and any(each.disposal is Disposal.WITHHOLD for each in about) else WITHHELD


def disputed(facts: W2Facts, claim: str) -> Iterator[Statement]:
    """That a claim is published by the owner's word although sources disagree about it or a part of it."""
    for each in facts.discrepancies:
        if each.disposal is Disposal.PUBLISH_CONTRACT and any(_touches(key, claim) for key in each.withholds):
            says = (" (", Subject(f"{each.concern} {each.place}".strip()), "), by the owner's disposition.")
            yield limited("Published as the contract says, though sources disagree: ", Subject(each.id), *says,
                          on=each.citations)  # fmt: skip


def disputed_about(facts: W2Facts, entry: Entry, *concerns: Concern) -> Iterator[Statement]:
    """That claims of some concerns are published by the owner's word although sources disagree about them."""
    told = (each for concern in concerns for each in disputed(facts, f"{entry.operation.id} {concern}"))
    yield from dict.fromkeys(told)


def incomplete(facts: W2Facts, body: Body) -> Iterator[Statement]:
    """That fields of a body are left out."""
    if is_partly_held(facts, body.claim):
        why = held_words(facts, body.claim)
        yield limited(f"Fields of this body are left out: {why}.", on=contract_citation(facts))


def holds_request(facts: W2Facts, operation: str) -> bool:
    """True when a request example of the operation would show what is withheld."""
    lead = tuple(f"{operation} {concern}" for concern in REQUEST)
    return any(key.startswith(lead) or key == operation for key in facts.withheld)


def holds_example(facts: W2Facts, example: Example) -> bool:
    """True when an example is left out because it would show what is withheld."""
    operation = next((each.id for each in facts.operations if each.element.key == example.about.operation), "")
    if example.about.part is Part.REQUEST:
        return holds_request(facts, operation)
    return is_partly_held(facts, response_claim(operation, example.about.status))


def holds_of(each: Discrepancy, operation: str) -> bool:
    """True when a discrepancy holds back a claim about the operation, and not only one about another route."""
    return any(key == operation or key.startswith(f"{operation} ") for key in each.withholds)


def is_held(each: Discrepancy) -> bool:
    """True while a discrepancy keeps its claims from being published."""
    return each.disposal is not Disposal.PUBLISH_CONTRACT
