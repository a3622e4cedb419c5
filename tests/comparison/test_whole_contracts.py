"""Small whole contracts, 2.0, 3.0 and 3.1, as their authors write them: each edit gives the rows that are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evreview.kinds.compare import compare
from tests.pipeline import written

HERE = Path(__file__).parent / "whole"
PAIRS: Any = yaml.safe_load((HERE / "pairs.yaml").read_text())


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["pair"] for pair in PAIRS])
def test_the_rows_of_an_edit(pair: Any) -> None:
    released = candidate = (HERE / pair["of"]).read_text()
    for edit in pair["edits"]:
        assert edit["from"] in candidate
        candidate = candidate.replace(edit["from"], edit["to"])
    found = compare(*(written(pair["of"], text.encode()) for text in (released, candidate)))
    said = [(row.delta.role.value, row.delta.aspect.value, row.judgement.verdict.value) for row in found.rows]
    assert sorted(map(" ".join, said)) == pair["rows"]
