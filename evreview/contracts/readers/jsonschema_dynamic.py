"""`$dynamicRef` and `$recursiveRef` where one schema is meant however a value is reached.

JSON Schema core 2020-12, section 8.2.3.2, and 2019-09, section 8.2.4.2: both lead like `$ref`, and then, where the
schema found there is a dynamic anchor, to the outermost resource on the way that has the same. That is one and the same
when no other resource has it, or when the schema that every value starts at has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evreview.contract.model import Place
from evreview.core.vocabulary import Json

RECURSIVE = "$recursiveRef"
DYNAMIC = "$dynamicRef"
REFERENCES = ("$ref", DYNAMIC, RECURSIVE)
"""The keywords that lead elsewhere."""


@dataclass(slots=True)
class Anchors:
    """The dynamic anchors of all documents.

    Attributes:
        held: by name the resources that have the anchor, each with its place; the name of `$recursiveAnchor` is "".
    """

    held: dict[str, dict[str, Place]] = field(default_factory=dict)

    def add(self, resource: str, place: Place, node: Mapping[str, Json]) -> None:
        """Keeps the anchors of one schema in a resource."""
        name = node.get("$dynamicAnchor")
        if isinstance(name, str):
            self.held.setdefault(name, {}).setdefault(resource, place)
        if node.get("$recursiveAnchor") is True:
            self.held.setdefault("", {}).setdefault(resource, place)

    def target(self, name: str, first: Place, entry: str) -> Place | None:
        """Where a reference leads.

        Args:
            name: of the anchor, "" for a recursive one.
            first: where it leads at first.
            entry: the resource that every value starts at, "" where there are several.

        Returns:
            The place, or None where it depends on the way.
        """
        held = self.held.get(name, {})
        if first not in held.values():
            return first
        return next(iter(held.values())) if len(held) == 1 else held.get(entry)
