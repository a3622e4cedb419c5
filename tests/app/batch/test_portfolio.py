"""The notebook over a batch: what it shows, in which order, and that each row leads to its ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evreview as ev
from evreview.app.batch.portfolio_view import Portfolio
from evreview.app.batch.storage import storage_at
from evreview.app.batch.task import BatchSettings, PairTask, TaskStatus
from evreview.app.batch.work import failed_part, keep, perform
from tests.app.batch.lists import write_list
from tests.app.commands.test_branch import run as evreview

HOSTILE = "<img src=x onerror=alert(1)>|[x](javascript:y)"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions of one contract that break once, one of another that does not, and a pair that was lost."""
    folder = tmp_path_factory.mktemp("batch")
    write_list(folder, 2)
    settings = BatchSettings(output=str(folder / "out"))
    for name, contract, position, sides in (
        ("calm 1", "calm", 0, "aa"),
        ("orders 1", "orders", 0, "ab"),
        ("orders 2", "orders", 1, "aa"),
        (HOSTILE, "orders", 2, "ab"),
    ):
        released, candidate = (str(folder / f"{position % 2}{side}.json") for side in sides)
        task = PairTask(name=name, released=released, candidate=candidate, contract=contract, position=position)
        assert perform(task, settings, lambda _: None).status is TaskStatus.DONE
    lost = PairTask(name="lost 1", released="x", candidate="y", contract="lost")
    keep(storage_at(settings.output), lost, "k" * 40, failed_part(TaskStatus.LOST, "killed-its-worker", "f", settings))
    return folder / "out"


@pytest.fixture(scope="module")
def portfolio(results: Path) -> Portfolio:
    return ev.portfolio(results)


def test_contracts_stand_by_breaks_and_tell_their_trend(portfolio: Portfolio) -> None:
    frame = portfolio.contracts().frame
    assert frame.to_dict("records") == [
        {"contract": "orders", "pairs": 3, "broken": 2, "breaking": 2, "unknown": 0, "trend": "1 0 1"},
        {"contract": "calm", "pairs": 1, "broken": 0, "breaking": 0, "unknown": 0, "trend": "0"},
        {"contract": "lost", "pairs": 1, "broken": 0, "breaking": 0, "unknown": 0, "trend": "?"},
    ]


def test_rules_stand_by_breaks(portfolio: Portfolio) -> None:
    assert portfolio.rules().frame.values.tolist() == [["request-field-became-required", 2, 2, 1]]


def test_each_row_leads_to_its_ledger(portfolio: Portfolio, results: Path) -> None:
    for row in portfolio.rows:
        if row["status"] != "done":
            assert row["ledger"] == ""
            continue
        assert (results / row["ledger"]).is_file()
        views = (portfolio.contracts(), portfolio.pairs())
        cards = [view.detail(row[view.key]).to_text() for view in views if view.detail]
        assert [row["ledger"] in card for card in cards] == [True, True]
        ledger = json.loads((results / row["ledger"]).read_bytes())
        assert sorted(portfolio.ledger(row["name"]).frame["id"]) == sorted(each["id"] for each in ledger["rows"])


def test_what_has_no_ledger_is_told(portfolio: Portfolio) -> None:
    assert portfolio.lacking().frame.values.tolist() == [["lost 1", "lost", "killed-its-worker", "f"]]
    with pytest.raises(ev.BadInput) as refused:
        portfolio.ledger("lost 1")
    assert [problem.code for problem in refused.value.problems] == ["ledger-missing"]


def test_the_command_writes_what_python_shows(portfolio: Portfolio, results: Path, tmp_path: Path) -> None:
    out = tmp_path / "p"
    done = evreview("portfolio", results, "-o", out, "--html")
    assert done.exit_code == 0, done.output
    names = {"manifest.json", "portfolio.html", "portfolio.ipynb", "portfolio.md", "portfolio.parquet"}
    assert {path.name for path in out.iterdir()} == names
    assert (out / "portfolio.md").read_text() == portfolio.report().to_markdown()
    cells = json.loads((out / "portfolio.ipynb").read_text())["cells"]
    assert all(
        cell["outputs"] for cell in cells if cell["cell_type"] == "code" and "results" not in "".join(cell["source"])
    )
    page = (out / "portfolio.html").read_text()
    assert ("orders 1" in page, "<img" in page, 'javascript:y"' in page) == (True, False, False)
    assert str(results) not in page


@pytest.mark.parametrize(("place", "code"), [("nothing", "portfolio-empty"), ("nothing://x", "url-unknown")])
def test_a_place_without_results_is_refused(place: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(ev.BadInput) as refused:
        ev.portfolio(place if ":" in place else tmp_path / place)
    assert [problem.code for problem in refused.value.problems] == [code]
    done = evreview("portfolio", tmp_path / "nothing", "-o", tmp_path / "p")
    assert (done.exit_code, (tmp_path / "p").exists()) == (2, False)
