"""Values as the body of a message and back: JSON, forms, parts, text and octets."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice, product
from typing import Final
from urllib.parse import quote, unquote

from evreview.contract.model import Contract, Element, ElementKind, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json
from evreview.messages.encoding_defaults import is_styled
from evreview.messages.media_types import essence, is_json, is_text, is_unwritten, unusual
from evreview.messages.message import Body, Pairs
from evreview.messages.parameter_styles import (
    NoCodec,
    NotOnWire,
    Style,
    claims,
    delimiter,
    from_pairs,
    style_of,
    text_of,
    to_pairs,
)
from evreview.messages.value_types import TypeOutline, readings

_PLAIN: Final = "text/plain"
_OCTETS: Final = "application/octet-stream"
_MAX_COMBINATIONS: Final = 8
_Readings = list[tuple[str, list[Json]]]


def encode(value: Json, media: Element, content_type: str, form: TypeOutline) -> Body:
    """The body that carries a value.

    Args:
        value: of the media type's schema.
        media: with the encodings of its fields.
        content_type: of the message.
        form: of the schema.

    Raises:
        NotOnWire: the format cannot carry it, or is none that is written here.
    """
    if is_json(content_type):
        return Body("json", value)
    if is_unwritten(content_type):
        raise NoCodec(f"values of {essence(content_type)} are not written here")
    match essence(content_type):
        case "application/x-www-form-urlencoded":
            return Body("form", "&".join(f"{name}={text}" for name, text in _fields(value, media)))
        case "multipart/form-data":
            return Body("multipart", _parts(value, media, form))
        case _ if is_text(content_type):
            return Body("text", text_of(value))
        case kind if kind.startswith("multipart/"):
            raise NoCodec(f"values of {kind} are not written here")
        case _:
            return Body("base64", base64.b64encode(_octets(value)).decode())


def decode(body: Body, media: Element, content_type: str, form: TypeOutline) -> list[Json] | None:
    """The values that a body may stand for; none when it is no such body, None when nothing here reads the format."""
    if is_json(content_type):
        return [body.content] if body.form == "json" else []
    if is_unwritten(content_type):
        return None
    match essence(content_type):
        case "application/x-www-form-urlencoded":
            return _from_form(body, media, form)
        case "multipart/form-data":
            return _from_parts(body, media, form)
        case _ if is_text(content_type):
            return readings(body.content, form) if body.form == "text" and isinstance(body.content, str) else []
        case kind if kind.startswith("multipart/"):
            return None
        case _:
            return _from_octets(body)


def _styled(media: Element, name: str) -> bool:
    """True for a part that a style writes, not its content type: OpenAPI 3.1, section 4.8.15."""
    encoding = _encoding(media, name)
    return encoding is not None and is_styled(encoding)


def _encoding(media: Element, name: str) -> Element | None:
    found = (child for child in media.children if child.kind is ElementKind.ENCODING)
    return next((child for child in found if child.key == name), None)


def _field_style(media: Element, name: str) -> Style:
    encoding = _encoding(media, name)
    return style_of(encoding, "query", name) if encoding is not None else Style("query", name, "form", True)


def _fields(value: Json, media: Element) -> Pairs:
    if not isinstance(value, Mapping):
        raise NotOnWire("a form carries an object only")
    found: list[tuple[str, str]] = []
    for name, member in value.items():
        style = _field_style(media, name)
        if is_json(_content_type(media, name)):
            found.append((style.encode(name), style.encode(_written(member))))
        elif isinstance(member, Mapping) and style.style != "deepObject" and style.explode:
            raise NotOnWire("an exploded object in a form loses its name")
        else:
            found.extend(to_pairs(member, style))
    return tuple(found)


def _as_json(media: Element, name: str, member: Json) -> bool:
    stated = _content_type(media, name)
    return isinstance(member, (Mapping, list)) and stated != "" and is_json(stated)


def _content_type(media: Element, name: str) -> str:
    encoding = _encoding(media, name)
    stated = encoding.facet("contentType") if encoding is not None else None
    return stated.partition(",")[0].strip() if isinstance(stated, str) else ""


def _from_form(body: Body, media: Element, form: TypeOutline) -> list[Json]:
    if body.form != "form" or not isinstance(body.content, str):
        return []
    pairs = [part.partition("=")[::2] for part in body.content.split("&") if part]
    left = [(name, text.replace("+", "%20")) for name, text in pairs]
    found: _Readings = []
    names = dict.fromkeys([*form.members, *(unquote(name) for name, _ in left)])
    for name in names:
        style = _field_style(media, name)
        below = form.member(name)
        own = [pair for pair in left if claims(pair[0], style, below, frozenset(form.members))]
        if not own:
            continue
        left = [pair for pair in left if pair not in own]
        stated = _content_type(media, name)
        values = _json_texts(own) if stated and is_json(stated) else from_pairs(own, style, below)
        if not values:
            return []
        found.append((name, values))
    return _combined(found)


def _json_texts(pairs: Sequence[tuple[str, str]]) -> list[Json]:
    return [value for _, text in pairs[:1] for value in _loaded(unquote(text))]


def _loaded(text: str) -> list[Json]:
    try:
        return [json.loads(text)]
    except ValueError:
        return []


def _parts(value: Json, media: Element, form: TypeOutline) -> list[Json]:
    if not isinstance(value, Mapping):
        raise NotOnWire("multipart/form-data carries an object only")
    if any(isinstance(member, Mapping) and _styled(media, name) for name, member in value.items()):
        raise NoCodec("objects that a style writes into parts are not written here")
    return [
        _part(name, item, media, form.member(name))
        for name, member in value.items()
        for item in _in_parts(name, member, media)
    ]


def _in_parts(name: str, member: Json, media: Element) -> list[Json]:
    """What each part of a field carries: an item of a list, or all of them in one text."""
    if not isinstance(member, list) or _as_json(media, name, member):
        return [member]
    style = _field_style(media, name)
    if style.explode:
        return member
    ((_, written),) = to_pairs(member, style)
    text = unquote(written)
    if len(text.split(unquote(delimiter(style)))) > len(member):
        raise NotOnWire("an item holds the sign that parts the items")
    return [text]


def _part(name: str, value: Json, media: Element, form: TypeOutline) -> Json:
    stated = _content_type(media, name)
    if "*" in stated:
        stated = unusual(stated)[0 if isinstance(value, (Mapping, list)) else 1]
    kind = stated or _default_type(value, media, form)
    made: dict[str, Json] = {"name": name, "content_type": kind}
    encoding = _encoding(media, name)
    owed = [child.key for child in encoding.children if child.facet("required") is True] if encoding else []
    if owed:
        made["headers"] = dict.fromkeys(owed, "a")
    if is_json(kind):
        return {**made, "text": _written(value)}
    if essence(kind).startswith("text/"):
        return {**made, "text": text_of(value)}
    return {**made, "base64": base64.b64encode(_octets(value)).decode()}


def _default_type(value: Json, media: Element, form: TypeOutline) -> str:
    """The content type of a part of which nothing is said: OpenAPI 3.0.3, 4.7.15, and 3.1.0, 4.8.15, `contentType`."""
    if isinstance(value, (Mapping, list)):
        return "application/json"
    of_value = form.item if "array" in form.types else form
    untyped = media.value is not None and media.value.dialect is SchemaDialect.OPENAPI_3_1 and not of_value.types
    return _OCTETS if untyped or (of_value.octets and isinstance(value, str)) else _PLAIN


def _from_parts(body: Body, media: Element, form: TypeOutline) -> list[Json] | None:
    if body.form != "multipart" or not isinstance(body.content, list):
        return []
    by_name: dict[str, list[Mapping[str, Json]]] = {}
    for part in body.content:
        if not isinstance(part, Mapping) or not isinstance(part.get("name"), str):
            return []
        by_name.setdefault(str(part["name"]), []).append(part)
    found: _Readings = []
    for name, parts in by_name.items():
        below = form.member(name)
        if _styled(media, name) and "object" in below.types:
            return None
        if _is_joined(parts, _field_style(media, name), below):
            joined = _joined_readings(parts, _field_style(media, name), below)
            if not joined:
                return []
            found.append((name, joined))
            continue
        each_item = [_part_readings(part, below.item if "array" in below.types else below) for part in parts]
        if not all(each_item):
            return []
        lists: list[Json] = [list(items) for items in islice(product(*each_item), _MAX_COMBINATIONS)]
        values = [*lists] if "array" in below.types else []
        if len(parts) == 1 and (
            not below.types or below.types - {"array"} or is_json(str(parts[0].get("content_type")))
        ):
            values += _part_readings(parts[0], below)
        if not values:
            return []
        found.append((name, values))
    return _combined(found)


def _is_joined(parts: Sequence[Mapping[str, Json]], style: Style, form: TypeOutline) -> bool:
    """True where one text is to hold all items of a list."""
    texts = (isinstance(part.get("text"), str) and not is_json(str(part.get("content_type", ""))) for part in parts)
    return not style.explode and "array" in form.types and all(texts)


def _joined_readings(parts: Sequence[Mapping[str, Json]], style: Style, form: TypeOutline) -> list[Json]:
    """The lists that the one text stands for, none for several texts."""
    pairs = [(quote(style.name, safe=""), quote(str(part["text"]), safe=",|\t ")) for part in parts]
    return from_pairs(pairs, style, form)


def _part_readings(part: Mapping[str, Json], form: TypeOutline) -> list[Json]:
    if isinstance(part.get("base64"), str):
        return _from_octets(Body("base64", part["base64"]))
    text = part.get("text")
    if not isinstance(text, str):
        return []
    return _loaded(text) if is_json(str(part.get("content_type", ""))) else readings(text, form)


def _octets(value: Json) -> bytes:
    if not isinstance(value, str):
        raise NotOnWire("a body of octets carries text only")
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode()


def _from_octets(body: Body) -> list[Json]:
    if body.form != "base64" or not isinstance(body.content, str):
        return []
    try:
        return [base64.b64decode(body.content, validate=True).decode("latin-1")]
    except binascii.Error:
        return []


def _written(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _combined(found: _Readings) -> list[Json]:
    names = [name for name, _ in found]
    first = [
        dict(zip(names, each, strict=True))
        for each in islice(product(*(values for _, values in found)), _MAX_COMBINATIONS)
    ]
    return [*first, {name: values[-1] for name, values in found}]


# Members that a sender does not send: `readOnly` ones in requests, `writeOnly` ones in responses.


HIDDEN: Final = "the value is sent only in a member that is readOnly in a request or writeOnly in a response"
_MARKS: Final = {Direction.READ: "readOnly", Direction.WRITTEN: "writeOnly"}
_CERTAIN: Final = ("allOf",)
_POSSIBLE: Final = ("allOf", "anyOf", "oneOf", "if", "then", "else")
_MAX_SCHEMAS: Final = 200
_Node = tuple[Place, Mapping[str, Json]]


@frozen
class UnsentMembers:
    """What one contract as sender keeps back."""

    _resolver: Resolver
    _mark: str
    _known: dict[tuple[object, ...], list[_Node]] = field(default_factory=dict, repr=False, compare=False)
    _kept_back: dict[tuple[int, int, str], bool] = field(default_factory=dict, repr=False, compare=False)

    def without(self, where: ValueSet, value: Json) -> Json:
        """The value as it is sent."""
        return self._sent([(where.place, where.node)], value)

    def _sent(self, about: list[tuple[Place, Json]], value: Json) -> Json:
        """What is left of a value that some schemas are about."""
        nodes = self._parts(about)
        if isinstance(value, Mapping):
            kept: dict[str, Json] = {}
            certain = self._parts(about, _CERTAIN)
            for name, member in value.items():
                if self._is_kept_back(certain, nodes, name):
                    continue
                below = list(_members(nodes, name))
                kept[name] = self._sent(below, member) if isinstance(member, (dict, list)) else member
            return kept
        if isinstance(value, list):
            return [self._sent(list(_items(nodes, at)), item) for at, item in enumerate(value)]
        return value

    def _is_kept_back(self, certain: list[_Node], possible: list[_Node], name: str) -> bool:
        """True for a declared property whose own schema has the mark: other members and branches know none.

        What only some variants of a union declare so is sent by the others. Asked again for every value; both lists are
        among those of `_parts`, so that their identity holds.
        """
        key = (id(certain), id(possible), name)
        if key not in self._kept_back:
            self._kept_back[key] = self._is_marked(certain, possible, name)
        return self._kept_back[key]

    def _is_marked(self, certain: list[_Node], possible: list[_Node], name: str) -> bool:
        if any(self._marked(each) for each in _declared(certain, name)):
            return True
        declared = _declared(possible, name)
        return bool(declared) and all(map(self._marked, declared))

    def _marked(self, property_: tuple[Place, Json]) -> bool:
        return any(node.get(self._mark) is True for _, node in self._parts([property_], _CERTAIN))

    def _parts(self, found: list[tuple[Place, Json]], through: tuple[str, ...] = _POSSIBLE) -> list[_Node]:
        """The nodes that speak about the same value, through references and branches; asked again for every value."""
        key = (through, *[id(node) for _, node in found])
        if key not in self._known:
            self._known[key] = self._together(list(found), through)
        return self._known[key]

    def _together(self, found: list[tuple[Place, Json]], through: tuple[str, ...]) -> list[_Node]:
        made: list[_Node] = []
        seen: set[int] = set()
        while found and len(made) < _MAX_SCHEMAS:
            place, node = found.pop()
            if not isinstance(node, Mapping) or id(node) in seen:
                continue
            seen.add(id(node))
            made.append((place, node))
            end = self._resolver.follow(place, node)
            found += [end] if end is not None else []
            for key in through:
                branches = node.get(key, [])
                found += [(place, branch) for branch in (branches if isinstance(branches, list) else [branches])]
        return made


def hidden(contract: Contract, direction: Direction | None) -> UnsentMembers | None:
    """What a contract's sender keeps back in messages of a direction, None without one."""
    return None if direction is None else UnsentMembers(Resolver(contract.documents), _MARKS[direction])


def _properties(node: Mapping[str, Json]) -> Mapping[str, Json]:
    found = node.get("properties")
    return found if isinstance(found, Mapping) else {}


def _declared(nodes: list[_Node], name: str) -> list[tuple[Place, Json]]:
    return [(place, _properties(node)[name]) for place, node in nodes if name in _properties(node)]


def _members(nodes: list[_Node], name: str) -> Iterator[tuple[Place, Json]]:
    for place, node in nodes:
        if name in _properties(node):
            yield place, _properties(node)[name]
        elif "additionalProperties" in node:
            yield place, node["additionalProperties"]


def _items(nodes: list[_Node], at: int) -> Iterator[tuple[Place, Json]]:
    for place, node in nodes:
        first = node.get("prefixItems")
        if isinstance(first, list) and at < len(first):
            yield place, first[at]
        elif "items" in node:
            yield place, node["items"]
