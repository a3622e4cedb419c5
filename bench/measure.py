"""Processes, measured: wall time, processor time and peak memory of commands that take turns."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Command = Sequence[str]
TIMEOUT = 120.0
SPAWN = Path(__file__).with_name("spawn.py")
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
    asked = [sys.executable, "-I", "-S", str(SPAWN), str(TIMEOUT), *words]
    told = subprocess.run(asked, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=True)
    wall, cpu, peak, status = told.stdout.split()
    return Run(float(wall), float(cpu), float(peak), int(status))
