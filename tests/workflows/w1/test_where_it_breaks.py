"""The table at a glance tells of each kind of contract which client a retained run shows to fail, and cites the run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import review

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
KINDS = ("orders", "asyncapi", "avro", "graphql", "jsonschema", "protobuf", "python")


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_failed_fails_at_a_glance(kind: str) -> None:
    done = review(open_bundle(EXAMPLES / f"w1-{kind}"))
    impacts = done.registers["impacts"]
    failed = set(impacts[impacts["executed"] == "failed"]["client"])
    assert failed
    lines = str(done.artifact).split("\n")
    head = next(at for at, line in enumerate(lines) if line.endswith("| Unlisted | Evidence |"))
    clients = [cell.strip("` ") for cell in lines[head].strip("|").split(" | ")]
    rows = [line.strip("| ").split(" | ") for line in lines[head + 2 : lines.index("", head)]]
    fails = [(name, row[-1]) for row in rows for name, cell in zip(clients, row, strict=True) if "fails" in cell]
    assert {name for name, _ in fails} == failed
    assert all(re.search(r"E7:L\d+", evidence) for _, evidence in fails)
    verdict = next(line for line in lines if "failed in a retained run" in line)
    assert all(f"`{name}`" in verdict for name in failed)
