"""Registers as Python hands them out: redacted at the door, and otherwise the frames that the workflow made."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from evreview.evidence.bundle_reader import open_bundle
from evreview.redaction.redactor import Redactor
from evreview.workflows.engine.registers import redacted
from evreview.workflows.session import review
from tests.redaction.seeding import SEEDS, kept, seeded

SECRET = next(seed for seed in SEEDS if seed.kind == "secret")


@pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-031", "C-032", "C-033", "C-034")
@pytest.mark.parametrize("workflow", ["w1-orders", "w2-orders", "w3-tickets"])
def test_no_register_and_no_artifact_holds_a_planted_value(workflow: str, project: Path, tmp_path: Path) -> None:
    planter = seeded(project / "examples" / workflow, tmp_path / "bundle", values=True)
    assert planter.count > 100
    done = review(open_bundle(tmp_path / "bundle"))
    assert "[redacted: " in done.artifact and kept(done.artifact) == []
    assert {name: found for name, frame in done.registers.items() if (found := kept(frame.to_csv()))} == {}
    assert kept(repr(done)) == []
    # The evidence does hold them: without the door they would stand in the registers.
    raw = "\n".join(item.content for item in done.bundle.items.values())
    assert len(kept(raw)) == len(SEEDS)


def test_only_what_holds_a_value_changes() -> None:
    held = {"x": [SECRET.value, 1], "y": "plain"}
    frame = pd.DataFrame(
        {
            "text": ["plain", f"it is {SECRET.value}"],
            "many": [("plain",), ("plain", SECRET.value)],
            "deep": [held, None],
            "number": [1, 2],
            "when": pd.to_datetime(["2026-11-20", "2026-11-21"]),
            "kind": pd.Categorical(["a", SECRET.value]),
        }
    )
    clean = pd.DataFrame({"id": ["D-0123456789ab"], "n": [1.5], "some": [("a", "b")]})
    found = redacted({"one": frame, "two": clean}, Redactor.over([("E1", SECRET.told)]))
    assert found["two"] is clean
    one = found["one"]
    assert one["text"].tolist() == ["plain", "it is [redacted: secret]"]
    assert one["many"].tolist() == [("plain",), ("plain", "[redacted: secret]")]
    assert one["deep"].tolist() == [{"x": ["[redacted: secret]", 1], "y": "plain"}, None]
    assert one["kind"].tolist() == ["a", "[redacted: secret]"]
    pd.testing.assert_frame_equal(one[["number", "when"]], frame[["number", "when"]])
    assert SECRET.value in str(frame["text"].tolist()) and list(one.columns) == list(frame.columns)
