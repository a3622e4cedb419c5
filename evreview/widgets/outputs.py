"""Everything that a finished review writes, by file name, redacted. Pure; `Workbench.export` writes it."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from evreview.core.assets import ARTIFACTS
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard
from evreview.report.escape import csv_cell
from evreview.workflows.engine.journal import FILE, entry, extended, review_id
from evreview.workflows.widgets.table import text_of

if TYPE_CHECKING:
    from evreview.workflows.session import Review

SUMMARY: Final = "review.json"
SCHEMA: Final = "evreview.review/1"


def outputs(review: Review, earlier: Sequence[Mapping[str, Any]], resumed_at: int) -> dict[str, Clean]:
    """The artifact, the registers as JSON and CSV, the decision as JSON, and the run journal."""
    guard = review.guard
    latest = entry(review.bundle.digest, review.steps, review.decision.headline, resumed_at)
    journal = extended(earlier, latest, review_id(review.bundle.workflow, review.bundle.title))
    files = {
        ARTIFACTS[review.bundle.workflow.lower()]: review.artifact,
        SUMMARY: _json(summary(review), guard),
        FILE: _json(journal, guard),
    }
    for name, frame in sorted(review.registers.items()):
        files[f"registers/{name}.json"] = _json(_records(frame), guard)
        files[f"registers/{name}.csv"] = guard.clean(_csv(frame, guard))
    return files


def summary(review: Review) -> dict[str, Any]:
    """The decision and the exit status, for whoever runs the review."""
    decision = review.decision
    return {
        "schema": SCHEMA,
        "artifact": ARTIFACTS[review.bundle.workflow.lower()],
        "bundle": review.bundle.digest,
        "state": str(decision.state),
        "decision": decision.headline,
        "codes": list(decision.codes),
        "reasons": [str(reason) for reason in decision.reasons],
        "path": str(decision.path) if decision.path else None,
        "exit_status": decision.exit_status,
        **({"internal": True} if decision.internal else {}),
        "registers": sorted(review.registers),
    }


def _json(value: object, guard: Guard) -> Clean:
    """The value as JSON text, redacted before it is quoted and once more as a whole."""
    plain = json.loads(json.dumps(value, default=text_of))
    return guard.clean(json.dumps(guard.clean_json(plain), ensure_ascii=False, indent=2) + "\n")


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    names = [str(name) for name in frame.columns]
    rows = frame.itertuples(index=False, name=None)
    return [{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in rows]


def _plain(value: Any) -> Any:
    """The cell as JSON; an empty one is null, whatever kind of nothing it holds."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return text_of(value) or None


def _csv(frame: pd.DataFrame, guard: Guard) -> str:
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow([csv_cell(str(name)) for name in frame.columns])
    for row in frame.itertuples(index=False, name=None):
        writer.writerow([csv_cell(guard.clean(text_of(value))) for value in row])
    return held.getvalue()
