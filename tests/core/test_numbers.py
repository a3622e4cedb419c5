"""Numbers of many digits: whole ones are kept, fractions that a double does not keep are marked where they demand."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.document_text import parse_text
from evreview.core.json_text import Inexact, whole


@given(st.integers(-(10**40), 10**40), st.sampled_from([", ", ","]), st.booleans())
def test_whole_numbers_of_json_are_kept_however_they_are_laid_out(number: int, comma: str, alone: bool) -> None:
    text = json.dumps({"a": [number, 0.5, f"{number}"], "b": {"c": number}}, separators=(comma, ":"))
    read = parse_text((f"[{number}]" if alone else text).encode(), "f")
    assert read == ([number] if alone else json.loads(text))
    assert type(read[0] if alone else read["a"][0]) is int  # type: ignore[index,call-overload]


FRACTIONS = [
    ("0.1", False),
    ("0.10000000000000000000000", False),
    ("0.1000000000000000055511", True),
    ("1234567890.1234567", False),
    ("99999999999999999.97", True),
    ("-99999999999999999.97", True),
    ("1.0000000000000000000001e5", True),
]


@pytest.mark.parametrize("key", ["maximum", "const"])
@pytest.mark.parametrize(("text", "lost"), FRACTIONS, ids=[text for text, _ in FRACTIONS])
@pytest.mark.parametrize("form", ['{{"{}" : {}}}', "{}: {}\n"], ids=["json", "yaml"])
def test_a_fraction_is_marked_when_its_double_is_another_number(form: str, text: str, lost: bool, key: str) -> None:
    value = parse_text(form.format(key, text).encode(), "f")[key]  # type: ignore[call-overload,index]
    assert float(value) == float(text)
    assert isinstance(value, Inexact) is lost
    assert (Fraction(repr(float(text))) != Fraction(text)) is lost
    if lost:
        assert repr(value) == text


def test_marks_stand_below_keywords_of_schemas_alone() -> None:
    number = "0.1000000000000000055511"
    text = f'{{"example": {number}, "enum": [1, [{number}]], "latitude":{number}}}'
    value = parse_text(text.encode(), "f")
    assert type(value["example"]) is float and type(value["latitude"]) is float
    assert isinstance(value["enum"][1][0], Inexact)


def test_digits_in_prose_are_no_numbers() -> None:
    text = b'{"a": "no 12345678901234567890123, no 0.1234567890123456789", "maximum":  1, "b" : "%s"}' % (b"9" * 9999)
    assert parse_text(text, "f") == json.loads(text)


def test_two_texts_with_one_double_are_two_numbers() -> None:
    one, two = (Inexact(0.1, text) for text in ("0.1000000000000000055511", "0.1000000000000000055512"))
    assert one != two and float(one) == float(two)
    assert one == Inexact(0.1, one.written) and hash(one) == hash(Inexact(0.1, one.written))
    assert whole(1e30) == 10**30 and whole(3.0) == 3 and whole(10**30) == 10**30
