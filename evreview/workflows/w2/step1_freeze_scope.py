"""Step 1 of W2: freeze the publication scope: one revision for everything supplied, and every name resolves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC

from evreview.codefacts.read import sources_of
from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.quoted_text import UserText, listed, text
from evreview.core.vocabulary import EvidenceType, Integrity, StepState
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.kinds.load import read_contract
from evreview.kinds.registry import spec_of
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.registers import BoundaryRow, boundary_frame, judged_for
from evreview.workflows.engine.retained_runs import later_runs, read_runs, violated
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import F1, Operation, W2Facts
from evreview.workflows.w2.registers import operations_frame
from evreview.workflows.w2.scope import (
    agreeing,
    approval_of,
    contract_item,
    disagreements,
    missing_inputs,
    operations_in,
    operations_named,
    plan_of,
    scope_and_contract,
    scope_of,
    unlisted,
    unread_parts,
)


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The scope with contract, operations, sources and runs; stops on what is missing, mixed (F1) or unapproved."""
    scope = scope_of(bundle)
    item = contract_item(bundle, scope)
    runs, broken = read_runs(bundle)
    known = replace(facts, scope=scope, item=item, approval=approval_of(bundle, item), plan=plan_of(bundle), runs=runs)
    contract, unreadable = _contract(item, known)
    missing = (*missing_inputs(bundle, runs), *broken, *unreadable)
    known = replace(known, contract=contract, boundary=tuple(_rows(bundle, known)))
    changing = (_w1_first(known),) if scope is not None and scope.record.contract_is_changing else ()
    if contract is None or scope is None:
        return _stopped(known, (*changing, *missing))
    included, excluded = scope.record.operations or (), tuple(each.operation for each in scope.record.exclusions or ())
    operations, unresolved = operations_in(contract, included, excluded)
    mixed = (*disagreements(bundle), *_unresolved(known, unresolved), *_scope_differs(known, operations))
    known = replace(known, operations=operations, sources=sources_of(bundle))
    known = replace(known, boundary=tuple(_rows(bundle, known)))
    stops = (*changing, *missing, *mixed, *_unapproved(bundle, known), *_unsafe_plan(known))
    if stops:
        return _stopped(known, stops, F1.code if mixed and not changing and not missing else "")
    tables = {"Publication scope": boundary_frame(known.boundary), "Operations": operations_frame(operations)}
    return Outcome(state=StepState.ADVANCE, facts=known, reasons=tuple(_gaps(bundle, known)), tables=tables)


def _stopped(facts: W2Facts, reasons: tuple[Statement, ...], code: str = "") -> Outcome[W2Facts]:
    tables = {"Publication scope": boundary_frame(facts.boundary)}
    return Outcome(state=StepState.STOP, code=code, facts=facts, reasons=reasons, tables=tables)


def _contract(item: EvidenceItem | None, facts: W2Facts) -> tuple[Contract | None, tuple[Statement, ...]]:
    if item is None:
        return None, ()
    try:
        contract = read_contract(*facts.load(item))
        return (contract, ()) if spec_of(contract.kind).over_http else (None, (_of_other_kind(item, contract),))
    except BadInput as error:
        on = cite(item.id)
        told = (observed("The contract can't be used: ", UserText(str(each)), on=on) for each in error.problems)
        return None, tuple(told)


def _of_other_kind(item: EvidenceItem, contract: Contract) -> Statement:
    words = ("The contract is of the kind ", UserText(contract.kind.value), ": a reference is written from an OpenAPI ")
    return observed(*words, "document only. Review other kinds as W1.", on=cite(item.id))


def _w1_first(facts: W2Facts) -> Statement:
    on = (facts.scope.at("/contract_is_changing"),) if facts.scope else ()
    return limited(
        "The contract is changing, or a breaking-compatibility decision is open: review it as W1 first.", on=on
    )


def _unresolved(facts: W2Facts, names: Iterable[str]) -> Iterator[Statement]:
    on = scope_and_contract(facts)
    for name in names:
        meant = operations_named(facts.contract, name) if facts.contract else ()
        if meant:
            words = (UserText(name), " stands for ", *listed(each.id for each in meant), "; name method and path.")
            yield observed("An operation identifier is ambiguous in the contract: ", *words, on=on)
        else:
            yield observed("An operation identifier does not resolve in the contract: ", UserText(name), ".", on=on)


def _scope_differs(facts: W2Facts, operations: tuple[Operation, ...]) -> Iterator[Statement]:
    """Where the publication scope says something else than the contract does."""
    scope, contract = facts.scope, facts.contract
    if scope is None or contract is None:
        return
    version = scope.record.api_version or ""
    if contract.release and version != contract.release:
        words = (UserText(version), ", the contract ", UserText(contract.release))
        yield observed("The scope names the API version ", *words, ".", on=scope_and_contract(facts))
    yield from _elsewhere(facts, contract, scope.record.base_url or "", operations)
    yield from _both(facts, contract)


