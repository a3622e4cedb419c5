"""`python bench/run.py`: wall time and peak memory of the commands, each the median of a few runs in a fresh process.

The corpus of real contracts is used when it stands beside the checkout. `evreview run` has to be faster than
papermill's own command on the same notebook.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DEMO = PROJECT / "examples" / "w1-orders"
CORPUS = PROJECT.parent / "shared" / "corpus"
RUNS = 5


@dataclass(frozen=True, slots=True)
class Measured:
    """One command: median seconds, peak memory in MB, and its exit status."""

    name: str
    seconds: float
    peak: float
    status: int


def measure(name: str, words: Sequence[str], runs: int = RUNS) -> Measured:
    """The median over `runs` fresh processes of one command."""
    times, peaks, status = [], [], 0
    for _ in range(runs):
        started = time.perf_counter()
        child = os.posix_spawn(words[0], list(words), os.environ, file_actions=_quiet())
        _, state, usage = os.wait4(child, 0)
        times.append(time.perf_counter() - started)
        peaks.append(_megabytes(usage))
        status = os.waitstatus_to_exitcode(state)
    return Measured(name, statistics.median(times), max(peaks), status)


def _quiet() -> list[tuple[int, int, str, int, int]]:
    return [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def largest_pair() -> tuple[Path, Path] | None:
    """The pair of the corpus with the most bytes, None without a corpus."""
    folders = [
        path.parent for kind in ("openapi2", "openapi3.0", "openapi3.1") for path in CORPUS.glob(f"{kind}/*/meta.json")
    ]
    pairs = [(next(folder.glob("released.*")), next(folder.glob("candidate.*"))) for folder in folders]
    return max(pairs, key=lambda pair: sum(path.stat().st_size for path in pair), default=None)


def main() -> None:
    """Print one line per command."""
    evreview = str(Path(sys.executable).with_name("evreview"))
    contracts = [str(DEMO / "contracts" / name) for name in ("orders-1.4.yaml", "orders-1.5.yaml")]
    rows = [
        measure("evreview --version", [evreview, "--version"]),
        measure("evreview check (demo)", [evreview, "check", str(DEMO)]),
        measure("evreview diff (demo)", [evreview, "diff", *contracts]),
    ]
    if pair := largest_pair():
        size = sum(path.stat().st_size for path in pair) / 1e6
        words = [evreview, "diff", *map(str, pair), "--format", "json"]
        rows.append(measure(f"evreview diff ({pair[0].parent.name}, {size:.1f} MB)", words))
    rows += _notebook_rows(evreview)
    for row in rows:
        sys.stdout.write(f"{row.name:<58} {row.seconds:>7.2f} s {row.peak:>7.0f} MB   exit {row.status}\n")


def _notebook_rows(evreview: str) -> list[Measured]:
    papermill = Path(sys.executable).with_name("papermill")
    notebook = PROJECT / "notebooks" / "w1_api_contract_review.ipynb"
    with tempfile.TemporaryDirectory() as place:
        ours = [evreview, "run", str(DEMO), "-o", f"{place}/ours"]
        plain = [
            str(papermill),
            str(notebook),
            f"{place}/plain.ipynb",
            "-p",
            "bundle",
            str(DEMO),
            "-p",
            "out_dir",
            f"{place}/plain",
        ]
        return [measure("evreview run (demo)", ours, 3), measure("papermill on the same notebook (demo)", plain, 3)]


if __name__ == "__main__":
    main()
