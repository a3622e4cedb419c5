"""A value of one schema node made into a value of the whole position that the node stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final

from evreview.contracts.model import ValueSet
from evreview.proof.contexts import Trail
from evreview.proof.edges import Step
from evreview.shapes.json_schema import Source
from evreview.shapes.samples import Samples
from evreview.vocab import Json

_BASES: Final = 3
_TRIES: Final = 12
_LONGEST: Final = 100
_IN_PLACE: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "dependentSchemas", "if", "then", "else"})


def lifted(source: Source, trail: Trail, value: Json) -> Iterator[Json]:
    """Whole values that carry `value` where the trail ends, simplest first. Nothing is promised about them."""
    levels = list(_levels(source, trail.steps))
    for bases in islice(product(*(bases for _, bases in levels)), _TRIES):
        made: Json | None = value
        for (step, _), base in zip(reversed(levels), reversed(bases), strict=True):
            made = _placed(step, base, made)
        yield made


def _levels(source: Source, steps: Sequence[tuple[ValueSet, Step]]) -> Iterator[tuple[Step, Sequence[Json]]]:
    """Each step into a member, with values for what stands around the member."""
    around: list[Json] = []
    for parent, step in steps:
        around.append(source.schema(parent))
        if step.keyword == "dependentSchemas":
            around.append({"required": [step.name]})
        if step.keyword not in _IN_PLACE:
            yield step, _bases(source, step, around)
            around = []


def _bases(source: Source, step: Step, around: list[Json]) -> Sequence[Json]:
    array = step.keyword in ("items", "prefixItems", "contains", "additionalItems", "unevaluatedItems")
    asked: Json = {"allOf": [{"type": "array" if array else "object"}, *around]}
    try:
        values = Samples(source.definition).values(asked)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return []
    return [value for value in values if isinstance(value, list if array else dict)][:_BASES]


def _placed(step: Step, base: Json, value: Json) -> Json:
    if isinstance(base, Mapping):
        names = {"properties": step.name, "propertyNames": str(value), "patternProperties": _letters(step.name)}
        name = names.get(step.keyword, "x")
        return {**base, name: base.get(name, 0) if step.keyword == "propertyNames" else value}
    items = list(base) if isinstance(base, list) else []
    if step.keyword == "prefixItems":
        at = int(step.name)
        return [*items[:at], value, *items[at + 1 :]]
    return [value] * min(max(1, len(items)), _LONGEST)


def _letters(pattern: str) -> str:
    """A name that simple patterns match."""
    return "".join(sign for sign in pattern if sign.isalnum() or sign in "-_") or "x"
