"""`check` tells what a review would remain for, before one runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.app.commands.bundles import examine
from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from tests.conftest import PROJECT
from tests.golden.editing import Delete, Edit, Variant, build

EXAMPLES = PROJECT / "examples"


def told(folder: Path, *edits: Edit) -> list[str]:
    """The codes of the warnings about the bundled comparison with some edits."""
    one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
    bundle = open_bundle(build(one, EXAMPLES / "w1-orders", folder / "bundle"))
    problems, warnings = examine(bundle)
    assert problems == ()
    return [warning.code for warning in warnings]


@pytest.mark.req("W1I-008", "W1S-012")
@pytest.mark.parametrize(
    ("edits", "codes"),
    [
        ((), []),
        ((Delete("review.yaml", "/protocol"),), ["boundary-unnamed"]),
        ((Delete("review.yaml", "/roles/api_owner"), Delete("review.yaml", "/surface")), ["boundary-unnamed"] * 2),
        ((Delete("review.yaml", "/evidence/E5"),), ["policy-missing"]),
    ],
)
def test_what_a_comparison_would_remain_for(tmp_path: Path, edits: tuple[Edit, ...], codes: list[str]) -> None:
    assert told(tmp_path, *edits) == codes


@pytest.mark.parametrize("name", ["w1-orders", "w2-orders", "w3-tickets"])
def test_a_scan_and_a_configuration_are_not_called_plain_text(name: str) -> None:
    assert [warning for warning in examine_bundle(EXAMPLES / name).warnings if warning.code == "plain-text"] == []
