"""What a review would stop on or trip over, said before it runs: the contracts are parsed, names are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import EvidenceId, EvidenceType, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.item import Bundle, EvidenceItem

REVIEW: Final = "review.yaml"
DECISIONS: Final = "decisions.yaml"
_ITEM_ID: Final = re.compile(r"E\d+(?=$|[#:])")


def examine(bundle: Bundle) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """The problems that keep a review of the bundle from its first result, and what is worth a warning."""
    problems: list[Problem] = []
    warnings = list(_decided(bundle))
    if bundle.workflow is WorkflowId.W2:
        return tuple(_scope(bundle)), tuple(warnings)
    if bundle.workflow is WorkflowId.W3:
        # Its first step has passed, else the bundle would not have been read whole.
        return (), tuple(warnings)
    named = bundle.request.contracts
    if named is None:
        found = "no contracts are named, so the review stops with W1-F1"
        return (Problem(code="contracts-missing", found=found, file=REVIEW, place="#/contracts"),), tuple(warnings)
    if named.released == named.candidate:
        found = f"released and candidate are both {named.released}, so nothing can differ"
        warnings.append(Problem(code="contracts-equal", found=found, file=REVIEW, place="#/contracts"))
    warnings += _incomplete(bundle)
    for side in ("released", "candidate"):
        wrong, unread = _contract(bundle, side, bundle.items[EvidenceId(getattr(named, side))])
        problems += wrong
        warnings += unread
    return tuple(problems), tuple(warnings)


def _incomplete(bundle: Bundle) -> Iterator[Problem]:
    """What a comparison remains for: parts of its boundary, and the policy that rates and permits."""
    from evreview.evidence.cited_records import first_of
    from evreview.evidence.records.compatibility import Policy
    from evreview.evidence.records.review import unnamed

    for what in unnamed(bundle.request):
        yield Problem(code="boundary-unnamed", found=f"{what} is not named: the review remains at step 1", file=REVIEW)
    if first_of(bundle, Policy) is None:
        found = "no typed policy is supplied: the review remains at step 4"
        advice = "Start a policy item with `kind: policy`"
        yield Problem(code="policy-missing", found=found, file=REVIEW, place="#/evidence", advice=advice)


def _scope(bundle: Bundle) -> Iterator[Problem]:
    """Why the publication scope of a reference can't be frozen: what is missing, mixed or not approved."""
    from evreview.core.quoted_text import plain
    from evreview.core.vocabulary import StepState
    from evreview.redaction.redactor import Guard
    from evreview.workflows.w2.facts import W2Facts
    from evreview.workflows.w2.step1_scope import freeze_scope

    facts = W2Facts(load=lambda item: bundle.source(item.id), guard=Guard())
    first = freeze_scope(bundle, facts)
    for reason in first.reasons if first.state is StepState.STOP else ():
        where = str(reason.citations[0]) if reason.citations else ""
        told = f"{plain(reason.text).rstrip('.')} ({first.code or 'stops at step 1'})"
        yield Problem(code="scope-not-frozen", found=told, file=REVIEW, place=where)


def _contract(bundle: Bundle, side: str, item: EvidenceItem) -> tuple[list[Problem], list[Problem]]:
    """Problems and unread parts of one contract."""
    from evreview.kinds.load import read_contract

    if item.type != EvidenceType.CONTRACT:
        found = f"{item.id} is named as the {side} contract, and its type is `{item.type}`"
        advice = f"Its type must be `{EvidenceType.CONTRACT}`"
        place = f"#/contracts/{side}"
        return [Problem(code="not-a-contract", found=found, file=REVIEW, place=place, advice=advice)], []
    inline = "" if item.file else f"{REVIEW} ({item.id})"
    try:
        contract = read_contract(*bundle.source(item.id))
    except BadInput as error:
        return [replace(problem, file=inline or problem.file) for problem in error.problems], []
    return [], [
        Problem(
            code="contract-unread",
            found=f"not understood: {each.found}",
            file=inline or each.place.file,
            place=f"#{each.place.pointer}",
            advice=each.advice,
        )
        for each in contract.unread
    ]


def _decided(bundle: Bundle) -> Iterator[Problem]:
    """Decisions about an item that the bundle lacks; findings and deltas are only known once a review ran."""
    for index, entry in enumerate(bundle.decisions.decisions):
        named = _ITEM_ID.match(getattr(entry, "subject", ""))
        if named and named[0] not in bundle.items:
            found = f"the decision is about {named[0]}, which is no evidence item of this bundle"
            place = f"#/decisions/{index}/subject"
            yield Problem(code="unknown-subject", found=found, file=DECISIONS, place=place)
