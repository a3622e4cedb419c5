"""Parameter values as text and back: `style`, `explode` and `allowReserved`, after RFC 6570.

What a style cannot carry (null, nested lists, an empty list) has no text. Header values are written as they are,
without percent encoding; `label` without `explode` separates by commas, as RFC 6570 does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Final
from urllib.parse import quote, unquote

from evreview.contract.model import Element
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json
from evreview.messages.message import Pairs
from evreview.messages.value_types import TypeOutline, readings

_UNRESERVED: Final = "-._~"
_RESERVED: Final = ":/?@!$'()*,;[]"
"""What `allowReserved` leaves as it is; `&`, `=`, `+` and `#` would end the value."""
_DELIMITERS: Final[Mapping[str, str]] = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
_HEADER_TEXT: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_MOST: Final = 6


class NotOnWire(ValueError):
    """A value that the position's serialisation cannot carry."""


class NoCodec(NotOnWire):
    """A format that nothing here writes; the value itself is not in doubt."""


@frozen
class Style:
    """How one parameter, header or form field is written."""

    location: str
    name: str
    style: str
    explode: bool
    reserved: bool = False

    def encode(self, text: str) -> str:
        """The text as it stands in its place."""
        if self.location == "header":
            if text and not _HEADER_TEXT.fullmatch(text):
                raise NotOnWire("a header field cannot carry this text")
            return text
        return quote(text, safe=_UNRESERVED + (_RESERVED if self.reserved else ""))

    def decode(self, text: str) -> str:
        """The text that `encode` was given."""
        return text.strip() if self.location == "header" else unquote(text)


def style_of(element: Element, location: str, name: str) -> Style:
    """The style of a parameter, header or encoding, as its facets say."""
    style, explode = element.facet("style"), element.facet("explode")
    default = "form" if location in ("query", "cookie") else "simple"
    return Style(
        location,
        name,
        style if isinstance(style, str) else default,
        explode if isinstance(explode, bool) else default == "form",
        element.facet("allowReserved") is True,
    )


def text_of(value: Json) -> str:
    """A single value as text.

    Raises:
        NotOnWire: it is null, a list or an object.
    """
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return json.dumps(value)
        case _:
            raise NotOnWire("null and nested values have no text in this style")


def to_pairs(value: Json, style: Style) -> Pairs:
    """A value as name and value pairs of a query, a cookie or a form.

    Raises:
        NotOnWire: the style cannot carry it.
    """
    name = quote(style.name, safe=_UNRESERVED + "[]")
    if isinstance(value, Mapping):
        return _object_pairs(value, style, name)
    if not isinstance(value, list):
        if style.style == "deepObject":
            raise NotOnWire("deepObject carries objects only")
        return ((name, style.encode(text_of(value))),)
    texts = [style.encode(text_of(item)) for item in value]
    if not texts or style.style == "deepObject":
        raise NotOnWire("an empty list has no text" if not texts else "deepObject carries objects only")
    return tuple((name, text) for text in texts) if style.explode else ((name, delimiter(style).join(texts)),)


def _object_pairs(value: Mapping[str, Json], style: Style, name: str) -> Pairs:
    if not value:
        raise NotOnWire("an empty object has no text")
    members = [(style.encode(key), style.encode(text_of(member))) for key, member in value.items()]
    if style.style == "deepObject":
        return tuple((f"{name}[{key}]", text) for key, text in members)
    if style.explode:
        return tuple(members)
    return ((name, delimiter(style).join(part for member in members for part in member)),)


def to_text(value: Json, style: Style) -> str:
    """A value as the text of a path segment or of a header field.

    Raises:
        NotOnWire: the style cannot carry it.
    """
    if isinstance(value, Mapping):
        members = [(style.encode(key), style.encode(text_of(member))) for key, member in value.items()]
        parts = (
            [f"{key}={text}" for key, text in members] if style.explode else [part for one in members for part in one]
        )
        named = style.style == "matrix" and not style.explode
    else:
        parts = [style.encode(text_of(item)) for item in (value if isinstance(value, list) else [value])]
        named = style.style == "matrix"
        if named and style.explode:
            parts = [f"{style.name}={part}" for part in parts]
            named = False
    if not parts or (parts == [""] and style.location == "path"):
        raise NotOnWire("an empty value has no text here")
    sign = {"label": ".", "matrix": ";"}.get(style.style, "") if style.explode or style.style == "simple" else ""
    text = (sign or _between(style)).join(parts)
    lead = {"label": ".", "matrix": f";{style.name}=" if named else ";"}.get(style.style, "")
    if style.location == "path" and lead + text in (".", ".."):
        raise NotOnWire("this path segment would be taken for a step up or none")
    return lead + text


