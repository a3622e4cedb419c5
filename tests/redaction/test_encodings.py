"""A value of any kind that was told once goes in every encoding, at every alignment, split anywhere."""

from __future__ import annotations

import base64
import codecs
import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.redaction.decoding import base64_runs
from evreview.redaction.redactor import Redactor
from tests.redaction.seeding import SEEDS, Seed, kept

REDACTOR = Redactor.over((f"E{number}", seed.told) for number, seed in enumerate(SEEDS, 1))
WHOLE: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "hex": lambda value: value.encode().hex(),
    "url": lambda value: quote(value, safe=""),
    "url twice": lambda value: quote(quote(value, safe=""), safe=""),
    "url, all": lambda value: "".join(f"%{byte:02x}" for byte in value.encode()),
    "html": html.escape,
    "html, all": lambda value: "".join(f"&#{ord(char)};" for char in value),
    "json": lambda value: json.dumps(value)[1:-1],
    "json, all": lambda value: "".join(f"\\u{ord(char):04x}" for char in value),
    "json in json": lambda value: json.dumps(json.dumps(value)[1:-1])[1:-1],
    "html in url": lambda value: quote(html.escape(value), safe=""),
    "quoted-printable": lambda value: "".join(f"={byte:02X}" for byte in value.encode()),
    "octal": lambda value: "".join(f"\\{ord(char):03o}" for char in value),
    "double width": lambda value: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in value),
}
RUNS: dict[str, Callable[[str], str]] = {
    "base64 twice": lambda value: base64.b64encode(base64.b64encode(value.encode())).decode(),
    "base64 of two-byte letters": lambda value: base64.b64encode(value.encode("utf-16-le")).decode(),
    "base32": lambda value: base64.b32encode(value.encode()).decode(),
    "hex with colons": lambda value: value.encode().hex(":"),
    "bytes": lambda value: ", ".join(f"0x{byte:02X}" for byte in value.encode()),
    "codes": lambda value: ", ".join(map(str, value.encode())),
    "calls": lambda value: "+".join(f"chr({byte})" for byte in value.encode()),
    "apart": " ".join,
    "dashed": "-".join,
}
"""What no escape shows: a whole run stands for another text."""
SPLIT = (
    *("\n", "\n    ", "\\n", " \\\n  ", '" +\n    "', "<br>", "\u200b", "\x1b[1m", "\u00ad"),
    *("⏎", "\\⏎", "\\⏎    ", " ⏎", '" . "', "' || '", "**", "<b></b>", "</i>"),
)
seeds = st.sampled_from(SEEDS)
sides = st.text(alphabet="abcXYZ019 .,:;=(){}", max_size=12)

BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,400000}={0,6}")


def gone(written: str, seed: Seed) -> None:
    clean = REDACTOR.clean(written)
    assert "[redacted: " in clean
    assert seed.kind not in kept(clean)
    assert REDACTOR.leaks(clean) == () and REDACTOR.clean(clean) == clean


@pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-031", "C-032", "C-033", "C-034")
@given(seeds, st.sampled_from(sorted(WHOLE)), sides, sides)
@settings(max_examples=250, deadline=None)
def test_a_value_goes_in_every_encoding(seed: Seed, name: str, before: str, after: str) -> None:
    encoded = WHOLE[name](seed.value)
    clean = REDACTOR.clean(f"{before} {encoded} {after}")
    assert encoded not in clean
    gone(f"{before} {encoded} {after}", seed)


