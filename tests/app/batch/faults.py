"""What can go wrong while a batch runs, done on purpose; and what has to hold afterwards."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from evreview.app.batch.storage import storage_at
from tests.app.batch.lists import children, command, finished, kept, ledgers_of

STORES: Final = Path(__file__).resolve().parent / "stores"
MOST_SECONDS: Final = 90.0


def parts(out: Path) -> int:
    """How many parts there are by now."""
    folder = out / "parts"
    return sum(not name.startswith(".") for name in os.listdir(folder)) if folder.is_dir() else 0  # noqa: PTH208


def wait_for(true: Callable[[], bool]) -> bool:
    """Whether it became true in time."""
    until = time.monotonic() + MOST_SECONDS
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.002)
    return False


Find = Callable[[int], list[int]]


def kill_workers(  # noqa: PLR0913  what is killed, when and how often
    process: subprocess.Popen[str], out: Path, chance: random.Random, times: int, every: int, find: Find = children
) -> int:
    """Kill a process of a running batch at random moments; how many were killed."""
    killed = 0
    for _ in range(times):
        wanted = chance.randrange(every)
        wait_for(lambda wanted=wanted: parts(out) >= wanted or process.poll() is not None)  # type: ignore[misc]
        time.sleep(chance.uniform(0, 0.05))
        living = find(process.pid)
        if living:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(living), signal.SIGKILL)
                killed += 1
    return killed


def kill_client(pairs: Path, out: Path, chance: random.Random, every: int, *words: object) -> bool:
    """Start a batch and kill it, with nothing told to anybody, at a random moment; False when it was done before."""
    process = command(pairs, "-o", out, *words)
    wanted = parts(out) + chance.randrange(every)
    wait_for(lambda: parts(out) >= wanted or process.poll() is not None)
    time.sleep(chance.uniform(0, 0.1))
    alive = process.poll() is None
    process.kill()
    process.communicate()
    return alive


@contextmanager
def cluster() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler with one worker, neither started by the command: its address, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    at = ("--host", "127.0.0.1", "--port", port, "--no-dashboard")
    run = (sys.executable, "-m", "distributed.cli.dask_scheduler", *at)
    work = (sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard")
    processes = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for words in (run, work)]
    try:
        yield address, processes[0]
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(30)


def kill_scheduler(pairs: Path, out: Path, wanted: int) -> bool:
    """Kill the scheduler of a batch once so many parts are there: the run ends and says why; False when it was done."""
    soon = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "20s"}
    with cluster() as (address, scheduler):
        process = command(pairs, "-o", out, "--scheduler", address, environment=soon)
        wait_for(lambda: parts(out) >= wanted or process.poll() is not None)
        alive = process.poll() is None
        scheduler.kill()
        told = "".join(process.communicate(timeout=90))
    done = process.returncode == 0
    assert done or (process.returncode, "scheduler-gone" in told, "Traceback" in told) == (2, True, False), told
    return alive and not done


def settled(pairs: Path, out: str, count: int, *words: object, environment: Mapping[str, str] | None = None) -> None:
    """Run the batch to its end; nothing is lost, nothing there twice, nothing half, and again nothing is started.

    It is run again by the pool, whoever ran it before: what is kept tells nothing of its engine.
    """
    status, told = finished(pairs, "-o", out, *words, environment=environment)
    assert status == 0, told
    found = kept(out)
    assert {name: part["status"] for name, part in found.items()} == {f"pair {n}": "done" for n in range(count)}
    storage = storage_at(out)
    assert (
        len(storage.names("parts"))
        == len(ledgers_of(storage))
        == len({part["key"] for part in found.values()})
        == count
    )
    status, told = finished(pairs, "-o", out, environment=environment)
    assert (status, f"{count} known" in told) == (0, True), told
