"""What a message breaks, and where in the contract that is demanded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Contract, Place, ValueSet
from evreview.core.json_pointer import follow, pointer
from evreview.core.vocabulary import Json, Missing
from evreview.schema.to_json_schema import Source
from evreview.schema.validators import SchemaError

_SPELLED: Final[Mapping[str, tuple[str, ...]]] = {
    "prefixItems": ("prefixItems", "items"),
    "items": ("items", "additionalItems"),
    "exclusiveMinimum": ("exclusiveMinimum", "minimum"),
    "exclusiveMaximum": ("exclusiveMaximum", "maximum"),
}
"""How a keyword of the converted schema may be written in the document."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One demand that a message does not meet.

    Attributes:
        part: of the message (`body`, `query limit`, `header x-trace`, `status`, `content-type`, `path`, `security`).
        at: where inside the part, a JSON pointer.
        place: where the contract demands it.
        keyword: the demand (`required`, `type`, `media-type`, `path`, …).
        also: what stands behind a branch that no value of the part fits (`anyOf`, `oneOf`).
        by_schema: whether a validator of schemas found it; all else is found by reading the message here.
    """

    part: str
    at: str
    place: Place
    keyword: str
    also: tuple[Violation, ...] = ()
    by_schema: bool = False

    def to_json(self) -> dict[str, Json]:
        """The violation without what stands behind it."""
        return {"in": self.part, "at": self.at, "place": str(self.place), "keyword": self.keyword}

    def walk(self) -> Iterator[Violation]:
        """The violation and everything behind it."""
        yield self
        for one in self.also:
            yield from one.walk()


def placed(
    errors: Sequence[SchemaError], value: ValueSet, source: Source, contract: Contract, part: str
) -> tuple[Violation, ...]:
    """The errors of a schema check with their places in the contract.

    Args:
        errors: of the closed schema of `value`.
        value: the value set that was checked.
        source: that converted it.
        contract: that it stands in.
        part: of the message.
    """
    return tuple(
        Violation(
            part,
            pointer(error.at),
            _place(error.path, value, source, contract),
            error.keyword,
            placed(error.context, value, source, contract, part),
            by_schema=True,
        )
        for error in errors
    )


def _place(path: Sequence[str | int], value: ValueSet, source: Source, contract: Contract) -> Place:
    """Where the node of a schema path, without its keyword, is written; the nearest node above when it is nowhere."""
    at, steps = value.place, list(path[:-1])
    if len(steps) >= 2 and steps[0] == "$defs":
        at = source.place(str(steps[1])) or at
        steps = steps[2:]
    node: Json | Missing = follow(contract.documents.get(at.file), at.pointer)
    if isinstance(node, Missing):
        node = value.node
    for step in steps:
        found = next((key for key in _SPELLED.get(str(step), (str(step),)) if _has(node, key)), None)
        if found is None:
            break
        node = node[int(found)] if isinstance(node, list) else node[found]  # type: ignore[index, call-overload]
        at = at.child(found)
    return at


def _has(node: Json | Missing, key: str) -> bool:
    if isinstance(node, Mapping):
        return key in node
    return isinstance(node, list) and key.isdecimal() and int(key) < len(node)
