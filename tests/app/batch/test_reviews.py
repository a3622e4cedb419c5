"""A batch over bundles: each has its review and record, a changed one is reviewed anew, the portfolio tells all."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import evreview as ev
from evreview.app.batch.portfolio_view import Portfolio
from evreview.app.batch.reviews import read_bundles, review
from evreview.app.batch.storage import storage_at
from evreview.app.batch.task import BatchSettings, ReviewTask, TaskOutcome, TaskStatus, task_of
from evreview.app.batch.worker import BatchWorker
from evreview.app.notebook.run import run as run_notebook
from evreview.core.errors import BadInput
from tests.app.batch.lists import finished
from tests.app.commands.test_branch import run as evreview
from tests.golden.editing import build
from tests.golden.runs import DEMO
from tests.golden.test_older_answers import FULL
from tests.golden.w3_runs import DEMO as TICKETS
from tests.golden.w3_variants import VARIANTS as W3_VARIANTS

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contract review and a security review, one below another folder, and a bundle that can't be read."""
    made = tmp_path_factory.mktemp("bundles") / "bundles"
    shutil.copytree(EXAMPLES / "w1-orders", made / "team" / "orders")
    shutil.copytree(EXAMPLES / "w3-tickets", made / "tickets")
    (made / "bad").mkdir()
    (made / "bad" / "review.yaml").write_text("workflow: W9\n")
    (made / "link").symlink_to(made / "tickets")
    return made


@pytest.fixture(scope="module")
def results(folder: Path) -> tuple[int, Path]:
    """Exit status and output of the command."""
    out = folder.parent / "out"
    return finished(folder, "-o", out)[0], out


@pytest.fixture(scope="module")
def portfolio(results: tuple[int, Path]) -> Portfolio:
    return ev.portfolio(results[1])


def test_each_bundle_has_a_record_and_links_are_not_followed(results: tuple[int, Path], portfolio: Portfolio) -> None:
    states = {row["name"]: (row["workflow"], row["status"], row["permitted"]) for row in portfolio.rows}
    assert states == {
        "bad": ("", "refused", ""),
        "team/orders": ("W1", "done", "no"),
        "tickets": ("W3", "done", "no"),
    }
    assert results[0] == 2


def test_what_is_kept_is_what_run_writes(folder: Path, portfolio: Portfolio, tmp_path: Path) -> None:
    row = next(row for row in portfolio.rows if row["name"] == "team/orders")
    run_notebook(folder / "team" / "orders", tmp_path / "review", {})
    written = {path.relative_to(tmp_path / "review").as_posix(): path.read_bytes()
               for path in (tmp_path / "review").rglob("*") if path.is_file()}  # fmt: skip
    kept = portfolio.storage.read_all(f"reviews/{row['key']}/{name}" for name in written)
    assert {name.split("/", 2)[2]: data for name, data in kept.items()} == written


def test_the_portfolio_tells_reviews_gates_and_clients(portfolio: Portfolio) -> None:
    told = portfolio.reviews().frame[["name", "as_of", "gates", "breaking", "findings"]].values.tolist()
    assert told == [
        ["team/orders", "2026-11-20", "ship-breaking-change, remove-deprecated", 5, 9],
        ["tickets", "2026-11-22", "execute-locally", 0, 4],
    ]
    gates = portfolio.gates().frame.set_index("gate")["waiting"].to_dict()
    assert {gate for gate, waiting in gates.items() if waiting} == {
        "ship-breaking-change", "remove-deprecated", "execute-locally",
    }  # fmt: skip
    assert portfolio.clients().frame.values.tolist() == [["ledger-export", 3, 1], ["storefront", 1, 1]]