@given(seeds, st.binary(max_size=9), st.binary(max_size=9), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_value_goes_in_base64_at_every_alignment(seed: Seed, before: bytes, after: bytes, safe: bool) -> None:
    encode = base64.urlsafe_b64encode if safe else base64.b64encode
    encoded = encode(before + seed.value.encode() + after).decode()
    clean = REDACTOR.clean(f"data: {encoded} end")
    assert encoded not in clean and clean.startswith("data: ") and clean.endswith(" end")
    gone(f"data: {encoded} end", seed)


@pytest.mark.req("C-027", "C-028", "C-029", "C-030")
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("seed", [one for one in SEEDS if len(one.value) >= 16 and one.value.isascii()], ids=str)
def test_a_value_goes_in_a_run_that_stands_for_it(name: str, seed: Seed) -> None:
    if any(map(str.isspace, seed.value)):
        pytest.skip("letters that are apart have no blanks between them")
    encoded = RUNS[name](seed.value)
    clean = REDACTOR.clean(f"It says {encoded} there.")
    assert clean.startswith("It says [redacted: ") and clean.endswith("] there.")
    assert REDACTOR.leaks(clean) == ()
    assert REDACTOR.clean_json(["harmless", encoded])[1] != encoded


TURNED: dict[str, Callable[[str], str]] = {
    "reversed": lambda value: value[::-1],
    "moved letters": lambda value: codecs.encode(value, "rot13"),
    "base85": lambda value: base64.b85encode(value.encode()).decode(),
    "ascii85": lambda value: base64.a85encode(value.encode()).decode(),
}
HIDDEN = [
    one
    for one in SEEDS
    if one.kind in ("secret", "credential", "vendor token", "bearer value") and 16 <= len(one.value) < 200
]


@pytest.mark.req("C-027", "C-028", "C-029")
@pytest.mark.parametrize("name", TURNED)
@pytest.mark.parametrize("seed", HIDDEN, ids=str)
def test_a_secret_that_is_turned_goes_too(name: str, seed: Seed) -> None:
    encoded = TURNED[name](seed.value)
    clean = REDACTOR.clean(f"It says {encoded} there.")
    assert encoded not in clean and "[redacted: " in clean
    assert REDACTOR.leaks(clean) == ()


TOKEN = "ghp_" + "Zk3vR8tYq2LmN7wX" + "c5Bh9JdF4sPa6GuE1oKi"


@pytest.mark.req("C-029")
@pytest.mark.parametrize("name", [*RUNS, "base64"])
def test_a_token_that_stands_in_an_encoded_run_alone_is_found_and_learnt(name: str) -> None:
    encoded = base64.b64encode(TOKEN.encode()).decode() if name == "base64" else RUNS[name](TOKEN)
    assert encoded not in Redactor().clean(f"position: {encoded}\n")
    assert TOKEN not in Redactor.over([("E1", f"position: {encoded}\n")]).clean(f"it is '{TOKEN}'")
    assert encoded not in str(Redactor().clean_json({"position": encoded}))


@pytest.mark.parametrize(
    "text",
    [
        "sha256:5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
        "a-1-b-2-c-3-d-4-e-5-f-6",
        "E1, E2, E3, E10, E11, 12, 13, 14, 15, 16, 17, 18, 19, 20",
        "the codes 200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503",
        "mac 5e:88:48:98:da:28:04:71:51:d0:e5:6f",
        "an_identifier_of_many_words_that_goes_on_and_on_for_ever",
        "/v1/orders/items/returns/labels/printed/again",
        base64.b64encode(b"The quick brown fox jumps over the lazy dog, twice").decode(),
        "x=41=42 and y=5",
        "a ** b and c ** d, `x` . `y`",
    ],
)
def test_runs_that_stand_for_nothing_secret_stay(text: str) -> None:
    assert Redactor().clean(text) == text
    assert REDACTOR.clean(text) == text


@given(seeds, st.sampled_from(SPLIT), st.data())
@settings(max_examples=200, deadline=None)
def test_a_value_goes_when_it_is_split(seed: Seed, between: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(seed.value) - 1))
    left, right = seed.value[:cut], seed.value[cut:]
    clean = REDACTOR.clean(f'it is "{left}{between}{right}" there')
    assert f"{left}{between}{right}" not in clean
    assert seed.kind not in kept(clean)


@given(
    parts=st.lists(
        st.one_of(st.text(max_size=4), st.sampled_from(["a", "Z9", "+/", "-_", "=", "==", "=======", "é", "\ud800"]),
                  st.integers(20, 60).map("k".__mul__)),
        max_size=12,
    )
)  # fmt: skip
def test_runs_of_base64_are_those_of_the_expression(parts: list[str]) -> None:
    text = "".join(parts)
    assert list(base64_runs(text)) == [each.span() for each in BASE64.finditer(text)]


@pytest.mark.parametrize("length", [23, 24, 399_999, 400_000, 400_010, 400_024, 800_001])
@pytest.mark.parametrize("end", ["", "==", "========", "==k"])
def test_a_very_long_run_of_base64_is_cut_as_the_expression_does(length: int, end: str) -> None:
    text = f" {'k' * length}{end} "
    assert list(base64_runs(text)) == [each.span() for each in BASE64.finditer(text)]
