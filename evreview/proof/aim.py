"""Values of a row's own node, aimed at what the row changed. Whether they hit is asked later."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Json
from evreview.ledger.delta import Delta
from evreview.proof.levels import Level, Side, conditions
from evreview.proof.names import addressed_name
from evreview.schema.boundary_values import Samples
from evreview.schema.value_generator import Hole

_BUILT: Final = 24
_HELD: Final = 3
_SAMPLED: Final = 160
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_ODD: Final[tuple[Json, ...]] = (0, "a", True, None, [], {}, 0.5)


def aimed(delta: Delta, level: Level, hint: Json, sides: tuple[Side, Side], branch: Json | None) -> Iterator[Json]:
    """Values for the level of a row.

    Args:
        delta: the row.
        level: what the sent side demands of the value.
        hint: what the expected side demands of the row's node.
        sides: the sent side and the expected one.
        branch: the branch of the sent side that the row is about, None for any other row.
    """
    sent = sides[0]
    schemas = [sent.schema(sub) for sub in level.subs]
    schema: Json = {"allOf": [*reversed(schemas), *conditions(schemas)]}
    if branch is not None:
        schema = {"allOf": [branch, schema]}
    if delta.element is ElementKind.PROPERTY:
        yield from _members(delta, schema, hint, sides)
        return
    if delta.facet == "nullable":
        yield None
    for key in (comparison_delta.ADDED_VALUES, comparison_delta.REMOVED_VALUES):
        listed = delta.facts.get(key)
        yield from listed if isinstance(listed, list) else ()
    yield from (value for (value,) in islice(sent.builder.values(schema), _BUILT))
    yield from sampled(schema, hint, sides)
    for (value,) in islice(sent.builder.values(schema), 2):
        if isinstance(value, dict):
            yield from ({**value, name: odd} for name in ("x", "a" * 40) for odd in _ODD)


def _members(delta: Delta, schema: Json, hint: Json, sides: tuple[Side, Side]) -> Iterator[Json]:
    """Objects that have the member of a row, and objects that do without it."""
    sent, expected = sides
    name = addressed_name(delta)
    for (value,) in islice(sent.builder.values(schema), _BUILT):
        if isinstance(value, dict):
            yield {key: member for key, member in value.items() if key != name}
    declared, asked = sent.builder.member(schema, name), expected.builder.member(hint, name)
    values = [value for (value,) in islice(sent.builder.values(declared), _HELD)] if declared is not None else []
    if asked is not None:
        values += sampled(True if declared is None else declared, asked, sides)
    for held in (*values, *_ODD):
        yield from islice(sent.builder.around(schema, Hole("properties", name), held), 2)


def sampled(schema: Json, hint: Json, sides: tuple[Side, Side]) -> list[Json]:
    """Values of the sent side's schema near the limits of the expected side's."""
    try:
        return Samples(sides[0].source.definition, sides[1].source.definition, _SAMPLED).values(schema, hint)
    except _MALFORMED:
        return []
