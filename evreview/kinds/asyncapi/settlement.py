"""Rows of an event contract that others explain: what went where some is unread, payloads in a new language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.elements import ElementDifference
from evreview.comparison.noise import NoiseReason
from evreview.contract.model import Contract, ElementKind
from evreview.core.vocabulary import Change
from evreview.kinds.asyncapi.reader_servers import PAYLOADS

_HOLDING: Final[Mapping[ElementKind, re.Pattern[str]]] = {
    ElementKind.OPERATION: re.compile(
        r"/operations(/[^/]+(/channel)?)?|/channels(/[^/]+(/publish|/subscribe|/\$ref)?)?"
    ),
    ElementKind.MESSAGE: re.compile(
        r"/operations/[^/]+/messages(/[^/]+)?|/channels/[^/]+/messages(/[^/]+)?"
        r"|/channels/[^/]+/(publish|subscribe)/message(/oneOf(/[^/]+)?)?"
    ),
}
"""Where the parts stand that a reader of AsyncAPI finds operations and messages in."""


def with_unread(rows: list[ElementDifference], released: Contract, candidate: Contract) -> list[ElementDifference]:
    """The rows, those of elements that went with the word that the candidate may hold them unread."""
    if not candidate.unread:
        return rows
    before = {(item.place.pointer, item.found) for item in released.unread}
    lost = [item.place.pointer for item in candidate.unread if (item.place.pointer, item.found) not in before]
    hidden = {kind for kind, holding in _HOLDING.items() if any(map(holding.fullmatch, lost))}
    return [_maybe_unread(row) if row.about.kind in hidden and _went(row) else row for row in rows]


def _went(row: ElementDifference) -> bool:
    return not row.difference.facet and row.difference.direction is Change.REMOVED


def _maybe_unread(row: ElementDifference) -> ElementDifference:
    return replace(row, difference=replace(row.difference, facts={**row.difference.facts, fact.MAYBE_UNREAD: True}))


# Payloads that are described in another language than before: one edit, whatever facets of the message it moves.


_FORMAT: Final = "schemaFormat"
_VALUES: Final = "schema"
Spot = tuple[str, tuple[str, ...]]


def one_per_language(rows: list[ElementDifference]) -> list[ElementDifference]:
    """The rows, those of descriptions that came or went with the language as noise: the row of the format says it."""
    changed = {_spot(row) for row in rows if row.difference.facet == _FORMAT and not row.difference.reason}
    return [_explained_by_format(row) if _spot(row) in changed and _is_description(row) else row for row in rows]


def _spot(row: ElementDifference) -> Spot:
    return row.position.operation, row.steps


def _is_description(row: ElementDifference) -> bool:
    facet = row.difference.facet
    return (facet == _VALUES or facet in PAYLOADS) and row.difference.direction is not Change.CHANGED


def _explained_by_format(row: ElementDifference) -> ElementDifference:
    return replace(row, difference=replace(row.difference, reason=NoiseReason.SAID_BY_FORMAT))