def from_pairs(pairs: Sequence[tuple[str, str]], style: Style, form: TypeOutline) -> list[Json]:
    """The values that the pairs of one parameter may stand for; none when the style never writes such pairs.

    Args:
        pairs: the pairs that belong to the parameter, see `claims`.
        style: how it is written.
        form: of its schema.
    """
    named = [text for name, text in pairs if unquote(name) == style.name]
    found: list[Json] = []
    if style.style == "deepObject":
        return _deep(pairs, style, form)
    if form.may_be("object") and form.types and style.explode:
        found += _members([(style.decode(name), style.decode(text)) for name, text in pairs], form)
    if form.may_be("array") and form.types and named:
        if style.explode:
            found += _items([style.decode(text) for text in named], form)
        elif len(named) == 1:
            found += _items([style.decode(part) for part in _split(named[0], style)], form)
    if "object" in form.types and not style.explode and len(named) == 1:
        found += _alternating([style.decode(part) for part in _split(named[0], style)], form)
    if len(named) == 1 and (not form.types or form.types - {"array", "object"}):
        found += readings(style.decode(named[0]), form)
    return found


def claims(name: str, style: Style, form: TypeOutline, others: frozenset[str]) -> bool:
    """True when a pair of this name belongs to the parameter."""
    plain = unquote(name)
    if plain == style.name:
        return style.style != "deepObject"
    if style.style == "deepObject":
        return plain.startswith(f"{style.name}[")
    return (
        spreads(style, form)
        and plain not in others
        and (plain in form.members or not form.members or form.rest is not None)
    )


def spreads(style: Style, form: TypeOutline) -> bool:
    """True when the members of an object are pairs of their own, under their own names."""
    return style.explode and "object" in form.types


def from_text(text: str, style: Style, form: TypeOutline) -> list[Json]:
    """The values that a path segment or header field may stand for; none when the style never writes such a text."""
    lead = {"label": ".", "matrix": ";"}.get(style.style, "")
    if not text.startswith(lead):
        return []
    rest = text.removeprefix(lead)
    sign = lead if style.explode and lead else _between(style)
    rest = rest if sign == "," else re.sub(re.escape(sign), sign, rest, flags=re.IGNORECASE)
    found: list[Json] = []
    if "object" in form.types:
        body = rest.removeprefix(f"{style.name}=") if lead == ";" and not style.explode else rest
        parts = body.split(sign)
        if style.explode:
            pairs = [part.partition("=") for part in parts]
            if all(separator for _, separator, _ in pairs):
                found += _members([(style.decode(key), style.decode(value)) for key, _, value in pairs], form)
        else:
            found += _alternating([style.decode(part) for part in parts], form)
    values = _named_parts(rest.split(sign), style) if lead == ";" else rest.split(sign)
    if "array" in form.types and values:
        found += _items([style.decode(part) for part in values], form)
    if not form.types or form.types - {"array", "object"}:
        single = rest if lead != ";" else rest.removeprefix(f"{style.name}=")
        if lead != ";" or single != rest:
            found += readings(style.decode(single), form)
    return found


def _between(style: Style) -> str:
    """What parts items in a segment or header; Swagger 2.0 has other signs there too (`collectionFormat`)."""
    sign = delimiter(style)
    return sign if style.location == "path" else unquote(sign)


def _named_parts(parts: list[str], style: Style) -> list[str]:
    """The values of `;name=a;name=b`, or of `;name=a,b`; none when another name stands there."""
    start = f"{style.name}="
    if not style.explode:
        return [parts[0].removeprefix(start), *parts[1:]] if parts[0].startswith(start) else []
    return [part.removeprefix(start) for part in parts] if all(part.startswith(start) for part in parts) else []


def _deep(pairs: Sequence[tuple[str, str]], style: Style, form: TypeOutline) -> list[Json]:
    members = []
    for name, text in pairs:
        plain = unquote(name)
        if not plain.startswith(f"{style.name}[") or not plain.endswith("]"):
            return []
        members.append((plain[len(style.name) + 1 : -1], style.decode(text)))
    return _members(members, form) if members else []


def _items(texts: Sequence[str], form: TypeOutline) -> list[Json]:
    return [list(each) for each in _together([readings(text, form.item) for text in texts])]


def _members(pairs: Sequence[tuple[str, str]], form: TypeOutline) -> list[Json]:
    if not pairs:
        return []
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        return []
    values = _together([readings(text, form.member(name)) for name, text in pairs])
    return [dict(zip(names, each, strict=True)) for each in values]


def _alternating(parts: Sequence[str], form: TypeOutline) -> list[Json]:
    return _members(list(zip(parts[::2], parts[1::2], strict=True)), form) if len(parts) % 2 == 0 else []


def _together(readings_of_each: Sequence[Sequence[Json]]) -> list[tuple[Json, ...]]:
    """All first readings, all last ones, and few more mixtures."""
    last = tuple(each[-1] for each in readings_of_each)
    found = [*islice(product(*readings_of_each), _MOST), last]
    return list({json.dumps(each): each for each in found}.values())


def delimiter(style: Style) -> str:
    """What parts the items of a list in one text, as it stands in a URL."""
    return _DELIMITERS.get(style.style, ",")


def _split(text: str, style: Style) -> list[str]:
    sign = delimiter(style)
    plain = unquote(sign)
    if sign == ",":
        return text.split(",")
    swapped = text.replace("+", "%20") if sign == "%20" else text
    return re.sub(re.escape(sign), plain, swapped, flags=re.IGNORECASE).split(plain)