def test_each_review_leads_to_its_artifact_and_its_ledger(portfolio: Portfolio, results: tuple[int, Path]) -> None:
    for row in portfolio.reviewed:
        card = portfolio.pair(row["name"]).to_text()
        assert (results[1] / row["artifact"]).is_file()
        assert row["artifact"] in card
    ledger = portfolio.ledger("team/orders").frame
    assert list(ledger["verdict"])[:6] == [*["breaking"] * 5, "compatible"]
    assert len(ledger) == 10
    with pytest.raises(ev.BadInput) as refused:
        portfolio.ledger("tickets")
    assert [problem.code for problem in refused.value.problems] == ["ledger-missing"]


def test_an_answer_more_is_reviewed_again_and_nothing_else_is(folder: Path, tmp_path: Path) -> None:
    bundle = Path(shutil.copytree(folder / "team" / "orders", tmp_path / "orders"))
    settings = BatchSettings(output=str(tmp_path / "out"))

    def done() -> TaskOutcome:
        (task,) = read_bundles(tmp_path / "orders")
        return review(task, settings, lambda _: None)

    first, again = done(), done()
    decisions = bundle / "decisions.yaml"
    decisions.write_text(decisions.read_text().replace("14:20:00", "14:21:00"))
    changed = done()
    assert [first.known, again.known, changed.known] == [False, True, False]
    assert first.key == again.key != changed.key
    assert (first.status, first.refuses, first.breaking) == (TaskStatus.DONE, True, 5)


def test_a_permitted_review_ends_with_success(tmp_path: Path) -> None:
    build(FULL, DEMO, tmp_path / "bundles" / "a")
    assert evreview("batch", tmp_path / "bundles", "-o", tmp_path / "out").exit_code == 0
    assert [row["permitted"] for row in ev.portfolio(tmp_path / "out").rows] == ["yes"]


def test_nothing_of_an_internal_review_goes_into_a_store(tmp_path: Path) -> None:
    settings = BatchSettings(output="memory://internal")
    denied = next(variant for variant in W3_VARIANTS if variant.name == "disclosure-denied")
    bundle = build(denied, TICKETS, tmp_path / "tickets")
    told = review(ReviewTask(name="t", bundle=str(bundle)), settings, lambda _: None)
    storage = storage_at(settings.output)
    part = json.loads(storage.read(f"parts/{told.key}.json") or b"")
    assert (told.refuses, part["internal"], part["artifact"], part["decision"] != "") == (True, True, "", True)
    assert storage.names(f"reviews/{told.key}") == ()


def test_a_review_that_takes_too_long_is_recorded(folder: Path, tmp_path: Path) -> None:
    worker = BatchWorker(BatchSettings(output=str(tmp_path / "out"), seconds=1))
    (task,) = read_bundles(folder / "tickets")
    told = worker.perform(task)
    worker.close()
    assert (told.status, told.code) == (TaskStatus.LIMIT, "out-of-time")


@pytest.mark.parametrize(
    ("place", "output", "code"),
    [("empty", "out", "bundles-missing"), ("one", "one/out", "output-is-bundle"), ("one", "one", "output-is-bundle")],
)
def test_a_folder_that_cannot_be_used_is_refused(place: str, output: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "review.yaml").write_text("workflow: W1\n")
    done = evreview("batch", tmp_path / place, "-o", tmp_path / output)
    assert (done.exit_code, code in done.output) == (2, True)
    assert not (tmp_path / output / "parts").exists()


def test_no_bundle_is_passed_over_in_a_folder_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/one", "b/.hidden", "c"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "review.yaml").write_text("workflow: w1\n")
    assert [task.name for task in read_bundles(tmp_path)] == ["a/one", "c"]
    listed = os.scandir

    def scandir(place: str) -> Any:
        if Path(place).name == "b":
            raise PermissionError(13, "Permission denied", str(place))
        return listed(place)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(BadInput) as refused:
        read_bundles(tmp_path)
    assert [(one.code, one.file) for one in refused.value.problems] == [("folder-unreadable", str(tmp_path / "b"))]


def test_a_task_travels_as_json() -> None:
    task = ReviewTask(name="a", bundle="/b")
    assert task_of(json.loads(json.dumps(task.to_json()))) == task
