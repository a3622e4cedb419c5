"""Whether an adoption that an inventory states can be true: its path exists, and its evidence can show it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.evidence.cited import first_of
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.clients import KnownClient
from evreview.evidence.records.rollout import RolloutRecord
from evreview.policy.mechanisms import separated_routes
from evreview.policy.wording import is_separated, routes_named
from evreview.vocab import EvidenceId, EvidenceType

SHOWS_ADOPTION: Final = frozenset({EvidenceType.EXECUTION_AND_APPROVAL, EvidenceType.TEST_RECORD})
"""The kinds of evidence that can show that a client's owner adopted a path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptionFacts:
    """What an adoption is checked against.

    Attributes:
        paths: the routes and versions that the rollout record separates; without a record those that the plan names.
        items: the evidence items by id.
        notices, rollbacks: items that show a notice or a rollback, and so no adoption.
    """

    paths: tuple[str, ...]
    items: Mapping[EvidenceId, EvidenceItem] = field(repr=False)
    notices: frozenset[EvidenceId] = frozenset()
    rollbacks: frozenset[EvidenceId] = frozenset()


def adoption_facts(bundle: Bundle) -> AdoptionFacts:
    """The facts of one bundle."""
    rollout, plan = first_of(bundle, RolloutRecord), bundle.request.plan
    texts = [*plan.traffic_steps, *(step.instruction for step in plan.migrations)] if plan else []
    planned = tuple(dict.fromkeys(route for text in texts for route in routes_named(text)))
    back = rollout.record.rollback if rollout else None
    notices = (removal.notice_evidence for removal in bundle.request.removals)
    return AdoptionFacts(
        paths=separated_routes(rollout) if rollout else planned,
        items=bundle.items,
        notices=frozenset(notice for notice in notices if notice),
        rollbacks=frozenset([back.evidence]) if back and back.evidence else frozenset(),
    )


def adoption_faults(client: KnownClient, facts: AdoptionFacts) -> tuple[str, ...]:
    """Why the stated adoption is not shown, as clauses; empty when it is, or when none is stated."""
    path, evidence = client.adopted_path, client.adoption_evidence
    if not path or not evidence:
        return ()
    exists = all(is_separated(route, facts.paths) for route in routes_named(path) or (path,))
    missing = () if exists else (f"{path} is no route or version that the rollout separates",)
    return (*missing, *_evidence_faults(client, facts.items.get(evidence), evidence, facts))


def _evidence_faults(
    client: KnownClient, item: EvidenceItem | None, evidence: EvidenceId, facts: AdoptionFacts
) -> tuple[str, ...]:
    if item is None:
        return (f"{evidence} is no item of this review",)
    if evidence in facts.notices:
        return (f"{evidence} shows the notice and no adoption",)
    if evidence in facts.rollbacks:
        return (f"{evidence} shows the rollback and no adoption",)
    if item.type not in SHOWS_ADOPTION:
        return (f"{evidence} is a {item.type}, which shows no adoption",)
    names = (client.id, client.name, *(routes_named(client.adopted_path or "") or (client.adopted_path or "",)))
    if not any(_names(item.content, name) for name in names if name):
        return (f"{evidence} names neither the client nor the path",)
    return ()


def _names(text: str, name: str) -> bool:
    """True when the name stands in the text by itself, in any case and with any spaces."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return re.search(rf"(?<![\w-]){words}(?![\w-])", text, re.IGNORECASE) is not None
