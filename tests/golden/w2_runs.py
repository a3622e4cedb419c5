"""Finished runs of the W2 variants, each made once, and the parts of a reference that publish something."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review
from tests.golden.editing import Append, Edit, Variant
from tests.golden.runs import section
from tests.golden.w2_variants import EXPAND_ITEMS, OWNER, VARIANTS, approval, build_w2

DEMO = Path(__file__).resolve().parents[2] / "examples" / "w2-orders"
PUBLISHED = (
    "Operation", "Authentication", "Request example", "Success response", "Error response",
    "Behavior, limits, and side effects",
)  # fmt: skip
APPROVED = approval("publish-expanded-behaviour", OWNER, "api-owner", EXPAND_ITEMS)


@cache
def finished(name: str) -> Review:
    """The finished review of a variant, by name."""
    return varied(next(variant for variant in VARIANTS if variant.name == name).edits)


def varied(edits: tuple[Edit, ...]) -> Review:
    """The finished review of the demo with some edits."""
    with tempfile.TemporaryDirectory() as place:
        one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
        return review(open_bundle(build_w2(one, DEMO, Path(place) / "bundle")))


def disposed(publish: str, count: int | None = None) -> tuple[Edit, ...]:
    """The owner's word on the demo's discrepancies: `contract` or `withhold`; on the first ones only with a count.

    To publish claims whose code does more than the contract says takes the gate of expanded behaviour too.
    """
    found = finished("demo").registers["discrepancies"]
    rows = list(zip(map(str, found["id"]), map(str, found["digest"]), strict=True))[:count]
    entry = {"kind": "disposition", "role": OWNER, "at": "2026-11-18T10:00:00+00:00", "publish": publish}
    words = {"decision": f"publish: {publish}", "reviewed": ["the discrepancy register"]}
    said = tuple(
        Append("decisions.yaml", "/decisions", {**entry, **words, "subject": name, "of": of}) for name, of in rows
    )
    return (*said, APPROVED) if publish == "contract" else said


@cache
def with_dispositions(publish: str, count: int | None = None) -> Review:
    """The demo with recorded dispositions."""
    return varied(disposed(publish, count))


def published(done: Review) -> str:
    """The sections that document operations, without registers."""
    return "\n".join(section(done.artifact, name) for name in PUBLISHED)
