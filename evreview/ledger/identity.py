"""Stable ids: a digest over what a row is about, so that rewording, reordering and other edits never move it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.ledger.delta import Delta
from evreview.ledger.forms import canonical
from evreview.vocab import DeltaId

_PREFIX: Final = "D-"
_DIGITS: Final = 12


def digest(delta: Delta) -> str:
    """The digest of a delta's identity; every field carries its length, so that none can run into another."""
    fields: tuple[bytes, ...] = (
        delta.kind.encode(),
        delta.role.encode(),
        delta.address.encode("utf-8", "surrogatepass"),
        delta.element.encode(),
        delta.aspect.encode(),
        delta.change.encode(),
        delta.facet.encode("utf-8", "surrogatepass"),
        canonical(delta.released),
        canonical(delta.candidate),
    )
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in fields)).hexdigest()


def delta_ids(deltas: Iterable[Delta]) -> tuple[DeltaId, ...]:
    """One id per delta, in order: 12 digits, more where two would share them.

    Deltas with the same digest have to be merged before; `unique` refuses what is left.
    """
    return unique([digest(delta) for delta in deltas])


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
