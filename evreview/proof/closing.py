"""Schemas that close from outside: `unevaluated*` in place above a row, which refuses what nobody names beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from evreview.contracts.model import ElementKind, Place
from evreview.ledger.delta import Delta
from evreview.shapes.view import Sub

WHY: Final = "A schema around the row judges what is left unevaluated, and comparing the whole decided nothing."
KEYWORDS: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_NAMING: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "items"}
    | {"contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "schema", "$ref"}
)
"""The rows that change which members and items a schema names."""


def closing(delta: Delta, above: Iterable[Sub]) -> frozenset[Place]:
    """The schemas in place above a row that refuse members or items which the row begins or ceases to name."""
    names = delta.facet == "" if delta.element is ElementKind.PROPERTY else delta.facet in _NAMING
    parts = [part for sub in above for part in sub.parts] if names else []
    return frozenset(
        part.place for part in parts if isinstance(part.node, (dict, Mapping)) and KEYWORDS & part.node.keys()
    )
