"""Ids never collide, and the frame keeps to the table of columns."""

from __future__ import annotations

import pytest

from evreview.ledger.columns import BY_NAME, COLUMNS, LEDGER, columns_of
from evreview.ledger.identity import delta_ids, unique
from tests.ledger import pairs


def test_equal_prefixes_get_longer_ids_whatever_the_order() -> None:
    left, right, other = "a" * 12 + "b" * 52, "a" * 12 + "c" * 52, "d" * 64
    assert unique([left, other, right]) == ("D-" + left[:16], "D-" + other[:12], "D-" + right[:16])
    assert set(unique([right, left, other])) == set(unique([left, right, other]))


def test_one_identity_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="one identity"):
        unique(["a" * 64, "a" * 64])


def test_the_frame_has_the_columns_of_the_table() -> None:
    frame = pairs.diff(pairs.base(), pairs.edited("components|schemas|Order|properties|note")).raw_frame
    assert list(frame.columns) == [column.name for column in columns_of(LEDGER)]
    assert frame["delta_id"].is_unique
    assert len(frame) == 2
    for name in frame.columns:
        assert str(frame[name].dtype) == BY_NAME[name].dtype.value, name
        if BY_NAME[name].allowed:
            assert list(frame[name].cat.categories) == list(BY_NAME[name].allowed)


def test_an_empty_ledger_has_the_same_columns() -> None:
    frame = pairs.diff(pairs.base(), pairs.base()).raw_frame
    assert list(frame.columns) == [column.name for column in columns_of(LEDGER)]
    assert frame.empty


def test_column_names_are_unique() -> None:
    assert len(BY_NAME) == len(COLUMNS)


def test_noise_that_says_the_same_as_a_row_gets_an_id_of_its_own() -> None:
    ledger = pairs.diff(pairs.base(), pairs.edited("components|schemas|Order|properties|total|maximum", 5))
    row = ledger.deltas[0]
    ids = delta_ids([(row, (), ""), (row, (), "one reason"), (row, (), "another reason")])
    assert len(set(ids)) == 3
    assert ids[0] == delta_ids([(row, (), "")])[0]
