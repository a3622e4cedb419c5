"""Schemas that close from outside: `unevaluated*` in place around a row, which refuses what nobody names beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.contract.model import ElementKind, Place, SchemaDialect, ValueSet
from evreview.core.json_values import sorted_text
from evreview.core.vocabulary import Json
from evreview.ledger.delta import Delta
from evreview.schema.reader import UNEVALUATED
from evreview.schema.view import Sub

WHY: Final = "A schema around the row judges what is left unevaluated, and comparing the whole decided nothing."
_NAMING: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "items"}
    | {"contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "schema", "$ref"}
)
"""The rows that change which members and items a schema names."""
_ALL: Final = UNEVALUATED | {"additionalProperties", "items", "additionalItems"}
"""The keywords that evaluate whatever is left, even where they admit all of it."""
_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_JUDGING: Final = frozenset(
    {SchemaDialect.OPENAPI_3_1, SchemaDialect.DRAFT_2019_09, SchemaDialect.DRAFT_2020_12, SchemaDialect.ANY_DRAFT}
)
"""The versions of schemas that know such a keyword."""
_BRANCHES: Final = frozenset({"allOf", "anyOf", "oneOf", "if", "dependentSchemas", "contains"})
"""The rows that the schema of their own node may stand around: what a branch names, or what `contains` matches."""


def closing(delta: Delta, subs: Sequence[Sub]) -> frozenset[Place]:
    """The schemas around a row that refuse members or items which the row begins or ceases to name.

    Args:
        delta: the row.
        subs: the schemas that judge its value, outermost first, that of its own node last.
    """
    names = delta.facet == "" if delta.element is ElementKind.PROPERTY else delta.facet in _NAMING
    parts = [part for sub in (subs if branching(delta) else subs[:-1]) for part in sub.parts] if names else []
    return frozenset(
        part.place for part in parts if isinstance(part.node, (dict, Mapping)) and UNEVALUATED & part.node.keys()
    )


def branching(delta: Delta) -> bool:
    """True for a row about branches of a node, which decide what the node itself leaves unevaluated."""
    return delta.element is not ElementKind.PROPERTY and delta.facet in _BRANCHES


def judges(*nodes: Json) -> bool:
    """True when one of some nodes, or a branch written in it, says what holds of all that is left unevaluated."""
    return any(not UNEVALUATED.isdisjoint(node) for node in in_place(*nodes))


def evaluate_otherwise(released: ValueSet, candidate: ValueSet) -> bool:
    """True for two nodes that may leave different members or items to a schema around them that judges the rest.

    Only one of them, or of the branches written in them, looks at all that it does not name, or a condition without
    consequence, which still looks, differs.
    """
    if not {released.dialect, candidate.dialect} <= _JUDGING:
        return False
    old, new = (sorted(filter(None, map(_evaluated, in_place(value.node)))) for value in (released, candidate))
    return old != new


def _evaluated(node: Mapping[str, Json]) -> str:
    """What a node by itself evaluates beyond names, as a text."""
    lone = None if "then" in node or "else" in node else node.get("if")
    return sorted_text([sorted(_ALL & node.keys()), lone]) if lone is not None or not _ALL.isdisjoint(node) else ""


def in_place(*nodes: Json) -> Iterator[Mapping[str, Json]]:
    """The nodes and the branches that are written in them."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (dict, Mapping)):
            continue
        yield node
        for keyword in _IN_PLACE & node.keys():
            below = node[keyword]
            waiting += below if isinstance(below, list) else [below]
