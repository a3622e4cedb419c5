"""Parameter values as text and back, for every style of the specification."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.vocabulary import Json
from evreview.messages.parameter_styles import NotOnWire, Style, claims, from_pairs, from_text, to_pairs, to_text
from evreview.messages.value_types import TypeOutline, outline

COLOURS: Json = ["blue", "black"]
RGB: Json = {"R": 100, "G": 200}
TEXTS: Json = {"type": "array", "items": {"type": "string"}}
NUMBERS: Json = {"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "integer"}}}
TEXT: Json = {"type": "string"}

# style, explode, value, schema, text: the table of OpenAPI 3.1 section 4.8.12.4, with RFC 6570's commas for `label`
PATHS: list[tuple[str, bool, Json, Json, str]] = [
    ("simple", False, "blue", TEXT, "blue"),
    ("simple", False, COLOURS, TEXTS, "blue,black"),
    ("simple", False, RGB, NUMBERS, "R,100,G,200"),
    ("simple", True, RGB, NUMBERS, "R=100,G=200"),
    ("label", False, "blue", TEXT, ".blue"),
    ("label", False, COLOURS, TEXTS, ".blue,black"),
    ("label", True, COLOURS, TEXTS, ".blue.black"),
    ("label", True, RGB, NUMBERS, ".R=100.G=200"),
    ("matrix", False, "blue", TEXT, ";color=blue"),
    ("matrix", False, COLOURS, TEXTS, ";color=blue,black"),
    ("matrix", True, COLOURS, TEXTS, ";color=blue;color=black"),
    ("matrix", False, RGB, NUMBERS, ";color=R,100,G,200"),
    ("matrix", True, RGB, NUMBERS, ";R=100;G=200"),
    ("simple", False, "a/b c", TEXT, "a%2Fb%20c"),
    # Swagger 2.0, Parameter Object, `collectionFormat`
    ("spaceDelimited", False, COLOURS, TEXTS, "blue%20black"),
    ("tabDelimited", False, COLOURS, TEXTS, "blue%09black"),
    ("pipeDelimited", False, COLOURS, TEXTS, "blue%7Cblack"),
    ("pipeDelimited", False, ["a,b", "c"], TEXTS, "a%2Cb%7Cc"),
]
QUERIES: list[tuple[str, bool, Json, Json, str]] = [
    ("form", True, "blue", TEXT, "color=blue"),
    ("form", True, "", TEXT, "color="),
    ("form", True, COLOURS, TEXTS, "color=blue&color=black"),
    ("form", False, COLOURS, TEXTS, "color=blue,black"),
    ("form", True, RGB, NUMBERS, "R=100&G=200"),
    ("form", False, RGB, NUMBERS, "color=R,100,G,200"),
    ("spaceDelimited", False, COLOURS, TEXTS, "color=blue%20black"),
    ("pipeDelimited", False, COLOURS, TEXTS, "color=blue%7Cblack"),
    ("tabDelimited", False, COLOURS, TEXTS, "color=blue%09black"),
    ("deepObject", True, RGB, NUMBERS, "color[R]=100&color[G]=200"),
    ("form", False, ["a,b", "c&d"], TEXTS, "color=a%2Cb,c%26d"),
    ("form", True, True, {"type": "boolean"}, "color=true"),
]


def form_of(schema: Json) -> TypeOutline:
    return outline(schema, lambda name: None)


def query_pairs(text: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (part.partition("=") for part in text.split("&"))]


@pytest.mark.parametrize(("style", "explode", "value", "schema", "text"), PATHS, ids=[case[4] for case in PATHS])
def test_path_styles(style: str, explode: bool, value: Json, schema: Json, text: str) -> None:
    written = Style("path", "color", style, explode)
    assert to_text(value, written) == text
    assert value in from_text(text, written, form_of(schema))


@pytest.mark.parametrize(
    ("style", "text"),
    [("simple", "a,b"), ("spaceDelimited", "a b"), ("tabDelimited", "a\tb"), ("pipeDelimited", "a|b")],
)
def test_lists_in_headers(style: str, text: str) -> None:
    """As they are, without escapes; Swagger 2.0 has other signs than commas there."""
    written = Style("header", "color", style, False)
    assert to_text(["a", "b"], written) == text
    assert ["a", "b"] in from_text(text, written, form_of(TEXTS))


@pytest.mark.parametrize(("style", "explode", "value", "schema", "text"), QUERIES, ids=[case[4] for case in QUERIES])
def test_query_styles(style: str, explode: bool, value: Json, schema: Json, text: str) -> None:
    written = Style("query", "color", style, explode)
    pairs = to_pairs(value, written)
    assert "&".join(f"{name}={part}" for name, part in pairs) == text
    form = form_of(schema)
    assert all(claims(name, written, form, frozenset()) for name, _ in pairs)
    assert value in from_pairs(query_pairs(text), written, form)


@pytest.mark.parametrize("text", ["color=blue|black", "color=blue%7cblack", "color=blue%7Cblack"])
def test_pipes_are_read_encoded_or_not(text: str) -> None:
    style = Style("query", "color", "pipeDelimited", False)
    assert COLOURS in from_pairs(query_pairs(text), style, form_of(TEXTS))


def test_allow_reserved_leaves_signs_as_they_are() -> None:
    assert to_pairs("a/b?c", Style("query", "q", "form", True, True)) == (("q", "a/b?c"),)
    assert to_pairs("a/b?c", Style("query", "q", "form", True)) == (("q", "a%2Fb%3Fc"),)
    assert to_pairs("a&b#c", Style("query", "q", "form", True, True)) == (("q", "a%26b%23c"),)


NOT_CARRIED: list[tuple[str, Style, Json]] = [
    ("null", Style("query", "q", "form", True), None),
    ("a list in a list", Style("query", "q", "form", True), [["a"]]),
    ("an empty list", Style("query", "q", "form", True), []),
    ("an empty object", Style("query", "q", "form", False), {}),
    ("deepObject with a list", Style("query", "q", "deepObject", True), ["a"]),
    ("deepObject with a text", Style("query", "q", "deepObject", True), "a"),
    ("an empty path segment", Style("path", "q", "simple", False), ""),
    ("a step up", Style("path", "q", "simple", False), ".."),
    ("a line break in a header", Style("header", "q", "simple", False), "a\nb"),
    ("a letter beyond ASCII in a header", Style("header", "q", "simple", False), "é"),
    ("white space around a header", Style("header", "q", "simple", False), " a"),
]


@pytest.mark.parametrize(("style", "value"), [case[1:] for case in NOT_CARRIED], ids=[case[0] for case in NOT_CARRIED])
def test_what_a_style_cannot_carry_is_refused(style: Style, value: Json) -> None:
    with pytest.raises(NotOnWire):
        (to_text if style.location in ("path", "header") else to_pairs)(value, style)


OTHERWISE: list[tuple[str, Style, str, Json]] = [
    ("repeated where one is written", Style("query", "color", "form", False), "color=a&color=b", TEXTS),
    ("repeated single value", Style("query", "color", "form", True), "color=a&color=b", TEXT),
    ("a name without brackets", Style("query", "color", "deepObject", True), "color=a", NUMBERS),
    ("an odd number of parts", Style("query", "color", "form", False), "color=R,100,G", NUMBERS),
]


@pytest.mark.parametrize(("style", "text", "schema"), [c[1:] for c in OTHERWISE], ids=[c[0] for c in OTHERWISE])
def test_texts_that_a_style_never_writes_are_no_value(style: Style, text: str, schema: Json) -> None:
    assert from_pairs(query_pairs(text), style, form_of(schema)) == []


@pytest.mark.parametrize(("style", "text"), [("label", "blue"), ("matrix", "blue"), ("matrix", ";other=blue")])
def test_paths_that_a_style_never_writes_are_no_value(style: str, text: str) -> None:
    assert from_text(text, Style("path", "color", style, False), form_of(TEXT)) == []


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
scalars = st.one_of(words, st.integers(-(10**15), 10**15), st.booleans())
values = st.one_of(
    scalars, st.lists(scalars, min_size=1, max_size=4), st.dictionaries(words, scalars, min_size=1, max_size=4)
)
LOCATIONS: dict[str, tuple[str, ...]] = {
    "query": ("form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"),
    "cookie": ("form",),
    "path": ("simple", "label", "matrix"),
    "header": ("simple", "spaceDelimited", "tabDelimited", "pipeDelimited"),
}


def schema_of(value: Any) -> Json:
    match value:
        case dict():
            return {"type": "object", "properties": {name: schema_of(member) for name, member in value.items()}}
        case list():
            kinds = sorted({json.dumps(schema_of(item)) for item in value})
            return {"type": "array", "items": {"anyOf": [json.loads(kind) for kind in kinds]}}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case _:
            return {"type": "string"}


@pytest.mark.parametrize("location", LOCATIONS)
@given(data=st.data())
def test_what_is_written_is_read_back_or_refused(location: str, data: st.DataObject) -> None:
    """No text is written that loses its structure: delimiters in values are encoded, or the value is refused."""
    value = data.draw(values)
    name = data.draw(st.sampled_from(["q", "a b", "x"]))
    style = Style(
        location,
        name,
        data.draw(st.sampled_from(LOCATIONS[location])),
        data.draw(st.booleans()),
        data.draw(st.booleans()),
    )
    form = form_of(schema_of(value))
    encoded = style.location != "header" and not style.reserved and style.style in ("form", "simple")
    try:
        if location in ("path", "header"):
            readings = from_text(to_text(value, style), style, form)
        else:
            readings = from_pairs(to_pairs(value, style), style, form)
    except NotOnWire:
        return
    texts_only = not isinstance(value, dict) and all(isinstance(item, str) for item in _listed(value))
    if encoded and (texts_only or not isinstance(value, (list, dict))):
        assert value in readings
    assert all(type(reading) in (str, int, float, bool, list, dict) for reading in readings)


def _listed(value: Json) -> list[Any]:
    return value if isinstance(value, list) else [value]
