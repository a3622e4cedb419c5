"""A reference is written from OpenAPI: a contract of another kind stops the run, and says why."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import yaml

from evreview.core.vocabulary import StepState
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import review
from tests.golden.runs import section


def test_an_event_contract_stops_with_its_kind(project: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(project / "examples" / "w2-orders", bundle)
    events = (project / "examples" / "w1-asyncapi" / "contracts" / "orders-events-3.yaml").read_bytes()
    (bundle / "contract" / "orders.yaml").write_bytes(events)
    request = yaml.safe_load((bundle / "review.yaml").read_text())
    item = next(each for each in request["evidence"] if each.get("file") == "contract/orders.yaml")
    item["integrity"] = f"sha256:{hashlib.sha256(events).hexdigest()}"
    (bundle / "review.yaml").write_text(yaml.safe_dump(request, sort_keys=False))
    done = review(open_bundle(bundle))
    assert [step.state for step in done.steps] == [StepState.STOP]
    assert "The contract is of the kind `asyncapi`" in section(done.artifact, "Approval state")
