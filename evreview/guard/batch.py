"""Many texts read in one pass: which of them certainly stay as they are."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from evreview.guard.encoded import BETWEEN, hits_in, runs
from evreview.redaction.learned_values import Values
from evreview.redaction.scanner import scan

_ODD: Final = re.compile(r"[^\n\t -~]|[%&\\]|=[2-7][0-9A-Fa-f]=")
_ODD_FOR_VALUES: Final = re.compile(r"[^\t -~]|[%&\\<+]|\*\*|=[2-7][0-9A-Fa-f]=|[\"'][ \t]{0,40}[.|]")
"""What acts or may be an escape; where values are known, also what may be a line break inside one of them."""


def passing(texts: Iterable[str], values: Values) -> set[str]:
    """The texts that cleaning would not change; one that is missing may still pass when it is cleaned by itself."""
    odd = (_ODD_FOR_VALUES if values else _ODD).search
    plain = [text for text in texts if odd(text) is None]
    joined = BETWEEN.join(plain)
    coded = tuple(runs(joined))
    hits = [*scan(joined), *values.search(joined), *hits_in(coded, scan), *hits_in(coded, values.search)]
    if not hits:
        return set(plain)
    ends = list(accumulate(len(text) + len(BETWEEN) for text in plain))
    changed = {
        number for hit in hits for number in range(bisect_right(ends, hit.start), bisect_left(ends, hit.end) + 1)
    }
    return {text for number, text in enumerate(plain) if number not in changed}
