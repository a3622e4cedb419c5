"""Stable ids: a digest over what a row is about, so that rewording, reordering and other edits never move it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.wire_forms import canonical
from evreview.core.vocabulary import DeltaId
from evreview.ledger.delta import Delta

_PREFIX: Final = "D-"
_DIGITS: Final = 12


def digest(delta: Delta) -> str:
    """The digest of a delta's identity by its address."""
    return _digest(
        delta.kind.encode(),
        delta.role.encode(),
        delta.address.encode("utf-8", "surrogatepass"),
        *_difference(delta),
    )


def anchored(delta: Delta, anchor: tuple[bytes, ...], noise: bool) -> str:
    """The digest of a delta inside a shared component; noise has it once, whatever messages carry the component."""
    polarity = str(delta.polarity or "")
    outside = delta.facts.get(fact.OUTSIDE_DIRECTION) is True
    message = () if noise else (delta.role, polarity, f"{delta.in_error}", f"{outside}")
    return _digest(
        b"component", delta.kind.encode(), *(text.encode() for text in message), *anchor, *_difference(delta)
    )


def _difference(delta: Delta) -> tuple[bytes, ...]:
    below = delta.facts.get(fact.HOLDS)
    return (
        delta.element.encode(),
        delta.aspect.encode(),
        delta.change.encode(),
        delta.facet.encode("utf-8", "surrogatepass"),
        canonical(delta.released),
        canonical(delta.candidate),
        *((str(below).encode(),) if below else ()),
    )


def _digest(*fields: bytes) -> str:
    """Every field carries its length, so that none can run into another."""
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in fields)).hexdigest()


def delta_ids(deltas: Iterable[tuple[Delta, tuple[bytes, ...], str]]) -> tuple[DeltaId, ...]:
    """One id per delta, in order: 12 digits, more where two would share them.

    Two components of one shape with one edit fall back to their addresses; noise that says the same as a row, or as
    other noise, adds its reason. Deltas with the same address, difference and reason have to be merged before;
    `unique` refuses what is left.

    Args:
        deltas: each with the fields of its anchor (none: it is written where it is used), and why it is noise, or "".
    """
    rows = list(deltas)
    found = [anchored(delta, anchor, bool(reason)) if anchor else digest(delta) for delta, anchor, reason in rows]
    counts = Counter(found)
    found = [name if counts[name] == 1 else digest(delta) for name, (delta, _, _) in zip(found, rows, strict=True)]
    counts = Counter(found)
    return unique(
        [
            _digest(name.encode(), reason.encode()) if reason and counts[name] > 1 else name
            for name, (_, _, reason) in zip(found, rows, strict=True)
        ]
    )


def unique(digests: Sequence[str]) -> tuple[DeltaId, ...]:
    """The shortest prefixes of at least 12 digits that tell the digests apart."""
    if len(set(digests)) != len(digests):
        raise ValueError("two rows with one identity")
    groups: dict[str, list[str]] = {}
    for full in digests:
        groups.setdefault(full[:_DIGITS], []).append(full)
    return tuple(DeltaId(_PREFIX + full[: _length(groups[full[:_DIGITS]])]) for full in digests)


def _length(group: Sequence[str]) -> int:
    length = _DIGITS
    while len({full[:length] for full in group}) < len(group):
        length += 4
    return length
