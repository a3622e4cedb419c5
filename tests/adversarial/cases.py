"""Every hostile case, whichever file it is written in."""

from __future__ import annotations

from tests.adversarial import malformed, patterns, references, sizes
from tests.adversarial.inputs import CASES
from tests.adversarial.texts import PLAIN, TEXTS

FAMILIES = {
    name: tuple(case for case, make in CASES.items() if make.__module__ == module.__name__)
    for name, module in {
        "references": references,
        "sizes": sizes,
        "patterns": patterns,
        "malformed": malformed,
    }.items()
} | {"texts": tuple(TEXTS)}
"""The names of the cases by what they are hostile in."""

__all__ = ["CASES", "FAMILIES", "PLAIN", "TEXTS"]
