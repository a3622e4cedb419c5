"""`evreview batch`: the records, the ledgers, running again, and the exit status."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from evreview.app.batch.engine import EngineChoice, run
from evreview.app.batch.pairs import read_pairs
from evreview.app.batch.portfolio import COLUMNS, portfolio_frame
from evreview.app.batch.storage import storage_at
from evreview.app.batch.task import BatchSettings, PairTask, TaskOutcome, TaskStatus
from evreview.app.batch.work import failed_part, keep, kept_part
from evreview.app.batch.worker import TRIES, BatchWorker
from tests.app.batch.lists import contract, finished, kept, ledgers_of, states, write_list
from tests.app.commands.test_branch import run as evreview
from tests.repositories import CANDIDATE, RELEASED, repository

TOKEN = "ghp_" + "x1Y2" * 9


def outcomes(pairs: Path, output: Path, workers: int = 1, **limits: int) -> dict[str, TaskOutcome]:
    """What comes of each pair of a list, by name."""
    settings = BatchSettings(output=str(output), **limits)
    return {task.name: told for task, told in run(read_pairs(pairs), settings, EngineChoice(workers=workers), print)}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A list with good, equal and bad pairs, and its output."""
    folder = tmp_path_factory.mktemp("batch")
    pairs = write_list(folder, 3)
    (folder / "broken.json").write_text('{"openapi": "3.0.3", "paths": {"x": "' + TOKEN)
    with pairs.open("a") as file:
        file.write("same,0a.json,0b.json,openapi\nbroken,broken.json,0b.json,\nabsent,0a.json,none.json,\n")
    assert evreview("batch", pairs, "-o", folder / "out").exit_code == 2
    return pairs, folder / "out"


def test_each_pair_has_a_record_and_equal_contents_share_one(done: tuple[Path, Path]) -> None:
    found = kept(str(done[1]))
    assert {name: part["status"] for name, part in found.items()} == {
        **dict.fromkeys(("pair 0", "pair 1", "pair 2", "same"), "done"),
        **dict.fromkeys(("broken", "absent"), "refused"),
    }
    assert found["absent"]["code"] == "file-missing"
    assert found["same"] == found["pair 0"] != found["pair 1"]
    assert len(ledgers_of(storage_at(str(done[1])))) == 3


def test_a_ledger_is_that_of_diff_but_for_the_places(done: tuple[Path, Path]) -> None:
    pairs, out = done
    key = kept(str(out))["pair 1"]["key"]
    ledger = json.loads((out / "ledgers" / f"{key}.json").read_bytes())
    told = evreview("diff", pairs.parent / "1a.json", pairs.parent / "1b.json", "--format", "json").stdout
    for side, file in (("released", "1a.json"), ("candidate", "1b.json")):
        told = told.replace(str(pairs.parent / file), f"{side}/{file}")
    assert ledger == json.loads(told)


def test_nothing_secret_is_recorded_of_a_bad_pair(done: tuple[Path, Path]) -> None:
    assert not [path for path in done[1].rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


def test_running_again_starts_nothing_and_changes_nothing(done: tuple[Path, Path]) -> None:
    pairs, out = done
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.rglob("*.json")}
    again = evreview("batch", pairs, "-o", out)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.rglob("*.json")} == before
    assert all(told.known for told in outcomes(pairs, out).values())
    assert (again.exit_code, "6 known" in again.stdout) == (2, True)


def test_the_table_has_the_documented_columns_and_one_row_a_pair(done: tuple[Path, Path]) -> None:
    frame = portfolio_frame(storage_at(str(done[1])))
    read = pd.read_parquet(done[1] / "portfolio.parquet")
    assert list(read.columns) == list(frame.columns) == [column.name for column in COLUMNS]
    assert (len(read), read["name"].is_unique, int(read["breaking"].sum())) == (6, True, 4)
    assert {
        json.loads(rules)["request-field-became-required"] for rules in read.query("status == 'done'")["rules"]
    } == {1}
    assert [(done[1] / place).is_file() for place in read["ledger"] if place] == [True] * 4
    page = (Path(__file__).resolve().parents[3] / "docs" / "batch.md").read_text()
    assert [column.name for column in COLUMNS if f"| `{column.name}` | {column.meaning} |" not in page] == []


def test_other_contents_under_a_name_are_compared_anew(tmp_path: Path) -> None:
    pairs = write_list(tmp_path, 1)
    first = outcomes(pairs, tmp_path / "out")["pair 0"]
    (tmp_path / "0b.json").write_text((tmp_path / "0a.json").read_text())
    second = outcomes(pairs, tmp_path / "out")["pair 0"]
    assert (first.breaking, second.breaking, second.known) == (1, 0, False)
    assert kept(str(tmp_path / "out"))["pair 0"]["key"] == second.key != first.key


def test_a_missing_file_that_comes_is_compared(tmp_path: Path) -> None:
    pairs = write_list(tmp_path, 1)
    (tmp_path / "0b.json").rename(tmp_path / "later.json")
    assert outcomes(pairs, tmp_path / "out")["pair 0"].status is TaskStatus.REFUSED
    (tmp_path / "later.json").rename(tmp_path / "0b.json")
    assert outcomes(pairs, tmp_path / "out")["pair 0"].status is TaskStatus.DONE


