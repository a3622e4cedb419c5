"""The comparison as users get it: the JSON object, the frame, rows by id."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from evreview.comparison.ledger import COLUMNS, HISTORY
from evreview.comparison.rules.rule import Slot
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Json
from tests.pipeline import edited

ROW = [
    "id",
    "kind",
    "operation",
    "address",
    "role",
    "aspect",
    "change",
    "released",
    "candidate",
    "rule",
    "accepts_old_requests",
    "emits_old_compatible",
    "verdict",
    "proof",
    "locations",
]
LOOSE: Json = {"type": "string"}
TIGHT: Json = {"type": "string", "maxLength": 3}


def test_the_json_object_has_the_promised_fields_in_order() -> None:
    made = edited(Slot.REQUEST_FIELD, LOOSE, TIGHT).to_dict()
    assert list(made) == ["schema", "released", "candidate", "summary", "rows", "noise", "unread"]
    assert made["schema"] == "evreview.diff/1"
    assert list(made["released"]) == ["path", "kind", "version", "sha256"]  # type: ignore[arg-type]
    (row,) = made["rows"]  # type: ignore[misc, union-attr]
    assert list(row)[: len(ROW)] == ROW  # type: ignore[arg-type]
    assert list(row["proof"])[:4] == ["status", "method", "witness", "command"]  # type: ignore[index, call-overload]
    assert row["locations"]["released"].startswith("api.json#/paths/")  # type: ignore[index, call-overload, union-attr]
    assert json.loads(json.dumps(made)) == made


def test_two_runs_give_the_same_bytes() -> None:
    runs = [json.dumps(edited(Slot.RESPONSE_FIELD, TIGHT, LOOSE).to_dict()) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("slot", "released", "candidate", "breaking"),
    [
        (Slot.REQUEST_FIELD, LOOSE, TIGHT, True),
        (Slot.REQUEST_FIELD, TIGHT, LOOSE, False),
        (Slot.REQUEST_FIELD, LOOSE, LOOSE, False),
        (Slot.PARAMETER_SCHEMA, {"type": "integer"}, {"type": "integer", "default": 3}, "unknown"),
    ],
)
def test_summary(slot: Slot, released: Json, candidate: Json, breaking: Json) -> None:
    comparison = edited(slot, released, candidate)
    summary = comparison.summary
    assert summary["breaking"] == breaking
    assert summary["rows"] == len(comparison.rows)
    assert sum(summary["verdicts"].values()) == sum(summary["proofs"].values()) == len(comparison.rows)  # type: ignore[union-attr]


def test_the_frame_has_every_documented_column() -> None:
    comparison = edited(Slot.REQUEST_FIELD, LOOSE, TIGHT)
    frame = comparison.frame
    documented = [column for column in COLUMNS if column.owner != HISTORY]
    assert list(frame.columns) == [column.name for column in documented]
    for column in documented:
        if column.allowed:
            assert set(frame[column.name].dropna()) <= set(column.allowed)
            assert not frame[column.name].isna().any()
    assert frame.set_index("delta_id").loc[comparison.rows[0].delta.id, "verdict"] == "breaking"


def test_a_row_by_its_id() -> None:
    comparison = edited(Slot.REQUEST_FIELD, LOOSE, TIGHT)
    row = comparison.rows[0]
    assert comparison.row(row.delta.id) is row
    with pytest.raises(BadInput) as caught:
        comparison.row("D-000000000000")
    assert [problem.code for problem in caught.value.problems] == ["row-unknown"]


def test_comparing_loads_no_frame_library() -> None:
    code = "import sys, evreview.comparison.compare; print(sorted({'pandas', 'rich', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
