"""The fast redactor redacts exactly what the slow path redacts: no less, no more, in texts and in structures."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.redaction.decoding import BETWEEN, fold
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import scan
from tests.redaction.slow_path import in_base64, learnt_from, slow_clean, slow_clean_json, slow_fold, slow_scan

SAMPLES = [detector.sample for detector in DETECTORS]
WORDS = sorted({word for detector in DETECTORS for word in (*detector.keywords, *detector.starts)})
MARKS = (
    *(
        "\n",
        " ",
        "\t",
        '"',
        "'",
        '": "',
        ",",
        ":",
        "=",
        "+",
        "\\",
        '\\"',
        "\\n",
        "%",
        "%41",
        "%2541",
        "&amp;",
        "&lt;",
        "&#65;",
    ),
    *("⏎", "**", "<b>", "=67=68", "\\147", "\uff47", '" . "', "a-b-c-d-e-f-g-h-i-j-k-l", "6d:61:69:6c:40:68:6f:73:74"),
    *(
        "\\u0041",
        "<br>",
        "</",
        "é",
        "Σ",
        "İ",
        "ß",
        "\u200b",
        "\x1b[31m",
        "\x00",
        "\r\n",
        "[redacted: token]",
        "E1#/a/",
        "E3:id=",
    ),
    *('"name": "cookie", "value": "', "token", "access", "4929", "FR76", "(", "\ud800", "a" * 40),
)
ENCODE: tuple[Callable[[str], str], ...] = (
    *(str, str.upper, in_base64, html.escape, lambda text: quote(text, safe="", errors="replace")),
    *(
        lambda text: json.dumps(text)[1:-1],
        lambda text: f"{text[:7]}\n   {text[7:]}",
        lambda text: f"{text[:5]}\"+'{text[5:]}",
    ),
)


@st.composite
def pieces(draw: st.DrawFn) -> str:
    """A planted value in some encoding, whole or in part, a word that detectors look for, or what stands between."""
    match draw(st.integers(0, 3)):
        case 0 | 1:
            text = draw(st.sampled_from(ENCODE))(draw(st.sampled_from(SAMPLES)))
            cut = draw(st.integers(-20, 20))
            return text[cut:] if cut < 0 else text[:-cut] if cut > 15 else text
        case 2:
            return draw(st.sampled_from(WORDS))
    return draw(st.sampled_from(MARKS))


texts = st.lists(pieces(), max_size=7).map("".join)
names = texts | st.sampled_from(["password", "path", "id"])
structures = st.recursive(
    texts | st.sampled_from([1, 3.5, True, None, 4929718344152068, 48213977]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts | st.sampled_from(["password", "path", "id"]), inner)
    ),
    max_leaves=8,
)


@given(texts, st.lists(texts, max_size=2))
@settings(max_examples=200, deadline=None)
def test_texts_are_cleaned_as_on_the_slow_path(text: str, evidence: list[str]) -> None:
    learnt = learnt_from(evidence)
    redactor = Redactor.over((f"E{number}", part) for number, part in enumerate(evidence, 1))
    assert redactor.clean(text) == slow_clean(text, learnt)
    assert Redactor().clean(text) == slow_clean(text)


@given(structures, texts)
@settings(max_examples=200, deadline=None)
def test_structures_are_cleaned_as_value_by_value(value: Any, evidence: str) -> None:
    for redactor, learnt in ((Redactor(), []), (Redactor.over([("E1", evidence)]), learnt_from([evidence]))):
        assert repr(redactor.clean_json(value)) == repr(slow_clean_json(value, learnt))


@given(texts, st.booleans())
@settings(max_examples=300, deadline=None)
def test_escapes_are_undone_as_on_the_slow_path(text: str, breaks: bool) -> None:
    assert fold(text, breaks=breaks) == slow_fold(text, breaks=breaks)
    many = text * 30
    assert fold(many, breaks=breaks) == slow_fold(many, breaks=breaks)


@pytest.mark.parametrize("sample", SAMPLES, ids=[detector.id for detector in DETECTORS])
def test_every_example_is_found_alone_in_a_member_and_among_others(sample: str) -> None:
    assert scan(sample) == slow_scan(sample) != ()
    assert Redactor().clean(sample) == slow_clean(sample)
    for cut in range(len(sample) + 1):
        member = {sample[:cut]: sample[cut:]}
        assert Redactor().clean_json(member) == slow_clean_json(member)
    many = ["harmless", sample, f"before {sample}", f"{sample} after", "harmless too"]
    assert Redactor().clean_json(many) == slow_clean_json(many)


@pytest.mark.parametrize("first", SAMPLES, ids=[detector.id for detector in DETECTORS])
def test_no_match_reaches_from_one_text_of_a_batch_into_the_next(first: str) -> None:
    for cut in range(1, len(first)):
        joined = first[:cut] + BETWEEN + first[cut:]
        assert [hit for hit in scan(joined) if hit.start < cut < hit.end - len(BETWEEN)] == []
    for second in SAMPLES:
        found = [hit for hit in scan(first + BETWEEN + second) if hit.start >= len(first)]
        assert {hit.value for hit in scan(second)} <= {hit.value for hit in found}


NAMES = ("Ines", "McReau", "O'Neil", "É", "a", "b-Cd", " ", "<", "<ines@harbour.fr>", "@", "\n", "Name1234" * 5)


@given(st.lists(st.sampled_from(NAMES), max_size=14).map("".join))
@settings(max_examples=300, deadline=None)
def test_names_of_mailboxes_are_found_as_on_the_slow_path(text: str) -> None:
    assert scan(text) == slow_scan(text)


NUMBERS = (
    "85.07.30-033.28",
    "1 85 05 78 006 084 36",
    "756.1234.5678.97",
    "X1234567L",
    "RSSMRA85T10A562S",
    "20-12345678-6",
)


@given(st.lists(st.sampled_from([*NUMBERS, "1", "2B", "A", ".", "-", "/", " ", "+", "34-"]), max_size=6).map("".join))
@settings(max_examples=300, deadline=None)
def test_national_numbers_are_found_as_on_the_slow_path(text: str) -> None:
    assert scan(text) == slow_scan(text)


FILLER = "An ordinary line of prose, with a token of appreciation: nothing in it is secret.\n"


@given(texts, texts, st.integers(0, 400), st.integers(0, 400))
@settings(max_examples=25, deadline=None)
def test_a_rare_escape_in_a_long_text_is_read_as_on_the_slow_path(one: str, two: str, left: int, right: int) -> None:
    text = f"{FILLER * left}{one}{FILLER * 150}{two}{FILLER * right}"
    assert Redactor().clean(text) == slow_clean(text)


def documents(corpus: Path) -> Iterator[Path]:
    for kind in ("openapi2", "openapi3.0", "openapi3.1", "proto", "jsonschema"):
        files = (
            path for path in (corpus / kind).rglob("*.*") if path.is_file() and 20_000 < path.stat().st_size < 400_000
        )
        yield from sorted(files)[:2]


def test_real_contracts_are_read_as_on_the_slow_path(corpus: Path) -> None:
    secret = "see q7Rx2" + "Lv9tB%21 and api_key: k8Zp" + "4Wm9Yc1Nd6J"
    for path in documents(corpus):
        text = path.read_text(encoding="utf-8")[:120_000]
        middle = text.index("\n", len(text) // 2)
        planted = f"{text[:middle]}\n{secret}\n{text[middle:]}"
        assert scan(planted) == slow_scan(planted)
        assert [hit.detector for hit in scan(planted) if hit.value.startswith("k8Zp")] == ["keyed-secret"]
        assert fold(planted, breaks=False) == slow_fold(planted, breaks=False)
