"""Which parts of a bundle a step reads, as digests. A changed slice makes the steps that read it stale."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Handling, Note

Authorized = Callable[[Bundle], Iterable[str]]
"""The lines of an authorization and of its answer."""


class Slice(StrEnum):
    REQUEST = "request"
    TERMS = "terms"
    ACTIONS = "actions"
    CONTRACTS = "contracts"
    IMPLEMENTATION = "implementation"
    RESULTS = "results"
    POLICY = "policy"
    CLIENTS = "clients"
    ROLLOUT = "rollout"
    AUTHORIZATION = "authorization"
    ITEMS = "items"
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
_REQUEST: Final[Mapping[Slice, tuple[set[str] | None, set[str] | None]]] = {
    Slice.REQUEST: (None, None),
    Slice.TERMS: (None, {"actions"}),
    Slice.ACTIONS: ({"actions"}, None),
}
"""What of the request counts, and what does not; None is everything, and nothing."""
_APART: Final[Mapping[Slice, type[Note] | type[Handling]]] = {Slice.NOTES: Note, Slice.HANDLING: Handling}
"""Decisions that are a slice of their own."""


def slice_digest(bundle: Bundle, part: Slice, authorized: Authorized | None = None) -> str:
    """The sha256 of one slice: the request or a part, some decisions, an authorization's answer, items, all or some."""
    if part in _REQUEST:
        only, without = _REQUEST[part]
        return _sha(bundle.request.model_dump_json(include=only, exclude=without))
    if part in _APART or part is Slice.DECISIONS:
        kind, others = _APART.get(part), tuple(_APART.values())
        entries = [
            entry.model_dump_json()
            for entry in bundle.decisions.decisions
            if (isinstance(entry, kind) if kind else not isinstance(entry, others))
        ]
        return _sha("\n".join(entries))
    if part is Slice.AUTHORIZATION:
        if authorized is None:
            raise ValueError("a step that reads the authorization says what of it counts")
        return _sha("\n".join(authorized(bundle)))
    every = part is Slice.ITEMS
    lines = [
        f"{item.type if every else ''}{item.id} {item.sha256} {item.integrity!r} {item.establishes!r}"
        for item in bundle.items.values()
        if every or str(item.type) in TYPES[part]
    ]
    return _sha("\n".join(lines))


def chained(before: str, bundle: Bundle, reads: tuple[str, ...], authorized: Authorized | None = None) -> str:
    """The digest of a step: what the steps before it read, and its own slices."""
    own = [f"{part}={slice_digest(bundle, Slice(part), authorized)}" for part in reads]
    return _sha("\n".join([before, *own]))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
