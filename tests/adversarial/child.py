"""`python -m tests.adversarial.child NAME…`: runs cases one after the other in this process, one JSON line for each.

The lines say how `evreview diff` ended and what it counted. The parent limits this process; a case that hangs is the
one after the last line.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from evreview.app.cli import run_command
from tests.adversarial.cases import CASES, PLAIN, TEXTS


def run(name: str, folder: Path) -> dict[str, Any]:
    """How the comparison of a case ended."""
    sides = (PLAIN, TEXTS[name]) if name in TEXTS else tuple(json.dumps(side).encode() for side in CASES[name]())
    paths = [folder / "released.json", folder / "candidate.json"]
    for path, data in zip(paths, sides, strict=True):
        path.write_bytes(data)
    out, told = io.StringIO(), io.StringIO()
    started = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        status = run_command(["diff", *map(str, paths), "--format", "json"])
    seconds = time.process_time() - started
    found: dict[str, Any] = {"name": name, "status": status, "cpu": round(seconds, 2), "told": told.getvalue()[-2000:]}
    if status == 0:
        document = json.loads(out.getvalue())
        found["summary"] = document["summary"]
    return found


def main(names: list[str]) -> None:
    """Run the named cases, all of them when none is named."""
    with tempfile.TemporaryDirectory() as place:
        for name in names or [*CASES, *TEXTS]:
            sys.stdout.write(json.dumps(run(name, Path(place))) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
