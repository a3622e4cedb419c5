"""A value of any kind that was told once goes in every encoding, at every alignment, split anywhere."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.guard import Guard
from tests.guard.seeding import SEEDS, Seed, kept

GUARD = Guard.over((f"E{number}", seed.told) for number, seed in enumerate(SEEDS, 1))
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
}
SPLIT = ("\n", "\n    ", "\\n", " \\\n  ", '" +\n    "', "<br>", "\u200b", "\x1b[1m", "\u00ad")
seeds = st.sampled_from(SEEDS)
sides = st.text(alphabet="abcXYZ019 .,:;=(){}", max_size=12)


def gone(written: str, seed: Seed) -> None:
    clean = GUARD.clean(written)
    assert "[redacted: " in clean
    assert seed.kind not in kept(clean)
    assert GUARD.leaks(clean) == () and GUARD.clean(clean) == clean


@pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-031", "C-032", "C-033", "C-034")
@given(seeds, st.sampled_from(sorted(WHOLE)), sides, sides)
@settings(max_examples=250, deadline=None)
def test_a_value_goes_in_every_encoding(seed: Seed, name: str, before: str, after: str) -> None:
    encoded = WHOLE[name](seed.value)
    clean = GUARD.clean(f"{before} {encoded} {after}")
    assert encoded not in clean
    gone(f"{before} {encoded} {after}", seed)


@given(seeds, st.binary(max_size=9), st.binary(max_size=9), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_value_goes_in_base64_at_every_alignment(seed: Seed, before: bytes, after: bytes, safe: bool) -> None:
    encode = base64.urlsafe_b64encode if safe else base64.b64encode
    encoded = encode(before + seed.value.encode() + after).decode()
    clean = GUARD.clean(f"data: {encoded} end")
    assert encoded not in clean and clean.startswith("data: ") and clean.endswith(" end")
    gone(f"data: {encoded} end", seed)


@given(seeds, st.sampled_from(SPLIT), st.data())
@settings(max_examples=200, deadline=None)
def test_a_value_goes_when_it_is_split(seed: Seed, between: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(seed.value) - 1))
    left, right = seed.value[:cut], seed.value[cut:]
    clean = GUARD.clean(f'it is "{left}{between}{right}" there')
    assert f"{left}{between}{right}" not in clean
    assert seed.kind not in kept(clean)
