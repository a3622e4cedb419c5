"""Step 5 of W1: classify consumer compatibility, client by client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evreview.core.vocabulary import ClientId, StepState
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import ClientInventory, Policy, UsageMetrics
from evreview.evidence.records.test_runs import TestRecord
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w1.clients.impact import assess, impacts_frame
from evreview.workflows.w1.clients.migration import adopted_clients, adoption_facts, migration_states
from evreview.workflows.w1.clients.register import client_register, register_frame
from evreview.workflows.w1.element_lookup import Spellings, called_as_rows, checks_as_rows
from evreview.workflows.w1.facts import F3, ContractPair, W1Facts, contract_item
from evreview.workflows.w1.reconcile.unmatched_uses import unmapped_uses
from evreview.workflows.w1.usage_evidence import OwnershipGap, ownership_gaps, unknown_consumers


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Every known client mapped to every difference; W1-F3 marks unknown ownership or usage and the run goes on."""
    if facts.released is None or facts.candidate is None:
        raise NotReached("step 5 needs both contracts of step 1")
    inventories = records_of(bundle, ClientInventory)
    sides = ContractPair(facts.released, facts.candidate)
    spellings = Spellings(sides)
    unmapped = unmapped_uses(inventories, sides, spellings)
    migrations = migration_states(inventories, adoption_facts(bundle))
    impacts = assess(
        facts.rows,
        called_as_rows(inventories, spellings),
        checks_as_rows(records_of(bundle, TestRecord), spellings),
        unmapped=tuple(gap.client for gap in unmapped if gap.client),
        adopted=adopted_clients(migrations),
    )
    policy = first_of(bundle, Policy)
    days = policy.record.removal.notice_days if policy and policy.record.removal else None
    metrics = records_of(bundle, UsageMetrics)
    unknown = unknown_consumers(facts.rows, inventories, metrics, as_of=bundle.request.as_of, days=days)
    gaps = (*ownership_gaps(inventories, _named_clients(bundle)), *unmapped)
    register = client_register(inventories, impacts, migrations)
    known = replace(
        facts,
        impacts=impacts,
        clients=register,
        unknown_consumers=unknown,
        ownership_gaps=gaps,
        migrations=migrations,
    )
    tables = {"Client-impact register": register_frame(register, unknown), "Impacts": impacts_frame(impacts)}
    return Outcome(
        state=StepState.ADVANCE,
        code=F3.code if gaps else "",
        facts=known,
        reasons=tuple(_gap(bundle, gap) for gap in gaps),
        tables=tables,
    )


def _named_clients(bundle: Bundle) -> Mapping[ClientId, tuple[str, Citation | None]]:
    """The clients that a retained check, the plan or an answer of an owner names."""
    named: dict[ClientId, tuple[str, Citation | None]] = {}
    for tests in records_of(bundle, TestRecord):
        for place, check in enumerate(tests.record.checks):
            if check.client:
                named.setdefault(ClientId(check.client), (f"the check {check.id}", tests.at(f"/checks/{place}")))
    for step in bundle.request.plan.migrations if bundle.request.plan else ():
        named.setdefault(ClientId(step.client), ("the plan of this review", None))
    for answer in bundle.decisions.approvals:
        if answer.client:
            named.setdefault(ClientId(answer.client), ("an answer in decisions.yaml", None))
    return named


def _gap(bundle: Bundle, gap: OwnershipGap) -> Statement:
    contracts = (contract_item(bundle, side) for side in ("released", "candidate"))
    fallback = cite(*(item.id for item in contracts if item))
    return limited(gap.text, on=(gap.citation,) if gap.citation else fallback)
