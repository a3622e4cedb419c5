"""The plain JSON that a row shows for a schema or an element: only what reaches the wire, to a bounded depth.

Equal meanings give equal forms, whatever the dialect, the spelling, the order or the component names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

import orjson

from evreview.contract.model import Element
from evreview.core.json_text import Inexact, whole
from evreview.core.quoted_text import MEMBER_END, WORD_END, begin_of
from evreview.core.vocabulary import Absent, Form, Json
from evreview.schema.view import Additional, Bound, Key, SchemaView, Sub, value_sub
from evreview.schema.views import Views

_POINT_ZERO = re.compile(rb"\.0(?=[,\]}]|$)")
_EXPONENT = re.compile(rb"e\+?\d+(?=[,\]}]|$)")
"""How a whole float ends in the text. Both begin with a fixed sign, so that the search runs as fast as the memory."""
_TEXTS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def canonical(form: Form) -> bytes:
    """One text per form: keys sorted, whole floats as integers; ABSENT is no JSON text."""
    if isinstance(form, Absent):
        return b"(absent)"
    try:
        text = orjson.dumps(form, option=_OPTIONS)
        if isinstance(form, str):
            return text
        return orjson.dumps(_plain(form), option=_OPTIONS) if _holds_whole_float(text) else text
    except (TypeError, orjson.JSONEncodeError):
        return repr(_plain(form)).encode("utf-8", "surrogatepass")


def _holds_whole_float(text: bytes) -> bool:
    """Whether a number of a JSON text may be a whole float; prose is full of "1.0", so texts are taken out."""
    return _ends_so(text) and _ends_so(_TEXTS.sub(b"", text))


def _ends_so(text: bytes) -> bool:
    return _POINT_ZERO.search(text) is not None or _EXPONENT.search(text) is not None


def _plain(form: Json) -> Json:
    if isinstance(form, float) and form.is_integer() and not isinstance(form, Inexact):
        return whole(form)
    if isinstance(form, (dict, Mapping)):
        return {str(key): _plain(form[key]) for key in sorted(form, key=str)}
    if isinstance(form, (list, tuple)):
        return [_plain(member) for member in form]
    return form


def same(left: Form | None, right: Form | None) -> bool:
    """Equality of JSON values that keeps `true` and 1 apart and 1 and 1.0 together."""
    if type(left) is type(right) and not isinstance(left, (dict, list, tuple)):
        return left == right
    return _spelled_alike(left, right) or canonical(left) == canonical(right)


def _spelled_alike(left: Form | None, right: Form | None) -> bool:
    """True for what is written alike, key by key; False says nothing."""
    try:
        return orjson.dumps(left) == orjson.dumps(right)
    except TypeError:
        return False


def cut(form: Form, limit: int = 400) -> Form:
    """The form for display only: itself up to `limit` characters, else the begin of its text with length and digest.

    The text ends between words, or between members of a list or object: half of a secret would pass every detector.
    """
    if isinstance(form, Absent) or (isinstance(form, str) and len(form) <= limit):
        return form
    text = form if isinstance(form, str) else canonical(form).decode("utf-8", "replace")
    if len(text) <= limit:
        return form
    kept = begin_of(text, limit, WORD_END if isinstance(form, str) else MEMBER_END)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kept}… [cut: {len(text)} characters, sha256:{digest}]"


def ordered(values: Iterable[Json]) -> list[Json]:
    """Values in an order that does not depend on how they were written."""
    return sorted(values, key=canonical)


class Forms:
    """Makes the forms of one contract's schemas and remembers them."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._known: dict[tuple[Key, int], Json] = {}

    def of(self, sub: Sub, depth: int = 2) -> Json:
        """The form of a schema position; below `depth` only types are named."""
        target = self._views.resolve(sub)
        key = (target.key, depth)
        if key not in self._known:
            self._known[key] = self._made(self._views.view(target), depth)
        return self._known[key]

    def _made(self, view: SchemaView, depth: int) -> Json:
        if view.never:
            return False
        form: dict[str, Json] = {}
        if view.types is not None:
            form["type"] = _types(view)
        if depth <= 0:
            return form
        form |= {name: value for name, value in _scalars(view).items() if value is not None}
        form |= self._members(view, depth - 1)
        return form

    def _members(self, view: SchemaView, depth: int) -> dict[str, Json]:
        form: dict[str, Json] = {}
        groups = {"properties": view.properties, "patternProperties": view.patterns, **_conditions(view)}
        for keyword, members in groups.items():
            if members:
                form[keyword] = {name: self.of(sub, depth) for name, sub in sorted(members.items())}
        singles: dict[str, Additional | None] = {
            "items": view.items,
            "additionalProperties": view.additional,
            "unevaluatedProperties": view.unevaluated_properties,
            "unevaluatedItems": view.unevaluated_items,
            "propertyNames": view.property_names,
            "contains": view.contains,
            "not": view.negated,
        }
        for keyword, sub in singles.items():
            if isinstance(sub, Sub):
                form[keyword] = self.of(sub, depth)
            elif sub is False:
                form[keyword] = False
        if view.prefix:
            form["prefixItems"] = [self.of(sub, depth) for sub in view.prefix]
        for keyword, branches in (("allOf", view.all_of), ("anyOf", view.any_of), ("oneOf", view.one_of)):
            if branches:
                form[keyword] = ordered(self.of(sub, depth) for sub in branches)
        return form


def _types(view: SchemaView) -> Json:
    names = sorted([*(view.types or ()), *(["null"] if view.null else [])])
    return names[0] if len(names) == 1 else list(names)


def _conditions(view: SchemaView) -> dict[str, Mapping[str, Sub]]:
    return {"conditional": view.conditional, "dependentSchemas": view.dependent_schemas}


def _scalars(view: SchemaView) -> dict[str, Json]:
    form: dict[str, Json] = {name: value for name, value in view.keywords.items() if name not in ("$ref", "deprecated")}
    form["enum"] = None if view.enum is None else ordered(view.enum)
    form["minimum"], form["maximum"] = _bound(view.minimum), _bound(view.maximum)
    form["required"] = sorted(view.required) or None
    form["dependentRequired"] = {name: sorted(names) for name, names in view.dependent_required.items()} or None
    form["discriminator"] = discriminator_form(view)
    return form


def _bound(bound: Bound | None) -> Json:
    return None if bound is None else bound.form


def discriminator_form(view: SchemaView) -> Json:
    """The discriminating field and the values that name a branch; component names only where they travel."""
    if view.discriminator is None:
        return None
    return {"propertyName": view.discriminator.property, "values": sorted(view.discriminator.values)}


def element_form(element: Element, forms: Forms | None) -> Json:
    """The form of a whole element: its key alone, or its key with what it says on the wire."""
    form: dict[str, Json] = {
        facet.name: facet.value
        for facet in element.facets
        if facet.on_wire and not isinstance(facet.value, Absent) and facet.value not in (False, None, [], (), {}, "")
    }
    if element.value is not None and forms is not None:
        form["schema"] = forms.of(value_sub(element))
    return {element.kind.value: element.key, **form} if form else element.key
