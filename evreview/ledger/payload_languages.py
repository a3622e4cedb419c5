"""Payloads that are described in another language than before: one edit, whatever facets of the message it moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison.elements import ElementDifference
from evreview.comparison.noise import SAID_BY_FORMAT
from evreview.contract.model import Contract
from evreview.core.vocabulary import Change, ContractKind

_FORMAT: Final = "schemaFormat"
_VALUES: Final = "schema"
Spot = tuple[str, tuple[str, ...]]


def one_per_language(rows: list[ElementDifference], released: Contract) -> list[ElementDifference]:
    """The rows, those of descriptions that came or went with the language as noise: the row of the format says it."""
    if released.kind is not ContractKind.ASYNCAPI:
        return rows
    changed = {_spot(row) for row in rows if row.difference.facet == _FORMAT and not row.difference.reason}
    return [_told(row) if _spot(row) in changed and _is_description(row) else row for row in rows]


def _spot(row: ElementDifference) -> Spot:
    return row.position.operation, row.steps


def _is_description(row: ElementDifference) -> bool:
    from evreview.contracts.readers.asyncapi_formats import PAYLOADS

    facet = row.difference.facet
    return (facet == _VALUES or facet in PAYLOADS) and row.difference.direction is not Change.CHANGED


def _told(row: ElementDifference) -> ElementDifference:
    return replace(row, difference=replace(row.difference, reason=SAID_BY_FORMAT))
