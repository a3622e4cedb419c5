"""The fields that a form describes: at its top, in its branches, by patterns and further members, or by name only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.contract.model import Element
from evreview.ledger.forms import value_sub
from evreview.ledger.node_pair import Side
from evreview.schema.formats import matches
from evreview.schema.view import Key, Part, SchemaView, Sub

_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_FURTHER: Final = frozenset({"additionalProperties", "unevaluatedProperties"})


def described(media_type: Element, name: str, side: Side) -> tuple[Sub, ...]:
    """The schemas that may describe a field of a form, wherever they stand; none when nothing there speaks of it.

    An object is open by default: that alone describes no field. A field that is only named may hold anything.
    """
    if media_type.value is None:
        return ()
    found: dict[Key, Sub] = {}
    for sub in _told(value_sub(media_type), name, side, set()):
        found.setdefault(side.views.resolve(sub).key, sub)
    return tuple(found.values())


def described_names(media_type: Element, side: Side) -> frozenset[str]:
    """The names of the fields that a form describes one by one, wherever it does."""
    found: set[str] = set()
    waiting = [value_sub(media_type)] if media_type.value is not None else []
    seen: set[Key] = set()
    while waiting:
        target = side.views.resolve(waiting.pop())
        if target.key not in seen:
            seen.add(target.key)
            view = side.views.view(target)
            found.update(view.properties)
            waiting += _branches(view)
    return frozenset(found)


def _told(sub: Sub, name: str, side: Side, seen: set[Key]) -> Iterator[Sub]:
    target = side.views.resolve(sub)
    if target.key in seen:
        return
    seen.add(target.key)
    view = side.views.view(target)
    if name in view.properties:
        # What else is said of the field holds beside this: the view takes it together where it can.
        yield view.properties[name]
        return
    yield from (each for pattern, each in view.patterns.items() if matches(pattern, name) is not False)
    further = [each for each in (view.additional, view.unevaluated_properties) if each is not True]
    yield from (each for each in further if isinstance(each, Sub))
    if _names(view, name) or _elsewhere(target, view) or (not further and target.writes(_FURTHER)):
        yield Sub((Part(True, target.place),))
    for branch in _branches(view):
        yield from _told(branch, name, side, seen)


def _names(view: SchemaView, name: str) -> bool:
    """True for a schema that demands the field, or lists it in whole values."""
    depending = view.dependent_required.items()
    listed = any(isinstance(value, dict) and name in value for value in view.enum or ())
    return (
        listed
        or name in view.required
        or name in view.dependent_schemas
        or view.property_names is not None
        or any(name == key or name in names for key, names in depending)
    )


def _elsewhere(target: Sub, view: SchemaView) -> bool:
    """True where schemas that stand elsewhere judge the same value: subtypes, or what a reference does not lead to."""
    return target.writes(_REFERENCES) or (view.discriminator is not None and not (view.any_of or view.one_of))


def _branches(view: SchemaView) -> Iterator[Sub]:
    """What judges the same value."""
    yield from (*view.all_of, *view.any_of, *view.one_of)
    yield from (*view.conditional.values(), *view.dependent_schemas.values())
    if view.negated is not None:
        yield view.negated
