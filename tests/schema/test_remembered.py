"""Items that are made once: in order, lazily, and with their faults."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from evreview.schema.value_generator import Remembered


def test_each_item_is_made_once_and_only_when_it_is_asked_for() -> None:
    made: list[int] = []

    def making() -> Iterator[int]:
        for number in range(5):
            made.append(number)
            yield number

    found = Remembered(making())
    assert list(islice(found, 2)) == [0, 1] and made == [0, 1]
    assert list(zip(found, found, strict=True)) == [(at, at) for at in range(5)]
    assert list(found) == made == list(range(5))


def test_what_fails_fails_again_at_the_same_place() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    found = Remembered(failing())
    for _ in range(2):
        taken = []
        with pytest.raises(ValueError, match="no more"):
            taken.extend(iter(found))
        assert list(islice(found, 1)) == [1]
