"""What one side leaves unsaid and the other one writes: inherited servers, and the default encoding of a form field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.contract.model import Element, ElementKind, Facet, Place, SchemaDialect
from evreview.core.vocabulary import Aspect, Json
from evreview.schema.formats import matches
from evreview.schema.view import Key, Part, SchemaView, Sub, value_sub
from evreview.schema.views import Views
from evreview.schema.wire_text import OCTET_STREAM

# The fields that a form describes: at its top, in its branches, by patterns and further members, or by name only.


_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_FURTHER: Final = frozenset({"additionalProperties", "unevaluatedProperties"})


def described(media_type: Element, name: str, views: Views) -> tuple[Sub, ...]:
    """The schemas that may describe a field of a form, wherever they stand; none when nothing there speaks of it.

    An object is open by default: that alone describes no field. A field that is only named may hold anything.
    """
    if media_type.value is None:
        return ()
    found: dict[Key, Sub] = {}
    for sub in _told(value_sub(media_type), name, views, set()):
        found.setdefault(views.resolve(sub).key, sub)
    return tuple(found.values())


def described_names(media_type: Element, views: Views) -> frozenset[str]:
    """The names of the fields that a form describes one by one, wherever it does."""
    found: set[str] = set()
    waiting = [value_sub(media_type)] if media_type.value is not None else []
    seen: set[Key] = set()
    while waiting:
        target = views.resolve(waiting.pop())
        if target.key not in seen:
            seen.add(target.key)
            view = views.view(target)
            found.update(view.properties)
            waiting += _branches(view)
    return frozenset(found)


def _told(sub: Sub, name: str, views: Views, seen: set[Key]) -> Iterator[Sub]:
    target = views.resolve(sub)
    if target.key in seen:
        return
    seen.add(target.key)
    view = views.view(target)
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
        yield from _told(branch, name, views, seen)


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


Both = tuple[Sequence[Element], Sequence[Element]]
STYLE: Final = "style"
EXPLODE: Final = "explode"
ALLOW_RESERVED: Final = "allowReserved"
_DEFAULTS: Final = (
    Facet(STYLE, Aspect.SERIALISATION, "form"),
    Facet(EXPLODE, Aspect.SERIALISATION, True),
    Facet(ALLOW_RESERVED, Aspect.SERIALISATION, False),
)
_STYLED: Final = (STYLE, EXPLODE, ALLOW_RESERVED)
SINGLE: Final = frozenset({"string", "number", "integer", "boolean"})
"""The types whose values are one text wherever a message has texts alone."""


def follows_style(before: Sequence[Facet], after: Sequence[Facet]) -> bool:
    """True when the style differs and `explode` only goes with it: left unsaid, written with it, or its default."""
    styles = []
    for facets in (before, after):
        named = {facet.name: facet for facet in facets if facet.name in (STYLE, EXPLODE)}
        if len(named) != 2:
            return False
        style, explode = named[STYLE], named[EXPLODE]
        if explode.pointer not in ("", style.pointer) and explode.value is not (style.value == "form"):
            return False
        styles.append(style.value)
    return styles[0] != styles[1]


def is_styled(encoding: Element) -> bool:
    """True where a style is written: in 3.1 it writes a field of a form then, and not the field's content type."""
    return any(facet.pointer for facet in encoding.facets if facet.name in _STYLED)


def encoded(parents: tuple[Element, Element], children: Both, sides: tuple[Views, Views]) -> Both:
    """The children of two media types, where a field that both sides may have gets the encoding it has by default."""
    found = []
    for at in (0, 1):
        theirs = {child.key: child for child in children[1 - at] if child.kind is ElementKind.ENCODING}
        named = {child.key for child in children[at] if child.kind is ElementKind.ENCODING}
        form, views = parents[at], sides[at]
        lacking = (each for name, each in theirs.items() if name not in named and described(form, name, views))
        found.append([*children[at], *(_default(each, form.place) for each in lacking)])
    return found[0], found[1]


def _default(encoding: Element, place: Place) -> Element:
    """What a form says of a field without a word: it stands where the form does."""
    return Element(
        kind=encoding.kind,
        key=encoding.key,
        name=encoding.name,
        aspect=encoding.aspect,
        place=place,
        role=encoding.role,
        direction=encoding.direction,
        in_error=encoding.in_error,
        facets=_DEFAULTS,
    )


def part_type(forms: tuple[Element, Element], name: str, sides: tuple[Views, Views]) -> str:
    """The content type of a field without an encoding, "" where the standard leaves it open or both sides differ."""
    found: set[str] = set()
    for form, views in zip(forms, sides, strict=True):
        subs = described(form, name, views)
        found.update(kind_of_part(views.of(sub), views) for sub in subs)
        found.update([] if subs else [""])
    return found.pop() if len(found) == 1 else ""


def kind_of_part(view: SchemaView, views: Views, *, item: bool = False) -> str:
    """OpenAPI 3.1, section 4.8.15: by the schema of the field, for an array by that of its items."""
    if view.types == frozenset({"object"}):
        return "application/json"
    if view.types == frozenset({"array"}) and isinstance(view.items, Sub) and not item:
        return kind_of_part(views.of(view.items), views, item=True)
    untyped = view.types is None and not view.typed and not view.composed and view.enum is None
    any_items = view.types == frozenset({"array"}) and view.items is True and not view.prefix and not item
    if untyped or any_items:
        return OCTET_STREAM if views.dialect is SchemaDialect.OPENAPI_3_1 else ""
    if view.types is None or not view.types <= SINGLE:
        return ""
    if view.keywords.get("format") == "binary" or "contentEncoding" in view.keywords:
        return OCTET_STREAM
    stated = view.keywords.get("contentMediaType", "text/plain")
    return str(stated) if stated in (OCTET_STREAM, "text/plain") else ""


def demanded(operations: Iterable[Element]) -> Iterator[Json]:
    """The names of the schemes that some operation demands."""
    for operation in operations:
        for child in operation.children:
            listed = child.facet("requirements") if child.kind is ElementKind.SECURITY else None
            for alternative in listed if isinstance(listed, list) else []:
                yield from alternative if isinstance(alternative, dict) else ()
