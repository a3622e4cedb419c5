"""Messages: what they carry, in which language it is described, and how they are told apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.contract.json_reader import Node
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.contracts.readers.asyncapi_bindings import MESSAGE, bindings
from evreview.contracts.readers.asyncapi_formats import OWN, Format, Language, format_of, payload_facet, translate
from evreview.contracts.readers.asyncapi_scope import Named, Position, Scope
from evreview.contracts.readers.asyncapi_traits import Merged, merged
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import described, media_type_key

_LABELS: Final = ("name", "title", "messageId")
_ANYTHING: Final[Mapping[str, Json]] = {"payload": True, "headers": {"type": "object"}}
_UNREAD: Final = {
    Language.RAML: "payloads described by RAML are not read: a change of one is shown and not judged",
    Language.OTHER: "payloads described in this format are not read: a change of one is shown and not judged",
}


def messages(found: Sequence[Named], scope: Scope, position: Position) -> tuple[Element, ...]:
    """One element per message, each once; keys are names that the author gave, made unique by those of components."""
    once = tuple({each.place: each for each in found}.values())
    whole = list(_different((each, merged(each.node, each.place, scope)) for each in once))
    names = [_name(each, parts) for each, parts in whole]
    often = Counter(names)
    made: dict[str, Element] = {}
    for (each, parts), name in zip(whole, names, strict=True):
        key = name if often[name] == 1 else f"{name} ({_component(each)})"
        while key in made:
            key += "'"
        made[key] = _shared(key, each, parts, scope, position)
    return tuple(made.values())


def _different(found: Iterable[tuple[Named, Merged]]) -> Iterator[tuple[Named, Merged]]:
    """The messages without those that another one of the same name and file says alike."""
    said: set[tuple[str, str, str]] = set()
    for each, parts in found:
        told = (_name(each, parts), each.place.file, json.dumps(parts.node, sort_keys=True))
        if told not in said:
            said.add(told)
            yield each, parts


def _name(named: Named, parts: Merged) -> str:
    given = next((parts.node[key] for key in ("name", "messageId") if isinstance(parts.node.get(key), str)), None)
    return str(given or _component(named) or parts.node.get("title") or "")


def _component(named: Named) -> str:
    """The name of the component that holds a message, else that of its entry in the channel; "" for one in place."""
    steps = steps_of(named.place.pointer) or ()
    return steps[-1] if steps[-2:-1] == ("messages",) else named.name


def _shared(key: str, named: Named, parts: Merged, scope: Scope, position: Position) -> Element:
    shared = ("message", key, named.place, position)
    if shared not in scope.shared:
        scope.shared[shared] = _message(key, named, parts, scope, position)
    return scope.shared[shared]


def _message(key: str, named: Named, parts: Merged, scope: Scope, position: Position) -> Element:
    payload = _described(parts, "payload", scope)
    head = _described(parts, "headers", scope)
    return Element(
        kind=ElementKind.MESSAGE,
        key=key,
        name=key,
        aspect=Aspect.METHODS,
        place=named.place,
        role=position.role,
        polarity=position.polarity,
        facets=(*_facets(named, parts, scope), *_language(payload), *described(parts.node)),
        value=payload.value,
        children=(
            *([_headers(head.value, position)] if head.value is not None else []),
            *bindings(parts, scope, position, MESSAGE),
        ),
    )


def _facets(named: Named, parts: Merged, scope: Scope) -> Iterator[Facet]:
    for label in _LABELS:
        if label in parts.node:
            yield Facet(label, Aspect.IDENTIFIERS, parts.node[label], False, parts.pointer(label))
    yield Facet("component", Aspect.IDENTIFIERS, _component(named), False)
    declared = parts.node.get("contentType")
    content_type = declared if declared is not None else scope.root.get("defaultContentType")
    if isinstance(content_type, str):
        where = parts.pointer("contentType")
        yield Facet("contentType", Aspect.CONTENT_TYPES, media_type_key(content_type), True, where)
    elif content_type is not None:
        scope.skip(parts.place, "contentType: not a string", "write it as a media type")
    yield from _correlation(parts, scope)


def _correlation(parts: Merged, scope: Scope) -> Iterator[Facet]:
    item = parts.node.get("correlationId")
    found = scope.resolve(item, parts.at("correlationId"), "correlation id") if item is not None else None
    if found is not None:
        location = found[0].get("location")
        yield Facet("correlationId", Aspect.CORRELATION, location, True, parts.pointer("correlationId"))


class _Part:
    """A payload or headers: the format, the value set of JSON, and the description as it stands in any other."""

    __slots__ = ("format", "node", "pointer", "value")

    def __init__(self, written: Format, value: ValueSet | None, node: Json, pointer: str = "/payload") -> None:
        self.format, self.value, self.node, self.pointer = written, value, node, pointer


def _format(parts: Merged, scope: Scope) -> Format:
    return OWN if scope.third else format_of(parts.node.get("schemaFormat"), parts.at("schemaFormat"), scope)


def _described(parts: Merged, key: str, scope: Scope) -> _Part:
    """What describes a part of the message, whichever way the generation names its format."""
    if key not in parts.node:
        return _undescribed(key, parts, scope)
    node, place = parts.node[key], parts.at(key)
    written = OWN if key == "headers" else _format(parts, scope)
    multi = _multi_format(node, place, scope) if scope.third else None
    if multi is not None:
        holder, at = multi
        written = format_of(holder.get("schemaFormat"), at.child("schemaFormat"), scope)
        node, place = holder.get("schema"), at.child("schema")
    if not written.is_json:
        if written.language in _UNREAD:
            scope.skip(place, _UNREAD[written.language], f"it is {written.written}")
        inside = place.file == parts.place.file and place.pointer.startswith(f"{parts.place.pointer}/")
        pointer = place.pointer.removeprefix(parts.place.pointer) if inside else "/payload"
        return _Part(written, None, _text(node, place, scope), pointer)
    if not isinstance(node, dict | bool):
        scope.skip(place, f"{key}: neither an object nor a boolean", "describe it by a schema")
        return _Part(written, None, None)
    if written.language is Language.OPENAPI:
        translate(node, place, scope)
        node = scope.edits.get(place, node)
    return _Part(written, ValueSet(place, node, scope.dialect), None)


def _undescribed(key: str, parts: Merged, scope: Scope) -> _Part:
    """Any payload, and headers of any names: what holds of a part that a message does not describe."""
    written = OWN if key == "headers" else _format(parts, scope)
    if not written.is_json:
        return _Part(written, None, None)
    place = parts.place.child(key)
    return _Part(written, ValueSet(place, scope.edited(place, _ANYTHING[key]), scope.dialect), None)


def _multi_format(node: Json, place: Place, scope: Scope) -> tuple[Node, Place] | None:
    """The Multi Format Schema Object that a node is or refers to."""
    found = scope.resolver.follow(place, node)
    holder = found[1] if found is not None else None
    is_multi = isinstance(holder, dict) and "schemaFormat" in holder and "schema" in holder
    return (holder, found[0]) if is_multi and found is not None and isinstance(holder, dict) else None


def _text(node: Json, place: Place, scope: Scope) -> Json:
    """A description that is no JSON Schema: what its reference leads to, or the reference where that is not here."""
    found = scope.resolver.follow(place, node)
    return found[1] if found is not None else node


def _language(payload: _Part) -> Iterator[Facet]:
    written = payload.format
    name = Language.JSON if written.is_json else written.language
    spelled = written.written if written.language is Language.OTHER else name.value
    yield Facet("schemaFormat", Aspect.FORMATS, spelled)
    yield Facet("schemaFormat as written", Aspect.ANNOTATIONS, written.written, False)
    if not written.is_json:
        yield Facet(payload_facet(written.language), Aspect.CONTENT_MODEL, payload.node, True, payload.pointer)


def _headers(value: ValueSet, position: Position) -> Element:
    return Element(
        kind=ElementKind.HEADERS,
        key="",
        name="headers",
        aspect=Aspect.HEADERS,
        place=value.place,
        role=position.role,
        polarity=position.polarity,
        value=value,
    )
