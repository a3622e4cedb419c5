"""`evreview diff` and `evreview replay` on event contracts, the kind told from what the files hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.core.vocabulary import ExitStatus


@pytest.fixture(scope="module")
def pair() -> tuple[str, str]:
    folder = Path(__file__).resolve().parents[3] / "examples" / "w1-asyncapi" / "contracts"
    return str(folder / "orders-events-2.yaml"), str(folder / "orders-events-3.yaml")


def test_a_comparison_across_generations_is_replayed(pair: tuple[str, str]) -> None:
    runner = CliRunner()
    done = runner.invoke(app, ["diff", *pair, "--format", "json", "--fail-on", "breaking"])
    assert done.exit_code == ExitStatus.FAIL_ON
    found = json.loads(done.stdout)
    assert [found[side]["version"] for side in ("released", "candidate")] == ["2.6.0", "3.0.0"]
    witnessed = [row["id"] for row in found["rows"] if row["proof"]["status"] == "witnessed"]
    assert len(witnessed) == 2
    for row in witnessed:
        assert runner.invoke(app, ["replay", *pair, row]).exit_code == ExitStatus.DONE


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "sarif"])
def test_every_form_is_written(pair: tuple[str, str], form: str) -> None:
    done = CliRunner().invoke(app, ["diff", *pair, "--format", form])
    assert done.exit_code == ExitStatus.DONE and "order.archived" in done.stdout


def test_two_kinds_are_not_compared(pair: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "api.yaml"
    other.write_text("openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\n")
    done = CliRunner().invoke(app, ["diff", pair[0], str(other)])
    assert done.exit_code == ExitStatus.BAD_INPUT and "contract-kinds-differ" in done.output
