"""Whatever an inventory says: reasons, citations, unique keys, columns, and words that stay words."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.vocabulary import Area
from evreview.workflows.w3 import registers
from evreview.workflows.w3.registers import (
    CONTROL_COLUMNS,
    INVENTORY_GAP_COLUMNS,
    MIDDLEWARE_COLUMNS,
    TEST_COLUMNS,
    controls_frame,
    gaps_frame,
    middleware_frame,
)
from tests.workflows.w3.inventory.listed import DELETE, READ, control, gaps, taken


def test_frames_have_their_columns() -> None:
    found = taken(control(positive_tests=None))
    for frame, columns, rows in (
        (controls_frame(found.cells), CONTROL_COLUMNS, found.cells),
        (gaps_frame(found.gaps), INVENTORY_GAP_COLUMNS, found.gaps),
        (middleware_frame(found.middleware), MIDDLEWARE_COLUMNS, found.middleware),
        (registers.tests_frame(found.tests), TEST_COLUMNS, found.tests),
    ):
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(rows) > 0


def test_keys_of_the_matrix_are_unique() -> None:
    found = taken(control(), control(id="second", routes=["*"]), control(id="third", area="logging"))
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))


def test_two_controls_with_one_id_are_asked_about() -> None:
    found = taken(control(), control(name="second"))
    assert ("check", "id") in gaps(found)
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))


WORDS = st.sampled_from(["E3", "E5", "E7", "E99"])


EXCERPTS = st.builds(
    lambda item_, lines, quote: {"item": item_, "lines": lines, "quote": quote},
    WORDS,
    st.sampled_from(["1", "8-10", "1-24", "99", "x", "0", "2-1"]),
    st.sampled_from(["raise HTTPException(401)", "deny all", "[E1]", "`x`|", "app", "\n\n#"]),
)


TESTS = st.builds(
    lambda item_, test, run: {"item": item_, "test": test, "run": run},
    st.sampled_from(["E4", "E7", "E8", "E5", "E99"]),
    st.sampled_from(["test_may", "tests/test_a.py::test_may_not", "a::[", "(", "test_silent"]),
    st.sampled_from([None, "E7", "E8", "E3"]),
)


CONTROLS = st.builds(
    lambda **given: {key: value for key, value in given.items() if value is not None},
    id=st.sampled_from(["check", "authentication", "*", "[E1] | `x`"]),
    area=st.sampled_from([area.value for area in Area]),
    name=st.just("n"),
    routes=st.lists(st.sampled_from(["*", READ, DELETE, "GET /gone", "nonsense", "GET /`x`|{id}"]), max_size=3),
    sensitive=st.booleans(),
    **{name: st.none() | st.lists(EXCERPTS, max_size=2) for name in ("source", "middleware", "deployment")},
    **{name: st.none() | st.lists(TESTS, max_size=2) for name in ("positive_tests", "negative_tests")},
    surrounding=st.none() | st.just([{"path": "x.py"}]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(CONTROLS, max_size=3))
def test_any_inventory_gives_a_matrix_with_reasons(controls: list[dict[str, Any]]) -> None:
    found = taken(*controls)
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))
    assert all(one.why and one.citations for one in found.cells)
    assert all(gap.request and gap.citations for gap in found.gaps)
    listed = {one["id"] for one in controls}
    open_ones = {one.control for one in found.cells if str(one.standing) in ("unknown", "unread")} & listed
    assert open_ones <= {gap.control for gap in found.gaps if gap.decides} | {area.value for area in Area}


def test_hostile_words_of_an_inventory_stay_words() -> None:
    stated = control(id="[E1] | x", routes=["GET /`x`|{id}"], name="\n# h")
    found = taken(stated)
    assert all(not isinstance(part, str) or "`" not in part for gap in found.gaps for part in gap.request)