def test_the_versions_of_a_clone_are_compared_as_commits_hold_them(tmp_path: Path) -> None:
    clone = repository(tmp_path / "r", (RELEASED, CANDIDATE))
    words = ("--git", clone, "--contract", "api/openapi.yaml", "-o", tmp_path / "out")
    assert evreview("batch", *words, "--fail-on", "breaking").exit_code == 5
    (part,) = kept(str(tmp_path / "out")).values()
    assert (part["status"], part["breaking"] > 0) == ("done", True)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--fail-on", "breaking"), 5),
        (("--fail-on", "never"), 0),
        (("--workers", "0"), 2),
        (("--scheduler", "tcp://127.0.0.1:1"), 2),
        (("--git", "."), 2),
        (("--git", ".", "--contract", "x"), 2),
    ],
)
def test_the_exit_status(words: tuple[str, ...], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "--scheduler" in words:
        monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    found = evreview("batch", write_list(tmp_path, 1), "-o", tmp_path / "out", *words)
    assert found.exit_code == status, found.output


# What a pair may take. A pipe that nobody writes to hangs as code does that never ends.


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """A list of one pair that hangs and one that does not."""
    pairs = write_list(tmp_path, 2)
    (tmp_path / "0a.json").unlink()
    os.mkfifo(tmp_path / "0a.json")
    return pairs


def test_a_pair_that_hangs_is_ended_and_recorded_and_the_rest_is_done(hanging: Path, tmp_path: Path) -> None:
    found = outcomes(hanging, tmp_path / "out", seconds=5)
    assert {name: (told.status, told.code) for name, told in found.items()} == {
        "pair 0": (TaskStatus.LIMIT, "out-of-time"),
        "pair 1": (TaskStatus.DONE, ""),
    }
    assert states(str(tmp_path / "out")) == ["limit", "done"]
    assert evreview("batch", hanging, "-o", tmp_path / "out", "--limit-seconds", "5").exit_code == 4


def test_a_pair_that_needs_too_much_memory_is_recorded_and_the_rest_is_done(tmp_path: Path) -> None:
    pairs = write_list(tmp_path, 2)
    with (tmp_path / "0a.json").open("r+b") as file:
        file.truncate(60_000_000)
    found = outcomes(pairs, tmp_path / "out", megabytes=160)
    assert [(told.status, told.code) for told in found.values()] == [
        (TaskStatus.LIMIT, "out-of-memory"),
        (TaskStatus.DONE, ""),
    ]


@pytest.mark.parametrize(
    ("status", "seconds", "known"),
    [("limit", 60, True), ("limit", 59, True), ("limit", 61, False), ("lost", 60, False), ("fault", 60, False)],
)
def test_only_higher_limits_are_worth_another_try(status: str, seconds: int, known: bool, tmp_path: Path) -> None:
    storage, before = storage_at(str(tmp_path)), BatchSettings(output=str(tmp_path))
    task = PairTask(name="a", released="x", candidate="y")
    keep(storage, task, "k", failed_part(TaskStatus(status), "c", "f", before))
    part = kept_part(storage, "k", BatchSettings(output=str(tmp_path), seconds=seconds))
    assert (part is not None) is known


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[BatchWorker]:
    made = BatchWorker(BatchSettings(output=str(tmp_path / "out")))
    yield made
    made.kill()


def test_a_pair_that_takes_its_process_down_each_time_is_recorded_as_lost(hanging: Path, worker: BatchWorker) -> None:
    told: list[TaskOutcome] = []
    thread = threading.Thread(target=lambda: told.append(worker.perform(read_pairs(hanging)[0])))
    thread.start()
    killed: set[int] = set()
    while thread.is_alive():
        child = worker._child
        if child is not None and child.number not in killed:
            killed.add(child.number)
            os.kill(child.number, signal.SIGKILL)
        time.sleep(0.02)
    assert (told[0].status, told[0].code, len(killed)) == (TaskStatus.LOST, "killed-its-worker", TRIES)
    assert states(worker.settings.output) == ["lost"]


def test_a_child_is_renewed_after_so_many_pairs(
    tmp_path: Path, worker: BatchWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.app.batch.worker.RENEWED_AFTER", 2)
    seen = []
    for task in read_pairs(write_list(tmp_path, 3)):
        assert worker.perform(task).status is TaskStatus.DONE
        seen.append(worker._child is None)
    assert seen == [False, True, False]


def test_no_child_outlives_its_parent(tmp_path: Path) -> None:
    task = PairTask(name="a", released=str(tmp_path / "a.json"), candidate=str(tmp_path / "a.json"))
    (tmp_path / "a.json").write_text(json.dumps(contract(0, required=False)))
    worker = BatchWorker(BatchSettings(output=str(tmp_path / "out")))
    worker.perform(task)
    child = worker._child
    assert child is not None
    assert child._process.stdin is not None
    child._process.stdin.close()  # as the system closes it when the parent is killed
    assert child._process.wait(10) == 0


def test_a_usage_that_names_no_pairs_is_refused(tmp_path: Path) -> None:
    status, told = finished("-o", tmp_path / "out")
    assert (status, "Traceback" in told, (tmp_path / "out").exists()) == (2, False, False)
