"""What an answer to a W1 gate is about: everything that the gate lists as reviewed, by one digest.

Recorded answers and dispositions are no part of it: they come one after the other, each seeing those before it.
"""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.compatibility import ClientInventory, Policy, RolloutRecord, UsageMetrics
from evreview.workflow.w1.citations import read_contracts
from evreview.workflows.engine.gates import digest_of

_UNSEEN: Final = frozenset({"title", "as_of", "asks", "roles", "evreview", "workflow", "removals"})
"""What of the request an answer is not about: who answers, on which day it is judged, what is asked beside."""


def ship_digest(bundle: Bundle) -> str:
    """Contracts, implementation, observations, clients, policy, checks, rollout, rollback, and the plan."""
    return digest_of(ship_items(bundle), bundle.request.model_dump_json(exclude=set(_UNSEEN)))


def ship_items(bundle: Bundle) -> tuple[EvidenceItem, ...]:
    """The items of the gate before shipping.

    Left out is what only the gate before removing lists: notices and usage counts.
    """
    only_removal = {removal.notice_evidence for removal in bundle.request.removals}
    only_removal |= {cited.citation.id for cited in records_of(bundle, UsageMetrics)}
    only_removal -= _adoptions(bundle) | _rollbacks(bundle)
    return tuple(item for item in bundle.items.values() if item.id not in only_removal)


def removal_digest(bundle: Bundle) -> str:
    """Contracts, policy, notices, usage counts, clients with their adoption, rollback, and what is to be removed."""
    request = bundle.request.model_dump_json(include={"surface", "implementation_revision", "removals", "plan"})
    return digest_of(removal_items(bundle), request)


def removal_items(bundle: Bundle) -> tuple[EvidenceItem, ...]:
    """The items of the gate before removing."""
    wanted: set[EvidenceId | None] = {citation.id for citation in read_contracts(bundle)}
    for kind in (Policy, UsageMetrics, ClientInventory, RolloutRecord):
        wanted |= {cited.citation.id for cited in records_of(bundle, kind)}
    wanted |= {removal.notice_evidence for removal in bundle.request.removals}
    wanted |= _adoptions(bundle) | _rollbacks(bundle)
    return tuple(item for item in bundle.items.values() if item.id in wanted)


def _adoptions(bundle: Bundle) -> set[EvidenceId | None]:
    listed = records_of(bundle, ClientInventory)
    return {client.adoption_evidence for cited in listed for client in cited.record.clients}


def _rollbacks(bundle: Bundle) -> set[EvidenceId | None]:
    back = (cited.record.rollback for cited in records_of(bundle, RolloutRecord))
    return {each.evidence for each in back if each is not None}
