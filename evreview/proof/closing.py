"""Schemas that close from outside: `unevaluated*` in place around a row, which refuses what nobody names beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evreview.contracts.model import ElementKind, Place
from evreview.ledger.delta import Delta
from evreview.shapes.view import Sub
from evreview.vocab import Json

WHY: Final = "A schema around the row judges what is left unevaluated, and comparing the whole decided nothing."
KEYWORDS: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_NAMING: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "items"}
    | {"contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "schema", "$ref"}
)
"""The rows that change which members and items a schema names."""
_ALL: Final = KEYWORDS | {"additionalProperties", "items", "additionalItems"}
"""The keywords that evaluate whatever is left, even where they admit all of it."""
_BRANCHES: Final = frozenset({"allOf", "anyOf", "oneOf", "if", "dependentSchemas"})
"""The rows that the schema of their own node may stand around: what a branch names is not named by the node."""


def closing(delta: Delta, subs: Sequence[Sub]) -> frozenset[Place]:
    """The schemas around a row that refuse members or items which the row begins or ceases to name.

    Args:
        delta: the row.
        subs: the schemas that judge its value, outermost first, that of its own node last.
    """
    names = delta.facet == "" if delta.element is ElementKind.PROPERTY else delta.facet in _NAMING
    parts = [part for sub in (subs if branching(delta) else subs[:-1]) for part in sub.parts] if names else []
    return frozenset(
        part.place for part in parts if isinstance(part.node, (dict, Mapping)) and KEYWORDS & part.node.keys()
    )


def branching(delta: Delta) -> bool:
    """True for a row about branches of a node, which decide what the node itself leaves unevaluated."""
    return delta.element is not ElementKind.PROPERTY and delta.facet in _BRANCHES


def evaluate_otherwise(released: Json, candidate: Json) -> bool:
    """True for two nodes of which only one looks at all that it does not name: a schema around may judge that."""
    looking = [
        _ALL & node.keys() if isinstance(node, (dict, Mapping)) else frozenset() for node in (released, candidate)
    ]
    return looking[0] != looking[1]
