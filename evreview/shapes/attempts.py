"""Makings that need each other: what was made once, and what failed only because other makings were under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Made = TypeVar("Made")
Key = str | int | frozenset["Key"]


@dataclass(frozen=True, slots=True)
class _Failure:
    """What could not be made.

    Attributes:
        subject: kept so that nothing else gets its identity.
        awaited: what was under way and stood in the way; all of it still is.
        least: from how many makings inside each other on this holds, 0 when there was room enough.
    """

    subject: object
    awaited: frozenset[Key]
    least: int


class Attempts(Generic[Made]):
    """Makes each thing once, at most `deepest` inside each other.

    A failure holds while all that it ran into is under way: who asks again meanwhile is told at once. Trying every
    order of n things that lead to each other would take n! makings; this takes no more than a power of n.
    """

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._made: dict[Key, tuple[object, Made]] = {}
        self._failed: dict[Key, _Failure] = {}
        self._waiting: dict[Key, list[Key]] = {}
        self._open: set[Key] = set()
        self._met: set[Key] = set()
        self._short = False

    def of(self, key: Key, subject: object, make: Callable[[], Made | None]) -> Made | None:
        """What `make` returned for the key; None when it can't be made, or not while what is under way is.

        Args:
            key: names what is to be made.
            subject: what an identity as key stands for.
            make: makes it, and asks here for its parts.
        """
        made = self._made.get(key)
        if made is not None:
            return made[1]
        failed = self._failed.get(key)
        if failed is not None and len(self._open) >= failed.least:
            self._met |= failed.awaited
            self._short = self._short or failed.least > 0
        elif key in self._open:
            self._met.add(key)
        elif len(self._open) >= self._deepest:
            self._short = True
        else:
            return self._attempted(key, subject, make)
        return None

    def _attempted(self, key: Key, subject: object, make: Callable[[], Made | None]) -> Made | None:
        met, short = self._met, self._short
        self._met, self._short = set(), False
        self._open.add(key)
        try:
            found = make()
        finally:
            self._open.discard(key)
            mine, self._met = self._met - {key}, met
            too_deep, self._short = self._short, short
        waiting = self._waiting.pop(key, ())
        if found is not None:
            self._made[key] = (subject, found)
            for other in waiting:
                self._failed.pop(other, None)
            return found
        failure = _Failure(subject, frozenset(mine), len(self._open) if too_deep else 0)
        self._fail(key, failure)
        for other in waiting:
            self._hand_on(other, key, failure)
        self._met |= mine
        self._short = self._short or too_deep
        return None

    def _hand_on(self, other: Key, key: Key, failure: _Failure) -> None:
        """What awaited a making that failed now awaits what that one ran into."""
        known = self._failed.get(other)
        if known is not None and key in known.awaited:
            awaited = (known.awaited - {key}) | failure.awaited
            self._fail(other, _Failure(known.subject, awaited, max(known.least, failure.least)))

    def _fail(self, key: Key, failure: _Failure) -> None:
        self._failed[key] = failure
        for awaited in failure.awaited:
            self._waiting.setdefault(awaited, []).append(key)