def _both(facts: W2Facts, contract: Contract) -> Iterator[Statement]:
    """Operations that the scope includes and excludes."""
    scope = facts.scope
    if scope is None:
        return
    excluded = tuple(each.operation for each in scope.record.exclusions or ())
    left_out = {each.id for each in operations_in(contract, excluded, ())[0]}
    for each in operations_in(contract, scope.record.operations or (), ())[0]:
        if each.id in left_out:
            on = (scope.at("/operations"), scope.at("/exclusions"))
            yield observed("The scope includes and excludes the same operation: ", UserText(each.id), ".", on=on)


def _elsewhere(facts: W2Facts, contract: Contract, base: str, operations: tuple[Operation, ...]) -> Iterator[Statement]:
    """Operations that the contract serves under another base URL than the scope's."""
    apart = [each.id for each in operations if agreeing(contract, each, base) == ()]
    if apart:
        words = (UserText(base), " is of none of the contract's servers for ", *listed(apart), ".")
        yield observed("The scope's base URL shape does not agree with the contract: ", *words,
                       on=scope_and_contract(facts))  # fmt: skip


def _unapproved(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    """Why the approval does not cover what is in scope."""
    approval = facts.approval
    if approval is None or facts.contract is None:
        return
    stated, on = approval.record, (approval.citation,)
    if stated.decision != "approved":
        yield observed("The contract is not approved: ", UserText(stated.role), " rejected it.", on=on)
        return
    if stated.at.astimezone(UTC).date().isoformat() > bundle.request.as_of:
        yield observed(f"The approval was given after the review's date {bundle.request.as_of}.", on=on)
    if bundle.request.roles.api_owner and stated.role != bundle.request.roles.api_owner:
        words = (UserText(stated.role), ", and the API owner is ", UserText(bundle.request.roles.api_owner))
        yield observed("The approval is not the API owner's: it was given by ", *words, ".", on=on)
    if stated.operations is None:
        return
    covered = {each.id for each in operations_in(facts.contract, stated.operations, ())[0]}
    for operation in facts.operations:
        if operation.id not in covered:
            yield observed("The approval does not cover the operation ", UserText(operation.id), ".", on=on)


def _unsafe_plan(facts: W2Facts) -> Iterator[Statement]:
    """Mutating examples that the plan can't keep to itself: no isolated target, or nothing that undoes them."""
    plan = facts.plan
    if plan is None or not plan.record.mutating:
        return
    if plan.record.fixture is None:
        yield limited("A mutating example has no isolated non-production target.", on=(plan.at("/mutating"),))
    if not plan.record.cleanup:
        yield limited("A mutating example has no cleanup procedure.", on=(plan.at("/mutating"),))


def _rows(bundle: Bundle, facts: W2Facts) -> Iterator[BoundaryRow]:
    item, scope = facts.item, facts.scope
    yield judged_for(bundle.request.as_of)
    if item is not None:
        also = () if item.sha256 in item.integrity else ("; content ", UserText(f"sha256:{item.sha256}"))
        value = text(UserText(item.integrity), f"; {item.standing}", *also)
        yield BoundaryRow(what="contract identifier", value=value, citations=cite(item.id))
    if item is not None and facts.contract is not None:
        kind = text(f"{facts.contract.kind} ", UserText(facts.contract.version))
        yield BoundaryRow(what="contract format", value=kind, citations=cite(item.id))
    if scope is None:
        return
    stated = {
        "API version": ("api_version", scope.record.api_version),
        "base URL shape": ("base_url", scope.record.base_url),
        "audience": ("audience", scope.record.audience),
    }
    if scope.record.revision:
        value = text(UserText(scope.record.revision))
        yield BoundaryRow(what="one immutable revision", value=value, citations=(scope.at("/revision"),))
    for what, (name, said) in stated.items():
        if said:
            yield BoundaryRow(what=what, value=text(UserText(said)), citations=(scope.at(f"/{name}"),))
    if scope.record.operations:
        names = listed(each.id for each in facts.operations) or listed(scope.record.operations)
        yield BoundaryRow(what="included operations", value=names, citations=(scope.at("/operations"),))
    for policy in bundle.of_type(EvidenceType.POLICY):
        version = getattr(policy.record, "policy_version", "")
        known = text("version ", UserText(version)) if version else ("supplied as text",)
        yield BoundaryRow(what="compatibility policy", value=known, citations=cite(policy.id))
    if scope.record.exclusions is not None:
        left: list[str | UserText] = []
        for each in scope.record.exclusions:
            left += [*(["; "] if left else []), UserText(each.operation), " (", UserText(each.why), ")"]
        value = tuple(left) or ("none stated",)
        yield BoundaryRow(what="exclusions", value=value, citations=(scope.at("/exclusions"),))


def _gaps(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    yield from later_runs(bundle)
    yield from unread_parts(facts.runs)
    yield from violated(bundle)
    yield from unlisted(facts)
    if facts.item is not None and facts.item.integrity_state is not Integrity.VERIFIED:
        yield limited("The contract's integrity is declared, not verified.", on=cite(facts.item.id))
