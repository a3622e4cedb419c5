"""Processes, measured: wall time, processor time and peak memory of commands that take turns."""

from __future__ import annotations

import os
import resource
import signal
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Command = Sequence[str]
TIMEOUT = 120.0
DONE = frozenset({0, 3, 4, 5})
"""Exit statuses after which a result was written."""


@dataclass(frozen=True, slots=True)
class Run:
    """One process."""

    wall: float
    cpu: float
    peak: float
    status: int


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs of one command: median seconds, median processor seconds, highest peak in MB.

    `status` is that of the last run, None when it was ended because it took too long.
    """

    wall: float
    cpu: float
    peak: float
    status: int | None

    @property
    def ok(self) -> bool:
        """True when the command came to an end and gave a result."""
        return self.status in DONE


def in_turn(
    commands: Mapping[str, Command], rounds: int, environment: Mapping[str, str] | None = None
) -> dict[str, Measured]:
    """Every command measured `rounds` times, one after the other in each round, so that a busy machine slows all.

    A command that fails or takes longer than `TIMEOUT` is not run again.
    """
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, words in commands.items():
            if all(run.status in DONE for run in runs[name]):
                runs[name].append(once(words, environment))
    return {name: summary(found) for name, found in runs.items()}


def summary(runs: Sequence[Run]) -> Measured:
    """The median of the times and the highest peak."""
    late = runs[-1].status == -signal.SIGKILL
    return Measured(
        wall=statistics.median(run.wall for run in runs),
        cpu=statistics.median(run.cpu for run in runs),
        peak=max(run.peak for run in runs),
        status=None if late else runs[-1].status,
    )


def once(words: Command, environment: Mapping[str, str] | None = None) -> Run:
    """One run of a command in a fresh process, its output thrown away."""
    started = time.perf_counter()
    child = os.posix_spawn(words[0], list(words), {**os.environ, **(environment or {})}, file_actions=_quiet())
    state, usage = _waited(child, started + TIMEOUT)
    wall = time.perf_counter() - started
    status = os.waitstatus_to_exitcode(state)
    return Run(wall, usage.ru_utime + usage.ru_stime, _megabytes(usage), status)


def _waited(child: int, until: float) -> tuple[int, resource.struct_rusage]:
    """How the process ended; it is killed when it has not ended by then."""
    previous = signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, max(until - time.perf_counter(), 0.001))
    try:
        _, state, usage = os.wait4(child, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    return state, usage


def _quiet() -> list[tuple[int, int, str, int, int]]:
    return [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
