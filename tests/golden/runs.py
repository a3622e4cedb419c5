"""Finished runs of the variants, each made once, and a small reader for the artifact's headings, tables and labels."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review
from tests.golden.editing import Edit, Variant, build
from tests.golden.unpermitted import UNPERMITTED
from tests.golden.variants import VARIANTS

DEMO = Path(__file__).resolve().parents[2] / "examples" / "w1-orders"
LABELS = (
    "Observation", "Inference", "Recommendation", "Executed check", "Proposed check", "Assumption", "Limitation",
    "Next action",
)  # fmt: skip


@cache
def finished(name: str) -> Review:
    """The finished review of a variant, by name."""
    return varied(next(variant for variant in (*VARIANTS, *UNPERMITTED) if variant.name == name).edits)


def varied(edits: tuple[Edit, ...]) -> Review:
    """The finished review of the demo with some edits."""
    with tempfile.TemporaryDirectory() as place:
        one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
        return review(open_bundle(build(one, DEMO, Path(place) / "bundle")))


def section(artifact: str, heading: str) -> str:
    """The text below a second-level heading."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", artifact, re.M | re.S)
    assert found, heading
    return found[1]


def tables(text: str) -> list[list[Mapping[str, str]]]:
    """The tables of a text: each a list of rows, each row its cells by column."""
    found: list[list[Mapping[str, str]]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text + "\n", re.M):
        head, _, *rows = [_cells(line) for line in block.splitlines()]
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def statements(text: str) -> list[tuple[str, str]]:
    """The labelled statements of a text's lists: label and the rest of the line."""
    return re.findall(r"^\* \*\*([^*]+):\*\* (.*)$", text, re.M)


def actions(done: Review) -> str:
    """Everything that the artifact names as a next action."""
    return "\n".join(text for label, text in statements(done.artifact) if label == "Next action")
