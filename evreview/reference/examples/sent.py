"""A contract's schemas as messages of one direction have to meet them, members that are kept back included.

OpenAPI 3.0.3, 4.7.24: what is `required` and `readOnly` is owed in responses only. `Source` says so of a member and a
`required` that stand in one schema object; here the same holds where `allOf` brings them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.contract.model import Contract, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json, Polarity
from evreview.schema.to_json_schema import Source

MARKS: Final[Mapping[Polarity, str]] = {Polarity.READ: "readOnly", Polarity.WRITTEN: "writeOnly"}
_MOST: Final = 100


class SentSource(Source):
    """The schemas of one contract for messages of one direction."""

    def __init__(self, contract: Contract, polarity: Polarity | None) -> None:
        super().__init__(contract, polarity)
        self._mark = MARKS.get(polarity, "") if polarity is not None else ""
        self._refs = Resolver(contract.documents)

    def _convert(self, value: ValueSet) -> Json:
        node = value.node
        if not self._mark or not isinstance(node, Mapping) or not isinstance(node.get("allOf"), list):
            return super()._convert(value)
        kept = frozenset(self._kept_back(value.place, node))
        return super()._convert(replace(value, node=_without(node, kept)) if kept else value)

    def _kept_back(self, place: Place, node: Json) -> Iterator[str]:
        """The members that a schema or a part of it marks as never sent."""
        waiting: list[tuple[Place, Json]] = [(place, node)]
        for _ in range(_MOST):
            if not waiting:
                return
            found = self._refs.follow(*waiting.pop())
            if found is None or not isinstance(found[1], Mapping):
                continue
            at, part = found[0], dict(found[1])
            properties, parts = part.get("properties"), part.get("allOf")
            for name, member in properties.items() if isinstance(properties, Mapping) else ():
                if not self.owed(member, at.child("properties", name)):
                    yield name
            waiting += [(at, each) for each in parts] if isinstance(parts, list) else []


def _without(node: Mapping[str, Json], kept: frozenset[str]) -> Json:
    """The node, and what is written in its `allOf`, without demanding what is kept back."""
    made = dict(node)
    if isinstance(made.get("required"), list):
        made["required"] = [name for name in made["required"] if name not in kept]  # type: ignore[union-attr]
    parts = made.get("allOf")
    if isinstance(parts, list):
        made["allOf"] = [_without(part, kept) if isinstance(part, Mapping) else part for part in parts]
    return made
