"""The one text of a form: whole floats as integers, found without looking at every value."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.comparison.wire_forms import canonical
from evreview.core.vocabulary import Json

PROSE = st.sampled_from(["version 1.0", "1.0", 'a "1.0", b', "1e5,", "5e3]", "\\", 'ends in \\"1.0,', "2.0}"])
NUMBERS = st.sampled_from([1.0, -0.0, 1e16, 1.5e300, 2.5e-7, 10.05, 100.0, 7, 3.25]) | st.floats(
    allow_nan=False, allow_infinity=False
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    PROSE | NUMBERS | st.integers(-(2**53), 2**53) | st.booleans() | st.none() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(PROSE | st.text(max_size=3), below, max_size=4),
    max_leaves=12,
)


def slowly(form: Json) -> Json:
    """The form with every whole float as an integer, by a walk over all of it."""
    if isinstance(form, float) and form.is_integer():
        return int(form)
    if isinstance(form, dict):
        return {key: slowly(member) for key, member in form.items()}
    return [slowly(member) for member in form] if isinstance(form, list) else form


@given(VALUES)
def test_the_fast_look_for_whole_floats_misses_none(form: Json) -> None:
    try:
        expected = orjson.dumps(slowly(form), option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits
        return
    assert canonical(form) == expected


@pytest.mark.parametrize("form", [1.0, [1.0], {"a": 1e16}, {"1.0": [2.0, "3.0"]}])
def test_whole_floats_are_integers(form: Json) -> None:
    assert b".0" not in canonical(form).replace(b'"1.0"', b"").replace(b'"3.0"', b"")
