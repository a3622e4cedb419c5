"""How the form of a vendor's token becomes a detector."""

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import Detector, Kind
from evreview.redaction.placeholders import stands_in

BODY: Final = "Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1KiOoPyVxQjWzHrMnEbCfDgSl0uAiTn"
HEXES: Final = "9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264"
W: Final = "[A-Za-z0-9]"
D: Final = "[A-Za-z0-9_-]"
H: Final = "[0-9a-f]"
UUID: Final = f"{H}{{8}}-{H}{{4}}-{H}{{4}}-{H}{{4}}-{H}{{12}}"
MADE_UUID: Final = "9f3a7c1e-5b2d-4046-af17-c3e95d20b864"


def drawn(match: re.Match[str]) -> bool:
    """True for a value that is no stand-in and no words with hyphens between them."""
    value = match["value"]
    mixed = any(map(str.isdigit, value)) or (any(map(str.islower, value)) and any(map(str.isupper, value)))
    return mixed and not stands_in(value)


def row(name: str, prefix: str, body: str, made: str) -> Detector:
    """A detector for `prefix` + `body`; `made` is the body of the example, an `x`-filled body the counter-example."""
    lead = prefix.replace("\\", "").split("(")[0].split("[")[0]
    return Detector(
        id=f"vendor-{name}",
        kind=Kind.TOKEN,
        why=f"A token in the form that {name} issues gives its holder access.",
        keywords=(lead.lower(),),
        starts=(lead.lower(),),
        expression=rf"(?<![A-Za-z0-9])(?P<value>{prefix}{body})(?![A-Za-z0-9])",
        example=(*_split(lead), made),
        counter_example=(*_split(lead), "x" * len(made)),
        confirm=drawn,
    )


def marked(name: str, mark: str, back: str, expression: str, *made: str) -> Detector:
    """A detector for a form with its mark inside: `back` reads what stands before it, from right to left."""
    return Detector(
        id=f"vendor-{name}",
        kind=Kind.TOKEN,
        why=f"A token in the form that {name} issues gives its holder access.",
        keywords=(mark,),
        starts=(mark,),
        back=back,
        expression=rf"(?<![A-Za-z0-9])(?P<value>{expression})(?![A-Za-z0-9])",
        example=made,
        counter_example=tuple("x" * len(part) if number % 2 == 0 else part for number, part in enumerate(made)),
        confirm=drawn,
    )


def _split(lead: str) -> tuple[str, str]:
    return lead[: len(lead) // 2], lead[len(lead) // 2 :]
