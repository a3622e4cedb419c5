"""Which parts of a bundle a step reads, as digests. A changed slice makes the steps that read it stale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from evreview.evidence.item import Bundle
from evreview.evidence.records.decisions import Handling, Note
from evreview.vocab import EvidenceType


class Slice(StrEnum):
    REQUEST = "request"
    CONTRACTS = "contracts"
    IMPLEMENTATION = "implementation"
    RESULTS = "results"
    POLICY = "policy"
    CLIENTS = "clients"
    ROLLOUT = "rollout"
    AUTHORIZATION = "authorization"
    TRUST = "trust"
    NOTES = "notes"
    HANDLING = "handling"
    DECISIONS = "decisions"


TYPES: Final[Mapping[Slice, frozenset[str]]] = {
    Slice.CONTRACTS: frozenset({EvidenceType.CONTRACT}),
    Slice.IMPLEMENTATION: frozenset(
        {EvidenceType.IMPLEMENTATION_DIFF, EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT}
    ),
    Slice.RESULTS: frozenset(
        {EvidenceType.TEST_RECORD, EvidenceType.TEST_INVENTORY, EvidenceType.EXECUTION_AND_APPROVAL}
    ),
    Slice.POLICY: frozenset({EvidenceType.POLICY}),
    Slice.CLIENTS: frozenset({EvidenceType.CLIENT_INVENTORY}),
    Slice.ROLLOUT: frozenset({EvidenceType.ROLLOUT_RECORD}),
    Slice.TRUST: frozenset({EvidenceType.DATA_FLOW}),
}
_APART: Final = {Slice.NOTES: Note, Slice.HANDLING: Handling}
"""Decisions that are a slice of their own."""


def slice_digest(bundle: Bundle, part: Slice) -> str:
    """The sha256 of one slice: the request, some decisions, what an authorization is about, or items by type."""
    if part is Slice.REQUEST:
        return _sha(bundle.request.model_dump_json())
    if part in _APART or part is Slice.DECISIONS:
        kind, others = _APART.get(part), tuple(_APART.values())
        entries = [
            entry.model_dump_json()
            for entry in bundle.decisions.decisions
            if (isinstance(entry, kind) if kind else not isinstance(entry, others))
        ]
        return _sha("\n".join(entries))
    if part is Slice.AUTHORIZATION:
        return _sha("\n".join(_compared(bundle)))
    lines = [
        f"{item.id} {item.sha256} {item.integrity!r} {item.establishes!r}"
        for item in bundle.items.values()
        if str(item.type) in TYPES[part]
    ]
    return _sha("\n".join(lines))


def _compared(bundle: Bundle) -> Iterator[str]:
    """What an authorization is compared with: kind, integrity and digest of every item."""
    for item in bundle.items.values():
        yield f"{item.id} {item.type} {item.integrity!r} {item.sha256} {bundle.unbound.get(item.id, '')}"


def chained(before: str, bundle: Bundle, reads: tuple[str, ...]) -> str:
    """The digest of a step: what the steps before it read, and its own slices."""
    own = [f"{part}={slice_digest(bundle, Slice(part))}" for part in reads]
    return _sha("\n".join([before, *own]))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
