"""Where a run may write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from evreview.app.commands.run import run
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ExitStatus
from evreview.workflows.engine.next_actions import ActionKind
from tests.conftest import PROJECT


@pytest.mark.parametrize("spelling", [".", "results/..", "contract", "service/orders_service"])
def test_outputs_never_stand_among_the_evidence(spelling: str, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    copytree(PROJECT / "examples" / "w2-orders", bundle)
    before = sorted(path.relative_to(bundle) for path in bundle.rglob("*"))
    with pytest.raises(BadInput) as caught:
        run(bundle, bundle / spelling, html=False, parameters=())
    assert [problem.code for problem in caught.value.problems] == ["output-is-bundle"]
    assert sorted(path.relative_to(bundle) for path in bundle.rglob("*")) == before


def test_a_folder_whose_name_would_be_redacted_is_refused(tmp_path: Path) -> None:
    name = "ghp_" + "0123456789abcdefghij0123456789abcdef"
    with pytest.raises(BadInput) as caught:
        run(PROJECT / "examples" / "w1-orders", tmp_path / name, html=False, parameters=())
    assert [problem.code for problem in caught.value.problems] == ["output-name"]
    assert name not in str(caught.value) and list(tmp_path.iterdir()) == []


def test_a_gate_that_waits_behind_other_actions_has_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.app.commands.run.LabOptions.lacking", property(lambda _: "there is none"))
    assert run(PROJECT / "examples" / "w3-tickets", tmp_path / "out", html=False, parameters=()) == ExitStatus.BLOCKED
    told = capsys.readouterr().out
    actions = json.loads((tmp_path / "out" / "review.json").read_text())["next_actions"]
    at, gate = next((at, each["gate"]) for at, each in enumerate(actions) if each["kind"] == ActionKind.ANSWER)
    assert at > 0 and re.search(rf"evreview approve \S*w3-tickets {gate} --role ", told), told
