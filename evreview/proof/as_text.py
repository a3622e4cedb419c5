"""Values that travel as text: which of them the other side reads as its own, and values whose texts lie near limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.comparison.elements import Root
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Json
from evreview.messages.parameter_styles import NotOnWire, text_of
from evreview.messages.value_types import outline, readings
from evreview.proof.levels import Side

_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LONGEST: Final = 300
_PLAIN: Final[tuple[Json, ...]] = (0.5, True, -1, "a", ["a", "b"], [0, 1])


def travels_as_text(root: Root) -> bool:
    """True for parameters, headers and forms, whose values carry no types."""
    element = root.position.released
    if element.kind is ElementKind.MEDIA_TYPE:
        return element.key.startswith(_FORMS)
    return element.kind in (ElementKind.PARAMETER, ElementKind.HEADER)


def read_alike(value: Json, node: Json, side: Side) -> bool:
    """True when a side reads the text of a value as one that its schema admits, or when the value has none at all."""
    if isinstance(value, list) and len(value) < 2:
        return not value or read_alike(value[0], node, side)
    try:
        text = text_of(value)
    except NotOnWire:
        return False
    form = outline(node, side.source.definition)
    found = readings(text, form)
    if "array" in form.types:
        # As one item, or as several where the style writes them into one text.
        found += [[readings(part, form.item)[0] for part in parts] for parts in ([text], text.split(","))]
    return any(side.evaluator.admits(node, reading) is True for reading in found)


def near_limits(node: Json) -> Iterator[Json]:
    """Values whose texts are longer than a schema's own limit, or its items', or that lie beside its bounds."""
    items = node.get("items") if isinstance(node, dict) else None
    for each in (*_together(node), *_together(items)):
        for near in _near(each):
            yield from (near, [near])
    yield from _PLAIN


def _together(node: Json) -> Iterator[dict[str, Json]]:
    """A schema and the ones that it is read with; the bounds of a format are one."""
    said = node if isinstance(node, dict) else {}
    parts = said.get("allOf")
    yield said
    yield from (part for part in (parts if isinstance(parts, list) else []) if isinstance(part, dict))


def _near(node: dict[str, Json]) -> Iterator[Json]:
    longest = node.get("maxLength")
    if isinstance(longest, int) and 0 <= longest <= _LONGEST:
        yield from (10**longest, "a" * (longest + 1))
    for bound in (node.get(key) for key in _BOUNDS):
        if isinstance(bound, (int, float)):
            for beside in (bound - 1, bound + 1):
                yield from (beside, str(beside))
