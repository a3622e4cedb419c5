"""What a reference may say, by name: a discrepancy withholds exactly the claims that it names."""

from __future__ import annotations

from evreview.core.vocabulary import Concern
from evreview.reference.model import ClaimKey


def claim(operation: str, concern: Concern, *place: str | int) -> ClaimKey:
    """The key of one claim: operation, concern, then the place from the outside in.

    Places: parameters and validation `query limit`; request body `application/json`, then the field, dotted; success
    responses and errors `404`, the media type, the field; headers `200 X-Total`; limits, idempotency, side effects,
    pagination and rate limits the name. A key withholds every key that it is a prefix of, word by word.
    """
    return ClaimKey(" ".join((operation, str(concern), *map(str, place))))


def withheld(key: ClaimKey, withholds: frozenset[ClaimKey]) -> bool:
    """True when `withholds` holds the key or a key that it is a part of; `a.b` and `a[]` are parts of the field `a`."""
    return any(key == outer or key.startswith((f"{outer} ", f"{outer}.", f"{outer}[]")) for outer in withholds)
