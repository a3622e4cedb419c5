"""A comparison made by hand: hostile text, a mail address and a witness in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

HOSTILE = "a|b`c\n# Scope\n[x](y)<img src=x>, 100%: ::error::x,=1+1 E11000"
MAIL = "ines.moreau" + "@harbourline.fr"


def row(number: int, verdict: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"D-{number:012x}",
        "kind": "openapi",
        "operation": "GET /v1/orders",
        "operations": ["GET /v1/orders"],
        "address": f"GET /v1/orders > response 200 > {HOSTILE}",
        "role": "response",
        "aspect": "nullability",
        "change": "changed",
        "released": {"nullable": False},
        "candidate": HOSTILE,
        "element": "property",
        "facet": "nullable",
        "facts": {},
        "rule": "response-field-became-nullable",
        "why": "null is a value of its own",
        "accepts_old_requests": "n/a",
        "emits_old_compatible": "no",
        "verdict": verdict,
        "proof": {"status": "proved", "method": "containment", "witness": {"by": MAIL}, "command": "", "reason": ""},
        "locations": {"released": "dir name/a,b:1.yaml#/x/y", "candidate": "new.yaml#/x/y"},
    } | changes


def quiet(number: int, **changes: Any) -> dict[str, Any]:
    """A difference that never reaches the wire."""
    made = row(number, "", aspect="annotations", facet="description")
    return {name: made[name] for name in made if name not in ("proof", "locations", "role")} | changes


class NoLedger:
    """Two sides without an operation: the rows of a fake say themselves what words are made from."""

    operations = ()
    released = property(lambda self: self)
    candidate = property(lambda self: self)


class Fake:
    """A comparison with the rows given; `more` replaces members of its document."""

    ledger = NoLedger()
    rows = noise = ()

    def __init__(self, rows: tuple[dict[str, Any], ...], **more: Any) -> None:
        self._rows = rows
        self._more = more

    def to_dict(self) -> Mapping[str, Any]:
        side = {"path": "dir name/a.yaml", "kind": "openapi", "version": "1.4", "sha256": "9f3a7c1e" * 8}
        return {
            "schema": "evreview.diff/1",
            "released": side,
            "candidate": {**side, "path": "new.yaml", "version": None},
            "summary": {
                "rows": len(self._rows),
                "verdicts": {"breaking": 1, "compatible": 0, "unknown": 0},
                "proofs": {},
                "unread": 0,
                "breaking": True,
            },
            "rows": list(self._rows),
            "noise": [quiet(9, address=HOSTILE, reason="a description")],
            "unread": [],
            **self._more,
        }

    @property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame(list(self._rows), columns=list(row(1, "breaking")))


def witnessed(value: Any, command: str = "evreview replay a.yaml b.yaml D-000000000001") -> dict[str, Any]:
    """A proof by a whole message with this value in its body."""
    message = {"method": "POST", "path": "/v1/orders", "content_type": "application/json", "body": {"json": value}}
    return {
        "status": "witnessed",
        "method": "witness",
        "witness": {"message": message, "value": value, "accepted_by": "released", "refused_by": "candidate"},
        "command": command,
        "reason": "the candidate refuses it",
    }


INERT = {"text", "text_special", "code_inline", "strong_open", "strong_close", "html_inline"}
"""What a ledger in Markdown is made of inside its blocks; the only HTML of it is a line end."""
