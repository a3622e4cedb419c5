"""`evreview run` against the plain papermill command on the same notebook and bundle: medians of five fresh processes.

Usage: python bench/run_vs_papermill.py [BUNDLE]

The two take turns, so that a busy machine slows both. Status 1 when evreview is not the faster one.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evreview.assets import demo_bundle, notebook

ROUNDS = 5
BIN = Path(sys.executable).parent
DECIDED = (0, 3, 4)
"""Exit statuses of a review that was written, whatever it decided."""


def seconds(command: list[str], allowed: tuple[int, ...]) -> float:
    """Wall time of one process; a failure ends the bench."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    if done.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return taken


def main(bundle: Path) -> int:
    """Print both medians and their ratio."""
    ours: list[float] = []
    plain: list[float] = []
    with tempfile.TemporaryDirectory() as place:
        out = Path(place)
        papermill = [str(BIN / "papermill"), str(notebook("w1")), str(out / "plain.ipynb"), "--no-progress-bar"]
        papermill += ["-p", "bundle", str(bundle.resolve()), "-p", "out_dir", str(out / "plain")]
        for number in range(ROUNDS):
            ours.append(seconds([str(BIN / "evreview"), "run", str(bundle), "-o", str(out / f"o{number}")], DECIDED))
            plain.append(seconds(papermill, (0,)))
    mine, theirs = statistics.median(ours), statistics.median(plain)
    print(f"evreview run       {mine:6.2f} s   {' '.join(f'{taken:.2f}' for taken in ours)}")
    print(f"papermill command  {theirs:6.2f} s   {' '.join(f'{taken:.2f}' for taken in plain)}")
    print(f"ratio              {mine / theirs:6.2f}")
    return 0 if mine < theirs else 1


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else demo_bundle()))
