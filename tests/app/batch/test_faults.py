"""Whatever is killed or fails while a batch runs: nothing is lost, twice or half, and running again ends."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from evreview.app.batch import storage
from evreview.app.batch.storage import storage_at
from tests.app.batch.faults import STORES, Find, kill_client, kill_scheduler, kill_workers, parts, settled, wait_for
from tests.app.batch.lists import children, command, dask_workers, finished, ledgers_of, states, write_list

COUNT = 8
ON_DASK = ("--scheduler", "local")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra `batch` is not installed")
needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found in /proc")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_list(tmp_path / "list", COUNT)


@needs_proc
@pytest.mark.parametrize(
    ("engine", "find"),
    [((), children), pytest.param(ON_DASK, dask_workers, marks=needs_dask)],
    ids=["pool", "dask"],
)
def test_killed_workers_are_replaced(engine: tuple[str, ...], find: Find, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = command(pairs, "-o", out, *engine)
    killed = kill_workers(process, out, random.Random(1), times=2, every=COUNT // 2, find=find)
    told = "".join(process.communicate(timeout=90))
    assert (process.returncode, killed > 0) == (0, True), told
    settled(pairs, str(out), COUNT)


@pytest.mark.parametrize("seed", [2, 3])
def test_a_killed_command_is_run_again(seed: int, pairs: Path, tmp_path: Path) -> None:
    out, chance = tmp_path / "out", random.Random(seed)
    assert kill_client(pairs, out, chance, COUNT // 2)
    settled(pairs, str(out), COUNT)


@needs_proc
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_told_to_stop_keeps_what_is_done(sent: signal.Signals, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = command(pairs, "-o", out)
    assert wait_for(lambda: parts(out) >= 2)
    working = children(process.pid)
    process.send_signal(sent)
    told = "".join(process.communicate(timeout=60))
    assert (process.returncode, "nothing was written" in told) == (128 + sent, False), told
    assert (len(working) > 0, [number for number in working if Path(f"/proc/{number}").exists()]) == (True, [])
    settled(pairs, str(out), COUNT)


def test_two_at_once_on_one_output_write_what_one_writes(pairs: Path, tmp_path: Path) -> None:
    both = [command(pairs, "-o", tmp_path / "out") for _ in range(2)]
    told = ["".join(process.communicate(timeout=90)) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    settled(pairs, str(tmp_path / "out"), COUNT)
    assert finished(pairs, "-o", tmp_path / "alone")[0] == 0
    assert ledgers_of(storage_at(str(tmp_path / "out"))) == ledgers_of(storage_at(str(tmp_path / "alone")))


# A store that fails, in every process: fsspec finds it by its entry point.


def failing(out: Path, **how: object) -> dict[str, str]:
    out.mkdir()
    path = os.pathsep.join(filter(None, [str(STORES), os.environ.get("PYTHONPATH", "")]))
    return {"PYTHONPATH": path, "STORE_ROOT": str(out), **{f"STORE_{name}": str(value) for name, value in how.items()}}


@needs_dask
def test_a_store_that_fails_every_tenth_write_loses_nothing(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = failing(out, FAILS_EVERY=10)
    status, told = finished(pairs, "-o", f"failing://{out}", environment=environment)
    assert (status, (out / "writes").stat().st_size > 3 * COUNT + 1) == (0, True), told
    settled(pairs, str(out), COUNT)


@needs_dask
def test_a_full_disk_ends_the_run_and_room_lets_it_go_on(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = failing(out, ROOM=20_000)
    status, told = finished(pairs, "-o", f"failing://{out}", environment=environment)
    assert (status, "not-writable" in told, "Traceback" in told) == (2, True, False), told
    assert 0 < parts(out) < COUNT
    assert set(states(str(out))) == {"done"}
    settled(pairs, str(out), COUNT)


# An object store on the loopback interface, written by Dask's workers in processes of their own.


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a new bucket; whoever is started from here on reaches it."""
    pytest.importorskip("s3fs", reason="the extra `batch` is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed").ThreadedMotoServer(
        "127.0.0.1", 0, verbose=False
    )
    server.start()
    here = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
    host, port = server.get_host_and_port()
    for name, value in {**here, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    storage.file_system.cache_clear()
    storage.file_system("s3://results")[0].mkdir("results")
    yield "s3://results"
    server.stop()
    storage.file_system.cache_clear()


@needs_dask
def test_workers_of_dask_read_from_s3_and_write_to_it(bucket: str, pairs: Path, tmp_path: Path) -> None:
    system, _ = storage.file_system(bucket)
    system.put(f"{pairs.parent}/", "results/list/", recursive=True)
    there = pairs.with_name("there.csv")
    text = pairs.read_text()
    for number in range(COUNT):
        text = text.replace(
            f",{number}a.json,{number}b.json", f",{bucket}/list/{number}a.json,{bucket}/list/{number}b.json"
        )
    there.write_text(text)
    settled(there, f"{bucket}/out", COUNT, *ON_DASK)
    assert finished(pairs, "-o", tmp_path / "alone")[0] == 0
    assert ledgers_of(storage_at(f"{bucket}/out")) == ledgers_of(storage_at(str(tmp_path / "alone")))


@needs_dask
def test_a_scheduler_that_dies_ends_the_run_and_another_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    many = write_list(tmp_path / "many", 40)
    assert kill_scheduler(many, out, wanted=3)
    settled(many, str(out), 40)
