"""What suspicions that the inventory gives rise to have in common."""

from __future__ import annotations

import hashlib

from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import TrustModel


def assumed_attacker(bundle: Bundle) -> str:
    """The first position that the trust model assumes an attacker in, "" without one."""
    model = first_of(bundle, TrustModel)
    return next(iter((model.record.attacker_positions or ()) if model else ()), "")


def digest(*parts: str) -> str:
    """The sha256 over the parts, one per line."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
