"""Where a run may write."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from evreview.commands.reviews import run
from evreview.errors import BadInput
from tests.conftest import PROJECT


@pytest.mark.parametrize("spelling", [".", "results/.."])
def test_outputs_never_stand_among_the_evidence(spelling: str, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    copytree(PROJECT / "examples" / "w2-orders", bundle)
    before = sorted(path.relative_to(bundle) for path in bundle.rglob("*"))
    with pytest.raises(BadInput) as caught:
        run(bundle, bundle / spelling, html=False, parameters=())
    assert [problem.code for problem in caught.value.problems] == ["output-is-bundle"]
    assert sorted(path.relative_to(bundle) for path in bundle.rglob("*")) == before
