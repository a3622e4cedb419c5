"""A schema's type and constraints in words of ours, values as words of the subject."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from evreview.core.quoted_text import Part, Subject, Text, text
from evreview.core.vocabulary import Json
from evreview.schema.view import SchemaView, Sub

_ORDER: Final = ("object", "array", "string", "number", "integer", "boolean")
_MOST: Final = 60
CLOSED: Final[Text] = ("no further members",)
"""What an object without further members allows."""
"""Values of one enumeration that are printed; how many more there are is said."""
_SIZES: Final = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "member"),
)
Read = Callable[[Sub], SchemaView]


def type_words(view: SchemaView, read: Read, depth: int = 0) -> Text:
    """The type: `string (uuid) or null`, `array of string`, `map of integer`, `any type` where none is stated."""
    names = sorted(view.types or (), key=lambda name: _ORDER.index(name) if name in _ORDER else 9)
    if view.never:
        return ("no value",)
    parts: list[Part] = []
    for name in names or _untyped(view):
        parts += [" or ", *_one(name, view, read, depth)] if parts else _one(name, view, read, depth)
    if view.typed and view.null:
        parts += [" or null"] if names else ["null"]
    return tuple(parts)


def _untyped(view: SchemaView) -> tuple[str, ...]:
    if view.properties or view.required or view.patterns or isinstance(view.additional, Sub):
        return ("object",)
    if isinstance(view.items, Sub) or view.prefix:
        return ("array",)
    if view.typed:
        return ()
    return ("one of the alternatives",) if view.any_of or view.one_of else ("any type",)


def _one(name: str, view: SchemaView, read: Read, depth: int) -> list[Part]:
    if name == "array" and isinstance(view.items, Sub):
        inner = type_words(read(view.items), read, depth + 1) if depth < 3 else text("further values")
        return ["array of ", *inner]
    if name == "object" and not view.properties and isinstance(view.additional, Sub) and depth < 3:
        return ["map of ", *type_words(read(view.additional), read, depth + 1)]
    written = view.keywords.get("format")
    if isinstance(written, str) and name in ("string", "number", "integer"):
        return [name, " (", Subject(written), ")"]
    return [name]


def constraint_words(view: SchemaView) -> tuple[Text, ...]:
    """One text per constraint beside the type: values, bounds, sizes, pattern, multiples, closed objects."""
    return tuple(_constraints(view))


def _constraints(view: SchemaView) -> Iterator[Text]:
    if view.enum is not None:
        yield _values("only " if len(view.enum) == 1 else "one of ", view.enum)
    if view.minimum is not None:
        yield ("more than " if view.minimum.exclusive else "at least ", Subject(_number(view.minimum.value)))
    if view.maximum is not None:
        yield ("less than " if view.maximum.exclusive else "at most ", Subject(_number(view.maximum.value)))
    keywords = view.keywords
    for low, high, noun in _SIZES:
        yield from _size(keywords.get(low), keywords.get(high), noun)
    if isinstance(keywords.get("pattern"), str):
        yield ("matches ", Subject(str(keywords["pattern"])))
    if _is_number(keywords.get("multipleOf")):
        yield ("a multiple of ", Subject(_number(keywords["multipleOf"])))
    if keywords.get("uniqueItems") is True:
        yield ("no item twice",)
    for name in ("contentEncoding", "contentMediaType"):
        if isinstance(keywords.get(name), str):
            yield (f"{name} ", Subject(str(keywords[name])))
    known = keywords.get("x-extensible-enum")
    if isinstance(known, list):
        yield (*_values("known values ", tuple(known)), "; more may come")
    if view.closed:
        yield CLOSED


def _size(low: Json, high: Json, noun: str) -> Iterator[Text]:
    if _is_number(low) and low == high:
        yield ("exactly ", Subject(_number(low)), f" {_plural(noun, low)}")
        return
    if _is_number(low):
        yield ("at least ", Subject(_number(low)), f" {_plural(noun, low)}")
    if _is_number(high):
        yield ("at most ", Subject(_number(high)), f" {_plural(noun, high)}")


def _plural(noun: str, number: Json) -> str:
    return noun if number == 1 else f"{noun}s"


def _values(lead: str, values: tuple[Json, ...]) -> Text:
    parts: list[Part] = [lead]
    for at, value in enumerate(values[:_MOST]):
        parts += [", "] * bool(at) + [Subject(value_text(value))]
    more = len(values) - _MOST
    return (*parts, f" and {more} more") if more > 0 else tuple(parts)


def value_text(value: Json) -> str:
    """A value as JSON, a text as it is."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False, default=str)


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: Json) -> str:
    return json.dumps(value, default=str)


def described(node: Json) -> str:
    """The description that a written node carries itself, "" for none."""
    found = node.get("description") if isinstance(node, Mapping) else None
    return found if isinstance(found, str) else ""
