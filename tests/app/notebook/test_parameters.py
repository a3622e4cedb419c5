"""Names and values that papermill would write into a notebook as they come."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from evreview.app.notebook.notebook_content import checked
from evreview.core.errors import BadInput


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("nosuch", 1, "parameter-unknown"),
        ("limit = 1; import os; X #", 1, "parameter-name"),
        ("Limit", 1, "parameter-name"),
        ("_x\n", 1, "parameter-name"),
        ("ñ", 1, "parameter-name"),
        ("", 1, "parameter-name"),
        ("limit", Path("x"), "parameter-value"),
        ("limit", (1, 2), "parameter-value"),
        ("limit", {1: 2}, "parameter-value"),
        ("limit", [{"a": {3}}], "parameter-value"),
        ("limit", float("nan"), "parameter-value"),
        ("limit", float("inf"), "parameter-value"),
        ("limit", subprocess.STDOUT.__class__, "parameter-value"),
    ],
)
def test_a_bad_parameter_is_refused(name: str, value: object, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        checked({name: value}, {"limit"}, file="n.ipynb")  # type: ignore[dict-item]
    assert [problem.code for problem in caught.value.problems] == [code]


def test_every_bad_parameter_is_told_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        checked({"a b": 1, "nosuch": 1, "limit": {1: 2}}, {"limit"}, file="n.ipynb")  # type: ignore[dict-item]
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("value", ['a"\\\n{x}', 3, -1.5, True, None, [1, {"a": ["b"]}]])
def test_plain_json_passes(value: object) -> None:
    assert checked({"limit": value}, {"limit"}, file="n.ipynb") == {"limit": value}  # type: ignore[dict-item]
