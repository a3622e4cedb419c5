"""What a marker is to be replaced by: the type, the allowed values, and where a named thing has to stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.json_pointer import Step
from evreview.evidence.bundle_reader import check_bundle
from evreview.evidence.records.review import Record, ReviewRequest
from evreview.evidence.records.security import Authorization, SecurityInventory, TrustModel
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.scaffold import new_bundle, scaffold
from evreview.evidence.typed_reader import UNFILLED
from evreview.evidence.wanted_values import wanted_at


@pytest.mark.parametrize(
    ("model", "steps", "words"),
    [
        (TrustModel, ("attacker_positions", 0), ("list", "id", "actors")),
        (TrustModel, ("attacker_positions",), ("list", "id", "actors")),
        (TrustModel, ("entry_points", 3, "boundaries"), ("list", "id", "boundaries")),
        (TrustModel, ("identity_transitions",), ("list", "before", "after")),
        (TrustModel, ("identity_transitions", 0, "at"), ("id", "entry_points", "boundaries")),
        (TrustModel, ("boundaries", 0, "backed_by"), ("route", "assumption")),
        (SecurityInventory, ("controls", 0, "deployment"), ("list", "item", "lines", "quote")),
        (SecurityInventory, ("controls", 0, "assets", 1), ("list", "id", "assets")),
        (Authorization, ("approving_role",), ("role", "security_owner")),
        (Authorization, ("period", "since"), ("day",)),
        (Authorization, ("active_testing", "permitted"), ("true", "false")),
        (Authorization, ("techniques", 0), ("list", "static inspection")),
        (Authorization, ("revision",), ("commit", "sha256")),
        (ReviewRequest, ("recipients",), ("list", "role")),
        (TestRun, ("exit_status",), ("whole number",)),
        (TestRun, ("output",), ("evidence id",)),
    ],
)
def test_a_marker_says_what_it_is_for(model: type[Record], steps: tuple[Step, ...], words: tuple[str, ...]) -> None:
    told = wanted_at(model, steps)
    assert [word for word in words if word not in told] == [], told


@pytest.mark.parametrize("steps", [("nothing",), ("actors", 0, "nothing"), ("kind", "x")])
def test_a_place_that_the_model_lacks_takes_nothing(steps: tuple[Step, ...]) -> None:
    assert wanted_at(TrustModel, steps) == ""


@pytest.mark.parametrize("workflow", ["w1", "w2", "w3"])
def test_every_marker_of_a_form_has_a_type(workflow: str, tmp_path: Path) -> None:
    new_bundle(workflow, tmp_path)
    found = [problem for problem in check_bundle(tmp_path) if problem.code == UNFILLED]
    assert found and all(": " in problem.found for problem in found)


def test_the_form_says_where_ids_come_from() -> None:
    above = scaffold("w3")["trust-model.yaml"].partition("attacker_positions:")[0].splitlines()[-3:]
    assert "actors" in " ".join(above) and "list" in " ".join(above)
