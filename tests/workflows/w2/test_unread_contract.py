"""What of the contract could not be read stands among the limitations."""

from __future__ import annotations

import re

import pytest

from tests.golden.editing import Append
from tests.golden.runs import section
from tests.golden.w2_runs import varied
from tests.golden.w2_variants import CONTRACT

TWICE = {"name": "limit", "in": "query", "schema": {"type": "string"}}
PLACE = "/paths/~1v1~1orders/get/parameters"


@pytest.mark.parametrize("times", [0, 2])
def test_a_second_declaration_is_named(times: int) -> None:
    name = TWICE | {"name": "twice"}
    done = varied(tuple(Append(CONTRACT, PLACE, name) for _ in range(times)))
    said = [
        line for line in section(done.artifact, "Assumptions and limitations").splitlines() if "declared twice" in line
    ]
    assert len(said) == (1 if times == 2 else 0)
    assert all(re.search(r"\[E1:L\d+(, E1:L\d+)*\]$", line) for line in said)
