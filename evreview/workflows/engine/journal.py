"""[I/O] The run journal: which steps ran, on what evidence, how they ended, and where a later run resumed.

I/O only in `read_journal`; everything else is pure. It holds digests, states and codes, never evidence text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evreview.workflows.engine.step import StepResult

SCHEMA = "evreview.journal/1"
FILE = "journal.json"


def entry(bundle_digest: str, steps: Sequence[StepResult], headline: str, resumed_at: int) -> dict[str, Any]:
    """One run as the journal keeps it."""
    return {
        "bundle": bundle_digest,
        "resumed_at": resumed_at,
        "decision": headline,
        "steps": [
            {
                "number": step.number,
                "title": step.title,
                "state": str(step.state),
                "code": step.code,
                "restart": step.restart,
                "read": step.digest,
            }
            for step in steps
        ],
    }


def resume_point(earlier: Mapping[str, Any] | None, steps: Sequence[StepResult]) -> int:
    """The first step whose evidence changed since the earlier run, no later than where its recovery restarts.

    1 when there is no earlier run. Steps before it read the same evidence and ended the same way.
    """
    if not earlier or not earlier.get("steps"):
        return 1
    before = earlier["steps"]
    last = before[-1]
    limit = last["restart"] or last["number"] + 1
    for old, new in zip(before, steps, strict=False):
        same = old["read"] == new.digest and old["state"] == "advance" and old["number"] < limit
        if not same:
            return int(new.number)
    return int(min(limit, len(before) + 1))


def review_id(workflow: str, title: str) -> str:
    """What says that two runs belong to the same review: a digest of its workflow and title."""
    return hashlib.sha256(f"{workflow}\n{title}".encode()).hexdigest()


def extended(earlier: Sequence[Mapping[str, Any]], latest: Mapping[str, Any], review: str = "") -> dict[str, Any]:
    """The journal of a review with its latest run; a run on unchanged evidence adds nothing."""
    runs = list(earlier)
    same = bool(runs) and runs[-1]["bundle"] == latest["bundle"] and runs[-1]["steps"] == latest["steps"]
    return {"schema": SCHEMA, "review": review, "runs": runs if same else [*runs, dict(latest)]}


def read_journal(folder: Path, review: str) -> list[Mapping[str, Any]]:
    """The runs of a review recorded in an output folder, oldest first.

    Empty when there is no journal, when it can't be understood, or when it is that of another review.
    """
    try:
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
        runs = found["runs"] if (found["schema"], found["review"]) == (SCHEMA, review) else []
        return [run for run in runs if isinstance(run, dict) and {"bundle", "steps"} <= run.keys()]
    except (OSError, ValueError, KeyError, TypeError):
        return []
