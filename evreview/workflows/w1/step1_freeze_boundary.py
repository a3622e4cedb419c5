"""Step 1 of W1: freeze the comparison boundary. Both contracts are parsed here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.quoted_text import UserText, counted, listed, text
from evreview.core.vocabulary import EvidenceType, Integrity, StepState
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.compatibility import Policy
from evreview.evidence.records.review import unnamed
from evreview.kinds.load import read_contract
from evreview.kinds.registry import spec_of
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.registers import BoundaryRow, boundary_frame, judged_for
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.facts import F1, W1Facts, contract_item


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Both contracts parsed and every part of the boundary named; F1 when a contract is missing or unreadable."""
    broken: list[Statement] = []
    parsed: dict[str, Contract] = {}
    for side in ("released", "candidate"):
        item = contract_item(bundle, side)
        contract = _read(side, item, facts, broken)
        if contract is not None:
            parsed[side] = contract
    known = replace(facts, released=parsed.get("released"), candidate=parsed.get("candidate"))
    known = replace(known, boundary=tuple(_rows(bundle, known)), gaps=tuple(_gaps(bundle, known)))
    tables = {"Comparison boundary": boundary_frame(known.boundary), "Inventory": _inventory(known)}
    if broken:
        return Outcome(state=StepState.STOP, code=F1.code, facts=known, reasons=tuple(broken), tables=tables)
    unmet = tuple(_unmet_preconditions(bundle))
    state = StepState.REMAIN if unmet else StepState.ADVANCE
    return Outcome(state=state, facts=known, reasons=unmet or known.gaps, tables=tables)


def _policy_of(bundle: Bundle) -> tuple[EvidenceItem | None, Policy | None]:
    """The policy item and its typed body; the body is None when the policy is plain text."""
    items = bundle.of_type(EvidenceType.POLICY)
    typed = [(item, item.record) for item in items if isinstance(item.record, Policy)]
    if typed:
        return typed[0]
    return (items[0], None) if items else (None, None)


def _read(side: str, item: EvidenceItem | None, facts: W1Facts, broken: list[Statement]) -> Contract | None:
    if item is None:
        broken.append(limited(f"The {side} contract is not among the evidence."))
        return None
    try:
        return read_contract(*facts.load(item))
    except BadInput as error:
        broken += [
            observed(f"The {side} contract can't be used: ", UserText(str(problem)), on=cite(item.id))
            for problem in error.problems
        ]
        return None


def _rows(bundle: Bundle, facts: W1Facts) -> Iterable[BoundaryRow]:
    request = bundle.request
    for side in ("released", "candidate"):
        item, contract = contract_item(bundle, side), getattr(facts, side)
        if item is not None:
            yield BoundaryRow(what=f"{side} identifier", value=_identifier(item), citations=cite(item.id))
        if item is not None and contract is not None:
            release = (", release ", UserText(contract.release)) if contract.release else ()
            kind = text(f"{contract.kind} ", UserText(contract.version), *release)
            yield BoundaryRow(what=f"{side} format", value=kind, citations=cite(item.id))
            count = text(counted(len(contract.operations), spec_of(contract.kind).operation_word))
            yield BoundaryRow(what=f"{side} inventory", value=count, citations=cite(item.id))
    stated = {
        "protocol": request.protocol,
        "API surface": request.surface,
        "implementation revision": request.implementation_revision,
    }
    for what, value in stated.items():
        yield BoundaryRow(what=what, value=text(UserText(value)) if value else ("unknown",), citations=())
    yield judged_for(request.as_of)
    item, policy = _policy_of(bundle)
    yield _policy_row(item, policy)
    yield BoundaryRow(what="exclusions", value=listed(request.exclusions) or ("none stated",), citations=())


def _identifier(item: EvidenceItem) -> tuple[str | UserText, ...]:
    return text(UserText(item.integrity), f" ({item.standing}); content ", UserText(f"sha256:{item.sha256}"))


def _policy_row(item: EvidenceItem | None, policy: Policy | None) -> BoundaryRow:
    if item is None:
        return BoundaryRow(what="policy", value=("not supplied",), citations=())
    if policy is None:
        return BoundaryRow(
            what="policy", value=("supplied as text; nothing is derived from it",), citations=cite(item.id)
        )
    value = text("version ", UserText(policy.policy_version), " for ", UserText(policy.surface))
    return BoundaryRow(what="policy", value=value, citations=cite(item.id))


def _gaps(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    item, policy = _policy_of(bundle)
    if policy is None:
        yield limited("The policy's version and surface are not confirmed.", on=cite(item.id if item else None))
    contracts = cite(*(found.id for side in ("released", "candidate") if (found := contract_item(bundle, side))))
    if not bundle.request.surface_complete:
        yield limited("Nobody confirmed that both contracts are complete for the reviewed surface.", on=contracts)
    for side in ("released", "candidate"):
        found = contract_item(bundle, side)
        if found is not None and found.integrity_state is not Integrity.VERIFIED:
            yield limited(f"The {side} contract's integrity is declared, not verified.", on=cite(found.id))


def _unmet_preconditions(bundle: Bundle) -> Iterable[Statement]:
    for what in unnamed(bundle.request):
        yield limited(f"{what} is not named; name it in review.yaml.")


def _inventory(facts: W1Facts) -> pd.DataFrame:
    sides = {"released": facts.released, "candidate": facts.candidate}
    names = {
        side: {operation.key: operation.name for operation in contract.operations} if contract else {}
        for side, contract in sides.items()
    }
    keys = sorted(names["released"] | names["candidate"])
    return pd.DataFrame(
        [(key, key in names["released"], key in names["candidate"]) for key in keys],
        columns=["operation", "released", "candidate"],
    )
