"""Witnesses of which a ledger shows only a part: found again in both contracts, and compared with what is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from evreview.core.control_characters import visible
from evreview.core.vocabulary import Json
from evreview.redaction.detector import fits
from evreview.redaction.scanner import PLACEHOLDER

_PLACED: Final = frozenset({"at", "violation"})
"""Members that name files as they were named on the command line that wrote the ledger."""


def is_redacted(witness: Mapping[str, Json]) -> bool:
    """True when a part of the witness stands in the ledger as a placeholder."""
    return PLACEHOLDER.search(json.dumps(witness, ensure_ascii=False)) is not None


def agree(stated: Mapping[str, Json], found: Mapping[str, Json]) -> bool:
    """True when a witness that was found is, as far as the ledger shows it, the one that the ledger states."""
    return _alike(*({key: part for key, part in each.items() if key not in _PLACED} for each in (stated, found)))


def _alike(stated: Json, found: Json) -> bool:
    if isinstance(stated, str) and PLACEHOLDER.search(stated):
        return not isinstance(found, (Mapping, list, tuple)) and fits(PLACEHOLDER.split(stated), visible(str(found)))
    if isinstance(stated, Mapping) and isinstance(found, Mapping):
        pairs = zip(stated.items(), found.items(), strict=False)
        return len(stated) == len(found) and all(_alike(one, other) for one, other in pairs)
    if isinstance(stated, (list, tuple)) and isinstance(found, (list, tuple)):
        return len(stated) == len(found) and all(map(_alike, stated, found))
    return stated == found
