"""Items that are made once, when somebody first asks for them, and then again and again for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """The items of an iterator, which is asked for one more only when all known ones were taken.

    What the iterator raises is raised again at the same place.
    """

    def __init__(self, made: Iterator[T]) -> None:
        self._rest = made
        self._known: list[T] = []
        self._failed: Exception | None = None

    def __iter__(self) -> Iterator[T]:
        at = 0
        while True:
            if at == len(self._known) and not self._more():
                return
            yield self._known[at]
            at += 1

    def _more(self) -> bool:
        if self._failed is not None:
            raise self._failed
        try:
            self._known.append(next(self._rest))
        except StopIteration:
            return False
        except Exception as error:
            self._failed = error
            raise
        return True
