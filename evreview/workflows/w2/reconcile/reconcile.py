"""Contract, code and tests against each other, field by field: what they disagree in, and what nothing could decide."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import orjson

from evreview.codefacts.model import Route, Spot
from evreview.comparison.wire_forms import canonical
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Concern, Form
from evreview.evidence.records.review import Disposition, day_of
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.discrepancy_kinds import KIND, KINDS
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks
from evreview.workflows.w2.facts import (
    ClaimKey,
    Discrepancy,
    DiscrepancyId,
    Disposal,
    Operation,
    ReferenceEvidence,
    withheld,
)
from evreview.workflows.w2.matrix.routes import Matching, match_routes
from evreview.workflows.w2.reconcile.deviation import (
    Deviation,
    Deviations,
    Matched,
    Undecided,
    joined,
    with_observed_facts,
)
from evreview.workflows.w2.reconcile.executed_tests import ObservedFact, executed, observed_facts, with_refusals
from evreview.workflows.w2.reconcile.guards import guards, slashes, unanswered, undocumented
from evreview.workflows.w2.reconcile.limits import notes, promised
from evreview.workflows.w2.reconcile.observed import observed_deviations
from evreview.workflows.w2.reconcile.requests import bodies, checked, parameters
from evreview.workflows.w2.reconcile.responses import headers, responses
from evreview.workflows.w2.value_sets import PositionFinder

if TYPE_CHECKING:
    import pandas as pd


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
    each_found: Deviations, evidence: ReferenceEvidence, operations: Sequence[Operation], words: _Words
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


def _found(evidence: ReferenceEvidence, operations: Sequence[Operation]) -> Deviations:
    matching = match_routes(evidence.contract, operations, evidence.code)
    yield from _routed(evidence, operations, matching)
    values, places = PositionFinder(evidence.contract), Places(evidence.contract, evidence.item)
    validators, seen = Validators(evidence.contract), observed_facts(evidence, operations)
    for operation in operations:
        sighted = seen.get(operation.id, [])
        matched = _matched(evidence, operation, matching, (values, places))
        known = executed(evidence.coverage, operation.id, sighted)
        matched = replace(matched, route=with_refusals(matched.route, known), executed=known)
        yield from _of_operation(matched, sighted, validators, operation.id in matching.answers)


def _routed(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Deviations:
    yield from unanswered(evidence, operations, matching)
    yield from undocumented(evidence, operations, matching)
    yield from slashes(evidence, operations, matching)


def _matched(
    evidence: ReferenceEvidence, operation: Operation, matching: Matching, tools: tuple[PositionFinder, Places]
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


def _of_operation(matched: Matched, seen: Sequence[ObservedFact], validators: Validators, routed: bool) -> Deviations:
    deviations: list[Deviation] = []
    for part in _PARTS if routed else ():
        for each in part(matched):
            if isinstance(each, Undecided):
                yield each
            else:
                deviations.append(each)
    sighted = joined(observed_deviations(matched, seen, validators, routed=routed))
    yield from with_observed_facts(joined(deviations), sighted)


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


_SERVER_ERROR: Final = re.compile(r"5[0-9X]{2}\b")
COLUMNS: Final[Mapping[str, str]] = {
    "id": "`X-` and twelve hex digits over operation, concern, kind and place; lines and files do not count",
    "kind": "the kind's id, see below",
    "operation": "method and path",
    "concern": "what of the operation it is about",
    "place": "where: status, media type, field, parameter",
    "contract": "the contract's form as canonical JSON, `(absent)` where it has none",
    "implementation": "the code's form, the same way",
    "observed": "what a test saw, never a recorded body",
    "witness": "a value that one side admits and the other refuses",
    "breaks": "who is hurt",
    "impact": "the compatibility impact",
    "expands": "True where code or tests show more than the contract says",
    "owner_role": "who disposes of it",
    "disposal": "what the last word that counts does to the claims",
    "disposition": "that word",
    "withholds": "the claims that it holds back, one per line",
    "evidence": "citations, comma-separated",
    "digest": "of both forms; a disposition that names another one as `of` counts for nothing",
}
"""The register's columns with their meanings."""
UNDECIDED_COLUMNS: Final = ("operation", "concern", "place", "reason", "evidence")


def discrepancies_frame(found: Sequence[Discrepancy]) -> pd.DataFrame:
    """The discrepancy register.

    Grain: one row per discrepancy. Key: `id`. Columns: `COLUMNS`; the forms and the witness are canonical JSON,
    `(absent)` where a side has none; `digest` is what a disposition may name as `of`; `expands` is True where the code
    does more than the contract says; closed vocabularies are categoricals with all allowed values.
    """
    import pandas as pd

    data = pd.DataFrame([_row(row) for row in found], columns=list(COLUMNS))
    closed: dict[str, Iterable[str]] = {
        "kind": [kind.id for kind in KINDS],
        "concern": [concern.value for concern in Concern],
        "breaks": [each.value for each in Breaks],
        "disposal": [disposal.value for disposal in Disposal],
    }
    for name, allowed in closed.items():
        data[name] = pd.Categorical(data[name], categories=list(allowed))
    data["expands"] = data["expands"].astype(bool)
    return data


def undecided_frame(found: Sequence[Undecided]) -> pd.DataFrame:
    """Comparisons that nothing decided. Grain: one row per comparison. Columns: `UNDECIDED_COLUMNS`."""
    import pandas as pd

    rows = [
        (each.operation, str(each.concern), each.place, each.reason, ", ".join(map(str, each.citations)))
        for each in found
    ]
    return pd.DataFrame(rows, columns=list(UNDECIDED_COLUMNS))


def expands(row: Discrepancy) -> bool:
    """True where code or tests do more than the contract says; a 5xx that only a test saw is an internal error."""
    only_seen = row.kind.startswith("observed-")
    return KIND[row.kind].expands and not (only_seen and _SERVER_ERROR.match(row.place))


def form_text(form: Form) -> str:
    """A form as the register shows it."""
    return canonical(form).decode("utf-8", "replace")


def _row(row: Discrepancy) -> tuple[object, ...]:
    kind = KIND[row.kind]
    return (
        str(row.id),
        row.kind,
        row.operation,
        row.concern.value,
        row.place,
        form_text(row.contract),
        form_text(row.implementation),
        form_text(row.observed),
        form_text(row.witness),
        kind.breaks.value,
        row.impact,
        expands(row),
        row.owner_role,
        row.disposal.value,
        row.disposition,
        "\n".join(sorted(row.withholds)),
        ", ".join(map(str, row.citations)),
        row.digest,
    )
